/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the dump files of a simulator's cores, for tests and benches. */
#include "tests/tools/dump.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PC UINT64_C(0x10f86000)
#define FIRST_TICK 1000u
#define MOST_IN_FLIGHT 64u
#define BUFFER_BYTES ((size_t) 1 << 20)
#define MOST_LINE 1024u
#define VALUE_DIGITS 8u

/* ---- random numbers ---- */

static uint32_t any_below(uint64_t *state, uint32_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t) ((*state >> 33) % limit);
}

/* ---- the program ---- */

typedef struct Kind {
    const char *pipe;
    const char *name;     /* A2 and 950 */
    const char *old_name; /* 310P */
    uint32_t weight;
    uint32_t latency;
    uint32_t jitter;
} Kind;

static const Kind kinds[] = {
    { "SCALAR", "ADD", "scalar_add", 30, 1, 2 },
    { "SCALAR", "MOV_XD_IMM", "scalar_mov_xd_imme16", 12, 1, 1 },
    { "SCALAR", "ST_XD_XN_IMM", "scalar_st_imm", 10, 2, 6 },
    { "SCALAR", "LD_XD_XN_IMM", "scalar_ld_imm", 10, 3, 40 },
    { "VEC", "VADD", "vadd", 14, 12, 8 },
    { "VEC", "VMUL", "vmul", 10, 14, 8 },
    { "MTE2", "MOV_OUT_TO_UB", "mov_out_to_ub", 4, 180, 120 },
    { "MTE3", "MOV_UB_TO_OUT", "mov_ub_to_out", 4, 120, 80 },
    { "FLOWCTRL", "JUMPC", "jump_cond", 6, 2, 2 },
};

/* An instruction's line after its tick, with a place for a value that changes from run to run. */
typedef struct Instruction {
    char text[MOST_LINE];
    uint32_t length;
    uint32_t id_at;    /* six digits of the id; 0: none */
    uint32_t value_at; /* eight digits of the value; 0: none */
    uint32_t latency;
    uint32_t jitter;
    bool waits; /* to be popped: 310P shows it twice */
} Instruction;

static const Kind *choose_kind(uint64_t *state)
{
    uint32_t weight = any_below(state, 100);

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (weight < kinds[i].weight) {
            return &kinds[i];
        }
        weight -= kinds[i].weight;
    }
    return &kinds[0];
}

static void append(Instruction *made, const char *text)
{
    const size_t length = strlen(text);

    memcpy(made->text + made->length, text, length);
    made->length += (uint32_t) length;
}

static void begin(Instruction *made, const DumpOptions *options, uint32_t number, const char *pipe,
                  const char *name)
{
    const bool is_old = options->series == DUMP_310P;
    char text[200];

    snprintf(text, sizeof text,
             is_old ? "](PC: 0x%" PRIx64 ") %s : (Binary: 0x%08x) "
                    : "] (PC: 0x%" PRIx64 ") %-8s : (Binary: 0x%08x) ",
             FIRST_PC + number * 4, pipe, 0x02106900u + number);
    append(made, text);
    if (options->series == DUMP_950) {
        append(made, "(ID: ");
        made->id_at = made->length;
        append(made, "000000000000) ");
    }
    append(made, name);
    append(made, is_old ? "(" : "  ");
}

/* Operands up to the wanted length of a line; the first one changes. */
static void fill_operands(Instruction *made, const DumpOptions *options, uint64_t *state)
{
    const char *end = options->series == DUMP_310P ? ")" : "";
    const uint32_t wanted = options->line_length > 16 ? options->line_length - 16 : 0;
    char text[64];

    snprintf(text, sizeof text, options->series == DUMP_310P ? "x[%u]= 0x" : "XD:X%u=0x",
             any_below(state, 32));
    append(made, text);
    made->value_at = made->length;
    append(made, "00000000");
    while (made->length + 12 < wanted) {
        snprintf(text, sizeof text,
                 options->series == DUMP_310P ? ", x[%u]= 0x%x" : ", XN:X%u=0x%x",
                 any_below(state, 32), any_below(state, 1u << 20));
        append(made, text);
    }
    append(made, end[0] == '\0' ? "," : end);
}

