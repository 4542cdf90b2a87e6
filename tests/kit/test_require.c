/* SPDX-License-Identifier: Apache-2.0 */
/* Each contract of the kit's functions is broken once, see broken_contract.h. */
#include "tests/core/run/broken_contract.h"
#include "kit/launch/launch_reader.h"
#include "kit/live/live_parts.h"
#include "tests/core/suites.h"

#include <opprof/kit/kit.h>

static OpprofChip *chip(void)
{
    OpprofChip *its = NULL;

    ck_assert_int_eq(OpprofChipLoad("C100", &its, NULL), OPPROF_OK);
    return its;
}

static OpprofMetrics *metrics(void)
{
    OpprofMetrics *its = NULL;

    ck_assert_int_eq(OpprofMetricsCreate(chip(), "default", &its, NULL), OPPROF_OK);
    return its;
}

static OpprofMetrics *sealed(OpprofMetrics *open)
{
    ck_assert_int_eq(OpprofMetricsSeal(open, NULL), OPPROF_OK);
    return open;
}

static void add_formula(OpprofMetrics *its)
{
    const OpprofFormula *formula;

    OpprofMetricsAdd(its, "one", "1", NULL, &formula, NULL);
}

static OpprofStatus bind_nothing(void *context, const char *name, const char *key,
                                 OpprofBinding *ret_binding, const char **ret_hint,
                                 OpprofError **error)
{
    (void) context;
    (void) name;
    (void) key;
    (void) ret_binding;
    (void) ret_hint;
    (void) error;
    return OPPROF_OK;
}

static const OpprofFormField form_fields[] = { { .name = "tick" } };
static const OpprofFormLanguage language = { form_fields, 1, false, false };

static OpprofForm *form(void)
{
    OpprofForm *its = NULL;

    ck_assert_int_eq(OpprofFormRead(&language, "<tick>", &its, NULL), OPPROF_OK);
    return its;
}

static OpprofCutter cutter;
static OpprofLaunchReader launch_reader;

/* A mistake that is one call. `site` has what it may need. */
#define MISTAKE(name, call)                                                                        \
    static void name(const Site *site)                                                             \
    {                                                                                              \
        (void) site;                                                                               \
        call;                                                                                      \
    }

MISTAKE(chip_given, OpprofChipSoc(NULL))
MISTAKE(chip_name_given, OpprofChipCheck(NULL, NULL))
MISTAKE(chip_path_given, OpprofChipText(chip(), NULL))
MISTAKE(chip_result_given, OpprofChipLoad("C100", NULL, NULL))
MISTAKE(chip_lists_given, OpprofChipExplain("C100", NULL, 1, "name", stdout, NULL))
MISTAKE(fact_name_given, OpprofFactMember(NULL, NULL))
MISTAKE(fact_report_given, OpprofFactMistake(NULL, "member", "it is wrong"))
MISTAKE(fact_table_given, OpprofFactsFree(NULL, NULL))
MISTAKE(fact_result_given, OpprofFactNumber(NULL, NULL))
MISTAKE(raw_name_given, OpprofRawRole("auto", NULL, NULL))
MISTAKE(raw_form_given, OpprofRawKey(NULL, "soc"))
MISTAKE(raw_text_given, OpprofRawFormOf("auto", NULL, 3))
MISTAKE(raw_result_given, OpprofRawPatterns("auto", "info", NULL))
MISTAKE(block_cores_given,
        OpprofBlockCoresName(&(OpprofBlockCores){ 0 }, 0, false, (char[24]){ "" }))
MISTAKE(cutter_given, OpprofCutterBegin(NULL, 8))
MISTAKE(cutter_size, OpprofCutterBegin(&cutter, OPPROF_CUTTER_MAX + 1))
MISTAKE(cutter_bytes_given, OpprofCutterFeed(&cutter, NULL, 3, NULL, NULL))
MISTAKE(form_given, OpprofFormText(NULL))
MISTAKE(form_language,
        OpprofFormRead(&(OpprofFormLanguage){ form_fields, OPPROF_FORM_FIELDS + 1, false, false },
                       "<tick>", &(OpprofForm *){ NULL }, NULL))
