/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the messages of programs into recorded operators.
 * Tested by tests/refchip/test_injection.sh.
 */
#include "launches.h"
#include <ctype.h>
#include <inttypes.h>
#include <opprof/text.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <stdlib.h>
#include <string.h>

/* Counts of running or waiting operators, beside those of one. */
#define COUNTS_MOST_BYTES ((size_t) 64 << 20)

/* The operator that a client means, if it is the client's own and has not ended. */
static LiveLaunch *find(const LiveLaunches *self, const OpprofLiveClient *client, uint32_t id)
{
    LiveLaunch *found = id > 0 && id <= self->count ? self->list[id - 1] : NULL;

    return found != NULL && !found->has_ended && found->client == OpprofLiveClientId(client) ? found
                                                                                             : NULL;
}

/* All programs without callbacks write to one directory: the logs of two that run at the same time
 * are mixed. */
static void take_dumps(LiveLaunches *self, const LiveLaunch *launch)
{
    OpprofError *error = NULL;

    if (OpprofFailed(LiveDumpsTake(&self->dumps, launch->spool.folder - 1, launch->spool.directory,
                                   &error))) {
        OpprofStageIncomplete(self->stage, "Operator '%s': %s", launch->name,
                              OpprofErrorLine(error));
    }
    if (launch->is_shared) {
        OpprofStageIncomplete(self->stage,
                              "Operator '%s' may hold records of other processes: their simulators "
                              "have no log callbacks and write the same dump files",
                              launch->name);
    }
    OpprofErrorDestroy(error);
}

void LiveLaunchForgetCounts(LiveLaunch *launch)
{
    if (launch->counts != NULL) {
        LiveCountsFinish(launch->counts);
        free(launch->counts);
        launch->counts = NULL;
    }
}

static void end(LiveLaunches *self, LiveLaunch *launch)
{
    LiveSpool *spool = &launch->spool;

    launch->has_ended = true;
    if (launch->is_dumped) {
        take_dumps(self, launch);
    }
    if (!LiveSpoolClose(spool)) {
        OpprofStageIncomplete(self->stage, "%s", spool->reason);
        LiveLaunchForgetCounts(launch); /* the files lack records */
    }
    if (launch->counts != NULL) {
        LiveCountsEnd(launch->counts);
    }
    if (launch->counts != NULL && launch->counts->is_lost) {
        LiveLaunchForgetCounts(launch);
    }
    if (spool->left_out > 0) {
        OpprofStageIncomplete(self->stage, "Operator '%s': %" PRIu64 " log %s could not be kept",
                              launch->name, spool->left_out,
                              OPPROF_PLURAL(spool->left_out, "record", "records"));
    }
    OpprofStageCount(self->stage, "operators", 1);
    OpprofStageCount(self->stage, "log records", spool->records);
}

/* ---- programs ---- */

static void load_facts(LiveLaunches *self)
{
    const char *name = self->chip != NULL ? self->chip : self->soc[0] != '\0' ? self->soc : NULL;
    OpprofError *error = NULL;

    if (self->has_facts) {
        return;
    }
    if (name == NULL) {
        OpprofStageWarn(self->stage,
                        "The program does not say which chip it simulates; it is taken "
                        "to be Ascend910B1 (if it is another one, use --set chip=NAME)");
        name = "Ascend910B1";
    }
    if (SimFactsLoad(name, &self->facts, &error) == OPPROF_OK) {
        SimFactsForgetLogs(&self->facts); /* what is recorded has Ascend's names and lines */
        self->has_facts = true;
    } else {
        OpprofStageIncomplete(self->stage, "The chip that the program simulates is not known: %s",
                              OpprofErrorLine(error));
    }
    OpprofErrorDestroy(error);
}

static bool is_mute(const LiveLaunches *self, uint32_t client)
{
    for (uint32_t i = 0; i < self->mute_count; i++) {
        if (self->mute[i] == client) {
            return true;
        }
    }
    return false;
}

