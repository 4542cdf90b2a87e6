/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chip: merges the files that it is made of, and answers questions about it. Tested by
 * tests/kit/facts/test_chip.
 */
#include "kit/facts/chip.h"

#include <opprof/require.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HERTZ_A_MEGAHERTZ 1e6
#define MAX_KEY 128    /* bytes of a key in a path */
#define MAX_PLACE 1024 /* bytes of a path */

/* ---- merging ---- */

/*
 * Lays `over` on `under`, which is the caller's own: objects member by member, all else replaced.
 * What is below is shared, since facts never change; an object that takes members of another is
 * copied before.
 */
static bool merge(json_t *under, const json_t *over)
{
    const char *key;
    json_t *value;
    json_t *walked = NULL;

    memcpy(&walked, &over, sizeof walked); /* the macro wants it writable, but does not write */
    json_object_foreach(walked, key, value)
    {
        json_t *below = json_object_get(under, key);
        const bool is_merged = json_is_object(below) && json_is_object(value);
        json_t *own = is_merged ? json_copy(below) : json_incref(value);

        if (json_object_set_new(under, key, own) != 0 || (is_merged && !merge(own, value))) {
            return false;
        }
    }
    return true;
}

/* From the eldest file to the SoC's overrides, each laid on those before. NULL without memory. */
static json_t *merge_line(const ChipLine *line, const char *soc)
{
    json_t *facts = json_object();
    bool good = facts != NULL;

    for (size_t i = line->count; good && i > 0; i--) {
        good = merge(facts, line->file[i - 1]->root);
    }
    json_t *overrides =
        good ? json_incref(json_object_get(json_object_get(facts, "socs"), soc)) : NULL;
    if (overrides == NULL || !merge(facts, overrides)) {
        json_decref(facts);
        facts = NULL;
    }
    json_decref(overrides);
    return facts;
}

/* False without memory. */
static bool note_origins(OpprofChip *chip, const ChipLine *line)
{
    for (size_t i = 0; i < line->count; i++) {
        char *path = strdup(line->file[i]->path);
        if (path == NULL) {
            return false;
        }
        chip->origins[chip->origin_count++] =
            (ChipOrigin){ .path = path, .root = json_incref(line->file[i]->root) };
    }
    return true;
}

void ChipDestroy(OpprofChip *chip)
{
    for (size_t i = 0; i < chip->origin_count; i++) {
        free(chip->origins[i].path);
        json_decref(chip->origins[i].root);
    }
    json_decref(chip->facts);
    free(chip->soc);
    free(chip->series);
    free(chip);
}

OpprofStatus ChipMake(ChipFiles *files, const ChipFile *file, const char *soc,
                      OpprofChip **ret_chip, OpprofError **error)
{
    ChipLine line;
    const OpprofStatus status = ChipLineFind(files, file, &line, error);

    if (status != OPPROF_OK) {
        return status;
    }
    OpprofChip *chip = calloc(1, sizeof *chip);
    if (chip != NULL) {
        chip->facts = merge_line(&line, soc);
        chip->soc = strdup(soc);
        chip->series = strdup(json_string_value(json_object_get(file->root, "series")));
    }
    if (chip == NULL || chip->facts == NULL || chip->soc == NULL || chip->series == NULL ||
        !note_origins(chip, &line)) {
        if (chip != NULL) {
            ChipDestroy(chip);
        }
        return OpprofErrorNoMemory(error, "load the chip '%s'", soc);
    }
    *ret_chip = chip;
    return OPPROF_OK;
}

/* ---- facts ---- */

const char *OpprofChipSoc(const OpprofChip *chip)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    return chip->soc;
}

const char *OpprofChipSeries(const OpprofChip *chip)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    return chip->series;
}

/* The member at a dotted path, or NULL. */
static const json_t *walk(const json_t *at, const char *path)
{
    for (;;) {
        const size_t length = strcspn(path, ".");
        char key[MAX_KEY];
        if (length >= sizeof key) {
            return NULL;
        }
        memcpy(key, path, length);
        key[length] = '\0';
        at = json_object_get(at, key);
        if (at == NULL || path[length] == '\0') {
            return at;
        }
        path += length + 1;
    }
}

static const json_t *fact_at(const OpprofChip *chip, const char *path)
{
    return walk(chip->facts, path);
}

const char *OpprofChipOrigin(const OpprofChip *chip, const char *path)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("chip-path-given", path != NULL, "The path of a fact is a text");

    const size_t length = strcspn(path, "[");
    char member[MAX_PLACE];

    if (length >= sizeof member) {
        return NULL;
    }
    memcpy(member, path, length);
    member[length] = '\0';
    /* A file's facts of the SoC override any file's facts of all SoCs. */
    for (int of_all = 0; of_all < 2; of_all++) {
        for (size_t i = 0; i < chip->origin_count; i++) {
            const json_t *root = chip->origins[i].root;
            const json_t *of_soc = json_object_get(json_object_get(root, "socs"), chip->soc);
            if (walk(of_all == 1 ? root : of_soc, member) != NULL) {
                return chip->origins[i].path;
            }
        }
    }
    return NULL;
}

const OpprofFact *OpprofChipFact(const OpprofChip *chip, const char *path)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("chip-path-given", path != NULL, "The path of a fact is a text");
    return (const OpprofFact *) (path[0] == '\0' ? chip->facts : fact_at(chip, path));
}

const char *OpprofChipText(const OpprofChip *chip, const char *path)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("chip-path-given", path != NULL, "The path of a fact is a text");
    return json_string_value(fact_at(chip, path));
}

bool OpprofChipNumber(const OpprofChip *chip, const char *path, double *ret_value)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("chip-path-given", path != NULL, "The path of a fact is a text");
    OPPROF_REQUIRE("chip-result-given", ret_value != NULL, "The result pointer is given");

    const json_t *fact = fact_at(chip, path);

    if (!json_is_number(fact)) {
        return false;
    }
    *ret_value = json_number_value(fact);
    return true;
}

bool OpprofChipBool(const OpprofChip *chip, const char *path, bool otherwise)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("chip-path-given", path != NULL, "The path of a fact is a text");

    const json_t *fact = fact_at(chip, path);
    return json_is_boolean(fact) ? json_is_true(fact) : otherwise;
}

uint64_t OpprofChipClock(const OpprofChip *chip, const char *clock)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("chip-path-given", clock != NULL, "The path of a fact is a text");

    const json_t *fact = json_object_get(json_object_get(chip->facts, "clocks"), clock);
    return json_is_number(fact) ? (uint64_t) llround(json_number_value(fact) * HERTZ_A_MEGAHERTZ)
                                : 0;
}
