/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of Kineto, plain or gzip: what is read of it is sorted and within bounds, and both
 * scanners agree. */
#include "fuzz/fuzz.h"
#include "fuzz/trace_run.h"
#include "plugins/collect-kineto/text/scan.h"

#include <stdlib.h>
#include <string.h>

/* The scanner of blocks says what the scanner of bytes says. */
static void try_scan(const char *text, size_t size)
{
    ScanState fast = { .depth = 1 };
    ScanState plain = { .depth = 1 };
    const char *wanted = ScanContainerPlainly(&plain, text, text + size);

    FUZZ_REQUIRE(ScanContainer(&fast, text, text + size) == wanted);
    FUZZ_REQUIRE(wanted != NULL || memcmp(&fast, &plain, sizeof fast) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *padded = calloc(1, size + SCAN_PADDING);

    FUZZ_REQUIRE(padded != NULL);
    if (size > 0) {
        memcpy(padded, data, size);
    }
    try_scan(padded, size);
    free(padded);
    TraceRunBytes(data, size);
    return 0;
}
