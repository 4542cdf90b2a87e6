/* SPDX-License-Identifier: Apache-2.0 */
/* Parses reports of the AI CPU. Tested by tests/plugins/mc2/test_tasks.c. */
#include "aicpu.h"

#include <string.h>

#define MAGIC 0x5a5au
#define LEVEL 6000u
#define TYPE_TURN 4u
#define TYPE_TASKS 13u
#define HEAD_BYTES 24u
#define DATA_BYTES (AICPU_RECORD_BYTES - HEAD_BYTES)
#define TURN_BYTES 80u
#define TASK_BYTES 116u

static void read_turn(OpprofByteReader *data, AicpuTurn *turn)
{
    for (uint32_t i = 0; i <= TURN_PHASES; i++) {
        turn->times[i] = OpprofByteReaderU64(data);
    }
    OpprofByteReaderTake(data, 8); /* bytes of data */
    turn->device = OpprofByteReaderU32(data);
    turn->stream = OpprofByteReaderU16(data);
    turn->task = OpprofByteReaderU16(data);
    OpprofByteReaderTake(data, 2); /* version, number of turns */
    turn->turn = OpprofByteReaderU8(data);
}

static void read_task(const unsigned char *slot, CommTask *task)
{
    OpprofByteReader reader = OpprofByteReaderInit(slot, TASK_BYTES);
    uint64_t estimated;

    task->item = OpprofByteReaderU64(&reader);
    OpprofByteReaderTake(&reader, 8); /* tag */
    task->group = OpprofByteReaderU64(&reader);
    task->local_rank = OpprofByteReaderU32(&reader);
    task->remote_rank = OpprofByteReaderU32(&reader);
    OpprofByteReaderTake(&reader, 8); /* ranks, stage */
    task->notify = OpprofByteReaderU64(&reader);
    OpprofByteReaderTake(&reader, 8); /* the report's own time */
    estimated = OpprofByteReaderU64(&reader);
    memcpy(&task->estimated_us, &estimated, sizeof estimated);
    OpprofByteReaderTake(&reader, 16); /* addresses */
    task->bytes = OpprofByteReaderU64(&reader);
    task->task = OpprofByteReaderU32(&reader);
    OpprofByteReaderTake(&reader, 4);
    task->stream = OpprofByteReaderU16(&reader);
    task->plane = OpprofByteReaderU16(&reader);
    OpprofByteReaderTake(&reader, 1); /* operation */
    task->data_type = OpprofByteReaderU8(&reader);
    task->link = OpprofByteReaderU8(&reader);
    task->transport = OpprofByteReaderU8(&reader);
}

static void read_tasks(const unsigned char *data, uint32_t length, AicpuReport *report)
{
    for (uint32_t at = 0; at + TASK_BYTES <= length; at += TASK_BYTES) {
        CommTask task;
        read_task(data + at, &task);
        if (task.group != 0) { /* else the slot is empty */
            report->tasks[report->task_count++] = task;
        }
    }
}

void AicpuRead(const unsigned char *record, AicpuReport *ret_report)
{
    OpprofByteReader reader = OpprofByteReaderInit(record, AICPU_RECORD_BYTES);
    const uint32_t magic = OpprofByteReaderU16(&reader);
    const uint32_t level = OpprofByteReaderU16(&reader);
    const uint32_t type = OpprofByteReaderU32(&reader);
    OpprofByteReaderTake(&reader, 4); /* thread */
    const uint32_t length = OpprofByteReaderU32(&reader);
    const uint32_t least = type == TYPE_TURN ? TURN_BYTES : type == TYPE_TASKS ? TASK_BYTES : 0;

    ret_report->kind = AICPU_OTHER;
    ret_report->task_count = 0;
    OpprofByteReaderTake(&reader, 8); /* the report's own time */
    if (magic != MAGIC || length > DATA_BYTES || (level == LEVEL && length < least)) {
        ret_report->kind = AICPU_BAD;
    } else if (level == LEVEL && type == TYPE_TURN) {
        ret_report->kind = AICPU_TURN;
        read_turn(&reader, &ret_report->turn);
    } else if (level == LEVEL && type == TYPE_TASKS) {
        ret_report->kind = AICPU_TASKS;
        read_tasks(record + HEAD_BYTES, length, ret_report);
    }
}
