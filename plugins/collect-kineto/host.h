/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_HOST_H
#define COLLECT_KINETO_HOST_H

#include "link.h"

/* What was launched while a host event ran. Nanoseconds. */
typedef struct HostWork {
    uint64_t device_ns; /* of work launched in it, but not in others of its kind inside it */
    uint64_t device_all_ns;
    uint64_t delay_ns; /* from the ends of its launching calls to their first work */
    uint32_t launches;
    uint32_t kernels;
    uint32_t kernels_all;
} HostWork;

/* For each host event, however many there are; most of them launch nothing. */
typedef struct HostSum {
    uint64_t inside_ns; /* of those of its kind inside it */
    uint32_t parent;    /* of its kind; HOST_NONE if none */
    uint32_t work;      /* 1 and the number of its HostWork, 0 if it has none; HOST_IS_RECURSIVE */
} HostSum;

#define HOST_NONE UINT32_MAX
#define HOST_IS_RECURSIVE (1u << 31) /* an ancestor of its kind has its name */

/* The host's operators, annotations and modules, tied to the calls inside them. */
typedef struct HostLinks {
    uint32_t *order;                /* numbers of the host events, by thread, then by start */
    HostSum *sums;                  /* by number of the host event */
    Chunks works;                   /* of HostWork */
    uint32_t (*owners)[HOST_KINDS]; /* by number of the call: the innermost of each kind */
    uint32_t count;
    uint64_t steps; /* number of opens and closes: a few per event, however they nest */
} HostLinks;

/* The sums of a host event that launched something; NULL: it did not. */
static inline HostWork *HostWorkFind(const HostLinks *links, uint32_t number)
{
    const uint32_t work = links->sums[number].work & ~HOST_IS_RECURSIVE;

    return work == 0 ? NULL : ChunksAt(&links->works, work - 1);
}

/* What was launched in a host event; all 0 if nothing was. */
static inline HostWork HostWorkOf(const HostLinks *links, uint32_t number)
{
    const HostWork *work = HostWorkFind(links, number);

    return work == NULL ? (HostWork){ 0 } : *work;
}

/* Tie a linked trace's calls to what the host was doing. False without memory. */
bool HostLink(const RankTrace *trace, const LinkedTrace *linked, HostLinks *ret_links);

/* A zeroed one is allowed. */
void HostLinksFinish(HostLinks *links);

#endif
