/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_BUSY_TIME_H
#define SIM_TIMELINE_BUSY_TIME_H

#include <opprof/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stretch of time in which something ran. */
typedef struct BusyStretch {
    uint64_t start;
    uint64_t end;
    uint64_t covered; /* ticks of it that are busy; less than its length once stretches were put
                         together */
} BusyStretch;

/*
 * Length of the union of intervals that come by end. A later interval may reach back over any
 * number of idle gaps, so the gaps are kept, latest on top. When there are more than
 * BUSY_STRETCHES_MAX, neighbours among the older half are put together two by two; the sum stays
 * exact unless an interval begins inside such a pair, and is then at most the pair's gap too large
 * or too small.
 */
typedef struct BusyTime {
    BusyStretch *stretches;
    size_t count;
    size_t capacity;
    bool is_rough; /* an interval began inside a pair */
} BusyTime;

#define BUSY_STRETCHES_MAX 65536u

/* Add [start, end]; touching intervals join. Ends must not go down. */
OpprofStatus BusyTimeAdd(BusyTime *busy, uint64_t start, uint64_t end);

/* Ticks that are covered by at least one interval. */
uint64_t BusyTimeTotal(const BusyTime *busy);

void BusyTimeFinish(BusyTime *busy);

#endif