MISTAKE(form_text_given, OpprofFormRead(&language, NULL, &(OpprofForm *){ NULL }, NULL))
MISTAKE(form_field, OpprofFormHas(form(), 1))
MISTAKE(json_out_given, OpprofJsonOutClear(NULL))
MISTAKE(json_out_text_given, OpprofJsonPutRaw(&(OpprofJsonOut){ 0 }, NULL))
MISTAKE(json_out_in_batch, OpprofJsonOutText(&(OpprofJsonOut){ 0 }))
MISTAKE(json_out_in_memory,
        OpprofJsonOutClear(&(OpprofJsonOut){ .batch = OpprofStageNewBatch(site->stage, 0) }))
MISTAKE(json_out_members_given, OpprofJsonMember(NULL, "key"))
MISTAKE(kept_given, OpprofKeptBatchesFinish(NULL))
MISTAKE(kept_batch_given,
        OpprofKeptBatchesAdd(&(OpprofKeptBatches){ 0 }, site->stage, 0, NULL, NULL))
MISTAKE(kept_take_given,
        OpprofKeptBatchesHandOut(&(OpprofKeptBatches){ 0 }, site->stage, NULL, NULL, NULL))
MISTAKE(launch_given, OpprofLaunchClock(NULL))
MISTAKE(launch_parser, OpprofLaunchReaderCreate(site->stage, NULL, NULL, NULL))
MISTAKE(launch_record, OpprofLaunchKeep(NULL, NULL, 0, "it is odd"))
MISTAKE(launch_list_given, OpprofLaunchListAdd(NULL, NULL))
MISTAKE(launch_reader_given, OpprofLaunchesGet(NULL, 0, NULL))
MISTAKE(launch_batch_given, OpprofLaunchesProcess(&launch_reader, 0, NULL, NULL))
MISTAKE(raw_keeper_given, OpprofRawKeeperEnd(NULL))
MISTAKE(raw_keeper_stage, OpprofRawKeeperBegin(&(OpprofRawKeeper){ 0 }, NULL, 0, 0))
MISTAKE(raw_keeper_bytes, OpprofRawKeep(&(OpprofRawKeeper){ 0 }, 0, 0, NULL, 3, NULL))
MISTAKE(large_array_given, OpprofLargeArrayGrow(NULL, NULL, 1))
MISTAKE(tool_call_given, OpprofToolRun(NULL, NULL, NULL))
MISTAKE(tool_words_given, OpprofToolRun(NULL, &(OpprofToolCall){ 0 }, NULL))
MISTAKE(spool_given, OpprofSpoolFinish(NULL))
MISTAKE(spool_bytes_given, OpprofSpoolAppend(&(OpprofSpool){ 0 }, NULL, NULL, 3, NULL, NULL))
MISTAKE(spool_range, OpprofSpoolRead(&(OpprofSpool){ 0 }, 0, 1, (char[1]){ 0 }, NULL))
MISTAKE(formula_given, OpprofFormulaIsInteger(NULL))
MISTAKE(formula_whole, OpprofFormulaWhole(NULL, NULL))
MISTAKE(formula_text, OpprofFormulaParse(&(OpprofFormulaText){ NULL, "1", 1, OPPROF_FORMULA_REAL },
                                         NULL, NULL, NULL, NULL))
MISTAKE(formula_result,
        OpprofFormulaParse(&(OpprofFormulaText){ "one", "1", 1, OPPROF_FORMULA_REAL }, bind_nothing,
                           NULL, NULL, NULL))
