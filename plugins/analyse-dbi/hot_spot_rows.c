/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emits the hot spots of a launch: for source pages, and as tables.
 * Tested by tests/plugins/parse-dbi/test_hot_spots.sh.
 */
#include "hot_spot_rows.h"

#include "row_folder.h"

#include <opprof/kit/launches.h>
#include <opprof/plugin.h>
#include <opprof/records/hotspot.h>
#include <opprof/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN_CODE "its source line is unknown"

/* Record of "dbi.hot-instruction". */
typedef struct InstructionRow {
    uint64_t address;
    uint64_t calls;
    uint64_t bytes;
    uint64_t hits;
    uint64_t misses;
    double hit_rate;
    uint64_t samples;
    uint64_t waits;
    uint32_t function;
    uint32_t code;
    int32_t registers;
    ROW_FOLDER;
} InstructionRow;

/* Record of "dbi.hot-line". */
typedef struct LineRow {
    uint64_t calls;
    uint64_t bytes;
    uint64_t hits;
    uint64_t misses;
    double hit_rate;
    uint64_t samples;
    uint64_t waits;
    uint32_t code;
    int32_t registers;
    ROW_FOLDER;
    uint32_t reserved;
} LineRow;

/* Record of "dbi.stall". */
typedef struct StallRow {
    uint64_t samples;
    double share;
    uint32_t code;
    uint32_t reason;
    ROW_FOLDER;
    uint32_t reserved;
} StallRow;

_Static_assert(sizeof(InstructionRow) == 88, "no padding");
_Static_assert(sizeof(LineRow) == 80, "no padding");
_Static_assert(sizeof(StallRow) == 40, "no padding");

#define UNSAMPLED "no program counters were sampled in the launch"
#define MEASURES(record)                                                                           \
    OPPROF_FIELD(record, bytes, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,                   \
                 .heading = "Process Bytes", .unit = "byte",                                       \
                 .meaning = "Bytes read from or written to global memory.",                        \
                 .absent = "nothing was moved, or it was not instrumented"),                       \
        OPPROF_FIELD(record, hits, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,                \
                     .heading = "L2 Hits", .unit = "1",                                            \
                     .meaning = "Lines found in the modelled L2 cache.",                           \
                     .absent = "there was no access, or no model of the cache"),                   \
        OPPROF_FIELD(record, misses, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,              \
                     .heading = "L2 Misses", .unit = "1", .meaning = "Lines not found.",           \
                     .absent = "there was no access, or no model of the cache"),                   \
        OPPROF_FIELD(record, hit_rate, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,           \
                     .heading = "L2Cache Hit Rate(%)", .unit = "%",                                \
                     .meaning = "Share of lines found.",                                           \
                     .absent = "there was no access, or no model of the cache"),                   \
        OPPROF_FIELD(record, samples, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,             \
                     .heading = "All Samples", .unit = "1",                                        \
                     .meaning = "Samples of program counters at it.", .absent = UNSAMPLED),        \
        OPPROF_FIELD(record, waits, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,               \
                     .heading = "Not Issue", .unit = "1",                                          \
                     .meaning = "Of these, samples of threads that waited.", .absent = UNSAMPLED), \
        OPPROF_FIELD(record, registers, OPPROF_FIELD_I32, .combine = OPPROF_COMBINE_NONE,          \
                     .heading = "GPR Count", .unit = "1",                                          \
                     .meaning = "Most registers in use at once.",                                  \
                     .absent = "register liveness is unknown")

static const OpprofField instruction_fields[] = {
    OPPROF_FIELD(InstructionRow, address, OPPROF_FIELD_HEX, .heading = "Address",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_ADDRESS,
                 .meaning = "Address, or offset where the code's start is unknown."),
    OPPROF_FIELD(InstructionRow, function, OPPROF_FIELD_STRING, .heading = "Function",
                 .meaning = "Function that it is in.", .absent = "there is no block map"),
    OPPROF_FIELD(InstructionRow, code, OPPROF_FIELD_STRING, .heading = "Code",
                 .flags = OPPROF_FIELD_PLACE, .meaning = "Innermost source line of the operator.",
                 .absent = UNKNOWN_CODE),
    OPPROF_FIELD(InstructionRow, calls, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,
                 .heading = "Instructions Executed", .unit = "1", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Executions on all cores together.",
                 .absent = "it is outside of all counted blocks"),
    MEASURES(InstructionRow),
    FOLDER(InstructionRow),
};

