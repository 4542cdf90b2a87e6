/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs records of the popped log with those of the instr log. Tested by
 * tests/plugins/collect-sim/test_pairing.c. */
#include "pairing_state.h"

#include "collect-sim/lines/simt.h"

#include <opprof/compiler.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

/* Steps of every line that have more than one caller are part of each. */

#define MOST_ROWS ((size_t) 1 << 20)
/* In OpprofMap: the id's popped record is still to come, but will start after its end. */
#define ID_IS_LATE (UINT32_MAX - 1)

static const SimMarkFacts no_marks = { .registers = NULL };

Pairing *PairingCreate(const PairingOptions *options)
{
    Pairing *pairing = calloc(1, sizeof *pairing);

    if (pairing == NULL) {
        return NULL;
    }
    pairing->options = *options;
    pairing->options.marks = options->marks == NULL ? &no_marks : options->marks;
    pairing->core_watch = sim_watch_popped;
    pairing->core_watch.name = options->core_words.name;
    pairing->core_watch.name_length =
        options->core_words.name == NULL ? 0 : (uint32_t) strlen(options->core_words.name);
    pairing->options.most_rows = options->most_rows == 0 ? MOST_ROWS : options->most_rows;
    pairing->lowest_pc = UINT64_MAX;
    MarksInit(&pairing->marks);
    TallyInit(&pairing->tally, options->by_id);
    SlotPoolInit(&pairing->pool);
    IssueQueueInit(&pairing->issues);
    pairing->order.pool = &pairing->pool;
    SpanInit(&pairing->popped_span);
    SpanInit(&pairing->instr_span);
    return pairing;
}

void PairingDestroy(Pairing *pairing)
{
    if (pairing == NULL) {
        return;
    }
    MarksFinish(&pairing->marks);
    TallyFinish(&pairing->tally);
    HorizonFinish(&pairing->popped_horizon);
    HorizonFinish(&pairing->instr_horizon);
    NamesFinish(&pairing->names);
    SlotPoolFinish(&pairing->pool);
    OpprofMapFinish(&pairing->waiting);
    RowOrderFinish(&pairing->order);
    IssueQueueFinish(&pairing->issues);
    free(pairing->due);
    free(pairing->open);
    free(pairing->scratch);
    free(pairing);
}

size_t PairingHeld(const Pairing *pairing)
{
    const Marks *marks = &pairing->marks;

    return sizeof *pairing + KeyTableHeld(&pairing->tally.keys) +
           KeyTableHeld(&pairing->tally.pages) +
           (pairing->popped_horizon.capacity + pairing->instr_horizon.capacity) * sizeof(uint64_t) +
           marks->capacity * sizeof *marks->marks + marks->texts_capacity;
}

/* ---- the second reading: the popped log ---- */

void PairingStart(Pairing *pairing, const PairingSink *sink)
{
    pairing->sink = *sink;
    pairing->names.intern = sink->intern;
    pairing->names.context = sink->context;
    pairing->names.pipes = pairing->options.pipes;
    pairing->wants = PAIRING_INSTR;
}

/* UINT64_MAX: all counted records are read. */
static uint64_t popped_floor(const Pairing *pairing)
{
    return pairing->popped_ended ? UINT64_MAX
                                 : HorizonFloor(&pairing->popped_horizon, pairing->popped_read);
}

/* Copies everything of a slot but its text. */
static inline bool fill_slot(Pairing *pairing, uint32_t number, const SimLine *line)
{
    const NamesEntry *names = NamesLookUp(&pairing->names, line);
    Slot *slot = &pairing->pool.slots[number];
    const char *text = pairing->pool.texts + slot->text;

    if (names == NULL) {
        return false;
    }
    slot->pc = line->pc;
    slot->id = line->id;
    slot->start = line->tick;
    slot->sequence = pairing->popped_read - 1;
    slot->name = names->name;
    slot->pipe = names->pipe;
    slot->next = SLOT_NONE;
    slot->cache_cycles = OPPROF_NA_U32;
    slot->ccu_cycles = OPPROF_NA_U32;
    slot->threads = -1;
    slot->warp = -1;
    slot->scheduler = -1;
    if (pairing->options.threads != NULL) {
        SimtReadWarp(pairing->options.threads, text, text + slot->length, &slot->warp,
                     &slot->scheduler);
    }
    if (pairing->options.pipes.user_mark != NULL &&
        SimMarkFactsHasRegister(pairing->options.marks, line)) {
        if (pairing->mark_pipe == 0) {
            pairing->mark_pipe =
                pairing->sink.intern(pairing->sink.context, pairing->options.pipes.user_mark,
                                     strlen(pairing->options.pipes.user_mark));
        }
        slot->pipe = pairing->mark_pipe;
    }
    return slot->pipe != 0;
}

