/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The AI CPU's side of operators that communicate: it notifies every peer that its part is there,
 * waits for theirs, and has them copied. The records of channels 50 and 143 show what it did when.
 * Tested by tests/refchip/test_mc2.sh.
 */
#include "comm.h"
#include "refchip/chip/config.h"
#include "refchip/chip/execute.h"
#include "refchip/chip/profile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_BYTES 256u
#define MOST_SECONDS 1800u
#define REPORT_DATA 24u
#define SLOT_BYTES 116u
#define REPORT_MAGIC 0x5a5au
#define REPORT_LEVEL 6000u
#define REPORT_TURN 4u
#define REPORT_TASKS 13u
#define TASK_AI_CPU 1u
#define TASK_NOTIFY_RECORD 6u
#define TASK_NOTIFY_WAIT 7u
#define TASK_SDMA 11u
#define ITEM_RECORD UINT64_C(0x9eb5886f0b5ef22f)
#define ITEM_WAIT UINT64_C(0xab44b101f36f4b07)
#define ITEM_COPY UINT64_C(0x628f0043a268d0cf)
#define FIRST_PLANE_STREAM 200u
#define MOST_TASKS (1u + 3u * COMM_MOST_RANKS)

/* Cycles that parts of the work take. */
enum { SERVER = 200, REQUEST = 200, ORDER = 300, LAUNCH = 200, FINAL = 100 };
enum { NOTIFY = 50, BETWEEN_NOTICES = 100, WAIT_LEAST = 20, FLIGHT = 80, COPY = 100 };
#define STAGGER 300u /* a rank's AI CPU begins so much after that of the rank before */

typedef struct AicpuTask {
    Task task;
    GatherArgs args;
    Stream *stream;
    uint16_t number;
    /* When it was launched, so that it does not matter which stream's thread is first. */
    uint64_t start;
    ProfileTicket ticket;
} AicpuTask;

/* Work of one rank. */
typedef struct Work {
    const GatherArgs *args;
    uint32_t rank;
    uint32_t ranks;
    uint64_t begun[COMM_MOST_RANKS]; /* of all ranks: when its AI CPU began to launch */
    ProfileTask tasks[MOST_TASKS];
    uint32_t count;
    unsigned char reports[COMM_MOST_RANKS * 2 + 1][REPORT_BYTES];
    uint32_t report_count;
    uint64_t end;
} Work;

static void put(unsigned char *at, uint64_t value, size_t size)
{
    memcpy(at, &value, size);
}

static unsigned char *new_report(Work *work, uint32_t kind, uint32_t bytes)
{
    unsigned char *report = work->reports[work->report_count++];

    memset(report, 0, REPORT_BYTES);
    put(report, REPORT_MAGIC, 2);
    put(report + 2, REPORT_LEVEL, 2);
    put(report + 4, kind, 4);
    put(report + 12, bytes, 4);
    return report + REPORT_DATA;
}

/* A communication task; its times are in the log of tasks. */
typedef struct Slot {
    uint64_t item;
    uint64_t notify;
    uint64_t bytes;
    uint32_t peer;
    uint16_t task;
} Slot;

static void put_slot(const Work *work, unsigned char *at, const Slot *slot)
{
    put(at, slot->item, 8);
    put(at + 16, 1, 8); /* group */
    put(at + 24, work->rank, 4);
    put(at + 28, slot->peer, 4);
    put(at + 32, work->ranks, 4);
    put(at + 40, slot->notify, 8);
    put(at + 80, slot->bytes, 8);
    put(at + 88, slot->task, 4);
    put(at + 96, FIRST_PLANE_STREAM + slot->peer, 2);
    put(at + 98, slot->peer, 2);
    at[101] = 4; /* FP32 */
    at[102] = 1; /* HCCS */
}

static uint16_t add_task(Work *work, uint32_t type, uint32_t peer, uint64_t start, uint64_t end)
{
    const uint16_t task = (uint16_t) (work->count + 1);

    work->tasks[work->count++] =
        (ProfileTask){ type, (uint16_t) (FIRST_PLANE_STREAM + peer), task, start, end };
    work->end = end > work->end ? end : work->end;
    return task;
}

/* When `from` has notified `to` that its part is there: peers get it one after the other. */
static uint64_t record_start(const Work *work, uint32_t from, uint32_t to)
{
    const uint32_t place = (to + work->ranks - from) % work->ranks;

    return work->begun[from] + (uint64_t) BETWEEN_NOTICES * place;
}

static void serve_peer(Work *work, uint32_t peer)
{
    const uint64_t told = record_start(work, work->rank, peer);
    const uint64_t heard = record_start(work, peer, work->rank) + NOTIFY + FLIGHT;
    const uint64_t wait = told + NOTIFY;
    const uint64_t ready = heard > wait + WAIT_LEAST ? heard : wait + WAIT_LEAST;
    const uint64_t copied = ready + COPY + work->args->bytes / 64;
    const Slot record = { ITEM_RECORD, (uint64_t) work->rank * 64 + peer, 0, peer,
                          add_task(work, TASK_NOTIFY_RECORD, peer, told, told + NOTIFY) };
    const Slot waited = { ITEM_WAIT, (uint64_t) peer * 64 + work->rank, 0, peer,
                          add_task(work, TASK_NOTIFY_WAIT, peer, wait, ready) };
    const Slot copy = { ITEM_COPY, 0, work->args->bytes, peer,
                        add_task(work, TASK_SDMA, peer, ready, copied) };
    unsigned char *data = new_report(work, REPORT_TASKS, 2 * SLOT_BYTES);

    put_slot(work, data, &record);
    put_slot(work, data + SLOT_BYTES, &waited);
    put_slot(work, new_report(work, REPORT_TASKS, SLOT_BYTES), &copy);
}

