/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is saved, put back and compared around a launch that is repeated, where a device's
 * memory is the host's: against copying and reading as many bytes.
 */
#include "bench/bench.h"
#include "inject/ascend/board.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REGIONS 16u

static uint8_t *memory[REGIONS], *target[REGIONS];
static size_t region_bytes;

/* ---- the device, which is the host ---- */

uint64_t Now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

void *DeviceAllocate(uint64_t size)
{
    return malloc(size);
}

void DeviceFree(void *address)
{
    free(address);
}

bool DeviceCopy(void *to, const void *from, uint64_t size, uint32_t kind)
{
    (void) kind;
    memcpy(to, from, size);
    return true;
}

/* ---- cases ---- */

static bool copy(void *context, BenchSample *sample)
{
    (void) context;
    for (unsigned i = 0; i < REGIONS; i++) {
        memcpy(target[i], memory[i], region_bytes);
    }
    sample->amount = (double) (REGIONS * region_bytes);
    return true;
}

/* As often as copied: memory is saved before; its copies stay. */
static bool restore(void *context, BenchSample *sample)
{
    Snapshot *snapshot = context;

    sample->amount = (double) snapshot->bytes;
    return MemoryRestore(snapshot);
}

static bool save(void *context, BenchSample *sample)
{
    Snapshot *snapshot = context;
    const char *why = NULL;

    MemoryForgetCopies();
    sample->amount = (double) (REGIONS * region_bytes);
    return MemorySave(0, snapshot, &why);
}

static bool verify(void *context, BenchSample *sample)
{
    (void) context;
    sample->amount = (double) (REGIONS * region_bytes);
    return MemoryVerify();
}

int main(int argc, char **argv)
{
    int status;
    Bench *bench = BenchOpen("restore", argc, argv, &status);
    Snapshot snapshot = { .bytes = 0 };
    const BenchCase cases[] = {
        { .name = "save",
          .unit = "bytes/s",
          .subject = { "copy and hash", save, &snapshot },
          .peer = { "memcpy", copy, NULL } },
        { .name = "restore",
          .unit = "bytes/s",
          .goal = 0.8,
          .subject = { "restore", restore, &snapshot },
          .peer = { "memcpy", copy, NULL } },
        { .name = "verify",
          .unit = "bytes/s",
          .subject = { "hash", verify, NULL },
          .peer = { "memcpy", copy, NULL } },
    };

    if (bench == NULL) {
        return status;
    }
    region_bytes = (size_t) BenchAmount(bench, 16u << 20);
    for (unsigned i = 0; i < REGIONS; i++) {
        memory[i] = malloc(region_bytes);
        target[i] = malloc(region_bytes);
        if (memory[i] == NULL || target[i] == NULL) {
            return 1;
        }
        memset(memory[i], (int) i + 1, region_bytes);
        memset(target[i], 1, region_bytes);
        MemoryAdd(0, memory[i], region_bytes);
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        BenchRun(bench, &cases[i]);
    }
    MemoryForgetCopies();
    return BenchClose(bench);
}
