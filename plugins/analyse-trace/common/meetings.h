/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_MEETINGS_H
#define ANALYSE_TRACE_COMMON_MEETINGS_H

#include "analyse-trace/common/collectives.h"

#include <opprof/kit/large_array.h>
#include <opprof/map.h>

/*
 * Collectives as one rank after another reaches them. What all ranks have in common is in memory,
 * what each rank did in it is in a room: memory grows with the number of collectives, not of ranks.
 * Ranks leave a collective together, so the one that comes last spends least time in it.
 */

/* A collective, as seen by the ranks so far. */
typedef struct Meeting {
    uint64_t sequence;
    uint64_t shortest_ns; /* shortest time: the transfer alone, without waiting */
    uint64_t second_ns;   /* second shortest; UINT64_MAX: only one rank so far */
    uint64_t longest_ns;
    uint64_t sum_ns; /* of all durations */
    uint64_t bytes;  /* of the rank with the shortest time; UINT64_MAX: unknown */
    uint32_t kind;
    uint32_t count;  /* ranks */
    uint32_t late;   /* rank with the shortest time, the lowest of several */
    uint32_t place;  /* the caller's, of that rank */
    uint32_t next;   /* number plus 1 of another collective with the same key; 0: none */
    uint32_t cycle;  /* the recording of the ranks that it is in */
    uint32_t repeat; /* which of those with its sequence */
} Meeting;

/* A rank's part in a collective. */
typedef struct MeetingCall {
    uint32_t meeting; /* number of it */
    uint32_t rank;
    uint32_t place; /* the caller's */
    uint32_t reserved;
    uint64_t start_ns; /* on the rank's own clock */
    uint64_t duration_ns;
} MeetingCall;

/* Which collectives a rank has reached, a bit for each. Zeroed memory: none. */
typedef struct MeetingsSeen {
    uint64_t *bits;
    size_t capacity; /* of words */
} MeetingsSeen;

typedef struct Meetings {
    OpprofOutputDirectory *directory; /* of the room; NULL: memory */
    Meeting *list;                    /* in order of appearance */
    uint32_t count;
    uint32_t capacity;
    OpprofMap places;      /* of kind, recording, sequence and repeat */
    OpprofLargeArray room; /* of calls */
    size_t call_count;
} Meetings;

/*
 * A rank reaches a collective; its calls come by start, and of those with one sequence and repeat
 * only the first counts. False without memory.
 */
bool MeetingsAdd(Meetings *meetings, MeetingsSeen *seen, const CollectiveCall *call);

/* Call i of all that counted. Calls that are visited one after another release their memory. */
const MeetingCall *MeetingsCall(Meetings *meetings, size_t i);

/* Numbers of all collectives by kind, recording, sequence and repeat, to be freed; NULL without
 * memory. */
uint32_t *MeetingsSorted(const Meetings *meetings);

/* Longest minus shortest. */
static inline uint64_t MeetingSkew(const Meeting *meeting)
{
    return meeting->longest_ns - meeting->shortest_ns;
}

/* How much the last rank alone delays each of the others. */
static inline uint64_t MeetingCost(const Meeting *meeting)
{
    return meeting->count > 1 ? meeting->second_ns - meeting->shortest_ns : 0;
}

/* Waiting time of all ranks, added up. */
static inline uint64_t MeetingWait(const Meeting *meeting)
{
    return meeting->sum_ns - meeting->count * meeting->shortest_ns;
}

/* These accept zeroed ones. */
void MeetingsSeenFinish(MeetingsSeen *seen);
void MeetingsFinish(Meetings *meetings);

#endif
