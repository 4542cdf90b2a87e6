/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of global memory through a model of the L2 cache. */
#include "model.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

#define PCS_A_WORD 64u

/* A run on its way through the model. */
typedef struct Passage {
    Model *model;
    ModelPc *pc; /* or NULL */
    ModelSetPcs *set_pcs;
    uint64_t pc_bit;
    ModelCounts counts; /* of this run */
    bool is_store;
} Passage;

uint64_t ModelMisses(const uint64_t fates[MODEL_FATES])
{
    return fates[MODEL_COMPULSORY] + fates[MODEL_CAPACITY] + fates[MODEL_CONFLICT];
}

bool ModelInit(Model *model, const CacheGeometry *geometry, bool has_cache)
{
    *model = (Model){ .has_cache = has_cache };
    model->slots = calloc(MODEL_MAX_SLOTS, sizeof *model->slots);
    if (model->slots == NULL) {
        return false;
    }
    if (!has_cache) {
        return true;
    }
    model->sets = calloc(geometry->sets, sizeof *model->sets);
    return model->sets != NULL && CacheInit(&model->cache, geometry) &&
           ReuseInit(&model->reuse, geometry->sets * geometry->ways);
}

void ModelFinish(Model *model)
{
    CacheFinish(&model->cache);
    ReuseFinish(&model->reuse);
    OpprofMapFinish(&model->pc_map);
    OpprofMapFinish(&model->granule_map);
    for (size_t i = 0; i < model->granule_count; i++) {
        free(model->granules[i]);
    }
    for (size_t i = 0; i < model->set_pcs_capacity; i++) {
        free(model->set_pcs[i]);
    }
    free(model->set_pcs);
    free(model->granules);
    free(model->sets);
    free(model->pcs);
    free(model->slots);
    *model = (Model){ .has_cache = false };
}

/* ------------------------------------------------------------------ strides */

static void vote(ModelStride *stride, uint64_t line)
{
    const int64_t distance = (int64_t) (line - stride->last);
    const bool is_first = stride->last == 0 && stride->seen == 0 && stride->votes == 0;

    stride->last = line;
    if (is_first) {
        return;
    }
    stride->seen++;
    if (stride->votes > 0 && stride->candidate == distance) {
        stride->votes++;
        stride->equal++;
    } else if (stride->votes == 0) {
        stride->candidate = distance;
        stride->votes = 1;
        stride->equal = 1;
    } else {
        stride->votes--;
    }
}

int64_t ModelStrideLines(const ModelStride *stride)
{
    return stride->votes > 0 && stride->candidate != 0 && stride->equal * 2 > stride->seen
               ? stride->candidate
               : INT64_MIN;
}

/* ------------------------------------------------------------------ places */

static bool add_set_pcs(Model *model, size_t index)
{
    if (!model->has_cache || index % PCS_A_WORD != 0) {
        return true;
    }
    const size_t block = index / PCS_A_WORD;
    const size_t before = model->set_pcs_capacity;
    if (!OpprofGrow(&model->set_pcs, &model->set_pcs_capacity, block + 1, sizeof(ModelSetPcs *))) {
        return false;
    }
    for (size_t i = before; i < model->set_pcs_capacity; i++) {
        model->set_pcs[i] = NULL;
    }
    model->set_pcs[block] = calloc(model->cache.geometry.sets, sizeof(ModelSetPcs));
    return model->set_pcs[block] != NULL;
}

/* OPPROF_MAP_NONE: it is not told apart, or memory ran out. */
static uint32_t place_of_pc(Model *model, const OpprofDbiAccess *access)
{
    const uint64_t pc = access->pc;
    const uint32_t found = OpprofMapFind(&model->pc_map, pc);

    if (found != OPPROF_MAP_NONE || model->pc_count == MODEL_MAX_PCS) {
        return found;
    }
    const size_t index = model->pc_count;
    if (!OpprofGrow(&model->pcs, &model->pc_capacity, index + 1, sizeof *model->pcs) ||
        !add_set_pcs(model, index) || !OpprofMapPut(&model->pc_map, pc, (uint32_t) index)) {
        model->is_short = true;
        return OPPROF_MAP_NONE;
    }
    model->pcs[index] =
        (ModelPc){ .pc = pc, .record = access->record, .from = access->from, .to = access->to };
    model->pc_count++;
    return (uint32_t) index;
}

