/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the names of a trace's processes and threads.
 * Tested by tests/plugins/collect-kineto/test_inputs.sh.
 */
#include "collect-kineto/rank/processes.h"

#include "collect-kineto/text/number.h"

#include <opprof/grow.h>
#include <stdlib.h>

#define PROCESSES_MAX 65536u /* further ones have no name */
/* a process with a number up to this may be named after its device */
#define DEVICE_NUMBER_MAX 1023

/* Number of the first word that a text begins with, from 1 on; 0: none. */
static size_t word_of(JsonText text, const WordList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const size_t length = strlen(list->words[i]);

        if (text.length >= length && memcmp(text.text, list->words[i], length) == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* The first number in a text after `after`; -1 if none. */
static int64_t number_after(JsonText text, char after)
{
    const char *end = text.text + text.length;
    const char *at = text.length == 0 ? NULL : memrchr(text.text, after, text.length);
    const char *from = at == NULL ? end : at + 1;
    const char *to = from;
    int64_t number;

    while (to < end && *to >= '0' && *to <= '9') {
        to++;
    }
    return NumberInteger(from, (uint32_t) (to - from), &number) ? number : -1;
}

static uint64_t thread_key(int64_t process, int64_t thread)
{
    return (uint64_t) process * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t) thread;
}

static bool add_process(Processes *processes, const Vocabulary *vocabulary, int64_t number,
                        JsonText name)
{
    Process *process;
    const size_t room = sizeof process->name - 1;

    if (processes->count == PROCESSES_MAX ||
        OpprofMapFind(&processes->by_number, (uint64_t) number) != OPPROF_MAP_NONE) {
        return true;
    }
    if (!OpprofGrow(&processes->list, &processes->capacity, processes->count + 1,
                    sizeof *processes->list) ||
        !OpprofMapPut(&processes->by_number, (uint64_t) number, (uint32_t) processes->count)) {
        return false;
    }
    process = &processes->list[processes->count++];
    *process = (Process){ .number = number, .device = -1 };
    memcpy(process->name, name.text, name.length < room ? name.length : room);
    if (word_of(name, &vocabulary->lists[LIST_DEVICE_PROCESS]) > 0) {
        const int64_t device = number_after(name, ':');

        process->device = device < 0 ? number : device;
    }
    return true;
}

/* Streams have the work itself; where a device shows them, its other threads are sums of it. */
static ThreadRole take_work_thread(Processes *processes, Process *process, size_t word)
{
    if (process->word != 0 && word > process->word) {
        return THREAD_IGNORED;
    }
    for (size_t i = 0; word < process->word && i < processes->thread_count; i++) {
        DeviceThread *other = &processes->threads[i];

        if (other->process == process->number && other->role == THREAD_WORK) {
            other->role = THREAD_IGNORED;
        }
    }
    process->word = word;
    return THREAD_WORK;
}

static bool add_thread(Processes *processes, const Vocabulary *vocabulary, Process *process,
                       uint64_t key, int64_t number, JsonText name)
{
    const size_t word = word_of(name, &vocabulary->lists[LIST_DEVICE_THREAD]);
    DeviceThread thread = { THREAD_IGNORED, process->device, number, process->number };

    if (OpprofMapFind(&processes->by_thread, key) != OPPROF_MAP_NONE) {
        return true;
    }
    if (word > 0) {
        const int64_t stream = number_after(name, '#');

        thread.role = take_work_thread(processes, process, word);
        thread.stream = stream < 0 ? number : stream;
    } else if (word_of(name, &vocabulary->lists[LIST_STEP_THREAD]) > 0) {
        thread.role = THREAD_STEPS;
    }
    if (!OpprofGrow(&processes->threads, &processes->thread_capacity, processes->thread_count + 1,
                    sizeof *processes->threads) ||
        !OpprofMapPut(&processes->by_thread, key, (uint32_t) processes->thread_count)) {
        return false;
    }
    processes->threads[processes->thread_count++] = thread;
    return true;
}

static Process *find(const Processes *processes, int64_t number)
{
    const uint32_t place = OpprofMapFind(&processes->by_number, (uint64_t) number);

    return place == OPPROF_MAP_NONE ? NULL : &processes->list[place];
}

bool ProcessesAdd(Processes *processes, const Vocabulary *vocabulary, const TraceEvent *event)
{
    const uint32_t needed = EVENT_HAS_LABEL | EVENT_HAS_PID;
    int64_t number;
    int64_t thread;
    Process *process;

    if ((event->has & needed) != needed ||
        !NumberInteger(event->pid.text, event->pid.length, &number)) {
        return true;
    }
    if (JSON_TEXT_IS(event->name, "process_name")) {
        return add_process(processes, vocabulary, number, event->label);
    }
    process = find(processes, number);
    if (process == NULL || process->device < 0 || !JSON_TEXT_IS(event->name, "thread_name") ||
        !NumberInteger(event->tid.text, event->tid.length, &thread)) {
        return true;
    }
    return add_thread(processes, vocabulary, process, thread_key(number, thread), thread,
                      event->label);
}

void ProcessesFinish(Processes *processes)
{
    OpprofMapFinish(&processes->by_number);
    OpprofMapFinish(&processes->by_thread);
    free(processes->list);
    free(processes->threads);
    *processes = (Processes){ .list = NULL };
}

DeviceThread ProcessesThread(const Processes *processes, const TraceEvent *event)
{
    const DeviceThread none = { THREAD_UNKNOWN, -1, -1, -1 };
    int64_t number;
    int64_t thread;
    uint32_t place;

    if (processes->thread_count == 0 ||
        !NumberInteger(event->pid.text, event->pid.length, &number) ||
        !NumberInteger(event->tid.text, event->tid.length, &thread)) {
        return none;
    }
    place = OpprofMapFind(&processes->by_thread, thread_key(number, thread));
    return place == OPPROF_MAP_NONE ? none : processes->threads[place];
}

int64_t ProcessesDevice(const Processes *processes, int64_t number)
{
    const Process *process = find(processes, number);
    int64_t before = 0;

    if (process == NULL || (number >= 0 && number <= DEVICE_NUMBER_MAX)) {
        return number;
    }
    for (size_t i = 0; i < processes->count; i++) {
        before += processes->list[i].number < number &&
                  strcmp(processes->list[i].name, process->name) == 0;
    }
    return before;
}

const char *ProcessesName(const Processes *processes, int64_t number)
{
    const Process *process = find(processes, number);

    return process == NULL ? NULL : process->name;
}
