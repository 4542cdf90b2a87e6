/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Monitors of cores in a pass: their registers in the windows that the driver maps, their buffers
 * in memory of the device, what they wrote sent to the collector when the task has ended. Tested by
 * tests/refchip/test_monitors.sh.
 */
#include "inject/ascend/board.h"
#include "inject/ascend/perfmon.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CORES (2 * OPPROF_LIVE_MOST_CORES)
#define PIECE_BYTES (512u << 10)

struct Monitors {
    Perfmon perfmon;
    uint32_t number; /* of the pass */
    uint32_t device;
    uint32_t operator_id;
    uint64_t lost;  /* bytes */
    uint64_t lossy; /* times that a core lost some */
    uint64_t stuck;
    uint64_t bytes;
    bool is_unread; /* some could not be copied from the device */
    unsigned char *windows[MOST_CORES];
    uint32_t lengths[MOST_CORES];
};

/* ---- the driver's window ---- */

static bool map_core(void *backend, uint32_t core, char *why)
{
    Monitors *self = backend;
    __typeof__(&halResMap) call = DRIVER(halResMap);
    res_map_info info = { .res_id = core };
    unsigned long address = 0;
    unsigned length = 0;
    int error;

    if (call == NULL || DriverFind("halResUnmap") == NULL || core >= MOST_CORES) {
        snprintf(why, WINDOW_WHY, "the driver (libascend_hal.so) has no halResMap and halResUnmap");
        return false;
    }
    error = call(self->device, &info, &address, &length);
    if (error != 0 || address == 0) {
        snprintf(why, WINDOW_WHY, "the driver does not map core %u: error %d", (unsigned) core,
                 error);
        return false;
    }
    self->windows[core] = (unsigned char *) (uintptr_t) address;
    self->lengths[core] = length;
    return true;
}

static void unmap_core(void *backend, uint32_t core)
{
    Monitors *self = backend;
    res_map_info info = { .res_id = core };

    DRIVER(halResUnmap)(self->device, &info);
    self->windows[core] = NULL;
}

static volatile uint32_t *register_at(const Monitors *self, uint32_t core, uint32_t offset)
{
    return core >= MOST_CORES || self->windows[core] == NULL || self->lengths[core] < 4 ||
                   offset > self->lengths[core] - 4
               ? NULL
               : (volatile uint32_t *) (void *) (self->windows[core] + offset);
}

static uint32_t read_register(void *backend, uint32_t core, uint32_t offset)
{
    const volatile uint32_t *at = register_at(backend, core, offset);

    return at == NULL ? 0 : *at;
}

static void write_register(void *backend, uint32_t core, uint32_t offset, uint32_t value)
{
    volatile uint32_t *at = register_at(backend, core, offset);

    if (at != NULL) {
        *at = value;
    }
}

static void pass_barrier(void *backend, WindowBarrier kind)
{
    (void) backend;
    (void) kind;
    __sync_synchronize(); /* both kinds, also for memory of devices */
}

/* Which address a core needs, physical or of which memory management unit, is unknown; the device's
 * own is taken. */
static bool allocate(void *backend, size_t size, WindowBuffer *ret_buffer, char *why)
{
    (void) backend;
    ret_buffer->memory = DeviceAllocate(size);
    ret_buffer->address = (uint64_t) (uintptr_t) ret_buffer->memory;
    ret_buffer->size = size;
    if (ret_buffer->memory == NULL) {
        snprintf(why, WINDOW_WHY, "the device has not enough free memory for their buffers");
    }
    return ret_buffer->memory != NULL;
}

static void release(void *backend, WindowBuffer *buffer)
{
    (void) backend;
    DeviceFree(buffer->memory);
    buffer->memory = NULL;
}

static bool fetch(void *backend, const WindowBuffer *buffer, size_t offset, void *to, size_t length)
{
    Monitors *self = backend;
    const bool is_read =
        DeviceCopy(to, (const unsigned char *) buffer->memory + offset, length, COPY_TO_HOST);

    self->is_unread = self->is_unread || !is_read;
    return is_read;
}

