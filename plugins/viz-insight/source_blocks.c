/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source-blocks: writes hot spots as the viewer's source page: source texts, lines, instructions.
 * Tested by tests/plugins/viz-insight/test_source_blocks.
 */
#include "board_encode.h"
#include "container.h"
#include "source_encode.h"
#include "source_file.h"

#include <opprof/grow.h>
#include <opprof/kit/source.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/text.h>

#include <stdlib.h>
#include <string.h>

enum { INPUT_ADDRESSES, INPUT_LINES, INPUT_SAMPLES, INPUT_REGISTERS };
#define OUTPUT_BLOCKS 0u

/* The page of a folder of results. */
typedef struct SourcePage {
    OpprofStage *stage;
    const OpprofParams *params;
    uint32_t folder; /* interned, or absent */
    SourceRows rows;
    SourceFileRows *files; /* whose text was found */
    size_t file_count;
    size_t file_capacity;
    uint32_t *shown; /* ranks of the cores that are shown */
    uint64_t limit;  /* largest block that the viewer takes */
} SourcePage;

typedef struct SourceBlocks {
    OpprofStage *stage;
    const OpprofParams *params;
    uint64_t limit;
    SourcePage *pages; /* in order of arrival */
    size_t count;
    size_t capacity;
} SourceBlocks;

/* A block that is written, repeatedly if necessary, until it is short enough. */
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
    return OpprofInstanceCreate(stage, sizeof(SourceBlocks), ret_self, error);
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    SourceBlocks *self = context;

    (void) error;
    self->params = params;
    self->limit = (uint64_t) OpprofParamsInt(params, "limit");
    return OPPROF_OK;
}

/* The page of a folder, created with its first rows; NULL without memory. */
static SourcePage *find_page(SourceBlocks *self, uint32_t folder)
{
    for (size_t i = self->count; i > 0; i--) {
        if (self->pages[i - 1].folder == folder) {
            return &self->pages[i - 1];
        }
    }
    if (!OpprofGrow(&self->pages, &self->capacity, self->count + 1, sizeof *self->pages)) {
        return NULL;
    }
    self->pages[self->count] = (SourcePage){ .stage = self->stage,
                                             .params = self->params,
                                             .folder = folder,
                                             .rows.stage = self->stage,
                                             .limit = self->limit };
    return &self->pages[self->count++];
}

/* All records of a batch are for one folder. */
static uint32_t folder_of(uint32_t port, const OpprofBatch *batch)
{
    const void *first = OpprofBatchRecord(batch, 0);

    switch (port) {
    case INPUT_ADDRESSES:
        return ((const OpprofHotAddress *) first)->folder;
    case INPUT_LINES:
        return ((const OpprofHotLine *) first)->folder;
    case INPUT_SAMPLES:
        return ((const OpprofHotSample *) first)->folder;
    default:
        return ((const OpprofHotRegister *) first)->folder;
    }
}

static bool add_batch(SourceRows *rows, uint32_t port, const OpprofBatch *batch)
{
    switch (port) {
    case INPUT_ADDRESSES:
        return SourceRowsAddAddresses(rows, batch);
    case INPUT_LINES:
        return SourceRowsAddLines(rows, batch);
    case INPUT_SAMPLES:
        return SourceRowsAddSamples(rows, batch);
    default:
        return SourceRowsAddRegisters(rows, batch);
    }
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    SourcePage *page = batch->count == 0 ? NULL : find_page(context, folder_of(port, batch));

    if (batch->count > 0 && (page == NULL || !add_batch(&page->rows, port, batch))) {
        return no_memory(error);
    }
    return OPPROF_OK;
}

/* ---- source texts ---- */

static OpprofStatus push_block(SourcePage *self, OpprofBatch *batch, const OpprofBlock *block)
{
    OpprofBlock *record = OpprofBatchAppend(batch);

    if (record == NULL) {
        OpprofBatchUnref(batch);
        return OPPROF_E_MEMORY;
    }
    *record = *block;
    record->folder = self->folder;
    return OpprofStagePush(self->stage, OUTPUT_BLOCKS, batch);
}

