/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a launch: several threads simulate the cores of its blocks. Tested by
 * tests/refchip/test_operators.sh. */
#include "execute.h"
#include "core.h"
#include "fault.h"
#include "profile.h"
#include "record.h"
#include "trace.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Shared by the threads of one launch. */
typedef struct Share {
    const RefchipLaunch *launch;
    uint32_t threads;
    uint64_t tick; /* of the scheduler, when it began */
    const ProfileTicket *ticket;
    pthread_mutex_t lock; /* guards what follows */
    RefchipOutcome *outcome;
    BlockCounts *blocks; /* each is written by its own worker */
    uint64_t *found;     /* L2 lines when it began */
    uint64_t *touched;   /* L2 lines of all cores together, highest block wins */
    uint32_t *touched_by;
    InstructionCounts *instructions; /* of all cores; NULL: not wanted */
    bool failed;
} Share;

typedef struct Worker {
    Share *share;
    uint32_t number;
    pthread_t thread;
    bool has_thread;
} Worker;

/* Lines that a block touched, so that the result does not depend on which thread is first. */
static void note_touched(Share *share, const Core *core, uint32_t block)
{
    for (uint32_t i = 0; i < L2_LINES; i++) {
        if (core->l2_own[i] != 0 && block + 1 > share->touched_by[i]) {
            share->touched[i] = core->l2_own[i];
            share->touched_by[i] = block + 1;
        }
    }
}

static void note_counts(BlockCounts *counts, const Core *core, uint32_t block, uint64_t start)
{
    *counts = (BlockCounts){ .block = block,
                             .core = core->core_id,
                             .sub_core = core->sub_core_id,
                             .was_run = 1,
                             .start = start,
                             .end = core->now };
    memcpy(counts->counts, core->counts, sizeof counts->counts);
    memcpy(counts->warps, core->warps, sizeof counts->warps);
    counts->counts[COUNT_cycles] = core->now - start;
}

/* With the lock. */
static void note_instructions(Share *share, Core *core)
{
    for (uint32_t i = 0;
         share->instructions != NULL && core->instructions != NULL && i < share->launch->words;
         i++) {
        share->instructions[i].executed += core->instructions[i].executed;
        share->instructions[i].gm_bytes += core->instructions[i].gm_bytes;
        share->instructions[i].hits += core->instructions[i].hits;
        share->instructions[i].misses += core->instructions[i].misses;
        for (uint32_t reason = 0; reason < INSTRUCTION_SAMPLES; reason++) {
            share->instructions[i].samples[reason] += core->instructions[i].samples[reason];
        }
        core->instructions[i] = (InstructionCounts){ .executed = 0 };
    }
}

static void note_block(Share *share, Core *core, uint32_t block, const char *fault)
{
    pthread_mutex_lock(&share->lock);
    share->outcome->instructions += core->executed;
    if (core->now > share->outcome->cycles) {
        share->outcome->cycles = core->now;
    }
    if (fault[0] != '\0') {
        if (!share->failed) {
            memcpy(share->outcome->fault, fault, sizeof share->outcome->fault);
        }
        share->failed = true;
    }
    note_touched(share, core, block);
    note_instructions(share, core);
    pthread_mutex_unlock(&share->lock);
}

/* All places of a block, one after the other. */
static void run_block(Share *share, Core *core, uint32_t block, const char *fault)
{
    const uint32_t parts = RecordPlaces(share->launch) / share->launch->blocks;

    for (uint32_t place = block * parts; place < (block + 1) * parts && fault[0] == '\0'; place++) {
        memset(core->l2_own, 0, L2_LINES * sizeof *core->l2_own);
        CoreStart(core, place);
        const uint64_t start = core->now;
        const bool has_monitor = core->is_watched;

        TraceBegin(core, share->ticket);
        CoreRun(core);
        core->trace.tick = share->tick;
        if (has_monitor) {
            WindowWrite(&core->trace, share->launch, core->core_id, core->sub_core_id, block,
                        start);
        }
        TraceEnd(core, share->ticket, block, start);
        note_counts(&share->blocks[place], core, place, start);
        note_block(share, core, place, fault);
    }
}

static void fail_worker(Share *share)
{
    pthread_mutex_lock(&share->lock);
    snprintf(share->outcome->fault, sizeof share->outcome->fault, "Out of memory for a core");
    share->failed = true;
    pthread_mutex_unlock(&share->lock);
}

