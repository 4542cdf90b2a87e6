/* SPDX-License-Identifier: Apache-2.0 */
/* Models: work that was recorded. Tested by tests/refchip/test_interface.sh. */
#include "state.h"
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static Model *all;
static uint32_t ids;
static uint32_t global_captures;        /* open ones of that mode */
static _Thread_local uint32_t captures; /* open ones of this thread that are not relaxed */

AbiError ModelForbids(void)
{
    bool is_forbidden;

    pthread_mutex_lock(&lock);
    is_forbidden = global_captures > 0 || captures > 0;
    pthread_mutex_unlock(&lock);
    return is_forbidden ? ACL_ERROR_FORBIDDEN : 0;
}

bool ModelIsBuilt(const Model *model)
{
    return model->is_built;
}

Model *ModelMake(bool is_built, int32_t mode)
{
    Model *model = calloc(1, sizeof *model);

    if (model != NULL) {
        model->is_built = is_built;
        model->is_open = true;
        model->mode = mode;
        pthread_mutex_lock(&lock);
        model->id = ++ids;
        model->next = all;
        all = model;
        pthread_mutex_unlock(&lock);
    }
    return model;
}

void ModelCount(const Model *model, uint32_t step)
{
    pthread_mutex_lock(&lock);
    global_captures += model->mode == CAPTURE_GLOBAL ? step : 0;
    pthread_mutex_unlock(&lock);
    captures += model->mode == CAPTURE_THREAD_LOCAL ? step : 0;
}

AbiError ModelAdd(Model *model, Task *task)
{
    Task **tasks = reallocarray(model->tasks, model->count + 1u, sizeof(Task *));

    if (tasks == NULL) {
        free(task);
        return RT_ERROR_MEMORY;
    }
    model->tasks = tasks;
    tasks[model->count++] = task;
    return 0;
}

Model *ModelFind(uint32_t id)
{
    Model *found;

    pthread_mutex_lock(&lock);
    for (found = all; found != NULL && found->id != id; found = found->next) {
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void ModelForget(const Model *model)
{
    Model **link;

    pthread_mutex_lock(&lock);
    for (link = &all; *link != NULL && *link != model; link = &(*link)->next) {
    }
    *link = *link == NULL ? NULL : model->next;
    pthread_mutex_unlock(&lock);
}
