/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_LOG_H
#define COLLECT_SIM_READ_LOG_H

/*
 * A log of one kind of one core: the file and its rotated pieces, read as one, oldest first. The
 * simulator gives older pieces higher numbers, so that is k, …, 1, and then the file without a
 * number.
 */

#include "collect-sim/lines/form.h"
#include "source.h"

typedef struct SimFiles {
    SimPiece *pieces; /* oldest first */
    uint32_t count;
    uint32_t room;
    uint64_t bytes;
    char *lost; /* path of a piece that must have existed but does not; NULL: none is lost */
} SimFiles;

/*
 * Find the pieces of `<directory>/<prefix><file>`, rotated ones with their number before the last
 * dot. Where a number is missing, what is older counts and what is newer does not: records are
 * matched by their place in the log, which the gap moves.
 *
 * @param max_size  Larger files are an OPPROF_E_LIMIT, whose message names the parameter
 * max_file_size.
 * @param[out] ret_files  Empty if there is no such file.
 */
OpprofStatus SimFilesFind(const char *directory, const char *prefix, const char *file,
                          uint64_t max_size, SimFiles *ret_files, OpprofError **error);

/* Where the pieces of a log are looked for. Borrowed. */
typedef struct SimPlace {
    const char *directory;
    const char *prefix;
    const char *file;
    bool after; /* numbers of rotated pieces are after the name: mte_log.dump.1 */
    uint64_t max_size;
} SimPlace;

/* The same. */
OpprofStatus SimFilesFindNumbered(const SimPlace *place, SimFiles *ret_files, OpprofError **error);
/* Make the log of Cannsim's file; the steps move. */
OpprofStatus SimFilesOfCannsim(const char *path, CannsimSteps *steps, SimFiles *ret_files,
                               OpprofError **error);
/* OPPROF_E_LIMIT: a file is larger than max_file_size. */
OpprofStatus SimFilesCheckSize(const char *path, uint64_t size, uint64_t max_size,
                               OpprofError **error);
void SimFilesFinish(SimFiles *files);

/* Callbacks for problems while reading. */
typedef struct SimLogEvents {
    void *context;
    void (*lack)(void *context, const char *message); /* the result will lack something */
    void (*bytes)(void *context, uint64_t bytes);     /* so many more are read or skipped */
} SimLogEvents;

/*
 * How much of a last line without its end counts, in bytes; 0: nothing. Such a line is what a copy
 * that was cut short leaves.
 */
typedef size_t SimLogTrim(const char *line, size_t length);

/* The line unchanged: its form shows whether it is whole. */
size_t SimLogTrimNothing(const char *line, size_t length);

#define SIM_LOG_HEAD_BYTES 120u

/*
 * The first two lines of a piece that contain a tick and differ: if they come again, the piece
 * contains its lines twice.
 */
typedef struct SimLogHead {
    char text[2][SIM_LOG_HEAD_BYTES]; /* as much of them as fits */
    size_t length[2];                 /* of the lines */
    uint32_t count;                   /* number of known lines */
    bool is_begun;                    /* the last line was the first of them */
    bool is_reported;
} SimLogHead;

typedef struct SimLog {
    SimFiles *files;
    SimLogEvents events;
    SimLogTrim *trim;
    SimSource source;
    OpprofError *reason;   /* why the source failed, until events know */
    uint32_t piece;        /* current one, or next */
    uint64_t reported;     /* bytes of the piece that were reported to events */
    uint64_t limit;        /* bytes of the piece that count */
    bool is_all;           /* these are all it has */
    uint32_t lines;        /* since bytes were reported to events */
    bool is_first;         /* the piece is read for the first time */
    bool is_lost_reported; /* events know of files->lost */
    bool is_free;          /* any line counts as one of the log */
    const SimForms *forms; /* of its lines; NULL: they begin with a tick */
    SimLogHead head;
    uint64_t holes; /* lines of the piece with NUL bytes: a disk lost their contents */
    uint64_t first_hole;
    uint64_t broken;       /* lines of the piece that were printed as records but cannot be read */
    uint64_t first_broken; /* its number, from 1 */
    const char *what;      /* what messages call one of its lines */
} SimLog;

/*
 * Begin to read. Files are borrowed; events are copied.
 *
 * @param trim  What of a last line without its end counts; NULL: nothing does.
 */
void SimLogInit(SimLog *log, SimFiles *files, const SimLogEvents *events, SimLogTrim *trim);
/*
 * Its lines are instructions of these forms, which are borrowed; NULL: as before. A last line
 * without its end does not count then.
 */
void SimLogUseForms(SimLog *log, const SimForms *forms);

/*
 * The next line, as SimLineReaderNext. Unreadable, cut or repeated parts are reported to events
 * in the first reading, so this fails only without memory. A second reading sees no more than the
 * first one did.
 */
OpprofStatus SimLogNext(void *log, const char **ret_line, size_t *ret_length, OpprofError **error);
/* The line given last was printed as a record, but cannot be read: to be reported at the end of its
 * piece. */
void SimLogNoteBroken(SimLog *log);
void SimLogFinish(SimLog *log);

#endif
