/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes log records to files as they arrive.
 * Tested by tests/plugins/collect-sim/test_records.c and tests/refchip/test_live.sh.
 */
#include "spool.h"
#include "collect-sim/read/records.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <opprof/kit/live_host.h>
#include <opprof/kit/live_records.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const sub_cores[LIVE_SUB_CORES] = { "cubecore0", "veccore0", "veccore1" };

void LiveCorePrefix(const SimFacts *facts, uint32_t core, uint32_t sub_core, char *text,
                    size_t room)
{
    if (facts->has_sub_cores) {
        snprintf(text, room, "core%" PRIu32 ".%s.", core, sub_cores[sub_core]);
    } else {
        snprintf(text, room, "core%" PRIu32 ".", core);
    }
}

uint32_t LiveSubCore(const SimFacts *facts, uint32_t sub_core)
{
    return facts->has_sub_cores ? sub_core : 0;
}

/* ---- files ---- */

static void fail(LiveSpool *spool, const char *name, int number)
{
    if (!spool->failed) {
        spool->failed = true;
        snprintf(spool->reason, sizeof spool->reason, "Cannot write '%.160s%s%s': %s",
                 spool->directory, name == NULL ? "" : "/", name == NULL ? "" : name,
                 strerror(number));
    }
}

static void close_file(LiveSpool *spool, SpoolFile *file)
{
    if (*file != 0 && close(*file - 1) != 0) {
        fail(spool, NULL, errno);
    }
    *file = 0;
}

static SpoolFile create(LiveSpool *spool, const char *name)
{
    const bool is_open = spool->folder != 0;
    int fd;

    if (!is_open) { /* where the kernel is loaded may be known only once all else is written */
        spool->folder = OpprofLiveFolderOpen(spool->results, spool->relative, false) + 1;
    }
    fd =
        openat(spool->folder - 1, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
    if (fd < 0) {
        fail(spool, name, errno);
    }
    if (!is_open) {
        close_file(spool, &spool->folder);
    }
    return fd + 1;
}

static void write_all(LiveSpool *spool, SpoolFile file, const void *data, size_t size)
{
    const char *at = data;

    while (size > 0 && !spool->failed) {
        const ssize_t written = write(file - 1, at, size);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            fail(spool, NULL, written < 0 ? errno : ENOSPC);
            return;
        }
        at += written;
        size -= (size_t) written;
    }
}

/* ---- logs ---- */

static const char *form_of(const SimForms *forms)
{
    return forms->count == 0 ? "" : OpprofFormText(forms->forms[0]);
}

static SimRecordForms forms_of(const SimFacts *facts)
{
    return (SimRecordForms){ .miss = form_of(&facts->misses),
                             .fetch = form_of(&facts->fetches),
                             .issue = form_of(&facts->issues) };
}

/* Name of a log's file after the core's name; NULL: the chip has no such log. */
static const char *name_of(const SimFacts *facts, uint8_t log)
{
    const char *const names[OPPROF_LIVE_LOGS_OF_CORE] = {
        [OPPROF_LIVE_LOG_START] = "instr_popped_log.dump",
        [OPPROF_LIVE_LOG_END] = "instr_log.dump",
        [OPPROF_LIVE_LOG_TRANSFER] = facts->mte_file,
        [OPPROF_LIVE_LOG_FETCH] = facts->icache_file,
        [OPPROF_LIVE_LOG_ISSUE] = facts->ccu_file
    };

    return names[log];
}

static SpoolFile create_log(LiveSpool *spool, const OpprofLiveLogs *logs)
{
    const SimRecordForms forms = forms_of(spool->facts);
    char prefix[64], name[200], head[SIM_RECORDS_HEAD];
    const size_t size = SimRecordsHead(&forms, head);
    SpoolFile file;

    if (logs->log == OPPROF_LIVE_LOG_TRANSFER) {
        snprintf(prefix, sizeof prefix, "core%" PRIu32 ".", logs->core);
    } else {
        LiveCorePrefix(spool->facts, logs->core, logs->sub_core, prefix, sizeof prefix);
    }
    snprintf(name, sizeof name, "%s%s" SIM_RECORDS_SUFFIX, prefix,
             name_of(spool->facts, logs->log));
    file = create(spool, name);
    if (file != 0) {
        write_all(spool, file, head, size);
    }
    return file;
}

/* 0: it has none. */
static SpoolFile file_of(LiveSpool *spool, const OpprofLiveLogs *logs)
{
    SpoolFile *file;

    if (logs->core >= LIVE_CORES || spool->files == NULL ||
        name_of(spool->facts, logs->log) == NULL) {
        return 0;
    }
    file = &spool->files[logs->core][logs->log == OPPROF_LIVE_LOG_TRANSFER
                                         ? 0
                                         : LiveSubCore(spool->facts, logs->sub_core)][logs->log];
    if (*file == 0 && !spool->failed) {
        *file = create_log(spool, logs);
    }
    return *file;
}

static bool is_printed(const SimFacts *facts, uint8_t kind)
{
    switch (kind) {
    case OPPROF_LIVE_MISS:
        return facts->misses.count > 0;
    case OPPROF_LIVE_FETCH:
        return facts->fetches.count > 0;
    case OPPROF_LIVE_ISSUE:
        return facts->issues.count > 0;
    default:
        return true;
    }
}

