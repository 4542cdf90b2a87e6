/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distributes the files among the instances of the stage, and enters ranks in order.
 * Tested by tests/plugins/collect-kineto/test_link.
 */
#include "collect-kineto/rank/ranks.h"

#include <inttypes.h>
#include <opprof/map.h>
#include <opprof/records/activity.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LOOK_UP_NS 50000000
#define WORLD_MOST (INT64_C(1) << 20)                /* more ranks no job has */
#define NAMED_MOST 8u                                /* missing ranks that are named */
#define FAR_NS (INT64_C(7) * 24 * 3600 * 1000000000) /* ranks of one run are closer in time */

/* A rank that was entered. */
typedef struct Entered {
    bool has_times;
    uint32_t earlier; /* place of the one of the same rank before it, or OPPROF_MAP_NONE */
    RankTimes times;
} Entered;

struct Ranks {
    TraceFiles files;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t moved; /* `settled` of a file has changed */
    bool *settled;        /* of each file: left or skipped */
    uint64_t *held;       /* of each file: bytes of its trace while it is read */
    uint64_t held_bytes;  /* of all */
    uint64_t most_bytes;
    size_t first_unsettled; /* all files before it are settled */
    Entered *entered;       /* so far */
    size_t entered_count;
    OpprofMap latest; /* the last one entered of each rank */
    size_t skipped_count;
    int64_t world_size; /* 0: not in any trace */
    bool is_lack_told;
    bool has_contents;
    bool is_nothing_told;
    char instead[320]; /* what the first rank without contents has; empty: all have contents */
    size_t next;
    bool has_origin;
    int64_t origin_ns; /* earliest time of the first rank that has times */
    int64_t epoch_ns;  /* the same as its trace says it */
};

/* Of a rank that could not be created, too. */
static void free_lists(Ranks *ranks)
{
    free(ranks->settled);
    free(ranks->held);
    free(ranks->entered);
}

Ranks *RanksCreate(TraceFiles *files, uint64_t most_bytes)
{
    Ranks *ranks = calloc(1, sizeof *ranks);

    if (ranks == NULL) {
        return NULL;
    }
    ranks->settled = calloc(files->count + 1, sizeof *ranks->settled);
    ranks->held = calloc(files->count + 1, sizeof *ranks->held);
    ranks->entered = calloc(files->count + 1, sizeof *ranks->entered);
    if (ranks->settled == NULL || ranks->held == NULL || ranks->entered == NULL ||
        pthread_mutex_init(&ranks->lock, NULL) != 0) {
        free_lists(ranks);
        free(ranks);
        return NULL;
    }
    if (pthread_cond_init(&ranks->moved, NULL) != 0) {
        pthread_mutex_destroy(&ranks->lock);
        free_lists(ranks);
        free(ranks);
        return NULL;
    }
    ranks->files = *files;
    ranks->most_bytes = most_bytes;
    *files = (TraceFiles){ .paths = NULL };
    return ranks;
}

void RanksDestroy(Ranks *ranks)
{
    if (ranks == NULL) {
        return;
    }
    pthread_cond_destroy(&ranks->moved);
    pthread_mutex_destroy(&ranks->lock);
    TraceFilesFinish(&ranks->files);
    OpprofMapFinish(&ranks->latest);
    free_lists(ranks);
    free(ranks);
}

size_t RanksFileCount(const Ranks *ranks)
{
    return ranks->files.count;
}

const char *RanksFile(const Ranks *ranks, size_t file)
{
    return ranks->files.paths[file];
}

bool RanksTake(Ranks *ranks, size_t *ret_file)
{
    bool is_taken;

    pthread_mutex_lock(&ranks->lock);
    is_taken = ranks->next < ranks->files.count;
    if (is_taken) {
        *ret_file = ranks->next++;
    }
    pthread_mutex_unlock(&ranks->lock);
    return is_taken;
}

/* With the lock held. */
static bool are_settled_before(Ranks *ranks, size_t file)
{
    while (ranks->first_unsettled < file && ranks->settled[ranks->first_unsettled]) {
        ranks->first_unsettled++;
    }
    return ranks->first_unsettled >= file;
}

