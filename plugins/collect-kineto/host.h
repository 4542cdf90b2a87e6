/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_HOST_H
#define COLLECT_KINETO_HOST_H

#include "link.h"

/* What was launched in something that the host did. Nanoseconds. */
typedef struct HostSum {
    uint64_t inside_ns; /* of those of its kind inside it */
    uint64_t device_ns; /* of work launched in it and in none of its kind inside it */
    uint64_t device_all_ns;
    uint64_t delay_ns; /* from the ends of its launching calls to their first work */
    uint32_t launches;
    uint32_t kernels;
    uint32_t kernels_all;
    uint32_t parent;   /* of its kind; HOST_NONE if none */
    bool is_recursive; /* an ancestor of its kind has its name */
} HostSum;

#define HOST_NONE UINT32_MAX

/* The host's operators, annotations and modules, tied to the calls inside them. */
typedef struct HostLinks {
    uint32_t *order;                /* numbers of the host events, by thread, then by start */
    HostSum *sums;                  /* by number of the host event */
    uint32_t (*owners)[HOST_KINDS]; /* by number of the call: the innermost of each kind */
    uint32_t count;
    uint64_t steps; /* events that were looked at or closed: a few for each, however they nest */
} HostLinks;

/* Tie a linked trace's calls to what the host was doing. False without memory. */
bool HostLink(const RankTrace *trace, const LinkedTrace *linked, HostLinks *ret_links);

/* Accepts a zeroed one. */
void HostLinksFinish(HostLinks *links);

#endif
