/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_ARCHIVE_H
#define COLLECT_KINETO_TEXT_ARCHIVE_H

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A file in a zip archive, inflated while it is read. Its path is that of the archive, '/', and its
 * name. */
typedef struct Archive Archive;

/* True if the file begins like a zip archive. */
bool ArchiveIs(const char *path);

/* The part of a path that is an archive, to be freed; NULL if none, or without memory. */
char *ArchiveOf(const char *path);

/* Called for each file. False: stop the listing: there is no memory. */
typedef bool ArchiveVisit(void *context, const char *path);

/*
 * Call `visit` for each file of an archive, in the archive's order.
 *
 * Returns OPPROF_OK, OPPROF_E_DATA if the archive's directory cannot be read, OPPROF_E_MEMORY.
 */
OpprofStatus ArchiveList(const char *path, ArchiveVisit *visit, void *context, OpprofError **error);

/*
 * Open a file in an archive.
 *
 * ret_size:  bytes of it, inflated
 * Returns OPPROF_OK, OPPROF_E_NOT_FOUND if no part of the path is an archive, OPPROF_E_DATA,
 * OPPROF_E_MEMORY.
 */
OpprofStatus ArchiveOpen(const char *path, Archive **ret_archive, uint64_t *ret_size,
                         OpprofError **error);

/* Inflated bytes; 0 at the end, -1 if the rest is not available, which ArchiveProblem explains. */
ssize_t ArchiveRead(Archive *archive, void *out, size_t size);

/* Borrowed from the archive. */
const char *ArchiveProblem(Archive *archive);

/* NULL is allowed. */
void ArchiveClose(Archive *archive);

#endif
