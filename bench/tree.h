/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TREE_H
#define BENCH_TREE_H

#include <stdbool.h>
#include <stddef.h>

/* Directories of inputs and results, with all that is below them. */

/*
 * A new empty directory below $TMPDIR or /tmp; `path` is empty and perror() has reported it if that
 * fails.
 */
bool TreeMake(const char *name, char *path, size_t room);

/* Bytes of all files. */
double TreeBytes(const char *path);

/* Read all files, and do nothing with what they hold. False: something cannot be read. */
bool TreeRead(const char *path);

/* Remove it. Nothing at all where `path` is empty or names nothing. */
void TreeRemove(const char *path);

#endif
