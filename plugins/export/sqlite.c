/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite: writes all tables, spans, counters and advice of a run into one
 * database, results.sqlite. */
#include <opprof/kit/kept_batches.h>
#include <opprof/plugin.h>
#include <opprof/results.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_TABLES, INPUT_SPANS, INPUT_COUNTERS };

typedef struct Sqlite {
    OpprofStage *stage;
    OpprofResultsContents contents;
    OpprofKeptBatches kept;
    OpprofResultsWriter *writer;
} Sqlite;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Sqlite), ret_self, error);
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Sqlite *self = context;

    (void) error;
    for (size_t i = 0; i < OpprofParamsCount(params, "formats"); i++) {
        const char *word = OpprofParamsElement(params, "formats", i);
        const bool is_all = strcmp(word, "all") == 0;

        self->contents.has_views = self->contents.has_views || is_all;
        self->contents.has_timelines =
            self->contents.has_timelines || is_all || strcmp(word, "spans") == 0;
    }
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Sqlite *self = context;

    self->contents.title = OpprofStageTitle(self->stage);
    return OpprofResultsWriterOpen(self->stage, &self->contents, &self->writer, error);
}

/* Rows are written at the end: their order, and the numbers of names, must
 * not depend on threads. */
static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Sqlite *self = context;

    if (!OpprofResultsWriterWants(self->writer, batch->type)) {
        return OPPROF_OK;
    }
    return OpprofKeptBatchesAdd(&self->kept, self->stage, port, batch, error);
}

static OpprofStatus take(void *context, uint32_t port, const OpprofBatch *batch,
                         OpprofError **error)
{
    (void) port;
    return OpprofResultsWriterTake(context, batch, error);
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Sqlite *self = context;
    const OpprofStatus status =
        OpprofKeptBatchesHandOut(&self->kept, self->stage, take, self->writer, error);

    return status == OPPROF_OK ? OpprofResultsWriterFinish(self->writer, error) : status;
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Sqlite *self = context;

    (void) error;
    OpprofKeptBatchesFinish(&self->kept);
    OpprofResultsWriterFree(self->writer);
    self->writer = NULL;
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Sqlite *self = context;

    stop(self, NULL);
    free(self);
}

static const OpprofPort inputs[] = {
    [INPUT_TABLES] = { .name = "tables",
                       .type = OPPROF_ANY_TABLE,
                       .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                       .summary = "Tables of any kind." },
    [INPUT_SPANS] = { .name = "spans",
                      .type = "span",
                      .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                      .summary = "Timelines." },
    [INPUT_COUNTERS] = { .name = "counters",
                         .type = "counter",
                         .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                         .summary = "Curves." },
};

static const OpprofParam params[] = {
    { .name = "formats",
      .type = OPPROF_PARAM_LIST,
      .summary = "What is written beside the tables, separated by commas: spans (spans and "
                 "counters), all (also the tables view.… and indices of keys); other words are for "
                 "other stages." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .stop = stop,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "sqlite", .version = "1.0", .license = "Apache-2.0",
        .summary = "Writes all findings into one SQLite database.",
        .help =
            "Each table of the run is a table of the database, named as its record type, with '_' "
            "for characters other than letters and digits. With formats=spans the views spans and "
            "counters hold timelines and curves. opprof_tables and opprof_columns hold titles, "
            "units and "
            "meanings; opprof_run says whether something is missing. Absent values are NULL.",
        .kind = OPPROF_EXPORTER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops);
