/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the launches of a run apart. Tested by tests/plugins/analyse-sim/hotspot/test_hotspot. */
#include "launches.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

SimLaunches *SimLaunchesCreate(OpprofStage *stage, const SimLaunchOps *ops, void *context)
{
    SimLaunches *launches = calloc(1, sizeof *launches);

    if (launches != NULL) {
        launches->stage = stage;
        launches->ops = ops;
        launches->context = context;
        pthread_mutex_init(&launches->lock, NULL);
    }
    return launches;
}

void SimLaunchesDestroy(SimLaunches *launches)
{
    if (launches == NULL) {
        return;
    }
    while (launches->list != NULL) {
        SimLaunchesClose(launches, launches->list);
    }
    pthread_mutex_destroy(&launches->lock);
    free(launches);
}

/* ---- names ---- */

/* Interned text after the last '/' of a text, whose length becomes what is before that. */
static uint32_t take_part(OpprofStage *stage, const char *text, size_t *length)
{
    size_t from = *length;
    uint32_t part;

    while (from > 0 && text[from - 1] != '/') {
        from--;
    }
    part = OpprofStageIntern(stage, text + from, *length - from);
    *length = from == 0 ? 0 : from - 1;
    return part;
}

uint32_t SimCoreName(OpprofStage *stage, uint32_t partition)
{
    const char *name = OpprofStageString(stage, partition);
    size_t length = strlen(name);

    return take_part(stage, name, &length);
}

SimPlace SimPlaceOf(OpprofStage *stage, uint32_t folder)
{
    const char *path = OpprofStageString(stage, folder);
    size_t length = strlen(path);
    SimPlace place = { .device = OPPROF_NA_STRING };

    if (folder != OPPROF_NA_STRING) { /* "device0/add/1" */
        place.order = take_part(stage, path, &length);
        place.kernel = take_part(stage, path, &length);
        place.device = take_part(stage, path, &length);
    }
    return place;
}

/* ---- launches ---- */

/* NULL without memory. */
static SimLaunch *open_launch(const SimLaunches *launches, const char *folder, size_t length)
{
    SimLaunch *launch = calloc(1, sizeof *launch);

    if (launch == NULL) {
        return NULL;
    }
    launch->folder =
        length == 0 ? OPPROF_NA_STRING : OpprofStageIntern(launches->stage, folder, length);
    launch->place = SimPlaceOf(launches->stage, launch->folder);
    launch->own = launches->ops->open(launches->context, launch);
    if (launch->own == NULL) {
        free(launch);
        return NULL;
    }
    return launch;
}

SimLaunch *SimLaunchesFind(SimLaunches *launches, uint32_t partition)
{
    const char *name = OpprofStageString(launches->stage, partition);
    const char *slash = strrchr(name, '/');
    const size_t length = slash == NULL ? 0 : (size_t) (slash - name);
    SimLaunch **place = &launches->list;

    pthread_mutex_lock(&launches->lock);
    while (*place != NULL) {
        const char *folder = OpprofStageString(launches->stage, (*place)->folder);

        if (strlen(folder) == length && strncmp(folder, name, length) == 0) {
            break;
        }
        place = &(*place)->next;
    }
    if (*place == NULL) {
        *place = open_launch(launches, name, length);
    }
    SimLaunch *found = *place;
    pthread_mutex_unlock(&launches->lock);
    return found;
}

bool SimLaunchesEndCore(SimLaunches *launches, SimLaunch *launch, uint32_t cores)
{
    bool is_last;

    pthread_mutex_lock(&launches->lock);
    is_last = ++launch->ended == cores;
    pthread_mutex_unlock(&launches->lock);
    return is_last;
}

void SimLaunchesClose(SimLaunches *launches, SimLaunch *launch)
{
    SimLaunch **place = &launches->list;

    pthread_mutex_lock(&launches->lock);
    while (*place != launch) {
        place = &(*place)->next;
    }
    *place = launch->next;
    pthread_mutex_unlock(&launches->lock);
    launches->ops->close(launch->own);
    free(launch);
}

bool SimLaunchesEndInstance(SimLaunches *launches)
{
    uint32_t instances;
    bool is_last;

    OpprofStageInstance(launches->stage, &instances);
    pthread_mutex_lock(&launches->lock);
    is_last = ++launches->flushed == instances;
    pthread_mutex_unlock(&launches->lock);
    return is_last;
}

/* ---- cores ---- */

SimCore *SimCoresFind(SimCores *cores, uint32_t partition)
{
    for (uint32_t i = 0; i < cores->count; i++) {
        const uint32_t at = (cores->latest + i) % cores->count;

        if (cores->list[at].partition == partition) {
            cores->latest = at;
            return &cores->list[at];
        }
    }
    return NULL;
}

SimCore *SimCoresAdd(SimCores *cores, uint32_t partition, void *own)
{
    if (!OpprofGrow32(&cores->list, &cores->capacity, (size_t) cores->count + 1,
                      sizeof *cores->list)) {
        return NULL;
    }
    cores->latest = cores->count++;
    cores->list[cores->latest] = (SimCore){ .partition = partition, .own = own };
    return &cores->list[cores->latest];
}

void SimCoreSee(SimCore *core, unsigned kind, const OpprofBatch *batch)
{
    if (kind < SIM_KINDS) {
        core->records[kind] += batch->count;
    } else if (batch->count > 0) {
        core->end = *(const OpprofSimCoreEnd *) OpprofBatchRecord(batch, 0);
        core->has_end = core->end.cores > 0; /* else it is of no launch, and says nothing */
    }
}

bool SimCoreIsWhole(const SimCore *core, unsigned kinds)
{
    const uint64_t sent[SIM_KINDS] = { [SIM_INSTRUCTIONS] = core->end.instructions,
                                       [SIM_MARKS] = core->end.marks,
                                       [SIM_MISSES] = core->end.misses,
                                       [SIM_ISSUES] = core->end.issues };
    bool is_whole = core->has_end;

    for (unsigned kind = 0; kind < SIM_KINDS; kind++) {
        is_whole = is_whole && ((kinds & 1u << kind) == 0 || core->records[kind] >= sent[kind]);
    }
    return is_whole;
}

SimCore SimCoresTake(SimCores *cores, const SimCore *core)
{
    const SimCore taken = *core;

    cores->list[core - cores->list] = cores->list[--cores->count];
    cores->latest = 0;
    return taken;
}

void SimCoresFinish(SimCores *cores)
{
    free(cores->list);
    *cores = (SimCores){ .count = 0 };
}