static void fill_simt(Instruction *made, uint64_t *state)
{
    char text[160];

    snprintf(text, sizeof text,
             "[warpId:%u],[bundleId:14],[schId:%u],[prdctMask:%08x],[execMask:ffffffff]",
             any_below(state, 64), any_below(state, 4), any_below(state, 1u << 30));
    append(made, text);
}

static void make_instruction(Instruction *made, const DumpOptions *options, uint32_t number,
                             uint64_t *state)
{
    const Kind *kind = choose_kind(state);
    const bool is_old = options->series == DUMP_310P;

    *made = (Instruction){ .latency = kind->latency, .jitter = kind->jitter };
    if (options->series == DUMP_950 && kind->pipe[0] == 'V') {
        begin(made, options, number, "RVECEX", "SIMT_IADD");
        fill_operands(made, options, state);
        fill_simt(made, state);
        return;
    }
    begin(made, options, number, kind->pipe, is_old ? kind->old_name : kind->name);
    fill_operands(made, options, state);
    made->waits = is_old && kind->pipe[0] == 'M';
}

/* Sets and waits take turns, so that every set finds its wait; unless they are not to, for then
 * they name different flags. */
static void make_flag(Instruction *made, const DumpOptions *options, uint32_t number, uint32_t flag)
{
    const bool is_old = options->series == DUMP_310P;
    const bool is_set = flag % 2 == 0;
    const uint32_t id = flag / 2 % 8 + (options->lone_flags && is_set ? 8 : 0);
    char text[200];

    *made = (Instruction){ .latency = is_set ? 2 : 30, .jitter = is_set ? 3 : 60 };
    if (is_old) {
        begin(made, options, number, is_set ? "MTE2" : "VEC", is_set ? "set_event" : "wait_event");
        snprintf(text, sizeof text, "pipe_type: MTE2, tigger_pipe: VECTOR, event_id: %u)", id);
    } else {
        begin(made, options, number, is_set ? "MTE2" : "VEC", is_set ? "SET_FLAG" : "WAIT_FLAG");
        snprintf(text, sizeof text, "PIPE:MTE2, TRIGGER PIPE:VEC, FLAG ID:%u,", id);
    }
    append(made, text);
}

/* Starts and stops take turns. Digit 1 is that of the mark around the whole program. */
static void make_mark(Instruction *made, const DumpOptions *options, uint32_t number, uint32_t mark)
{
    const bool is_old = options->series == DUMP_310P;
    char text[64];

    *made = (Instruction){ .latency = 1 };
    begin(made, options, number, "SCALAR", is_old ? "scalar_mov_special_xn" : "MOV_SPR_XN");
    snprintf(text, sizeof text, "SPR:LPCNT, XN:X6=0x%x%s",
             (mark % 2 == 0 ? 0x80000000u : 0xc0000000u) + 2 + mark / 2 % 8, is_old ? ")" : ",");
    append(made, text);
}

/* Whether the i-th of `all` is one of `some` that are spread evenly. */
static bool is_chosen(uint32_t i, uint32_t all, uint32_t some)
{
    return ((uint64_t) i + 1) * some / all > (uint64_t) i * some / all;
}

static Instruction *make_program(const DumpOptions *options)
{
    /* Whole pairs of starts and stops, for the program is a loop. */
    const uint32_t marks = (uint32_t) ((uint64_t) options->pcs * options->marks_percent / 200) * 2;
    Instruction *program = calloc(options->pcs, sizeof *program);
    uint64_t state = options->seed;
    uint32_t marked = 0;
    uint32_t flags = 0;

    for (uint32_t i = 0; program != NULL && i < options->pcs; i++) {
        if (is_chosen(i, options->pcs, marks)) {
            make_mark(&program[i], options, i, marked++);
        } else if (is_chosen(i - marked, 100, options->flags_percent)) {
            make_flag(&program[i], options, i, flags++);
        } else {
            make_instruction(&program[i], options, i, &state);
        }
    }
    return program;
}

/* ---- files ---- */

typedef struct Output {
    FILE *file;
    char *buffer;
    size_t used;
    bool failed;
} Output;

static bool open_output(Output *output, const char *directory, const char *core, const char *kind)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s.%s", directory, core, kind);
    *output = (Output){ .file = fopen(path, "w"), .buffer = malloc(BUFFER_BYTES + MOST_LINE * 2) };
    return output->file != NULL && output->buffer != NULL;
}

