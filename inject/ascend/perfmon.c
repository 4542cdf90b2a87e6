/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs the monitors of cores and drains their buffers while they write. Positions are counted
 * in bytes since the start: what lies further back than one buffer has been overwritten.
 * Tested by tests/inject/ascend/test_perfmon.c.
 */
#include "inject/ascend/perfmon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD 4u
#define ENABLED 1u

/* ---- registers ---- */

static uint32_t offset_of(const Perfmon *perfmon, const PerfmonUnit *unit,
                          OpprofLiveMonitorRegister which)
{
    return unit->sub_core * perfmon->facts.sub_core_stride + perfmon->facts.offsets[which];
}

static uint32_t get(const Perfmon *perfmon, const PerfmonUnit *unit,
                    OpprofLiveMonitorRegister which)
{
    return perfmon->window.ops->read(perfmon->window.backend, unit->core,
                                     offset_of(perfmon, unit, which));
}

static void put(const Perfmon *perfmon, const PerfmonUnit *unit, OpprofLiveMonitorRegister which,
                uint32_t value)
{
    perfmon->window.ops->write(perfmon->window.backend, unit->core, offset_of(perfmon, unit, which),
                               value);
}

static void barrier(const Perfmon *perfmon, WindowBarrier kind)
{
    perfmon->window.ops->barrier(perfmon->window.backend, kind);
}

static bool is_ring(const Perfmon *perfmon)
{
    return (perfmon->facts.flags & OPPROF_LIVE_MONITOR_RING) != 0;
}

static bool has_count(const Perfmon *perfmon)
{
    return (perfmon->facts.flags & OPPROF_LIVE_MONITOR_COUNTS) != 0;
}

/* ---- opening ---- */

/* One sub-core of a core whose window is mapped. */
static bool open_unit(Perfmon *perfmon, uint32_t core, uint32_t sub_core, bool is_mapped, char *why)
{
    PerfmonUnit *unit = &perfmon->units[perfmon->count++];

    *unit = (PerfmonUnit){ .core = core, .sub_core = sub_core, .is_mapped = is_mapped };
    return perfmon->window.ops->allocate(perfmon->window.backend, perfmon->buffer_size,
                                         &unit->buffer, why);
}

static bool open_core(Perfmon *perfmon, uint32_t core, char *why)
{
    bool is_first = true;

    if (!perfmon->window.ops->map(perfmon->window.backend, core, why)) {
        perfmon->unmapped++;
        return true;
    }
    for (uint32_t sub = 0; sub < PERFMON_SUB_CORES; sub++) {
        if ((perfmon->facts.sub_cores >> sub & 1) != 0) {
            if (!open_unit(perfmon, core, sub, is_first, why)) {
                return false;
            }
            is_first = false;
        }
    }
    return true;
}

bool PerfmonOpen(const OpprofLiveMonitors *facts, const RegisterWindow *window,
                 Perfmon *ret_perfmon, char *why)
{
    const size_t units = (size_t) facts->core_count * PERFMON_SUB_CORES;
    bool is_good;

    *ret_perfmon =
        (Perfmon){ .facts = *facts, .window = *window, .buffer_size = facts->buffer_bytes };
    if (!OpprofLiveMonitorsAreGood(facts)) {
        snprintf(why, WINDOW_WHY, "a number of cores, bytes or an offset is out of range");
        return false;
    }
    ret_perfmon->units = calloc(units, sizeof *ret_perfmon->units);
    ret_perfmon->scratch = malloc(facts->buffer_bytes);
    is_good = ret_perfmon->units != NULL && ret_perfmon->scratch != NULL;
    if (!is_good) {
        snprintf(why, WINDOW_WHY, "out of memory");
    }
    for (uint32_t i = 0; is_good && i < facts->core_count; i++) {
        is_good = open_core(ret_perfmon, facts->first_core + i, why);
    }
    is_good = is_good && ret_perfmon->count > 0;
    if (!is_good) {
        PerfmonClose(ret_perfmon);
    }
    return is_good;
}

/* Clear the monitor and let it write from the buffer's start. */
static void arm(Perfmon *perfmon, PerfmonUnit *unit)
{
    put(perfmon, unit, OPPROF_LIVE_MONITOR_CLEAR, 1);
    put(perfmon, unit, OPPROF_LIVE_MONITOR_COUNT, 0);
    barrier(perfmon, WINDOW_BARRIER_WRITE);
    put(perfmon, unit, OPPROF_LIVE_MONITOR_ENABLE, ENABLED);
    unit->total = 0;
    unit->taken = 0;
    unit->last_count = 0;
    unit->words = 0;
    unit->pointer = 0;
    unit->moved_at = 0;
    unit->is_stuck = false;
}

