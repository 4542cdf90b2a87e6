/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_TRACE_RUN_H
#define FUZZ_TRACE_RUN_H

#include <stddef.h>

/* Read every trace of a file, an archive or a directory; what must hold of it is required. */
void TraceRunPath(const char *path);

/* The same of a file with these bytes. */
void TraceRunBytes(const void *data, size_t size);

#endif
