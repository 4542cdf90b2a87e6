/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_NUMBER_H
#define COLLECT_KINETO_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Numbers of JSON text. The whole of the text has to be the number; what is not one, or does not
 * fit, gives false and leaves *ret_value alone.
 */

/*
 * Microseconds as nanoseconds, exactly: "1712195495519689.047" is 1712195495519689047. Further
 * digits are rounded half to even; an exponent is accepted.
 */
bool NumberNanoseconds(const char *text, size_t length, int64_t *ret_value);

/*
 * The same for a text that begins with microseconds as most writers have them: up to 16 digits, a
 * point and three digits. Returns the byte after them; NULL if it begins otherwise or `end` is
 * near: then NumberNanoseconds decides.
 */
const char *NumberReadTime(const char *at, const char *end, int64_t *ret_value);

/* Decimal digits, perhaps with a minus. */
bool NumberInteger(const char *text, size_t length, int64_t *ret_value);

/* The nearest double. */
bool NumberDouble(const char *text, size_t length, double *ret_value);

#endif
