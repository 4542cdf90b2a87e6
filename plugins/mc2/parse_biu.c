/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-biu: reads streams of pipe activity of cores, in words or in records of the older monitors,
 * and emits when pipes were busy and what was marked. The chip file says which form a chip has.
 * Tested by tests/plugins/mc2/test_streams.sh.
 */
#include "biu_launch.h"

#include <opprof/kit/facts.h>
#include <opprof/plugin.h>
#include <string.h>
#include <strings.h>

/* Whether a comma-separated list contains a metric. */
static bool has_metric(const OpprofParams *params, const char *metric)
{
    const char *at = OpprofParamsString(params, "metrics");

    while (at != NULL && *at != '\0') {
        const size_t length = strcspn(at += strspn(at, ", "), ", ");

        if (length == strlen(metric) && strncasecmp(at, metric, length) == 0) {
            return true;
        }
        at += length;
    }
    return false;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    BiuParser *self = context;
    const bool has_instructions = has_metric(params, "InstrTimeline");

    self->is_optional = OpprofParamsBool(params, "optional") && !has_instructions &&
                        !has_metric(params, "PipeTimeline");
    self->reader.chip = OpprofParamsString(params, "chip");
    self->settings = (BiuSettings){
        .shows_instructions =
            has_instructions || strcmp(OpprofParamsString(params, "timeline"), "instructions") == 0,
        .interval = (uint32_t) OpprofParamsInt(params, "interval"),
    };
    return self->is_optional ? OPPROF_OK : OpprofChipCheck(self->reader.chip, error);
}

static const OpprofPort outputs[] = {
    [BIU_OUTPUT_EVENTS] = { .name = "events",
                            .record_type = &biu_event_type,
                            .summary = "When pipes were busy and what was marked, core by core." },
    [BIU_OUTPUT_RAW] = { .name = "raw",
                         .record_type = &opprof_raw_type,
                         .summary = "Records of unknown kinds, unchanged, for bring-up." },
};

static const char *const timelines[] = { "pipes", "instructions", NULL };

static const OpprofParam params[] = {
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran; auto: as stated in the data." },
    { .name = "timeline",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "pipes",
      .choices = timelines,
      .summary = "What marks in timeline.bin.<k> mean: the user's, or those that the compiler put "
                 "around instructions." },
    { .name = "optional",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "false",
      .summary = "Launches may lack such streams, unless 'metrics' asks for them." },
    { .name = "metrics",
      .type = OPPROF_PARAM_STRING,
      .summary = "Requested metrics: PipeTimeline, or InstrTimeline, which is "
                 "timeline=instructions; others are for other parsers." },
    { .name = "interval",
      .type = OPPROF_PARAM_INT,
      .default_value = "1000",
      .min = 1,
      .max = 1e9,
      .unit = "cycles",
      .summary = "Cycles between two records of the older monitors, as they were collected." },
};

static OpprofStatus explain(const char *chip, const char *name, FILE *out, OpprofError **error)
{
    return OpprofFactsExplain(chip, biu_chip_tables, name, out, error);
}

static const char *const chip_sections[] = { "biu", "clocks", "pmu", NULL };

OPPROF_LAUNCH_PARSER_DEFINE(
    biu_launch_parser, configure, explain, outputs, .name = "parse-biu", .version = "1.0",
    .license = "Apache-2.0", .summary = "Reads streams of pipe activity and marks of cores.",
    .help = "Takes timeline.bin.<k>, instr.biu_perf_group<g>_<core>.<device>.slice_<n>, "
            "instr.group_<g>_<core>.<device>.slice_<n> and perfmon.core<n>.<core>, with "
            "dfx_region_map.txt for names of instructions.",
    .params = params, .param_count = OPPROF_COUNT(params), .chip_sections = chip_sections,
    .chip_tables = biu_chip_tables);
