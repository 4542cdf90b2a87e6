/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_WIDE_JSON_H
#define COLLECT_KINETO_TEXT_WIDE_JSON_H

#include <jansson.h>

/*
 * A JSON value from memory. Integers from 2^63 to 2^64 - 1, such as handles and ids of hardware,
 * have the same 64 bits as a negative number. NULL: not JSON, or no memory.
 */
json_t *WideJsonValue(const char *text, size_t length);

#endif
