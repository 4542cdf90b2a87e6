/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From granules of lines to the buffers that they belong to.
 * Tested by tests/plugins/analyse-dbi/test_kernels.sh.
 */
#include "tables.h"

#include <opprof/grow.h>

#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
    const ModelGranule *x = *(ModelGranule *const *) a;
    const ModelGranule *y = *(ModelGranule *const *) b;

    return (x->id > y->id) - (x->id < y->id);
}

/* The named buffer that a granule belongs to, NULL if none: where most of it could be. */
static Buffer *named_of(BufferList *named, const ModelGranule *granule)
{
    for (size_t i = 0; i < named->count; i++) {
        if (granule->first <= named->list[i].last && granule->last >= named->list[i].first) {
            return &named->list[i];
        }
    }
    return NULL;
}

/* The distance of the instruction that most of its conflict misses are of. */
static void add_stride(Buffer *buffer, const Model *model, const ModelGranule *granule)
{
    if (granule->pc_votes <= buffer->stride_votes) {
        return;
    }
    const int64_t lines = ModelStrideLines(&model->pcs[granule->pc].stride);
    buffer->stride =
        lines == INT64_MIN ? INT64_MIN : lines * (INT64_C(1) << model->cache.geometry.line_shift);
    buffer->stride_votes = granule->pc_votes;
}

static void add_granule(Buffer *buffer, const Model *model, const ModelGranule *granule)
{
    for (unsigned fate = 0; fate < MODEL_FATES; fate++) {
        buffer->fates[fate] += granule->fates[fate];
    }
    if (buffer->name == NULL && granule->last > buffer->last) {
        buffer->last = granule->last;
    }
    add_stride(buffer, model, granule);
}

/* The buffer that goes on up to this granule, or a new one. NULL without memory. */
static Buffer *nameless_of(BufferList *buffers, const ModelGranule *granule, uint64_t last_id)
{
    if (buffers->count > 0 && buffers->list[buffers->count - 1].name == NULL &&
        granule->id - last_id <= 1) {
        return &buffers->list[buffers->count - 1];
    }
    if (!OpprofGrow(&buffers->list, &buffers->capacity, buffers->count + 1, sizeof(Buffer))) {
        return NULL;
    }
    buffers->list[buffers->count] =
        (Buffer){ .first = granule->first, .last = granule->last, .stride = INT64_MIN };
    return &buffers->list[buffers->count++];
}

/* Named buffers that were accessed, after the others. */
static bool add_named(BufferList *buffers, const BufferList *named)
{
    for (size_t i = 0; i < named->count; i++) {
        if (named->list[i].fates[MODEL_HIT] + ModelMisses(named->list[i].fates) == 0) {
            continue;
        }
        if (!OpprofGrow(&buffers->list, &buffers->capacity, buffers->count + 1, sizeof(Buffer))) {
            return false;
        }
        buffers->list[buffers->count++] = named->list[i];
    }
    return true;
}

static int by_address(const void *a, const void *b)
{
    const Buffer *x = a;
    const Buffer *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* What the granules give, in the order of addresses. */
static bool share_out(const Model *model, BufferList *named, BufferList *buffers)
{
    uint64_t last_id = 0;

    for (size_t i = 0; i < model->granule_count; i++) {
        const ModelGranule *granule = model->granules[i];
        Buffer *buffer = named_of(named, granule);
        if (buffer == NULL) {
            buffer = nameless_of(buffers, granule, last_id);
            last_id = granule->id;
        }
        if (buffer == NULL) {
            return false;
        }
        add_granule(buffer, model, granule);
    }
    return true;
}

bool BuffersFind(const Model *model, const BufferList *named, BufferList *ret_buffers)
{
    BufferList own = { .count = named->count };
    BufferList buffers = { .count = 0 };

    own.list = calloc(named->count + 1, sizeof *own.list);
    if (own.list == NULL) {
        return false;
    }
    for (size_t i = 0; i < named->count; i++) {
        own.list[i] = named->list[i];
    }
    if (model->granule_count > 0) {
        qsort(model->granules, model->granule_count, sizeof(ModelGranule *), by_id);
    }
    const bool is_good = share_out(model, &own, &buffers) && add_named(&buffers, &own);
    free(own.list);
    if (!is_good) {
        free(buffers.list);
        return false;
    }
    if (buffers.count > 0) {
        qsort(buffers.list, buffers.count, sizeof(Buffer), by_address);
    }
    *ret_buffers = buffers;
    return true;
}
