/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of launches, from a stage. */
#include <opprof/kit/launches.h>

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/opprof.h>
#include <opprof/records/onboard.h>

static uint32_t intern(OpprofStage *stage, const char *text)
{
    return OpprofStageIntern(stage, text, strlen(text));
}

static void check_path(char *path, const char *wanted)
{
    ck_assert_str_eq(path, wanted);
    free(path);
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    const uint32_t device = intern(stage, "device0");
    const uint32_t kernel = intern(stage, "add");
    const uint32_t order = intern(stage, "3");
    const uint32_t absent = OPPROF_NA_STRING;

    (void) error;
    *ret_self = stage;
    check_path(OpprofLaunchPath(stage, device, kernel, order, "trace"), "device0/add/3/trace");
    check_path(OpprofLaunchPath(stage, absent, kernel, absent, "trace"), "add/trace");
    check_path(OpprofLaunchPath(stage, absent, absent, absent, NULL), "");
    ck_assert_str_eq(OpprofStageString(stage, OpprofLaunchFolder(stage, device, absent, order)),
                     "device0/3");
    ck_assert_uint_eq(OpprofLaunchFolder(stage, absent, absent, absent), absent);
    return OPPROF_OK;
}

static OpprofStatus produce(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    (void) self, (void) port, (void) batch, (void) error;
    return OPPROF_END;
}

static const OpprofPort output = { .name = "out", .record_type = &opprof_onboard_chunk_type };
static const OpprofPluginOps ops = { .struct_size = sizeof ops,
                                     .create = create,
                                     .process = produce };
static const OpprofPlugin plugin = { .struct_size = sizeof plugin,
                                     .abi_major = OPPROF_ABI_MAJOR,
                                     .abi_minor = OPPROF_ABI_MINOR,
                                     .name = "paths",
                                     .version = "1",
                                     .license = "Apache-2.0",
                                     .summary = "For tests.",
                                     .kind = OPPROF_COLLECTOR,
                                     .outputs = &output,
                                     .output_count = 1,
                                     .ops = &ops };

START_TEST(paths_leave_out_what_is_absent)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofRunReport report = { 0 };
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofPipelineSetOutput(pipeline, in_scratch("out"), true, &error), OPPROF_OK);
    ck_assert_int_eq(AddPluginDescriptor(pipeline, "paths", &plugin, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(RunAllPlugins(pipeline, &report, &error), OPPROF_OK);
    OpprofRunReportFinish(&report);
    OpprofPipelineDestroy(pipeline);
}
END_TEST

static Suite *launches_suite(void)
{
    Suite *suite = suite_create("launches");
    TCase *tests = tcase_create("launches");

    tcase_add_checked_fixture(tests, make_scratch, remove_scratch);
    tcase_add_test(tests, paths_leave_out_what_is_absent);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(launches_suite)
