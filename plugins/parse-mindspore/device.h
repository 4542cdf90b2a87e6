/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MINDSPORE_DEVICE_H
#define PARSE_MINDSPORE_DEVICE_H

/*
 * A device whose logs are read, and how each format is read. Functions return OPPROF_OK,
 * OPPROF_E_MEMORY, or what a push returned.
 */

#include "parse-mindspore/tasks.h"

#include <opprof/kit/cutter.h>
#include <opprof/records/mindspore.h>
#include <opprof/stage.h>

/* Output ports. */
enum {
    PORT_OPERATORS,
    PORT_EXECUTIONS,
    PORT_AICPU,
    PORT_STEPS,
    PORT_COLLECTIVES,
    PORT_POINTS,
    PORT_SOURCES,
    PORT_QUEUES,
    PORT_PIPELINE,
    PORT_CPU,
    PORT_GPU_OPERATORS,
    PORT_GPU_ACTIVITIES,
    PORT_RANKS,
    PORT_LINKS,
    PORTS
};

#define TICKS_A_SECOND 100000000u /* where no file says it */

typedef struct Device Device;
typedef struct Log Log;

/* A format of logs. */
typedef struct Format {
    const char *kind;
    uint32_t generation;   /* 0: of both */
    uint32_t record_bytes; /* 0: text */
    char end;              /* of a record of text */
    bool is_document;      /* all of it is one record */
    uint32_t most_text;    /* bytes of the longest record; 0: TEXT_MOST */
    bool is_binary;        /* of two formats of a kind, the one that begins with the mark */
    bool is_table;         /* of tasks: all of them come before what needs them */
    uint16_t mark;         /* two bytes of every record, and where; 0: there are none */
    uint16_t mark_at;
    const char *source;            /* its name in the table of sources; NULL: it is not in it */
    const struct SheetKind *sheet; /* of CSV files */
    /* Of text, `count` is the length, without the end. */
    OpprofStatus (*take)(Device *device, Log *log, const unsigned char *records, size_t count);
    OpprofStatus (*end_of_log)(Device *device, Log *log); /* NULL: nothing to do */
} Format;

/* What was lost, for one message. */
typedef struct Loss {
    uint64_t count;
    uint64_t first; /* record of the log, from 1 */
} Loss;

/* The log that is read. */
struct Log {
    const Format *format;
    const char *file; /* name of its first file */
    uint32_t generation;
    uint32_t slices;
    uint64_t bytes;
    uint64_t records; /* whole ones so far, good or bad */
    Loss skipped;
    Loss lost;
    Loss nameless; /* records whose name is a hash that has none */
    Loss odd;      /* records of text that cannot be read, and unknown ones */
    Loss again;    /* records that are there twice, or earlier than those before them */
    Loss missing;  /* records that must have been there, by the numbers of others */
    uint64_t tail_bytes;
    uint64_t wraps;
    bool is_seeking; /* after a gap: it is unknown where a record begins */
    bool is_over;    /* after a gap, for good */
    OpprofCutter cutter;
    char *text; /* of a record that is not whole yet */
    size_t text_length;
    size_t text_room;
    bool is_long; /* it is too long, and dropped */
    struct Sheet *sheet;
};

/* The queue of the host that is read. */
typedef struct HostQueue {
    OpprofMindsporeQueueStep row; /* no queue: none is open */
    uint64_t step;                /* the last one */
    unsigned kinds;               /* of lines of the step */
    unsigned due;                 /* that each step has; 0: none was there */
} HostQueue;

typedef struct Aicpu {
    OpprofMindsporeAicpu node; /* that waits for its Thread; no device: none does */
    uint64_t serial;
    uint64_t threads; /* records of threads alone */
} Aicpu;

/* What files of a cluster say of a rank; it is emitted when its device ends. */
typedef struct RankRow {
    double iteration_interval_us, computation_us, communication_us, stage_us, receive_us;
    double collective_us, mflops, gflops, peak_memory;
    uint32_t rank, mode, stage, reserved;
} RankRow;

/* Rows of operators of a GPU. */
typedef struct GpuRows {
    struct GpuOperatorRow *list;
    size_t count;
    size_t room;
    bool is_short; /* of memory */
} GpuRows;

struct Device {
    OpprofStage *stage;
    uint32_t id; /* interned number; OPPROF_NA_STRING: none is open */
    uint32_t clock;
    double ticks_a_us;
    double peak; /* operations a second; 0: unknown */
    Log log;
    Tasks tasks;
    bool has_tables; /* operators were emitted */
    Aicpu aicpu;
    HostQueue queue;
    uint64_t get_next_steps;
    RankRow rank;
    bool is_rank;        /* a file says something of it */
    uint64_t rank_steps; /* rows of its table of steps, with the mean; 0: it has none */
    GpuRows gpu;
    struct GpuSteps *gpu_steps;
    Unwrap counted; /* task numbers of the logs but the one of executions */
    Unwrap latest;  /* times of streams or kernels in the log that is read */
    struct Hwts *hwts;
    struct Steps *steps;
    OpprofOpenBatch executions;
};

/* Counts a record that cannot be used. */
static inline void LogNote(Log *log, Loss *loss, uint64_t count)
{
    loss->first = loss->count == 0 ? log->records : loss->first;
    loss->count += count;
}

static inline uint32_t DeviceIntern(const Device *device, const char *text, size_t length)
{
    return OpprofStageIntern(device->stage, text, length);
}

/* The formats; one without a kind ends them. */
extern const Format text_formats[];
extern const Format binary_formats[];
extern const Format hwts_formats[];
extern const Format aicpu_formats[];
extern const Format step_formats[];
extern const Format queue_formats[];
extern const Format document_formats[];
extern const Format gpu_step_formats[];

/* The clock of the device's ticks. */
void DeviceSetClock(Device *device, uint64_t hz);
/* Emit what is known about the operators. */
OpprofStatus DeviceEmitOperators(Device *device);
void HwtsFinish(Device *device);
void StepsFinish(Device *device);
void GpuStepsFinish(Device *device);

#endif
