/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up one core's executions by address and by source line. */
#include "core_stats.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

/* Number of separate stretches of time at first, for an address and for a line. */
#define PC_STRETCHES 8u
#define LINE_STRETCHES 32u
/* Maximum: if instructions show how far back later ones may reach, and if not. */
#define MOST_STRETCHES 65536u
#define MOST_STRETCHES_BLIND 4096u

/* An execution. */
typedef struct Row {
    uint64_t pc;
    uint64_t start;
    uint64_t end;
    uint32_t name;
    uint32_t pipe;
    const char *detail;
    uint32_t detail_length;
} Row;

/* Room for one more element of `size` bytes in the array at this address. */
static bool has_room(void *array, uint32_t count, uint32_t *capacity, size_t size)
{
    return count < INT32_MAX && OpprofGrow32(array, capacity, (size_t) count + 1, size);
}

/* ---- texts ---- */

/* Copies a text; its place goes to *ret_place. */
static bool keep_text(CoreStats *core, const char *text, uint32_t length, size_t *ret_place)
{
    if (!OpprofGrow(&core->texts, &core->text_capacity, core->text_bytes + length, 1)) {
        return false;
    }
    if (length > 0) {
        memcpy(core->texts + core->text_bytes, text, length);
    }
    *ret_place = core->text_bytes;
    core->text_bytes += length;
    return true;
}

/* ---- lines ---- */

/* Place of a line in `lines`, or OPPROF_MAP_NONE without memory. */
static uint32_t place_of_line(CoreStats *core, const OpprofSourceLine *line)
{
    if (!OpprofGrowCleared32(&core->line_of_id, &core->id_capacity, (size_t) line->id + 1,
                             sizeof *core->line_of_id)) {
        return OPPROF_MAP_NONE;
    }
    if (core->line_of_id[line->id] != 0) {
        return core->line_of_id[line->id] - 1;
    }
    if (!has_room(&core->lines, core->line_count, &core->line_capacity, sizeof *core->lines)) {
        return OPPROF_MAP_NONE;
    }
    core->lines[core->line_count] =
        (LineStats){ .line = line, .busy = { .limit = LINE_STRETCHES } };
    core->line_of_id[line->id] = ++core->line_count;
    return core->line_count - 1;
}

static bool find_lines(CoreStats *core, PcStats *pc)
{
    pc->first_line = core->number_count;
    if (core->source == NULL) {
        return true;
    }
    pc->stack = OpprofSourceLookup(core->source, pc->pc);
    if (pc->stack == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < pc->stack->count; i++) {
        const OpprofSourceLine *line = pc->stack->lines[i];
        uint32_t place;

        if (line->is_toolkit) {
            continue;
        }
        place = place_of_line(core, line);
        if (place == OPPROF_MAP_NONE || !has_room(&core->line_numbers, core->number_count,
                                                  &core->number_capacity, sizeof place)) {
            return false;
        }
        core->line_numbers[core->number_count++] = place;
        pc->line_count++;
    }
    return true;
}

/* ---- addresses ---- */

/* NULL without memory. */
static PcStats *add_pc(CoreStats *core, uint64_t pc)
{
    PcStats stats = { .pc = pc, .busy = { .limit = PC_STRETCHES } };

    if (!has_room(&core->pcs, core->pc_count, &core->pc_capacity, sizeof *core->pcs) ||
        !find_lines(core, &stats) || !OpprofMapPut(&core->map, pc, core->pc_count)) {
        return NULL;
    }
    core->latest = core->pc_count;
    core->pcs[core->pc_count++] = stats;
    return &core->pcs[core->latest];
}

/* Addresses mostly come in the order of their first appearance. */
static PcStats *find_pc(CoreStats *core, uint64_t pc)
{
    const uint32_t next = core->latest + 1;
    uint32_t place;

    if (next < core->pc_count && core->pcs[next].pc == pc) {
        core->latest = next;
        return &core->pcs[next];
    }
    place = OpprofMapFind(&core->map, pc);
    if (place == OPPROF_MAP_NONE) {
        return add_pc(core, pc);
    }
    core->latest = place;
    return &core->pcs[place];
}

/* No later row starts earlier; 0: unknown. Held marks may reach back without limit. */
static uint64_t start_floor(const CoreStats *core, bool is_marked)
{
    const HeldMark *last =
        !is_marked || core->mark_count == 0 ? NULL : &core->marks[core->mark_count - 1];

    return last != NULL && last->earliest < core->floor ? last->earliest : core->floor;
}

/* All stretches are in use: settle those that no later row can touch, or make room for more. */
static void make_stretches(const CoreStats *core, OpprofBusyTime *busy, bool is_marked)
{
    OpprofBusyTimeSettle(busy, start_floor(core, is_marked));
    if (busy->count > busy->limit / 2 &&
        busy->limit < (core->floor == 0 ? MOST_STRETCHES_BLIND : MOST_STRETCHES)) {
        busy->limit *= 2;
    }
}

