/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When instructions are fetched, issued, started and retired, and the log entries about it.
 * Tested by tests/refchip/test_operators.sh.
 */
#include "core.h"
#include "simt.h"
#include "trace.h"
#include <stdlib.h>
#include <string.h>

#define ICACHE_MISS_CYCLES 40u
#define REQUEST_BYTES 1024u
#define REPORT_CYCLES 60u

bool CoreInit(Core *core, const RefchipLaunch *launch, const uint64_t *l2_shared, Cross *cross,
              char *fault)
{
    *core = (Core){ .config = RefchipConfigGet(),
                    .launch = launch,
                    .l2_shared = l2_shared,
                    .cross = cross,
                    .fault = fault };
    core->l2_own = calloc(L2_LINES, sizeof *core->l2_own);
    core->l1 = calloc(1, CORE_L1);
    core->l0a = calloc(1, CORE_L0);
    core->l0b = calloc(1, CORE_L0);
    core->l0c = calloc(1, CORE_L0C);
    core->ub = calloc(1, CORE_UB);
    if (core->config->account[0] != '\0') {
        core->instructions = calloc(launch->words, sizeof *core->instructions);
    }
    return core->l2_own != NULL && core->l1 != NULL && core->l0a != NULL && core->l0b != NULL &&
           core->l0c != NULL && core->ub != NULL;
}

void CoreFinish(Core *core)
{
    free(core->l2_own);
    free(core->l1);
    free(core->l0a);
    free(core->l0b);
    free(core->l0c);
    free(core->ub);
    free(core->threads);
    free(core->trace.events);
    free(core->instructions);
    free(core->samples);
}

/* Which part of which core a place is, and what the kernel sees of it. */
static void set_place(Core *core, uint32_t place)
{
    const RefchipLaunch *launch = core->launch;
    const uint32_t parts = launch->kind == ISA_KIND_CUBE ? 1 : launch->kind == ISA_KIND_MIX ? 3 : 2;
    const uint32_t group = place / parts;
    const uint32_t part = launch->kind == ISA_KIND_VECTOR ? 1 + place % parts : place % parts;

    core->is_cube = part == 0;
    core->core_id = (uint32_t) (((core->config->is_310p ? place : group) + core->config->seed) %
                                core->config->cores);
    core->sub_core_id = core->config->is_310p ? DVC_CUBE0 : DVC_CUBE0 + part;
    core->spr[SPR_BLOCKID] = group;
    core->spr[SPR_SUBBLOCKID] = part == 0 ? 0 : part - 1;
    core->spr[SPR_BLOCKDIM] = launch->blocks;
    core->spr[SPR_PARA_BASE] = (uint64_t) (uintptr_t) launch->args;
    core->pc = launch->kind == ISA_KIND_MIX && part != 0 ? launch->vector_entry : launch->entry;
    core->now = 1000 + 4 * (launch->kind == ISA_KIND_MIX ? group : place); /* one after the other */
    if (part == 0) {
        memset(core->cross->count, 0, sizeof core->cross->count);
    }
    memset(core->cross_read, 0, sizeof core->cross_read);
}

void CoreStart(Core *core, uint32_t place)
{
    memset(core->x, 0, sizeof core->x);
    memset(core->spr, 0, sizeof core->spr);
    memset(core->queues, 0, sizeof core->queues);
    memset(core->flags, 0, sizeof core->flags);
    memset(core->icache, 0, sizeof core->icache);
    core->mask[0] = core->mask[1] = UINT64_MAX;
    set_place(core, place);
    core->random = core->config->seed * 1000003 + place;
    memset(core->counts, 0, sizeof core->counts);
    memset(core->warps, 0, sizeof core->warps);
    core->executed = 0;
    core->requests = 0;
    core->is_done = false;
    L2ViewInit(&core->l2, core->l2_shared, core->l2_own, core->counts);
    core->log = LogCoreOpen(core->core_id, core->sub_core_id);
    core->last_mark = 0;
    core->is_watched = WindowIsOn(core->launch->device, core->core_id, core->sub_core_id);
}

/* ---- entries ---- */

static uint64_t address_of(const Core *core, uint32_t pc)
{
    return core->launch->load_pc + 4 * (uint64_t) pc;
}

