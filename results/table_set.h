/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_TABLE_SET_H
#define RESULTS_TABLE_SET_H

#include "database.h"

#include <opprof/map.h>
#include <opprof/results.h>

/* How records of one type go into a table of the database. Types with the
 * same name share a table. */
typedef struct TableRows {
    const OpprofRecordType *type;
    uint32_t table;   /* index into TableSet.tables */
    uint32_t *fields; /* those that are columns, by their numbers in the type */
    uint32_t field_count;
    sqlite3_stmt *insert;
} TableRows;

/* A table of the database. */
typedef struct DatabaseTable {
    const OpprofRecordType *type; /* the first type that asked for it */
    char *name;
    char **columns; /* names as they are in the database */
    uint32_t column_count;
    uint32_t column_capacity;
    uint64_t rows;
} DatabaseTable;

/* All tables of the database. Zeroed memory holds none. */
typedef struct TableSet {
    TableRows *ways;
    uint32_t way_count;
    uint32_t way_capacity;
    DatabaseTable *tables;
    uint32_t table_count;
    uint32_t table_capacity;
    OpprofMap by_type;           /* address of a type: index into ways */
    uint64_t left_out;           /* rows of types with more columns than a table may have */
    sqlite3_stmt *describe;      /* one per column; NULL: not prepared yet */
    OpprofResultsWanted *wanted; /* NULL: all columns are, and get a description */
    void *context;               /* for `wanted` */
} TableSet;

/*
 * How records of a type go into the database, whose table is made if need be. *ret_way is NULL for
 * a type that no table can hold.
 */
OpprofStatus TableSetFindWay(TableSet *set, Database *database, const OpprofRecordType *type,
                             TableRows **ret_way, OpprofError **error);
/* Describe all tables, and make indices of their keys and ticks if wanted. */
OpprofStatus TableSetFinish(TableSet *set, Database *database, bool has_indices,
                            OpprofError **error);
/* Free; call before the database is closed. */
void TableSetFree(TableSet *set);

#endif
