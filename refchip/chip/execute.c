/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a launch: several threads simulate the cores of its blocks. Tested by tests/refchip/test_operators.sh. */
#include "execute.h"
#include "core.h"
#include "profile.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the threads of one launch share. */
typedef struct Share {
    const RefchipLaunch *launch;
    uint32_t threads;
    pthread_mutex_t lock; /* guards what follows */
    RefchipOutcome *outcome;
    BlockCounts *blocks; /* each is written by its own worker */
    uint64_t *touched;   /* L2 lines of all cores together, highest block wins */
    uint32_t *touched_by;
    bool failed;
} Share;

typedef struct Worker {
    Share *share;
    uint32_t number;
    pthread_t thread;
    bool has_thread;
} Worker;

/* Lines that a block touched, so that the result does not depend on which thread comes first. */
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
    counts->counts[COUNT_cycles] = core->now - start;
}

static void note_block(Share *share, const Core *core, uint32_t block, const char *fault)
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
    pthread_mutex_unlock(&share->lock);
}

static void *work(void *argument)
{
    const Worker *worker = argument;
    Share *share = worker->share;
    char fault[sizeof share->outcome->fault] = "";
    Core *core = malloc(sizeof *core);

    if (core == NULL || !CoreInit(core, share->launch, fault)) {
        pthread_mutex_lock(&share->lock);
        snprintf(share->outcome->fault, sizeof share->outcome->fault, "Out of memory for a core");
        share->failed = true;
        pthread_mutex_unlock(&share->lock);
    } else {
        for (uint32_t block = worker->number; block < share->launch->blocks && fault[0] == '\0';
             block += share->threads) {
            memset(core->l2_own, 0, L2_LINES * sizeof *core->l2_own);
            CoreStart(core, block);
            const uint64_t start = core->now;

            CoreRun(core);
            note_counts(&share->blocks[block], core, block, start);
            note_block(share, core, block, fault);
        }
    }
    if (core != NULL) {
        CoreFinish(core);
    }
    free(core);
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

bool RefchipExecute(const RefchipLaunch *launch, RefchipOutcome *outcome)
{
    const RefchipConfig *config = RefchipConfigGet();
    const uint32_t most = launch->kind == ISA_KIND_CUBE ? config->cores : 2 * config->cores;
    Share share = { .launch = launch,
                    .threads = config->threads < launch->blocks ? config->threads : launch->blocks,
                    .outcome = outcome,
                    .lock = PTHREAD_MUTEX_INITIALIZER };
    Worker workers[64];
    ProfileTicket ticket;

    *outcome = (RefchipOutcome){ .cycles = 0 };
    if (launch->blocks == 0 || launch->blocks > most) {
        snprintf(outcome->fault, sizeof outcome->fault, "%u blocks on %u cores",
                 (unsigned) launch->blocks, (unsigned) most);
        return false;
    }
    ProfileBegin(launch->device, &ticket);
    share.blocks = calloc(launch->blocks, sizeof *share.blocks);
    share.touched = calloc(L2_LINES, sizeof *share.touched);
    share.touched_by = calloc(L2_LINES, sizeof *share.touched_by);
    if (share.touched == NULL || share.touched_by == NULL || share.blocks == NULL) {
        snprintf(outcome->fault, sizeof outcome->fault, "Out of memory");
        share.failed = true;
    } else {
        run_workers(&share, workers);
        L2Merge(launch->device, share.touched);
        ProfileEnd(launch, &ticket, share.blocks, outcome);
    }
    free(share.touched);
    free(share.touched_by);
    free(share.blocks);
    return !share.failed;
}
