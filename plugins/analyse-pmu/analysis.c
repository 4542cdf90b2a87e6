/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by analyses of launches: the launch, the chip's facts, the rows of formulas. Tested by
 * tests/plugins/parse-pmu/test_cases.sh.
 */
#include "analysis.h"

#include <opprof/kit/block_cores.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Where an input of the formulas comes from. */
typedef enum SourceKind {
    SOURCE_CYCLES,
    SOURCE_CYCLES_OF_KIND, /* of the keys around of one kind: index is the interned kind */
    SOURCE_MOST_CYCLES,    /* of one of the keys around */
    SOURCE_FACT,           /* of the launch: index is a LaunchFact */
    SOURCE_OWN,            /* counter of the row's keys */
    SOURCE_BLOCK,          /* counter of all keys around */
    SOURCE_OF_KIND,        /* counter of the keys around of one kind: index is the interned kind */
    SOURCE_MOVED,          /* index is the interned path */
    SOURCE_REQUESTS,
    SOURCE_OPERAND_INSTRUCTIONS, /* index is the interned type */
    SOURCE_SIMD_OPERANDS,
    SOURCE_SIMT_OPERANDS
} SourceKind;

typedef enum LaunchFact {
    FACT_FREQ,
    FACT_RATED_FREQ,
    FACT_DURATION,
    FACT_BLOCK_DIM,
    FACT_CORES,
    FACT_BLOCKS,
    FACT_L2_EVICT,
    FACT_MIX,
    FACT_KERNEL_SCALE,
    FACT_MEMORY_DETAIL,
    FACT_INSTRUMENTED,
    FACT_SIMT,
    FACT_SAID_FREQ,
    FACT_SAID_RATED_FREQ,
    FACTS
} LaunchFact;

static const char *const fact_names[FACTS] = {
    [FACT_FREQ] = "freq",
    [FACT_RATED_FREQ] = "rated_freq",
    [FACT_DURATION] = "duration",
    [FACT_BLOCK_DIM] = "block_dim",
    [FACT_CORES] = "cores",
    [FACT_BLOCKS] = "blocks",
    [FACT_L2_EVICT] = "l2_evict",
    [FACT_MIX] = "mix",
    [FACT_KERNEL_SCALE] = "kernel_scale",
    [FACT_MEMORY_DETAIL] = "memory_detail",
    [FACT_INSTRUMENTED] = "instrumented",
    [FACT_SIMT] = "simt",
    [FACT_SAID_FREQ] = "said_freq",
    [FACT_SAID_RATED_FREQ] = "said_rated_freq",
};

typedef struct PmuSource {
    uint32_t input;
    uint32_t kind;   /* SourceKind */
    uint32_t index;  /* as the kind says */
    uint32_t event;  /* counters: the event */
    uint32_t column; /* counters: its column in the launch; UINT32_MAX: none */
    /* SOURCE_BLOCK, SOURCE_OF_KIND: the latest sum, the same for all rows of a block */
    KeyBlock summed; /* end 0: not of this launch */
    uint64_t sum;
} PmuSource;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "analyse a launch");
}

uint32_t PmuIntern(OpprofStage *stage, const char *text)
{
    return text == NULL ? OPPROF_NA_STRING : OpprofStageIntern(stage, text, strlen(text));
}

/* ---- texts ---- */

static const PmuPlaceholder *placeholder_at(const PmuPlaceholder *all, const char *text)
{
    while (all->name != NULL &&
           (all->with == NULL || strncmp(text, all->name, strlen(all->name)) != 0)) {
        all++;
    }
    return all->name == NULL ? NULL : all;
}

/* Returns the number of bytes; writes them into `out` unless that is NULL. */
static size_t replace(const char *text, const PmuPlaceholder *all, char *out)
{
    size_t size = 0;

    while (*text != '\0') {
        const PmuPlaceholder *here = *text == '{' ? placeholder_at(all, text) : NULL;
        const char *with = here == NULL ? text : here->with;
        const size_t length = here == NULL ? 1 : strlen(with);

        if (out != NULL) {
            memcpy(out + size, with, length);
        }
        size += length;
        text += here == NULL ? 1 : strlen(here->name);
    }
    return size;
}

