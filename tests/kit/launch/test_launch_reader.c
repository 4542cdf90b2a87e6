/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/launch/launch_reader.c, launch_files.c and launch_facts.c: a parser of some kinds of
 * files in a pipeline. */
#include <opprof/kit/launch_reader.h>

#include "kit/facts/chip_file.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/opprof.h>
#include <opprof/records/onboard.h>

#include <sched.h>

/* ---- the chips, and the source ---- */

#define RAW                                                                                        \
    "\"raw\": { \"files\": { \"info\": [\"about.txt\", \"more.txt\"], \"code_start\": "            \
    "\"start.txt\", \"counters\": \"row<k>.raw\", \"region_map\": \"notes.txt\", \"task_log\": "   \
    "\"cells.raw\", \"aicpu\": \"loose.raw\", \"marks\": \"others.raw\" }, \"info\": { "           \
    "\"name\": \"Op\", \"soc\": \"Chip\", \"current_freq\": \"MHz\", \"rated_freq\": \"Rated\", "  \
    "\"mc2\": \"Talks\" } }"

static void make_chips(void)
{
    make_scratch();
    RawNamesForget();
    write_text("a.json",
               "{ \"opprof_chip\": \"1.0\", \"series\": \"Ash\", \"socs\": { \"Ash1\": {}, "
               "\"Ash2\": { \"clocks\": { \"core\": 900 } }, \"AshBad\": { \"pmu\": { "
               "\"bad\": true } } }, \"clocks\": { \"core\": 700 }, " RAW " }");
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
}

/* A piece of a file; without a file: the launch ends. `size` 0: that of the piece. */
typedef struct Step {
    const char *launch;
    const char *file;
    const char *bytes;
    size_t length;
    uint64_t offset;
    uint64_t size;
} Step;

#define FILE_OF(name, text)                                                                        \
    {                                                                                              \
        "a", name, text, sizeof(text) - 1, 0, sizeof(text) - 1                                     \
    }
#define PIECE(name, text, from, whole)                                                             \
    {                                                                                              \
        "a", name, text, sizeof(text) - 1, from, whole                                             \
    }
#define OVER                                                                                       \
    {                                                                                              \
        "a", NULL, NULL, 0, 0, 0                                                                   \
    }
#define LAST                                                                                       \
    {                                                                                              \
        NULL, NULL, NULL, 0, 0, 0                                                                  \
    }
#define INFO FILE_OF("about.txt", "Op=add\nChip=Ash2\n")

static const Step *steps;
static OpprofPipeline *pipeline;
static bool stops;

static uint32_t intern(OpprofStage *stage, const char *text)
{
    return text == NULL ? OPPROF_NA_STRING : OpprofStageIntern(stage, text, strlen(text));
}

static OpprofStatus remember(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    (void) error;
    *ret_self = stage;
    return OPPROF_OK;
}

static OpprofStatus produce(void *stage, uint32_t port, const OpprofBatch *nothing,
                            OpprofError **error)
{
    (void) port, (void) nothing, (void) error;
    for (const Step *step = steps; step->launch != NULL; step++) {
        OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
        OpprofOnboardChunk *chunk;
        OpprofText bytes = { OPPROF_NA_U32, 0 };

        ck_assert_ptr_nonnull(batch);
        batch->partition = intern(stage, step->launch);
        if (step->length > 0) {
            ck_assert_int_eq(OpprofBatchAppendText(batch, step->bytes, step->length, &bytes),
                             OPPROF_OK);
        }
        chunk = OpprofBatchAppend(batch);
        *chunk = (OpprofOnboardChunk){ .offset = step->offset,
                                       .file_size = step->size,
                                       .file = intern(stage, step->file),
                                       .device = OPPROF_NA_STRING,
                                       .kernel = intern(stage, "add"),
                                       .order = OPPROF_NA_STRING,
                                       .bytes = bytes };
        ck_assert_int_eq(OpprofStagePush(stage, 0, batch), OPPROF_OK);
    }
    if (stops) {
        OpprofPipelineStop(pipeline, "the test stops it");
        while (!OpprofStageStopRequested(stage)) {
            sched_yield(); /* the runner passes it on */
        }
    }
    return OPPROF_END;
}

