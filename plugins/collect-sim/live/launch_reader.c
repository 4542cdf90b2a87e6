/* SPDX-License-Identifier: Apache-2.0 */
/* Reads recorded operators while the program runs. Tested by tests/refchip/test_live.sh. */
#include "launch_reader.h"
#include <inttypes.h>
#include <opprof/log.h>
#include <opprof/text.h>
#include <string.h>

static LiveLaunch *next_ended(const LaunchReader *self)
{
    const LiveLaunches *launches = self->launches;
    LiveLaunch *launch = self->next < launches->count ? launches->list[self->next] : NULL;

    return launch != NULL && launch->has_ended ? launch : NULL;
}

bool LaunchReaderHasWork(const LaunchReader *self)
{
    return next_ended(self) != NULL;
}

/* ---- reading ---- */

static uint32_t intern(const LaunchReader *self, const char *text)
{
    return OpprofStageIntern(self->stage, text, strlen(text));
}

static bool name_launch(LaunchReader *self, const LiveLaunch *launch)
{
    char device[32], order[32];

    snprintf(device, sizeof device, "device%" PRIu32, launch->device);
    snprintf(order, sizeof order, "%" PRIu32, launch->order);
    self->ends.kernel = intern(self, launch->name);
    self->ends.device = intern(self, device);
    self->ends.order = intern(self, order);
    return self->ends.kernel != OPPROF_NA_STRING && self->ends.device != OPPROF_NA_STRING &&
           self->ends.order != OPPROF_NA_STRING;
}

static void drop_work(LaunchReader *self)
{
    ReaderReset(&self->reader);
    WorkDestroy(self->reader.reading.work);
    self->reader.reading.work = NULL;
}

/* An operator without readable records is lost, but no other. */
static OpprofStatus leave_out(LaunchReader *self, OpprofStatus status, OpprofError **error)
{
    if (status == OPPROF_E_MEMORY || status == OPPROF_E_ARGUMENT || status == OPPROF_CLOSED) {
        return status;
    }
    OpprofStageIncomplete(self->stage, "Operator '%s' cannot be read: %s", next_ended(self)->name,
                          OpprofErrorLine(*error));
    OpprofErrorDestroy(*error);
    *error = NULL;
    drop_work(self);
    self->phase = LAUNCH_PRINTING;
    return OPPROF_OK;
}

static OpprofStatus begin(LaunchReader *self, LiveLaunch *launch, OpprofError **error)
{
    const ReaderSource source = { .dump = launch->spool.directory,
                                  .knows_end = true,
                                  .chip = OpprofChipSoc(self->launches->facts.chip),
                                  .launch = launch->folder[0] == '\0' ? NULL : launch->folder,
                                  .max_file_size = INT64_MAX,
                                  .core_ids = self->core_ids };
    OpprofStatus status = name_launch(self, launch)
                              ? OPPROF_OK
                              : OpprofErrorNoMemory(error, "read operator '%s'", launch->name);

    if (status == OPPROF_OK) {
        self->reader.reading.stage = self->stage;
        self->reader.reading.ends = &self->ends;
        status = ReaderOpen(&self->reader, self->params, &source, error);
    }
    if (OpprofFailed(status)) {
        return leave_out(self, status, error);
    }
    if (launch->counts != NULL) {
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage),
                  "Counted while it ran: cores=%" PRIu32,
                  LiveCountsGive(launch->counts, self->reader.reading.work));
        LiveLaunchForgetCounts(launch);
    }
    self->phase = LAUNCH_READING;
    return OPPROF_OK;
}

/* Launches of the older interface do not say where the kernel is loaded: then its smallest address
 * that was executed does, before any reader asks. */
static void find_start(LaunchReader *self, LiveLaunch *launch)
{
    const uint64_t lowest = launch->spool.lacks_start && !launch->is_dumped
                                ? WorkLowestPc(self->reader.reading.work)
                                : UINT64_MAX;

    if (lowest != UINT64_MAX) {
        LiveSpoolStart(&launch->spool, lowest);
    }
}