/* The text of a source file; *ret_why is NULL, or the reason why it could not be read. */
static OpprofStatus push_text(SourcePage *self, uint32_t file, const char **ret_why)
{
    OpprofBatch *batch = OpprofStageNewBatch(self->stage, OUTPUT_BLOCKS);
    OpprofBlock block = { .block_type = OPPROF_BLOCK_SOURCE,
                          .version = OPPROF_BLOCK_VERSION,
                          .file = { OPPROF_NA_U32, 0 } };
    OpprofStatus status = batch == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    size_t length;
    const char *path = OpprofStageStringLength(self->stage, file, &length);

    *ret_why = NULL;
    if (status == OPPROF_OK) {
        status = OpprofBatchAppendText(batch, path, length, &block.path);
    }
    if (status == OPPROF_OK) {
        status = SourceFileRead(batch, block.path, self->params, &block.bytes, ret_why);
    }
    if (status == OPPROF_OK) {
        return push_block(self, batch, &block);
    }
    OpprofBatchUnref(batch);
    return status == OPPROF_E_IO ? OPPROF_OK : status;
}

static void warn_of_files(SourcePage *self, size_t count, uint32_t first, const char *why)
{
    if (count > 0) {
        OpprofStageWarn(self->stage,
                        "%zu source %s cannot be read, such as '%s': %s; name the directory of the "
                        "sources with "
                        "the parameter 'source'",
                        count, OPPROF_PLURAL(count, "file", "files"),
                        OpprofStageString(self->stage, first), why);
    }
}

/* Texts of all files; those that can be read are remembered. */
static OpprofStatus push_texts(SourcePage *self)
{
    const SourceRows *rows = &self->rows;
    OpprofStatus status = OPPROF_OK;
    uint32_t missing = OPPROF_NA_STRING;
    size_t missing_count = 0;
    const char *first_why = "";

    for (size_t i = 0, end; status == OPPROF_OK && i < rows->line_count; i = end) {
        const char *why = NULL;

        end = SourceRowsFileEnd(rows, i);
        status = push_text(self, rows->lines[i].facts.file, &why);
        if (status == OPPROF_OK && why == NULL) {
            if (!OpprofGrow(&self->files, &self->file_capacity, self->file_count + 1,
                            sizeof *self->files)) {
                status = OPPROF_E_MEMORY;
                break;
            }
            self->files[self->file_count++] = (SourceFileRows){ i, end };
        } else if (status == OPPROF_OK) {
            first_why = missing_count == 0 ? why : first_why;
            missing = missing_count++ == 0 ? rows->lines[i].facts.file : missing;
        }
    }
    warn_of_files(self, missing_count, missing, first_why);
    return status;
}

/* ---- cores that are shown ---- */

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
static bool choose_cores(SourcePage *self, uint32_t count)
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

/* ---- blocks ---- */

