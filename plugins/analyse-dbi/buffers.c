/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns granules of lines and named buffers into the buffers of the tables.
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

/*
 * Adds what happened in the region's lines to a buffer, with the distance of the instruction that
 * caused most of its conflict misses.
 */
static void add_region(Buffer *buffer, const Model *model, const ModelRegion *region)
{
    for (unsigned fate = 0; fate < MODEL_FATES; fate++) {
        buffer->fates[fate] += region->fates[fate];
    }
    if (buffer->name == NULL && region->last > buffer->last) {
        buffer->last = region->last;
    }
    if (region->pc_votes > buffer->stride_votes) {
        const int64_t lines = ModelStrideLines(&model->pcs[region->pc].stride);
        buffer->stride = lines == INT64_MIN
                             ? INT64_MIN
                             : lines * (INT64_C(1) << model->cache.geometry.line_shift);
        buffer->stride_votes = region->pc_votes;
    }
}

static bool was_accessed(const ModelRegion *region)
{
    return region->fates[MODEL_HIT] + ModelMisses(region->fates) > 0;
}

/* The buffer that continues up to this granule, or a new one. NULL without memory. */
static Buffer *nameless_of(BufferList *buffers, const ModelGranule *granule, uint64_t last_id)
{
    if (buffers->count > 0 && granule->id - last_id <= 1) {
        return &buffers->list[buffers->count - 1];
    }
    if (!OpprofGrow(&buffers->list, &buffers->capacity, buffers->count + 1, sizeof(Buffer))) {
        return NULL;
    }
    buffers->list[buffers->count] = (Buffer){ .first = granule->region.first, .stride = INT64_MIN };
    return &buffers->list[buffers->count++];
}

/* Adds the named buffers that were accessed, after the others. */
static bool add_named(const Model *model, const BufferList *named, BufferList *buffers)
{
    for (size_t i = 0; i < model->named_count; i++) {
        if (!was_accessed(&model->named[i])) {
            continue;
        }
        if (!OpprofGrow(&buffers->list, &buffers->capacity, buffers->count + 1, sizeof(Buffer))) {
            return false;
        }
        buffers->list[buffers->count] = named->list[i];
        add_region(&buffers->list[buffers->count++], model, &model->named[i]);
    }
    return true;
}

static int by_address(const void *a, const void *b)
{
    const Buffer *x = a;
    const Buffer *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* The buffers that the granules make, by address. */
static bool add_nameless(const Model *model, BufferList *buffers)
{
    uint64_t last_id = 0;

    for (size_t i = 0; i < model->granule_count; i++) {
        const ModelGranule *granule = model->granules[i];
        if (!was_accessed(&granule->region)) {
            continue;
        }
        Buffer *buffer = nameless_of(buffers, granule, last_id);
        if (buffer == NULL) {
            return false;
        }
        last_id = granule->id;
        add_region(buffer, model, &granule->region);
    }
    return true;
}

bool BuffersFind(const Model *model, const BufferList *named, BufferList *ret_buffers)
{
    BufferList buffers = { .count = 0 };

    if (model->granule_count > 0) {
        qsort(model->granules, model->granule_count, sizeof(ModelGranule *), by_id);
    }
    if (!add_nameless(model, &buffers) || !add_named(model, named, &buffers)) {
        free(buffers.list);
        return false;
    }
    if (buffers.count > 0) {
        qsort(buffers.list, buffers.count, sizeof(Buffer), by_address);
    }
    *ret_buffers = buffers;
    return true;
}
