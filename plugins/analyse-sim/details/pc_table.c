/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the state of an address, usually the one that came next last time.
 * Tested by tests/plugins/analyse-sim/details/test_random_code.sh.
 */
#include "pc_table.h"

#include <opprof/grow.h>
#include <stdlib.h>

static uint32_t add(PcTable *table, uint64_t pc)
{
    if (!OpprofGrow32(&table->states, &table->capacity, (size_t) table->count + 1,
                      sizeof *table->states) ||
        !OpprofMapPut(&table->places, pc, table->count)) {
        return PC_TABLE_NONE;
    }
    table->states[table->count] =
        (PcState){ .pc = pc, .next = PC_TABLE_NONE, .read_conflict = -1, .write_conflict = -1 };
    return table->count++;
}

uint32_t PcTableFind(PcTable *table, uint64_t pc, uint32_t *last)
{
    uint32_t number = *last == PC_TABLE_NONE ? PC_TABLE_NONE : table->states[*last].next;

    if (number == PC_TABLE_NONE || table->states[number].pc != pc) {
        number = OpprofMapFind(&table->places, pc);
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
    OpprofMapFinish(&table->places);
    *table = (PcTable){ .states = NULL };
}