static const OpprofField line_fields[] = {
    OPPROF_FIELD(LineRow, code, OPPROF_FIELD_STRING, .heading = "Code",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_PLACE, .meaning = "Source line."),
    OPPROF_FIELD(LineRow, calls, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,
                 .heading = "Instructions Executed", .unit = "1", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Executions of its instructions and of calls inlined there.",
                 .absent = "its instructions are outside of all counted blocks"),
    MEASURES(LineRow),
    FOLDER(LineRow),
};

static const OpprofField stall_fields[] = {
    OPPROF_FIELD(StallRow, code, OPPROF_FIELD_STRING, .heading = "Code",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_PLACE, .meaning = "Source line.",
                 .absent = UNKNOWN_CODE),
    OPPROF_FIELD(StallRow, reason, OPPROF_FIELD_STRING, .heading = "Reason",
                 .flags = OPPROF_FIELD_KEY,
                 .meaning = "What threads waited for; Active: they did not wait."),
    OPPROF_FIELD(StallRow, samples, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,
                 .heading = "Samples", .unit = "1", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Samples of the line's instructions."),
    OPPROF_FIELD(StallRow, share, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .heading = "Share(%)", .unit = "%", .meaning = "Of all samples of the launch."),
    FOLDER(StallRow),
};

const OpprofRecordType dbi_hot_instruction_type = OPPROF_RECORD_TYPE(
    InstructionRow, 1, "dbi.hot-instruction", "Counts of an instruction that ran on a device.",
    OPPROF_RECORD_TABLE, instruction_fields, "Hot instructions",
    "<device>/<kernel>/<order>/HotInstructions");
const OpprofRecordType dbi_hot_line_type = OPPROF_RECORD_TYPE(
    LineRow, 1, "dbi.hot-line", "Counts of a source line that ran on a device.",
    OPPROF_RECORD_TABLE, line_fields, "Hot source lines", "<device>/<kernel>/<order>/HotLines");
const OpprofRecordType dbi_stall_type = OPPROF_RECORD_TYPE(
    StallRow, 1, "dbi.stall", "What threads waited for at a source line.", OPPROF_RECORD_TABLE,
    stall_fields, "Stall reasons by source line", "<device>/<kernel>/<order>/StallReasons");

/* The source of a launch's rows. */
typedef struct Writer {
    const SpotPlace *place;
    const Spots *spots;
    const SpotLines *lines;
    OpprofSource *source;
    uint32_t core;   /* interned */
    uint32_t folder; /* interned, or absent */
    uint32_t none;   /* interned "NA" */
} Writer;

static OpprofStatus append(const Writer *writer, uint32_t port, const void *record)
{
    return OpprofStageAppend(writer->place->stage, port, writer->place->partition, record);
}

static uint32_t intern(const Writer *writer, const char *text)
{
    return OpprofStageIntern(writer->place->stage, text, strlen(text));
}

static uint64_t address_of(const Writer *writer, uint64_t pc)
{
    return writer->place->start_pc == OPPROF_NA_U64 ? pc : writer->place->start_pc + pc;
}

static double rate(uint64_t hits, uint64_t misses)
{
    return hits == OPPROF_NA_U64 || misses == OPPROF_NA_U64 || hits + misses == 0
               ? OpprofNaF64()
               : 100.0 * (double) hits / ((double) hits + (double) misses);
}

/* False without memory. */
static bool find_folder(Writer *writer)
{
    const SpotPlace *place = writer->place;
    char *path = OpprofLaunchPath(place->stage, place->device, place->kernel, place->order, NULL);
    const bool has_one = path != NULL && path[0] != '\0';

    writer->folder = has_one ? intern(writer, path) : OPPROF_NA_STRING;
    const bool is_good = path != NULL && (!has_one || writer->folder != OPPROF_NA_STRING);
    free(path);
    return is_good;
}

/* ---- instructions ---- */

/* The pipe that moves data between global memory and the core along a path. */
static const char *pipe_of(const char *from, const char *to)
{
    if (strcmp(from, "GM") == 0) {
        return strcmp(to, "REG") == 0 ? "NA" : "MTE2";
    }
    if (strcmp(to, "GM") == 0) {
        return strcmp(from, "L0C") == 0 ? "FIXP" : strcmp(from, "REG") == 0 ? "NA" : "MTE3";
    }
    return "NA";
}

static void describe_moves(const Writer *writer, const OpprofDbiPc *moves, OpprofHotAddress *out,
                           char path[64])
{
    const OpprofStage *stage = writer->place->stage;
    const char *from = OpprofStageString(stage, moves->from);
    const char *to = OpprofStageString(stage, moves->to);

    if (moves->record != OPPROF_NA_STRING) {
        out->name = moves->record;
    }
    out->pipe = intern(writer, pipe_of(from, to));
    out->process_bytes = moves->bytes > INT64_MAX ? INT64_MAX : (int64_t) moves->bytes;
    out->l2_hits = moves->hits;
    out->l2_misses = moves->misses;
    snprintf(path, 64, "%s>%s", from, to);
}

static OpprofStatus push_address(const Writer *writer, const Spot *spot, uint32_t code)
{
    OpprofHotAddress out = { .pc = address_of(writer, spot->pc),
                             .calls = spot->calls,
                             .cycles = OPPROF_NA_U64,
                             .core = writer->core,
                             .name = writer->none,
                             .pipe = writer->none,
                             .line = code,
                             .process_bytes = OPPROF_NA_I64,
                             .icache_cycles = OPPROF_NA_I64,
                             .ccu_cycles = OPPROF_NA_I64,
                             .vector_utilization = OpprofNaF64(),
                             .gpr_count = spot->registers,
                             .read_conflict = OPPROF_NA_I32,
                             .write_conflict = OPPROF_NA_I32,
                             .l2_hits = OPPROF_NA_U64,
                             .l2_misses = OPPROF_NA_U64,
                             .folder = writer->folder };
    const ListingLine *listed = ListingFind(&writer->place->listing, spot->pc);
    char path[64] = "";
    const char *detail = path;

    if (spot->moves != NULL) {
        describe_moves(writer, spot->moves, &out, path);
    }
    size_t length = strlen(path);
    if (listed != NULL) {
        out.name = OpprofStageIntern(writer->place->stage, listed->name, listed->name_length);
        detail = listed->detail;
        length = listed->detail_length;
    }
    const OpprofStatus status =
        OpprofStageText(writer->place->stage, OUTPUT_ADDRESSES, writer->place->partition, detail,
                        length, &out.detail);
    return status == OPPROF_OK ? append(writer, OUTPUT_ADDRESSES, &out) : status;
}

/* A number of samples; where none were taken, 0 would say that it was never met. */
static uint64_t sampled(const Writer *writer, uint64_t count)
{
    return writer->spots->sample_count == 0 ? OPPROF_NA_U64 : count;
}

static OpprofStatus push_instruction(const Writer *writer, const Spot *spot)
{
    const OpprofSourceLine *line = SpotLineOf(writer->source, spot->pc);
    const OpprofDbiPc *moves = spot->moves;
    InstructionRow row = { .address = address_of(writer, spot->pc),
                           .calls = spot->calls,
                           .bytes = moves == NULL ? OPPROF_NA_U64 : moves->bytes,
                           .hits = moves == NULL ? OPPROF_NA_U64 : moves->hits,
                           .misses = moves == NULL ? OPPROF_NA_U64 : moves->misses,
                           .samples = sampled(writer, spot->samples),
                           .waits = sampled(writer, spot->waits),
                           .function = spot->function,
                           .code = line == NULL ? OPPROF_NA_STRING : intern(writer, line->text),
                           .registers = spot->registers };

    row.hit_rate = rate(row.hits, row.misses);
    SET_FOLDER(row, writer->place);
    const OpprofStatus status = push_address(writer, spot, row.code);
    return status == OPPROF_OK ? append(writer, OUTPUT_INSTRUCTION_ROWS, &row) : status;
}

static OpprofStatus push_instructions(const Writer *writer)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < writer->spots->count; i++) {
        status = push_instruction(writer, &writer->spots->list[i]);
    }
    return status;
}