/* Members of a log entry without operands. */
typedef struct Plain {
    uint32_t type;
    uint32_t word;
    uint32_t pipe;
    const char *op;
    uint64_t time;
    uint64_t size;
} Plain;

static void log_plain(Core *core, Plain plain)
{
    const bool is_wanted = core->log != NULL && LogIsWanted(plain.type);
    LogEntry *entry = is_wanted ? LogNew(core->log) : NULL;

    if (entry == NULL) {
        return;
    }
    entry->type = plain.type;
    entry->time = plain.time;
    entry->op = plain.op;
    entry->pc = plain.type == DVC_ICACHE_LOG && plain.size > 0
                    ? address_of(core, core->pc) / ICACHE_LINE * ICACHE_LINE
                    : address_of(core, core->pc);
    entry->size = plain.size;
    entry->word = plain.word;
    entry->pipe = plain.pipe;
    LogPut(core->log, entry);
}

static void log_instr(Core *core, uint32_t type, uint64_t time, uint32_t word, uint32_t pipe,
                      const char *text)
{
    LogEntry *entry = LogNew(core->log);

    if (entry == NULL) {
        return;
    }
    entry->type = type;
    entry->time = time;
    entry->pc = address_of(core, core->pc);
    entry->id = core->executed;
    entry->word = word;
    entry->pipe = pipe;
    memcpy(entry->text, text, strnlen(text, sizeof entry->text - 1) + 1);
    LogPut(core->log, entry);
}

static void log_request(Core *core, const char *interface, const char *op, uint64_t time,
                        uint64_t address, uint64_t size)
{
    LogEntry *entry = LogNew(core->log);

    if (entry == NULL) {
        return;
    }
    entry->type = DVC_MTE_LOG;
    entry->time = time;
    entry->interface = interface;
    entry->op = op;
    entry->pc = address;
    entry->size = size;
    entry->id = core->executed;
    entry->request = core->requests;
    LogPut(core->log, entry);
}

/* The requests of a move: on the interface of memory, and on that of the buffer. */
static void log_move(Core *core, uint32_t word, const Effect *effect, uint64_t start, uint64_t end)
{
    const bool is_l1 = IsaCodeOf(word) == ISA_MOV_OUT_TO_L1;
    const uint64_t count = (effect->gm_size + REQUEST_BYTES - 1) / REQUEST_BYTES;

    if (core->log == NULL || effect->gm_size == 0 || !LogIsWanted(DVC_MTE_LOG)) {
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = i * REQUEST_BYTES;
        const uint64_t left = effect->gm_size - at;
        const uint64_t size = left < REQUEST_BYTES ? left : REQUEST_BYTES;
        const uint64_t sent = start + i * (end - start - effect->latency) / count;
        const uint64_t done = sent + effect->latency;

        core->requests++;
        if (effect->is_store) {
            log_request(core, "UB0RIF", "send_req", sent, 0, size);
            log_request(core, "BWIF", "send_data", sent, effect->gm_address + at, size);
            log_request(core, "BWIF", "recv_wr_data_rsp", done, effect->gm_address + at, size);
        } else {
            log_request(core, "BRIF", "send_req", sent, effect->gm_address + at, size);
            log_request(core, "BRIF", "recv_rsp", done, effect->gm_address + at, size);
            log_request(core, is_l1 ? "L1WIF" : "UB0WIF", "recv_rsp", done, 0, size);
        }
    }
}

/* ---- time ---- */

/* Counts of a pipe, in the order of pipes. */
static CountKind stall_of(uint32_t pipe)
{
    static const CountKind kinds[PIPE_COUNT] = {
        [PIPE_VECTOR] = COUNT_vector_stall, [PIPE_CUBE] = COUNT_cube_stall,
        [PIPE_MTE1] = COUNT_mte1_stall,     [PIPE_MTE2] = COUNT_mte2_stall,
        [PIPE_MTE3] = COUNT_mte3_stall,     [PIPE_FIX] = COUNT_fix_stall
    };

    return kinds[pipe];
}

