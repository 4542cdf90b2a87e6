/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HWTS logs: starts and ends of tasks, paired into executions by stream and task.
 * Tested by tests/plugins/collect-mindspore/test_raw.sh.
 */
#include "parse-mindspore/device.h"

#include <opprof/grow.h>
#include <opprof/kit/bytes.h>
#include <opprof/records/activity.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_BYTES 64u
#define MAGIC 0x6bd3u
#define NOT_OPEN UINT64_MAX

/* Types of records. */
enum { START, END, BLOCK_START, BLOCK_END, BLOCK_PMU, TYPES };

/* A task as the log names it. */
typedef struct Slot {
    uint64_t task;
    uint64_t opened; /* tick of the start that has no end yet */
    uint64_t latest; /* tick of its last end */
    uint32_t stream;
    uint32_t name; /* of the operator; OPPROF_NA_STRING: the table does not have it */
} Slot;

struct Hwts {
    OpprofMap map; /* of slots, by stream and task */
    Slot *slots;
    size_t count;
    size_t room;
    uint32_t *free_slots; /* of tasks that the table does not have, in logs with wide numbers */
    size_t free_count;
    size_t free_room;
    Unwrap unwrap;
    unsigned next_count; /* that the counter of the next record should have */
    bool has_count;
    uint64_t orphan_starts;
    uint64_t orphan_ends;
    uint64_t pairs;
    uint64_t unknown; /* of them, of tasks that the table does not have */
};

static bool is_blank(const unsigned char *record)
{
    for (size_t i = 0; i < RECORD_BYTES; i++) {
        if (record[i] != ' ' && record[i] != '\t' && record[i] != '\n' && record[i] != '\r') {
            return false;
        }
    }
    return true;
}

/* The name of the task's operator. */
static uint32_t name_of(const Device *device, uint32_t stream, uint64_t number)
{
    const Task *task = TasksFind(&device->tasks, stream, number);

    return task == NULL ? OPPROF_NA_STRING : device->tasks.operations[task->operation].name;
}

/* A new slot. NULL without memory. */
static Slot *add_slot(Device *device, uint32_t stream, uint64_t task)
{
    struct Hwts *hwts = device->hwts;
    const uint64_t key = (uint64_t) stream << 32 ^ task;
    uint32_t place = (uint32_t) hwts->count;

    if (hwts->free_count > 0) {
        place = hwts->free_slots[hwts->free_count - 1];
    } else if (!OpprofGrow(&hwts->slots, &hwts->room, hwts->count + 1, sizeof *hwts->slots)) {
        return NULL;
    }
    if (!OpprofMapPut(&hwts->map, key, place)) {
        return NULL;
    }
    if (hwts->free_count > 0) {
        hwts->free_count--;
    } else {
        hwts->count++;
    }
    hwts->slots[place] = (Slot){
        .task = task, .opened = NOT_OPEN, .stream = stream, .name = name_of(device, stream, task)
    };
    return &hwts->slots[place];
}

static inline Slot *find_slot(Device *device, uint32_t stream, uint64_t task)
{
    struct Hwts *hwts = device->hwts;
    const uint32_t place = OpprofMapFind(&hwts->map, (uint64_t) stream << 32 ^ task);

    return place == OPPROF_MAP_NONE ? add_slot(device, stream, task) : &hwts->slots[place];
}

/* Where numbers grow with the log, unknown tasks are forgotten once they have ended. */
static bool forget(struct Hwts *hwts, const Slot *slot)
{
    if (!OpprofGrow(&hwts->free_slots, &hwts->free_room, hwts->free_count + 1,
                    sizeof *hwts->free_slots)) {
        return false;
    }
    hwts->free_slots[hwts->free_count++] = (uint32_t) (slot - hwts->slots);
    (void) OpprofMapRemove(&hwts->map, (uint64_t) slot->stream << 32 ^ slot->task);
    return true;
}

static OpprofStatus emit(Device *device, const Slot *slot, uint64_t end)
{
    const OpprofStatus status = OpprofOpenBatchRoom(&device->executions);

    if (status == OPPROF_OK) {
        *(OpprofMindsporeExecution *) OpprofBatchAppend(device->executions.batch) =
            (OpprofMindsporeExecution){ .start = slot->opened,
                                        .duration = end - slot->opened,
                                        .task = slot->task,
                                        .stream = slot->stream,
                                        .name = slot->name };
    }
    return status;
}

