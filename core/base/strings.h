/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_STRINGS_H
#define BASE_STRINGS_H

#include "base/table.h"

#include <stddef.h>
#include <stdint.h>

/* The run's string table. Insertion takes a lock; StringTableGet is wait-free. */
typedef Table StringTable;

#define STRING_TABLE_MAX (4u << 20) /* texts */

/* "" is always there; ids start at 1; 0 is "absent". */
StringTable *StringTableCreate(void);

/* 0: no memory or full. */
uint32_t StringTableIntern(StringTable *strings, const char *text, size_t length);

/* "" for 0 and unknown ids. ret_length may be NULL. */
const char *StringTableGet(const StringTable *strings, uint32_t id, size_t *ret_length);

#endif
