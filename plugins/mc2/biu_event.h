/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BIU_EVENT_H
#define MC2_BIU_EVENT_H

#include <opprof/record.h>

typedef enum BiuKind {
    BIU_STATE = 1,   /* a pipe was busy */
    BIU_MARK,        /* a mark, one cycle long */
    BIU_CHECKPOINT,  /* a mark without length */
    BIU_REGION,      /* between a user's marks */
    BIU_INSTRUCTION, /* between the compiler's marks */
    BIU_CYCLES,      /* cycles of a pipe in an interval of the older monitor */
    BIU_FLOW         /* a value of the older monitor's flow */
} BiuKind;

/* The origin of the bytes, which decides the names of lanes. */
typedef enum BiuSource {
    BIU_SOURCE_CONTAINER = 1, /* timeline.bin.<k>: one process per core, one thread per pipe */
    BIU_SOURCE_GROUP,         /* the system profiler's files: one thread per core */
    BIU_SOURCE_WINDOW,        /* read from a core's own window: as the container */
    BIU_SOURCE_MONITOR        /* the older records */
} BiuSource;

/* Record of "biu.event". Batches have the launch's place as partition. */
typedef struct BiuEvent {
    uint64_t start; /* core cycles; see BiuEvent.block */
    uint64_t end;
    uint64_t pc;     /* of an instruction in the compiler's notes, or absent */
    uint32_t kind;   /* BiuKind */
    uint32_t source; /* BiuSource */
    uint32_t name;   /* interned */
    uint32_t pipe;   /* interned */
    uint32_t pipe_number;
    uint32_t unit;          /* interned core: "core0.cubecore", "Group0-aic" */
    uint32_t colour;        /* interned */
    uint32_t group;         /* group of cores, or core */
    uint32_t type;          /* 0 cube, 1 and 2 vector */
    uint32_t block;         /* of the stamp that times count from; absent: no stamp */
    uint32_t payload;       /* of a mark; cycles and flows: the value */
    uint32_t source_device; /* as in the file's name; absent */
    uint32_t is_cut;        /* 1: it was still open when the stream ended */
    uint32_t device;        /* interned parts of the results' folder, or absent */
    uint32_t kernel;
    uint32_t order;
} BiuEvent;

extern const OpprofRecordType biu_event_type;

#endif
