/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_MODEL_H
#define ANALYSE_DBI_MODEL_H

#include "cache.h"
#include "reuse.h"

#include <opprof/map.h>
#include <opprof/records/dbi.h>

#include <stddef.h>

/*
 * The L2 cache of one launch: every access of global memory, line by line, and what came of it, by
 * instruction, core, buffer and set.
 */

#define MODEL_GRANULE_LINES 128u      /* lines that are kept together */
#define MODEL_MAX_GRANULES (1u << 18) /* 16 GiB of lines of 512 bytes */
#define MODEL_MAX_PCS (1u << 14)      /* different instructions */
#define MODEL_MAX_SLOTS 4096u
#define MODEL_MAX_LINES_AN_ACCESS (UINT64_C(1) << 17) /* more than any on-chip memory holds */
#define MODEL_MAX_LINES_A_RUN (UINT64_C(1) << 25)
#define MODEL_AHEAD 8u      /* runs that ModelExpect gets ahead */
#define MODEL_DISTANCES 33u /* of the histogram: 0, 1, 2-3, 4-7, …; the last: beyond */

/* Why a line was not there. */
typedef enum ModelFate {
    MODEL_HIT,
    MODEL_COMPULSORY, /* it was not accessed before */
    MODEL_CAPACITY,   /* more other lines than the cache holds were accessed since */
    MODEL_CONFLICT,   /* fewer: its set was too small, or the policy let it go */
    MODEL_FATES
} ModelFate;

typedef struct ModelCounts {
    uint64_t fates[MODEL_FATES];
    uint64_t evictions;
    uint64_t write_backs; /* among them */
} ModelCounts;

/* The distance that most of some lines have: of votes, the majority. */
typedef struct ModelStride {
    uint64_t last;     /* line */
    int64_t candidate; /* lines */
    uint32_t votes;
    uint64_t seen;  /* distances */
    uint64_t equal; /* that were the candidate's */
} ModelStride;

typedef struct ModelPc {
    uint64_t pc;
    uint64_t bytes; /* read from or written to global memory */
    ModelCounts counts;
    ModelStride stride;
    uint32_t record; /* interned, of its first access: record type and … */
    uint32_t from;   /* … memories */
    uint32_t to;
} ModelPc;

/* What most accesses change stands in one line of the machine's cache; the stamps come after it. */
typedef struct ModelGranule {
    _Alignas(64) uint64_t id; /* line / MODEL_GRANULE_LINES */
    uint64_t first;           /* lowest and highest byte that was accessed */
    uint64_t last;
    uint64_t fates[MODEL_FATES];
    uint32_t place; /* in the order in which they came */
    uint32_t pc;    /* place of the instruction that most of its conflict misses are of … */
    uint32_t stamps[MODEL_GRANULE_LINES];
    uint32_t pc_votes; /* … by majority; 0: none */
} ModelGranule;

typedef struct ModelSet {
    uint64_t hits;
    uint64_t misses;
} ModelSet;

/* Which of 64 instructions hit and missed in a set. */
typedef struct ModelSetPcs {
    uint64_t hit;
    uint64_t miss;
} ModelSetPcs;

typedef struct Model {
    bool has_cache; /* else only bytes are counted */
    Cache cache;
    Reuse reuse;
    ModelCounts total;
    uint64_t loads; /* lines */
    uint64_t stores;
    uint64_t distances[MODEL_DISTANCES];
    ModelSet *sets;
    ModelSetPcs **set_pcs; /* by instruction / 64, then set */
    size_t set_pcs_capacity;
    OpprofMap pc_map;
    ModelPc *pcs;
    size_t pc_count;
    size_t pc_capacity;
    OpprofMap granule_map;
    ModelGranule **granules;
    size_t granule_count;
    size_t granule_capacity;
    ModelGranule *latest;
    ModelCounts *slots;    /* MODEL_MAX_SLOTS */
    uint64_t without_pc;   /* accesses whose instruction is not known or not told apart */
    uint64_t too_many_pcs; /* of these */
    uint64_t implausible;  /* accesses that are too long to be */
    uint64_t beyond;       /* accesses beyond MODEL_MAX_GRANULES */
    bool is_short;         /* memory ran out */
} Model;

/* False without memory. */
bool ModelInit(Model *model, const CacheGeometry *geometry, bool has_cache);
void ModelFinish(Model *model);

/* What a run that comes MODEL_AHEAD runs later looks at first is brought closer. May be left out. */
void ModelExpect(const Model *model, const OpprofDbiAccess *access, bool is_load);

/* Accesses whose source (a load) or destination (a store) is in global memory. False without
 * memory. */
bool ModelAccess(Model *model, const OpprofDbiAccess *access, bool is_load);

uint64_t ModelMisses(const uint64_t fates[MODEL_FATES]);

/* Add the votes on a distance; INT64_MIN: there is no majority. */
int64_t ModelStrideLines(const ModelStride *stride);

#endif
