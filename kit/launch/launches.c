/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of launches; sorts and sums up the launches of a run, as tested by
 * tests/plugins/parse-pmu/test_launches.sh. */
#include <opprof/kit/launches.h>

#include <opprof/grow.h>
#include <opprof/require.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- folders ---- */

char *OpprofLaunchPath(const OpprofStage *stage, uint32_t device, uint32_t kernel, uint32_t order,
                       const char *name)
{
    const char *const parts[] = { OpprofStageString(stage, device),
                                  OpprofStageString(stage, kernel), OpprofStageString(stage, order),
                                  name == NULL ? "" : name };
    size_t room = 1;
    char *path;
    char *end;

    for (size_t i = 0; i < OPPROF_COUNT(parts); i++) {
        room += strlen(parts[i]) + 1;
    }
    path = malloc(room);
    if (path == NULL) {
        return NULL;
    }
    *path = '\0';
    end = path;
    for (size_t i = 0; i < OPPROF_COUNT(parts); i++) {
        if (parts[i][0] != '\0') {
            end = stpcpy(stpcpy(end, end == path ? "" : "/"), parts[i]);
        }
    }
    return path;
}

uint32_t OpprofLaunchFolder(OpprofStage *stage, uint32_t device, uint32_t kernel, uint32_t order)
{
    char *path = OpprofLaunchPath(stage, device, kernel, order, NULL);
    const uint32_t folder = path == NULL || path[0] == '\0'
                                ? OPPROF_NA_STRING
                                : OpprofStageIntern(stage, path, strlen(path));

    free(path);
    return folder;
}

/* ---- rows ---- */

#define UNTIMED "its data has no duration"
#define UNCOUNTED "no unit was counted"

const OpprofField opprof_launch_fields[OPPROF_LAUNCH_FIELDS] = {
    OPPROF_FIELD(OpprofLaunchRow, kernel, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Operator as the data names it.", .absent = "it has no name"),
    OPPROF_FIELD(OpprofLaunchRow, device, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Device it ran on.", .absent = "the data does not say"),
    OPPROF_FIELD(OpprofLaunchRow, order, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Which of the kernel's launches, as its folder is named.",
                 .absent = "it has no folder"),
    OPPROF_FIELD(OpprofLaunchRow, duration_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_SUM,
                 .unit = "us", .decimals = 4, .heading = "duration(us)",
                 .flags = OPPROF_FIELD_WEIGHT, .meaning = "Task duration.", .absent = UNTIMED),
    OPPROF_FIELD(OpprofLaunchRow, share, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .unit = "%", .decimals = 5, .heading = "share(%)",
                 .meaning = "Part of the durations of all launches that have one.",
                 .absent = UNTIMED),
    OPPROF_FIELD(OpprofLaunchRow, bound, OPPROF_FIELD_STRING,
                 .meaning = "What bounds it: memory, compute or scalar, if a unit of that kind was "
                            "busy for 80 % of a core's time, else latency.",
                 .absent = "not all units were counted"),
    OPPROF_FIELD(OpprofLaunchRow, busiest, OPPROF_FIELD_STRING,
                 .meaning = "Pipe or unit that was busy for the largest share of a core's time.",
                 .absent = UNCOUNTED),
    OPPROF_FIELD(OpprofLaunchRow, busy, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .unit = "%", .decimals = 3, .heading = "busy(%)", .meaning = "That share.",
                 .absent = UNCOUNTED),
};

#define KERNEL_TIME(member, head, text)                                                            \
    OPPROF_FIELD(OpprofKernelRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE,        \
                 .unit = "us", .decimals = 4, .heading = (head), .flags = OPPROF_FIELD_ALONE,      \
                 .meaning = (text), .absent = UNTIMED)

const OpprofField opprof_kernel_fields[OPPROF_KERNEL_FIELDS] = {
    OPPROF_FIELD(OpprofKernelRow, kernel, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Operator as the data names it.", .absent = "it has no name"),
    OPPROF_FIELD(OpprofKernelRow, launches, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,
                 .unit = "1", .meaning = "Launches with a duration."),
    OPPROF_FIELD(OpprofKernelRow, sum_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_SUM,
                 .unit = "us", .decimals = 4, .heading = "sum(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Their durations, added up.", .absent = UNTIMED),
    OPPROF_FIELD(OpprofKernelRow, share, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .unit = "%", .decimals = 5, .heading = "share(%)",
                 .meaning = "Part of the durations of all launches that have one.",
                 .absent = UNTIMED),
    KERNEL_TIME(mean_us, "mean(us)", "Mean duration."),
    KERNEL_TIME(median_us, "median(us)", "Median duration."),
    KERNEL_TIME(least_us, "min(us)", "Shortest duration."),
    KERNEL_TIME(most_us, "max(us)", "Longest duration."),
};

OpprofStatus OpprofLaunchListAdd(OpprofLaunchList *list, const OpprofLaunchRow *row)
{
    OPPROF_REQUIRE("launch-list-given", list != NULL && row != NULL,
                   "The list is given, with a row or a stage");
    if (!OpprofGrow(&list->rows, &list->capacity, list->count + 1, sizeof *list->rows)) {
        return OPPROF_E_MEMORY;
    }
    list->rows[list->count++] = *row;
    return OPPROF_OK;
}

/* ---- the tables ---- */

static bool is_timed(const OpprofLaunchRow *row)
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
    const OpprofLaunchRow *x = a;
    const OpprofLaunchRow *y = b;
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
    const int by_kernel = compare_texts(context, ((const OpprofLaunchRow *) a)->kernel,
                                        ((const OpprofLaunchRow *) b)->kernel);

    return by_kernel != 0 ? by_kernel : compare_times(a, b, context);
}

static double sum_of(const OpprofLaunchRow *rows, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += is_timed(&rows[i]) ? rows[i].duration_us : 0;
    }
    return sum;
}

static OpprofStatus push_launches(OpprofLaunchList *self, OpprofStage *stage, uint32_t port,
                                  double whole)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < self->count; i++) {
        OpprofLaunchRow *row = &self->rows[i];

        row->share = is_timed(row) && whole > 0 ? 100 * row->duration_us / whole : OpprofNaF64();
        status = OpprofStageAppend(stage, port, 0, row);
    }
    return status;
}

