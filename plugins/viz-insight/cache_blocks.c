/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache-blocks: writes the sets of a modelled L2 cache as the viewer's cache heat map.
 * Tested by tests/plugins/viz-insight/test_insight.
 */
#include "container.h"
#include "json_text.h"

#include <opprof/plugin.h>
#include <opprof/records/dbi.h>
#include <opprof/stage.h>

#include <stdlib.h>
#include <string.h>

#define OUTPUT_BLOCKS 0u

typedef struct CacheBlocks {
    OpprofStage *stage;
    JsonText json; /* of the launch at hand */
    uint32_t partition;
    uint32_t folder;
    bool is_open;
} CacheBlocks;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "write the cache heat map");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    CacheBlocks *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

/* Interned "device/kernel/order", without the parts that are absent. */
static uint32_t folder_of(const CacheBlocks *self, const OpprofDbiSet *set)
{
    const uint32_t parts[] = { set->device, set->kernel, set->order };
    JsonText path = { .text = NULL };
    uint32_t folder = OPPROF_NA_STRING;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i] != OPPROF_NA_STRING) {
            JsonTextRaw(&path, "/", path.length > 0);
            JsonTextLiteral(&path, OpprofStageString(self->stage, parts[i]));
        }
    }
    if (path.length > 0 && !path.is_short) {
        folder = OpprofStageIntern(self->stage, path.text, path.length);
    }
    JsonTextFinish(&path);
    return folder;
}

static void put_event(JsonText *json, const OpprofBatch *batch, uint64_t count, double ratio,
                      OpprofText ranges)
{
    const char *text = OpprofBatchText(batch, ranges);

    JsonTextLiteral(json, "{\"Address Range\":");
    if (text == NULL) {
        JsonTextLiteral(json, "[]");
    } else {
        JsonTextRaw(json, text, ranges.length);
    }
    JsonTextLiteral(json, ",\"Value\":[");
    JsonTextInteger(json, count);
    JsonTextLiteral(json, ",");
    JsonTextReal(json, ratio);
    JsonTextLiteral(json, "]}");
}

static void put_set(CacheBlocks *self, const OpprofBatch *batch, const OpprofDbiSet *set)
{
    JsonText *json = &self->json;

    JsonTextLiteral(json, self->is_open ? "," : "{\"Cacheline Records\":[");
    self->is_open = true;
    JsonTextLiteral(json, "{\"Cacheline Id\":");
    JsonTextInteger(json, set->set);
    JsonTextLiteral(json, ",\"Hit\":");
    put_event(json, batch, set->hits, set->hit_ratio, set->hit_pcs);
    JsonTextLiteral(json, ",\"Miss\":");
    put_event(json, batch, set->misses, set->miss_ratio, set->miss_pcs);
    JsonTextLiteral(json, "}");
}

/* The launch at hand is whole. */
static OpprofStatus push_block(CacheBlocks *self, OpprofError **error)
{
    OpprofBlock block = { .block_type = OPPROF_BLOCK_CACHELINES,
                          .version = OPPROF_BLOCK_VERSION,
                          .path = { OPPROF_NA_U32, 0 },
                          .file = { OPPROF_NA_U32, 0 },
                          .folder = self->folder };
    OpprofStatus status = OPPROF_OK;

    if (!self->is_open) {
        return OPPROF_OK;
    }
    JsonTextLiteral(&self->json, "]}");
    if (self->json.is_short) {
        status = OPPROF_E_MEMORY;
    } else {
        status = OpprofStageText(self->stage, OUTPUT_BLOCKS, self->partition, self->json.text,
                                 self->json.length, &block.bytes);
    }
    if (status == OPPROF_OK) {
        status = OpprofStageAppend(self->stage, OUTPUT_BLOCKS, self->partition, &block);
    }
    JsonTextFinish(&self->json);
    self->json = (JsonText){ .text = NULL };
    self->is_open = false;
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    CacheBlocks *self = context;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    if (self->partition != batch->partition) {
        status = push_block(self, error);
    }
    self->partition = batch->partition;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const OpprofDbiSet *set = OpprofBatchRecord(batch, i);
        self->folder = self->is_open ? self->folder : folder_of(self, set);
        put_set(self, batch, set);
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    return push_block(context, error);
}

static void destroy(void *context)
{
    CacheBlocks *self = context;

    JsonTextFinish(&self->json);
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
