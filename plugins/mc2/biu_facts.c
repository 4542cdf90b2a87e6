/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiles the section `biu` of a chip file.
 * Tested by tests/plugins/mc2/test_words.c.
 */
#include "biu_facts.h"

#include <stdio.h>
#include <string.h>

#define MONITOR_BYTES 32u
#define PIECE_BYTES 8u
#define MAX_RECORD_BYTES 4096.0

static bool read_names(const OpprofFact *list, char names[BIU_PIPES][BIU_NAME_ROOM])
{
    for (uint32_t i = 0; i < BIU_PIPES; i++) {
        const char *name = OpprofFactText(OpprofFactAt(list, i));
        if (name == NULL || strlen(name) >= BIU_NAME_ROOM) {
            return false;
        }
        snprintf(names[i], BIU_NAME_ROOM, "%s", name);
    }
    return OpprofFactCount(list) == BIU_PIPES;
}

static bool read_control(const BiuFacts *facts, const char *text, uint8_t *ret_control)
{
    for (uint32_t i = 0; i < BIU_PIPES; i++) {
        if (strcmp(text, facts->pipes[i]) == 0) {
            *ret_control = (uint8_t) (BIU_CONTROL_MARK_0 + i);
            return true;
        }
    }
    *ret_control = strcmp(text, "stamp") == 0   ? BIU_CONTROL_STAMP
                   : strcmp(text, "state") == 0 ? BIU_CONTROL_STATE
                                                : BIU_CONTROL_TIME;
    return *ret_control != BIU_CONTROL_TIME || strcmp(text, "time") == 0;
}

static bool read_words(const OpprofFact *words, BiuFacts *facts)
{
    const OpprofFact *controls = OpprofFactMember(words, "controls");
    bool is_good = read_names(OpprofFactMember(words, "pipes"), facts->pipes) &&
                   read_names(OpprofFactMember(words, "short_pipes"), facts->short_pipes) &&
                   OpprofFactCount(controls) == BIU_CONTROLS;

    for (uint32_t i = 0; is_good && i < BIU_CONTROLS; i++) {
        const char *text = OpprofFactText(OpprofFactAt(controls, i));
        is_good = text != NULL && read_control(facts, text, &facts->controls[i]);
    }
    return is_good;
}

static bool read_pieces(const OpprofFact *list, double size, BiuPieces *pieces)
{
    pieces->count = (uint32_t) OpprofFactCount(list);
    if (pieces->count != 0 && pieces->count * PIECE_BYTES != MONITOR_BYTES) {
        return false;
    }
    for (uint32_t i = 0; i < pieces->count; i++) {
        double at = -1;
        OpprofFactNumber(OpprofFactAt(list, i), &at);
        if (at < 0 || at > size - PIECE_BYTES) {
            return false;
        }
        pieces->at[i] = (uint16_t) at;
    }
    return true;
}

static bool read_record(const OpprofFact *fact, BiuRecord *record)
{
    double size = 0;

    if (!OpprofFactNumber(OpprofFactMember(fact, "size"), &size) || size < PIECE_BYTES ||
        size > MAX_RECORD_BYTES) {
        return false;
    }
    record->size = (uint32_t) size;
    return read_pieces(OpprofFactMember(fact, "flow"), size, &record->flow) &&
           read_pieces(OpprofFactMember(fact, "cycles"), size, &record->cycles) &&
           record->cycles.count > 0;
}

OpprofStatus BiuFactsLoad(const OpprofChip *chip, BiuFacts *ret_facts, OpprofError **error)
{
    const OpprofFact *words = OpprofChipFact(chip, "biu.words");
    const OpprofFact *monitor = OpprofChipFact(chip, "biu.monitor");
    const char *wrong = NULL;
    double khz = 50000;
    double groups = 6;

    OpprofChipNumber(chip, "pmu.defaults.scheduler_khz", &khz);
    OpprofChipNumber(chip, "biu.groups", &groups);
    *ret_facts = (BiuFacts){ .has_words = words != NULL,
                             .has_monitors = monitor != NULL,
                             .groups = groups >= 1 && groups <= 256 ? (uint32_t) groups : 6,
                             .counter_hz = khz >= 1 && khz <= 1e9 ? (uint64_t) khz * 1000 : 0,
                             .core_hz = OpprofChipClock(chip, "core") };
    if (words == NULL && monitor == NULL) {
        wrong = "biu";
    } else if (words != NULL && !read_words(words, ret_facts)) {
        wrong = "biu.words";
    } else if (monitor != NULL &&
               (!read_record(OpprofFactMember(monitor, "cube"), &ret_facts->cube_record) ||
                !read_record(OpprofFactMember(monitor, "vector"), &ret_facts->vector_record))) {
        wrong = "biu.monitor";
    } else if (ret_facts->counter_hz == 0) {
        wrong = "pmu.defaults.scheduler_khz";
    } else if (ret_facts->core_hz == 0) {
        wrong = "clocks.core";
    }
    if (wrong != NULL) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "The chip file of '%s' does not describe streams of pipe activity: '%s' is "
                       "missing or wrong",
                       OpprofChipSoc(chip), wrong);
        OpprofErrorHint(error,
                        "Name a chip that has them with --set chip=, such as --set chip=950");
        return OPPROF_E_DATA;
    }
    return OPPROF_OK;
}
