/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Effects of instructions on registers, buffers and memory, and the cycles of their work.
 * Tested by tests/refchip/test_operators.sh.
 */
#include "core.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MISS_CYCLES 180u /* until memory answers */
#define HIT_CYCLES 70u   /* until the L2 cache answers */
#define BLOCK 32u        /* bytes of a block of a vector instruction and of a burst's unit */
#define REPEAT_BLOCKS 8u
#define BANK_GROUPS 16u
#define CUBE_FLOATS (16u * 16u * 8u) /* products in a cycle */

bool CoreFault(Core *core, const char *format, ...)
{
    va_list list;
    int length;

    length = snprintf(core->fault, 160, "core%u, pc 0x%llx: ", (unsigned) core->core_id,
                      (unsigned long long) (core->launch->load_pc + 4 * (uint64_t) core->pc));
    va_start(list, format);
    vsnprintf(core->fault + length, (size_t) (160 - length), format, list);
    va_end(list);
    return false;
}

static uint64_t bits(uint64_t value, unsigned from, unsigned count)
{
    return value >> from & ((UINT64_C(1) << count) - 1);
}

static uint64_t ceil_div(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit;
}

/* A latency that differs a little from request to request, by the seed. */
static uint64_t jitter(Core *core)
{
    if (core->config->seed == 0) {
        return 0;
    }
    core->random = core->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return core->random >> 61;
}

bool CoreTouch(Core *core, uint64_t address, uint64_t size, bool is_store, Effect *effect)
{
    const RefchipLaunch *launch = core->launch;
    uint64_t missed;

    if (!launch->is_valid(launch->context, address, size)) {
        return CoreFault(core, "no memory at 0x%llx, %llu bytes", (unsigned long long) address,
                         (unsigned long long) size);
    }
    missed = L2Touch(&core->l2, address, size, is_store);
    effect->latency = (missed > 0 ? MISS_CYCLES : HIT_CYCLES) + jitter(core);
    effect->cycles += missed / core->config->bytes_in; /* misses come at half the speed */
    return true;
}

void CoreNote(const Core *core, uint32_t pc, const L2View *before, uint64_t bytes)
{
    InstructionCounts *counts = core->instructions == NULL ? NULL : &core->instructions[pc];

    if (counts != NULL) {
        counts->executed++;
        counts->gm_bytes += bytes;
        counts->hits += core->l2.hits - before->hits;
        counts->misses += core->l2.misses - before->misses;
    }
}

/* ---- scalar ---- */

static bool load_scalar(Core *core, uint64_t address, uint32_t d, Effect *effect)
{
    if (!CoreTouch(core, address, 8, false, effect)) {
        return false;
    }
    memcpy(&core->x[d], (const void *) (uintptr_t) address, 8);
    effect->cycles += effect->latency;
    return true;
}

static bool store_scalar(Core *core, uint64_t address, uint32_t d, Effect *effect)
{
    if (!CoreTouch(core, address, 8, true, effect)) {
        return false;
    }
    memcpy((void *) (uintptr_t) address, &core->x[d], 8);
    effect->cycles += 2;
    return true;
}

static uint64_t compute(uint32_t code, uint64_t n, uint64_t m)
{
    switch (code) {
    case ISA_ADD:
    case ISA_ADD_IMM:
        return n + m;
    case ISA_SUB:
    case ISA_SUB_IMM:
        return n - m;
    case ISA_MUL:
    case ISA_MUL_IMM:
        return n * m;
    case ISA_AND:
        return n & m;
    case ISA_OR:
        return n | m;
    case ISA_XOR:
        return n ^ m;
    case ISA_SHL:
        return m < 64 ? n << m : 0;
    case ISA_SHR:
        return m < 64 ? n >> m : 0;
    case ISA_MIN:
        return (int64_t) n < (int64_t) m ? n : m;
    default:
        return (int64_t) n > (int64_t) m ? n : m;
    }
}

