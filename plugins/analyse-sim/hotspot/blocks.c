/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the blocks of the viewer's source page: texts, lines, instructions. Tested by
 * tests/plugins/analyse-sim/hotspot/test_tables.sh.
 */
#include "blocks.h"
#include "instr_source.h"
#include "json_out.h"
#include "source_file.h"

#include <opprof/records/block.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_CODE 0x01u
#define BLOCK_FILES 0x03u
#define BLOCK_INSTRUCTIONS 0x04u
#define VERSION_COMMON 0x5au
#define VERSION_INSTRUCTIONS 0x00u

#define RANGE_GAP 4u /* an address so far behind the last one joins its range */
#define RANGE_DIGITS 8u
#define ADDRESS_DIGITS 1u

/* An address of a source line. */
typedef struct LinePc {
    const OpprofSourceLine *line;
    uint64_t pc;
} LinePc;

/* All cores on their way into blocks. */
typedef struct Blocks {
    OpprofStage *stage;
    CoreStats **cores;
    uint32_t core_count;
    uint32_t port;
    LinePc *line_pcs; /* by file, line as text, address; each once */
    size_t line_pc_count;
    uint64_t *pcs; /* by address as text; each once */
    size_t pc_count;
    bool has_head_cycles; /* some address has cycles from fetch to start */
} Blocks;

static int64_t capped(uint64_t value)
{
    return value > INT32_MAX ? INT32_MAX : (int64_t) value;
}

/* ------------------------------------------------------------------ order */

static int compare_files(const OpprofSourceLine *x, const OpprofSourceLine *y)
{
    const size_t shorter = x->file_length < y->file_length ? x->file_length : y->file_length;
    const int order = memcmp(x->text, y->text, shorter);

    return order != 0 ? order : (x->file_length > shorter) - (y->file_length > shorter);
}

/* By file, then by the number of the line as a text, then by address. */
static int compare_line_pcs(const void *a, const void *b)
{
    const LinePc *x = a;
    const LinePc *y = b;
    int order = x->line == y->line ? 0 : compare_files(x->line, y->line);

    if (order == 0 && x->line != y->line) {
        order = strcmp(x->line->text + x->line->file_length, y->line->text + y->line->file_length);
    }
    return order != 0 ? order : (x->pc > y->pc) - (x->pc < y->pc);
}

/* The digits of an address, the first one topmost; texts compare as these do, but for trailing
 * zeros. */
static uint64_t left_aligned(uint64_t pc)
{
    while (pc != 0 && pc >> 60 == 0) {
        pc <<= 4;
    }
    return pc;
}

static int compare_addresses(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *) a;
    const uint64_t y = *(const uint64_t *) b;

    if (left_aligned(x) != left_aligned(y)) {
        return left_aligned(x) < left_aligned(y) ? -1 : 1;
    }
    return (x > y) - (x < y);
}

static size_t count_of_pcs(const Blocks *blocks)
{
    size_t count = 0;

    for (uint32_t c = 0; c < blocks->core_count; c++) {
        count += blocks->cores[c]->pc_count;
    }
    return count;
}

static size_t count_of_line_pcs(const Blocks *blocks)
{
    size_t count = 0;

    for (uint32_t c = 0; c < blocks->core_count; c++) {
        count += blocks->cores[c]->number_count;
    }
    return count;
}

static void collect_pc(Blocks *blocks, const CoreStats *core, const PcStats *pc)
{
    blocks->pcs[blocks->pc_count++] = pc->pc;
    for (uint32_t i = 0; i < pc->line_count; i++) {
        const uint32_t line = core->line_numbers[pc->first_line + i];

        blocks->line_pcs[blocks->line_pc_count++] =
            (LinePc){ .line = core->lines[line].line, .pc = pc->pc };
    }
    if (pc->has_details &&
        (pc->details.icache_cycles != OPPROF_NA_I64 || pc->details.ccu_cycles != OPPROF_NA_I64)) {
        blocks->has_head_cycles = true;
    }
}