void PerfmonStartUnit(Perfmon *perfmon, PerfmonUnit *unit)
{
    unit->saved = get(perfmon, unit, OPPROF_LIVE_MONITOR_ENABLE);
    put(perfmon, unit, OPPROF_LIVE_MONITOR_ENABLE, 0);
    put(perfmon, unit, OPPROF_LIVE_MONITOR_BASE_LOW, (uint32_t) unit->buffer.address);
    put(perfmon, unit, OPPROF_LIVE_MONITOR_BASE_HIGH,
        (uint32_t) (unit->buffer.address >> 32) & 0xffff);
    put(perfmon, unit, OPPROF_LIVE_MONITOR_LENGTH, (uint32_t) unit->buffer.size);
    arm(perfmon, unit);
    unit->is_running = true;
}

void PerfmonStart(Perfmon *perfmon)
{
    for (uint32_t i = 0; i < perfmon->count; i++) {
        PerfmonStartUnit(perfmon, &perfmon->units[i]);
    }
}

/* ---- where the core is ---- */

/* Bounds of the bytes that were written to the buffer since the start. They are one number unless
 * the core writes more than a whole buffer while its registers are read. */
typedef struct Place {
    uint64_t least;
    uint64_t most; /* with a word that is on its way */
} Place;

static void read_count(Perfmon *perfmon, PerfmonUnit *unit)
{
    const uint32_t count = get(perfmon, unit, OPPROF_LIVE_MONITOR_COUNT);

    unit->words += (uint32_t) (count - unit->last_count); /* it wraps */
    unit->last_count = count;
}

/* True if the pointer stands still while words are counted, so that their place is unknown. A
 * pointer that is where it was may also have gone round: then the words make whole rounds. */
static bool is_stuck(PerfmonUnit *unit, uint64_t pointer, uint64_t unsure)
{
    const uint64_t size = unit->buffer.size;

    if (pointer != unit->pointer) {
        unit->pointer = pointer;
        unit->moved_at = unit->words;
        unit->is_stuck = false;
        return false;
    }
    const uint64_t rest = (unit->words - unit->moved_at) * WORD % size;
    if (!unit->is_stuck && unsure < size / 8 && rest > size / 4) {
        unit->is_stuck = true;
        unit->stuck++;
    }
    return unit->is_stuck;
}

/* The pointer was read between two counts: what lies between them and fits it is the place. */
static Place ring_place(PerfmonUnit *unit, uint64_t before, uint64_t pointer)
{
    const uint64_t size = unit->buffer.size;
    const uint64_t after = unit->words * WORD;
    const uint64_t place = before + (size + pointer - before % size) % size;

    const bool is_sure = after - before < size - WORD;
    if (is_stuck(unit, pointer, after - before) || (is_sure && place > after + WORD)) {
        return (Place){ unit->total, unit->total }; /* pointer and count contradict each other */
    }
    return (Place){ is_sure ? place : before, after + 2 * WORD };
}

static Place find_place(Perfmon *perfmon, PerfmonUnit *unit)
{
    const uint64_t size = unit->buffer.size;
    const bool counts = has_count(perfmon);

    barrier(perfmon, WINDOW_BARRIER_READ);
    if (counts) {
        read_count(perfmon, unit);
    }
    const uint64_t before = unit->words * WORD;
    const uint64_t pointer =
        (uint64_t) get(perfmon, unit, OPPROF_LIVE_MONITOR_POINTER) * perfmon->facts.pointer_unit;
    if (counts) {
        read_count(perfmon, unit);
    }
    barrier(perfmon, WINDOW_BARRIER_READ);
    if (!is_ring(perfmon)) {
        const uint64_t at = pointer < size ? pointer : size;
        return (Place){ at, at };
    }
    if (counts) {
        return ring_place(unit, before, pointer % size);
    }
    const uint64_t place = unit->total + (pointer % size + size - unit->total % size) % size;
    return (Place){ place, place + WORD };
}

/* Copy what lies between two positions. False: it cannot be read. */
static bool fetch(const Perfmon *perfmon, const PerfmonUnit *unit, uint64_t from, size_t length)
{
    const size_t size = unit->buffer.size;
    const size_t at = (size_t) (from % size);
    const size_t first = length < size - at ? length : size - at;
    const WindowOps *ops = perfmon->window.ops;

    return ops->fetch(perfmon->window.backend, &unit->buffer, at, perfmon->scratch, first) &&
           (length == first || ops->fetch(perfmon->window.backend, &unit->buffer, 0,
                                          perfmon->scratch + first, length - first));
}

/* Bytes that cannot be read. Returns how many. */
static uint64_t account_unread(PerfmonUnit *unit, uint64_t length)
{
    unit->taken += length;
    unit->lost += length;
    unit->overruns++;
    return length;
}

/* Overwritten words are lost. Returns how many of them were not yet counted. */
static uint64_t account_overrun(PerfmonUnit *unit, uint64_t total)
{
    const uint64_t oldest = total > unit->buffer.size ? total - unit->buffer.size : 0;

    if (unit->taken >= oldest) {
        return 0;
    }
    const uint64_t lost = oldest - unit->taken;
    unit->taken = oldest;
    unit->lost += lost;
    unit->overruns++;
    return lost;
}

static bool give(PerfmonUnit *unit, PerfmonTake *take, void *context, const unsigned char *bytes,
                 uint64_t length, uint64_t lost)
{
    unit->bytes += length;
    unit->taken += length;
    return (length == 0 && lost == 0) || take(context, unit, bytes, (size_t) length, lost);
}

