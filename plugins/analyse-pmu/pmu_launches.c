/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-launches: all launches of a run in one table, longest first, and the time of each kernel's
 * launches.
 * Tested by tests/plugins/parse-pmu/test_launches.sh.
 */
#include "launches.h"
#include "storage.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_LAUNCHES, OUTPUT_KERNELS };

#define BUSY_FROM 80.0 /* percent of its core's cycles, from which on a unit is the bound */

/* Record of "onboard.launches". */
typedef struct LaunchRow {
    uint32_t kernel;
    uint32_t device;
    uint32_t order;
    uint32_t bound;
    uint32_t busiest;
    uint32_t reserved;
    double busy;
    double duration_us;
    double share;
} LaunchRow;

/* Record of "onboard.kernels". */
typedef struct KernelRow {
    uint64_t launches;
    double sum_us;
    double share;
    double mean_us;
    double median_us;
    double least_us;
    double most_us;
    uint32_t kernel;
    uint32_t reserved;
} KernelRow;

#define UNTIMED "its data has no duration"
#define UNCOUNTED "no unit was counted"

static const OpprofField launch_fields[] = {
    OPPROF_FIELD(LaunchRow, kernel, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Operator as the data names it.", .absent = "it has no name"),
    OPPROF_FIELD(LaunchRow, device, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Device it ran on.", .absent = "the data does not say"),
    OPPROF_FIELD(LaunchRow, order, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Which of the kernel's launches, as its folder is named.",
                 .absent = "it has no folder"),
    OPPROF_FIELD(LaunchRow, duration_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .heading = "duration(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Task duration.", .absent = UNTIMED),
    OPPROF_FIELD(
        LaunchRow, share, OPPROF_FIELD_F64, .unit = "%", .decimals = 5, .heading = "share(%)",
        .meaning = "Part of the durations of all launches that have one.", .absent = UNTIMED),
    OPPROF_FIELD(LaunchRow, bound, OPPROF_FIELD_STRING,
                 .meaning = "What bounds it: memory, compute or scalar, if a unit of that kind was "
                            "busy for 80 % of a core's time, else latency.",
                 .absent = "not all units were counted"),
    OPPROF_FIELD(LaunchRow, busiest, OPPROF_FIELD_STRING,
                 .meaning = "Pipe or unit that was busy for the largest share of a core's time.",
                 .absent = UNCOUNTED),
    OPPROF_FIELD(LaunchRow, busy, OPPROF_FIELD_F64, .unit = "%", .decimals = 3,
                 .heading = "busy(%)", .meaning = "That share.", .absent = UNCOUNTED),
};

#define KERNEL_TIME(member, head, text)                                                            \
    OPPROF_FIELD(KernelRow, member, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,                 \
                 .heading = (head), .flags = OPPROF_FIELD_ALONE, .meaning = (text),                \
                 .absent = UNTIMED)

static const OpprofField kernel_fields[] = {
    OPPROF_FIELD(KernelRow, kernel, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Operator as the data names it.", .absent = "it has no name"),
    OPPROF_FIELD(KernelRow, launches, OPPROF_FIELD_U64, .unit = "1",
                 .meaning = "Launches with a duration."),
    OPPROF_FIELD(KernelRow, sum_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .heading = "sum(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Their durations, added up.", .absent = UNTIMED),
    OPPROF_FIELD(
        KernelRow, share, OPPROF_FIELD_F64, .unit = "%", .decimals = 5, .heading = "share(%)",
        .meaning = "Part of the durations of all launches that have one.", .absent = UNTIMED),
    KERNEL_TIME(mean_us, "mean(us)", "Mean duration."),
    KERNEL_TIME(median_us, "median(us)", "Median duration."),
    KERNEL_TIME(least_us, "min(us)", "Shortest duration."),
    KERNEL_TIME(most_us, "max(us)", "Longest duration."),
};

#define TABLE(type_name, text, record, list, heading, file)                                        \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = (text), .size = sizeof(record), .flags = OPPROF_RECORD_TABLE, .fields = (list), \
        .field_count = OPPROF_COUNT(list), .title = (heading), .file_hint = (file)                 \
    }

static const OpprofRecordType launches_type =
    TABLE("onboard.launches", "All launches of a run, longest first.", LaunchRow, launch_fields,
          "Launches", "launches");
static const OpprofRecordType kernels_type =
    TABLE("onboard.kernels", "Time of the launches of a kernel.", KernelRow, kernel_fields,
          "Kernels", "kernels");

typedef struct LaunchList {
    OpprofStage *stage;
    PmuMetrics *metrics; /* of the chips seen so far */
    LaunchRow *rows;
    size_t count;
    size_t capacity;
} LaunchList;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    LaunchList *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "list launches");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
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
    if (busiest->percent < BUSY_FROM) {
        return busiest->has_unknown ? NULL : "latency";
    }
    if (strncmp(busiest->name, "Cube", 4) == 0 || strncmp(busiest->name, "Vector", 6) == 0) {
        return "compute";
    }
    return strcmp(busiest->name, "Scalar") == 0 ? "scalar" : "memory";
}

static OpprofStatus find_bound(LaunchList *self, const LaunchView *view, LaunchRow *row,
                               OpprofError **error)
{
    PmuMetrics *metrics = NULL;
    StorageBusiest busiest = { .name = NULL };
    const OpprofStatus status =
        PmuMetricsFind(&self->metrics, self->stage, view, compile, &metrics, error);

    if (status != OPPROF_OK) {
        return status;
    }
    for (uint32_t key = 0; key < view->key_count; key++) {
        StorageBusiestLook(metrics->compiled, metrics, view, self->stage, key, &busiest);
    }
    if (busiest.name != NULL) {
        row->bound = PmuIntern(self->stage, bound_of(&busiest));
        row->busiest = PmuIntern(self->stage, busiest.name);
        row->busy = busiest.percent;
    }
    return OPPROF_OK;
}

