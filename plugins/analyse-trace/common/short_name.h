/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_SHORT_NAME_H
#define ANALYSE_TRACE_COMMON_SHORT_NAME_H

#include <stddef.h>

/*
 * The name of a C++ function without what makes it long: return type, namespaces, template
 * arguments, parameters. Mangled names (_Z…) are demangled first. Names of languages other than C++
 * stay as they are.
 *
 * name:  ends with NUL
 * out:   `size` bytes, of which at most all are used; ends with NUL
 * Returns the length.
 */
size_t ShortName(const char *name, char *out, size_t size);

/* The whole name of a mangled one, to be freed; NULL if the name is not
 * mangled, or without memory. */
char *DemangledName(const char *name);

#endif
