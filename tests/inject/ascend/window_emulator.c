/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A backend of register windows without a machine: what the monitor would do, in software.
 * Tested by tests/inject/ascend/test_perfmon.c.
 */
#include "window_emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD 4u

static bool place_of(Emulator *emulator, uint32_t core, uint32_t offset, EmulatorUnit **ret_unit,
                     uint32_t *ret_index)
{
    const uint32_t sub_core = offset / emulator->facts.sub_core_stride;
    const uint32_t at = offset % emulator->facts.sub_core_stride;

    if (core >= emulator->cores || sub_core >= PERFMON_SUB_CORES || at < EMULATOR_PAGE ||
        at >= EMULATOR_PAGE + EMULATOR_PAGE_BYTES || at % WORD != 0) {
        emulator->bad_accesses++;
        return false;
    }
    *ret_unit = EmulatorUnitOf(emulator, core, sub_core);
    *ret_index = (at - EMULATOR_PAGE) / WORD;
    return true;
}

EmulatorUnit *EmulatorUnitOf(Emulator *emulator, uint32_t core, uint32_t sub_core)
{
    return &emulator->units[(size_t) core * PERFMON_SUB_CORES + sub_core];
}

static _Atomic uint32_t *register_of(const Emulator *emulator, EmulatorUnit *unit,
                                     OpprofLiveMonitorRegister which)
{
    return &unit->registers[(emulator->facts.offsets[which] - EMULATOR_PAGE) / WORD];
}

static uint32_t load(const Emulator *emulator, EmulatorUnit *unit, OpprofLiveMonitorRegister which)
{
    return atomic_load_explicit(register_of(emulator, unit, which), memory_order_acquire);
}

static void store(const Emulator *emulator, EmulatorUnit *unit, OpprofLiveMonitorRegister which,
                  uint32_t value)
{
    atomic_store_explicit(register_of(emulator, unit, which), value, memory_order_release);
}

/* ---- the core's side ---- */

static unsigned char *buffer_of(const Emulator *emulator, EmulatorUnit *unit)
{
    const uint64_t address = (uint64_t) load(emulator, unit, OPPROF_LIVE_MONITOR_BASE_HIGH) << 32 |
                             load(emulator, unit, OPPROF_LIVE_MONITOR_BASE_LOW);

    return (unsigned char *) (uintptr_t) address;
}

/* Words are written for others to see, in order; a reader that sees one sees all before it. */
static void write_word(const Emulator *emulator, EmulatorUnit *unit, uint32_t word)
{
    const uint32_t length = load(emulator, unit, OPPROF_LIVE_MONITOR_LENGTH);
    uint32_t *to;

    if (unit->position + WORD > length) {
        return; /* a linear buffer is full: the word is lost, and counted */
    }
    to = (uint32_t *) (void *) (buffer_of(emulator, unit) + unit->position);
    __atomic_store_n(to, word, __ATOMIC_RELEASE);
    unit->position += WORD;
    if ((emulator->facts.flags & OPPROF_LIVE_MONITOR_RING) != 0 && unit->position == length) {
        unit->position = 0;
    }
    if (unit->fault != EMULATOR_POINTER_STUCK) {
        store(emulator, unit, OPPROF_LIVE_MONITOR_POINTER,
              (uint32_t) (unit->position / emulator->facts.pointer_unit));
    }
}

bool EmulatorEmit(Emulator *emulator, uint32_t core, uint32_t sub_core, uint32_t word)
{
    EmulatorUnit *unit = EmulatorUnitOf(emulator, core, sub_core);

    pthread_mutex_lock(&unit->lock);
    const bool is_on = unit->is_enabled && unit->fault != EMULATOR_SILENT;
    if (is_on) {
        write_word(emulator, unit, word);
        unit->emitted++;
        store(emulator, unit, OPPROF_LIVE_MONITOR_COUNT, (uint32_t) unit->emitted);
    }
    pthread_mutex_unlock(&unit->lock);
    return is_on;
}

/* ---- the window's side ---- */

static bool map_core(void *backend, uint32_t core, char *why)
{
    const Emulator *emulator = backend;

    snprintf(why, WINDOW_WHY, "there is no core %u", core);
    return core < emulator->cores;
}

static void unmap_core(void *backend, uint32_t core)
{
    (void) backend;
    (void) core;
}

static uint32_t read_register(void *backend, uint32_t core, uint32_t offset)
{
    EmulatorUnit *unit;
    uint32_t index;

    return place_of(backend, core, offset, &unit, &index)
               ? atomic_load_explicit(&unit->registers[index], memory_order_acquire)
               : 0;
}

