/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_TABLES_H
#define ANALYSE_DBI_TABLES_H

#include "model.h"

#include <opprof/kit/block_cores.h>

#include <opprof/stage.h>

enum {
    OUTPUT_PCS,
    OUTPUT_SETS,
    OUTPUT_SUMMARY,
    OUTPUT_CORES,
    OUTPUT_BUFFERS,
    OUTPUT_DISTANCES,
};

/* Where the results of a launch go, and its names. */
typedef struct TablePlace {
    OpprofStage *stage;
    uint32_t partition;
    uint32_t device;
    uint32_t kernel;
    uint32_t order;
    uint64_t start_pc; /* or absent */
    OpprofDbiOp op;
    OpprofBlockCores cores;
} TablePlace;

/* A region of global memory without large gaps, or a named one. */
typedef struct Buffer {
    const char *name; /* NULL: named by its address */
    uint64_t first;   /* lowest and highest accessed byte; bounds of a named one */
    uint64_t last;
    uint64_t fates[MODEL_FATES];
    uint32_t stride_votes;
    int64_t stride; /* bytes between its conflict misses; INT64_MIN: no common distance */
} Buffer;

typedef struct BufferList {
    Buffer *list; /* by address */
    size_t count;
    size_t capacity;
} BufferList;

/*
 * The buffers that granules make, and those of the model's named ones that were accessed: `named`
 * lists these in the same order. False without memory.
 */
bool BuffersFind(const Model *model, const BufferList *named, BufferList *ret_buffers);

extern const OpprofRecordType dbi_summary_type;
extern const OpprofRecordType dbi_core_type;
extern const OpprofRecordType dbi_buffer_type;
extern const OpprofRecordType dbi_distance_type;

/* Emit all tables of a launch. */
OpprofStatus TablesEmit(const TablePlace *place, Model *model, const BufferList *named);

#endif
