/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_DISCOVERY_H
#define COLLECT_ONBOARD_DISCOVERY_H

#include "raw_file.h"

#include <opprof/error.h>

/* One launch of a profiled operator, and the place of its raw files. */
typedef struct Launch {
    char *directory; /* of the raw files */
    /* the same relative to the input, for messages and as the partition; "." for itself */
    char *place;
    char *device; /* parts of the folder of its results; NULL: none */
    char *kernel;
    char *order;
    RawFile *parts; /* its share of the files of a range */
    size_t part_count;
    size_t part_capacity;
    bool is_listed;       /* a range names it */
    bool is_range;        /* its files are its share of a range's files */
    char *appendix;       /* lines to be added to its basic facts; NULL: none */
    uint32_t roles;       /* bits of UnevenRole, of its own files when they were counted */
    uint64_t found_bytes; /* of its own files, when they were counted; 0: they were not */
} Launch;

typedef struct Launches {
    Launch *list;
    size_t count;
    size_t capacity;
    size_t unreadable;      /* directories that could not be listed */
    char *first_unreadable; /* the first of them, with the reason */
} Launches;

typedef struct RawFiles {
    RawFile *list;
    size_t count;
} RawFiles;

/* Patterns of file names, as for fnmatch(); files come in this order. */
typedef struct Patterns {
    const char *const *list;
    size_t count;
} Patterns;

/*
 * Find the launches in a directory: a launch's raw files themselves, a folder with a "dump" folder,
 * or folders of such folders as a run leaves them, <device>/<kernel>/<order>/dump. They come in
 * natural order. Fails if it finds no launch.
 */
OpprofStatus LaunchesFind(const char *input, const Patterns *patterns, Launches *ret_launches,
                          OpprofError **error);
void LaunchesFree(Launches *launches);
/* Free a launch that is not wanted. */
void LaunchFinish(Launch *launch);

/* The files of a directory that match a pattern: by pattern, then in
 * natural order (2 before 10). */
OpprofStatus RawFilesList(const char *directory, const Patterns *patterns, RawFiles *ret_files,
                          OpprofError **error);
/* Those of a launch, including its parts, which are moved out of it. */
OpprofStatus RawFilesFind(Launch *launch, const Patterns *patterns, RawFiles *ret_files,
                          OpprofError **error);
void RawFilesFree(RawFiles *files);

/* Bytes of the files of all launches, to report progress. */
uint64_t LaunchesBytes(Launches *launches, const Patterns *patterns);

/* Order of names in which numbers count as numbers. */
int CompareNatural(const char *a, const char *b);

#endif
