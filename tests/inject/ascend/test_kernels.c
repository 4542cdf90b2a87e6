/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of inject/ascend/kernels.c. */
#include "inject/ascend/ascend.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char handle, function, other;
static atomic_bool is_done;

static void *look_up(void *unused)
{
    const KernelImage *image;
    char name[32];

    while (!atomic_load(&is_done)) {
        KernelsFind(&function, &image, name, sizeof name);
    }
    return unused;
}

/* First call of a child after fork (ON_FORK), and its expected result. */
static bool is_good_child(void)
{
    const KernelImage *image = NULL;
    char name[32] = "";

    alarm(60); /* instead of waiting for a lock without an owner */
    KernelsAddFunction(&other, &handle, "other", 0);
    return KernelsFind(&function, &image, name, sizeof name) && strcmp(name, "kernel") == 0 &&
           image != NULL && KernelsFind(&other, &image, name, sizeof name) &&
           strcmp(name, "other") == 0;
}

START_TEST(test_fork__a_child_does_not_wait_for_a_thread_of_its_parent)
{
    pthread_t thread;

    KernelsAddBinary(&handle, "no ELF file", 11, RT_MAGIC_VECTOR);
    KernelsAddFunction(&function, &handle, "kernel", 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, look_up, NULL), 0);
    for (unsigned i = 0; i < 200; i++) {
        int status = 1;
        const pid_t child = fork();

        if (child == 0) {
            _exit(is_good_child() ? 0 : 1);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
    }
    atomic_store(&is_done, true);
    pthread_join(thread, NULL);
}
END_TEST

static Suite *kernels_suite(void)
{
    Suite *suite = suite_create("kernels");
    TCase *tests = tcase_create("all");

    tcase_add_test(tests, test_fork__a_child_does_not_wait_for_a_thread_of_its_parent);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(kernels_suite)