/* Side effects of writing a register. */
static void switch_unit(Emulator *emulator, EmulatorUnit *unit, uint32_t index, uint32_t value)
{
    const _Atomic uint32_t *written = &unit->registers[index];

    if (written == register_of(emulator, unit, OPPROF_LIVE_MONITOR_ENABLE)) {
        unit->is_enabled = (value & 1) != 0;
    } else if (written == register_of(emulator, unit, OPPROF_LIVE_MONITOR_CLEAR) &&
               (value & 1) != 0) {
        unit->position = 0;
        store(emulator, unit, OPPROF_LIVE_MONITOR_POINTER, 0);
    } else if (written == register_of(emulator, unit, OPPROF_LIVE_MONITOR_COUNT)) {
        unit->emitted = value;
    }
}

static void write_register(void *backend, uint32_t core, uint32_t offset, uint32_t value)
{
    Emulator *emulator = backend;
    EmulatorUnit *unit;
    uint32_t index;

    if (emulator->write_count < EMULATOR_MAX_WRITES) {
        emulator->writes[emulator->write_count++] = (EmulatorWrite){ core, offset, value };
    }
    if (!place_of(emulator, core, offset, &unit, &index)) {
        return;
    }
    pthread_mutex_lock(&unit->lock);
    atomic_store_explicit(&unit->registers[index], value, memory_order_release);
    switch_unit(emulator, unit, index, value);
    pthread_mutex_unlock(&unit->lock);
}

static void pass_barrier(void *backend, WindowBarrier kind)
{
    Emulator *emulator = backend;

    (void) kind; /* registers are read and written in order */
    emulator->barriers++;
}

static bool allocate(void *backend, size_t size, WindowBuffer *ret_buffer, char *why)
{
    (void) backend;
    snprintf(why, WINDOW_WHY, "out of memory");
    ret_buffer->memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (ret_buffer->memory == NULL) {
        return false;
    }
    memset(ret_buffer->memory, 0, size);
    ret_buffer->address = (uintptr_t) ret_buffer->memory;
    ret_buffer->size = size;
    return true;
}

static void release(void *backend, WindowBuffer *buffer)
{
    (void) backend;
    free(buffer->memory);
    buffer->memory = NULL;
}

static bool fetch(void *backend, const WindowBuffer *buffer, size_t offset, void *to, size_t length)
{
    const uint32_t *from =
        (const uint32_t *) (const void *) ((const unsigned char *) buffer->memory + offset);
    unsigned char *out = to;

    for (size_t i = 0; i < length / WORD; i++) {
        const uint32_t word = __atomic_load_n(from + i, __ATOMIC_ACQUIRE);
        memcpy(out + i * WORD, &word, WORD);
    }
    return !((const Emulator *) backend)->is_unreadable;
}

static const WindowOps emulator_ops = {
    .map = map_core,
    .unmap = unmap_core,
    .read = read_register,
    .write = write_register,
    .barrier = pass_barrier,
    .allocate = allocate,
    .release = release,
    .fetch = fetch,
};

OpprofLiveMonitors EmulatorFacts(uint32_t cores, uint32_t buffer_bytes)
{
    return (
        OpprofLiveMonitors){ .offsets = { 0xb000, 0xb00c, 0xb010, 0xb014, 0xb01c, 0xb024, 0xb028 },
                             .flags = OPPROF_LIVE_MONITOR_RING | OPPROF_LIVE_MONITOR_COUNTS,
                             .pointer_unit = 4,
                             .sub_core_stride = 0x100000,
                             .core_count = cores,
                             .sub_cores = 7,
                             .buffer_bytes = buffer_bytes };
}

bool EmulatorInit(Emulator *emulator, const OpprofLiveMonitors *facts, uint32_t cores)
{
    *emulator = (Emulator){ .facts = *facts, .cores = cores };
    emulator->units = calloc((size_t) cores * PERFMON_SUB_CORES, sizeof *emulator->units);
    if (emulator->units == NULL) {
        return false;
    }
    for (size_t i = 0; i < (size_t) cores * PERFMON_SUB_CORES; i++) {
        pthread_mutex_init(&emulator->units[i].lock, NULL);
    }
    return true;
}

RegisterWindow EmulatorWindow(Emulator *emulator)
{
    return (RegisterWindow){ .ops = &emulator_ops, .backend = emulator };
}

void EmulatorFinish(Emulator *emulator)
{
    for (size_t i = 0; emulator->units != NULL && i < (size_t) emulator->cores * PERFMON_SUB_CORES;
         i++) {
        pthread_mutex_destroy(&emulator->units[i].lock);
    }
    free(emulator->units);
    emulator->units = NULL;
}