/* `rows` are of one kernel, longest first, `timed` of them with a duration. */
static OpprofKernelRow make_kernel(const OpprofLaunchRow *rows, size_t timed, double whole)
{
    const double sum = sum_of(rows, timed);
    OpprofKernelRow row = { .kernel = rows[0].kernel,
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
    return row;
}

static OpprofStatus push_kernels(OpprofLaunchList *self, OpprofStage *stage, uint32_t port,
                                 double whole)
{
    OpprofStatus status = OPPROF_OK;

    qsort_r(self->rows, self->count, sizeof *self->rows, compare_kernels, stage);
    for (size_t first = 0, end; status == OPPROF_OK && first < self->count; first = end) {
        size_t timed = 0;

        for (end = first; end < self->count && self->rows[end].kernel == self->rows[first].kernel;
             end++) {
            timed += is_timed(&self->rows[end]);
        }
        const OpprofKernelRow row = make_kernel(&self->rows[first], timed, whole);

        status = OpprofStageAppend(stage, port, 0, &row);
    }
    return status;
}

OpprofStatus OpprofLaunchListPush(OpprofLaunchList *list, OpprofStage *stage, uint32_t launches,
                                  uint32_t kernels)
{
    OPPROF_REQUIRE("launch-list-given", list != NULL && stage != NULL,
                   "The list is given, with a row or a stage");

    OpprofStatus status;
    double whole;

    if (list->count < 2) {
        return OPPROF_OK;
    }
    /* Sums are rounded, so they must not depend on the order of arrival. */
    qsort_r(list->rows, list->count, sizeof *list->rows, compare_times, stage);
    whole = sum_of(list->rows, list->count);
    status = push_launches(list, stage, launches, whole);
    return status == OPPROF_OK ? push_kernels(list, stage, kernels, whole) : status;
}

void OpprofLaunchListFinish(OpprofLaunchList *list)
{
    OPPROF_REQUIRE("launch-list-given", list != NULL, "The list is given, with a row or a stage");
    free(list->rows);
    *list = (OpprofLaunchList){ .count = 0 };
}