static uint32_t make_slot(Pairing *pairing, const SimLine *line)
{
    const uint32_t slot =
        SlotPoolTake(&pairing->pool, line->detail, line->detail + line->detail_length);

    return slot != SLOT_NONE && fill_slot(pairing, slot, line) ? slot : SLOT_NONE;
}

/* The record in a slot is issued. */
static bool hold_issue(Pairing *pairing, uint32_t number)
{
    const Slot *slot = &pairing->pool.slots[number];

    return pairing->sink.issue == NULL ||
           IssueQueueAdd(&pairing->issues, slot, pairing->pool.texts + slot->text);
}

/* A record is issued although it is known to have no pair: it ends before it starts. */
static bool hold_late_issue(Pairing *pairing, const SimLine *line)
{
    uint32_t slot;
    bool is_held;

    if (pairing->sink.issue == NULL) {
        return true;
    }
    slot = make_slot(pairing, line);
    if (slot == SLOT_NONE) {
        return false;
    }
    is_held = hold_issue(pairing, slot);
    SlotPoolGive(&pairing->pool, slot);
    return is_held;
}

static bool take_popped_id(Pairing *pairing, const SimLine *line)
{
    const uint32_t known = OpprofMapFind(&pairing->waiting, line->id);
    uint32_t slot;

    if (known == ID_IS_LATE) {
        OpprofMapRemove(&pairing->waiting, line->id);
        return hold_late_issue(pairing, line);
    }
    if (known != OPPROF_MAP_NONE) {
        return true; /* the file has changed since it was counted */
    }
    slot = make_slot(pairing, line);
    return slot != SLOT_NONE && hold_issue(pairing, slot) &&
           OpprofMapPut(&pairing->waiting, line->id, slot);
}

static bool enqueue(Pairing *pairing, TallyKey *key, const SimLine *line)
{
    const uint32_t slot = make_slot(pairing, line);

    if (slot == SLOT_NONE || !hold_issue(pairing, slot)) {
        return false;
    }
    if (key->head == SLOT_NONE) {
        key->head = slot;
    } else {
        pairing->pool.slots[key->tail].next = slot;
    }
    key->tail = slot;
    return true;
}

/* Walk (b): the record replaces the previous one, unless that is known to have no pair. */
static bool replace_popped(Pairing *pairing, TallyKey *key, const SimLine *line)
{
    const char *end = line->detail + line->detail_length;

    if (key->popped_kept > key->pairs || key->head == SLOT_NONE) {
        return true;
    }
    if (pairing->sink.issue != NULL &&
        !IssueQueueDrop(&pairing->issues, pairing->pool.slots[key->tail].sequence)) {
        return false;
    }
    return SlotPoolReplaceText(&pairing->pool, key->tail, line->detail, end) &&
           fill_slot(pairing, key->tail, line) && hold_issue(pairing, key->tail);
}

static bool take_popped_key(Pairing *pairing, TallyKey *key, const SimLine *line)
{
    const bool replaces =
        key->prunes_popped && key->popped_seen > 0 && line->tick - key->popped_last == POPPED_GAP;

    key->popped_seen++;
    key->popped_last = line->tick;
    if (replaces) {
        return replace_popped(pairing, key, line);
    }
    key->popped_kept++;
    if (key->popped_kept > key->pairs) {
        return true;
    }
    return (key->popped_kept <= key->taken) ? hold_late_issue(pairing, line)
                                            : enqueue(pairing, key, line);
}