/* Called for each row of each block, where a memory stream would be slow. */
char *PmuReplace(const char *text, const PmuPlaceholder *all)
{
    const size_t size = replace(text, all, NULL);
    char *result = malloc(size + 1);

    if (result != NULL) {
        replace(text, all, result);
        result[size] = '\0';
    }
    return result;
}

/* ---- launches ---- */

/* NULL without memory. *ret_count elements. */
static void *copy_array(LaunchView *view, OpprofText text, size_t size, uint32_t *ret_count)
{
    const char *bytes = OpprofBatchText(view->batch, text);
    const size_t count = bytes == NULL ? 0 : text.length / size;
    void *copy = calloc(count + 1, size);

    if (copy != NULL && count > 0) {
        memcpy(copy, bytes, count * size);
    }
    view->copies[view->copy_count++] = copy;
    *ret_count = (uint32_t) count;
    return copy;
}

/* Launches may be large: uses the batch's own array unless it is misaligned. */
static const void *find_array(LaunchView *view, OpprofText text, size_t size, size_t alignment,
                              uint32_t *ret_count)
{
    const char *bytes = OpprofBatchText(view->batch, text);

    if (bytes == NULL || (uintptr_t) bytes % alignment != 0) {
        return copy_array(view, text, size, ret_count);
    }
    *ret_count = (uint32_t) (text.length / size);
    return bytes;
}

/* Moves and operands begin with their sort key. */
_Static_assert(offsetof(OpprofPmuMove, block) == 0 && offsetof(OpprofPmuOperand, index) == 0,
               "first members");

static uint32_t number_at(const void *list, size_t size, uint32_t i)
{
    uint32_t number;

    memcpy(&number, (const char *) list + i * size, sizeof number);
    return number;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = number_at(a, 0, 0);
    const uint32_t y = number_at(b, 0, 0);
    return (x > y) - (x < y);
}

