/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves in bursts: with gaps of blocks, of bytes, within loops, and nested loops of elements.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "rules.h"

/* ------------------------------------------------------------------ bursts of blocks */

/* A burst and the gap after it. */
static uint64_t pitch(uint64_t length, uint64_t gap_blocks)
{
    return DbiAdd(length, DbiMul(DBI_BLOCK, gap_blocks));
}

/* Length of the small side of a burst that is padded to a block or cut from one; 0: no such mode.
 */
static uint32_t small_side(uint64_t mode)
{
    static const uint8_t bytes[] = { 0, 1, 2, 4, 8, 16, 4, 8, 16 };

    return mode < sizeof bytes ? bytes[mode] : 0;
}

#define LAST_GROWING_MODE 5u /* modes 1 to 5 pad on the way in, those above cut on the way out */

/* One side in blocks with gaps, the other one without gaps in pieces of 1 to 16 bytes. */
static DbiOutcome padded_bursts(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const uint32_t small = small_side(v[DBI_PAD_MODE]);
    const bool is_growing = v[DBI_PAD_MODE] <= LAST_GROWING_MODE;

    if (small == 0) {
        return DBI_INVALID;
    }
    DbiRun run = DbiRunOf(emit, is_growing ? small : DBI_BLOCK, is_growing ? DBI_BLOCK : small,
                          v[DBI_BURSTS]);
    run.src_step = is_growing ? small : pitch(DBI_BLOCK, v[DBI_SRC_STRIDE]);
    run.dst_step = is_growing ? pitch(DBI_BLOCK, v[DBI_DST_STRIDE]) : small;
    DbiEmitRun(emit, &run);
    return DBI_GOOD;
}

DbiOutcome DbiBursts(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const bool in_bytes = v[DBI_BYTE_MODE] != 0;
    const uint64_t src_bytes =
        in_bytes ? DbiAlign(v[DBI_LENGTH]) : DbiMul(DBI_BLOCK, v[DBI_LENGTH]);
    const uint64_t dst_bytes = in_bytes ? v[DBI_LENGTH] : src_bytes;

    if (DbiCheckCount(v[DBI_BURSTS]) != DBI_GOOD) {
        return DBI_TOO_MANY;
    }
    if (!in_bytes && v[DBI_PAD_MODE] != 0) {
        return padded_bursts(emit);
    }
    DbiRun run = DbiRunOf(emit, src_bytes, dst_bytes, v[DBI_BURSTS]);
    run.src_step = pitch(src_bytes, v[DBI_SRC_STRIDE]);
    run.dst_step = pitch(dst_bytes, v[DBI_DST_STRIDE]);
    DbiEmitRun(emit, &run);
    return DBI_GOOD;
}

/* ------------------------------------------------------------------ bursts of bytes */

static bool is_gm(const DbiEmit *emit, uint8_t memory)
{
    return memory == emit->record->tables->global;
}

/* Bytes that padding elements add to a burst. */
static uint64_t padding_bytes(const DbiRecord *record)
{
    return (record->values[DBI_LEFT] + record->values[DBI_RIGHT]) * DbiTypeBits(record) / 8;
}

/* Global memory counts bytes, on-chip memory blocks. */
DbiOutcome DbiAlignedBursts(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const bool from_gm = is_gm(emit, emit->record->from);
    const bool to_gm = is_gm(emit, emit->record->to);
    const uint64_t length = v[DBI_LENGTH];
    DbiRun run =
        DbiRunOf(emit, from_gm ? length : DbiAlign(length),
                 to_gm ? length : DbiAlign(length + padding_bytes(emit->record)), v[DBI_BURSTS]);

    run.src_step = from_gm ? length + v[DBI_SRC_STRIDE] : pitch(run.src_bytes, v[DBI_SRC_STRIDE]);
    run.dst_step = to_gm ? length + v[DBI_DST_STRIDE] : pitch(run.dst_bytes, v[DBI_DST_STRIDE]);
    DbiEmitRun(emit, &run);
    return DBI_GOOD;
}

