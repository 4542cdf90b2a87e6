/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distributes the cores of a dump among instances, and names them.
 * Tested by tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "work.h"
#include "mte_files.h"
#include <inttypes.h>
#include <opprof/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WAIT_NS 50000000L /* so that a request to stop is seen soon */

/* ---- making the list ---- */

/* A dump with Ascend's names of logs. */
static OpprofStatus load_facts(Work *work, const char *chip, OpprofError **error)
{
    SimClues clues;
    OpprofStatus status = SimCluesRead(&work->found, &clues, error);

    if (status != OPPROF_OK) {
        return status;
    }
    if (chip == NULL) {
        return SimFactsGuess(&clues, &work->facts, error);
    }
    status = work->facts.chip == NULL ? SimFactsLoad(chip, &work->facts, error) : OPPROF_OK;
    SimFactsForgetLogs(&work->facts);
    return status == OPPROF_OK ? SimFactsCheck(&work->facts, &clues, error) : status;
}

/* A dump with a chip's own names of logs; OPPROF_E_NOT_FOUND: it is not one. */
static OpprofStatus find_named(Work *work, const char *directory, uint64_t max_file_size,
                               const char *chip, OpprofError **error)
{
    OpprofStatus status;

    if (chip == NULL) {
        return SimFactsGuessByLogs(directory, max_file_size, &work->facts, &work->found, error);
    }
    status = SimFactsLoad(chip, &work->facts, error);
    if (status == OPPROF_OK && work->facts.logs == NULL) {
        return OPPROF_E_NOT_FOUND;
    }
    return status == OPPROF_OK
               ? DiscoverNamed(directory, work->facts.logs, max_file_size, &work->found, error)
               : status;
}

/* The names that opprof itself gives to recorded data are Ascend's: any
 * chip's dump may have them. */
static OpprofStatus find_cores(Work *work, const char *directory, uint64_t max_file_size,
                               const char *chip, OpprofError **error)
{
    OpprofError *why = NULL;
    OpprofStatus status = DiscoverCores(directory, max_file_size, &work->found, &why);

    if (status == OPPROF_E_NOT_FOUND) {
        OpprofError *named_why = NULL;
        const OpprofStatus named = find_named(work, directory, max_file_size, chip, &named_why);
        if (named != OPPROF_E_NOT_FOUND || named_why != NULL) {
            OpprofErrorDestroy(why); /* of names that the chip does not use */
            OpprofErrorPass(error, named_why);
            return named;
        }
    }
    if (status != OPPROF_OK) {
        OpprofErrorPass(error, why);
        return status;
    }
    return load_facts(work, chip, error);
}

/* Biggest first, equal ones in key order. */
static int compare_sizes(const void *left, const void *right)
{
    const WorkCore *a = *(WorkCore *const *) left;
    const WorkCore *b = *(WorkCore *const *) right;

    if (a->bytes != b->bytes) {
        return a->bytes > b->bytes ? -1 : 1;
    }
    return a < b ? -1 : a > b;
}

/* The name of a log after the core's, if the chip's file does not state all of it. */
static OpprofStatus name_log(const Work *work, FoundCore *found, SimLogKind kind, const char *file,
                             OpprofError **error)
{
    if (work->facts.logs != NULL || file == NULL) {
        return OPPROF_OK;
    }
    if (asprintf(&found->files[kind], "%s%s", found->prefix, file) < 0) {
        found->files[kind] = NULL;
        return OpprofErrorNoMemory(error, "list the cores of the dump");
    }
    return OPPROF_OK;
}

