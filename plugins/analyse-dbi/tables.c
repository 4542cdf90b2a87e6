/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings of the L2 model: tables and advice.
 * Tested by tests/plugins/analyse-dbi/test_kernels.sh.
 */
#include "rows.h"

#include <opprof/grow.h>
#include <opprof/kit/launches.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGE_GAP 4u /* an address at most this far from the last one joins its range */

static uint32_t intern(const TablePlace *place, const char *text)
{
    return OpprofStageIntern(place->stage, text, strlen(text));
}

static double percent(uint64_t part, uint64_t all)
{
    return all == 0 ? OpprofNaF64() : 100.0 * (double) part / (double) all;
}

static RowFates fates_of(const uint64_t fates[MODEL_FATES])
{
    const uint64_t misses = ModelMisses(fates);

    return (RowFates){ .hits = fates[MODEL_HIT],
                       .misses = misses,
                       .hit_rate = percent(fates[MODEL_HIT], fates[MODEL_HIT] + misses),
                       .compulsory = fates[MODEL_COMPULSORY],
                       .capacity = fates[MODEL_CAPACITY],
                       .conflict = fates[MODEL_CONFLICT] };
}

/* The first fields of every row. */
#define SET_FATES(row, counts)                                                                     \
    do {                                                                                           \
        const RowFates its_fates = fates_of(counts);                                               \
        memcpy(&(row), &its_fates, sizeof its_fates);                                              \
    } while (0)

static OpprofStatus append(const TablePlace *place, uint32_t port, const void *row)
{
    return OpprofStageAppend(place->stage, port, place->partition, row);
}

/* ---- instructions ---- */

static int by_pc(const void *a, const void *b)
{
    const ModelPc *x = *(ModelPc *const *) a;
    const ModelPc *y = *(ModelPc *const *) b;

    return (x->pc > y->pc) - (x->pc < y->pc);
}

static uint64_t address_of(const TablePlace *place, uint64_t pc)
{
    return place->start_pc == OPPROF_NA_U64 ? pc : place->start_pc + pc;
}

static OpprofDbiPc pc_row(const TablePlace *place, const Model *model, const ModelPc *pc)
{
    const RowFates fates = fates_of(pc->counts.fates);
    const int64_t stride = ModelStrideLines(&pc->stride);
    const bool has = model->has_cache;

    return (OpprofDbiPc){
        .pc = pc->pc,
        .start_pc = place->start_pc,
        .address = address_of(place, pc->pc),
        .bytes = pc->bytes,
        .hits = has ? fates.hits : OPPROF_NA_U64,
        .misses = has ? fates.misses : OPPROF_NA_U64,
        .hit_rate = fates.hit_rate,
        .compulsory = has ? fates.compulsory : OPPROF_NA_U64,
        .capacity = has ? fates.capacity : OPPROF_NA_U64,
        .conflict = has ? fates.conflict : OPPROF_NA_U64,
        .evictions = has ? pc->counts.evictions : OPPROF_NA_U64,
        .write_backs = has ? pc->counts.write_backs : OPPROF_NA_U64,
        .stride = stride == INT64_MIN ? OPPROF_NA_I64
                                      : stride * (INT64_C(1) << model->cache.geometry.line_shift),
        .device = place->device,
        .kernel = place->kernel,
        .order = place->order,
        .record = pc->record,
        .from = pc->from,
        .to = pc->to,
    };
}

/* The instructions by address; free with free(). NULL without memory. */
static ModelPc **sorted_pcs(const Model *model)
{
    ModelPc **sorted = calloc(model->pc_count + 1, sizeof *sorted);

    for (size_t i = 0; sorted != NULL && i < model->pc_count; i++) {
        sorted[i] = &model->pcs[i];
    }
    if (sorted != NULL && model->pc_count > 0) {
        qsort(sorted, model->pc_count, sizeof *sorted, by_pc);
    }
    return sorted;
}

static OpprofStatus emit_pcs(const TablePlace *place, const Model *model, ModelPc *const *sorted)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < model->pc_count; i++) {
        const OpprofDbiPc row = pc_row(place, model, sorted[i]);
        status = append(place, OUTPUT_PCS, &row);
    }
    return status;
}

/* ---- sets ---- */

/* A text that grows. */
typedef struct Text {
    char *bytes;
    size_t length;
    size_t capacity;
    bool is_short;
} Text;

static void put_range(Text *text, uint64_t first, uint64_t last)
{
    char range[64];
    const int length = snprintf(range, sizeof range, "%s[\"0x%08" PRIx64 "\",\"0x%08" PRIx64 "\"]",
                                text->length > 1 ? "," : "", first, last);
    const size_t needed = text->length + (size_t) length + 2;

    if (!OpprofGrow(&text->bytes, &text->capacity, needed, 1)) {
        text->is_short = true;
        return;
    }
    memcpy(text->bytes + text->length, range, (size_t) length);
    text->length += (size_t) length;
}

