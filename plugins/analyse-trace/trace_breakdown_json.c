/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-breakdown-json: writes breakdowns as temporal_breakdown.json, the form that other programs
 * read: one object for the whole run, and a list with one for each rank.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/breakdown.h"

#include <opprof/grow.h>
#include <opprof/kit/json_out.h>
#include <opprof/plugin.h>
#include <opprof/stage.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "temporal_breakdown.json"

typedef struct BreakdownJson {
    OpprofStage *stage;
    BreakdownRow *rows; /* of ranks */
    size_t count;
    size_t capacity;
    BreakdownRow all;
    bool has_all;
} BreakdownJson;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(BreakdownJson), ret_self, error);
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    BreakdownJson *self = context;

    (void) port;
    if (!OpprofGrow(&self->rows, &self->capacity, self->count + batch->count, sizeof *self->rows)) {
        return OpprofErrorNoMemory(error, "keep breakdowns");
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        BreakdownRow row;

        memcpy(&row, OpprofBatchRecord(batch, i), sizeof row);
        if (strcmp(OpprofStageString(self->stage, row.rank), BREAKDOWN_ALL) == 0) {
            self->all = row;
            self->has_all = true;
        } else {
            self->rows[self->count++] = row;
        }
    }
    return OPPROF_OK;
}

/* ---- text ---- */

static void put_member(OpprofJsonOut *json, const char *key, double value, unsigned decimals)
{
    OpprofJsonPutRaw(json, ", \"");
    OpprofJsonPutRaw(json, key);
    OpprofJsonPutRaw(json, "\": ");
    OpprofJsonPutFixed(json, value, decimals);
}

static bool is_number(const char *text, size_t length)
{
    return length > 0 && length < 10 && (text[0] != '0' || length == 1) &&
           strspn(text, "0123456789") == length;
}

/* A rank that is a number is printed as one. */
static void put_rank(OpprofJsonOut *json, const char *rank, size_t length)
{
    if (is_number(rank, length)) {
        OpprofJsonPutBytes(json, rank, length);
    } else {
        OpprofJsonPutString(json, rank, length);
    }
}

static void put_row(OpprofJsonOut *json, const BreakdownJson *self, const BreakdownRow *row)
{
    size_t length;
    const char *rank = OpprofStageStringLength(self->stage, row->rank, &length);

    OpprofJsonPutRaw(json, "{\"rank\": ");
    put_rank(json, rank, length);
    put_member(json, "kernel_time_us", row->kernel_us, 3);
    put_member(json, "compute_time_us", row->compute_us, 3);
    put_member(json, "non_compute_time_us", row->non_compute_us, 3);
    put_member(json, "idle_time_us", row->idle_us, 3);
    put_member(json, "compute_percent", row->compute_percent, 2);
    put_member(json, "non_compute_percent", row->non_compute_percent, 2);
    put_member(json, "idle_percent", row->idle_percent, 2);
    OpprofJsonPutRaw(json, "}");
}

/* The whole run (the only rank, or the sum of all ranks), then the ranks as a list. */
static void put_all(OpprofJsonOut *json, const BreakdownJson *self)
{
    OpprofJsonPutRaw(json, "{\"temporal_breakdown\": ");
    if (self->has_all || self->count > 0) {
        put_row(json, self, self->has_all ? &self->all : self->rows);
    } else {
        OpprofJsonPutRaw(json, "null");
    }
    OpprofJsonPutRaw(json, ",\n\"ranks\": [\n");
    for (size_t i = 0; i < self->count; i++) {
        put_row(json, self, &self->rows[i]);
        OpprofJsonPutRaw(json, i + 1 < self->count ? ",\n" : "\n");
    }
    OpprofJsonPutRaw(json, "]}\n");
}

static OpprofStatus write_file(const BreakdownJson *self, const OpprofJsonOut *json,
                               OpprofError **error)
{
    OpprofOutputFile *file;
    OpprofStatus status =
        OpprofOutputFileCreate(OpprofStageOutput(self->stage), FILE_NAME, &file, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = OpprofOutputFileWrite(file, json->text, json->length, error);
    if (status != OPPROF_OK) {
        OpprofOutputFileDiscard(file);
        return status;
    }
    return OpprofOutputFileFinish(file, error);
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    const BreakdownJson *self = context;
    OpprofJsonOut json = { .text = NULL };
    OpprofStatus status;

    put_all(&json, self);
    status = json.is_short ? OpprofErrorNoMemory(error, "write '" FILE_NAME "'")
                           : write_file(self, &json, error);
    OpprofJsonOutFinish(&json);
    return status;
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
