/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <opprof/intern.h>
#include <pthread.h>

/* Copies of things, each with a number: adding takes a lock, looking up is wait-free. */
typedef struct Table {
    OpprofIntern *intern;
    uint32_t most;
    pthread_mutex_t lock; /* guards additions to intern, and the members below */
    struct OpprofTextChunk *chunks;
    uint64_t bytes; /* for limits of TableCopy */
} Table;

/* At most so many; NULL without memory. */
Table *TableCreate(uint32_t most, OpprofInternEquals *equals);
void TableDestroy(Table *table); /* accepts NULL */

/* Copies a thing into TableRoom, under the lock; NULL: no memory, or too much. */
typedef const void *TableCopy(Table *table, const void *thing);
void *TableRoom(Table *table, size_t size);

/* Index of the thing, which is copied if it is new; OPPROF_INTERN_NONE: full, or no memory. */
uint32_t TableDeclare(Table *table, uint64_t hash, const void *thing, TableCopy *copy);

#endif