/* Bursts back to back on the side of the on-chip memory are one. */
DbiOutcome DbiLoopedBursts(DbiEmit *emit)
{
    const uint64_t *v = emit->record->values;
    const bool is_looped = v[DBI_LOOP1] >= 1 && v[DBI_LOOP2] >= 1;
    const bool to_gm = is_gm(emit, emit->record->to);
    const bool is_compact = v[to_gm ? DBI_SRC_STRIDE : DBI_DST_STRIDE] == v[DBI_LENGTH];
    const uint64_t bursts = is_compact && v[DBI_BURSTS] > 0 ? 1 : v[DBI_BURSTS];
    const uint64_t length = v[DBI_LENGTH] * (is_compact ? v[DBI_BURSTS] : 1);
    const uint64_t padding = is_looped || to_gm ? 0 : padding_bytes(emit->record);
    const uint64_t loop1 = is_looped ? v[DBI_LOOP1] : 1;
    const uint64_t loop2 = is_looped ? v[DBI_LOOP2] : 1;
    DbiRun run = DbiRunOf(emit, to_gm ? DbiAlign(length) : length,
                          to_gm ? length : DbiAlign(length + padding), bursts);
    const DbiRun first = run;

    if (bursts == 0) {
        return DBI_GOOD;
    }
    if (DbiCheckCount(DbiMul(bursts, DbiMul(loop1, loop2))) != DBI_GOOD) {
        return DBI_TOO_MANY;
    }
    run.src_step = v[DBI_SRC_STRIDE];
    run.dst_step = v[DBI_DST_STRIDE];
    for (uint64_t k = 0; k < loop2 && !emit->is_stopped; k++) {
        const uint64_t src = DbiAdd(first.src, DbiMul(k, v[DBI_LOOP2_SRC]));
        const uint64_t dst = DbiAdd(first.dst, DbiMul(k, v[DBI_LOOP2_DST]));
        for (uint64_t j = 0; j < loop1 && !emit->is_stopped; j++) {
            run.src = DbiAdd(src, DbiMul(j, v[DBI_LOOP1_SRC]));
            run.dst = DbiAdd(dst, DbiMul(j, v[DBI_LOOP1_DST]));
            DbiEmitRun(emit, &run);
        }
    }
    return DBI_GOOD;
}

/* ------------------------------------------------------------------ nested loops of elements */

#define NESTS 5u

/* A loop over padding, data and padding again. */
typedef struct Nest {
    uint64_t src_stride; /* elements */
    uint64_t dst_stride;
    uint64_t size;
    uint64_t left;
    uint64_t right;
} Nest;

static uint64_t turns(const Nest *nest)
{
    return nest->left + nest->size + nest->right;
}

/* One stretch of the innermost loop: turns [first, first + count) of it. */
static void emit_stretch(DbiEmit *emit, const Nest *nest, const DbiRun *at, uint64_t first,
                         uint64_t count)
{
    const uint64_t bytes = at->dst_bytes;
    const bool is_data =
        at->src_bytes > 0 && first >= nest->left && count > 0 && first < nest->left + nest->size;
    DbiRun run = *at;

    run.count = count;
    run.dst = DbiAdd(at->dst, DbiMul(first, DbiMul(nest->dst_stride, bytes)));
    run.dst_step = DbiMul(nest->dst_stride, bytes);
    run.src_bytes = is_data ? bytes : 0;
    run.src_step = is_data ? DbiMul(nest->src_stride, bytes) : 0;
    run.src = is_data ? at->src : DBI_NO_ADDRESS;
    DbiEmitRun(emit, &run);
}

/*
 * Offsets are made anew from the indices: turn x of a loop writes at x times its stride, and reads
 * at x - left times its stride where it is not padding.
 */
static void emit_nest(DbiEmit *emit, const Nest *nests, uint64_t outer)
{
    const uint64_t bytes = DbiTypeBytes(emit->record);
    DbiRun at = DbiRunOf(emit, bytes, bytes, 0);
    uint64_t rest = outer;

    for (unsigned i = 1; i < NESTS; i++) {
        const uint64_t x = rest % turns(&nests[i]);
        const bool is_data = x >= nests[i].left && x < nests[i].left + nests[i].size;
        rest /= turns(&nests[i]);
        at.dst = DbiAdd(at.dst, DbiMul(x, DbiMul(nests[i].dst_stride, bytes)));
        at.src_bytes = is_data ? at.src_bytes : 0;
        at.src = is_data
                     ? DbiAdd(at.src, DbiMul(x - nests[i].left, DbiMul(nests[i].src_stride, bytes)))
                     : at.src;
    }
    emit_stretch(emit, &nests[0], &at, 0, nests[0].left);
    emit_stretch(emit, &nests[0], &at, nests[0].left, nests[0].size);
    emit_stretch(emit, &nests[0], &at, nests[0].left + nests[0].size, nests[0].right);
}

DbiOutcome DbiNestedLoops(DbiEmit *emit)
{
    Nest nests[NESTS];
    uint64_t outer = 1;

    for (unsigned i = 0; i < NESTS; i++) {
        const uint64_t *v = &emit->record->values[DBI_NEST0_SRC + (size_t) i * NESTS];
        nests[i] = (Nest){
            .src_stride = v[0], .dst_stride = v[1], .size = v[2], .left = v[3], .right = v[4]
        };
        outer = i == 0 ? outer : DbiMul(outer, turns(&nests[i]));
    }
    const uint64_t all = DbiMul(outer, turns(&nests[0]));
    if (all == 0) {
        return DBI_GOOD;
    }
    if (DbiCheckCount(all) != DBI_GOOD) {
        return DBI_TOO_MANY;
    }
    for (uint64_t i = 0; i < outer && !emit->is_stopped; i++) {
        emit_nest(emit, nests, i);
    }
    return DBI_GOOD;
}
