/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the messages of programs into launches with raw files.
 * Tested by tests/refchip/test_board.sh.
 */
#include "live_launches.h"

#include "live_area.h"
#include "live_files.h"
#include "names.h"
#include "range.h"

#include <ctype.h>
#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/raw_names.h>
#include <opprof/log.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAUNCH_FLAGS (OPPROF_LIVE_LAUNCH_JOINT | OPPROF_LIVE_LAUNCH_RANGE) /* of its blocks */

/* The launch that a client means, if it is the client's own and has not ended. */
static LiveLaunch *find(const LiveLaunches *self, const OpprofLiveClient *client, uint32_t id)
{
    LiveLaunch *found = id > 0 && id <= self->count ? self->list[id - 1] : NULL;

    return found != NULL && found->is_running && found->client == OpprofLiveClientId(client) ? found
                                                                                             : NULL;
}

static void count_outcome(const LiveLaunches *self, const OpprofLiveOutcome *outcome)
{
    OpprofStageCount(self->stage, "passes", outcome->passes);
    OpprofStageCount(self->stage, "bytes saved", outcome->saved_bytes);
    OpprofStageCount(self->stage, "save us", outcome->save_ns / 1000);
    OpprofStageCount(self->stage, "bytes restored", outcome->restored_bytes);
    OpprofStageCount(self->stage, "restore us", outcome->restore_ns / 1000);
    OpprofStageCount(self->stage, "plain launch us", outcome->plain_ns / 1000);
}

/* ---- ranges ---- */

/* All launches of a range have ended: writes what it consists of, in the
 * form of a range's files. */
static void end_range(const LiveLaunches *self, LiveLaunch *range)
{
    const char *chip = OpprofChipSoc(self->facts);
    char text[4096], name[256];

    OpprofRawFileName(chip, "range_launches", 0, name, sizeof name);
    for (uint32_t i = 0; i < range->operator_count; i++) {
        const uint32_t id = range->operators[i];
        const LiveLaunch *launch = id > 0 && id <= self->count ? self->list[id - 1] : NULL;
        const int length = launch == NULL
                               ? snprintf(text, sizeof text, "-1\n")
                               : snprintf(text, sizeof text, "%s\n", launch->launch.directory);

        LiveFilesWrite(self, range, name, text,
                       length < (int) sizeof text ? (size_t) length : sizeof text - 1);
    }
    LiveFilesWriteClocks(self, range);
    LiveFilesFinish(self, range);
    count_outcome(self, &range->outcome);
    range->is_complete = true;
}

/* A launch of a range has ended, or will never come. */
static void leave_range(const LiveLaunches *self, LiveLaunch *launch)
{
    LiveLaunch *range = launch->range;

    if (launch->is_complete) {
        return;
    }
    launch->is_complete = true;
    launch->outcome.passes = range->outcome.passes;
    if (launch->outcome.passes > 0) {
        LiveFilesWriteInfo(self, launch);
    }
    LiveFilesFinish(self, launch);
    if (--range->unfinished == 0) {
        end_range(self, range);
    }
}

/* Nothing more of it will arrive. */
static void end(LiveLaunches *self, LiveLaunch *launch)
{
    launch->is_running = false;
    LiveFilesEndChunks(self, launch);
    free(launch->kernel);
    launch->kernel = NULL;
    launch->kernel_size = launch->kernel_room = 0;
    if (launch->range != NULL) {
        leave_range(self, launch);
        return;
    }
    launch->has_ended = true;
    if (launch->outcome.passes > 0) {
        LiveFilesWriteInfo(self, launch);
    }
    LiveFilesFinish(self, launch);
    count_outcome(self, &launch->outcome);
}

/* ---- programs ---- */