static OpprofStatus take(LaunchList *self, const LaunchView *view, OpprofError **error)
{
    const OpprofPmuLaunch *launch = &view->launch;
    LaunchRow row = {
        .kernel = launch->name != OPPROF_NA_STRING ? launch->name : launch->kernel,
        .device = launch->device != OPPROF_NA_STRING ? launch->device : launch->device_id,
        .order = launch->order,
        .bound = OPPROF_NA_STRING,
        .busiest = OPPROF_NA_STRING,
        .busy = OpprofNaF64(),
        .duration_us = launch->duration_us,
        .share = OpprofNaF64(),
    };
    const OpprofStatus status = find_bound(self, view, &row, error);

    if (status == OPPROF_OK &&
        !OpprofGrow(&self->rows, &self->capacity, self->count + 1, sizeof *self->rows)) {
        return OpprofErrorNoMemory(error, "list launches");
    }
    if (status == OPPROF_OK) {
        self->rows[self->count++] = row;
    }
    return status;
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

static bool is_timed(const LaunchRow *row)
{
    return row->duration_us >= 0; /* except the absent one */
}

static int compare_texts(const OpprofStage *stage, uint32_t a, uint32_t b)
{
    return strverscmp(OpprofStageString(stage, a), OpprofStageString(stage, b));
}

/* Longest first, launches without a time at the end; interface of qsort_r. */
static int compare_times(const void *a, const void *b, void *context)
{
    const LaunchRow *x = a;
    const LaunchRow *y = b;
    const double left = is_timed(x) ? x->duration_us : -1;
    const double right = is_timed(y) ? y->duration_us : -1;
    int by_text;

    if (left > right || left < right) {
        return left > right ? -1 : 1;
    }
    by_text = compare_texts(context, x->kernel, y->kernel);
    by_text = by_text != 0 ? by_text : compare_texts(context, x->device, y->device);
    return by_text != 0 ? by_text : compare_texts(context, x->order, y->order);
}

/* By kernel, then by time. */
static int compare_kernels(const void *a, const void *b, void *context)
{
    const int by_kernel =
        compare_texts(context, ((const LaunchRow *) a)->kernel, ((const LaunchRow *) b)->kernel);

    return by_kernel != 0 ? by_kernel : compare_times(a, b, context);
}

static double sum_of(const LaunchRow *rows, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += is_timed(&rows[i]) ? rows[i].duration_us : 0;
    }
    return sum;
}

static OpprofStatus push_launches(LaunchList *self, double whole)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < self->count; i++) {
        LaunchRow *row = &self->rows[i];

        row->share = is_timed(row) && whole > 0 ? 100 * row->duration_us / whole : OpprofNaF64();
        status = OpprofStageAppend(self->stage, OUTPUT_LAUNCHES, 0, row);
    }
    return status;
}

/* `rows` are of one kernel, longest first, `timed` of them with a duration. */
static OpprofStatus push_kernel(LaunchList *self, const LaunchRow *rows, size_t timed, double whole)
{
    const double sum = sum_of(rows, timed);
    KernelRow row = { .kernel = rows[0].kernel,
                      .launches = timed,
                      .sum_us = OpprofNaF64(),
                      .share = OpprofNaF64(),
                      .mean_us = OpprofNaF64(),
                      .median_us = OpprofNaF64(),
                      .least_us = OpprofNaF64(),
                      .most_us = OpprofNaF64() };

    if (timed > 0) {
        row.sum_us = sum;
        row.share = whole > 0 ? 100 * sum / whole : OpprofNaF64();
        row.mean_us = sum / (double) timed;
        row.median_us = (rows[(timed - 1) / 2].duration_us + rows[timed / 2].duration_us) / 2;
        row.least_us = rows[timed - 1].duration_us;
        row.most_us = rows[0].duration_us;
    }
    return OpprofStageAppend(self->stage, OUTPUT_KERNELS, 0, &row);
}

static OpprofStatus push_kernels(LaunchList *self, double whole)
{
    OpprofStatus status = OPPROF_OK;

    qsort_r(self->rows, self->count, sizeof *self->rows, compare_kernels, self->stage);
    for (size_t first = 0, end; status == OPPROF_OK && first < self->count; first = end) {
        size_t timed = 0;

        for (end = first; end < self->count && self->rows[end].kernel == self->rows[first].kernel;
             end++) {
            timed += is_timed(&self->rows[end]);
        }
        status = push_kernel(self, &self->rows[first], timed, whole);
    }
    return status;
}

/* A single launch is not listed. */
static OpprofStatus flush(void *context, OpprofError **error)
{
    LaunchList *self = context;
    OpprofStatus status;
    double whole;

    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Compared launches: %zu", self->count);
    if (self->count < 2) {
        return OPPROF_OK;
    }
    /* Sums are rounded, so they must not depend on the order of arrival. */
    qsort_r(self->rows, self->count, sizeof *self->rows, compare_times, self->stage);
    whole = sum_of(self->rows, self->count);
    status = push_launches(self, whole);
    if (status == OPPROF_OK) {
        status = push_kernels(self, whole);
    }
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "list launches") : status;
}

static void destroy(void *context)
{
    LaunchList *self = context;

    PmuMetricsFree(self->metrics);
    free(self->rows);
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
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

static const char *const chip_sections[] = { "metrics", "peaks", "pmu", NULL };

OPPROF_PLUGIN_DEFINE(.name = "pmu-launches", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Lists all launches of a run and the time of each kernel.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops,
                     .chip_sections = chip_sections, .chip_schemas = pmu_chip_schemas);
