/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of what the host of a rank did.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "analyse-trace/host/host_rows.h"

#include <stdlib.h>
#include <string.h>

/* A rank that is over, and where its rows go. */
typedef struct Ending {
    HostRows *self;
    const HostRank *rank;
    const FeedRank *of;
    uint32_t name; /* of the rank */
    double us_a_tick;
    double offset_us;
    ItemMap idle;  /* ticks by activity, of all devices */
    ItemMap waits; /* of ActivityRow, by name, of all devices */
} Ending;

static OpprofStatus put(const Ending *ending, uint32_t table, const void *row)
{
    return FeedHand(ending->self->feed, table, ending->of, row);
}

static int compare_idle(const void *a, const void *b, void *context)
{
    const HostIdle *left = *(const HostIdle *const *) a;
    const HostIdle *right = *(const HostIdle *const *) b;

    (void) context;
    if (left->ticks != right->ticks) {
        return left->ticks < right->ticks ? 1 : -1;
    }
    return (left->activity > right->activity) - (left->activity < right->activity);
}

/* The first of an activity's names that shows a cause. False without memory. */
static bool find_cause(const Ending *ending, const HostActivity *activity, uint32_t *ret_cause,
                       uint32_t *ret_name)
{
    const uint32_t names[] = { activity->around_annotation, activity->around_operator,
                               activity->name };
    bool is_good = true;

    *ret_cause = OPPROF_NA_STRING;
    for (size_t i = 0; is_good && *ret_cause == OPPROF_NA_STRING && i < OPPROF_COUNT(names); i++) {
        is_good =
            HostCausesFind(&ending->self->causes, ending->self->feed->stage, names[i], ret_cause);
        *ret_name = names[i];
    }
    return is_good;
}

/* What people know an activity by that shows no cause. */
static uint32_t known_by(const Ending *ending, const HostActivity *activity)
{
    const uint32_t names[] = { activity->kind == HOST_ANNOTATION || activity->kind == HOST_FRAME
                                   ? activity->name
                                   : OPPROF_NA_STRING,
                               activity->around_operator, activity->around_annotation,
                               activity->name };

    for (size_t i = 0; i < OPPROF_COUNT(names); i++) {
        if (names[i] != OPPROF_NA_STRING) {
            return names[i];
        }
    }
    return activity->kind == HOST_OUTSIDE ? ending->self->nothing_id
                                          : ending->self->kind_ids[activity->kind];
}

/* Launching is what operators do. */
static HostKind kind_in_short(const HostActivity *activity)
{
    return activity->around_operator != OPPROF_NA_STRING &&
                   (activity->kind == HOST_LAUNCH || activity->kind == HOST_OTHER_CALL)
               ? HOST_OPERATOR
               : activity->kind;
}

static IdleRow idle_row(const Ending *ending, const HostDevice *device, const HostIdle *idle)
{
    const HostActivity *activity = HostRankActivity(ending->rank, idle->activity);
    const double us = ending->us_a_tick;

    return (IdleRow){ .rank = ending->name,
                      .device = device->name,
                      .what = activity->name,
                      .kind = ending->self->kind_ids[activity->kind],
                      .around_operator = activity->around_operator,
                      .around_annotation = activity->around_annotation,
                      .inner_operator = activity->inner_operator,
                      .step = idle->step,
                      .idle_us = (double) idle->ticks * us,
                      .count = idle->count,
                      .longest_us = (double) idle->longest * us,
                      .longest_start_us = ending->offset_us + (double) idle->longest_start * us };
}

static int compare_activities(const void *a, const void *b, void *context)
{
    const ActivityRow *left = *(const ActivityRow *const *) a;
    const ActivityRow *right = *(const ActivityRow *const *) b;

    (void) context;
    if (left->idle_us > right->idle_us || left->idle_us < right->idle_us) {
        return left->idle_us < right->idle_us ? 1 : -1;
    }
    if (left->activity != right->activity) {
        return left->activity < right->activity ? -1 : 1;
    }
    return (left->kind > right->kind) - (left->kind < right->kind);
}

/* Add to what devices waited for on the host by the same name and kind. False without memory. */
static bool add_activity(Ending *ending, const HostActivity *activity, const IdleRow *row)
{
    const HostKind kind = kind_in_short(activity);
    ActivityRow *sum;
    uint32_t cause;
    uint32_t name;

    if (activity->kind == HOST_LAUNCHED || activity->kind == HOST_UNKNOWN) {
        return true;
    }
    if (!find_cause(ending, activity, &cause, &name)) {
        return false;
    }
    name = cause == OPPROF_NA_STRING ? known_by(ending, activity) : name;
    sum = ItemMapGet(&ending->waits, (uint64_t) name << 32 | kind, sizeof *sum);
    if (sum == NULL) {
        return false;
    }
    sum->rank = row->rank;
    sum->kind = ending->self->kind_ids[kind];
    sum->cause = cause;
    sum->activity = name;
    sum->idle_us += row->idle_us;
    sum->count = row->count > sum->count ? row->count : sum->count;
    if (row->longest_us > sum->longest_us) {
        sum->device = row->device;
        sum->longest_us = row->longest_us;
        sum->longest_start_us = row->longest_start_us;
    }
    return true;
}

