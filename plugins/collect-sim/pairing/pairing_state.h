/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_PAIRING_STATE_H
#define COLLECT_SIM_PAIRING_PAIRING_STATE_H

/* Shared by both readings of the logs. */
#include "collect-sim/lines/charset.h"
#include "collect-sim/lines/names.h"
#include "horizon.h"
#include "issues.h"
#include "order.h"
#include "pairing.h"
#include "span.h"
#include "stretches.h"
#include "tally.h"

#include <opprof/grow.h>
#include <opprof/map.h>
#include <opprof/record.h>

/* An instr record to be paired, which may have to wait until the popped log is read that far. */
typedef struct Due {
    TallyKey *key; /* NULL: an id that occurs once */
    uint64_t id;
    uint64_t end;
    int32_t threads;
} Due;

struct Pairing {
    PairingOptions options;
    SimLineWatch core_watch; /* of popped lines while the logical core is unknown */
    PairingSink sink;
    PairingCounts counts;
    PairingCore core;
    PairingEnd end;
    uint64_t lowest_pc;
    Marks marks;
    uint64_t marks_nested;
    uint64_t marks_open;
    Tally tally;
    Horizon popped_horizon;
    Horizon instr_horizon;
    Span popped_span; /* of all records, left out or not */
    Span instr_span;
    Stretches stretches;
    /* The second reading. */
    PairingLog wants;
    Names names;
    uint32_t mark_pipe; /* id of the pipe of user marks, 0: not looked up yet */
    SlotPool pool;
    OpprofMap waiting; /* id to slot, or ID_IS_LATE */
    RowOrder order;
    IssueQueue issues;
    uint64_t popped_read; /* records */
    uint64_t instr_read;
    bool popped_ended;
    bool instr_ended;
    Due *due; /* records from due_first on wait to be paired, in this order */
    size_t due_first;
    size_t due_count;
    size_t due_capacity;
    /* keys whose last instr record may still be replaced, and some whose record was */
    TallyKey **open;
    size_t open_count;
    size_t open_capacity;
    bool emits; /* rows that end before `bound` can be emitted once nothing is due */
    uint64_t bound;
    uint64_t start_floor; /* rows that are not emitted yet start there or later; 0: unknown */
    char *scratch;        /* for a text that is being composed */
    size_t scratch_capacity;
};

/* As SimLineParseBrief; without `watch` as SimLineParse. */
static inline bool parse(const Pairing *pairing, const char *text, size_t length,
                         const SimLineWatch *watch, SimLine *ret_line)
{
    if (pairing->options.forms != NULL) {
        return SimFormsParse(pairing->options.forms, text, length, ret_line);
    }
    return watch == NULL ? SimLineParse(text, length, &pairing->options.marks->watch, ret_line)
                         : SimLineParseBrief(text, length, watch, ret_line);
}

/* ---- which lines count ---- */

static inline bool is_left_out(const Pairing *pairing, const SimLine *line)
{
    return line->poped_from_queue || (pairing->options.left_out != NULL &&
                                      SimLineNameIsOneOf(line, pairing->options.left_out));
}

static inline bool lacks_id(const Pairing *pairing, const SimLine *line)
{
    return pairing->options.by_id && line->id == OPPROF_NA_U64;
}

static inline uint64_t key_of(const Pairing *pairing, const SimLine *line)
{
    return pairing->options.by_id ? line->id : line->pc;
}

/* ---- texts ---- */

static inline char *reserve_scratch(Pairing *pairing, size_t length)
{
    return length <= pairing->scratch_capacity ||
                   OpprofGrow(&pairing->scratch, &pairing->scratch_capacity, length, 1)
               ? pairing->scratch
               : NULL;
}

/* The operands of a line without blanks, in the scratch buffer; NULL without memory. */
static inline const char *strip_detail(Pairing *pairing, const SimLine *line, const char **ret_end)
{
    char *scratch = reserve_scratch(pairing, (size_t) line->detail_length + 64);

    if (scratch != NULL) {
        *ret_end =
            CharsetCopyWithoutBlanks(scratch, line->detail, line->detail + line->detail_length);
    }
    return scratch;
}

#endif
