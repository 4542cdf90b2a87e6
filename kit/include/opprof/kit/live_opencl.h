/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LIVE_OPENCL_H
#define OPPROF_KIT_LIVE_OPENCL_H

/**
 * @file
 * What the OpenCL layer in a program sends to its collector, after the greeting of live.h: messages
 * of one type, each with whole records. Layouts only; nothing here is linked. Experimental.
 *
 * Host times are nanoseconds of CLOCK_MONOTONIC_RAW, device times nanoseconds of the device's own
 * clock. Numbers of devices, queues, names and kernels begin with 1, and are of one process; what
 * they mean was sent before they are used. Calls and commands share one numbering.
 */

#include <opprof/kit/live.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Type of the messages, as OpprofLiveHead.type. */
#define OPPROF_LIVE_OPENCL 64u
#define OPPROF_OPENCL_MOST_SOURCE (256u << 10) /**< Bytes of a source; longer ones are cut. */
#define OPPROF_OPENCL_UNKNOWN UINT64_MAX       /**< Unknown bytes or times. */

/** Kinds of records. */
typedef enum OpprofOpenclRecordKind {
    OPPROF_OPENCL_BEGIN = 1,   /**< The first. */
    OPPROF_OPENCL_NAME = 2,    /**< And a text. */
    OPPROF_OPENCL_DEVICE = 3,  /**< And a text: its name. */
    OPPROF_OPENCL_QUEUE = 4,   /**< A queue was made. */
    OPPROF_OPENCL_PROGRAM = 5, /**< And a text: its source. */
    OPPROF_OPENCL_KERNEL = 6,  /**< A kernel of a program, on its first device. */
    OPPROF_OPENCL_COMMAND = 7, /**< A command is complete, or will not be seen to complete. */
    OPPROF_OPENCL_CALL = 8,    /**< A call of the host that enqueues nothing has returned. */
    OPPROF_OPENCL_WAIT = 9,    /**< A call or command waits for a command. */
    OPPROF_OPENCL_MEMORY = 10, /**< Memory was allocated or freed. */
    OPPROF_OPENCL_CLOCK = 11,  /**< A device's clock was read. */
    OPPROF_OPENCL_END = 12     /**< The last: the program has ended by itself. */
} OpprofOpenclRecordKind;

/** Before every record. */
typedef struct OpprofOpenclHead {
    uint16_t kind;     /**< OpprofOpenclRecordKind. */
    uint16_t reserved; /**< 0. */
    uint32_t size;     /**< Bytes with this head and without the zeros up to a multiple of 8. */
} OpprofOpenclHead;

/** The clocks as the layer was loaded. */
typedef struct OpprofOpenclBegin {
    OpprofOpenclHead head;
    uint64_t host; /**< Host time. */
    int64_t wall;  /**< The same moment since 1970, in nanoseconds. */
} OpprofOpenclBegin;

/** A text follows: the name of a kernel, or of a function of OpenCL. */
typedef struct OpprofOpenclName {
    OpprofOpenclHead head;
    uint32_t id;       /**< Its number. */
    uint32_t reserved; /**< 0. */
} OpprofOpenclName;

/** Its name follows. */
typedef struct OpprofOpenclDevice {
    OpprofOpenclHead head;
    uint32_t id;           /**< Its number. */
    uint32_t units;        /**< Compute units; 0: unknown. */
    uint64_t memory_bytes; /**< Of global memory; 0: unknown. */
} OpprofOpenclDevice;

#define OPPROF_OPENCL_QUEUE_UNORDERED 1u /**< Commands may overtake each other. */
#define OPPROF_OPENCL_QUEUE_REFUSED 2u   /**< It refuses profiling: its commands have no times. */

