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

/* A reason of samples, with its samples of the whole launch. */
typedef struct SampleReason {
    uint32_t name; /* interned */
    uint32_t is_issued;
    uint64_t samples;
} SampleReason;

/* The hot spots of all cores. Zeroed memory with a stage is empty. */
typedef struct SourceRows {
    OpprofStage *stage;
    AddressRow *addresses; /* once sorted: by address as text, then by core */
    size_t address_count;
    size_t address_capacity;
    LineRow *lines; /* once sorted: by file, line as text, address, core */
    size_t line_count;
    size_t line_capacity;
    char *texts; /* operands, one after another */
    size_t text_bytes;
    size_t text_capacity;
    uint32_t *cores; /* interned names sorted by text, once sorted */
    uint32_t core_count;
    uint32_t core_capacity;
    OpprofMap ranks;          /* place in `cores` by name */
    bool has_head_cycles;     /* some address has cycles from fetch to start */
    bool has_cycles;          /* some address has cycles: they were counted for each core */
    bool has_gpr;             /* some address has live registers, … */
    bool has_bytes;           /* … bytes moved, … */
    bool has_l2;              /* … accesses of the L2 cache */
    OpprofHotSample *samples; /* once sorted: by address */
    size_t sample_count;
    size_t sample_capacity;
    SampleReason *reasons;
    uint32_t reason_count;
    uint32_t reason_capacity;
    OpprofMap reason_places; /* in `reasons`, by name */
    uint64_t all_samples;
    uint64_t all_waits;
    OpprofHotRegister *registers; /* once sorted: by address, then name */
    size_t register_count;
    size_t register_capacity;
} SourceRows;

/* Add a batch of hot.address or of hot.line; false without memory. */
bool SourceRowsAddAddresses(SourceRows *rows, const OpprofBatch *batch);
bool SourceRowsAddLines(SourceRows *rows, const OpprofBatch *batch);

/* Add a batch of hot.sample or of hot.register; false without memory. */
bool SourceRowsAddSamples(SourceRows *rows, const OpprofBatch *batch);
bool SourceRowsAddRegisters(SourceRows *rows, const OpprofBatch *batch);

/* All rows have arrived: sort them. False without memory. */
bool SourceRowsSort(SourceRows *rows);

/* The row of an address on the core of this rank; NULL: the core did not execute it. */
const AddressRow *SourceRowsFind(const SourceRows *rows, uint64_t pc, uint32_t rank);

/* End of the rows from `first` on with the same address; with the same line; with the same file. */
size_t SourceRowsAddressEnd(const SourceRows *rows, size_t first);
size_t SourceRowsLineEnd(const SourceRows *rows, size_t first);
size_t SourceRowsFileEnd(const SourceRows *rows, size_t first);

/* The first sample, or register, of an address; their count if it has none. */
size_t SourceRowsSamples(const SourceRows *rows, uint64_t pc);
size_t SourceRowsRegisters(const SourceRows *rows, uint64_t pc);

/* Place of a reason that has samples. */
uint32_t SourceRowsReason(const SourceRows *rows, uint32_t name);

void SourceRowsFinish(SourceRows *rows);

#endif