/* The first element of a sorted list whose number is at least the given one. */
static uint32_t first_from(const void *list, uint32_t count, size_t size, uint32_t number)
{
    uint32_t low = 0;
    uint32_t high = count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (number_at(list, size, middle) < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A copy, sorted by the number that its elements begin with. NULL without memory. */
static void *sort_array(LaunchView *view, OpprofText text, size_t size, uint32_t *ret_count)
{
    void *copy = copy_array(view, text, size, ret_count);

    if (copy != NULL) {
        qsort(copy, *ret_count, size, by_number);
    }
    return copy;
}

/* NULL without memory. */
static const KeyBlock *find_blocks(LaunchView *view)
{
    KeyBlock *blocks =
        view->keys == NULL ? NULL : calloc((size_t) view->key_count + 1, sizeof *blocks);

    if (blocks == NULL) {
        return NULL;
    }
    for (uint32_t first = 0, end; first < view->key_count; first = end) {
        for (end = first + 1;
             end < view->key_count && view->keys[end].block == view->keys[first].block;) {
            end++;
        }
        for (uint32_t key = first; key < end; key++) {
            blocks[key] = (KeyBlock){ .first = first, .end = end };
        }
    }
    view->copies[view->copy_count++] = blocks;
    return blocks;
}

OpprofStatus LaunchViewTake(const OpprofBatch *batch, const OpprofPmuLaunch *launch,
                            LaunchView *ret_view, OpprofError **error)
{
    uint32_t value_count = 0;
    LaunchView *view = ret_view;

    *view = (LaunchView){ .batch = batch, .launch = *launch };
    view->keys = find_array(view, launch->keys, sizeof *view->keys, _Alignof(OpprofPmuKey),
                            &view->key_count);
    view->blocks = find_blocks(view);
    view->events = find_array(view, launch->events, sizeof *view->events, _Alignof(uint32_t),
                              &view->event_count);
    view->values =
        find_array(view, launch->values, sizeof *view->values, _Alignof(uint64_t), &value_count);
    view->moves = sort_array(view, launch->moves, sizeof *view->moves, &view->move_count);
    view->operands =
        sort_array(view, launch->operands, sizeof *view->operands, &view->operand_count);
    view->has_moves = OpprofBatchText(batch, launch->moves) != NULL;
    view->has_operands = OpprofBatchText(batch, launch->operands) != NULL;
    if (view->keys == NULL || view->blocks == NULL || view->events == NULL ||
        view->values == NULL || view->moves == NULL || view->operands == NULL) {
        LaunchViewFinish(view);
        return no_memory(error);
    }
    if (value_count != (uint64_t) view->key_count * view->event_count) {
        LaunchViewFinish(view);
        return OpprofErrorSet(
            error, OPPROF_E_CONTRACT,
            "Cannot analyse a launch: it has %u counters, not %u for each of %u keys", value_count,
            view->event_count, view->key_count);
    }
    return OPPROF_OK;
}

void LaunchViewFinish(LaunchView *view)
{
    for (uint32_t i = 0; i < view->copy_count; i++) {
        free(view->copies[i]);
    }
    *view = (LaunchView){ .batch = NULL };
}

PmuRow RowOfKey(const LaunchView *view, uint32_t key)
{
    return (PmuRow){ .first = key,
                     .end = key + 1,
                     .around_first = view->blocks[key].first,
                     .around_end = view->blocks[key].end };
}

PmuRow RowOfOperator(const LaunchView *view, uint32_t kind)
{
    return (PmuRow){ .end = view->key_count, .around_end = view->key_count, .kind = kind };
}

/* ---- binding ---- */

static uint32_t event_of(const char *key)
{
    return (uint32_t) strtoul(key, NULL, 10);
}

static bool is_kind(const OpprofChip *chip, const char *name)
{
    const OpprofFact *kinds = OpprofChipFact(chip, "pmu.kinds");

    for (size_t i = 0; i < OpprofFactCount(kinds); i++) {
        const char *kind = OpprofFactText(OpprofFactMember(OpprofFactAt(kinds, i), "name"));
        if (kind != NULL && strcmp(kind, name) == 0) {
            return true;
        }
    }
    return false;
}

/* name(key). False: the name is unknown. */
static bool bind_indexed(PmuMetrics *metrics, const OpprofMetricInput *input, PmuSource *source)
{
    static const struct {
        const char *name;
        SourceKind kind;
    } names[] = {
        { "moved", SOURCE_MOVED },
        { "moved_requests", SOURCE_REQUESTS },
        { "operand_instructions", SOURCE_OPERAND_INSTRUCTIONS },
        { "simd_operands", SOURCE_SIMD_OPERANDS },
        { "simt_operands", SOURCE_SIMT_OPERANDS },
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].name, input->name) == 0) {
            source->kind = names[i].kind;
            source->index = PmuIntern(metrics->stage, input->key);
            return true;
        }
    }
    source->event = event_of(input->key);
    if (strcmp(input->name, "e") == 0) {
        source->kind = SOURCE_OWN;
        return true;
    }
    if (strcmp(input->name, "block") == 0) {
        source->kind = SOURCE_BLOCK;
        return true;
    }
    source->kind = SOURCE_OF_KIND;
    source->index = PmuIntern(metrics->stage, input->name);
    return is_kind(metrics->chip, input->name);
}

/* "cube_cycles": the cycles of a kind of core. */
static bool bind_cycles_of_kind(PmuMetrics *metrics, const char *name, PmuSource *source)
{
    static const char suffix[] = "_cycles";
    const size_t length = strlen(name);
    char kind[64];

    if (length <= strlen(suffix) || length - strlen(suffix) >= sizeof kind ||
        strcmp(name + length - strlen(suffix), suffix) != 0) {
        return false;
    }
    memcpy(kind, name, length - strlen(suffix));
    kind[length - strlen(suffix)] = '\0';
    source->kind = SOURCE_CYCLES_OF_KIND;
    source->index = PmuIntern(metrics->stage, kind);
    return is_kind(metrics->chip, kind);
}

