/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the blocks of the viewer's source page for launches on a device: executions, bytes, hits
 * and stall reasons of all cores together. Tested by tests/plugins/viz-insight/test_source_blocks.
 */
#include "board_encode.h"
#include "instr_source.h"

#include <stdlib.h>
#include <string.h>

/* The source of one row of cells: an instruction, or the instructions of a line. */
typedef struct Sums {
    uint64_t calls; /* absent: unknown */
    uint64_t bytes; /* absent: none */
    uint64_t hits;
    uint64_t misses;
    int32_t gpr;       /* absent: unknown */
    uint64_t *reasons; /* samples by reason, as rows->reasons lists them */
    uint64_t samples;
    uint64_t waits;
} Sums;

static uint64_t capped(uint64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value;
}

static void add(uint64_t *sum, uint64_t value)
{
    *sum = *sum == OPPROF_NA_U64 ? value : *sum + value;
}

static Sums no_sums(uint64_t *reasons, uint32_t count)
{
    memset(reasons, 0, count * sizeof *reasons);
    return (Sums){ .calls = OPPROF_NA_U64,
                   .bytes = OPPROF_NA_U64,
                   .hits = OPPROF_NA_U64,
                   .misses = OPPROF_NA_U64,
                   .gpr = OPPROF_NA_I32,
                   .reasons = reasons };
}

static void add_samples(const SourceRows *rows, uint64_t pc, Sums *sums)
{
    for (size_t i = SourceRowsSamples(rows, pc);
         i < rows->sample_count && rows->samples[i].pc == pc; i++) {
        const OpprofHotSample *sample = &rows->samples[i];

        sums->samples += sample->samples;
        sums->waits += sample->is_issued != 0 ? 0 : sample->samples;
        sums->reasons[SourceRowsReason(rows, sample->reason)] += sample->samples;
    }
}

/* Adds all but the executions. */
static void add_address(const SourceRows *rows, const OpprofHotAddress *facts, Sums *sums)
{
    if (facts->process_bytes != OPPROF_NA_I64) {
        add(&sums->bytes, (uint64_t) facts->process_bytes);
    }
    if (facts->l2_hits != OPPROF_NA_U64 && facts->l2_misses != OPPROF_NA_U64) {
        add(&sums->hits, facts->l2_hits);
        add(&sums->misses, facts->l2_misses);
    }
    if (facts->gpr_count != OPPROF_NA_I32 &&
        (sums->gpr == OPPROF_NA_I32 || facts->gpr_count > sums->gpr)) {
        sums->gpr = facts->gpr_count;
    }
    add_samples(rows, facts->pc, sums);
}

/* ---- cells ---- */

static void put_interned(const SourceRows *rows, OpprofJsonOut *json, uint32_t id)
{
    size_t length;
    const char *text = OpprofStageStringLength(rows->stage, id, &length);

    OpprofJsonPutString(json, text, length);
}

static void put_cell(OpprofJsonOut *json, const char *key, uint64_t value)
{
    if (value != OPPROF_NA_U64) {
        OpprofJsonPutRaw(json, key);
        OpprofJsonPutU64(json, capped(value));
    }
}

/* Bytes have 64 bits in the viewer. */
static void put_bytes(OpprofJsonOut *json, uint64_t bytes)
{
    if (bytes != OPPROF_NA_U64) {
        OpprofJsonPutRaw(json, ",\"Process Bytes\":");
        OpprofJsonPutU64(json, bytes);
    }
}

/* The viewer wants executions core by core. */
static void put_calls(OpprofJsonOut *json, uint64_t calls)
{
    if (calls != OPPROF_NA_U64) {
        OpprofJsonPutRaw(json, ",\"Instructions Executed\":[");
        OpprofJsonPutU64(json, capped(calls));
        OpprofJsonPutRaw(json, "]");
    }
}

static void put_hit_rate(OpprofJsonOut *json, const Sums *sums)
{
    if (sums->hits != OPPROF_NA_U64 && sums->hits + sums->misses > 0) {
        OpprofJsonPutRaw(json, ",\"L2Cache Hit Rate\":");
        OpprofJsonPutF64(json, 100.0 * (double) sums->hits /
                                   ((double) sums->hits + (double) sums->misses));
    }
}