static OpprofStatus fill_cores(Work *work, const char *directory, uint64_t max_file_size,
                               OpprofError **error)
{
    const uint32_t count = work->found.count;

    work->cores = calloc(count, sizeof *work->cores);
    work->order = calloc(count, sizeof(WorkCore *));
    if (work->cores == NULL || work->order == NULL) {
        return OpprofErrorNoMemory(error, "list the cores of the dump");
    }
    for (uint32_t i = 0; i < count; i++) {
        FoundCore *found = &work->found.cores[i];
        WorkCore *core = &work->cores[i];

        OpprofStatus status = name_log(work, found, SIM_LOG_ICACHE, work->facts.icache_file, error);
        if (status == OPPROF_OK) {
            status = name_log(work, found, SIM_LOG_CCU, work->facts.ccu_file, error);
        }
        if (status == OPPROF_OK && found->files[SIM_LOG_ICACHE] != NULL) {
            status = SimFilesFind(directory, "", found->files[SIM_LOG_ICACHE], max_file_size,
                                  &found->icache, error);
        }
        if (status != OPPROF_OK) {
            return status;
        }
        core->found = found;
        core->bytes = 2 * (found->popped.bytes + found->instr.bytes + found->icache.bytes);
        work->bytes += core->bytes;
        work->order[i] = core;
    }
    qsort(work->order, count, sizeof(WorkCore *), compare_sizes);
    work->first_left = count;
    return OPPROF_OK;
}

OpprofStatus WorkCreate(const char *directory, uint64_t max_file_size, const char *chip,
                        Work **ret_work, bool *ret_guessed, OpprofError **error)
{
    Work *work = calloc(1, sizeof *work);
    OpprofStatus status;

    *ret_work = NULL;
    if (work == NULL) {
        return OpprofErrorNoMemory(error, "list the cores of the dump");
    }
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->ready, NULL);
    *ret_guessed = chip == NULL;
    status = find_cores(work, directory, max_file_size, chip, error);
    if (status == OPPROF_OK) {
        status = fill_cores(work, directory, max_file_size, error);
    }
    if (status != OPPROF_OK) {
        WorkDestroy(work);
        return status;
    }
    *ret_work = work;
    return OPPROF_OK;
}

void WorkDestroy(Work *work)
{
    if (work == NULL) {
        return;
    }
    for (uint32_t i = 0; work->cores != NULL && i < work->found.count; i++) {
        PairingDestroy(work->cores[i].pairing);
        free(work->cores[i].name);
    }
    for (uint32_t i = 0; i < work->mte_count; i++) {
        SimFilesFinish(&work->mte[i].files);
        MovesDestroy(work->mte[i].moves);
    }
    free(work->mte);
    free(work->cores);
    free(work->order);
    FoundCoresFinish(&work->found);
    SimFactsFinish(&work->facts);
    pthread_cond_destroy(&work->ready);
    pthread_mutex_destroy(&work->lock);
    free(work);
}

OpprofStatus WorkFindCcu(Work *work, const char *directory, uint64_t max_file_size,
                         OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    work->has_overhead = true;
    for (uint32_t i = 0; i < work->found.count && status == OPPROF_OK; i++) {
        FoundCore *core = &work->found.cores[i];

        if (core->files[SIM_LOG_CCU] != NULL) {
            status = SimFilesFind(directory, "", core->files[SIM_LOG_CCU], max_file_size,
                                  &core->ccu, error);
        }
    }
    return status;
}

const OpprofFact *WorkMoves(const Work *work)
{
    return OpprofChipFact(work->facts.chip, work->facts.logs != NULL
                                                ? "simulator.logs.requests.moves"
                                                : "simulator.requests.moves");
}

WorkMte *WorkFindMteOf(const Work *work, uint32_t number)
{
    for (uint32_t i = 0; i < work->mte_count; i++) {
        if (work->mte[i].core == number) {
            return &work->mte[i];
        }
    }
    return NULL;
}

/* Its own log and those of all sub-cores with its number are read. */
static bool expect_moves(const Work *work, WorkMte *mte)
{
    uint32_t readings = 1;

    for (uint32_t i = 0; i < work->found.count; i++) {
        readings += work->found.cores[i].number == mte->core;
    }
    mte->moves = WorkMoves(work) == NULL ? NULL : MovesCreate(readings);
    return WorkMoves(work) == NULL || mte->moves != NULL;
}

