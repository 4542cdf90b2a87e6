/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds up what the instructions of each source line did.
 * Tested by tests/plugins/parse-dbi/test_hot_spots.sh.
 */
#include "hot_spot_lines.h"

#include <opprof/grow.h>

#include <stdlib.h>

const OpprofSourceLine *SpotLineOf(OpprofSource *source, uint64_t pc)
{
    const OpprofSourceStack *stack = source == NULL ? NULL : OpprofSourceLookup(source, pc);

    for (uint32_t i = 0; stack != NULL && i < stack->count; i++) {
        if (!stack->lines[i]->is_toolkit) {
            return stack->lines[i];
        }
    }
    return NULL;
}

/* The sums of a line, zero at first; NULL without memory. */
static SpotLine *sums_of(SpotLines *lines, const OpprofSourceLine *line, uint32_t *ret_place)
{
    *ret_place = OpprofMapFind(&lines->by_id, line->id);
    if (*ret_place != OPPROF_MAP_NONE) {
        return &lines->list[*ret_place];
    }
    if (!OpprofGrow(&lines->list, &lines->capacity, lines->count + 1, sizeof *lines->list) ||
        !OpprofMapPut(&lines->by_id, line->id, (uint32_t) lines->count)) {
        return NULL;
    }
    *ret_place = (uint32_t) lines->count;
    lines->list[lines->count] = (SpotLine){ .line = line,
                                            .calls = OPPROF_NA_U64,
                                            .bytes = OPPROF_NA_U64,
                                            .hits = OPPROF_NA_U64,
                                            .misses = OPPROF_NA_U64,
                                            .registers = OPPROF_NA_I32 };
    return &lines->list[lines->count++];
}

static void add_known(uint64_t *sum, uint64_t value)
{
    if (value == OPPROF_NA_U64) {
        return;
    }
    *sum = *sum == OPPROF_NA_U64 ? 0 : *sum;
    if (__builtin_add_overflow(*sum, value, sum) || *sum == OPPROF_NA_U64) {
        *sum = OPPROF_NA_U64 - 1;
    }
}

static void add_spot(SpotLine *line, const Spot *spot)
{
    add_known(&line->calls, spot->calls);
    if (spot->moves != NULL) {
        add_known(&line->bytes, spot->moves->bytes);
        add_known(&line->hits, spot->moves->hits);
        add_known(&line->misses, spot->moves->misses);
    }
    line->samples += spot->samples;
    line->waits += spot->waits;
    if (spot->registers != OPPROF_NA_I32 &&
        (line->registers == OPPROF_NA_I32 || spot->registers > line->registers)) {
        line->registers = spot->registers;
    }
}

/* A line counts once for each call stack. */
static bool add_stack(SpotLines *lines, const Spots *spots, uint32_t place,
                      const OpprofSourceStack *stack)
{
    for (uint32_t i = 0; i < stack->count; i++) {
        uint32_t line;
        if (stack->lines[i]->is_toolkit) {
            continue;
        }
        SpotLine *sums = sums_of(lines, stack->lines[i], &line);
        if (sums == NULL || !OpprofGrow(&lines->members, &lines->member_capacity,
                                        lines->member_count + 1, sizeof *lines->members)) {
            return false;
        }
        lines->members[lines->member_count++] = (SpotOfLine){ line, place };
        add_spot(sums, &spots->list[place]);
    }
    return true;
}

bool SpotLinesFind(SpotLines *lines, const Spots *spots, OpprofSource *source)
{
    for (size_t i = 0; source != NULL && i < spots->count; i++) {
        const OpprofSourceStack *stack = OpprofSourceLookup(source, spots->list[i].pc);
        if (stack == NULL || !add_stack(lines, spots, (uint32_t) i, stack)) {
            return false;
        }
    }
    return true;
}

void SpotLinesFinish(SpotLines *lines)
{
    free(lines->list);
    free(lines->members);
    OpprofMapFinish(&lines->by_id);
    *lines = (SpotLines){ .count = 0 };
}
