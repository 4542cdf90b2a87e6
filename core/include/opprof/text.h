/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_TEXT_H
#define OPPROF_TEXT_H

/**
 * @file
 * Printing into a buffer, fast and the same in every locale. Each OpprofTextPut… writes at `out`,
 * without a NUL, and returns the end of what it wrote; `value` is what is printed. The caller
 * provides the room said, which is not checked. [any thread] Experimental.
 */

#include <opprof/clock.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** The word for one of something, or the word for another number of it: "%u %s", n,
 * OPPROF_PLURAL(n, "row is", "rows are"). */
#define OPPROF_PLURAL(count, one, several) ((count) == 1 ? (one) : (several))

#ifdef __cplusplus
extern "C" {
#endif

/** Room enough for any one number. */
#define OPPROF_TEXT_NUMBER 40

/** Decimal digits; room: 20. */
char *OpprofTextPutU64(char *out, uint64_t value);
/** Decimal digits with sign; room: 20. */
char *OpprofTextPutI64(char *out, int64_t value);
/** "0x" and lower-case digits without padding; room: 18. */
char *OpprofTextPutHex(char *out, uint64_t value);
/** Shortest text that reads back to the same double, always with '.' or an exponent ("1.0"); "null"
 * if not finite; room: OPPROF_TEXT_NUMBER. */
char *OpprofTextPutF64(char *out, double value);
/** Fixed number of `decimals` (0..17), rounded half to even of the exact binary value; falls back
 * to OpprofTextPutF64 beyond 1e18; room: OPPROF_TEXT_NUMBER. */
char *OpprofTextPutFixed(char *out, double value, unsigned decimals);
/** `picoseconds` as microseconds with up to 6 decimals, trailing zeros (and then the point)
 * trimmed; room: 24. */
char *OpprofTextPutMicroseconds(char *out, int64_t picoseconds);
/** A JSON string with its quotes, of the `length` bytes of `text`; bytes that are not UTF-8 become
 * U+FFFD; room: OPPROF_TEXT_JSON_ROOM(length). */
char *OpprofTextPutJson(char *out, const char *text, size_t length);
/** Room for OpprofTextPutJson. */
#define OPPROF_TEXT_JSON_ROOM(length) ((length) *6 + 2)

/** Bytes of the next piece of a text from outside: a character of UTF-8, or a byte that is not part
 * of one; 0 when `length` is. `ret_plain` is false for what must reach no terminal and no table as
 * it is: control characters (C0, DEL, C1 as U+0080 to U+009F or as bare bytes), those that change
 * the direction of writing, and broken UTF-8. [any thread, async-signal-safe] */
size_t OpprofTextNext(const char *text, size_t length, bool *ret_plain);

/** Replace each such piece by '?', in place. A line break with two blanks after it stays, as the
 * text of an error has it; with `keep_lines` all line breaks and tabs stay. Returns the new length.
 * [any thread] */
size_t OpprofTextTame(char *text, bool keep_lines);

/** A stream whose text is whole or missing; one of open_memstream drops pieces without a
 * word when memory is short. After fclose() `ret_text` has the text, to be given to free(), with a
 * NUL after its `ret_size` bytes; when fclose() fails, it is NULL. Both must stay where they are
 * until then. ftell() works, other seeking does not. NULL without memory. [any thread] */
FILE *OpprofTextOpen(char **ret_text, size_t *ret_size);

#ifdef __cplusplus
}
#endif

#endif