static void flush_output(Output *output)
{
    if (fwrite(output->buffer, 1, output->used, output->file) != output->used) {
        output->failed = true;
    }
    output->used = 0;
}

static bool close_output(Output *output)
{
    bool is_good = !output->failed;

    if (output->file != NULL) {
        flush_output(output);
        is_good = fclose(output->file) == 0 && !output->failed;
    }
    free(output->buffer);
    return is_good;
}

static void put_text(Output *output, const char *text)
{
    const size_t length = strlen(text);

    memcpy(output->buffer + output->used, text, length);
    output->used += length;
    if (output->used >= BUFFER_BYTES) {
        flush_output(output);
    }
}

static void put_digits(char *at, uint64_t value, unsigned count, unsigned base)
{
    for (unsigned i = count; i > 0; i--) {
        at[i - 1] = "0123456789abcdef"[value % base];
        value /= base;
    }
}

static void put_line(Output *output, const Instruction *instruction, uint64_t tick, uint64_t id,
                     uint32_t value, const char *tail)
{
    char *at = output->buffer + output->used;

    memcpy(at, "[info] [", 8);
    put_digits(at + 8, tick, tick < 100000000 ? 8 : 12, 10);
    at += tick < 100000000 ? 16 : 20;
    memcpy(at, instruction->text, instruction->length);
    if (instruction->value_at != 0) {
        put_digits(at + instruction->value_at, value, VALUE_DIGITS, 16);
    }
    if (instruction->id_at != 0) {
        put_digits(at + instruction->id_at, id, 12, 10);
    }
    output->used = (size_t) (at + instruction->length - output->buffer);
    put_text(output, tail);
}

/* ---- running the program ---- */

typedef struct InFlight {
    uint64_t end;
    uint64_t id;
    const Instruction *instruction;
    uint32_t value;
} InFlight;

typedef struct Core {
    Output popped;
    Output instr;
    InFlight heap[MOST_IN_FLIGHT]; /* the earliest end first */
    uint32_t count;
    uint64_t now;
    uint64_t state;
} Core;

static bool ends_before(const InFlight *a, const InFlight *b)
{
    return a->end != b->end ? a->end < b->end : a->id < b->id;
}

static void swap(InFlight *a, InFlight *b)
{
    const InFlight held = *a;

    *a = *b;
    *b = held;
}

