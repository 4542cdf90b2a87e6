/* SPDX-License-Identifier: Apache-2.0 */
/* A parser in a pipeline: pieces of several launches, in turn. */
#include "kit/launch/launch_reader.h"

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/opprof.h>

/* A piece of a launch; 0: the launch is whole, BAD: it cannot be parsed. */
typedef struct Piece {
    uint64_t value;
} Piece;

#define BAD 13u
#define STOP 99u /* the parser fails */

static const OpprofField piece_fields[] = {
    OPPROF_FIELD(Piece, value, OPPROF_FIELD_U64, .meaning = "Value."),
};
static const OpprofRecordType piece_type = {
    .struct_size = sizeof piece_type,
    .version = 1,
    .name = "test.piece",
    .size = sizeof(Piece),
    .fields = piece_fields,
    .field_count = OPPROF_COUNT(piece_fields),
};

/* What the source gives: name of the launch and value, "" ends it. */
typedef struct Step {
    const char *launch;
    uint64_t value;
} Step;

typedef struct Sum {
    char name[8];
    uint64_t sum;
    bool is_bad;
} Sum;

static const Step *steps;
static Sum ended[8];
static size_t ended_count;
static int alive;

static OpprofStatus remember(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    (void) error;
    *ret_self = stage;
    return OPPROF_OK;
}

static OpprofStatus produce(void *self, uint32_t port, const OpprofBatch *nothing,
                            OpprofError **error)
{
    (void) port;
    (void) nothing;
    (void) error;
    for (const Step *step = steps; step->launch[0] != '\0'; step++) {
        const Piece piece = { step->value };
        const uint32_t partition = OpprofStageIntern(self, step->launch, strlen(step->launch));

        ck_assert_int_eq(OpprofStageAppend(self, 0, partition, &piece), OPPROF_OK);
    }
    return OPPROF_END;
}

/* ---- the parser ---- */

typedef struct Parser {
    OpprofLaunches launches;
    OpprofStage *stage;
} Parser;

static void *create_launch(void *self, uint32_t partition)
{
    const Parser *parser = self;
    Sum *sum = calloc(1, sizeof *sum);

    alive++;
    snprintf(sum->name, sizeof sum->name, "%s", OpprofStageString(parser->stage, partition));
    return sum;
}

static OpprofStatus feed_launch(void *self, void *launch, const OpprofBatch *batch,
                                const void *record, OpprofError **error)
{
    const Piece *piece = record;
    Sum *sum = launch;

    (void) self;
    ck_assert_ptr_eq(batch->type, &piece_type);
    if (piece->value == STOP) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Told to stop");
    }
    sum->sum += piece->value;
    sum->is_bad = sum->is_bad || piece->value == BAD;
    return piece->value == 0 ? OPPROF_END : OPPROF_OK;
}

static OpprofStatus end_launch(void *self, void *launch, OpprofError **failure, OpprofError **error)
{
    const Sum *sum = launch;

    (void) self;
    (void) error;
    ended[ended_count++] = *sum;
    if (sum->is_bad) {
        OpprofErrorSet(failure, OPPROF_E_DATA, "A piece is bad");
    }
    return OPPROF_OK;
}

static void free_launch(void *launch)
{
    alive--;
    free(launch);
}

static const OpprofLaunchOps launch_ops = { create_launch, feed_launch, end_launch, free_launch };

static char *paths[3];
static char folder[32];
static bool notes_paths;

static uint32_t intern(OpprofStage *stage, const char *text)
{
    return OpprofStageIntern(stage, text, strlen(text));
}

static void note_paths(OpprofStage *stage)
{
    const uint32_t device = intern(stage, "device0");
    const uint32_t kernel = intern(stage, "add");
    const uint32_t order = intern(stage, "3");
    const uint32_t absent = OPPROF_NA_STRING;

    paths[0] = OpprofLaunchPath(stage, device, kernel, order, "trace");
    paths[1] = OpprofLaunchPath(stage, absent, kernel, absent, "trace");
    paths[2] = OpprofLaunchPath(stage, absent, absent, absent, NULL);
    strcpy(folder, OpprofStageString(stage, OpprofLaunchFolder(stage, device, absent, order)));
    ck_assert_uint_eq(OpprofLaunchFolder(stage, absent, absent, absent), absent);
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Parser *parser = calloc(1, sizeof *parser);

    (void) error;
    parser->stage = stage;
    LaunchesInit(&parser->launches, stage, &launch_ops, parser);
    if (notes_paths) {
        note_paths(stage);
    }
    *ret_self = parser;
    return OPPROF_OK;
}

static void destroy(void *self)
{
    LaunchesFinish(&((Parser *) self)->launches);
    free(self);
}

static const OpprofPort source_output = { .name = "out", .record_type = &piece_type };
static const OpprofPort parser_input = { .name = "in",
                                         .type = "test.piece",
                                         .record_type = &piece_type };
static const OpprofPluginOps source_ops = { .struct_size = sizeof source_ops,
                                            .create = remember,
                                            .process = produce };
static const OpprofPluginOps parser_ops = { .struct_size = sizeof parser_ops,
                                            .create = create,
                                            .process = OpprofLaunchesProcess,
                                            .flush = OpprofLaunchesFlush,
                                            .destroy = destroy };
#define PLUGIN(its_kind, its_name, ...)                                                            \
    {                                                                                              \
        .struct_size = sizeof(OpprofPlugin), .abi_major = OPPROF_ABI_MAJOR,                        \
        .abi_minor = OPPROF_ABI_MINOR, .name = its_name, .version = "1", .license = "Apache-2.0",  \
        .summary = "For tests.", .kind = its_kind, __VA_ARGS__                                     \
    }
