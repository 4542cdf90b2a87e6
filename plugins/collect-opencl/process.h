/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_OPENCL_PROCESS_H
#define COLLECT_OPENCL_PROCESS_H

/* What one process did, as its layer sent it. Everything is kept until the end of the run. */

#include <opprof/error.h>
#include <opprof/kit/live_opencl.h>
#include <opprof/record.h>

typedef struct ProcessDevice {
    OpprofOpenclDevice facts;
    uint32_t name;      /* interned */
    uint64_t commands;  /* with times */
    uint64_t untimed;   /* commands without */
    int64_t live_bytes; /* while memory is gone through */
    int64_t most_bytes; /* at one time */
} ProcessDevice;

typedef struct ProcessProgram {
    OpprofOpenclProgram facts;
    char *source; /* owned; NULL: unknown */
    size_t length;
} ProcessProgram;

/* Interns a text; OPPROF_NA_STRING without memory. */
typedef uint32_t ProcessIntern(void *context, const char *text, size_t length);

typedef struct Process {
    ProcessIntern *intern;
    void *context;   /* of `intern` */
    uint32_t client; /* number of the connection */
    uint32_t pid;
    uint32_t program; /* interned name of the file that it runs */
    bool has_begun;
    bool has_ended;      /* by itself, with all that it had to say */
    bool is_gone;        /* the connection is closed */
    int64_t wall_offset; /* from the host's clock to the time since 1970 */
    uint64_t lost;
    uint32_t *names; /* interned, by number minus 1 */
    uint32_t name_count, name_room;
    ProcessDevice *devices; /* by number minus 1, and so on */
    uint32_t device_count, device_room;
    OpprofOpenclQueue *queues;
    uint32_t queue_count, queue_room;
    ProcessProgram *programs;
    uint32_t program_count, program_room;
    OpprofOpenclKernel *kernels;
    uint32_t kernel_count, kernel_room;
    OpprofOpenclCommand *commands; /* as they were complete */
    uint32_t command_count, command_room;
    OpprofOpenclCall *calls; /* as they returned */
    uint32_t call_count, call_room;
    OpprofOpenclWait *waits;
    uint32_t wait_count, wait_room;
    OpprofOpenclMemory *memory;
    uint32_t memory_count, memory_room;
    OpprofOpenclClock *clocks;
    uint32_t clock_count, clock_room;
} Process;

/*
 * Take the records of a message. OPPROF_OK; OPPROF_E_DATA, and *ret_why says why not: those before
 * the bad one are kept; OPPROF_E_MEMORY.
 */
OpprofStatus ProcessTake(Process *process, const uint8_t *bytes, size_t size, const char **ret_why);
/* Device of a queue, both by number; NULL: unknown. */
ProcessDevice *ProcessDeviceOfQueue(const Process *process, uint32_t queue);
/* The kernel of a command; NULL: it has none. */
const OpprofOpenclKernel *ProcessKernelOf(const Process *process,
                                          const OpprofOpenclCommand *command);
/* Interned name; OPPROF_NA_STRING: unknown. */
uint32_t ProcessName(const Process *process, uint32_t number);
void ProcessFinish(Process *process);

#endif
