/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_MODEL_H
#define ANALYSE_DBI_MODEL_H

#include "cache.h"
#include "reuse.h"

#include <opprof/map.h>
#include <opprof/records/dbi.h>

#include <assert.h>
#include <stddef.h>

/*
 * The L2 cache of one launch: every access of global memory, line by line, with its outcome by
 * instruction, core, buffer and set.
 */

#define MODEL_GRANULE_LINES 128u      /* lines that are kept together */
#define MODEL_MAX_GRANULES (1u << 18) /* 16 GiB of lines of 512 bytes */
#define MODEL_MAX_PCS (1u << 14)      /* distinct instructions */
#define MODEL_MAX_SLOTS 4096u
#define MODEL_MAX_LINES_AN_ACCESS (UINT64_C(1) << 17) /* larger than any on-chip memory */
#define MODEL_MAX_LINES_A_RUN (UINT64_C(1) << 25)
#define MODEL_WAITING 64u   /* accesses of lines that wait for the memory they need */
#define MODEL_DISTANCES 33u /* of the histogram: 0, 1, 2-3, 4-7, …; the last: beyond */

/* Hit, or why a line was missing. */
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
    uint64_t write_backs; /* of these evictions */
} ModelCounts;

/* The distance between most of a sequence of lines, found by majority vote. */
typedef struct ModelStride {
    uint64_t last;     /* line */
    int64_t candidate; /* lines */
    uint32_t votes;
    uint64_t seen;  /* number of distances */
    uint64_t equal; /* distances equal to the candidate */
} ModelStride;

typedef struct ModelPc {
    uint64_t pc;
    uint64_t bytes; /* read from or written to global memory */
    ModelCounts counts;
    ModelStride stride;
    uint32_t record; /* interned, of its first access: record type … */
    uint32_t from;   /* … and memories */
    uint32_t to;
} ModelPc;

/* A part of global memory, and the outcomes of accesses of its lines. */
typedef struct ModelRegion {
    uint64_t first; /* lowest and highest accessed byte; bounds of a named buffer */
    uint64_t last;
    uint64_t fates[MODEL_FATES];
    uint32_t pc;       /* place of the instruction with most of its conflict misses … */
    uint32_t pc_votes; /* … by majority; 0: none */
} ModelRegion;

/* What most accesses change fits in one line of the machine's cache; the stamps follow. */
typedef struct ModelGranule {
    _Alignas(64) uint64_t id; /* line / MODEL_GRANULE_LINES */
    ModelRegion region;       /* of its lines outside of named buffers */
    uint32_t first_id;        /* of its lines in their sets */
    bool is_old;              /* no stamp is within the depth of distances */
    uint32_t stamps[MODEL_GRANULE_LINES];
} ModelGranule;

/* Which of 64 instructions hit and missed in a set. */
typedef struct ModelSetPcs {
    uint64_t hit;
    uint64_t miss;
} ModelSetPcs;

/* Lies beside the ways of a set. */
typedef struct ModelSet {
    uint64_t hits;
    uint64_t misses;
    ModelSetPcs pcs; /* of the first instructions; others: set_pcs */
} ModelSet;
static_assert(sizeof(ModelSet) == CACHE_SIDE_BYTES, "fits beside the ways");

/* Lines of a granule, one after the other. */
typedef struct ModelRow {
    ModelGranule *granule;
    ModelRegion *region; /* that they belong to */
    uint32_t pc;         /* place, or OPPROF_MAP_NONE */
    uint16_t offset;     /* of the first line */
    uint16_t at;         /* its place among all that wait */
    uint16_t count;
} ModelRow;

/*
 * Accesses of lines, in their order, that are not counted yet. While they gather, the memory that
 * they need is prefetched.
 */
typedef struct ModelWaiting {
    CacheTouch touches[MODEL_WAITING];
    uint8_t outcomes[MODEL_WAITING];
    ModelRow rows[MODEL_WAITING]; /* of all of them */
    uint32_t count;
    uint32_t row_count;
    uint32_t slot; /* of all of them */
} ModelWaiting;

#define MODEL_RECENT 256u /* where to look first, without a search */

typedef struct Model {
    bool has_cache; /* else only bytes are counted */
    Cache cache;
    uint32_t *granules_of_sets; /* by MODEL_GRANULE_LINES sets; NULL: see step_of_ids */
    Reuse reuse;
    ModelCounts total;
    uint64_t loads; /* lines */
    uint64_t stores;
    uint64_t distances[MODEL_DISTANCES];
    ModelSetPcs **set_pcs; /* by instruction / 64, then set; NULL for the first 64 */
    size_t set_pcs_capacity;
    OpprofMap pc_map;
    ModelPc *pcs;
    size_t pc_count;
    size_t pc_capacity;
    ModelPc nameless;                  /* counts accesses without an instruction */
    uint32_t recent_pcs[MODEL_RECENT]; /* by address: a place */
    OpprofMap granule_map;
    ModelGranule **granules;
    size_t granule_count;
    size_t granule_capacity;
    ModelRegion *named; /* buffers, by address */
    size_t named_count;
    size_t named_capacity;
    ModelGranule *recent_granules[MODEL_RECENT]; /* by id, or NULL */
    ModelWaiting waiting;
    ModelCounts *slots;    /* up to MODEL_MAX_SLOTS */
    uint64_t without_pc;   /* accesses whose instruction is unknown or not tracked separately */
    uint64_t too_many_pcs; /* of these accesses */
    uint64_t implausible;  /* accesses that are implausibly long */
    uint64_t beyond;       /* accesses beyond MODEL_MAX_GRANULES */
    bool is_short;         /* memory ran out */
} Model;

/* False without memory. */
bool ModelInit(Model *model, const CacheGeometry *geometry, bool has_cache);
void ModelFinish(Model *model);

/*
 * Track a buffer separately. Call before the first access; buffers come by address and do not
 * overlap. False without memory.
 */
bool ModelNameBuffer(Model *model, uint64_t first, uint64_t last);

/* Add accesses whose source (a load) or destination (a store) is in global memory. False without
 * memory. */
bool ModelAccess(Model *model, const OpprofDbiAccess *access, bool is_load);

/* Lines that were accessed, and those beyond MODEL_MAX_GRANULES: the work that was done. */
static inline uint64_t ModelLines(const Model *model)
{
    return model->loads + model->stores + model->beyond;
}

/* Count the waiting accesses. Call before reading any result. */
void ModelSettle(Model *model);

static inline const ModelSet *ModelSetAt(const Model *model, uint32_t set)
{
    return CacheSide(&model->cache, set);
}

static inline const ModelSetPcs *ModelSetPcsAt(const Model *model, uint32_t set, size_t pc)
{
    return pc < 64 ? &ModelSetAt(model, set)->pcs : &model->set_pcs[pc / 64][set];
}

uint64_t ModelMisses(const uint64_t fates[MODEL_FATES]);

/* Add the votes for a distance; INT64_MIN: it has no majority. */
int64_t ModelStrideLines(const ModelStride *stride);

#endif
