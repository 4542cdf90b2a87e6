/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_TEXT_H
#define OPPROF_TEXT_H

/**
 * @file
 * Printing into a buffer, fast and the same in every locale. Each function writes at `out`, without a
 * NUL, and returns the end of what it wrote. The caller provides the room said. [any thread]
 */

#include <opprof/clock.h>
#include <stddef.h>

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
/** Shortest text that reads back to the same double, always with '.' or an exponent ("1.0"); "null" if not finite; room: OPPROF_TEXT_NUMBER. */
char *OpprofTextPutF64(char *out, double value);
/** Fixed number of decimals (0..17), rounded half to even of the exact binary value; falls back to OpprofTextPutF64 beyond 1e18; room: OPPROF_TEXT_NUMBER. */
char *OpprofTextPutFixed(char *out, double value, unsigned decimals);
/** Picoseconds as microseconds with up to 6 decimals, trailing zeros (and then the point) trimmed; room: 24. */
char *OpprofTextPutMicroseconds(char *out, int64_t picoseconds);
/** A JSON string with its quotes; bytes that are no UTF-8 become U+FFFD; room: OPPROF_TEXT_JSON_ROOM(length). */
char *OpprofTextPutJson(char *out, const char *text, size_t length);
/** Room for OpprofTextPutJson. */
#define OPPROF_TEXT_JSON_ROOM(length) ((length) * 6 + 2)

#ifdef __cplusplus
}
#endif

#endif