static bool operate_scalar(Core *core, uint32_t word, Effect *effect)
{
    const uint32_t code = IsaCodeOf(word);
    const uint32_t d = IsaD(word);
    const uint64_t n = core->x[IsaN(word)];
    const uint64_t immediate = word & 0x3fffu;

    effect->cycles = 1;
    switch (code) {
    case ISA_MOV_XD_IMM:
        core->x[d] = word & 0xffffu;
        return true;
    case ISA_MOVK: {
        const unsigned shift = 16 * (word >> 16 & 3u);

        core->x[d] = (core->x[d] & ~(UINT64_C(0xffff) << shift)) | (uint64_t) (word & 0xffffu)
                                                                       << shift;
        return true;
    }
    case ISA_MOV_XD_XN:
        core->x[d] = n;
        return true;
    case ISA_MOV_XD_SPR:
        core->x[d] = IsaN(word) < SPR_COUNT ? core->spr[IsaN(word)] : 0;
        return true;
    case ISA_MOV_SPR_XN:
        if (d < SPR_COUNT) {
            core->spr[d] = n;
        }
        return true;
    case ISA_LD_XD_XN_IMM:
        return load_scalar(core, n + immediate, d, effect);
    case ISA_ST_XD_XN_IMM:
        return store_scalar(core, n + immediate, d, effect);
    case ISA_ADD_IMM:
    case ISA_SUB_IMM:
    case ISA_MUL_IMM:
        core->x[d] = compute(code, n, immediate);
        return true;
    default:
        core->x[d] = compute(code, n, core->x[IsaM(word)]);
        return true;
    }
}

/* ---- moves ---- */

typedef struct Buffer {
    uint8_t *data;
    uint64_t size;
} Buffer;

static bool check_range(Core *core, const Buffer *buffer, uint64_t at, uint64_t size)
{
    return (at <= buffer->size && size <= buffer->size - at) ||
           CoreFault(core, "0x%llx and %llu bytes are outside a buffer of %llu bytes",
                     (unsigned long long) at, (unsigned long long) size,
                     (unsigned long long) buffer->size);
}

/* Bursts between a buffer and global memory. XM: bits 4..15 bursts, 16..31 units of 32 bytes of
 * each, 32..47 units between bursts at the source, 48..63 at the destination. */
static bool move_bursts(Core *core, uint32_t word, const Buffer *buffer, bool is_store,
                        Effect *effect)
{
    const uint64_t shape = core->x[IsaM(word)];
    const uint64_t bursts = bits(shape, 4, 12);
    const uint64_t size = bits(shape, 16, 16) * BLOCK;
    const uint64_t source_step = size + bits(shape, 32, 16) * BLOCK;
    const uint64_t target_step = size + bits(shape, 48, 16) * BLOCK;
    const uint64_t local_step = is_store ? source_step : target_step;
    const uint64_t global_step = is_store ? target_step : source_step;
    uint64_t local = core->x[is_store ? IsaN(word) : IsaD(word)];
    uint64_t global = core->x[is_store ? IsaD(word) : IsaN(word)];
    uint64_t latency = 0;

    effect->gm_address = global;
    effect->gm_size = bursts * size;
    effect->is_store = is_store;
    for (uint64_t i = 0; i < bursts; i++, local += local_step, global += global_step) {
        if (!check_range(core, buffer, local, size) ||
            !CoreTouch(core, global, size, is_store, effect)) {
            return false;
        }
        latency = effect->latency > latency ? effect->latency : latency;
        if (is_store) {
            memcpy((void *) (uintptr_t) global, buffer->data + local, size);
        } else {
            memcpy(buffer->data + local, (const void *) (uintptr_t) global, size);
        }
    }
    core->counts[is_store                   ? COUNT_ub_store_bytes
                 : buffer->data == core->ub ? COUNT_ub_load_bytes
                                            : COUNT_l1_write_bytes] += bursts * size;
    effect->latency = is_store ? latency / 2 : latency;
    effect->cycles += effect->latency + ceil_div(bursts * size, is_store ? core->config->bytes_out
                                                                         : core->config->bytes_in);
    return true;
}

