/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CORE_SUITES_H
#define TESTS_CORE_SUITES_H

/* The test files of a folder are one program: each makes a suite, and main is shared. */

#include <check.h>

/* The function that makes the suite of a file. */
typedef Suite *MakeSuite(void);

/* Add a suite to the program before main begins; for TEST_SUITE. */
void AddSuite(MakeSuite *make);

/* Stands at the end of each test file. */
#define TEST_SUITE(make)                                                                           \
    __attribute__((constructor)) static void add_suite(void)                                       \
    {                                                                                              \
        AddSuite(make);                                                                            \
    }

#endif
