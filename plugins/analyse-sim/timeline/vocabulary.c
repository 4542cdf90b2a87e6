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
        { &words->scalar, "SCALAR" },
        { &words->cache_miss, "CACHEMISS" },
        { &words->user_mark, "USERMARK" },
        { &words->other_colour, PaletteOtherColour() },
        { &words->set_colour, PaletteOfPipe("SET_FLAG")->colour },
        { &words->wait_colour, PaletteOfPipe("WAIT_FLAG")->colour },
        { &words->cache_miss_colour, PaletteOfPipe("CACHEMISS")->colour },
        { &words->user_mark_colour, PaletteOfPipe("USERMARK")->colour },
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

const NameInfo *VocabularyName(Vocabulary *words, uint32_t name, uint32_t dialect)
{
    NameInfo *info = &words->names[name & (NAME_CACHE - 1)];
    const char *text;

    if (info->name == name && info->dialect == dialect && name != OPPROF_NA_STRING) {
        return info;
    }
    text = OpprofStageString(words->stage, name);
    *info = (NameInfo){ .name = name,
                        .kind = PaletteRowKind(text),
                        .cross = CrossKindOfName(text),
                        .simt_colour = VocabularyIntern(words, PaletteOfSimt(text)),
                        .dialect = dialect,
                        .facts = NameFactsOf(
                            OperandDialectOfName(OpprofStageString(words->stage, dialect)), text) };
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