static CountKind busy_of(uint32_t pipe)
{
    static const CountKind kinds[PIPE_COUNT] = {
        [PIPE_SCALAR] = COUNT_scalar_busy, [PIPE_FLOW] = COUNT_scalar_busy,
        [PIPE_VECTOR] = COUNT_vector_busy, [PIPE_CUBE] = COUNT_cube_busy,
        [PIPE_MTE1] = COUNT_mte1_busy,     [PIPE_MTE2] = COUNT_mte2_busy,
        [PIPE_MTE3] = COUNT_mte3_busy,     [PIPE_FIX] = COUNT_fix_busy
    };

    return kinds[pipe];
}

static CountKind instr_of(uint32_t pipe)
{
    static const CountKind kinds[PIPE_COUNT] = {
        [PIPE_SCALAR] = COUNT_scalar_instr, [PIPE_FLOW] = COUNT_scalar_instr,
        [PIPE_VECTOR] = COUNT_vector_instr, [PIPE_CUBE] = COUNT_cube_instr,
        [PIPE_MTE1] = COUNT_mte1_instr,     [PIPE_MTE2] = COUNT_mte2_instr,
        [PIPE_MTE3] = COUNT_mte3_instr,     [PIPE_FIX] = COUNT_fix_instr
    };

    return kinds[pipe];
}

static CountKind wait_of(uint32_t pipe)
{
    static const CountKind kinds[PIPE_COUNT] = {
        [PIPE_SCALAR] = COUNT_scalar_wait, [PIPE_FLOW] = COUNT_scalar_wait,
        [PIPE_VECTOR] = COUNT_vector_wait, [PIPE_CUBE] = COUNT_cube_wait,
        [PIPE_MTE1] = COUNT_mte1_wait,     [PIPE_MTE2] = COUNT_mte2_wait,
        [PIPE_MTE3] = COUNT_mte3_wait,     [PIPE_FIX] = COUNT_fix_wait
    };

    return kinds[pipe];
}

/* The front end gives an instruction to a pipe; the time at which the pipe begins with it. */
static uint64_t enqueue(Core *core, uint32_t pipe, uint64_t issued)
{
    Queue *queue = &core->queues[pipe];
    uint64_t *slot = &queue->starts[queue->count % QUEUE_DEPTH];

    if (queue->count >= QUEUE_DEPTH && *slot > issued) {
        core->counts[stall_of(pipe)] += *slot - issued;
        issued = *slot; /* the queue is full until then */
    }
    core->now = issued;
    *slot = issued + 1 > queue->free_at ? issued + 1 : queue->free_at;
    queue->count++;
    return *slot;
}

static uint64_t all_free(const Core *core)
{
    uint64_t at = 0;

    for (uint32_t pipe = 0; pipe < PIPE_COUNT; pipe++) {
        at = core->queues[pipe].free_at > at ? core->queues[pipe].free_at : at;
    }
    return at;
}

static Flag *flag_of(Core *core, uint32_t word)
{
    if (IsaD(word) >= PIPE_ALL || IsaN(word) >= PIPE_ALL) {
        CoreFault(core, "A flag needs two pipes");
        return NULL;
    }
    return &core->flags[IsaD(word)][IsaN(word)][word & 15u];
}

/* Begin and end of an instruction. */
typedef struct Span {
    uint64_t start;
    uint64_t end;
} Span;

/* Begin and end on a pipe, or in the front end for scalars. */
static Span place(Core *core, uint32_t pipe, uint64_t issued, uint64_t cycles, uint64_t not_before)
{
    Span span;

    if (pipe == PIPE_SCALAR || pipe == PIPE_FLOW) {
        span.start = issued;
        span.end = span.start + cycles > not_before ? span.start + cycles : not_before;
        core->now = span.end - 1;
        return span;
    }
    span.start = enqueue(core, pipe, issued);
    span.end = span.start + cycles > not_before ? span.start + cycles : not_before;
    core->queues[pipe].free_at = span.end;
    return span;
}

static bool set_flag(Core *core, uint32_t word, uint64_t issued, Span *span)
{
    Flag *flag = flag_of(core, word);

    if (flag == NULL) {
        return false;
    }
    if (flag->count == FLAG_DEPTH) {
        return CoreFault(core, "A flag is set %u times without a wait", FLAG_DEPTH);
    }
    *span = place(core, IsaD(word), issued, 1, 0);
    flag->times[(flag->first + flag->count++) % FLAG_DEPTH] = span->end;
    return true;
}

