/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_RUNTIME_COMM_H
#define REFCHIP_RUNTIME_COMM_H

/*
 * Devices that communicate, of one process or of several. The library of collectives and the AI
 * CPU's side of an operator stand on this. Functions with the prefix Refchip are for libhccl.so.
 */

#include "state.h"

#define COMM_VISIBLE __attribute__((visibility("default")))
#define COMM_MOST_RANKS 8u

typedef struct RefchipComm RefchipComm;

/* Join the ranks of a key. NULL: the rank is taken or out of range. */
COMM_VISIBLE RefchipComm *RefchipCommJoin(const char *key, uint32_t ranks, uint32_t rank,
                                          uint32_t device);
/* Let a stream wait until all ranks' barriers were reached. */
COMM_VISIBLE bool RefchipCommBarrier(RefchipComm *comm, AbiStream stream);
COMM_VISIBLE void RefchipCommLeave(RefchipComm *comm);

/* A rank's part of a meeting. */
typedef struct CommPost {
    uint64_t time; /* cycle at which it came, in the time that all devices share */
    uint64_t send; /* address, of a gathering */
} CommPost;

uint32_t CommRank(const RefchipComm *comm);
uint32_t CommRanks(const RefchipComm *comm);
uint32_t CommDevice(const RefchipComm *comm);
/* Wait for all ranks, and learn what they brought. `which` is 0 or 1: meetings that do not mix.
 * False: not all came in time, or the stream was aborted. */
bool CommMeet(RefchipComm *comm, uint32_t which, const CommPost *post, Stream *stream,
              CommPost *ret_posts);

/* Let the other ranks have this one's part, from the next meeting on; and take that of one. False:
 * it is too large or missing. */
bool CommOffer(const RefchipComm *comm, const void *part, uint64_t bytes);
bool CommTake(const RefchipComm *comm, uint32_t rank, void *room, uint64_t bytes);

/* The request to the AI CPU beside a kernel: bring the parts of all ranks together. */
typedef struct GatherArgs {
    RefchipComm *comm;
    uint64_t send;    /* this rank's part */
    uint64_t receive; /* room for all parts */
    uint64_t bytes;   /* of a part */
} GatherArgs;

#endif
