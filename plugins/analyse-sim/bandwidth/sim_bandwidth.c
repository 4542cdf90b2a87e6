/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim-bandwidth: bandwidth of the global memory over time, from the requests of memory transfer
 * engines. Descriptor, life and output.
 */
#include "analyse-sim/common/launches.h"
#include "bandwidth.h"
#include <inttypes.h>
#include <opprof/log.h>
#include <opprof/records/sim.h>
#include <opprof/stage.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define DENSE_BINS UINT64_C(1000000) /* beyond this length, bins without bytes are left out */
#define PROCESS "MTE Throughput"
#define SERIES "throughput(MB/s)"

enum { OUTPUT_COUNTERS = 0, OUTPUT_TABLE = 1, OUTPUT_LAUNCH_TABLE = 2 };

/* One microsecond of the table. */
typedef struct MteRow {
    uint64_t time_us;
    double rates[BANDWIDTH_CURVES];
    SimPlace place;
} MteRow;

_Static_assert(sizeof(MteRow) == 72, "no padding in MteRow");

#define RATE(place, field, text)                                                                   \
    {                                                                                              \
        .name = (field), .kind = OPPROF_FIELD_F64,                                                 \
        .offset = (uint32_t) (offsetof(MteRow, rates) + (place) * sizeof(double)), .unit = "MB/s", \
        .combine = OPPROF_COMBINE_MEAN, .meaning = (text)                                          \
    }

static const OpprofField row_fields[] = {
    OPPROF_FIELD(MteRow, time_us, OPPROF_FIELD_U64, .unit = "us", .flags = OPPROF_FIELD_KEY,
                 .heading = "time(us)", .meaning = "Microsecond."),
    RATE(GM_TO_UB, "GM_TO_UB", "From global memory to the unified buffer."),
    RATE(GM_TO_L1, "GM_TO_L1", "From global memory to L1."),
    RATE(GM_TO_TOTAL, "GM_TO_TOTAL", "From global memory to anywhere."),
    RATE(UB_TO_GM, "UB_TO_GM", "From the unified buffer to global memory."),
    RATE(L1_TO_GM, "L1_TO_GM", "From L1 to global memory."),
    RATE(TOTAL_TO_GM, "TOTAL_TO_GM", "From anywhere to global memory."),
    SIM_PLACE_FIELDS(MteRow),
};

#define ROW_TYPE(fewer, bytes, file)                                                               \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = "sim.mte-throughput",       \
        .summary = "Throughput of the global memory in one microsecond.", .size = (bytes),         \
        .flags = OPPROF_RECORD_TABLE, .fields = row_fields,                                        \
        .field_count = OPPROF_COUNT(row_fields) - (fewer), .title = "MTE throughput, MB/s",        \
        .file_hint = (file)                                                                        \
    }

static const OpprofRecordType row_type =
    ROW_TYPE(SIM_PLACE_COUNT, offsetof(MteRow, place), "mte_throughput");
/* Of launches with a folder. */
static const OpprofRecordType launch_row_type =
    ROW_TYPE(0, sizeof(MteRow), SIM_PLACE_HINT "mte_throughput");

/* Requests of one launch come after those of another. */
typedef struct Analysis {
    OpprofStage *stage;
    Bandwidth *bandwidth; /* of the launch; NULL: no request has come */
    uint32_t launch;      /* interned folder; absent: the output directory itself */
    uint32_t document;    /* of the counters */
    uint32_t track;
    uint32_t series;
    uint32_t curves[BANDWIDTH_CURVES];
} Analysis;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Analysis), ret_self, error);
}

static void destroy(void *context)
{
    Analysis *self = context;

    if (self->bandwidth != NULL) {
        BandwidthDestroy(self->bandwidth);
    }
    free(self);
}

/* ---- out: curves ---- */

