/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the tables of pipes and barriers. Tested by
 * tests/plugins/analyse-sim/hotspot/test_pipes and tests/refchip/test_advice.sh.
 */
#include "pipe_tables.h"

#include "tables.h"

#include <math.h>
#include <string.h>

#define ROUGH "executions overtake each other too far"

/* For rules: people see these times in the lanes and the hot instructions, and look details up on
 * the page. */
#define FOR_RULES (OPPROF_FIELD_HIDDEN | OPPROF_FIELD_DETAIL)

/* Record of "sim.pipes". */
typedef struct PipeRow {
    uint32_t core;
    uint32_t pipe;
    double duration_us;
    double worked_us;
    double waited_us;
    double idle_us;
    double alone_us;
    double head_us;
    double start_us;
    double longest_us;
    double longest_start_us;
    OpprofText code;
    uint32_t partner;
    uint32_t is_front;
    uint64_t misses;
    uint64_t again;
    SimPlace place;
} PipeRow;

/* Record of "sim.barriers". */
typedef struct BarrierRow {
    uint32_t core;
    uint32_t pipe;
    uint64_t calls;
    double waited_us;
    double longest_start_us;
    OpprofText detail;
    OpprofText code;
    SimPlace place;
} BarrierRow;

/* Record of "sim.operations". */
typedef struct OperationRow {
    uint32_t core;
    uint32_t pipe;
    uint32_t name;
    int32_t conflicts;
    uint64_t pc;
    uint64_t calls;
    uint64_t cycles;
    int64_t bytes;
    double running_us;
    double repeats;
    OpprofText code;
    SimPlace place;
} OperationRow;

#define TIME_FIELD(record, member, text, reason)                                                   \
    OPPROF_FIELD(record, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,              \
                 .unit = "us", .decimals = 7, .flags = FOR_RULES, .meaning = (text),               \
                 .absent = (reason))

#define MOMENT_FIELD(record, member, text, reason)                                                 \
    OPPROF_FIELD(record, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE, .unit = "us",   \
                 .decimals = 7, .flags = FOR_RULES | OPPROF_FIELD_MOMENT, .meaning = (text),       \
                 .absent = (reason))

static const OpprofField pipe_fields[] = {
    OPPROF_FIELD(PipeRow, core, OPPROF_FIELD_STRING, .meaning = "Logical core.",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN | OPPROF_FIELD_MEMBER),
    OPPROF_FIELD(PipeRow, pipe, OPPROF_FIELD_STRING, .meaning = "Normalised pipe name.",
                 .flags = OPPROF_FIELD_KEY),
    TIME_FIELD(PipeRow, duration_us, "Of the core, from the first start to the last end.", NULL),
    TIME_FIELD(PipeRow, worked_us,
               "Time in which an instruction of the pipe ran that is not a set, a wait or a "
               "barrier.",
               ROUGH),
    TIME_FIELD(PipeRow, waited_us, "Time in which only waits for flags ran on it.", ROUGH),
    TIME_FIELD(PipeRow, idle_us, "Time in which nothing was issued to it: the rest.", ROUGH),
    OPPROF_FIELD(PipeRow, is_front, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .flags = FOR_RULES,
                 .meaning = "1: part of the front end, which issues for all others."),
    TIME_FIELD(PipeRow, head_us,
               "Of the core, before the first work of a pipe that is not part of the front end.",
               "no such pipe worked"),
    TIME_FIELD(PipeRow, alone_us, "Of the core, after that, in which no such pipe worked.",
               "no such pipe worked, or " ROUGH),
    OPPROF_FIELD(PipeRow, misses, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .flags = FOR_RULES, .meaning = "Misses of the core's instruction cache.",
                 .absent = "misses were not looked for"),
    OPPROF_FIELD(PipeRow, again, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .flags = FOR_RULES, .meaning = "Those at addresses that had missed before.",
                 .absent = "misses were not looked for"),
    MOMENT_FIELD(PipeRow, start_us, "First start of the core in the timeline.", NULL),
    TIME_FIELD(PipeRow, longest_us, "Waiting at the address at which it waited longest for flags.",
               "it never waited"),
    MOMENT_FIELD(PipeRow, longest_start_us, "Start of the longest wait there.", "it never waited"),
    OPPROF_FIELD(PipeRow, partner, OPPROF_FIELD_STRING,
                 .meaning = "Whose flag it waited for there.",
                 .absent = "it never waited, or the operands do not say"),
    OPPROF_FIELD(PipeRow, code, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_PLACE,
                 .meaning = "Source line of that address.",
                 .absent = "it never waited, or the source is unknown"),
    SIM_PLACE_FIELDS(PipeRow),
};