/* The running operator that its simulator logs itself; NULL if none. */
static LiveLaunch *find_dumped(const LiveLaunches *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->list[i]->is_dumped && !self->list[i]->has_ended) {
            return self->list[i];
        }
    }
    return NULL;
}

/* A simulator without log callbacks: its dump files are used. */
static void add_mute(LiveLaunches *self, const OpprofLiveClient *client,
                     const OpprofLiveHello *hello)
{
    LiveLaunch *running;

    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage),
              "No log callbacks, taking dump files: program=%s, process=%" PRIu32, hello->program,
              hello->pid);
    if (!OpprofGrow32(&self->mute, &self->mute_room, (size_t) self->mute_count + 1,
                      sizeof *self->mute)) {
        OpprofStageIncomplete(self->stage,
                              "Cannot collect operators of program '%s' (process %" PRIu32
                              "): out of memory",
                              hello->program, hello->pid);
        return;
    }
    self->mute[self->mute_count++] = OpprofLiveClientId(client);
    running = find_dumped(self);
    if (running != NULL) {
        running->is_shared = true;
    }
}

static void on_hello(void *context, OpprofLiveClient *client, const OpprofLiveHello *hello)
{
    LiveLaunches *self = context;

    self->clients++;
    if (self->soc[0] == '\0') {
        memcpy(self->soc, hello->soc, sizeof self->soc);
    }
    if ((hello->flags & OPPROF_LIVE_HAS_LOGS) == 0) {
        add_mute(self, client, hello);
    }
    load_facts(self);
}

/* ---- launches ---- */

/* NULL: none yet. */
static LiveLaunch *first_of(const LiveLaunches *self, const char *group)
{
    const uint32_t place = OpprofTextMapFind(&self->groups, group, strlen(group));

    return place == OPPROF_MAP_NONE ? NULL : self->list[place];
}

/* The launch is in the list from now on. False without memory. */
static bool keep(LiveLaunches *self, LiveLaunch *launch)
{
    LiveLaunch *first = first_of(self, launch->group);

    if (first != NULL) {
        first->followers++;
    } else if (!OpprofTextMapPut(&self->groups, launch->group, strlen(launch->group), self->count,
                                 NULL)) {
        return false;
    }
    self->list[self->count++] = launch;
    return true;
}

/* Kernel names come from outside: they must not lead to other folders. */
static void make_folder(const LiveLaunches *self, LiveLaunch *launch)
{
    const LiveLaunch *first;
    char name[201];
    size_t length = 0;

    for (; launch->name[length] != '\0' && length < sizeof name - 1; length++) {
        const unsigned char c = (unsigned char) launch->name[length];

        name[length] = isalnum(c) || c == '_' || c == '-' ? (char) c : '_';
    }
    name[length] = '\0';
    snprintf(launch->group, sizeof launch->group, "device%" PRIu32 "/%s/", launch->device, name);
    first = first_of(self, launch->group); /* kernels of different names may share a group */
    launch->order = first == NULL ? 0 : first->followers + 1;
    if (self->count > 0) { /* the first one's results are those of the run */
        snprintf(launch->folder, sizeof launch->folder, "%s%" PRIu32, launch->group, launch->order);
    }
}

static OpprofStatus open_spool(const LiveLaunches *self, LiveLaunch *launch, OpprofError **error)
{
    char relative[sizeof launch->folder + sizeof "/dump"];
    const LiveSpoolPlace place = { .results = self->results,
                                   .results_path =
                                       OpprofOutputDirectoryPath(OpprofStageOutput(self->stage)),
                                   .relative = relative };

    snprintf(relative, sizeof relative, "%s%sdump", launch->folder,
             launch->folder[0] == '\0' ? "" : "/");
    return LiveSpoolOpen(&launch->spool, &place, &self->facts, error);
}