/* Bursts between buffers; XM as above. */
static bool move_inside(Core *core, uint32_t word, const Buffer *target, Effect *effect)
{
    const Buffer l1 = { core->l1, CORE_L1 };
    const uint64_t shape = core->x[IsaM(word)];
    const uint64_t bursts = bits(shape, 4, 12);
    const uint64_t size = bits(shape, 16, 16) * BLOCK;
    uint64_t from = core->x[IsaN(word)];
    uint64_t to = core->x[IsaD(word)];

    for (uint64_t i = 0; i < bursts; i++) {
        if (!check_range(core, &l1, from, size) || !check_range(core, target, to, size)) {
            return false;
        }
        memcpy(target->data + to, l1.data + from, size);
        from += size + bits(shape, 32, 16) * BLOCK;
        to += size + bits(shape, 48, 16) * BLOCK;
    }
    core->counts[COUNT_l1_read_bytes] += bursts * size;
    core->counts[target->data == core->l0a ? COUNT_l0a_write_bytes : COUNT_l0b_write_bytes] +=
        bursts * size;
    effect->cycles = 16 + ceil_div(bursts * size, 256);
    return true;
}

/* L0C to memory, row by row. XM: bits 4..15 columns, 16..31 rows, 32..63 bytes from row to row in
 * memory. XT: bit 43, rows stay rows; it must be set. */
static bool store_product(Core *core, uint32_t word, Effect *effect)
{
    const Buffer l0c = { core->l0c, CORE_L0C };
    const uint64_t shape = core->x[IsaM(word)];
    const uint64_t row = bits(shape, 4, 12) * 4;
    const uint64_t rows = bits(shape, 16, 16);
    uint64_t from = core->x[IsaN(word)];
    uint64_t to = core->x[IsaD(word)];

    if (bits(core->x[IsaT(word)], 43, 1) == 0) {
        return CoreFault(core, "FIX_L0C_TO_DST supports only rows (XT bit 43)");
    }
    effect->gm_address = to;
    effect->gm_size = row * rows;
    effect->is_store = true;
    for (uint64_t i = 0; i < rows; i++, from += row, to += shape >> 32) {
        if (!check_range(core, &l0c, from, row) || !CoreTouch(core, to, row, true, effect)) {
            return false;
        }
        memcpy((void *) (uintptr_t) to, l0c.data + from, row);
    }
    core->counts[COUNT_l0c_out_bytes] += row * rows;
    effect->latency /= 2;
    effect->cycles += effect->latency + ceil_div(row * rows, core->config->bytes_out);
    return true;
}

static bool operate_move(Core *core, uint32_t word, Effect *effect)
{
    const Buffer ub = { core->ub, CORE_UB };
    const Buffer l1 = { core->l1, CORE_L1 };
    const Buffer l0a = { core->l0a, CORE_L0 };
    const Buffer l0b = { core->l0b, CORE_L0 };

    switch (IsaCodeOf(word)) {
    case ISA_MOV_OUT_TO_UB:
        return move_bursts(core, word, &ub, false, effect);
    case ISA_MOV_OUT_TO_L1:
        return move_bursts(core, word, &l1, false, effect);
    case ISA_MOV_UB_TO_OUT:
        return move_bursts(core, word, &ub, true, effect);
    case ISA_LOAD_L1_TO_L0A:
        return move_inside(core, word, &l0a, effect);
    case ISA_LOAD_L1_TO_L0B:
        return move_inside(core, word, &l0b, effect);
    default:
        return store_product(core, word, effect);
    }
}

/* ---- products ---- */

static void count_product(Core *core, uint64_t steps, uint64_t bytes, bool overwrites)
{
    core->counts[COUNT_mmads]++;
    core->counts[COUNT_cube_steps] += steps;
    core->counts[COUNT_l0a_read_bytes] += steps * 16 * 8 * 4;
    core->counts[COUNT_l0b_read_bytes] += steps * 16 * 8 * 4;
    core->counts[COUNT_l0c_read_bytes] += overwrites ? 0 : bytes;
    core->counts[COUNT_l0c_write_bytes] += bytes;
}