static void *work(void *argument)
{
    const Worker *worker = argument;
    Share *share = worker->share;
    char fault[sizeof share->outcome->fault] = "";
    Core *core = calloc(1, sizeof *core);
    Cross *cross = malloc(sizeof *cross);

    if (core == NULL || cross == NULL ||
        !CoreInit(core, share->launch, share->found, cross, fault)) {
        fail_worker(share);
    } else {
        for (uint32_t block = worker->number; block < share->launch->blocks && fault[0] == '\0';
             block += share->threads) {
            run_block(share, core, block, fault);
        }
    }
    if (core != NULL) {
        CoreFinish(core);
    }
    free(core);
    free(cross);
    return NULL;
}

static void run_workers(Share *share, Worker *workers)
{
    for (uint32_t i = 1; i < share->threads; i++) {
        workers[i] = (Worker){ .share = share, .number = i };
        workers[i].has_thread = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    }
    workers[0] = (Worker){ .share = share, .number = 0 };
    work(&workers[0]);
    for (uint32_t i = 1; i < share->threads; i++) {
        if (workers[i].has_thread) {
            pthread_join(workers[i].thread, NULL);
        } else {
            work(&workers[i]);
        }
    }
}

void RefchipCopied(uint32_t device, const void *target, const void *source, uint64_t size)
{
    L2Copy(device, (uint64_t) (uintptr_t) source, size, false);
    L2Copy(device, (uint64_t) (uintptr_t) target, size, true);
}

/* Before its first instruction. False: it does not get any further. */
static bool begin(const RefchipLaunch *launch, RefchipOutcome *outcome)
{
    const struct timespec nap = { .tv_nsec = 1000000 };
    const FaultOutcome fault = RefchipFault(FAULT_AT_run, launch->device);

    while (fault == FAULT_STICKS ||
           (fault == FAULT_HANGS && !launch->is_aborted(launch->context))) {
        nanosleep(&nap, NULL);
    }
    if (fault != FAULT_NONE) {
        snprintf(outcome->fault, sizeof outcome->fault, "The kernel %s",
                 fault == FAULT_HANGS ? "is aborted" : "fails");
    }
    return fault == FAULT_NONE;
}

bool RefchipExecute(const RefchipLaunch *launch, RefchipOutcome *outcome)
{
    const RefchipConfig *config = RefchipConfigGet();
    const bool has_two = launch->kind == ISA_KIND_VECTOR && !config->is_310p;
    const uint32_t most = has_two ? 2 * config->cores : config->cores;
    ProfileTicket ticket;
    Share share = { .launch = launch,
                    .ticket = &ticket,
                    .threads = config->threads < launch->blocks ? config->threads : launch->blocks,
                    .outcome = outcome,
                    .lock = PTHREAD_MUTEX_INITIALIZER };
    Worker workers[64];

    *outcome = (RefchipOutcome){ .cycles = 0 };
    if (launch->blocks == 0 || launch->blocks > most) {
        snprintf(outcome->fault, sizeof outcome->fault, "%u blocks on %u cores",
                 (unsigned) launch->blocks, (unsigned) most);
        return false;
    }
    if (launch->kind == ISA_KIND_MIX && config->is_310p) {
        snprintf(outcome->fault, sizeof outcome->fault,
                 "A kernel of two kinds of cores on a chip with one");
        return false;
    }
    if (!begin(launch, outcome)) {
        return false;
    }
    share.tick = ProfileBegin(launch->device, &ticket);
    share.blocks = calloc(RecordPlaces(launch), sizeof *share.blocks);
    share.found = calloc(L2_LINES, sizeof *share.found);
    share.touched = calloc(L2_LINES, sizeof *share.touched);
    share.touched_by = calloc(L2_LINES, sizeof *share.touched_by);
    share.instructions =
        config->account[0] == '\0' ? NULL : calloc(launch->words, sizeof *share.instructions);
    if (share.found == NULL || share.touched == NULL || share.touched_by == NULL ||
        share.blocks == NULL) {
        snprintf(outcome->fault, sizeof outcome->fault, "Out of memory");
        share.failed = true;
    } else {
        L2Read(launch->device, share.found);
        run_workers(&share, workers);
        L2Merge(launch->device, share.touched);
        ProfileEnd(launch, &ticket, share.blocks, share.instructions, outcome);
    }
    free(share.found);
    free(share.touched);
    free(share.touched_by);
    free(share.blocks);
    free(share.instructions);
    return !share.failed;
}