MISTAKE(inputs_given, OpprofInputsFinish(NULL))
MISTAKE(inputs_range, OpprofInputsReal(&(OpprofInputs){ 0 }, 0, 1))
MISTAKE(metrics_given, OpprofMetricsSeal(NULL, NULL))
MISTAKE(metrics_text, OpprofMetricsCreate(chip(), NULL, NULL, NULL))
MISTAKE(metrics_result, OpprofMetricsCreate(chip(), "default", NULL, NULL))
MISTAKE(metrics_open, add_formula(sealed(metrics())))
MISTAKE(metrics_sealed, OpprofMetricsDerive(metrics()))
MISTAKE(source_given, OpprofSourcePath(NULL))
MISTAKE(source_path, OpprofSourceOpen(NULL, NULL, NULL, NULL))
MISTAKE(busy_given, OpprofBusyTimeTotal(NULL))
MISTAKE(sub_lanes_given, OpprofSubLanesPlace(NULL, 0, 1, 1))
MISTAKE(sub_lanes_lane, OpprofSubLanesTake(&(OpprofSubLanes){ .count = 0 }, 0, 1))
MISTAKE(busy_lanes_given, OpprofBusyLanesFind(NULL, 1, 1, 1))
MISTAKE(live_app_given, LiveAppHasEnded(NULL))
MISTAKE(live_app_parsed, LiveAppStart(&(OpprofLiveApp){ 0 }, &(OpprofLiveAppPlace){ 0 }, NULL))
MISTAKE(live_text_given, LivePathCheckName(NULL, NULL))
MISTAKE(live_server_given, LiveServerName(NULL))
MISTAKE(live_server_options, LiveServerCreate(NULL, NULL, NULL, NULL))
MISTAKE(live_client_given, OpprofLiveClientId(NULL))
MISTAKE(live_message_given, OpprofLiveClientAnswer(LiveClientCreate(-1, 0), 0, NULL, 3))
MISTAKE(live_filter_given, OpprofLiveFilterIsFull(NULL, 0, 0))
MISTAKE(live_run_given, OpprofLiveRunHasEnded(NULL))
MISTAKE(live_run_options, OpprofLiveRunConfigure(&(OpprofLiveRun){ 0 }, NULL, NULL, NULL))
MISTAKE(live_run_configured, OpprofLiveRunFilter(&(OpprofLiveRun){ 0 }))
MISTAKE(live_run_started, OpprofLiveRunCut(&(OpprofLiveRun){ 0 }))

