/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of launches in the raw form of the chip's series, and the account that tests compare
 * with. Tested by tests/refchip/test_profiling.sh.
 */
#include "record.h"
#include "dvc.h"
#include "refchip/isa.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNTERS_BYTES 128u
#define L2_BYTES 72u
#define L2_EVENTS 8u
#define FUNCTION_BLOCK 0x29u

/* Where things are in the records of a series, and the settings of its channels. */
typedef struct Form {
    uint32_t counters_setup; /* bytes of user data */
    uint32_t tasks_setup;
    uint32_t events; /* of a record of counters */
    uint32_t cycles; /* places in it */
    uint32_t counters;
    uint32_t sub_block; /* the block's number is after it */
    uint32_t core;
    uint32_t core_shift;
    uint32_t task_bytes; /* of a record of tasks */
    bool has_task_types; /* cube, vector and mixed kernels are tasks of their own types */
} Form;

static const Form form_910b = { .counters_setup = 72,
                                .tasks_setup = 36,
                                .events = 8,
                                .cycles = 32,
                                .counters = 48,
                                .sub_block = 28,
                                .core = 20,
                                .core_shift = 1,
                                .task_bytes = 64 };
static const Form form_950 = { .counters_setup = 88,
                               .tasks_setup = 44,
                               .events = 10,
                               .cycles = 8,
                               .counters = 32,
                               .sub_block = 24,
                               .core = 21,
                               .task_bytes = 32,
                               .has_task_types = true };
static const Form form_310p = { .counters_setup = 56,
                                .tasks_setup = 4,
                                .events = 8,
                                .cycles = 16,
                                .counters = 32,
                                .task_bytes = 64 };

uint32_t RecordPlaces(const RefchipLaunch *launch)
{
    return launch->kind == ISA_KIND_MIX ? 3 * launch->blocks : launch->blocks;
}

static const Form *form(void)
{
    const RefchipConfig *config = RefchipConfigGet();

    return config->is_310p ? &form_310p : config->has_ids ? &form_950 : &form_910b;
}

/* ---- what was asked for ---- */

static uint32_t get32(const uint8_t *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof value);
    return value;
}

/* Mode 3 and two blocks: type 5, period, mask of cores, number of events, the events of 16 bits. */
static bool read_counters(const ProfileSetup *setup, RecordSetup *read)
{
    const uint8_t *data = setup->data;
    const uint32_t most = form()->events, block_bytes = 16 + 2 * most;

    if (setup->kind != 0 || setup->size != form()->counters_setup || data == NULL ||
        get32(data) != 3) {
        return false;
    }
    for (uint32_t kind = 0; kind < 2; kind++) {
        const uint8_t *block = data + 4 + (size_t) block_bytes * kind;

        if (get32(block) != 5 || get32(block + 12) > most) {
            return false;
        }
        for (uint32_t i = 0; i < get32(block + 12); i++) {
            read->events[kind][i] = block[16 + 2 * i] | (uint32_t) block[17 + 2 * i] << 8;
        }
    }
    return true;
}

/* A number of events at a place, and the events of 32 bits after it. */
static bool read_list(const uint8_t *data, uint32_t at, RecordSetup *read)
{
    if (get32(data + at) > L2_EVENTS) {
        return false;
    }
    for (uint32_t i = 0; i < get32(data + at); i++) {
        read->events[0][i] = get32(data + at + 4 + (size_t) 4 * i);
    }
    return true;
}

/* Type 0, three words, number of events, events, and a tag. */
static bool read_all_counters(const ProfileSetup *setup, RecordSetup *read)
{
    return setup->kind == 0 && setup->size == form_310p.counters_setup && setup->data != NULL &&
           get32(setup->data) == 0 && read_list(setup->data, 16, read);
}

static bool is_tasks(const ProfileSetup *setup)
{
    return setup->kind == 0 && setup->size == form()->tasks_setup && setup->data != NULL;
}

/* Period, mode, type and number of a group; newer drivers also take whether
 * lost data is reported. */
static bool read_trace(const ProfileSetup *setup, RecordSetup *read)
{
    uint32_t words[4];

    if (setup->kind != 0 || setup->data == NULL || (setup->size != 16 && setup->size != 17)) {
        return false;
    }
    memcpy(words, setup->data, sizeof words);
    read->period = words[0];
    read->mode = words[1];
    return words[0] > 0 && words[1] <= 1 && words[2] == 0 && words[3] == 0;
}

bool RecordSetupRead(uint32_t channel, const ProfileSetup *setup, RecordSetup *read)
{
    const RefchipConfig *config = RefchipConfigGet();

    memset(read, 0, sizeof *read);
    switch (channel) {
    case PROFILE_COUNTERS:
        return !config->is_310p && read_counters(setup, read);
    case PROFILE_COUNTERS_310P:
        return config->is_310p && read_all_counters(setup, read);
    case PROFILE_L2:
        return !config->has_ids && setup->kind == 0 && setup->size >= 36 && setup->data != NULL &&
               read_list(setup->data, 0, read);
    case PROFILE_TASKS:
        return !config->is_310p && is_tasks(setup);
    case PROFILE_TASKS_310P:
        return config->is_310p && is_tasks(setup);
    case PROFILE_AICPU:
        return setup->kind == 1 && setup->period == 100 && setup->size == 0;
    default:
        return channel >= PROFILE_TRACE_FIRST && channel <= PROFILE_TRACE_LAST && config->has_ids &&
               read_trace(setup, read);
    }
}

