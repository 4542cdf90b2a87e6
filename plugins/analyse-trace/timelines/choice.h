/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_TIMELINES_CHOICE_H
#define ANALYSE_TRACE_TIMELINES_CHOICE_H

#include <opprof/error.h>
#include <opprof/params.h>

/*
 * Which of many ranks get timelines: no viewer opens those of a thousand, and they would be far
 * larger than what they were read from.
 */

#define TIMELINES_PARAM "timelines"
#define TIMELINES_ALL "all"

/* What the user asked for. */
typedef struct TimelineWish {
    const OpprofParams *params; /* with the names */
    size_t name_count;          /* 0: ranks are not named */
    uint32_t free_ranks;        /* all of them have timelines if there are no more */
    uint32_t most;              /* else so many */
} TimelineWish;

/* The wish of the parameter: "all", a number, or names of ranks, also as "rank3". */
OpprofStatus TimelineWishRead(const OpprofParams *params, TimelineWish *ret_wish,
                              OpprofError **error);

/* The i-th name, as ranks are called. */
const char *TimelineWishName(const TimelineWish *wish, size_t i);

/* Whether the rank of that name is named. */
bool TimelineWishHas(const TimelineWish *wish, const char *rank);

/* A rank of which all is known. */
typedef struct RankTime {
    uint32_t rank;    /* interned name */
    bool can_be;      /* chosen: it has work of a device */
    uint32_t advised; /* best place of advice about it among that of a rule; UINT32_MAX: none */
    const char *why;  /* it gets a timeline; NULL: it does not */
    double own_us;    /* that it computed or was idle: the others wait for this, not it for them */
} RankTime;

/*
 * Choose at most so many ranks: the slowest, the median and the fastest, those that advice is
 * about (of each rule the first before the second ones), and further ones from both ends and the
 * middle. Their order is not changed.
 * OPPROF_E_MEMORY without memory.
 */
OpprofStatus TimelinesChoose(RankTime *ranks, uint32_t count, uint32_t most);

#endif