/* Without memory for its counts, the logs are read from the files. */
static void start_counts(LiveLaunches *self, LiveLaunch *launch)
{
    self->budget.most = COUNTS_MOST_BYTES;
    launch->counts = malloc(sizeof *launch->counts);
    if (launch->counts != NULL) {
        LiveCountsStart(launch->counts, &self->facts, self->has_flags ? NULL : self->facts.flags,
                        &self->budget);
    }
}

static LiveLaunch *add(LiveLaunches *self, const OpprofLiveClient *client, uint32_t device,
                       const char *name, OpprofError **error)
{
    LiveLaunch *launch = calloc(1, sizeof *launch);
    OpprofStatus status;

    if (launch == NULL ||
        !OpprofGrow32(&self->list, &self->room, (size_t) self->count + 1, sizeof(LiveLaunch *))) {
        free(launch);
        OpprofErrorNoMemory(error, "record operator '%s'", name);
        return NULL;
    }
    launch->id = self->count + 1;
    launch->client = OpprofLiveClientId(client);
    launch->device = device;
    memcpy(launch->name, name, strlen(name) + 1);
    make_folder(self, launch);
    status = open_spool(self, launch, error);
    if (status == OPPROF_OK && !keep(self, launch)) {
        status = OpprofErrorNoMemory(error, "record operator '%s'", name);
    }
    if (status != OPPROF_OK) {
        LiveSpoolFinish(&launch->spool);
        free(launch);
        return NULL;
    }
    launch->spool.name = launch->name;
    start_counts(self, launch);
    return launch;
}

static OpprofLiveVerdict on_launch(void *context, OpprofLiveClient *client,
                                   const OpprofLiveLaunch *asked, const char *name, size_t length)
{
    LiveLaunches *self = context;
    char text[OPPROF_LIVE_MOST_NAME + 1];
    OpprofError *error = NULL;
    LiveLaunch *launch;
    OpprofLiveVerdict verdict = { OPPROF_LIVE_PASS, 0 };

    memcpy(text, name, length);
    text[length] = '\0';
    if (!self->has_facts) {
        verdict.decision = OPPROF_LIVE_NEVER;
        return verdict;
    }
    verdict.decision =
        OpprofLiveFilterAsk(&self->filter, OpprofLiveClientId(client), asked->device, text);
    if (verdict.decision != OPPROF_LIVE_COLLECT) {
        return verdict;
    }
    if (is_mute(self, OpprofLiveClientId(client)) && find_dumped(self) != NULL) {
        OpprofStageIncomplete(self->stage,
                              "Operator '%s' is not collected: another process without log "
                              "callbacks writes the same dump files",
                              text);
        verdict.decision = OPPROF_LIVE_PASS;
        return verdict;
    }
    launch = add(self, client, asked->device, text, &error);
    if (launch == NULL) {
        OpprofStageIncomplete(self->stage, "Operator '%s' is not collected: %s", text,
                              OpprofErrorLine(error));
        OpprofErrorDestroy(error);
        verdict.decision = OPPROF_LIVE_PASS;
        return verdict;
    }
    launch->is_dumped = is_mute(self, OpprofLiveClientId(client));
    if (launch->is_dumped) {
        launch->is_shared = self->mute_count > 1;
        LiveDumpsEmpty(&self->dumps);
    }
    verdict.operator_id = launch->id;
    return verdict;
}

static void on_kernel(void *context, OpprofLiveClient *client, const OpprofLiveKernel *kernel,
                      const void *data, size_t size)
{
    LiveLaunches *self = context;
    LiveLaunch *launch = find(self, client, kernel->operator_id);

    if (launch != NULL) {
        LiveSpoolKernel(&launch->spool, kernel->start_pc, data, size);
    }
}

