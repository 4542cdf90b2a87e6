/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-results: the findings of a finished run from its database, for any exporter.
 * Tested by tests/plugins/collect-results/test_show.sh.
 */
#include "collect-results/timeline.h"

#include <math.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <opprof/results.h>
#include <opprof/stage.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_ROWS 256u
#define CELL_BYTES 8u
#define ROWS_A_CALL 4096u /* of spans and counters */
#define PS_PER_US 1e6

enum { OUTPUT_TABLES, OUTPUT_SPANS, OUTPUT_COUNTERS, OUTPUT_ADVICE };

/* The parts of the database, in reading order. */
typedef enum Part {
    PART_TABLES,
    PART_ADVICE,
    PART_SPANS,
    PART_COUNTERS,
    PART_FILE, /* the timeline, where the database has none */
    PART_END
} Part;

typedef struct Collector {
    OpprofStage *stage;
    const char *input;
    const char *side; /* document of all lanes; NULL: their own */
    bool has_whole;   /* a document "trace" has everything, and others repeat parts of it */
    Timeline *file;
    OpprofResults *results;
    const OpprofResultsInfo *info;
    OpprofBatchPool **pools; /* of each table */
    uint32_t table;          /* whose rows are read */
    Part part;
    OpprofResultsRows *rows; /* NULL: the part or table has not begun */
    double origin_us;        /* of all times */
    uint32_t clock;
} Collector;

static OpprofStatus no_memory(const Collector *self, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read results '%s'", self->input);
}

/* ---- opening ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Collector), ret_self, error);
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Collector *self = context;

    (void) error;
    self->input = OpprofParamsString(params, "input");
    self->side = OpprofParamsString(params, "side");
    self->part =
        strcmp(OpprofParamsString(params, "only"), "timeline") == 0 ? PART_SPANS : PART_TABLES;
    return OPPROF_OK;
}

/* Reading all rows may take long: stopping the run stops it. */
static bool is_stopped(void *stage)
{
    return OpprofStageStopRequested(stage);
}

