/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_PRINT_H
#define OPPROF_PRINT_H

/**
 * @file
 * The text of one field of one record, the same wherever records are shown: in tables, taps,
 * databases and on screens. Experimental. [any thread]
 */

#include <opprof/batch.h>
#include <opprof/stage.h>
#include <opprof/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Text of a field. Numbers are decimal, addresses "0x…", doubles as OpprofField.decimals says, else
 * the shortest text that reads back to the same value; strings and texts as they are, unquoted;
 * tracks "document process thread".
 *
 * @param stage       Stage that was given the batch: it knows strings and tracks.
 * @param batch       Batch of the record.
 * @param field       One of the fields of the batch's type.
 * @param record      A record of the batch, at any alignment.
 * @param number      Room for a number, OPPROF_TEXT_NUMBER bytes.
 * @param ret_length  Bytes of the text.
 * @return The text, not NUL-terminated, borrowed from `number`, the batch or the run; NULL if the
 *         value is absent, no finite double, or a text out of its batch's bounds.
 */
const char *OpprofFieldPrint(const OpprofStage *stage, const OpprofBatch *batch,
                             const OpprofField *field, const void *record, char *number,
                             size_t *ret_length);

/**
 * The number of a field, of any kind of number.
 *
 * @param field   One of the record's that is a number; see OpprofFieldIsText.
 * @param record  Where the record begins.
 * @param[out] ret_number  The number; 64-bit integers beyond 2^53 are rounded. Left alone if false.
 * @return False if it is absent or not finite.
 */
bool OpprofFieldNumber(const OpprofField *field, const void *record, double *ret_number);

/** True for kinds whose text is words rather than a number: strings, texts and tracks. */
bool OpprofFieldIsText(const OpprofField *field);

/** Microseconds of a `unit` of time; below 0: of one that depends on a clock ("tick", "cycles"); 0:
 * of any other, and without one (NULL). */
double OpprofUnitTime(const char *unit);

/** Heading of a field: OpprofField.heading, or its name. Borrowed. */
const char *OpprofFieldHeading(const OpprofField *field);

/**
 * True for two types of the same table: instances of a stage may each have made one. They have the
 * same name, and their fields have the same names, headings and kinds; one may have further fields
 * at its end that are hidden, such as the launch that a row is of.
 *
 * @param other  The other type.
 */
bool OpprofRecordTypeIsSame(const OpprofRecordType *type, const OpprofRecordType *other);

/**
 * Field of that name among those of a type, or NULL. The name need not be NUL-terminated.
 *
 * @param name  `length` bytes, any of them; may be NULL when `length` is 0.
 */
const OpprofField *OpprofFieldFind(const OpprofRecordType *type, const char *name, size_t length);

#ifdef __cplusplus
}
#endif

#endif