static void make_plan(LiveLaunches *self)
{
    const char *name = self->chip != NULL ? self->chip : self->soc[0] != '\0' ? self->soc : NULL;
    OpprofError *error = NULL;
    OpprofStatus status = OPPROF_OK;

    if (self->has_plan) {
        return;
    }
    if (name == NULL) {
        OpprofStageIncomplete(
            self->stage, "The program does not say which chip it runs on; set 'chip' to its SoC");
        return;
    }
    if (self->facts == NULL) {
        status = OpprofChipLoad(name, &self->facts, &error);
    }
    if (status == OPPROF_OK) {
        self->wish.round = self->round;
        status = LivePlanMake(self->facts, &self->wish, &self->plan, &error);
    }
    if (status == OPPROF_OK) {
        self->has_plan = true;
        self->rounds = self->wish.replay == OPPROF_LIVE_REPLAY_APPLICATION
                           ? LivePlanRounds(self->facts, &self->wish)
                           : 1;
    } else {
        OpprofStageIncomplete(self->stage, "Nothing can be profiled: %s", OpprofErrorLine(error));
    }
    OpprofErrorDestroy(error);
}

static void on_hello(void *context, OpprofLiveClient *client, const OpprofLiveHello *hello)
{
    LiveLaunches *self = context;

    (void) client;
    self->clients++;
    if (self->soc[0] == '\0') {
        memcpy(self->soc, hello->soc, sizeof self->soc);
    }
    make_plan(self);
}

static OpprofStatus answer_plan(LiveLaunches *self, OpprofLiveClient *client,
                                const OpprofLiveHead *head, const uint8_t *body,
                                const char **ret_why)
{
    const OpprofLivePlan none = { .pass_count = 0 };
    OpprofLiveAskPlan question;

    if (head->length != sizeof(OpprofLiveAskPlan)) {
        *ret_why = "its request for the plan has a wrong length";
        return OPPROF_E_DATA;
    }
    memcpy(&question, body, sizeof question);
    if (!self->is_plan_given && self->has_plan && question.api_version != self->wish.api_version) {
        LivePlanFinish(&self->plan);
        self->has_plan = false;
        self->wish.api_version = question.api_version;
        make_plan(self);
    }
    if (self->has_plan && question.api_version != self->wish.api_version) {
        OpprofStageIncomplete(
            self->stage,
            "Process %" PRIu32 " is not profiled: its driver speaks version %" PRId32
            " of the interface, and that of another process version %" PRId32,
            OpprofLiveClientPid(client), question.api_version, self->wish.api_version);
        OpprofLiveClientAnswer(client, OPPROF_LIVE_PLAN, &none, sizeof none);
    } else if (self->has_plan) {
        self->is_plan_given = true;
        OpprofLiveClientAnswer(client, OPPROF_LIVE_PLAN, self->plan.bytes, self->plan.size);
    } else {
        OpprofLiveClientAnswer(client, OPPROF_LIVE_PLAN, &none, sizeof none);
    }
    return OPPROF_OK;
}

/* ---- launches ---- */

/* Kernel names come from outside: they must not lead to other folders. */
static void safe_name(const char *from, char *to, size_t size)
{
    size_t length = 0;

    for (; from[length] != '\0' && length + 1 < size; length++) {
        const unsigned char c = (unsigned char) from[length];

        to[length] = isalnum(c) || c == '_' || c == '-' ? (char) c : '_';
    }
    to[length] = '\0';
}

static bool make_place(const LiveLaunches *self, LiveLaunch *launch)
{
    const char *results = self->results_path;
    Launch *place = &launch->launch;
    char name[201];
    uint32_t number = 0;
    bool is_good;

    safe_name(launch->name, name, sizeof name);
    for (uint32_t i = 0; i < self->count; i++) { /* kernels of different names may share a folder */
        number += self->list[i]->launch.device != NULL && self->list[i]->device == launch->device &&
                  strcmp(self->list[i]->launch.kernel, name) == 0;
    }
    if (self->is_single && self->count == 0 && !launch->is_joint && !launch->is_of_range) {
        is_good = asprintf(&place->place, "dump") >= 0;
    } else {
        is_good = asprintf(&place->device, "device%" PRIu32, launch->device) >= 0 &&
                  asprintf(&place->kernel, "%s", name) >= 0 &&
                  asprintf(&place->order, "%" PRIu32, number) >= 0 &&
                  asprintf(&place->place, "%s/%s/%s/dump", place->device, place->kernel,
                           place->order) >= 0;
    }
    return is_good && asprintf(&place->directory, "%s/%s", results, place->place) >= 0;
}

