/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a launch: what they are, and who reads each.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch.h"

#include "launch_parts.h"

#include <opprof/kit/raw_names.h>

/* ---- the chip ---- */

static OpprofStatus load_model(void *instance, const OpprofChip *chip, void *item,
                               OpprofError **error)
{
    DbiModel *model = item;
    const OpprofStatus status = DbiTablesLoad(chip, &model->tables, error);

    (void) instance;
    return status == OPPROF_OK ? MovePathsLoad(chip, &model->tables, &model->paths, error) : status;
}

static void unload_model(void *item)
{
    DbiTablesFinish(&((DbiModel *) item)->tables);
}

static OpprofStatus choose(OpprofLaunch *base, OpprofError **error)
{
    DbiLaunch *launch = (DbiLaunch *) base;

    (void) error;
    launch->model = base->model;
    launch->start_pc = OpprofLaunchCodeStart(base);
    const DbiTables *tables = &launch->model->tables;

    for (uint32_t i = 0; i < tables->memory_count; i++) {
        launch->memories[i] = DbiLaunchIntern(launch, tables->memories[i]);
    }
    for (uint32_t i = 0; i < DBI_MAX_TYPES; i++) {
        const DbiLayout *layout = DbiLayoutOf(tables, i);
        launch->records[i] =
            layout == NULL ? OPPROF_NA_STRING : DbiLaunchIntern(launch, layout->name);
    }
    launch->access = (OpprofDbiAccess){ .pc = OPPROF_NA_U64,
                                        .start_pc = launch->start_pc,
                                        .record = OPPROF_NA_STRING,
                                        .chip = DbiLaunchIntern(launch, OpprofChipSoc(base->chip)),
                                        .device = launch->base.device,
                                        .kernel = launch->base.kernel,
                                        .order = launch->base.order };
    return MovesInit(&launch->moves, &launch->model->paths, tables->area.slots) ? OPPROF_OK
                                                                                : OPPROF_E_MEMORY;
}

/* ---- files ---- */

static OpprofStatus begin_records(DbiLaunch *launch, DbiForm form)
{
    if (launch->base.file.size == 0 || launch->is_stopping) {
        return OPPROF_END;
    }
    if (launch->source != DBI_FORM_NONE) {
        OPPROF_FILE_WARNS(&launch->base,
                          "is another form of the records that were read already, skipping it");
        return OPPROF_END;
    }
    const OpprofStatus status = form == DBI_FORM_CHART ? DbiLaunchBeginChart(launch) : OPPROF_OK;
    if (status != OPPROF_OK) {
        return status;
    }
    launch->source = form;
    launch->handler =
        (DbiHandler){ DbiLaunchTakeRecord, DbiLaunchReportFinding, launch, DbiLaunchKeepRaw };
    if (form == DBI_FORM_AREA) {
        DbiAreaBegin(&launch->area, &launch->model->tables, &launch->handler);
    } else if (form == DBI_FORM_PACKETS) {
        DbiPacketsBegin(&launch->packets, &launch->model->tables, &launch->handler);
    }
    return OPPROF_OK;
}

static OpprofStatus begin_area(OpprofLaunch *launch, OpprofError **error)
{
    (void) error;
    return begin_records((DbiLaunch *) launch, DBI_FORM_AREA);
}

static OpprofStatus begin_packets(OpprofLaunch *launch, OpprofError **error)
{
    (void) error;
    return begin_records((DbiLaunch *) launch, DBI_FORM_PACKETS);
}

static OpprofStatus begin_chart(OpprofLaunch *launch, OpprofError **error)
{
    (void) error;
    return begin_records((DbiLaunch *) launch, DBI_FORM_CHART);
}

static OpprofStatus take(OpprofLaunch *base, const unsigned char *bytes, size_t count,
                         OpprofError **error)
{
    DbiLaunch *launch = (DbiLaunch *) base;
    const bool is_good = launch->source == DBI_FORM_AREA ? DbiAreaFeed(&launch->area, bytes, count)
                         : launch->source == DBI_FORM_PACKETS
                             ? DbiPacketsFeed(&launch->packets, bytes, count)
                             : DbiLaunchTakeChart(launch, bytes, count);

    (void) error;
    return is_good ? OPPROF_OK : launch->is_stopping ? OPPROF_END : launch->status;
}

