/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks meet: one thread of each waits until all are there. They may be in several processes, so
 * what they share is a file in memory, which has no name any more once all have joined. Tested by
 * tests/refchip/test_mc2.sh.
 */
#include "comm.h"
#include "refchip/chip/profile.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MEETINGS 2u
#define FOLDER "/dev/shm"
#define HEAD_BYTES 65536u
#define MOST_PART (UINT64_C(1) << 30) /* of a rank; a hole until it is written */

typedef struct Meeting {
    uint32_t here;
    uint32_t round;
    CommPost posts[COMM_MOST_RANKS];
    CommPost last[COMM_MOST_RANKS]; /* of the round that was complete last */
} Meeting;

typedef struct Shared {
    uint32_t is_made;
    uint32_t ranks;
    uint32_t joined;      /* as bits */
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    Meeting meetings[MEETINGS];
} Shared;

_Static_assert(sizeof(Shared) <= HEAD_BYTES, "parts come after it");

struct RefchipComm {
    Shared *shared;
    int fd;
    uint32_t rank;
    uint32_t device;
};

/* ---- joining ---- */

static void make_shared(Shared *shared, uint32_t ranks)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t condition;

    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST); /* a rank may be killed */
    pthread_mutex_init(&shared->lock, &mutex);
    pthread_mutexattr_destroy(&mutex);
    pthread_condattr_init(&condition);
    pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    pthread_condattr_setclock(&condition, CLOCK_MONOTONIC);
    pthread_cond_init(&shared->changed, &condition);
    pthread_condattr_destroy(&condition);
    shared->ranks = ranks;
    shared->is_made = 1;
}

static bool make_path(const char *key, char *path, size_t size)
{
    const int length = snprintf(path, size, FOLDER "/opprof-%s-%u", key, (unsigned) getuid());

    return length > 0 && (size_t) length < size && strchr(key, '/') == NULL;
}

/* The file of a key, locked: no other rank joins meanwhile. Another process may have removed its
 * name. */
