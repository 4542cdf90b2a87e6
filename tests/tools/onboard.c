/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the raw files of launches on a device, for tests and benches. */
#include "tests/tools/onboard.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SIMT_THREADS = 2048, OPERAND_TYPES = 33, PART_SIZE = 856, GAP_SIZE = 64 };

static const char *const suffixes[ONBOARD_SERIES_COUNT] = { "310p", "910b", "a5" };
static const uint32_t clocks_khz[ONBOARD_SERIES_COUNT] = { 38400, 50000, 1000000 };

typedef struct Key {
    uint32_t block;
    uint32_t sub_block;
    OnboardCore core;
} Key;

static void put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t) value;
    at[1] = (uint8_t) (value >> 8);
}

static void put32(uint8_t *at, uint32_t value)
{
    put16(at, value & 0xffff);
    put16(at + 2, value >> 16);
}

static void put64(uint8_t *at, uint64_t value)
{
    put32(at, (uint32_t) value);
    put32(at + 4, (uint32_t) (value >> 32));
}

/* ---- tables ---- */

static bool take_event(OnboardFacts *facts, char *line)
{
    OnboardEvent *event = &facts->events[facts->event_count];
    char *name;

    if (facts->event_count == ONBOARD_MAX_EVENTS || line[0] < '0' || line[0] > '9') {
        return line[0] == 'e';
    }
    event->id = (uint32_t) strtoul(line, &name, 10);
    name = strchr(name + 1, ',');
    if (name == NULL) {
        return false;
    }
    snprintf(event->name, sizeof event->name, "%.*s", (int) strcspn(name + 1, ","), name + 1);
    facts->event_count++;
    return true;
}

static bool take_round(OnboardFacts *facts, char *line)
{
    const OnboardCore core = strncmp(line, "aiv", 3) == 0 ? ONBOARD_VECTOR : ONBOARD_CUBE;
    char *at = strchr(line, ',');
    unsigned long round;

    if (strncmp(line, "core,round", 10) == 0) {
        return true;
    }
    round = at == NULL ? 0 : strtoul(at + 1, &at, 10);
    if (round < 1 || round > ONBOARD_MAX_ROUNDS) {
        return false;
    }
    for (uint32_t slot = 0; slot < ONBOARD_MAX_SLOTS && *at == ','; slot++) {
        facts->plan[core][round - 1][slot] = (uint32_t) strtoul(at + 1, &at, 10);
        facts->slots = slot + 1;
    }
    facts->rounds = round > facts->rounds ? (uint32_t) round : facts->rounds;
    return true;
}

static bool read_table(const char *directory, const char *name, OnboardFacts *facts,
                       bool (*take)(OnboardFacts *facts, char *line))
{
    char path[PATH_MAX], line[2048];
    bool is_good = true;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s_%s.csv", directory, name, suffixes[facts->series]);
    file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot open '%s': %s\n", path, strerror(errno));
        return false;
    }
    while (is_good && fgets(line, sizeof line, file) != NULL) {
        is_good = take(facts, line);
    }
    fclose(file);
    if (!is_good) {
        fprintf(stderr, "cannot read '%s' at: %s", path, line);
    }
    return is_good;
}

bool OnboardReadFacts(const char *directory, OnboardSeries series, OnboardFacts *ret_facts)
{
    memset(ret_facts, 0, sizeof *ret_facts);
    ret_facts->series = series;
    return read_table(directory, "pmu_events", ret_facts, take_event) &&
           read_table(directory, "replay_rounds", ret_facts, take_round);
}

static const char *event_name(const OnboardFacts *facts, uint32_t id)
{
    for (uint32_t i = 0; i < facts->event_count; i++) {
        if (facts->events[i].id == id) {
            return facts->events[i].name;
        }
    }
    return "";
}

/* ---- counters ---- */

static uint32_t key_count(const OnboardFacts *facts, const OnboardLaunch *launch)
{
    if (facts->series == ONBOARD_310P) {
        return 1;
    }
    return launch->blocks * (launch->op == ONBOARD_OP_MIX ? 3 : 1);
}

/*
 * Vector cores come in pairs beside each cube core; the device runs blocks in no order of theirs.
 */
static Key key_at(const OnboardFacts *facts, const OnboardLaunch *launch, uint32_t number)
{
    if (launch->op == ONBOARD_OP_MIX && facts->series != ONBOARD_310P) {
        return (Key){ .block = number / 3,
                      .sub_block = number % 3 == 2 ? 1 : 0,
                      .core = number % 3 == 0 ? ONBOARD_CUBE : ONBOARD_VECTOR };
    }
    return (Key){ .block = number,
                  .core = launch->op == ONBOARD_OP_VECTOR ? ONBOARD_VECTOR : ONBOARD_CUBE };
}

