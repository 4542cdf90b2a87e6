/* SPDX-License-Identifier: Apache-2.0 */
/* Pipeline documents with settings, and their parameters against a table that has every type. */
#include "fuzz/fuzz.h"
#include "document/config.h"
#include "plugin/params.h"

#include <opprof/json.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <stdlib.h>

static const char *const choices[] = { "fast", "exact", NULL };

static const OpprofParam table[] = {
    { .name = "b", .type = OPPROF_PARAM_BOOL },
    { .name = "i", .type = OPPROF_PARAM_INT, .min = -5, .max = 1e9, .unit = "ms" },
    { .name = "d", .type = OPPROF_PARAM_DOUBLE, .min = 0, .max = 1 },
    { .name = "s", .type = OPPROF_PARAM_STRING, .flags = OPPROF_PARAM_REQUIRED },
    { .name = "c", .type = OPPROF_PARAM_CHOICE, .choices = choices },
    { .name = "z", .type = OPPROF_PARAM_SIZE, .default_value = "64KiB" },
    { .name = "t", .type = OPPROF_PARAM_DURATION },
    { .name = "p", .type = OPPROF_PARAM_PATH },
    { .name = "l", .type = OPPROF_PARAM_LIST, .choices = choices },
};

static void check_stage(const ConfigStage *stage, Problems *problems)
{
    const ParamInput input = {
        .given = stage->params,
        .origins = stage->origins,
        .pointer = stage->pointer,
        .stage = stage->id,
    };
    OpprofParams *params = ParamBuild(table, OPPROF_COUNT(table), &input, problems);

    json_decref(ParamToJson(params));
    ParamDestroy(params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ConfigSetting settings[] = { { "v", "${w}" }, { "a.i", "7" }, { "a.t", "10ms" } };
    const ConfigRequest request = { .settings = settings,
                                    .setting_count = size > 0 ? data[size - 1] % 4 : 0 };
    PipelineConfig config = { 0 };
    Problems problems = { 0 };
    OpprofError *error = NULL;
    json_t *root = NULL;

    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    if (OpprofJsonParse("fuzz", (const char *) data, size, &root, &error) == OPPROF_OK) {
        ConfigParse(&(ConfigOrigin){ .name = "fuzz", .directory = "." }, root, &request, &config,
                    &problems, &error);
    }
    for (size_t i = 0; i < config.stage_count; i++) {
        check_stage(&config.stages[i], &problems);
    }
    ProblemsToError(&problems, "It", &error);
    OpprofErrorDestroy(error);
    ProblemsFinish(&problems);
    ConfigFinish(&config);
    return 0;
}