static OpprofStatus put_activities(const Ending *ending)
{
    void **list = ItemMapSorted(&ending->waits, compare_activities, NULL);
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < ending->waits.count && i < ending->self->top;
         i++) {
        status = put(ending, TABLE_ACTIVITIES, list[i]);
    }
    free(list);
    return status;
}

/* The idle time of a device; what is beyond the largest of it has no rows. */
static OpprofStatus put_idle(Ending *ending, const HostDevice *device)
{
    void **list = ItemMapSorted(&device->idle, compare_idle, NULL);
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < device->idle.count; i++) {
        const HostIdle *idle = list[i];
        uint64_t *ticks = ItemMapGet(&ending->idle, idle->activity, sizeof *ticks);
        const IdleRow row = idle_row(ending, device, idle);

        if (ticks == NULL ||
            !add_activity(ending, HostRankActivity(ending->rank, idle->activity), &row)) {
            status = OPPROF_E_MEMORY;
            break;
        }
        *ticks += idle->ticks;
        status = i < ending->self->top ? put(ending, TABLE_IDLE, &row) : OPPROF_OK;
    }
    free(list);
    return status;
}

/* Calls of one name, or of one activity. */
typedef struct CallSum {
    HostActivity sum;
    uint64_t idle;
    uint32_t number; /* of the first activity */
} CallSum;

static int compare_calls(const void *a, const void *b, void *context)
{
    const CallSum *left = *(const CallSum *const *) a;
    const CallSum *right = *(const CallSum *const *) b;

    (void) context;
    if (left->sum.total != right->sum.total) {
        return left->sum.total < right->sum.total ? 1 : -1;
    }
    return (left->number > right->number) - (left->number < right->number);
}

static OpprofStatus put_call(const Ending *ending, uint32_t table, const CallSum *call)
{
    const double us = ending->us_a_tick;
    const CallRow row = { .rank = ending->name,
                          .name = call->sum.name,
                          .kind = ending->self->kind_ids[call->sum.kind],
                          .around_operator = call->sum.around_operator,
                          .around_annotation = call->sum.around_annotation,
                          .inner_operator = call->sum.inner_operator,
                          .count = call->sum.count,
                          .total_us = (double) call->sum.total * us,
                          .mean_us = (double) call->sum.total * us / (double) call->sum.count,
                          .max_us = (double) call->sum.longest * us,
                          .idle_us = (double) call->idle * us,
                          .after_us = (double) call->sum.after * us };

    return put(ending, table, &row);
}

static bool is_call(const HostActivity *activity)
{
    return activity->kind >= HOST_LAUNCH && activity->kind <= HOST_OTHER_CALL;
}

static bool is_site(const HostActivity *activity)
{
    return activity->kind >= HOST_COPY && activity->kind <= HOST_ALLOCATE;
}

/* Adds calls up by name, or, for the table of sites, by activity. False without memory. */
static bool add_calls(const Ending *ending, bool by_name, ItemMap *sums)
{
    for (uint32_t i = 0; i < ending->rank->activities.count; i++) {
        const HostActivity *activity = HostRankActivity(ending->rank, i);
        const uint64_t *idle = ItemMapFind(&ending->idle, i);
        CallSum *call;

        if (!(by_name ? is_call(activity) : is_site(activity))) {
            continue;
        }
        call = ItemMapGet(sums, by_name ? activity->name : i, sizeof *call);
        if (call == NULL) {
            return false;
        }
        if (call->sum.count == 0) {
            call->sum = (HostActivity){ .name = activity->name,
                                        .kind = activity->kind,
                                        .around_operator = activity->around_operator,
                                        .around_annotation = activity->around_annotation,
                                        .inner_operator = activity->inner_operator };
            call->number = i;
        }
        call->sum.count += activity->count;
        call->sum.total += activity->total;
        call->sum.after += activity->after;
        call->idle += idle == NULL ? 0 : *idle;
        if (activity->longest > call->sum.longest) {
            call->sum.longest = activity->longest;
        }
    }
    return true;
}

static OpprofStatus put_calls(const Ending *ending, uint32_t table)
{
    ItemMap sums = { .count = 0 };
    void **list = add_calls(ending, table == TABLE_CALLS, &sums)
                      ? ItemMapSorted(&sums, compare_calls, NULL)
                      : NULL;
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < sums.count && i < ending->self->top; i++) {
        status = put_call(ending, table, list[i]);
    }
    free(list);
    ItemMapFree(&sums);
    return status;
}

