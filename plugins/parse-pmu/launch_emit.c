/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes one record of a completely read launch, for analyses.
 * Tested by tests/plugins/parse-pmu/test_vectors.sh.
 */
#include "launch.h"

#include <opprof/kit/block_cores.h>

#include <stdio.h>
#include <stdlib.h>

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "emit a launch");
}

/* ---- keys ---- */

typedef struct SortedKey {
    const MergeKey *key;
    uint32_t index;
    char name[32];
} SortedKey;

static void print_key(const Launch *launch, const MergeKey *key, char *name, size_t size)
{
    snprintf(name, size, "%.20s%u", launch->model->layout.kinds[key->kind].name, key->sub_block);
}

uint32_t LaunchKeyName(const Launch *launch, const MergeKey *key)
{
    char name[64];

    if (launch->model->layout.one_key) {
        return OPPROF_NA_STRING;
    }
    const int length = snprintf(name, sizeof name, "%.40s%u",
                                launch->model->layout.kinds[key->kind].name, key->sub_block);
    return OpprofStageIntern(launch->base.stage, name, (size_t) length);
}

static int by_block(const void *a, const void *b)
{
    const SortedKey *x = a;
    const SortedKey *y = b;

    if (x->key->block != y->key->block) {
        return x->key->block < y->key->block ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

uint32_t *LaunchKeyOrder(const Launch *launch)
{
    const uint32_t count = launch->merge.key_count;
    SortedKey *sorted = calloc((size_t) count + 1, sizeof *sorted);
    uint32_t *order = calloc((size_t) count + 1, sizeof *order);

    if (sorted == NULL || order == NULL) {
        free(sorted);
        free(order);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        sorted[i].key = &launch->merge.keys[i];
        sorted[i].index = i;
        print_key(launch, sorted[i].key, sorted[i].name, sizeof sorted[i].name);
    }
    qsort(sorted, count, sizeof *sorted, by_block);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = sorted[i].index;
    }
    free(sorted);
    return order;
}

/* ---- facts ---- */

static uint32_t intern(const Launch *launch, const char *text)
{
    return text == NULL ? OPPROF_NA_STRING
                        : OpprofStageIntern(launch->base.stage, text, strlen(text));
}

static uint32_t intern_fact(const Launch *launch, const char *fact)
{
    size_t length = 0;
    const char *value = OpprofLaunchFact(&launch->base, fact, &length);

    return value == NULL ? OPPROF_NA_STRING : OpprofStageIntern(launch->base.stage, value, length);
}

static double default_of(const Launch *launch, const char *path, double set)
{
    double value = 0;

    if (set > 0) {
        return set;
    }
    return OpprofChipNumber(launch->model->chip, path, &value) ? value : 0;
}

double LaunchSchedulerKhz(const Launch *launch)
{
    return default_of(launch, "pmu.defaults.scheduler_khz", launch->settings->scheduler_freq);
}

/* The kinds of cores that ran, in the chip file's words. */
static const char *op_type_of(const Launch *launch, bool *ret_is_mix)
{
    const PmuLayout *layout = &launch->model->layout;
    const char *fixed = layout->facts.op_type;
    bool ran[OPPROF_CORE_KINDS] = { false };
    uint32_t kinds = 0;
    uint32_t last = 0;

    for (uint32_t i = 0; i < launch->merge.key_count; i++) {
        ran[launch->merge.keys[i].kind] = true;
    }
    for (uint32_t kind = 0; kind < layout->kind_count; kind++) {
        kinds += ran[kind];
        last = ran[kind] ? kind : last;
    }
    *ret_is_mix = kinds > 1 && fixed == NULL;
    if (fixed != NULL) {
        return fixed;
    }
    if (kinds == 0) {
        return layout->facts.none;
    }
    return kinds > 1 ? layout->facts.mix : layout->kinds[last].name;
}

static double frequency_of(const Launch *launch, double rated)
{
    double current = 0;

    if (OpprofLaunchNumber(&launch->base, "current_freq", &current)) {
        return current;
    }
    OPPROF_LAUNCH_WARNS(&launch->base,
                        "the clock while it ran is unknown, using the rated %.0f MHz", rated);
    return rated > 0 ? rated : OpprofNaF64();
}

static uint32_t flags_of(const Launch *launch, bool is_mix)
{
    const bool has_detail = launch->model->choices.takes_detail && launch->moves.is_there;

    return launch->model->choices.flags | (has_detail ? OPPROF_PMU_LAUNCH_MEMORY_DETAIL : 0) |
           (is_mix ? OPPROF_PMU_LAUNCH_MIX : 0) |
           (OpprofLaunchFlag(&launch->base, "simt") ? OPPROF_PMU_LAUNCH_SIMT : 0) |
           (launch->model->layout.one_key ? OPPROF_PMU_LAUNCH_ONE_KEY : 0);
}

uint32_t LaunchCountBlocks(const Launch *launch, const uint32_t *order)
{
    uint32_t blocks = 0;

    for (uint32_t i = 0; i < launch->merge.key_count; i++) {
        blocks +=
            i == 0 || launch->merge.keys[order[i]].block != launch->merge.keys[order[i - 1]].block;
    }
    return blocks;
}

static void fill_facts(const Launch *launch, const uint32_t *order, OpprofPmuLaunch *record)
{
    const ParserSettings *settings = launch->settings;
    const double rated = default_of(launch, "pmu.defaults.rated_freq", settings->rated_freq);
    double launched = 0;
    bool is_mix = false;
    const char *op_type = op_type_of(launch, &is_mix);

    *record = (OpprofPmuLaunch){
        .duration_us = TaskLogDuration(&launch->log, LaunchSchedulerKhz(launch)),
        .freq_mhz = frequency_of(launch, rated),
        .rated_mhz = rated > 0 ? rated : OpprofNaF64(),
        .l2_evict = launch->l2_evict,
        .device = launch->base.device,
        .kernel = launch->base.kernel,
        .order = launch->base.order,
        .chip = intern(launch, OpprofChipSoc(launch->model->chip)),
        .variant = intern(launch, settings->memory_vendor),
        .groups = intern(launch, launch->model->choices.groups),
        .views = intern(launch, launch->has_operands ? launch->model->choices.all_views
                                                     : launch->model->choices.views),
        .flags = flags_of(launch, is_mix),
        .name = intern_fact(launch, "name"),
        .op_type = intern(launch, op_type),
        .soc = intern_fact(launch, "soc"),
        .device_id = intern_fact(launch, "device_id"),
        .pid = intern_fact(launch, "pid"),
        .block_dim = intern_fact(launch, "block_dim"),
        .cur_freq = intern_fact(launch, "current_freq"),
        .rated_freq = intern_fact(launch, "rated_freq"),
        .cores = (uint32_t) default_of(launch, "cores.count", settings->cores),
        .block_count = LaunchCountBlocks(launch, order),
        .launched =
            OpprofLaunchNumber(&launch->base, "block_dim", &launched) && launched < OPPROF_NA_U32
                ? (uint32_t) launched
                : OPPROF_NA_U32,
        .moves = { OPPROF_NA_U32, 0 },
        .operands = { OPPROF_NA_U32, 0 },
    };
}

/* ---- arrays in the blob ---- */

static bool put_keys(const Launch *launch, const uint32_t *order, OpprofBatch *batch,
                     OpprofText *ret_text)
{
    const uint32_t count = launch->merge.key_count;
    char *room = OpprofBatchReserveText(batch, (size_t) count * sizeof(OpprofPmuKey) + 1);

    for (uint32_t i = 0; room != NULL && i < count; i++) {
        const MergeKey *key = &launch->merge.keys[order[i]];
        const OpprofPmuKey out = {
            .block = key->block,
            .sub_block = key->sub_block,
            .kind = intern(launch, launch->model->layout.kinds[key->kind].name),
            .name = LaunchKeyName(launch, key),
            .core = key->core,
            .cycles = key->cycles,
            .cycles_min = key->cycles_min,
            .cycles_max = key->cycles_max,
        };
        memcpy(room + (size_t) i * sizeof out, &out, sizeof out);
    }
    if (room != NULL) {
        *ret_text = OpprofBatchCommitText(batch, (size_t) count * sizeof(OpprofPmuKey));
    }
    return room != NULL;
}

/* Values come before events, whose number may be odd, so that readers find the values aligned. */
static bool put_values(const Launch *launch, const uint32_t *order, OpprofBatch *batch,
                       OpprofPmuLaunch *record)
{
    const PmuLayout *layout = &launch->model->layout;
    const size_t events = layout->event_count * sizeof *layout->events;
    const size_t row = layout->event_count * sizeof *launch->merge.values;
    char *room = OpprofBatchReserveText(batch, row * launch->merge.key_count + 1);

    for (uint32_t i = 0; room != NULL && i < launch->merge.key_count; i++) {
        memcpy(room + i * row, launch->merge.values + (size_t) order[i] * layout->event_count, row);
    }
    if (room == NULL) {
        return false;
    }
    record->values = OpprofBatchCommitText(batch, row * launch->merge.key_count);
    return OpprofBatchAppendText(batch, (const char *) layout->events, events, &record->events) ==
           OPPROF_OK;
}

/* The rule by which slots become blocks. */
static OpprofDbiOp slots_of(const Launch *launch, const OpprofPmuLaunch *record)
{
    const char *type = OpprofStageString(launch->base.stage, record->op_type);

    if ((record->flags & OPPROF_PMU_LAUNCH_MIX) != 0) {
        return OPPROF_DBI_MIX;
    }
    return strcmp(type, "vector") == 0 ? OPPROF_DBI_VECTOR : OPPROF_DBI_CUBE;
}

static bool put_move(OpprofBatch *batch, OpprofPmuMove move)
{
    char *room = OpprofBatchReserveText(batch, sizeof move);

    if (room != NULL) {
        memcpy(room, &move, sizeof move);
        OpprofBatchCommitText(batch, sizeof move);
    }
    return room != NULL;
}

/* Chips that add up by block get all paths for every block that ran. */
static bool put_nothing_moved(const Launch *launch, const uint32_t *order, OpprofBatch *batch)
{
    const PmuFacts *facts = &launch->model->layout.facts;
    bool is_good = true;

    for (uint32_t i = 0; i < launch->merge.key_count; i++) {
        const uint32_t block = launch->merge.keys[order[i]].block;

        if (i > 0 && launch->merge.keys[order[i - 1]].block == block) {
            continue;
        }
        for (uint32_t path = 0; is_good && path < facts->move_count; path++) {
            is_good =
                put_move(batch, (OpprofPmuMove){ .block = block,
                                                 .core = OPPROF_NA_U32,
                                                 .path = intern(launch, facts->moves[path]) });
        }
    }
    return is_good;
}

static bool put_moves(const Launch *launch, const uint32_t *order, OpprofBatch *batch,
                      OpprofPmuLaunch *record)
{
    const bool by_core = launch->model->layout.facts.moves_by_core;
    const bool each_vector = slots_of(launch, record) == OPPROF_DBI_VECTOR;
    const OpprofBlockCores cores = OpprofBlockCoresOf(launch->model->chip);
    const uint32_t start = batch->blob_size;
    bool is_good = by_core || put_nothing_moved(launch, order, batch);

    for (size_t i = 0; is_good && i < launch->moves.count; i++) {
        const OpprofDbiMove *move = &launch->moves.list[i];
        const uint32_t core = each_vector ? 0 : move->slot % OpprofBlockCoresCount(&cores);
        is_good = put_move(
            batch, (OpprofPmuMove){ .block = OpprofBlockCoresBlock(&cores, move->slot, each_vector),
                                    .core = by_core ? core : OPPROF_NA_U32,
                                    .path = move->path,
                                    .bytes = move->bytes,
                                    .requests = move->requests });
    }
    record->moves = (OpprofText){ .offset = start, .length = batch->blob_size - start };
    return is_good;
}

static bool put_operands(const Launch *launch, OpprofBatch *batch, OpprofText *ret_text)
{
    const PmuFacts *facts = &launch->model->layout.facts;
    const OperandRecord *record = &launch->operands;
    const size_t core_count = record->cores == NULL ? 0 : record->core_count;
    char *room = OpprofBatchReserveText(
        batch, core_count * OPERAND_MAX_TYPES * sizeof(OpprofPmuOperand) + 1);
    size_t count = 0;

    for (size_t i = 0; room != NULL && i < core_count; i++) {
        const OperandCore *core = &record->cores[i];
        for (uint32_t type = 0; type < record->layout->types && type < facts->operand_count;
             type++) {
            const OpprofPmuOperand out = {
                .index = (uint32_t) i,
                .type = intern(launch, facts->operands[type]),
                .simd_instructions = core->simd.instructions[type],
                .simt_instructions = core->simt.instructions[type],
                .simd_operands = core->simd.operands[type],
                .simt_operands = core->simt.operands[type],
            };
            if ((out.simd_instructions | out.simt_instructions | out.simd_operands |
                 out.simt_operands) != 0) {
                memcpy(room + count++ * sizeof out, &out, sizeof out);
            }
        }
    }
    if (room != NULL) {
        *ret_text = OpprofBatchCommitText(batch, count * sizeof(OpprofPmuOperand));
    }
    return room != NULL;
}

OpprofStatus LaunchEmit(const Launch *launch, OpprofBatch *batch, OpprofError **error)
{
    uint32_t *order = LaunchKeyOrder(launch);
    OpprofPmuLaunch record;

    if (order == NULL) {
        return no_memory(error);
    }
    fill_facts(launch, order, &record);
    bool is_good =
        put_keys(launch, order, batch, &record.keys) && put_values(launch, order, batch, &record);
    if (is_good && launch->moves.is_there) {
        is_good = put_moves(launch, order, batch, &record);
    }
    if (is_good && launch->has_operands) {
        is_good = put_operands(launch, batch, &record.operands);
    }
    OpprofPmuLaunch *room = is_good ? OpprofBatchAppend(batch) : NULL;
    free(order);
    if (room == NULL) {
        return no_memory(error);
    }
    *room = record;
    batch->partition = launch->base.partition;
    batch->watermark = UINT64_MAX;
    return OPPROF_OK;
}