/* Passes on what the results lack. */
static OpprofStatus report_missing(const Collector *self, OpprofError **error)
{
    char *missing = self->info->missing == NULL ? NULL : strdup(self->info->missing);
    char *rest = NULL;

    if (self->info->missing == NULL) {
        OpprofStageIncomplete(self->stage, "The results are incomplete: they do not say why");
        return OPPROF_OK;
    }
    if (missing == NULL) {
        return no_memory(self, error);
    }
    for (char *line = strtok_r(missing, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        OpprofStageIncomplete(self->stage, "The results are incomplete: %s", line);
    }
    free(missing);
    return OPPROF_OK;
}

static OpprofStatus make_pools(Collector *self, OpprofError **error)
{
    self->pools = calloc((size_t) self->info->table_count + 1, sizeof(OpprofBatchPool *));
    for (uint32_t i = 0; self->pools != NULL && i < self->info->table_count; i++) {
        self->pools[i] = OpprofBatchPoolCreate(self->info->tables[i].type, BATCH_ROWS, 0);
        if (self->pools[i] == NULL) {
            return no_memory(self, error);
        }
    }
    return self->pools == NULL ? no_memory(self, error) : OPPROF_OK;
}

/* Times are microseconds from an arbitrary origin; ticks count from the first. */
static OpprofStatus set_clock(Collector *self, OpprofError **error)
{
    const bool is_read = OpprofStageHasReader(self->stage, OUTPUT_SPANS) ||
                         OpprofStageHasReader(self->stage, OUTPUT_COUNTERS);
    const OpprofStatus status =
        is_read ? OpprofResultsOrigin(self->results, &self->origin_us, error) : OPPROF_OK;

    if (status != OPPROF_OK) {
        return status;
    }
    self->clock = OpprofStageClock(
        self->stage, &(OpprofClock){ .name = "results",
                                     .hz = UINT64_C(1000000000000),
                                     .offset_ps = (int64_t) (self->origin_us * PS_PER_US) });
    return self->clock == 0 ? no_memory(self, error) : OPPROF_OK;
}

static OpprofStatus find_whole(Collector *self, OpprofError **error)
{
    OpprofResultsRows *rows = NULL;
    OpprofStatus status;

    if (self->side == NULL || !self->info->has_timelines) {
        return OPPROF_OK;
    }
    status = OpprofResultsQuery(self->results,
                                "SELECT 1 FROM opprof_tracks WHERE document = 'trace' LIMIT 1",
                                &rows, error);
    if (status == OPPROF_OK) {
        status = OpprofResultsNext(rows, error);
        self->has_whole = status == OPPROF_OK;
        OpprofResultsRowsFree(rows);
    }
    return status == OPPROF_END ? OPPROF_OK : status;
}

/* A large database is checked for some time; a run that was stopped then has not failed. */
static OpprofStatus end_unread(Collector *self, OpprofError *why)
{
    OpprofStageIncomplete(self->stage, "'%s' was not read: %s", self->input, OpprofErrorLine(why));
    OpprofErrorDestroy(why);
    self->part = PART_END;
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Collector *self = context;
    const OpprofResultsOptions options = { .is_checked = true,
                                           .is_stopped = is_stopped,
                                           .context = self->stage };
    OpprofError *why = NULL;
    OpprofStatus status = OpprofResultsOpen(self->input, &options, &self->results, &why);

    if (status != OPPROF_OK && is_stopped(self->stage)) {
        return end_unread(self, why);
    }
    if (status != OPPROF_OK) {
        return OpprofErrorPass(error, why);
    }
    self->info = OpprofResultsAbout(self->results);
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Opened '%s'", self->info->path);
    if (!self->info->is_complete && self->part == PART_TABLES) {
        status = report_missing(self, error);
    }
    if (status == OPPROF_OK) {
        status = make_pools(self, error);
    }
    if (status == OPPROF_OK) {
        status = find_whole(self, error);
    }
    return status == OPPROF_OK ? set_clock(self, error) : status;
}

/* ---- tables ---- */

static void end_rows(Collector *self)
{
    OpprofResultsRowsFree(self->rows);
    self->rows = NULL;
}

static OpprofStatus next_part(Collector *self, Part part)
{
    end_rows(self);
    self->part = part;
    return OPPROF_OK;
}

static bool put_text(const Collector *self, OpprofBatch *batch, char *cell, int column)
{
    OpprofText text = { OPPROF_NA_U32, 0 };
    size_t length;
    const char *bytes = OpprofResultsText(self->rows, column, &length);
    const bool is_good =
        bytes == NULL || OpprofBatchAppendText(batch, bytes, length, &text) == OPPROF_OK;

    memcpy(cell, &text, sizeof text);
    return is_good;
}

static bool put_string(const Collector *self, char *cell, int column)
{
    size_t length;
    const char *bytes = OpprofResultsText(self->rows, column, &length);
    const uint32_t id =
        bytes == NULL ? OPPROF_NA_STRING : OpprofStageIntern(self->stage, bytes, length);

    memset(cell, 0, CELL_BYTES);
    memcpy(cell, &id, sizeof id);
    return bytes == NULL || id != OPPROF_NA_STRING;
}

static void put_number(const Collector *self, char *cell, uint32_t kind, int column)
{
    const double real = OpprofResultsReal(self->rows, column);
    int64_t whole;
    const bool is_there = OpprofResultsWhole(self->rows, column, &whole);
    const uint64_t natural = is_there ? (uint64_t) whole : OPPROF_NA_U64;

    if (kind == OPPROF_FIELD_F64) {
        memcpy(cell, &real, sizeof real);
    } else if (kind == OPPROF_FIELD_I64) {
        memcpy(cell, &whole, sizeof whole);
    } else {
        memcpy(cell, &natural, sizeof natural);
    }
}

/* Append the current row. The batch has room. False without memory. */
static bool append_row(const Collector *self, OpprofBatch *batch)
{
    const OpprofRecordType *type = batch->type;
    char *record = OpprofBatchAppend(batch);
    bool is_good = record != NULL;

    for (uint32_t f = 0; is_good && f < type->field_count; f++) {
        const OpprofField *field = &type->fields[f];
        char *cell = record + field->offset;

        if (field->kind == OPPROF_FIELD_TEXT) {
            is_good = put_text(self, batch, cell, (int) f);
        } else if (field->kind == OPPROF_FIELD_STRING) {
            is_good = put_string(self, cell, (int) f);
        } else {
            put_number(self, cell, field->kind, (int) f);
        }
    }
    return is_good;
}

/* As many rows as a batch takes. OPPROF_END: there are no more. */
static OpprofStatus fill(Collector *self, OpprofBatch *batch, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && batch->count < batch->capacity) {
        status = OpprofResultsNext(self->rows, error);
        if (status == OPPROF_OK && !append_row(self, batch)) {
            status = no_memory(self, error);
        }
    }
    return status;
}

