/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Colours, ranks and numbers of lanes, as stated in chip files.
 * Tested by tests/plugins/analyse-sim/timeline/test_palette.c.
 */
#include "palette.h"

#include <stdlib.h>
#include <string.h>

#define OTHERS 1000 /* rank and number of lanes that have none */
#define ANY_COLOUR "thread_state_stopped"

static int32_t whole(const OpprofFact *fact, const char *name, int32_t otherwise)
{
    double value = 0;

    return OpprofFactNumber(OpprofFactMember(fact, name), &value) && value >= 0 && value <= 1e9
               ? (int32_t) value
               : otherwise;
}

static int32_t place_or(const InstructionFacts *words, const char *section, const char *name,
                        int32_t otherwise)
{
    return whole(InstructionFactsFact(words, section), name, otherwise);
}

/* If the chip's file does not say: after the lanes that it may name. */
LanePlaces PaletteLanePlaces(const InstructionFacts *words)
{
    return (LanePlaces){ .other_sort = place_or(words, "pipes", "other_rank", OTHERS),
                         .other_number =
                             (uint32_t) place_or(words, "pipes", "other_lane", 2 * OTHERS),
                         .warp_sort = place_or(words, "warps", "rank", OTHERS),
                         .warp_number = (uint32_t) place_or(words, "warps", "lane", OTHERS) };
}

bool PaletteOfPipe(const InstructionFacts *words, const char *pipe, PipeLook *ret_look)
{
    const OpprofFact *fact = InstructionFactsMember(words, "pipes.known", pipe);
    const char *colour = OpprofFactText(OpprofFactMember(fact, "colour"));
    const int32_t lane = whole(fact, "lane", -1);

    if (colour == NULL || lane < 0) {
        return false;
    }
    *ret_look = (PipeLook){ .colour = colour,
                            .sort = whole(fact, "rank", PaletteLanePlaces(words).other_sort),
                            .number = (uint32_t) lane };
    return true;
}

static const char *text_or(const InstructionFacts *words, const char *path, const char *otherwise)
{
    const char *text = OpprofFactText(InstructionFactsFact(words, path));

    return text == NULL ? otherwise : text;
}

PipeRoles PaletteRoles(const InstructionFacts *words)
{
    return (PipeRoles){ .scalar = text_or(words, "pipes.scalar", ""),
                        .load_store = text_or(words, "pipes.load_store.pipe", NULL),
                        .holds = text_or(words, "pipes.load_store.holds", ""),
                        .cache_miss = text_or(words, "pipes.cache_miss", "cache misses"),
                        .user_mark = InstructionFactsUserMark(words) };
}

const char *PaletteOtherColour(const InstructionFacts *words)
{
    return text_or(words, "pipes.other_colour", ANY_COLOUR);
}

const char *PaletteOfFlag(const InstructionFacts *words, bool is_set)
{
    return text_or(words, is_set ? "flags.set_colour" : "flags.wait_colour", ANY_COLOUR);
}

const char *PaletteOfSimt(const InstructionFacts *words, const char *name)
{
    const char *prefix = text_or(words, "warps.prefix", "");
    const char *colour = NULL;

    if (strncmp(name, prefix, strlen(prefix)) == 0) {
        colour =
            OpprofFactText(InstructionFactsMember(words, "warps.colours", name + strlen(prefix)));
    }
    return colour != NULL ? colour : text_or(words, "warps.other_colour", ANY_COLOUR);
}

RowKind PaletteRowKind(const InstructionFacts *words, const char *name)
{
    if (InstructionFactsHas(words, "flags.set", name)) {
        return ROW_SET;
    }
    if (InstructionFactsHas(words, "flags.wait", name)) {
        return ROW_WAIT;
    }
    return InstructionFactsHas(words, "flags.barrier", name) ? ROW_BAR : ROW_PLAIN;
}

/* A number at the start of a text; -1 without digits. Stops growing at 8 digits. */
static int64_t number_at(const char *at)
{
    int64_t number = 0;

    if (*at < '0' || *at > '9') {
        return -1;
    }
    for (int digits = 0; digits < 8 && *at >= '0' && *at <= '9'; digits++, at++) {
        number = number * 10 + (*at - '0');
    }
    return number;
}

/* The number of a sub-core if its block has several, "core0.veccore1"; -1: it is not one. */
static int64_t spoke_of(const InstructionFacts *words, const char *core)
{
    const char *spoke = text_or(words, "flags.between_cores.spoke", "");
    const char *sub = strchr(core, '.');

    if (sub == NULL || spoke[0] == '\0' || strncmp(sub + 1, spoke, strlen(spoke)) != 0) {
        return -1;
    }
    return number_at(sub + 1 + strcspn(sub + 1, "0123456789"));
}

int32_t PaletteCoreSort(const InstructionFacts *words, const char *core)
{
    const char *head = strstr(core, "core");
    const int64_t number = head == NULL ? -1 : number_at(head + strlen("core"));
    const int64_t spoke = spoke_of(words, core);
    double spokes = 2;
    int64_t sort;

    if (number < 0) {
        return 0;
    }
    OpprofFactNumber(InstructionFactsFact(words, "flags.between_cores.spokes"), &spokes);
    sort = (1 + (int64_t) spokes) * number + 1 + (spoke < 0 ? 0 : 1 + spoke);
    return sort > INT32_MAX ? INT32_MAX : (int32_t) sort;
}
