/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_RECORD_H
#define PARSE_DBI_RECORD_H

#include "fields.h"
#include "run.h"

#include <opprof/kit/block_cores.h>
#include <opprof/kit/facts.h>
#include <opprof/kit/record_bits.h>

#include <stddef.h>

/* Layouts of instrumentation records, as stated in the chip file (`dbi`), and
 * records read by them. */

#define DBI_RECORD_HEADER 8u    /* bytes: type, magic */
#define DBI_MAX_BODY 256u       /* bytes of a record after its header */
#define DBI_CHART_MAX 256u      /* bytes of a record of the chart */
#define DBI_MAX_TYPES 64u       /* record types */
#define DBI_MAX_MEMORIES 64u    /* kinds of memory */
#define DBI_NO_MEMORY 0xffu     /* a number that names no memory */
#define DBI_NO_FIELD UINT32_MAX /* a name that names no field */

typedef struct DbiRule DbiRule;

/* Where a field is. */
typedef struct DbiFieldPlace {
    const char *name; /* borrowed from the chip */
    OpprofRecordBits bits;
    uint32_t field; /* DbiField, or a field of a rule */
} DbiFieldPlace;

/* A value that a record type states for all its records. */
typedef struct DbiFixed {
    const char *name; /* borrowed from the chip */
    uint64_t value;
    uint32_t field;
} DbiFixed;

/* A memory that records misname. */
typedef struct DbiAlias {
    const char *from; /* borrowed from the chip */
    uint8_t to;
} DbiAlias;

/* A record type. */
typedef struct DbiLayout {
    const char *name; /* borrowed from the chip */
    DbiRule *rule;    /* of this type alone */
    const char *rule_name;
    uint32_t type;
    uint32_t size; /* bytes after the header */
    DbiFieldPlace *places;
    uint32_t place_count;
    DbiFixed *fixed;
    uint32_t fixed_count;
    DbiAlias *aliases;
    uint32_t alias_count;
    uint8_t from; /* of records that do not state it; DBI_NO_MEMORY: they do */
    uint8_t to;
    uint8_t as[DBI_MAX_MEMORIES]; /* the memory that a number in the record means */
    bool has_pc;
} DbiLayout;

/* ---- rules as the chip file states them ---- */

#define DBI_MAX_RUNS 8u /* of a rule */

/* The formulas of a run: PART(enumerator, name in the chip file, may depend on loops). */
#define DBI_RUN_PARTS(PART)                                                                        \
    PART(DBI_RUN_WHEN, "when", false)                                                              \
    PART(DBI_RUN_COUNT, "count", false)                                                            \
    PART(DBI_RUN_DOWN, "down", false)                                                              \
    PART(DBI_RUN_FROM, "from", false)                                                              \
    PART(DBI_RUN_TO, "to", false)                                                                  \
    PART(DBI_RUN_SRC, "src", true)                                                                 \
    PART(DBI_RUN_DST, "dst", true)                                                                 \
    PART(DBI_RUN_SRC_BYTES, "src_bytes", true)                                                     \
    PART(DBI_RUN_DST_BYTES, "dst_bytes", true)                                                     \
    PART(DBI_RUN_SRC_STEP, "src_step", true)                                                       \
    PART(DBI_RUN_DST_STEP, "dst_step", true)

#define DBI_ENUMERATOR(enumerator, name, turns) enumerator,
typedef enum DbiRunPart { DBI_RUN_PARTS(DBI_ENUMERATOR) DBI_RUN_PART_COUNT } DbiRunPart;
#undef DBI_ENUMERATOR

/* A value that a rule states for its formulas. */
typedef struct DbiLetFacts {
    const char *name; /* borrowed from the chip, as are all texts here */
    OpprofFactWhole is;
} DbiLetFacts;

typedef struct DbiLoopFacts {
    const char *index; /* name of its turn in formulas */
    OpprofFactWhole count;
} DbiLoopFacts;

typedef struct DbiRunFacts {
    OpprofFactWhole parts[DBI_RUN_PART_COUNT];
} DbiRunFacts;