static void free_launch(LiveLaunch *launch)
{
    for (uint32_t i = 0; i < launch->file_count; i++) {
        OpprofOutputFileDiscard(launch->files[i].file);
    }
    for (uint32_t i = 0; i < launch->chunk_count; i++) {
        free(launch->chunks[i].data);
    }
    free(launch->chunks);
    free(launch->files);
    free(launch->operators);
    for (size_t i = 0; i < launch->launch.part_count; i++) {
        RawFileFinish(&launch->launch.parts[i]);
    }
    free(launch->launch.parts);
    free(launch->launch.appendix);
    free(launch->kernel);
    free(launch->launch.directory);
    free(launch->launch.place);
    free(launch->launch.device);
    free(launch->launch.kernel);
    free(launch->launch.order);
    free(launch);
}

static LiveLaunch *add(LiveLaunches *self, const OpprofLiveLaunch *said, const char *name)
{
    LiveLaunch *launch = calloc(1, sizeof *launch);

    if (launch == NULL ||
        !OpprofGrow32(&self->list, &self->room, (size_t) self->count + 1, sizeof(LiveLaunch *))) {
        free(launch);
        return NULL;
    }
    launch->id = self->count + 1;
    launch->device = said->device;
    launch->blocks = said->blocks & ~LAUNCH_FLAGS;
    launch->is_joint = (said->blocks & OPPROF_LIVE_LAUNCH_JOINT) != 0;
    launch->is_of_range = (said->blocks & OPPROF_LIVE_LAUNCH_RANGE) != 0;
    memcpy(launch->name, name, strlen(name) + 1);
    if (!make_place(self, launch)) {
        free_launch(launch);
        return NULL;
    }
    self->list[self->count++] = launch;
    OpprofStageCount(self->stage, "launches", 1);
    return launch;
}

/* In later rounds the n-th launch on a device corresponds to the n-th of the first; NULL: there is
 * none. */
static LiveLaunch *next_on(const LiveLaunches *self, uint32_t device, uint32_t *ret_number)
{
    *ret_number = 1;
    for (uint32_t i = 0; i < self->count; i++) {
        LiveLaunch *launch = self->list[i];

        if (launch->device == device && launch->round < self->round) {
            return launch;
        }
        *ret_number += launch->device == device;
    }
    return NULL;
}

/* The launched kernel, for a sentence. */
static const char *print_launch(char *text, size_t size, const char *name, uint32_t blocks)
{
    snprintf(text, size, "'%s' with %" PRIu32 " %s", name, blocks,
             OPPROF_PLURAL(blocks, "block", "blocks"));
    return text;
}

static LiveLaunch *find_again(LiveLaunches *self, const OpprofLiveLaunch *said, const char *name)
{
    uint32_t number;
    LiveLaunch *launch = next_on(self, said->device, &number);
    const uint32_t blocks = said->blocks & ~LAUNCH_FLAGS;
    char here[OPPROF_LIVE_MOST_NAME + 64], there[OPPROF_LIVE_MOST_NAME + 64] = "nothing";

    if (launch != NULL) {
        launch->round = self->round;
        if (strcmp(launch->name, name) == 0 && launch->blocks == blocks) {
            return launch;
        }
        print_launch(there, sizeof there, launch->name, launch->blocks);
    }
    OpprofStageIncomplete(self->stage,
                          "Run %" PRIu32 " of the program launches %s as number %" PRIu32
                          " of device %" PRIu32 ", the first run %s; it is left out",
                          self->round + 1, print_launch(here, sizeof here, name, blocks), number,
                          said->device, there);
    return NULL;
}