static bool take_popped(Pairing *pairing, const char *text, size_t length)
{
    TallyKey *key = NULL;
    SimLine line;

    if (!parse(pairing, text, length, NULL, &line) || lacks_id(pairing, &line) ||
        is_left_out(pairing, &line)) {
        return true;
    }
    pairing->popped_read++;
    switch (TallyFind(&pairing->tally, key_of(pairing, &line), &key)) {
    case TALLY_ONCE:
        return take_popped_id(pairing, &line);
    case TALLY_MANY:
        return take_popped_key(pairing, key, &line);
    case TALLY_NONE:
    default:
        return true;
    }
}

static OpprofStatus emit_issue(void *context, const SlotPool *pool, const Slot *slot,
                               OpprofError **error)
{
    const Pairing *pairing = context;
    const PairingIssue issue = { .pc = slot->pc,
                                 .start = slot->start,
                                 .sequence = slot->sequence,
                                 .detail = pool->texts + slot->text,
                                 .detail_length = slot->length,
                                 .name = slot->name };

    return pairing->sink.issue(pairing->sink.issue_context, &issue, error);
}

/* Emits what no later record can precede, nor replace by walk (b). */
/* After a line, or the end, of the popped log in the second reading. */
static inline bool may_emit_issues(const Pairing *pairing)
{
    return pairing->wants == PAIRING_POPPED && pairing->sink.issue != NULL;
}

static OpprofStatus emit_issues(Pairing *pairing, OpprofError **error)
{
    if (!pairing->popped_ended && pairing->popped_read % HORIZON_BLOCK != 0) {
        return OPPROF_OK;
    }
    const uint64_t floor = popped_floor(pairing);

    return IssueQueueEmit(&pairing->issues,
                          floor == UINT64_MAX || floor < POPPED_GAP ? floor : floor - POPPED_GAP,
                          pairing->options.most_rows, emit_issue, pairing, error);
}

/* ---- the second reading: making pairs ---- */

static inline bool add_due(Pairing *pairing, const Due *due)
{
    if (pairing->due_first > 0 && pairing->due_first == pairing->due_count) {
        pairing->due_first = pairing->due_count = 0;
    }
    if (pairing->due_count == pairing->due_capacity &&
        !OpprofGrow(&pairing->due, &pairing->due_capacity, pairing->due_count + 1,
                    sizeof *pairing->due)) {
        return false;
    }
    pairing->due[pairing->due_count++] = *due;
    return true;
}

static bool make_row(Pairing *pairing, uint32_t number, const Due *due)
{
    Slot *slot = &pairing->pool.slots[number];

    if (slot->start > due->end) {
        pairing->counts.backwards++;
        SlotPoolGive(&pairing->pool, number);
        return true;
    }
    slot->threads = due->threads;
    if (due->key != NULL && !pairing->options.by_id) {
        TallyTake(&pairing->tally, due->key, slot->start, due->end);
    }
    if (pairing->sink.overhead != NULL &&
        !OverheadTake(pairing->sink.overhead, slot->pc, slot->start, &slot->cache_cycles,
                      &slot->ccu_cycles)) {
        return false;
    }
    return RowOrderAdd(&pairing->order, due->end, number);
}

/* The first waiting record is final: no later one can replace it by walk (b). */
static bool head_is_final(const Pairing *pairing, const TallyKey *key)
{
    const Slot *slot = &pairing->pool.slots[key->head];

    return !key->prunes_popped || slot->next != SLOT_NONE || key->popped_seen == key->popped ||
           popped_floor(pairing) > slot->start + POPPED_GAP;
}

/* The log to be read before it is known what came before a row's start; PAIRING_DONE: none. */
static inline PairingLog needed_for_row(const Pairing *pairing, uint32_t number, const Due *due)
{
    const Slot *slot = &pairing->pool.slots[number];

    if (pairing->sink.overhead == NULL || slot->start > due->end) {
        return PAIRING_DONE;
    }
    switch (OverheadNeeds(pairing->sink.overhead, slot->pc, slot->start)) {
    case OVERHEAD_FETCHES:
        return PAIRING_FETCHES;
    case OVERHEAD_ISSUES:
        return PAIRING_ISSUES;
    case OVERHEAD_NONE:
    default:
        return PAIRING_DONE;
    }
}