static bool drain_ring(Perfmon *perfmon, PerfmonUnit *unit, PerfmonTake *take, void *context)
{
    const Place place = find_place(perfmon, unit);

    unit->total = place.least > unit->total ? place.least : unit->total;
    uint64_t lost = account_overrun(unit, unit->total);
    const uint64_t from = unit->taken;
    const size_t length = unit->total > from ? (size_t) (unit->total - from) : 0;
    if (length == 0) {
        return give(unit, take, context, perfmon->scratch, 0, lost);
    }
    if (!fetch(perfmon, unit, from, length)) {
        lost += account_unread(unit, length);
        return give(unit, take, context, perfmon->scratch, 0, lost);
    }
    /* The core went on meanwhile: what it may have overwritten must not be trusted. */
    lost += account_overrun(unit, find_place(perfmon, unit).most);
    const uint64_t skipped = unit->taken - from;
    if (skipped >= length) {
        return give(unit, take, context, perfmon->scratch, 0, lost);
    }
    return give(unit, take, context, perfmon->scratch + skipped, length - skipped, lost);
}

static bool drain_linear(Perfmon *perfmon, PerfmonUnit *unit, PerfmonTake *take, void *context)
{
    const size_t size = unit->buffer.size;
    uint64_t place = find_place(perfmon, unit).least;
    const bool is_nearly_full = place > size / 4 * 3;
    uint64_t lost = 0;

    if (is_nearly_full) {
        put(perfmon, unit, OPPROF_LIVE_MONITOR_ENABLE, 0);
        barrier(perfmon, WINDOW_BARRIER_WRITE);
        place = find_place(perfmon, unit).least;
        lost = has_count(perfmon) && unit->words * WORD > place ? unit->words * WORD - place : 0;
        unit->lost += lost;
        unit->overruns += lost > 0;
    }
    unit->total = place > unit->total ? place : unit->total;
    uint64_t length = unit->total - unit->taken, unread = 0;
    if (length > 0 && !fetch(perfmon, unit, unit->taken, (size_t) length)) {
        unread = account_unread(unit, length);
        length = 0;
    }
    /* The losses come after these bytes. */
    bool is_good = give(unit, take, context, perfmon->scratch, length, unread);
    if (is_nearly_full) {
        arm(perfmon, unit);
        is_good = is_good && give(unit, take, context, perfmon->scratch, 0, lost);
    }
    return is_good;
}

bool PerfmonDrain(Perfmon *perfmon, PerfmonUnit *unit, PerfmonTake *take, void *context)
{
    if (!unit->is_running) {
        return true;
    }
    unit->drains++;
    return is_ring(perfmon) ? drain_ring(perfmon, unit, take, context)
                            : drain_linear(perfmon, unit, take, context);
}

/* Words that were counted and never got a place in the buffer. */
static uint64_t account_missing(const Perfmon *perfmon, PerfmonUnit *unit)
{
    const uint64_t known = unit->total > unit->taken ? unit->total : unit->taken;

    if (!has_count(perfmon) || unit->words * WORD <= known) {
        return 0;
    }
    const uint64_t missing = unit->words * WORD - known;
    unit->lost += missing;
    unit->overruns++;
    return missing;
}

bool PerfmonStop(Perfmon *perfmon, PerfmonTake *take, void *context)
{
    bool is_good = true;

    for (uint32_t i = 0; i < perfmon->count; i++) {
        PerfmonUnit *unit = &perfmon->units[i];
        if (!unit->is_running) {
            continue;
        }
        put(perfmon, unit, OPPROF_LIVE_MONITOR_ENABLE, 0);
        barrier(perfmon, WINDOW_BARRIER_WRITE);
        const bool is_drained = !is_good || PerfmonDrain(perfmon, unit, take, context);
        /* A linear buffer that was nearly full has been armed again. */
        put(perfmon, unit, OPPROF_LIVE_MONITOR_ENABLE, 0);
        const uint64_t missing = account_missing(perfmon, unit);
        is_good = is_good && is_drained &&
                  (missing == 0 || take(context, unit, perfmon->scratch, 0, missing));
        if (unit->saved != 0) {
            put(perfmon, unit, OPPROF_LIVE_MONITOR_ENABLE, unit->saved);
        }
        unit->is_running = false;
    }
    return is_good;
}

void PerfmonClose(Perfmon *perfmon)
{
    for (uint32_t i = 0; i < perfmon->count; i++) {
        PerfmonUnit *unit = &perfmon->units[i];
        if (unit->buffer.memory != NULL) {
            perfmon->window.ops->release(perfmon->window.backend, &unit->buffer);
        }
    }
    for (uint32_t i = 0; i < perfmon->count; i++) {
        if (perfmon->units[i].is_mapped) {
            perfmon->window.ops->unmap(perfmon->window.backend, perfmon->units[i].core);
        }
    }
    free(perfmon->units);
    free(perfmon->scratch);
    *perfmon = (Perfmon){ .count = 0 };
}
