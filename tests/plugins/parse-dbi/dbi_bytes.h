/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_PARSE_DBI_DBI_BYTES_H
#define TESTS_PLUGINS_PARSE_DBI_DBI_BYTES_H

/* Records written field by field. */

#include <stdint.h>
#include <string.h>

#define MAGIC UINT32_C(0x5a5a5a5a)

static inline void put(unsigned char *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        at[i] = (unsigned char) (value >> 8 * i);
    }
}

/* Numbers of memories and of data types, as stubs write them. */
enum { L1, L0A, L0B, L0C, UB, BT, GM, REG, PRIVATE };
enum { B4, B8, B16, B32, F16, BF16, F32, S32 };

#endif