/*
 * Pair what is due. *ret_needs is a log that has to be read further first; PAIRING_DONE: none. The
 * popped log need not be when all of its rest starts after the end that is due, whose partner is
 * useless anyway.
 */
static inline bool resolve_key(Pairing *pairing, const Due *due, PairingLog *ret_needs)
{
    TallyKey *key = due->key;
    const uint32_t slot = key->head;

    *ret_needs = PAIRING_DONE;
    if (slot != SLOT_NONE) {
        *ret_needs =
            head_is_final(pairing, key) ? needed_for_row(pairing, slot, due) : PAIRING_POPPED;
        if (*ret_needs != PAIRING_DONE) {
            return true;
        }
        key->head = pairing->pool.slots[slot].next;
        key->taken++;
        return make_row(pairing, slot, due);
    }
    if (popped_floor(pairing) == UINT64_MAX) {
        pairing->counts.missing++;
    } else if (popped_floor(pairing) > due->end) {
        pairing->counts.backwards++;
    } else {
        *ret_needs = PAIRING_POPPED;
        return true;
    }
    key->taken++;
    return true;
}

static inline bool resolve_id(Pairing *pairing, const Due *due, PairingLog *ret_needs)
{
    const uint32_t slot = OpprofMapFind(&pairing->waiting, due->id);

    *ret_needs = PAIRING_DONE;
    if (slot != OPPROF_MAP_NONE && slot != ID_IS_LATE) {
        *ret_needs = needed_for_row(pairing, slot, due);
        if (*ret_needs != PAIRING_DONE) {
            return true;
        }
        OpprofMapRemove(&pairing->waiting, due->id);
        return make_row(pairing, slot, due);
    }
    if (popped_floor(pairing) == UINT64_MAX || slot == ID_IS_LATE) {
        pairing->counts.missing++;
        return true;
    }
    if (popped_floor(pairing) > due->end) {
        pairing->counts.backwards++;
        return OpprofMapPut(&pairing->waiting, due->id, ID_IS_LATE);
    }
    *ret_needs = PAIRING_POPPED;
    return true;
}

static OPPROF_ALWAYS_INLINE OpprofStatus resolve(Pairing *pairing, PairingLog *ret_needs,
                                                 OpprofError **error)
{
    const Due *due = &pairing->due[pairing->due_first];

    if (!(due->key != NULL ? resolve_key(pairing, due, ret_needs)
                           : resolve_id(pairing, due, ret_needs))) {
        return OpprofErrorNoMemory(error, "pair instructions");
    }
    pairing->due_first += *ret_needs == PAIRING_DONE;
    return OPPROF_OK;
}

/* ---- the second reading: the instr log ---- */

static bool close_open(Pairing *pairing, TallyKey *key)
{
    const Due due = { .key = key, .end = key->instr_last, .threads = -1 };

    key->is_open = false;
    return add_due(pairing, &due);
}

static bool list_open(Pairing *pairing, TallyKey *key)
{
    key->is_open = true;
    if (key->is_listed) {
        return true;
    }
    if (!OpprofGrow(&pairing->open, &pairing->open_capacity, pairing->open_count + 1,
                    sizeof(TallyKey *))) {
        return false;
    }
    pairing->open[pairing->open_count++] = key;
    key->is_listed = true;
    return true;
}

/* Walk (a): the record replaces the last one, or makes that final. */
static bool walk_instr(Pairing *pairing, TallyKey *key, uint64_t tick)
{
    if (key->is_open) {
        if (tick - key->instr_last <= INSTR_GAP) {
            key->instr_last = tick;
            return true;
        }
        if (!close_open(pairing, key)) {
            return false;
        }
    }
    if (key->instr_kept == key->pairs) {
        return true;
    }
    key->instr_kept++;
    key->instr_last = tick;
    return list_open(pairing, key);
}

static bool read_threads(Pairing *pairing, const SimLine *line, int32_t *ret_threads)
{
    const char *end = NULL;
    const char *text;

    *ret_threads = -1;
    if (pairing->options.threads == NULL || line->detail_length == 0) {
        return true;
    }
    text = strip_detail(pairing, line, &end);
    if (text != NULL) {
        *ret_threads = SimtReadThreads(pairing->options.threads, text, end);
    }
    return text != NULL;
}

