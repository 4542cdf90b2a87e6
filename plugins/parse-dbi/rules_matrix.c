/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves of matrices: fractals, changes of their layout, and results on their way out.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "rules.h"

#include <stdlib.h>

/* A 16-bit field that is signed. */
static int32_t signed16(uint64_t value)
{
    return (int16_t) (uint16_t) value;
}

/* ------------------------------------------------------------------ fractals */

DbiOutcome DbiFractals(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    DbiRun run = DbiRunOf(emit, DBI_FRACTAL, DBI_FRACTAL, v[DBI_REPEAT]);

    run.src = DbiAdd(run.src, DBI_FRACTAL * v[DBI_BASE]);
    run.src_step = DBI_FRACTAL * v[DBI_SRC_STRIDE];
    run.dst_step = DBI_FRACTAL * v[DBI_DST_STRIDE];
    if (v[DBI_DOWN] != 0) {
        DbiEmitDown(emit, &run);
    } else {
        DbiEmitRun(emit, &run);
    }
    return DBI_GOOD;
}

/* Fractals that one turn of a transposing load moves, by the width of an element. */
static uint32_t fractals_a_turn(uint32_t bits)
{
    switch (bits) {
    case 4:
        return 4;
    case 8:
    case 32:
        return 2;
    default:
        return 1;
    }
}

DbiOutcome DbiTransposedFractals(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const uint64_t bytes = (uint64_t) DBI_FRACTAL * fractals_a_turn(DbiTypeBits(emit->record));
    DbiRun run = DbiRunOf(emit, bytes, bytes, v[DBI_REPEAT]);

    run.src = DbiAdd(run.src, DBI_FRACTAL * v[DBI_BASE]);
    run.src_step = DBI_FRACTAL * v[DBI_SRC_STRIDE];
    run.dst_step = DBI_FRACTAL * v[DBI_DST_STRIDE];
    DbiEmitRun(emit, &run);
    return DBI_GOOD;
}

DbiOutcome DbiFractalBlock(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const uint64_t bytes = DBI_FRACTAL * v[DBI_M_STEP] * v[DBI_K_STEP];
    const uint64_t stride = (uint64_t) abs(signed16(v[DBI_SRC_STRIDE]));
    DbiRun run = DbiRunOf(emit, bytes, bytes, 1);

    run.src = DbiAdd(run.src, DBI_FRACTAL * (stride * v[DBI_K_START] + v[DBI_M_START]));
    DbiEmitRun(emit, &run);
    return DBI_GOOD;
}

/* Scales of block-scaled types: a block of 32 bytes for each step. */
DbiOutcome DbiScaleBlock(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const uint64_t bytes = DBI_BLOCK * v[DBI_M_STEP] * v[DBI_K_STEP];
    DbiRun run = DbiRunOf(emit, bytes, bytes, 1);

    run.src = DbiAdd(run.src, DBI_BLOCK * (v[DBI_SRC_STRIDE] * v[DBI_K_START] + v[DBI_M_START]));
    DbiEmitRun(emit, &run);
    return DBI_GOOD;
}

/* Bytes of a compressed fractal. */
static uint32_t packed_bytes(uint64_t mode)
{
    static const uint16_t bytes[] = { 512, 128, 192, 256, 128 };

    return mode < sizeof bytes / sizeof bytes[0] ? bytes[mode] : DBI_FRACTAL;
}

/* A sum with a distance that may be negative; below 0 it is at the top, as any that overflows. */
static uint64_t add_signed(uint64_t base, int64_t distance)
{
    if (distance >= 0) {
        return DbiAdd(base, (uint64_t) distance);
    }
    const uint64_t back = 0 - (uint64_t) distance;
    return back > base ? UINT64_MAX : base - back;
}

