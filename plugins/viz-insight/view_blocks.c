/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view-blocks: writes the views of on-board launches as blocks for the viewer's container.
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "view_encode.h"

#include <inttypes.h>
#include <opprof/kit/launches.h>
#include <opprof/log.h>
#include <opprof/records/block.h>
#include <opprof/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_BLOCKS 0u
#define MAX_BLOCKS 2u /* that one view is written as */

enum {
    INPUT_OPERATOR,
    INPUT_COMPUTE,
    INPUT_MAP,
    INPUT_STORAGE,
    INPUT_OCCUPANCY,
    INPUT_ROOFLINE,
    INPUTS
};

#define PIECE_BYTES (256u << 10) /* about those of a piece of a content */

typedef struct BlockOfView {
    uint32_t type;
    ViewEncode *encode; /* NULL: no second block */
    /* The content begins so, `encode` is called for each group of cells, and OF_GROUPS_END follows:
     * a launch may have millions of cells. NULL: for all cells together. */
    const char *begin;
} BlockOfView;

#define OF_GROUPS_END "]}"
#define LOAD_BEGIN "{\"advice\":[],\"subblock_detail\":["

static const BlockOfView blocks_of_view[INPUTS][MAX_BLOCKS] = {
    [INPUT_OPERATOR] = { { OPPROF_BLOCK_BASE_INFO, EncodeOperator } },
    [INPUT_COMPUTE] = { { OPPROF_BLOCK_LOAD_FIGURE, EncodeLoadFigure, LOAD_BEGIN },
                        { OPPROF_BLOCK_LOAD_TABLE, EncodeLoadTable, LOAD_BEGIN } },
    [INPUT_MAP] = { { OPPROF_BLOCK_STORAGE_MAP, EncodeStorageMap, "{\"core_memory_map\":[" } },
    [INPUT_STORAGE] = { { OPPROF_BLOCK_STORAGE_TABLE, EncodeStorageTable,
                          "{\"table_per_block\":[" } },
    [INPUT_OCCUPANCY] = { { OPPROF_BLOCK_OCCUPANCY, EncodeOccupancy } },
    [INPUT_ROOFLINE] = { { OPPROF_BLOCK_ROOFLINE, EncodeRoofline } },
};

/* A view whose cells are arriving. */
typedef struct Incoming {
    ViewCells cells;                /* all so far, or those of the current group */
    OpprofJsonOut json[MAX_BLOCKS]; /* of groups: the next piece of each content */
    bool has_begun;                 /* these have */
    uint32_t partition;             /* of the launch */
} Incoming;

typedef struct ViewBlocks {
    OpprofStage *stage;
    Incoming views[INPUTS];
    uint64_t pushed; /* blocks */
} ViewBlocks;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "write a view as a block");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    ViewBlocks *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    for (size_t i = 0; i < INPUTS; i++) {
        self->views[i].cells.stage = stage;
    }
    *ret_self = self;
    return OPPROF_OK;
}

/* ---- pushing ---- */

/* Pushes a content, or a piece of it, that `json` has put into the batch. */
static OpprofStatus push(ViewBlocks *self, const ViewCells *view, uint32_t type, uint32_t flags,
                         OpprofText bytes, OpprofBatch *batch)
{
    const OpprofText absent = { OPPROF_NA_U32, 0 };
    OpprofBlock *record = OpprofBatchAppend(batch);

    *record = (OpprofBlock){ .block_type = type,
                             .version = OPPROF_BLOCK_VERSION,
                             .path = absent,
                             .bytes = bytes,
                             .file = absent,
                             .folder = OpprofLaunchFolder(self->stage, view->device, view->kernel,
                                                          view->order),
                             .flags = flags };
    self->pushed += (flags & OPPROF_BLOCK_MORE) == 0;
    return OpprofStagePush(self->stage, OUTPUT_BLOCKS, batch);
}

static OpprofStatus push_all(ViewBlocks *self, const ViewCells *view, const BlockOfView *block,
                             OpprofError **error)
{
    OpprofBatch *batch = OpprofStageNewBatch(self->stage, OUTPUT_BLOCKS);

    if (batch == NULL) {
        return no_memory(error);
    }
    OpprofJsonOut json = OpprofJsonOutInBatch(batch, 0);
    block->encode(view, &json);
    if (json.is_short) {
        OpprofBatchUnref(batch);
        return no_memory(error);
    }
    return push(self, view, block->type, 0, OpprofJsonOutText(&json), batch);
}

/* ---- contents of groups ---- */

static OpprofStatus push_piece(ViewBlocks *self, const ViewCells *view, uint32_t type,
                               uint32_t flags, OpprofJsonOut *json, OpprofError **error)
{
    OpprofBatch *batch = OpprofStageNewBatch(self->stage, OUTPUT_BLOCKS);
    OpprofText bytes;

    if (json->is_short || batch == NULL ||
        OpprofBatchAppendText(batch, json->text, json->length, &bytes) != OPPROF_OK) {
        OpprofBatchUnref(batch);
        return no_memory(error);
    }
    json->length = 0;
    return push(self, view, type, flags, bytes, batch);
}

