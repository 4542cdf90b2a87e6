/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Check writes the line of every assertion that holds into a file, for the case that the next
 * statement crashes: two system calls each, which in loops are most of a test's time. Test programs
 * are linked with --wrap=_mark_point; what they call is here, and passes on only lines that were
 * not the latest of their kind.
 */
#include <check.h>

#define KINDS 64

void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);

void __wrap__mark_point(const char *file, int line)
{
    static _Thread_local int latest[KINDS];
    int *slot = &latest[(unsigned) line % KINDS];

    if (*slot != line) {
        *slot = line;
        __real__mark_point(file, line);
    }
}
