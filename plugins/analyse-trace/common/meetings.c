/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches collectives over ranks that come one after another.
 * Tested by tests/plugins/analyse-trace/test_collectives.
 */
#include "analyse-trace/common/meetings.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <stdlib.h>

#define SEED UINT64_C(0x8e9d5f3c1ab7) /* any */
#define BITS 64u
#define CALLS_IN_HAND ((size_t) 1 << 17) /* bytes in use before they are released: 4 MB */

static uint64_t key_of(const CollectiveCall *call)
{
    const uint64_t parts[] = { call->kind, call->cycle, call->sequence, call->repeat };

    return OpprofInternHash(SEED, parts, sizeof parts);
}

static bool is_of(const Meeting *meeting, const CollectiveCall *call)
{
    return meeting->kind == call->kind && meeting->cycle == call->cycle &&
           meeting->sequence == call->sequence && meeting->repeat == call->repeat;
}

/* Number of a collective plus 1; 0: it is new. Several collectives may have the same key. */
static uint32_t find(const Meetings *meetings, uint64_t key, const CollectiveCall *call)
{
    const uint32_t first = OpprofMapFind(&meetings->places, key);
    uint32_t number = first == OPPROF_MAP_NONE ? 0 : first + 1;

    while (number != 0 && !is_of(&meetings->list[number - 1], call)) {
        number = meetings->list[number - 1].next;
    }
    return number;
}

/* Its number plus 1; 0 without memory. */
static uint32_t add_meeting(Meetings *meetings, uint64_t key, const CollectiveCall *call)
{
    const uint32_t others = OpprofMapFind(&meetings->places, key);

    if (!OpprofGrow32(&meetings->list, &meetings->capacity, (size_t) meetings->count + 1,
                      sizeof *meetings->list) ||
        !OpprofMapPut(&meetings->places, key, meetings->count)) {
        return 0;
    }
    meetings->list[meetings->count++] =
        (Meeting){ .kind = call->kind,
                   .cycle = call->cycle,
                   .sequence = call->sequence,
                   .repeat = call->repeat,
                   .shortest_ns = UINT64_MAX,
                   .second_ns = UINT64_MAX,
                   .next = others == OPPROF_MAP_NONE ? 0 : others + 1 };
    return meetings->count;
}

/* Notes that the rank has reached it; *ret_is_new: for the first time. False without memory. */
static bool note_seen(MeetingsSeen *seen, uint32_t number, bool *ret_is_new)
{
    const size_t word = number / BITS;
    const uint64_t bit = UINT64_C(1) << number % BITS;

    if (!OpprofGrowCleared(&seen->bits, &seen->capacity, word + 1, sizeof *seen->bits)) {
        return false;
    }
    *ret_is_new = (seen->bits[word] & bit) == 0;
    seen->bits[word] |= bit;
    return true;
}

static void take_duration(Meeting *meeting, const CollectiveCall *call)
{
    const uint64_t duration_ns = call->duration_ns;
    const bool is_late = meeting->count == 0 || duration_ns < meeting->shortest_ns ||
                         (duration_ns == meeting->shortest_ns && call->rank < meeting->late);

    if (meeting->count > 0 && duration_ns < meeting->shortest_ns) {
        meeting->second_ns = meeting->shortest_ns;
    } else if (meeting->count > 0 && duration_ns < meeting->second_ns) {
        meeting->second_ns = duration_ns;
    }
    if (is_late) {
        meeting->shortest_ns = duration_ns;
        meeting->late = (uint32_t) call->rank;
        meeting->place = (uint32_t) call->place;
        meeting->bytes = call->bytes;
    }
    meeting->longest_ns = duration_ns > meeting->longest_ns ? duration_ns : meeting->longest_ns;
    meeting->sum_ns += duration_ns;
    meeting->count++;
}

/* False without memory. */
static bool keep_call(Meetings *meetings, const CollectiveCall *call, uint32_t number)
{
    MeetingCall *calls;

    if (!OpprofLargeArrayGrow(&meetings->room, meetings->directory,
                              (meetings->call_count + 1) * sizeof *calls)) {
        return false;
    }
    calls = meetings->room.bytes;
    calls[meetings->call_count++] = (MeetingCall){ .meeting = number,
                                                   .rank = call->rank,
                                                   .place = (uint32_t) call->place,
                                                   .start_ns = call->start_ns,
                                                   .duration_ns = call->duration_ns };
    if (meetings->call_count % CALLS_IN_HAND == 0) {
        OpprofLargeArrayRest(&meetings->room);
    }
    return true;
}

bool MeetingsAdd(Meetings *meetings, MeetingsSeen *seen, const CollectiveCall *call)
{
    const uint64_t key = key_of(call);
    uint32_t number = find(meetings, key, call);
    bool is_new;

    if (number == 0) {
        number = add_meeting(meetings, key, call);
    }
    if (number == 0 || !note_seen(seen, number - 1, &is_new)) {
        return false;
    }
    if (!is_new) {
        return true;
    }
    take_duration(&meetings->list[number - 1], call);
    return keep_call(meetings, call, number - 1);
}

const MeetingCall *MeetingsCall(Meetings *meetings, size_t i)
{
    const MeetingCall *calls = meetings->room.bytes;

    if (i % CALLS_IN_HAND == 0) {
        OpprofLargeArrayRest(&meetings->room);
    }
    return &calls[i];
}

static int compare_meetings(const void *a, const void *b, void *context)
{
    const Meeting *list = context;
    const Meeting *left = &list[*(const uint32_t *) a];
    const Meeting *right = &list[*(const uint32_t *) b];

    if (left->kind != right->kind) {
        return left->kind < right->kind ? -1 : 1;
    }
    if (left->cycle != right->cycle) {
        return left->cycle < right->cycle ? -1 : 1;
    }
    if (left->sequence != right->sequence) {
        return left->sequence < right->sequence ? -1 : 1;
    }
    return (left->repeat > right->repeat) - (left->repeat < right->repeat);
}

uint32_t *MeetingsSorted(const Meetings *meetings)
{
    uint32_t *order = reallocarray(NULL, (size_t) meetings->count + 1, sizeof *order);

    for (uint32_t i = 0; order != NULL && i < meetings->count; i++) {
        order[i] = i;
    }
    if (order != NULL) {
        qsort_r(order, meetings->count, sizeof *order, compare_meetings, meetings->list);
    }
    return order;
}

void MeetingsSeenFinish(MeetingsSeen *seen)
{
    free(seen->bits);
    *seen = (MeetingsSeen){ .bits = NULL };
}

void MeetingsFinish(Meetings *meetings)
{
    OpprofOutputDirectory *directory = meetings->directory;

    free(meetings->list);
    OpprofMapFinish(&meetings->places);
    OpprofLargeArrayFinish(&meetings->room);
    *meetings = (Meetings){ .directory = directory };
}