static bool declare(Analysis *self)
{
    const OpprofClock clock = { .name = "microsecond", .hz = 1000000 };
    const char *folder = OpprofStageString(self->stage, self->launch);
    char document[512];
    const OpprofTrack track = {
        .document = document, .process = PROCESS, .process_sort = -1, .thread_sort = -1
    };
    const uint32_t microseconds = OpprofStageClock(self->stage, &clock);
    bool is_good = microseconds != 0;

    snprintf(document, sizeof document, "%s%strace", folder, folder[0] == '\0' ? "" : "/");
    OpprofStageSetClock(self->stage, OUTPUT_COUNTERS, microseconds);
    self->document = OpprofStageIntern(self->stage, document, strlen(document));
    self->track = OpprofStageTrack(self->stage, &track);
    self->series = OpprofStageIntern(self->stage, SERIES, sizeof SERIES - 1);
    for (uint32_t i = 0; i < BANDWIDTH_CURVES; i++) {
        self->curves[i] =
            OpprofStageIntern(self->stage, bandwidth_curves[i], strlen(bandwidth_curves[i]));
        is_good = is_good && self->curves[i] != OPPROF_NA_STRING;
    }
    return is_good && self->document != OPPROF_NA_STRING && self->track != OPPROF_NA_U32 &&
           self->series != OPPROF_NA_STRING;
}

static OpprofStatus add_counter(Analysis *self, uint64_t bin, uint32_t curve, double value)
{
    const OpprofCounter counter = { .time = bin,
                                    .value = value,
                                    .track = self->track,
                                    .name = self->curves[curve],
                                    .series = self->series };

    return OpprofStageAppend(self->stage, OUTPUT_COUNTERS, self->document, &counter);
}

/* All curves at one bin; NULL: they are 0. */
static OpprofStatus add_counters(Analysis *self, uint64_t bin, const BandwidthBin *bytes)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; i < BANDWIDTH_CURVES && status == OPPROF_OK; i++) {
        status = add_counter(self, bin, i, bytes == NULL ? 0 : BandwidthRate(bytes->bytes[i]));
    }
    return status;
}

/*
 * Emits zeros for the bins from `from` to the one before `to`; a few are enough for a long range.
 */
static OpprofStatus add_gap(Analysis *self, uint64_t from, uint64_t to, bool is_dense)
{
    const uint64_t end = is_dense || to == from ? to : from + 1;
    OpprofStatus status = OPPROF_OK;

    for (uint64_t bin = from; bin < end && status == OPPROF_OK; bin++) {
        status = add_counters(self, bin, NULL);
    }
    return status;
}

static OpprofStatus give_curves(Analysis *self, const BandwidthBin *bins, size_t count)
{
    const bool is_dense = bins[count - 1].bin < DENSE_BINS;
    OpprofStatus status = OPPROF_OK;
    uint64_t next = 0;

    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        status = add_gap(self, next, bins[i].bin, is_dense);
        if (status == OPPROF_OK) {
            status = add_counters(self, bins[i].bin, &bins[i]);
        }
        next = bins[i].bin + 1;
    }
    return status == OPPROF_OK ? add_counters(self, next, NULL) : status;
}

/* ---- out: table ---- */

static OpprofStatus give_table(Analysis *self, const BandwidthBin *bins, size_t count)
{
    const bool has_folder = self->launch != OPPROF_NA_STRING;
    const uint32_t port = has_folder ? OUTPUT_LAUNCH_TABLE : OUTPUT_TABLE;
    const SimPlace place = SimPlaceOf(self->stage, self->launch);
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        MteRow row = { .time_us = bins[i].bin, .place = place };

        for (uint32_t curve = 0; curve < BANDWIDTH_CURVES; curve++) {
            row.rates[curve] = BandwidthRate(bins[i].bytes[curve]);
        }
        status = OpprofStageAppend(self->stage, port, self->launch, &row);
    }
    return status == OPPROF_OK && has_folder ? OpprofStagePushOpen(self->stage, port, UINT64_MAX)
                                             : status;
}