static const WindowOps driver_ops = {
    .map = map_core,
    .unmap = unmap_core,
    .read = read_register,
    .write = write_register,
    .barrier = pass_barrier,
    .allocate = allocate,
    .release = release,
    .fetch = fetch,
};

/* ---- a pass ---- */

static bool send_bytes(void *context, const PerfmonUnit *unit, const void *bytes, size_t length,
                       uint64_t lost)
{
    Monitors *self = context;
    const OpprofLiveRaw raw = { self->operator_id, (uint16_t) self->number,
                                (uint16_t) (OPPROF_LIVE_RAW_MONITOR + 4 * unit->core +
                                            unit->sub_core) };
    bool is_good = true;

    if (lost > 0) {
        self->lost += lost;
        self->lossy++;
        is_good = LinkSend(OPPROF_LIVE_RAW, &raw, sizeof raw, &self->perfmon.facts.gap,
                           sizeof self->perfmon.facts.gap);
    }
    for (size_t at = 0; at < length && is_good; at += PIECE_BYTES) {
        const size_t left = length - at;

        is_good = LinkSend(OPPROF_LIVE_RAW, &raw, sizeof raw, (const unsigned char *) bytes + at,
                           left < PIECE_BYTES ? left : PIECE_BYTES);
    }
    self->bytes += length;
    return is_good;
}

Monitors *MonitorsStart(const PlanPass *pass, uint32_t number, uint32_t device,
                        uint32_t operator_id)
{
    Monitors *self = calloc(1, sizeof *self);
    const RegisterWindow window = { .ops = &driver_ops, .backend = self };
    char why[WINDOW_WHY] = "out of memory";

    if (self != NULL) {
        self->number = number;
        self->device = device;
        self->operator_id = operator_id;
    }
    if (self == NULL || !PerfmonOpen(&pass->monitors, &window, &self->perfmon, why)) {
        Note(operator_id, OPPROF_LIVE_INCOMPLETE,
             "Monitors of cores are not read, pass %u is left out: %s", (unsigned) number + 1, why);
        free(self);
        return NULL;
    }
    if (self->perfmon.unmapped > 0) { /* parse-biu reports missing blocks */
        Note(operator_id, OPPROF_LIVE_WARNING, "%u of %u cores have no monitor: %s",
             (unsigned) self->perfmon.unmapped, (unsigned) pass->monitors.core_count, why);
    }
    PerfmonStart(&self->perfmon);
    return self;
}

static void note_losses(const Monitors *self)
{
    if (self->stuck > 0) {
        Note(self->operator_id, OPPROF_LIVE_INCOMPLETE,
             "The write pointers of %llu monitors stand still although they count words",
             (unsigned long long) self->stuck);
    }
    if (self->lost > 0) {
        Note(self->operator_id, OPPROF_LIVE_INCOMPLETE,
             "Monitors of cores lost %llu bytes, at %llu places: their buffers of %u bytes %s",
             (unsigned long long) self->lost, (unsigned long long) self->lossy,
             (unsigned) self->perfmon.facts.buffer_bytes,
             self->is_unread ? "cannot be copied from the device" : "are too small");
    }
    if (self->bytes == 0 && self->lost == 0) {
        Note(self->operator_id, OPPROF_LIVE_INCOMPLETE, "No monitor of a core wrote a word");
    }
}

bool MonitorsStop(Monitors *self)
{
    const bool is_sent = PerfmonStop(&self->perfmon, send_bytes, self);
    bool is_good;

    for (uint32_t i = 0; i < self->perfmon.count; i++) {
        self->stuck += self->perfmon.units[i].stuck;
    }
    note_losses(self);
    is_good = is_sent && self->bytes > 0; /* streams with gaps are shown */
    PerfmonClose(&self->perfmon);
    free(self);
    return is_good;
}
