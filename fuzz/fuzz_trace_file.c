/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline that is read again: any bytes as a trace.json. Twice: the same events. */
#include "fuzz/fuzz.h"
#include "plugins/collect-results/trace_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t read_events(TraceFile *file, OpprofStatus *ret_status)
{
    TraceFileEvent event;
    OpprofError *error = NULL;
    uint64_t sum = 0;

    while ((*ret_status = TraceFileNext(file, &event, &error)) == OPPROF_OK) {
        FUZZ_REQUIRE(event.members != NULL);
        sum = sum * 31 + (event.has_time ? (uint64_t) event.time_ps : 1);
    }
    FUZZ_REQUIRE((*ret_status == OPPROF_END) == (error == NULL));
    OpprofErrorDestroy(error);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int memory = memfd_create("trace", MFD_CLOEXEC);
    OpprofError *error = NULL;
    TraceFile *file = NULL;
    OpprofStatus first;
    OpprofStatus second;
    char path[64];

    FUZZ_REQUIRE(memory >= 0 && write(memory, data, size) == (ssize_t) size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    if (TraceFileOpen(path, &file, &error) == OPPROF_OK) {
        const uint64_t sum = read_events(file, &first);

        FUZZ_REQUIRE(TraceFileRewind(file, &error) == OPPROF_OK);
        FUZZ_REQUIRE(read_events(file, &second) == sum && first == second);
    }
    OpprofErrorDestroy(error);
    TraceFileClose(file);
    close(memory);
    return 0;
}
