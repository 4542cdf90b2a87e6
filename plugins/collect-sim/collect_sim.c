/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-sim: brings in the dump directory of a camodel simulation. Descriptor, parameters, life.
 */
#include "choices.h"
#include "collect-sim/read/reader.h"
#include "collect-sim/read/recognise.h"
#include <inttypes.h>
#include <opprof/kit/facts.h>
#include <opprof/log.h>
#include <opprof/records/sim.h>
#include <stdlib.h>

typedef struct Collector {
    Reader reader; /* reading.work is shared by all instances */
    EmitEnds ends;
    const OpprofParams *params;
    uint64_t core_ids; /* a bit per wanted id; 0: all */
    bool owns_work;
} Collector;

static OpprofStatus collector_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Collector *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create a collector");
    }
    self->reader.reading.stage = stage;
    self->reader.reading.ends = &self->ends;
    self->reader.reading.ends_by_core = true;
    self->ends.kernel = self->ends.device = self->ends.order = OPPROF_NA_STRING;
    *ret_self = self;
    return OPPROF_OK;
}

/* ---- parameters ---- */

static OpprofStatus collector_configure(void *instance, const OpprofParams *params,
                                        OpprofError **error)
{
    Collector *self = instance;

    self->params = params;
    return ChoicesCheck(params, &self->core_ids, error);
}

/* ---- life ---- */

static OpprofStatus open_dump(Collector *self, OpprofError **error)
{
    const ReaderSource source = { .dump = OpprofParamsString(self->params, "dump"),
                                  .chip = ChoicesChip(self->params),
                                  .max_file_size =
                                      (uint64_t) OpprofParamsInt(self->params, "max_file_size"),
                                  .core_ids = self->core_ids };
    const OpprofStatus status = ReaderOpen(&self->reader, self->params, &source, error);

    if (status == OPPROF_OK) {
        self->owns_work = true;
        OpprofStageSetShared(self->reader.reading.stage, self->reader.reading.work);
    }
    return status;
}

static OpprofStatus collector_start(void *instance, OpprofError **error)
{
    Collector *self = instance;

    if (OpprofStageInstance(self->reader.reading.stage, NULL) == 0) {
        return open_dump(self, error);
    }
    self->reader.reading.work = OpprofStageShared(self->reader.reading.stage);
    ReaderJoin(&self->reader, self->params);
    return OPPROF_OK;
}

static OpprofStatus collector_process(void *instance, uint32_t port, const OpprofBatch *batch,
                                      OpprofError **error)
{
    Collector *self = instance;

    (void) port;
    (void) batch;
    return ReaderStep(&self->reader, error);
}

static OpprofStatus collector_flush(void *instance, OpprofError **error)
{
    Collector *self = instance;

    return ReaderFlush(&self->reader, error);
}

/* Instance 0 stops last, when no instance uses the list of work any more. */
static OpprofStatus collector_stop(void *instance, OpprofError **error)
{
    Collector *self = instance;

    (void) error;
    ReaderReset(&self->reader);
    if (self->owns_work) {
        WorkDestroy(self->reader.reading.work);
        self->owns_work = false;
    }
    self->reader.reading.work = NULL;
    return OPPROF_OK;
}

static void collector_destroy(void *instance)
{
    Collector *self = instance;

    EmitEndsFinish(&self->ends);
    free(self);
}

/* ---- descriptor ---- */

static const OpprofParam params[] = {
    { .name = "dump",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary =
          "Directory with the simulator's dump files, such as core0.veccore0.instr_log.dump." },
    CHOICES_PARAM_CHIP(
        "SoC or series that was simulated, such as Ascend910B1; auto: detected from the dump."),
    CHOICES_PARAM_METRICS,
    CHOICES_PARAM_CORE_ID,
    { .name = "max_file_size",
      .type = OPPROF_PARAM_SIZE,
      .default_value = "1GiB",
      .unit = "byte",
      .summary = "Dump files larger than this are refused." },
};

static OpprofStatus explain(const char *chip, const char *name, FILE *out, OpprofError **error)
{
    return OpprofFactsExplain(chip, choices_chip_tables, name, out, error);
}

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = collector_create,
    .configure = collector_configure,
    .start = collector_start,
    .process = collector_process,
    .flush = collector_flush,
    .stop = collector_stop,
    .destroy = collector_destroy,
    .explain = explain,
};

OPPROF_PLUGIN_DEFINE(
        .name = "collect-sim", .version = "1.0.0", .license = "Apache-2.0",
        .summary = "Reads the dump directory of a camodel simulation.",
        .help = "Pairs the popped log of each core (issue) with its instr log (retirement), "
                "and adds user marks and instruction-cache misses. Cores are read "
                "in parallel, each file twice, in memory that does not grow with the "
                "length of the trace.\n\n"
                "What differs from chip to chip comes from the chip's file: the clock, "
                "whether records pair by PC or by instruction id, the names and form of "
                "the instruction-cache log, whether file names show physical cores.",
        .kind = OPPROF_COLLECTOR, .flags = OPPROF_PLUGIN_PARALLEL, .outputs = emit_ports,
        .output_count = EMIT_PORT_COUNT, .params = params, .param_count = OPPROF_COUNT(params),
        .ops = &ops, .chip_sections = choices_chip_sections, .chip_tables = choices_chip_tables,
        .input_kinds = recognise_kinds);
