/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of a chip: what names stand for, and how they are explained. */
#include "kit/facts/chip_file.h"
#include "kit/metrics/metrics.h"
#include "kit/metrics/metrics_index.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <check.h>
#include <opprof/log.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    "{\"opprof_chip\":\"1.0\",\"series\":\"T\",\"socs\":{\"T1\":{\"peaks\":{\"family\":\"big\"}}," \
    "\"T2\":{}},\"peaks\":{\"family\":\"small\",\"families\":{"                                    \
    "\"small\":{\"any\":{\"RING\":40}},"                                                           \
    "\"big\":{\"default\":{\"RING\":80},\"SK\":{\"RING\":90}}}},"                                  \
    "\"pmu\":{\"events\":{\"10\":{\"name\":\"busy\",\"meaning\":\"busy cycles\"},"                 \
    "\"73\":{\"name\":\"steps\",\"meaning\":\"steps\"}},"                                          \
    "\"rounds\":{\"core\":[[0,10],[10,73]]},\"kinds_of\":[\"F16\"]},\"metrics\":{"                 \
    "\"facts\":{\"cycles\":{\"kind\":\"count\",\"unit\":\"cycles\",\"meaning\":\"Cycles.\","       \
    "\"source\":\"records\"},\"mhz\":{\"kind\":\"real\",\"unit\":\"MHz\"}},"                       \
    "\"indexed\":{\"e\":{\"keys\":\"pmu.events\",\"unit\":\"count\"},"                             \
    "\"op\":{\"keys\":\"pmu.kinds_of\"},"                                                          \
    "\"peak\":{\"values\":[\"peaks.families\",\"@peaks.family\",\"@variant\"],\"unit\":\"B\"}},"
#define SYMBOLS                                                                                    \
    "\"symbols\":{\"time\":{\"is\":\"cycles / mhz\",\"unit\":\"us\"},"                             \
    "\"twice\":\"2 * e(10)\",\"four\":{\"is\":\"2 * twice\"},"                                     \
    "\"circle\":\"round\",\"round\":\"1 + circle\",\"empty\":{},\"bad\":\"1 +\","                  \
    "\"unknown_peak\":\"peak(MOON)\"}"
#define TABLES                                                                                     \
    ",\"tables\":{\"One\":{\"columns\":[{\"name\":\"rate(%)\",\"is\":\"100 * e(10) / cycles\","    \
    "\"unit\":\"%\",\"source\":\"the manual, page 3\"},"                                           \
    "{\"name\":\"used\",\"is\":\"e(73) / peak(RING)\"},{\"name\":\"load(us)\",\"is\":\"time\"},"   \
    "{\"name\":\"load(%)\",\"is\":\"1\"}]},"                                                       \
    "\"Two\":{\"columns\":[{\"name\":\"Rate(%)\",\"is\":\"3\"},{\"name\":\"used\",\"is\":"         \
    "\"e(73) / peak(RING)\"},{\"name\":\"id\",\"shows\":\"block\"}]}}"

static OpprofChip *chip;
static OpprofMetrics *metrics;
static OpprofError *error;
static char *text;

