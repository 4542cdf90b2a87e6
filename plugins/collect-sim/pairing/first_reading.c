/* SPDX-License-Identifier: Apache-2.0 */
/* The first reading of the logs counts the records of each key. Tested by
 * tests/plugins/collect-sim/test_pairing.c. */
#include "pairing_state.h"

#include <opprof/compiler.h>
#include <stdlib.h>
#include <string.h>

/* Steps of every line that have more than one caller are part of each. */

/* Accounts for a line of the first reading; true if it is a record that takes part. */
static OPPROF_ALWAYS_INLINE bool count_line(Pairing *pairing, bool is_line, const SimLine *line,
                                            StretchLog log)
{
    Span *span = log == STRETCH_POPPED ? &pairing->popped_span : &pairing->instr_span;

    pairing->counts.lines++;
    if (!is_line || lacks_id(pairing, line)) {
        pairing->counts.no_records++;
        return false;
    }
    SpanAdd(span, line->tick);
    if (is_left_out(pairing, line)) {
        pairing->counts.left_out++;
        StretchesSee(&pairing->stretches, log, line->tick);
        return false;
    }
    return true;
}

/* The hexadecimal number before `at`: after '=', up to four digits, with or without 0x. */
static bool read_number_before(const char *from, const char *at, uint32_t *ret_value)
{
    const char *digits = at;
    char text[8] = "";
    char *end;

    while (digits > from && at - digits < 7 && digits[-1] != '=') {
        digits--;
    }
    if (digits == from || digits == at || digits[-1] != '=') {
        return false;
    }
    if (at - digits > 2 && digits[0] == '0' && digits[1] == 'x') {
        digits += 2;
    }
    if (at - digits > 4) {
        return false;
    }
    memcpy(text, digits, (size_t) (at - digits));
    *ret_value = (uint32_t) strtoul(text, &end, 16);
    return strspn(text, "0123456789abcdefABCDEF") == (size_t) (at - digits) && *end == '\0';
}

static void find_number(const char *at, const char *end, const char *what, bool *has,
                        uint32_t *ret_value)
{
    const size_t length = strlen(what);

    for (const char *hit = at; !*has && (hit = CharsetFind(hit, end, what, length)) != NULL;
         hit++) {
        *has = read_number_before(at, hit, ret_value);
    }
}

/* MOV_XD_SPR  XD:X11=0x2, SPR:BLOCKID, */
static bool read_core_number(Pairing *pairing, const SimLine *line)
{
    const PairingCoreWords *words = &pairing->options.core_words;
    const char *end = NULL;
    const char *text;

    if (line->name_length != pairing->core_watch.name_length ||
        memcmp(line->name, words->name, line->name_length) != 0) {
        return true;
    }
    text = strip_detail(pairing, line, &end);
    if (text == NULL) {
        return false;
    }
    find_number(text, end, words->block, &pairing->core.has_block, &pairing->core.block);
    find_number(text, end, words->sub_block, &pairing->core.has_sub, &pairing->core.sub);
    return true;
}

static bool lacks_core_number(const Pairing *pairing)
{
    return pairing->options.core_words.name != NULL &&
           !(pairing->core.has_block && pairing->core.has_sub);
}

/* Why popped lines are examined. */
static const SimLineWatch *popped_watch(const Pairing *pairing)
{
    return lacks_core_number(pairing) ? &pairing->core_watch : &sim_watch_popped;
}

static inline bool ends_program(const Pairing *pairing, const SimLine *line)
{
    return pairing->options.ends != NULL && SimLineNameIsOneOf(line, pairing->options.ends);
}

static inline TallyRecord record_of(const Pairing *pairing, const SimLine *line)
{
    return (TallyRecord){ .key = key_of(pairing, line),
                          .tick = line->tick,
                          .name = line->name,
                          .pipe = line->pipe,
                          .name_length = line->name_length,
                          .pipe_length = line->pipe_length };
}

static OPPROF_ALWAYS_INLINE bool count_popped(Pairing *pairing, bool is_line, const SimLine *line)
{
    if (!count_line(pairing, is_line, line, STRETCH_POPPED)) {
        return !is_line || !line->poped_from_queue || lacks_id(pairing, line) ||
               TallyAddQueued(&pairing->tally, &(TallyRecord){ .key = key_of(pairing, line) });
    }
    const TallyRecord record = record_of(pairing, line);

    StretchesAdd(&pairing->stretches, STRETCH_POPPED, line->tick, line->pc);
    pairing->counts.popped++;
    pairing->lowest_pc = line->pc < pairing->lowest_pc ? line->pc : pairing->lowest_pc;
    pairing->end.is_popped_last = ends_program(pairing, line);
    pairing->end.popped += pairing->end.is_popped_last;
    if (lacks_core_number(pairing) && !read_core_number(pairing, line)) {
        return false;
    }
    return TallyAddPopped(&pairing->tally, &record) &&
           HorizonAdd(&pairing->popped_horizon, line->tick);
}

