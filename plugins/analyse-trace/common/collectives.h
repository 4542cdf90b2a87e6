/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_COLLECTIVES_H
#define ANALYSE_TRACE_COMMON_COLLECTIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A rank's kernel of a collective. */
typedef struct CollectiveCall {
    uint32_t rank;     /* number of the rank */
    uint32_t kind;     /* number of group and name together */
    uint64_t sequence; /* the same in all ranks */
    uint64_t start_ns; /* on the rank's own clock */
    uint64_t duration_ns;
    uint64_t bytes;  /* UINT64_MAX: unknown */
    uint64_t place;  /* the caller's */
    uint32_t cycle;  /* number of the recording: see RankCycle */
    uint32_t repeat; /* calls of the rank with the same sequence just before it */
} CollectiveCall;

/* Calls of one kind by a rank so far. Zeroed memory: none. */
typedef struct CallCounter {
    uint64_t next; /* after the latest one's sequence */
    uint32_t repeats;
} CallCounter;

/*
 * Sets sequence and repeat of a rank's next call of a kind. `sequence` is what the trace says,
 * OPPROF_NA_U64 if nothing: then calls are numbered in their order. Several calls of a group of
 * calls, or all of a profiler, may have the same.
 */
void CallCounterNumber(CallCounter *counter, uint64_t sequence, CollectiveCall *call);

/*
 * Number of the recording of a rank, 1 for the first: profilers that record repeatedly write
 * several, and what repeats in them did not happen together.
 *
 * ret_length:  of the rank's own name, without that number; NULL if not wanted
 */
uint32_t RankCycle(const char *rank, size_t *ret_length);

/* The kind of a collective, as far as its bandwidth depends on it. */
typedef enum CollectiveForm {
    FORM_ALL_REDUCE,
    FORM_ALL_GATHER,
    FORM_REDUCE_SCATTER,
    FORM_ALL_TO_ALL,
    FORM_ONE_WAY,        /* broadcast, reduce */
    FORM_POINT_TO_POINT, /* send, receive */
    FORM_UNKNOWN
} CollectiveForm;

/* From its name, as "_allgather_base", "hcom_allReduce", "ncclDevKernel_ReduceScatter_Sum_f32". */
CollectiveForm CollectiveFormOf(const char *name);

/* True if no rank can leave it before all have arrived. */
bool CollectiveIsLeftTogether(CollectiveForm form);

/* Bytes that its bandwidth is calculated from: all data of the operation. UINT64_MAX if unknown. */
uint64_t CollectiveBytes(CollectiveForm form, uint64_t in_bytes, uint64_t out_bytes);

/*
 * Share of those bytes that passes the slowest link of each of `ranks`; multiplied by the
 * algorithm's bandwidth it is comparable with the link's bandwidth. NaN if unknown.
 */
double CollectiveBusFactor(CollectiveForm form, uint64_t ranks);

#endif
