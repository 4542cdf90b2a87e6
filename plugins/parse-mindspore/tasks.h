/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MINDSPORE_TASKS_H
#define PARSE_MINDSPORE_TASKS_H

/*
 * The tasks of a device and their operators, as the framework's tables have them, and the numbers
 * by which logs name them.
 */

#include <opprof/kit/json_out.h>
#include <opprof/map.h>
#include <opprof/stage.h>

typedef struct Task {
    uint64_t number;
    uint32_t stream;
    uint32_t operation; /* index */
} Task;

typedef struct Operation {
    uint32_t name; /* interned, full */
    uint32_t type; /* interned, or absent */
    uint32_t stream;
    uint32_t block_dim;
    bool has_task;
    bool has_counts;     /* of the PMU */
    bool is_listed;      /* all of these */
    uint32_t counted[2]; /* inputs and outputs so far */
    uint64_t iteration;  /* that these are of, and their task */
    uint64_t tensors_of;
    OpprofJsonOut info; /* inputs and outputs: an object that is not closed */
} Operation;

typedef struct StreamHigh {
    uint32_t stream;
    uint64_t high; /* highest task number so far */
} StreamHigh;

/* Task numbers of a log, which has 16 bits of them. */
typedef struct Unwrap {
    OpprofMap map;
    StreamHigh *streams;
    size_t count;
    size_t room;
    uint64_t wraps;
} Unwrap;

typedef struct Tasks {
    uint32_t generation;
    OpprofMap map; /* of tasks */
    Task *list;
    size_t count;
    size_t room;
    OpprofMap by_name; /* of operations, by their interned names */
    Operation *operations;
    size_t operation_count;
    size_t operation_room;
    OpprofMap hashes; /* interned names by their hashes */
    OpprofMap points; /* interned names by tags of the training trace */
    bool is_wide;     /* numbers have more than 16 bits */
} Tasks;

/* The operation of a name; it is added if it is new. OPPROF_MAP_NONE without memory. */
uint32_t TasksOperation(Tasks *tasks, uint32_t name);
/* False without memory. A task that is there gets the new operation. */
bool TasksAdd(Tasks *tasks, uint32_t stream, uint64_t number, uint32_t operation);
/* NULL: the table does not have it. */
Task *TasksFind(const Tasks *tasks, uint32_t stream, uint64_t number);
/* The task of a stream after or before a number; NULL: none. */
const Task *TasksBeside(const Tasks *tasks, uint32_t stream, uint64_t number, bool after);
/* Bring 16 bits of a task's number to the value nearest to the highest of its stream. False without
 * memory. */
bool TasksUnwrap(const Tasks *tasks, Unwrap *unwrap, uint32_t stream, uint64_t *number);
/* Keep the highest number of a key, after comparing this one with those before it: below 0, 0 or
 * above 0, as for the first. False without memory. */
bool TasksCompare(Unwrap *unwrap, uint32_t key, uint64_t number, int *ret_order);
/* Keep the name of a hash, or of a point's tag. False without memory. */
bool TasksNameHash(Tasks *tasks, uint64_t hash, uint32_t name);
bool TasksNamePoint(Tasks *tasks, uint64_t tag, uint32_t name);
void UnwrapFinish(Unwrap *unwrap);
void TasksFinish(Tasks *tasks);

#endif