static void sort_pcs(Blocks *blocks)
{
    size_t kept = 0;

    if (blocks->pc_count == 0) {
        return;
    }
    qsort(blocks->pcs, blocks->pc_count, sizeof *blocks->pcs, compare_addresses);
    for (size_t i = 1; i < blocks->pc_count; i++) {
        if (blocks->pcs[i] != blocks->pcs[kept]) {
            blocks->pcs[++kept] = blocks->pcs[i];
        }
    }
    blocks->pc_count = kept + 1;
}

static void sort_line_pcs(Blocks *blocks)
{
    size_t kept = 0;

    if (blocks->line_pc_count == 0) {
        return;
    }
    qsort(blocks->line_pcs, blocks->line_pc_count, sizeof *blocks->line_pcs, compare_line_pcs);
    for (size_t i = 1; i < blocks->line_pc_count; i++) {
        if (compare_line_pcs(&blocks->line_pcs[i], &blocks->line_pcs[kept]) != 0) {
            blocks->line_pcs[++kept] = blocks->line_pcs[i];
        }
    }
    blocks->line_pc_count = kept + 1;
}

static bool collect(Blocks *blocks)
{
    blocks->pcs = reallocarray(NULL, count_of_pcs(blocks) + 1, sizeof *blocks->pcs);
    blocks->line_pcs = reallocarray(NULL, count_of_line_pcs(blocks) + 1, sizeof *blocks->line_pcs);
    if (blocks->pcs == NULL || blocks->line_pcs == NULL) {
        return false;
    }
    for (uint32_t c = 0; c < blocks->core_count; c++) {
        const CoreStats *core = blocks->cores[c];

        for (uint32_t i = 0; i < core->pc_count; i++) {
            if (core->pcs[i].calls > 0) {
                collect_pc(blocks, core, &core->pcs[i]);
            }
        }
    }
    sort_pcs(blocks);
    sort_line_pcs(blocks);
    return true;
}

/* ------------------------------------------------------------------ blocks */

static OpprofStatus push_block(Blocks *blocks, OpprofBatch *batch, const OpprofBlock *block)
{
    OpprofBlock *record = OpprofBatchAppend(batch);

    if (record == NULL) {
        OpprofBatchUnref(batch);
        return OPPROF_E_MEMORY;
    }
    *record = *block;
    return OpprofStagePush(blocks->stage, blocks->port, batch);
}

/* A JSON block, unless it is longer than the viewer takes. */
static OpprofStatus push_json(Blocks *blocks, const JsonOut *out, uint32_t type, uint32_t version,
                              const char *what)
{
    const OpprofBlock block = { .block_type = type,
                                .version = version,
                                .path = { OPPROF_NA_U32, 0 },
                                .bytes = JsonOutText(out),
                                .file = { OPPROF_NA_U32, 0 } };

    if (out->out_of_memory) {
        OpprofBatchUnref(out->batch);
        return OPPROF_E_MEMORY;
    }
    if (out->is_full || block.bytes.length > JSON_OUT_MAX) {
        OpprofStageIncomplete(
            blocks->stage,
            "The viewer's data lacks the %s: they take more than %u MiB, which the "
            "viewer would refuse",
            what, JSON_OUT_MAX >> 20);
        OpprofBatchUnref(out->batch);
        return OPPROF_OK;
    }
    return push_block(blocks, out->batch, &block);
}

static void put_core_names(const Blocks *blocks, JsonOut *out)
{
    JsonOutRaw(out, "{\"Cores\":[");
    for (uint32_t c = 0; c < blocks->core_count; c++) {
        size_t length;
        const char *name = OpprofStageStringLength(blocks->stage, blocks->cores[c]->core, &length);

        JsonOutRaw(out, c > 0 ? "," : "");
        JsonOutString(out, name, length);
    }
    JsonOutRaw(out, "],");
}

/* ------------------------------------------------------------------ instructions */

/* A column with a value a core, and that of cores which do not have the address. */
typedef struct PcColumn {
    const char *key; /* with the punctuation around it */
    int64_t (*value)(const PcStats *pc);
    int64_t absent;
    bool is_head; /* shown only when some address has cycles from fetch to start */
} PcColumn;

