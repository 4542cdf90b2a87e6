/* SPDX-License-Identifier: Apache-2.0 */
/* Prints recorded logs as dump files. Tested by tests/plugins/collect-sim/test_records.c and
 * tests/refchip/test_live.sh. */
#include "printer.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEP_LINES 65536u
#define BUFFER_BYTES ((size_t) 256 << 10)

void LivePrinterStart(LivePrinter *printer, int folder, const char *directory)
{
    *printer = (LivePrinter){ .directory = directory, .fd = -1 };
    printer->files = folder < 0 ? NULL : fdopendir(folder);
    printer->is_done = printer->files == NULL;
    if (printer->files == NULL && folder >= 0) {
        close(folder);
    }
}

/* The file's name in the directory. */
static const char *name_of(const LivePrinter *printer)
{
    return printer->path + strlen(printer->directory) + 1;
}

/* Only the first reason counts. */
static void fail(LivePrinter *printer, const char *what)
{
    if (printer->reason[0] == '\0') {
        snprintf(printer->reason, sizeof printer->reason, "Cannot write dump file '%.160s': %s",
                 printer->path == NULL ? printer->directory : printer->path, what);
    }
    printer->is_done = true;
}

static void flush(LivePrinter *printer)
{
    const char *at = printer->buffer;

    while (printer->used > 0 && !printer->is_done) {
        const ssize_t written = write(printer->fd, at, printer->used);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            fail(printer, strerror(written < 0 ? errno : ENOSPC));
            break;
        }
        at += written;
        printer->used -= (size_t) written;
    }
    printer->used = 0;
}

/* ---- a file ---- */

static void close_file(LivePrinter *printer)
{
    SimSourceClose(&printer->source);
    if (printer->fd >= 0 && close(printer->fd) != 0) {
        fail(printer, strerror(errno));
    }
    printer->fd = -1;
    free(printer->path);
    printer->path = NULL;
}

static void open_file(LivePrinter *printer, const char *name, size_t length)
{
    if (printer->buffer == NULL) {
        printer->buffer = malloc(BUFFER_BYTES);
    }
    if (asprintf(&printer->path, "%s/%.*s", printer->directory, (int) length, name) < 0) {
        printer->path = NULL;
    }
    if (printer->buffer == NULL || printer->path == NULL) {
        fail(printer, "out of memory");
        return;
    }
    const SimPiece piece = { .path = printer->path, .is_recorded = true };
    const OpprofStatus status = SimSourceOpen(&piece, &printer->source, NULL);

    if (status == OPPROF_E_MEMORY) {
        fail(printer, "out of memory");
        return;
    }
    if (status != OPPROF_OK) {
        close_file(printer); /* reading it has reported why */
        return;
    }
    printer->fd = openat(dirfd(printer->files), name_of(printer),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
    if (printer->fd < 0) {
        fail(printer, strerror(errno));
    }
}

/* Opens the next recorded file. */
static void open_next(LivePrinter *printer)
{
    const size_t suffix = strlen(SIM_RECORDS_SUFFIX);
    const struct dirent *entry;

    while (!printer->is_done && !SimSourceIsOpen(&printer->source)) {
        entry = readdir(printer->files);
        if (entry == NULL) {
            printer->is_done = true;
            return;
        }
        const size_t length = strlen(entry->d_name);

        if (length > suffix && strcmp(entry->d_name + length - suffix, SIM_RECORDS_SUFFIX) == 0) {
            open_file(printer, entry->d_name, length - suffix);
        }
    }
}

static void remove_records(const LivePrinter *printer)
{
    char *records = NULL;

    if (asprintf(&records, "%s" SIM_RECORDS_SUFFIX, name_of(printer)) >= 0) {
        unlinkat(dirfd(printer->files), records, 0);
        free(records);
    }
}

/* False: the file has no more. */
static bool print_line(LivePrinter *printer)
{
    const char *line;
    size_t length;

    const OpprofStatus status = SimSourceNext(&printer->source, &line, &length, NULL);

    if (status == OPPROF_E_MEMORY) {
        fail(printer, "out of memory");
    }
    if (status != OPPROF_OK) { /* reading it has reported damage */
        return false;
    }
    if (length >= BUFFER_BYTES - printer->used) {
        flush(printer);
    }
    memcpy(printer->buffer + printer->used, line, length);
    printer->used += length;
    printer->buffer[printer->used++] = '\n';
    return !printer->is_done;
}

bool LivePrinterStep(LivePrinter *printer)
{
    open_next(printer);
    for (unsigned i = 0; i < STEP_LINES && !printer->is_done; i++) {
        if (!print_line(printer)) {
            flush(printer);
            if (!printer->is_done) {
                remove_records(printer);
            }
            close_file(printer);
            break;
        }
    }
    return !printer->is_done;
}

void LivePrinterFinish(LivePrinter *printer)
{
    if (printer->path != NULL) {
        close_file(printer);
    }
    if (printer->files != NULL) {
        closedir(printer->files);
    }
    free(printer->buffer);
    *printer = (LivePrinter){ .fd = -1, .is_done = true };
}
