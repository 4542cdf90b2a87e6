/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-dbi: turns the records of an instrumented kernel into the memory accesses of its
 * instructions, and their sums by core and path. The chip file states the layouts.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "fields.h"
#include "launch.h"
#include "rules.h"

#include <opprof/kit/launches.h>
#include <opprof/kit/raw_names.h>
#include <opprof/plugin.h>
#include <opprof/kit/raw_keeper.h>

#include <stdlib.h>

typedef struct Parser {
    OpprofLaunches launches; /* first, as its operations require */
    OpprofStage *stage;
    const char *chip;
    const char *op_type;
    bool is_required; /* launches have records, or lack them */
    DbiModel *models;
} Parser;

static void *create_launch(void *context, uint32_t partition)
{
    Parser *self = context;

    return DbiLaunchCreate(self->stage, &self->models, self->chip, self->op_type, partition);
}

static OpprofStatus feed_launch(void *context, void *launch, const OpprofBatch *batch,
                                const void *record, OpprofError **error)
{
    const OpprofOnboardChunk *chunk = record;
    const Parser *self = context;
    const OpprofStatus status =
        DbiLaunchFeed(launch, chunk, OpprofBatchText(batch, chunk->bytes), error);

    if (chunk->offset == 0) {
        OpprofLaunchesTellFile(&self->launches, batch->partition, chunk->file, chunk->file_size);
    }
    return status == OPPROF_OK && chunk->file == OPPROF_NA_STRING ? OPPROF_END : status;
}

static OpprofStatus end_launch(void *context, void *item, OpprofError **failure,
                               OpprofError **error)
{
    const Parser *self = context;
    DbiLaunch *launch = item;
    const OpprofStatus status = DbiLaunchEnd(launch, error);

    (void) failure; /* unreadable records are left out one by one */
    if (self->is_required && !launch->has_records_file) {
        char area[128], packets[128], chart[128];

        OpprofRawFileName(self->chip, "dbi_area", 0, area, sizeof area);
        OpprofRawFileName(self->chip, "dbi_packets", 0, packets, sizeof packets);
        OpprofRawFileName(self->chip, "memory_chart", 0, chart, sizeof chart);
        OpprofStageIncomplete(
            self->stage, "Launch '%s' has no records: '%s', '%s' and '%s' are missing",
            OpprofStageString(self->stage, launch->partition), area, packets, chart);
    }
    OpprofStageCount(self->stage, "records", launch->taken);
    OpprofStageCount(self->stage, "accesses", launch->accesses);
    return status;
}

static void free_launch(void *launch)
{
    DbiLaunchFree(launch);
}

static const OpprofLaunchOps launch_ops = {
    .create = create_launch,
    .feed = feed_launch,
    .end = end_launch,
    .free = free_launch,
};

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Parser *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "read instrumentation records");
    }
    self->stage = stage;
    OpprofLaunchesInit(&self->launches, stage, &launch_ops, self);
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Parser *self = context;

    self->chip = OpprofParamsString(params, "chip");
    self->op_type = OpprofParamsString(params, "op_type");
    self->is_required = OpprofParamsBool(params, "required");
    return self->is_required ? OpprofChipCheck(self->chip, error) : OPPROF_OK;
}

static void destroy(void *context)
{
    Parser *self = context;

    OpprofLaunchesFinish(&self->launches);
    DbiModelsFree(self->models);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "chunks",
      .type = "onboard.chunk",
      .record_type = &opprof_onboard_chunk_type,
      .summary = "Raw files of launches." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_ACCESSES] = { .name = "accesses",
                          .record_type = &opprof_dbi_access_type,
                          .summary = "Memory accesses, slot after slot." },
    [OUTPUT_MOVES] = { .name = "moves",
                       .record_type = &opprof_dbi_move_type,
                       .summary = "Sums by core and path." },
    [OUTPUT_TRAFFIC] = { .name = "traffic",
                         .record_type = &dbi_traffic_type,
                         .summary = "Sums by core and pair of memories, for people." },
    [OUTPUT_RAW] = { .name = "raw",
                     .record_type = &opprof_raw_type,
                     .summary = "Records of unknown kinds, unchanged, for bring-up." },
};

static const char *const op_types[] = { "auto", "mix", "cube", "vector", NULL };

static const OpprofParam params[] = {
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran; auto: as stated in the data." },
    { .name = "op_type",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "auto",
      .choices = op_types,
      .summary =
          "Kinds of cores that ran, by which slots become blocks; auto: by the slots in use." },
    { .name = "required",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "false",
      .summary = "Whether a launch without records makes the run incomplete." },
};

