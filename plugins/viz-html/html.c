/* SPDX-License-Identifier: Apache-2.0 */
/* html: writes the findings of a run as one page for browsers, which needs no network. */
#include "comparison.h"
#include "excess.h"
#include "page_writer.h"

#include <opprof/kit/kept_batches.h>
#include <opprof/plugin.h>
#include <opprof/present.h>

#include <stdlib.h>
#include <string.h>

enum { INPUT_TABLES, INPUT_SPANS, INPUT_COUNTERS, INPUT_BLOCKS };

typedef struct Html {
    OpprofStage *stage;
    const OpprofParams *params;
    OpprofJsonOut comparison;
    Names names;
    Tables tables;
    Sources sources;
    Timeline timeline;
    Excess excess;
    OpprofKeptBatches kept; /* what fits on the page must not depend on the order of arrival */
} Html;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Html *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "make a page");
    }
    self->stage = stage;
    self->names.stage = stage;
    self->excess.stage = stage;
    self->tables.stage = stage;
    self->tables.names = &self->names;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Html *self = context;
    const char *file = OpprofParamsString(params, "file");
    const char *comparison = OpprofParamsString(params, "comparison");
    const size_t length = strlen(file);

    self->params = params;
    TimelineInit(&self->timeline, self->stage, params, &self->names);
    if (length <= strlen(".html") || strcmp(file + length - strlen(".html"), ".html") != 0) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                              "Parameter 'file' is '%s', which does not end in '.html'", file);
    }
    return comparison == NULL ? OPPROF_OK : ComparisonRead(comparison, &self->comparison, error);
}

static bool take_blocks(Html *self, const OpprofBatch *batch)
{
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        is_good = SourcesTake(&self->sources, batch, OpprofBatchRecord(batch, i));
    }
    return is_good;
}

static bool take_any(Html *self, uint32_t port, const OpprofBatch *batch)
{
    switch (port) {
    case INPUT_SPANS:
        return TimelineTakeSpans(&self->timeline, batch);
    case INPUT_COUNTERS:
        return TimelineTakeCounters(&self->timeline, batch);
    default:
        return take_blocks(self, batch);
    }
}

static OpprofStatus take(void *context, uint32_t port, const OpprofBatch *batch,
                         OpprofError **error)
{
    Html *self = context;

    if (port == INPUT_TABLES) {
        return TablesTake(&self->tables, batch, error);
    }
    return take_any(self, port, batch) ? OPPROF_OK : OpprofErrorNoMemory(error, "make a page");
}

/* Whether the page may show anything of a batch. False without memory. */
static bool note(Html *self, uint32_t port, const OpprofBatch *batch, bool *ret_is_wanted)
{
    switch (port) {
    case INPUT_TABLES:
        return ExcessTake(&self->excess, batch, ret_is_wanted);
    case INPUT_SPANS:
    case INPUT_COUNTERS:
        return TimelineNote(&self->timeline, batch, ret_is_wanted);
    default:
        *ret_is_wanted = true;
        return true;
    }
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Html *self = context;
    bool is_wanted = true;

    if (!note(self, port, batch, &is_wanted)) {
        return OpprofErrorNoMemory(error, "make a page");
    }
    return is_wanted ? OpprofKeptBatchesAdd(&self->kept, self->stage, port, batch, error)
                     : OPPROF_OK;
}

static OpprofStatus take_all(Html *self, OpprofError **error)
{
    OpprofStatus status;

    TimelineBegin(&self->timeline);
    status = OpprofKeptBatchesHandOut(&self->kept, self->stage, take, self, error);
    OpprofKeptBatchesFinish(&self->kept);
    return status == OPPROF_OK && !ExcessGive(&self->excess, &self->tables)
               ? OpprofErrorNoMemory(error, "make a page")
               : status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Html *self = context;
    OpprofOutputDirectory *output = OpprofStageOutput(self->stage);
    char *missing = NULL;
    OpprofStatus status = take_all(self, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = OpprofStageMissing(self->stage, &missing);

    const char *title = OpprofStageTitle(self->stage);
    const PageParts parts = { .title = title == NULL ? "Profile" : title,
                              .was_stopped = OpprofStageStopRequested(self->stage),
                              .missing = missing,
                              .comparison = &self->comparison,
                              .names = &self->names,
                              .tables = &self->tables,
                              .sources = &self->sources,
                              .timeline = &self->timeline };

    if (status == OPPROF_OK) {
        status = PageWrite(output, OpprofParamsString(self->params, "file"), &parts, error);
    } else {
        status = OpprofErrorNoMemory(error, "make a page");
    }
    free(missing);
    return status;
}

static void destroy(void *context)
{
    Html *self = context;

    OpprofKeptBatchesFinish(&self->kept);
    ExcessFinish(&self->excess);
    TimelineFinish(&self->timeline);
    SourcesFinish(&self->sources);
    TablesFinish(&self->tables);
    NamesFinish(&self->names);
    OpprofJsonOutFinish(&self->comparison);
    free(self);
}

static const OpprofPort inputs[] = {
    [INPUT_TABLES] = { .name = "tables",
                       .type = OPPROF_ANY_TABLE,
                       .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                       .summary = "Tables of any kind, including advice." },
    [INPUT_SPANS] = { .name = "spans",
                      .type = "span",
                      .record_type = &opprof_span_type,
                      .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                      .summary = "Pieces of timelines." },
    [INPUT_COUNTERS] = { .name = "counters",
                         .type = "counter",
                         .record_type = &opprof_counter_type,
                         .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                         .summary = "Samples of curves." },
    [INPUT_BLOCKS] = { .name = "blocks",
                       .type = "insight.block",
                       .record_type = &opprof_block_type,
                       .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                       .summary = "Blocks, of which texts of source files are used." },
};

static const OpprofParam params[] = {
    { .name = "file",
      .type = OPPROF_PARAM_STRING,
      .default_value = "report.html",
      .summary = "Name of the file, ending in '.html'." },
    { .name = "documents",
      .type = OPPROF_PARAM_LIST,
      .default_value = "*",
      .summary = "Documents whose spans and curves are shown, with * and ?." },
    { .name = "comparison",
      .type = OPPROF_PARAM_PATH,
      .summary = "JSON of a comparison with another run, which the page shows first." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "html", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Writes all findings as one page for browsers.",
                     .help = "The page is one file below 20 MB, opens from disk and loads nothing. "
                             "Whatever did not fit is listed on the page.",
                     .kind = OPPROF_EXPORTER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops);
