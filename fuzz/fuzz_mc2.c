/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every stream of records of timelines: the first byte chooses the stream, the second how long the
 * pieces are that it comes in. Any cut gives the same result.
 */
#include "fuzz/fuzz.h"
#include "plugins/mc2/aicpu.h"
#include "plugins/mc2/container.h"
#include "plugins/mc2/core_marks.h"
#include "plugins/mc2/display.h"
#include "plugins/mc2/lanes.h"
#include "plugins/mc2/monitor.h"
#include "plugins/mc2/region_map.h"
#include "plugins/mc2/task_log.h"

#include <opprof/kit/cutter.h>
#include <opprof/kit/raw_names.h>
#include <opprof/log.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 2u

typedef struct Input {
    const uint8_t *bytes;
    size_t size;
    size_t piece;
} Input;

static Mc2Facts mc2;
static BiuFacts biu;
static BiuFacts older;

static const OpprofChip *load(const char *name)
{
    static OpprofChip *chips[4]; /* stay: loading is what takes time */
    static size_t count;
    OpprofChip *chip = NULL;

    setenv("OPPROF_CHIP_PATH", FUZZ_CHIPS_DIR, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
    FUZZ_REQUIRE(OpprofChipLoad(name, &chip, NULL) == OPPROF_OK);
    FUZZ_REQUIRE(count < sizeof chips / sizeof chips[0]);
    chips[count++] = chip;
    return chip;
}

static void load_facts(void)
{
    static bool is_loaded;

    if (!is_loaded) {
        FUZZ_REQUIRE(Mc2FactsLoad(load("Ascend910B1"), &mc2, NULL) == OPPROF_OK);
        FUZZ_REQUIRE(BiuFactsLoad(load("950"), &biu, NULL) == OPPROF_OK);
        FUZZ_REQUIRE(BiuFactsLoad(load("Ascend910B1"), &older, NULL) == OPPROF_OK);
        is_loaded = true;
    }
}

/* A number that stands for all that came out. */
static uint64_t mix(uint64_t sum, uint64_t value)
{
    return (sum ^ value) * UINT64_C(0x100000001b3);
}

static void cut(const Input *input, uint32_t size, OpprofCutterTake *take, void *context)
{
    static OpprofCutter pieces;

    OpprofCutterBegin(&pieces, size);
    for (size_t at = 0; at < input->size; at += input->piece) {
        const size_t left = input->size - at;
        FUZZ_REQUIRE(OpprofCutterFeed(&pieces, input->bytes + at,
                                      left < input->piece ? left : input->piece, take, context));
    }
    FUZZ_REQUIRE(pieces.have == input->size % size);
}

/* ---- the log of tasks ---- */

static bool take_log(void *context, const unsigned char *records, size_t count)
{
    return TaskLogRecords(context, records, count);
}

static uint64_t try_log(const Input *input)
{
    TaskLog log = { .layout = &mc2.log };
    uint64_t sum = 0;

    cut(input, mc2.log.size, take_log, &log);
    TaskLogEnd(&log);
    FUZZ_REQUIRE(log.counts.records == input->size / mc2.log.size);
    FUZZ_REQUIRE(2 * log.counts.tasks + log.counts.without_start + log.counts.other <=
                 log.counts.records);
    for (size_t i = 0; i < log.time_count; i++) {
        const TaskTime *time = &log.times[i];
        FUZZ_REQUIRE(time->start <= time->end);
        sum = mix(mix(sum, time->start), time->end);
        const TaskTime *taken = TaskLogTake(&log, time->stream, time->task & 0xffff);
        FUZZ_REQUIRE(taken == NULL || taken->stream == time->stream);
    }
    const LaunchStart start = TaskLogLaunch(&log, true, 3, 2);
    FUZZ_REQUIRE(start.cores == 0 || start.cpu <= start.cores);
    TaskLogFinish(&log);
    return sum;
}

/* ---- reports of the AI CPU ---- */

static bool take_reports(void *context, const unsigned char *records, size_t count)
{
    uint64_t *sum = context;

    for (size_t i = 0; i < count; i++) {
        AicpuReport report;
        AicpuRead(records + i * AICPU_RECORD_BYTES, &report);
        FUZZ_REQUIRE(report.task_count <= AICPU_MAX_TASKS);
        FUZZ_REQUIRE(report.kind == AICPU_TASKS || report.task_count == 0);
        *sum = mix(*sum, report.kind + report.task_count);
        for (uint32_t k = 0; k < report.task_count; k++) {
            *sum = mix(*sum, report.tasks[k].item);
            FUZZ_REQUIRE(TaskNameFind(report.tasks[k].item)->name != NULL);
        }
    }
    return true;
}

static uint64_t try_reports(const Input *input)
{
    uint64_t sum = 0;

    cut(input, AICPU_RECORD_BYTES, take_reports, &sum);
    return sum;
}

/* ---- blocks and marks: the first records are blocks, the rest marks ---- */

typedef struct MarkContext {
    MarkPairing *pairing;
    uint64_t sum;
    bool is_lccl;
} MarkContext;

static bool take_marks(void *context, const unsigned char *records, size_t count)
{
    MarkContext *self = context;

    for (size_t i = 0; i < count; i++) {
        const CoreMark mark = self->is_lccl ? LcclMarkRead(records + i * LCCL_MARK_BYTES)
                                            : CoreMarkRead(records + i * CORE_MARK_BYTES);
        MarkPair pair;
        bool is_pair = false;
        FUZZ_REQUIRE(MarkPairingTake(self->pairing, &mark, &pair, &is_pair));
        if (is_pair) {
            const BlockSpan *block = BlocksFind(self->pairing->blocks, pair.is_cube, pair.number);
            FUZZ_REQUIRE(block != NULL && pair.start.time >= block->start &&
                         pair.end <= block->end && pair.start.time <= pair.end);
            self->sum = mix(mix(self->sum, pair.start.time), pair.end);
        }
    }
    return true;
}

static uint64_t try_marks(const Input *input, CoreMarkKind kind)
{
    Blocks blocks = { .layout = &mc2.blocks };
    const size_t records = input->size / (4 * (size_t) mc2.blocks.record.size);
    const size_t head = records * mc2.blocks.record.size;
    const Input rest = { input->bytes + head, input->size - head, input->piece };
    MarkPairing pairing = {
        .kind = kind, .format = (BlockFormat) (records & 1), .facts = &mc2, .blocks = &blocks
    };
    MarkContext context = { .pairing = &pairing, .is_lccl = kind == CORE_MARKS_LCCL };

    FUZZ_REQUIRE(BlocksRecords(&blocks, input->bytes, records));
    BlocksSort(&blocks);
    cut(&rest, context.is_lccl ? LCCL_MARK_BYTES : CORE_MARK_BYTES, take_marks, &context);
    MarkPairingEnd(&pairing);
    MarkPairingFinish(&pairing);
    BlocksFinish(&blocks);
    return context.sum;
}

/* ---- words ---- */

static bool take_item(void *context, const LaneItem *item)
{
    uint64_t *sum = context;

    FUZZ_REQUIRE(item->start <= item->end && item->pipe < BIU_PIPES);
    *sum = mix(mix(mix(*sum, item->start), item->end), item->kind + item->id);
    return true;
}

static uint64_t try_words(const Input *input, LanesMode mode)
{
    WordStream stream;
    Lanes lanes;
    uint64_t sum = 0;

    WordStreamInit(&stream, &biu, biu.core_hz);
    LanesInit(&lanes, mode, take_item, &sum);
    for (size_t at = 0; at < input->size; at += input->piece) {
        const size_t left = input->size - at;
        const unsigned char *from = input->bytes + at;
        const unsigned char *end = from + (left < input->piece ? left : input->piece);
        while (from < end) {
            Word words[5];
            FUZZ_REQUIRE(
                LanesWords(&lanes, words, WordStreamDecode(&stream, &from, end, words, 5)));
        }
    }
    WordStreamEnd(&stream);
    FUZZ_REQUIRE(LanesEnd(&lanes));
    FUZZ_REQUIRE(stream.counts.words == input->size / 4 && stream.have == input->size % 4);
    LanesFinish(&lanes);
    return sum;
}

/* ---- containers: of one chunk only its head and a little of its data can come ---- */

static bool take_chunk(void *context, uint32_t core, uint32_t type, const unsigned char *bytes,
                       size_t length)
{
    uint64_t *sum = context;

    FUZZ_REQUIRE(core < 6 && type < CONTAINER_CORE_TYPES);
    for (size_t i = 0; i < length; i++) {
        *sum = mix(*sum, bytes[i]);
    }
    return true;
}

static uint64_t try_container(const Input *input)
{
    ContainerReader reader = { .cores = 6 };
    uint64_t sum = 0;

    for (size_t at = 0; at < input->size; at += input->piece) {
        const size_t left = input->size - at;
        FUZZ_REQUIRE(ContainerFeed(&reader, input->bytes + at,
                                   left < input->piece ? left : input->piece, take_chunk, &sum));
    }
    return sum;
}

/* ---- older monitors ---- */

static bool take_monitor(void *context, const unsigned char *records, size_t count)
{
    uint64_t *sum = context;
    unsigned char bytes[MONITOR_BYTES];

    for (size_t i = 0; i < count; i++) {
        const unsigned char *record = records + i * older.cube_record.size;
        MonitorFlow flow;
        MonitorCycles cycles;
        FUZZ_REQUIRE(MonitorGather(&older.cube_record.flow, record, bytes));
        MonitorReadFlow(bytes, &flow);
        FUZZ_REQUIRE(MonitorGather(&older.cube_record.cycles, record, bytes));
        MonitorReadCycles(bytes, &cycles);
        for (uint32_t k = 0; k < MONITOR_PIPES; k++) {
            FUZZ_REQUIRE(cycles.values[k] < 4096 && MonitorDelta(7, cycles.values[k]) < 4096);
        }
        *sum = mix(mix(*sum, flow.timestamp), cycles.timestamp);
    }
    return true;
}

static uint64_t try_monitor(const Input *input)
{
    uint64_t sum = 0;

    cut(input, older.cube_record.size, take_monitor, &sum);
    return sum;
}

/* ---- texts ---- */

static uint64_t try_texts(const Input *input)
{
    const char *text = (const char *) input->bytes;
    RegionMap map = { .count = 0 };
    Display display;
    uint64_t address = 0;
    uint32_t pipe = 0;
    size_t length = 0;

    for (size_t at = 0; at < input->size;) {
        const char *end = memchr(text + at, '\n', input->size - at);
        length = end == NULL ? input->size - at : (size_t) (end - text) - at;
        FUZZ_REQUIRE(RegionMapLine(&map, text + at, length, 1));
        FUZZ_REQUIRE(!RegionTuneLine(text + at, length, &pipe) || pipe < BIU_PIPES);
        at += length + 1;
    }
    FUZZ_REQUIRE(map.count + map.skipped <= map.lines);
    for (size_t i = 0; i < map.count; i++) {
        FUZZ_REQUIRE(RegionMapFind(&map, map.list[i].pipe, map.list[i].id) == &map.list[i]);
    }
    RegionMapFinish(&map);
    if (DisplayRead(text, input->size, &display, NULL) == OPPROF_OK) {
        FUZZ_REQUIRE(display.count <= DISPLAY_MAX_NAMES);
    }
    DisplayFinish(&display);
    const OpprofRawForm form = OpprofRawFormOf("auto", text, input->size);
    const char *soc = OpprofRawValue(&form, "soc", text, input->size, &length);
    FUZZ_REQUIRE(soc == NULL || (length > 0 && soc + length <= text + input->size));
    OpprofRawAddress(text, input->size, &address);
    return 0;
}

static uint64_t try(uint8_t stream, const Input *input)
{
    switch (stream % 11) {
    case 0:
        return try_log(input);
    case 1:
        return try_reports(input);
    case 2:
        return try_marks(input, CORE_MARKS_PLAIN);
    case 3:
        return try_marks(input, CORE_MARKS_MC2);
    case 4:
        return try_marks(input, CORE_MARKS_LCCL);
    case 5:
        return try_words(input, LANES_PIPES);
    case 6:
        return try_words(input, LANES_CHECKPOINTS);
    case 7:
        return try_words(input, LANES_INSTRUCTIONS);
    case 8:
        return try_container(input);
    case 9:
        return try_monitor(input);
    default:
        return try_texts(input);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    if (size < HEADER) {
        return 0;
    }
    load_facts();
    const Input pieces = { data + HEADER, size - HEADER, (size_t) data[1] + 1 };
    const Input whole = { data + HEADER, size - HEADER, size };
    FUZZ_REQUIRE(try(data[0], &pieces) == try(data[0], &whole));
    return 0;
}
