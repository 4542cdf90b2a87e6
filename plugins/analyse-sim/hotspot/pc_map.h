/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_PC_MAP_H
#define HOTSPOT_PC_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define PC_MAP_NONE UINT32_MAX

/* A slot: an address and its place. */
typedef struct PcSlot {
    uint64_t pc;
    uint32_t place; /* + 1; 0: free */
} PcSlot;

/* From addresses to places. Zeroed memory is an empty map. */
typedef struct PcMap {
    PcSlot *slots; /* at most half of them in use */
    uint64_t seed; /* so that no input can aim for collisions */
    uint32_t shift;
    uint32_t count;
} PcMap;

/* Place of an address, or PC_MAP_NONE. */
uint32_t PcMapFind(const PcMap *map, uint64_t pc);

/* Set the place of an address that is not in the map. False without memory. */
bool PcMapAdd(PcMap *map, uint64_t pc, uint32_t place);

void PcMapFinish(PcMap *map);

#endif