static int64_t or_minus_one(int32_t value)
{
    return value == OPPROF_NA_I32 ? -1 : value;
}

static int64_t pc_cycles(const PcStats *pc)
{
    return capped(pc->cycles);
}

static int64_t pc_calls(const PcStats *pc)
{
    return capped(pc->calls);
}

static int64_t pc_gpr(const PcStats *pc)
{
    if (!pc->has_instructions) {
        return -1;
    }
    return pc->has_details && pc->details.gpr_count != OPPROF_NA_I32 ? pc->details.gpr_count : 0;
}

/* Nothing and unknown look alike. */
static int64_t pc_bytes(const PcStats *pc)
{
    return pc->has_details && pc->details.process_bytes > 0
               ? capped((uint64_t) pc->details.process_bytes)
               : -1;
}

static int64_t pc_read_conflict(const PcStats *pc)
{
    return pc->has_details ? or_minus_one(pc->details.ub_read_conflict) : -1;
}

static int64_t pc_write_conflict(const PcStats *pc)
{
    return pc->has_details ? or_minus_one(pc->details.ub_write_conflict) : -1;
}

static int64_t pc_icache(const PcStats *pc)
{
    return pc->has_details && pc->details.icache_cycles > 0
               ? capped((uint64_t) pc->details.icache_cycles)
               : 0;
}

static int64_t pc_ccu(const PcStats *pc)
{
    return pc->has_details && pc->details.ccu_cycles > 0 ? capped((uint64_t) pc->details.ccu_cycles)
                                                         : 0;
}

static int64_t pc_scalar(const PcStats *pc)
{
    return capped((uint64_t) (pc_icache(pc) + pc_ccu(pc)));
}

static double pc_utilization(const PcStats *pc)
{
    return pc == NULL || !pc->has_details || OpprofIsNaF64(pc->details.vector_utilization)
               ? -1.0
               : (double) (float) pc->details.vector_utilization;
}

/* In the order of the members, which is alphabetical; the texts stand between them. */
static const PcColumn before_pipe[] = {
    { ",\"CcuCycles\":[", pc_ccu, 0, true },
    { ",\"Cycles\":[", pc_cycles, 0, false },
    { ",\"GPR Count\":[", pc_gpr, 0, false },
    { ",\"ICacheCycles\":[", pc_icache, 0, true },
    { ",\"Instructions Executed\":[", pc_calls, 0, false },
};
static const PcColumn before_source[] = {
    { ",\"Process Bytes\":[", pc_bytes, -1, false },
    { ",\"ScalarCycles\":[", pc_scalar, 0, true },
};
static const PcColumn behind_source[] = {
    { ",\"UB Read Conflict\":[", pc_read_conflict, -1, false },
    { ",\"UB Write Conflict\":[", pc_write_conflict, -1, false },
};

static void put_columns(const Blocks *blocks, JsonOut *out, uint64_t pc, const PcColumn *columns,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (columns[i].is_head && !blocks->has_head_cycles) {
            continue;
        }
        JsonOutRaw(out, columns[i].key);
        for (uint32_t c = 0; c < blocks->core_count; c++) {
            const PcStats *stats = CoreStatsPc(blocks->cores[c], pc);

            JsonOutRaw(out, c > 0 ? "," : "");
            JsonOutInteger(out, stats == NULL ? columns[i].absent : columns[i].value(stats));
        }
        JsonOutRaw(out, "]");
    }
}

static void put_utilization(const Blocks *blocks, JsonOut *out, uint64_t pc)
{
    JsonOutRaw(out, ",\"Vector Utilization Percentage\":[");
    for (uint32_t c = 0; c < blocks->core_count; c++) {
        JsonOutRaw(out, c > 0 ? "," : "");
        JsonOutReal(out, pc_utilization(CoreStatsPc(blocks->cores[c], pc)));
    }
    JsonOutRaw(out, "]}");
}

/* The line that the viewer jumps to: the innermost one that is not of the toolkit. */
static const char *inner_code(const PcStats *pc)
{
    if (pc->stack == NULL || pc->stack->count == 0) {
        return "";
    }
    for (uint32_t i = 0; i < pc->stack->count; i++) {
        if (!pc->stack->lines[i]->is_toolkit) {
            return pc->stack->lines[i]->text;
        }
    }
    return pc->stack->lines[0]->text;
}

