/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the state of an address, mostly by what came next last time. Tested by
 * tests/plugins/analyse-sim/details/test_random_code.sh.
 */
#include "pc_table.h"

#include <opprof/grow.h>
#include <stdlib.h>

static uint32_t cell_of(const PcTable *table, uint64_t pc)
{
    return (uint32_t) (((pc ^ pc >> 32) * UINT64_C(0x9e3779b97f4a7c15)) >> table->shift);
}

static void put(PcTable *table, uint32_t number)
{
    const uint32_t mask = (uint32_t) (UINT64_MAX >> table->shift);
    uint32_t cell = cell_of(table, table->states[number].pc);

    while (table->cells[cell] != 0) {
        cell = (cell + 1) & mask;
    }
    table->cells[cell] = number + 1;
}

static bool grow(PcTable *table)
{
    const uint32_t capacity = table->capacity == 0 ? 256 : table->capacity * 2;
    uint32_t room = table->capacity;
    uint32_t *cells;

    if (!OpprofGrow32(&table->states, &room, capacity, sizeof *table->states)) {
        return false;
    }
    cells = calloc((size_t) capacity * 2, sizeof *cells);
    if (cells == NULL) {
        return false;
    }
    free(table->cells);
    table->cells = cells;
    table->capacity = capacity;
    table->shift = 64 - (uint32_t) __builtin_ctz(capacity * 2);
    for (uint32_t i = 0; i < table->count; i++) {
        put(table, i);
    }
    return true;
}

static uint32_t look_up(const PcTable *table, uint64_t pc)
{
    const uint32_t mask = table->cells == NULL ? 0 : (uint32_t) (UINT64_MAX >> table->shift);

    for (uint32_t cell = table->cells == NULL ? 0 : cell_of(table, pc); table->cells != NULL;
         cell = (cell + 1) & mask) {
        const uint32_t number = table->cells[cell] - 1;

        if (table->cells[cell] == 0 || table->states[number].pc == pc) {
            return number; /* PC_TABLE_NONE for a free cell */
        }
    }
    return PC_TABLE_NONE;
}

static uint32_t add(PcTable *table, uint64_t pc)
{
    if (table->count == table->capacity && !grow(table)) {
        return PC_TABLE_NONE;
    }
    table->states[table->count] =
        (PcState){ .pc = pc, .next = PC_TABLE_NONE, .read_conflict = -1, .write_conflict = -1 };
    put(table, table->count);
    return table->count++;
}

uint32_t PcTableFind(PcTable *table, uint64_t pc, uint32_t *last)
{
    uint32_t number = *last == PC_TABLE_NONE ? PC_TABLE_NONE : table->states[*last].next;

    if (number == PC_TABLE_NONE || table->states[number].pc != pc) {
        number = look_up(table, pc);
        if (number == PC_TABLE_NONE) {
            number = add(table, pc);
        }
        if (number != PC_TABLE_NONE && *last != PC_TABLE_NONE) {
            table->states[*last].next = number;
        }
    }
    *last = number;
    return number;
}

void PcTableFinish(PcTable *table)
{
    free(table->states);
    free(table->cells);
    *table = (PcTable){ .states = NULL };
}
