/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CORE_RESIDENT_H
#define TESTS_CORE_RESIDENT_H

#include <check.h>
#include <stdio.h>
#include <unistd.h>

/* Bytes of this process that are mapped from files and in memory, as the system counts them. */
static inline size_t resident_of_files(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long all = 0;
    unsigned long in_memory = 0;
    unsigned long shared = 0;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%lu %lu %lu", &all, &in_memory, &shared), 3);
    fclose(file);
    return (size_t) shared * (size_t) sysconf(_SC_PAGESIZE);
}

#endif
