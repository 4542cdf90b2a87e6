/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_SPAN_ID_H
#define EXPORT_SPAN_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if a text is a number of 64 bits in base 16, with or without 0x. */
bool SpanIdIsNumber(const char *text, size_t length);

/* The number of such a text; for any other text a number that is the same on every machine. */
uint64_t SpanIdNumber(const char *text, size_t length);

#endif
