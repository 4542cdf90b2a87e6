/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-onboard: brings in the raw files of profiled operators, launch by launch,
 * without looking into them.
 * Tested by tests/plugins/collect-onboard/test_ranges.sh.
 */
#include "channel_facts.h"
#include "choice.h"
#include "emit.h"
#include "names.h"
#include "range.h"
#include "recognise.h"
#include "uneven.h"

#include <opprof/kit/facts.h>
#include <opprof/kit/raw_names.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>

#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

typedef struct Collector {
    OpprofStage *stage;
    const char *input;
    const char *chip;
    const char **patterns;
    size_t pattern_count;
    LaunchChoice choice;
    Launches launches;
    size_t launch; /* being read */
    Emitter emitter;
    uint64_t all_bytes; /* of all launches, when they were found */
} Collector;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "collect raw files");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Collector *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    self->emitter.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Collector *self = context;

    self->input = OpprofParamsString(params, "input");
    self->chip = OpprofParamsString(params, "chip");
    /* Parsers of the run use the names, too, and get no answer where these cannot be read. */
    OpprofStatus status = OpprofRawNamesLoad("auto", error);
    if (status == OPPROF_OK) {
        status = OpprofRawNamesLoad(self->chip, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    self->patterns = NamesExpand(params, "files", self->chip, &self->pattern_count);
    if (self->patterns == NULL) {
        return no_memory(error);
    }
    if (self->pattern_count == 0) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter 'files' names no file");
    }
    return LaunchChoiceInit(&self->choice, params, error);
}

static Patterns patterns_of(const Collector *self)
{
    return (Patterns){ .list = self->patterns, .count = self->pattern_count };
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Collector *self = context;
    const Patterns patterns = patterns_of(self);

    OpprofStatus status = LaunchesFind(self->input, &patterns, &self->launches, error);
    if (status == OPPROF_OK) {
        status = RangesShareOut(&(RangeOrder){ .stage = self->stage,
                                               .input = self->input,
                                               .chip = self->chip,
                                               .patterns = &patterns,
                                               .launches = &self->launches },
                                error);
    }
    if (status == OPPROF_OK) {
        status = LaunchesChoose(&self->launches, &self->choice, self->input, error);
    }
    if (status == OPPROF_OK) {
        self->all_bytes = LaunchesBytes(&self->launches, &patterns);
        OpprofStageProgress(self->stage, 0, self->all_bytes, "bytes");
        UnevenReport(&self->launches, self->stage);
    }
    if (status == OPPROF_OK && self->launches.unreadable > 0) {
        OpprofStageIncomplete(
            self->stage, "%zu %s of '%s' %s left out: %s", self->launches.unreadable,
            OPPROF_PLURAL(self->launches.unreadable, "folder", "folders"), self->input,
            OPPROF_PLURAL(self->launches.unreadable, "is", "are"),
            self->launches.first_unreadable == NULL ? "" : self->launches.first_unreadable);
    }
    return status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *nothing,
                            OpprofError **error)
{
    Collector *self = context;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    (void) nothing;
    if (self->launch == self->launches.count) {
        return OPPROF_END;
    }
    if (self->emitter.launch == NULL) {
        const Patterns patterns = patterns_of(self);

        status = EmitBegin(&self->emitter, &self->launches.list[self->launch], &patterns, error);
    }
    if (status == OPPROF_OK) {
        status = EmitSome(&self->emitter, error);
    }
    OpprofErrorExplain(error, status, "Cannot collect launch '%s'",
                       self->launches.list[self->launch].place);
    if (status == OPPROF_OK && self->emitter.launch == NULL) {
        self->launch++;
    }
    OpprofStageProgress(self->stage, self->emitter.bytes_read, self->all_bytes, "bytes");
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Collector *self = context;

    (void) error;
    OpprofStageCount(self->stage, "launches", self->launch);
    EmitCount(&self->emitter);
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Collector *self = context;

    EmitFinish(&self->emitter);
    LaunchesFree(&self->launches);
    LaunchChoiceFinish(&self->choice);
    free(self->patterns);
    free(self);
}

static const OpprofPort outputs[] = {
    { .name = "chunks",
      .record_type = &opprof_onboard_chunk_type,
      .batch_records = 256,
      .summary = "Raw files in pieces, launch by launch." },
};

static const OpprofParam params[] = {
    { .name = "input",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "A folder of raw files of one launch, or the directory of a run." },
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran, to share out the files of range replays; auto: as the "
                 "data names it." },
    { .name = "files",
      .type = OPPROF_PARAM_LIST,
      .default_value = EMIT_FILES,
      .summary = "Files to read, in this order: roles as in the chip file's raw.files, or "
                 "names with * and ?." },
    { .name = "kernel",
      .type = OPPROF_PARAM_STRING,
      .summary =
          "Kernels whose launches are selected, separated by '|': beginnings of names, or patterns "
          "with * and ?; default: any." },
    { .name = "launches",
      .type = OPPROF_PARAM_LIST,
      .summary =
          "Which launches of each kernel are selected, by the number of their folder: 3, 0-9, "
          "20-; default: all." },
};

static OpprofStatus explain(const char *chip, const char *name, FILE *out, OpprofError **error)
{
    static const OpprofFactList lists[] = {
        { "raw.files", "raw file of launches", "file" },
        { "raw.info", "key of the file that describes the operator", "key" },
    };

    const OpprofStatus status = OpprofFactsExplain(chip, onboard_chip_tables, name, out, error);

    return status != OPPROF_E_NOT_FOUND || *error != NULL
               ? status
               : OpprofChipExplain(chip, lists, OPPROF_COUNT(lists), name, out, error);
}

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .destroy = destroy,
    .explain = explain,
};

static const char *const chip_sections[] = { "perfmon", "pmu", "raw", NULL };

OPPROF_PLUGIN_DEFINE(
        .name = "collect-onboard", .version = "1.0", .license = "Apache-2.0",
        .summary = "Collects the raw files of operators profiled on a device.",
        .help =
            "Finds the launches of a run (<device>/<kernel>/<order>/dump) or takes one launch's "
            "files. Kernels that were replayed together as a range (tmp_dump) get their share of "
            "its files. "
            "The parsers read the contents. A file that cannot be read is left out: the run is "
            "then incomplete.",
        .kind = OPPROF_COLLECTOR, .outputs = outputs, .output_count = OPPROF_COUNT(outputs),
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops,
        .chip_sections = chip_sections, .chip_tables = onboard_chip_tables,
        .input_kinds = recognise_kinds);
