/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the raw files of one launch as they arrive.
 * Tested by tests/plugins/parse-pmu/test_vectors.sh.
 */
#include "launch.h"

#include <opprof/intern.h>

#include <inttypes.h>
#include <string.h>

#define HASHED_BYTES (UINT64_C(1) << 16) /* of a file of counters */

/* ---- the chip ---- */

bool LaunchIsApplicationReplay(const Launch *launch)
{
    const char *replay = launch->settings->replay;
    size_t length = 0;

    if (strcmp(replay, "auto") == 0) {
        /* The collector writes the process only when it replays kernels. */
        OpprofLaunchInfo(&launch->base, &length);
        return length > 0 && OpprofLaunchFact(&launch->base, "pid", &length) == NULL;
    }
    return strcmp(replay, "application") == 0;
}

/* Passes on a record of an unknown kind, for inspection. */
static void keep_raw(void *context, const unsigned char *record)
{
    Launch *launch = context;

    OpprofLaunchKeep(&launch->base, record, launch->merge.layout->counters.size,
                     "a record of a function or core type that the chip file does not name");
}

OpprofStatus LaunchChoose(OpprofLaunch *base, OpprofError **error)
{
    Launch *launch = (Launch *) base;

    (void) error;
    launch->model = base->model;
    launch->plan = &launch->model->plans[LaunchIsApplicationReplay(launch)];
    launch->log.layout = &launch->model->layout.task_log;
    MergeInit(&launch->merge, &launch->model->layout, launch->plan);
    launch->merge.on_foreign = keep_raw;
    launch->merge.context = launch;
    return OPPROF_OK;
}

/* ---- counters ---- */

/*
 * A replay beyond the plan counted unknown events, at another time: neither its counters nor its
 * cycles belong to the launch.
 */
static OpprofStatus begin_counters(OpprofLaunch *base, OpprofError **error)
{
    Launch *launch = (Launch *) base;

    (void) error;
    if (base->file.number > MergeRounds(&launch->merge)) {
        launch->rounds_beyond += base->file.size > 0;
        return OPPROF_END;
    }
    if (base->file.size == 0) {
        OPPROF_FILE_LACKS(base, "is empty");
    }
    base->file.record_bytes = launch->model->layout.counters.size;
    launch->file_records = launch->merge.counts.records;
    return OPPROF_OK;
}

/* A copy of another replay's file has the same first bytes: cycles and counters of many cores. */
static void hash_replay(Launch *launch, const unsigned char *bytes, size_t size)
{
    ReplayFile *replay = &launch->replays[launch->base.file.number - 1];
    const uint64_t left =
        launch->base.file.at < HASHED_BYTES ? HASHED_BYTES - launch->base.file.at : 0;

    replay->size = launch->base.file.size;
    if (left > 0) {
        replay->hash = OpprofInternHash(replay->hash, bytes, size < left ? size : (size_t) left);
    }
}

static OpprofStatus take_counters(OpprofLaunch *base, const unsigned char *records, size_t count,
                                  OpprofError **error)
{
    Launch *launch = (Launch *) base;

    (void) error;
    hash_replay(launch, records, count * base->file.record_bytes);
    return MergeRecords(&launch->merge, base->file.number, records, count) ? OPPROF_OK
                                                                           : OPPROF_E_MEMORY;
}

static OpprofStatus end_counters(OpprofLaunch *base, OpprofError **error)
{
    Launch *launch = (Launch *) base;

    (void) error;
    if (launch->merge.counts.records > launch->file_records) {
        launch->rounds_seen |= UINT64_C(1) << (base->file.number - 1);
    }
    return OPPROF_OK;
}

/* ---- the task log ---- */

static OpprofStatus begin_log(OpprofLaunch *base, OpprofError **error)
{
    (void) error;
    base->file.record_bytes = ((const Launch *) base)->log.layout->size;
    return OPPROF_OK;
}

static OpprofStatus take_log(OpprofLaunch *base, const unsigned char *records, size_t count,
                             OpprofError **error)
{
    (void) error;
    TaskLogRecords(&((Launch *) base)->log, records, count);
    return OPPROF_OK;
}

/* ---- the L2 cache ---- */

static OpprofStatus begin_l2(OpprofLaunch *base, OpprofError **error)
{
    Launch *launch = (Launch *) base;

    (void) error;
    base->file.record_bytes = launch->model->layout.l2.size;
    if (base->file.record_bytes == 0) {
        return OPPROF_END; /* the chip leaves none */
    }
    if (base->file.size != base->file.record_bytes) {
        launch->has_l2 = true;
        OPPROF_FILE_LACKS(base, "is left out: it has %" PRIu64 " bytes, not %u", base->file.size,
                          base->file.record_bytes);
        return OPPROF_END;
    }
    return OPPROF_OK;
}