/* ---- records ---- */

static void put(uint8_t *record, uint32_t at, uint32_t size, uint64_t value)
{
    memcpy(record + at, &value, size); /* little endian, as the chip is */
}

uint64_t RecordTicks(uint64_t cycle)
{
    const RefchipConfig *config = RefchipConfigGet();

    return cycle / config->mhz * config->tick_khz / 1000 +
           cycle % config->mhz * config->tick_khz / 1000 / config->mhz;
}

/* A kernel of cube cores is a task of type 0; on later chips one of vector cores is of type 1, a
 * mixed one of type 2. */
static uint32_t task_type(uint32_t kind)
{
    if (!form()->has_task_types || kind == ISA_KIND_CUBE) {
        return 0;
    }
    return kind == ISA_KIND_VECTOR ? 1 : 2;
}

uint32_t RecordTask(const RecordLaunch *launch, bool is_end, uint8_t *record)
{
    memset(record, 0, form()->task_bytes);
    put(record, 0, 2, task_type(launch->launch->kind) << 10 | is_end);
    put(record, 4, 2, launch->launch->stream);
    put(record, 6, 2, launch->launch->task);
    put(record, 8, 8, RecordTicks(launch->start + (is_end ? launch->cycles : 0)));
    return form()->task_bytes;
}

uint32_t RecordOtherTask(const ProfileTask *task, uint64_t ahead, bool is_end, uint8_t *record)
{
    memset(record, 0, form()->task_bytes);
    put(record, 0, 2, task->type << 10 | is_end);
    put(record, 4, 2, task->stream);
    put(record, 6, 2, task->task);
    put(record, 8, 8, RecordTicks((is_end ? task->end : task->start) + ahead));
    return form()->task_bytes;
}

/* Vector cores are numbered consecutively, two beside each cube core. */
static uint32_t core_number(const BlockCounts *block)
{
    return block->sub_core == 0 ? block->core : 2 * block->core + block->sub_core - 1;
}

/* In a mixed kernel a block has a cube core and two vector cores; the second of these is sub-block
 * 1. */
static uint32_t parts_of(const RefchipLaunch *launch)
{
    return launch->kind == ISA_KIND_MIX ? 3 : 1;
}

static uint32_t sub_block(const RefchipLaunch *launch, uint32_t place)
{
    return launch->kind == ISA_KIND_MIX && place % 3 == 2;
}

static void put_events(uint8_t *record, const uint32_t *events, const uint64_t *counts)
{
    put(record, form()->cycles, 8, counts[COUNT_cycles]);
    for (uint32_t i = 0; i < form()->events; i++) {
        put(record, form()->counters + 8 * i, 8,
            EventValue(RefchipConfigGet()->soc, events[i], counts));
    }
}

uint32_t RecordCounters(const RecordLaunch *launch, const RecordSetup *setup, uint32_t place,
                        uint8_t *record)
{
    const BlockCounts *block = &launch->blocks[place];
    const uint32_t is_vector = block->sub_core != DVC_CUBE0;

    memset(record, 0, COUNTERS_BYTES);
    put(record, 0, 2, FUNCTION_BLOCK);
    put(record, 4, 2, launch->launch->stream);
    put(record, 6, 2, launch->launch->task);
    put(record, 20, 1, is_vector);
    record[form()->core] |= (uint8_t) (core_number(block) << form()->core_shift);
    put(record, form()->sub_block, 2, sub_block(launch->launch, place));
    put(record, form()->sub_block + 2, 2, place / parts_of(launch->launch));
    put_events(record, setup->events[is_vector], block->counts);
    put(record, 112, 8, RecordTicks(launch->start + block->start));
    put(record, 120, 8, RecordTicks(launch->start + block->end));
    return COUNTERS_BYTES;
}

static void sum_all(const RecordLaunch *launch, uint64_t *counts)
{
    memset(counts, 0, COUNT_KINDS * sizeof *counts);
    for (uint32_t i = 0; i < RecordPlaces(launch->launch); i++) {
        for (uint32_t kind = 0; kind < COUNT_KINDS; kind++) {
            counts[kind] += launch->blocks[i].counts[kind];
        }
    }
}

uint32_t RecordAllCounters(const RecordLaunch *launch, const RecordSetup *setup, uint8_t *record)
{
    uint64_t counts[COUNT_KINDS];

    sum_all(launch, counts);
    memset(record, 0, COUNTERS_BYTES);
    put_events(record, setup->events[0], counts);
    return COUNTERS_BYTES;
}

uint32_t RecordL2(const RecordLaunch *launch, const RecordSetup *setup, uint8_t *record)
{
    uint64_t counts[COUNT_KINDS];

    sum_all(launch, counts);
    memset(record, 0, L2_BYTES);
    for (uint32_t i = 0; i < L2_EVENTS; i++) {
        put(record, 8 + 8 * i, 8,
            CacheEventValue(RefchipConfigGet()->soc, setup->events[0][i], counts));
    }
    return L2_BYTES;
}

