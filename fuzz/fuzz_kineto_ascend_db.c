/* SPDX-License-Identifier: Apache-2.0 */
/* Databases of Ascend profilers: the input is one, or the SQL that makes it. */
#include "fuzz/fuzz.h"
#include "fuzz/made_database.h"
#include "fuzz/trace_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/opprof-fuzz-XXXXXX";
    const int fd = mkstemp(path);

    FUZZ_REQUIRE(fd >= 0);
    close(fd);
    unlink(path);
    FuzzMakeDatabase(path, data, size);
    if (access(path, F_OK) == 0) {
        TraceRunPath(path);
    }
    unlink(path);
    return 0;
}
