/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instrumentation records in their three forms: whatever the bytes are and however they are cut
 * into pieces, what is read is the same, no record comes from beyond the input, and each ends.
 */
#include "fuzz/fuzz.h"
#include "plugins/parse-dbi/area.h"
#include "plugins/parse-dbi/chart.h"
#include "plugins/parse-dbi/moves.h"
#include "plugins/parse-dbi/packets.h"
#include "plugins/parse-dbi/rules.h"

#include <opprof/log.h>

#include <stdlib.h>
#include <string.h>

#define HEADER 4u /* of the input: form, piece, chip, nothing */
#define SLOT_BYTES 2048u
#define SLOTS 108u

/* The results of an input. */
typedef struct Sum {
    Moves moves;
    uint64_t records;
    uint64_t accesses;
    uint64_t runs;
    uint64_t hash; /* of everything, in order */
    size_t size;   /* of the input */
    uint32_t slot; /* of the record at hand */
    uint64_t sub_block;
} Sum;

static DbiTables tables[2];
static MovePaths paths[2];

static void mix(Sum *sum, uint64_t value)
{
    sum->hash = (sum->hash ^ value) * UINT64_C(0x100000001b3);
}

static bool take_run(void *context, const DbiRun *run)
{
    Sum *sum = context;

    FUZZ_REQUIRE(run->count > 0 && run->count <= DBI_MAX_ACCESSES);
    FUZZ_REQUIRE(run->from < DBI_MAX_MEMORIES && run->to < DBI_MAX_MEMORIES);
    sum->runs++;
    sum->accesses += run->count;
    mix(sum, run->src ^ run->dst << 1 ^ run->count << 2);
    mix(sum, run->src_bytes ^ run->dst_bytes << 1 ^ run->src_step << 2 ^ run->dst_step << 3);
    MovesAdd(&sum->moves, sum->slot, sum->sub_block, run);
    return sum->runs < 100000; /* enough of one input */
}

static bool take_record(void *context, uint32_t slot, uint64_t offset, DbiRecord *record)
{
    Sum *sum = context;
    const DbiSink sink = { take_run, sum };
    bool is_rough = false;

    FUZZ_REQUIRE(slot < SLOTS && offset < sum->size);
    sum->records++;
    sum->slot = slot;
    sum->sub_block = record->values[DBI_SUB_BLOCK];
    mix(sum, slot ^ offset << 8);
    if (!record->layout->rule->states_memories &&
        (record->from == DBI_NO_MEMORY || record->to == DBI_NO_MEMORY)) {
        return true;
    }
    const uint64_t before = sum->accesses;
    const DbiOutcome outcome = DbiDecompose(record, &sink, &is_rough);
    FUZZ_REQUIRE(sum->accesses - before <= DBI_MAX_ACCESSES);
    FUZZ_REQUIRE(outcome == DBI_GOOD || outcome == DBI_STOPPED || sum->accesses == before);
    return outcome != DBI_STOPPED;
}

static void take_finding(void *context, const DbiFinding *finding)
{
    Sum *sum = context;

    FUZZ_REQUIRE(finding->problem > DBI_NOTHING && finding->problem < DBI_PROBLEMS);
    FUZZ_REQUIRE(finding->offset <= sum->size);
    mix(sum, finding->offset ^ (uint64_t) finding->problem << 40);
}

static void read_area(const DbiTables *own, const DbiHandler *handler, const uint8_t *bytes,
                      size_t size, size_t piece)
{
    DbiAreaReader reader;
    bool is_good = true;

    DbiAreaBegin(&reader, own, handler);
    for (size_t at = 0; is_good && at < size; at += piece) {
        is_good = DbiAreaFeed(&reader, bytes + at, size - at < piece ? size - at : piece);
    }
    if (is_good) {
        DbiAreaEnd(&reader);
    }
}

static void read_packets(const DbiTables *own, const DbiHandler *handler, const uint8_t *bytes,
                         size_t size, size_t piece)
{
    DbiPacketReader reader;
    bool is_good = true;

    DbiPacketsBegin(&reader, own, handler);
    for (size_t at = 0; is_good && at < size; at += piece) {
        is_good = DbiPacketsFeed(&reader, bytes + at, size - at < piece ? size - at : piece);
    }
    if (is_good) {
        DbiPacketsEnd(&reader);
    }
}

static void read_chart(const DbiTables *own, Sum *sum, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; own->chart.size > 0 && size - at >= own->chart.size;
         at += own->chart.size) {
        DbiChartAccess access;
        DbiChartRead(own, bytes + at, &access);
        if (access.run.from != DBI_NO_MEMORY && access.run.to != DBI_NO_MEMORY &&
            access.slot < SLOTS) {
            sum->slot = access.slot;
            sum->sub_block = access.sub_block;
            take_run(sum, &access.run);
        }
    }
}

static void check_sums(const Sum *sum)
{
    uint64_t accesses = 0;

    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        for (uint32_t pair = 0; pair < sum->moves.memories * sum->moves.memories; pair++) {
            accesses += MovesTotal(&sum->moves, slot, 0, 0)[pair].accesses;
        }
    }
    FUZZ_REQUIRE(accesses == sum->accesses);
}

static Sum read_input(const uint8_t *data, size_t size, size_t piece)
{
    const DbiTables *own = &tables[data[2] % 2];
    Sum sum = { .size = size - HEADER };
    const DbiHandler handler = { .record = take_record, .finding = take_finding, .context = &sum };

    FUZZ_REQUIRE(MovesInit(&sum.moves, &paths[data[2] % 2], SLOTS));
    if (data[0] % 3 == 0) {
        read_area(own, &handler, data + HEADER, size - HEADER, piece);
    } else if (data[0] % 3 == 1) {
        read_packets(own, &handler, data + HEADER, size - HEADER, piece);
    } else {
        read_chart(own, &sum, data + HEADER, size - HEADER);
    }
    check_sums(&sum);
    MovesFinish(&sum.moves);
    return sum;
}

static void load_tables(void)
{
    static const char *const names[] = { "Ascend910B1", "950" };
    static bool is_loaded;
    OpprofChip *chip = NULL;

    if (is_loaded) {
        return;
    }
    setenv("OPPROF_CHIP_PATH", FUZZ_CHIPS_DIR, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
    for (size_t i = 0; i < 2; i++) { /* the chips stay: tables borrow from them */
        FUZZ_REQUIRE(OpprofChipLoad(names[i], &chip, NULL) == OPPROF_OK);
        FUZZ_REQUIRE(DbiTablesLoad(chip, &tables[i], NULL) == OPPROF_OK);
        FUZZ_REQUIRE(MovePathsLoad(chip, &tables[i], &paths[i], NULL) == OPPROF_OK);
        tables[i].area.bytes = SLOT_BYTES;
    }
    is_loaded = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    load_tables();
    if (size <= HEADER) {
        return 0;
    }
    const Sum whole = read_input(data, size, size);
    const Sum cut = read_input(data, size, (size_t) data[1] + 1);
    FUZZ_REQUIRE(whole.records == cut.records && whole.accesses == cut.accesses &&
                 whole.hash == cut.hash);
    return 0;
}
