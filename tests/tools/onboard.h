/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_TOOLS_ONBOARD_H
#define TESTS_TOOLS_ONBOARD_H

/*
 * Raw files of made-up launches on a device, as the driver and the collector leave them. Which
 * event sits in which slot of which replay comes from the tables in tests/data/pmu/facts; no chip
 * file of opprof is read, so that mistakes in these show.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    ONBOARD_RECORD_SIZE = 128,
    ONBOARD_MAX_ROUNDS = 12,
    ONBOARD_MAX_SLOTS = 10,
    ONBOARD_MAX_EVENTS = 128
};

typedef enum OnboardSeries {
    ONBOARD_310P,
    ONBOARD_A2, /* 910B and 910_93 */
    ONBOARD_A5, /* 950 */
    ONBOARD_SERIES_COUNT
} OnboardSeries;

typedef enum OnboardCore { ONBOARD_CUBE, ONBOARD_VECTOR, ONBOARD_CORES } OnboardCore;

typedef enum OnboardOp { ONBOARD_OP_CUBE, ONBOARD_OP_VECTOR, ONBOARD_OP_MIX } OnboardOp;

typedef struct OnboardEvent {
    uint32_t id;
    char name[48];
} OnboardEvent;

/* What the tables say about a series. */
typedef struct OnboardFacts {
    OnboardSeries series;
    uint32_t rounds;
    uint32_t slots;
    uint32_t plan[ONBOARD_CORES][ONBOARD_MAX_ROUNDS][ONBOARD_MAX_SLOTS];
    OnboardEvent events[ONBOARD_MAX_EVENTS];
    uint32_t event_count;
} OnboardFacts;

typedef enum OnboardWork {
    ONBOARD_MATMUL, /* C[m][n] = A[m][k] * B[k][n], halves; mix: plus a bias, by the vector cores */
    ONBOARD_VECTOR_ADD, /* z[m] = x[m] + y[m], halves */
    ONBOARD_RANDOM,     /* counters without any sense, also odd ones */
    ONBOARD_DESCRIBED   /* as OnboardShare says */
} OnboardWork;

/* What one core does of a described workload; all cores of a kind do the same. */
typedef struct OnboardShare {
    uint64_t cycles;
    double cube, vec, scalar, mte1, mte2, mte3, fixp; /* percent of the cycles they are busy */
    uint64_t gm_l1, l1_l0a, l1_l0b, l0c_gm;           /* bytes moved by a cube core */
    uint64_t gm_ub, ub_gm, ub_read, ub_write;         /* bytes moved by, or for, a vector core */
    uint64_t cube_steps, vec_steps; /* products of 16x16x16 halves; sums of 128 halves */
    double l2_hit;                  /* percent of its requests to the L2 cache */
} OnboardShare;

typedef struct OnboardLaunch {
    const char *soc;
    const char *name;
    OnboardOp op;
    OnboardWork work;
    uint64_t m, n, k;
    OnboardShare shares[ONBOARD_CORES];
    double duration_us; /* of the task; 0: a little longer than its cores */
    double spread;      /* percent by which cores of a described workload differ at most */
    uint32_t blocks;
    uint32_t cores; /* AI cores of the device */
    uint32_t device;
    uint32_t freq, rated; /* MHz; freq 0: not known */
    uint64_t seed;
    uint64_t later;      /* ticks by which its replays are later than those of the first launch */
    bool has_moves;      /* MemoryChart.bin */
    bool has_operands;   /* OperandRecord.bin */
    bool is_application; /* no process id */
    uint32_t missing;    /* round whose file is left out, or 0 */
} OnboardLaunch;

/* Read a described workload (see gen_onboard --help). False: says why. */
bool OnboardDescribe(const char *path, OnboardLaunch *launch);

/* Numbers of a launch's random source: the same seed, the same numbers. */
typedef struct OnboardRandom {
    uint64_t state;
} OnboardRandom;

uint64_t OnboardDraw(OnboardRandom *source, uint64_t below);

/* One core's share of the work, in quantities that no chip is named in. */
typedef struct OnboardLoad OnboardLoad;
OnboardLoad *OnboardLoadCreate(const OnboardLaunch *launch, OnboardSeries series, OnboardCore core,
                               OnboardRandom *source);
void OnboardLoadFree(OnboardLoad *load);
uint64_t OnboardLoadCycles(const OnboardLoad *load);
/* What a counter of that name shows; different cores of a launch differ a little. */
uint64_t OnboardLoadEvent(const OnboardLoad *load, const char *name, OnboardRandom *source);

/* Read the tables of a series from a directory. False: says why. */
bool OnboardReadFacts(const char *directory, OnboardSeries series, OnboardFacts *ret_facts);

/* The records of a round (from 1), to be given to free(); NULL without memory. */
uint8_t *OnboardRound(const OnboardFacts *facts, const OnboardLaunch *launch, uint32_t round,
                      size_t *ret_size);

/* Write all files of a launch into a directory that exists. False: says why. */
bool OnboardWriteLaunch(const OnboardFacts *facts, const OnboardLaunch *launch,
                        const char *directory);

#endif
