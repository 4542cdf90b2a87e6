/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_STRETCHES_H
#define COLLECT_SIM_PAIRING_STRETCHES_H

/*
 * Both logs of a core by stretches of time. Each instruction is in both, so where one has more
 * instructions than can be in flight while the other is silent, the other lost a part. A stretch
 * becomes longer with the run; their number stays.
 */

#include <stdbool.h>
#include <stdint.h>

#define STRETCHES 4096u

typedef enum StretchLog { STRETCH_POPPED, STRETCH_INSTR, STRETCH_LOGS } StretchLog;

typedef struct Stretch {
    /* that the other log must have as well; at most UINT32_MAX */
    uint32_t instructions[STRETCH_LOGS];
    bool is_there[STRETCH_LOGS]; /* the log has a record, of whatever kind */
} Stretch;

/* Zeroed memory is without a record. */
typedef struct Stretches {
    Stretch list[STRETCHES];
    uint64_t last_pc[STRETCH_LOGS];
    uint64_t first; /* tick at which the first stretch begins */
    unsigned shift; /* of a tick, for its stretch */
    bool has_first;
} Stretches;

/* Make room for a tick so long since the first one, which is beyond the last stretch. */
void StretchesFold(Stretches *stretches, uint64_t since);

/* The stretch of a tick; earlier ones than the first are in the first. */
static inline Stretch *StretchesAt(Stretches *stretches, uint64_t tick)
{
    if (!stretches->has_first) {
        stretches->has_first = true;
        stretches->first = tick;
    }
    const uint64_t since = tick > stretches->first ? tick - stretches->first : 0;

    if (since >> stretches->shift >= STRETCHES) {
        StretchesFold(stretches, since);
    }
    return &stretches->list[since >> stretches->shift];
}

/* A record of a log. */
static inline void StretchesSee(Stretches *stretches, StretchLog log, uint64_t tick)
{
    StretchesAt(stretches, tick)->is_there[log] = true;
}

/* The record is an instruction that the other log must have. Parts of one instruction follow each
 * other. */
static inline void StretchesAdd(Stretches *stretches, StretchLog log, uint64_t tick, uint64_t pc)
{
    Stretch *stretch = StretchesAt(stretches, tick);

    stretch->is_there[log] = true;
    if (pc != stretches->last_pc[log] && stretch->instructions[log] < UINT32_MAX) {
        stretch->instructions[log]++;
    }
    stretches->last_pc[log] = pc;
}

/*
 * Whether a log is silent while the other has more than `most` instructions.
 *
 * @param[out] ret_from   Tick where the silence begins.
 * @param[out] ret_until  Tick before which it ends.
 */
bool StretchesLack(const Stretches *stretches, StretchLog log, uint64_t most, uint64_t *ret_from,
                   uint64_t *ret_until);

#endif