static const OpprofField barrier_fields[] = {
    OPPROF_FIELD(BarrierRow, core, OPPROF_FIELD_STRING, .meaning = "Logical core.",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN | OPPROF_FIELD_MEMBER),
    OPPROF_FIELD(BarrierRow, pipe, OPPROF_FIELD_STRING, .meaning = "Pipe of the barrier.",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_LANE),
    OPPROF_FIELD(
        BarrierRow, code, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_PLACE,
        .meaning = "Source line of the barrier.", .absent = "the core's source is unknown"),
    OPPROF_FIELD(BarrierRow, detail, OPPROF_FIELD_TEXT,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_QUOTED, .meaning = "Its operands."),
    OPPROF_FIELD(BarrierRow, calls, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .heading = "call_count", .meaning = "Executions after which a pipe worked."),
    OPPROF_FIELD(BarrierRow, waited_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 7, .heading = "waited_time(us)",
                 .meaning = "Time of these; where barriers overlap, that of the first.",
                 .flags = OPPROF_FIELD_WEIGHT | OPPROF_FIELD_STALL),
    MOMENT_FIELD(BarrierRow, longest_start_us, "Start of the longest of them.", NULL),
    SIM_PLACE_FIELDS(BarrierRow),
};

static const OpprofField operation_fields[] = {
    OPPROF_FIELD(OperationRow, core, OPPROF_FIELD_STRING, .meaning = "Logical core.",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN | OPPROF_FIELD_MEMBER),
    OPPROF_FIELD(OperationRow, name, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Mnemonic; of a move it names the direction."),
    OPPROF_FIELD(OperationRow, pc, OPPROF_FIELD_U64, .heading = "addr",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_ADDRESS,
                 .meaning = "Address, as a decimal number."),
    OPPROF_FIELD(OperationRow, pipe, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_LANE,
                 .meaning = "Normalised pipe name."),
    OPPROF_FIELD(OperationRow, code, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_PLACE,
                 .meaning = "First source line of the address.",
                 .absent = "the core's source is unknown"),
    OPPROF_FIELD(OperationRow, calls, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .heading = "call_count", .meaning = "Executions."),
    OPPROF_FIELD(OperationRow, cycles, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "tick", .flags = FOR_RULES, .meaning = "Sum of their times."),
    TIME_FIELD(OperationRow, running_us, "Time in which at least one of them ran.", ROUGH),
    OPPROF_FIELD(OperationRow, bytes, OPPROF_FIELD_I64, .combine = OPPROF_COMBINE_SUM,
                 .unit = "byte", .meaning = "Moved to or from memory by all executions.",
                 .absent = "nothing is moved, or it is unknown"),
    OPPROF_FIELD(OperationRow, repeats, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE,
                 .unit = "1", .decimals = 2,
                 .meaning = "Repetitions with full masks that do the work of an execution; the "
                            "least of all. The vector unit does one in a cycle.",
                 .absent = "not a vector instruction, or its mask is unknown"),
    OPPROF_FIELD(OperationRow, conflicts, OPPROF_FIELD_I32, .combine = OPPROF_COMBINE_NONE,
                 .unit = "1",
                 .meaning = "Most accesses of a repetition that wait for another one to the same "
                            "group of banks.",
                 .absent = "not a vector instruction"),
    SIM_PLACE_FIELDS(OperationRow),
};

#define TYPE(type_name, text, heading, record, list)                                               \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = (text), .size = sizeof(record), .flags = OPPROF_RECORD_TABLE, .fields = (list), \
        .field_count = OPPROF_COUNT(list), .title = (heading), .file_hint = ""                     \
    }

const OpprofRecordType hotspot_pipe_type =
    TYPE("sim.pipes", "How long a pipe of a simulated core worked, and how long it waited.",
         "Pipes", PipeRow, pipe_fields);

