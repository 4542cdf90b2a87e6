/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-mc2: reads the stamps of cores, the reports of the AI CPU and the log of the task scheduler
 * of each launch, pairs starts and ends, and emits what happened when. The chip file says which
 * records a chip leaves. Tested by tests/plugins/mc2/test_vectors.sh.
 */
#include "event.h"
#include "launch.h"

#include <opprof/kit/facts.h>
#include <opprof/plugin.h>

static OpprofStatus configure(void *instance, const OpprofParams *params, OpprofError **error)
{
    Mc2Parser *self = instance;

    self->reader.chip = OpprofParamsString(params, "chip");
    self->is_optional = OpprofParamsBool(params, "optional");
    return self->is_optional ? OPPROF_OK : OpprofChipCheck(self->reader.chip, error);
}

static const OpprofPort outputs[] = {
    [MC2_OUTPUT_EVENTS] = { .name = "events",
                            .record_type = &mc2_event_type,
                            .summary = "What happened in each launch; a partition is a launch." },
    [MC2_OUTPUT_RAW] = { .name = "raw",
                         .record_type = &opprof_raw_type,
                         .summary = "Records of unknown kinds, unchanged, for bring-up." },
};

static const OpprofParam params[] = {
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran; auto: as stated in the data." },
    { .name = "optional",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "false",
      .summary = "Launches that neither communicate nor have stamps of cores are left to other "
                 "parsers, and stamps, which not every kernel makes, may be missing." },
};

static OpprofStatus explain(const char *chip, const char *name, FILE *out, OpprofError **error)
{
    return OpprofFactsExplain(chip, mc2_chip_tables, name, out, error);
}

static const char *const chip_sections[] = { "mc2", "pmu", NULL };

OPPROF_LAUNCH_PARSER_DEFINE(
    mc2_launch_parser, configure, explain, outputs, .name = "parse-mc2", .version = "1.0",
    .license = "Apache-2.0",
    .summary = "Reads stamps of cores, turns of the AI CPU and tasks of streams.",
    .help = "Takes aic_timestamp.bin, aicpu.bin, duration.bin and DeviceProf<k>.bin of operators "
            "that communicate (MC2, LCCL) and of plain ones. Starts and ends are paired; what "
            "cannot be paired is counted and makes the run incomplete.",
    .params = params, .param_count = OPPROF_COUNT(params), .chip_sections = chip_sections,
    .chip_tables = mc2_chip_tables);