/** A queue. */
typedef struct OpprofOpenclQueue {
    OpprofOpenclHead head;
    uint32_t id;     /**< Its number. */
    uint32_t device; /**< Of its device. */
    uint32_t flags;  /**< OPPROF_OPENCL_QUEUE_*. */
    int32_t error;   /**< What the driver said when it refused; 0: nothing. */
} OpprofOpenclQueue;

/** Where a program comes from. */
typedef enum OpprofOpenclOrigin {
    OPPROF_OPENCL_UNSEEN = 0,  /**< It is not known. */
    OPPROF_OPENCL_SOURCE = 1,  /**< From source. */
    OPPROF_OPENCL_BINARY = 2,  /**< From a binary. */
    OPPROF_OPENCL_IL = 3,      /**< From an intermediate language. */
    OPPROF_OPENCL_BUILT_IN = 4 /**< Kernels of the device. */
} OpprofOpenclOrigin;

/** Its source follows, if it has one. */
typedef struct OpprofOpenclProgram {
    OpprofOpenclHead head;
    uint32_t id;           /**< Its number. */
    uint32_t origin;       /**< OpprofOpenclOrigin. */
    uint64_t source_bytes; /**< Of the whole source. */
} OpprofOpenclProgram;

/** A kernel, with what the driver says of it on one device. */
typedef struct OpprofOpenclKernel {
    OpprofOpenclHead head;
    uint32_t id;            /**< Its number. */
    uint32_t name;          /**< Of its name. */
    uint32_t program;       /**< Of its program; 0: unknown. */
    uint32_t arguments;     /**< How many it takes. */
    uint64_t local_bytes;   /**< Local memory of a group; OPPROF_OPENCL_UNKNOWN. */
    uint64_t private_bytes; /**< Private memory of an item; OPPROF_OPENCL_UNKNOWN. */
    uint64_t group_size;    /**< Most items of a group; OPPROF_OPENCL_UNKNOWN. */
} OpprofOpenclKernel;

/** What a command does. */
typedef enum OpprofOpenclWork {
    OPPROF_OPENCL_RUN = 0,     /**< A kernel runs. */
    OPPROF_OPENCL_READ = 1,    /**< From the device to the host. */
    OPPROF_OPENCL_WRITE = 2,   /**< From the host to the device. */
    OPPROF_OPENCL_COPY = 3,    /**< Within a device, or between two. */
    OPPROF_OPENCL_FILL = 4,    /**< Memory is set. */
    OPPROF_OPENCL_MAP = 5,     /**< Memory becomes the host's. */
    OPPROF_OPENCL_UNMAP = 6,   /**< Memory becomes the device's again. */
    OPPROF_OPENCL_MIGRATE = 7, /**< Memory moves to a device, or to the host. */
    OPPROF_OPENCL_NATIVE = 8,  /**< A function of the host. */
    OPPROF_OPENCL_MARK = 9,    /**< It waits, or marks a place; no work. */
    OPPROF_OPENCL_FREE = 10,   /**< Memory is freed; no work. */
    OPPROF_OPENCL_BUFFER = 11, /**< A command buffer. */
    OPPROF_OPENCL_WORKS = 12
} OpprofOpenclWork;

#define OPPROF_OPENCL_BLOCKING 1u   /**< The call waited for the command. */
#define OPPROF_OPENCL_NO_TIMES 2u   /**< The driver gives no times. */
#define OPPROF_OPENCL_FAILED 4u     /**< It ended with an error. */
#define OPPROF_OPENCL_UNFINISHED 8u /**< It was not seen to complete before the program ended. */
#define OPPROF_OPENCL_TO_HOST 16u   /**< It moves memory to the host. */
#define OPPROF_OPENCL_TO_DEVICE 32u /**< It moves memory to the device. */