typedef struct DbiRuleFacts {
    const char *name;
    const char **fields; /* of records, beside those that all may have */
    uint32_t field_count;
    DbiLetFacts *lets;
    uint32_t let_count;
    DbiLoopFacts loops[DBI_MAX_LOOPS]; /* the outermost first */
    uint32_t loop_count;
    OpprofFactWhole invalid;
    OpprofFactWhole rough;
    DbiRunFacts runs[DBI_MAX_RUNS];
    uint32_t run_count;
    bool wraps;
} DbiRuleFacts;

/* ---- all of it ---- */

/* The record area. */
typedef struct DbiArea {
    uint32_t slots;
    uint32_t header; /* bytes of a slot's header */
    uint64_t bytes;  /* of a slot with its header */
    uint64_t gap;    /* after each slot */
    uint32_t magic;  /* of each record */
} DbiArea;

/* A record of the file of decomposed accesses. */
typedef struct DbiChartLayout {
    uint32_t size; /* 0: the chip leaves none */
    OpprofRecordBits src;
    OpprofRecordBits dst;
    OpprofRecordBits src_bytes;
    OpprofRecordBits dst_bytes;
    OpprofRecordBits pc;
    OpprofRecordBits slot;
    OpprofRecordBits sub_block;
    OpprofRecordBits from; /* number of the memory */
    OpprofRecordBits to;
} DbiChartLayout;

typedef struct DbiTables {
    DbiArea area;
    DbiChartLayout chart;
    const char *memories[DBI_MAX_MEMORIES]; /* borrowed from the chip */
    uint32_t memory_count;
    uint8_t global;    /* the device's memory; DBI_NO_MEMORY: none */
    uint8_t registers; /* the same for registers */
    OpprofBlockCores cores;
    uint32_t type_bits[DBI_MAX_TYPES];
    uint32_t type_count;
    const char *fields[DBI_MAX_FIELDS]; /* names; borrowed from the chip */
    uint32_t field_count;
    DbiRuleFacts *rules;
    uint32_t rule_count;
    DbiLayout *layouts;
    uint32_t layout_count;
    const DbiLayout *by_type[DBI_MAX_TYPES]; /* NULL: there is no such type */
} DbiTables;

/* What the chip file may state in `dbi`; it fills DbiTables. */
extern const OpprofFactTable dbi_table;
extern const OpprofChipTable dbi_chip_tables[];

/* Whether a field usually differs between records, as addresses do. */
static inline bool DbiFieldIsWide(const DbiFieldPlace *place)
{
    return place->bits.mask == UINT64_MAX;
}

/*
 * Read the tables of a chip. OPPROF_E_NOT_FOUND: it has none. OPPROF_E_DATA names the faulty
 * member. Call DbiTablesFinish in any case.
 */
OpprofStatus DbiTablesLoad(const OpprofChip *chip, DbiTables *tables, OpprofError **error);
void DbiTablesFinish(DbiTables *tables);

/* Number of a field by its name; DBI_NO_FIELD if none. */
uint32_t DbiFieldOf(const DbiTables *tables, const char *name);

/* The layout of a record type, NULL if none. */
const DbiLayout *DbiLayoutOf(const DbiTables *tables, uint32_t type);

/* A record. */
typedef struct DbiRecord {
    const DbiTables *tables;
    const DbiLayout *layout;
    uint8_t from; /* DBI_NO_MEMORY: the record names none that exists */
    uint8_t to;
    const char *refusal;             /* the handler's reason to leave it out; NULL: it counts */
    uint64_t values[DBI_MAX_VALUES]; /* fields by number, then the values that the rule computes */
} DbiRecord;

/* Read a record from its body, layout->size bytes. */
void DbiRecordRead(const DbiTables *tables, const DbiLayout *layout, const unsigned char *body,
                   DbiRecord *ret_record);

/* Number of a memory by its name; DBI_NO_MEMORY if none. */
uint8_t DbiMemoryOf(const DbiTables *tables, const char *name);

#endif