static void on_logs(void *context, OpprofLiveClient *client, const OpprofLiveLogs *logs,
                    const uint8_t *records, size_t size)
{
    LiveLaunches *self = context;
    LiveLaunch *launch = find(self, client, logs->operator_id);

    if (launch != NULL && LiveSpoolTake(&launch->spool, logs, records, size) &&
        launch->counts != NULL) {
        LiveCountsTake(launch->counts, logs, records, size);
    }
}

static void on_finish(void *context, OpprofLiveClient *client, const OpprofLiveFinish *finish)
{
    LiveLaunches *self = context;
    LiveLaunch *launch = find(self, client, finish->operator_id);

    if (launch == NULL) {
        return;
    }
    if (finish->lost > 0) {
        OpprofStageIncomplete(self->stage, "Operator '%s': %" PRIu32 " log %s lost in the program",
                              launch->name, finish->lost,
                              OPPROF_PLURAL(finish->lost, "record was", "records were"));
    }
    if (finish->error != 0) {
        OpprofStageIncomplete(self->stage, "Operator '%s' failed with %" PRId32 " (0x%" PRIx32 ")",
                              launch->name, finish->error, (uint32_t) finish->error);
    }
    end(self, launch);
    self->wants_end =
        self->wants_end || OpprofLiveFilterIsFull(&self->filter, launch->client, launch->device);
}

static void on_note(void *context, OpprofLiveClient *client, const OpprofLiveNote *note,
                    const char *text)
{
    const LiveLaunches *self = context;

    if (note->severity == OPPROF_LIVE_WARNING) {
        OpprofStageWarn(self->stage, "Process %" PRIu32 ": %s", OpprofLiveClientPid(client), text);
    } else {
        OpprofStageIncomplete(self->stage, "Process %" PRIu32 ": %s", OpprofLiveClientPid(client),
                              text);
    }
}

static void remove_mute(LiveLaunches *self, uint32_t client)
{
    for (uint32_t i = 0; i < self->mute_count; i++) {
        if (self->mute[i] == client) {
            self->mute[i] = self->mute[--self->mute_count];
            return;
        }
    }
}

static void on_gone(void *context, OpprofLiveClient *client, const char *why)
{
    LiveLaunches *self = context;

    if (why != NULL) {
        OpprofStageIncomplete(self->stage, "The connection to process %" PRIu32 " was dropped: %s",
                              OpprofLiveClientPid(client), why);
    }
    for (uint32_t i = 0; i < self->count; i++) {
        LiveLaunch *launch = self->list[i];

        if (!launch->has_ended && launch->client == OpprofLiveClientId(client)) {
            OpprofStageIncomplete(self->stage, "Process %" PRIu32 " ended within operator '%s'",
                                  OpprofLiveClientPid(client), launch->name);
            end(self, launch);
        }
    }
    remove_mute(self, OpprofLiveClientId(client));
}

OpprofLiveEvents LiveLaunchesEvents(LiveLaunches *self)
{
    return (OpprofLiveEvents){ .context = self,
                               .stage = self->stage,
                               .hello = on_hello,
                               .launch = on_launch,
                               .kernel = on_kernel,
                               .logs = on_logs,
                               .finish = on_finish,
                               .gone = on_gone,
                               .note = on_note };
}

void LiveLaunchesCut(LiveLaunches *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (!self->list[i]->has_ended) {
            OpprofStageIncomplete(self->stage, "The program was stopped within operator '%s'",
                                  self->list[i]->name);
            end(self, self->list[i]);
        }
    }
}

void LiveLaunchesFinish(LiveLaunches *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        LiveLaunchForgetCounts(self->list[i]);
        LiveSpoolFinish(&self->list[i]->spool);
        free(self->list[i]);
    }
    free(self->list);
    OpprofTextMapFinish(&self->groups);
    free(self->mute);
    LiveDumpsClose(&self->dumps);
    OpprofLiveFilterFinish(&self->filter);
    if (self->has_facts) {
        SimFactsFinish(&self->facts);
    }
    self->list = NULL;
    self->count = 0;
    self->has_facts = false;
}