DbiOutcome DbiPackedFractals(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const uint32_t packed = packed_bytes(v[DBI_MODE]);
    const int32_t stride = signed16(v[DBI_SRC_STRIDE]);
    DbiRun run = DbiRunOf(emit, packed, DBI_FRACTAL, v[DBI_M_STEP]);
    const uint64_t start =
        DbiAdd(run.src, packed * (v[DBI_K_START] * (uint64_t) abs(stride) + v[DBI_M_START]));
    const uint64_t target = run.dst;

    run.src_step = packed;
    run.dst_step = DBI_FRACTAL;
    for (uint64_t k = 0; k < v[DBI_K_STEP]; k++) {
        run.src = add_signed(start, (int64_t) k * stride * packed);
        run.dst = DbiAdd(target, DBI_FRACTAL * k * v[DBI_DST_STRIDE]);
        DbiEmitRun(emit, &run);
    }
    return DBI_GOOD;
}

/* Ones from a register. */
DbiOutcome DbiFill(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    DbiRun run = DbiRunOf(emit, 0, DBI_BLOCK * (v[DBI_UNITS] + v[DBI_REPEAT_GAP]), v[DBI_REPEAT]);

    run.src = DBI_NO_ADDRESS;
    run.dst_step = run.dst_bytes;
    DbiEmitRun(emit, &run);
    return DBI_GOOD;
}

/* ------------------------------------------------------------------ changes of layout */

DbiOutcome DbiNdRows(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const uint64_t bits = DbiTypeBits(emit->record);
    const uint64_t row = v[DBI_D] * bits / 8;
    DbiRun run = DbiRunOf(emit, row, DbiAlign(row), v[DBI_N]);
    const DbiRun first = run;

    if (DbiCheckCount(DbiMul(v[DBI_MATRICES], v[DBI_N])) != DBI_GOOD) {
        return DBI_TOO_MANY;
    }
    run.src_step = v[DBI_SRC_ROW] * bits / 8;
    run.dst_step = DBI_BLOCK;
    for (uint64_t i = 0; v[DBI_N] > 0 && i < v[DBI_MATRICES] && !emit->is_stopped; i++) {
        run.src = DbiAdd(first.src, v[DBI_SRC_MATRIX] * bits * i / 8);
        run.dst = DbiAdd(first.dst, DBI_BLOCK * i * v[DBI_N]);
        DbiEmitRun(emit, &run);
    }
    return DBI_GOOD;
}

/* The instruction wraps here, so do the sums. */
static DbiOutcome layout_loops(DbiEmit *emit, uint64_t rows, uint64_t columns)
{
    const uint64_t *v = emit->record->values;
    const uint64_t element = DbiTypeBytes(emit->record);
    const bool is_small = v[DBI_SMALL_C0] != 0;
    DbiRun run =
        DbiRunOf(emit, columns * element, is_small ? 4 * element : DbiAlign(rows * element), rows);
    const DbiRun first = run;

    if (DbiCheckCount(DbiMul(v[DBI_MATRICES], rows)) != DBI_GOOD) {
        return DBI_TOO_MANY;
    }
    run.src_step = v[DBI_LOOP1_SRC];
    run.dst_step = is_small ? 4 * element : DBI_BLOCK * v[DBI_LOOP2_DST];
    for (uint64_t i = 0; rows > 0 && i < v[DBI_MATRICES] && !emit->is_stopped; i++) {
        run.src = first.src + i * v[DBI_LOOP4_SRC];
        run.dst = first.dst + DBI_BLOCK * i * v[DBI_LOOP4_DST];
        DbiEmitPlain(emit, &run);
    }
    return DBI_GOOD;
}

DbiOutcome DbiDnLoops(DbiEmit *emit)
{
    return layout_loops(emit, emit->record->values[DBI_D], emit->record->values[DBI_N]);
}

/* The number in the common part tells row-major (1) from column-major sources (0). */
DbiOutcome DbiNdOrDnLoops(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;

    return v[DBI_ID] == 0 ? DbiDnLoops(emit) : layout_loops(emit, v[DBI_N], v[DBI_D]);
}

/* ------------------------------------------------------------------ results */

#define CUBE_SIDE 16u      /* elements of a fractal's side */
#define SPLIT_COLUMNS 8u   /* columns of a split channel */
#define MERGED_COLUMNS 64u /* that 4-bit channels are merged from */

static uint64_t parts(uint64_t count, uint64_t size)
{
    return (count + size - 1) / size;
}

/* Bits of a result's element. The c310 stubs leave 0 where they mean 8. */
static uint64_t result_bits(const uint64_t *v)
{
    return v[DBI_BITS] == 0 ? 8 : v[DBI_BITS];
}