static OpprofStatus put_steps(const Ending *ending)
{
    const double us = ending->us_a_tick;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < ending->rank->step_count; i++) {
        const HostStep *step = &ending->rank->steps[i];
        StepRow row = { .rank = ending->name,
                        .step = step->name,
                        .place = i,
                        .time_us = (double) (step->end - step->start) * us,
                        .kernels = step->kernels,
                        .computation_us = (double) step->work[HOST_COMPUTATION] * us,
                        .communication_us = (double) step->work[HOST_COMMUNICATION] * us,
                        .idle_us = (double) step->idle * us,
                        .what_us = (double) step->most_ticks * us };

        if (step->most_ticks > 0) {
            const HostActivity *activity = HostRankActivity(ending->rank, step->most);

            row.what = activity->name;
            row.kind = ending->self->kind_ids[activity->kind];
            row.around_operator = activity->around_operator;
            row.around_annotation = activity->around_annotation;
            row.inner_operator = activity->inner_operator;
        }
        status = put(ending, TABLE_STEPS, &row);
    }
    return status;
}

/* An annotation in all iterations. */
typedef struct NameSum {
    uint32_t name;
    AnnotationSum sum;
} NameSum;

/* Most of the device's time first, then most of the host's. */
static int compare_names(const void *a, const void *b, void *stage)
{
    const NameSum *left = *(const NameSum *const *) a;
    const NameSum *right = *(const NameSum *const *) b;

    if (left->sum.device != right->sum.device) {
        return left->sum.device < right->sum.device ? 1 : -1;
    }
    if (left->sum.host != right->sum.host) {
        return left->sum.host < right->sum.host ? 1 : -1;
    }
    return strcmp(OpprofStageString(stage, left->name), OpprofStageString(stage, right->name));
}

/* False without memory. */
static bool add_names(const ItemMap *sums, ItemMap *names)
{
    for (uint32_t i = 0; i < sums->count; i++) {
        const AnnotationSum *sum = ItemMapAt(sums, i);
        const uint32_t name = (uint32_t) (sums->keys[i] >> 32);
        NameSum *all = ItemMapGet(names, name, sizeof *all);

        if (all == NULL) {
            return false;
        }
        all->name = name;
        all->sum.device += sum->device;
        all->sum.host += sum->host;
    }
    return true;
}

/* The rows of an annotation. */
static OpprofStatus put_annotation(const Ending *ending, const ItemMap *sums, uint32_t name)
{
    const double us = ending->us_a_tick;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < ending->rank->step_count; i++) {
        const AnnotationSum *sum = ItemMapFind(sums, AnnotationKey(name, i));

        if (sum != NULL) {
            AnnotationRow row = { .rank = ending->name,
                                  .annotation = name,
                                  .step = ending->rank->steps[i].name,
                                  .place = i,
                                  .count = sum->count,
                                  .host_us = (double) sum->host * us,
                                  .kernels = sum->kernels,
                                  .device_us = (double) sum->device * us };

            if (!HostCausesFind(&ending->self->causes, ending->self->feed->stage, name,
                                &row.cause)) {
                return OPPROF_E_MEMORY;
            }
            status = put(ending, TABLE_ANNOTATIONS, &row);
        }
    }
    return status;
}

static OpprofStatus put_annotations(const Ending *ending)
{
    ItemMap sums = { .count = 0 };
    ItemMap names = { .count = 0 };
    void **list = HostRankAnnotations(ending->rank, &sums) && add_names(&sums, &names)
                      ? ItemMapSorted(&names, compare_names, ending->self->feed->stage)
                      : NULL;
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < names.count && i < ending->self->top; i++) {
        status = put_annotation(ending, &sums, ((const NameSum *) list[i])->name);
    }
    free(list);
    ItemMapFree(&names);
    ItemMapFree(&sums);
    return status;
}

OpprofStatus HostRowsAdd(HostRows *rows, const FeedRank *rank)
{
    const HostRank *host = rank->state;
    Ending ending = { .self = rows,
                      .rank = host,
                      .of = rank,
                      .name = rank->name,
                      .us_a_tick = rank->us_a_tick,
                      .offset_us = (double) rank->offset_ps / 1e6 };
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < host->devices.count; i++) {
        status = put_idle(&ending, ItemMapAt(&host->devices, i));
    }
    status = status == OPPROF_OK ? put_activities(&ending) : status;
    status = status == OPPROF_OK ? put_calls(&ending, TABLE_CALLS) : status;
    status = status == OPPROF_OK ? put_calls(&ending, TABLE_SITES) : status;
    status = status == OPPROF_OK ? put_steps(&ending) : status;
    status = status == OPPROF_OK ? put_annotations(&ending) : status;
    ItemMapFree(&ending.idle);
    ItemMapFree(&ending.waits);
    return status;
}
