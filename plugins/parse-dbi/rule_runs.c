/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns records into runs of accesses, by their rules.
 * Tested by tests/plugins/parse-dbi/test_rules.
 */
#include "rules.h"

/* A record that is being turned into accesses. */
typedef struct Emit {
    DbiRecord *record;
    DbiRule *rule;
    const DbiSink *sink;
    DbiRun runs
        /* as far as they do not depend on loops; without accesses where they do not count */
        [DBI_MAX_RUNS];
    bool is_down[DBI_MAX_RUNS];
    uint64_t turns[DBI_MAX_LOOPS];
    bool is_same; /* equal to the last record, except for fields of 64 bits */
    bool is_stopped;
} Emit;

/* ---- runs ---- */

static void emit_plain(Emit *emit, const DbiRun *run)
{
    if (!emit->is_stopped && run->count > 0) {
        emit->is_stopped = !emit->sink->take(emit->sink->context, run);
    }
}

/*
 * How many of the run's accesses, at least one, lie before the first whose address would pass 2^64
 * or 0. Almost no run needs a division.
 */
static uint64_t count_up(uint64_t base, uint64_t step, uint64_t count)
{
    uint64_t way;

    return !__builtin_mul_overflow(step, count - 1, &way) && way <= UINT64_MAX - base
               ? count
               : (UINT64_MAX - base) / step + 1;
}

static uint64_t count_down(uint64_t base, uint64_t step, uint64_t count)
{
    uint64_t way;

    return !__builtin_mul_overflow(step, count - 1, &way) && way <= base ? count : base / step + 1;
}

/* Accesses whose addresses stay at the top; the source's may also stay below
 * 0 where they decrease. */
static void emit_cut(Emit *emit, const DbiRun *run, bool is_down)
{
    DbiRun left = *run;

    while (left.count > 0 && !emit->is_stopped) {
        const uint64_t src_good = is_down ? count_down(left.src, left.src_step, left.count)
                                          : count_up(left.src, left.src_step, left.count);
        const uint64_t dst_good = count_up(left.dst, left.dst_step, left.count);
        DbiRun part = left;
        part.count = src_good < dst_good ? src_good : dst_good;
        part.src_step = is_down ? 0 - left.src_step : left.src_step;
        emit_plain(emit, &part);
        /* From here on at least one side stays at the top. */
        left.src = src_good == part.count ? UINT64_MAX : left.src + part.count * part.src_step;
        left.dst = dst_good == part.count ? UINT64_MAX : left.dst + part.count * left.dst_step;
        left.src_step = src_good == part.count ? 0 : left.src_step;
        left.dst_step = dst_good == part.count ? 0 : left.dst_step;
        left.count -= part.count;
    }
}

static void emit_run(Emit *emit, const DbiRun *run, bool is_down)
{
    if (emit->rule->wraps) {
        emit_plain(emit, run);
    } else {
        emit_cut(emit, run, is_down);
    }
}

/* ---- formulas ---- */

static uint64_t value_of(const Emit *emit, DbiFormula *formula, uint64_t otherwise)
{
    if (formula->whole == NULL) {
        return otherwise;
    }
    if (!emit->is_same || formula->varies) {
        formula->value = OpprofFormulaWhole(formula->whole, emit->record->values);
    }
    return formula->value;
}

/* Whether the record differs from the last one only in fields of 64 bits; it
 * becomes the last one. */
static bool is_same_shape(DbiRule *rule, const DbiRecord *record)
{
    const DbiLayout *layout = record->layout;
    bool is_same = rule->has_shape;

    for (uint32_t i = 0; i < layout->place_count; i++) {
        const uint64_t value = record->values[layout->places[i].field];
        is_same = is_same && (DbiFieldIsWide(&layout->places[i]) || rule->shape[i] == value);
        rule->shape[i] = value;
    }
    rule->has_shape = true;
    return is_same;
}

/* Evaluates the rule's own values: those that depend on loops, or those that do not. */
static void set_lets(const Emit *emit, bool turns)
{
    for (uint32_t i = 0; i < emit->rule->let_count; i++) {
        if (emit->rule->lets[i].turns == turns) {
            emit->record->values[DBI_FIRST_LET + i] = value_of(emit, &emit->rule->lets[i], 0);
        }
    }
}

/* Evaluates the parts of a run that depend on loops, or those that do not. */
static void set_run(const Emit *emit, DbiRuleRun *rule, bool turns, DbiRun *run)
{
    uint64_t *const values[DBI_RUN_PART_COUNT] = {
        [DBI_RUN_SRC] = &run->src,
        [DBI_RUN_DST] = &run->dst,
        [DBI_RUN_SRC_BYTES] = &run->src_bytes,
        [DBI_RUN_DST_BYTES] = &run->dst_bytes,
        [DBI_RUN_SRC_STEP] = &run->src_step,
        [DBI_RUN_DST_STEP] = &run->dst_step,
    };

    for (unsigned i = DBI_RUN_SRC; i < DBI_RUN_PART_COUNT; i++) {
        if (rule->parts[i].turns == turns) {
            *values[i] = value_of(emit, &rule->parts[i], *values[i]);
        }
    }
}