static void use_chip(const char *rest, const char *name)
{
    char content[8192];
    const int length = snprintf(content, sizeof content, "%s%s}}", HEAD, rest);

    ck_assert_int_lt(length, (int) sizeof content);
    write_scratch("chip.json", content, (size_t) length);
    ChipsForget();
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    ck_assert_msg(OpprofChipLoad(name, &chip, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
}

static void setup(void)
{
    make_scratch();
    chip = NULL;
    metrics = NULL;
    error = NULL;
    text = NULL;
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
}

static void teardown(void)
{
    OpprofMetricsFree(metrics);
    OpprofChipFree(chip);
    OpprofErrorDestroy(error);
    free(text);
    remove_scratch();
}

static void begin(const char *soc, const char *variant)
{
    use_chip(SYMBOLS TABLES, soc);
    ck_assert_int_eq(OpprofMetricsCreate(chip, variant, &metrics, NULL), OPPROF_OK);
}

static const OpprofFormula *add(const char *written)
{
    const OpprofFormula *formula = NULL;

    ck_assert_msg(OpprofMetricsAdd(metrics, "m", written, NULL, &formula, &error) == OPPROF_OK,
                  "%s: %s", written, OpprofErrorMessage(error));
    return formula;
}

/* Seal, and give every input its value: e(10) 100, e(73) 9, cycles 1000, mhz 50. */
static void give_values(void)
{
    size_t count = 0;

    ck_assert_int_eq(OpprofMetricsSeal(metrics, NULL), OPPROF_OK);
    const OpprofMetricInput *list = OpprofMetricsInputList(metrics, &count);
    OpprofInputs *inputs = OpprofMetricsInputs(metrics);
    for (size_t i = 0; i < count; i++) {
        if (list[i].key != NULL && strcmp(list[i].name, "e") == 0) {
            OpprofInputsCount(inputs, list[i].input, strcmp(list[i].key, "10") == 0 ? 100 : 9);
        } else if (strcmp(list[i].name, "cycles") == 0) {
            OpprofInputsCount(inputs, list[i].input, 1000);
        } else if (strcmp(list[i].name, "mhz") == 0) {
            OpprofInputsReal(inputs, list[i].input, 50);
        }
    }
    OpprofMetricsDerive(metrics);
}

static double value_of(const OpprofFormula *formula)
{
    return OpprofFormulaReal(formula, OpprofMetricsInputs(metrics));
}

static void assert_refused(const char *formula, OpprofStatus status, const char *message)
{
    const OpprofFormula *unused;
    OpprofError *reason = NULL;

    ck_assert_int_eq(OpprofMetricsAdd(metrics, "m", formula, NULL, &unused, &reason), status);
    char *chain = OpprofErrorText(reason, false);
    ck_assert_msg(strstr(chain, message) != NULL, "'%s' gives: %s", formula, chain);
    free(chain);
    OpprofErrorDestroy(reason);
}

START_TEST(names_are_looked_up_in_the_chip_file)
{
    begin("T1", "default");
    const OpprofFormula *all[] = { add("e(10) + e(0x49)"), add("time"),    add("four + twice"),
                                   add("peak(RING)"),      add("e(busy)"), add("e(010)") };

    give_values();
    ck_assert_double_eq(value_of(all[0]), 109);
    ck_assert_double_eq(value_of(all[1]), 20);
    ck_assert_double_eq(value_of(all[2]), 600);
    ck_assert_double_eq(value_of(all[3]), 80);
    ck_assert_double_eq(value_of(all[4]), 100);
    ck_assert_double_eq(value_of(all[5]), 100);
    /* Each thing once, whatever it was called. */
    size_t count = 0;
    OpprofMetricsInputList(metrics, &count);
    ck_assert_uint_eq(count, 4);
}
END_TEST

START_TEST(a_constant_hangs_on_soc_and_variant)
{
    static const struct {
        const char *soc, *variant;
        double peak;
    } cases[] = {
        { "T1", "default", 80 }, { "T1", "SK", 90 }, { "T2", "default", 40 }, { "T2", "SK", 40 }
    };
    const double expected = cases[_i].peak;

    begin(cases[_i].soc, cases[_i].variant);
    const OpprofFormula *peak = add("peak(RING)");
    give_values();
    ck_assert_double_eq(value_of(peak), expected);
}
END_TEST

START_TEST(variants_share_compiled_formulas)
{
    const OpprofMetricScope scope = { .members = NULL };
    OpprofMetrics *other = NULL;
    const OpprofFormula *scoped = NULL;
    size_t count = 0;

    begin("T1", "default");
    add("e(73)");
    const OpprofFormula *peak = add("four + 0 * time + peak(RING)");
    ck_assert_ptr_eq(add("four + 0 * time + peak(RING)"), peak);
    ck_assert_int_eq(
        OpprofMetricsAdd(metrics, "m", "four + 0 * time + peak(RING)", &scope, &scoped, NULL),
        OPPROF_OK);
    ck_assert_ptr_ne(scoped, peak); /* its names may mean something else */
    give_values();
    ck_assert_double_eq(value_of(peak), 480);

    /* The other one has its own numbers, and sets only what its formulas use. */
    ck_assert_int_eq(OpprofMetricsCreate(chip, "SK", &other, NULL), OPPROF_OK);
    OpprofMetricsFree(metrics);
    metrics = other;
    ck_assert_ptr_eq(add("four + 0 * time + peak(RING)"), peak);
    give_values();
    ck_assert_double_eq(value_of(peak), 490);
    OpprofMetricsInputList(metrics, &count);
    ck_assert_uint_eq(count, 3);
}
END_TEST

/* Of metrics.own: formulas over the members around them, a number, and a pattern. */
typedef struct Own {
    OpprofFactFormula share;
    OpprofFactFormula number;
    OpprofFactFormula pattern;
    OpprofFactFormula missing;
    OpprofFactFormula *list;
    uint32_t count;
} Own;
static const OpprofFactField own_fields[] = {
    { .name = "steps", .type = OPPROF_FACT_IS_FORMULA },
    { "share", OPPROF_FACT_IS_FORMULA, OPPROF_FACT_IN(Own, share) },
    { "number", OPPROF_FACT_IS_FORMULA,
      .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_CONSTANT, OPPROF_FACT_IN(Own, number)) },
    { "pattern", OPPROF_FACT_IS_FORMULA, OPPROF_FACT_PATTERN, OPPROF_FACT_IN(Own, pattern) },
    { "missing", OPPROF_FACT_IS_FORMULA, OPPROF_FACT_IN(Own, missing) },
    { "list", OPPROF_FACT_IS_LIST,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_FORMULA, .size = sizeof(OpprofFactFormula)),
      OPPROF_FACT_ARRAY(Own, list, count) },
    { .name = NULL },
};
static const OpprofFactTable own_table = { .fields = own_fields, .size = sizeof(Own) };

