/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MTE_LINE_H
#define PARSE_MTE_LINE_H

/*
 * Lines of the log of the memory transfer engines:
 *
 *   "[info] " TICK ": " INTERFACE " " REST
 *
 * INTERFACE is "<unit><R|W>IF", or holds "<unit><R|W>IF." after its last full stop before. REST is
 * a list of "key: value" with commas between; a word without a value may stand before a key.
 */

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

#endif