static OnboardRandom source_of(const OnboardLaunch *launch, uint64_t number, uint64_t round)
{
    OnboardRandom source = { .state = launch->seed * 1000003 + number * 8191 + round };

    OnboardDraw(&source, 1);
    return source;
}

/* Where the fields of a record are. */
typedef struct Places {
    uint16_t cycles, core_type, core, sub_block, block, counters;
} Places;

static const Places places[ONBOARD_SERIES_COUNT] = {
    [ONBOARD_310P] = { .cycles = 16, .counters = 32 },
    [ONBOARD_A2] = { 32, 20, 20, 28, 30, 48 },
    [ONBOARD_A5] = { 8, 20, 21, 24, 26, 32 },
};

static void put_identity(const OnboardFacts *facts, const Key *key, uint32_t core, uint8_t *record)
{
    const Places *place = &places[facts->series];

    if (facts->series == ONBOARD_310P) {
        return;
    }
    put16(record, 0x29 | (core & 0xf) << 6);
    put16(record + 4, 7);
    put16(record + 6, 11);
    if (facts->series == ONBOARD_A2) {
        record[place->core] = (uint8_t) (core << 1);
    } else {
        record[place->core] = (uint8_t) core;
    }
    record[place->core_type] |= key->core == ONBOARD_VECTOR;
    put16(record + place->sub_block, key->sub_block);
    put16(record + place->block, key->block);
}

/* ---- times ---- */

enum { GAP_TICKS = 5000 }; /* between replays */

static uint64_t longest(const OnboardFacts *facts, const OnboardLaunch *launch)
{
    uint64_t cycles = 0;

    for (uint32_t i = 0; i < key_count(facts, launch); i++) {
        OnboardRandom source = source_of(launch, i, 0);
        const Key key = key_at(facts, launch, i);
        OnboardLoad *load = OnboardLoadCreate(launch, facts->series, key.core, &source);
        if (load != NULL && OnboardLoadCycles(load) > cycles) {
            cycles = OnboardLoadCycles(load);
        }
        OnboardLoadFree(load);
    }
    return cycles;
}

/* Ticks from a task's start to its end. */
static uint64_t task_ticks(const OnboardFacts *facts, const OnboardLaunch *launch)
{
    const uint32_t mhz = launch->freq != 0 ? launch->freq : launch->rated;

    return launch->duration_us > 0
               ? (uint64_t) (launch->duration_us * clocks_khz[facts->series] / 1000 + 0.5)
               : (longest(facts, launch) + 2000) * clocks_khz[facts->series] / mhz / 1000;
}

/* Ticks of a replay (from 1): they differ a little. */
static uint64_t replay_ticks(const OnboardLaunch *launch, uint32_t round, uint64_t ticks)
{
    return ticks + (launch->duration_us > 0 ? 0 : (round - 1) % 3);
}

static uint64_t replay_start(const OnboardLaunch *launch, uint32_t round, uint64_t ticks)
{
    uint64_t now = 1000000 + launch->later;

    for (uint32_t earlier = 1; earlier < round; earlier++) {
        now += replay_ticks(launch, earlier, ticks) + GAP_TICKS;
    }
    return now;
}

static bool put_record(const OnboardFacts *facts, const OnboardLaunch *launch, uint32_t number,
                       uint32_t round, uint64_t ticks, uint8_t *record)
{
    const Key key = key_at(facts, launch, number);
    OnboardRandom stable = source_of(launch, number, 0);
    OnboardRandom source = source_of(launch, number, round);
    OnboardLoad *load = OnboardLoadCreate(launch, facts->series, key.core, &stable);
    const uint32_t *plan = facts->plan[key.core][round - 1];
    const Places *place = &places[facts->series];
    const uint64_t cycles = load == NULL ? 0 : OnboardLoadCycles(load);

    if (load == NULL) {
        return false;
    }
    put_identity(facts, &key, (key.block * 5 + 1) % launch->cores, record);
    put64(record + place->cycles,
          cycles + (launch->work == ONBOARD_DESCRIBED ? 0 : OnboardDraw(&source, cycles / 200)));
    for (uint32_t slot = 0; slot < facts->slots; slot++) {
        const char *name = event_name(facts, plan[slot]);
        put64(record + place->counters + slot * 8, OnboardLoadEvent(load, name, &source));
    }
    if (facts->series != ONBOARD_310P) {
        const uint64_t start = replay_start(launch, round, ticks);
        put64(record + 112, start);
        put64(record + 120, start + ticks);
    }
    OnboardLoadFree(load);
    return true;
}

