/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the place of an address. Tested by tests/plugins/analyse-sim/hotspot/test_core_stats.c.
 */
#include "pc_map.h"

#include <stdlib.h>
#include <sys/random.h>

#define FIRST_BITS 8u
#define MOST_BITS 31u

static uint32_t slot_of(const PcMap *map, uint64_t pc)
{
    const unsigned __int128 product =
        (unsigned __int128) (pc ^ map->seed) * (map->seed | UINT64_C(0x8000000000000001));

    return (uint32_t) (((uint64_t) product ^ (uint64_t) (product >> 64)) *
                           UINT64_C(0x9e3779b97f4a7c15) >>
                       map->shift);
}

static PcSlot *find_slot(const PcMap *map, uint64_t pc)
{
    const uint32_t mask = (uint32_t) (UINT64_MAX >> map->shift);
    uint32_t at = slot_of(map, pc);

    while (map->slots[at].place != 0 && map->slots[at].pc != pc) {
        at = (at + 1) & mask;
    }
    return &map->slots[at];
}

uint32_t PcMapFind(const PcMap *map, uint64_t pc)
{
    return map->slots == NULL ? PC_MAP_NONE : find_slot(map, pc)->place - 1;
}

static bool grow(PcMap *map)
{
    PcMap grown = *map;
    const uint32_t bits = map->slots == NULL ? FIRST_BITS : 64 - map->shift + 1;
    const uint32_t old_count = map->slots == NULL ? 0 : UINT32_C(1) << (bits - 1);

    if (map->slots == NULL && getrandom(&grown.seed, sizeof grown.seed, GRND_NONBLOCK) < 0) {
        grown.seed = (uint64_t) (uintptr_t) map;
    }
    if (bits > MOST_BITS) {
        return false;
    }
    grown.slots = calloc(UINT32_C(1) << bits, sizeof *grown.slots);
    grown.shift = 64 - bits;
    if (grown.slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < old_count; i++) {
        if (map->slots[i].place != 0) {
            *find_slot(&grown, map->slots[i].pc) = map->slots[i];
        }
    }
    free(map->slots);
    *map = grown;
    return true;
}

bool PcMapAdd(PcMap *map, uint64_t pc, uint32_t place)
{
    if ((map->slots == NULL || map->count >= (UINT32_C(1) << (63 - map->shift))) && !grow(map)) {
        return false;
    }
    *find_slot(map, pc) = (PcSlot){ .pc = pc, .place = place + 1 };
    map->count++;
    return true;
}

void PcMapFinish(PcMap *map)
{
    free(map->slots);
    *map = (PcMap){ 0 };
}
