/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FACTS_CHIP_FILE_H
#define KIT_FACTS_CHIP_FILE_H

#include <jansson.h>
#include <opprof/error.h>
#include <opprof/kit/chip.h>
#include <stdbool.h>

/* One chip file as it lies on disk; docs/chips/chip-files.md is its format. */
typedef struct ChipFile {
    char *path;
    /* of `length` bytes and in lower case, while it is not read; NULL: it must be read at once */
    char *text;
    size_t length;
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
 * Look at the files of OPPROF_CHIP_PATH's directories, which are the user's own, unless they are
 * installed, and are read in full, so that mistakes in them are reported; and at the installed
 * ones, of which a run reads the two or three that it needs. A missing directory is not an error.
 * Fails without memory only; free `files` in every case.
 */
OpprofStatus ChipFilesLoad(ChipFiles *files, OpprofError **error);
void ChipFilesFree(ChipFiles *files);

/*
 * Read the files in full that were not: all of them; those whose text has a name as a string, in
 * any case (of a SoC, a series or facts; a name with escapes is found by reading all); those of
 * facts among them; those that have a member of that name on any level. They fail without memory
 * only: what could not be read then is read another time.
 */
OpprofStatus ChipFilesRead(ChipFiles *files, OpprofError **error);
OpprofStatus ChipFilesReadNamed(ChipFiles *files, const char *name, OpprofError **error);
OpprofStatus ChipFilesReadFacts(ChipFiles *files, const char *name, OpprofError **error);
OpprofStatus ChipFilesReadSection(ChipFiles *files, const char *section, OpprofError **error);

/*
 * Find the files that may state something at a dotted path, of all their SoCs or of one, themselves
 * or by what they extend or use. Texts are searched; of the installed files, only those that seem
 * to are read. `marks` has an element per file, which becomes true.
 */
OpprofStatus ChipFilesFindStating(ChipFiles *files, const char *path, bool *marks,
                                  OpprofError **error);

/*
 * Whether a broken file may be one of a series, of a SoC in it or of facts: it says so as far as it
 * can be read, or it cannot be read so far. Names that are NULL are not looked for.
 */
bool ChipFileMayBe(const ChipFile *file, const char *series, const char *soc, const char *facts);

/* Puts the fault, with its reasons in one line and its hint, around *error. */
void ChipFileReportFault(const ChipFile *file, OpprofError **error);
/* The same for the first broken files; returns how many there are. */
size_t ChipFilesReportFaults(const ChipFiles *files, OpprofError **error);

/* The directories, colon-separated, for messages; NULL without memory. To be freed. */
char *ChipFilesPlaces(void);

/*
 * Chip files are read once per process for each value of the search path. After this they are read
 * again; chips that are loaded stay good. For tests that change files.
 */
void ChipsForget(void);
/* The same, and for the names of raw files, which come from chips. */
void RawNamesForget(void);

/* A file that states names of raw files: that of a series, to be loaded, or a section of facts that
 * chips share. */
typedef struct RawSource {
    char *series;    /* to be given to free(); NULL: facts */
    const void *raw; /* an OpprofFact */
} RawSource;

/* All of them, in the order in which files are looked at, to be given to free(). Only these files
 * are read. */
OpprofStatus ChipsRawSources(RawSource **ret_sources, size_t *ret_count, OpprofError **error);

#endif