/* ---- lines ---- */

static OpprofStatus push_line_row(const Writer *writer, const SpotLine *line)
{
    LineRow row = { .calls = line->calls,
                    .bytes = line->bytes,
                    .hits = line->hits,
                    .misses = line->misses,
                    .hit_rate = rate(line->hits, line->misses),
                    .samples = sampled(writer, line->samples),
                    .waits = sampled(writer, line->waits),
                    .code = intern(writer, line->line->text),
                    .registers = line->registers };

    SET_FOLDER(row, writer->place);
    return append(writer, OUTPUT_LINE_ROWS, &row);
}

/* Most executions first, then by text. */
static int by_calls(const void *a, const void *b)
{
    const SpotLine *x = *(const SpotLine *const *) a;
    const SpotLine *y = *(const SpotLine *const *) b;
    const uint64_t x_calls = x->calls == OPPROF_NA_U64 ? 0 : x->calls;
    const uint64_t y_calls = y->calls == OPPROF_NA_U64 ? 0 : y->calls;

    if (x_calls != y_calls) {
        return x_calls > y_calls ? -1 : 1;
    }
    return strcmp(x->line->text, y->line->text);
}

static OpprofStatus push_line_rows(const Writer *writer)
{
    const SpotLine **sorted = calloc(writer->lines->count + 1, sizeof *sorted);
    OpprofStatus status = sorted == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (size_t i = 0; sorted != NULL && i < writer->lines->count; i++) {
        sorted[i] = &writer->lines->list[i];
    }
    if (sorted != NULL) {
        qsort(sorted, writer->lines->count, sizeof *sorted, by_calls);
    }
    for (size_t i = 0; status == OPPROF_OK && i < writer->lines->count; i++) {
        status = push_line_row(writer, sorted[i]);
    }
    free(sorted);
    return status;
}

