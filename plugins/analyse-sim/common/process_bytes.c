/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the bytes that an instruction moves between memories. Tested by
 * tests/plugins/analyse-sim/details/test_process_bytes.c.
 */
#include "analyse-sim/common/process_bytes.h"

int64_t ProcessBytes(const NameFacts *facts, const char *detail, size_t length)
{
    DialectNumbers numbers;
    uint64_t bytes;

    if (facts->move == NULL || !DialectRead(facts->move, detail, length, &numbers)) {
        return 0;
    }
    bytes = DialectValue(facts->move, FORMULA_BYTES, &numbers);
    return bytes > INT64_MAX ? INT64_MAX : (int64_t) bytes;
}
