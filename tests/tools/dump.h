/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_TOOLS_DUMP_H
#define TESTS_TOOLS_DUMP_H

/*
 * Makes dump directories of a simulation that never was, of any size, for benches and tests: a
 * program that loops over some hundred instructions, issued in order, retired out of order by how
 * long their pipe takes, with set and wait flags, user marks, cache misses and what is peculiar to
 * a chip series.
 */

#include <stdbool.h>
#include <stdint.h>

typedef enum DumpSeries {
    DUMP_A2 = 0,  /* core0.veccore0, core0.veccore1, …: physical names, pairing by PC */
    DUMP_950 = 1, /* the same names, instruction ids, SIMT operands */
    DUMP_310P = 2 /* core0, core1, …: old style of operands, records that wait to be popped */
} DumpSeries;

typedef struct DumpOptions {
    uint32_t cores;         /* pairs of vector cores; single cores on 310P */
    uint64_t instructions;  /* of each log */
    uint32_t pcs;           /* instructions of the program, at least 1 */
    uint32_t marks_percent; /* of them start or stop a user mark */
    uint32_t flags_percent; /* of the others set or wait for flags */
    bool lone_flags;        /* which no set and no wait has in common with the other kind */
    bool ends;              /* the program of an A2 ends with END */
    uint32_t line_length;   /* about so many bytes a line, 90 to 400 */
    DumpSeries series;
    uint64_t seed;
} DumpOptions;

/* Write all files of a dump into a directory that exists. False, with errno, if a file cannot be
 * written. */
bool DumpWrite(const char *directory, const DumpOptions *options);

#endif