static OpprofLiveVerdict on_launch(void *context, OpprofLiveClient *client,
                                   const OpprofLiveLaunch *said, const char *name, size_t length)
{
    LiveLaunches *self = context;
    char text[OPPROF_LIVE_MOST_NAME + 1];
    OpprofLiveVerdict verdict = { OPPROF_LIVE_NEVER, 0 };
    LiveLaunch *launch;

    if (!self->has_plan) {
        return verdict;
    }
    memcpy(text, name, length);
    text[length] = '\0';
    verdict.decision =
        OpprofLiveFilterAsk(&self->filter, OpprofLiveClientId(client), said->device, text);
    if (verdict.decision != OPPROF_LIVE_COLLECT) {
        return verdict;
    }
    if ((said->blocks & OPPROF_LIVE_LAUNCH_RANGE) != 0 && !RangeCanShare(self->facts)) {
        OpprofStageIncomplete(self->stage,
                              "'%s' in a graph of several kernels is not profiled: records of this "
                              "chip do not say which kernel they are of",
                              text);
        return (OpprofLiveVerdict){ OPPROF_LIVE_PASS, 0 };
    }
    launch = self->round == 0 ? add(self, said, text) : find_again(self, said, text);
    if (launch == NULL) {
        if (self->round == 0) {
            OpprofStageIncomplete(self->stage, "Cannot profile a launch of '%s': out of memory",
                                  text);
        }
        verdict.decision = OPPROF_LIVE_PASS;
        return verdict;
    }
    launch->client = OpprofLiveClientId(client);
    launch->pid = OpprofLiveClientPid(client);
    launch->is_running = true;
    verdict.operator_id = launch->id;
    return verdict;
}

static void on_kernel(void *context, OpprofLiveClient *client, const OpprofLiveKernel *kernel,
                      const void *data, size_t size)
{
    const LiveLaunches *self = context;
    LiveLaunch *launch = find(self, client, kernel->operator_id);
    const char *chip;
    char text[32], name[256];

    if (launch == NULL) { /* there may be no chip, either */
        return;
    }
    chip = OpprofChipSoc(self->facts);
    if (self->plan.area_count > 0) {
        LiveAreaKeepKernel(self, launch, data, size);
    }
    if (self->round > 0) {
        return;
    }
    if (launch->file_count == 0) {
        const int length = snprintf(text, sizeof text, "0x%" PRIx64 "\n", kernel->start_pc);

        OpprofRawFileName(chip, "code_start", 0, name, sizeof name);
        LiveFilesWrite(self, launch, name, text, (size_t) length);
    }
    OpprofRawFileName(chip, "code", 0, name, sizeof name);
    LiveFilesWrite(self, launch, name, data, size);
}

/* ---- what programs say of them ---- */

static void take_raw(LiveLaunches *self, OpprofLiveClient *client, const uint8_t *body, size_t size)
{
    OpprofLiveRaw raw;
    LiveLaunch *launch;
    const LivePlanFile *file;
    const char *name;
    char monitor[32];

    memcpy(&raw, body, sizeof raw);
    launch = find(self, client, raw.operator_id);
    if (launch == NULL) { /* there may be no chip, either */
        return;
    }
    file = LivePlanFind(&self->plan, raw.pass, raw.channel);
    name = LivePlanMonitorFile(OpprofChipSoc(self->facts), raw.channel, monitor, sizeof monitor)
               ? monitor
           : file != NULL ? file->name
                          : NULL;
    if (file != NULL && file->is_early && launch->is_joint) {
        return;
    }
    if (file != NULL && file->chunk > 0) {
        LiveFilesTakeChunk(self, launch, file, body + sizeof raw, size - sizeof raw);
        OpprofStageCount(self->stage, "raw bytes", size - sizeof raw);
    } else if (name != NULL) {
        LiveFilesWrite(self, launch->range != NULL ? launch->range : launch, name,
                       body + sizeof raw, size - sizeof raw);
        OpprofStageCount(self->stage, "raw bytes", size - sizeof raw);
    }
}

