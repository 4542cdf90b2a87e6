/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the blocks of the viewer's source page: lines and instructions, a value for each core.
 * Tested by tests/plugins/viz-insight/test_source_blocks.
 */
#include "source_encode.h"
#include "instr_source.h"

#include <stdlib.h>
#include <string.h>

#define RANGE_GAP 4u /* an address at most this far after the last one joins its range */
#define RANGE_DIGITS 8u
#define ADDRESS_DIGITS 1u

/* A block being written. */
typedef struct Encoder {
    const SourceRows *rows;
    const SourceShape *shape;
    OpprofJsonOut *json;
    uint32_t *place;          /* of the cores of the shape, by rank; UINT32_MAX: not shown */
    const AddressRow **cells; /* of the current address on the cores of the shape, or NULL */
    struct LineCell *sums;    /* of the current line on the cores of the shape */
} Encoder;

/* Numbers of a line on a core. */
typedef struct LineCell {
    int64_t cycles;
    int64_t calls;
    int64_t gpr;
    uint64_t bytes;
    bool ran;
} LineCell;

static int64_t capped(uint64_t value)
{
    return value > INT32_MAX ? INT32_MAX : (int64_t) value;
}

static void finish(Encoder *encoder)
{
    free(encoder->place);
    free(encoder->cells);
    free(encoder->sums);
}