/* A batch of the current table. */
static OpprofStatus read_table(Collector *self, OpprofError **error)
{
    const OpprofResultsTable *table;
    OpprofStatus status = OPPROF_OK;
    OpprofBatch *batch;

    if (self->table == self->info->table_count) {
        return next_part(self, PART_ADVICE);
    }
    table = &self->info->tables[self->table];
    if (self->rows == NULL) {
        status = OpprofResultsReadTable(self->results, table, &self->rows, error);
    }
    batch = status == OPPROF_OK ? OpprofBatchPoolTake(self->pools[self->table]) : NULL;
    if (batch == NULL) {
        return status == OPPROF_OK ? no_memory(self, error) : status;
    }
    status = fill(self, batch, error);
    if (status != OPPROF_OK && status != OPPROF_END) {
        OpprofErrorWrap(error, "Cannot read the table '%s'", table->name);
        OpprofBatchUnref(batch);
        return status;
    }
    if (status == OPPROF_END) {
        end_rows(self);
        self->table++;
    }
    OpprofStageProgress(self->stage, self->table, self->info->table_count, "tables");
    return OpprofStagePush(self->stage, OUTPUT_TABLES, batch);
}

/* ---- advice, timelines and curves ---- */

static OpprofStatus put_advice(const Collector *self)
{
    const OpprofAdviceText advice = OpprofResultsAdviceOf(self->rows);

    return OpprofStageAdvise(self->stage, OUTPUT_ADVICE, 0, &advice);
}

static uint64_t ticks_of(const Collector *self, double time_us)
{
    const double us = time_us - self->origin_us;

    return us >= 0 && us < (double) (INT64_MAX / 2) / PS_PER_US ? (uint64_t) llround(us * PS_PER_US)
                                                                : 0;
}

static uint32_t intern(const Collector *self, const char *text)
{
    return text == NULL ? OPPROF_NA_STRING : OpprofStageIntern(self->stage, text, strlen(text));
}

/* Whether a lane is of a document that is beside another run's: then the lanes of all documents are
 * of one, and none comes twice. */
static bool is_read(const Collector *self, const OpprofTrack *track)
{
    return self->side == NULL || !self->has_whole || strcmp(track->document, "trace") == 0;
}

static OpprofStatus put_span(const Collector *self)
{
    OpprofResultsSpan stored = OpprofResultsSpanOf(self->rows);
    const OpprofText none = { OPPROF_NA_U32, 0 };

    if (!is_read(self, &stored.track)) {
        return OPPROF_OK;
    }
    stored.track.document = self->side == NULL ? stored.track.document : self->side;
    const uint32_t partition = intern(self, stored.track.document);
    const uint64_t start = ticks_of(self, stored.start_us);
    const uint64_t end = ticks_of(self, stored.start_us + fmax(0, stored.duration_us));
    OpprofSpan span = { .track = OpprofStageTrack(self->stage, &stored.track),
                        .kind = stored.kind,
                        .name = intern(self, stored.name),
                        .category = intern(self, stored.category),
                        .colour = intern(self, stored.colour),
                        .start = start,
                        .duration = end > start ? end - start : 0,
                        .args = none,
                        .id = none,
                        .group = none };
    OpprofStatus status = OPPROF_OK;

    if (span.track == OPPROF_NA_U32) {
        return OPPROF_E_MEMORY;
    }
    if (stored.id != NULL) {
        status = OpprofStageText(self->stage, OUTPUT_SPANS, partition, stored.id, strlen(stored.id),
                                 &span.id);
    }
    return status == OPPROF_OK ? OpprofStageAppend(self->stage, OUTPUT_SPANS, partition, &span)
                               : status;
}

static OpprofStatus put_counter(const Collector *self)
{
    OpprofResultsCounter stored = OpprofResultsCounterOf(self->rows);

    if (!is_read(self, &stored.track)) {
        return OPPROF_OK;
    }
    stored.track.document = self->side == NULL ? stored.track.document : self->side;
    const OpprofCounter counter = { .track = OpprofStageTrack(self->stage, &stored.track),
                                    .name = intern(self, stored.name),
                                    .series = intern(self, stored.series),
                                    .time = ticks_of(self, stored.time_us),
                                    .value = stored.value };

    return counter.track == OPPROF_NA_U32
               ? OPPROF_E_MEMORY
               : OpprofStageAppend(self->stage, OUTPUT_COUNTERS,
                                   intern(self, stored.track.document), &counter);
}

