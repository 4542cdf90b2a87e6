/* SPDX-License-Identifier: Apache-2.0 */
/*
 * all-gather: on every device a thread, or with --processes a process; the AI CPU brings the parts
 * of all devices together while the cores add two vectors. Both results are checked. --size is the
 * number of elements of a part. Tested by tests/refchip/test_mc2.sh.
 */
#include "host.h"
#include "refchip/hccl_abi.h"
#include "refchip/runtime/comm.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TILE_FLOATS 2048u

static HostOptions options = { .size = 8192, .launch = "host-args", .repeat = 1, .blocks = 4 };
static uint32_t devices;

typedef struct Rank {
    pthread_t thread;
    uint32_t rank;
    HcclComm comm;
    AbiStream stream, cpu_stream;
    float *part, *sum, *all; /* of the device */
    bool is_good;
} Rank;

static uint64_t count_of(void)
{
    const uint64_t each = (uint64_t) TILE_FLOATS * options.blocks;

    return (options.size + each - 1) / each * each;
}

static bool launch_gather(const Rank *rank)
{
    GatherArgs gather = { rank->comm, (uint64_t) (uintptr_t) rank->part,
                          (uint64_t) (uintptr_t) rank->all, 4 * count_of() };
    const rtAicpuArgsEx_t args = { .args = &gather, .argsSize = sizeof gather, .timeout = 30 };

    return rtAicpuKernelLaunchExWithArgs(5, "all_gatherMc2AicpuKernel", 1, &args, NULL,
                                         rank->cpu_stream, 0) == 0;
}

static bool launch_sum(const Rank *rank)
{
    uint64_t arguments[] = { (uint64_t) (uintptr_t) rank->part,
                             (uint64_t) (uintptr_t) rank->part,
                             (uint64_t) (uintptr_t) rank->sum,
                             count_of() / TILE_FLOATS / options.blocks,
                             4 * TILE_FLOATS,
                             4 * TILE_FLOATS / 32 << 16 | 16,
                             HOST_VECTOR_SHAPE(TILE_FLOATS) };

    return HostLaunchOn(&options, arguments, 7, rank->stream);
}

static bool check(const Rank *rank)
{
    const uint64_t count = count_of();
    float *got = malloc(4 * count * devices);
    bool is_good = got != NULL && HostDownload(got, rank->sum, 4 * count);

    for (uint64_t i = 0; is_good && i < count; i++) {
        is_good = got[i] == 2 * HostNumber(i, rank->rank);
    }
    is_good = is_good && HostDownload(got, rank->all, 4 * count * devices);
    for (uint64_t i = 0; is_good && i < count * devices; i++) {
        is_good = got[i] == HostNumber(i % count, (uint32_t) (i / count));
    }
    free(got);
    return is_good;
}

static bool open_rank(Rank *rank)
{
    const uint64_t count = count_of();
    float *numbers = malloc(4 * count);
    bool is_good = numbers != NULL && aclrtSetDevice((int32_t) rank->rank) == 0 &&
                   aclrtCreateStream(&rank->stream) == 0 &&
                   aclrtCreateStream(&rank->cpu_stream) == 0;

    for (uint64_t i = 0; is_good && i < count; i++) {
        numbers[i] = HostNumber(i, rank->rank);
    }
    if (is_good) {
        rank->part = HostUpload(numbers, 4 * count);
        rank->sum = HostUpload(NULL, 4 * count);
        rank->all = HostUpload(NULL, 4 * count * devices);
    }
    free(numbers);
    return is_good && rank->part != NULL && rank->sum != NULL && rank->all != NULL;
}

static void *run(void *argument)
{
    Rank *rank = argument;

    rank->is_good = open_rank(rank);
    for (uint32_t i = 0; i < options.repeat && rank->is_good; i++) {
        rank->is_good = launch_gather(rank) && launch_sum(rank) &&
                        aclrtSynchronizeStream(rank->stream) == 0 &&
                        aclrtSynchronizeStream(rank->cpu_stream) == 0;
    }
    rank->is_good = rank->is_good && check(rank);
    return NULL;
}

/* All ranks are threads of this process. */
static bool run_threads(void)
{
    Rank ranks[COMM_MOST_RANKS] = { { .rank = 0 } };
    int32_t list[COMM_MOST_RANKS];
    HcclComm comms[COMM_MOST_RANKS];
    bool is_good = HostOpen(&options, "all_gather");

    for (uint32_t i = 0; i < devices; i++) {
        list[i] = (int32_t) i;
    }
    is_good = is_good && HcclCommInitAll(devices, list, comms) == 0;
    for (uint32_t i = 0; is_good && i < devices; i++) {
        ranks[i] = (Rank){ .rank = i, .comm = comms[i] };
        is_good = pthread_create(&ranks[i].thread, NULL, run, &ranks[i]) == 0;
    }
    for (uint32_t i = 0; is_good && i < devices; i++) {
        pthread_join(ranks[i].thread, NULL);
    }
    for (uint32_t i = 0; is_good && i < devices; i++) {
        is_good = ranks[i].is_good;
        HcclCommDestroy(ranks[i].comm);
    }
    return is_good;
}

/* By what the ranks have in common: a table, which half of them give with a configuration, or the
 * root's words. */
static bool join_ranks(uint32_t number, const HcclRootInfo *info, HcclComm *comm)
{
    if (options.rank_table == NULL) {
        return HcclCommInitRootInfo(devices, info, number, comm) == 0;
    }
    return (number % 2 == 0
                ? HcclCommInitClusterInfo(options.rank_table, number, comm)
                : HcclCommInitClusterInfoConfig(options.rank_table, number, NULL, comm)) == 0;
}

static bool run_rank(uint32_t number, const HcclRootInfo *info)
{
    Rank rank = { .rank = number };

    options.device = (int32_t) number;
    if (!HostOpen(&options, "all_gather") || !join_ranks(number, info, &rank.comm)) {
        return false;
    }
    run(&rank);
    HcclCommDestroy(rank.comm);
    return rank.is_good;
}

/* Each rank is a process of its own. */
static bool run_processes(void)
{
    HcclRootInfo info;
    bool is_good = HcclGetRootInfo(&info) == 0;
    int status;

    for (uint32_t i = 0; is_good && i < devices; i++) {
        const pid_t child = fork();

        if (child == 0) {
            exit(run_rank(i, &info) ? 0 : 1);
        }
        is_good = child > 0;
    }
    while (wait(&status) > 0) {
        is_good = is_good && status == 0;
    }
    return is_good;
}

int main(int argc, char **argv)
{
    bool is_good;

    if (!HostParse(&options, argc, argv)) {
        return 2;
    }
    is_good = aclrtGetDeviceCount(&devices) == 0;
    devices = devices < COMM_MOST_RANKS ? devices : COMM_MOST_RANKS;
    is_good = is_good && (options.has_processes ? run_processes() : run_threads());
    puts(is_good ? "verified" : "wrong");
    return is_good ? 0 : 1;
}