static bool add_busy(const CoreStats *core, OpprofBusyTime *busy, const Row *row, bool is_marked)
{
    if (busy->count == busy->limit) {
        make_stretches(core, busy, is_marked);
    }
    return OpprofBusyTimeAdd(busy, row->start, row->end) == OPPROF_OK;
}

static bool add_to_lines(CoreStats *core, const PcStats *pc, const Row *row)
{
    for (uint32_t i = 0; i < pc->line_count; i++) {
        LineStats *line = &core->lines[core->line_numbers[pc->first_line + i]];

        line->calls++;
        line->cycles += row->end - row->start;
        if (!add_busy(core, &line->busy, row, line->is_marked)) {
            return false;
        }
    }
    return true;
}

static PcStats *add_row(CoreStats *core, const Row *row)
{
    PcStats *pc = find_pc(core, row->pc);

    if (pc == NULL) {
        return NULL;
    }
    if (pc->calls == 0) {
        pc->name = row->name;
        pc->pipe = row->pipe;
        pc->detail_length = row->detail_length;
        if (!keep_text(core, row->detail, row->detail_length, &pc->detail)) {
            return NULL;
        }
    }
    pc->calls++;
    pc->cycles += row->end - row->start;
    if (!add_busy(core, &pc->busy, row, pc->is_marked)) {
        return NULL;
    }
    return pc->line_count == 0 || add_to_lines(core, pc, row) ? pc : NULL;
}

/* ---- marks ---- */

static bool add_mark(CoreStats *core, const HeldMark *mark)
{
    /* A copy: the texts may move when the row's own text is kept. */
    char *detail = malloc(mark->detail_length + 1);
    const Row row = { .pc = mark->pc,
                      .start = mark->start,
                      .end = mark->end < mark->start ? mark->start : mark->end,
                      .name = mark->name,
                      .pipe = core->mark_pipe,
                      .detail = detail,
                      .detail_length = mark->detail_length };
    bool ok = detail != NULL;

    if (ok && mark->detail_length > 0) {
        memcpy(detail, core->texts + mark->detail, mark->detail_length);
    }
    if (ok) {
        ok = add_row(core, &row) != NULL;
    }
    free(detail);
    return ok;
}

static int compare_marks(const void *a, const void *b)
{
    const HeldMark *x = a;
    const HeldMark *y = b;

    if (x->end != y->end) {
        return x->end > y->end ? -1 : 1;
    }
    return x->pc > y->pc ? -1 : x->pc < y->pc;
}

/* Reserves the address and lines of a mark; false without memory. */
static bool await_mark(CoreStats *core, uint64_t address)
{
    PcStats *pc = find_pc(core, address);

    for (uint32_t i = 0; pc != NULL && i < pc->line_count; i++) {
        core->lines[core->line_numbers[pc->first_line + i]].is_marked = true;
    }
    if (pc != NULL) {
        pc->is_marked = true;
    }
    return pc != NULL;
}

static bool sort_marks(CoreStats *core)
{
    uint64_t earliest = UINT64_MAX;

    qsort(core->marks, core->mark_count, sizeof *core->marks, compare_marks);
    for (size_t i = 0; i < core->mark_count; i++) {
        earliest = core->marks[i].start < earliest ? core->marks[i].start : earliest;
        core->marks[i].earliest = earliest;
        if (!await_mark(core, core->marks[i].pc)) {
            return false;
        }
    }
    core->marks_are_sorted = true;
    return true;
}

/* Adds the marks that come before an instruction, ordered by end, then by address. */
static bool add_marks_before(CoreStats *core, uint64_t end, uint64_t pc)
{
    if (!core->marks_are_sorted && core->mark_count > 0 && !sort_marks(core)) {
        return false;
    }
    while (core->mark_count > 0) {
        const HeldMark *mark = &core->marks[core->mark_count - 1];

        if (mark->end > end || (mark->end == end && mark->pc > pc)) {
            return true;
        }
        if (!add_mark(core, mark)) {
            return false;
        }
        core->mark_count--;
    }
    return true;
}

static bool hold_mark(CoreStats *core, const OpprofBatch *batch, const OpprofSimMark *mark)
{
    const char *detail = OpprofBatchText(batch, mark->detail);
    HeldMark held = { .pc = mark->pc,
                      .start = mark->start,
                      .end = mark->end,
                      .name = mark->name,
                      .detail_length = detail == NULL ? 0 : mark->detail.length };

    if (!OpprofGrow(&core->marks, &core->mark_capacity, core->mark_count + 1,
                    sizeof *core->marks) ||
        !keep_text(core, detail, held.detail_length, &held.detail)) {
        return false;
    }
    core->marks[core->mark_count++] = held;
    return true;
}

