/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_SOURCE_ROWS_H
#define VIZ_INSIGHT_SOURCE_ROWS_H

#include <opprof/map.h>
#include <opprof/records/hotspot.h>
#include <opprof/stage.h>

/* An address of a core. */
typedef struct AddressRow {
    OpprofHotAddress facts;
    size_t text;   /* its operands in the texts */
    uint32_t rank; /* of its core, once sorted */
} AddressRow;

/* An address of a line on a core. */
typedef struct LineRow {
    OpprofHotLine facts;
    uint32_t rank;
} LineRow;

/* The hot spots of all cores. Zeroed memory with a stage is empty. */
typedef struct SourceRows {
    OpprofStage *stage;
    AddressRow *addresses; /* once sorted: by address as text, then by core */
    size_t address_count;
    size_t address_capacity;
    LineRow *lines; /* once sorted: by file, line as text, address, core */
    size_t line_count;
    size_t line_capacity;
    char *texts; /* operands, one after the other */
    size_t text_bytes;
    size_t text_capacity;
    uint32_t *cores; /* interned names in the order of their texts, once sorted */
    uint32_t core_count;
    uint32_t core_capacity;
    OpprofMap ranks;      /* place in `cores` by name */
    bool has_head_cycles; /* some address has cycles from fetch to start */
} SourceRows;

/* Add a batch of hot.address or of hot.line; false without memory. */
bool SourceRowsAddAddresses(SourceRows *rows, const OpprofBatch *batch);
bool SourceRowsAddLines(SourceRows *rows, const OpprofBatch *batch);

/* No more rows come. False without memory. */
bool SourceRowsSort(SourceRows *rows);

/* The row of an address on a core of this rank; NULL: the core did not execute it. */
const AddressRow *SourceRowsFind(const SourceRows *rows, uint64_t pc, uint32_t rank);

/* End of the rows from `first` on with the same address; of the same line; of the same file. */
size_t SourceRowsAddressEnd(const SourceRows *rows, size_t first);
size_t SourceRowsLineEnd(const SourceRows *rows, size_t first);
size_t SourceRowsFileEnd(const SourceRows *rows, size_t first);

void SourceRowsFinish(SourceRows *rows);

#endif