/* Row by row into a matrix in rows. */
static DbiOutcome results_to_rows(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const uint64_t bits = result_bits(v);
    const uint64_t row = v[DBI_N] * bits / 8;
    const uint64_t step = v[DBI_DST_STRIDE] * bits / 8;
    DbiRun run = DbiRunOf(emit, row, row, v[DBI_M]);
    const DbiRun first = run;

    if (DbiCheckCount(DbiMul(v[DBI_MATRICES], v[DBI_M])) != DBI_GOOD) {
        return DBI_TOO_MANY;
    }
    run.src_step = step;
    run.dst_step = step;
    for (uint64_t i = 0; i < v[DBI_MATRICES] && !emit->is_stopped; i++) {
        run.src = DbiAdd(first.src, v[DBI_SRC_MATRIX] * i * bits / 8);
        run.dst = DbiAdd(first.dst, v[DBI_DST_MATRIX] * i * bits / 8);
        DbiEmitRun(emit, &run);
    }
    return DBI_GOOD;
}

/* `count` columns of `bytes`, and half a column more where there is a rest. */
static void emit_columns(DbiEmit *emit, uint64_t count, uint64_t bytes, bool has_half)
{
    const uint64_t *v = emit->record->values;
    DbiRun run = DbiRunOf(emit, bytes, bytes, count);

    run.src_step = DBI_BLOCK * v[DBI_SRC_STRIDE];
    run.dst_step = DBI_BLOCK * v[DBI_DST_STRIDE];
    DbiEmitRun(emit, &run);
    if (has_half) {
        DbiRun half = DbiRunOf(emit, bytes / 2, bytes / 2, 1);
        half.src = DbiAdd(half.src, count * run.src_step);
        half.dst = DbiAdd(half.dst, count * run.dst_step);
        DbiEmitRun(emit, &half);
    }
}

static DbiOutcome results_to_columns(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const uint64_t columns = parts(v[DBI_N], CUBE_SIDE);
    const uint64_t merged = DBI_BLOCK * v[DBI_M];

    if (v[DBI_SPLIT] != 0) {
        emit_columns(emit, parts(v[DBI_N], SPLIT_COLUMNS), merged, false);
    } else if (v[DBI_MERGE4] != 0) {
        emit_columns(emit, columns / 4, merged, false);
    } else if (v[DBI_MERGE8] != 0) {
        emit_columns(emit, columns / 2, merged, columns % 2 != 0);
    } else {
        emit_columns(emit, columns, v[DBI_M] * CUBE_SIDE * result_bits(v) / 8, false);
    }
    return DBI_GOOD;
}

DbiOutcome DbiFixPipe(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const bool to_rows = v[DBI_TO_ND] != 0;

    if (v[DBI_M] == 0 || v[DBI_N] == 0 || (to_rows && v[DBI_MATRICES] == 0)) {
        return DBI_INVALID;
    }
    return to_rows ? results_to_rows(emit) : results_to_columns(emit);
}

/*
 * The c310 form. Its record keeps 16 of the 32 bits of the matrices' distance, and nothing of the
 * layout with columns first.
 */
DbiOutcome DbiStrictFixPipe(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const int modes =
        (v[DBI_MERGE8] != 0) + (v[DBI_MERGE4] != 0) + (v[DBI_SPLIT] != 0) + (v[DBI_TO_ND] != 0);
    const bool is_whole = v[DBI_MERGE4] == 0 && v[DBI_SPLIT] == 0 && v[DBI_TO_ND] == 0;

    if (modes > 1 || v[DBI_SRC_STRIDE] % CUBE_SIDE != 0 ||
        (is_whole && v[DBI_N] % CUBE_SIDE != 0) ||
        (v[DBI_MERGE4] != 0 && v[DBI_N] % MERGED_COLUMNS != 0) ||
        (v[DBI_SPLIT] != 0 && v[DBI_N] % SPLIT_COLUMNS != 0)) {
        return DBI_INVALID;
    }
    emit->is_rough = v[DBI_TO_DN] != 0 || (v[DBI_TO_ND] != 0 && v[DBI_MATRICES] > 1);
    return DbiFixPipe(emit);
}