/* False without memory, which the text remembers. */
static bool begin(Encoder *encoder)
{
    const uint32_t all = encoder->rows->core_count;
    const uint32_t shown = encoder->shape->core_count;

    encoder->place = reallocarray(NULL, all + 1u, sizeof *encoder->place);
    encoder->cells = calloc(shown + 1u, sizeof *encoder->cells);
    encoder->sums = calloc(shown + 1u, sizeof *encoder->sums);
    if (encoder->place == NULL || encoder->cells == NULL || encoder->sums == NULL) {
        encoder->json->is_short = true;
        finish(encoder);
        return false;
    }
    for (uint32_t i = 0; i < all; i++) {
        encoder->place[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < shown; i++) {
        encoder->place[encoder->shape->core[i]] = i;
    }
    return true;
}

static void put_core_names(const Encoder *encoder)
{
    OpprofJsonPutRaw(encoder->json, "{\"Cores\":[");
    for (uint32_t i = 0; i < encoder->shape->core_count; i++) {
        const uint32_t core = encoder->rows->cores[encoder->shape->core[i]];
        size_t length;
        const char *name = OpprofStageStringLength(encoder->rows->stage, core, &length);

        OpprofJsonPutRaw(encoder->json, i > 0 ? "," : "");
        OpprofJsonPutString(encoder->json, name, length);
    }
    OpprofJsonPutRaw(encoder->json, "],");
}

static void put_interned(const Encoder *encoder, uint32_t id)
{
    size_t length;
    const char *text = OpprofStageStringLength(encoder->rows->stage, id, &length);

    OpprofJsonPutString(encoder->json, text, length);
}

/* Whether one value may stand for all cores. */
static bool is_same(const Encoder *encoder, int64_t (*value)(const Encoder *, uint32_t core))
{
    for (uint32_t i = 1; i < encoder->shape->core_count; i++) {
        if (value(encoder, i) != value(encoder, 0)) {
            return false;
        }
    }
    return encoder->shape->merges && encoder->shape->core_count > 0;
}

static void put_column(const Encoder *encoder, const char *key,
                       int64_t (*value)(const Encoder *, uint32_t core))
{
    OpprofJsonOut *json = encoder->json;

    OpprofJsonPutRaw(json, key);
    if (is_same(encoder, value)) {
        OpprofJsonPutI64(json, value(encoder, 0));
        return;
    }
    OpprofJsonPutRaw(json, "[");
    for (uint32_t i = 0; i < encoder->shape->core_count; i++) {
        OpprofJsonPutRaw(json, i > 0 ? "," : "");
        OpprofJsonPutI64(json, value(encoder, i));
    }
    OpprofJsonPutRaw(json, "]");
}

/* ---- instructions ---- */

/* A column with a value for each core. */
typedef struct PcColumn {
    const char *key; /* with the punctuation around it */
    int64_t (*value)(const Encoder *encoder, uint32_t core);
    bool is_head;     /* shown only if some address has cycles from fetch to start */
    bool is_optional; /* optional for the viewer */
} PcColumn;

static const OpprofHotAddress *facts_of(const Encoder *encoder, uint32_t core)
{
    return encoder->cells[core] == NULL ? NULL : &encoder->cells[core]->facts;
}

static int64_t pc_cycles(const Encoder *encoder, uint32_t core)
{
    const OpprofHotAddress *facts = facts_of(encoder, core);

    return facts == NULL ? 0 : capped(facts->cycles);
}

static int64_t pc_calls(const Encoder *encoder, uint32_t core)
{
    const OpprofHotAddress *facts = facts_of(encoder, core);

    return facts == NULL ? 0 : capped(facts->calls);
}

static int64_t gpr_of(const OpprofHotAddress *facts)
{
    if (facts->only_marks) {
        return -1;
    }
    return facts->gpr_count == OPPROF_NA_I32 ? 0 : facts->gpr_count;
}

static int64_t pc_gpr(const Encoder *encoder, uint32_t core)
{
    const OpprofHotAddress *facts = facts_of(encoder, core);

    return facts == NULL ? 0 : gpr_of(facts);
}

/* 0 and unknown look alike. */
static int64_t pc_bytes(const Encoder *encoder, uint32_t core)
{
    const OpprofHotAddress *facts = facts_of(encoder, core);

    return facts != NULL && facts->process_bytes > 0 ? facts->process_bytes : -1;
}

static int64_t pc_read_conflict(const Encoder *encoder, uint32_t core)
{
    const OpprofHotAddress *facts = facts_of(encoder, core);

    return facts == NULL || facts->read_conflict == OPPROF_NA_I32 ? -1 : facts->read_conflict;
}

static int64_t pc_write_conflict(const Encoder *encoder, uint32_t core)
{
    const OpprofHotAddress *facts = facts_of(encoder, core);

    return facts == NULL || facts->write_conflict == OPPROF_NA_I32 ? -1 : facts->write_conflict;
}

static int64_t pc_icache(const Encoder *encoder, uint32_t core)
{
    const OpprofHotAddress *facts = facts_of(encoder, core);

    return facts != NULL && facts->icache_cycles > 0 ? capped((uint64_t) facts->icache_cycles) : 0;
}

static int64_t pc_ccu(const Encoder *encoder, uint32_t core)
{
    const OpprofHotAddress *facts = facts_of(encoder, core);

    return facts != NULL && facts->ccu_cycles > 0 ? capped((uint64_t) facts->ccu_cycles) : 0;
}

static int64_t pc_scalar(const Encoder *encoder, uint32_t core)
{
    return capped((uint64_t) (pc_icache(encoder, core) + pc_ccu(encoder, core)));
}

static double pc_utilization(const Encoder *encoder, uint32_t core)
{
    const OpprofHotAddress *facts = facts_of(encoder, core);

    return facts == NULL || OpprofIsNaF64(facts->vector_utilization)
               ? -1.0
               : (double) (float) facts->vector_utilization;
}

/* In the order of the members, which is alphabetical; the texts come between them. */
static const PcColumn before_pipe[] = {
    { ",\"CcuCycles\":", pc_ccu, true, true },
    { ",\"Cycles\":", pc_cycles, false, false },
    { ",\"GPR Count\":", pc_gpr, false, true },
    { ",\"ICacheCycles\":", pc_icache, true, true },
    { ",\"Instructions Executed\":", pc_calls, false, false },
};
static const PcColumn before_source[] = {
    { ",\"Process Bytes\":", pc_bytes, false, true },
    { ",\"ScalarCycles\":", pc_scalar, true, true },
};
static const PcColumn after_source[] = {
    { ",\"UB Read Conflict\":", pc_read_conflict, false, true },
    { ",\"UB Write Conflict\":", pc_write_conflict, false, true },
};

static bool is_shown(const Encoder *encoder, const PcColumn *column)
{
    return (!column->is_head || encoder->rows->has_head_cycles) &&
           (!column->is_optional || !encoder->shape->is_brief);
}

static void put_columns(const Encoder *encoder, const PcColumn *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_shown(encoder, &columns[i])) {
            put_column(encoder, columns[i].key, columns[i].value);
        }
    }
}

static void put_utilization(const Encoder *encoder)
{
    OpprofJsonOut *json = encoder->json;
    const uint32_t count = encoder->shape->core_count;
    bool is_one = encoder->shape->merges && count > 0;

    for (uint32_t i = 1; i < count; i++) {
        is_one = is_one && !(pc_utilization(encoder, i) < pc_utilization(encoder, 0)) &&
                 !(pc_utilization(encoder, i) > pc_utilization(encoder, 0));
    }
    OpprofJsonPutRaw(json, is_one ? ",\"Vector Utilization Percentage\":"
                                  : ",\"Vector Utilization Percentage\":[");
    for (uint32_t i = 0; i < (is_one ? 1 : count); i++) {
        OpprofJsonPutRaw(json, i > 0 ? "," : "");
        OpprofJsonPutF64(json, pc_utilization(encoder, i));
    }
    OpprofJsonPutRaw(json, is_one ? "" : "]");
}

