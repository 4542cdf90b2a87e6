/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interns the words of timelines, each once. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "vocabulary.h"

#include <stdio.h>
#include <string.h>

uint32_t VocabularyIntern(Vocabulary *words, const char *text)
{
    return OpprofStageIntern(words->stage, text, strlen(text));
}

bool VocabularyInit(Vocabulary *words, OpprofStage *stage)
{
    const struct {
        uint32_t *id;
        const char *text;
    } texts[] = {
        { &words->main_document, "trace" },
        { &words->code, "code" },
        { &words->detail, "detail" },
        { &words->pc_addr, "pc_addr" },
        { &words->process_bytes, "process_bytes" },
        { &words->cache_time, "cache_time" },
        { &words->ccu_time, "ccu_time" },
        { &words->trace_start, "trace_start" },
        { &words->trace_stop, "trace_stop" },
        { &words->empty, "" },
        { &words->flow, "flow" },
    };

    words->stage = stage;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i].id = VocabularyIntern(words, texts[i].text);
        if (*texts[i].id == OPPROF_NA_STRING) {
            return false;
        }
    }
    return true;
}

PipeLook VocabularyLook(const Vocabulary *words, const char *pipe)
{
    PipeLook look = { .colour = PaletteOtherColour(words->chip),
                      .sort = words->places.other_sort,
                      .number = words->places.other_number };

    PaletteOfPipe(words->chip, pipe, &look);
    return look;
}

bool VocabularyUse(Vocabulary *words, uint32_t chip)
{
    if (words->chip != NULL && words->chip_name == chip) {
        return true;
    }
    words->chip_name = chip;
    words->chip =
        InstructionFactsOf(chip == OPPROF_NA_STRING ? NULL : OpprofStageString(words->stage, chip));
    if (words->chip == NULL) {
        return false;
    }
    words->cross = CrossRuleOf(words->chip);
    words->places = PaletteLanePlaces(words->chip);
    words->roles = PaletteRoles(words->chip);
    words->scalar = VocabularyIntern(words, words->roles.scalar);
    words->other_colour = VocabularyIntern(words, PaletteOtherColour(words->chip));
    words->set_colour = VocabularyIntern(words, PaletteOfFlag(words->chip, true));
    words->wait_colour = VocabularyIntern(words, PaletteOfFlag(words->chip, false));
    words->cache_miss_colour =
        VocabularyIntern(words, VocabularyLook(words, words->roles.cache_miss).colour);
    words->user_mark_colour =
        VocabularyIntern(words, VocabularyLook(words, words->roles.user_mark).colour);
    memset(words->names, 0, sizeof words->names);
    return true;
}

const NameInfo *VocabularyName(Vocabulary *words, uint32_t name)
{
    NameInfo *info = &words->names[name & (NAME_CACHE - 1)];
    const char *text;

    if (info->name == name && name != OPPROF_NA_STRING) {
        return info;
    }
    text = OpprofStageString(words->stage, name);
    *info = (NameInfo){ .name = name,
                        .kind = PaletteRowKind(words->chip, text),
                        .cross = CrossKindOfName(words->chip, text),
                        .simt_colour = VocabularyIntern(words, PaletteOfSimt(words->chip, text)),
                        .facts = NameFactsOf(words->chip, text) };
    return info;
}

uint32_t VocabularyCategory(Vocabulary *words, uint32_t from, uint32_t to)
{
    CategoryInfo *info = &words->categories[(from * 31 + to) & (CATEGORY_CACHE - 1)];
    char text[256];
    int length;

    if (info->from == from && info->to == to && from != OPPROF_NA_STRING) {
        return info->category;
    }
    length = snprintf(text, sizeof text, "%sTo%s", OpprofStageString(words->stage, from),
                      OpprofStageString(words->stage, to));
    if (length < 0) {
        return OPPROF_NA_STRING;
    }
    *info = (CategoryInfo){ .from = from, .to = to, .category = VocabularyIntern(words, text) };
    return info->category;
}
