/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_LAYOUT_H
#define PARSE_PMU_LAYOUT_H

#include "facts.h"

#include <string.h>

/*
 * Facts about raw records (`pmu.records`, `pmu.kinds`, `pmu.events`), compiled so
 * that a record is read with loads, shifts and masks.
 */

#define LAYOUT_NO_COLUMN UINT16_MAX

/* Whether a number is in a set of bits. */
static inline bool LayoutHas(uint64_t set, uint64_t number)
{
    return number < 64 && (set >> number & 1) != 0;
}

/* How the counters of a record are stored. */
typedef struct CounterWidth {
    uint8_t bytes;
    bool is_big; /* big-endian */
} CounterWidth;

/* Little-endian words of eight bytes, which most chips write. */
static const CounterWidth counter_word = { .bytes = 8, .is_big = false };

static inline bool CounterIsWord(CounterWidth width)
{
    return width.bytes == counter_word.bytes && width.is_big == counter_word.is_big;
}

static inline uint64_t CounterGet(CounterWidth width, const unsigned char *counters, size_t slot)
{
    if (CounterIsWord(width)) {
        return OpprofLoadLe64(counters + slot * 8);
    }
    const unsigned char *at = counters + slot * width.bytes;
    return width.is_big ? OpprofLoadBe(at, width.bytes) : OpprofLoadLe(at, width.bytes);
}

/* The record of the L2 cache's counters (L2Cache.bin); size 0: the chip leaves none. */
typedef struct L2Layout {
    uint32_t size;
    uint16_t at;
    CounterWidth width;
    uint16_t column_count; /* events that are merged into the only key */
    uint16_t columns[OPPROF_COUNTER_SLOTS];
    uint16_t evict_slot; /* LAYOUT_NO_COLUMN: none */
} L2Layout;

typedef struct PmuLayout {
    const OpprofChip *chip; /* borrowed */
    PmuFacts facts;         /* owned */
    OpprofCounterRecord counters;
    CounterWidth width; /* of their counters */
    OpprofTaskRecord task_log;
    L2Layout l2;
    OpprofCoreKind kinds[OPPROF_CORE_KINDS];
    uint32_t kind_count;
    uint32_t *events; /* ids of the columns: events that one record counts are neighbours */
    uint32_t event_count;
    uint16_t *columns; /* of each event id below id_count: its column, or LAYOUT_NO_COLUMN */
    uint32_t id_count;
    const EventFacts **event_facts; /* of each column */
    bool one_key;                   /* the chip does not distinguish blocks */
} PmuLayout;

/* The column of an event, or LAYOUT_NO_COLUMN. */
static inline uint16_t PmuLayoutColumn(const PmuLayout *layout, uint32_t id)
{
    return id < layout->id_count ? layout->columns[id] : LAYOUT_NO_COLUMN;
}

/* Fails with OPPROF_E_DATA and the faulty member. */
OpprofStatus PmuLayoutLoad(const OpprofChip *chip, PmuLayout *ret_layout, OpprofError **error);
void PmuLayoutFree(PmuLayout *layout);

#endif