/* Lines that are not records are rare, or none of this grammar. */
static __attribute__((cold, noinline)) void report_broken(const Pairing *pairing, const char *text,
                                                          size_t length)
{
    const PairingOptions *options = &pairing->options;

    if (options->forms == NULL && options->on_broken != NULL && SimLineIsBroken(text, length)) {
        options->on_broken(options->context);
    }
}

bool PairingCountPopped(Pairing *pairing, const char *text, size_t length)
{
    SimLine line;
    const bool is_line = parse(pairing, text, length, popped_watch(pairing), &line);

    if (!is_line) {
        report_broken(pairing, text, length);
    }
    return count_popped(pairing, is_line, &line);
}

bool PairingCountPoppedRest(Pairing *pairing, uint64_t tick, const char *rest, size_t length)
{
    SimLine line;
    const bool is_line = SimRestParseBrief(tick, rest, length, popped_watch(pairing), &line);

    pairing->counts.broken += !is_line && SimLineIsBroken(rest, length);
    return count_popped(pairing, is_line, &line);
}

/* The instr log has no tail to watch for, so lines are left out by name. */
static OPPROF_ALWAYS_INLINE bool count_instr(Pairing *pairing, bool is_line, SimLine *line)
{
    bool is_mark = false;

    line->poped_from_queue = false;
    if (!count_line(pairing, is_line, line, STRETCH_INSTR)) {
        return true;
    }
    if (!MarksTake(&pairing->marks, pairing->options.marks, line, &is_mark)) {
        return false;
    }
    const TallyRecord record = record_of(pairing, line);

    if (is_mark) {
        pairing->counts.marks++;
        StretchesSee(&pairing->stretches, STRETCH_INSTR, line->tick);
        return TallyAddMark(&pairing->tally, &record);
    }
    pairing->end.instr += ends_program(pairing, line);
    StretchesAdd(&pairing->stretches, STRETCH_INSTR, line->tick, line->pc);
    pairing->counts.instr++;
    return TallyAddInstr(&pairing->tally, &record) &&
           HorizonAdd(&pairing->instr_horizon, line->tick);
}

bool PairingCountInstr(Pairing *pairing, const char *text, size_t length)
{
    SimLine line;
    const bool is_line = parse(pairing, text, length, &pairing->options.marks->watch, &line);

    if (!is_line) {
        report_broken(pairing, text, length);
    }
    return count_instr(pairing, is_line, &line);
}

bool PairingCountInstrRest(Pairing *pairing, uint64_t tick, const char *rest, size_t length)
{
    SimLine line;
    const bool is_line =
        SimRestParseBrief(tick, rest, length, &pairing->options.marks->watch, &line);

    pairing->counts.broken += !is_line && SimLineIsBroken(rest, length);
    return count_instr(pairing, is_line, &line);
}

/* User marks are popped like instructions, but have no end. The tally knows them by PC only. */
static uint64_t without_marks(const Pairing *pairing, uint64_t alone)
{
    const uint64_t marks = pairing->options.by_id ? pairing->counts.marks : 0;

    return alone > marks ? alone - marks : 0;
}

void PairingCountEnd(Pairing *pairing)
{
    PairingCounts *counts = &pairing->counts;

    MarksClose(&pairing->marks, &pairing->marks_nested, &pairing->marks_open);
    HorizonClose(&pairing->popped_horizon);
    HorizonClose(&pairing->instr_horizon);
    TallyClose(&pairing->tally);
    SpanCount(&pairing->popped_span);
    SpanCount(&pairing->instr_span);
    const TallySums sums = TallySum(&pairing->tally);
    counts->pruned = sums.pruned;
    counts->popped_alone = without_marks(pairing, sums.popped_alone);
    counts->popped_lost = without_marks(pairing, sums.popped_lost);
    counts->popped_doubled = sums.popped_again + sums.popped_torn;
    counts->instr_alone = sums.instr_alone;
    counts->popped_lines = pairing->popped_span.records;
    counts->instr_lines = pairing->instr_span.records;
    counts->alone = counts->popped + counts->instr - counts->pruned - 2 * sums.pairs;
}