static bool bind_fact(PmuMetrics *metrics, const OpprofMetricInput *input, PmuSource *source)
{
    if (strcmp(input->name, "total_cycles") == 0) {
        source->kind = SOURCE_CYCLES;
        return true;
    }
    if (strcmp(input->name, "block_cycles") == 0) {
        source->kind = SOURCE_MOST_CYCLES;
        return true;
    }
    source->kind = SOURCE_FACT;
    for (uint32_t i = 0; i < FACTS; i++) {
        if (strcmp(fact_names[i], input->name) == 0) {
            source->index = i;
            return true;
        }
    }
    return bind_cycles_of_kind(metrics, input->name, source);
}

/* The chip file gives a core kind that has a single core in a block only that core's place. */
static void find_slots(PmuMetrics *metrics)
{
    const OpprofFact *kinds = OpprofChipFact(metrics->chip, "pmu.kinds");

    for (size_t i = 0; i < OpprofFactCount(kinds) && metrics->slot_count < PMU_MAX_SLOTS; i++) {
        const OpprofFact *kind = OpprofFactAt(kinds, i);
        const char *name = OpprofFactText(OpprofFactMember(kind, "name"));
        double slot = 0;
        if (name != NULL && OpprofFactNumber(OpprofFactMember(kind, "slot"), &slot)) {
            metrics->slots[metrics->slot_count].kind = PmuIntern(metrics->stage, name);
            metrics->slots[metrics->slot_count++].slot = (uint32_t) slot;
        }
    }
}

static OpprofStatus bind_inputs(PmuMetrics *metrics, OpprofError **error)
{
    size_t count = 0;
    const OpprofMetricInput *inputs = OpprofMetricsInputList(metrics->metrics, &count);

    find_slots(metrics);
    metrics->sources = calloc(count + 1, sizeof *metrics->sources);
    if (metrics->sources == NULL) {
        return no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        PmuSource *source = &metrics->sources[metrics->source_count++];
        *source = (PmuSource){ .input = inputs[i].input, .column = UINT32_MAX };
        const bool is_known = inputs[i].key != NULL ? bind_indexed(metrics, &inputs[i], source)
                                                    : bind_fact(metrics, &inputs[i], source);
        if (!is_known) {
            return OpprofErrorSet(
                error, OPPROF_E_DATA,
                "Chip '%s' declares '%s', which launches of operators do not have",
                OpprofChipSoc(metrics->chip), inputs[i].name);
        }
    }
    return OPPROF_OK;
}

