/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-launches: all launches of a run in one table, longest first, and the time of each kernel's
 * launches, with what bounds each.
 * Tested by tests/plugins/parse-pmu/test_launches.sh.
 */
#include "launches.h"
#include "rule_tables.h"

#include <inttypes.h>
#include <opprof/kit/launches.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_LAUNCHES, OUTPUT_KERNELS, OUTPUT_LOADS, OUTPUT_PIPES };

static const OpprofRecordType launches_type = OPPROF_LAUNCH_TYPE("onboard.launches");
static const OpprofRecordType kernels_type = OPPROF_KERNEL_TYPE("onboard.kernels");

typedef struct LaunchList {
    OpprofStage *stage;
    PmuMetrics *metrics; /* of the chips seen so far */
    OpprofLaunchList list;
} LaunchList;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(LaunchList), ret_self, error);
}

/* ---- what bounds a launch ---- */

static void forget(void *compiled)
{
    StorageModelFinish(compiled);
    free(compiled);
}

static OpprofStatus compile(PmuMetrics *metrics, OpprofError **error)
{
    StorageModel *model = calloc(1, sizeof *model);

    metrics->compiled = model;
    metrics->forget = forget;
    return model == NULL ? OpprofErrorNoMemory(error, "list launches")
                         : StorageModelCompile(model, metrics, error);
}

/* NULL: nothing that was counted bounds it, but something was not counted. */
static const char *bound_of(const StorageBusiest *busiest)
{
    if (busiest->percent < OPPROF_LAUNCH_BUSY) {
        return busiest->has_unknown ? NULL : "latency";
    }
    if (strncmp(busiest->name, "Cube", 4) == 0 || strncmp(busiest->name, "Vector", 6) == 0) {
        return "compute";
    }
    return strcmp(busiest->name, "Scalar") == 0 ? "scalar" : "memory";
}

static void find_bound(LaunchList *self, const LaunchView *view, PmuMetrics *metrics,
                       OpprofLaunchRow *row)
{
    StorageBusiest busiest = { .name = NULL };

    for (uint32_t key = 0; key < view->key_count; key++) {
        StorageBusiestLook(metrics->compiled, metrics, view, self->stage, key, &busiest);
    }
    if (busiest.name != NULL) {
        row->bound = PmuIntern(self->stage, bound_of(&busiest));
        row->busiest = PmuIntern(self->stage, busiest.name);
        row->busy = busiest.percent;
    }
}

static OpprofStatus take(LaunchList *self, const LaunchView *view, OpprofError **error)
{
    static const RulePorts ports = { OUTPUT_LOADS, OUTPUT_PIPES };
    PmuMetrics *metrics = NULL;
    const OpprofPmuLaunch *launch = &view->launch;
    OpprofLaunchRow row = {
        .kernel = launch->name != OPPROF_NA_STRING ? launch->name : launch->kernel,
        .device = launch->device != OPPROF_NA_STRING ? launch->device : launch->device_id,
        .order = launch->order,
        .bound = OPPROF_NA_STRING,
        .busiest = OPPROF_NA_STRING,
        .busy = OpprofNaF64(),
        .duration_us = launch->duration_us,
        .share = OpprofNaF64(),
    };
    OpprofStatus status =
        PmuMetricsFind(&self->metrics, self->stage, view, compile, &metrics, error);

    if (status != OPPROF_OK) {
        return status;
    }
    find_bound(self, view, metrics, &row);
    status = OpprofLaunchListAdd(&self->list, &row);
    if (status == OPPROF_OK) {
        status = RuleTablesPush(metrics->compiled, metrics, view, &ports);
    }
    return OpprofErrorExplain(error, status, "Cannot list launches");
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    (void) port;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        LaunchView view;

        status = LaunchViewTake(batch, OpprofBatchRecord(batch, i), &view, error);
        if (status == OPPROF_OK) {
            status = take(context, &view, error);
            LaunchViewFinish(&view);
        }
    }
    return status;
}

/* ---- the end ---- */

static OpprofStatus flush(void *context, OpprofError **error)
{
    LaunchList *self = context;
    OpprofStatus status;

    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Compared launches: %zu",
              self->list.count);
    status = OpprofLaunchListPush(&self->list, self->stage, OUTPUT_LAUNCHES, OUTPUT_KERNELS);
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "list launches") : status;
}

static void destroy(void *context)
{
    LaunchList *self = context;

    PmuMetricsFree(self->metrics);
    OpprofLaunchListFinish(&self->list);
    free(self);
}

static const OpprofPort inputs[] = {
    LAUNCHES_INPUT,
};

static const OpprofPort outputs[] = {
    [OUTPUT_LAUNCHES] = { .name = "launches",
                          .record_type = &launches_type,
                          .summary =
                              "All launches, longest first; none in a run with a single launch." },
    [OUTPUT_KERNELS] = { .name = "kernels",
                         .record_type = &kernels_type,
                         .summary = "Time of the launches of each kernel." },
    [OUTPUT_LOADS] = { .name = "loads",
                       .record_type = &pmu_loads_type,
                       .summary = "How evenly each launch used the cores." },
    [OUTPUT_PIPES] = { .name = "pipes",
                       .record_type = &pmu_pipes_type,
                       .summary = "What the pipes of the longest core of each kind did." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "pmu-launches", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Lists all launches of a run and the time of each kernel.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops,
                     .chip_sections = launches_chip_sections, .chip_tables = pmu_chip_tables);
