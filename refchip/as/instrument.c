/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts reports into a kernel: before moves from and to global memory, before what computes, where
 * SIMT code begins and ends, or at the beginning of basic blocks. Jumps are adjusted to where their
 * targets have moved; each function begins by finding its core's place in the record area. Tested
 * by tests/refchip/test_instrument.sh.
 */
#include "instrument.h"
#include "refchip/isa.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define UNIT_BYTES 256u /* counters of a core come in units of this */
#define UNITS_A_BLOCK 3u
#define CUBE_UNIT 2u

/* Work on one kernel. */
typedef struct Rewriter {
    const AsmCode *old;
    AsmCode *code;
    InstrumentWish wish;
    uint32_t *places;   /* where the old words have moved, with their reports */
    uint8_t *is_leader; /* a basic block begins */
    uint16_t *marks;    /* around a word; 0: none */
    uint32_t block_count;
    bool failed;
} Rewriter;

/* Bytes of counters of a core: what this many blocks need, in units. */
static uint64_t counter_bytes(uint32_t blocks)
{
    return ((uint64_t) blocks * 4 + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
}

static bool is_jump(uint32_t word)
{
    const uint32_t code = IsaCodeOf(word);

    return code == ISA_JUMP || code == ISA_JUMPNZ || code == ISA_JUMPZ || code == ISA_SIMT_CALL;
}

static bool is_move(uint32_t word)
{
    const uint32_t code = IsaCodeOf(word);

    return code == ISA_MOV_OUT_TO_UB || code == ISA_MOV_OUT_TO_L1 || code == ISA_MOV_UB_TO_OUT ||
           code == ISA_FIX_L0C_TO_DST || code == ISA_SIMT_LDG_B32 || code == ISA_SIMT_STG_B32;
}

static bool has_operands(uint32_t word)
{
    const uint32_t code = IsaCodeOf(word);

    return code == ISA_MMAD || (code >= ISA_IADD && code <= ISA_FFMA_F32);
}

/* The report before a word, besides blocks. REPORT_KINDS: none. */
static IsaReport report_of(const Rewriter *rewriter, uint32_t word)
{
    const InstrumentKind kind = rewriter->wish.kind;

    return kind == INSTRUMENT_MEMORY && is_move(word)          ? REPORT_MOVE
           : kind == INSTRUMENT_OPERANDS && has_operands(word) ? REPORT_OPERANDS
                                                               : REPORT_KINDS;
}

bool InstrumentKindOf(const char *name, InstrumentKind *ret_kind)
{
    static const char *const names[INSTRUMENT_KINDS] = { "blocks", "memory", "operands",
                                                         "warps",  "start",  "regions" };

    for (unsigned i = 0; i < INSTRUMENT_KINDS; i++) {
        if (strcmp(names[i], name) == 0) {
            *ret_kind = (InstrumentKind) i;
            return true;
        }
    }
    return false;
}

static size_t target_of(const AsmCode *code, size_t at)
{
    return (size_t) ((int64_t) at + IsaJump(code->words[at]));
}

static bool begins_function(const AsmCode *code, size_t at)
{
    return at == code->parts[0] || (code->kind == ISA_KIND_MIX && at == code->parts[1]);
}

static void find_leaders(Rewriter *rewriter)
{
    const AsmCode *old = rewriter->old;

    for (size_t i = 0; i < old->count; i++) {
        rewriter->is_leader[i] |= begins_function(old, i);
        if (!is_jump(old->words[i]) && IsaCodeOf(old->words[i]) != ISA_END &&
            IsaCodeOf(old->words[i]) != ISA_SIMT_END) {
            continue;
        }
        if (i + 1 < old->count) {
            rewriter->is_leader[i + 1] = 1;
        }
        if (is_jump(old->words[i]) && target_of(old, i) < old->count) {
            rewriter->is_leader[target_of(old, i)] = 1;
        }
    }
    for (size_t i = 0; i < old->count; i++) {
        rewriter->block_count += rewriter->is_leader[i];
    }
}

/* ---- marks ---- */

#define MARKS_OF_PIPE 1024u

/* A pipe's numbers in the order of its instructions: those that have bits 9 and 10. */
static uint16_t mark_number(uint32_t count)
{
    return (uint16_t) (count < 512 ? 0x600 + count : 0xe00 + count - 512);
}

/* SIMT code has no marks. */
static bool is_marked(const InstrumentWish *wish, uint32_t word)
{
    const IsaOp *op = IsaFind(IsaCodeOf(word));

    return op != NULL && op->pipe >= PIPE_VECTOR && op->pipe <= PIPE_FIX &&
           op->code <= ISA_SIMT_CALL && (wish->pipes == 0 || (wish->pipes >> op->pipe & 1) != 0);
}

static const char *region_pipe(uint32_t pipe)
{
    return pipe == PIPE_VECTOR ? "VECTOR" : IsaPipeName(pipe);
}

bool InstrumentPipesOf(const char *names, uint32_t *ret_pipes)
{
    for (*ret_pipes = 0; *names != '\0';) {
        const size_t length = strcspn(names, "|");
        uint32_t pipe = PIPE_VECTOR;

        while (pipe <= PIPE_FIX && (strlen(region_pipe(pipe)) != length ||
                                    strncasecmp(region_pipe(pipe), names, length) != 0)) {
            pipe++;
        }
        if (pipe > PIPE_FIX) {
            return false;
        }
        *ret_pipes |= 1u << pipe;
        names += length + (names[length] == '|');
    }
    return true;
}

static void give_marks(Rewriter *rewriter, const InstrumentNotes *notes)
{
    uint32_t counts[PIPE_COUNT] = { 0 };

    for (size_t i = 0; i < rewriter->old->count; i++) {
        const IsaOp *op = IsaFind(IsaCodeOf(rewriter->old->words[i]));

        if (!is_marked(&rewriter->wish, rewriter->old->words[i])) {
            continue;
        }
        if (counts[op->pipe] == MARKS_OF_PIPE) {
            if (notes->log != NULL) {
                fprintf(notes->log, "TUNE-ERROR: all dfx ids consumed [pipe=%s] at 0x%zx\n",
                        region_pipe(op->pipe), 4 * i);
            }
            continue;
        }
        rewriter->marks[i] = mark_number(counts[op->pipe]++);
        if (notes->map != NULL) {
            fprintf(notes->map, "region_id=%u,pipe=%s,pc=0x%zx,opcode=%s\n",
                    (unsigned) rewriter->marks[i], region_pipe(op->pipe), 4 * i, op->name);
        }
    }
}

/* ---- words ---- */

static void put(Rewriter *rewriter, uint32_t word)
{
    AsmCode *code = rewriter->code;

    if (code->count == code->room) {
        rewriter->failed = true; /* the room is enough for all that can be inserted */
        return;
    }
    code->lines[code->count] = 1;
    code->words[code->count++] = word;
}

static void put_op(Rewriter *rewriter, IsaCode code, uint32_t d, uint32_t n, uint32_t low)
{
    put(rewriter, (uint32_t) code << 24 | d << 19 | n << 14 | low);
}

static void put_number(Rewriter *rewriter, uint32_t d, uint64_t value)
{
    put(rewriter, (uint32_t) ISA_MOV_XD_IMM << 24 | d << 19 | (uint32_t) (value & 0xffff));
    for (uint32_t part = 1; part < 4; part++) {
        const uint32_t bits = (uint32_t) (value >> (16 * part) & 0xffff);

        if (bits != 0) {
            put(rewriter, (uint32_t) ISA_MOVK << 24 | d << 19 | part << 16 | bits);
        }
    }
}

enum { FIRST = 30, SECOND = 31, MOST_PREAMBLE = 24 };

static uint64_t slot_bytes(const Rewriter *rewriter)
{
    return rewriter->wish.slot_bytes != 0 ? rewriter->wish.slot_bytes
                                          : counter_bytes(rewriter->block_count);
}

/* A core's slot: three for each block, two of them for vector cores. */
static void put_slot(Rewriter *rewriter, bool is_cube)
{
    put_op(rewriter, ISA_MOV_XD_SPR, FIRST, SPR_BLOCKID, 0);
    put_op(rewriter, ISA_MUL_IMM, FIRST, FIRST, UNITS_A_BLOCK);
    if (is_cube) {
        put_op(rewriter, ISA_ADD_IMM, FIRST, FIRST, CUBE_UNIT);
    } else {
        put_op(rewriter, ISA_MOV_XD_SPR, SECOND, SPR_SUBBLOCKID, 0);
        put_op(rewriter, ISA_ADD, FIRST, FIRST, SECOND << 9);
    }
    put_number(rewriter, SECOND, slot_bytes(rewriter) + rewriter->wish.gap);
    put_op(rewriter, ISA_MUL, FIRST, FIRST, SECOND << 9);
}

/* The core's place in the area; of a stub all have the same. Registers are 0 when a kernel begins,
 * and so they are afterwards. */
static void put_preamble(Rewriter *rewriter, bool is_cube)
{
    if (rewriter->wish.kind == INSTRUMENT_START) {
        put_number(rewriter, FIRST, 0);
    } else {
        put_slot(rewriter, is_cube);
    }
    put_op(rewriter, ISA_MOV_XD_SPR, SECOND, SPR_PARA_BASE, 0);
    put_op(rewriter, ISA_LD_XD_XN_IMM, SECOND, SECOND, rewriter->wish.argument);
    put_op(rewriter, ISA_ADD, FIRST, FIRST, SECOND << 9);
    put_op(rewriter, ISA_MOV_SPR_XN, SPR_AREA, FIRST, 0);
    put_number(rewriter, SECOND, slot_bytes(rewriter));
    put_op(rewriter, ISA_MOV_SPR_XN, SPR_AREA_BYTES, SECOND, 0);
    put_number(rewriter, FIRST, 0);
    put_number(rewriter, SECOND, 0);
}

static void put_report(Rewriter *rewriter, IsaReport report, uint32_t number)
{
    put(rewriter, (uint32_t) ISA_REPORT << 24 | (uint32_t) report << 19 | number);
}

/* Where SIMT code begins and ends. */
static void put_warp_reports(Rewriter *rewriter, size_t at)
{
    const AsmCode *old = rewriter->old;

    for (size_t i = 0; i < old->count; i++) {
        if (IsaCodeOf(old->words[i]) == ISA_SIMT_CALL && target_of(old, i) == at) {
            put_report(rewriter, REPORT_WARP, 0);
            break;
        }
    }
    if (IsaCodeOf(old->words[at]) == ISA_SIMT_END) {
        put_report(rewriter, REPORT_WARP, 1);
    }
}

static bool is_vector_function(const AsmCode *old, size_t at)
{
    return old->kind == ISA_KIND_VECTOR || (old->kind == ISA_KIND_MIX && at == old->parts[1]);
}

/* Before all of the kernel as it was, so that everything in it has moved by the same number of
 * bytes. */
static void put_stubs(Rewriter *rewriter)
{
    const AsmCode *old = rewriter->old;
    const unsigned parts = old->kind == ISA_KIND_MIX ? 2 : 1;
    AsmCode *code = rewriter->code;
    size_t reports[2] = { 0 };

    for (unsigned part = 0; part < parts; part++) {
        code->parts[part] = code->count;
        put_preamble(rewriter, !is_vector_function(old, old->parts[part]));
        reports[part] = code->count;
        put_report(rewriter, REPORT_START, 0);
        put_op(rewriter, ISA_JUMP, 0, 0, 0);
    }
    if (code->count % 2 != 0) {
        put_number(rewriter, FIRST, 0); /* samples have no halves of 8 bytes */
    }
    for (unsigned part = 0; part < parts && !rewriter->failed; part++) {
        const size_t body = code->count + old->parts[part];

        code->words[reports[part]] |= (uint32_t) (4 * code->count);
        code->words[reports[part] + 1] |= (uint32_t) (body - reports[part] - 1) & 0x7ffffu;
    }
}

static void put_mark(Rewriter *rewriter, size_t at)
{
    if (rewriter->marks[at] != 0) {
        const uint32_t pipe = IsaFind(IsaCodeOf(rewriter->old->words[at]))->pipe;

        put(rewriter, (uint32_t) ISA_MARK << 24 | pipe << 19 | rewriter->marks[at]);
    }
}

static void put_word(Rewriter *rewriter, size_t at, uint32_t *block)
{
    const uint32_t word = rewriter->old->words[at];
    const IsaReport report = report_of(rewriter, word);

    if (rewriter->wish.kind == INSTRUMENT_BLOCKS && rewriter->is_leader[at]) {
        put_report(rewriter, REPORT_BLOCK, (*block)++);
    } else if (report != REPORT_KINDS) {
        put_report(rewriter, report, (uint32_t) at);
    } else if (rewriter->wish.kind == INSTRUMENT_WARPS) {
        put_warp_reports(rewriter, at);
    }
    put_mark(rewriter, at);
    put(rewriter, word);
    put_mark(rewriter, at);
}

static void copy_words(Rewriter *rewriter)
{
    const AsmCode *old = rewriter->old;
    uint32_t block = 0;

    if (rewriter->wish.kind == INSTRUMENT_START) {
        put_stubs(rewriter);
    }
    for (size_t i = 0; i < old->count; i++) {
        if (begins_function(old, i) && rewriter->wish.kind != INSTRUMENT_START) {
            const bool is_vector = is_vector_function(old, i);

            rewriter->code->parts[old->kind == ISA_KIND_MIX && is_vector] = rewriter->code->count;
            put_preamble(rewriter, !is_vector);
        }
        rewriter->places[i] = (uint32_t) rewriter->code->count;
        put_word(rewriter, i, &block);
    }
}

static void bend_jumps(Rewriter *rewriter)
{
    const AsmCode *old = rewriter->old;

    for (size_t i = 0; i < old->count; i++) {
        const size_t target = is_jump(old->words[i]) ? target_of(old, i) : old->count;
        /* Before a jump there may be the report of a block, and before a call of threads a mark. */
        const size_t at = rewriter->places[i] + (rewriter->marks[i] != 0) +
                          (rewriter->wish.kind == INSTRUMENT_BLOCKS && rewriter->is_leader[i]);

        if (target < old->count) {
            uint32_t *word = &rewriter->code->words[at];

            *word = (*word & ~0x7ffffu) |
                    ((uint32_t) ((int64_t) rewriter->places[target] - (int64_t) at) & 0x7ffffu);
        }
    }
}

/* ---- the map ---- */

static void print_function(FILE *map, const Rewriter *rewriter, const char *name, size_t from,
                           size_t to, uint32_t *block)
{
    fprintf(map, "function: %s\nstart addr: 0x%zx\n", name, 4 * from);
    for (size_t i = from; i < to;) {
        size_t next = i + 1;

        while (next < to && !rewriter->is_leader[next]) {
            next++;
        }
        fprintf(map, "BBB id:%u Offset: 0x%zx end: 0x%zx\n", (unsigned) (*block)++, 4 * (i - from),
                4 * (next - 1 - from));
        i = next;
    }
}

static void print_map(FILE *map, const Rewriter *rewriter)
{
    const AsmCode *old = rewriter->old;
    char name[sizeof old->kernel + sizeof ISA_CUBE_PART];
    uint32_t block = 0;

    fputs("InstrumentBlockCount\n", map);
    if (old->kind != ISA_KIND_MIX) {
        print_function(map, rewriter, old->kernel, 0, old->count, &block);
        return;
    }
    snprintf(name, sizeof name, "%s%s", old->kernel, ISA_CUBE_PART);
    print_function(map, rewriter, name, old->parts[0], old->parts[1], &block);
    snprintf(name, sizeof name, "%s%s", old->kernel, ISA_VECTOR_PART);
    print_function(map, rewriter, name, old->parts[1], old->count, &block);
}

bool Instrument(const AsmCode *code, const InstrumentWish *wish, AsmCode *ret_code,
                const InstrumentNotes *notes)
{
    const size_t room = 3 * code->count + 2 * (size_t) MOST_PREAMBLE;
    Rewriter rewriter = { .old = code, .code = ret_code, .wish = *wish };

    *ret_code = (AsmCode){ .kind = code->kind, .kernel_line = code->kernel_line, .room = room };
    memcpy(ret_code->kernel, code->kernel, sizeof ret_code->kernel);
    ret_code->words = calloc(room, sizeof *ret_code->words);
    ret_code->lines = calloc(room, sizeof *ret_code->lines);
    rewriter.places = calloc(code->count, sizeof *rewriter.places);
    rewriter.is_leader = calloc(code->count + 1, 1);
    rewriter.marks = calloc(code->count, sizeof *rewriter.marks);
    if (rewriter.marks == NULL || ret_code->words == NULL || ret_code->lines == NULL ||
        rewriter.places == NULL || rewriter.is_leader == NULL) {
        rewriter.failed = true;
    } else {
        find_leaders(&rewriter);
        if (wish->kind == INSTRUMENT_REGIONS) {
            give_marks(&rewriter, notes);
        }
        copy_words(&rewriter);
        bend_jumps(&rewriter);
        if (notes->map != NULL && wish->kind == INSTRUMENT_BLOCKS) {
            print_map(notes->map, &rewriter);
        }
    }
    free(rewriter.places);
    free(rewriter.is_leader);
    free(rewriter.marks);
    return !rewriter.failed;
}