/* Output and writer of each kind of table. */
typedef struct Way {
    OpprofResultsPart part;
    uint32_t port;
    OpprofStatus (*put)(const Collector *self);
    Part next;
} Way;

static const Way ways[] = {
    [PART_ADVICE] = { OPPROF_RESULTS_ADVICE, OUTPUT_ADVICE, put_advice, PART_SPANS },
    [PART_SPANS] = { OPPROF_RESULTS_SPANS, OUTPUT_SPANS, put_span, PART_COUNTERS },
    [PART_COUNTERS] = { OPPROF_RESULTS_COUNTERS, OUTPUT_COUNTERS, put_counter, PART_FILE },
};

/* Reads some thousand rows of a part. */
static OpprofStatus read_part(Collector *self, const Way *way, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint32_t count = 0;

    if (!OpprofStageHasReader(self->stage, way->port)) {
        return next_part(self, way->next);
    }
    if (self->rows == NULL) {
        if (way->part != OPPROF_RESULTS_ADVICE) {
            OpprofStageSetClock(self->stage, way->port, self->clock);
        }
        status = OpprofResultsReadPart(self->results, way->part, &self->rows, error);
    }
    while (status == OPPROF_OK && count < ROWS_A_CALL) {
        status = OpprofResultsNext(self->rows, error);
        if (status == OPPROF_OK && (status = way->put(self)) == OPPROF_E_MEMORY) {
            return no_memory(self, error);
        }
        count++;
    }
    return status == OPPROF_END ? next_part(self, way->next) : status;
}

/* Readers of timelines get that of the file where the database has none. */
static OpprofStatus read_file(Collector *self, OpprofError **error)
{
    const TimelinePorts ports = { .stage = self->stage,
                                  .spans = OUTPUT_SPANS,
                                  .counters = OUTPUT_COUNTERS,
                                  .document = self->side == NULL ? "trace" : self->side };
    OpprofStatus status = OPPROF_OK;

    if (self->info->has_timelines || !OpprofStageHasReader(self->stage, OUTPUT_SPANS)) {
        return next_part(self, PART_END);
    }
    if (self->file == NULL) {
        status = TimelineOpen(&ports, self->info->path, &self->file, error);
    }
    if (status != OPPROF_OK || self->file == NULL) {
        return status == OPPROF_OK ? next_part(self, PART_END) : status;
    }
    status = TimelineRead(self->file, error);
    return status == OPPROF_END ? next_part(self, PART_END) : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Collector *self = context;

    (void) port;
    (void) batch;
    switch (self->part) {
    case PART_TABLES:
        return read_table(self, error);
    case PART_ADVICE:
    case PART_SPANS:
    case PART_COUNTERS:
        return read_part(self, &ways[self->part], error);
    case PART_FILE:
        return read_file(self, error);
    case PART_END:
    default:
        return OPPROF_END;
    }
}

static void destroy(void *context)
{
    Collector *self = context;

    OpprofResultsRowsFree(self->rows);
    for (uint32_t i = 0; self->pools != NULL && i < self->info->table_count; i++) {
        OpprofBatchPoolDestroy(self->pools[i]);
    }
    free(self->pools);
    TimelineClose(self->file);
    OpprofResultsClose(self->results);
    free(self);
}

static const OpprofPort outputs[] = {
    [OUTPUT_TABLES] = { .name = "tables",
                        .record_type = &opprof_tables_type,
                        .summary = "The tables of the run." },
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .summary = "Its timelines, without their arguments; from its trace.json if "
                                  "not in the "
                                  "database." },
    [OUTPUT_COUNTERS] = { .name = "counters",
                          .record_type = &opprof_counter_type,
                          .summary = "Its curves." },
    [OUTPUT_ADVICE] = { .name = "advice",
                        .record_type = &opprof_advice_type,
                        .summary = "Its advice." },
};

static const char *const only_choices[] = { "all", "timeline", NULL };

static const OpprofParam params[] = {
    { .name = "input",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Folder of a finished run, or its results.sqlite." },
    { .name = "only",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "all",
      .choices = only_choices,
      .summary = "What is read: all, or the timeline alone." },
    { .name = "side",
      .type = OPPROF_PARAM_STRING,
      .summary = "Document of all lanes, beside those of another run; default: their own." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "collect-results", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Reads the findings of a finished run from its database.",
                     .kind = OPPROF_COLLECTOR, .outputs = outputs,
                     .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
