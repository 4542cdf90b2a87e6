/* SPDX-License-Identifier: Apache-2.0 */
/* Runs accesses of global memory through a model of the L2 cache. */
#include "model.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

#define PCS_A_WORD 64u

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
    if (geometry->sets % MODEL_GRANULE_LINES == 0) {
        model->granules_of_sets = calloc(geometry->sets / MODEL_GRANULE_LINES, sizeof(uint32_t));
        if (model->granules_of_sets == NULL) {
            return false;
        }
    }
    return CacheInit(&model->cache, geometry) &&
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
    free(model->granules_of_sets);
    free(model->named);
    free(model->pcs);
    free(model->slots);
    *model = (Model){ .has_cache = false };
}

bool ModelNameBuffer(Model *model, uint64_t first, uint64_t last)
{
    if (!OpprofGrow(&model->named, &model->named_capacity, model->named_count + 1,
                    sizeof *model->named)) {
        return false;
    }
    model->named[model->named_count++] = (ModelRegion){ .first = first, .last = last };
    return true;
}

/* ---- strides ---- */

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

/* ---- places ---- */

static bool add_set_pcs(Model *model, size_t index)
{
    if (!model->has_cache || index % PCS_A_WORD != 0 || index == 0) {
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

static uint32_t add_pc(Model *model, const OpprofDbiAccess *access)
{
    const size_t index = model->pc_count;

    if (index == MODEL_MAX_PCS) {
        return OPPROF_MAP_NONE;
    }
    if (!OpprofGrow(&model->pcs, &model->pc_capacity, index + 1, sizeof *model->pcs) ||
        !add_set_pcs(model, index) || !OpprofMapPut(&model->pc_map, access->pc, (uint32_t) index)) {
        model->is_short = true;
        return OPPROF_MAP_NONE;
    }
    model->pcs[index] = (ModelPc){
        .pc = access->pc, .record = access->record, .from = access->from, .to = access->to
    };
    model->pc_count++;
    return (uint32_t) index;
}

/* OPPROF_MAP_NONE: not tracked separately, or no memory. */
static uint32_t place_of_pc(Model *model, const OpprofDbiAccess *access)
{
    uint32_t *recent = &model->recent_pcs[access->pc / 4 % MODEL_RECENT];
    uint32_t place = *recent;

    if (place < model->pc_count && model->pcs[place].pc == access->pc) {
        return place;
    }
    place = OpprofMapFind(&model->pc_map, access->pc);
    return *recent = place != OPPROF_MAP_NONE ? place : add_pc(model, access);
}

/*
 * Ids of a granule's lines grow in steps of 1, or all are the same. They are the same when the
 * number of sets is a multiple of a granule's lines: then each line falls into a set of its own,
 * and these sets are adjacent, hashed or not, since the upper bits that affect the set are the same
 * for all of them. The id is the granule's number among those with the same sets, so that ids stay
 * small.
 */
static uint32_t step_of_ids(const Model *model)
{
    return model->granules_of_sets == NULL ? 1 : 0;
}

static uint32_t first_id_of(Model *model, uint64_t granule)
{
    const uint64_t line = granule * MODEL_GRANULE_LINES;

    return model->granules_of_sets == NULL
               ? (uint32_t) model->granule_count * MODEL_GRANULE_LINES + 1
               : ++model->granules_of_sets[CacheSetOf(&model->cache, line) / MODEL_GRANULE_LINES];
}

static bool allow_ids(Model *model, uint32_t first_id)
{
    return CacheAllowIds(&model->cache, first_id + (MODEL_GRANULE_LINES - 1) * step_of_ids(model));
}

static ModelGranule *add_granule(Model *model, uint64_t id)
{
    if (model->granule_count == MODEL_MAX_GRANULES) {
        return NULL;
    }
    const uint32_t first_id = first_id_of(model, id);
    ModelGranule *granule = aligned_alloc(_Alignof(ModelGranule), sizeof *granule);
    if (granule == NULL || !allow_ids(model, first_id) ||
        !OpprofGrow(&model->granules, &model->granule_capacity, model->granule_count + 1,
                    sizeof(ModelGranule *)) ||
        !OpprofMapPut(&model->granule_map, id, (uint32_t) model->granule_count)) {
        free(granule);
        model->is_short = true;
        return NULL;
    }
    *granule = (ModelGranule){ .id = id, .first_id = first_id, .region = { .first = UINT64_MAX } };
    model->granules[model->granule_count++] = granule;
    return granule;
}

/* NULL: too many granules, or no memory. */
static ModelGranule *granule_of(Model *model, uint64_t line)
{
    const uint64_t id = line / MODEL_GRANULE_LINES;
    ModelGranule **recent = &model->recent_granules[id % MODEL_RECENT];

    if (*recent == NULL || (*recent)->id != id) {
        const uint32_t place = OpprofMapFind(&model->granule_map, id);
        ModelGranule *granule =
            place == OPPROF_MAP_NONE ? add_granule(model, id) : model->granules[place];
        *recent = granule != NULL ? granule : *recent;
        return granule;
    }
    return *recent;
}

/* ---- distances ---- */

static void compact(Model *model)
{
    ReuseRank(&model->reuse);
    for (size_t i = 0; i < model->granule_count; i++) {
        ModelGranule *granule = model->granules[i];
        uint32_t alive = 0;
        for (unsigned line = 0; !granule->is_old && line < MODEL_GRANULE_LINES; line++) {
            alive += ReuseIsAlive(&model->reuse, granule->stamps[line]);
            granule->stamps[line] = ReuseRenumber(&model->reuse, granule->stamps[line]);
        }
        granule->is_old = alive == 0;
    }
    ReuseCompact(&model->reuse);
}

/* Bucket of a distance in the histogram; REUSE_FIRST has as many bits as REUSE_BEYOND. */
static inline unsigned bucket_of(uint32_t distance)
{
    return 63 - (unsigned) __builtin_clzll((uint64_t) distance << 1 | 1);
}

static inline ModelFate fate_of(uint32_t distance)
{
    return distance == REUSE_FIRST    ? MODEL_COMPULSORY
           : distance == REUSE_BEYOND ? MODEL_CAPACITY
                                      : MODEL_CONFLICT;
}

/* ---- counting ---- */

/* Counts votes for the instruction's distance, and for the region's instruction. */
static void count_conflict(Model *model, ModelRegion *region, uint32_t pc, uint64_t line)
{
    if (pc == OPPROF_MAP_NONE) {
        return;
    }
    vote(&model->pcs[pc].stride, line);
    if (region->pc_votes == 0) {
        region->pc = pc;
    }
    region->pc_votes += region->pc == pc ? 1 : UINT32_MAX;
}

static void add_counts(ModelCounts *sum, const ModelCounts *counts)
{
    for (unsigned fate = 0; fate < MODEL_FATES; fate++) {
        sum->fates[fate] += counts->fates[fate];
    }
    sum->evictions += counts->evictions;
    sum->write_backs += counts->write_backs;
}

/* Adjacent lines, from the one at `from` on, that all have this distance. */
static void count_lines(Model *model, const ModelRow *row, uint32_t from, uint32_t count,
                        uint32_t distance, ModelCounts *counts)
{
    const ModelWaiting *waiting = &model->waiting;
    const uint64_t line = row->granule->id * MODEL_GRANULE_LINES + row->offset - row->at;
    const ModelFate fate = fate_of(distance);
    const uint64_t bit = row->pc == OPPROF_MAP_NONE ? 0 : UINT64_C(1) << row->pc % PCS_A_WORD;
    ModelSetPcs *others = row->pc != OPPROF_MAP_NONE && row->pc >= PCS_A_WORD
                              ? model->set_pcs[row->pc / PCS_A_WORD]
                              : NULL;

    for (uint32_t i = row->at + from; i < row->at + from + count; i++) {
        const uint32_t place = waiting->touches[i].set;
        const uint8_t outcome = waiting->outcomes[i];
        ModelSet *set = CacheSide(&model->cache, place);
        ModelSetPcs *pcs = others == NULL ? &set->pcs : &others[place];
        if (outcome == CACHE_HIT) {
            counts->fates[MODEL_HIT]++;
            set->hits++;
            pcs->hit |= bit;
            continue;
        }
        counts->fates[fate]++;
        counts->evictions += outcome > CACHE_MISS;
        counts->write_backs += outcome == CACHE_MISS_EVICT_DIRTY;
        set->misses++;
        pcs->miss |= bit;
        if (fate == MODEL_CONFLICT) {
            count_conflict(model, row->region, row->pc, line + i);
        }
    }
}

static void count_row(Model *model, const ModelRow *row, ModelCounts *sum)
{
    uint32_t *stamps = row->granule->stamps + row->offset;
    ModelCounts counts = { .evictions = 0 };
    uint32_t some;

    row->granule->is_old = false;
    for (uint32_t i = 0; i < row->count; i += some) {
        uint32_t distance;
        some = ReuseTouch(&model->reuse, stamps + i, row->count - i, &distance);
        if (distance != REUSE_FIRST) {
            model->distances[bucket_of(distance)] += some;
        }
        count_lines(model, row, i, some, distance, &counts);
    }
    for (unsigned fate = 0; fate < MODEL_FATES; fate++) {
        row->region->fates[fate] += counts.fates[fate];
    }
    if (row->pc != OPPROF_MAP_NONE) {
        add_counts(&model->pcs[row->pc].counts, &counts);
    }
    add_counts(sum, &counts);
}

void ModelSettle(Model *model)
{
    ModelWaiting *waiting = &model->waiting;
    ModelCounts counts = { .evictions = 0 };

    if (waiting->count == 0) {
        return;
    }
    if (!ReuseHasRoom(&model->reuse, waiting->count)) {
        compact(model);
    }
    CacheAccess(&model->cache, waiting->touches, waiting->count, waiting->outcomes);
    for (uint32_t i = 0; i < waiting->row_count; i++) {
        count_row(model, &waiting->rows[i], &counts);
    }
    add_counts(&model->total, &counts);
    if (waiting->slot < MODEL_MAX_SLOTS) {
        add_counts(&model->slots[waiting->slot], &counts);
    }
    waiting->count = 0;
    waiting->row_count = 0;
}

/* ---- lines ---- */

/* A run on its way through the model. */
typedef struct Passage {
    Model *model;
    uint32_t pc; /* place, or OPPROF_MAP_NONE */
    bool is_store;
    uint64_t lines; /* processed so far */
} Passage;

/* Prefetches what the lines need. There is room for them. */
static void wait_for(const Passage *at, ModelGranule *granule, ModelRegion *region, uint64_t line,
                     uint32_t count)
{
    Model *model = at->model;
    ModelWaiting *waiting = &model->waiting;
    const uint32_t offset = (uint32_t) (line % MODEL_GRANULE_LINES);
    const uint32_t step = step_of_ids(model);
    const uint32_t id = granule->first_id + offset * step;
    CacheTouch *touches = waiting->touches + waiting->count;
    ModelRow *row = waiting->row_count > 0 ? &waiting->rows[waiting->row_count - 1] : NULL;

    for (uint32_t i = 0; i < count; i++) {
        touches[i] = (CacheTouch){ .set = CacheSetOf(&model->cache, line + i),
                                   .word = (id + i * step) * 2 + at->is_store };
        CachePrefetch(&model->cache, touches[i].set);
        __builtin_prefetch(&granule->stamps[offset + i], 1);
    }
    if (row != NULL && row->granule == granule && row->region == region && row->pc == at->pc &&
        row->offset + row->count == offset) {
        row->count = (uint16_t) (row->count + count);
    } else {
        waiting->rows[waiting->row_count++] = (ModelRow){ .granule = granule,
                                                          .region = region,
                                                          .pc = at->pc,
                                                          .offset = (uint16_t) offset,
                                                          .at = (uint16_t) waiting->count,
                                                          .count = (uint16_t) count };
    }
    waiting->count += count;
}

/* Adds lines [line, last] of a granule and a region. */
static void pass_lines(Passage *at, ModelGranule *granule, ModelRegion *region, uint64_t line,
                       uint64_t last)
{
    Model *model = at->model;

    at->lines += last - line + 1;
    while (line <= last) {
        const uint32_t room = MODEL_WAITING - model->waiting.count;
        const uint64_t left = last - line + 1;
        const uint32_t count = left < room ? (uint32_t) left : room;
        wait_for(at, granule, region, line, count);
        line += count;
        if (count == room) {
            ModelSettle(model);
        }
    }
}

/* The named buffer of a byte, else the granule's own region; valid for the
 * bytes up to `ret_last`. */
static ModelRegion *region_of(const Model *model, ModelGranule *granule, uint64_t byte,
                              uint64_t *ret_last)
{
    size_t low = 0;
    size_t high = model->named_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (model->named[middle].last < byte) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == model->named_count) {
        *ret_last = UINT64_MAX;
        return &granule->region;
    }
    ModelRegion *buffer = &model->named[low];
    *ret_last = byte < buffer->first ? buffer->first - 1 : buffer->last;
    return byte < buffer->first ? &granule->region : buffer;
}

static void widen(ModelRegion *region, uint64_t first, uint64_t last)
{
    region->first = first < region->first ? first : region->first;
    region->last = last > region->last ? last : region->last;
}

/* Bytes [first, last], all in lines of one granule. A line counts for the region of its first
 * accessed byte. */
static void pass_granule(Passage *at, ModelGranule *granule, uint64_t first, uint64_t last)
{
    const uint32_t shift = at->model->cache.geometry.line_shift;
    uint64_t line = first >> shift;

    while (line <= last >> shift) {
        const uint64_t low = line << shift > first ? line << shift : first;
        uint64_t high;
        ModelRegion *region = region_of(at->model, granule, low, &high);
        high = high < last ? high : last;
        if (region == &granule->region) {
            widen(region, low, high);
        }
        pass_lines(at, granule, region, line, high >> shift);
        line = (high >> shift) + 1;
    }
}

/* Bytes [first, last]. */
static void pass_access(Passage *at, uint64_t first, uint64_t last)
{
    const uint32_t shift = at->model->cache.geometry.line_shift;
    const uint64_t end = last >> shift;
    uint64_t line = first >> shift;

    while (line <= end) {
        const uint64_t top = line | (MODEL_GRANULE_LINES - 1);
        const uint64_t stop = top < end ? top : end;
        ModelGranule *granule = granule_of(at->model, line);
        if (granule == NULL) {
            at->model->beyond += stop - line + 1;
        } else {
            const uint64_t low = line << shift;
            const uint64_t high = ((stop + 1) << shift) - 1;
            pass_granule(at, granule, first > low ? first : low, last < high ? last : high);
        }
        line = stop + 1;
    }
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

/* The instruction of a run. */
static uint32_t find_pc(Model *model, const OpprofDbiAccess *access)
{
    const uint32_t place =
        access->pc == OPPROF_NA_U64 ? OPPROF_MAP_NONE : place_of_pc(model, access);

    if (place == OPPROF_MAP_NONE) {
        model->without_pc += access->count;
        model->too_many_pcs += access->pc != OPPROF_NA_U64 ? access->count : 0;
    }
    return place;
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
    at.pc = find_pc(model, access);
    if (at.pc != OPPROF_MAP_NONE) {
        add_saturating(&model->pcs[at.pc].bytes, bytes, access->count);
    }
    if (!model->has_cache || bytes == 0 || model->is_short) {
        return !model->is_short;
    }
    if (lines_of(model, bytes) > MODEL_MAX_LINES_AN_ACCESS ||
        lines_of(model, bytes) * access->count > MODEL_MAX_LINES_A_RUN) {
        model->implausible += access->count;
        return true;
    }
    if (access->slot != model->waiting.slot) {
        ModelSettle(model);
        model->waiting.slot = access->slot;
    }
    pass_run(&at, is_load ? access->src : access->dst,
             is_load ? access->src_step : access->dst_step, bytes, access->count);
    *(is_load ? &model->loads : &model->stores) += at.lines;
    return !model->is_short;
}
