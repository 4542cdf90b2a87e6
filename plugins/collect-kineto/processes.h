/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_PROCESSES_H
#define COLLECT_KINETO_PROCESSES_H

#include "event.h"

#include <opprof/map.h>

/*
 * What a trace calls its processes and threads (events of phase M). Some traces have nothing else to tell what
 * is work of a device.
 */

/* What a thread of a device holds. */
typedef enum ThreadRole {
    THREAD_UNKNOWN, /* not of a device */
    THREAD_WORK,
    THREAD_STEPS,
    THREAD_IGNORED /* sums of other threads' work */
} ThreadRole;

typedef struct Process {
    int64_t number;
    char name[40];  /* as much of it as fits */
    int64_t device; /* -1: it is no device by its name */
} Process;

typedef struct DeviceThread {
    ThreadRole role;
    int64_t device;
    int64_t stream;
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

/* Take an event of phase M. False without memory. */
bool ProcessesAdd(Processes *processes, const Vocabulary *vocabulary, const TraceEvent *event);

/* Accepts a zeroed one. */
void ProcessesFinish(Processes *processes);

/* The thread of an event. */
DeviceThread ProcessesThread(const Processes *processes, const TraceEvent *event);

/*
 * The number of a device whose work only its process tells: the how-manieth of the processes of its name it is.
 * That of the process itself if it has no name, or a number that may well be a device's.
 */
int64_t ProcessesDevice(const Processes *processes, int64_t number);

/* Name of a process, NULL if it has none. */
const char *ProcessesName(const Processes *processes, int64_t number);

#endif