static ModelGranule *add_granule(Model *model, uint64_t id)
{
    if (model->granule_count == MODEL_MAX_GRANULES) {
        return NULL;
    }
    ModelGranule *granule = aligned_alloc(_Alignof(ModelGranule), sizeof *granule);
    if (granule == NULL ||
        !OpprofGrow(&model->granules, &model->granule_capacity, model->granule_count + 1,
                    sizeof(ModelGranule *)) ||
        !OpprofMapPut(&model->granule_map, id, (uint32_t) model->granule_count)) {
        free(granule);
        model->is_short = true;
        return NULL;
    }
    *granule =
        (ModelGranule){ .id = id, .place = (uint32_t) model->granule_count, .first = UINT64_MAX };
    model->granules[model->granule_count++] = granule;
    return granule;
}

/* NULL: there are too many, or memory ran out. */
static ModelGranule *granule_of(Model *model, uint64_t line)
{
    const uint64_t id = line / MODEL_GRANULE_LINES;

    if (model->latest == NULL || model->latest->id != id) {
        const uint32_t place = OpprofMapFind(&model->granule_map, id);
        model->latest = place == OPPROF_MAP_NONE ? add_granule(model, id) : model->granules[place];
    }
    return model->latest;
}

/* ------------------------------------------------------------------ lines */

static void compact(Model *model)
{
    ReuseRank(&model->reuse);
    for (size_t i = 0; i < model->granule_count; i++) {
        uint32_t *stamps = model->granules[i]->stamps;
        for (unsigned line = 0; line < MODEL_GRANULE_LINES; line++) {
            stamps[line] = ReuseRenumber(&model->reuse, stamps[line]);
        }
    }
    ReuseCompact(&model->reuse);
}

static void count_distance(Model *model, uint64_t distance)
{
    unsigned bucket = 0;

    if (distance == REUSE_FIRST) {
        return;
    }
    if (distance == REUSE_BEYOND) {
        bucket = MODEL_DISTANCES - 1;
    } else if (distance > 0) {
        bucket = 64 - (unsigned) __builtin_clzll(distance);
    }
    model->distances[bucket]++;
}

static ModelFate fate_of(uint64_t distance)
{
    if (distance == REUSE_FIRST) {
        return MODEL_COMPULSORY;
    }
    return distance == REUSE_BEYOND ? MODEL_CAPACITY : MODEL_CONFLICT;
}

/* Votes on the instruction's distance, and on the granule's instruction. */
static void count_conflict(Passage *at, ModelGranule *granule, uint64_t line)
{
    if (at->pc == NULL) {
        return;
    }
    const uint32_t place = (uint32_t) (at->pc - at->model->pcs);
    vote(&at->pc->stride, line);
    if (granule->pc_votes == 0) {
        granule->pc = place;
    }
    granule->pc_votes += granule->pc == place ? 1 : UINT32_MAX;
}

static void pass_line(Passage *at, uint64_t line)
{
    Model *model = at->model;
    ModelGranule *granule = granule_of(model, line);

    if (granule == NULL) {
        model->beyond++;
        return;
    }
    if (ReuseIsFull(&model->reuse)) {
        compact(model);
    }
    const uint32_t set = CacheSetOf(&model->cache, line);
    const uint32_t offset = (uint32_t) (line % MODEL_GRANULE_LINES);
    const CacheOutcome outcome = CacheAccess(
        &model->cache, set, granule->place * MODEL_GRANULE_LINES + offset, at->is_store);
    const uint64_t distance = ReuseTouch(&model->reuse, &granule->stamps[offset]);
    const bool is_hit = outcome == CACHE_HIT;
    const ModelFate fate = is_hit ? MODEL_HIT : fate_of(distance);
    count_distance(model, distance);
    at->counts.fates[fate]++;
    at->counts.evictions += outcome > CACHE_MISS;
    at->counts.write_backs += outcome == CACHE_MISS_EVICT_DIRTY;
    granule->fates[fate]++;
    model->sets[set].hits += is_hit;
    model->sets[set].misses += !is_hit;
    if (at->set_pcs != NULL) {
        at->set_pcs[set].hit |= is_hit ? at->pc_bit : 0;
        at->set_pcs[set].miss |= is_hit ? 0 : at->pc_bit;
    }
    if (fate == MODEL_CONFLICT) {
        count_conflict(at, granule, line);
    }
}

