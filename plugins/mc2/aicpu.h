/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_AICPU_H
#define MC2_AICPU_H

#include "names.h"

#include <opprof/kit/bytes.h>

/* Reports of the AI CPU (aicpu.bin): its turns and the communication tasks that it starts. */

#define AICPU_RECORD_BYTES 256u
#define AICPU_MAX_TASKS 2u /* of a report */

/* A turn; `times` are the borders of its phases, in ticks of the system counter. */
typedef struct AicpuTurn {
    uint64_t times[TURN_PHASES + 1];
    uint32_t turn; /* from 0 */
    uint32_t stream;
    uint32_t task;
    uint32_t device;
} AicpuTurn;

typedef struct CommTask {
    uint64_t item; /* hash of the task's name */
    uint64_t group;
    uint64_t notify;
    uint64_t bytes;
    double estimated_us;
    uint32_t local_rank;
    uint32_t remote_rank;
    uint32_t task; /* all 32 bits */
    uint32_t stream;
    uint32_t plane;
    uint32_t data_type;
    uint32_t link;
    uint32_t transport;
} CommTask;

typedef enum AicpuKind {
    AICPU_OTHER, /* nothing for timelines */
    AICPU_BAD,   /* neither magic nor length is right */
    AICPU_TURN,
    AICPU_TASKS
} AicpuKind;

typedef struct AicpuReport {
    AicpuKind kind;
    AicpuTurn turn;
    CommTask tasks[AICPU_MAX_TASKS]; /* without empty slots */
    uint32_t task_count;
} AicpuReport;

/* From AICPU_RECORD_BYTES bytes. */
void AicpuRead(const unsigned char *record, AicpuReport *ret_report);

#endif
