/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_CHIP_FILE_H
#define KIT_CHIP_FILE_H

#include "kit/chip/chip_names.h"

#include <jansson.h>
#include <opprof/error.h>

/* One chip file as it lies on disk; docs/chips.md is its format. */
typedef struct ChipFile {
    char *path;
    ChipNames names;    /* while it is not read */
    json_t *root;       /* NULL if it is not a JSON document, or not read */
    OpprofError *fault; /* what is wrong with it; NULL: nothing */
    bool is_read;
    bool is_warned; /* of its fault */
} ChipFile;

/* All chip files, in the order in which they are looked at. Zero-initialise. */
typedef struct ChipFiles {
    ChipFile *file;
    size_t count;
    size_t capacity;
} ChipFiles;

/*
 * Look at the files of OPPROF_CHIP_PATH's directories and of the installed one. Of a file whose names can be found without
 * parsing it nothing else is read; any other is read in full, and a broken one is kept with its fault. A missing
 * directory is not an error. Fails without memory only; free `files` in every case.
 */
OpprofStatus ChipFilesLoad(ChipFiles *files, OpprofError **error);
void ChipFilesFree(ChipFiles *files);

/*
 * Read the files that have a name (of a SoC, a series or facts) in full, unless they were; all files if it is NULL. Fails
 * without memory only: what could not be read then is read another time.
 */
OpprofStatus ChipFilesRead(ChipFiles *files, const char *name, OpprofError **error);

/* Puts a copy of the fault's outermost message and hint around *error. */
void ChipFileTellFault(const ChipFile *file, OpprofError **error);
/* The same for the first broken files; returns how many there are. */
size_t ChipFilesTellFaults(const ChipFiles *files, OpprofError **error);

/* The directories, colon-separated, for messages; NULL without memory. To be freed. */
char *ChipFilesPlaces(void);

/*
 * Chip files are read once a process for each value of the search path. After this they are read
 * again; chips that are loaded stay good. For tests that change files.
 */
void ChipsForget(void);
/* The same for names of raw files, before ChipsForget. */
void RawNamesForget(void);

/* A file that states names of raw files: of a series, to be loaded, or the section of facts that chips share. */
typedef struct RawSource {
    char *series;    /* to be given to free(); NULL: facts */
    const void *raw; /* an OpprofFact */
} RawSource;

/* All of them, in the order in which files are looked at; how many. To be given to free(). Only these files are read. */
size_t ChipsRawSources(RawSource **ret_sources);

#endif