OpprofStatus WorkFindMte(Work *work, const char *directory, uint64_t max_file_size,
                         OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    work->mte = calloc(MTE_CORES, sizeof *work->mte);
    if (work->mte == NULL) {
        return OpprofErrorNoMemory(error, "list the cores of the dump");
    }
    for (uint32_t core = 0; core < MTE_CORES && status == OPPROF_OK; core++) {
        WorkMte *mte = &work->mte[work->mte_count];

        mte->core = core;
        status = MteFilesFind(directory, &work->facts, core, max_file_size, &mte->files, error);
        work->bytes += mte->files.bytes;
        if (mte->files.count > 0) {
            work->mte_count++;
            status = expect_moves(work, mte)
                         ? status
                         : OpprofErrorNoMemory(error, "list the cores of the dump");
        } else {
            SimFilesFinish(&mte->files);
        }
    }
    return status;
}

void WorkFilter(Work *work, uint64_t ids)
{
    work->wanted = ids;
    work->has_filter = true;
}

bool WorkIsWanted(const Work *work, uint32_t id)
{
    return !work->has_filter || (id < 64 && (work->wanted >> id & 1) != 0);
}

/* ---- handing it out ---- */

WorkCore *WorkTakeFirst(Work *work)
{
    WorkCore *core = NULL;

    pthread_mutex_lock(&work->lock);
    if (work->first_next < work->found.count) {
        core = work->order[work->first_next++];
    }
    pthread_mutex_unlock(&work->lock);
    return core;
}

WorkMte *WorkTakeMte(Work *work)
{
    WorkMte *mte = NULL;

    pthread_mutex_lock(&work->lock);
    if (work->mte_next < work->mte_count) {
        mte = &work->mte[work->mte_next++];
    }
    pthread_mutex_unlock(&work->lock);
    return mte;
}

bool WorkEndFirst(Work *work)
{
    bool is_last;

    pthread_mutex_lock(&work->lock);
    work->first_left--;
    is_last = work->first_left == 0;
    if (is_last) {
        for (uint32_t i = 0; i < work->found.count; i++) {
            work->paired += work->cores[i].pairing != NULL;
        }
        work->names_failed = !WorkNameCores(work);
        pthread_cond_broadcast(&work->ready);
    }
    pthread_mutex_unlock(&work->lock);
    return is_last;
}

uint64_t WorkLowestPc(Work *work)
{
    uint64_t lowest = UINT64_MAX;

    pthread_mutex_lock(&work->lock);
    for (uint32_t i = 0; i < work->found.count && work->first_left == 0; i++) {
        const WorkCore *core = &work->cores[i];

        lowest = core->is_counted && core->lowest_pc < lowest ? core->lowest_pc : lowest;
    }
    pthread_mutex_unlock(&work->lock);
    return lowest;
}

static bool has_core(const Work *work, uint32_t id)
{
    for (uint32_t i = 0; i < work->found.count; i++) {
        if (work->cores[i].has_id && work->cores[i].id == id) {
            return true;
        }
    }
    return false;
}

uint32_t WorkNextAbsent(const Work *work, uint32_t id)
{
    for (; work->has_filter && id < 64; id++) {
        if (WorkIsWanted(work, id) && !has_core(work, id)) {
            return id;
        }
    }
    return OPPROF_NA_U32;
}

static void wait_a_little(Work *work)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NS;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&work->ready, &work->lock, &until);
}

WorkAnswer WorkTakeSecond(Work *work, WorkCore **ret_core)
{
    WorkAnswer answer = WORK_NONE;

    pthread_mutex_lock(&work->lock);
    if (work->first_left > 0) {
        wait_a_little(work);
        answer = WORK_WAIT;
    } else if (work->names_failed) {
        answer = WORK_LOST;
    } else if (work->second_next < work->found.count) {
        *ret_core = work->order[work->second_next++];
        answer = WORK_CORE;
    }
    pthread_mutex_unlock(&work->lock);
    return answer;
}

