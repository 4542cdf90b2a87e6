/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_CHOICE_H
#define COLLECT_ONBOARD_CHOICE_H

#include "discovery.h"

#include <opprof/params.h>
#include <stdbool.h>

/* Numbers of launches, both ends included. */
typedef struct OrderRange {
    uint32_t first;
    uint32_t last;
} OrderRange;

/* Which launches are wanted. */
typedef struct LaunchChoice {
    const char *kernel; /* patterns with '|' between; NULL: any. Borrowed */
    OrderRange *ranges;
    size_t range_count; /* 0: all */
} LaunchChoice;

/* From the parameters 'kernel' and 'launches'. Call finish also after a failure. */
OpprofStatus LaunchChoiceInit(LaunchChoice *choice, const OpprofParams *params,
                              OpprofError **error);
void LaunchChoiceFinish(LaunchChoice *choice);

/* "3", "0-9" or "20-". False: none of these. */
bool OrderRangeParse(const char *text, OrderRange *ret_range);

/* True if one of the patterns is a prefix of the name, or matches all of it. */
bool KernelIsWanted(const char *patterns, const char *name);

/* True if the number that the text begins with is in one of the ranges, or
 * if no ranges are given. */
bool OrderIsWanted(const LaunchChoice *choice, const char *order);

/* Keep the wanted launches. Fails if none of the launches is wanted, naming those that exist. */
OpprofStatus LaunchesChoose(Launches *launches, const LaunchChoice *choice, const char *input,
                            OpprofError **error);

#endif