static void encode(const SourcePage *self, Attempt *attempt, bool is_lines)
{
    OpprofJsonOutFinish(&attempt->json);
    attempt->json.max = self->limit;
    if (!self->rows.has_cycles && is_lines) {
        EncodeBoardLines(&self->rows, &attempt->shape, self->files, self->file_count,
                         &attempt->json);
    } else if (!self->rows.has_cycles) {
        EncodeBoardInstructions(&self->rows, &attempt->shape, &attempt->json);
    } else if (is_lines) {
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

/* Writes the block for these cores in the fullest shape that is short enough; if none is, it stays
 * too long. */
static void fit(const SourcePage *self, Attempt *attempt, uint32_t core_count, bool is_lines)
{
    attempt->shape = (SourceShape){ .core = self->shown, .core_count = core_count };
    encode(self, attempt, is_lines);
    while (is_too_long(&attempt->json) && make_smaller(&attempt->shape)) {
        encode(self, attempt, is_lines);
    }
}

/* Both blocks for the same cores, as many as fit. */
static OpprofStatus fit_both(SourcePage *self, Attempt *instructions, Attempt *lines)
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

static void report_missing(SourcePage *self, const Attempt *attempt, const char *what)
{
    const double limit = (double) self->limit / (1u << 20);

    if (is_too_long(&attempt->json)) {
        OpprofStageIncomplete(self->stage,
                              "The viewer's data lacks the %s: they take more than %.4g MiB, which "
                              "the viewer would refuse",
                              what, limit);
    } else if (attempt->shape.core_count < self->rows.core_count) {
        OpprofStageIncomplete(
            self->stage,
            "The viewer's data has the %s of only the %u busiest of %u cores, without optional "
            "columns: those of all cores take more than %.4g MiB, which the viewer would refuse",
            what, attempt->shape.core_count, self->rows.core_count, limit);
    } else if (attempt->shape.is_brief) {
        OpprofStageIncomplete(self->stage,
                              "The viewer's data has the %s without optional columns: with them "
                              "they take more than %.4g MiB, which the viewer would refuse",
                              what, limit);
    }
}

static OpprofStatus push_json(SourcePage *self, const Attempt *attempt, uint32_t type,
                              uint32_t version, const char *what)
{
    OpprofBlock block = { .block_type = type,
                          .version = version,
                          .path = { OPPROF_NA_U32, 0 },
                          .file = { OPPROF_NA_U32, 0 } };
    OpprofBatch *batch;

    report_missing(self, attempt, what);
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

static OpprofStatus push_reasons(SourcePage *self)
{
    Attempt reasons = { .shape.core_count = self->rows.core_count, .json.max = self->limit };
    OpprofStatus status = OPPROF_OK;

    EncodeStallReasons(&self->rows, &reasons.json);
    if (reasons.json.is_short) {
        status = OPPROF_E_MEMORY;
    } else if (reasons.json.length > 0) {
        status = push_json(self, &reasons, OPPROF_BLOCK_STALL_REASONS, OPPROF_BLOCK_VERSION,
                           "stall reasons");
    }
    OpprofJsonOutFinish(&reasons.json);
    return status;
}

static OpprofStatus push_all(SourcePage *self)
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
    if (status == OPPROF_OK) {
        status = push_reasons(self);
    }
    OpprofJsonOutFinish(&instructions.json);
    OpprofJsonOutFinish(&lines.json);
    return status;
}

static void finish_page(SourcePage *self)
{
    SourceRowsFinish(&self->rows);
    free(self->files);
    free(self->shown);
    *self = (SourcePage){ .stage = self->stage, .rows.stage = self->stage };
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    SourceBlocks *self = context;
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < self->count; i++) {
        SourcePage *page = &self->pages[i];

        if (page->rows.address_count > 0) {
            status = SourceRowsSort(&page->rows) ? push_all(page) : OPPROF_E_MEMORY;
        }
        finish_page(page);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Made pages of source lines: %zu",
              self->count);
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

static void destroy(void *context)
{
    SourceBlocks *self = context;

    for (size_t i = 0; i < self->count; i++) {
        finish_page(&self->pages[i]);
    }
    free(self->pages);
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
    [INPUT_SAMPLES] = { .name = "samples",
                        .type = "hot.sample",
                        .record_type = &opprof_hot_sample_type,
                        .flags = OPPROF_PORT_OPTIONAL,
                        .summary = "What threads waited for, by address." },
    [INPUT_REGISTERS] = { .name = "registers",
                          .type = "hot.register",
                          .record_type = &opprof_hot_register_type,
                          .flags = OPPROF_PORT_OPTIONAL,
                          .summary = "Registers in use, by address." },
};

static const OpprofPort outputs[] = {
    { .name = "blocks",
      .record_type = &opprof_block_type,
      .batch_records = 1,
      .summary = "Source texts, and blocks 0x03, 0x04 and 0x0f." },
};

static const OpprofParam params[] = {
    OPPROF_SOURCE_FILE_PARAMS,
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
                             "first, values that all cores share are written once, then optional "
                             "columns are left out, then the least busy cores.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
