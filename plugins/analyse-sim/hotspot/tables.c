/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the tables of hot addresses and source lines. Tested by
 * tests/plugins/analyse-sim/hotspot/test_tables.sh.
 */
#include "tables.h"

#include "pipes.h"

#include <stdlib.h>
#include <string.h>

#define NO_CODE "the core's source is unknown"

/* Record of "sim.code-exe". A core without source has a single, empty row. */
typedef struct CodeRow {
    uint32_t core;
    uint32_t reserved;
    OpprofText code;
    uint64_t calls;
    uint64_t cycles;
    double running_us;
    double stalled_us;
    SimPlace place;
} CodeRow;

/* Record of "sim.instr-exe". */
typedef struct InstrRow {
    uint32_t core;
    uint32_t name;
    uint64_t pc;
    uint32_t pipe;
    uint32_t is_mark;
    uint64_t calls;
    uint64_t cycles;
    double running_us;
    OpprofText detail;
    OpprofText code;
    double stalled_us;
    SimPlace place;
} InstrRow;

/* Record of "sim.flag-waits". */
typedef struct WaitRow {
    uint32_t core;
    uint32_t pipe;
    uint64_t calls;
    double waited_us;
    OpprofText detail;
    OpprofText code;
    SimPlace place;
} WaitRow;

/* Comparisons need it, people see it in the name of the instruction. */
#define STALLED_FIELD(type)                                                                        \
    OPPROF_FIELD(type, stalled_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,            \
                 .unit = "us", .decimals = 7, .flags = OPPROF_FIELD_HIDDEN | OPPROF_FIELD_STALL,   \
                 .meaning = "Part of it in which instructions ran that only wait: for flags, and " \
                            "at barriers.",                                                        \
                 .absent = "the time is not known exactly")

static const OpprofField code_fields[] = {
    OPPROF_FIELD(CodeRow, core, OPPROF_FIELD_STRING, .meaning = "Logical core.",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN | OPPROF_FIELD_MEMBER),
    OPPROF_FIELD(CodeRow, code, OPPROF_FIELD_TEXT, .meaning = "Source file and line.",
                 .absent = NO_CODE, .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_PLACE),
    OPPROF_FIELD(CodeRow, calls, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .heading = "call_count",
                 .meaning = "Executions of instructions of the line or of calls inlined there.",
                 .absent = NO_CODE),
    OPPROF_FIELD(CodeRow, cycles, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "tick", .meaning = "Sum of their times, at most 2147483647.",
                 .absent = NO_CODE),
    OPPROF_FIELD(CodeRow, running_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 7, .heading = "running_time(us)",
                 .meaning = "Time in which at least one of them ran, to two decimals.",
                 .absent = NO_CODE, .flags = OPPROF_FIELD_WEIGHT),
    STALLED_FIELD(CodeRow),
    SIM_PLACE_FIELDS(CodeRow),
};

static const OpprofField instr_fields[] = {
    OPPROF_FIELD(InstrRow, core, OPPROF_FIELD_STRING, .meaning = "Logical core.",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN | OPPROF_FIELD_MEMBER),
    OPPROF_FIELD(InstrRow, name, OPPROF_FIELD_STRING, .heading = "instr", .flags = OPPROF_FIELD_KEY,
                 .meaning = "Mnemonic, or name of a user mark."),
    OPPROF_FIELD(InstrRow, pc, OPPROF_FIELD_U64, .heading = "addr",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_ADDRESS,
                 .meaning = "Address, as a decimal number."),
    OPPROF_FIELD(InstrRow, pipe, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_LANE,
                 .meaning = "Normalised pipe name."),
    OPPROF_FIELD(InstrRow, calls, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .heading = "call_count", .meaning = "Executions."),
    OPPROF_FIELD(InstrRow, cycles, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "tick", .meaning = "Sum of their times, at most 2147483647."),
    OPPROF_FIELD(InstrRow, running_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 7, .heading = "running_time(us)",
                 .meaning = "Time in which at least one of them ran, to two decimals.",
                 .flags = OPPROF_FIELD_WEIGHT),
    OPPROF_FIELD(InstrRow, code, OPPROF_FIELD_TEXT,
                 .flags = OPPROF_FIELD_HIDDEN | OPPROF_FIELD_DETAIL | OPPROF_FIELD_PLACE,
                 .meaning = "First source line of the address.", .absent = NO_CODE),
    OPPROF_FIELD(InstrRow, detail, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_QUOTED,
                 .meaning = "Operands of the first execution without blanks."),
    STALLED_FIELD(InstrRow),
    OPPROF_FIELD(InstrRow, is_mark, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .flags = OPPROF_FIELD_HIDDEN | OPPROF_FIELD_IS_LABEL,
                 .meaning = "1: a user mark, no instruction."),
    SIM_PLACE_FIELDS(InstrRow),
};

