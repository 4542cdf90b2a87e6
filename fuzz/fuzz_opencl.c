/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message of the OpenCL layer, which a program may write as it likes: what is let through names
 * only what is there, and its times are periods.
 */
#include "fuzz/fuzz.h"
#include "plugins/collect-opencl/process.h"

#include <string.h>

static uint32_t intern(void *context, const char *text, size_t length)
{
    static volatile char sum; /* so that the bytes are looked at */

    (void) context;
    for (size_t i = 0; i < length; i++) {
        sum = (char) (sum ^ text[i]);
    }
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Process process = { .intern = intern };
    const char *why = NULL;
    const OpprofStatus status = ProcessTake(&process, data, size, &why);

    FUZZ_REQUIRE(status == OPPROF_OK || (status == OPPROF_E_DATA && why != NULL));
    for (uint32_t i = 0; i < process.command_count; i++) {
        const OpprofOpenclCommand *command = &process.commands[i];

        FUZZ_REQUIRE(ProcessDeviceOfQueue(&process, command->queue) != NULL);
        FUZZ_REQUIRE(command->called <= command->returned);
        FUZZ_REQUIRE((command->flags & OPPROF_OPENCL_NO_TIMES) != 0 ||
                     command->started <= command->ended);
        if (ProcessKernelOf(&process, command) != NULL) {
            ProcessName(&process, ProcessKernelOf(&process, command)->name);
        }
        ProcessName(&process, command->function);
    }
    ProcessFinish(&process);
    return 0;
}
