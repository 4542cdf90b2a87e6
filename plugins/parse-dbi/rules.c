/* SPDX-License-Identifier: Apache-2.0 */
/* Which rules there are, and the arithmetic that they share. */
#include "rules.h"

#include <string.h>

static const DbiRule rules[] = {
    { "bursts", DbiBursts },
    { "aligned-bursts", DbiAlignedBursts },
    { "looped-bursts", DbiLoopedBursts },
    { "fractals", DbiFractals },
    { "transposed-fractals", DbiTransposedFractals },
    { "fractal-block", DbiFractalBlock },
    { "scale-block", DbiScaleBlock },
    { "packed-fractals", DbiPackedFractals },
    { "fill", DbiFill },
    { "nd-rows", DbiNdRows },
    { "dn-loops", DbiDnLoops },
    { "nd-or-dn-loops", DbiNdOrDnLoops },
    { "fix-pipe", DbiFixPipe },
    { "strict-fix-pipe", DbiStrictFixPipe },
    { "nested-loops", DbiNestedLoops },
    { "thread-access", DbiThreadAccess },
    { "thread-atomic", DbiThreadAtomic },
};

const DbiRule *DbiRuleFind(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof rules / sizeof rules[0]; i++) {
        if (strcmp(rules[i].name, name) == 0) {
            return &rules[i];
        }
    }
    return NULL;
}

DbiOutcome DbiDecompose(const DbiRecord *record, const DbiSink *sink, bool *ret_is_rough)
{
    DbiEmit emit = { .record = record, .sink = sink };
    const DbiOutcome outcome = record->layout->rule->run(&emit);

    *ret_is_rough = emit.is_rough;
    return emit.is_stopped ? DBI_STOPPED : outcome;
}

/* ------------------------------------------------------------------ arithmetic */

uint64_t DbiAdd(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t DbiMul(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t DbiAlign(uint64_t bytes)
{
    return DbiAdd(bytes, DBI_BLOCK - 1) & ~(uint64_t) (DBI_BLOCK - 1);
}

DbiOutcome DbiCheckCount(uint64_t count)
{
    return count > DBI_MAX_ACCESSES ? DBI_TOO_MANY : DBI_GOOD;
}

/* ------------------------------------------------------------------ runs */

DbiRun DbiRunOf(const DbiEmit *emit, uint64_t src_bytes, uint64_t dst_bytes, uint64_t count)
{
    return (DbiRun){ .src = emit->record->values[DBI_SRC],
                     .dst = emit->record->values[DBI_DST],
                     .src_bytes = src_bytes,
                     .dst_bytes = dst_bytes,
                     .count = count,
                     .from = emit->record->from,
                     .to = emit->record->to };
}

void DbiEmitPlain(DbiEmit *emit, const DbiRun *run)
{
    if (!emit->is_stopped && run->count > 0) {
        emit->is_stopped = !emit->sink->take(emit->sink->context, run);
    }
}

/* How many of the run's accesses lie before the first whose address would pass 2^64 or 0. */
static uint64_t count_up(uint64_t base, uint64_t step, uint64_t count)
{
    const uint64_t most = step == 0 ? UINT64_MAX : (UINT64_MAX - base) / step;

    return most < count ? most + 1 : count;
}

static uint64_t count_down(uint64_t base, uint64_t step, uint64_t count)
{
    const uint64_t most = step == 0 ? UINT64_MAX : base / step;

    return most < count ? most + 1 : count;
}

static void emit_cut(DbiEmit *emit, const DbiRun *run, bool is_down)
{
    DbiRun left = *run;

    while (left.count > 0 && !emit->is_stopped) {
        const uint64_t src_good = is_down ? count_down(left.src, left.src_step, left.count)
                                          : count_up(left.src, left.src_step, left.count);
        const uint64_t dst_good = count_up(left.dst, left.dst_step, left.count);
        DbiRun part = left;
        part.count = src_good < dst_good ? src_good : dst_good;
        part.src_step = is_down ? 0 - left.src_step : left.src_step;
        DbiEmitPlain(emit, &part);
        /* From here on at least one side stays at the top. */
        left.src = src_good == part.count ? UINT64_MAX : left.src + part.count * part.src_step;
        left.dst = dst_good == part.count ? UINT64_MAX : left.dst + part.count * left.dst_step;
        left.src_step = src_good == part.count ? 0 : left.src_step;
        left.dst_step = dst_good == part.count ? 0 : left.dst_step;
        left.count -= part.count;
    }
}

void DbiEmitRun(DbiEmit *emit, const DbiRun *run)
{
    emit_cut(emit, run, false);
}

void DbiEmitDown(DbiEmit *emit, const DbiRun *run)
{
    emit_cut(emit, run, true);
}