/* XT: bits 0..11 m, 12..23 k, 24..35 n, 63: overwrite instead of add. Row-major floats. */
static bool operate_cube(Core *core, uint32_t word, Effect *effect)
{
    const uint64_t shape = core->x[IsaT(word)];
    const uint64_t m = bits(shape, 0, 12), k = bits(shape, 12, 12), n = bits(shape, 24, 12);
    const uint64_t at_a = core->x[IsaN(word)], at_b = core->x[IsaM(word)];
    const uint64_t at_c = core->x[IsaD(word)];
    const Buffer l0a = { core->l0a, CORE_L0 }, l0b = { core->l0b, CORE_L0 };
    const Buffer l0c = { core->l0c, CORE_L0C };

    if (((at_a | at_b | at_c) & 3) != 0) {
        return CoreFault(core, "MMAD needs addresses of whole floats");
    }
    if (!check_range(core, &l0a, at_a, m * k * 4) || !check_range(core, &l0b, at_b, k * n * 4) ||
        !check_range(core, &l0c, at_c, m * n * 4)) {
        return false;
    }
    const float *a = (const float *) (const void *) (l0a.data + at_a);
    const float *b = (const float *) (const void *) (l0b.data + at_b);
    float *c = (float *) (void *) (l0c.data + at_c);

    if (shape >> 63) {
        memset(c, 0, m * n * 4);
    }
    for (uint64_t row = 0; row < m; row++) {
        for (uint64_t i = 0; i < k; i++) {
            const float factor = a[row * k + i];

            for (uint64_t column = 0; column < n; column++) {
                c[row * n + column] += factor * b[i * n + column];
            }
        }
    }
    count_product(core, ceil_div(m, 16) * ceil_div(n, 16) * ceil_div(k, 8), m * n * 4, shape >> 63);
    effect->cycles =
        12 + ceil_div(m, 16) * ceil_div(n, 16) * ceil_div(k, 8) * 256 * 8 / CUBE_FLOATS;
    return true;
}

/* ---- vectors ---- */

/* One operand: where its block i of repeat r begins. */
typedef struct Lane {
    uint64_t address;
    uint64_t block_step;
    uint64_t repeat_step;
} Lane;

static float one(uint32_t code, float n, float m)
{
    switch (code) {
    case ISA_VADD:
    case ISA_VADDS:
        return n + m;
    case ISA_VSUB:
        return n - m;
    case ISA_VMUL:
    case ISA_VMULS:
        return n * m;
    case ISA_VMAX:
        return n > m ? n : m;
    case ISA_VMIN:
        return n < m ? n : m;
    default:
        return n > 0 ? n : 0; /* VRELU */
    }
}

/* Blocks of one repeat that meet in a bank group, beyond the first. */
static uint64_t conflicts(const Lane *lanes, uint32_t count, uint64_t repeat)
{
    uint32_t groups[BANK_GROUPS] = { 0 };
    uint32_t most = 0;

    for (uint32_t lane = 0; lane < count; lane++) {
        for (uint32_t i = 0; i < REPEAT_BLOCKS; i++) {
            const uint64_t address = lanes[lane].address + i * lanes[lane].block_step * BLOCK +
                                     repeat * lanes[lane].repeat_step * BLOCK;
            const uint32_t group = (uint32_t) bits(address, 5, 4);

            groups[group]++;
            most = groups[group] > most ? groups[group] : most;
        }
    }
    return most > 0 ? most - 1 : 0;
}

