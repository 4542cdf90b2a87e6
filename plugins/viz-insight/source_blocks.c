/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source-blocks: writes hot spots as the viewer's source page: source texts, lines, instructions.
 * Tested by tests/plugins/viz-insight/test_source_blocks.
 */
#include "container.h"
#include "source_encode.h"
#include "source_file.h"

#include <opprof/grow.h>
#include <opprof/plugin.h>

#include <stdlib.h>
#include <string.h>

enum { INPUT_ADDRESSES, INPUT_LINES };
#define OUTPUT_BLOCKS 0u

typedef struct SourceBlocks {
    OpprofStage *stage;
    SourceRows rows;
    SourceFileRows *files; /* whose text the viewer has */
    size_t file_count;
    size_t file_capacity;
    uint32_t *shown; /* ranks of the cores that are shown */
    uint64_t limit;  /* bytes of a block that the viewer takes */
} SourceBlocks;

/* A block that is written once or more often, until it is short enough. */
typedef struct Attempt {
    SourceShape shape;
    OpprofJsonOut json;
} Attempt;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "write the source page");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    SourceBlocks *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    self->rows.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    SourceBlocks *self = context;

    (void) error;
    self->limit = (uint64_t) OpprofParamsInt(params, "limit");
    return OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    SourceBlocks *self = context;
    const bool ok = port == INPUT_ADDRESSES ? SourceRowsAddAddresses(&self->rows, batch)
                                            : SourceRowsAddLines(&self->rows, batch);

    return ok ? OPPROF_OK : no_memory(error);
}

/* ------------------------------------------------------------------ source texts */

static OpprofStatus push_block(SourceBlocks *self, OpprofBatch *batch, const OpprofBlock *block)
{
    OpprofBlock *record = OpprofBatchAppend(batch);

    if (record == NULL) {
        OpprofBatchUnref(batch);
        return OPPROF_E_MEMORY;
    }
    *record = *block;
    return OpprofStagePush(self->stage, OUTPUT_BLOCKS, batch);
}

/* The text of a source file; *ret_is_there says whether it could be read. */
static OpprofStatus push_text(SourceBlocks *self, uint32_t file, bool *ret_is_there)
{
    OpprofBatch *batch = OpprofStageNewBatch(self->stage, OUTPUT_BLOCKS);
    OpprofBlock block = { .block_type = OPPROF_BLOCK_SOURCE,
                          .version = OPPROF_BLOCK_VERSION,
                          .file = { OPPROF_NA_U32, 0 } };
    OpprofStatus status = batch == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    size_t length;
    const char *path = OpprofStageStringLength(self->stage, file, &length);

    if (status == OPPROF_OK) {
        status = OpprofBatchAppendText(batch, path, length, &block.path);
    }
    if (status == OPPROF_OK) {
        status = SourceFileRead(batch, block.path, &block.bytes);
    }
    *ret_is_there = status == OPPROF_OK;
    if (status == OPPROF_OK) {
        return push_block(self, batch, &block);
    }
    OpprofBatchUnref(batch);
    return status == OPPROF_E_IO ? OPPROF_OK : status;
}

static void warn_of_files(SourceBlocks *self, size_t count, uint32_t first)
{
    if (count > 0) {
        OpprofStageWarn(
            self->stage,
            "The viewer's data lacks %zu source files that cannot be read, such as '%s'", count,
            OpprofStageString(self->stage, first));
    }
}

/* Texts of all files; those that can be read are remembered. */
static OpprofStatus push_texts(SourceBlocks *self)
{
    const SourceRows *rows = &self->rows;
    OpprofStatus status = OPPROF_OK;
    uint32_t missing = OPPROF_NA_STRING;
    size_t missing_count = 0;

    for (size_t i = 0, end; status == OPPROF_OK && i < rows->line_count; i = end) {
        bool is_there;

        end = SourceRowsFileEnd(rows, i);
        status = push_text(self, rows->lines[i].facts.file, &is_there);
        if (status == OPPROF_OK && is_there) {
            if (!OpprofGrow(&self->files, &self->file_capacity, self->file_count + 1,
                            sizeof *self->files)) {
                status = OPPROF_E_MEMORY;
                break;
            }
            self->files[self->file_count++] = (SourceFileRows){ i, end };
        } else if (status == OPPROF_OK) {
            missing = missing_count++ == 0 ? rows->lines[i].facts.file : missing;
        }
    }
    warn_of_files(self, missing_count, missing);
    return status;
}

