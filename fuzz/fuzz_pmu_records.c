/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw files of a launch, one at a time: the first byte chooses the chip, the second the file, the
 * third a number (the replay, the SIMT threads), the fourth how long the pieces are that the file
 * comes in. Any cut gives the same result.
 */
#include "fuzz/fuzz.h"
#include "plugins/parse-pmu/merge.h"
#include "plugins/parse-pmu/model.h"
#include "plugins/parse-pmu/operand_record.h"
#include "plugins/parse-pmu/task_log.h"

#include <opprof/kit/raw_names.h>
#include <opprof/kit/cutter.h>
#include <opprof/log.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 4u

static const char *const socs[] = { "Ascend910B1", "Ascend310P3", "Ascend950PR_9599" };

typedef struct Input {
    const PmuModel *model;
    uint32_t number;
    size_t piece;
    const uint8_t *bytes;
    size_t size;
} Input;

/* The models stay: they are what takes time. */
static const PmuModel *model_of(uint8_t which)
{
    static const ParserSettings settings = { .replay = "kernel" };
    static PmuModel models[OPPROF_COUNT(socs)];
    PmuModel *model = &models[which % OPPROF_COUNT(socs)];
    OpprofChip *chip = NULL;

    setenv("OPPROF_CHIP_PATH", FUZZ_CHIPS_DIR, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
    if (model->chip == NULL) {
        FUZZ_REQUIRE(OpprofChipLoad(socs[which % OPPROF_COUNT(socs)], &chip, NULL) == OPPROF_OK);
        FUZZ_REQUIRE(PmuModelLoad(chip, &settings, model, NULL) == OPPROF_OK);
    }
    return model;
}

static size_t next_piece(const Input *input, size_t at)
{
    const size_t left = input->size - at;
    return input->piece < left ? input->piece : left;
}

static void cut(const Input *input, uint32_t record_size, OpprofCutterTake *take, void *context)
{
    static OpprofCutter cutter;

    OpprofCutterBegin(&cutter, record_size);
    for (size_t at = 0, length; at < input->size; at += length) {
        length = next_piece(input, at);
        FUZZ_REQUIRE(OpprofCutterFeed(&cutter, input->bytes + at, length, take, context));
    }
    FUZZ_REQUIRE(cutter.have == input->size % record_size);
}

/* ---- counters ---- */

typedef struct MergeContext {
    Merge *merge;
    uint32_t round;
} MergeContext;

static bool take_counters(void *context, const unsigned char *records, size_t count)
{
    const MergeContext *self = context;
    return MergeRecords(self->merge, self->round, records, count);
}

static uint32_t round_of(const Input *input)
{
    return input->number % 15 + 1;
}

static void merge_input(const Input *input, Merge *merge)
{
    MergeContext context = { .merge = merge, .round = round_of(input) };

    MergeInit(merge, &input->model->layout, &input->model->plans[0]);
    cut(input, input->model->layout.counters.size, take_counters, &context);
}

static void check_keys(const Merge *merge)
{
    for (uint32_t i = 0; i < merge->key_count; i++) {
        const MergeKey *key = &merge->keys[i];
        FUZZ_REQUIRE(key->kind < merge->layout->kind_count);
        FUZZ_REQUIRE(key->cycles_min <= key->cycles && key->cycles <= key->cycles_max);
    }
}

static void try_counters(const Input *input)
{
    const Input whole = { input->model, input->number, input->size, input->bytes, input->size };
    const size_t columns = input->model->layout.event_count;
    const size_t records = input->size / input->model->layout.counters.size;
    Merge cut_up;
    Merge at_once;

    merge_input(input, &cut_up);
    merge_input(&whole, &at_once);
    check_keys(&cut_up);
    FUZZ_REQUIRE(cut_up.key_count == at_once.key_count);
    FUZZ_REQUIRE(memcmp(&cut_up.counts, &at_once.counts, sizeof cut_up.counts) == 0);
    /* A file beyond the plan counts nowhere. */
    FUZZ_REQUIRE(cut_up.counts.records + cut_up.counts.foreign + cut_up.counts.skipped ==
                 (round_of(input) <= MergeRounds(&cut_up) ? records : 0));
    FUZZ_REQUIRE(cut_up.key_count == 0 ||
                 memcmp(cut_up.values, at_once.values,
                        columns * cut_up.key_count * sizeof *cut_up.values) == 0);
    MergeFinish(&cut_up);
    MergeFinish(&at_once);
}

/* ---- the task log ---- */

static bool take_log(void *context, const unsigned char *records, size_t count)
{
    TaskLogRecords(context, records, count);
    return true;
}

static void try_task_log(const Input *input)
{
    const OpprofTaskRecord *layout = &input->model->layout.task_log;
    TaskLog log = { .layout = layout };

    cut(input, layout->size, take_log, &log);
    FUZZ_REQUIRE(log.records <= input->size / layout->size);
    const double duration = TaskLogDuration(&log, input->number);
    FUZZ_REQUIRE(OpprofIsNaF64(duration) || duration >= 0);
}

/* ---- operands ---- */

static const OperandLayout layout = {
    .magic = 0x5a5a5a5a, .header = 8, .types = 33, .entry = 24, .operands_at = 8, .gap = 64
};

static void feed_operands(const Input *input, OperandRecord *record)
{
    if (OperandRecordBegin(record, &layout, input->number % 3, input->size) != NULL) {
        FUZZ_REQUIRE(record->core_count == 0);
    }
    for (size_t at = 0, length; at < input->size; at += length) {
        length = next_piece(input, at);
        FUZZ_REQUIRE(OperandRecordFeed(record, input->bytes + at, length));
    }
}

static void try_operands(const Input *input)
{
    const Input whole = { input->model, input->number, input->size, input->bytes, input->size };
    OperandRecord cut_up;
    OperandRecord at_once;

    feed_operands(input, &cut_up);
    feed_operands(&whole, &at_once);
    FUZZ_REQUIRE(cut_up.is_refused == at_once.is_refused);
    FUZZ_REQUIRE(cut_up.core_count == at_once.core_count);
    FUZZ_REQUIRE((cut_up.cores == NULL) == (at_once.cores == NULL));
    FUZZ_REQUIRE(cut_up.cores == NULL || memcmp(cut_up.cores, at_once.cores,
                                                cut_up.core_count * sizeof *cut_up.cores) == 0);
    OperandRecordFinish(&cut_up);
    OperandRecordFinish(&at_once);
}

/* ---- basic facts ---- */

static void try_basic_info(const Input *input)
{
    static const char *const facts[] = { "name", "block_dim", "soc", "device_id", "current_freq" };
    const char *text = (const char *) input->bytes;
    const OpprofRawForm form = OpprofRawFormOf("auto", text, input->size);

    for (size_t i = 0; i < OPPROF_COUNT(facts); i++) {
        size_t length = 0;
        const char *value = OpprofRawValue(&form, facts[i], text, input->size, &length);

        FUZZ_REQUIRE(value == NULL ||
                     (length > 0 && value > text && value + length <= text + input->size));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const tries[])(const Input *) = { try_counters, try_task_log, try_basic_info,
                                                    try_operands, try_basic_info };

    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    if (size < HEADER) {
        return 0;
    }
    const Input input = { .model = model_of(data[0]),
                          .number = data[2],
                          .piece = (size_t) data[3] + 1,
                          .bytes = data + HEADER,
                          .size = size - HEADER };
    tries[data[1] % (sizeof tries / sizeof tries[0])](&input);
    return 0;
}