/* False: a memory does not exist. */
static bool begin_run(Emit *emit, uint32_t index)
{
    DbiRuleRun *rule = &emit->rule->runs[index];
    const DbiRecord *record = emit->record;
    DbiRun *run = &emit->runs[index];

    *run = (DbiRun){ .count = 0 };
    emit->rule->kept[index] = *run;
    emit->is_down[index] = false;
    if (value_of(emit, &rule->parts[DBI_RUN_WHEN], 1) == 0) {
        return true;
    }
    const uint64_t from = value_of(emit, &rule->parts[DBI_RUN_FROM], record->from);
    const uint64_t to = value_of(emit, &rule->parts[DBI_RUN_TO], record->to);
    if (from >= record->tables->memory_count || to >= record->tables->memory_count) {
        return false;
    }
    *run = (DbiRun){ .src = record->values[DBI_SRC],
                     .dst = record->values[DBI_DST],
                     .count = value_of(emit, &rule->parts[DBI_RUN_COUNT], 0),
                     .from = (uint8_t) from,
                     .to = (uint8_t) to };
    set_run(emit, rule, false, run);
    emit->is_down[index] = value_of(emit, &rule->parts[DBI_RUN_DOWN], 0) != 0;
    emit->rule->kept[index] = *run;
    return true;
}

/* ---- loops ---- */

static uint64_t sum(uint64_t a, uint64_t b)
{
    uint64_t result;

    return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result;

    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

/* How often each loop turns; returns the resulting number of accesses. */
static uint64_t begin_loops(Emit *emit)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < emit->rule->run_count; i++) {
        total = sum(total, emit->runs[i].count);
    }
    for (uint32_t i = 0; i < emit->rule->loop_count; i++) {
        emit->turns[i] = value_of(emit, &emit->rule->loops[i], 0);
        emit->record->values[DBI_FIRST_LOOP + i] = 0;
        total = product(total, emit->turns[i]);
    }
    return total;
}

/* The next turn, innermost loop first. False: that was the last. */
static bool next_turn(Emit *emit)
{
    for (uint32_t i = emit->rule->loop_count; i-- > 0;) {
        uint64_t *turn = &emit->record->values[DBI_FIRST_LOOP + i];
        if (++*turn < emit->turns[i]) {
            return true;
        }
        *turn = 0;
    }
    return false;
}

static void emit_turn(Emit *emit)
{
    set_lets(emit, true);
    for (uint32_t i = 0; i < emit->rule->run_count; i++) {
        DbiRun run = emit->runs[i];
        if (run.count == 0) {
            continue;
        }
        set_run(emit, &emit->rule->runs[i], true, &run);
        emit_run(emit, &run, emit->is_down[i]);
    }
}

/* All accesses of the runs that were begun. */
static DbiOutcome emit_all(Emit *emit)
{
    const uint64_t total = begin_loops(emit);

    if (total == 0 || total > DBI_MAX_ACCESSES) {
        emit->rule->has_shape = false; /* for next time */
        return total == 0 ? DBI_GOOD : DBI_TOO_MANY;
    }
    do {
        emit_turn(emit);
    } while (!emit->is_stopped && next_turn(emit));
    return emit->is_stopped ? DBI_STOPPED : DBI_GOOD;
}

/* The runs of the last record at other addresses: nothing else depends on those. */
static DbiOutcome emit_again(Emit *emit)
{
    const uint64_t *values = emit->record->values;

    for (uint32_t i = 0; i < emit->rule->run_count; i++) {
        DbiRun run = emit->rule->kept[i];
        run.src = emit->rule->runs[i].parts[DBI_RUN_SRC].whole == NULL ? values[DBI_SRC] : run.src;
        run.dst = emit->rule->runs[i].parts[DBI_RUN_DST].whole == NULL ? values[DBI_DST] : run.dst;
        emit_run(emit, &run, emit->rule->runs[i].parts[DBI_RUN_DOWN].value != 0);
    }
    return emit->is_stopped ? DBI_STOPPED : DBI_GOOD;
}

DbiOutcome DbiDecompose(DbiRecord *record, const DbiSink *sink, bool *ret_is_rough)
{
    DbiRule *rule = record->layout->rule;
    Emit emit;

    emit.record = record;
    emit.rule = rule;
    emit.sink = sink;
    emit.is_stopped = false;
    emit.is_same = is_same_shape(rule, record);
    *ret_is_rough = rule->rough.whole != NULL && rule->rough.value != 0;
    if (emit.is_same && !rule->varies) {
        return emit_again(&emit);
    }
    set_lets(&emit, false);
    if (value_of(&emit, &rule->invalid, 0) != 0) {
        *ret_is_rough = false;
        rule->has_shape = false;
        return DBI_INVALID;
    }
    *ret_is_rough = value_of(&emit, &rule->rough, 0) != 0;
    for (uint32_t i = 0; i < rule->run_count; i++) {
        if (!begin_run(&emit, i)) {
            rule->has_shape = false;
            return DBI_INVALID;
        }
    }
    return emit_all(&emit);
}
