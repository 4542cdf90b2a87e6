/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classifies the tasks of Ascend devices by lists of their types; see vocabulary.json.
 * Tested by tests/plugins/collect-kineto/test_vocabulary.
 */
#include "collect-kineto/formats/tasks.h"

#include <opprof/record.h>
#include <strings.h>

/* The profilers' versions differ in case, and in blanks for underscores. */
static bool is_type(JsonText text, const char *word)
{
    if (strlen(word) != text.length) {
        return false;
    }
    for (uint32_t i = 0; i < text.length; i++) {
        const char c = text.text[i] == ' ' ? '_' : text.text[i];
        const char w = word[i] == ' ' ? '_' : word[i];

        if (strncasecmp(&c, &w, 1) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_listed(JsonText text, const WordList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (is_type(text, list->words[i])) {
            return true;
        }
    }
    return false;
}

TaskKind TaskKindOf(const Vocabulary *vocabulary, JsonText type, JsonText name,
                    WorkClass *ret_class)
{
    static const struct {
        VocabularyList list;
        WorkClass work_class;
    } classes[] = { { LIST_COMPUTATION_TASKS, WORK_COMPUTATION },
                    { LIST_MEMORY_TASKS, WORK_MEMORY },
                    { LIST_COMMUNICATION_TASKS, WORK_COMMUNICATION } };
    const WordList *lists = vocabulary->lists;

    for (size_t i = 0; i < OPPROF_COUNT(classes); i++) {
        if (is_listed(type, &lists[classes[i].list])) {
            *ret_class = classes[i].work_class;
            return TASK_LISTED;
        }
    }
    if (is_listed(type, &lists[LIST_IDLE_TASKS]) ||
        VocabularyHasPart(&lists[LIST_IDLE_PARTS], type) ||
        is_listed(name, &lists[LIST_IDLE_TASKS])) {
        return TASK_IDLE;
    }
    *ret_class = VocabularyKernelClass(vocabulary, name.text, name.length);
    return TASK_UNLISTED;
}