/* ---- the account ---- */

/* If there were any. */
static void print_warps(FILE *out, const BlockCounts *block)
{
    for (uint32_t i = 0; i < COUNTED_WARPS && block->warps[i][1] != 0; i++) {
        fprintf(out, "%s[%" PRIu64 ",%" PRIu64 "]", i == 0 ? ",\"warps\":[" : ",",
                block->warps[i][0], block->warps[i][1]);
    }
    if (block->warps[0][1] != 0) {
        fputc(']', out);
    }
}

static void print_block(FILE *out, const RefchipLaunch *launch, const BlockCounts *block,
                        uint32_t place)
{
    fprintf(out,
            "%s{\"block\":%" PRIu32 ",\"sub_block\":%" PRIu32 ",\"core\":%" PRIu32
            ",\"ai_core\":%" PRIu32 ",\"sub_core\":%" PRIu32,
            place == 0 ? "" : ",", place / parts_of(launch), sub_block(launch, place),
            core_number(block), block->core, block->sub_core);
    for (uint32_t kind = 1; kind < COUNT_KINDS; kind++) {
        fprintf(out, ",\"%s\":%" PRIu64, CountName(kind), block->counts[kind]);
    }
    print_warps(out, block);
    fputc('}', out);
}

/* If there were any. */
static void print_samples(FILE *out, const InstructionCounts *counts)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < INSTRUCTION_SAMPLES; i++) {
        sum += counts->samples[i];
    }
    for (uint32_t i = 0; i < INSTRUCTION_SAMPLES && sum > 0; i++) {
        fprintf(out, "%s%" PRIu64, i == 0 ? ",\"samples\":[" : ",", counts->samples[i]);
    }
    if (sum > 0) {
        fputc(']', out);
    }
}

/* Instructions that were executed: address in .text, name, and what all
 * cores together did there. */
static void print_instructions(FILE *out, const RecordLaunch *launch)
{
    const char *comma = "";

    for (uint32_t i = 0; launch->instructions != NULL && i < launch->launch->words; i++) {
        const InstructionCounts *counts = &launch->instructions[i];
        const IsaOp *op = IsaFind(IsaCodeOf(launch->launch->text[i]));

        if (counts->executed > 0 && op != NULL) {
            fprintf(out,
                    "%s{\"pc\":%" PRIu32 ",\"name\":\"%s\",\"executed\":%" PRIu64
                    ",\"gm_bytes\":%" PRIu64 ",\"hits\":%" PRIu64 ",\"misses\":%" PRIu64,
                    comma, 4 * i, op->name, counts->executed, counts->gm_bytes, counts->hits,
                    counts->misses);
            print_samples(out, counts);
            fputc('}', out);
            comma = ",";
        }
    }
}

static void print_account(FILE *out, const RecordLaunch *launch, const uint32_t *openings)
{
    static const char *const kinds[] = {
        [ISA_KIND_CUBE] = "cube", [ISA_KIND_VECTOR] = "vector", [ISA_KIND_MIX] = "mix"
    };
    const char *comma = "";

    fprintf(out, "{\"process\":%d,\"device\":%" PRIu32 ",\"stream\":%u,\"task\":%u", (int) getpid(),
            launch->launch->device, launch->launch->stream, launch->launch->task);
    fprintf(out,
            ",\"kernel\":\"%s\",\"kind\":\"%s\",\"blocks\":%" PRIu32 ",\"start\":%" PRIu64
            ",\"end\":%" PRIu64 ",\"channels\":[",
            launch->launch->name == NULL ? "" : launch->launch->name, kinds[launch->launch->kind],
            launch->launch->blocks, RecordTicks(launch->start),
            RecordTicks(launch->start + launch->cycles));
    for (uint32_t number = 0; number < PROFILE_CHANNELS; number++) {
        if (openings[number] != 0) {
            fprintf(out, "%s%" PRIu32, comma, number);
            comma = ",";
        }
    }
    fputs("],\"cores\":[", out);
    for (uint32_t i = 0; i < RecordPlaces(launch->launch); i++) {
        print_block(out, launch->launch, &launch->blocks[i], i);
    }
    fputs("],\"instructions\":[", out);
    print_instructions(out, launch);
    fputs("]}\n", out);
}

void RecordAccount(const RecordLaunch *launch, const uint32_t *openings)
{
    const char *path = RefchipConfigGet()->account;
    char *text = NULL;
    size_t size = 0;
    FILE *out;
    int fd;

    if (path[0] == '\0') {
        return;
    }
    fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
    out = fd < 0 ? NULL : open_memstream(&text, &size);
    if (out != NULL) {
        print_account(out, launch, openings);
        if (fclose(out) != 0 || write(fd, text, size) != (ssize_t) size) {
            fputs("refchip: the account cannot be written\n", stderr);
        }
        free(text);
    }
    if (fd >= 0) {
        close(fd);
    }
}
