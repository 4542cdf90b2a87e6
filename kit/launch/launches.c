/* SPDX-License-Identifier: Apache-2.0 */
/* Launches whose pieces arrive, several launches at a time. */
#include "kit/launch/launch_reader.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/require.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

/* Few are open at a time: a list is searched as fast as a map. */
struct OpprofLaunchIn {
    uint32_t partition;
    void *launch;
};

void LaunchesInit(OpprofLaunches *launches, OpprofStage *stage, const OpprofLaunchOps *ops,
                  void *self)
{
    OPPROF_REQUIRE("launches-given", launches != NULL, "The launches are given");
    OPPROF_REQUIRE("launches-ops",
                   stage != NULL && ops != NULL && ops->create != NULL && ops->feed != NULL &&
                       ops->end != NULL && ops->free != NULL,
                   "The stage and all operations are given");
    *launches = (OpprofLaunches){ .stage = stage, .ops = ops, .self = self };
}

static const char *place_of(const OpprofLaunches *launches, uint32_t partition)
{
    const char *place = OpprofStageString(launches->stage, partition);

    return place == NULL ? "" : place;
}

static size_t find(const OpprofLaunches *launches, uint32_t partition)
{
    size_t at = launches->count;

    while (at > 0 && launches->list[at - 1].partition != partition) {
        at--;
    }
    return at == 0 ? SIZE_MAX : at - 1;
}

void *OpprofLaunchesGet(OpprofLaunches *launches, uint32_t partition, OpprofError **error)
{
    OPPROF_REQUIRE("launches-given", launches != NULL, "The launches are given");
    OPPROF_REQUIRE("launches-begun", launches->ops != NULL, "LaunchesInit was called");

    const size_t at = find(launches, partition);
    void *launch = NULL;

    if (at != SIZE_MAX) {
        return launches->list[at].launch;
    }
    if (OpprofGrow(&launches->list, &launches->capacity, launches->count + 1,
                   sizeof *launches->list)) {
        launch = launches->ops->create(launches->self, partition);
    }
    if (launch == NULL) {
        OpprofErrorNoMemory(error, "parse launch '%s'", place_of(launches, partition));
        return NULL;
    }
    OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(launches->stage), "Launch '%s' begins",
              place_of(launches, partition));
    launches->list[launches->count++] = (struct OpprofLaunchIn){ partition, launch };
    return launch;
}

void LaunchesLogFile(const OpprofLaunches *launches, uint32_t partition, uint32_t file,
                     uint64_t bytes)
{
    OPPROF_REQUIRE("launches-given", launches != NULL, "The launches are given");
    if (file != OPPROF_NA_STRING && OpprofStageString(launches->stage, file) != NULL) {
        OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(launches->stage),
                  "Launch '%s': file '%s', bytes=%" PRIu64, place_of(launches, partition),
                  OpprofStageString(launches->stage, file), bytes);
    }
}

/* Take the launch out of the list. */
static void *take(OpprofLaunches *launches, size_t at)
{
    void *launch = launches->list[at].launch;

    launches->count--;
    memmove(&launches->list[at], &launches->list[at + 1],
            (launches->count - at) * sizeof *launches->list);
    return launch;
}

static void count_failure(OpprofLaunches *launches, OpprofError *failure)
{
    launches->failed++;
    if (launches->first == NULL) {
        launches->first = failure;
    } else {
        OpprofErrorDestroy(failure);
    }
}

OpprofStatus OpprofLaunchesEnd(OpprofLaunches *launches, uint32_t partition, OpprofError **error)
{
    OPPROF_REQUIRE("launches-given", launches != NULL, "The launches are given");
    OPPROF_REQUIRE("launches-begun", launches->ops != NULL, "LaunchesInit was called");
    OPPROF_REQUIRE("launches-known", find(launches, partition) != SIZE_MAX,
                   "The launch of the partition exists");

    void *launch = take(launches, find(launches, partition));
    OpprofError *failure = NULL;
    const OpprofStatus status = launches->ops->end(launches->self, launch, &failure, error);

    launches->ops->free(launch);
    if (failure != NULL) {
        OpprofErrorWrap(&failure, "Cannot parse launch '%s'", place_of(launches, partition));
        count_failure(launches, failure);
    } else if (status != OPPROF_OK) {
        OpprofErrorExplain(error, status, "Cannot parse launch '%s'",
                           place_of(launches, partition));
    } else {
        launches->parsed++;
        OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(launches->stage), "Launch '%s' is parsed",
                  place_of(launches, partition));
    }
    return status;
}

