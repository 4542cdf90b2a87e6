/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache-blocks: writes the sets of a modelled L2 cache as the viewer's cache heat map.
 * Tested by tests/plugins/analyse-dbi/test_kernels.sh.
 */
#include "container.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/json_out.h>
#include <opprof/kit/launches.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/dbi.h>
#include <opprof/stage.h>

#include <stdlib.h>
#include <string.h>

#define OUTPUT_BLOCKS 0u

/* A launch whose sets are arriving. */
typedef struct OpenLaunch {
    OpprofJsonOut json;
    uint32_t partition;
    uint32_t folder;
} OpenLaunch;

/* Records of simultaneous launches are interleaved: holds the text of all launches that have begun
 * and not ended. */
typedef struct CacheBlocks {
    OpprofStage *stage;
    OpenLaunch *open;
    size_t count;
    size_t capacity;
    uint64_t pushed; /* blocks */
} CacheBlocks;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "write the cache heat map");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(CacheBlocks), ret_self, error);
}

static void put_event(OpprofJsonOut *json, const OpprofBatch *batch, uint64_t count, double ratio,
                      OpprofText ranges)
{
    const char *text = OpprofBatchText(batch, ranges);

    OpprofJsonPutRaw(json, "{\"Address Range\":");
    if (text == NULL) {
        OpprofJsonPutRaw(json, "[]");
    } else {
        OpprofJsonPutBytes(json, text, ranges.length);
    }
    OpprofJsonPutRaw(json, ",\"Value\":[");
    OpprofJsonPutU64(json, count);
    OpprofJsonPutRaw(json, ",");
    OpprofJsonPutF64(json, ratio);
    OpprofJsonPutRaw(json, "]}");
}

/* The launch of a batch, which begins with it if it is new; NULL without memory. */
static OpenLaunch *find_launch(CacheBlocks *self, const OpprofBatch *batch)
{
    for (size_t i = 0; i < self->count; i++) {
        if (self->open[i].partition == batch->partition) {
            return &self->open[i];
        }
    }
    if (!OpprofGrow(&self->open, &self->capacity, self->count + 1, sizeof *self->open)) {
        return NULL;
    }
    const OpprofDbiSet *first = OpprofBatchRecord(batch, 0);
    self->open[self->count] = (OpenLaunch){
        .partition = batch->partition,
        .folder = OpprofLaunchFolder(self->stage, first->device, first->kernel, first->order),
    };
    return &self->open[self->count++];
}

static void put_set(OpprofJsonOut *json, const OpprofBatch *batch, const OpprofDbiSet *set)
{
    OpprofJsonPutRaw(json, json->length > 0 ? "," : "{\"Cacheline Records\":[");
    OpprofJsonPutRaw(json, "{\"Cacheline Id\":");
    OpprofJsonPutU64(json, set->set);
    OpprofJsonPutRaw(json, ",\"Hit\":");
    put_event(json, batch, set->hits, set->hit_ratio, set->hit_pcs);
    OpprofJsonPutRaw(json, ",\"Miss\":");
    put_event(json, batch, set->misses, set->miss_ratio, set->miss_pcs);
    OpprofJsonPutRaw(json, "}");
}

/* The launch is complete: write and forget it. */
static OpprofStatus push_block(CacheBlocks *self, OpenLaunch *launch, OpprofError **error)
{
    OpprofBlock block = { .block_type = OPPROF_BLOCK_CACHELINES,
                          .version = OPPROF_BLOCK_VERSION,
                          .path = { OPPROF_NA_U32, 0 },
                          .file = { OPPROF_NA_U32, 0 },
                          .folder = launch->folder };
    OpprofStatus status = OPPROF_E_MEMORY;

    OpprofJsonPutRaw(&launch->json, "]}");
    if (!launch->json.is_short) {
        status = OpprofStageText(self->stage, OUTPUT_BLOCKS, launch->partition, launch->json.text,
                                 launch->json.length, &block.bytes);
    }
    if (status == OPPROF_OK) {
        status = OpprofStageAppend(self->stage, OUTPUT_BLOCKS, launch->partition, &block);
    }
    self->pushed += status == OPPROF_OK;
    OpprofJsonOutFinish(&launch->json);
    *launch = self->open[--self->count];
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    CacheBlocks *self = context;
    OpenLaunch *launch = batch->count > 0 ? find_launch(self, batch) : NULL;
    const OpprofDbiSet *set = NULL;

    (void) port;
    if (launch == NULL) {
        return batch->count > 0 ? no_memory(error) : OPPROF_OK;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        set = OpprofBatchRecord(batch, i);
        put_set(&launch->json, batch, set);
    }
    return set->set + 1 == set->sets ? push_block(self, launch, error) : OPPROF_OK;
}

/* Launches whose last set did not arrive. */
static OpprofStatus flush(void *context, OpprofError **error)
{
    CacheBlocks *self = context;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && self->count > 0) {
        status = push_block(self, &self->open[0], error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Made blocks of caches: %" PRIu64,
              self->pushed);
    return status;
}

static void destroy(void *context)
{
    CacheBlocks *self = context;

    while (self->count > 0) {
        OpprofJsonOutFinish(&self->open[--self->count].json);
    }
    free(self->open);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "sets",
      .type = "dbi.cache-set",
      .record_type = &opprof_dbi_set_type,
      .summary = "Sets of the cache of each launch, launch after launch." },
};

static const OpprofPort outputs[] = {
    { .name = "blocks",
      .record_type = &opprof_block_type,
      .batch_records = 1,
      .summary = "Block 0x0e of each launch." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "cache-blocks", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Writes the L2 cache's sets as the viewer's cache heat map.",
                     .help = "A cell is a set of the cache, with the addresses that hit and missed "
                             "there, which the viewer links to its instructions.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops);