/* All requests of the launch have come. */
static OpprofStatus end_launch(Analysis *self, OpprofError **error)
{
    const BandwidthBin *bins;
    OpprofStatus status = OPPROF_OK;
    size_t count;

    if (!BandwidthEnd(self->bandwidth)) {
        return OpprofErrorNoMemory(error, "find the bandwidth of memory engines");
    }
    if (BandwidthTooLate(self->bandwidth) > 0) {
        OpprofStageIncomplete(self->stage, "%" PRIu64 " %s later than a minute and left out",
                              BandwidthTooLate(self->bandwidth),
                              BandwidthTooLate(self->bandwidth) == 1 ? "request is"
                                                                     : "requests are");
    }
    if (BandwidthUnsized(self->bandwidth) > 0) {
        OpprofStageIncomplete(
            self->stage, "%" PRIu64 " %s without a size, so the bandwidth lacks the bytes",
            BandwidthUnsized(self->bandwidth),
            BandwidthUnsized(self->bandwidth) == 1 ? "request is" : "requests are");
    }
    OpprofStageCount(self->stage, "instructions taken to be done early",
                     BandwidthLetGo(self->bandwidth));
    bins = BandwidthBins(self->bandwidth, &count);
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Computed bandwidth: periods=%zu",
              count);
    if (count == 0) {
        return OPPROF_OK;
    }
    if (OpprofStageHasReader(self->stage, OUTPUT_COUNTERS)) {
        status = declare(self) ? give_curves(self, bins, count) : OPPROF_E_MEMORY;
    }
    if (status == OPPROF_OK) {
        status = give_table(self, bins, count);
    }
    return status == OPPROF_E_MEMORY
               ? OpprofErrorNoMemory(error, "find the bandwidth of memory engines")
               : status;
}

/* ---- in ---- */

static OpprofStatus begin_launch(Analysis *self, uint32_t launch, OpprofError **error)
{
    if (self->bandwidth != NULL && self->launch == launch) {
        return OPPROF_OK;
    }
    if (self->bandwidth != NULL) {
        const OpprofStatus status = end_launch(self, error);

        BandwidthDestroy(self->bandwidth);
        self->bandwidth = NULL;
        if (status != OPPROF_OK) {
            return status;
        }
    }
    self->launch = launch;
    self->bandwidth = BandwidthCreate(0);
    return self->bandwidth == NULL
               ? OpprofErrorNoMemory(error, "find the bandwidth of memory engines")
               : OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Analysis *self = context;
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);
    OpprofStatus status;

    (void) port;
    if (clock == NULL || clock->hz == 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Requests of memory engines have no clock");
    }
    status = begin_launch(self, batch->partition, error);
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const OpprofSimMte *record = OpprofBatchRecord(batch, i);
        const BandwidthEvent event = { .time_ns = BandwidthNanoseconds(record->tick, clock->hz),
                                       .instruction = record->instruction_id,
                                       .request = record->request_id,
                                       .size = record->size,
                                       .unit = OpprofStageString(self->stage, record->unit),
                                       .core = record->core,
                                       .is_write = record->is_write != 0 };

        if (!BandwidthAdd(self->bandwidth, &event)) {
            status = OpprofErrorNoMemory(error, "find the bandwidth of memory engines");
        }
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Analysis *self = context;
    const OpprofStatus status =
        self->bandwidth == NULL ? begin_launch(self, OPPROF_NA_STRING, error) : OPPROF_OK;

    return status == OPPROF_OK ? end_launch(self, error) : status;
}

/* ---- descriptor ---- */

static const OpprofPort inputs[] = {
    { .name = "requests",
      .type = "sim.mte",
      .record_type = &opprof_sim_mte_type,
      .summary = "Events of requests on memory interfaces." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_COUNTERS] = { .name = "curves",
                          .record_type = &opprof_counter_type,
                          .order = OPPROF_ORDER_START,
                          .summary = "Six curves of throughput in the document 'trace'." },
    [OUTPUT_TABLE] = { .name = "table",
                       .record_type = &row_type,
                       .summary = "The same for each microsecond with traffic." },
    [OUTPUT_LAUNCH_TABLE] = { .name = "launch-table",
                              .record_type = &launch_row_type,
                              .summary = "The same, of launches with a folder." },
};

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                     .create = create,
                                     .process = process,
                                     .flush = flush,
                                     .destroy = destroy };

OPPROF_PLUGIN_DEFINE(.name = "sim-bandwidth", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Draws the bandwidth of the global memory over time.",
                     .help = "Requests on the interface of the global memory count in the "
                             "microsecond of their latest event, for all cores together. Another "
                             "interface of the same instruction shows where the bytes go.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops);
