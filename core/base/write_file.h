/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_WRITE_FILE_H
#define BASE_WRITE_FILE_H

#include <opprof/error.h>
#include <stdio.h>

/*
 * Open a file for writing from its beginning. A file that is held for reading, or written by
 * another tap, recording or run, stays as it is.
 *
 * @return OPPROF_OK; OPPROF_E_IO. [any thread]
 */
OpprofStatus WriteFileOpen(const char *path, FILE **ret_file, OpprofError **error);

/* Hold a file that is read, so that nothing is written over it until it is closed. */
void WriteFileHold(int fd);

#endif