static void on_note(void *context, OpprofLiveClient *client, const OpprofLiveNote *note,
                    const char *text)
{
    const LiveLaunches *self = context;
    const LiveLaunch *launch = find(self, client, note->operator_id);
    const char *name = launch == NULL ? "" : launch->name;
    const char *colon = launch == NULL ? "" : ": ";

    if (note->severity == OPPROF_LIVE_WARNING) {
        OpprofStageWarn(self->stage, "%s%s%s", name, colon, text);
    } else {
        OpprofStageIncomplete(self->stage, "%s%s%s", name, colon, text);
    }
}

static void take_outcome(const LiveLaunches *self, OpprofLiveClient *client, const uint8_t *body)
{
    OpprofLiveOutcome outcome;
    LiveLaunch *launch;

    memcpy(&outcome, body, sizeof outcome);
    launch = find(self, client, outcome.operator_id);
    if (launch == NULL) {
        return;
    }
    launch = launch->range != NULL ? launch->range : launch;
    outcome.passes += launch->outcome.passes; /* of earlier rounds */
    if (outcome.rated_mhz == 0) {
        outcome.rated_mhz = launch->outcome.rated_mhz;
        outcome.current_mhz = launch->outcome.current_mhz;
    }
    launch->outcome = outcome;
}

/* The folder of a range: the n-th of its process. */
static LiveLaunch *make_range(LiveLaunches *self, const LiveLaunch *first, uint32_t count)
{
    const char *results = self->results_path;
    LiveLaunch *range = calloc(1, sizeof *range);
    uint32_t number = 0;
    char folder[128];

    OpprofRawFileName(OpprofChipSoc(self->facts), "ranges", 0, folder, sizeof folder);
    for (uint32_t i = 0; i < self->range_count; i++) {
        number += self->ranges[i]->pid == first->pid && self->ranges[i]->device == first->device;
    }
    if (range == NULL || (range->operators = calloc(count, sizeof *range->operators)) == NULL ||
        !OpprofGrow32(&self->ranges, &self->range_room, (size_t) self->range_count + 1,
                      sizeof(LiveLaunch *)) ||
        asprintf(&range->launch.place, "%s/device%" PRIu32 "/%" PRIu32 "/%" PRIu32, folder,
                 first->device, first->pid, number) < 0 ||
        asprintf(&range->launch.directory, "%s/%s", results, range->launch.place) < 0) {
        if (range != NULL) {
            free_launch(range);
        }
        return NULL;
    }
    range->pid = first->pid;
    range->device = first->device;
    snprintf(range->name, sizeof range->name, "%s", first->name);
    self->ranges[self->range_count++] = range;
    return range;
}

static OpprofStatus take_range(LiveLaunches *self, const OpprofLiveClient *client,
                               const OpprofLiveHead *head, const uint8_t *body)
{
    OpprofLiveRange said;
    const LiveLaunch *first;
    LiveLaunch *range;

    if (head->length < sizeof said) {
        return OPPROF_E_DATA;
    }
    memcpy(&said, body, sizeof said);
    if (head->length - sizeof said != 4 * (uint64_t) said.count || said.count == 0) {
        return OPPROF_E_DATA;
    }
    first = find(self, client, said.operator_id);
    range = first == NULL ? NULL : make_range(self, first, said.count);
    if (range == NULL) {
        return OPPROF_OK;
    }
    memcpy(range->operators, body + sizeof said, 4 * (size_t) said.count);
    range->operator_count = said.count;
    for (uint32_t i = 0; i < said.count; i++) {
        LiveLaunch *launch = find(self, client, range->operators[i]);

        if (launch != NULL && launch->range == NULL) {
            launch->range = range;
            range->unfinished++;
        } else {
            range->operators[i] = 0;
        }
    }
    return OPPROF_OK;
}

