/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_RUN_H
#define PARSE_DBI_RUN_H

#include <stdbool.h>
#include <stdint.h>

/* A missing address: nothing is read (or written) on that side. */
#define DBI_NO_ADDRESS UINT64_MAX

/*
 * Accesses in arithmetic progression: access i of `count` reads src_bytes at src + i * src_step and
 * writes dst_bytes at dst + i * dst_step. Sums are modulo 2^64; where an instruction would
 * saturate, the run was cut there.
 */
typedef struct DbiRun {
    uint64_t src;
    uint64_t dst;
    uint64_t src_bytes;
    uint64_t dst_bytes;
    uint64_t src_step;
    uint64_t dst_step;
    uint64_t count;
    uint8_t from; /* source memory */
    uint8_t to;   /* destination memory */
} DbiRun;

/* Receiver of runs. */
typedef struct DbiSink {
    bool (*take)(void *context, const DbiRun *run); /* false: stop */
    void *context;
} DbiSink;

#endif
