/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database of results as someone may hand it over: bytes of a file, or SQL that makes one.
 * Whatever it holds, collect-results gives records whose every field can be printed, or an error.
 */
#include "fuzz/fuzz.h"
#include "fuzz/made_database.h"
#include "fuzz/quick_runs.h"

#include <opprof/opprof.h>
#include <opprof/print.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS_MOST 5.0 /* views may have no end */

extern const OpprofPlugin opprof_plugin_v0;

static OpprofStage *sink_stage;

static OpprofStatus sink_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    (void) error;
    sink_stage = stage;
    *ret_self = NULL;
    return OPPROF_OK;
}

static OpprofStatus print_batch(void *self, uint32_t port, const OpprofBatch *batch,
                                OpprofError **error)
{
    size_t sum = 0;

    (void) self;
    (void) port;
    (void) error;
    for (uint32_t i = 0; i < batch->count; i++) {
        for (uint32_t f = 0; f < batch->type->field_count; f++) {
            char number[OPPROF_TEXT_NUMBER];
            size_t length = 0;
            const char *text = OpprofFieldPrint(sink_stage, batch, &batch->type->fields[f],
                                                OpprofBatchRecord(batch, i), number, &length);

            for (size_t c = 0; text != NULL && c < length; c++) {
                sum += (unsigned char) text[c];
            }
        }
    }
    FUZZ_REQUIRE(sum < SIZE_MAX);
    return OPPROF_OK;
}

static const OpprofPort sink_inputs[] = {
    { .name = "tables", .type = OPPROF_ANY_TABLE, .flags = OPPROF_PORT_MANY, .summary = "Tables." },
    { .name = "spans", .type = "span", .flags = OPPROF_PORT_MANY, .summary = "Timelines." },
    { .name = "counters", .type = "counter", .flags = OPPROF_PORT_MANY, .summary = "Curves." },
};

static const OpprofPluginOps sink_ops = { .struct_size = sizeof sink_ops,
                                          .create = sink_create,
                                          .process = print_batch };

static const OpprofPlugin sink = {
    .struct_size = sizeof sink,
    .abi_major = OPPROF_ABI_MAJOR,
    .abi_minor = OPPROF_ABI_MINOR,
    .name = "look",
    .version = "1.0",
    .license = "Apache-2.0",
    .summary = "Looks at all.",
    .kind = OPPROF_EXPORTER,
    .inputs = sink_inputs,
    .input_count = OPPROF_COUNT(sink_inputs),
    .ops = &sink_ops,
};

static void read_database(const char *path, const char *results)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofRunReport report = { 0 };
    OpprofError *error = NULL;
    char *params = NULL;

    FUZZ_REQUIRE(pipeline != NULL && asprintf(&params, "{\"input\": \"%s\"}", path) >= 0);
    FUZZ_REQUIRE(AddPluginDescriptor(pipeline, "results", &opprof_plugin_v0, params, NULL) ==
                 OPPROF_OK);
    FUZZ_REQUIRE(AddPluginDescriptor(pipeline, "look", &sink, NULL, NULL) == OPPROF_OK);
    FUZZ_REQUIRE(OpprofPipelineSetOutput(pipeline, results, true, NULL) == OPPROF_OK);
    OpprofPipelineSetTimeout(pipeline, SECONDS_MOST);
    RunAllPlugins(pipeline, &report, &error);
    FUZZ_REQUIRE(report.hanging == 0);
    OpprofErrorDestroy(error);
    OpprofRunReportFinish(&report);
    OpprofPipelineDestroy(pipeline);
    free(params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char directory[FUZZ_DIRECTORY_BYTES];
    char path[64], record[64];

    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    FuzzMakeDirectory(directory);
    snprintf(path, sizeof path, "%s/results.sqlite", directory);
    snprintf(record, sizeof record, "%s/run.json", directory);
    FuzzMakeDatabase(path, data, size);
    read_database(path, directory);
    unlink(path);
    unlink(record);
    rmdir(directory);
    return 0;
}
