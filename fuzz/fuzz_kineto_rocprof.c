/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of rocprofv3: records, kernels, agents and names that refer to each other. */
#include "fuzz/fuzz.h"
#include "fuzz/trace_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TraceRunBytes(data, size);
    return 0;
}