/* The launch that a message begins with. NULL: not one of the client's. */
static LiveLaunch *find_asking(const LiveLaunches *self, const OpprofLiveClient *client,
                               const OpprofLiveHead *head, const uint8_t *body)
{
    uint32_t id = 0;

    if (head->length >= sizeof id) {
        memcpy(&id, body, sizeof id);
    }
    return find(self, client, id);
}

static OpprofStatus on_other(void *context, OpprofLiveClient *client, const OpprofLiveHead *head,
                             const uint8_t *body, const char **ret_why)
{
    LiveLaunches *self = context;

    *ret_why = "a message about a profiled launch has a wrong length";
    switch (head->type) {
    case OPPROF_LIVE_ASK_PLAN:
        return answer_plan(self, client, head, body, ret_why);
    case OPPROF_LIVE_RAW:
        if (head->length < sizeof(OpprofLiveRaw)) {
            return OPPROF_E_DATA;
        }
        take_raw(self, client, body, head->length);
        return OPPROF_OK;
    case OPPROF_LIVE_OUTCOME:
        if (head->length != sizeof(OpprofLiveOutcome)) {
            return OPPROF_E_DATA;
        }
        take_outcome(self, client, body);
        return OPPROF_OK;
    case OPPROF_LIVE_ASK_INSTRUMENTED:
        return LiveAreaAnswer(self, find_asking(self, client, head, body), client, head, body,
                              ret_why);
    case OPPROF_LIVE_RANGE:
        return take_range(self, client, head, body);
    case OPPROF_LIVE_LOADED:
        return LiveAreaLoaded(self, find_asking(self, client, head, body), head, body);
    case OPPROF_LIVE_SLOT:
        return LiveAreaTake(self, find_asking(self, client, head, body), head, body, ret_why);
    default:
        *ret_why = "it sends a message of an unknown kind";
        return OPPROF_E_DATA;
    }
}

static void on_finish(void *context, OpprofLiveClient *client, const OpprofLiveFinish *finish)
{
    LiveLaunches *self = context;
    LiveLaunch *launch = find(self, client, finish->operator_id);

    if (launch == NULL) {
        return;
    }
    launch->is_running = false;
    if (self->round + 1 >= self->rounds) {
        end(self, launch);
    }
    self->wants_end =
        self->wants_end || OpprofLiveFilterIsFull(&self->filter, launch->client, launch->device);
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

        if (launch->is_running && launch->client == OpprofLiveClientId(client)) {
            OpprofStageIncomplete(self->stage, "Process %" PRIu32 " ended while '%s' was profiled",
                                  OpprofLiveClientPid(client), launch->name);
            /* The data so far may be whole passes. */
            launch->outcome.passes += launch->file_count > 2;
            end(self, launch);
        }
    }
}

OpprofLiveEvents LiveLaunchesEvents(LiveLaunches *self)
{
    return (OpprofLiveEvents){ .context = self,
                               .stage = self->stage,
                               .hello = on_hello,
                               .launch = on_launch,
                               .kernel = on_kernel,
                               .finish = on_finish,
                               .gone = on_gone,
                               .note = on_note,
                               .other = on_other };
}

/* ---- life ---- */

void LiveLaunchesRound(LiveLaunches *self, uint32_t round)
{
    self->round = round;
    if (round > 0) {
        LivePlanFinish(&self->plan);
        self->has_plan = false;
        self->is_plan_given = false;
        OpprofLiveFilterFinish(&self->filter);
        self->first_run = round == 1 ? self->filter : self->first_run;
        make_plan(self);
    }
}

uint32_t LiveLaunchesProfiled(const LiveLaunches *self)
{
    uint32_t profiled = 0;

    for (uint32_t i = 0; i < self->count; i++) {
        profiled += self->list[i]->outcome.passes > 0;
    }
    return profiled;
}

