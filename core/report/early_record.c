/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record of a run that is under way or died. All texts but the reason are made beforehand, so
 * that a signal handler only writes and renames. Tested by tests/core/guard/test_crash.
 */
#include "report/early_record.h"

#include "output/directories.h"
#include "output/leftovers.h"
#include "output/output.h"
#include "run/pipeline.h"
#include "report/report.h"

#include <opprof/json.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORD "run.json"
#define NOTE "INCOMPLETE.txt"

struct EarlyRecord {
    char *head; /* an object without its end: what is known before the run */
    const OpprofOutputDirectory *directory;
    char temporary[64]; /* name of the file until it is whole */
    atomic_bool is_done;
};

EarlyRecord *EarlyRecordCreate(const OpprofPipeline *pipeline)
{
    EarlyRecord *record = calloc(1, sizeof *record);
    char *head = ReportHead(pipeline);
    char *end = head == NULL ? NULL : strrchr(head, '}');
    char letters[LEFTOVER_LETTERS + 1];

    if (record == NULL || end == NULL || !RandomLetters(letters, sizeof letters)) {
        free(record);
        free(head);
        return NULL;
    }
    while (end > head && (end[-1] == '\n' || end[-1] == ' ')) {
        end--;
    }
    *end = '\0';
    record->head = head;
    record->directory = pipeline->run.output;
    LeftoverName(record->temporary, sizeof record->temporary, RECORD, letters);
    return record;
}

void EarlyRecordDestroy(EarlyRecord *record)
{
    if (record != NULL) {
        free(record->head);
        free(record);
    }
}

void EarlyRecordDone(EarlyRecord *record)
{
    if (record != NULL) {
        atomic_store(&record->is_done, true);
    }
}

/* All of it or nothing; async-signal-safe. */
static bool put(int fd, const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        const ssize_t written = write(fd, text, left);

        if (written <= 0) {
            return false;
        }
        text += written;
        left -= (size_t) written;
    }
    return true;
}

static bool put_files(int fd, const OutputLine *line)
{
    bool good = put(fd, "  \"files\": [");

    for (const char *before = "\n    "; good && line != NULL; line = line->next) {
        good = put(fd, before) && put(fd, line->json);
        before = ",\n    ";
    }
    return good && put(fd, "]\n}\n");
}

static bool put_record(int fd, const EarlyRecord *record, const char *outcome, const char *reason)
{
    return put(fd, record->head) && put(fd, ",\n  \"outcome\": \"") && put(fd, outcome) &&
           put(fd, "\",\n  \"complete\": false,\n  \"cut\": true,\n  \"reasons\": [\"") &&
           put(fd, reason) && put(fd, "\"],\n") &&
           put_files(fd, OutputDirectoryLines(record->directory));
}

/* A file that is either whole or missing. */
static void write_record(const EarlyRecord *record, const char *outcome, const char *reason)
{
    const int at = OutputDirectoryDescriptor(record->directory);
    const int fd = openat(at, record->temporary,
                          O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0640);
    bool good;

    if (fd < 0) {
        return;
    }
    good = LeftoverClaim(fd) && put_record(fd, record, outcome, reason) &&
           renameat(at, record->temporary, at, RECORD) == 0;
    close(fd);
    if (!good) {
        unlinkat(at, record->temporary, 0);
    }
}

void EarlyRecordWriteRunning(const EarlyRecord *record)
{
    if (record != NULL) {
        write_record(record, "running", "The run has not ended, or was killed");
    }
}

static void write_note(const EarlyRecord *record, const char *reason)
{
    const int at = OutputDirectoryDescriptor(record->directory);
    int fd;

    unlinkat(at, NOTE,
             0); /* a link there must not be followed, and nothing of an old one must stay */
    fd = openat(at, NOTE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0640);
    if (fd >= 0) {
        (void) (put(fd, "This run did not complete:\n  ") && put(fd, reason) &&
                put(fd, "\nFiles that were finished before are listed in " RECORD
                        "; all may lack data.\n"));
        close(fd);
    }
}

void EarlyRecordWriteCrashed(const EarlyRecord *record, const char *reason)
{
    if (record != NULL && !atomic_load(&record->is_done)) {
        write_record(record, "crashed", reason);
        write_note(record, reason);
    }
}