static void put_source(const Blocks *blocks, JsonOut *out, const CoreStats *core, const PcStats *pc)
{
    size_t name_length;
    const char *name = OpprofStageStringLength(blocks->stage, pc->name, &name_length);
    char *text = malloc(INSTR_SOURCE_ROOM(name_length, pc->detail_length));

    if (text == NULL) {
        out->out_of_memory = true;
        return;
    }
    const char *end =
        InstrSourcePut(text, name, name_length, core->texts + pc->detail, pc->detail_length);
    JsonOutRaw(out, ",\"Source\":");
    JsonOutString(out, text, (size_t) (end - text));
    free(text);
}

static void put_instruction(const Blocks *blocks, JsonOut *out, uint64_t pc)
{
    const CoreStats *core = NULL;
    const PcStats *first = NULL;
    size_t length;

    for (uint32_t c = 0; first == NULL && c < blocks->core_count; c++) {
        core = blocks->cores[c];
        first = CoreStatsPc(core, pc);
    }
    if (first == NULL) {
        return;
    }
    JsonOutRaw(out, "{\"Address\":");
    JsonOutHex(out, pc, ADDRESS_DIGITS);
    JsonOutRaw(out, ",\"AscendC Inner Code\":");
    JsonOutString(out, inner_code(first), strlen(inner_code(first)));
    put_columns(blocks, out, pc, before_pipe, OPPROF_COUNT(before_pipe));
    JsonOutRaw(out, ",\"Pipe\":");
    const char *pipe = OpprofStageStringLength(blocks->stage, first->pipe, &length);
    JsonOutString(out, pipe, length);
    put_columns(blocks, out, pc, before_source, OPPROF_COUNT(before_source));
    put_source(blocks, out, core, first);
    put_columns(blocks, out, pc, behind_source, OPPROF_COUNT(behind_source));
    put_utilization(blocks, out, pc);
}

static OpprofStatus push_instructions(Blocks *blocks)
{
    OpprofBatch *batch =
        blocks->pc_count == 0 ? NULL : OpprofStageNewBatch(blocks->stage, blocks->port);
    const bool head = blocks->has_head_cycles;
    JsonOut out;

    if (blocks->pc_count == 0) {
        return OPPROF_OK;
    }
    if (batch == NULL) {
        return OPPROF_E_MEMORY;
    }
    out = JsonOutBegin(batch);
    put_core_names(blocks, &out);
    JsonOutRaw(&out, "\"Instructions\":[");
    for (size_t i = 0; i < blocks->pc_count && !out.is_full && !out.out_of_memory; i++) {
        JsonOutRaw(&out, i > 0 ? "," : "");
        put_instruction(blocks, &out, blocks->pcs[i]);
    }
    JsonOutRaw(&out, "],\"Instructions Dtype\":{\"Instructions\":{\"Address\":3,"
                     "\"AscendC Inner Code\":3,");
    JsonOutRaw(&out, head ? "\"CcuCycles\":1," : "");
    JsonOutRaw(&out, "\"Cycles\":1,\"GPR Count\":1,");
    JsonOutRaw(&out, head ? "\"ICacheCycles\":1," : "");
    JsonOutRaw(&out, "\"Instructions Executed\":1,\"Pipe\":3,\"Process Bytes\":1,");
    JsonOutRaw(&out, head ? "\"ScalarCycles\":1," : "");
    JsonOutRaw(&out, "\"Source\":3,\"UB Read Conflict\":1,\"UB Write Conflict\":1,"
                     "\"Vector Utilization Percentage\":4}}}");
    return push_json(blocks, &out, BLOCK_INSTRUCTIONS, VERSION_INSTRUCTIONS, "instructions");
}

/* ------------------------------------------------------------------ lines */

/* The line's addresses, of which there are `count`. */
typedef struct LineGroup {
    const OpprofSourceLine *line;
    const LinePc *pcs;
    size_t count;
} LineGroup;

