/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTPUT_LEFTOVERS_H
#define OUTPUT_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Temporary files of runs that died (kill -9, power). A temporary file is named ".NAME.part-LETTERS"
 * and locked (flock) by the run that writes it, so one that can be locked has no writer any more.
 */

#define LEFTOVER_LETTERS 6

/* Print the temporary name of a file; of a long name only the beginning. */
void LeftoverName(char *out, size_t size, const char *name, const char *letters);

/*
 * Lock a temporary file that was just made. False when another run that cleans up was faster: take
 * another name then. True also where the file system knows no locks, which keeps the file as well.
 */
bool LeftoverClaim(int fd);

/* Remove the temporary files of dead runs from a directory (a descriptor such as O_PATH gives). */
void LeftoversRemove(int directory);

/* Do the same in the results of unfinished runs below `parent`: OPPROF_… without run.json. */
void LeftoversRemoveBelow(int parent);

#endif