static bool is_in(const Model *model, size_t index, uint32_t set, bool is_hit)
{
    const ModelSetPcs *pcs = ModelSetPcsAt(model, set, index);

    return ((is_hit ? pcs->hit : pcs->miss) >> index % 64 & 1) != 0;
}

/* Addresses that hit (or missed) in a set, adjacent ones joined. */
static void put_ranges(Text *text, const TablePlace *place, const Model *model,
                       ModelPc *const *sorted, uint32_t set, bool is_hit)
{
    uint64_t first = OPPROF_NA_U64;
    uint64_t last = 0;

    text->length = 0;
    if (text->capacity == 0) {
        text->bytes = malloc(64);
        text->capacity = text->bytes == NULL ? 0 : 64;
        text->is_short |= text->bytes == NULL;
    }
    if (text->is_short) {
        return;
    }
    text->bytes[text->length++] = '[';
    for (size_t i = 0; i < model->pc_count; i++) {
        if (!is_in(model, (size_t) (sorted[i] - model->pcs), set, is_hit)) {
            continue;
        }
        if (first != OPPROF_NA_U64 && sorted[i]->pc - last > RANGE_GAP) {
            put_range(text, address_of(place, first), address_of(place, last));
            first = OPPROF_NA_U64;
        }
        first = first == OPPROF_NA_U64 ? sorted[i]->pc : first;
        last = sorted[i]->pc;
    }
    if (first != OPPROF_NA_U64) {
        put_range(text, address_of(place, first), address_of(place, last));
    }
    if (!text->is_short) {
        text->bytes[text->length++] = ']';
    }
}

static OpprofStatus emit_set(const TablePlace *place, const Model *model, ModelPc *const *sorted,
                             uint32_t set, Text *text)
{
    const ModelSet *counts = ModelSetAt(model, set);
    const double all = (double) (counts->hits + counts->misses);
    OpprofDbiSet row = { .hits = counts->hits,
                         .misses = counts->misses,
                         .hit_ratio = all > 0 ? (double) counts->hits / all : 0,
                         .miss_ratio = all > 0 ? (double) counts->misses / all : 0,
                         .set = set,
                         .sets = model->cache.geometry.sets,
                         .slice = set % model->cache.geometry.slices,
                         .device = place->device,
                         .kernel = place->kernel,
                         .order = place->order };
    OpprofStatus status = OPPROF_OK;

    for (int i = 0; status == OPPROF_OK && i < 2; i++) {
        put_ranges(text, place, model, sorted, set, i == 0);
        status = text->is_short
                     ? OPPROF_E_MEMORY
                     : OpprofStageText(place->stage, OUTPUT_SETS, place->partition, text->bytes,
                                       text->length, i == 0 ? &row.hit_pcs : &row.miss_pcs);
    }
    return status == OPPROF_OK ? append(place, OUTPUT_SETS, &row) : status;
}

static OpprofStatus emit_sets(const TablePlace *place, const Model *model, ModelPc *const *sorted)
{
    OpprofStatus status = OPPROF_OK;
    Text text = { .bytes = NULL };

    if (!OpprofStageHasReader(place->stage, OUTPUT_SETS)) {
        return OPPROF_OK;
    }
    for (uint32_t set = 0; status == OPPROF_OK && set < model->cache.geometry.sets; set++) {
        status = emit_set(place, model, sorted, set, &text);
    }
    free(text.bytes);
    return status;
}

/* ---- totals ---- */

static OpprofStatus emit_summary(const TablePlace *place, const Model *model)
{
    const CacheGeometry *geometry = &model->cache.geometry;
    SummaryRow row = { .seed = geometry->policy == CACHE_RANDOM ? geometry->seed : OPPROF_NA_U64,
                       .line = UINT64_C(1) << geometry->line_shift,
                       .ways = geometry->ways,
                       .sets = geometry->sets,
                       .slices = geometry->slices,
                       .loads = model->loads,
                       .stores = model->stores,
                       .evictions = model->total.evictions,
                       .write_backs = model->total.write_backs,
                       .policy = intern(place, CachePolicyName(geometry->policy)),
                       .access_order = intern(place, "slot after slot") };

    SET_FATES(row, model->total.fates);
    SET_FOLDER(row, place);
    return append(place, OUTPUT_SUMMARY, &row);
}

