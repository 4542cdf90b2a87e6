/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_BUSY_TIME_H
#define OPPROF_KIT_BUSY_TIME_H

/**
 * @file
 * Length of the union of intervals that come one by one, in bounded memory: how long something ran
 * when several of its pieces may run at once. Experimental. [owner]
 */

#include <opprof/map.h>
#include <opprof/stage.h>
#include <opprof/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A stretch of time in which something ran. */
typedef struct OpprofBusyStretch {
    uint64_t start;   /**< First tick. */
    uint64_t end;     /**< Tick after the last one. */
    uint64_t covered; /**< Busy ticks of it; fewer than its length once stretches were merged. */
} OpprofBusyStretch;

/**
 * The union so far. Begin with zero, or with `limit` set.
 *
 * A later interval may reach back over any number of idle gaps, so the gaps are kept, latest on
 * top. When there are more than `limit` stretches, neighbours among the older half are merged
 * two by two. The sum stays exact unless an interval begins or ends inside such a pair, and is then
 * at most the pair's gaps too large or too small.
 */
typedef struct OpprofBusyTime {
    OpprofBusyStretch *stretches; /**< `count` of them, ascending, apart from each other. */
    uint32_t count;               /**< Stretches. */
    uint32_t capacity;            /**< Stretches there is room for. */
    uint32_t limit; /**< Most stretches, a power of two from 4 on; 0: OPPROF_BUSY_STRETCHES_MAX. */
    bool is_rough;  /**< An interval began or ended inside a pair, or before `floor`. */
    uint64_t settled; /**< Busy ticks of stretches that are final and no longer kept. */
    uint64_t floor;   /**< No interval may begin earlier, see OpprofBusyTimeSettle. */
} OpprofBusyTime;

#define OPPROF_BUSY_STRETCHES_MAX 65536u /**< Default of OpprofBusyTime.limit. */

/** As OpprofBusyTimeAdd, which is faster if neither `start` nor `end` go down. */
OpprofStatus OpprofBusyTimeInsert(OpprofBusyTime *busy, uint64_t start, uint64_t end);

/**
 * Add [start, end]; touching intervals join. OPPROF_OK or OPPROF_E_MEMORY.
 *
 * @param end  Not below `start`.
 */
static inline OpprofStatus OpprofBusyTimeAdd(OpprofBusyTime *busy, uint64_t start, uint64_t end)
{
    if (busy->count > 0 && end >= busy->stretches[busy->count - 1].end) {
        OpprofBusyStretch *last = &busy->stretches[busy->count - 1];

        if (start > last->end && busy->count < busy->capacity) {
            busy->count++;
            last[1].start = start;
            last[1].end = end;
            last[1].covered = end - start;
            return OPPROF_OK;
        }
        if (start <= last->end && start >= last->start &&
            last->covered == last->end - last->start) {
            last->end = end;
            last->covered = end - last->start;
            return OPPROF_OK;
        }
    }
    return OpprofBusyTimeInsert(busy, start, end);
}

/** Later intervals begin at `floor` or after it: stretches that end before it are final. They go
 * into the sum and need no memory any more. An interval that still begins earlier makes the sum
 * rough. */
void OpprofBusyTimeSettle(OpprofBusyTime *busy, uint64_t floor);

/** Put all stretches but the newest `kept` together and give the memory back: for what is hardly
 * going to be added to. The sum stays exact unless a later interval begins or ends inside of them.
 * */
void OpprofBusyTimeFold(OpprofBusyTime *busy, uint32_t kept);

/** Ticks that are covered by at least one interval. */
uint64_t OpprofBusyTimeTotal(const OpprofBusyTime *busy);

/** Free what the union holds. */
void OpprofBusyTimeFinish(OpprofBusyTime *busy);

/** Busy time of a lane, such as a pipe of a core. */
typedef struct OpprofBusyLane {
    OpprofBusyTime busy; /**< Its intervals. */
    uint64_t count;      /**< For the owner: intervals that it counted. */
    uint32_t partition;  /**< Interned: the core. */
    uint32_t name;       /**< Interned: the pipe. */
    uint32_t clock;      /**< Clock of its ticks, as given when it was made. */
    uint32_t reserved;   /**< 0. */
} OpprofBusyLane;

/** Lanes by partition and name. Begin with zero. */
typedef struct OpprofBusyLanes {
    OpprofBusyLane *list; /**< `count` of them, in order of arrival until they are sorted. */
    size_t count;         /**< Lanes. */
    size_t capacity;      /**< Lanes there is room for. */
    OpprofMap places;     /**< By partition and name. */
} OpprofBusyLanes;

/** The lane of an interned `name` and `partition`, made with that `clock` if it is new. Valid until
 * the next one is found. NULL without memory. */
OpprofBusyLane *OpprofBusyLanesFind(OpprofBusyLanes *lanes, uint32_t partition, uint32_t name,
                                    uint32_t clock);

/** Sort the list by the names of partitions, then of lanes, which `stage` knows. No lane can be
 * found after that. */
void OpprofBusyLanesSort(OpprofBusyLanes *lanes, OpprofStage *stage);

/** Free all of them. */
void OpprofBusyLanesFinish(OpprofBusyLanes *lanes);

#ifdef __cplusplus
}
#endif

#endif
