/* SPDX-License-Identifier: Apache-2.0 */
/* Which variables a program on a simulator gets. */
#include "collect-sim/live/environment.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const OpprofLiveVariable *find(const SimEnvironment *environment, const char *name)
{
    for (size_t i = 0; i < environment->count; i++) {
        if (strcmp(environment->variables[i].name, name) == 0) {
            return &environment->variables[i];
        }
    }
    return NULL;
}

/* A toolkit with a simulator in tools/simulator/NAME/lib. */
static void make_toolkit(const char *name)
{
    static const char *const folders[] = { "tools", "tools/simulator", NULL };
    char path[256];

    for (unsigned i = 0; folders[i] != NULL; i++) {
        ck_assert_int_eq(mkdir(in_scratch(folders[i]), 0700), 0);
    }
    snprintf(path, sizeof path, "tools/simulator/%s", name);
    ck_assert_int_eq(mkdir(in_scratch(path), 0700), 0);
    strcat(path, "/lib");
    ck_assert_int_eq(mkdir(in_scratch(path), 0700), 0);
    strcat(path, "/libruntime_camodel.so");
    write_text(path, "");
    setenv("ASCEND_HOME_PATH", scratch, 1);
}

static void setup(void)
{
    make_scratch();
    setenv("OPPROF_CHIP_PATH", TEST_SOURCE_DIR "/chips", 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", TEST_FACT_PATH, 1);
}

START_TEST(test_environment__no_toolkit_leaves_the_libraries_alone)
{
    SimEnvironment environment;

    unsetenv("ASCEND_HOME_PATH");
    ck_assert_int_eq(SimEnvironmentMake(&environment, "Ascend910B1", "logs", NULL), OPPROF_OK);
    ck_assert_ptr_null(find(&environment, "LD_PRELOAD"));
    ck_assert_str_eq(find(&environment, "CAMODEL_LOG_PATH")->value, "logs");
    ck_assert_ptr_null(find(&environment, "ASCEND_RT_VISIBLE_DEVICES")->value);
    SimEnvironmentFinish(&environment);
}
END_TEST

START_TEST(test_environment__the_simulator_of_a_soc_comes_first)
{
    SimEnvironment environment;

    make_toolkit("Ascend910B1");
    ck_assert_int_eq(SimEnvironmentMake(&environment, "Ascend910B1", NULL, NULL), OPPROF_OK);
    ck_assert_str_eq(find(&environment, "LD_LIBRARY_PATH")->value,
                     in_scratch("tools/simulator/Ascend910B1/lib"));
    ck_assert(find(&environment, "LD_LIBRARY_PATH")->is_list);
    ck_assert_str_eq(find(&environment, "CAMODEL_SOC_VERSION")->value, "Ascend910B1");
    ck_assert_str_eq(find(&environment, OPPROF_LIVE_CHIP)->value, "Ascend910B1 24 48");
    SimEnvironmentFinish(&environment);
}
END_TEST

START_TEST(test_environment__a_chip_file_may_name_the_folder)
{
    SimEnvironment environment;

    make_toolkit("dav_3510");
    ck_assert_int_eq(SimEnvironmentMake(&environment, "Ascend950PR_9599", NULL, NULL), OPPROF_OK);
    ck_assert_str_eq(find(&environment, "LD_PRELOAD")->value,
                     in_scratch("tools/simulator/dav_3510/lib/libruntime_camodel.so"));
    ck_assert_str_eq(find(&environment, OPPROF_LIVE_CHIP)->value, "Ascend950PR_9599 36 72");
    SimEnvironmentFinish(&environment);
}
END_TEST

START_TEST(test_environment__a_simulator_that_is_not_installed_is_not_used)
{
    SimEnvironment environment;

    make_toolkit("Ascend910B1");
    ck_assert_int_eq(SimEnvironmentMake(&environment, "Ascend310P1", NULL, NULL), OPPROF_OK);
    ck_assert_ptr_null(find(&environment, "LD_PRELOAD"));
    SimEnvironmentFinish(&environment);
}
END_TEST

static Suite *environment_suite(void)
{
    Suite *suite = suite_create("environment");
    TCase *tests = tcase_create("environment");

    tcase_add_checked_fixture(tests, setup, remove_scratch);
    tcase_add_test(tests, test_environment__no_toolkit_leaves_the_libraries_alone);
    tcase_add_test(tests, test_environment__the_simulator_of_a_soc_comes_first);
    tcase_add_test(tests, test_environment__a_chip_file_may_name_the_folder);
    tcase_add_test(tests, test_environment__a_simulator_that_is_not_installed_is_not_used);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(environment_suite)