/* ---- names ---- */

uint32_t WorkChip(const Work *work, OpprofStage *stage)
{
    const char *soc = OpprofChipSoc(work->facts.chip);

    return OpprofStageIntern(stage, soc, strlen(soc));
}

PairingOptions WorkPairing(const SimFacts *facts, const char *left_out)
{
    return (PairingOptions){ .by_id = facts->by_id,
                             .pipes = SimPipesOf(facts->chip),
                             .core_words = facts->core_words,
                             .threads = facts->threads.warp == NULL ? NULL : &facts->threads,
                             .forms = facts->forms,
                             .marks = &facts->marks,
                             .left_out = left_out,
                             .ends = facts->ends };
}

uint32_t WorkCoreId(const Work *work, const WorkCore *core)
{
    PairingCore logical = { .block = 0 };

    if (!work->facts.has_logical_cores) {
        return core->found->number;
    }
    if (core->pairing != NULL) {
        logical = PairingGetCore(core->pairing);
    }
    return logical.has_block ? logical.block : 0;
}

/* "core<block>.<sub-core>", with the logical sub-block if a block has several; the physical name if
 * that is unknown. */
static char *logical_name(const Work *work, const WorkCore *core)
{
    const PairingCore logical = PairingGetCore(core->pairing);
    const char *sub_core = SubCoreName(core->found->name);
    const size_t kind = strcspn(sub_core, "0123456789");
    const char *single = work->facts.single;
    const bool is_single = single != NULL && strncmp(sub_core, single, strlen(single)) == 0;
    char *name = NULL;
    int length;

    if (!work->facts.has_logical_cores || !core->found->has_sub || !logical.has_block ||
        !(is_single || logical.has_sub)) {
        return strdup(core->found->name);
    }
    if (is_single) {
        length = asprintf(&name, "core%" PRIu32 ".%s", logical.block, sub_core);
    } else {
        length = asprintf(&name, "core%" PRIu32 ".%.*s%" PRIu32, logical.block, (int) kind,
                          sub_core, logical.sub);
    }
    return length < 0 ? NULL : name;
}

static bool is_taken(const Work *work, const char *name)
{
    for (uint32_t i = 0; i < work->found.count; i++) {
        if (work->cores[i].name != NULL && strcmp(work->cores[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The physical name, with a number after it if necessary. */
static char *spare_name(const Work *work, const WorkCore *core)
{
    char *name = strdup(core->found->name);

    for (unsigned number = 2; name != NULL && is_taken(work, name); number++) {
        free(name);
        if (asprintf(&name, "%s_%u", core->found->name, number) < 0) {
            name = NULL;
        }
    }
    return name;
}

static bool put_launch_before(const Work *work)
{
    for (uint32_t i = 0; work->launch != NULL && i < work->found.count; i++) {
        char *plain = work->cores[i].name;

        if (plain != NULL && asprintf(&work->cores[i].name, "%s/%s", work->launch, plain) < 0) {
            work->cores[i].name = plain;
            return false;
        }
        free(plain);
    }
    return true;
}

bool WorkNameCores(Work *work)
{
    for (uint32_t i = 0; i < work->found.count; i++) {
        WorkCore *core = &work->cores[i];
        char *name = core->pairing == NULL ? NULL : logical_name(work, core);

        if (core->pairing != NULL && name == NULL) {
            return false;
        }
        if (name != NULL && !is_taken(work, name)) {
            core->name = name;
            name = NULL;
        }
        free(name);
    }
    for (uint32_t i = 0; i < work->found.count; i++) {
        WorkCore *core = &work->cores[i];

        if (core->pairing != NULL && core->name == NULL) {
            core->name = spare_name(work, core);
            if (core->name == NULL) {
                return false;
            }
        }
    }
    return put_launch_before(work);
}
