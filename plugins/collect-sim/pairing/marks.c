/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins the starts and stops of user marks. Tested by tests/plugins/collect-sim/test_pairing.c.
 */
#include "marks.h"
#include "collect-sim/lines/charset.h"
#include <opprof/grow.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SLACK 64u

void MarksInit(Marks *marks)
{
    *marks = (Marks){ .current = -1 };
}

static Mark *last_of(const Marks *marks, int digit)
{
    return digit < 0 || marks->last[digit] == 0 ? NULL : &marks->marks[marks->last[digit] - 1];
}

/*
 * An edge (NOP_PIPE) after a start or stop is where the mark really begins or ends: the first one
 * after a start, the last one after a stop.
 */
static void take_nop(Marks *marks, uint64_t tick)
{
    Mark *mark = last_of(marks, marks->current);

    if (mark == NULL) {
        return;
    }
    if (marks->is_stopped) {
        mark->end = tick;
    } else {
        mark->start = tick;
        marks->current = -1;
    }
}

static bool keep_text(Marks *marks, const SimLine *line, Mark *mark)
{
    const size_t needed = marks->texts_used + line->detail_length + TEXT_SLACK;
    char *from, *after;

    if (!OpprofGrow(&marks->texts, &marks->texts_capacity, needed, 1)) {
        return false;
    }
    from = marks->texts + marks->texts_used;
    after = CharsetCopyWithoutBlanks(from, line->detail, line->detail + line->detail_length);
    mark->text = marks->texts_used;
    mark->length = (uint32_t) (after - from);
    marks->texts_used += mark->length;
    return true;
}

static bool add_mark(Marks *marks, const SimLine *line, int digit)
{
    Mark mark = { .start = line->tick,
                  .end = OPPROF_NA_U64,
                  .start_pc = line->pc,
                  .end_pc = OPPROF_NA_U64,
                  .digit = (uint32_t) digit };

    if (!OpprofGrow(&marks->marks, &marks->capacity, marks->count + 1, sizeof *marks->marks) ||
        !keep_text(marks, line, &mark)) {
        return false;
    }
    marks->marks[marks->count++] = mark;
    marks->last[digit] = marks->count;
    return true;
}

static bool take_start(Marks *marks, const SimLine *line, int digit)
{
    const Mark *last = last_of(marks, digit);

    marks->current = digit;
    marks->is_stopped = false;
    if (last != NULL && last->end == OPPROF_NA_U64) {
        marks->is_nested[digit] = true;
        return true;
    }
    return marks->is_nested[digit] || add_mark(marks, line, digit);
}

static void take_stop(Marks *marks, const SimLine *line, int digit)
{
    Mark *last = last_of(marks, digit);

    marks->current = digit;
    marks->is_stopped = true;
    if (last == NULL) {
        marks->is_nested[digit] = true;
        return;
    }
    last->end = line->tick;
    last->end_pc = line->pc;
}

static bool is_edge(const SimMarkFacts *words, const SimLine *line)
{
    return words->edge != NULL && words->edge_length == line->name_length &&
           memcmp(words->edge, line->name, line->name_length) == 0;
}

bool MarksTake(Marks *marks, const SimMarkFacts *words, const SimLine *line, bool *ret_is_mark)
{
    bool is_start = false;
    const int digit =
        SimMarkFactsHasRegister(words, line) ? SimMarkFactsDigit(words, line, &is_start) : -1;

    if (is_edge(words, line)) {
        take_nop(marks, line->tick);
    } else {
        marks->current = -1;
    }
    *ret_is_mark = digit >= 0;
    if (digit < 0) {
        return true;
    }
    if (is_start) {
        return take_start(marks, line, digit);
    }
    take_stop(marks, line, digit);
    return true;
}

void MarksClose(Marks *marks, uint64_t *ret_nested, uint64_t *ret_open)
{
    size_t kept = 0;

    *ret_nested = 0;
    *ret_open = 0;
    for (size_t i = 0; i < marks->count; i++) {
        const Mark mark = marks->marks[i];

        if (marks->is_nested[mark.digit]) {
            (*ret_nested)++;
        } else if (mark.end == OPPROF_NA_U64 || mark.end < mark.start) {
            (*ret_open)++;
        } else {
            marks->marks[kept++] = mark;
        }
    }
    marks->count = kept;
}

void MarksFinish(Marks *marks)
{
    free(marks->marks);
    free(marks->texts);
    MarksInit(marks);
}
