/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_ICACHE_H
#define COLLECT_SIM_ICACHE_H

/*
 * Misses of the instruction cache, from the icache log.
 *
 * The form of a line is data. In it, <tick> stands for decimal digits, <pc> for 0x and 1 to 16
 * lower-case hexadecimal digits, <hex8> for 8 hexadecimal digits, <digits> for 0 to 3 decimal
 * digits; <detail> marks where the part begins that is kept as the detail. Everything else stands
 * for itself, and the whole line must match; "[info] " before it is skipped.
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct IcacheLine {
    uint64_t tick;
    uint64_t pc;
    const char *address; /* <pc> as printed */
    const char *detail;  /* with its blanks, to the end of the line */
    uint32_t address_length;
    uint32_t detail_length;
} IcacheLine;

/* A form has each of <tick>, <pc> and <detail> once and no unknown field. */
bool IcacheFormIsGood(const char *form);
/* Take a line apart; false: it is not a miss. */
bool IcacheLineParse(const char *form, const char *line, size_t length, IcacheLine *ret_line);

/*
 * Puts misses into order, by tick and then PC, in two readings as pairing.h does.
 */
typedef struct Icache Icache;

/* A miss. Texts are valid during the call. */
typedef struct IcacheMiss {
    uint64_t tick;
    uint64_t pc;
    uint64_t floor; /* no later miss is earlier; 0: no promise */
    const char *address;
    const char *detail; /* without blanks */
    uint32_t address_length;
    uint32_t detail_length;
} IcacheMiss;

typedef struct IcacheSink {
    void *context;
    OpprofStatus (*miss)(void *context, const IcacheMiss *miss, OpprofError **error);
} IcacheSink;

/* Create; `form` is borrowed, `most_rows` as in pairing.h. NULL without memory. */
Icache *IcacheCreate(const char *form, size_t most_rows);
void IcacheDestroy(Icache *icache);

/* First reading: every line once. False without memory. */
bool IcacheCount(Icache *icache, const char *line, size_t length);
/* Second reading: every line once more. */
OpprofStatus IcacheTake(Icache *icache, const char *line, size_t length, const IcacheSink *sink,
                        OpprofError **error);
/* The log has ended, or is cut off: emit what is held. */
OpprofStatus IcacheFlush(Icache *icache, const IcacheSink *sink, OpprofError **error);

#endif
