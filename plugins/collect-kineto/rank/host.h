/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_HOST_H
#define COLLECT_KINETO_RANK_HOST_H

#include "collect-kineto/rank/link.h"

#include <opprof/map.h>

#define HOST_NONE UINT32_MAX

/* A host event that is over. */
typedef struct HostEnd {
    uint32_t number;    /* of the host event */
    uint32_t parent;    /* the event of its kind around it; HOST_NONE if none */
    uint64_t inside_ns; /* of those of its kind inside it */
    HostWork work;
    bool is_recursive; /* an ancestor of its kind has its name */
} HostEnd;

/* Takes a host event that is over. What is not OPPROF_OK ends the walk. */
typedef OpprofStatus HostTake(void *context, const HostEnd *end);

/* Work that was launched in an operator with known shapes. */
typedef struct ShapedWork {
    uint64_t device_all_ns;
    uint32_t kernels_all;
} ShapedWork;

/* A host event that flows begin or end at: places plus 1 among the forward operators, 0 if none. */
typedef struct FlowTie {
    uint32_t as_forward;
    uint32_t as_backward;
} FlowTie;

/* A forward operator: the innermost of each kind that were open when it began. */
typedef struct Forward {
    uint32_t owners[HOST_KINDS];
} Forward;

/* Ties of backward operators to forward ones. */
typedef struct FlowLinks {
    FlowTie *ties; /* by number of the host event; NULL without flows, and so are all others */
    Forward *forwards;
    uint32_t forward_count;
    uint32_t forward_capacity;
    uint32_t *origins; /* by number of the call: place plus 1 of the forward operator; 0: none */
    OpprofMap heirs;   /* in inherited, by number of the host event; of HostSums */
    HostWork *inherited;
    uint32_t inherited_count;
    uint32_t inherited_capacity;
} FlowLinks;

/* The host's operators, annotations and modules, tied to the calls inside them. */
typedef struct HostLinks {
    uint32_t *order; /* numbers of the host events, by thread, then by start */
    uint32_t *calls; /* numbers of the calls that launched something, in the same order */
    uint32_t (
        *owners)[HOST_KINDS]; /* by number of the call: the innermost of each kind; of HostSums */
    uint32_t count;
    uint32_t call_count;
    FlowLinks flows;
    uint64_t steps; /* number of opens and closes: a few per event, however they nest */
} HostLinks;

/* Put what the host was doing, and the calls of a linked trace, in order. False without memory. */
bool HostLink(const RankTrace *trace, const LinkedTrace *linked, HostLinks *ret_links);

/*
 * Find the owners of calls, and add up what was launched in each host event. The sums of one that
 * is over are only given out, since those of all would be most of the memory.
 *
 * links:   of HostLink
 * take:    gets each host event, the inner ones before those around them unless they end later;
 *          NULL if not read
 * shaped:  by number of the ShapedEvent, zeroed; NULL if not read
 * Returns OPPROF_OK, OPPROF_E_MEMORY or what `take` returned.
 */
OpprofStatus HostSums(const RankTrace *trace, const LinkedTrace *linked, HostLinks *links,
                      HostTake *take, void *context, ShapedWork *shaped);

/* A zeroed one is allowed. */
void HostLinksFinish(HostLinks *links);

#endif
