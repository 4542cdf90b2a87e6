/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_MTE_H
#define COLLECT_SIM_MTE_H

/*
 * Lines of the log of the memory transfer engines:
 *
 *   "[info] " TICK ": " INTERFACE " " REST
 *
 * INTERFACE is "<unit><R|W>IF", or holds "<unit><R|W>IF." behind its last full stop before. REST is
 * a list of "key: value" with commas between; a word without a value may stand before a key.
 */

#include "log.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line taken apart. Numbers that are absent are OPPROF_NA_U64. */
typedef struct MteLine {
    uint64_t tick;
    uint64_t instruction_id; /* never absent */
    uint64_t request_id;     /* req_id, or gid if that is missing or no number */
    uint64_t size;
    const char *unit;
    size_t unit_length;
    bool is_write;
} MteLine;

/* Take a line apart; false: it tells nothing of an instruction's request. */
bool MteLineParse(const char *line, size_t length, MteLine *ret_line);

#define MTE_CORES 100u       /* core numbers have one or two digits */
#define MTE_LEAST_BYTES 501u /* a smaller log holds nothing but a head */

/* The log of a core: core<N>.mte_log.dump and its rotated pieces core<N>.mte_log.dump.<k>. */
OpprofStatus MteFilesFind(const char *directory, uint32_t core, uint64_t max_size,
                          SimFiles *ret_files, OpprofError **error);

#endif