/* Picoseconds between two times; false if they cannot belong to one run. */
static bool offset_between(int64_t from_ns, int64_t to_ns, int64_t *ret_ps)
{
    int64_t offset;

    *ret_ps = 0;
    if (__builtin_sub_overflow(to_ns, from_ns, &offset) || offset > FAR_NS || offset < -FAR_NS) {
        return false;
    }
    *ret_ps = offset * 1000;
    return true;
}

/* Profilers that record repeatedly write a file each time: these do not overlap. */
static bool overlap(const Entered *entered, const RankTimes *times)
{
    return times == NULL || !entered->has_times ||
           (times->from_ns < entered->times.to_ns && entered->times.from_ns < times->to_ns);
}

/* With the lock held. */
static void name_seat(const Ranks *ranks, int64_t rank, const RankTimes *times, RankSeat *seat)
{
    unsigned earlier = 0;

    seat->is_second = false;
    for (uint32_t i = OpprofMapFind(&ranks->latest, (uint64_t) rank); i != OPPROF_MAP_NONE;
         i = ranks->entered[i].earlier) {
        earlier++;
        seat->is_second = seat->is_second || overlap(&ranks->entered[i], times);
    }
    if (earlier == 0) {
        snprintf(seat->name, sizeof seat->name, "%" PRId64, rank);
    } else {
        snprintf(seat->name, sizeof seat->name, "%" PRId64 "%s%u", rank,
                 seat->is_second ? "#" : OPPROF_ACTIVITY_CYCLE, earlier + 1);
    }
}

/* With the lock held. False without memory. */
static bool enter(Ranks *ranks, int64_t rank, const RankTimes *times)
{
    const RankTimes none = { 0, 0, 0 };
    const uint32_t place = (uint32_t) ranks->entered_count;

    ranks->entered[place] = (Entered){ .has_times = times != NULL,
                                       .earlier = OpprofMapFind(&ranks->latest, (uint64_t) rank),
                                       .times = times == NULL ? none : *times };
    if (!OpprofMapPut(&ranks->latest, (uint64_t) rank, place)) {
        return false;
    }
    ranks->entered_count++;
    return true;
}

/* With the lock held. False without memory. */
static bool take_seat(Ranks *ranks, int64_t rank, const RankTimes *times, RankSeat *seat)
{
    name_seat(ranks, rank, times, seat);
    if (!ranks->has_origin && times != NULL) {
        ranks->origin_ns = times->from_ns;
        ranks->epoch_ns = times->own_ns;
        ranks->has_origin = true;
    }
    seat->offset_ps = 0;
    seat->epoch_ns = ranks->epoch_ns;
    seat->is_far =
        times != NULL && !offset_between(ranks->origin_ns, times->from_ns, &seat->offset_ps);
    return enter(ranks, rank, times);
}

/* With the lock held. Wakes regularly, since stopping the run does not signal this condition. */
static void wait_for_move(Ranks *ranks)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_UP_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&ranks->moved, &ranks->lock, &until);
}

/* With the lock held. */
static void hold(Ranks *ranks, size_t file, uint64_t bytes)
{
    ranks->held_bytes += bytes - ranks->held[file];
    ranks->held[file] = bytes;
}

void RanksHold(Ranks *ranks, size_t file, uint64_t bytes, RanksIsStopping *is_stopping,
               const void *context)
{
    pthread_mutex_lock(&ranks->lock);
    hold(ranks, file, bytes);
    while (ranks->held_bytes > ranks->most_bytes && !are_settled_before(ranks, file) &&
           !is_stopping(context)) {
        wait_for_move(ranks);
    }
    pthread_mutex_unlock(&ranks->lock);
}

bool RanksEnter(Ranks *ranks, const RankEntry *entry, RanksIsStopping *is_stopping,
                const void *context, RankSeat *ret_seat)
{
    bool has_seat;

    pthread_mutex_lock(&ranks->lock);
    while (!are_settled_before(ranks, entry->file) && !is_stopping(context)) {
        wait_for_move(ranks);
    }
    has_seat = take_seat(ranks, entry->rank, entry->times, ret_seat);
    pthread_mutex_unlock(&ranks->lock);
    return has_seat;
}