static bool pair_instr(Pairing *pairing, const SimLine *line)
{
    Due due = { .id = line->id, .end = line->tick };
    const TallyKind kind = TallyFind(&pairing->tally, key_of(pairing, line), &due.key);

    if (kind == TALLY_NONE) {
        return true;
    }
    if (kind == TALLY_MANY && due.key->prunes_instr) {
        return walk_instr(pairing, due.key, line->tick);
    }
    if (kind == TALLY_MANY && due.key->instr_kept++ >= due.key->pairs) {
        return true;
    }
    if (kind == TALLY_ONCE) {
        due.key = NULL;
    }
    return read_threads(pairing, line, &due.threads) && add_due(pairing, &due);
}

/* No later record that is not before `floor` can replace the key's last one. */
static bool is_final(const TallyKey *key, uint64_t floor)
{
    return floor == UINT64_MAX || (floor > key->instr_last && floor - key->instr_last > INSTR_GAP);
}

/*
 * A block of the instr log is done and the rest of the log is not before `floor`: records that
 * cannot be replaced any more become final, and rows before all that may still come can be emitted.
 */
static bool end_block(Pairing *pairing, uint64_t floor)
{
    size_t kept = 0;

    pairing->bound = floor;
    pairing->emits = true;
    for (size_t i = 0; i < pairing->open_count; i++) {
        TallyKey *key = pairing->open[i];

        if (key->is_open && !is_final(key, floor)) {
            pairing->bound = key->instr_last < pairing->bound ? key->instr_last : pairing->bound;
            pairing->open[kept++] = key;
            continue;
        }
        key->is_listed = false;
        if (key->is_open && !close_open(pairing, key)) {
            return false;
        }
    }
    pairing->open_count = kept;
    return true;
}

static bool is_mark(const Pairing *pairing, const SimLine *line)
{
    const SimMarkFacts *words = pairing->options.marks;
    bool is_start;

    return SimMarkFactsHasRegister(words, line) && SimMarkFactsDigit(words, line, &is_start) >= 0;
}

static bool take_instr(Pairing *pairing, const char *text, size_t length)
{
    SimLine line;
    bool is_line =
        parse(pairing, text, length,
              pairing->options.threads != NULL ? NULL : &pairing->options.marks->watch, &line);

    line.poped_from_queue = false;
    if (!is_line || lacks_id(pairing, &line) || is_left_out(pairing, &line) ||
        is_mark(pairing, &line)) {
        return true;
    }
    pairing->instr_read++;
    if (!pair_instr(pairing, &line)) {
        return false;
    }
    return pairing->instr_read % HORIZON_BLOCK != 0 ||
           end_block(pairing, HorizonFloor(&pairing->instr_horizon, pairing->instr_read));
}

/* ---- emitting ---- */

/* The operands, followed by the number of threads if known. */
static const char *row_text(Pairing *pairing, const Slot *slot, uint32_t *ret_length)
{
    const char *text = pairing->pool.texts + slot->text;
    char *scratch, *end;

    *ret_length = slot->length;
    if (slot->threads < 0) {
        return text;
    }
    scratch = reserve_scratch(pairing, (size_t) slot->length + 64);
    if (scratch == NULL) {
        return NULL;
    }
    memcpy(scratch, text, slot->length);
    memcpy(scratch + slot->length, ", [threadNum:", 13);
    end = OpprofTextPutU64(scratch + slot->length + 13, (uint64_t) slot->threads);
    *end++ = ']';
    *ret_length = (uint32_t) (end - scratch);
    return scratch;
}

/* How far before its end a later row may start; 0: unknown. */
static uint32_t reach_of(const Pairing *pairing, uint64_t end)
{
    const uint64_t floor = pairing->start_floor;

    if (floor == 0 || (floor < end && end - floor > UINT32_MAX)) {
        return 0;
    }
    return floor < end ? (uint32_t) (end - floor) : 1;
}

