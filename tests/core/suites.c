/* SPDX-License-Identifier: Apache-2.0 */
/* The main function of test programs. Check's variables CK_RUN_SUITE and CK_RUN_CASE select what it
 * runs. */
#include "suites.h"

#include <stdio.h>
#include <stdlib.h>

#define SUITES 64

static MakeSuite *suites[SUITES];
static size_t count;

void AddSuite(MakeSuite *make)
{
    if (count == SUITES) {
        fputs("too many suites in one program\n", stderr);
        abort();
    }
    suites[count++] = make;
}

int main(void)
{
    SRunner *runner = srunner_create(NULL);
    int failed;

    for (size_t i = 0; i < count; i++) {
        srunner_add_suite(runner, suites[i]());
    }
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return count > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
