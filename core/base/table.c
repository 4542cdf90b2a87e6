/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of things, each with a number. Tested by tests/core/base/test_strings and
 * tests/core/stream/test_tracks. */
#include "base/table.h"

#include "base/chunks.h"

#include <stdlib.h>

#define CHUNK_BYTES (64u << 10)
#define ALIGNMENT 8u

Table *TableCreate(uint32_t most, OpprofInternEquals *equals)
{
    Table *table = calloc(1, sizeof *table);

    if (table == NULL || (table->intern = OpprofInternCreate(most, equals)) == NULL) {
        free(table);
        return NULL;
    }
    table->most = most;
    pthread_mutex_init(&table->lock, NULL);
    return table;
}

void TableDestroy(Table *table)
{
    if (table != NULL) {
        OpprofInternDestroy(table->intern);
        ChunksFree(&table->chunks);
        pthread_mutex_destroy(&table->lock);
        free(table);
    }
}

void *TableRoom(Table *table, size_t size)
{
    return ChunksTake(&table->chunks, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, CHUNK_BYTES);
}

uint32_t TableDeclare(Table *table, uint64_t hash, const void *thing, TableCopy *copy)
{
    uint32_t index = OpprofInternFind(table->intern, hash, thing);

    if (index != OPPROF_INTERN_NONE) {
        return index;
    }
    pthread_mutex_lock(&table->lock);
    index = OpprofInternFind(table->intern, hash, thing); /* another thread may have been first */
    if (index == OPPROF_INTERN_NONE && OpprofInternCount(table->intern) < table->most) {
        const void *kept = copy(table, thing);

        index = kept == NULL ? OPPROF_INTERN_NONE : OpprofInternAdd(table->intern, hash, kept);
    }
    pthread_mutex_unlock(&table->lock);
    return index;
}
