/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program whose operators cannot be repeated without care: each adds to its own memory. In many
 * ways, for tests of profiling on a device: threads, devices, processes, memory that cannot be put
 * back, hangs, crashes.
 */
#include "refchip/abi.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FLOATS 8192u
#define BYTES (FLOATS * 4)

static const char stub, hang_stub, gather_stub;
static unsigned times = 1;

static bool load(const char *variable, const void *stands_for, const char *name)
{
    static char data[65536];
    const char *path = getenv(variable);
    FILE *in = path == NULL ? NULL : fopen(path, "rbe");
    rtDevBinary_t binary = { .magic = RT_MAGIC_VECTOR, .data = data };
    void *handle = NULL;

    if (in == NULL) {
        return false;
    }
    binary.length = fread(data, 1, sizeof data, in);
    fclose(in);
    return rtDevBinaryRegister(&binary, &handle) == 0 &&
           rtFunctionRegister(handle, stands_for, name, NULL, 0) == 0;
}

/* x and y of a device; x[i] = i, y[i] = 1. */
typedef struct Work {
    int32_t device;
    float *x;
    float *y;
    bool is_good;
} Work;

static bool make(Work *work, bool is_managed)
{
    static float numbers[FLOATS], ones[FLOATS];

    for (unsigned i = 0; i < FLOATS; i++) {
        numbers[i] = (float) i;
        ones[i] = 1;
    }
    return rtSetDevice(work->device) == 0 && rtMalloc((void **) &work->x, BYTES, 0, 0) == 0 &&
           (is_managed ? rtMemAllocManaged((void **) &work->y, BYTES, 0, 0)
                       : rtMalloc((void **) &work->y, BYTES, 0, 0)) == 0 &&
           rtMemcpy(work->x, BYTES, numbers, BYTES, 1) == 0 &&
           rtMemcpy(work->y, BYTES, ones, BYTES, 1) == 0;
}

/* x += y, once. */
static bool put(const Work *work, AbiStream stream)
{
    uint64_t arguments[7] = { (uint64_t) (uintptr_t) work->x,
                              (uint64_t) (uintptr_t) work->y,
                              (uint64_t) (uintptr_t) work->x,
                              1,
                              8192,
                              8192u / 32 << 16 | 16,
                              UINT64_C(0x2000080808010101) };

    return rtKernelLaunch(&stub, 4, arguments, sizeof arguments, NULL, stream) == 0;
}

/* The same so many times. */
static bool add(const Work *work, unsigned count)
{
    AbiStream stream = NULL;
    bool is_good = rtSetDevice(work->device) == 0 && rtStreamCreate(&stream, 0) == 0;

    for (unsigned i = 0; i < count && is_good; i++) {
        is_good = put(work, stream);
    }
    is_good = is_good && rtStreamSynchronize(stream) == 0;
    return rtStreamDestroy(stream) == 0 && is_good;
}

static bool check(const Work *work, unsigned count)
{
    static float result[FLOATS];
    bool is_good = rtMemcpy(result, BYTES, work->x, BYTES, 2) == 0;

    for (unsigned i = 0; i < FLOATS && is_good; i++) {
        is_good = result[i] == (float) (i + count);
    }
    return is_good;
}

static bool run_inplace(void)
{
    Work work = { .device = 0 };

    return make(&work, false) && add(&work, times) && check(&work, times);
}

static void ignore(int number)
{
    (void) number;
}

/* A program that has a use of its own for Ctrl+C. */
static bool run_handled(void)
{
    const struct sigaction action = { .sa_handler = ignore };

    return sigaction(SIGINT, &action, NULL) == 0 && run_inplace();
}

/* Its launches do not end within its own time limit; it aborts them and begins again. */
static bool run_behind(void)
{
    Work work = { .device = 0 };
    AbiStream stream = NULL;
    bool is_good = make(&work, false) && rtStreamCreate(&stream, 0) == 0 && put(&work, stream) &&
                   put(&work, stream) &&
                   rtStreamSynchronizeWithTimeout(stream, 100) == ACL_ERROR_TIMEOUT &&
                   rtStreamAbort(stream) == 0;

    if (is_good) {
        rtStreamSynchronizeWithTimeout(stream, 10000);
    }
    return is_good && add(&work, times) && check(&work, times);
}

/* It gives up what never ends. */
static bool run_limited(void)
{
    Work work = { .device = 0 };
    AbiStream stream = NULL;
    const bool is_good =
        make(&work, false) && rtStreamCreate(&stream, 0) == 0 && put(&work, stream);

    if (is_good && rtStreamSynchronizeWithTimeout(stream, 500) == ACL_ERROR_TIMEOUT) {
        puts("gave up");
        fflush(stdout);
        _exit(0); /* nobody can wait for its stream */
    }
    return is_good && check(&work, 1);
}

