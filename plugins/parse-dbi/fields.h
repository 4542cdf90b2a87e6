/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_FIELDS_H
#define PARSE_DBI_FIELDS_H

/*
 * Names for formulas in every record: FIELD(enumerator, name in the chip file). Fields that a
 * record lacks read as 0. The numbers of memories are those of `dbi.memories`, whatever the record
 * calls them; the last two follow from `type`. Other fields are those that rules state.
 */
#define DBI_FIELDS(FIELD)                                                                          \
    FIELD(DBI_DST, "dst")                                                                          \
    FIELD(DBI_SRC, "src")                                                                          \
    FIELD(DBI_PC, "pc")                                                                            \
    FIELD(DBI_ID, "id")                                                                            \
    FIELD(DBI_FROM, "from")                                                                        \
    FIELD(DBI_TO, "to")                                                                            \
    FIELD(DBI_MEMORY, "memory")                                                                    \
    FIELD(DBI_TYPE, "type")                                                                        \
    FIELD(DBI_SUB_BLOCK, "sub_block")

#define DBI_ENUMERATOR(enumerator, name) enumerator,
typedef enum DbiField {
    DBI_FIELDS(DBI_ENUMERATOR) DBI_TYPE_BITS,
    DBI_TYPE_BYTES,
    DBI_FIELD_COUNT
} DbiField;
#undef DBI_ENUMERATOR

#define DBI_MAX_FIELDS 128u /* including those of rules */
#define DBI_MAX_LETS 32u    /* of a rule */
#define DBI_MAX_LOOPS 8u    /* of a rule */

/* Where a record's values lie: its fields, then the values that its rule computes from them. */
#define DBI_FIRST_LET DBI_MAX_FIELDS
#define DBI_FIRST_LOOP (DBI_FIRST_LET + DBI_MAX_LETS)
#define DBI_MAX_VALUES (DBI_FIRST_LOOP + DBI_MAX_LOOPS)

#endif