static bool wait_flag(Core *core, uint32_t word, uint64_t issued, Span *span)
{
    Flag *flag = flag_of(core, word);
    uint64_t set;

    if (flag == NULL) {
        return false;
    }
    if (flag->count == 0) {
        return CoreFault(core, "WAIT_FLAG without a SET_FLAG before it: the core hangs");
    }
    set = flag->times[flag->first];
    flag->first = (uint8_t) ((flag->first + 1) % FLAG_DEPTH);
    flag->count--;
    *span = place(core, IsaN(word), issued, 1, set + 1);
    return true;
}

#define CROSS_CYCLES 30u /* from the core that sets a flag to the one that waits */

static bool set_cross(Core *core, uint32_t word, uint64_t issued, Span *span)
{
    const uint32_t id = word & 15u;

    if (IsaD(word) >= PIPE_ALL) {
        return CoreFault(core, "A flag needs a pipe");
    }
    if (!core->is_cube || core->cross->count[id] == CROSS_DEPTH) {
        return CoreFault(core, "Flags between cores are set by cube cores, at most %u of an id",
                         CROSS_DEPTH);
    }
    *span = place(core, IsaD(word), issued, 1, 0);
    core->cross->times[id][core->cross->count[id]++] = span->end;
    return true;
}

static bool wait_cross(Core *core, uint32_t word, uint64_t issued, Span *span)
{
    const uint32_t id = word & 15u;

    if (core->is_cube || core->cross_read[id] >= core->cross->count[id]) {
        return CoreFault(core,
                         "WAIT_FLAG_DEV without an FFTS_CROSS_CORE_SYNC of the cube core: the "
                         "core hangs");
    }
    *span = place(core, PIPE_SCALAR, issued, 1,
                  core->cross->times[id][core->cross_read[id]++] + CROSS_CYCLES);
    return true;
}

/* The vector pipe works as long as the longest of its threads. */
static bool call_threads(Core *core, uint32_t word, uint64_t issued, Span *span)
{
    span->start = enqueue(core, PIPE_VECTOR, issued);
    if (!SimtRun(core, word, span->start, &span->end)) {
        return false;
    }
    core->queues[PIPE_VECTOR].free_at = span->end;
    core->moved = 0;
    return true;
}

static void jump(Core *core, uint32_t word, uint32_t *next)
{
    const uint32_t code = IsaCodeOf(word);
    const bool is_zero = core->x[IsaD(word)] == 0;

    if (code == ISA_JUMP || (code == ISA_JUMPNZ && !is_zero) || (code == ISA_JUMPZ && is_zero)) {
        *next = (uint32_t) ((int64_t) core->pc + IsaJump(word));
        core->now += 2; /* the front end starts again */
    }
}

/* Place an instruction in time and do what it does. */
static bool place_and_run(Core *core, uint32_t word, uint64_t issued, Span *span, uint32_t *next)
{
    const IsaOp *op = IsaFind(IsaCodeOf(word));
    Effect effect;

    switch (op->code) {
    case ISA_SET_FLAG:
        return set_flag(core, word, issued, span);
    case ISA_WAIT_FLAG:
        return wait_flag(core, word, issued, span);
    case ISA_FFTS_CROSS_CORE_SYNC:
        return set_cross(core, word, issued, span);
    case ISA_WAIT_FLAG_DEV:
        return wait_cross(core, word, issued, span);
    case ISA_REPORT:
        *span = place(core, PIPE_SCALAR, issued, REPORT_CYCLES, 0);
        return Report(core, word);
    case ISA_SIMT_CALL:
        return call_threads(core, word, issued, span);
    case ISA_MARK:
        *span = place(core, IsaD(word) % PIPE_ALL, issued, 1, 0);
        return true;
    case ISA_BAR:
        *span = place(core, PIPE_SCALAR, issued, 1,
                      1 + (IsaD(word) == PIPE_ALL ? all_free(core)
                                                  : core->queues[IsaD(word) % PIPE_COUNT].free_at));
        return true;
    case ISA_END:
        *span = place(core, PIPE_FLOW, issued, 1, 1 + all_free(core));
        core->is_done = true;
        return true;
    case ISA_JUMP:
    case ISA_JUMPNZ:
    case ISA_JUMPZ:
        *span = place(core, PIPE_FLOW, issued, 1, 0);
        jump(core, word, next);
        return true;
    default:
        if (!Operate(core, word, &effect)) {
            return false;
        }
        *span = place(core, op->pipe, issued, effect.cycles, 0);
        core->moved = effect.gm_size;
        log_move(core, word, &effect, span->start, span->end);
        return true;
    }
}