static OpprofStatus take_l2(OpprofLaunch *base, const unsigned char *records, size_t count,
                            OpprofError **error)
{
    Launch *launch = (Launch *) base;
    const L2Layout *layout = &launch->model->layout.l2;
    const char *group = launch->model->layout.facts.l2.group;
    const char *groups = launch->model->choices.groups;
    uint32_t key = 0;

    (void) count, (void) error;
    if (layout->evict_slot != LAYOUT_NO_COLUMN && groups[0] != '\0') {
        launch->l2_evict = CounterGet(layout->width, records + layout->at, layout->evict_slot);
    }
    launch->has_l2 = true;
    if (layout->column_count == 0 || (group != NULL && !OpprofPmuListHas(groups, group))) {
        return OPPROF_OK;
    }
    if (!MergeOnlyKey(&launch->merge, &key)) {
        return OPPROF_E_MEMORY;
    }
    for (uint32_t i = 0; i < layout->column_count; i++) {
        MergeSet(&launch->merge, key, layout->columns[i],
                 CounterGet(layout->width, records + layout->at, i), 1);
    }
    return OPPROF_OK;
}

/* ---- operands ---- */

static uint32_t operand_threads(const Launch *launch)
{
    return launch->settings->operand_threads > 0 ? launch->settings->operand_threads
                                                 : launch->model->layout.facts.operand_threads;
}

static OpprofStatus begin_operands(OpprofLaunch *base, OpprofError **error)
{
    Launch *launch = (Launch *) base;

    (void) error;
    OperandRecordFinish(&launch->operands);
    const char *why =
        OperandRecordBegin(&launch->operands, &launch->model->layout.facts.operand_record,
                           operand_threads(launch), base->file.size);
    if (why != NULL) {
        OPPROF_FILE_LACKS(base, "of %" PRIu64 " bytes is left out: %s", base->file.size, why);
        return OPPROF_END;
    }
    launch->has_operands = true;
    return OPPROF_OK;
}

static OpprofStatus take_operands(OpprofLaunch *base, const unsigned char *bytes, size_t length,
                                  OpprofError **error)
{
    (void) error;
    return OperandRecordFeed(&((Launch *) base)->operands, bytes, length) ? OPPROF_OK
                                                                          : OPPROF_E_MEMORY;
}

static OpprofStatus end_operands(OpprofLaunch *base, OpprofError **error)
{
    Launch *launch = (Launch *) base;

    (void) error;
    if (launch->operands.is_refused) {
        OPPROF_FILE_LACKS(base, "is left out: it does not begin with its magic number");
        launch->has_operands = false;
    }
    return OPPROF_OK;
}

/* Sizes of the last two are checked when they begin. */
const OpprofRoleReader pmu_roles[PMU_ROLES] = {
    { .role = "counters",
      .flags = OPPROF_ROLE_NEEDS_CHIP | OPPROF_ROLE_MAY_BE_EMPTY,
      .begin = begin_counters,
      .take = take_counters,
      .end = end_counters },
    { .role = "task_log", .flags = OPPROF_ROLE_NEEDS_CHIP, .begin = begin_log, .take = take_log },
    { .role = "l2_cache",
      .flags = OPPROF_ROLE_NEEDS_CHIP | OPPROF_ROLE_MAY_BE_EMPTY,
      .begin = begin_l2,
      .take = take_l2 },
    { .role = "operands",
      .flags = OPPROF_ROLE_NEEDS_CHIP | OPPROF_ROLE_MAY_BE_EMPTY,
      .begin = begin_operands,
      .take = take_operands,
      .end = end_operands },
    /* For other parsers; some metrics need them. */
    { .role = "block_map" },
    { .role = "counted" },
    { .role = "samples" },
};

/* ---- launches ---- */

OpprofStatus LaunchBegin(OpprofLaunch *launch)
{
    ((Launch *) launch)->l2_evict = OPPROF_NA_U64;
    return OPPROF_OK;
}

void LaunchFinish(OpprofLaunch *base)
{
    Launch *launch = (Launch *) base;

    MergeFinish(&launch->merge);
    MovesFinish(&launch->moves);
    OperandRecordFinish(&launch->operands);
}
