/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of the program on its devices, allocated by any thread; copies of it on the device,
 * made before an operator is repeated, and put back before each time. The caller holds the lock of
 * launches. Tested by tests/refchip/test_board.sh.
 */
#include "inject/ascend/board.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define STAGING_BYTES (4u << 20)

typedef struct Region {
    uint8_t *address;
    uint64_t size;
    int32_t device;
    void *copy;    /* on the device; NULL: none */
    uint64_t hash; /* of its content when it was saved */
} Region;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list */
static Region *regions;
static size_t count, room;
static bool has_missed; /* one could not be noted */

void MemoryAdd(int32_t device, void *address, uint64_t size)
{
    pthread_mutex_lock(&lock);
    if (count == room) {
        const size_t wanted = room == 0 ? 64 : 2 * room;
        Region *grown = reallocarray(regions, wanted, sizeof *grown);

        if (grown == NULL) {
            has_missed = true;
            pthread_mutex_unlock(&lock);
            return;
        }
        regions = grown;
        room = wanted;
    }
    regions[count++] = (Region){ .address = address, .size = size, .device = device };
    pthread_mutex_unlock(&lock);
}

void MemoryRemove(const void *address)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        if (regions[i].address == address) {
            regions[i] = regions[--count];
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

void MemoryRemoveAll(int32_t device)
{
    size_t kept = 0;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        if (regions[i].device != device) {
            regions[kept++] = regions[i];
        }
    }
    count = kept;
    pthread_mutex_unlock(&lock);
}

int32_t MemoryDevice(uint64_t address)
{
    int32_t device = -1;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && device < 0; i++) {
        const uint64_t from = (uint64_t) (uintptr_t) regions[i].address;

        device = address >= from && address - from < regions[i].size ? regions[i].device : -1;
    }
    pthread_mutex_unlock(&lock);
    return device;
}

/* ---- contents ---- */

static uint64_t hash_bytes(uint64_t hash, const uint8_t *bytes, size_t size)
{
    for (; size >= 8; bytes += 8, size -= 8) {
        uint64_t word;

        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    for (; size > 0; bytes++, size--) {
        hash = (hash ^ *bytes) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static bool hash_region(const Region *region, uint8_t *staging, uint64_t *ret_hash)
{
    uint64_t hash = region->size;

    for (uint64_t at = 0; at < region->size; at += STAGING_BYTES) {
        const uint64_t left = region->size - at;
        const uint64_t size = left < STAGING_BYTES ? left : STAGING_BYTES;

        if (!DeviceCopy(staging, region->address + at, size, COPY_TO_HOST)) {
            return false;
        }
        hash = hash_bytes(hash, staging, size);
    }
    *ret_hash = hash;
    return true;
}

/* ---- copies ---- */

static const char *save_region(Region *region, uint8_t *staging, uint64_t *ns)
{
    uint64_t begin;
    bool is_good;

    region->copy = DeviceAllocate(region->size);
    if (region->copy == NULL) {
        return "its memory cannot be saved: the device has not enough free memory";
    }
    begin = Now();
    is_good = DeviceCopy(region->copy, region->address, region->size, COPY_DEVICE);
    *ns += Now() - begin;
    if (!is_good || !hash_region(region, staging, &region->hash)) {
        return "its memory cannot be saved: copying it failed";
    }
    return NULL;
}

bool MemorySave(int32_t device, Snapshot *snapshot, const char **ret_why)
{
    uint8_t *staging = malloc(STAGING_BYTES);
    const char *why = staging == NULL ? "its memory cannot be saved: out of memory" : NULL;

    *snapshot = (Snapshot){ .bytes = 0 };
    if (has_missed) {
        why = "some of the program's allocations are unknown";
    }
    for (size_t i = 0; i < count && why == NULL; i++) {
        if (regions[i].device == device) {
            why = save_region(&regions[i], staging, &snapshot->save_ns);
            snapshot->bytes += regions[i].size;
        }
    }
    free(staging);
    if (why != NULL) {
        MemoryForgetCopies();
        *ret_why = why;
    }
    return why == NULL;
}

/* Through the host, where the device does not copy by itself. */
static bool restore_by_host(const Region *region)
{
    uint8_t *staging = malloc(STAGING_BYTES);
    bool is_good = staging != NULL;

    for (uint64_t at = 0; at < region->size && is_good; at += STAGING_BYTES) {
        const uint64_t left = region->size - at;
        const uint64_t size = left < STAGING_BYTES ? left : STAGING_BYTES;

        is_good = DeviceCopy(staging, (const uint8_t *) region->copy + at, size, COPY_TO_HOST) &&
                  DeviceCopy(region->address + at, staging, size, COPY_TO_DEVICE);
    }
    free(staging);
    return is_good;
}

bool MemoryRestore(Snapshot *snapshot)
{
    const uint64_t begin = Now();
    bool is_good = true;

    for (size_t i = 0; i < count; i++) {
        if (regions[i].copy != NULL) {
            is_good =
                (DeviceCopy(regions[i].address, regions[i].copy, regions[i].size, COPY_DEVICE) ||
                 restore_by_host(&regions[i])) &&
                is_good;
            snapshot->restored += regions[i].size;
        }
    }
    snapshot->restore_ns += Now() - begin;
    return is_good;
}

bool MemoryVerify(void)
{
    uint8_t *staging = malloc(STAGING_BYTES);
    bool is_good = staging != NULL;

    for (size_t i = 0; i < count && is_good; i++) {
        uint64_t hash = 0;

        is_good = regions[i].copy == NULL ||
                  (hash_region(&regions[i], staging, &hash) && hash == regions[i].hash);
    }
    free(staging);
    return is_good;
}

void MemoryForgetCopies(void)
{
    for (size_t i = 0; i < count; i++) {
        if (regions[i].copy != NULL) {
            DeviceFree(regions[i].copy);
            regions[i].copy = NULL;
        }
    }
}

/* A device is not copied by a fork. */
static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    memcpy(&lock, &fresh, sizeof lock);
    count = 0;
    has_missed = false;
}
ON_FORK(forget)
