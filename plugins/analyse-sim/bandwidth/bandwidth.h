/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_BANDWIDTH_BANDWIDTH_H
#define ANALYSE_SIM_BANDWIDTH_BANDWIDTH_H

/*
 * Computes bytes per microsecond from the events of requests. A request belongs to an instruction.
 * The interface of the global memory (unit B) gives its size and its latest time; the first event
 * of another unit shows where the instruction's bytes go. A request is done when no more events
 * come, which no event states: if more is open than the limits allow, the instructions touched
 * longest ago are taken to be done.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BANDWIDTH_CURVES 6u
#define BANDWIDTH_LAST_BIN UINT64_C(60000000) /* later ones are not counted */
#define BANDWIDTH_OPEN_MAX (1u << 18)         /* requests, and instructions, open at once */

/* Curves, in the order of output. A total is the sum of the two kinds before it. */
typedef enum BandwidthCurve {
    GM_TO_UB = 0,
    GM_TO_L1 = 1,
    GM_TO_TOTAL = 2,
    UB_TO_GM = 3,
    L1_TO_GM = 4,
    TOTAL_TO_GM = 5,
    BANDWIDTH_UNKNOWN = 6
} BandwidthCurve;

extern const char *const bandwidth_curves[BANDWIDTH_CURVES];

/* An event. Numbers that are absent are OPPROF_NA_U64. */
typedef struct BandwidthEvent {
    uint64_t time_ns;
    uint64_t instruction;
    uint64_t request;
    uint64_t size;
    const char *unit;
    uint32_t core;
    bool is_write;
} BandwidthEvent;

/* Bytes of one microsecond. */
typedef struct BandwidthBin {
    uint64_t bin; /* microsecond */
    uint64_t bytes[BANDWIDTH_CURVES];
} BandwidthBin;

typedef struct Bandwidth Bandwidth;

/* `open_max`: 0: BANDWIDTH_OPEN_MAX. NULL without memory. */
Bandwidth *BandwidthCreate(uint32_t open_max);
void BandwidthDestroy(Bandwidth *bandwidth);

/* False without memory. */
bool BandwidthAdd(Bandwidth *bandwidth, const BandwidthEvent *event);

/* All events have arrived. False without memory. */
bool BandwidthEnd(Bandwidth *bandwidth);

/* Bins with bytes, by time. Only after BandwidthEnd. Borrowed. */
const BandwidthBin *BandwidthBins(const Bandwidth *bandwidth, size_t *ret_count);

/* Requests after the last counted bin, those without a size, and instructions that were taken to be
 * done early. */
uint64_t BandwidthTooLate(const Bandwidth *bandwidth);
uint64_t BandwidthUnsized(const Bandwidth *bandwidth);
uint64_t BandwidthLetGo(const Bandwidth *bandwidth);

/* Megabytes (2^20) per second, from bytes per microsecond. */
double BandwidthRate(uint64_t bytes);

/* Nanoseconds of a tick, rounded half up. */
uint64_t BandwidthNanoseconds(uint64_t tick, uint64_t hz);

#endif