static const OpprofField wait_fields[] = {
    OPPROF_FIELD(WaitRow, core, OPPROF_FIELD_STRING, .meaning = "Logical core.",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN | OPPROF_FIELD_MEMBER),
    OPPROF_FIELD(WaitRow, pipe, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_LANE,
                 .meaning = "Pipe that waited."),
    OPPROF_FIELD(WaitRow, code, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_PLACE,
                 .meaning = "Source line of the wait.", .absent = NO_CODE),
    OPPROF_FIELD(WaitRow, detail, OPPROF_FIELD_TEXT,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_QUOTED,
                 .meaning = "The flag: pipes and number."),
    OPPROF_FIELD(WaitRow, calls, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .heading = "call_count", .meaning = "Waits."),
    OPPROF_FIELD(WaitRow, waited_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 7, .heading = "waited_time(us)",
                 .meaning = "Time of the waits, to two decimals.",
                 .flags = OPPROF_FIELD_WEIGHT | OPPROF_FIELD_STALL),
    SIM_PLACE_FIELDS(WaitRow),
};

/* The type of rows without the fields of a place, and that of rows with them. */
#define TABLE_TYPE(record, fewer, bytes, list, type_name, text, heading, file)                     \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = (text), .size = (bytes), .flags = OPPROF_RECORD_TABLE, .fields = (list),        \
        .field_count = OPPROF_COUNT(list) - (fewer), .title = (heading), .file_hint = (file)       \
    }
#define TABLE_TYPES(record, list, name, text, heading, file, launch_file)                          \
    {                                                                                              \
        TABLE_TYPE(record, SIM_PLACE_COUNT, offsetof(record, place), list, name, text, heading,    \
                   file),                                                                          \
            TABLE_TYPE(record, 0, sizeof(record), list, name, text, heading, launch_file),         \
    }

const OpprofRecordType hotspot_code_types[] =
    TABLE_TYPES(CodeRow, code_fields, "sim.code-exe",
                "Executions and time of a source line on a simulated core.", "Hot source lines",
                "<core>/<core>_code_exe", SIM_PLACE_HINT "<core>/<core>_code_exe");

const OpprofRecordType hotspot_instr_types[] =
    TABLE_TYPES(InstrRow, instr_fields, "sim.instr-exe",
                "Executions and time of an instruction on a simulated core.", "Hot instructions",
                "<core>/<core>_instr_exe", SIM_PLACE_HINT "<core>/<core>_instr_exe");

const OpprofRecordType hotspot_wait_types[] =
    TABLE_TYPES(WaitRow, wait_fields, "sim.flag-waits",
                "Where a pipe of a simulated core waited for a flag of another pipe.",
                "Waits for flags", "", "");

/* The source of the tables' rows. */
typedef struct Writer {
    OpprofStage *stage;
    const CoreStats *core;
    uint32_t port;
} Writer;

static uint64_t capped(uint64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value;
}

double TablesMicroseconds(const OpprofStage *stage, uint32_t clock, uint64_t ticks)
{
    const OpprofClock *info = OpprofStageClockInfo(stage, clock);
    const uint64_t hz = info == NULL ? UINT64_C(1000000000) : info->hz;

    return (double) (((unsigned __int128) ticks * 100000000 + hz / 2) / hz) / 100.0;
}

static double to_us(const Writer *writer, uint64_t ticks)
{
    return TablesMicroseconds(writer->stage, writer->core->clock, ticks);
}

/* Time in which something ran; absent if it is not known exactly. */
static double running_us(const Writer *writer, const OpprofBusyTime *busy)
{
    return busy->is_rough ? OpprofNaF64() : to_us(writer, OpprofBusyTimeTotal(busy));
}

