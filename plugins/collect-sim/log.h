/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LOG_H
#define COLLECT_SIM_LOG_H

/*
 * A log of one kind of one core: the file and its rotated pieces, read as one, oldest first. The
 * simulator gives older pieces higher numbers, so that is k, …, 1, and then the file without a
 * number.
 */

#include <opprof/error.h>
#include <opprof/kit/lines.h>

typedef struct SimPiece {
    char *path;
    uint64_t size; /* when it was found */
    uint64_t read; /* bytes that the first reading could see; UINT64_MAX: not read yet */
} SimPiece;

typedef struct SimFiles {
    SimPiece *pieces; /* oldest first */
    uint32_t count;
    uint64_t bytes;
} SimFiles;

/*
 * Find the pieces of `<directory>/<prefix><file>`, rotated ones with their number before the last
 * dot.
 *
 * @param max_size  Larger files are an OPPROF_E_LIMIT, whose message names the parameter
 * max_file_size.
 * @param[out] ret_files  Empty if there is no such file.
 */
OpprofStatus SimFilesFind(const char *directory, const char *prefix, const char *file,
                          uint64_t max_size, SimFiles *ret_files, OpprofError **error);
/* The same; with `behind` the numbers of rotated pieces are behind the name: mte_log.dump.1 */
OpprofStatus SimFilesFindNumbered(const char *directory, const char *prefix, const char *file,
                                  bool behind, uint64_t max_size, SimFiles *ret_files,
                                  OpprofError **error);
void SimFilesFinish(SimFiles *files);

/* Who is told what goes wrong on the way. */
typedef struct SimLogEvents {
    void *context;
    void (*lack)(void *context, const char *message); /* the result will lack something */
    void (*bytes)(void *context, uint64_t bytes);     /* so many more are read or skipped */
} SimLogEvents;

typedef struct SimLog {
    SimFiles *files;
    SimLogEvents events;
    OpprofLineReader *reader;
    uint32_t piece; /* being read, or next */
    uint64_t told;  /* bytes of the piece that events know of */
    uint64_t limit; /* bytes of the piece that count */
    uint32_t lines; /* since events heard of bytes */
} SimLog;

/* Begin to read. Files are borrowed; events are copied. */
void SimLogInit(SimLog *log, SimFiles *files, const SimLogEvents *events);

/*
 * The next line, as OpprofLineReaderNext. What cannot be read is told to events and skipped, so this
 * fails only without memory. A second reading sees no more than the first one did.
 */
OpprofStatus SimLogNext(void *log, const char **ret_line, size_t *ret_length, OpprofError **error);
void SimLogFinish(SimLog *log);

#endif
