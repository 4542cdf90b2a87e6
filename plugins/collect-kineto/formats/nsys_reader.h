/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_NSYS_READER_H
#define COLLECT_KINETO_FORMATS_NSYS_READER_H

#include "collect-kineto/formats/event_reader.h"

/* True if the file is a database with a table that is read. */
bool NsysReaderAccepts(const char *path);

/*
 * Open a database that Nsight Systems exported (`nsys export --type sqlite`): kernels, copies,
 * fills, graphs, calls of the CUDA runtime and driver, and NVTX ranges.
 *
 * damage: what is already known to be wrong with the file, which is read as far as it can be; NULL:
 * nothing
 *
 * Returns OPPROF_OK, OPPROF_E_IO, OPPROF_E_MEMORY.
 */
OpprofStatus NsysReaderOpen(const char *path, const char *damage, SourceIsStopping *is_stopping,
                            const void *context, EventReader **ret_reader, OpprofError **error);

#endif
