/* SPDX-License-Identifier: Apache-2.0 */
/* A trace that is compressed by zstd: its frames may be damaged. */
#include "fuzz/fuzz.h"
#include "fuzz/trace_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TraceRunBytes(data, size);
    return 0;
}