static OpprofStatus end_file(OpprofLaunch *base, OpprofError **error)
{
    DbiLaunch *launch = (DbiLaunch *) base;

    (void) error;
    if (base->file.is_whole && launch->source == DBI_FORM_AREA) {
        DbiAreaEnd(&launch->area);
    } else if (base->file.is_whole && launch->source == DBI_FORM_PACKETS) {
        DbiPacketsEnd(&launch->packets);
    }
    DbiLaunchReportLeftOut(launch);
    return OPPROF_OK;
}

#define RECORDS (OPPROF_ROLE_INSTRUMENTED | OPPROF_ROLE_NEEDS_CHIP)

static const OpprofRoleReader roles[] = {
    { .role = "dbi_area", .flags = RECORDS, .begin = begin_area, .take = take, .end = end_file },
    { .role = "dbi_packets",
      .flags = RECORDS,
      .begin = begin_packets,
      .take = take,
      .end = end_file },
    { .role = "memory_chart",
      .flags = RECORDS,
      .begin = begin_chart,
      .take = take,
      .end = end_file },
    /* Of code, and for another parser: a launch may have only those. */
    { .role = "block_map" },
    { .role = "samples" },
    { .role = "liveness" },
    { .role = "warps" },
};

/* ---- launches ---- */

static OpprofStatus begin_launch(OpprofLaunch *base)
{
    DbiLaunch *launch = (DbiLaunch *) base;

    launch->op_type = ((const DbiParser *) base->reader)->op_type;
    launch->open = (OpprofOpenBatch){ .stage = base->stage,
                                      .port = OUTPUT_ACCESSES,
                                      .partition = base->partition };
    launch->start_pc = OPPROF_NA_U64;
    launch->has_reader = OpprofStageHasReader(base->stage, OUTPUT_ACCESSES);
    return OPPROF_OK;
}

static void report_missing(const OpprofLaunch *launch)
{
    bool has_any = false;

    for (size_t i = 0; i < OPPROF_COUNT(roles); i++) {
        has_any = has_any || OpprofLaunchSaw(launch, roles[i].role);
    }
    if (has_any && OpprofLaunchCommunicates(launch)) {
        OPPROF_LAUNCH_LACKS(launch, "no record counts: code of an operator that communicates is "
                                    "never instrumented");
    } else if (!has_any) {
        OPPROF_LAUNCH_LACKS(launch, "there are no records: '%s', '%s' and '%s' are missing",
                            OpprofLaunchFileName(launch, "dbi_area", 0).text,
                            OpprofLaunchFileName(launch, "dbi_packets", 0).text,
                            OpprofLaunchFileName(launch, "memory_chart", 0).text);
    }
}

static OpprofStatus end_launch(OpprofLaunch *base, OpprofError **failure, OpprofError **error)
{
    DbiLaunch *launch = (DbiLaunch *) base;
    OpprofStatus status =
        launch->source != DBI_FORM_NONE ? DbiLaunchPushTraffic(launch) : OPPROF_OK;

    (void) failure; /* unreadable records are left out one by one */
    if (status == OPPROF_OK) {
        status = DbiLaunchPushMoves(launch);
    }
    if (status == OPPROF_OK) {
        status = DbiLaunchPushEnd(launch);
    }
    if (status == OPPROF_OK && base->is_over && !base->is_stopped && launch->taken > 0) {
        status = DbiLaunchCheckBlocks(launch);
    }
    if (base->is_over && ((const DbiParser *) base->reader)->is_required) {
        report_missing(base);
    }
    OpprofStageCount(base->stage, "records", launch->taken);
    OpprofStageCount(base->stage, "accesses", launch->accesses);
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "read instrumentation records")
                                     : status;
}

static void finish_launch(OpprofLaunch *base)
{
    DbiLaunch *launch = (DbiLaunch *) base;

    MovesFinish(&launch->moves);
    OpprofOpenBatchDrop(&launch->open);
}

const OpprofLaunchParser dbi_launch_parser = {
    .instance_bytes = sizeof(DbiParser),
    .launch_bytes = sizeof(DbiLaunch),
    .roles = roles,
    .role_count = OPPROF_COUNT(roles),
    .flags = OPPROF_PARSER_LEAVES_OUT,
    .raw_port = OUTPUT_RAW,
    .model_bytes = sizeof(DbiModel),
    .load = load_model,
    .unload = unload_model,
    .begin = begin_launch,
    .choose = choose,
    .end = end_launch,
    .finish = finish_launch,
};