OpprofStatus OpprofLaunchesFeed(OpprofLaunches *launches, const OpprofBatch *batch,
                                OpprofError **error)
{
    OPPROF_REQUIRE("launches-given", launches != NULL, "The launches are given");
    OPPROF_REQUIRE("launches-begun", launches->ops != NULL, "LaunchesInit was called");
    OPPROF_REQUIRE("launches-batch-given", batch != NULL, "The batch is given");

    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        void *launch = OpprofLaunchesGet(launches, batch->partition, error);

        if (launch == NULL) {
            return OPPROF_E_MEMORY;
        }
        status =
            launches->ops->feed(launches->self, launch, batch, OpprofBatchRecord(batch, i), error);
        OpprofErrorExplain(error, status, "Cannot parse launch '%s'",
                           place_of(launches, batch->partition));
        if (status == OPPROF_END) {
            status = OpprofLaunchesEnd(launches, batch->partition, error);
        }
    }
    return status;
}

OpprofStatus OpprofLaunchesEndAll(OpprofLaunches *launches, OpprofError **error)
{
    OPPROF_REQUIRE("launches-given", launches != NULL, "The launches are given");
    OPPROF_REQUIRE("launches-begun", launches->ops != NULL, "LaunchesInit was called");

    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && launches->count > 0) {
        const uint32_t partition = launches->list[0].partition;

        OpprofStageIncomplete(launches->stage, "Launch '%s' was not read to its end",
                              place_of(launches, partition));
        status = OpprofLaunchesEnd(launches, partition, error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(launches->stage),
              "Parsed launches: whole=%" PRIu64 ", left out=%" PRIu64, launches->parsed,
              launches->failed);
    return status;
}

/* What could not be parsed: an error if no launch could, else the run is incomplete. */
static OpprofStatus judge(OpprofLaunches *launches, OpprofError **error)
{
    if (launches->failed == 0) {
        return OPPROF_OK;
    }
    if (launches->parsed > 0) {
        const OpprofError *why = OpprofErrorCause(launches->first);

        OpprofStageIncomplete(launches->stage, "%" PRIu64 " %s left out: %s", launches->failed,
                              OPPROF_PLURAL(launches->failed, "launch is", "launches are"),
                              OpprofErrorLine(why != NULL ? why : launches->first));
        return OPPROF_OK;
    }
    if (error == NULL) {
        return OpprofErrorStatus(launches->first);
    }
    if (*error == NULL) {
        *error = launches->first;
        launches->first = NULL;
    }
    return OpprofErrorWrap(error, "No launch could be parsed");
}

OpprofStatus OpprofLaunchesProcess(void *self, uint32_t port, const OpprofBatch *batch,
                                   OpprofError **error)
{
    (void) port;
    return OpprofLaunchesFeed(self, batch, error);
}

OpprofStatus OpprofLaunchesFlush(void *self, OpprofError **error)
{
    const OpprofStatus status = OpprofLaunchesEndAll(self, error);

    return status == OPPROF_OK ? judge(self, error) : status;
}

char *OpprofLaunchPath(const OpprofStage *stage, uint32_t device, uint32_t kernel, uint32_t order,
                       const char *name)
{
    const char *const parts[] = { OpprofStageString(stage, device),
                                  OpprofStageString(stage, kernel), OpprofStageString(stage, order),
                                  name == NULL ? "" : name };
    size_t room = 1;
    char *path;
    char *end;

    for (size_t i = 0; i < OPPROF_COUNT(parts); i++) {
        room += strlen(parts[i]) + 1;
    }
    path = malloc(room);
    if (path == NULL) {
        return NULL;
    }
    *path = '\0';
    end = path;
    for (size_t i = 0; i < OPPROF_COUNT(parts); i++) {
        if (parts[i][0] != '\0') {
            end = stpcpy(stpcpy(end, end == path ? "" : "/"), parts[i]);
        }
    }
    return path;
}

uint32_t OpprofLaunchFolder(OpprofStage *stage, uint32_t device, uint32_t kernel, uint32_t order)
{
    char *path = OpprofLaunchPath(stage, device, kernel, order, NULL);
    const uint32_t folder = path == NULL || path[0] == '\0'
                                ? OPPROF_NA_STRING
                                : OpprofStageIntern(stage, path, strlen(path));

    free(path);
    return folder;
}

void LaunchesFinish(OpprofLaunches *launches)
{
    OPPROF_REQUIRE("launches-given", launches != NULL, "The launches are given");
    for (size_t i = 0; i < launches->count; i++) {
        launches->ops->free(launches->list[i].launch);
    }
    free(launches->list);
    OpprofErrorDestroy(launches->first);
    *launches = (OpprofLaunches){ .stage = NULL };
}