const OpprofRecordType hotspot_barrier_type =
    TYPE("sim.barriers", "Where a simulated core waited at a barrier before it worked on.",
         "Barriers", BarrierRow, barrier_fields);

const OpprofRecordType hotspot_operation_type =
    TYPE("sim.operations", "What an instruction of a simulated core moved or computed.",
         "Moves and vector instructions", OperationRow, operation_fields);

/* ---- rows ---- */

/* Whose flags: the first operand, if the second one is the waiting pipe. */
static uint32_t find_partner(const CorePipes *pipes, const char *detail, size_t length)
{
    static const char *const forms[][2] = { { "PIPE:", "TRIGGERPIPE:" },
                                            { "pipe_type:", "tigger_pipe:" } };

    for (size_t i = 0; i < OPPROF_COUNT(forms); i++) {
        const size_t first = strlen(forms[i][0]);
        const char *comma = length < first || strncmp(detail, forms[i][0], first) != 0
                                ? NULL
                                : memchr(detail, ',', length);

        if (comma != NULL && memmem(comma, length - (size_t) (comma - detail), forms[i][1],
                                    strlen(forms[i][1])) == comma + 1) {
            return OpprofStageIntern(pipes->stage, detail + first,
                                     (size_t) (comma - detail) - first);
        }
    }
    return OPPROF_NA_STRING;
}

/* The first line of an address, or the absent text. */
static OpprofStatus put_line(const CorePipes *pipes, const CoreStats *core, uint32_t port,
                             const PcStats *pc, OpprofText *ret_code)
{
    const char *line;

    *ret_code = (OpprofText){ OPPROF_NA_U32, 0 };
    if (pc == NULL || pc->line_count == 0) {
        return OPPROF_OK;
    }
    line = core->lines[core->line_numbers[pc->first_line]].line->text;
    return OpprofStageText(pipes->stage, port, core->partition, line, strlen(line), ret_code);
}

static double to_us(const CorePipes *pipes, const CoreStats *core, uint64_t ticks)
{
    return TablesMicroseconds(pipes->stage, core->clock, ticks);
}

static void set_times(PipeRow *row, const CorePipes *pipes, const CoreStats *core,
                      const PipeStats *pipe)
{
    const uint64_t duration = pipes->last_end - pipes->first_start;

    row->duration_us = to_us(pipes, core, duration);
    row->worked_us = row->waited_us = row->idle_us = row->alone_us = OpprofNaF64();
    row->longest_us = row->head_us = OpprofNaF64();
    row->longest_start_us = OpprofNaF64();
    row->start_us = to_us(pipes, core, pipes->first_start);
    if (CorePipesAreRough(pipes)) {
        return;
    }
    row->worked_us = to_us(pipes, core, OpprofBusyTimeTotal(&pipe->worked));
    row->waited_us = to_us(pipes, core, PipeWaited(pipe));
    row->idle_us = to_us(pipes, core, duration - OpprofBusyTimeTotal(&pipe->taken));
    if (pipes->head_end != UINT64_MAX) {
        row->head_us = to_us(pipes, core, pipes->head_end - pipes->first_start);
        row->alone_us = to_us(pipes, core, CorePipesAlone(pipes));
    }
}

static OpprofStatus push_pipe(const CorePipes *pipes, const CoreStats *core, const PipeStats *pipe,
                              uint32_t port)
{
    const PipeWait *wait = CorePipesLongestWait(pipes, pipe);
    const PcStats *pc = wait == NULL ? NULL : CoreStatsPc(core, wait->pc);
    PipeRow row = { .core = core->core,
                    .pipe = pipe->pipe,
                    .is_front = pipe->is_front,
                    .partner = OPPROF_NA_STRING,
                    .misses = pipes->looks_for_misses ? pipes->misses : OPPROF_NA_U64,
                    .again = pipes->looks_for_misses ? pipes->misses_again : OPPROF_NA_U64,
                    .place = core->place };
    OpprofStatus status = put_line(pipes, core, port, pc, &row.code);

    set_times(&row, pipes, core, pipe);
    if (wait != NULL) {
        row.longest_us = to_us(pipes, core, wait->ticks);
        row.longest_start_us = to_us(pipes, core, wait->longest_start);
    }
    if (pc != NULL && pc->detail_length > 0) {
        row.partner = find_partner(pipes, CoreStatsDetail(core, pc), pc->detail_length);
    }
    return status == OPPROF_OK ? OpprofStageAppend(pipes->stage, port, core->partition, &row)
                               : status;
}

