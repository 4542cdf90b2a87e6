/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_SOURCE_DUMP_H
#define KIT_SOURCE_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "<dump>/<name>", to be freed; NULL without memory. */
char *SourceDumpFile(const char *dump, const char *name);

/* Address at which the kernel of a dump was loaded; 0: nothing tells. */
uint64_t SourceDumpStart(const char *dump);

#endif