static OpprofStatus end_task(Device *device, Slot *slot, uint64_t tick)
{
    struct Hwts *hwts = device->hwts;
    OpprofStatus status = OPPROF_OK;

    if (slot->opened == NOT_OPEN || tick < slot->opened) {
        hwts->orphan_ends++;
        hwts->orphan_starts += slot->opened != NOT_OPEN;
    } else {
        hwts->pairs++;
        if (slot->name != OPPROF_NA_STRING) {
            status = emit(device, slot, tick);
        } else {
            hwts->unknown++;
        }
    }
    slot->opened = NOT_OPEN;
    slot->latest = tick;
    if (slot->name == OPPROF_NA_STRING && device->tasks.is_wide && !forget(hwts, slot)) {
        return OPPROF_E_MEMORY;
    }
    return status;
}

/* Compares the counter of a record with the one that is due. */
static inline void check_count(struct Hwts *hwts, Log *log, unsigned count)
{
    if (hwts->has_count && count != hwts->next_count) {
        LogNote(log, &log->lost, (count - hwts->next_count) & 15u);
    }
    hwts->next_count = (count + 1) & 15u;
    hwts->has_count = true;
}

static inline OpprofStatus take_one(Device *device, Log *log, const unsigned char *record)
{
    struct Hwts *hwts = device->hwts;
    const unsigned type = record[0] & 7u;
    uint64_t task = OpprofLoadLe16(record + 6);
    const uint64_t tick = OpprofLoadLe64(record + 8);
    const uint32_t stream = OpprofLoadLe32(record + 16);
    Slot *slot;

    if (OpprofLoadLe16(record + 2) != MAGIC) {
        if (!is_blank(record)) {
            LogNote(log, &log->skipped, 1);
            hwts->next_count = (hwts->next_count + 1) & 15u;
        }
        return OPPROF_OK;
    }
    check_count(hwts, log, record[0] >> 4);
    if (type > END) {
        if (type >= TYPES) {
            LogNote(log, &log->skipped, 1);
        }
        return OPPROF_OK;
    }
    if (!TasksUnwrap(&device->tasks, &hwts->unwrap, stream, &task) ||
        (slot = find_slot(device, stream, task)) == NULL) {
        return OPPROF_E_MEMORY;
    }
    if (type == END) {
        return end_task(device, slot, tick);
    }
    hwts->orphan_starts += slot->opened != NOT_OPEN;
    if (tick < slot->latest) {
        LogNote(log, &log->again, 1);
    }
    slot->opened = tick;
    return OPPROF_OK;
}

static OpprofStatus take(Device *device, Log *log, const unsigned char *records, size_t count)
{
    OpprofStatus status = OPPROF_OK;

    if (device->hwts == NULL && (device->hwts = calloc(1, sizeof *device->hwts)) == NULL) {
        return OPPROF_E_MEMORY;
    }
    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        log->records++;
        status = take_one(device, log, records + i * RECORD_BYTES);
    }
    return status;
}

static OpprofStatus end_of_log(Device *device, Log *log)
{
    struct Hwts *hwts = device->hwts;

    if (hwts == NULL) {
        return OPPROF_OK;
    }
    for (size_t i = 0; i < hwts->count; i++) {
        hwts->orphan_starts += hwts->slots[i].opened != NOT_OPEN;
    }
    log->wraps = hwts->unwrap.wraps;
    OpprofStageCount(device->stage, "executions", hwts->pairs - hwts->unknown);
    OpprofStageCount(device->stage, "executions of unknown tasks", hwts->unknown);
    OpprofStageCount(device->stage, "starts without an end", hwts->orphan_starts);
    OpprofStageCount(device->stage, "ends without a start", hwts->orphan_ends);
    if (hwts->orphan_starts + hwts->orphan_ends > 0) {
        OpprofStageWarn(device->stage,
                        "'%s': %" PRIu64 " start(s) of tasks have no end and %" PRIu64
                        " end(s) no start",
                        log->file, hwts->orphan_starts, hwts->orphan_ends);
    }
    if (hwts->unknown > 0) {
        OpprofStageWarn(device->stage,
                        "'%s': %" PRIu64 " of %" PRIu64 " executions are of tasks that the table "
                        "of tasks does not have",
                        log->file, hwts->unknown, hwts->pairs);
    }
    return OpprofOpenBatchPush(&device->executions);
}

void HwtsFinish(Device *device)
{
    struct Hwts *hwts = device->hwts;

    if (hwts != NULL) {
        OpprofMapFinish(&hwts->map);
        UnwrapFinish(&hwts->unwrap);
        free(hwts->slots);
        free(hwts->free_slots);
        free(hwts);
        device->hwts = NULL;
    }
}

const Format hwts_formats[] = {
    { .kind = "hwts",
      .record_bytes = RECORD_BYTES,
      .mark = MAGIC,
      .mark_at = 2,
      .source = "hwts",
      .take = take,
      .end_of_log = end_of_log },
    { .kind = NULL },
};