static void put_source(const Encoder *encoder, const AddressRow *row)
{
    size_t name_length;
    const char *name = OpprofStageStringLength(encoder->rows->stage, row->facts.name, &name_length);
    char *text = malloc(INSTR_SOURCE_ROOM(name_length, row->facts.detail.length));

    if (text == NULL) {
        encoder->json->is_short = true;
        return;
    }
    const char *end = InstrSourcePut(text, name, name_length, encoder->rows->texts + row->text,
                                     row->facts.detail.length);
    OpprofJsonPutRaw(encoder->json, ",\"Source\":");
    OpprofJsonPutString(encoder->json, text, (size_t) (end - text));
    free(text);
}

/* The row of one address; what all cores share comes from the first core. */
static void put_instruction(const Encoder *encoder, size_t first, size_t end)
{
    const AddressRow *row = &encoder->rows->addresses[first];
    OpprofJsonOut *json = encoder->json;

    memset(encoder->cells, 0, encoder->shape->core_count * sizeof *encoder->cells);
    for (size_t i = first; i < end; i++) {
        const uint32_t place = encoder->place[encoder->rows->addresses[i].rank];

        if (place != UINT32_MAX) {
            encoder->cells[place] = &encoder->rows->addresses[i];
        }
    }
    OpprofJsonPutRaw(json, "{\"Address\":");
    OpprofJsonPutHex(json, row->facts.pc, ADDRESS_DIGITS);
    OpprofJsonPutRaw(json, ",\"AscendC Inner Code\":");
    put_interned(encoder, row->facts.line);
    put_columns(encoder, before_pipe, OPPROF_COUNT(before_pipe));
    OpprofJsonPutRaw(json, ",\"Pipe\":");
    put_interned(encoder, row->facts.pipe);
    put_columns(encoder, before_source, OPPROF_COUNT(before_source));
    put_source(encoder, row);
    put_columns(encoder, after_source, OPPROF_COUNT(after_source));
    if (!encoder->shape->is_brief) {
        put_utilization(encoder);
    }
    OpprofJsonPutRaw(json, "}");
}

static void put_instruction_types(const Encoder *encoder)
{
    static const struct {
        const char *text;
        bool is_head;
        bool is_optional;
    } types[] = {
        { "\"Address\":3,\"AscendC Inner Code\":3", false, false },
        { ",\"CcuCycles\":1", true, true },
        { ",\"Cycles\":1", false, false },
        { ",\"GPR Count\":1", false, true },
        { ",\"ICacheCycles\":1", true, true },
        { ",\"Instructions Executed\":1,\"Pipe\":3", false, false },
        { ",\"Process Bytes\":1", false, true },
        { ",\"ScalarCycles\":1", true, true },
        { ",\"Source\":3", false, false },
        { ",\"UB Read Conflict\":1,\"UB Write Conflict\":1,\"Vector Utilization Percentage\":4",
          false, true },
    };

    OpprofJsonPutRaw(encoder->json, "],\"Instructions Dtype\":{\"Instructions\":{");
    for (size_t i = 0; i < OPPROF_COUNT(types); i++) {
        if ((!types[i].is_head || encoder->rows->has_head_cycles) &&
            (!types[i].is_optional || !encoder->shape->is_brief)) {
            OpprofJsonPutRaw(encoder->json, types[i].text);
        }
    }
    OpprofJsonPutRaw(encoder->json, "}}}");
}

void EncodeInstructions(const SourceRows *rows, const SourceShape *shape, OpprofJsonOut *json)
{
    Encoder encoder = { .rows = rows, .shape = shape, .json = json };

    if (!begin(&encoder)) {
        return;
    }
    put_core_names(&encoder);
    OpprofJsonPutRaw(json, "\"Instructions\":[");
    for (size_t i = 0, end; i < rows->address_count && !OpprofJsonOutHasEnded(json); i = end) {
        end = SourceRowsAddressEnd(rows, i);
        OpprofJsonPutRaw(json, i > 0 ? "," : "");
        put_instruction(&encoder, i, end);
    }
    put_instruction_types(&encoder);
    finish(&encoder);
}

/* ---- lines ---- */

static int64_t line_cycles(const Encoder *encoder, uint32_t core)
{
    return encoder->sums[core].cycles;
}

static int64_t line_calls(const Encoder *encoder, uint32_t core)
{
    return encoder->sums[core].calls;
}

static int64_t line_gpr(const Encoder *encoder, uint32_t core)
{
    return encoder->sums[core].gpr;
}

