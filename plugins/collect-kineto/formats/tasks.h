/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_TASKS_H
#define COLLECT_KINETO_FORMATS_TASKS_H

#include "collect-kineto/formats/vocabulary.h"

/* Meaning of a task of a device, in traces without categories (Ascend). */
typedef enum TaskKind {
    TASK_IDLE,    /* it waits, marks or steers other tasks */
    TASK_LISTED,  /* work whose class its type tells */
    TASK_UNLISTED /* work, for no list has its type; its name tells the class */
} TaskKind;

/* By the task's type and name. ret_class: of work. */
TaskKind TaskKindOf(const Vocabulary *vocabulary, JsonText type, JsonText name,
                    WorkClass *ret_class);

#endif
