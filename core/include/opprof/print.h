/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_PRINT_H
#define OPPROF_PRINT_H

/**
 * @file
 * The text of one field of one record, the same wherever records are shown: in tables, taps,
 * databases and on screens. A `field` is one of the type of the `batch`, a `record` may lie
 * anywhere, a `name` need not end with NUL. Experimental. [any thread]
 */

#include <opprof/batch.h>
#include <opprof/stage.h>
#include <opprof/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Text of a field of the batch's type, of `ret_length` bytes without a NUL. Numbers are decimal,
 * addresses "0x…", doubles as OpprofField.decimals says, else the shortest text that reads back to
 * the same value; strings and texts as they are, unquoted; tracks "document process thread".
 * `stage` was given the batch: it knows strings and tracks. Borrowed from `number`
 * (OPPROF_TEXT_NUMBER bytes), the batch or the run; NULL if the value is absent, no finite double,
 * or a text out of its batch's bounds. */
const char *OpprofFieldPrint(const OpprofStage *stage, const OpprofBatch *batch,
                             const OpprofField *field, const void *record, char *number,
                             size_t *ret_length);

/** The number of a field that is one (OpprofFieldIsText); 64-bit integers beyond 2^53 are rounded.
 * False if it is absent or not finite: `ret_number` is left alone. */
bool OpprofFieldNumber(const OpprofField *field, const void *record, double *ret_number);

/** True for kinds whose text is words rather than a number: strings, texts and tracks. */
bool OpprofFieldIsText(const OpprofField *field);

/** Microseconds of a `unit` of time; below 0: of one that depends on a clock ("tick", "cycles"); 0:
 * of any other, and without one (NULL). */
double OpprofUnitTime(const char *unit);

/** Heading of a field: OpprofField.heading, or its name. Borrowed. */
const char *OpprofFieldHeading(const OpprofField *field);

/** True for two types, this and the `other`, of the same table: instances of a stage may each have
 * made one. They have the same name, and their fields have the same names, headings and kinds; one
 * may have further fields at its end that are hidden, such as the launch that a row is of. */
bool OpprofRecordTypeIsSame(const OpprofRecordType *type, const OpprofRecordType *other);

/** Field of a type by its name of `length` bytes, which may be NULL when that is 0; NULL: none. */
const OpprofField *OpprofFieldFind(const OpprofRecordType *type, const char *name, size_t length);

#ifdef __cplusplus
}
#endif

#endif