static int64_t line_bytes(const Encoder *encoder, uint32_t core)
{
    return encoder->sums[core].bytes == 0 ? -1 : (int64_t) encoder->sums[core].bytes;
}

void EncodeRanges(const SourceRows *rows, size_t first, size_t end, OpprofJsonOut *json)
{
    const LineRow *lines = rows->lines;

    OpprofJsonPutRaw(json, "\"Address Range\":[");
    for (size_t i = first; i < end;) {
        OpprofJsonPutRaw(json, i > first ? ",[" : "[");
        OpprofJsonPutHex(json, lines[i].facts.pc, RANGE_DIGITS);
        OpprofJsonPutRaw(json, ",");
        do {
            i++;
        } while (i < end && lines[i].facts.pc - lines[i - 1].facts.pc <= RANGE_GAP);
        OpprofJsonPutHex(json, lines[i - 1].facts.pc, RANGE_DIGITS);
        OpprofJsonPutRaw(json, "]");
    }
    OpprofJsonPutRaw(json, "]");
}

/* Adds what an address of the line did on its core. */
static void add_address(const Encoder *encoder, const LineRow *row)
{
    const uint32_t place = encoder->place[row->rank];
    const AddressRow *address = SourceRowsFind(encoder->rows, row->facts.pc, row->rank);

    if (place == UINT32_MAX) {
        return;
    }
    LineCell *cell = &encoder->sums[place];
    cell->cycles = capped(row->facts.cycles);
    cell->calls = capped(row->facts.calls);
    if (!cell->ran) {
        cell->gpr = -1;
        cell->ran = true;
    }
    if (address != NULL && gpr_of(&address->facts) > cell->gpr) {
        cell->gpr = gpr_of(&address->facts);
    }
    if (address != NULL && address->facts.process_bytes > 0) {
        cell->bytes += (uint64_t) address->facts.process_bytes;
    }
}

static void put_line(const Encoder *encoder, size_t first, size_t end)
{
    const bool is_brief = encoder->shape->is_brief;

    memset(encoder->sums, 0, encoder->shape->core_count * sizeof *encoder->sums);
    for (size_t i = first; i < end; i++) {
        add_address(encoder, &encoder->rows->lines[i]);
    }
    OpprofJsonPutRaw(encoder->json, "{");
    EncodeRanges(encoder->rows, first, end, encoder->json);
    put_column(encoder, ",\"Cycles\":", line_cycles);
    if (!is_brief) {
        put_column(encoder, ",\"GPR Count\":", line_gpr);
    }
    put_column(encoder, ",\"Instructions Executed\":", line_calls);
    OpprofJsonPutRaw(encoder->json, ",\"Line\":");
    OpprofJsonPutU64(encoder->json, encoder->rows->lines[first].facts.line);
    if (!is_brief) {
        put_column(encoder, ",\"Process Bytes\":", line_bytes);
    }
    OpprofJsonPutRaw(encoder->json, "}");
}

static void put_file(const Encoder *encoder, const SourceFileRows *file)
{
    OpprofJsonOut *json = encoder->json;

    OpprofJsonPutRaw(json, "{\"Lines\":[");
    for (size_t i = file->first, end; i < file->end && !OpprofJsonOutHasEnded(json); i = end) {
        end = SourceRowsLineEnd(encoder->rows, i);
        OpprofJsonPutRaw(json, i > file->first ? "," : "");
        put_line(encoder, i, end);
    }
    OpprofJsonPutRaw(json, "],\"Source\":");
    put_interned(encoder, encoder->rows->lines[file->first].facts.file);
    OpprofJsonPutRaw(json, "}");
}

void EncodeLines(const SourceRows *rows, const SourceShape *shape, const SourceFileRows *files,
                 size_t file_count, OpprofJsonOut *json)
{
    Encoder encoder = { .rows = rows, .shape = shape, .json = json };

    if (!begin(&encoder)) {
        return;
    }
    put_core_names(&encoder);
    OpprofJsonPutRaw(json, "\"Files\":[");
    for (size_t i = 0; i < file_count; i++) {
        OpprofJsonPutRaw(json, i > 0 ? "," : "");
        put_file(&encoder, &files[i]);
    }
    OpprofJsonPutRaw(json, "],\"Files Dtype\":{\"Lines\":{\"Address Range\":0,\"Cycles\":1,");
    OpprofJsonPutRaw(json, shape->is_brief ? "" : "\"GPR Count\":1,");
    OpprofJsonPutRaw(json, "\"Instructions Executed\":1,\"Line\":1");
    OpprofJsonPutRaw(json, shape->is_brief ? "" : ",\"Process Bytes\":1");
    OpprofJsonPutRaw(json, "}}}");
    finish(&encoder);
}