static OpprofStatus push_hot_lines(const Writer *writer)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < writer->lines->member_count; i++) {
        const SpotOfLine *member = &writer->lines->members[i];
        const SpotLine *line = &writer->lines->list[member->line];
        const OpprofHotLine out = {
            .pc = address_of(writer, writer->spots->list[member->spot].pc),
            .calls = line->calls,
            .cycles = OPPROF_NA_U64,
            .core = writer->core,
            .file =
                OpprofStageIntern(writer->place->stage, line->line->text, line->line->file_length),
            .line = line->line->line,
            .folder = writer->folder,
        };
        status = append(writer, OUTPUT_LINES, &out);
    }
    return status;
}

/* ---- samples ---- */

static OpprofStatus push_hot_samples(const Writer *writer)
{
    const Spots *spots = writer->spots;
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < spots->sample_count; i++) {
        const OpprofDbiSample *sample = &spots->samples[i];
        const bool is_shown = sample->pc != OPPROF_NA_U64 &&
                              OpprofMapFind(&spots->places, sample->pc) != OPPROF_MAP_NONE;
        const OpprofHotSample out = { .pc =
                                          is_shown ? address_of(writer, sample->pc) : OPPROF_NA_U64,
                                      .samples = sample->samples,
                                      .reason = sample->reason,
                                      .is_issued = sample->is_issued,
                                      .folder = writer->folder };
        status = append(writer, OUTPUT_SAMPLES, &out);
    }
    return status;
}

