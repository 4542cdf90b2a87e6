/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-dbi: turns the records of an instrumented kernel into the memory accesses of its
 * instructions, and their sums by core and path. The chip file states the layouts.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "fields.h"
#include "launch.h"
#include "rules.h"

#include <opprof/kit/facts.h>
#include <opprof/plugin.h>

static OpprofStatus configure(void *instance, const OpprofParams *params, OpprofError **error)
{
    DbiParser *self = instance;

    self->op_type = OpprofParamsString(params, "op_type");
    self->is_required = OpprofParamsBool(params, "required");
    self->reader.chip = OpprofParamsString(params, "chip");
    return self->is_required ? OpprofChipCheck(self->reader.chip, error) : OPPROF_OK;
}

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

    const OpprofStatus status = OpprofFactsExplain(chip, dbi_chip_tables, name, out, error);

    return status != OPPROF_E_NOT_FOUND || *error != NULL
               ? status
               : OpprofChipExplain(chip, lists, OPPROF_COUNT(lists), name, out, error);
}

static const char *const chip_sections[] = { "cores", "dbi", "pmu", "raw", NULL };

OPPROF_LAUNCH_PARSER_DEFINE(
    dbi_launch_parser, configure, explain, outputs, .name = "parse-dbi", .version = "1.0",
    .license = "Apache-2.0",
    .summary = "Turns instrumentation records into the memory accesses they stand for.",
    .help = "Reads the record area of the device's memory (Ascend's DbiArea.bin), the same in "
            "packets (DbiPackets.bin) or accesses that were decomposed already "
            "(MemoryChart.bin), the first of them that exists. The chip file states names and "
            "record layouts. In damaged slots the records before the damage count, and the run "
            "is incomplete.",
    .flags = OPPROF_PLUGIN_PARTITIONED, .params = params, .param_count = OPPROF_COUNT(params),
    .chip_sections = chip_sections, .chip_tables = dbi_chip_tables);