/* ---- the parser ---- */

static char seen[4096]; /* what the parser was told, in order */
static uint64_t clock_hz;
static uint64_t code_start;
static bool asks_clock;
static bool wants_chip;
static bool leaves_out;
static const char *asked;
static char ended[64]; /* launches that ended, in order */
static int models;
static int alive;

#define SEE(...) snprintf(seen + strlen(seen), sizeof seen - strlen(seen), __VA_ARGS__)

static OpprofStatus take_rows(OpprofLaunch *launch, const unsigned char *records, size_t count,
                              OpprofError **error)
{
    (void) error;
    for (size_t i = 0; i < count; i++) {
        SEE("%s@%u:%.4s ", launch->file.name, (unsigned) (launch->file.at + 4 * i),
            (const char *) records + 4 * i);
        if (records[4 * i] == '?') {
            OpprofLaunchKeep(launch, records + 4 * i, 4, "it asks");
        }
    }
    if (memcmp(records, "halt", 4) == 0) {
        OpprofPipelineStop(pipeline, "a record says so");
        while (!OpprofStageStopRequested(launch->stage)) {
            usleep(1000);
        }
        return OPPROF_END;
    }
    return memcmp(records, "stop", 4) == 0 ? OPPROF_END : OPPROF_OK;
}

static OpprofStatus end_rows(OpprofLaunch *launch, OpprofError **error)
{
    (void) error;
    SEE("end%u%s ", launch->file.number, launch->file.is_whole ? "" : "(cut)");
    return OPPROF_OK;
}

static OpprofStatus take_whole(OpprofLaunch *launch, const unsigned char *bytes, size_t length,
                               OpprofError **error)
{
    (void) launch, (void) error;
    SEE("whole=%.*s ", (int) length, (const char *) bytes);
    return OPPROF_OK;
}

static OpprofStatus begin_cells(OpprofLaunch *launch, OpprofError **error)
{
    (void) error;
    launch->file.record_bytes = *(const uint32_t *) launch->model;
    SEE("cells of %s ", OpprofChipSoc(launch->chip));
    return launch->file.size == 13 ? OPPROF_END : OPPROF_OK;
}

static OpprofStatus take_cells(OpprofLaunch *launch, const unsigned char *records, size_t count,
                               OpprofError **error)
{
    (void) error;
    SEE("%.*s ", (int) (count * launch->file.record_bytes), (const char *) records);
    return records[0] == '!' ? OPPROF_E_MEMORY : OPPROF_OK;
}

static OpprofStatus take_loose(OpprofLaunch *launch, const unsigned char *bytes, size_t length,
                               OpprofError **error)
{
    (void) error;
    SEE("%u+%u ", (unsigned) launch->file.at, (unsigned) length);
    (void) bytes;
    return OPPROF_OK;
}

static const OpprofRoleReader roles[] = {
    { .role = "counters", .record_bytes = 4, .take = take_rows, .end = end_rows },
    { .role = "region_map",
      .flags = OPPROF_ROLE_WHOLE | OPPROF_ROLE_ONCE,
      .most_bytes = 1 << 20,
      .take = take_whole },
    { .role = "task_log",
      .flags = OPPROF_ROLE_NEEDS_CHIP,
      .record = "a cell",
      .begin = begin_cells,
      .take = take_cells },
    { .role = "beats", .files = "beats-*.bin", .record_bytes = 4, .take = take_rows },
    { .role = "aicpu", .flags = OPPROF_ROLE_MAY_BE_EMPTY, .take = take_loose },
    { .role = "marks" },
};

static OpprofStatus load_model(void *instance, const OpprofChip *chip, void *model,
                               OpprofError **error)
{
    (void) instance;
    models++;
    if (OpprofChipFact(chip, "pmu.bad") != NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Its facts are bad");
    }
    *(uint32_t *) model = 6;
    return OPPROF_OK;
}

