/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_MINDSPORE_FILES_H
#define COLLECT_MINDSPORE_FILES_H

/* The files of MindSpore's profiler below an input, in the order in which they are read. */

#include <opprof/kit/form.h>
#include <opprof/stage.h>

/* Files of one kind. Those of a device are read in the order of the table. */
typedef struct FileKind {
    const char *form; /* of their names */
    const char *kind;
    uint32_t generation; /* 'A', 'B'; 0: it has none */
    /* What they say, and of the files of a device that say it, which win: the lowest. NULL: only
     * they do. */
    const char *content;
    uint32_t place;
} FileKind;

#define FILE_KINDS 36u

/* Knows files by their names. */
typedef struct FileNames {
    OpprofForm *forms[FILE_KINDS];
} FileNames;

typedef struct File {
    char *path;
    const FileKind *kind;
    uint64_t device;
    uint64_t slice;
    uint64_t size;
    bool is_first; /* of its log */
    bool is_last;
    bool has_gap;   /* the slice before it is missing */
    bool is_out;    /* another one is read instead */
    uint32_t place; /* among the slices of its log, from 1 */
} File;

typedef struct Files {
    File *list;
    size_t count;
    size_t room;
    uint64_t bytes;
} Files;

/* False without memory. To be finished in any case. */
bool FileNamesInit(FileNames *names, OpprofError **error);
/* Whether a path below an input is that of a file of one of the kinds, where it is looked for. */
bool FileNamesKnow(const FileNames *names, const char *path);
void FileNamesFinish(FileNames *names);

/* Find the files of some devices (NULL: of all), and report what is missing among them. */
OpprofStatus FilesFind(OpprofStage *stage, const char *input, const OpprofParams *params,
                       Files *ret_files, OpprofError **error);
void FilesFinish(Files *files);

#endif
