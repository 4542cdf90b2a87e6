/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HARNESS_CHECK_MODULE_H
#define HARNESS_CHECK_MODULE_H

#include <stdbool.h>
#include <stddef.h>

/* List what a shared object exports beyond its descriptor, with blanks between; false: it cannot be
 * read. */
bool ModuleForeignSymbols(const char *path, char *text, size_t size);

#endif