bool RanksNeedHost(Ranks *ranks, size_t file, RanksIsStopping *is_stopping, const void *context)
{
    bool result;

    pthread_mutex_lock(&ranks->lock);
    while (!are_settled_before(ranks, file) && !is_stopping(context)) {
        wait_for_move(ranks);
    }
    result = file + 1 == ranks->files.count && ranks->entered_count == 0;
    pthread_mutex_unlock(&ranks->lock);
    return result;
}

void RanksNoteContents(Ranks *ranks, bool has_any, const char *instead)
{
    pthread_mutex_lock(&ranks->lock);
    ranks->has_contents = ranks->has_contents || has_any;
    if (!has_any && ranks->instead[0] == '\0') {
        snprintf(ranks->instead, sizeof ranks->instead, "%s", instead);
    }
    pthread_mutex_unlock(&ranks->lock);
}

bool RanksHaveNothing(Ranks *ranks, const char **ret_instead)
{
    bool result;

    pthread_mutex_lock(&ranks->lock);
    result = !ranks->is_nothing_told && !ranks->has_contents && ranks->instead[0] != '\0' &&
             are_settled_before(ranks, ranks->files.count);
    ranks->is_nothing_told = ranks->is_nothing_told || result;
    *ret_instead = ranks->instead;
    pthread_mutex_unlock(&ranks->lock);
    return result;
}

const char *RanksUnread(const Ranks *ranks, size_t i)
{
    return i < ranks->files.unread_count ? ranks->files.unread[i] : NULL;
}

void RanksLeave(Ranks *ranks, size_t file)
{
    pthread_mutex_lock(&ranks->lock);
    ranks->settled[file] = true;
    hold(ranks, file, 0);
    pthread_mutex_unlock(&ranks->lock);
    pthread_cond_broadcast(&ranks->moved);
}

void RanksSkip(Ranks *ranks, size_t file)
{
    pthread_mutex_lock(&ranks->lock);
    ranks->settled[file] = true;
    hold(ranks, file, 0);
    ranks->skipped_count++;
    pthread_mutex_unlock(&ranks->lock);
    pthread_cond_broadcast(&ranks->moved);
}

void RanksNoteWorld(Ranks *ranks, int64_t world_size)
{
    pthread_mutex_lock(&ranks->lock);
    if (world_size <= WORLD_MOST && world_size > ranks->world_size) {
        ranks->world_size = world_size;
    }
    pthread_mutex_unlock(&ranks->lock);
}

/* With the lock held. */
static RanksLack find_lack(const Ranks *ranks)
{
    RanksLack lack = { .world_size = ranks->world_size };
    size_t length = 0;

    for (int64_t rank = 0; rank < ranks->world_size; rank++) {
        if (OpprofMapFind(&ranks->latest, (uint64_t) rank) != OPPROF_MAP_NONE) {
            continue;
        }
        if (lack.count < NAMED_MOST) {
            length += (size_t) snprintf(lack.names + length, sizeof lack.names - length,
                                        "%s%" PRId64, lack.count == 0 ? "" : ", ", rank);
        } else if (lack.count == NAMED_MOST) {
            snprintf(lack.names + length, sizeof lack.names - length, " …");
        }
        lack.count++;
    }
    return lack;
}

bool RanksLackSome(Ranks *ranks, RanksLack *ret_lack)
{
    bool result = false;

    pthread_mutex_lock(&ranks->lock);
    if (!ranks->is_lack_told && are_settled_before(ranks, ranks->files.count)) {
        *ret_lack = find_lack(ranks);
        ranks->is_lack_told = true;
        result = ret_lack->count > 0;
    }
    pthread_mutex_unlock(&ranks->lock);
    return result;
}

bool RanksAllSkipped(Ranks *ranks)
{
    bool result;

    pthread_mutex_lock(&ranks->lock);
    result = ranks->skipped_count == ranks->files.count;
    pthread_mutex_unlock(&ranks->lock);
    return result;
}