/* The borders of the turn's phases, in ticks of the device. */
static void put_turn(Work *work, const AicpuTask *task, uint32_t device)
{
    const uint64_t active = work->begun[work->rank];
    const uint64_t borders[] = { active - LAUNCH - ORDER - REQUEST - SERVER,
                                 active - LAUNCH - ORDER - REQUEST,
                                 active - LAUNCH - ORDER,
                                 active - LAUNCH,
                                 active,
                                 work->end,
                                 work->end + FINAL };
    unsigned char *data = new_report(work, REPORT_TURN, 80);

    for (uint32_t i = 0; i < 7; i++) {
        put(data + (size_t) 8 * i, RefchipProfileTick(device, borders[i]), 8);
    }
    put(data + 64, device, 4);
    put(data + 68, StreamNumber(task->stream), 2);
    put(data + 70, task->number, 2);
    data[73] = 1; /* one turn */
}

/* Copy the parts of all ranks. */
static bool gather(const Work *work, const CommPost *posts)
{
    bool is_good = true;

    for (uint32_t peer = 0; peer < work->ranks && is_good; peer++) {
        void *target = (void *) (uintptr_t) (work->args->receive + peer * work->args->bytes);

        is_good = CommTake(work->args->comm, peer, target, work->args->bytes);
        RefchipCopied(CommDevice(work->args->comm), target,
                      (const void *) (uintptr_t) posts[peer].send, work->args->bytes);
    }
    return is_good;
}

static AbiError run_gather(Task *base)
{
    AicpuTask *task = (AicpuTask *) base;
    RefchipComm *comm = task->args.comm;
    const uint32_t device = CommDevice(comm);
    Work *work = calloc(1, sizeof *work);
    CommPost posts[COMM_MOST_RANKS], after[COMM_MOST_RANKS];
    bool has_parts = false;
    const uint64_t start = task->start + (uint64_t) STAGGER * CommRank(comm);
    const CommPost post = { start + SERVER + REQUEST + ORDER + LAUNCH, task->args.send };
    bool is_good = work != NULL && StreamFault(FAULT_AT_gather, device, task->stream) &&
                   CommOffer(comm, (const void *) (uintptr_t) task->args.send, task->args.bytes) &&
                   CommMeet(comm, 1, &post, task->stream, posts);

    if (is_good) {
        *work = (Work){
            .args = &task->args, .rank = CommRank(comm), .ranks = CommRanks(comm), .end = post.time
        };
        for (uint32_t i = 0; i < work->ranks; i++) {
            work->begun[i] = posts[i].time;
        }
        has_parts = gather(work, posts);
        for (uint32_t i = 1; i < work->ranks; i++) {
            serve_peer(work, (work->rank + i) % work->ranks);
        }
        put_turn(work, task, device);
        work->tasks[work->count] = (ProfileTask){ TASK_AI_CPU, StreamNumber(task->stream),
                                                  task->number, start, work->end + FINAL };
        RefchipProfileTasks(device, &task->ticket, work->tasks, work->count + 1, work->reports,
                            work->report_count);
        is_good = CommMeet(comm, 1, &post, task->stream, after) &&
                  has_parts; /* no part changes before this */
    }
    free(work);
    free(task);
    return is_good ? 0 : ACL_ERROR_TIMEOUT;
}

/* The names are among the arguments, and the time limit is one that somebody may have meant. */
static bool has_names(const rtAicpuArgsEx_t *args)
{
    const uint32_t limit = RefchipConfigGet()->limit;

    return args->soNameAddrOffset < args->argsSize && args->kernelNameAddrOffset < args->argsSize &&
           (limit == 0 ? args->timeout <= MOST_SECONDS : args->timeout == limit) &&
           args->reserved == 0;
}

AbiError rtAicpuKernelLaunchExWithArgs(uint32_t type, const char *name, uint32_t blocks,
                                       const rtAicpuArgsEx_t *args, rtSmDesc_t *sm,
                                       AbiStream stream, uint32_t flags)
{
    static const char ending[] = "Mc2AicpuKernel";
    const size_t length = name == NULL ? 0 : strlen(name);
    AicpuTask *task;

    (void) type;
    (void) blocks;
    (void) sm;
    (void) flags;
    if (length < sizeof ending || strcmp(name + length - (sizeof ending - 1), ending) != 0 ||
        args == NULL || args->args == NULL || args->argsSize < sizeof task->args ||
        !has_names(args)) {
        return RT_ERROR_VALUE;
    }
    task = calloc(1, sizeof *task);
    if (task == NULL) {
        return RT_ERROR_MEMORY;
    }
    memcpy(&task->args, args->args, sizeof task->args);
    task->stream = StreamOf(stream, CurrentDevice());
    if (task->stream == NULL || task->args.comm == NULL) {
        free(task);
        return RT_ERROR_VALUE;
    }
    task->task.run = run_gather;
    task->number = StreamNextTask(task->stream);
    task->start = RefchipProfileBegin(CommDevice(task->args.comm), &task->ticket);
    StreamPut(task->stream, &task->task);
    return 0;
}
