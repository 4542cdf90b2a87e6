/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim-bandwidth: bandwidth of the global memory over time, from the requests of memory transfer
 * engines. Descriptor, life and output.
 */
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

enum { OUTPUT_COUNTERS = 0, OUTPUT_TABLE = 1 };

/* One microsecond of the table. */
typedef struct MteRow {
    uint64_t time_us;
    double rates[BANDWIDTH_CURVES];
} MteRow;

_Static_assert(sizeof(MteRow) == 56, "no padding in MteRow");

#define RATE(place, field, text)                                                                   \
    {                                                                                              \
        .name = (field), .kind = OPPROF_FIELD_F64,                                                 \
        .offset = (uint32_t) (offsetof(MteRow, rates) + (place) * sizeof(double)), .unit = "MB/s", \
        .meaning = (text)                                                                          \
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
};

static const OpprofRecordType row_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "sim.mte-throughput",
    .summary = "Throughput of the global memory in one microsecond.",
    .size = sizeof(MteRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = row_fields,
    .field_count = OPPROF_COUNT(row_fields),
    .title = "MTE throughput, MB/s",
    .file_hint = "mte_throughput",
};

typedef struct Analysis {
    OpprofStage *stage;
    Bandwidth *bandwidth;
    uint32_t document; /* of the counters */
    uint32_t track;
    uint32_t series;
    uint32_t curves[BANDWIDTH_CURVES];
} Analysis;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Analysis *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "find the bandwidth of memory engines");
    }
    self->stage = stage;
    self->bandwidth = BandwidthCreate(0);
    if (self->bandwidth == NULL) {
        free(self);
        return OpprofErrorNoMemory(error, "find the bandwidth of memory engines");
    }
    *ret_self = self;
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Analysis *self = context;

    BandwidthDestroy(self->bandwidth);
    free(self);
}

/* ---- in ---- */

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Analysis *self = context;
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);

    (void) port;
    if (clock == NULL || clock->hz == 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Requests of memory engines have no clock");
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofSimMte *record = OpprofBatchRecord(batch, i);
        const BandwidthEvent event = { .time_ns = BandwidthNanoseconds(record->tick, clock->hz),
                                       .instruction = record->instruction_id,
                                       .request = record->request_id,
                                       .size = record->size,
                                       .unit = OpprofStageString(self->stage, record->unit),
                                       .core = record->core,
                                       .is_write = record->is_write != 0 };

        if (!BandwidthAdd(self->bandwidth, &event)) {
            return OpprofErrorNoMemory(error, "find the bandwidth of memory engines");
        }
    }
    return OPPROF_OK;
}

/* ---- out: curves ---- */

static bool declare(Analysis *self)
{
    const OpprofClock clock = { .name = "microsecond", .hz = 1000000 };
    const OpprofTrack track = {
        .document = "trace", .process = PROCESS, .process_sort = -1, .thread_sort = -1
    };
    const uint32_t microseconds = OpprofStageClock(self->stage, &clock);
    bool is_good = microseconds != 0;

    OpprofStageSetClock(self->stage, OUTPUT_COUNTERS, microseconds);
    self->document = OpprofStageIntern(self->stage, "trace", 5);
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
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        MteRow row = { .time_us = bins[i].bin };

        for (uint32_t curve = 0; curve < BANDWIDTH_CURVES; curve++) {
            row.rates[curve] = BandwidthRate(bins[i].bytes[curve]);
        }
        status = OpprofStageAppend(self->stage, OUTPUT_TABLE, 0, &row);
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Analysis *self = context;
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
    if (status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_TABLE)) {
        status = give_table(self, bins, count);
    }
    return status == OPPROF_E_MEMORY
               ? OpprofErrorNoMemory(error, "find the bandwidth of memory engines")
               : status;
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
