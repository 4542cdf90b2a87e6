/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_OUTPUT_H
#define OPPROF_OUTPUT_H

/**
 * @file
 * Result files. A file is written beside its place under a temporary name and gets its final name
 * when it is complete, so nothing half-written ever has a final name. Directories are 0750, files
 * 0640; paths stay inside the output directory; symbolic links in the way are refused. `data` are
 * `size` bytes, borrowed. Experimental.
 */

#include <opprof/error.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The run's output directory. Opaque; shared by all stages. */
typedef struct OpprofOutputDirectory OpprofOutputDirectory;
/** A file being written, with a buffer of its own. Opaque; one thread at a time. */
typedef struct OpprofOutputFile OpprofOutputFile;

/** Absolute path of the output directory. Borrowed. [any thread] */
const char *OpprofOutputDirectoryPath(const OpprofOutputDirectory *directory);

/** Begin a file, to be given to OpprofOutputFileFinish or OpprofOutputFileDiscard. `relative` is
 * its path below the directory with '/' between names; no "..", no empty name, no control
 * characters, no leading '/'. Missing directories are made. `ret_file` is NULL on failure:
 * OPPROF_E_ARGUMENT (bad path), OPPROF_E_IO, OPPROF_E_MEMORY. [any thread] */
OpprofStatus OpprofOutputFileCreate(OpprofOutputDirectory *directory, const char *relative,
                                    OpprofOutputFile **ret_file, OpprofError **error);

/** Append bytes. OPPROF_OK; OPPROF_E_IO, OPPROF_E_MEMORY, or OPPROF_CLOSED when the run was
 * aborted, after which the file can only be discarded. [owner] */
OpprofStatus OpprofOutputFileWrite(OpprofOutputFile *file, const void *data, size_t size,
                                   OpprofError **error);

/** Room for up to `size` bytes (at most 1 MiB) right in the buffer; NULL after a failure, which the
 * next OpprofOutputFileWrite or OpprofOutputFileFinish reports. Follow with OpprofOutputFileCommit.
 * [owner] */
char *OpprofOutputFileReserve(OpprofOutputFile *file, size_t size);
/** Append the first `size` bytes of what OpprofOutputFileReserve gave. [owner] */
void OpprofOutputFileCommit(OpprofOutputFile *file, size_t size);

/** Write what is buffered, and hold no buffer until more is appended: for one of many files, while
 * it waits for long. What OpprofOutputFileReserve gave is not valid any more. Returns as
 * OpprofOutputFileWrite. [owner] */
OpprofStatus OpprofOutputFileRest(OpprofOutputFile *file, OpprofError **error);

/** Append `length` bytes from byte `offset` of the file at `source_path`, copied inside the kernel
 * where possible. Returns as OpprofOutputFileWrite; OPPROF_E_NOT_FOUND without such a file. [owner]
 */
OpprofStatus OpprofOutputFileCopy(OpprofOutputFile *file, const char *source_path, uint64_t offset,
                                  uint64_t length, OpprofError **error);

/** The same with an open file, such as one without a name: the descriptor `source`, which stays
 * open, and whose position does not matter; errors call it `source_name`. `offset`, `length` and
 * result as OpprofOutputFileCopy. [owner] */
OpprofStatus OpprofOutputFileCopyOpen(OpprofOutputFile *file, int source, const char *source_name,
                                      uint64_t offset, uint64_t length, OpprofError **error);

/** Overwrite bytes that were appended before, from byte `offset` on. Returns as
 * OpprofOutputFileWrite. [owner] */
OpprofStatus OpprofOutputFilePatch(OpprofOutputFile *file, uint64_t offset, const void *data,
                                   size_t size, OpprofError **error);

/** Bytes appended so far. [owner] */
uint64_t OpprofOutputFileOffset(const OpprofOutputFile *file);

/** Absolute final path. Borrowed, valid until finish or discard. [owner] */
const char *OpprofOutputFilePath(const OpprofOutputFile *file);

/** Path under which the file lies until it is finished, for a library that writes it by itself:
 * nothing may be appended then, and the library must have closed the file before
 * OpprofOutputFileFinish gives it its name. For free(); NULL without memory. [any thread] */
char *OpprofOutputFileTemporary(OpprofOutputFile *file);

/** Write what is buffered and give the file its final name. Frees the file in every case; on
 * failure nothing of it stays. OPPROF_OK, or the first failure, as of OpprofOutputFileWrite.
 * [owner] */
OpprofStatus OpprofOutputFileFinish(OpprofOutputFile *file, OpprofError **error);

/** Drop the file; nothing of it stays. NULL is allowed. [owner] */
void OpprofOutputFileDiscard(OpprofOutputFile *file);

/** A private temporary directory, 0700. If the process dies, a later run removes it. Opaque. */
typedef struct OpprofScratch OpprofScratch;

/** Make one in `parent`; NULL: where temporary files go (TMPDIR, or else /tmp). `ret_scratch` is
 * NULL on failure: OPPROF_E_IO, OPPROF_E_MEMORY. [any thread] */
OpprofStatus OpprofScratchMake(const char *parent, OpprofScratch **ret_scratch,
                               OpprofError **error);

/** Its path. Borrowed. [any thread] */
const char *OpprofScratchPath(const OpprofScratch *scratch);

/** Remove it with all that is in it. NULL is allowed. [any thread] */
void OpprofScratchRemove(OpprofScratch *scratch);

#ifdef __cplusplus
}
#endif

#endif
