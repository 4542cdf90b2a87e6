/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the streams of devices and the threads of processes of a trace.
 * Tested by tests/plugins/collect-kineto/test_merged.sh.
 */
#include "collect-kineto/rank/lanes.h"

#include "collect-kineto/text/number.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static JsonText trimmed(const char *from, const char *to)
{
    while (from < to && *from == ' ') {
        from++;
    }
    while (to > from && to[-1] == ' ') {
        to--;
    }
    return (JsonText){ .text = from, .length = (uint32_t) (to - from), .is_string = true };
}

ProcessText LaneProcess(JsonText pid)
{
    const char *end = pid.text + pid.length;
    const char *number = end;
    const char *after = pid.text;
    ProcessText result = { .origin = { .text = "" } };

    result.has_number = NumberInteger(pid.text, pid.length, &result.number);
    if (result.has_number || !pid.is_string) {
        return result;
    }
    while (number > pid.text && is_digit(number[-1])) {
        number--;
    }
    while (after < end && is_digit(*after)) {
        after++;
    }
    if (after > pid.text) {
        result.has_number = NumberInteger(pid.text, (uint32_t) (after - pid.text), &result.number);
        result.origin = trimmed(after, end);
    } else if (number < end) {
        result.has_number = NumberInteger(number, (uint32_t) (end - number), &result.number);
        result.origin = trimmed(pid.text, number);
    }
    return result;
}

/* What distinguishes lanes, without padding. */
typedef struct LaneKey {
    int64_t parts[5];
} LaneKey;

static LaneKey key_of(const Lane *lane, bool has_process)
{
    return (LaneKey){ { lane->device, lane->stream, lane->is_process, lane->origin,
                        has_process ? lane->process : INT64_MIN } };
}

static bool add(LaneTable *table, const Lane *lane, const LaneKey *key, uint32_t *ret_number)
{
    const uint32_t count = table->list.count;
    Lane *added;

    if (count == LANES_MAX) {
        *ret_number = LANES_MAX;
        return true;
    }
    added = ChunksAppend(&table->list);
    if (added == NULL ||
        !OpprofTextMapPut(&table->places, (const char *) key, sizeof *key, count, NULL)) {
        return false;
    }
    *added = *lane;
    *ret_number = count;
    return true;
}

bool LanesFindStream(LaneTable *table, Lane lane, uint32_t *ret_number)
{
    const LaneKey key = key_of(&lane, false);

    *ret_number = OpprofTextMapFind(&table->places, (const char *) &key, sizeof key);
    return *ret_number != OPPROF_MAP_NONE || add(table, &lane, &key, ret_number);
}

bool LanesFind(LaneTable *table, Lane lane, uint32_t *ret_number)
{
    LaneKey key;

    if (!LanesFindStream(table, lane, ret_number)) {
        return false;
    }
    if (*ret_number == LANES_MAX || LaneAt(table, *ret_number)->process == lane.process) {
        return true;
    }
    key = key_of(&lane, true);
    *ret_number = OpprofTextMapFind(&table->places, (const char *) &key, sizeof key);
    return *ret_number != OPPROF_MAP_NONE || add(table, &lane, &key, ret_number);
}

void LanesFinish(LaneTable *table)
{
    ChunksFinish(&table->list);
    OpprofTextMapFinish(&table->places);
}