static bool check_lane(Core *core, const Lane *lane, uint64_t repeats)
{
    const Buffer ub = { core->ub, CORE_UB };
    const uint64_t span = repeats == 0 ? 0
                                       : (REPEAT_BLOCKS - 1) * lane->block_step * BLOCK +
                                             (repeats - 1) * lane->repeat_step * BLOCK + BLOCK;

    return check_range(core, &ub, lane->address, span) &&
           ((lane->address & 3) == 0 ||
            CoreFault(core, "Vector instructions need addresses of whole floats"));
}

static float *element(const Core *core, const Lane *lane, uint64_t repeat, uint32_t index)
{
    return (float *) (void *) (core->ub + lane->address + repeat * lane->repeat_step * BLOCK +
                               index / 8 * lane->block_step * BLOCK + index % 8 * 4);
}

/* XT of two sources: block steps in bits 0..7 (XD), 8..15 (XN), 16..23 (XM), repeat steps in
 * 24..31, 32..39, 40..47, repeats in 56..63. Of one source: block steps in 0..15, 16..31, repeat
 * steps in 32..39, 40..47. All steps in blocks of 32 bytes. */
static bool operate_vector(Core *core, uint32_t word, Effect *effect)
{
    const uint32_t code = IsaCodeOf(word);
    const bool has_two = code >= ISA_VADD && code <= ISA_VMIN;
    const bool has_scalar = code == ISA_VADDS || code == ISA_VMULS;
    const uint64_t shape = core->x[IsaT(word)];
    const uint64_t repeats = shape >> 56;
    const Lane d = { core->x[IsaD(word)], bits(shape, 0, has_two ? 8 : 16),
                     bits(shape, has_two ? 24 : 32, 8) };
    const Lane sources[2] = {
        { core->x[IsaN(word)], has_two ? bits(shape, 8, 8) : bits(shape, 16, 16),
          bits(shape, has_two ? 32 : 40, 8) },
        { has_two ? core->x[IsaM(word)] : 0, bits(shape, 16, 8), bits(shape, 40, 8) }
    };
    float scalar = 0;
    uint64_t lost = 0;

    if (!check_lane(core, &d, repeats) || !check_lane(core, &sources[0], repeats) ||
        (has_two && !check_lane(core, &sources[1], repeats))) {
        return false;
    }
    if (has_scalar) {
        const uint32_t low = (uint32_t) core->x[IsaM(word)];

        memcpy(&scalar, &low, sizeof scalar);
    }
    for (uint64_t repeat = 0; repeat < repeats; repeat++) {
        for (uint32_t i = 0; i < 64; i++) {
            if ((core->mask[0] >> i & 1) != 0) {
                *element(core, &d, repeat, i) =
                    one(code, *element(core, &sources[0], repeat, i),
                        has_two ? *element(core, &sources[1], repeat, i) : scalar);
            }
        }
        lost += conflicts(sources, has_two ? 2 : 1, repeat) + conflicts(&d, 1, repeat);
    }
    effect->cycles = 8 + repeats + lost;
    core->counts[COUNT_vector_repeats] += repeats;
    core->counts[COUNT_conflict_cycles] += lost;
    core->counts[COUNT_ub_read_bytes] += repeats * (has_two ? 2 : 1) * REPEAT_BLOCKS * BLOCK;
    core->counts[COUNT_ub_write_bytes] += repeats * REPEAT_BLOCKS * BLOCK;
    return true;
}

bool Operate(Core *core, uint32_t word, Effect *effect)
{
    const IsaOp *op = IsaFind(IsaCodeOf(word));

    *effect = (Effect){ .cycles = 0 };
    switch (op->pipe) {
    case PIPE_SCALAR:
        return operate_scalar(core, word, effect);
    case PIPE_CUBE:
        return operate_cube(core, word, effect);
    case PIPE_VECTOR:
        if (op->code == ISA_MOVEMASK) {
            core->mask[word & 1u] = core->x[IsaN(word)];
            effect->cycles = 1;
            return true;
        }
        if (op->code >= ISA_SIMT_END) {
            return CoreFault(core, "The instruction is for SIMT code alone");
        }
        return operate_vector(core, word, effect);
    default:
        return operate_move(core, word, effect);
    }
}