/* Adds the group whose cells have arrived. */
static OpprofStatus add_group(ViewBlocks *self, uint32_t port, OpprofError **error)
{
    const BlockOfView *blocks = blocks_of_view[port];
    Incoming *view = &self->views[port];
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < MAX_BLOCKS && blocks[i].encode != NULL; i++) {
        OpprofJsonPutRaw(&view->json[i], view->has_begun ? "" : blocks[i].begin);
        blocks[i].encode(&view->cells, &view->json[i]);
        if (view->json[i].is_short || view->json[i].length >= PIECE_BYTES) {
            status = push_piece(self, &view->cells, blocks[i].type, OPPROF_BLOCK_MORE,
                                &view->json[i], error);
        }
    }
    view->has_begun = true;
    ViewCellsClear(&view->cells);
    return status;
}

static OpprofStatus finish_groups(ViewBlocks *self, uint32_t port, OpprofError **error)
{
    const BlockOfView *blocks = blocks_of_view[port];
    Incoming *view = &self->views[port];
    OpprofStatus status = view->cells.count > 0 ? add_group(self, port, error) : OPPROF_OK;

    for (size_t i = 0; view->has_begun && i < MAX_BLOCKS && blocks[i].encode != NULL; i++) {
        OpprofJsonPutRaw(&view->json[i], OF_GROUPS_END);
        if (status == OPPROF_OK) {
            status = push_piece(self, &view->cells, blocks[i].type, 0, &view->json[i], error);
        }
    }
    view->has_begun = false;
    return status;
}

/* ---- cells ---- */

static OpprofStatus finish_view(ViewBlocks *self, uint32_t port, OpprofError **error)
{
    const BlockOfView *blocks = blocks_of_view[port];
    ViewCells *cells = &self->views[port].cells;
    OpprofStatus status = OPPROF_OK;

    if (blocks[0].begin != NULL) {
        return finish_groups(self, port, error);
    }
    for (size_t i = 0; cells->count > 0 && status == OPPROF_OK && i < MAX_BLOCKS; i++) {
        if (blocks[i].encode != NULL) {
            status = push_all(self, cells, &blocks[i], error);
        }
    }
    ViewCellsClear(cells);
    return status;
}

static OpprofStatus take_cell(ViewBlocks *self, uint32_t port, const OpprofBatch *batch,
                              const OpprofOnboardCell *cell, OpprofError **error)
{
    ViewCells *cells = &self->views[port].cells;
    OpprofStatus status = OPPROF_OK;

    if (blocks_of_view[port][0].begin != NULL && cells->count > 0 &&
        cells->cells[0].group != cell->group) {
        status = add_group(self, port, error);
    }
    return status == OPPROF_OK && !ViewCellsAdd(cells, batch, cell) ? no_memory(error) : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    ViewBlocks *self = context;
    Incoming *view = &self->views[port];
    OpprofStatus status = OPPROF_OK;

    if (view->partition != batch->partition) {
        status = finish_view(self, port, error);
    }
    view->partition = batch->partition;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = take_cell(self, port, batch, OpprofBatchRecord(batch, i), error);
    }
    return status == OPPROF_OK && batch->watermark == UINT64_MAX ? finish_view(self, port, error)
                                                                 : status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    const ViewBlocks *self = context;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t port = 0; status == OPPROF_OK && port < INPUTS; port++) {
        status = finish_view(context, port, error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Made blocks of views: %" PRIu64,
              self->pushed);
    return status;
}

static void destroy(void *context)
{
    ViewBlocks *self = context;

    for (size_t i = 0; i < INPUTS; i++) {
        ViewCellsFinish(&self->views[i].cells);
        for (size_t k = 0; k < MAX_BLOCKS; k++) {
            OpprofJsonOutFinish(&self->views[i].json[k]);
        }
    }
    free(self);
}

#define VIEW_PORT(port_name, type_name, view_type, text)                                           \
    {                                                                                              \
        .name = (port_name), .type = (type_name), .record_type = &(view_type),                     \
        .flags = OPPROF_PORT_OPTIONAL, .summary = (text)                                           \
    }

static const OpprofPort inputs[INPUTS] = {
    [INPUT_OPERATOR] = VIEW_PORT("operator", "view.operator", opprof_operator_view_type,
                                 "What ran, for block 0x05."),
    [INPUT_COMPUTE] = VIEW_PORT("compute-load", "view.compute-load", opprof_compute_view_type,
                                "Compute load, for blocks 0x06 and 0x07."),
    [INPUT_MAP] = VIEW_PORT("storage-map", "view.storage-map", opprof_storage_map_view_type,
                            "Memory heat map, for block 0x08."),
    [INPUT_STORAGE] = VIEW_PORT("storage", "view.storage", opprof_storage_view_type,
                                "Memory tables, for block 0x09."),
    [INPUT_OCCUPANCY] = VIEW_PORT("occupancy", "view.occupancy", opprof_occupancy_view_type,
                                  "Inter-core load, for block 0x0c."),
    [INPUT_ROOFLINE] = VIEW_PORT("roofline", "view.roofline", opprof_roofline_view_type,
                                 "Rooflines, for block 0x0d."),
};

static const OpprofPort outputs[] = {
    { .name = "blocks",
      .record_type = &opprof_block_type,
      .batch_records = 1,
      .summary = "A block for each view of each launch." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "view-blocks", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Writes the views of launches as blocks of visualize_data.bin.",
                     .help = "Turns the views of on-board analyses into the blocks that MindStudio "
                             "Insight shows, for the stage insight.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops);
