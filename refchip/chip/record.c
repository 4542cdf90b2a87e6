/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of launches in the raw forms of the series 910B and 910_93, and the account that tests compare
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
#define TASK_BYTES 64u
#define L2_BYTES 72u
#define EVENT_EVICTION 0x9cu
#define FUNCTION_BLOCK 0x29u

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

    if (setup->kind != 0 || setup->size != 72 || data == NULL || get32(data) != 3) {
        return false;
    }
    for (uint32_t kind = 0; kind < 2; kind++) {
        const uint8_t *block = data + 4 + (size_t) 32 * kind;

        if (get32(block) != 5 || get32(block + 12) > RECORD_EVENTS) {
            return false;
        }
        for (uint32_t i = 0; i < get32(block + 12); i++) {
            read->events[kind][i] = block[16 + 2 * i] | (uint32_t) block[17 + 2 * i] << 8;
        }
    }
    return true;
}

static bool read_l2(const ProfileSetup *setup, RecordSetup *read)
{
    const uint8_t *data = setup->data;

    if (setup->kind != 0 || setup->size < 36 || data == NULL || get32(data) > RECORD_EVENTS) {
        return false;
    }
    for (uint32_t i = 0; i < get32(data); i++) {
        read->events[0][i] = get32(data + 4 + (size_t) 4 * i);
    }
    return true;
}

bool RecordSetupRead(uint32_t channel, const ProfileSetup *setup, RecordSetup *read)
{
    memset(read, 0, sizeof *read);
    if (RefchipConfigGet()->has_ids || RefchipConfigGet()->is_310p) {
        return false; /* the records of these series are others */
    }
    switch (channel) {
    case PROFILE_COUNTERS:
        return read_counters(setup, read);
    case PROFILE_L2:
        return read_l2(setup, read);
    case PROFILE_TASKS:
        return setup->kind == 0 && setup->size == 36 && setup->data != NULL;
    case PROFILE_AICPU:
        return setup->kind == 1 && setup->period == 100 && setup->size == 0;
    default:
        return false;
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

uint32_t RecordTask(const RecordLaunch *launch, bool is_end, uint8_t *record)
{
    memset(record, 0, TASK_BYTES);
    put(record, 0, 2, is_end);
    put(record, 4, 2, launch->launch->stream);
    put(record, 6, 2, launch->launch->task);
    put(record, 8, 8, RecordTicks(launch->start + (is_end ? launch->cycles : 0)));
    return TASK_BYTES;
}

uint32_t RecordOtherTask(const ProfileTask *task, uint64_t ahead, bool is_end, uint8_t *record)
{
    memset(record, 0, TASK_BYTES);
    put(record, 0, 2, task->type << 10 | is_end);
    put(record, 4, 2, task->stream);
    put(record, 6, 2, task->task);
    put(record, 8, 8, RecordTicks((is_end ? task->end : task->start) + ahead));
    return TASK_BYTES;
}

static uint64_t event_of(const BlockCounts *block, uint32_t event)
{
    uint32_t unit;
    const CountKind kind = EventCount(RefchipConfigGet()->soc, event, &unit);

    return (block->counts[kind] + unit - 1) / unit;
}

/* Vector cores are numbered through: two beside each cube core. */
static uint32_t core_number(const BlockCounts *block)
{
    return block->sub_core == 0 ? block->core : 2 * block->core + block->sub_core - 1;
}

uint32_t RecordCounters(const RecordLaunch *launch, const RecordSetup *setup,
                        const BlockCounts *block, uint8_t *record)
{
    const uint32_t is_vector = block->sub_core != DVC_CUBE0;

    memset(record, 0, COUNTERS_BYTES);
    put(record, 0, 2, FUNCTION_BLOCK);
    put(record, 4, 2, launch->launch->stream);
    put(record, 6, 2, launch->launch->task);
    put(record, 20, 1, is_vector | core_number(block) << 1);
    put(record, 30, 2, block->block);
    put(record, 32, 8, block->counts[COUNT_cycles]);
    for (uint32_t i = 0; i < RECORD_EVENTS; i++) {
        put(record, 48 + 8 * i, 8, event_of(block, setup->events[is_vector][i]));
    }
    put(record, 112, 8, RecordTicks(launch->start + block->start));
    put(record, 120, 8, RecordTicks(launch->start + block->end));
    return COUNTERS_BYTES;
}

static uint64_t sum(const RecordLaunch *launch, CountKind kind)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < RefchipPlaces(launch->launch); i++) {
        total += launch->blocks[i].counts[kind];
    }
    return total;
}

/* Of the cache's own events only evictions are known. */
uint32_t RecordL2(const RecordLaunch *launch, const RecordSetup *setup, uint8_t *record)
{
    memset(record, 0, L2_BYTES);
    for (uint32_t i = 0; i < RECORD_EVENTS; i++) {
        if (setup->events[0][i] == EVENT_EVICTION) {
            put(record, 8 + 8 * i, 8, sum(launch, COUNT_l2_evictions));
        }
    }
    return L2_BYTES;
}

/* ---- the account ---- */

static void print_block(FILE *out, const BlockCounts *block, bool is_first)
{
    fprintf(out,
            "%s{\"block\":%" PRIu32 ",\"core\":%" PRIu32 ",\"ai_core\":%" PRIu32
            ",\"sub_core\":%" PRIu32,
            is_first ? "" : ",", block->block, core_number(block), block->core, block->sub_core);
    for (uint32_t kind = 1; kind < COUNT_KINDS; kind++) {
        fprintf(out, ",\"%s\":%" PRIu64, CountName(kind), block->counts[kind]);
    }
    fputc('}', out);
}

/* Instructions that were executed: address in .text, name, and what all cores together did there. */
static void print_instructions(FILE *out, const RecordLaunch *launch)
{
    const char *comma = "";

    for (uint32_t i = 0; launch->instructions != NULL && i < launch->launch->words; i++) {
        const InstructionCounts *counts = &launch->instructions[i];
        const IsaOp *op = IsaFind(IsaCodeOf(launch->launch->text[i]));

        if (counts->executed > 0 && op != NULL) {
            fprintf(out,
                    "%s{\"pc\":%" PRIu32 ",\"name\":\"%s\",\"executed\":%" PRIu64
                    ",\"gm_bytes\":%" PRIu64 ",\"hits\":%" PRIu64 ",\"misses\":%" PRIu64 "}",
                    comma, 4 * i, op->name, counts->executed, counts->gm_bytes, counts->hits,
                    counts->misses);
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
    for (uint32_t i = 0; i < RefchipPlaces(launch->launch); i++) {
        print_block(out, &launch->blocks[i], i == 0);
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