static OpprofStatus emit_row(Pairing *pairing, const HeldRow *held, OpprofError **error)
{
    const Slot *slot = &pairing->pool.slots[held->slot];
    PairingRow row = { .pc = slot->pc,
                       .id = slot->id,
                       .start = slot->start,
                       .end = held->end,
                       .sequence = slot->sequence,
                       .floor = pairing->counts.is_out_of_order ? 0 : held->end,
                       .reach = reach_of(pairing, held->end),
                       .name = slot->name,
                       .pipe = slot->pipe,
                       .cache_cycles = slot->cache_cycles,
                       .ccu_cycles = slot->ccu_cycles,
                       .warp = slot->warp,
                       .scheduler = slot->scheduler };
    OpprofStatus status;

    row.detail = row_text(pairing, slot, &row.detail_length);
    if (row.detail == NULL) {
        return OpprofErrorNoMemory(error, "pair instructions");
    }
    status = pairing->sink.row(pairing->sink.context, &row, error);
    if (status == OPPROF_OK) {
        pairing->counts.rows++;
        SlotPoolGive(&pairing->pool, held->slot);
    }
    return status;
}

/* Emit `count` rows from the front. */
static OpprofStatus emit_rows(Pairing *pairing, size_t count, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    size_t done = 0;

    while (done < count && status == OPPROF_OK) {
        status = emit_row(pairing, &pairing->order.rows[done], error);
        done += status == OPPROF_OK;
    }
    RowOrderDrop(&pairing->order, done);
    return status;
}

/* Emits what no later row can precede, and half of the rest if it is too much to hold. */
static OpprofStatus emit_ready(Pairing *pairing, OpprofError **error)
{
    RowOrder *order = &pairing->order;
    OpprofStatus status;
    size_t count = 0;
    const uint64_t waiting = SlotPoolEarliest(&pairing->pool);
    const uint64_t unread = popped_floor(pairing);

    pairing->start_floor = waiting < unread ? waiting : unread;
    RowOrderSort(order);
    while (count < order->count && order->rows[count].end < pairing->bound) {
        count++;
    }
    status = emit_rows(pairing, pairing->instr_ended ? order->count : count, error);
    if (status == OPPROF_OK && order->count > pairing->options.most_rows) {
        pairing->counts.is_out_of_order = true;
        status = emit_rows(pairing, order->count / 2, error);
    }
    return status;
}

/* ---- lines in ---- */

/* Continues until a line is needed, or all is done. */
static OPPROF_ALWAYS_INLINE OpprofStatus advance(Pairing *pairing, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    PairingLog needs = PAIRING_DONE;

    while (status == OPPROF_OK && needs == PAIRING_DONE) {
        if (pairing->due_first < pairing->due_count) {
            status = resolve(pairing, &needs, error);
        } else if (pairing->emits) {
            pairing->emits = false;
            status = emit_ready(pairing, error);
        } else if (!pairing->instr_ended) {
            needs = PAIRING_INSTR;
        } else if (!pairing->popped_ended && pairing->sink.issue != NULL) {
            needs = PAIRING_POPPED; /* the remaining records are issued all the same */
        } else {
            break;
        }
    }
    pairing->wants = needs;
    return status;
}

PairingLog PairingWants(const Pairing *pairing)
{
    return pairing->wants;
}

static bool take_line(Pairing *pairing, const char *line, size_t length)
{
    switch (pairing->wants) {
    case PAIRING_POPPED:
        return take_popped(pairing, line, length);
    case PAIRING_INSTR:
        return take_instr(pairing, line, length);
    case PAIRING_FETCHES:
        return OverheadGive(pairing->sink.overhead, OVERHEAD_FETCHES, line, length);
    case PAIRING_ISSUES:
        return OverheadGive(pairing->sink.overhead, OVERHEAD_ISSUES, line, length);
    case PAIRING_DONE:
    default:
        return true;
    }
}

OpprofStatus PairingGive(Pairing *pairing, const char *line, size_t length, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (!take_line(pairing, line, length)) {
        return OpprofErrorNoMemory(error, "pair instructions");
    }
    if (may_emit_issues(pairing)) {
        status = emit_issues(pairing, error);
    }
    return status == OPPROF_OK ? advance(pairing, error) : status;
}