static void put_stall(const SourceRows *rows, OpprofJsonOut *json, const Sums *sums, bool all)
{
    const uint64_t samples = all ? sums->samples : sums->waits;
    const uint64_t of_launch = all ? rows->all_samples : rows->all_waits;
    bool is_first = true;

    OpprofJsonPutRaw(json, all ? ",\"Stall Sampling(All Samples)\":{\"Details\":{"
                               : ",\"Stall Sampling(Not Issue)\":{\"Details\":{");
    for (uint32_t i = 0; i < rows->reason_count; i++) {
        if (sums->reasons[i] > 0 && (all || !rows->reasons[i].is_issued)) {
            OpprofJsonPutRaw(json, is_first ? "" : ",");
            put_interned(rows, json, rows->reasons[i].name);
            OpprofJsonPutRaw(json, ":");
            OpprofJsonPutU64(json, capped(sums->reasons[i]));
            is_first = false;
        }
    }
    OpprofJsonPutRaw(json, "},\"Percent\":");
    OpprofJsonPutF64(json, of_launch == 0 ? 0.0 : (double) samples / (double) of_launch);
    OpprofJsonPutRaw(json, "}");
}

static void put_stalls(const SourceRows *rows, OpprofJsonOut *json, const Sums *sums)
{
    if (sums->samples > 0) {
        put_stall(rows, json, sums, true);
        put_stall(rows, json, sums, false);
    }
}

/* ---- instructions ---- */

static void put_registers(const SourceRows *rows, OpprofJsonOut *json, uint64_t pc)
{
    bool is_first = true;

    for (size_t i = SourceRowsRegisters(rows, pc);
         i < rows->register_count && rows->registers[i].pc == pc; i++) {
        const OpprofHotRegister *one = &rows->registers[i];

        OpprofJsonPutRaw(json, is_first ? ",\"GPR Status\":[" : ",");
        OpprofJsonPutRaw(json, "{\"regIndex\":");
        put_interned(rows, json, one->name);
        OpprofJsonPutRaw(json, ",\"regStatus\":");
        OpprofJsonPutU64(json, one->status);
        OpprofJsonPutRaw(json, ",\"survivalTime\":");
        OpprofJsonPutU64(json, one->survival);
        OpprofJsonPutRaw(json, "}");
        is_first = false;
    }
    OpprofJsonPutRaw(json, is_first ? "" : "]");
}

static void put_source(const SourceRows *rows, OpprofJsonOut *json, const AddressRow *row)
{
    size_t length;
    const char *name = OpprofStageStringLength(rows->stage, row->facts.name, &length);
    char *text = malloc(INSTR_SOURCE_ROOM(length, row->facts.detail.length));

    if (text == NULL) {
        json->is_short = true;
        return;
    }
    const char *end =
        InstrSourcePut(text, name, length, rows->texts + row->text, row->facts.detail.length);
    OpprofJsonPutRaw(json, ",\"Source\":");
    OpprofJsonPutString(json, text, (size_t) (end - text));
    free(text);
}

static void put_instruction(const SourceRows *rows, bool is_brief, const AddressRow *row,
                            uint64_t *reasons, OpprofJsonOut *json)
{
    Sums sums = no_sums(reasons, rows->reason_count);

    add_address(rows, &row->facts, &sums);
    OpprofJsonPutRaw(json, "{\"Address\":");
    OpprofJsonPutHex(json, row->facts.pc, 1);
    OpprofJsonPutRaw(json, ",\"AscendC Inner Code\":");
    put_interned(rows, json, row->facts.line);
    if (!is_brief) {
        put_cell(json, ",\"GPR Count\":",
                 sums.gpr == OPPROF_NA_I32 ? OPPROF_NA_U64 : (uint64_t) sums.gpr);
        put_registers(rows, json, row->facts.pc);
    }
    put_calls(json, row->facts.calls);
    if (!is_brief) {
        put_hit_rate(json, &sums);
    }
    OpprofJsonPutRaw(json, ",\"Pipe\":");
    put_interned(rows, json, row->facts.pipe);
    if (!is_brief) {
        put_bytes(json, sums.bytes);
    }
    put_source(rows, json, row);
    if (!is_brief) {
        put_stalls(rows, json, &sums);
    }
    OpprofJsonPutRaw(json, "}");
}

static void put_cores(const SourceRows *rows, OpprofJsonOut *json)
{
    OpprofJsonPutRaw(json, "{\"Cores\":[");
    put_interned(rows, json, rows->cores[0]);
    OpprofJsonPutRaw(json, "],");
}

/* The optional columns that at least one row has. */
static void put_column_types(const SourceRows *rows, bool is_brief, OpprofJsonOut *json)
{
    if (is_brief) {
        return;
    }
    OpprofJsonPutRaw(json, rows->has_gpr ? ",\"GPR Count\":1" : "");
    OpprofJsonPutRaw(json, rows->has_l2 ? ",\"L2Cache Hit Rate\":4" : "");
    OpprofJsonPutRaw(json, rows->has_bytes ? ",\"Process Bytes\":1" : "");
    OpprofJsonPutRaw(json, rows->sample_count > 0 ? ",\"Stall Sampling(All Samples)\":100,"
                                                    "\"Stall Sampling(Not Issue)\":100"
                                                  : "");
}

