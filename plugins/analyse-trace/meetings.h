/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_MEETINGS_H
#define ANALYSE_TRACE_MEETINGS_H

#include "collectives.h"

#include <opprof/kit/room.h>
#include <opprof/map.h>

/*
 * Collectives as they are met by one rank after the other. What is known of each over all ranks is in memory, what each
 * rank did in it is in a room: memory grows with the collectives, not with the ranks. Ranks leave a collective together,
 * so that who comes last is in it shortest.
 */

/* A collective, as the ranks that came to it so far saw it. */
typedef struct Meeting {
    uint64_t sequence;
    uint64_t shortest_ns; /* nobody waits any more: the transfer */
    uint64_t second_ns;   /* second shortest; UINT64_MAX: only one rank came */
    uint64_t longest_ns;
    uint64_t sum_ns; /* of all durations */
    uint64_t bytes;  /* of the rank that was shortest; UINT64_MAX: unknown */
    uint32_t kind;
    uint32_t count; /* ranks */
    uint32_t late;  /* rank that was shortest, the least of several */
    uint32_t place; /* the caller's, of that rank */
    uint32_t next;  /* number plus 1 of another one under the same key; 0: none */
    uint32_t reserved;
} Meeting;

/* What a rank did in a collective. */
typedef struct MeetingCall {
    uint32_t meeting; /* number of it */
    uint32_t rank;
    uint32_t place; /* the caller's */
    uint32_t reserved;
    uint64_t duration_ns;
} MeetingCall;

/* Which collectives a rank has come to, a bit each. Zeroed memory: none. */
typedef struct MeetingsSeen {
    uint64_t *bits;
    size_t capacity; /* of words */
} MeetingsSeen;

typedef struct Meetings {
    OpprofOutputDirectory *directory; /* of the room; NULL: memory */
    Meeting *list;                    /* in order of appearance */
    uint32_t count;
    uint32_t capacity;
    OpprofMap places; /* of kind and sequence */
    OpprofRoom room;  /* of calls */
    size_t call_count;
} Meetings;

/*
 * A rank comes to a collective; its calls come by start, and of those of one sequence the first counts. False without
 * memory.
 */
bool MeetingsAdd(Meetings *meetings, MeetingsSeen *seen, const CollectiveCall *call);

/* Call i of all that counted. Calls that are gone through one after the other let go of their memory. */
const MeetingCall *MeetingsCall(Meetings *meetings, size_t i);

/* Numbers of all collectives by kind and sequence, to be freed; NULL without memory. */
uint32_t *MeetingsSorted(const Meetings *meetings);

/* Longest less shortest. */
static inline uint64_t MeetingSkew(const Meeting *meeting)
{
    return meeting->longest_ns - meeting->shortest_ns;
}

/* What the last rank alone costs each of the others. */
static inline uint64_t MeetingCost(const Meeting *meeting)
{
    return meeting->count > 1 ? meeting->second_ns - meeting->shortest_ns : 0;
}

/* What all ranks waited, added up. */
static inline uint64_t MeetingWait(const Meeting *meeting)
{
    return meeting->sum_ns - meeting->count * meeting->shortest_ns;
}

/* These accept zeroed ones. */
void MeetingsSeenFinish(MeetingsSeen *seen);
void MeetingsFinish(Meetings *meetings);

#endif