static OpprofStatus push_barrier(const CorePipes *pipes, const CoreStats *core,
                                 const PipeWait *wait, uint32_t port)
{
    const PcStats *pc = CoreStatsPc(core, wait->pc);
    BarrierRow row = { .core = core->core,
                       .pipe = wait->pipe,
                       .calls = wait->calls,
                       .waited_us = to_us(pipes, core, wait->ticks),
                       .longest_start_us = to_us(pipes, core, wait->longest_start),
                       .place = core->place };
    OpprofStatus status = put_line(pipes, core, port, pc, &row.code);

    if (status == OPPROF_OK) {
        status = OpprofStageText(pipes->stage, port, core->partition,
                                 pc == NULL ? "" : CoreStatsDetail(core, pc),
                                 pc == NULL ? 0 : pc->detail_length, &row.detail);
    }
    return status == OPPROF_OK ? OpprofStageAppend(pipes->stage, port, core->partition, &row)
                               : status;
}

/* Repetitions that an instruction of the chip can have at most; 0: unknown. */
static double most_repeats(const CorePipes *pipes)
{
    const OpprofFact *unit = OpprofFactMember(InstructionFactsDialect(pipes->words), "vector_unit");
    double repeats = 0;

    return OpprofFactNumber(OpprofFactMember(unit, "repeats"), &repeats) ? repeats : 0;
}

static int32_t conflicts_of(const OpprofSimPcDetails *details)
{
    const int32_t reads = details->ub_read_conflict;
    const int32_t writes = details->ub_write_conflict;

    return reads == OPPROF_NA_I32 || writes == OPPROF_NA_I32 ? OPPROF_NA_I32 : reads + writes;
}

static OpprofStatus push_operation(const CorePipes *pipes, const CoreStats *core, const PcStats *pc,
                                   uint32_t port)
{
    const OpprofSimPcDetails *details = &pc->details;
    const double most = most_repeats(pipes);
    OperationRow row = {
        .core = core->core,
        .pipe = pc->pipe,
        .name = pc->name,
        .pc = pc->pc,
        .calls = pc->calls,
        .cycles = pc->cycles,
        .running_us =
            pc->busy.is_rough ? OpprofNaF64() : to_us(pipes, core, OpprofBusyTimeTotal(&pc->busy)),
        .bytes = details->process_bytes,
        .repeats = most > 0 ? round(details->vector_utilization * most) / 100 : OpprofNaF64(),
        .conflicts = conflicts_of(details),
        .place = core->place,
    };
    OpprofStatus status = put_line(pipes, core, port, pc, &row.code);

    return status == OPPROF_OK ? OpprofStageAppend(pipes->stage, port, core->partition, &row)
                               : status;
}

static bool is_operation(const PcStats *pc)
{
    return pc->calls > 0 && pc->has_instructions && pc->has_details &&
           (pc->details.process_bytes != OPPROF_NA_I64 ||
            !OpprofIsNaF64(pc->details.vector_utilization));
}

OpprofStatus PipeTablesPush(const CorePipes *pipes, const CoreStats *core, const PipePorts *ports)
{
    OpprofStatus status = OPPROF_OK;

    OpprofStageSetClock(pipes->stage, ports->pipes, core->clock);
    OpprofStageSetClock(pipes->stage, ports->barriers, core->clock);
    OpprofStageSetClock(pipes->stage, ports->operations, core->clock);
    for (uint32_t i = 0; status == OPPROF_OK && i < pipes->pipe_count; i++) {
        status = push_pipe(pipes, core, &pipes->pipes[i], ports->pipes);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < pipes->wait_count; i++) {
        if (pipes->waits[i].is_barrier && pipes->waits[i].calls > 0) {
            status = push_barrier(pipes, core, &pipes->waits[i], ports->barriers);
        }
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < core->pc_count; i++) {
        if (is_operation(&core->pcs[i])) {
            status = push_operation(pipes, core, &core->pcs[i], ports->operations);
        }
    }
    return status;
}