/* Room for samples by reason; NULL without memory, which the text remembers. */
static uint64_t *begin(const SourceRows *rows, OpprofJsonOut *json)
{
    uint64_t *reasons = calloc(rows->reason_count + 1u, sizeof *reasons);

    if (reasons == NULL) {
        json->is_short = true;
    }
    return reasons;
}

void EncodeBoardInstructions(const SourceRows *rows, const SourceShape *shape, OpprofJsonOut *json)
{
    uint64_t *reasons = begin(rows, json);

    if (reasons == NULL) {
        return;
    }
    put_cores(rows, json);
    OpprofJsonPutRaw(json, "\"Instructions\":[");
    for (size_t i = 0; i < rows->address_count && !OpprofJsonOutHasEnded(json);
         i = SourceRowsAddressEnd(rows, i)) {
        OpprofJsonPutRaw(json, i > 0 ? "," : "");
        put_instruction(rows, shape->is_brief, &rows->addresses[i], reasons, json);
    }
    OpprofJsonPutRaw(json, "],\"Instructions Dtype\":{\"Instructions\":{\"Address\":3,"
                           "\"AscendC Inner Code\":3,\"Instructions Executed\":1,\"Pipe\":3,"
                           "\"Source\":3");
    put_column_types(rows, shape->is_brief, json);
    OpprofJsonPutRaw(json, rows->register_count > 0 && !shape->is_brief ? ",\"GPR Status\":5" : "");
    OpprofJsonPutRaw(json, "}}}");
    free(reasons);
}

/* ---- lines ---- */

static void put_line(const SourceRows *rows, bool is_brief, size_t first, size_t end,
                     uint64_t *reasons, OpprofJsonOut *json)
{
    Sums sums = no_sums(reasons, rows->reason_count);

    for (size_t i = first; i < end; i++) {
        const AddressRow *address =
            SourceRowsFind(rows, rows->lines[i].facts.pc, rows->lines[i].rank);
        if (address != NULL) {
            add_address(rows, &address->facts, &sums);
        }
    }
    OpprofJsonPutRaw(json, "{");
    EncodeRanges(rows, first, end, json);
    if (!is_brief) {
        put_cell(json, ",\"GPR Count\":",
                 sums.gpr == OPPROF_NA_I32 ? OPPROF_NA_U64 : (uint64_t) sums.gpr);
    }
    put_calls(json, rows->lines[first].facts.calls);
    if (!is_brief) {
        put_hit_rate(json, &sums);
    }
    OpprofJsonPutRaw(json, ",\"Line\":");
    OpprofJsonPutU64(json, rows->lines[first].facts.line);
    if (!is_brief) {
        put_bytes(json, sums.bytes);
        put_stalls(rows, json, &sums);
    }
    OpprofJsonPutRaw(json, "}");
}

void EncodeBoardLines(const SourceRows *rows, const SourceShape *shape, const SourceFileRows *files,
                      size_t file_count, OpprofJsonOut *json)
{
    uint64_t *reasons = begin(rows, json);

    if (reasons == NULL) {
        return;
    }
    put_cores(rows, json);
    OpprofJsonPutRaw(json, "\"Files\":[");
    for (size_t f = 0; f < file_count; f++) {
        OpprofJsonPutRaw(json, f > 0 ? ",{\"Lines\":[" : "{\"Lines\":[");
        for (size_t i = files[f].first, end; i < files[f].end && !OpprofJsonOutHasEnded(json);
             i = end) {
            end = SourceRowsLineEnd(rows, i);
            OpprofJsonPutRaw(json, i > files[f].first ? "," : "");
            put_line(rows, shape->is_brief, i, end, reasons, json);
        }
        OpprofJsonPutRaw(json, "],\"Source\":");
        put_interned(rows, json, rows->lines[files[f].first].facts.file);
        OpprofJsonPutRaw(json, "}");
    }
    OpprofJsonPutRaw(json, "],\"Files Dtype\":{\"Lines\":{\"Address Range\":0,"
                           "\"Instructions Executed\":1,\"Line\":1");
    put_column_types(rows, shape->is_brief, json);
    OpprofJsonPutRaw(json, "}}}");
    free(reasons);
}

/* ---- stall reasons ---- */

void EncodeStallReasons(const SourceRows *rows, OpprofJsonOut *json)
{
    bool is_first = true;

    if (rows->all_waits == 0) {
        return;
    }
    OpprofJsonPutRaw(json, "{\"top_stall_reason_table\":{");
    for (uint32_t i = 0; i < rows->reason_count; i++) {
        if (!rows->reasons[i].is_issued) {
            OpprofJsonPutRaw(json, is_first ? "" : ",");
            put_interned(rows, json, rows->reasons[i].name);
            OpprofJsonPutRaw(json, ":");
            OpprofJsonPutU64(json, rows->reasons[i].samples);
            is_first = false;
        }
    }
    OpprofJsonPutRaw(json, "}}");
}