static void push(Core *core, const InFlight *entry)
{
    uint32_t at = core->count++;

    core->heap[at] = *entry;
    while (at > 0 && ends_before(&core->heap[at], &core->heap[(at - 1) / 2])) {
        swap(&core->heap[at], &core->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
}

static void retire_one(Core *core)
{
    const InFlight first = core->heap[0];
    uint32_t at = 0;

    core->heap[0] = core->heap[--core->count];
    for (;;) {
        uint32_t least = at;

        for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < core->count; child++) {
            if (ends_before(&core->heap[child], &core->heap[least])) {
                least = child;
            }
        }
        if (least == at) {
            break;
        }
        swap(&core->heap[at], &core->heap[least]);
        at = least;
    }
    put_line(&core->instr, first.instruction, first.end, first.id, first.value, "\n");
}

static void issue(Core *core, const Instruction *instruction, uint64_t number)
{
    const InFlight entry = { .end = core->now + instruction->latency +
                                    any_below(&core->state, instruction->jitter + 1),
                             .id = number,
                             .instruction = instruction,
                             .value = (uint32_t) number };

    if (core->count == MOST_IN_FLIGHT) {
        core->now = core->heap[0].end > core->now ? core->heap[0].end : core->now;
    }
    while (core->count > 0 && core->heap[0].end <= core->now) {
        retire_one(core);
    }
    if (instruction->waits) {
        put_line(&core->popped, instruction, core->now, number, entry.value,
                 ", instr ID is: 1. poped from IQ \n");
        put_line(&core->popped, instruction, core->now, number, entry.value,
                 ", instr ID is: 1. pop success 2 \n");
    } else {
        put_line(&core->popped, instruction, core->now, number, entry.value, "\n");
    }
    push(core, &entry);
    core->now += any_below(&core->state, 3);
}

/* A line that is in both logs. */
static void put_fixed(Core *core, const char *text, uint32_t value, const char *tail)
{
    char line[360];

    snprintf(line, sizeof line, "[info] [%08" PRIu64 "] %s%x%s\n", core->now, text, value, tail);
    put_text(&core->popped, line);
    snprintf(line, sizeof line, "[info] [%08" PRIu64 "] %s%x%s\n", core->now + 1, text, value,
             tail);
    put_text(&core->instr, line);
    core->now += 2;
}

/* Which logical core this is, and the start of a user mark. */
static void put_prologue(Core *core, const DumpOptions *options, uint32_t block, uint32_t sub)
{
    if (options->series != DUMP_A2) {
        return;
    }
    put_fixed(core, "(PC: 0x10f85000) SCALAR   : (Binary: 0x02161880) MOV_XD_SPR  XD:X11=0x", block,
              ", SPR:BLOCKID,");
    put_fixed(core, "(PC: 0x10f85004) SCALAR   : (Binary: 0x02dc0880) MOV_XD_SPR  XD:X14=0x", sub,
              ", SPR:SUBBLOCKID,");
    put_fixed(core,
              "(PC: 0x10f85008) SCALAR   : (Binary: 0x02106900) MOV_SPR_XN  SPR:LPCNT, XN:X6=0x",
              0x80000001, ",");
}

static void put_epilogue(Core *core, const DumpOptions *options)
{
    while (core->count > 0) {
        core->now = core->heap[0].end > core->now ? core->heap[0].end : core->now;
        retire_one(core);
    }
    if (options->series == DUMP_A2) {
        put_fixed(
            core,
            "(PC: 0x10f8500c) SCALAR   : (Binary: 0x02103900) MOV_SPR_XN  SPR:LPCNT, XN:X3=0x",
            0xc0000001, ",");
    }
    if (options->series == DUMP_A2 && options->ends) {
        put_fixed(core, "(PC: 0x10f85010) FLOWCTRL : (Binary: 0x0780000", 0, ") END");
    }
}

static bool write_misses(const char *directory, const char *core, const DumpOptions *options)
{
    static const char *const names[] = { "ifu.icache_log.dump", "icache_log.dump",
                                         "icache_log.dump" };
    Output output;
    char line[200];

    if (!open_output(&output, directory, core, names[options->series])) {
        return close_output(&output) && false;
    }
    for (uint32_t i = 0; i < options->pcs / 8 + 1; i++) {
        snprintf(line, sizeof line,
                 options->series == DUMP_A2 ? "[info] %u: icache read address is 0x%" PRIx64
                                              ", size is 0x00000080, type:1, last:0, status is %s\n"
                                            : "[info] [%08u]: icache read address is 0x%" PRIx64
                                              ", size is 0x00000080, status is %s\n",
                 FIRST_TICK + i * 40, FIRST_PC + i * 32, i % 5 == 0 ? "HIT" : "MISS");
        put_text(&output, line);
    }
    return close_output(&output);
}

static bool write_core(const char *directory, const char *name, uint32_t block, uint32_t sub,
                       const DumpOptions *options, const Instruction *program)
{
    Core core = { .now = FIRST_TICK, .state = options->seed ^ (block * 2654435761u + sub) };
    bool is_good = open_output(&core.popped, directory, name, "instr_popped_log.dump");

    is_good = open_output(&core.instr, directory, name, "instr_log.dump") && is_good;
    if (is_good) {
        put_prologue(&core, options, block, sub);
        for (uint64_t i = 0; i < options->instructions; i++) {
            issue(&core, &program[i % options->pcs], i);
        }
        put_epilogue(&core, options);
    }
    is_good = close_output(&core.popped) && is_good;
    is_good = close_output(&core.instr) && is_good;
    return is_good && write_misses(directory, name, options);
}

bool DumpWrite(const char *directory, const DumpOptions *options)
{
    const uint32_t subs = options->series == DUMP_310P ? 1 : 2;
    Instruction *program = make_program(options);
    bool is_good = program != NULL;

    for (uint32_t i = 0; is_good && i < options->cores * subs; i++) {
        char name[64];

        if (subs == 1) {
            snprintf(name, sizeof name, "core%" PRIu32, i);
        } else {
            snprintf(name, sizeof name, "core%" PRIu32 ".veccore%" PRIu32, i / 2, i % 2);
        }
        is_good = write_core(directory, name, i / subs, i % subs, options, program);
    }
    free(program);
    return is_good;
}