static const Mistake mistakes[] = {
    { "chip-given", "OpprofChipSoc", "process", chip_given },
    { "chip-name-given", "OpprofChipCheck", "process", chip_name_given },
    { "chip-path-given", "OpprofChipText", "process", chip_path_given },
    { "chip-result-given", "OpprofChipLoad", "process", chip_result_given },
    { "chip-lists-given", "OpprofChipExplain", "process", chip_lists_given },
    { "fact-name-given", "OpprofFactMember", "process", fact_name_given },
    { "fact-report-given", "OpprofFactMistake", "process", fact_report_given },
    { "fact-result-given", "OpprofFactNumber", "process", fact_result_given },
    { "fact-table-given", "OpprofFactsFree", "process", fact_table_given },
    { "raw-name-given", "OpprofRawRole", "process", raw_name_given },
    { "raw-form-given", "OpprofRawKey", "process", raw_form_given },
    { "raw-text-given", "OpprofRawFormOf", "process", raw_text_given },
    { "raw-result-given", "OpprofRawPatterns", "process", raw_result_given },
    { "block-cores-given", "OpprofBlockCoresName", "process", block_cores_given },
    { "cutter-given", "OpprofCutterBegin", "process", cutter_given },
    { "cutter-size", "OpprofCutterBegin", "process", cutter_size },
    { "cutter-bytes-given", "OpprofCutterFeed", "process", cutter_bytes_given },
    { "form-given", "OpprofFormText", "process", form_given },
    { "form-language", "OpprofFormRead", "process", form_language },
    { "form-text-given", "OpprofFormRead", "process", form_text_given },
    { "form-field", "OpprofFormHas", "process", form_field },
    { "json-out-given", "OpprofJsonOutClear", "process", json_out_given },
    { "json-out-text-given", "OpprofJsonPutRaw", "process", json_out_text_given },
    { "json-out-in-batch", "OpprofJsonOutText", "process", json_out_in_batch },
    { "json-out-in-memory", "OpprofJsonOutClear", "process", json_out_in_memory },
    { "json-out-members-given", "OpprofJsonMember", "process", json_out_members_given },
    { "kept-given", "OpprofKeptBatchesFinish", "process", kept_given },
    { "kept-batch-given", "OpprofKeptBatchesAdd", "process", kept_batch_given },
    { "kept-take-given", "OpprofKeptBatchesHandOut", "process", kept_take_given },
    { "launch-given", "OpprofLaunchClock", "process", launch_given },
    { "launch-parser", "OpprofLaunchReaderCreate", "process", launch_parser },
    { "launch-record", "OpprofLaunchKeep", "process", launch_record },
    { "launch-reader-given", "OpprofLaunchesGet", "process", launch_reader_given },
    { "launch-batch-given", "OpprofLaunchesProcess", "process", launch_batch_given },
    { "launch-list-given", "OpprofLaunchListAdd", "process", launch_list_given },
    { "raw-keeper-given", "OpprofRawKeeperEnd", "process", raw_keeper_given },
    { "raw-keeper-stage", "OpprofRawKeeperBegin", "process", raw_keeper_stage },
    { "raw-keeper-bytes", "OpprofRawKeep", "process", raw_keeper_bytes },
    { "large-array-given", "OpprofLargeArrayGrow", "process", large_array_given },
    { "tool-call-given", "OpprofToolRun", "process", tool_call_given },
    { "tool-words-given", "OpprofToolRun", "process", tool_words_given },
    { "spool-given", "OpprofSpoolFinish", "process", spool_given },
    { "spool-bytes-given", "OpprofSpoolAppend", "process", spool_bytes_given },
    { "spool-range", "OpprofSpoolRead", "process", spool_range },
    { "formula-given", "OpprofFormulaIsInteger", "process", formula_given },
    { "formula-whole", "OpprofFormulaWhole", "process", formula_whole },
    { "formula-text", "OpprofFormulaParse", "process", formula_text },
    { "formula-result", "OpprofFormulaParse", "process", formula_result },
    { "inputs-given", "OpprofInputsFinish", "process", inputs_given },
    { "inputs-range", "OpprofInputsReal", "process", inputs_range },
    { "metrics-given", "OpprofMetricsSeal", "process", metrics_given },
    { "metrics-text", "OpprofMetricsCreate", "process", metrics_text },
    { "metrics-result", "OpprofMetricsCreate", "process", metrics_result },
    { "metrics-open", "OpprofMetricsAdd", "process", metrics_open },
    { "metrics-sealed", "OpprofMetricsDerive", "process", metrics_sealed },
    { "source-given", "OpprofSourcePath", "process", source_given },
    { "source-path", "OpprofSourceOpen", "process", source_path },
    { "busy-given", "OpprofBusyTimeTotal", "process", busy_given },
    { "busy-lanes-given", "OpprofBusyLanesFind", "process", busy_lanes_given },
    { "sub-lanes-given", "OpprofSubLanesPlace", "process", sub_lanes_given },
    { "sub-lanes-lane", "OpprofSubLanesTake", "process", sub_lanes_lane },
    { "live-app-given", "LiveAppHasEnded", "process", live_app_given },
    { "live-app-parsed", "LiveAppStart", "process", live_app_parsed },
    { "live-text-given", "LivePathCheckName", "process", live_text_given },
    { "live-server-given", "LiveServerName", "process", live_server_given },
    { "live-server-options", "LiveServerCreate", "process", live_server_options },
    { "live-client-given", "OpprofLiveClientId", "process", live_client_given },
    { "live-message-given", "OpprofLiveClientAnswer", "process", live_message_given },
    { "live-filter-given", "OpprofLiveFilterIsFull", "process", live_filter_given },
    { "live-run-given", "OpprofLiveRunHasEnded", "process", live_run_given },
    { "live-run-options", "OpprofLiveRunConfigure", "process", live_run_options },
    { "live-run-configured", "OpprofLiveRunFilter", "process", live_run_configured },
    { "live-run-started", "OpprofLiveRunCut", "process", live_run_started },
};

START_TEST(a_broken_contract_aborts_and_names_who_broke_it)
{
    check_broken_contract(&mistakes[_i]);
}
END_TEST

START_TEST(every_contract_is_broken_here)
{
    check_all_are_broken("kit", mistakes, OPPROF_COUNT(mistakes));
}
END_TEST

static Suite *require_suite(void)
{
    setenv("OPPROF_CHIP_PATH", TEST_DATA_DIR "/chips/contracts", 1);
    return contract_suite(a_broken_contract_aborts_and_names_who_broke_it,
                          every_contract_is_broken_here, OPPROF_COUNT(mistakes));
}
TEST_SUITE(require_suite)
