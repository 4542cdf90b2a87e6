/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_MARKED_FILES_H
#define FUZZ_MARKED_FILES_H

/*
 * A directory of files that an input consists of, for targets that look for files. A line that
 * begins with '>' names a file; what follows, up to the next one, is in it. An '@' before the end
 * of the name leaves the file's last newline out; a name that ends with '/' is a folder. Nothing is
 * written outside of the directory.
 */

#include <opprof/plugin.h>
#include <stddef.h>

#define MARKED_FILES_MAX 32u

typedef struct MarkedFiles {
    char directory[64];
    unsigned count; /* of files and folders that are named */
} MarkedFiles;

/* Text before the first line with '>' is not a file. */
void MarkedFilesWrite(MarkedFiles *files, const char *text, size_t size);
/* Ask each of the kinds, which end with a NULL name, whether the directory is of it. */
void MarkedFilesRecognise(const MarkedFiles *files, const OpprofInputKind *kinds);
void MarkedFilesRemove(MarkedFiles *files);

#endif
