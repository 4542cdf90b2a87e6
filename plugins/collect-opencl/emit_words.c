/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What commands are called, in the words that profilers of frameworks write.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "collect-opencl/emit.h"

#include <opprof/records/activity.h>
#include <string.h>

static const char *name_of_work(const OpprofOpenclCommand *command)
{
    const bool to_host = (command->flags & OPPROF_OPENCL_TO_HOST) != 0;

    switch (command->work) {
    case OPPROF_OPENCL_READ:
        return "Memcpy DtoH";
    case OPPROF_OPENCL_WRITE:
        return "Memcpy HtoD";
    case OPPROF_OPENCL_COPY:
        return "Memcpy DtoD";
    case OPPROF_OPENCL_FILL:
        return "Memset (Device)";
    case OPPROF_OPENCL_MAP:
        return to_host ? "Memcpy DtoH (map)" : "Map without reading";
    case OPPROF_OPENCL_UNMAP:
        return (command->flags & OPPROF_OPENCL_TO_DEVICE) != 0 ? "Memcpy HtoD (unmap)"
                                                               : "Unmap without writing";
    case OPPROF_OPENCL_MIGRATE:
        return to_host ? "Memcpy DtoH (migrate)" : "Memcpy HtoD (migrate)";
    case OPPROF_OPENCL_NATIVE:
        return "native kernel";
    case OPPROF_OPENCL_BUFFER:
        return "command buffer";
    default:
        return NULL;
    }
}

uint32_t EmitName(const Emitter *emitter, const OpprofOpenclCommand *command)
{
    const OpprofOpenclKernel *kernel = ProcessKernelOf(emitter->process, command);
    const char *name = name_of_work(command);

    if (kernel != NULL && kernel->name != 0) {
        return ProcessName(emitter->process, kernel->name);
    }
    return name != NULL ? EmitIntern(emitter, name, strlen(name))
                        : ProcessName(emitter->process, command->function);
}

uint32_t EmitCategory(const Emitter *emitter, const OpprofOpenclCommand *command)
{
    const char *word;

    switch (command->work) {
    case OPPROF_OPENCL_RUN:
    case OPPROF_OPENCL_NATIVE:
    case OPPROF_OPENCL_BUFFER:
        word = OPPROF_ACTIVITY_COMPUTATION;
        break;
    case OPPROF_OPENCL_MARK:
    case OPPROF_OPENCL_FREE:
        word = "marker"; /* not work */
        break;
    default:
        word = OPPROF_ACTIVITY_MEMORY;
        break;
    }
    return EmitIntern(emitter, word, strlen(word));
}
