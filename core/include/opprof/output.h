/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_OUTPUT_H
#define OPPROF_OUTPUT_H

/**
 * @file
 * Result files. A file is written beside its place under a temporary name and gets its final name
 * when it is complete, so nothing half-written ever bears a final name. Directories are 0750,
 * files 0640; paths stay inside the output directory; symbolic links in the way are refused.
 */

#include <opprof/error.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The run's output directory. Opaque; shared by all stages. */
typedef struct OutputDirectory OutputDirectory;
/** A file being written, with a buffer of its own. Opaque; one thread at a time. */
typedef struct OutputFile OutputFile;

/** Absolute path of the output directory. Borrowed. [any thread] */
const char *OutputDirectoryPath(const OutputDirectory *directory);

/**
 * Begin a file.
 *
 * @param relative  Path below the directory with '/' between names; no "..", no empty name, no control
 *                  characters, no leading '/'. Missing directories are made.
 * @param[out] ret_file  The file, to be given to OutputFileFinish or OutputFileDiscard.
 * @return OPPROF_OK, OPPROF_E_ARGUMENT (bad path), OPPROF_E_IO, OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OutputFileCreate(OutputDirectory *directory, const char *relative, OutputFile **ret_file,
                              OpprofError **error);

/** Append bytes. After a failure the file can only be discarded. */
OpprofStatus OutputFileWrite(OutputFile *file, const void *data, size_t size, OpprofError **error);

/**
 * Room for up to `size` bytes (at most 1 MiB) right in the buffer; NULL after a failure, which the
 * next OutputFileWrite or OutputFileFinish reports. Follow with OutputFileCommit.
 */
char *OutputFileReserve(OutputFile *file, size_t size);
/** Append the first `size` bytes of what OutputFileReserve gave. */
void OutputFileCommit(OutputFile *file, size_t size);

/** Append a range of another file, copied inside the kernel where it can. */
OpprofStatus OutputFileCopy(OutputFile *file, const char *source_path, uint64_t offset, uint64_t length,
                            OpprofError **error);

/** Overwrite `size` bytes at `offset`, which must have been appended before. */
OpprofStatus OutputFilePatch(OutputFile *file, uint64_t offset, const void *data, size_t size,
                             OpprofError **error);

/** Bytes appended so far. */
uint64_t OutputFileOffset(const OutputFile *file);

/** Absolute final path. Borrowed, valid until finish or discard. */
const char *OutputFilePath(const OutputFile *file);

/** Write what is buffered and give the file its final name. Frees the file in every case; on failure nothing of it stays. */
OpprofStatus OutputFileFinish(OutputFile *file, OpprofError **error);

/** Drop the file; nothing of it stays. NULL is allowed. */
void OutputFileDiscard(OutputFile *file);

#ifdef __cplusplus
}
#endif

#endif