static OpprofStatus read_some(LaunchReader *self, LiveLaunch *launch, OpprofError **error)
{
    OpprofStatus status = ReaderStep(&self->reader, error);

    find_start(self, launch);
    if (OpprofFailed(status) || status == OPPROF_CLOSED) {
        return leave_out(self, status, error);
    }
    if (status == OPPROF_OK) {
        return OPPROF_OK;
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Read operator: name=%s, dump=%s",
              launch->name, launch->spool.directory);
    drop_work(self);
    self->phase = LAUNCH_PRINTING;
    return EmitEndsSend(&self->ends, self->stage, error);
}

/* ---- dump files ---- */

static bool keeps_dumps(const LaunchReader *self)
{
    return OpprofLiveIsOn(self->params, "dump");
}

/* Print a piece of an operator's dump files. False: they are complete. */
static bool print_some(LaunchReader *self, const LiveLaunch *launch)
{
    if (self->printer.directory == NULL) {
        LivePrinterStart(&self->printer,
                         OpprofLiveFolderOpen(launch->spool.results, launch->spool.relative, false),
                         launch->spool.directory);
    }
    if (LivePrinterStep(&self->printer)) {
        return true;
    }
    if (self->printer.reason[0] != '\0') {
        OpprofStageIncomplete(self->stage, "%s", self->printer.reason);
    }
    LivePrinterFinish(&self->printer);
    return false;
}

/*
 * The records are not needed any more, unless the simulator wrote them itself: where the kernel was
 * loaded may have to be looked for there.
 */
static void end_operator(LaunchReader *self, const LiveLaunch *launch)
{
    if (!keeps_dumps(self) && !launch->is_dumped) {
        LiveSpoolRemoveLogs(&launch->spool);
    }
    self->launches->list[self->next++]->is_read = true;
    self->phase = LAUNCH_WAITING;
}

OpprofStatus LaunchReaderStep(LaunchReader *self, OpprofError **error)
{
    LiveLaunch *launch = next_ended(self);

    switch (self->phase) {
    case LAUNCH_WAITING:
        return begin(self, launch, error);
    case LAUNCH_READING:
        return read_some(self, launch, error);
    case LAUNCH_PRINTING:
    default:
        if (!keeps_dumps(self) || !print_some(self, launch)) {
            end_operator(self, launch);
        }
        return OPPROF_OK;
    }
}

/* ---- the end ---- */

/* Print all that was not read; returns how many operators that were. */
static uint32_t print_rest(LaunchReader *self)
{
    uint32_t count = 0;

    for (const LiveLaunch *launch; (launch = next_ended(self)) != NULL; self->next++) {
        while (print_some(self, launch)) {
        }
        LiveLaunchForgetCounts(self->launches->list[self->next]);
        count++;
    }
    return count;
}

OpprofStatus LaunchReaderFlush(LaunchReader *self, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint32_t left;

    while (status == OPPROF_OK && LaunchReaderHasWork(self)) {
        status = LaunchReaderStep(self, error);
    }
    if (status == OPPROF_OK) {
        return OPPROF_OK;
    }
    left = print_rest(self);
    if (left > 0) {
        OpprofStageIncomplete(self->stage,
                              "%" PRIu32 " %s recorded and not read: the dumps are in the "
                              "directory of results",
                              left, OPPROF_PLURAL(left, "operator was", "operators were"));
    }
    return status;
}

void LaunchReaderFinish(LaunchReader *self)
{
    if (self->launches == NULL) {
        return;
    }
    for (uint32_t i = 0; i < self->next && !keeps_dumps(self); i++) {
        if (self->launches->list[i]->is_read) {
            LiveSpoolRemoveLogs(&self->launches->list[i]->spool);
        }
    }
    drop_work(self);
    print_rest(self);
    LivePrinterFinish(&self->printer);
    EmitEndsFinish(&self->ends);
}
