/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of a device by stream and number. Tested by tests/plugins/collect-mindspore/test_raw.sh. */
#include "parse-mindspore/tasks.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_FROM 25000u /* generation A: from this number on, streams share the numbers */
#define WRAP UINT64_C(65536)

uint32_t TasksOperation(Tasks *tasks, uint32_t name)
{
    uint32_t place = OpprofMapFind(&tasks->by_name, name);

    if (place != OPPROF_MAP_NONE) {
        return place;
    }
    place = (uint32_t) tasks->operation_count;
    if (!OpprofGrow(&tasks->operations, &tasks->operation_room, tasks->operation_count + 1,
                    sizeof *tasks->operations) ||
        !OpprofMapPut(&tasks->by_name, name, place)) {
        return OPPROF_MAP_NONE;
    }
    tasks->operations[tasks->operation_count++] = (Operation){
        .name = name, .type = OPPROF_NA_STRING, .stream = OPPROF_NA_U32, .block_dim = OPPROF_NA_U32
    };
    return place;
}

static uint64_t key_of(const Tasks *tasks, uint32_t stream, uint64_t number)
{
    return tasks->generation == 'A' && number >= SHARED_FROM ? UINT64_C(1) << 63 | number
                                                             : (uint64_t) stream << 32 ^ number;
}

bool TasksAdd(Tasks *tasks, uint32_t stream, uint64_t number, uint32_t operation)
{
    const uint64_t key = key_of(tasks, stream, number);
    const uint32_t place = OpprofMapFind(&tasks->map, key);

    tasks->is_wide = tasks->is_wide || number >= WRAP;
    tasks->operations[operation].has_task = true;
    if (place != OPPROF_MAP_NONE) {
        tasks->list[place].operation = operation;
        return true;
    }
    if (!OpprofGrow(&tasks->list, &tasks->room, tasks->count + 1, sizeof *tasks->list) ||
        !OpprofMapPut(&tasks->map, key, (uint32_t) tasks->count)) {
        return false;
    }
    tasks->list[tasks->count++] =
        (Task){ .number = number, .stream = stream, .operation = operation };
    return true;
}

Task *TasksFind(const Tasks *tasks, uint32_t stream, uint64_t number)
{
    const uint32_t place = OpprofMapFind(&tasks->map, key_of(tasks, stream, number));

    return place == OPPROF_MAP_NONE ? NULL : &tasks->list[place];
}

const Task *TasksBeside(const Tasks *tasks, uint32_t stream, uint64_t number, bool after)
{
    const Task *found = NULL;

    for (size_t i = 0; i < tasks->count; i++) {
        const Task *task = &tasks->list[i];

        if (task->stream == stream && (after ? task->number > number : task->number < number) &&
            (found == NULL ||
             (after ? task->number < found->number : task->number > found->number))) {
            found = task;
        }
    }
    return found;
}

bool TasksNameHash(Tasks *tasks, uint64_t hash, uint32_t name)
{
    return OpprofMapPut(&tasks->hashes, hash, name);
}

bool TasksNamePoint(Tasks *tasks, uint64_t tag, uint32_t name)
{
    return OpprofMapPut(&tasks->points, tag, name);
}

/* ---- numbers of 16 bits ---- */

static uint64_t nearest(uint64_t high, uint64_t low_bits)
{
    const uint64_t same = (high & ~(WRAP - 1)) | low_bits;

    if (same > high && same - high > WRAP / 2 && same >= WRAP) {
        return same - WRAP;
    }
    return same < high && high - same > WRAP / 2 ? same + WRAP : same;
}

/* The highest number of a stream; a new one has `number`. NULL without memory. */
static StreamHigh *find_high(Unwrap *unwrap, uint32_t stream, uint64_t number)
{
    const uint32_t place = OpprofMapFind(&unwrap->map, stream);

    if (place != OPPROF_MAP_NONE) {
        return &unwrap->streams[place];
    }
    if (!OpprofGrow(&unwrap->streams, &unwrap->room, unwrap->count + 1, sizeof *unwrap->streams) ||
        !OpprofMapPut(&unwrap->map, stream, (uint32_t) unwrap->count)) {
        return NULL;
    }
    unwrap->streams[unwrap->count] = (StreamHigh){ .stream = stream, .high = number };
    return &unwrap->streams[unwrap->count++];
}

bool TasksCompare(Unwrap *unwrap, uint32_t key, uint64_t number, int *ret_order)
{
    const size_t before = unwrap->count;
    StreamHigh *high = find_high(unwrap, key, number);

    if (high == NULL) {
        return false;
    }
    *ret_order = unwrap->count > before ? 1 : (number > high->high) - (number < high->high);
    high->high = number > high->high ? number : high->high;
    return true;
}

bool TasksUnwrap(const Tasks *tasks, Unwrap *unwrap, uint32_t stream, uint64_t *number)
{
    StreamHigh *high;

    if (!tasks->is_wide) {
        return true;
    }
    high = find_high(unwrap, stream, *number);
    if (high == NULL) {
        return false;
    }
    *number = nearest(high->high, *number);
    if (*number > high->high) {
        unwrap->wraps += *number / WRAP - high->high / WRAP;
        high->high = *number;
    }
    return true;
}

void UnwrapFinish(Unwrap *unwrap)
{
    OpprofMapFinish(&unwrap->map);
    free(unwrap->streams);
    *unwrap = (Unwrap){ .count = 0 };
}

void TasksFinish(Tasks *tasks)
{
    for (size_t i = 0; i < tasks->operation_count; i++) {
        OpprofJsonOutFinish(&tasks->operations[i].info);
    }
    OpprofMapFinish(&tasks->map);
    OpprofMapFinish(&tasks->by_name);
    OpprofMapFinish(&tasks->hashes);
    OpprofMapFinish(&tasks->points);
    free(tasks->list);
    free(tasks->operations);
    *tasks = (Tasks){ .count = 0 };
}
