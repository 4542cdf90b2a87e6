/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_CHIP_FILE_H
#define KIT_CHIP_FILE_H

#include <jansson.h>
#include <opprof/error.h>

/* One chip file as it lies on disk; docs/chips.md is its format. */
typedef struct ChipFile {
    char *path;
    json_t *root;       /* NULL if it is no JSON document */
    OpprofError *fault; /* what is wrong with it; NULL: nothing */
} ChipFile;

/* All chip files, in the order in which they are looked at. Zero-initialise. */
typedef struct ChipFiles {
    ChipFile *file;
    size_t count;
    size_t capacity;
} ChipFiles;

/*
 * Read the files of OPPROF_CHIP_PATH's directories and of the installed one. A broken file is kept
 * with its fault; a missing directory is no error. Fails without memory only; free `files` in every
 * case.
 */
OpprofStatus ChipFilesLoad(ChipFiles *files, OpprofError **error);
void ChipFilesFree(ChipFiles *files);

/* The directories, colon-separated, for messages; NULL without memory. To be freed. */
char *ChipFilesPlaces(void);

/*
 * Chip files are read once a process for each value of the search path. After this they are read
 * again; chips that are loaded stay good. For tests that change files.
 */
void ChipsForget(void);

#endif
