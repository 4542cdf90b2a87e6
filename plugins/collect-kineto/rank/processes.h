/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_PROCESSES_H
#define COLLECT_KINETO_RANK_PROCESSES_H

#include "collect-kineto/formats/event.h"

#include <opprof/map.h>

/*
 * Names of a trace's processes and threads (events of phase M). In some traces nothing else shows
 * what is work of a device.
 */

/* Contents of a device's thread. */
typedef enum ThreadRole {
    THREAD_UNKNOWN, /* not of a device */
    THREAD_WORK,
    THREAD_STEPS,
    THREAD_IGNORED /* sums of other threads' work */
} ThreadRole;

typedef struct Process {
    int64_t number;
    char name[40];  /* as much of it as fits */
    int64_t device; /* -1: its name is not a device's */
    size_t word;    /* the first of the vocabulary that threads with its work begin with */
} Process;

typedef struct DeviceThread {
    ThreadRole role;
    int64_t device;
    int64_t stream;
    int64_t process;
} DeviceThread;

typedef struct Processes {
    Process *list;
    size_t count;
    size_t capacity;
    DeviceThread *threads;
    size_t thread_count;
    size_t thread_capacity;
    OpprofMap by_number;
    OpprofMap by_thread;
} Processes;

/* Add an event of phase M. False without memory. */
bool ProcessesAdd(Processes *processes, const Vocabulary *vocabulary, const TraceEvent *event);

/* A zeroed one is allowed. */
void ProcessesFinish(Processes *processes);

/* The thread of an event. */
DeviceThread ProcessesThread(const Processes *processes, const TraceEvent *event);

/*
 * The number of a device that only the process of its work shows: the process's place among those
 * with the same name. The number of the process itself if it has no name, or one that may be a
 * device's.
 */
int64_t ProcessesDevice(const Processes *processes, int64_t number);

/* Name of a process, NULL if it has none. */
const char *ProcessesName(const Processes *processes, int64_t number);

#endif
