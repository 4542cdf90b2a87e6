/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-breakdown-json: writes breakdowns as temporal_breakdown.json, the form that other programs
 * read: one object for the whole run, and a list with one for each rank.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "breakdown.h"

#include <opprof/plugin.h>
#include <opprof/stage.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "temporal_breakdown.json"
#define LINE_ROOM                                                                                  \
    (8 *                                                                                           \
     (64 + OPPROF_TEXT_NUMBER)) /* what a row needs beside the name of its rank                \
                                     */

typedef struct BreakdownJson {
    OpprofStage *stage;
    BreakdownRow *rows; /* of ranks */
    size_t count;
    BreakdownRow all;
    bool has_all;
} BreakdownJson;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    BreakdownJson *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot create the exporter: out of memory");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    BreakdownJson *self = context;
    BreakdownRow *rows = reallocarray(self->rows, self->count + batch->count, sizeof *rows);

    (void) port;
    if (rows == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot keep breakdowns: out of memory");
    }
    self->rows = rows;
    for (uint32_t i = 0; i < batch->count; i++) {
        BreakdownRow row;

        memcpy(&row, OpprofBatchRecord(batch, i), sizeof row);
        if (strcmp(OpprofStageString(self->stage, row.rank), BREAKDOWN_ALL) == 0) {
            self->all = row;
            self->has_all = true;
        } else {
            rows[self->count++] = row;
        }
    }
    return OPPROF_OK;
}

/* ------------------------------------------------------------------ text */

static char *put_text(char *out, const char *text)
{
    const size_t length = strlen(text);

    memcpy(out, text, length);
    return out + length;
}

static char *put_member(char *out, const char *key, double value, unsigned decimals)
{
    out = put_text(out, ", \"");
    out = put_text(out, key);
    out = put_text(out, "\": ");
    return OpprofTextPutFixed(out, value, decimals);
}

static bool is_number(const char *text, size_t length)
{
    return length > 0 && length < 10 && (text[0] != '0' || length == 1) &&
           strspn(text, "0123456789") == length;
}

/* A rank that is a number is printed as one. */
static char *put_rank(char *out, const char *rank, size_t length)
{
    if (is_number(rank, length)) {
        memcpy(out, rank, length);
        return out + length;
    }
    return OpprofTextPutJson(out, rank, length);
}

static char *put_row(char *out, const BreakdownRow *row, const char *rank, size_t length)
{
    out = put_text(out, "{\"rank\": ");
    out = put_rank(out, rank, length);
    out = put_member(out, "kernel_time_us", row->kernel_us, 3);
    out = put_member(out, "compute_time_us", row->compute_us, 3);
    out = put_member(out, "non_compute_time_us", row->non_compute_us, 3);
    out = put_member(out, "idle_time_us", row->idle_us, 3);
    out = put_member(out, "compute_percent", row->compute_percent, 2);
    out = put_member(out, "non_compute_percent", row->non_compute_percent, 2);
    out = put_member(out, "idle_percent", row->idle_percent, 2);
    return put_text(out, "}");
}

static OpprofStatus write_row(const BreakdownJson *self, OpprofOutputFile *file,
                              const BreakdownRow *row, OpprofError **error)
{
    size_t length;
    const char *rank = OpprofStageStringLength(self->stage, row->rank, &length);
    char *text = malloc(OPPROF_TEXT_JSON_ROOM(length) + LINE_ROOM);
    OpprofStatus status;

    if (text == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot print a breakdown: out of memory");
    }
    status = OpprofOutputFileWrite(file, text, (size_t) (put_row(text, row, rank, length) - text),
                                   error);
    free(text);
    return status;
}

static OpprofStatus write_text(OpprofOutputFile *file, const char *text, OpprofError **error)
{
    return OpprofOutputFileWrite(file, text, strlen(text), error);
}

/* The ranks, as a list. */
static OpprofStatus write_ranks(const BreakdownJson *self, OpprofOutputFile *file,
                                OpprofError **error)
{
    OpprofStatus status = write_text(file, ",\n\"ranks\": [\n", error);

    for (size_t i = 0; status == OPPROF_OK && i < self->count; i++) {
        status = write_row(self, file, &self->rows[i], error);
        if (status == OPPROF_OK) {
            status = write_text(file, i + 1 < self->count ? ",\n" : "\n", error);
        }
    }
    return status == OPPROF_OK ? write_text(file, "]}\n", error) : status;
}

/* The whole run: the only rank, or what all ranks sum up to. */
static OpprofStatus write_all(const BreakdownJson *self, OpprofOutputFile *file,
                              OpprofError **error)
{
    const BreakdownRow *whole = self->has_all ? &self->all : self->rows;
    OpprofStatus status = write_text(file, "{\"temporal_breakdown\": ", error);

    if (status == OPPROF_OK) {
        status = self->has_all || self->count > 0 ? write_row(self, file, whole, error)
                                                  : write_text(file, "null", error);
    }
    return status == OPPROF_OK ? write_ranks(self, file, error) : status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    const BreakdownJson *self = context;
    OpprofOutputFile *file;
    OpprofStatus status =
        OpprofOutputFileCreate(OpprofStageOutput(self->stage), FILE_NAME, &file, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = write_all(self, file, error);
    if (status != OPPROF_OK) {
        OpprofOutputFileDiscard(file);
        return status;
    }
    return OpprofOutputFileFinish(file, error);
}

static void destroy(void *context)
{
    BreakdownJson *self = context;

    free(self->rows);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "breakdown",
      .type = BREAKDOWN_TYPE,
      .record_type = &breakdown_type,
      .summary = "Breakdowns of ranks." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "trace-breakdown-json", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Writes temporal breakdowns as " FILE_NAME ".",
                     .kind = OPPROF_EXPORTER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .ops = &ops);