START_TEST(a_table_binds_compiled_formulas)
{
    Own own;

    use_chip(SYMBOLS
             ",\"own\":{\"steps\":\"e(73)\",\"share\":\"steps / peak(RING)\",\"number\":2.5,"
             "\"pattern\":\"e({n})\",\"list\":[\"twice\",\"cycles\"]}",
             "T1");
    ck_assert_int_eq(OpprofMetricsCreate(chip, "SK", &metrics, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofMetricsBind(metrics, "metrics.own", &own_table, &own, NULL), OPPROF_OK);
    give_values();
    ck_assert_str_eq(own.share.text, "steps / peak(RING)");
    ck_assert_double_eq(value_of(own.share.formula), 9.0 / 90); /* of the variant */
    ck_assert_ptr_null(own.number.text);
    ck_assert_double_eq(value_of(own.number.formula), 2.5);
    ck_assert_str_eq(own.pattern.text, "e({n})");
    ck_assert_ptr_null(own.pattern.formula);
    ck_assert_ptr_null(own.missing.text);
    ck_assert_ptr_null(own.missing.formula);
    ck_assert_uint_eq(own.count, 2);
    ck_assert_double_eq(value_of(own.list[0].formula), 200);
    ck_assert_double_eq(value_of(own.list[1].formula), 1000);
    const OpprofFormula *compiled = own.share.formula;
    OpprofFactsFree(&own_table, &own);

    /* without metrics, too: the chip has compiled it */
    ck_assert_int_eq(OpprofFactsBind(chip, "metrics.own", &own_table, &own, NULL), OPPROF_OK);
    ck_assert_str_eq(own.share.text, "steps / peak(RING)");
    ck_assert_ptr_eq(own.share.formula, compiled);
    OpprofFactsFree(&own_table, &own);
}
END_TEST

START_TEST(a_formula_in_braces_is_refused_where_nothing_replaces_them)
{
    Own own;

    use_chip(SYMBOLS ",\"own\":{\"share\":\"e({n})\"}", "T1");
    ck_assert_int_eq(OpprofMetricsCreate(chip, "default", &metrics, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofMetricsBind(metrics, "metrics.own", &own_table, &own, &error),
                     OPPROF_E_DATA);
    ck_assert_ptr_nonnull(strstr(OpprofErrorLine(error), "share"));

    ck_assert_ptr_null(own.list);
}
END_TEST

START_TEST(members_around_a_formula_come_first)
{
    begin("T1", "default");
    const OpprofFormula *value = NULL;
    const OpprofFact *one = OpprofFactMember(OpprofChipFact(chip, "metrics.tables"), "One");
    const OpprofMetricScope outer = { .members =
                                          OpprofFactAt(OpprofFactMember(one, "columns"), 0) };
    const OpprofMetricScope scope = { .members = OpprofFactAt(OpprofFactMember(one, "columns"), 3),
                                      .outer = &outer };

    /* "is" of the inner object, then of the outer. */
    ck_assert_int_eq(OpprofMetricsAdd(metrics, "m", "is + 1", &scope, &value, NULL), OPPROF_OK);
    const OpprofFormula *inner = value;
    ck_assert_int_eq(OpprofMetricsAdd(metrics, "m", "is * 2", &outer, &value, NULL), OPPROF_OK);
    give_values();
    ck_assert_double_eq(value_of(inner), 2);
    ck_assert_double_eq(value_of(value), 20);
}
END_TEST

START_TEST(absence_is_told_by_the_name_in_the_chip_file)
{
    char why[128];

    begin("T1", "default");
    const OpprofFormula *unknown = add("unknown_peak + 1");
    const OpprofFormula *zero = add("1 / (e(10) - e(10))");
    const OpprofFormula *missing = add("op(F16) + 1");
    give_values();
    ck_assert(OpprofIsNaF64(value_of(unknown)));
    OpprofMetricsWhy(metrics, unknown, why, sizeof why);
    ck_assert_str_eq(why, "peak(MOON) of T1 is unknown");
    OpprofMetricsWhy(metrics, zero, why, sizeof why);
    ck_assert_str_eq(why, "a division by zero");
    OpprofMetricsWhy(metrics, missing, why, sizeof why);
    ck_assert_str_eq(why, "op(F16) is absent");
}
END_TEST

START_TEST(mistakes_in_a_chip_file_are_told)
{
    begin("T1", "default");
    assert_refused("circle", OPPROF_E_DATA, "Symbol 'circle' is defined in terms of itself");
    assert_refused("1 + empty", OPPROF_E_DATA, "Symbol 'empty' of the chip has no formula");
    assert_refused("3 * bad", OPPROF_E_DATA,
                   "because: Formula 'm', column 5: 'bad' cannot be used\n"
                   "  because: Formula 'bad', column 4: expected a number");
    assert_refused("e(11)", OPPROF_E_DATA, "hint: 'pmu.events' of the chip has no '11'");
    assert_refused("tiem", OPPROF_E_DATA, "hint: Did you mean 'time'?");
    assert_refused("f(1)", OPPROF_E_DATA, "column 1: 'f(1)' is unknown");
    assert_refused("time", OPPROF_OK, "");
}
END_TEST

/* However long the chain is, parsing ends and so does the stack that it takes. */
START_TEST(symbols_behind_symbols_are_bounded)
{
    char symbols[6000] = "\"symbols\":{\"s0\":\"1\"";

    for (unsigned i = 1; i < 200; i++) {
        const size_t length = strlen(symbols);
        snprintf(symbols + length, sizeof symbols - length, ",\"s%u\":\"1+s%u\"", i, i - 1);
    }
    strcat(symbols, "}");
    use_chip(symbols, "T1");
    ck_assert_int_eq(OpprofMetricsCreate(chip, "default", &metrics, NULL), OPPROF_OK);
    assert_refused("s199", OPPROF_E_LIMIT, "depends on more than 32 others in a row");
    /* From the bottom up each leans on one that is there. */
    const OpprofFormula *sum = NULL;
    for (unsigned i = 0; i < 200; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%u", i);
        sum = add(name);
    }
    give_values();
    ck_assert_double_eq(value_of(sum), 200);
}
END_TEST

START_TEST(explaining_keeps_an_earlier_error)
{
    FILE *out = fopen("/dev/null", "w");

    use_chip(SYMBOLS TABLES, "T1");
    ck_assert_ptr_nonnull(out);
    OpprofErrorSet(&error, OPPROF_E_IO, "the earlier one");
    ck_assert_int_eq(OpprofMetricsExplain(chip, "no such metric", out, &error), OPPROF_E_NOT_FOUND);
    char *chain = OpprofErrorText(error, false);
    ck_assert_ptr_nonnull(strstr(chain, "no such metric"));
    ck_assert_ptr_nonnull(strstr(chain, "the earlier one"));
    free(chain);
    fclose(out);
    OpprofErrorDestroy(error);
    error = NULL;
}
END_TEST

START_TEST(a_chip_without_metrics_is_refused)
{
    static const char content[] = "{\"opprof_chip\":\"1.0\",\"series\":\"U\",\"socs\":{\"U1\":{}}}";

    write_scratch("u.json", content, sizeof content - 1);
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    ck_assert_int_eq(OpprofChipLoad("U1", &chip, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofMetricsCreate(chip, "default", &metrics, &error), OPPROF_E_DATA);
    ck_assert_ptr_null(metrics);
    ck_assert_str_eq(OpprofErrorMessage(error),
                     "The chip 'U1' (series 'U') states no facts for metrics ('metrics.facts')");
}
END_TEST

/* ---- explaining ---- */

static OpprofStatus explain(const char *name)
{
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(out);
    const OpprofStatus status = OpprofMetricsExplain(chip, name, out, &error);
    fclose(out);
    return status;
}

static void assert_says(const char *line)
{
    ck_assert_msg(strstr(text, line) != NULL, "not reported: %s\nbut: %s", line, text);
}

START_TEST(an_explanation_tells_formula_unit_inputs_and_source)
{
    char line[PATH_MAX + 64];

    use_chip(SYMBOLS TABLES, "T1");
    ck_assert_int_eq(explain("rate(%)"), OPPROF_OK);
    assert_says("rate(%)\n  chip: T1 (T)\n  is: column of the table 'One'\n  unit: %\n"
                "  formula: 100 * e(10) / cycles\n"
                "  source of the formula: the manual, page 3\n");
    snprintf(line, sizeof line, "  source: %s, metrics.tables.One.columns[0]\n",
             in_scratch("chip.json"));
    assert_says(line);
    assert_says("  inputs:\n    e(10)  [count]  ");
    assert_says("      event 10 (0xa) busy: busy cycles\n"
                "      counted by core: replay 1, counter 1; core: replay 2, counter 0\n");
    assert_says("    cycles  [cycles]  Cycles.\n      from records\n");
}
END_TEST

START_TEST(an_explanation_follows_symbols_and_constants)
{
    use_chip(SYMBOLS TABLES, "T1");
    ck_assert_int_eq(explain("used"), OPPROF_OK);
    assert_says("  is: column of the table 'One'\n  is: column of the table 'Two'\n");
    assert_says("    peak(RING) = 80  [B]");
    assert_says("chip.json, peaks.families.big.default.RING\n");
    free(text);
    ck_assert_int_eq(explain("load(us)"), OPPROF_OK);
    assert_says("    time  [us]  \n      = cycles / mhz\n");
    assert_says("    mhz  [MHz]");
    free(text);
    ck_assert_int_eq(explain("e(0x49)"), OPPROF_OK);
    assert_says("event 73 (0x49) steps: steps");
    free(text);
    ck_assert_int_eq(explain("unknown_peak"), OPPROF_OK);
    assert_says("unknown for T1: what needs it is NA");
    free(text);
    ck_assert_int_eq(explain("id"), OPPROF_OK);
    assert_says("shows: 'block'");
}
END_TEST

START_TEST(a_name_is_found_in_any_case_and_without_its_unit)
{
    use_chip(SYMBOLS TABLES, "T1");
    ck_assert_int_eq(explain("USED"), OPPROF_OK);
    assert_says("used\n  chip");
    free(text);
    ck_assert_int_eq(explain("Rate(%)"), OPPROF_OK); /* as it stands there, so no other */
    assert_says("  is: column of the table 'Two'");
    ck_assert_ptr_null(strstr(text, "'One'"));
}
END_TEST

START_TEST(names_that_could_be_several_or_none_are_told)
{
    static const struct {
        const char *name;
        OpprofStatus status;
        const char *message;
    } cases[] = {
        { "load", OPPROF_E_ARGUMENT,
          "Several metrics could be meant with 'load'\n  hint: Say which: 'load(us)', 'load(%)'" },
        { "RATE(%)", OPPROF_E_ARGUMENT, "Say which: 'rate(%)', 'Rate(%)'" },
        { "rate", OPPROF_E_ARGUMENT, "Say which: 'rate(%)', 'Rate(%)'" },
        { "laod(us)", OPPROF_E_NOT_FOUND,
          "No metric 'laod(us)' of the chip 'T1'\n  hint: Did you mean 'load(us)'? "
          "The name 'all' lists all" },
        { "usde", OPPROF_E_NOT_FOUND, "Did you mean 'used'?" },
        { "nknow", OPPROF_E_NOT_FOUND, "Did you mean one of 'unknown_peak'?" },
        { "xyzzyxyzzy", OPPROF_E_NOT_FOUND, "hint: The name 'all' lists all" },
        { "", OPPROF_E_NOT_FOUND, "No metric ''" },
        { "e(11)", OPPROF_E_DATA, "'pmu.events' of the chip has no '11'" },
    };

    use_chip(SYMBOLS TABLES, "T1");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(explain(cases[i].name) == cases[i].status, "%s", cases[i].name);
        char *chain = OpprofErrorText(error, false);
        ck_assert_msg(strstr(chain, cases[i].message) != NULL, "'%s' gives: %s", cases[i].name,
                      chain);
        ck_assert_str_eq(text, "");
        free(chain);
        OpprofErrorDestroy(error);
        error = NULL;
        free(text);
        text = NULL;
    }
}
END_TEST

START_TEST(all_names_have_a_line)
{
    use_chip(SYMBOLS TABLES, "T1");
    ck_assert_int_eq(explain("all"), OPPROF_OK);
    assert_says("\nload(us) ");
    assert_says("column of the table 'Two'\n");
    assert_says("\nbusy ");
    assert_says("\ncycles                                    cycles        fact of a launch");
}
END_TEST

START_TEST(the_file_is_named_whose_word_holds)
{
    static const char above[] =
        "{\"opprof_chip\":\"1.0\",\"series\":\"V\",\"extends\":\"T\",\"socs\":{\"V1\":{\"peaks\":"
        "{\"family\":\"own\"}}},\"peaks\":{\"families\":{\"big\":{\"default\":{\"RING\":1}}}}}";

    write_scratch("v.json", above, sizeof above - 1);
    use_chip(SYMBOLS, "V1");
    ck_assert_str_eq(OpprofChipOrigin(chip, "peaks.family"), in_scratch("v.json"));
    ck_assert_str_eq(OpprofChipOrigin(chip, "peaks.families.big.default.RING"),
                     in_scratch("v.json"));
    ck_assert_str_eq(OpprofChipOrigin(chip, "peaks.families.big.SK.RING"), in_scratch("chip.json"));
    ck_assert_str_eq(OpprofChipOrigin(chip, "pmu.rounds.core[3].x"), in_scratch("chip.json"));
    ck_assert_ptr_null(OpprofChipOrigin(chip, "peaks.nothing"));
}
END_TEST

/* ---- the chips of the release ---- */

static void explain_entries(const char *soc)
{
    FILE *nowhere = fopen("/dev/null", "w");
    MetricIndex index;

    ck_assert_ptr_nonnull(nowhere);
    ck_assert(MetricIndexInit(&index, chip));
    for (size_t i = 0; i < index.count; i++) {
        OpprofError *reason = NULL;
        OpprofMetricsExplain(chip, index.entries[i].name, nowhere, &reason);
        ck_assert_msg(reason == NULL, "%s of %s: %s", index.entries[i].name, soc,
                      OpprofErrorMessage(reason));
        ck_assert_msg(OpprofChipOrigin(chip, index.entries[i].place) != NULL, "%s",
                      index.entries[i].place);
    }
    ck_assert_uint_gt(index.count, 100);
    MetricIndexFinish(&index);
    fclose(nowhere);
}

/* So every formula of theirs can be parsed, and every name in it is known. */
START_TEST(every_name_of_every_series_can_be_explained)
{
    char **series = NULL;

    setenv("OPPROF_CHIP_PATH", TEST_SOURCE_DIR "/chips", 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", TEST_FACT_PATH, 1);
    const size_t count = OpprofChipSeriesList(&series);
    unsigned explained = 0;
    for (size_t i = 0; i < count; i++) {
        if (OpprofChipLoad(series[i], &chip, NULL) == OPPROF_OK &&
            OpprofChipFact(chip, "metrics.tables") != NULL) {
            explain_entries(OpprofChipSoc(chip));
            explained++;
        }
        OpprofChipFree(chip);
        chip = NULL;
        free(series[i]);
    }
    free(series);
    ck_assert_uint_ge(explained, 4);
}
END_TEST

static Suite *metrics_suite(void)
{
    Suite *suite = suite_create("metrics");
    TCase *names = tcase_create("names");
    TCase *explanations = tcase_create("explanations");

    tcase_add_checked_fixture(names, setup, teardown);
    tcase_add_test(names, names_are_looked_up_in_the_chip_file);
    tcase_add_test(names, explaining_keeps_an_earlier_error);
    tcase_add_loop_test(names, a_constant_hangs_on_soc_and_variant, 0, 4);
    tcase_add_test(names, variants_share_compiled_formulas);
    tcase_add_test(names, a_table_binds_compiled_formulas);
    tcase_add_test(names, a_formula_in_braces_is_refused_where_nothing_replaces_them);
    tcase_add_test(names, members_around_a_formula_come_first);
    tcase_add_test(names, absence_is_told_by_the_name_in_the_chip_file);
    tcase_add_test(names, mistakes_in_a_chip_file_are_told);
    tcase_add_test(names, symbols_behind_symbols_are_bounded);
    tcase_add_test(names, a_chip_without_metrics_is_refused);
    suite_add_tcase(suite, names);
    tcase_add_checked_fixture(explanations, setup, teardown);
    tcase_add_test(explanations, an_explanation_tells_formula_unit_inputs_and_source);
    tcase_add_test(explanations, an_explanation_follows_symbols_and_constants);
    tcase_add_test(explanations, a_name_is_found_in_any_case_and_without_its_unit);
    tcase_add_test(explanations, names_that_could_be_several_or_none_are_told);
    tcase_add_test(explanations, all_names_have_a_line);
    tcase_add_test(explanations, the_file_is_named_whose_word_holds);
    tcase_add_test(explanations, every_name_of_every_series_can_be_explained);
    suite_add_tcase(suite, explanations);
    return suite;
}
TEST_SUITE(metrics_suite)