uint8_t *OnboardRound(const OnboardFacts *facts, const OnboardLaunch *launch, uint32_t round,
                      size_t *ret_size)
{
    const uint32_t count = key_count(facts, launch);
    const uint64_t ticks = task_ticks(facts, launch);
    uint8_t *records = calloc(count, ONBOARD_RECORD_SIZE);

    for (uint32_t i = 0; records != NULL && i < count; i++) {
        if (!put_record(facts, launch, i, round, ticks,
                        records + (size_t) i * ONBOARD_RECORD_SIZE)) {
            free(records);
            return NULL;
        }
    }
    *ret_size = (size_t) count * ONBOARD_RECORD_SIZE;
    return records;
}

/* ---- files ---- */

static bool write_file(const char *directory, const char *name, const void *bytes, size_t size)
{
    char path[PATH_MAX];
    bool is_good;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "cannot write '%s': %s\n", path, strerror(errno));
        return false;
    }
    is_good = fwrite(bytes, 1, size, file) == size;
    if (fclose(file) != 0 || !is_good) {
        fprintf(stderr, "cannot write '%s': %s\n", path, strerror(errno));
        return false;
    }
    return true;
}

static bool write_rounds(const OnboardFacts *facts, const OnboardLaunch *launch,
                         const char *directory)
{
    bool is_good = true;

    for (uint32_t round = 1; is_good && round <= facts->rounds; round++) {
        char name[32];
        size_t size;
        uint8_t *records;
        if (round == launch->missing) {
            continue;
        }
        records = OnboardRound(facts, launch, round, &size);
        snprintf(name, sizeof name, "DeviceProf%" PRIu32 ".bin", round);
        is_good = records != NULL && write_file(directory, name, records, size);
        free(records);
    }
    return is_good;
}

/* A start and an end for each replay, and a task of another kind between them. */
static bool write_duration(const OnboardFacts *facts, const OnboardLaunch *launch,
                           const char *directory)
{
    const uint32_t size = facts->series == ONBOARD_A5 ? 32 : 64;
    const uint64_t ticks = task_ticks(facts, launch);
    uint8_t log[3 * ONBOARD_MAX_ROUNDS * 64] = { 0 };

    for (uint32_t round = 1; round <= facts->rounds; round++) {
        uint8_t *at = log + (size_t) (round - 1) * 3 * size;
        const uint64_t start = replay_start(launch, round, ticks);
        const uint64_t end = start + replay_ticks(launch, round, ticks);

        put16(at, 0);
        put64(at + 8, start);
        put16(at + size, facts->series == ONBOARD_310P ? 2 : 5 << 10);
        put64(at + size + 8, end);
        put16(at + 2 * (size_t) size, 1);
        put64(at + 2 * (size_t) size + 8, end);
    }
    return write_file(directory, "duration.bin", log, (size_t) facts->rounds * 3 * size);
}

static bool write_basic_info(const OnboardLaunch *launch, const char *directory)
{
    char text[1024], freq[16] = "NA", pid[32] = "";

    if (launch->freq != 0) {
        snprintf(freq, sizeof freq, "%" PRIu32, launch->freq);
    }
    if (!launch->is_application) {
        snprintf(pid, sizeof pid, "Pid=%d\n", 4242);
    }
    snprintf(text, sizeof text,
             "Op Name=%s\nBlock Dim=%" PRIu32 "\nRun Soc Version=%s\nDevice Id=%" PRIu32 "\n%s"
             "Current Freq=%s\nRated Freq=%" PRIu32 "\nIs MC2=0\nIs Lccl=0\nHas Simt=0\n",
             launch->name, launch->blocks, launch->soc, launch->device, pid, freq, launch->rated);
    return write_file(directory, "op_basic_info.txt", text, strlen(text));
}