static void unload_model(void *model)
{
    (void) model;
    models--;
}

static OpprofStatus begin_launch(OpprofLaunch *launch)
{
    (void) launch;
    alive++;
    return OPPROF_OK;
}

static OpprofStatus choose(OpprofLaunch *launch, OpprofError **error)
{
    (void) launch, (void) error;
    SEE("chosen ");
    return OPPROF_OK;
}

static OpprofStatus end_launch(OpprofLaunch *launch, OpprofError **failure, OpprofError **error)
{
    size_t length = 0;

    (void) error;
    snprintf(ended + strlen(ended), sizeof ended - strlen(ended), "%s ", OpprofLaunchPlace(launch));
    if (OpprofLaunchSaw(launch, "region_map") && strstr(seen, "whole=bad") != NULL) {
        return OpprofErrorSet(failure, OPPROF_E_DATA, "A piece is bad") == OPPROF_E_DATA
                   ? OPPROF_OK
                   : OPPROF_E_DATA;
    }
    clock_hz = asks_clock ? OpprofLaunchClock(launch) : 0;
    code_start = OpprofLaunchCodeStart(launch);
    SEE("over=%d%s%s%s", launch->is_over, OpprofLaunchHas(launch, "marks") ? " others" : "",
        OpprofLaunchCommunicates(launch) ? " talks" : "",
        OpprofLaunchFact(launch, "name", &length) == NULL ? " nameless" : "");
    return OPPROF_OK;
}

static void finish_launch(OpprofLaunch *launch)
{
    (void) launch;
    alive--;
}

static OpprofLaunchParser parser = {
    .instance_bytes = sizeof(OpprofLaunchReader),
    .launch_bytes = sizeof(OpprofLaunch),
    .roles = roles,
    .role_count = OPPROF_COUNT(roles),
    .raw_port = 0,
    .model_bytes = sizeof(uint32_t),
    .load = load_model,
    .unload = unload_model,
    .begin = begin_launch,
    .choose = choose,
    .end = end_launch,
    .finish = finish_launch,
};

static OpprofStatus create(OpprofStage *stage, void **ret_instance, OpprofError **error)
{
    parser.flags =
        (wants_chip ? OPPROF_PARSER_NEEDS_CHIP : 0) | (leaves_out ? OPPROF_PARSER_LEAVES_OUT : 0);
    const OpprofStatus status = OpprofLaunchReaderCreate(stage, &parser, ret_instance, error);

    ((OpprofLaunchReader *) *ret_instance)->chip = asked;
    return status;
}

/* ---- the unknown records ---- */

static char kept[256];

static OpprofStatus keep(void *stage, uint32_t port, const OpprofBatch *batch, OpprofError **error)
{
    (void) port, (void) error;
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofRaw *raw = OpprofBatchRecord(batch, i);

        snprintf(kept + strlen(kept), sizeof kept - strlen(kept), "%s@%u %.*s %s;",
                 OpprofStageString(stage, raw->file), (unsigned) raw->offset,
                 (int) raw->bytes.length, OpprofBatchText(batch, raw->bytes),
                 OpprofStageString(stage, raw->reason));
    }
    return OPPROF_OK;
}

#define PLUGIN(its_kind, its_name, ...)                                                            \
    {                                                                                              \
        .struct_size = sizeof(OpprofPlugin), .abi_major = OPPROF_ABI_MAJOR,                        \
        .abi_minor = OPPROF_ABI_MINOR, .name = its_name, .version = "1", .license = "Apache-2.0",  \
        .summary = "For tests.", .kind = its_kind, __VA_ARGS__                                     \
    }
static const OpprofPort chunks_out = { .name = "out", .record_type = &opprof_onboard_chunk_type };
static const OpprofPort chunks_in = { .name = "in",
                                      .type = "onboard.chunk",
                                      .record_type = &opprof_onboard_chunk_type };
