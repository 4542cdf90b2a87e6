/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include <opprof/output.h>
#include <stdbool.h>

/* A finished file. */
typedef struct OutputRecord {
    char *path; /* below the directory */
    uint64_t bytes;
    const char *owner; /* of the view it was made through; NULL: of the directory itself */
    size_t order;      /* in which it was finished */
} OutputRecord;

/* A finished file as an object of JSON, for signal handlers: lines are added at the front and stay
 * until the end. */
typedef struct OutputLine {
    const struct OutputLine *next;
    char json[];
} OutputLine;

/*
 * Make the directory of a run: `parent` itself when flat, else parent/OPPROF_<YYYYmmddHHMMSS>_<16
 * random upper-case letters>. Missing directories are made with mode 0750. Refuses symbolic links
 * at the last component, a non-directory, one that is not writable; warns (log) about a group- or
 * world-writable parent. Temporary files of runs that died are removed: from `parent`'s runs
 * without an end, when flat from `parent` if its last run had no end, and from each directory that
 * a file is made in; and from where temporary files go.
 */
OpprofStatus OutputDirectoryCreate(const char *parent, bool flat,
                                   OpprofOutputDirectory **ret_directory, OpprofError **error);
/* Files still open are discarded. Does not remove anything that was finished. */
void OutputDirectoryDestroy(OpprofOutputDirectory *directory);

/*
 * A view of the directory that has its writer's name, for OutputDirectoryFiles. `owner` is borrowed
 * until the directory is destroyed, which frees the view too. NULL without memory. [any thread]
 */
OpprofOutputDirectory *OutputDirectoryView(OpprofOutputDirectory *directory, const char *owner);

/*
 * The files that were finished, by path, and that are still there as far as the run knows. Borrowed
 * until the next file is begun.
 */
void OutputDirectoryFiles(OpprofOutputDirectory *directory, const OutputRecord **ret_files,
                          size_t *ret_count);

/* The files finished so far, the latest first. [any thread, async-signal-safe] */
const OutputLine *OutputDirectoryLines(const OpprofOutputDirectory *directory);
/* Its open descriptor. Borrowed. [any thread, async-signal-safe] */
int OutputDirectoryDescriptor(const OpprofOutputDirectory *directory);

/* Bytes that were written through a view so far: a sign of life of a long flush. [any thread] */
uint64_t OutputDirectoryBytes(const OpprofOutputDirectory *view);

/* From here on files of views take nothing more, and do not get their names (OPPROF_CLOSED).
 * [any thread] */
void OutputDirectoryAbandon(OpprofOutputDirectory *directory);

/*
 * Inputs of the run: no file of a stage takes their place. Where the directory is itself read, only
 * files that this run or an earlier one wrote are replaced. False without memory.
 */
bool OutputDirectoryAddInput(OpprofOutputDirectory *directory, const char *path);

/* Whether a file anywhere may be written, since the run does not read it: OPPROF_OK,
 * OPPROF_E_ARGUMENT. [any thread] */
OpprofStatus OutputDirectoryCheckOther(const OpprofOutputDirectory *view, const char *path,
                                       OpprofError **error);

/* Write a file of the run itself, with a line end after the text. */
OpprofStatus OutputDirectoryWrite(OpprofOutputDirectory *directory, const char *name,
                                  const char *text, OpprofError **error);
/* Remove a file of the directory itself that an earlier run finished; it need not exist. */
void OutputDirectoryRemoveFile(OpprofOutputDirectory *directory, const char *name);

/* Whether the path still leads to the directory: OPPROF_OK, OPPROF_E_IO. */
OpprofStatus OutputDirectoryCheckPlace(const OpprofOutputDirectory *directory, OpprofError **error);

/* Remove what OutputDirectoryCreate made of its path, which is then cut, as far as it is empty. */
void OutputDirectoryRemoveEmpty(OpprofOutputDirectory *directory);

#endif