/* Its child goes on until it can read what is named, long after it. */
static bool run_outlive(void)
{
    const char *held = getenv("BOARD_HELD");

    if (held != NULL && fork() == 0) {
        puts(run_inplace() ? "verified" : "wrong");
        fflush(stdout);
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        _exit(open(held, O_RDONLY | O_CLOEXEC) < 0);
    }
    _exit(held == NULL); /* it says nothing itself */
}

static bool run_managed(void)
{
    Work work = { .device = 0 };

    return make(&work, true) && add(&work, times) && check(&work, times);
}

/* What it adds to is another device's. */
static bool run_peer(void)
{
    Work work = { .device = 0 }, peer = { .device = 1 };
    bool is_good = make(&peer, false) && make(&work, false);

    work.x = peer.x;
    return is_good && add(&work, times) && check(&work, times);
}

/* Nothing of the device's memory is free when the operator is launched. */
static bool run_full(void)
{
    Work work = { .device = 0 };
    void *memory;
    bool is_good = make(&work, false);

    for (uint64_t size = UINT64_C(1) << 30; size >= 1024; size /= 2) {
        while (rtMalloc(&memory, size, 0, 0) == 0) {
        }
    }
    if (is_good && rtMalloc(&memory, 4096, 0, 0) == 0) {
        rtFree(memory);
    }
    return is_good && add(&work, times) && check(&work, times);
}

static void *run_thread(void *argument)
{
    Work *work = argument;

    work->is_good = add(work, times);
    return NULL;
}

/* The main thread allocates, others launch: two on each device. */
static bool run_threads(void)
{
    Work works[4] = { { .device = 0 }, { .device = 1 }, { .device = 0 }, { .device = 1 } };
    pthread_t threads[4];
    bool is_good = true;

    for (unsigned i = 0; i < 4 && is_good; i++) {
        is_good = make(&works[i], false);
    }
    for (unsigned i = 0; i < 4 && is_good; i++) {
        is_good = pthread_create(&threads[i], NULL, run_thread, &works[i]) == 0;
    }
    for (unsigned i = 0; i < 4 && is_good; i++) {
        pthread_join(threads[i], NULL);
    }
    for (unsigned i = 0; i < 4 && is_good; i++) {
        is_good = works[i].is_good && check(&works[i], times);
    }
    return is_good;
}

/* Each device has a thread, which are the ranks of an operator. */
static bool run_ranks(void)
{
    Work works[2] = { { .device = 0 }, { .device = 1 } };
    pthread_t threads[2];
    bool is_good = make(&works[0], false) && make(&works[1], false);

    for (unsigned i = 0; i < 2 && is_good; i++) {
        is_good = pthread_create(&threads[i], NULL, run_thread, &works[i]) == 0;
    }
    for (unsigned i = 0; i < 2 && is_good; i++) {
        pthread_join(threads[i], NULL);
    }
    return is_good && check(&works[0], times) && check(&works[1], times);
}

#define GATHER_RANKS 3u
#define PART_FLOATS 1024u
#define PART_BYTES (PART_FLOATS * 4)

/* A rank of an operator that brings all parts together by its cores. */
typedef struct Rank {
    int32_t number;
    uint8_t *area; /* launches of this rank, and its part */
    uint64_t *areas;
    float *parts; /* of all ranks */
    bool is_good;
} Rank;

static float part_of(uint32_t rank, uint32_t i)
{
    return (float) (1000 * rank + i);
}

static bool make_rank(Rank *rank)
{
    static float part[PART_FLOATS];
    const uint64_t none = 0;

    for (uint32_t i = 0; i < PART_FLOATS; i++) {
        part[i] = part_of((uint32_t) rank->number, i);
    }
    return rtSetDevice(rank->number) == 0 &&
           rtMalloc((void **) &rank->area, 64 + PART_BYTES, 0, 0) == 0 &&
           rtMalloc((void **) &rank->areas, sizeof(uint64_t) * GATHER_RANKS, 0, 0) == 0 &&
           rtMalloc((void **) &rank->parts, (uint64_t) GATHER_RANKS * PART_BYTES, 0, 0) == 0 &&
           rtMemcpy(rank->area, 8, &none, 8, 1) == 0 &&
           rtMemcpy(rank->area + 64, PART_BYTES, part, PART_BYTES, 1) == 0;
}

static bool has_all_parts(const Rank *rank)
{
    static float parts[GATHER_RANKS * PART_FLOATS];
    bool is_good = rtMemcpy(parts, sizeof parts, rank->parts, sizeof parts, 2) == 0;

    for (uint32_t i = 0; i < GATHER_RANKS * PART_FLOATS && is_good; i++) {
        is_good = parts[i] == part_of(i / PART_FLOATS, i % PART_FLOATS);
    }
    return is_good;
}

