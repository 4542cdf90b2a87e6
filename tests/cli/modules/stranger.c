/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module from outside of the tree, with a section of its own in chip files: "acme" holds the
 * beats of a chip, whose meaning only this module knows.
 */
#include <opprof/kit/chip.h>
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <string.h>

static OpprofStatus process(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    (void) self;
    (void) port;
    (void) batch;
    (void) error;
    return OPPROF_OK;
}

static void print_beat(const OpprofChip *chip, const char *name, const OpprofFact *beat, FILE *out)
{
    double hertz = 0;

    OpprofFactNumber(OpprofFactMember(beat, "hz"), &hertz);
    fprintf(out, "%s\n  chip: %s\n  beats: %g a second\n  source: %s, acme.%s\n", name,
            OpprofChipSoc(chip), hertz, OpprofChipOrigin(chip, "acme"), name);
}

static OpprofStatus explain_beat(const OpprofChip *chip, const char *name, FILE *out,
                                 OpprofError **error)
{
    const OpprofFact *beats = OpprofChipFact(chip, "acme");
    const OpprofFact *beat = OpprofFactMember(beats, name);
    OpprofFactWalk walk = { .place = NULL };

    if (strcmp(name, "all") == 0) {
        while (OpprofFactNext(beats, &walk, &name, &beat)) {
            fprintf(out, "%-40s  %-12s  acme\n", name, "1/s");
        }
        return OPPROF_OK;
    }
    if (beat == NULL) {
        return OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "no beat '%s'", name);
    }
    print_beat(chip, name, beat, out);
    return OPPROF_OK;
}

static OpprofStatus explain(const char *chip_name, const char *name, FILE *out, OpprofError **error)
{
    OpprofChip *chip = NULL;
    OpprofStatus status = OpprofChipLoad(chip_name, &chip, error);

    if (status == OPPROF_OK) {
        status = explain_beat(chip, name, out, error);
    }
    OpprofChipFree(chip);
    return status;
}

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .process = process,
    .explain = explain,
};

static const OpprofPort inputs[] = {
    { .name = "beats",
      .type = "counter",
      .record_type = &opprof_counter_type,
      .summary = "Curves." },
};

static const char *const chip_sections[] = { "acme", NULL };

OPPROF_PLUGIN_DEFINE(.name = "stranger", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Knows beats.", .kind = OPPROF_EXPORTER, .inputs = inputs,
                     .input_count = OPPROF_COUNT(inputs), .ops = &ops,
                     .chip_sections = chip_sections);