static LineGroup group_at(const Blocks *blocks, size_t first)
{
    LineGroup group = { .line = blocks->line_pcs[first].line, .pcs = &blocks->line_pcs[first] };

    while (first + group.count < blocks->line_pc_count &&
           group.pcs[group.count].line == group.line) {
        group.count++;
    }
    return group;
}

static void put_ranges(JsonOut *out, const LineGroup *group)
{
    JsonOutRaw(out, "{\"Address Range\":[");
    for (size_t i = 0; i < group->count;) {
        const uint64_t first = group->pcs[i].pc;

        JsonOutRaw(out, i > 0 ? ",[" : "[");
        JsonOutHex(out, first, RANGE_DIGITS);
        JsonOutRaw(out, ",");
        do {
            i++;
        } while (i < group->count && group->pcs[i].pc - group->pcs[i - 1].pc <= RANGE_GAP);
        JsonOutHex(out, group->pcs[i - 1].pc, RANGE_DIGITS);
        JsonOutRaw(out, "]");
    }
    JsonOutRaw(out, "]");
}

static int64_t line_cycles(const CoreStats *core, const LineGroup *group)
{
    const LineStats *line = CoreStatsLine(core, group->line);

    return line == NULL ? 0 : capped(line->cycles);
}

static int64_t line_calls(const CoreStats *core, const LineGroup *group)
{
    const LineStats *line = CoreStatsLine(core, group->line);

    return line == NULL ? 0 : capped(line->calls);
}

static int64_t line_gpr(const CoreStats *core, const LineGroup *group)
{
    int64_t most = -1;

    if (CoreStatsLine(core, group->line) == NULL) {
        return 0;
    }
    for (size_t i = 0; i < group->count; i++) {
        const PcStats *pc = CoreStatsPc(core, group->pcs[i].pc);

        if (pc != NULL && pc_gpr(pc) > most) {
            most = pc_gpr(pc);
        }
    }
    return most;
}

static int64_t line_bytes(const CoreStats *core, const LineGroup *group)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < group->count; i++) {
        const PcStats *pc = CoreStatsPc(core, group->pcs[i].pc);

        sum += pc != NULL && pc_bytes(pc) > 0 ? (uint64_t) pc->details.process_bytes : 0;
    }
    return sum == 0 ? -1 : capped(sum);
}

static void put_line_column(const Blocks *blocks, JsonOut *out, const char *key,
                            int64_t (*value)(const CoreStats *core, const LineGroup *group),
                            const LineGroup *group)
{
    JsonOutRaw(out, key);
    for (uint32_t c = 0; c < blocks->core_count; c++) {
        JsonOutRaw(out, c > 0 ? "," : "");
        JsonOutInteger(out, value(blocks->cores[c], group));
    }
    JsonOutRaw(out, "]");
}

static void put_line(const Blocks *blocks, JsonOut *out, const LineGroup *group)
{
    put_ranges(out, group);
    put_line_column(blocks, out, ",\"Cycles\":[", line_cycles, group);
    put_line_column(blocks, out, ",\"GPR Count\":[", line_gpr, group);
    put_line_column(blocks, out, ",\"Instructions Executed\":[", line_calls, group);
    JsonOutRaw(out, ",\"Line\":");
    JsonOutInteger(out, group->line->line);
    put_line_column(blocks, out, ",\"Process Bytes\":[", line_bytes, group);
    JsonOutRaw(out, "}");
}

/* The lines of the file that begins at `first`; returns the first address of the next file. */
static size_t put_file(const Blocks *blocks, JsonOut *out, size_t first)
{
    const OpprofSourceLine *file = blocks->line_pcs[first].line;
    size_t at = first;

    JsonOutRaw(out, "{\"Lines\":[");
    while (at < blocks->line_pc_count && compare_files(file, blocks->line_pcs[at].line) == 0) {
        const LineGroup group = group_at(blocks, at);

        JsonOutRaw(out, at > first ? "," : "");
        put_line(blocks, out, &group);
        at += group.count;
    }
    JsonOutRaw(out, "],\"Source\":");
    JsonOutString(out, file->text, file->file_length);
    JsonOutRaw(out, "}");
    return at;
}