static const InstructionFacts *words_of(const Writer *writer)
{
    const uint32_t chip = writer->core->chip;

    return InstructionFactsOf(chip == OPPROF_NA_STRING ? NULL
                                                       : OpprofStageString(writer->stage, chip));
}

/* Time in which an address only waited. */
static double stalled_us(const Writer *writer, const PcStats *pc)
{
    return PipeNameIsStall(words_of(writer), OpprofStageString(writer->stage, pc->name))
               ? running_us(writer, &pc->busy)
               : 0;
}

/* The same of each line of the core, a number per line. NULL without memory. */
static double *stalled_lines(const Writer *writer)
{
    const CoreStats *core = writer->core;
    double *list = calloc(core->line_count + 1u, sizeof *list);

    for (uint32_t i = 0; list != NULL && i < core->pc_count; i++) {
        const PcStats *pc = &core->pcs[i];
        const double time = stalled_us(writer, pc);

        for (uint32_t n = 0; n < pc->line_count; n++) {
            list[core->line_numbers[pc->first_line + n]] += time;
        }
    }
    return list;
}

/* A text of the next row; *ret_status gets the first error. */
static OpprofText put_text(const Writer *writer, const char *text, size_t length,
                           OpprofStatus *ret_status)
{
    OpprofText put = { OPPROF_NA_U32, 0 };

    *ret_status =
        OpprofStageText(writer->stage, writer->port, writer->core->partition, text, length, &put);
    return put;
}

static OpprofStatus put_row(const Writer *writer, const void *row)
{
    return OpprofStageAppend(writer->stage, writer->port, writer->core->partition, row);
}

/* Most cycles first, then by text. */
static int compare_lines(const void *a, const void *b)
{
    const LineStats *x = *(const LineStats *const *) a;
    const LineStats *y = *(const LineStats *const *) b;

    if (capped(x->cycles) != capped(y->cycles)) {
        return capped(x->cycles) > capped(y->cycles) ? -1 : 1;
    }
    return strcmp(x->line->text, y->line->text);
}