/* ------------------------------------------------------------------ cores that are shown */

/* How busy a core is. */
typedef struct CoreLoad {
    uint64_t cycles;
    uint32_t rank;
} CoreLoad;

static int compare_loads(const void *a, const void *b)
{
    const CoreLoad *x = a;
    const CoreLoad *y = b;

    if (x->cycles != y->cycles) {
        return x->cycles > y->cycles ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int compare_ranks(const void *a, const void *b)
{
    const uint32_t *x = a;
    const uint32_t *y = b;

    return (*x > *y) - (*x < *y);
}

/* The `count` busiest cores, in the order of their ranks. */
static bool choose_cores(SourceBlocks *self, uint32_t count)
{
    const SourceRows *rows = &self->rows;
    CoreLoad *loads = calloc(rows->core_count + 1u, sizeof *loads);

    if (self->shown == NULL) {
        self->shown = calloc(rows->core_count + 1u, sizeof *self->shown);
    }
    if (loads == NULL || self->shown == NULL) {
        free(loads);
        return false;
    }
    for (uint32_t i = 0; i < rows->core_count; i++) {
        loads[i].rank = i;
    }
    for (size_t i = 0; i < rows->address_count; i++) {
        loads[rows->addresses[i].rank].cycles += rows->addresses[i].facts.cycles;
    }
    qsort(loads, rows->core_count, sizeof *loads, compare_loads);
    for (uint32_t i = 0; i < count; i++) {
        self->shown[i] = loads[i].rank;
    }
    qsort(self->shown, count, sizeof *self->shown, compare_ranks);
    free(loads);
    return true;
}

/* ------------------------------------------------------------------ blocks */

static void encode(const SourceBlocks *self, Attempt *attempt, bool is_lines)
{
    OpprofJsonOutFinish(&attempt->json);
    attempt->json.max = self->limit;
    if (is_lines) {
        EncodeLines(&self->rows, &attempt->shape, self->files, self->file_count, &attempt->json);
    } else {
        EncodeInstructions(&self->rows, &attempt->shape, &attempt->json);
    }
}

static bool is_too_long(const OpprofJsonOut *json)
{
    return json->is_full || json->length > json->max;
}

/* Makes the shape smaller by one step; false: only fewer cores would help. */
static bool make_smaller(SourceShape *shape)
{
    if (!shape->merges) {
        shape->merges = true;
    } else if (!shape->is_brief) {
        shape->is_brief = true;
    } else {
        return false;
    }
    return true;
}

/* Writes the block for these cores in the fullest shape that is short enough; else it stays too long. */
static void fit(const SourceBlocks *self, Attempt *attempt, uint32_t core_count, bool is_lines)
{
    attempt->shape = (SourceShape){ .core = self->shown, .core_count = core_count };
    encode(self, attempt, is_lines);
    while (is_too_long(&attempt->json) && make_smaller(&attempt->shape)) {
        encode(self, attempt, is_lines);
    }
}

/* Both blocks for the same cores, as many as there is room for. */
static OpprofStatus fit_both(SourceBlocks *self, Attempt *instructions, Attempt *lines)
{
    uint32_t count = self->rows.core_count;

    for (;;) {
        if (!choose_cores(self, count)) {
            return OPPROF_E_MEMORY;
        }
        fit(self, instructions, count, false);
        if (self->file_count > 0) {
            fit(self, lines, count, true);
        }
        if (instructions->json.is_short || lines->json.is_short) {
            return OPPROF_E_MEMORY;
        }
        if (count <= 1 || (!is_too_long(&instructions->json) && !is_too_long(&lines->json))) {
            return OPPROF_OK;
        }
        count = count * 3 / 4;
    }
}

static void tell_what_is_missing(SourceBlocks *self, const Attempt *attempt, const char *what)
{
    const double limit = (double) self->limit / (1u << 20);

    if (is_too_long(&attempt->json)) {
        OpprofStageIncomplete(self->stage,
                              "The viewer's data lacks the %s: they take more than %.4g MiB, which "
                              "the viewer would refuse",
                              what, limit);
    } else if (attempt->shape.core_count < self->rows.core_count) {
        OpprofStageIncomplete(self->stage,
                              "The viewer's data has the %s of the %u busiest of %u cores only, "
                              "without optional columns: those of all take more than %.4g MiB, "
                              "which the viewer would refuse",
                              what, attempt->shape.core_count, self->rows.core_count, limit);
    } else if (attempt->shape.is_brief) {
        OpprofStageIncomplete(self->stage,
                              "The viewer's data has the %s without optional columns: with them "
                              "they take more than %.4g MiB, which the viewer would refuse",
                              what, limit);
    }
}

static OpprofStatus push_json(SourceBlocks *self, const Attempt *attempt, uint32_t type,
                              uint32_t version, const char *what)
{
    OpprofBlock block = { .block_type = type,
                          .version = version,
                          .path = { OPPROF_NA_U32, 0 },
                          .file = { OPPROF_NA_U32, 0 } };
    OpprofBatch *batch;

    tell_what_is_missing(self, attempt, what);
    if (is_too_long(&attempt->json)) {
        return OPPROF_OK;
    }
    batch = OpprofStageNewBatch(self->stage, OUTPUT_BLOCKS);
    if (batch == NULL || OpprofBatchAppendText(batch, attempt->json.text, attempt->json.length,
                                               &block.bytes) != OPPROF_OK) {
        OpprofBatchUnref(batch);
        return OPPROF_E_MEMORY;
    }
    return push_block(self, batch, &block);
}

static OpprofStatus push_all(SourceBlocks *self)
{
    Attempt instructions = { .json.text = NULL };
    Attempt lines = { .json.text = NULL };
    OpprofStatus status = push_texts(self);

    if (status == OPPROF_OK) {
        status = fit_both(self, &instructions, &lines);
    }
    if (status == OPPROF_OK && self->file_count > 0) {
        status = push_json(self, &lines, OPPROF_BLOCK_FILES, OPPROF_BLOCK_VERSION, "source lines");
    }
    if (status == OPPROF_OK) {
        status = push_json(self, &instructions, OPPROF_BLOCK_INSTRUCTIONS,
                           OPPROF_BLOCK_VERSION_INSTRUCTIONS, "instructions");
    }
    OpprofJsonOutFinish(&instructions.json);
    OpprofJsonOutFinish(&lines.json);
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    SourceBlocks *self = context;
    OpprofStatus status = OPPROF_OK;

    if (self->rows.address_count > 0) {
        status = SourceRowsSort(&self->rows) ? push_all(self) : OPPROF_E_MEMORY;
    }
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

static void destroy(void *context)
{
    SourceBlocks *self = context;

    SourceRowsFinish(&self->rows);
    free(self->files);
    free(self->shown);
    free(self);
}

static const OpprofPort inputs[] = {
    [INPUT_ADDRESSES] = { .name = "addresses",
                          .type = "hot.address",
                          .record_type = &opprof_hot_address_type,
                          .summary = "What each core executed at each address." },
    [INPUT_LINES] = { .name = "lines",
                      .type = "hot.line",
                      .record_type = &opprof_hot_line_type,
                      .flags = OPPROF_PORT_OPTIONAL,
                      .summary = "The addresses of source lines." },
};

static const OpprofPort outputs[] = {
    { .name = "blocks",
      .record_type = &opprof_block_type,
      .batch_records = 1,
      .summary = "Source texts, and blocks 0x03 and 0x04 of all cores." },
};

static const OpprofParam params[] = {
    { .name = "limit",
      .type = OPPROF_PARAM_SIZE,
      .default_value = "100MiB",
      .min = 1,
      .max = BLOCK_BODY_MAX,
      .summary = "Longest block that the viewer takes." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "source-blocks", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Writes hot spots as the viewer's source page.",
                     .help = "A block that would be too long for the viewer is made shorter: "
                             "values that all cores share stand once, then optional columns are "
                             "left out, then the least busy cores.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