static size_t next_file(const Blocks *blocks, size_t first)
{
    size_t at = first;

    while (at < blocks->line_pc_count &&
           compare_files(blocks->line_pcs[first].line, blocks->line_pcs[at].line) == 0) {
        at++;
    }
    return at;
}

/* The text of the source file; *ret_is_there tells whether it could be read. */
static OpprofStatus push_text(Blocks *blocks, const OpprofSourceLine *file, bool *ret_is_there)
{
    OpprofBatch *batch = OpprofStageNewBatch(blocks->stage, blocks->port);
    OpprofBlock block = { .block_type = BLOCK_CODE,
                          .version = VERSION_COMMON,
                          .file = { OPPROF_NA_U32, 0 } };
    OpprofStatus status = batch == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    if (status == OPPROF_OK) {
        status = OpprofBatchAppendText(batch, file->text, file->file_length, &block.path);
    }
    if (status == OPPROF_OK) {
        status = SourceFileRead(batch, block.path, &block.bytes);
    }
    *ret_is_there = status == OPPROF_OK;
    if (status == OPPROF_OK) {
        return push_block(blocks, batch, &block);
    }
    OpprofBatchUnref(batch);
    return status == OPPROF_E_IO ? OPPROF_OK : status;
}

static void warn_of_files(const Blocks *blocks, size_t count, const OpprofSourceLine *first)
{
    if (count > 0) {
        OpprofStageWarn(
            blocks->stage,
            "The viewer's data lacks %zu source files that cannot be read, such as '%.*s'", count,
            (int) first->file_length, first->text);
    }
}

static OpprofStatus push_files(Blocks *blocks)
{
    OpprofBatch *batch =
        blocks->line_pc_count == 0 ? NULL : OpprofStageNewBatch(blocks->stage, blocks->port);
    OpprofStatus status = OPPROF_OK;
    const OpprofSourceLine *missing = NULL;
    size_t missing_count = 0;
    size_t shown = 0;
    JsonOut out;

    if (blocks->line_pc_count == 0) {
        return OPPROF_OK;
    }
    if (batch == NULL) {
        return OPPROF_E_MEMORY;
    }
    out = JsonOutBegin(batch);
    put_core_names(blocks, &out);
    JsonOutRaw(&out, "\"Files\":[");
    for (size_t at = 0; status == OPPROF_OK && at < blocks->line_pc_count;) {
        const OpprofSourceLine *file = blocks->line_pcs[at].line;
        bool is_there;

        status = push_text(blocks, file, &is_there);
        if (is_there) {
            JsonOutRaw(&out, shown++ > 0 ? "," : "");
            at = put_file(blocks, &out, at);
        } else {
            missing = missing_count++ == 0 ? file : missing;
            at = next_file(blocks, at);
        }
    }
    JsonOutRaw(&out, "],\"Files Dtype\":{\"Lines\":{\"Address Range\":0,\"Cycles\":1,"
                     "\"GPR Count\":1,\"Instructions Executed\":1,\"Line\":1,"
                     "\"Process Bytes\":1}}}");
    if (status != OPPROF_OK || shown == 0) {
        warn_of_files(blocks, missing_count, missing);
        OpprofBatchUnref(batch);
        return status;
    }
    warn_of_files(blocks, missing_count, missing);
    return push_json(blocks, &out, BLOCK_FILES, VERSION_COMMON, "source lines");
}

/* ------------------------------------------------------------------ all */

OpprofStatus BlocksPush(OpprofStage *stage, uint32_t port, CoreStats **cores, uint32_t core_count)
{
    Blocks blocks = { .stage = stage, .cores = cores, .core_count = core_count, .port = port };
    OpprofStatus status = collect(&blocks) ? OPPROF_OK : OPPROF_E_MEMORY;

    if (status == OPPROF_OK) {
        status = push_files(&blocks);
    }
    if (status == OPPROF_OK) {
        status = push_instructions(&blocks);
    }
    free(blocks.pcs);
    free(blocks.line_pcs);
    return status;
}
