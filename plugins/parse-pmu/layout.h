/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_LAYOUT_H
#define PARSE_PMU_LAYOUT_H

#include <opprof/kit/record_bits.h>

#include <string.h>

/*
 * What a chip file says about raw records (`pmu.records`, `pmu.kinds`, `pmu.events`), compiled so
 * that a record is read with loads, shifts and masks.
 */

#define LAYOUT_MAX_SLOTS 64u    /* counters of a record */
#define LAYOUT_MAX_KINDS 4u     /* kinds of cores */
#define LAYOUT_MAX_EVENT 65535u /* largest event id */
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

/* A record of a core's counters (DeviceProf<k>.bin). */
typedef struct CounterLayout {
    OpprofRecordBits function;
    OpprofRecordBits core_type;
    OpprofRecordBits core;
    OpprofRecordBits block;
    OpprofRecordBits sub_block;
    OpprofRecordBits cycles;
    OpprofRecordBits stream;
    OpprofRecordBits task;
    OpprofRecordBits start; /* by the system's counter */
    uint64_t accepted;      /* bit f: records of function f count; 0: all do */
    uint64_t known;         /* bit f: records of function f are skipped silently */
    uint32_t size;
    uint16_t slots_at;
    uint16_t slot_count;
    CounterWidth width;
} CounterLayout;

/* A record of the task scheduler's log (duration.bin). */
typedef struct TaskLogLayout {
    OpprofRecordBits function;
    OpprofRecordBits task_type;
    OpprofRecordBits time;
    OpprofRecordBits stream;
    OpprofRecordBits task;
    uint64_t task_types; /* bit t: tasks of type t count; 0: all do */
    uint64_t start;      /* function of the record that states it */
    uint64_t end;
    uint32_t size;
} TaskLogLayout;

/* The record of the L2 cache's counters (L2Cache.bin); size 0: the chip leaves none. */
typedef struct L2Layout {
    uint32_t size;
    uint16_t at;
    CounterWidth width;
    uint16_t column_count; /* events that are merged into the only key */
    uint16_t columns[LAYOUT_MAX_SLOTS];
    uint16_t evict_slot; /* LAYOUT_NO_COLUMN: none */
} L2Layout;

typedef struct CoreKind {
    const char *name;  /* borrowed from the chip */
    const char *label; /* of advice; borrowed */
    uint64_t
        type; /* value of the field core_type; absent: no record has it, or it is the only kind */
    double slot; /* its place among a block's three cores; -1: the sub block's */
} CoreKind;

typedef struct PmuLayout {
    const OpprofChip *chip; /* borrowed */
    CounterLayout counters;
    TaskLogLayout task_log;
    L2Layout l2;
    CoreKind kinds[LAYOUT_MAX_KINDS];
    uint32_t kind_count;
    uint32_t *events; /* ids of the columns: events that one record counts are neighbours */
    uint32_t event_count;
    uint16_t *columns; /* of each event id below id_count: its column, or LAYOUT_NO_COLUMN */
    uint32_t id_count;
    double *most_per_cycle; /* of each column: a core counts no more than that in a cycle */
    bool one_key;           /* the chip does not distinguish blocks */
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