/* The pipe whose lane shows an instruction. */
static uint32_t pipe_of(uint32_t word)
{
    const IsaOp *op = IsaFind(IsaCodeOf(word));

    return op->code == ISA_SET_FLAG || op->code == ISA_FFTS_CROSS_CORE_SYNC || op->code == ISA_MARK
               ? IsaD(word)
           : op->code == ISA_WAIT_FLAG ? IsaN(word)
                                       : op->pipe;
}

/* An instruction works in its pipe; a flag is not work, and waiting for one
 * is counted as waiting. */
static void count(Core *core, uint32_t word, const Span *span)
{
    const uint32_t code = IsaCodeOf(word);
    const uint32_t pipe = pipe_of(word) % PIPE_COUNT;
    const uint64_t cycles = span->end - span->start;

    if (code == ISA_WAIT_FLAG) {
        core->counts[wait_of(pipe)] += cycles;
    } else if (code == ISA_BAR || code == ISA_END || code == ISA_WAIT_FLAG_DEV) {
        core->counts[COUNT_scalar_wait] += cycles - 1;
    } else if (code != ISA_SET_FLAG && code != ISA_FFTS_CROSS_CORE_SYNC && code != ISA_REPORT &&
               code != ISA_MARK) {
        core->counts[busy_of(pipe)] += cycles;
        core->counts[instr_of(pipe)]++;
    }
}

/* A pipe's number in words of monitors. */
static uint32_t monitor_pipe(uint32_t pipe)
{
    static const uint32_t numbers[PIPE_COUNT] = {
        [PIPE_SCALAR] = 0, [PIPE_FLOW] = 0, [PIPE_VECTOR] = 1, [PIPE_CUBE] = 2,
        [PIPE_MTE1] = 3,   [PIPE_MTE2] = 4, [PIPE_MTE3] = 5,   [PIPE_FIX] = 6
    };

    return numbers[pipe];
}

/* A mark of a tool: the front end's trace has it when it is issued, the
 * pipe's when it gets there. */
static void watch_mark(Core *core, uint32_t word, const Span *span)
{
    WindowEvent event = { .time = core->now, .mark = (uint16_t) (word & 0xfff) };

    WindowNote(&core->trace, &event);
    event.pipe = monitor_pipe(IsaD(word) % PIPE_ALL);
    event.time = span->end;
    WindowNote(&core->trace, &event);
}

/* For the monitor: when a pipe worked, and marks of the user. What is counted as busy is shown as
 * busy. */
static void watch(Core *core, uint32_t word, const Span *span)
{
    const uint32_t code = IsaCodeOf(word);
    WindowEvent event = { .time = span->start, .pipe = monitor_pipe(pipe_of(word) % PIPE_COUNT) };

    if (code == ISA_MARK) {
        watch_mark(core, word, span);
        return;
    }
    if (code == ISA_WAIT_FLAG || code == ISA_BAR || code == ISA_END || code == ISA_SET_FLAG) {
        return;
    }
    if (code == ISA_MOV_SPR_XN && core->spr[SPR_LPCNT] != core->last_mark) {
        core->last_mark = core->spr[SPR_LPCNT];
        event.mark = (uint16_t) (0x400 | (core->last_mark & 0x40000000 ? 0x800 : 0) |
                                 (core->last_mark & 0x3ff));
        WindowNote(&core->trace, &event);
        event.mark = 0;
    }
    WindowNote(&core->trace, &event);
    event.time = span->end;
    event.is_end = true;
    WindowNote(&core->trace, &event);
}