static const OpprofPlugin source = PLUGIN(OPPROF_COLLECTOR, "source", .outputs = &source_output,
                                          .output_count = 1, .ops = &source_ops);
static const OpprofPlugin parser =
    PLUGIN(OPPROF_PARSER, "parser", .inputs = &parser_input, .input_count = 1, .ops = &parser_ops);

/* Runs the steps; the reason why the run is not complete, or the error, as text to be freed. */
static char *run(const Step *given, OpprofStatus wanted)
{
    OpprofPipeline *pipeline = NULL;
    OpprofRunReport report = { 0 };
    OpprofError *error = NULL;
    char *text;

    steps = given;
    ended_count = 0;
    pipeline = OpprofPipelineCreate();
    ck_assert_int_eq(OpprofPipelineSetOutput(pipeline, in_scratch("out"), true, &error), OPPROF_OK);
    ck_assert_int_eq(AddPluginDescriptor(pipeline, "source", &source, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(AddPluginDescriptor(pipeline, "parser", &parser, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(RunAllPlugins(pipeline, &report, &error), wanted);
    text = error != NULL           ? OpprofErrorText(error, false)
           : report.reason != NULL ? strdup(report.reason)
                                   : strdup("");
    OpprofErrorDestroy(error);
    OpprofRunReportFinish(&report);
    OpprofPipelineDestroy(pipeline);
    ck_assert_int_eq(alive, 0);
    return text;
}

static void check_ended(size_t i, const char *name, uint64_t sum)
{
    ck_assert_uint_lt(i, ended_count);
    ck_assert_str_eq(ended[i].name, name);
    ck_assert_uint_eq(ended[i].sum, sum);
}

START_TEST(paths_leave_out_what_is_absent)
{
    notes_paths = true;
    free(run((Step[]){ { "a", 1 }, { "a", 0 }, { "", 0 } }, OPPROF_OK));
    notes_paths = false;
    ck_assert_str_eq(paths[0], "device0/add/3/trace");
    ck_assert_str_eq(paths[1], "add/trace");
    ck_assert_str_eq(paths[2], "");
    ck_assert_str_eq(folder, "device0/3");
    for (size_t i = 0; i < OPPROF_COUNT(paths); i++) {
        free(paths[i]);
    }
}
END_TEST

START_TEST(pieces_of_several_launches_go_to_theirs)
{
    char *text = run((Step[]){ { "a", 1 },
                               { "b", 10 },
                               { "a", 2 },
                               { "b", 20 },
                               { "b", 0 },
                               { "a", 4 },
                               { "a", 0 },
                               { "b", 5 },
                               { "b", 0 },
                               { "", 0 } },
                     OPPROF_OK);

    ck_assert_str_eq(text, "");
    ck_assert_uint_eq(ended_count, 3);
    check_ended(0, "b", 30);
    check_ended(1, "a", 7);
    check_ended(2, "b", 5); /* whole launches are forgotten: the same place begins anew */
    free(text);
}
END_TEST

START_TEST(launches_without_an_end_are_ended_and_reported)
{
    char *text =
        run((Step[]){ { "a", 1 }, { "b", 2 }, { "c", 0 }, { "a", 3 }, { "", 0 } }, OPPROF_OK);

    ck_assert_uint_eq(ended_count, 3);
    check_ended(1, "a", 4);
    check_ended(2, "b", 2);
    ck_assert_ptr_nonnull(strstr(text, "'a' was not read to its end"));
    ck_assert_ptr_nonnull(strstr(text, "(and 1 more like this): 'b'"));
    ck_assert_ptr_null(strstr(text, "'c'"));
    free(text);
}
END_TEST

START_TEST(a_launch_that_cannot_be_parsed_leaves_the_others)
{
    char *text =
        run((Step[]){ { "a", BAD }, { "a", 0 }, { "b", 2 }, { "b", 0 }, { "", 0 } }, OPPROF_OK);

    ck_assert_uint_eq(ended_count, 2);
    ck_assert_ptr_nonnull(strstr(text, "1 launch is left out: A piece is bad"));
    free(text);
}
END_TEST

START_TEST(an_error_says_that_no_launch_could_be_parsed_and_why)
{
    char *text = run((Step[]){ { "a", BAD }, { "a", 0 }, { "b", BAD }, { "b", 0 }, { "", 0 } },
                     OPPROF_E_DATA);

    ck_assert_ptr_nonnull(strstr(text, "No launch could be parsed"));
    ck_assert_ptr_nonnull(strstr(text, "Cannot parse launch 'a'"));
    ck_assert_ptr_nonnull(strstr(text, "A piece is bad"));
    free(text);
}
END_TEST

START_TEST(a_parser_that_fails_leaves_nothing_behind)
{
    char *text = run((Step[]){ { "a", 1 }, { "b", 1 }, { "a", STOP }, { "", 0 } }, OPPROF_E_DATA);

    ck_assert_uint_eq(ended_count, 0);
    ck_assert_ptr_nonnull(strstr(text, "Told to stop"));
    free(text);
}
END_TEST

static Suite *launches_suite(void)
{
    Suite *suite = suite_create("launches");
    TCase *tests = tcase_create("launches");

    tcase_add_checked_fixture(tests, make_scratch, remove_scratch);
    tcase_add_test(tests, paths_leave_out_what_is_absent);
    tcase_add_test(tests, pieces_of_several_launches_go_to_theirs);
    tcase_add_test(tests, launches_without_an_end_are_ended_and_reported);
    tcase_add_test(tests, a_launch_that_cannot_be_parsed_leaves_the_others);
    tcase_add_test(tests, an_error_says_that_no_launch_could_be_parsed_and_why);
    tcase_add_test(tests, a_parser_that_fails_leaves_nothing_behind);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(launches_suite)
