/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline-lanes: sums of timelines and curves as two tables, so that a report needs no span.
 * Tested by tests/plugins/report/test_timeline_lanes.
 */
#include "lane_tables.h"
#include "lanes.h"

#include <opprof/log.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>

#define PS_PER_US 1e6

enum { INPUT_SPANS, INPUT_COUNTERS };
enum { OUTPUT_LANES, OUTPUT_CURVES };

typedef struct TimelineLanes {
    OpprofStage *stage;
    Lanes lanes;
} TimelineLanes;

typedef struct LaneRow {
    OpprofText lane;
    double share;
    double busy_us;
    double whole_us;
    uint32_t is_rough;
    uint32_t is_label;
} LaneRow;

typedef struct CurveRow {
    uint32_t name;
    uint32_t series;
    double mean;
    double most;
    uint64_t samples;
} CurveRow;

/* Times of lanes are sums over processes that ran side by side: people see the share, and no
 * difference compares them. */
static const OpprofField lane_fields[] = {
    OPPROF_FIELD(LaneRow, lane, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_LABEL,
                 .meaning =
                     "Name of the lane; lanes of one name in several processes are one row."),
    OPPROF_FIELD(LaneRow, share, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "ratio",
                 .heading = "busy_share", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "busy(us) / whole(us)."),
    OPPROF_FIELD(LaneRow, busy_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "us",
                 .heading = "busy(us)", .flags = OPPROF_FIELD_ALONE | OPPROF_FIELD_HIDDEN,
                 .meaning = "Time with a slice on the lane; slices that overlap count once."),
    OPPROF_FIELD(LaneRow, whole_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "us",
                 .heading = "whole(us)", .flags = OPPROF_FIELD_ALONE | OPPROF_FIELD_HIDDEN,
                 .meaning =
                     "Time from the first start to the last end of any slice of the process, "
                     "added up over the processes with such a lane."),
    OPPROF_FIELD(LaneRow, is_rough, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .meaning = "1: a slice began long before others ended, so that busy(us) is about "
                            "right only."),
    OPPROF_FIELD(LaneRow, is_label, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .flags = OPPROF_FIELD_IS_LABEL,
                 .meaning = "1: its slices are labels around work of other lanes, such as user "
                            "marks and iterations."),
};

static const OpprofField curve_fields[] = {
    OPPROF_FIELD(CurveRow, name, OPPROF_FIELD_STRING, .heading = "curve",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_LABEL, .meaning = "Name of the curve."),
    OPPROF_FIELD(CurveRow, series, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Its series, with the unit."),
    OPPROF_FIELD(CurveRow, mean, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Mean of the samples, each counted once however long it held."),
    OPPROF_FIELD(CurveRow, most, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE, .heading = "max",
                 .flags = OPPROF_FIELD_ALONE, .meaning = "Largest sample."),
    OPPROF_FIELD(CurveRow, samples, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Number of samples."),
};

#define TABLE(record, list, type_name, heading, says)                                              \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = (says), .size = sizeof(record), .flags = OPPROF_RECORD_TABLE, .fields = (list), \
        .field_count = OPPROF_COUNT(list), .title = (heading), .file_hint = ""                     \
    }

static const OpprofRecordType lane_type =
    TABLE(LaneRow, lane_fields, LANE_TABLE, "Rows of the timeline",
          "Time with work on each lane of the timelines.");
static const OpprofRecordType curve_type =
    TABLE(CurveRow, curve_fields, CURVE_TABLE, "Curves", "Mean and maximum of each curve.");

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(TimelineLanes), ret_self, error);
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    TimelineLanes *self = context;
    const bool is_good = port == INPUT_SPANS ? LanesTakeSpans(&self->lanes, self->stage, batch)
                                             : LanesTakeCounters(&self->lanes, self->stage, batch);

    return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "sum the timelines");
}

static OpprofStatus give_lane(OpprofStage *stage, const Lane *lane)
{
    LaneRow row = { .busy_us = lane->busy_ps / PS_PER_US,
                    .whole_us = lane->whole_ps / PS_PER_US,
                    .share = lane->whole_ps > 0 ? lane->busy_ps / lane->whole_ps : 0,
                    .is_rough = lane->is_rough,
                    .is_label = lane->is_label };
    const OpprofStatus status =
        OpprofStageText(stage, OUTPUT_LANES, 0, lane->name, strlen(lane->name), &row.lane);

    return status == OPPROF_OK ? OpprofStageAppend(stage, OUTPUT_LANES, 0, &row) : status;
}

static OpprofStatus give_curve(OpprofStage *stage, const LaneCurve *curve)
{
    const CurveRow row = { .name = curve->name,
                           .series = curve->series,
                           .mean = curve->sum / (double) curve->samples,
                           .most = curve->most,
                           .samples = curve->samples };

    return OpprofStageAppend(stage, OUTPUT_CURVES, 0, &row);
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    TimelineLanes *self = context;
    OpprofStatus status = OPPROF_OK;
    uint32_t count = 0;
    Lane *sums = LanesSum(&self->lanes, &count);

    if (sums == NULL) {
        return OpprofErrorNoMemory(error, "sum the timelines");
    }
    for (uint32_t i = 0; i < count && status == OPPROF_OK; i++) {
        status = give_lane(self->stage, &sums[i]);
    }
    free(sums);
    LanesSortCurves(&self->lanes, self->stage);
    for (uint32_t i = 0; i < self->lanes.curve_count && status == OPPROF_OK; i++) {
        status = give_curve(self->stage, &self->lanes.curves[i]);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "%u lanes, %u curves", count,
              self->lanes.curve_count);
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "sum the timelines") : status;
}

static void destroy(void *context)
{
    TimelineLanes *self = context;

    LanesFree(&self->lanes);
    free(self);
}

static const OpprofPort inputs[] = {
    [INPUT_SPANS] = { .name = "spans",
                      .type = "span",
                      .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                      .summary = "Timelines." },
    [INPUT_COUNTERS] = { .name = "counters",
                         .type = "counter",
                         .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                         .summary = "Curves." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_LANES] = { .name = "lanes",
                       .record_type = &lane_type,
                       .summary = "A row for each name of a lane, the busiest first." },
    [OUTPUT_CURVES] = { .name = "curves",
                        .record_type = &curve_type,
                        .summary = "A row for each curve, by name." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "timeline-lanes", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Sums up how busy the lanes of the timelines were.",
                     .help = "A timeline of a core's or rank's own document repeats the main one "
                             "and does not count; of launches each counts.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops);
