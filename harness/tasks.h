/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HARNESS_TASKS_H
#define HARNESS_TASKS_H

#include <stdbool.h>

#define TASK_STAT_BYTES 512

/*
 * State of a thread of this process, by its number: proc(5), /proc/pid/stat from the
 * ')' after the name on. NULL: it has ended. "": unknown.
 */
const char *TaskStat(const char *thread, char text[TASK_STAT_BYTES]);

/*
 * Whether all threads but the caller's wait or have ended; false also when that cannot be found
 * out. A thread that could go on, even one that holds a lock the others need, does not sleep.
 */
bool TasksOthersAreAsleep(void);

#endif