static OpprofStatus emit_cores(const TablePlace *place, const Model *model)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t slot = 0; status == OPPROF_OK && slot < MODEL_MAX_SLOTS; slot++) {
        const uint64_t *fates = model->slots[slot].fates;
        if (fates[MODEL_HIT] + ModelMisses(fates) == 0) {
            continue;
        }
        const bool each_vector = place->op == OPPROF_DBI_VECTOR;
        char core[24];
        OpprofBlockCoresName(&place->cores, slot, each_vector, core);
        CoreRow row = { .block = OpprofBlockCoresBlock(&place->cores, slot, each_vector),
                        .core = intern(place, core) };
        SET_FATES(row, fates);
        SET_FOLDER(row, place);
        status = append(place, OUTPUT_CORES, &row);
    }
    return status;
}

static OpprofStatus emit_distances(const TablePlace *place, const Model *model)
{
    OpprofStatus status = OPPROF_OK;

    for (unsigned i = 0; status == OPPROF_OK && i < MODEL_DISTANCES; i++) {
        const bool is_last = i == MODEL_DISTANCES - 1;
        DistanceRow row = { .from = is_last  ? model->reuse.depth
                                    : i == 0 ? 0
                                             : UINT64_C(1) << (i - 1),
                            .to = is_last ? OPPROF_NA_U64 : (UINT64_C(1) << i) - 1,
                            .accesses = model->distances[i] };
        SET_FOLDER(row, place);
        if (row.accesses > 0) {
            status = append(place, OUTPUT_DISTANCES, &row);
        }
    }
    return status;
}

/* ---- buffers ---- */

static uint32_t name_of(const TablePlace *place, const Buffer *buffer)
{
    char address[24];

    if (buffer->name != NULL) {
        return intern(place, buffer->name);
    }
    snprintf(address, sizeof address, "0x%" PRIx64, buffer->first);
    return intern(place, address);
}

/* Number of sets that lines at this distance use. */
static uint64_t sets_of_stride(const Cache *cache, int64_t stride)
{
    const uint64_t lines = (uint64_t) (stride < 0 ? -stride : stride) >> cache->geometry.line_shift;
    uint64_t a = cache->geometry.sets;
    uint64_t b = lines;

    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return cache->geometry.sets / a;
}

/* Where upper bits affect the set, a distance alone does not determine the sets. */
static uint64_t sets_of(const Cache *cache, const Buffer *buffer)
{
    return buffer->stride == INT64_MIN || buffer->stride == 0 || cache->geometry.is_hashed
               ? OPPROF_NA_U64
               : sets_of_stride(cache, buffer->stride);
}

static OpprofStatus emit_buffer(const TablePlace *place, const Model *model, const Buffer *buffer)
{
    BufferRow row = { .first = buffer->first,
                      .last = buffer->last,
                      .bytes = buffer->last - buffer->first + 1,
                      .stride = buffer->stride == INT64_MIN ? OPPROF_NA_I64 : buffer->stride,
                      .sets_used = sets_of(&model->cache, buffer),
                      .name = name_of(place, buffer) };

    SET_FATES(row, buffer->fates);
    SET_FOLDER(row, place);
    return append(place, OUTPUT_BUFFERS, &row);
}

static OpprofStatus emit_buffers(const TablePlace *place, const Model *model,
                                 const BufferList *buffers)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < buffers->count; i++) {
        status = emit_buffer(place, model, &buffers->list[i]);
    }
    return status;
}

/* ---- all ---- */

static OpprofStatus emit_cache(const TablePlace *place, Model *model, const BufferList *named,
                               ModelPc *const *sorted)
{
    BufferList buffers = { .count = 0 };
    OpprofStatus status = emit_sets(place, model, sorted);

    status = status == OPPROF_OK ? emit_summary(place, model) : status;
    status = status == OPPROF_OK ? emit_cores(place, model) : status;
    status = status == OPPROF_OK ? emit_distances(place, model) : status;
    if (status == OPPROF_OK && !BuffersFind(model, named, &buffers)) {
        status = OPPROF_E_MEMORY;
    }
    status = status == OPPROF_OK ? emit_buffers(place, model, &buffers) : status;
    free(buffers.list);
    return status;
}

OpprofStatus TablesEmit(const TablePlace *place, Model *model, const BufferList *named)
{
    ModelSettle(model);
    ModelPc **sorted = sorted_pcs(model);
    const uint64_t lines = model->total.fates[MODEL_HIT] + ModelMisses(model->total.fates);
    OpprofStatus status = sorted == NULL ? OPPROF_E_MEMORY : emit_pcs(place, model, sorted);

    if (status == OPPROF_OK && model->has_cache && lines > 0) {
        status = emit_cache(place, model, named, sorted);
    }
    free(sorted);
    return status;
}
