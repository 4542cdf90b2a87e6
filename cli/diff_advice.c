/* SPDX-License-Identifier: Apache-2.0 */
/* The advice of results that are compared. Tested by tests/plugins/export/test_diff.sh. */
#include "diff_advice.h"

#include <opprof/grow.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_advice(DiffAdvice *advice)
{
    free(advice->severity);
    free(advice->topic);
    free(advice->subject);
    free(advice->sentence);
}

/* Topic, subject and sentence, which are tame, with a line end between them. NULL without memory. */
static char *key_of(const DiffAdvice *advice)
{
    char *key = NULL;

    return asprintf(&key, "%s\n%s\n%s", advice->topic, advice->subject, advice->sentence) < 0 ? NULL
                                                                                              : key;
}

/* The advice that says the same; NULL without memory. Takes what is in `advice`. */
static DiffAdvice *find(DiffAdviceList *all, DiffAdvice advice)
{
    const bool is_whole = advice.severity != NULL && advice.topic != NULL &&
                          advice.subject != NULL && advice.sentence != NULL;
    char *key = is_whole ? key_of(&advice) : NULL;
    const uint32_t at =
        key == NULL ? OPPROF_MAP_NONE : OpprofTextMapFind(&all->index, key, strlen(key));
    DiffAdvice *found = at == OPPROF_MAP_NONE ? NULL : &all->list[at];

    if (key != NULL && found == NULL &&
        OpprofGrow32(&all->list, &all->capacity, all->count + 1, sizeof *all->list) &&
        OpprofTextMapPut(&all->index, key, strlen(key), all->count, NULL)) {
        found = &all->list[all->count++];
        *found = advice;
        advice = (DiffAdvice){ NULL };
    }
    free_advice(&advice);
    free(key);
    return found;
}

/* Which run's advice is read. */
typedef struct Reading {
    DiffAdviceList *all;
    int side;
    uint32_t run;
} Reading;

static OpprofStatus take_advice(void *context, sqlite3_stmt *row, OpprofError **error)
{
    const Reading *now = context;
    DiffAdvice *advice = find(now->all, (DiffAdvice){ .severity = DiffFileTextCopy(row, 0),
                                                      .topic = DiffFileTextCopy(row, 1),
                                                      .subject = DiffFileTextCopy(row, 2),
                                                      .sentence = DiffFileTextCopy(row, 3) });

    if (advice == NULL) {
        return DiffNoMemory(error);
    }
    advice->runs[now->side] += advice->last != now->run + 1;
    advice->last = now->run + 1;
    return OPPROF_OK;
}

static OpprofStatus take_presence(void *context, sqlite3_stmt *row, OpprofError **error)
{
    (void) row;
    (void) error;
    *(bool *) context = true;
    return OPPROF_OK;
}

OpprofStatus DiffAdviceRead(DiffAdviceList *advice, const DiffFile *file, int side, uint32_t run,
                            OpprofError **error)
{
    bool is_there = false;
    OpprofStatus status =
        DiffFileQuery(file, "SELECT 1 FROM opprof_tables WHERE record = 'advice' AND name = ?",
                      "advice", take_presence, &is_there, error);

    if (status != OPPROF_OK || !is_there) {
        return status;
    }
    status = DiffFileCheck(file, "advice", error);
    return status == OPPROF_OK
               ? DiffFileQuery(file,
                               "SELECT t.severity, t.topic, t.subject, t.sentence FROM advice t",
                               NULL, take_advice, &(Reading){ advice, side, run }, error)
               : status;
}

void DiffAdviceFree(DiffAdviceList *advice)
{
    for (uint32_t i = 0; i < advice->count; i++) {
        free_advice(&advice->list[i]);
    }
    free(advice->list);
    OpprofTextMapFinish(&advice->index);
    *advice = (DiffAdviceList){ .count = 0 };
}