static const OpprofPort raw_out = { .name = "raw", .record_type = &opprof_raw_type };
static const OpprofPort raw_in = { .name = "in", .type = "raw", .record_type = &opprof_raw_type };
static const OpprofPluginOps source_ops = { .struct_size = sizeof source_ops,
                                            .create = remember,
                                            .process = produce };
static const OpprofPluginOps reader_ops = { .struct_size = sizeof reader_ops,
                                            .create = create,
                                            .process = OpprofLaunchesProcess,
                                            .flush = OpprofLaunchesFlush,
                                            .destroy = OpprofLaunchReaderDestroy };
static const OpprofPluginOps sink_ops = { .struct_size = sizeof sink_ops,
                                          .create = remember,
                                          .process = keep };
static const OpprofPlugin source = PLUGIN(OPPROF_COLLECTOR, "source", .outputs = &chunks_out,
                                          .output_count = 1, .ops = &source_ops);
static const OpprofPlugin reader =
    PLUGIN(OPPROF_PARSER, "reader", .inputs = &chunks_in, .input_count = 1, .outputs = &raw_out,
           .output_count = 1, .ops = &reader_ops);
static const OpprofPlugin sink =
    PLUGIN(OPPROF_ANALYSIS, "sink", .inputs = &raw_in, .input_count = 1, .ops = &sink_ops);

