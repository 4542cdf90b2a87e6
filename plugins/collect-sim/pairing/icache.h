/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_ICACHE_H
#define COLLECT_SIM_PAIRING_ICACHE_H

/*
 * Misses of the instruction cache, from the icache log.
 */

#include "collect-sim/lines/form.h"
#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts misses by tick and then PC, in two readings as pairing.h does. */
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

/* Create; the forms of misses are borrowed, `most_rows` as in pairing.h. NULL without memory. */
Icache *IcacheCreate(const SimForms *forms, size_t most_rows);
void IcacheDestroy(Icache *icache);

/* First reading: every line once. False without memory. */
bool IcacheCount(Icache *icache, const char *line, size_t length);
/* Second reading: every line again. */
OpprofStatus IcacheTake(Icache *icache, const char *line, size_t length, const IcacheSink *sink,
                        OpprofError **error);
/* The log has ended, or reading stops: emit what is held. */
OpprofStatus IcacheFlush(Icache *icache, const IcacheSink *sink, OpprofError **error);

#endif