/** A command. */
typedef struct OpprofOpenclCommand {
    OpprofOpenclHead head;
    uint64_t id;             /**< Of the command and of its call. */
    uint64_t called;         /**< Host time: the call began. */
    uint64_t returned;       /**< Host time: it returned. */
    uint64_t queued;         /**< Device time. */
    uint64_t submitted;      /**< Device time. */
    uint64_t started;        /**< Device time. */
    uint64_t ended;          /**< Device time. */
    uint64_t bytes;          /**< That it moves or sets; OPPROF_OPENCL_UNKNOWN. */
    uint64_t global[3];      /**< Items of each dimension; 0: not a kernel. */
    uint64_t argument_bytes; /**< Of the arguments that were set. */
    uint32_t local[3];       /**< Items of a group in each dimension; 0: the driver chose. */
    uint32_t local_bytes;    /**< Local memory that arguments ask for. */
    uint32_t queue;          /**< Of its queue. */
    uint32_t kernel;         /**< Of its kernel; 0: none. */
    uint32_t function;       /**< Of the function's name. */
    uint32_t thread;         /**< Of the host, as the system calls it. */
    uint16_t work;           /**< OpprofOpenclWork. */
    uint16_t flags;          /**< OPPROF_OPENCL_BLOCKING and so on. */
    int32_t error;           /**< Of a command that failed. */
} OpprofOpenclCommand;

/** What a call does besides. */
typedef enum OpprofOpenclCallKind {
    OPPROF_OPENCL_CALL_OTHER = 0,     /**< Nothing of these. */
    OPPROF_OPENCL_CALL_WAITS = 1,     /**< It waits for commands. */
    OPPROF_OPENCL_CALL_WAITS_ALL = 2, /**< It waits for all commands of a queue. */
    OPPROF_OPENCL_CALL_ALLOCATES = 3, /**< It allocates or frees memory. */
    OPPROF_OPENCL_CALL_BUILDS = 4     /**< It compiles or links. */
} OpprofOpenclCallKind;

/** A call of the host. */
typedef struct OpprofOpenclCall {
    OpprofOpenclHead head;
    uint64_t id;       /**< Its number. */
    uint64_t called;   /**< Host time: it began. */
    uint64_t returned; /**< Host time: it returned. */
    uint32_t function; /**< Of the function's name. */
    uint32_t thread;   /**< Of the host, as the system calls it. */
    uint32_t kind;     /**< OpprofOpenclCallKind. */
    uint32_t queue;    /**< Whose commands it waits for; 0: none, or several. */
    int32_t error;     /**< What it returned; 0: it succeeded. */
    uint32_t reserved; /**< 0. */
} OpprofOpenclCall;

/** A call or a command waits for a command. */
typedef struct OpprofOpenclWait {
    OpprofOpenclHead head;
    uint64_t id;     /**< Of what waits. */
    uint64_t source; /**< Of the command that it waits for. */
} OpprofOpenclWait;

/** Memory was allocated or freed. */
typedef struct OpprofOpenclMemory {
    OpprofOpenclHead head;
    uint64_t host;     /**< Host time. */
    int64_t bytes;     /**< Below 0: freed. */
    uint32_t device;   /**< The first of the context. */
    uint32_t reserved; /**< 0. */
} OpprofOpenclMemory;

/** A device's clock was read between two moments of the host. */
typedef struct OpprofOpenclClock {
    OpprofOpenclHead head;
    uint64_t before;   /**< Host time. */
    uint64_t after;    /**< Host time. */
    uint64_t time;     /**< Device time. */
    uint32_t device;   /**< Of its number. */
    uint32_t reserved; /**< 0. */
} OpprofOpenclClock;

/** The program ends by itself, and all was sent. */
typedef struct OpprofOpenclEnd {
    OpprofOpenclHead head;
    uint64_t lost; /**< Commands that were not recorded for want of memory. */
} OpprofOpenclEnd;

/** Bytes of a record with its zeros. [any thread] */
static inline size_t OpprofOpenclPadded(size_t bytes)
{
    return (bytes + 7) & ~(size_t) 7;
}

#ifdef __cplusplus
}
#endif

#endif