/* Number of records that the chip has no line for. */
static uint32_t count_unprinted(const SimFacts *facts, const OpprofLiveLogs *logs,
                                const uint8_t *records, size_t size)
{
    uint32_t count = 0;
    size_t bytes;

    if (logs->log != OPPROF_LIVE_LOG_FETCH && logs->log != OPPROF_LIVE_LOG_ISSUE) {
        return 0;
    }
    for (size_t at = 0; at < size; at += bytes) {
        OpprofLiveRecord record;

        bytes = OpprofLiveRecordBytes(logs->log, records + at, size - at);
        if (bytes == 0) {
            break;
        }
        memcpy(&record, records + at, sizeof record);
        count += !is_printed(facts, record.kind);
    }
    return count;
}

bool LiveSpoolTake(LiveSpool *spool, const OpprofLiveLogs *logs, const uint8_t *records,
                   size_t size)
{
    const SpoolFile file = file_of(spool, logs);
    uint32_t unprinted;

    if (file == 0) {
        spool->left_out += logs->count;
        return false;
    }
    write_all(spool, file, logs, sizeof *logs);
    write_all(spool, file, records, size);
    unprinted = count_unprinted(spool->facts, logs, records, size);
    spool->left_out += unprinted;
    spool->records += logs->count - unprinted;
    return true;
}

/* ---- the kernel ---- */

/* The load address, and below it the name, which later runs of the dump begin with. */
static void write_start(LiveSpool *spool, uint64_t start_pc)
{
    SpoolFile file = create(spool, "pc_start_addr.txt");
    char text[32];

    if (file != 0) {
        write_all(spool, file, text,
                  (size_t) snprintf(text, sizeof text, "0x%" PRIx64 "\n", start_pc));
    }
    if (file != 0 && spool->name != NULL) {
        write_all(spool, file, spool->name, strlen(spool->name));
        write_all(spool, file, "\n", 1);
    }
    close_file(spool, &file);
}

void LiveSpoolKernel(LiveSpool *spool, uint64_t start_pc, const void *data, size_t size)
{
    if (spool->kernel == 0 && !spool->failed) {
        spool->kernel = create(spool, "aicore_binary.o");
        spool->lacks_start = start_pc == 0;
        if (start_pc != 0) {
            write_start(spool, start_pc);
        }
    }
    if (spool->kernel != 0) {
        write_all(spool, spool->kernel, data, size);
    }
}

void LiveSpoolStart(LiveSpool *spool, uint64_t start_pc)
{
    if (spool->lacks_start) {
        write_start(spool, start_pc);
        spool->lacks_start = false;
    }
}

/* ---- the directory ---- */

OpprofStatus LiveSpoolOpen(LiveSpool *spool, const LiveSpoolPlace *place, const SimFacts *facts,
                           OpprofError **error)
{
    memset(spool, 0, sizeof *spool);
    spool->facts = facts;
    spool->results = place->results;
    if (asprintf(&spool->directory, "%s/%s", place->results_path, place->relative) < 0) {
        spool->directory = NULL;
        return OpprofErrorNoMemory(error, "record an operator");
    }
    spool->relative = spool->directory + strlen(place->results_path) + 1;
    spool->folder = OpprofLiveFolderOpen(place->results, place->relative, true) + 1;
    if (spool->folder == 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot make the directory '%s': %m",
                              spool->directory);
    }
    spool->files = calloc(LIVE_CORES, sizeof *spool->files);
    return spool->files == NULL ? OpprofErrorNoMemory(error, "record an operator") : OPPROF_OK;
}

bool LiveSpoolClose(LiveSpool *spool)
{
    for (unsigned core = 0; spool->files != NULL && core < LIVE_CORES; core++) {
        for (unsigned sub = 0; sub < LIVE_SUB_CORES; sub++) {
            for (unsigned log = 0; log < OPPROF_LIVE_LOGS_OF_CORE; log++) {
                close_file(spool, &spool->files[core][sub][log]);
            }
        }
    }
    free(spool->files);
    spool->files = NULL;
    close_file(spool, &spool->kernel);
    close_file(spool, &spool->folder);
    return !spool->failed;
}

void LiveSpoolRemoveLogs(const LiveSpool *spool)
{
    const int folder = OpprofLiveFolderOpen(spool->results, spool->relative, false);
    DIR *directory = folder < 0 ? NULL : fdopendir(folder);
    const struct dirent *entry;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const char *end = strrchr(entry->d_name, '.');

        if (end != NULL && strncmp(entry->d_name, "core", 4) == 0 &&
            (strcmp(end, ".dump") == 0 || strcmp(end, ".log") == 0 ||
             strcmp(end, SIM_RECORDS_SUFFIX) == 0)) {
            unlinkat(folder, entry->d_name, 0);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    } else if (folder >= 0) {
        close(folder);
    }
}

void LiveSpoolFinish(LiveSpool *spool)
{
    LiveSpoolClose(spool);
    free(spool->directory);
    spool->directory = NULL;
}