static void report_cut(const LiveLaunches *self, const LiveLaunch *launch)
{
    const uint32_t run = self->round + 1;

    if (self->round == 0) {
        OpprofStageIncomplete(self->stage, "The program was stopped before '%s' was profiled",
                              launch->name);
    } else if (run < self->rounds) {
        OpprofStageIncomplete(self->stage,
                              "The program was stopped in run %" PRIu32 " of %" PRIu32
                              ", so passes of '%s' are missing",
                              run, self->rounds, launch->name);
    } else if (launch->round < self->round) {
        OpprofStageIncomplete(self->stage,
                              "Run %" PRIu32 " of the program launches '%s' on device %" PRIu32
                              " less often than the first run",
                              run, launch->name, launch->device);
    } /* else the run launched something else in its place, which was said then */
}

void LiveLaunchesCut(LiveLaunches *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        LiveLaunch *launch = self->list[i];

        if (!launch->has_ended && !launch->is_complete) {
            report_cut(self, launch);
            end(self, launch);
        }
    }
}

bool LiveLaunchesRun(const LiveLaunches *self)
{
    bool is_found = false;

    for (uint32_t i = 0; i < self->count && !is_found; i++) {
        is_found = self->list[i]->is_running;
    }
    return is_found;
}

/* Launches of a range in the form that dividing its files needs: by their folder above 'dump'. */
static size_t borrow(const LiveLaunches *self, const LiveLaunch *range, Launch *list)
{
    size_t count = 0;

    for (uint32_t i = 0; i < self->count; i++) {
        const LiveLaunch *launch = self->list[i];

        if (launch->range == range && launch->launch.device != NULL) {
            list[count] = launch->launch;
            if (asprintf(&list[count].place, "%s/%s/%s", launch->launch.device,
                         launch->launch.kernel, launch->launch.order) < 0) {
                list[count].place = NULL;
                break;
            }
            count++;
        }
    }
    return count;
}

static void give_back(const LiveLaunches *self, const LiveLaunch *range, const Launch *list)
{
    size_t at = 0;

    for (uint32_t i = 0; i < self->count; i++) {
        LiveLaunch *launch = self->list[i];

        if (launch->range == range && launch->launch.device != NULL) {
            char *place = launch->launch.place;

            free(list[at].place);
            launch->launch = list[at++];
            launch->launch.place = place;
            launch->has_ended = true;
        }
    }
}

static OpprofStatus share_out(const LiveLaunches *self, const LiveLaunch *range,
                              const Patterns *patterns, OpprofError **error)
{
    const char *results = self->results_path;
    Launches launches = { .list = calloc((size_t) self->count + 1, sizeof *launches.list) };
    OpprofStatus status = OPPROF_OK;

    if (launches.list == NULL) {
        return OpprofErrorNoMemory(error, "divide the files of a range");
    }
    launches.count = borrow(self, range, launches.list);
    if (launches.count > 0) {
        status = RangeShareOut(&(RangeOrder){ .stage = self->stage,
                                              .input = results,
                                              .chip = OpprofChipSoc(self->facts),
                                              .patterns = patterns,
                                              .launches = &launches },
                               range->launch.directory, error);
        give_back(self, range, launches.list);
    }
    free(launches.list);
    return status;
}

OpprofStatus LiveLaunchesShareOut(LiveLaunches *self, const Patterns *patterns, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; i < self->range_count && status == OPPROF_OK; i++) {
        LiveLaunch *range = self->ranges[i];

        if (range->is_complete && !range->has_ended) {
            range->has_ended = true;
            status = share_out(self, range, patterns, error);
        }
    }
    return status;
}

void LiveLaunchesFinish(LiveLaunches *self)
{
    for (uint32_t i = 0; i < self->range_count; i++) {
        free_launch(self->ranges[i]);
    }
    free(self->ranges);
    self->ranges = NULL;
    self->range_count = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        free_launch(self->list[i]);
    }
    free(self->list);
    LiveAreaFinish(self);
    LivePlanFinish(&self->plan);
    OpprofLiveFilterFinish(&self->filter);
    OpprofChipFree(self->facts);
    self->list = NULL;
    self->facts = NULL;
    self->count = 0;
}