/* Most cycles first, then by address. */
static int compare_pcs(const void *a, const void *b)
{
    const PcStats *x = *(const PcStats *const *) a;
    const PcStats *y = *(const PcStats *const *) b;

    if (capped(x->cycles) != capped(y->cycles)) {
        return capped(x->cycles) > capped(y->cycles) ? -1 : 1;
    }
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* `stalled` are times of lines, in which the stalled time of addresses is added up. */
static OpprofStatus add_line(const Writer *writer, const LineStats *line, const double *stalled)
{
    const double running = running_us(writer, &line->busy);
    const double waited = stalled[line - writer->core->lines];
    OpprofStatus status;
    const CodeRow row = { .core = writer->core->core,
                          .code =
                              put_text(writer, line->line->text, strlen(line->line->text), &status),
                          .calls = line->calls,
                          .cycles = capped(line->cycles),
                          .running_us = running,
                          .stalled_us =
                              OpprofIsNaF64(running) || waited > running ? running : waited,
                          .place = writer->core->place };

    return status == OPPROF_OK ? put_row(writer, &row) : status;
}

/* The row that makes an empty table. */
static OpprofStatus add_no_line(const Writer *writer)
{
    const CodeRow row = { .core = writer->core->core,
                          .code = { OPPROF_NA_U32, 0 },
                          .calls = OPPROF_NA_U64,
                          .cycles = OPPROF_NA_U64,
                          .running_us = OpprofNaF64(),
                          .stalled_us = OpprofNaF64(),
                          .place = writer->core->place };

    return put_row(writer, &row);
}

/* The first line of an address, or the absent text. */
static OpprofText code_of(const Writer *writer, const PcStats *pc, OpprofStatus *ret_status)
{
    const char *text;

    if (pc->line_count == 0) {
        return (OpprofText){ OPPROF_NA_U32, 0 };
    }
    text = writer->core->lines[writer->core->line_numbers[pc->first_line]].line->text;
    return put_text(writer, text, strlen(text), ret_status);
}

static OpprofStatus add_pc(const Writer *writer, const PcStats *pc)
{
    OpprofStatus status;
    const OpprofText detail =
        put_text(writer, CoreStatsDetail(writer->core, pc), pc->detail_length, &status);
    const OpprofText code = status == OPPROF_OK ? code_of(writer, pc, &status) : detail;
    const InstrRow row = { .core = writer->core->core,
                           .name = pc->name,
                           .pc = pc->pc,
                           .pipe = pc->pipe,
                           .is_mark = !pc->has_instructions,
                           .calls = pc->calls,
                           .cycles = capped(pc->cycles),
                           .running_us = running_us(writer, &pc->busy),
                           .stalled_us = stalled_us(writer, pc),
                           .detail = detail,
                           .code = code,
                           .place = writer->core->place };

    return status == OPPROF_OK ? put_row(writer, &row) : status;
}

static OpprofStatus add_wait(const Writer *writer, const PcStats *pc)
{
    OpprofStatus status;
    const OpprofText detail =
        put_text(writer, CoreStatsDetail(writer->core, pc), pc->detail_length, &status);
    const OpprofText code = status == OPPROF_OK ? code_of(writer, pc, &status) : detail;
    const WaitRow row = { .core = writer->core->core,
                          .pipe = pc->pipe,
                          .calls = pc->calls,
                          .waited_us = to_us(writer, pc->cycles),
                          .detail = detail,
                          .code = code,
                          .place = writer->core->place };

    return status == OPPROF_OK ? put_row(writer, &row) : status;
}

/* Rows of launches with a folder have a port of their own, since they have more fields. */
static Writer begin(OpprofStage *stage, const TablePorts *ports, const CoreStats *core)
{
    const uint32_t port = core->folder == OPPROF_NA_STRING ? ports->plain : ports->with_place;

    OpprofStageSetClock(stage, port, core->clock);
    return (Writer){ .stage = stage, .core = core, .port = port };
}

OpprofStatus TablesPushCode(OpprofStage *stage, const TablePorts *ports, const CoreStats *core)
{
    const Writer writer = begin(stage, ports, core);
    const LineStats **rows = reallocarray(NULL, core->line_count + 1u, sizeof(LineStats *));
    double *stalled = stalled_lines(&writer);
    OpprofStatus status = rows == NULL || stalled == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; rows != NULL && i < core->line_count; i++) {
        rows[i] = &core->lines[i];
    }
    if (rows != NULL) {
        qsort(rows, core->line_count, sizeof *rows, compare_lines);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < core->line_count; i++) {
        status = add_line(&writer, rows[i], stalled);
    }
    if (status == OPPROF_OK && core->line_count == 0) {
        status = add_no_line(&writer);
    }
    free(stalled);
    free(rows);
    return status;
}

static bool is_executed(const Writer *writer, const PcStats *pc)
{
    (void) writer;
    return pc->calls > 0;
}

static bool is_wait(const Writer *writer, const PcStats *pc)
{
    return pc->calls > 0 &&
           PipeNameIsWait(words_of(writer), OpprofStageString(writer->stage, pc->name));
}

/* Rows of the selected addresses, most cycles first. */
static OpprofStatus push_pcs(const Writer *writer, bool (*wants)(const Writer *, const PcStats *),
                             OpprofStatus (*add)(const Writer *, const PcStats *))
{
    const CoreStats *core = writer->core;
    const PcStats **rows = reallocarray(NULL, core->pc_count + 1u, sizeof(PcStats *));
    OpprofStatus status = rows == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    uint32_t count = 0;

    for (uint32_t i = 0; rows != NULL && i < core->pc_count; i++) {
        if (wants(writer, &core->pcs[i])) {
            rows[count++] = &core->pcs[i];
        }
    }
    if (rows != NULL) {
        qsort(rows, count, sizeof *rows, compare_pcs);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < count; i++) {
        status = add(writer, rows[i]);
    }
    free(rows);
    return status;
}

OpprofStatus TablesPushInstructions(OpprofStage *stage, const TablePorts *ports,
                                    const CoreStats *core)
{
    const Writer writer = begin(stage, ports, core);

    return push_pcs(&writer, is_executed, add_pc);
}

OpprofStatus TablesPushWaits(OpprofStage *stage, const TablePorts *ports, const CoreStats *core)
{
    const Writer writer = begin(stage, ports, core);

    return push_pcs(&writer, is_wait, add_wait);
}