static bool write_l2(const OnboardFacts *facts, const OnboardLaunch *launch, const char *directory)
{
    static const uint32_t ids[] = { 106, 120, 121 };
    OnboardRandom source = source_of(launch, 0, 99);
    OnboardLoad *load = OnboardLoadCreate(launch, facts->series, ONBOARD_CUBE, &source);
    uint8_t record[72] = { 0 };

    if (load == NULL) {
        return false;
    }
    if (facts->series == ONBOARD_310P) {
        for (uint32_t i = 0; i < 3; i++) {
            put64(record + 8 + i * 8, OnboardLoadEvent(load, event_name(facts, ids[i]), &source));
        }
    } else {
        put64(record + 8 + 4 * 8, OnboardDraw(&source, 5000));
    }
    OnboardLoadFree(load);
    return write_file(directory, "L2Cache.bin", record, sizeof record);
}

typedef struct Move {
    uint8_t from, to;
} Move;

enum { L1, L0A, L0B, L0C, UB, BT, GM, REG, PRIVATE };

#define MAX_SLOTS 108u /* that the device records */

/* The slots of the launch's cores; returns how many. */
static uint32_t slots_of(const OnboardLaunch *launch, uint32_t slots[MAX_SLOTS])
{
    uint32_t count = 0;

    for (uint32_t block = 0; block < launch->blocks; block++) {
        const uint32_t first = launch->op == ONBOARD_OP_VECTOR ? block / 2 * 3 + block % 2
                               : launch->op == ONBOARD_OP_MIX  ? 3 * block
                                                               : 3 * block + 2;
        for (uint32_t i = 0; i < (launch->op == ONBOARD_OP_MIX ? 3 : 1) && first + i < MAX_SLOTS;
             i++) {
            slots[count++] = first + i;
        }
    }
    return count;
}

/* A few moves of every kind that the series adds up, and one of a kind that it does not. */
static bool write_moves(const OnboardLaunch *launch, const char *directory)
{
    static const Move kinds[] = { { GM, L1 },       { GM, L0A }, { GM, L0B }, { GM, UB },
                                  { UB, GM },       { UB, L1 },  { L1, UB },  { GM, REG },
                                  { REG, GM },      { REG, UB }, { UB, REG }, { REG, PRIVATE },
                                  { PRIVATE, REG }, { BT, L0C } };
    const uint32_t kind_count = sizeof kinds / sizeof kinds[0];
    uint32_t slots[MAX_SLOTS];
    const uint32_t slot_count = slots_of(launch, slots);
    const uint32_t count = slot_count * kind_count * 2;
    uint8_t *records = calloc(count, 56);
    OnboardRandom source = source_of(launch, 1, 98);
    bool is_good;

    if (records == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *at = records + (size_t) i * 56;
        const uint64_t bytes = 1 + OnboardDraw(&source, 6000);
        put64(at + 16, bytes);
        put64(at + 24, bytes);
        put16(at + 48, slots[i / 2 / kind_count]);
        put16(at + 50, i / 2 / kind_count % 3 % 2);
        at[52] = kinds[i / 2 % kind_count].from;
        at[53] = kinds[i / 2 % kind_count].to;
    }
    is_good = write_file(directory, "MemoryChart.bin", records, (size_t) count * 56);
    free(records);
    return is_good;
}

static bool write_operands(const OnboardLaunch *launch, const char *directory)
{
    const size_t record_size = (size_t) PART_SIZE * (1 + SIMT_THREADS) + GAP_SIZE;
    const uint32_t count = launch->blocks * 3;
    const size_t size = 8 + record_size * count;
    uint8_t *bytes = calloc(1, size);
    OnboardRandom source = source_of(launch, 2, 97);
    bool is_good;

    if (bytes == NULL) {
        return false;
    }
    put32(bytes, 0x5a5a5a5a);
    for (uint32_t record = 0; record < count; record++) {
        for (uint32_t part = 0; part < 3; part++) {
            uint8_t *at = bytes + 8 + record * record_size + (size_t) part * PART_SIZE;
            for (uint32_t type = 0; type < OPERAND_TYPES; type += 1 + record % 3) {
                put64(at + (size_t) type * 24, OnboardDraw(&source, 1000));
                put64(at + (size_t) type * 24 + 8, OnboardDraw(&source, 64000));
            }
        }
    }
    is_good = write_file(directory, "OperandRecord.bin", bytes, size);
    free(bytes);
    return is_good;
}

bool OnboardWriteLaunch(const OnboardFacts *facts, const OnboardLaunch *launch,
                        const char *directory)
{
    return write_rounds(facts, launch, directory) && write_duration(facts, launch, directory) &&
           write_basic_info(launch, directory) &&
           (facts->series == ONBOARD_A5 || write_l2(facts, launch, directory)) &&
           (!launch->has_moves || write_moves(launch, directory)) &&
           (!launch->has_operands || write_operands(launch, directory));
}
