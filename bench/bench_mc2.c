/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks of cores: words to spans and stamps to pairs, each against copying the same bytes. Times
 * are the thread's own, as the machine may have other things to do.
 */
#include "bench/bench.h"
#include "plugins/mc2/core_marks.h"
#include "plugins/mc2/lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARKS UINT64_C(5000000)
#define PIECE ((size_t) 256 << 10)
#define WORDS_AT_ONCE 512u

static OpprofChip *load(const char *name)
{
    OpprofChip *chip = NULL;

    setenv("OPPROF_CHIP_PATH", BENCH_CHIPS_DIR, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", BENCH_FACT_PATH, 1);
    if (OpprofChipLoad(name, &chip, NULL) != OPPROF_OK) {
        fprintf(stderr, "bench_mc2: no chip '%s'\n", name);
        exit(1);
    }
    return chip;
}

static void note(BenchSample *sample, uint64_t marks, uint64_t begin)
{
    sample->seconds = (double) (BenchThreadCpu() - begin) / 1e9;
    sample->amount = (double) marks;
}

static bool copy(unsigned char *to, const unsigned char *from, size_t size)
{
    for (size_t at = 0; at < size; at += PIECE) {
        memcpy(to, from + at, size - at < PIECE ? size - at : PIECE);
        BenchKeep(to);
    }
    return true;
}

/* ---- words ---- */

typedef struct Words {
    BiuFacts facts;
    unsigned char *bytes;
    unsigned char *room;
    uint64_t count;
} Words;

static bool count_item(void *context, const LaneItem *item)
{
    uint64_t *sum = context;

    *sum += item->end;
    return true;
}

static bool decode_words(void *context, BenchSample *sample)
{
    const Words *words = context;
    const uint64_t begin = BenchThreadCpu();
    const unsigned char *at = words->bytes;
    const unsigned char *end = at + words->count * 4;
    WordStream stream;
    Lanes lanes;
    uint64_t sum = 0;
    bool is_good = true;

    WordStreamInit(&stream, &words->facts, words->facts.core_hz);
    LanesInit(&lanes, LANES_PIPES, count_item, &sum);
    while (is_good && at < end) {
        Word out[WORDS_AT_ONCE];
        const size_t count = WordStreamDecode(&stream, &at, end, out, WORDS_AT_ONCE);
        is_good = LanesWords(&lanes, out, count);
    }
    is_good = is_good && LanesEnd(&lanes) && stream.counts.words == words->count;
    BenchKeep(&sum);
    LanesFinish(&lanes);
    note(sample, words->count, begin);
    return is_good;
}

static bool copy_words(void *context, BenchSample *sample)
{
    const Words *words = context;
    const uint64_t begin = BenchThreadCpu();
    const bool is_good = copy(words->room, words->bytes, words->count * 4);

    note(sample, words->count, begin);
    return is_good;
}

/* Busy pipes, marks and regions as a kernel with many marks has them. */
static void run_words(Bench *bench)
{
    static const uint32_t pattern[] = { 0xf0110010, 0x10070020, 0x14030005, 0xf0010030,
                                        0x1c030040, 0x20090008, 0xf0000010, 0x30050003 };
    OpprofChip *chip = load("950");
    Words words = { .count = BenchAmount(bench, MARKS) };
    const BenchCase one = { .name = "words to spans",
                            .unit = "Mmarks/s",
                            .scale = 1e6,
                            .goal = 0.05,
                            .subject = { "decode, pair", decode_words, &words },
                            .peer = { "memcpy", copy_words, &words } };

    words.bytes = malloc(words.count * 4);
    words.room = malloc(PIECE);
    if (words.bytes == NULL || words.room == NULL ||
        BiuFactsLoad(chip, &words.facts, NULL) != OPPROF_OK) {
        exit(1);
    }
    for (uint64_t i = 0; i < words.count; i++) {
        memcpy(words.bytes + 4 * i, &pattern[i % 8], 4);
    }
    BenchRun(bench, &one);
    free(words.bytes);
    free(words.room);
    OpprofChipFree(chip);
}

/* ---- stamps ---- */

typedef struct Stamps {
    Mc2Facts facts;
    Blocks blocks;
    unsigned char *bytes;
    unsigned char *room;
    uint64_t count;
} Stamps;

static bool pair_stamps(void *context, BenchSample *sample)
{
    Stamps *stamps = context;
    const uint64_t begin = BenchThreadCpu();
    MarkPairing pairing = { .kind = CORE_MARKS_PLAIN,
                            .format = BLOCK_FORMAT_NEW,
                            .facts = &stamps->facts,
                            .blocks = &stamps->blocks };
    bool is_good = true;

    for (uint64_t i = 0; is_good && i < stamps->count; i++) {
        const CoreMark mark = CoreMarkRead(stamps->bytes + CORE_MARK_BYTES * i);
        MarkPair pair;
        bool is_pair = false;
        is_good = MarkPairingTake(&pairing, &mark, &pair, &is_pair);
    }
    is_good = is_good && pairing.counts.pairs == stamps->count / 2;
    MarkPairingFinish(&pairing);
    note(sample, stamps->count, begin);
    return is_good;
}

static bool copy_stamps(void *context, BenchSample *sample)
{
    const Stamps *stamps = context;
    const uint64_t begin = BenchThreadCpu();
    const bool is_good = copy(stamps->room, stamps->bytes, stamps->count * CORE_MARK_BYTES);

    note(sample, stamps->count, begin);
    return is_good;
}

static void put(unsigned char *at, uint64_t value, size_t bytes)
{
    memcpy(at, &value, bytes);
}

static void fill_stamps(Stamps *stamps)
{
    for (uint32_t block = 0; block < 24; block++) {
        unsigned char record[128] = { 41 };
        put(record + 30, block, 2);
        put(record + 112, 1, 8);
        put(record + 120, UINT32_MAX, 8);
        BlocksRecords(&stamps->blocks, record, 1);
    }
    for (uint64_t i = 0; i < stamps->count; i++) {
        unsigned char *record = stamps->bytes + CORE_MARK_BYTES * i;
        const uint64_t block = i / 2 % 24;
        put(record, i + 1, 8);
        put(record + 8, block << 16 | block, 4);
        put(record + 12, 70000 + i / 48 % 8, 4);
        put(record + 16, 64, 8);
    }
}

static void run_stamps(Bench *bench)
{
    OpprofChip *chip = load("Ascend910B1");
    Stamps stamps = { .count = BenchAmount(bench, MARKS) / 48 * 48 };
    const BenchCase one = { .name = "stamps to pairs",
                            .unit = "Mmarks/s",
                            .scale = 1e6,
                            .goal = 0.05,
                            .subject = { "read, pair", pair_stamps, &stamps },
                            .peer = { "memcpy", copy_stamps, &stamps } };

    stamps.bytes = malloc(stamps.count * CORE_MARK_BYTES + 1);
    stamps.room = malloc(PIECE);
    if (stamps.bytes == NULL || stamps.room == NULL ||
        Mc2FactsLoad(chip, &stamps.facts, NULL) != OPPROF_OK) {
        exit(1);
    }
    stamps.blocks.layout = &stamps.facts.blocks;
    fill_stamps(&stamps);
    BenchRun(bench, &one);
    free(stamps.bytes);
    free(stamps.room);
    BlocksFinish(&stamps.blocks);
    OpprofChipFree(chip);
}

int main(int argc, char **argv)
{
    int status = 0;
    Bench *bench = BenchOpen("mc2", argc, argv, &status);

    if (bench == NULL) {
        return status;
    }
    run_words(bench);
    run_stamps(bench);
    return BenchClose(bench);
}
