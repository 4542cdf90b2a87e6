/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_ASCEND_READER_H
#define COLLECT_KINETO_FORMATS_ASCEND_READER_H

#include "collect-kineto/formats/event_reader.h"

/* True if the file is a database with a table that is read. */
bool AscendReaderAccepts(const char *path);

/*
 * Open a database that an Ascend profiler exported (export type db): tasks, operators of
 * communication, steps, calls of CANN, operators of PyTorch, marked ranges. As NsysReaderOpen.
 */
OpprofStatus AscendReaderOpen(const char *path, const char *damage, SourceIsStopping *is_stopping,
                              const void *context, EventReader **ret_reader, OpprofError **error);

#endif