/* ---- batches ---- */

bool CoreStatsInstructions(CoreStats *core, const OpprofBatch *batch)
{
    core->clock = batch->clock;
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofSimInstruction *instruction = OpprofBatchRecord(batch, i);

        core->chip = instruction->chip;
        const char *detail = OpprofBatchText(batch, instruction->detail);
        const Row row = { .pc = instruction->pc,
                          .start = instruction->start < instruction->end ? instruction->start
                                                                         : instruction->end,
                          .end = instruction->end,
                          .name = instruction->name,
                          .pipe = instruction->pipe,
                          .detail = detail,
                          .detail_length = detail == NULL ? 0 : instruction->detail.length };
        PcStats *pc;

        if (core->mark_count > 0 && !add_marks_before(core, row.end, row.pc)) {
            return false;
        }
        pc = add_row(core, &row);
        if (pc == NULL) {
            return false;
        }
        pc->has_instructions = true;
        core->floor = instruction->reach == 0 || instruction->reach > row.end
                          ? 0
                          : row.end - instruction->reach;
    }
    return true;
}

bool CoreStatsMarks(CoreStats *core, const OpprofBatch *batch)
{
    core->clock = batch->clock;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!hold_mark(core, batch, OpprofBatchRecord(batch, i))) {
            return false;
        }
    }
    core->marks_are_sorted = false; /* once, when the last batch of them has arrived */
    return true;
}

bool CoreStatsDetails(CoreStats *core, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofSimPcDetails *details = OpprofBatchRecord(batch, i);
        PcStats *pc = find_pc(core, details->pc);

        if (pc == NULL) {
            return false;
        }
        pc->details = *details;
        pc->has_details = true;
    }
    return true;
}

static int compare_addresses(const void *a, const void *b)
{
    const PcStats *x = a;
    const PcStats *y = b;

    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* Addresses are added by instructions and by details, whichever comes first, and rows must not
 * depend on that. False without memory. */
static bool sort_addresses(CoreStats *core)
{
    bool is_good = true;

    if (core->pc_count > 0) {
        qsort(core->pcs, core->pc_count, sizeof *core->pcs, compare_addresses);
    }
    OpprofMapFinish(&core->map);
    for (uint32_t i = 0; i < core->pc_count && is_good; i++) {
        is_good = OpprofMapPut(&core->map, core->pcs[i].pc, i);
    }
    core->latest = 0;
    return is_good;
}

bool CoreStatsFinish(CoreStats *core)
{
    return add_marks_before(core, UINT64_MAX, UINT64_MAX) && sort_addresses(core);
}

uint64_t CoreStatsRough(const CoreStats *core)
{
    uint64_t rough = 0;

    for (uint32_t i = 0; i < core->pc_count; i++) {
        rough += core->pcs[i].busy.is_rough;
    }
    for (uint32_t i = 0; i < core->line_count; i++) {
        rough += core->lines[i].busy.is_rough;
    }
    return rough;
}

const PcStats *CoreStatsPc(const CoreStats *core, uint64_t pc)
{
    const uint32_t place = OpprofMapFind(&core->map, pc);

    return place == OPPROF_MAP_NONE || core->pcs[place].calls == 0 ? NULL : &core->pcs[place];
}

const LineStats *CoreStatsLine(const CoreStats *core, const OpprofSourceLine *line)
{
    const uint32_t place = line->id < core->id_capacity ? core->line_of_id[line->id] : 0;

    return place == 0 || core->lines[place - 1].calls == 0 ? NULL : &core->lines[place - 1];
}

/* ---- life ---- */

void CoreStatsSetMarkPipe(CoreStats *core, uint32_t pipe)
{
    core->mark_pipe = pipe;
}

CoreStats *CoreStatsCreate(uint32_t name, uint32_t mark_pipe, OpprofSource *source)
{
    CoreStats *core = calloc(1, sizeof *core);

    if (core != NULL) {
        core->core = core->partition = name;
        core->mark_pipe = mark_pipe;
        core->source = source;
    }
    return core;
}

void CoreStatsDestroy(CoreStats *core)
{
    if (core == NULL) {
        return;
    }
    for (uint32_t i = 0; i < core->pc_count; i++) {
        OpprofBusyTimeFinish(&core->pcs[i].busy);
    }
    for (uint32_t i = 0; i < core->line_count; i++) {
        OpprofBusyTimeFinish(&core->lines[i].busy);
    }
    OpprofMapFinish(&core->map);
    free(core->pcs);
    free(core->lines);
    free(core->line_numbers);
    free(core->line_of_id);
    free(core->texts);
    free(core->marks);
    free(core);
}