/* Runs the steps; why the run is not complete, or the error, as text. */
static const char *run_for(const Step *given, OpprofStatus wanted)
{
    static char text[4096];
    OpprofRunReport report = { 0 };
    OpprofError *error = NULL;

    steps = given;
    seen[0] = kept[0] = ended[0] = '\0';
    pipeline = OpprofPipelineCreate();
    ck_assert_int_eq(OpprofPipelineSetOutput(pipeline, in_scratch("out"), true, &error), OPPROF_OK);
    ck_assert_int_eq(AddPluginDescriptor(pipeline, "source", &source, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(AddPluginDescriptor(pipeline, "reader", &reader, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(AddPluginDescriptor(pipeline, "sink", &sink, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(RunAllPlugins(pipeline, &report, &error), wanted);
    char *why = error != NULL           ? OpprofErrorText(error, false)
                : report.reason != NULL ? strdup(report.reason)
                                        : strdup("");
    snprintf(text, sizeof text, "%s", why);
    free(why);
    OpprofErrorDestroy(error);
    OpprofRunReportFinish(&report);
    OpprofPipelineDestroy(pipeline);
    ck_assert_int_eq(alive, 0);
    ck_assert_int_eq(models, 0);
    return text;
}

#define RUN(...) run_for((const Step[]){ __VA_ARGS__, LAST }, OPPROF_OK)

static void says(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in '%s'", part, text);
}

static void does_not_say(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) == NULL, "'%s' is in '%s'", part, text);
}

/* ---- launches ---- */

#define ROW_OF(launch, text, from, whole)                                                          \
    {                                                                                              \
        launch, "row1.raw", text, sizeof(text) - 1, from, whole                                    \
    }
#define END_OF(launch)                                                                             \
    {                                                                                              \
        launch, NULL, NULL, 0, 0, 0                                                                \
    }
#define BAD_OF(launch)                                                                             \
    {                                                                                              \
        launch, "notes.txt", "bad", 3, 0, 3                                                        \
    }

START_TEST(pieces_of_several_launches_go_to_theirs)
{
    ck_assert_str_eq(RUN(ROW_OF("a", "a1", 0, 8), ROW_OF("b", "bbb", 0, 4),
                         ROW_OF("a", "a1a2", 2, 8), ROW_OF("b", "b", 3, 4), END_OF("b"),
                         ROW_OF("a", "a2", 6, 8), END_OF("a"), ROW_OF("b", "bbb3", 0, 4),
                         END_OF("b")),
                     "");
    ck_assert_str_eq(ended, "b a b "); /* a launch that ended is forgotten */
    says(seen, "row1.raw@0:a1a1 ");
    says(seen, "row1.raw@4:a2a2 ");
    says(seen, "row1.raw@0:bbbb ");
    says(seen, "row1.raw@0:bbb3 ");
}
END_TEST

START_TEST(launches_without_an_end_are_ended_and_reported)
{
    const char *text = RUN(ROW_OF("a", "a1a1", 0, 8), ROW_OF("b", "bbbb", 0, 4), END_OF("c"),
                           ROW_OF("a", "a2a2", 4, 8));

    ck_assert_str_eq(ended, "c a b ");
    says(text, "'a' was not read to its end");
    says(text, "(and 1 more like this): 'b'");
    does_not_say(text, "'c'");
}
END_TEST

START_TEST(a_launch_that_cannot_be_parsed_leaves_the_others)
{
    says(RUN(ROW_OF("a", "aaaa", 0, 4), END_OF("a"), BAD_OF("b"), END_OF("b")),
         "1 launch is left out: A piece is bad");
    ck_assert_str_eq(ended, "a b ");
}
END_TEST

START_TEST(an_error_says_that_no_launch_could_be_parsed_and_why)
{
    const char *text = run_for(
        (const Step[]){ BAD_OF("a"), END_OF("a"), BAD_OF("b"), END_OF("b"), LAST }, OPPROF_E_DATA);

    says(text, "No launch could be parsed");
    says(text, "Cannot parse launch 'a'");
    says(text, "A piece is bad");
}
END_TEST

/* ---- files ---- */

START_TEST(records_are_whole_however_the_file_comes)
{
    ck_assert_str_eq(RUN(INFO, FILE_OF("row1.raw", "aaaabbbbcccc"), OVER), "");
    ck_assert_str_eq(seen, "row1.raw@0:aaaa row1.raw@4:bbbb row1.raw@8:cccc end1 over=1");
    for (unsigned cut = 1; cut < 12; cut++) {
        const Step pieces[] = { INFO,
                                { "a", "row2.raw", "aaaabbbbcccc", cut, 0, 12 },
                                { "a", "row2.raw", &"aaaabbbbcccc"[cut], 12 - cut, cut, 12 },
                                OVER,
                                LAST };

        ck_assert_str_eq(run_for(pieces, OPPROF_OK), "");
        ck_assert_str_eq(seen, "row2.raw@0:aaaa row2.raw@4:bbbb row2.raw@8:cccc end2 over=1");
    }
}
END_TEST

START_TEST(a_file_that_is_cut_is_reported_at_every_byte)
{
    for (unsigned cut = 1; cut < 12; cut++) {
        const Step pieces[] = {
            INFO, { "a", "row1.raw", "aaaabbbbcccc", cut, 0, cut }, OVER, LAST
        };
        const char *text = run_for(pieces, OPPROF_OK);
        char wanted[128] = "";

        if (cut % 4 != 0) {
            snprintf(
                wanted, sizeof wanted,
                "Launch 'a': 'row1.raw' ends within a record at byte %u: %u of 4 bytes are there",
                cut / 4 * 4, cut % 4);
        }
        says(text, wanted);
        ck_assert_int_eq(text[0] == '\0', wanted[0] == '\0');
    }
}
END_TEST

START_TEST(a_file_that_became_shorter_is_reported)
{
    says(RUN(INFO, PIECE("row1.raw", "aaaab", 0, 12), OVER), "'row1.raw' ends at byte 5 of 12");
    says(seen, "end1(cut) over=1");
}
END_TEST

START_TEST(an_empty_file_is_reported_unless_it_may_be_empty)
{
    says(RUN(INFO, FILE_OF("row1.raw", ""), OVER), "Launch 'a': 'row1.raw' is empty");
    says(seen, "end1 ");
    ck_assert_str_eq(RUN(INFO, FILE_OF("loose.raw", ""), OVER), "");
    says(RUN(FILE_OF("notes.txt", ""), OVER), "'notes.txt' is empty");
    does_not_say(seen, "whole=");
}
END_TEST

START_TEST(a_repeated_file_is_left_out_where_one_is_enough)
{
    says(RUN(FILE_OF("notes.txt", "one"), FILE_OF("notes.txt", "two"), OVER),
         "'notes.txt' is left out: another file of its kind was read already");
    says(seen, "whole=one over");
    ck_assert_str_eq(RUN(FILE_OF("row1.raw", "aaaa"), FILE_OF("row1.raw", "bbbb"), OVER), "");
    says(seen, "row1.raw@0:aaaa end1 row1.raw@0:bbbb end1 ");
}
END_TEST

START_TEST(a_whole_file_has_a_limit)
{
    static char large[(1 << 20) + 1];
    const Step pieces[] = { { "a", "notes.txt", large, sizeof large, 0, sizeof large },
                            OVER,
                            LAST };

    says(run_for(pieces, OPPROF_OK), "'notes.txt' is left out: it is longer than 1 MiB");
    does_not_say(seen, "whole=");
    RUN(PIECE("notes.txt", "be", 0, 6), PIECE("notes.txt", "fore", 2, 6), OVER);
    says(seen, "whole=before ");
}
END_TEST

START_TEST(a_stop_is_not_the_end_of_a_file)
{
    const char *text;

    stops = true;
    text = RUN(INFO, PIECE("row1.raw", "aaaab", 0, 12));
    says(text, "Launch 'a': the run was stopped after 5 of 12 bytes of 'row1.raw'");
    does_not_say(text, "ends");
    says(seen, "row1.raw@0:aaaa end1(cut) over=0");
    text = RUN(INFO, PIECE("notes.txt", "half", 0, 8));
    says(text, "stopped after 4 of 8 bytes of 'notes.txt'");
    does_not_say(seen, "whole=");
    text = RUN(PIECE("about.txt", "Op=add\nCh", 0, 17));
    says(text, "stopped after 9 of 17 bytes of 'about.txt'");
    does_not_say(text, "within a line");
    stops = false;
    text = RUN(INFO, FILE_OF("row1.raw", "haltb"), OVER);
    says(text, "the run was stopped after 5 of 5 bytes of 'row1.raw'");
    does_not_say(text, "within a record");
    says(seen, "row1.raw@0:halt end1(cut) over=1");
}
END_TEST

START_TEST(a_parser_may_have_names_of_its_own)
{
    ck_assert_str_eq(RUN(INFO, FILE_OF("beats-3.bin", "aaaa"), OVER), "");
    ck_assert_str_eq(seen, "beats-3.bin@0:aaaa over=1");
    says(RUN(INFO, FILE_OF("beats-.bin", ""), OVER), "'beats-.bin' is empty");
}
END_TEST

START_TEST(files_of_others_are_not_read)
{
    ck_assert_str_eq(RUN(INFO, FILE_OF("strange.bin", "xx"), FILE_OF("others.raw", "x"), OVER), "");
    ck_assert_str_eq(seen, "over=1 others");
    RUN(INFO, FILE_OF("others.raw", ""), OVER);
    ck_assert_str_eq(seen, "over=1");
}
END_TEST

START_TEST(unknown_records_are_kept_with_their_place)
{
    RUN(INFO, PIECE("row1.raw", "aaaa?x", 0, 16), PIECE("row1.raw", "yzbbbb?ccc", 6, 16), OVER);
    ck_assert_str_eq(kept, "row1.raw@4 ?xyz it asks;row1.raw@12 ?ccc it asks;");
}
END_TEST

START_TEST(a_parser_may_leave_a_file_or_its_rest)
{
    ck_assert_str_eq(RUN(INFO, FILE_OF("cells.raw", "thirteenbytes"), OVER), "");
    ck_assert_str_eq(seen, "chosen cells of Ash2 over=1");
    ck_assert_str_eq(
        RUN(INFO, PIECE("row1.raw", "stop", 0, 12), PIECE("row1.raw", "bbbbcc", 4, 12), OVER), "");
    ck_assert_str_eq(seen, "row1.raw@0:stop over=1");
    says(run_for((const Step[]){ ROW_OF("b", "bb", 0, 4), INFO, FILE_OF("cells.raw", "!!!!!!"),
                                 OVER, LAST },
                 OPPROF_E_MEMORY),
         "Cannot read 'cells.raw': out of memory");
    ck_assert_str_eq(ended, "");
}
END_TEST

/* ---- the chip ---- */

START_TEST(the_chip_is_chosen_when_a_file_needs_it)
{
    ck_assert_str_eq(RUN(INFO, FILE_OF("cells.raw", "abcdef"), OVER), "");
    ck_assert_str_eq(seen, "chosen cells of Ash2 abcdef over=1");
    says(RUN(INFO, FILE_OF("cells.raw", "abcdefg"), OVER), "ends within a cell at byte 6: 1 of 6");
    asked = "ASH";
    RUN(INFO, FILE_OF("cells.raw", "abcdef"), OVER);
    says(seen, "cells of Ash2 ");
    asked = "ash1";
    RUN(INFO, FILE_OF("cells.raw", "abcdef"), OVER);
    says(seen, "cells of Ash1 ");
    asked = "AUTO";
    RUN(INFO, FILE_OF("cells.raw", "abcdef"), OVER);
    says(seen, "cells of Ash2 ");
    asked = "Ash";
    RUN(FILE_OF("cells.raw", "abcdef"), OVER);
    says(seen, "cells of Ash1 ");
    asked = NULL;
}
END_TEST

START_TEST(a_launch_without_a_chip_fails_if_it_needs_one)
{
    says(run_for((const Step[]){ FILE_OF("cells.raw", "abcdef"), OVER, LAST }, OPPROF_E_DATA),
         "does not name its SoC");
    ck_assert_str_eq(seen, "over=1 nameless");
    ck_assert_str_eq(RUN(FILE_OF("row1.raw", "aaaa"), OVER), "");
    wants_chip = true;
    run_for((const Step[]){ FILE_OF("row1.raw", "aaaa"), OVER, LAST }, OPPROF_E_DATA);
    wants_chip = false;
    leaves_out = true;
    says(
        RUN(FILE_OF("cells.raw", "abcdef"), FILE_OF("cells.raw", "abcdef"), OVER),
        "Files that need the chip are left out, 'cells.raw' first: The data does not name its SoC");
    says(RUN(FILE_OF("about.txt", "Chip=AshBad\n"), FILE_OF("cells.raw", "abcdef"), OVER),
         "Its facts are bad");
    leaves_out = false;
}
END_TEST

/* ---- what ran ---- */

START_TEST(facts_that_come_late_twice_or_cut_are_reported)
{
    says(RUN(INFO, FILE_OF("cells.raw", "abcdef"), FILE_OF("more.txt", "Op=mul\n"), OVER),
         "'more.txt' is left out: it comes after files that need it");
    says(RUN(INFO, FILE_OF("more.txt", "Chip=Ash1\n"), FILE_OF("cells.raw", "abcdef"), OVER),
         "'more.txt' is left out: another file of its kind was read already");
    says(seen, "cells of Ash2 ");
    ck_assert_str_eq(RUN(FILE_OF("row1.raw", "aaaa"), INFO, FILE_OF("cells.raw", "abcdef"), OVER),
                     "");
    says(RUN(FILE_OF("about.txt", "Op=add\nChip=A"), OVER), "'about.txt' ends within a line");
    says(RUN(FILE_OF("about.txt", "Op=add\nOp=add\n"), OVER),
         "'about.txt' holds the same lines twice");
    RUN(FILE_OF("about.txt", "Op=a=b\nTalks=1\n"), OVER);
    ck_assert_str_eq(seen, "over=1 talks nameless");
}
END_TEST

START_TEST(the_clock_is_that_of_the_data_or_else_of_the_chip)
{
    asks_clock = true;
    ck_assert_str_eq(RUN(FILE_OF("about.txt", "Chip=Ash2\nMHz=800\nRated=600\n"), OVER), "");
    ck_assert_uint_eq(clock_hz, 800000000);
    ck_assert_str_eq(RUN(FILE_OF("about.txt", "Chip=Ash2\nMHz=NA\nRated=600\n"), OVER), "");
    ck_assert_uint_eq(clock_hz, 600000000);
    RUN(INFO, OVER);
    ck_assert_uint_eq(clock_hz, 900000000);
    asked = "Ash";
    says(RUN(FILE_OF("row1.raw", "aaaa"), OVER), "'about.txt' is missing or empty, so the clock of "
                                                 "its cores is unknown: the chip's 700 MHz");
    asked = NULL;
    leaves_out = true;
    says(RUN(FILE_OF("about.txt", "Op=add\n"), OVER),
         "neither 'about.txt' nor the chip file states the clock");
    ck_assert_uint_eq(clock_hz, 0);
    leaves_out = asks_clock = false;
}
END_TEST

START_TEST(the_code_starts_at_a_hexadecimal_address)
{
    ck_assert_str_eq(RUN(INFO, FILE_OF("start.txt", "0x12f0\n"), OVER), "");
    ck_assert_uint_eq(code_start, 0x12f0);
    ck_assert_str_eq(RUN(INFO, FILE_OF("start.txt", " ff \r\nmore"), OVER), "");
    ck_assert_uint_eq(code_start, 0xff);
    ck_assert_str_eq(RUN(INFO, FILE_OF("start.txt", "0x0\n"), OVER), "");
    ck_assert_uint_eq(code_start, OPPROF_NA_U64);
    says(RUN(INFO, FILE_OF("start.txt", "-1\n"), OVER), "'start.txt' has no hexadecimal address");
    says(RUN(INFO, FILE_OF("start.txt", ""), OVER), "'start.txt' has no hexadecimal address");
    ck_assert_uint_eq(code_start, OPPROF_NA_U64);
    ck_assert_str_eq(RUN(INFO, OVER), "");
}
END_TEST

static Suite *launch_reader_suite(void)
{
    Suite *suite = suite_create("launch_reader");
    TCase *tests = tcase_create("launch_reader");

    tcase_add_checked_fixture(tests, make_chips, remove_scratch);
    tcase_add_test(tests, pieces_of_several_launches_go_to_theirs);
    tcase_add_test(tests, launches_without_an_end_are_ended_and_reported);
    tcase_add_test(tests, a_launch_that_cannot_be_parsed_leaves_the_others);
    tcase_add_test(tests, an_error_says_that_no_launch_could_be_parsed_and_why);
    tcase_add_test(tests, records_are_whole_however_the_file_comes);
    tcase_add_test(tests, a_file_that_is_cut_is_reported_at_every_byte);
    tcase_add_test(tests, a_file_that_became_shorter_is_reported);
    tcase_add_test(tests, an_empty_file_is_reported_unless_it_may_be_empty);
    tcase_add_test(tests, a_repeated_file_is_left_out_where_one_is_enough);
    tcase_add_test(tests, a_whole_file_has_a_limit);
    tcase_add_test(tests, a_stop_is_not_the_end_of_a_file);
    tcase_add_test(tests, a_parser_may_have_names_of_its_own);
    tcase_add_test(tests, files_of_others_are_not_read);
    tcase_add_test(tests, unknown_records_are_kept_with_their_place);
    tcase_add_test(tests, a_parser_may_leave_a_file_or_its_rest);
    tcase_add_test(tests, the_chip_is_chosen_when_a_file_needs_it);
    tcase_add_test(tests, a_launch_without_a_chip_fails_if_it_needs_one);
    tcase_add_test(tests, facts_that_come_late_twice_or_cut_are_reported);
    tcase_add_test(tests, the_clock_is_that_of_the_data_or_else_of_the_chip);
    tcase_add_test(tests, the_code_starts_at_a_hexadecimal_address);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(launch_reader_suite)