static OpprofStatus explain(const char *chip, const char *name, FILE *out, OpprofError **error)
{
    static const OpprofFactList lists[] = {
        { "dbi.rules", "rule of instrumentation records", NULL },
        { "dbi.records", "record of instrumentation", NULL },
        { "dbi.instructions", "instruction that is instrumented", NULL },
    };

    return OpprofChipExplain(chip, lists, OPPROF_COUNT(lists), name, out, error);
}

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = OpprofLaunchesProcess,
    .flush = OpprofLaunchesFlush,
    .destroy = destroy,
    .explain = explain,
};

static const char *const chip_sections[] = { "cores", "dbi", "pmu", "raw", NULL };
/* What the chip file may state here. Tested by tests/e2e/chip_mistakes.sh. */
#define QUOTED(enumerator, name) "'" name "',"
#define FIELD "<" DBI_FIELDS(QUOTED) "dbi.rules.*.fields>"
#define WHOLE                                                                                      \
    "whole<" DBI_FIELDS(                                                                           \
        QUOTED) "'type_bits','type_bytes','global','registers','no_memory','nowhere',"             \
                ".fields,.let,.loops.*.index,dbi.memories>"
#define PART(enumerator, name, turns) name ": " WHOLE ", "
static const OpprofChipSchema chip_schemas[] = {
    { "dbi", .schema =
      "{ area: { slots!: int(1..65536), header!: int(16..4096 bytes), bytes!: int(16.. "
      "bytes), gap!: int(0.. bytes), "
      "magic!: int(0..4294967295) }, "
      "live: { slots_per_block!: int(1..), length_at: int(0.. bytes), counter_slots: "
      "int(1..), always: [ 'operands' | 'warps' ], "
      "warps: { bytes!: int(16.. bytes), gap!: int(0.. bytes) }, tools: { *: { words!: [ text ], "
      "map: text } } }, "
      "chart: { size!: int(8..256 bytes), byte_order: 'little' | 'big', fields!: { "
      "<'src','dst','src_bytes','dst_bytes','pc','slot','sub_block','from','to'>: { at!: "
      "int(0..255 bytes), "
      "bits!: int(1..64 bits), shift: int(0..63 bits) } } }, "
      "memories: [ text ], global: <dbi.memories>, registers: <dbi.memories>, type_bits: [ "
      "int(1..1024 bits) ], "
      "rules: { *: { fields: [ text ], let: { *: " WHOLE
      " }, loops: [ { index!: text, count!: " WHOLE " } ], invalid: " WHOLE ", rough: " WHOLE
      ", wraps: bool, runs!: [ { " DBI_RUN_PARTS(
          PART) " } ] } }, "
                "records: { *: { type!: int(1..63), size!: int(1..256 bytes), rule!: <dbi.rules>, "
                "from: <dbi.memories>, to: <dbi.memories>, as: { <dbi.memories>: <dbi.memories> }, "
                "no_pc: bool, fixed: { " FIELD ": int(0..) }, "
                "fields: { " FIELD ": [ int(0..255 bytes), int(1..8 bytes) ] } } }, "
                "instructions: { *: { id!: int(0..), stub: text, operands: [ int(0..) ], record: "
                "<dbi.records>, record_id: int(0..), "
                "path: pair<dbi.memories,'*'>, type: text, cores: text | [ text ], sets: text } "
                "}, "
                "operand_instructions: { *: [ int(0..), 'vector' | 'cube' | 'all', text, "
                "int(0..) | text, "
                "'simt' | 'simd' ] }, instruction_ids: { *: int(0..) } }" },
    { .section = NULL },
};

OPPROF_PLUGIN_DEFINE(
        .name = "parse-dbi", .version = "1.0", .license = "Apache-2.0",
        .summary = "Turns instrumentation records into the memory accesses they stand for.",
        .help = "Reads the record area of the device's memory (Ascend's DbiArea.bin), the same in "
                "packets (DbiPackets.bin) or accesses that were decomposed already "
                "(MemoryChart.bin), the first of them that exists. The chip file states names and "
                "record layouts. In damaged slots the records before the damage count, and the run "
                "is incomplete.",
        .kind = OPPROF_PARSER, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
        .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
        .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops, .chip_sections = chip_sections,
        .chip_schemas = chip_schemas);