/* Bytes [first, last]. */
static void pass_access(Passage *at, uint64_t first, uint64_t last)
{
    const uint32_t shift = at->model->cache.geometry.line_shift;

    for (uint64_t line = first >> shift; line <= last >> shift; line++) {
        pass_line(at, line);
        ModelGranule *granule = at->model->latest;
        if (granule != NULL) {
            const uint64_t begin = line << shift;
            const uint64_t end = begin + ((UINT64_C(1) << shift) - 1);
            const uint64_t low = first > begin ? first : begin;
            const uint64_t high = last < end ? last : end;
            granule->first = low < granule->first ? low : granule->first;
            granule->last = high > granule->last ? high : granule->last;
        }
    }
}

static void add_counts(ModelCounts *sum, const ModelCounts *counts)
{
    for (unsigned fate = 0; fate < MODEL_FATES; fate++) {
        sum->fates[fate] += counts->fates[fate];
    }
    sum->evictions += counts->evictions;
    sum->write_backs += counts->write_backs;
}

static uint64_t lines_of(const Model *model, uint64_t bytes)
{
    return (bytes >> model->cache.geometry.line_shift) + 2;
}

static void pass_run(Passage *at, uint64_t address, uint64_t step, uint64_t bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, address += step) {
        uint64_t last;
        if (__builtin_add_overflow(address, bytes - 1, &last)) {
            last = UINT64_MAX;
        }
        pass_access(at, address, last);
    }
}

void ModelExpect(const Model *model, const OpprofDbiAccess *access, bool is_load)
{
    if (!model->has_cache) {
        return;
    }
    const uint64_t line = (is_load ? access->src : access->dst) >> model->cache.geometry.line_shift;
    const uint32_t place = OpprofMapFind(&model->granule_map, line / MODEL_GRANULE_LINES);
    const uint32_t set = CacheSetOf(&model->cache, line);
    CachePrefetch(&model->cache, set);
    __builtin_prefetch(&model->sets[set], 1);
    if (place != OPPROF_MAP_NONE) {
        const ModelGranule *granule = model->granules[place];
        __builtin_prefetch(granule, 1);
        __builtin_prefetch(&granule->stamps[line % MODEL_GRANULE_LINES], 1);
    }
}

/* Which instruction the run is of. */
static void find_pc(Passage *at, const OpprofDbiAccess *access)
{
    Model *model = at->model;
    const uint32_t place =
        access->pc == OPPROF_NA_U64 ? OPPROF_MAP_NONE : place_of_pc(model, access);

    if (place == OPPROF_MAP_NONE) {
        model->without_pc += access->count;
        model->too_many_pcs += access->pc != OPPROF_NA_U64 ? access->count : 0;
        return;
    }
    at->pc = &model->pcs[place];
    at->pc_bit = UINT64_C(1) << place % PCS_A_WORD;
    at->set_pcs = model->has_cache ? model->set_pcs[place / PCS_A_WORD] : NULL;
}

static void add_saturating(uint64_t *sum, uint64_t bytes, uint64_t count)
{
    uint64_t product;

    if (__builtin_mul_overflow(bytes, count, &product) ||
        __builtin_add_overflow(*sum, product, sum) || *sum == UINT64_MAX) {
        *sum = UINT64_MAX - 1;
    }
}

bool ModelAccess(Model *model, const OpprofDbiAccess *access, bool is_load)
{
    const uint64_t bytes = is_load ? access->src_bytes : access->dst_bytes;
    Passage at = { .model = model, .is_store = !is_load };

    if (access->count == 0) {
        return true;
    }
    find_pc(&at, access);
    if (at.pc != NULL) {
        add_saturating(&at.pc->bytes, bytes, access->count);
    }
    if (!model->has_cache || bytes == 0 || model->is_short) {
        return !model->is_short;
    }
    if (lines_of(model, bytes) > MODEL_MAX_LINES_AN_ACCESS ||
        lines_of(model, bytes) * access->count > MODEL_MAX_LINES_A_RUN) {
        model->implausible += access->count;
        return true;
    }
    pass_run(&at, is_load ? access->src : access->dst,
             is_load ? access->src_step : access->dst_step, bytes, access->count);
    add_counts(&model->total, &at.counts);
    if (access->slot < MODEL_MAX_SLOTS) {
        add_counts(&model->slots[access->slot], &at.counts);
    }
    if (at.pc != NULL) {
        add_counts(&at.pc->counts, &at.counts);
    }
    *(is_load ? &model->loads : &model->stores) +=
        at.counts.fates[MODEL_HIT] + ModelMisses(at.counts.fates);
    return !model->is_short;
}