static bool end_log(Pairing *pairing)
{
    switch (pairing->wants) {
    case PAIRING_POPPED:
        pairing->popped_ended = true;
        return true;
    case PAIRING_INSTR:
        pairing->instr_ended = true;
        return end_block(pairing, UINT64_MAX);
    case PAIRING_FETCHES:
        OverheadGiveEnd(pairing->sink.overhead, OVERHEAD_FETCHES);
        return true;
    case PAIRING_ISSUES:
        OverheadGiveEnd(pairing->sink.overhead, OVERHEAD_ISSUES);
        return true;
    case PAIRING_DONE:
    default:
        return true;
    }
}

OpprofStatus PairingGiveEnd(Pairing *pairing, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (!end_log(pairing)) {
        return OpprofErrorNoMemory(error, "pair instructions");
    }
    if (may_emit_issues(pairing)) {
        status = emit_issues(pairing, error);
    }
    return status == OPPROF_OK ? advance(pairing, error) : status;
}

OpprofStatus PairingFlush(Pairing *pairing, OpprofError **error)
{
    OpprofStatus status =
        IssueQueueEmit(&pairing->issues, UINT64_MAX, 0, emit_issue, pairing, error);

    pairing->start_floor = 0;
    RowOrderSort(&pairing->order);
    return status == OPPROF_OK ? emit_rows(pairing, pairing->order.count, error) : status;
}

/* ---- what there is to know ---- */

PairingCore PairingGetCore(const Pairing *pairing)
{
    return pairing->core;
}

uint64_t PairingLowestPc(const Pairing *pairing)
{
    return pairing->lowest_pc;
}

PairingEnd PairingGetEnd(const Pairing *pairing)
{
    return pairing->end;
}

const Marks *PairingGetMarks(const Pairing *pairing, uint64_t *ret_nested, uint64_t *ret_open)
{
    *ret_nested = pairing->marks_nested;
    *ret_open = pairing->marks_open;
    return &pairing->marks;
}

uint64_t PairingInFlight(const Pairing *pairing)
{
    return pairing->options.threads == NULL ? PAIRING_IN_FLIGHT : PAIRING_IN_FLIGHT_THREADS;
}

PairingCut PairingGetCut(const Pairing *pairing, uint64_t *ret_tick, uint64_t *ret_until)
{
    const Span *popped = &pairing->popped_span;
    const Span *instr = &pairing->instr_span;

    if (pairing->counts.popped_alone == 0 && pairing->counts.instr_alone == 0) {
        return PAIRING_WHOLE; /* however many instructions were in flight */
    }
    if (SpanOutlasts(instr, popped)) {
        *ret_tick = popped->last;
        return PAIRING_POPPED_ENDS_EARLY;
    }
    if (SpanOutlasts(popped, instr)) {
        *ret_tick = instr->last;
        return PAIRING_INSTR_ENDS_EARLY;
    }
    if (SpanPrecedes(instr, popped)) {
        *ret_tick = popped->first;
        return PAIRING_POPPED_BEGINS_LATE;
    }
    if (SpanPrecedes(popped, instr)) {
        *ret_tick = instr->first;
        return PAIRING_INSTR_BEGINS_LATE;
    }
    const uint64_t most = PairingInFlight(pairing);
    if (StretchesLack(&pairing->stretches, STRETCH_POPPED, most, ret_tick, ret_until)) {
        return PAIRING_POPPED_IS_SILENT;
    }
    return StretchesLack(&pairing->stretches, STRETCH_INSTR, most, ret_tick, ret_until)
               ? PAIRING_INSTR_IS_SILENT
               : PAIRING_WHOLE;
}

bool PairingHasRows(const Pairing *pairing, uint64_t pc)
{
    TallyKey *key = NULL;

    return TallyFind(&pairing->tally, pc, &key) != TALLY_NONE;
}

PairingCounts PairingGetCounts(const Pairing *pairing)
{
    PairingCounts counts = pairing->counts;

    if (pairing->wants == PAIRING_DONE) {
        const uint64_t popped = pairing->popped_span.last;
        const uint64_t instr = pairing->instr_span.last;

        counts.overdue = TallyOverdue(&pairing->tally, popped > instr ? popped : instr);
    }
    counts.peak_in_flight = pairing->pool.peak;
    return counts;
}