static OpprofStatus make(PmuMetrics *made, const LaunchView *view, PmuCompile *compile,
                         OpprofError **error)
{
    OpprofStage *stage = made->stage;
    OpprofStatus status =
        OpprofChipLoad(OpprofStageString(stage, view->launch.chip), &made->chip, error);

    if (status == OPPROF_OK) {
        status = OpprofMetricsCreate(made->chip, OpprofStageString(stage, view->launch.variant),
                                     &made->metrics, error);
    }
    if (status == OPPROF_OK) {
        status = compile(made, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofMetricsSeal(made->metrics, error);
    }
    return status == OPPROF_OK ? bind_inputs(made, error) : status;
}

static void free_one(PmuMetrics *metrics)
{
    if (metrics->forget != NULL && metrics->compiled != NULL) {
        metrics->forget(metrics->compiled);
    }
    OpprofMetricsFree(metrics->metrics);
    OpprofChipFree(metrics->chip);
    free(metrics->sources);
    free(metrics->events);
    for (uint32_t i = 0; i < PMU_KEPT_ROWS; i++) {
        OpprofInputsFinish(&metrics->kept[i].inputs);
    }
    free(metrics);
}

/* The last column of an event; UINT32_MAX: none has it. */
static uint32_t column_of(const LaunchView *view, uint32_t event)
{
    uint32_t column = view->event_count;

    while (column > 0 && view->events[column - 1] != event) {
        column--;
    }
    return column - 1;
}

/* A new launch: the sums of the previous one are dropped. Launches of one chip usually have the
 * same columns. */
static OpprofStatus find_columns(PmuMetrics *metrics, const LaunchView *view, OpprofError **error)
{
    const size_t size = (size_t) view->event_count * sizeof *view->events;

    for (uint32_t i = 0; i < metrics->source_count; i++) {
        metrics->sources[i].summed.end = 0;
    }
    for (uint32_t i = 0; i < PMU_KEPT_ROWS; i++) {
        metrics->kept[i].is_set = false;
    }
    if (metrics->events != NULL && metrics->event_count == view->event_count &&
        memcmp(metrics->events, view->events, size) == 0) {
        return OPPROF_OK;
    }
    uint32_t *events = malloc(size + 1);
    if (events == NULL) {
        return no_memory(error);
    }
    memcpy(events, view->events, size);
    free(metrics->events);
    metrics->events = events;
    metrics->event_count = view->event_count;
    for (uint32_t i = 0; i < metrics->source_count; i++) {
        metrics->sources[i].column = column_of(view, metrics->sources[i].event);
    }
    return OPPROF_OK;
}

OpprofStatus PmuMetricsFind(PmuMetrics **list, OpprofStage *stage, const LaunchView *view,
                            PmuCompile *compile, PmuMetrics **ret_metrics, OpprofError **error)
{
    PmuMetrics *at = *list;

    while (at != NULL &&
           (at->chip_name != view->launch.chip || at->variant != view->launch.variant)) {
        at = at->next;
    }
    if (at == NULL) {
        at = calloc(1, sizeof *at);
        if (at == NULL) {
            return no_memory(error);
        }
        at->stage = stage;
        at->chip_name = view->launch.chip;
        at->variant = view->launch.variant;
        const OpprofStatus status = make(at, view, compile, error);
        if (status != OPPROF_OK) {
            free_one(at);
            return status;
        }
        at->next = *list;
        *list = at;
    }
    *ret_metrics = at;
    return find_columns(at, view, error);
}

void PmuMetricsFree(PmuMetrics *list)
{
    while (list != NULL) {
        PmuMetrics *next = list->next;
        free_one(list);
        list = next;
    }
}

/* ---- rows ---- */

static uint32_t key_at(const PmuRow *row, uint32_t i)
{
    return row->list != NULL ? row->list[i] : i;
}

static bool is_own(const LaunchView *view, const PmuRow *row, uint32_t key)
{
    return row->kind == OPPROF_NA_STRING || view->keys[key].kind == row->kind;
}

/* Absent when a counter is absent; counters add up without limit, so they saturate below the absent
 * value. */
static bool add_counter(const LaunchView *view, uint32_t key, uint32_t column, uint64_t *sum)
{
    const uint64_t value = column == UINT32_MAX
                               ? OPPROF_NA_U64
                               : view->values[(size_t) key * view->event_count + column];

    if (value == OPPROF_NA_U64) {
        *sum = OPPROF_NA_U64;
        return false;
    }
    if (__builtin_add_overflow(*sum, value, sum) || *sum == OPPROF_NA_U64) {
        *sum = OPPROF_NA_U64 - 1;
    }
    return true;
}

static uint64_t sum_own(const LaunchView *view, const PmuRow *row, uint32_t column)
{
    uint64_t sum = 0;

    for (uint32_t i = row->first; i < row->end; i++) {
        const uint32_t key = key_at(row, i);
        if (is_own(view, row, key) && !add_counter(view, key, column, &sum)) {
            break;
        }
    }
    return sum;
}

/* `kind` OPPROF_NA_STRING: of any kind. Absent when no core is of that kind: nothing counted. */
static uint64_t sum_around(const LaunchView *view, const PmuRow *row, PmuSource *source,
                           uint32_t kind)
{
    uint64_t sum = 0;
    bool has_any = false;

    if (source->summed.end > 0 && source->summed.end == row->around_end &&
        source->summed.first == row->around_first) {
        return source->sum;
    }
    for (uint32_t key = row->around_first; key < row->around_end; key++) {
        if (kind != OPPROF_NA_STRING && view->keys[key].kind != kind) {
            continue;
        }
        has_any = true;
        if (!add_counter(view, key, source->column, &sum)) {
            break;
        }
    }
    sum = has_any ? sum : OPPROF_NA_U64;
    source->summed = (KeyBlock){ .first = row->around_first, .end = row->around_end };
    source->sum = sum;
    return sum;
}

static uint64_t add_cycles(uint64_t sum, uint64_t cycles)
{
    return __builtin_add_overflow(sum, cycles, &sum) || sum == OPPROF_NA_U64 ? OPPROF_NA_U64 - 1
                                                                             : sum;
}

/* Did the core do anything that was counted? */
static bool has_worked(const LaunchView *view, uint32_t key)
{
    for (uint32_t i = 0; i < view->event_count; i++) {
        const uint64_t value = view->values[(size_t) key * view->event_count + i];

        if (value != 0 && value != OPPROF_NA_U64) {
            return true;
        }
    }
    return false;
}

/* The numbers of mix operators rest on the duration of the task, unless the kernel's time is asked
 * for. */
static bool uses_duration(const LaunchView *view)
{
    return LaunchIsMix(view) && (view->launch.flags & OPPROF_PMU_LAUNCH_KERNEL_SCALE) == 0;
}

/* A core that worked did not take 0 cycles: nobody counted them. */
static uint64_t sum_cycles(const LaunchView *view, const PmuRow *row)
{
    uint64_t sum = 0;
    bool is_uncounted = false;

    for (uint32_t i = row->first; i < row->end; i++) {
        const uint32_t key = key_at(row, i);
        if (is_own(view, row, key)) {
            sum = add_cycles(sum, view->keys[key].cycles);
            is_uncounted = is_uncounted || (view->keys[key].cycles == 0 && has_worked(view, key));
        }
    }
    return sum == 0 && is_uncounted && !uses_duration(view) ? OPPROF_NA_U64 : sum;
}

static uint64_t sum_cycles_around(const LaunchView *view, const PmuRow *row, uint32_t kind)
{
    uint64_t sum = 0;

    for (uint32_t key = row->around_first; key < row->around_end; key++) {
        sum = view->keys[key].kind == kind ? add_cycles(sum, view->keys[key].cycles) : sum;
    }
    return sum;
}

static uint64_t most_cycles_around(const LaunchView *view, const PmuRow *row)
{
    uint64_t most = 0;

    for (uint32_t key = row->around_first; key < row->around_end; key++) {
        most = view->keys[key].cycles > most ? view->keys[key].cycles : most;
    }
    return most;
}

/* Which of a block's three cores a key is. */
static uint32_t core_of(const PmuMetrics *metrics, const OpprofPmuKey *key)
{
    for (uint32_t i = 0; i < metrics->slot_count; i++) {
        if (metrics->slots[i].kind == key->kind) {
            return metrics->slots[i].slot;
        }
    }
    return key->sub_block;
}

/* A row of a single key has the moves of its block; in a mix operator those of its core. */
static uint64_t sum_moves(const PmuMetrics *metrics, const LaunchView *view, const PmuRow *row,
                          const PmuSource *source)
{
    const OpprofPmuKey *key =
        row->end - row->first == 1 ? &view->keys[key_at(row, row->first)] : NULL;
    const uint32_t core = key != NULL && LaunchIsMix(view) ? core_of(metrics, key) : OPPROF_NA_U32;
    uint64_t sum = 0;
    bool is_there = false;

    for (uint32_t i = key == NULL ? 0
                                  : first_from(view->moves, view->move_count, sizeof *view->moves,
                                               key->block);
         i < view->move_count; i++) {
        const OpprofPmuMove *move = &view->moves[i];
        if (key != NULL && move->block != key->block) {
            break;
        }
        if (move->path != source->index ||
            (core != OPPROF_NA_U32 && move->core != OPPROF_NA_U32 && move->core != core)) {
            continue;
        }
        is_there = true;
        const uint64_t value = source->kind == SOURCE_MOVED ? move->bytes : move->requests;
        if (__builtin_add_overflow(sum, value, &sum) || sum == OPPROF_NA_U64) {
            sum = OPPROF_NA_U64 - 1;
        }
    }
    return is_there ? sum : OPPROF_NA_U64;
}

/* Place of a key's core in the records of operands: vector operators run several blocks on one AI
 * core. */
static uint32_t operand_index(const PmuMetrics *metrics, const LaunchView *view,
                              const OpprofPmuKey *key)
{
    const OpprofBlockCores cores = OpprofBlockCoresOf(metrics->chip);
    const uint32_t core = core_of(metrics, key);

    if (!LaunchIsMix(view) && core == key->sub_block) {
        return OpprofBlockCoresPlace(&cores, key->block);
    }
    return OpprofBlockCoresCount(&cores) * key->block + core;
}

static uint64_t operand_value(const OpprofPmuOperand *operand, uint32_t kind)
{
    switch (kind) {
    case SOURCE_OPERAND_INSTRUCTIONS:
        return operand->simd_instructions + operand->simt_instructions;
    case SOURCE_SIMD_OPERANDS:
        return operand->simd_operands;
    default:
        return operand->simt_operands;
    }
}

static uint64_t sum_operands(const PmuMetrics *metrics, const LaunchView *view, const PmuRow *row,
                             const PmuSource *source)
{
    uint64_t sum = 0;

    if (!view->has_operands) {
        return OPPROF_NA_U64;
    }
    for (uint32_t i = row->first; i < row->end; i++) {
        const uint32_t key = key_at(row, i);
        if (!is_own(view, row, key)) {
            continue;
        }
        const uint32_t index = operand_index(metrics, view, &view->keys[key]);
        for (uint32_t k =
                 first_from(view->operands, view->operand_count, sizeof *view->operands, index);
             k < view->operand_count && view->operands[k].index == index; k++) {
            if (view->operands[k].type == source->index) {
                sum += operand_value(&view->operands[k], source->kind);
            }
        }
    }
    return sum == OPPROF_NA_U64 ? sum - 1 : sum;
}

static uint64_t count_of_fact(const LaunchView *view, LaunchFact fact)
{
    const OpprofPmuLaunch *launch = &view->launch;

    switch ((unsigned) fact) {
    case FACT_BLOCK_DIM:
        return launch->launched == OPPROF_NA_U32 ? OPPROF_NA_U64 : launch->launched;
    case FACT_CORES:
        return launch->cores;
    case FACT_BLOCKS:
        return launch->block_count;
    case FACT_L2_EVICT:
        return launch->l2_evict;
    case FACT_MIX:
        return (launch->flags & OPPROF_PMU_LAUNCH_MIX) != 0;
    case FACT_KERNEL_SCALE:
        return (launch->flags & OPPROF_PMU_LAUNCH_KERNEL_SCALE) != 0;
    case FACT_MEMORY_DETAIL:
        return (launch->flags & OPPROF_PMU_LAUNCH_MEMORY_DETAIL) != 0;
    case FACT_INSTRUMENTED:
        return view->has_moves;
    case FACT_SIMT:
        return (launch->flags & OPPROF_PMU_LAUNCH_SIMT) != 0;
    default:
        return OPPROF_NA_U64;
    }
}

double PmuStatedNumber(OpprofStage *stage, uint32_t text)
{
    const char *digits = OpprofStageString(stage, text);
    const size_t length = strlen(digits);

    return length > 0 && length < 16 && strspn(digits, "0123456789") == length
               ? strtod(digits, NULL)
               : OpprofNaF64();
}

static void set_fact(const PmuMetrics *metrics, OpprofInputs *inputs, const PmuSource *source,
                     const LaunchView *view)
{
    const OpprofPmuLaunch *launch = &view->launch;

    switch (source->index) {
    case FACT_SAID_FREQ:
        OpprofInputsReal(inputs, source->input, PmuStatedNumber(metrics->stage, launch->cur_freq));
        return;
    case FACT_SAID_RATED_FREQ:
        OpprofInputsReal(inputs, source->input,
                         PmuStatedNumber(metrics->stage, launch->rated_freq));
        return;
    case FACT_FREQ:
        OpprofInputsReal(inputs, source->input, launch->freq_mhz);
        return;
    case FACT_RATED_FREQ:
        OpprofInputsReal(inputs, source->input, launch->rated_mhz);
        return;
    case FACT_DURATION:
        OpprofInputsReal(inputs, source->input, launch->duration_us);
        return;
    default:
        OpprofInputsCount(inputs, source->input, count_of_fact(view, (LaunchFact) source->index));
        return;
    }
}

static uint64_t count_of(const PmuMetrics *metrics, const LaunchView *view, const PmuRow *row,
                         PmuSource *source)
{
    switch ((unsigned) source->kind) {
    case SOURCE_CYCLES:
        return sum_cycles(view, row);
    case SOURCE_CYCLES_OF_KIND:
        return sum_cycles_around(view, row, source->index);
    case SOURCE_MOST_CYCLES:
        return most_cycles_around(view, row);
    case SOURCE_OWN:
        return sum_own(view, row, source->column);
    case SOURCE_BLOCK:
        return sum_around(view, row, source, OPPROF_NA_STRING);
    case SOURCE_OF_KIND:
        return sum_around(view, row, source, source->index);
    case SOURCE_MOVED:
    case SOURCE_REQUESTS:
        return sum_moves(metrics, view, row, source);
    default:
        return sum_operands(metrics, view, row, source);
    }
}

/* The counters of a row of a single key, which most rows are; NULL: it has several. */
static const uint64_t *values_of_key(const LaunchView *view, const PmuRow *row)
{
    const bool is_single = row->end - row->first == 1 && row->kind == OPPROF_NA_STRING;

    return is_single ? &view->values[(size_t) key_at(row, row->first) * view->event_count] : NULL;
}

void PmuMetricsSetRow(PmuMetrics *metrics, const LaunchView *view, const PmuRow *row)
{
    OpprofInputs *inputs = OpprofMetricsInputs(metrics->metrics);
    const uint64_t *own = values_of_key(view, row);

    for (uint32_t i = 0; i < metrics->source_count; i++) {
        PmuSource *source = &metrics->sources[i];
        if (own != NULL && source->kind == SOURCE_OWN) {
            if (source->column != UINT32_MAX) { /* else it is absent, as all inputs are */
                OpprofInputsCount(inputs, source->input, own[source->column]);
            }
        } else if (source->kind == SOURCE_FACT) {
            set_fact(metrics, inputs, source, view);
        } else {
            OpprofInputsCount(inputs, source->input, count_of(metrics, view, row, source));
        }
    }
    OpprofMetricsDerive(metrics->metrics);
}

static void copy_inputs(const OpprofInputs *from, OpprofInputs *to)
{
    memcpy(to->nearest, from->nearest, from->count * sizeof *from->nearest);
    memcpy(to->exact, from->exact, from->count * sizeof *from->exact);
}

void PmuMetricsSetKey(PmuMetrics *metrics, const LaunchView *view, uint32_t key)
{
    OpprofInputs *inputs = OpprofMetricsInputs(metrics->metrics);
    PmuKeptRow *kept = &metrics->kept[key % PMU_KEPT_ROWS];

    if (kept->is_set && kept->key == key) {
        copy_inputs(&kept->inputs, inputs);
        return;
    }
    const PmuRow row = RowOfKey(view, key);
    PmuMetricsSetRow(metrics, view, &row);
    /* Without memory it is computed again. */
    kept->is_set =
        kept->inputs.count == inputs->count || OpprofInputsInit(&kept->inputs, inputs->count);
    if (kept->is_set) {
        copy_inputs(inputs, &kept->inputs);
        kept->key = key;
    }
}