static OpprofStatus push_hot_registers(const Writer *writer)
{
    const Spots *spots = writer->spots;
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < spots->register_count; i++) {
        const OpprofDbiRegister *one = &spots->registers[i];
        const OpprofHotRegister out = { .pc = address_of(writer, one->pc),
                                        .name = one->name,
                                        .status = one->status,
                                        .survival = one->survival,
                                        .folder = writer->folder };
        if (one->name != OPPROF_NA_STRING &&
            OpprofMapFind(&spots->places, one->pc) != OPPROF_MAP_NONE) {
            status = append(writer, OUTPUT_REGISTERS, &out);
        }
    }
    return status;
}

/* Samples of a stall reason at a line. */
typedef struct Stall {
    uint32_t code;
    uint32_t reason;
    uint64_t samples;
} Stall;

static int by_place(const void *a, const void *b)
{
    const Stall *x = a;
    const Stall *y = b;

    if (x->code != y->code) {
        return x->code < y->code ? -1 : 1;
    }
    return (x->reason > y->reason) - (x->reason < y->reason);
}

static int by_samples(const void *a, const void *b)
{
    const Stall *x = a;
    const Stall *y = b;

    return x->samples != y->samples ? (x->samples > y->samples ? -1 : 1) : by_place(a, b);
}

/* Adds up neighbours with the same line and reason; returns how many are left. */
static size_t join_stalls(Stall *stalls, size_t count)
{
    size_t kept = 0;

    qsort(stalls, count, sizeof *stalls, by_place);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && by_place(&stalls[kept - 1], &stalls[i]) == 0) {
            stalls[kept - 1].samples += stalls[i].samples;
        } else {
            stalls[kept++] = stalls[i];
        }
    }
    qsort(stalls, kept, sizeof *stalls, by_samples);
    return kept;
}

static OpprofStatus push_stalls(const Writer *writer)
{
    const Spots *spots = writer->spots;
    Stall *stalls = calloc(spots->sample_count + 1, sizeof *stalls);
    OpprofStatus status = stalls == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    double all = 0;

    for (size_t i = 0; stalls != NULL && i < spots->sample_count; i++) {
        const OpprofDbiSample *sample = &spots->samples[i];
        const OpprofSourceLine *line =
            sample->pc == OPPROF_NA_U64 ? NULL : SpotLineOf(writer->source, sample->pc);
        stalls[i] = (Stall){ line == NULL ? OPPROF_NA_STRING : intern(writer, line->text),
                             sample->reason, sample->samples };
        all += (double) sample->samples;
    }
    const size_t count = stalls == NULL ? 0 : join_stalls(stalls, spots->sample_count);
    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        StallRow row = { .samples = stalls[i].samples,
                         .share = 100.0 * (double) stalls[i].samples / all,
                         .code = stalls[i].code,
                         .reason = stalls[i].reason };
        SET_FOLDER(row, writer->place);
        status = append(writer, OUTPUT_STALL_ROWS, &row);
    }
    free(stalls);
    return status;
}

/* ---- all ---- */

OpprofStatus SpotRowsEmit(const SpotPlace *place, const Spots *spots, const SpotLines *lines,
                          OpprofSource *source)
{
    Writer writer = { .place = place, .spots = spots, .lines = lines, .source = source };

    writer.core = intern(&writer, "ALL");
    writer.none = intern(&writer, "NA");
    if (!find_folder(&writer)) {
        return OPPROF_E_MEMORY;
    }
    OpprofStatus status = push_instructions(&writer);
    status = status == OPPROF_OK ? push_hot_lines(&writer) : status;
    status = status == OPPROF_OK ? push_hot_samples(&writer) : status;
    status = status == OPPROF_OK ? push_hot_registers(&writer) : status;
    status = status == OPPROF_OK ? push_line_rows(&writer) : status;
    return status == OPPROF_OK && spots->sample_count > 0 ? push_stalls(&writer) : status;
}