/* Bring the word to the front end. */
static void fetch(Core *core, bool is_first)
{
    const uint64_t address = address_of(core, core->pc);
    const uint64_t line = address / ICACHE_LINE;
    uint64_t *slot = &core->icache[line % ICACHE_LINES];

    if (*slot != line + 1) {
        *slot = line + 1;
        log_plain(core, (Plain){ .type = DVC_ICACHE_LOG,
                                 .op = "miss_read",
                                 .time = core->now,
                                 .size = ICACHE_LINE });
        core->now += ICACHE_MISS_CYCLES;
        core->counts[COUNT_fetch_misses]++;
        core->counts[COUNT_fetch_wait] += ICACHE_MISS_CYCLES;
        is_first = true;
    }
    if (is_first || address % 16 == 0) {
        core->counts[COUNT_fetches]++;
        log_plain(core, (Plain){ .type = DVC_ICACHE_LOG, .op = "fetch_req", .time = core->now });
    }
}

/* State of the front end at this instruction, for samples. */
static uint32_t reason_of(uint32_t code, bool was_stalled)
{
    const bool waits =
        code == ISA_WAIT_FLAG || code == ISA_BAR || code == ISA_END || code == ISA_WAIT_FLAG_DEV;

    return was_stalled                                            ? TRACE_QUEUE
           : waits                                                ? TRACE_OTHERS
           : code == ISA_LD_XD_XN_IMM || code == ISA_ST_XD_XN_IMM ? TRACE_OPERAND
                                                                  : TRACE_ACTIVE;
}

static bool step(Core *core, bool is_jump_target)
{
    uint32_t next = core->pc + 1;
    char before[LOG_MOST_TEXT], after[LOG_MOST_TEXT];
    uint32_t word;
    Span span = { 0, 0 };

    if (core->pc >= core->launch->words ||
        IsaFind(IsaCodeOf(core->launch->text[core->pc])) == NULL) {
        return CoreFault(core, "There is no instruction");
    }
    const L2View l2_before = core->l2;
    const uint64_t from = core->now;
    uint64_t fetched, stalled;

    word = core->launch->text[core->pc];
    fetch(core, is_jump_target);
    fetched = core->now;
    stalled = core->counts[stall_of(pipe_of(word) % PIPE_COUNT)];
    if (core->log != NULL) {
        CoreDescribe(core, word, before, sizeof before);
        log_plain(core, (Plain){ .type = DVC_CCU_LOG,
                                 .op = "ISSUE_SUCCESS",
                                 .time = core->now + 1,
                                 .word = word,
                                 .pipe = pipe_of(word) });
    }
    core->moved = 0;
    if (!place_and_run(core, word, core->now + 1, &span, &next)) {
        return false;
    }
    CoreNote(core, core->pc, IsaCodeOf(word) == ISA_SIMT_CALL ? &core->l2 : &l2_before,
             core->moved);
    count(core, word, &span);
    if (core->is_watched) {
        watch(core, word, &span);
    }
    if (core->sample_period > 0) {
        stalled = core->counts[stall_of(pipe_of(word) % PIPE_COUNT)] - stalled;
        TraceSample(core, core->pc, from, fetched, reason_of(IsaCodeOf(word), stalled > 0));
    }
    if (core->log != NULL) {
        CoreDescribe(core, word, after, sizeof after);
        log_instr(core, DVC_INSTR_POPPED_LOG, span.start, word, pipe_of(word), before);
        log_instr(core, DVC_INSTR_LOG, span.end, word, pipe_of(word), after);
        LogAdvance(core->log, core->now);
    }
    core->executed++;
    core->pc = next;
    if (core->executed % 4096 == 0 && core->launch->is_aborted(core->launch->context)) {
        return CoreFault(core, "The kernel is aborted");
    }
    return core->executed < core->config->patience || CoreFault(core, "The kernel does not end");
}

bool CoreRun(Core *core)
{
    bool is_good = true;
    uint32_t expected = UINT32_MAX;

    while (is_good && !core->is_done) {
        const bool is_jump_target = core->pc != expected;

        expected = core->pc + 1;
        is_good = step(core, is_jump_target);
    }
    LogCoreClose(core->log);
    core->log = NULL;
    return is_good;
}
