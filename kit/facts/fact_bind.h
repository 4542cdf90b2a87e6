/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FACTS_FACT_BIND_H
#define KIT_FACTS_FACT_BIND_H

#include "kit/facts/fact_location.h"

#include <opprof/kit/record_bits.h>

/* Whole numbers up to here are exact. */
#define FACT_MOST_EXACT 0x1p53

/*
 * Check the facts at a path against a table (docs/chips/chip-files.md): unknown members with the
 * nearest name, wrong kinds and ranges, references to what does not exist, formulas that cannot be
 * parsed.
 */
void FactTableCheck(FactChecker *checker, const char *path, const OpprofFactTable *table);

/* ---- filling structures (fact_fill.c) ---- */

/* `base` is the structure that a fact is bound to; NULL: it is only checked. */

/* What is at the table's path. */
OpprofFactField FactRoot(const OpprofFactTable *table);
/* Where a field without elements is; NULL: nowhere. */
void *FactPlace(const OpprofFactField *field, char *base);
/* The structure of the members of an object, which may be the one around it. */
char *FactInner(const OpprofFactField *field, char *base);
/* The largest whole number that fits. */
double FactMost(const OpprofFactField *field);
void FactStore(const OpprofFactField *field, char *base, uint64_t value);
void FactStoreText(const OpprofFactField *field, char *base, const char *text);
/* What a missing fact fills; all else is zero. */
void FactSetMissing(const OpprofFactField *field, char *base);
/* Room for one more element, with what missing facts fill; NULL: it is not kept. */
char *FactAddElement(FactChecker *checker, const OpprofFactField *field, char *base,
                     const char *key);

/* ---- single facts (fact_values.c) ---- */

/* Check a fact of the field's kind, and fill with it. */
typedef void FactBind(FactChecker *checker, const FactLocation *location,
                      const OpprofFactField *field, char *base);
FactBind FactBindText, FactBindBool, FactBindNumber, FactBindName, FactBindPair, FactBindForm,
    FactBindFormula, FactBindConstant, FactBindCount, FactBindAny;

/* Prints the range of a number with its unit: "8..4096 bytes". */
void FactPrintRange(const OpprofFactField *field, char *text, size_t size);

/* ---- fields of raw records (record_bits.c) ---- */

/* Where a field is, as a chip file says. */
typedef struct RecordPlace {
    uint32_t at;    /* first byte */
    uint32_t bits;  /* 1 to 64 */
    uint32_t shift; /* bits below it */
} RecordPlace;

/* The load that holds a field. False: it reaches beyond the record, which has at least eight bytes,
 * or beyond eight bytes. */
bool RecordBitsPlace(const RecordPlace *place, uint32_t size, bool is_big,
                     OpprofRecordBits *ret_bits);

#endif
