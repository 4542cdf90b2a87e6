/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_EVENT_H
#define MC2_EVENT_H

#include <opprof/record.h>

/* Something that happened in a launch, from whichever record. */
typedef enum Mc2Kind {
    MC2_LAUNCH = 1, /* facts of the launch: comes first, nothing to draw */
    MC2_BLOCK,      /* a block ran on a core */
    MC2_CORE_TASK,  /* the operator on AI cores */
    MC2_CPU_TASK,   /* the operator's part on the AI CPU */
    MC2_API,        /* a call of a communication interface */
    MC2_USER,       /* between two marks of the user */
    MC2_LCCL,       /* a part of a collective kernel */
    MC2_TURN,       /* a phase of a turn of the AI CPU */
    MC2_TASK,       /* a task of a stream */
    MC2_COMM        /* the same as communication between cards, in its plane */
} Mc2Kind;

/* Record of "mc2.event". Batches have the launch's place as partition. Times count from the
 * launch's zero. */
typedef struct Mc2Event {
    uint64_t start;
    uint64_t end;
    uint64_t item;   /* id of a mark or a task's name; of MC2_LAUNCH the counter's value at zero */
    uint64_t pc;     /* address of the mark; of MC2_LAUNCH where the kernel was loaded */
    uint64_t bytes;  /* that a task moves */
    uint64_t notify; /* number of a notice */
    double estimated_us;
    uint32_t kind;   /* Mc2Kind */
    uint32_t name;   /* interned */
    uint32_t lane;   /* interned core, such as "core0.veccore1"; of others absent */
    uint32_t colour; /* number in the palette */
    int32_t sort;    /* rank of the lane; below 0: none */
    uint32_t block;  /* number of the block; absent */
    uint32_t number; /* of the stream, plane or turn that makes the lane; absent */
    uint32_t stream;
    uint32_t task;
    uint32_t local_rank;
    uint32_t remote_rank;
    uint32_t transport;
    uint32_t data_type;
    uint32_t link;
    uint32_t operation; /* of a collective kernel */
    uint32_t rest;      /* the word beside it; of MC2_BLOCK 1: a cube core; of MC2_TURN its phase */
    uint32_t device;    /* interned parts of the results' folder, or absent */
    uint32_t kernel;
    uint32_t order;
    uint32_t reserved;
} Mc2Event;

extern const OpprofRecordType mc2_event_type;

#endif