static int open_locked(const char *path)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd >= 0 && (flock(fd, LOCK_EX) != 0 ||
                    ftruncate(fd, (off_t) (HEAD_BYTES + COMM_MOST_RANKS * MOST_PART)) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

static bool take_place(Shared *shared, uint32_t ranks, uint32_t rank)
{
    if (shared->is_made == 0) {
        make_shared(shared, ranks);
    }
    if (shared->ranks != ranks || (shared->joined >> rank & 1) != 0) {
        return false;
    }
    shared->joined |= 1u << rank;
    return true;
}

RefchipComm *RefchipCommJoin(const char *key, uint32_t ranks, uint32_t rank, uint32_t device)
{
    RefchipComm *comm = calloc(1, sizeof *comm);
    char path[256];
    int fd;

    if (comm == NULL || rank >= ranks || ranks > COMM_MOST_RANKS ||
        !make_path(key, path, sizeof path) || (fd = open_locked(path)) < 0) {
        free(comm);
        return NULL;
    }
    *comm = (RefchipComm){ .fd = fd, .rank = rank, .device = device };
    comm->shared = mmap(NULL, HEAD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (comm->shared == MAP_FAILED || !take_place(comm->shared, ranks, rank)) {
        RefchipCommLeave(comm);
        return NULL;
    }
    if (comm->shared->joined == (1u << ranks) - 1) {
        unlink(path);
    }
    flock(fd, LOCK_UN);
    return comm;
}

void RefchipCommLeave(RefchipComm *comm)
{
    if (comm == NULL) {
        return;
    }
    if (comm->shared != MAP_FAILED) {
        munmap(comm->shared, HEAD_BYTES);
    }
    close(comm->fd);
    free(comm);
}

uint32_t CommRank(const RefchipComm *comm)
{
    return comm->rank;
}

uint32_t CommRanks(const RefchipComm *comm)
{
    return comm->shared->ranks;
}

uint32_t CommDevice(const RefchipComm *comm)
{
    return comm->device;
}

/* ---- parts ---- */

static off_t part_of(uint32_t rank)
{
    return (off_t) (HEAD_BYTES + rank * MOST_PART);
}

bool CommOffer(const RefchipComm *comm, const void *part, uint64_t bytes)
{
    uint64_t done = 0;

    while (bytes <= MOST_PART && done < bytes) {
        const ssize_t got = pwrite(comm->fd, (const uint8_t *) part + done, bytes - done,
                                   part_of(comm->rank) + (off_t) done);

        if (got <= 0 && errno != EINTR) {
            return false;
        }
        done += got > 0 ? (uint64_t) got : 0;
    }
    return bytes <= MOST_PART;
}

bool CommTake(const RefchipComm *comm, uint32_t rank, void *room, uint64_t bytes)
{
    uint64_t done = 0;

    while (bytes <= MOST_PART && done < bytes) {
        const ssize_t got =
            pread(comm->fd, (uint8_t *) room + done, bytes - done, part_of(rank) + (off_t) done);

        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        done += got > 0 ? (uint64_t) got : 0;
    }
    return bytes <= MOST_PART;
}

/* ---- meetings ---- */

static uint64_t now_ms(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (uint64_t) at.tv_sec * 1000 + (uint64_t) at.tv_nsec / 1000000;
}

/* A moment from now, so that an abort is seen soon. */
static struct timespec soon(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += 50000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

/* Its holder was killed: what it guards is still whole, but a count may be too high. */
static void repair(Shared *shared, int error)
{
    if (error == EOWNERDEAD) {
        pthread_mutex_consistent(&shared->lock);
    }
}

/* Under the lock: until the round is over. */
static bool wait_round(Shared *shared, Meeting *meeting, uint32_t round, Stream *stream)
{
    const uint64_t limit = now_ms() + RefchipConfigShare()->meeting;

    while (meeting->round == round) {
        const struct timespec at = soon();

        repair(shared, pthread_cond_timedwait(&shared->changed, &shared->lock, &at));
        if (meeting->round == round && (StreamIsAborted(stream) || now_ms() > limit)) {
            meeting->here--;
            return false;
        }
    }
    return true;
}

bool CommMeet(RefchipComm *comm, uint32_t which, const CommPost *post, Stream *stream,
              CommPost *ret_posts)
{
    Shared *shared = comm->shared;
    Meeting *meeting = &shared->meetings[which % MEETINGS];
    bool is_good = true;

    repair(shared, pthread_mutex_lock(&shared->lock));
    meeting->posts[comm->rank] = *post;
    if (++meeting->here >= shared->ranks) {
        memcpy(meeting->last, meeting->posts, sizeof meeting->last);
        meeting->here = 0;
        meeting->round++;
        pthread_cond_broadcast(&shared->changed);
    } else {
        is_good = wait_round(shared, meeting, meeting->round, stream);
    }
    memcpy(ret_posts, meeting->last, sizeof meeting->last);
    pthread_mutex_unlock(&shared->lock);
    return is_good;
}

/* ---- the barrier of streams ---- */

typedef struct BarrierTask {
    Task task;
    RefchipComm *comm;
    Stream *stream;
} BarrierTask;

static AbiError run_barrier(Task *task)
{
    const BarrierTask *barrier = (BarrierTask *) task;
    const uint32_t device = barrier->comm->device;
    const CommPost post = { .time = RefchipProfileClock(device) };
    CommPost posts[COMM_MOST_RANKS];
    const bool is_good = StreamFault(FAULT_AT_barrier, device, barrier->stream) &&
                         CommMeet(barrier->comm, 0, &post, barrier->stream, posts);
    uint64_t latest = 0;

    for (uint32_t i = 0; is_good && i < CommRanks(barrier->comm); i++) {
        latest = posts[i].time > latest ? posts[i].time : latest;
    }
    if (is_good) {
        RefchipProfileClockTo(device, latest); /* they go on together */
    }
    free(task);
    return is_good ? 0 : ACL_ERROR_TIMEOUT;
}

bool RefchipCommBarrier(RefchipComm *comm, AbiStream stream)
{
    BarrierTask *task = malloc(sizeof *task);
    Stream *on = StreamOf(stream, comm->device);

    if (task == NULL || on == NULL) {
        free(task);
        return false;
    }
    *task = (BarrierTask){ .task.run = run_barrier, .comm = comm, .stream = on };
    StreamPut(on, &task->task);
    return true;
}