static void *run_rank(void *argument)
{
    Rank *rank = argument;
    uint64_t arguments[6] = {
        (uint64_t) (uintptr_t) rank->areas, GATHER_RANKS, (uint64_t) (uintptr_t) rank->area,
        (uint64_t) (uintptr_t) rank->parts, PART_BYTES,   PART_BYTES / 32u << 16 | 16
    };
    AbiStream stream = NULL;

    rank->is_good = rtSetDevice(rank->number) == 0 && rtStreamCreate(&stream, 0) == 0;
    for (unsigned i = 0; i < times && rank->is_good; i++) {
        rank->is_good =
            rtKernelLaunch(&gather_stub, 1, arguments, sizeof arguments, NULL, stream) == 0 &&
            rtStreamSynchronize(stream) == 0;
    }
    return NULL;
}

/* Each device has a thread, and all have each other's memory. */
static bool run_gather(void)
{
    Rank ranks[GATHER_RANKS];
    pthread_t threads[GATHER_RANKS];
    uint64_t areas[GATHER_RANKS];
    bool is_good = load("BOARD_GATHER", &gather_stub, "gather");

    for (uint32_t i = 0; i < GATHER_RANKS && is_good; i++) {
        ranks[i] = (Rank){ .number = (int32_t) i };
        is_good = make_rank(&ranks[i]);
        areas[i] = (uint64_t) (uintptr_t) ranks[i].area;
    }
    for (uint32_t i = 0; i < GATHER_RANKS && is_good; i++) {
        is_good = rtMemcpy(ranks[i].areas, sizeof areas, areas, sizeof areas, 1) == 0;
    }
    for (uint32_t i = 0; i < GATHER_RANKS && is_good; i++) {
        is_good = pthread_create(&threads[i], NULL, run_rank, &ranks[i]) == 0;
    }
    for (uint32_t i = 0; i < GATHER_RANKS && is_good; i++) {
        pthread_join(threads[i], NULL);
    }
    for (uint32_t i = 0; i < GATHER_RANKS && is_good; i++) {
        is_good = ranks[i].is_good && has_all_parts(&ranks[i]);
    }
    return is_good;
}

/* Four children, each with a device of its own making. */
static bool run_fork(void)
{
    bool is_good = true;
    int status;

    for (unsigned i = 0; i < 4; i++) {
        if (fork() == 0) {
            _exit(run_inplace() ? 0 : 1);
        }
    }
    while (wait(&status) > 0) {
        is_good = is_good && status == 0;
    }
    return is_good;
}

/* A kernel that does not end; the program has a limit of its own, and goes on. */
static bool run_hang(void)
{
    Work work = { .device = 0 };
    uint64_t arguments[1] = { 0 };
    AbiStream stream = NULL;
    bool is_good = load("BOARD_HANG", &hang_stub, "hang") && make(&work, false) &&
                   rtStreamCreate(&stream, 0) == 0 &&
                   rtKernelLaunch(&hang_stub, 1, arguments, sizeof arguments, NULL, stream) == 0 &&
                   rtStreamSynchronizeWithTimeout(stream, 100) == ACL_ERROR_TIMEOUT &&
                   rtStreamAbort(stream) == 0;

    if (is_good) {
        rtStreamSynchronizeWithTimeout(stream, 10000);
    }
    return is_good && add(&work, times) && check(&work, times);
}

/* A kernel that does not end runs on another stream; the program's own operator does not wait for
 * it. */
static bool run_busy(void)
{
    Work work = { .device = 0 };
    uint64_t arguments[1] = { 0 };
    AbiStream stream = NULL;
    bool is_good = load("BOARD_HANG", &hang_stub, "hang") && make(&work, false) &&
                   rtStreamCreate(&stream, 0) == 0 &&
                   rtKernelLaunch(&hang_stub, 1, arguments, sizeof arguments, NULL, stream) == 0 &&
                   add(&work, times) && check(&work, times);

    return stream != NULL && rtStreamAbort(stream) == 0 && is_good;
}

/* Ends within the second launch. */
static bool run_crash(void)
{
    Work work = { .device = 0 };

    if (make(&work, false) && add(&work, 1)) {
        raise(SIGSEGV);
    }
    return false;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*run)(void);
    } ways[] = { { "inplace", run_inplace }, { "managed", run_managed }, { "full", run_full },
                 { "threads", run_threads }, { "fork", run_fork },       { "hang", run_hang },
                 { "busy", run_busy },       { "ranks", run_ranks },     { "crash", run_crash },
                 { "handled", run_handled }, { "behind", run_behind },   { "limited", run_limited },
                 { "outlive", run_outlive }, { "peer", run_peer },       { "gather", run_gather } };
    bool is_good = load("BOARD_KERNEL", &stub, "vector_add");

    times = argc > 2 ? (unsigned) atoi(argv[2]) : 1;
    for (unsigned i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(argv[1], ways[i].name) == 0) {
            is_good = is_good && ways[i].run();
        }
    }
    puts(is_good ? "verified" : "wrong");
    return is_good ? 0 : 1;
}
