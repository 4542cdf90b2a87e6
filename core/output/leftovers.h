/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTPUT_LEFTOVERS_H
#define OUTPUT_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Temporary files and directories of runs that died (kill -9, power). One is named
 * ".NAME.part-LETTERS" and locked (flock) by the run that made it, so one that can be locked has no
 * owner any more.
 */

#define LEFTOVER_LETTERS 6
#define LEFTOVER_SCRATCH "opprof" /* NAME of a directory for temporary files */

/* Print the temporary name of a file; of a long name only the beginning. */
void LeftoverName(char *out, size_t size, const char *name, const char *letters);

/* Whether a name is one that LeftoverName makes. */
bool LeftoverIsName(const char *name);

/*
 * Lock a temporary file that was just made. False when another run that cleans up was faster: take
 * another name then. True also where the file system knows no locks, which keeps the file as well.
 */
bool LeftoverClaim(int fd);

/* Remove all that is in a directory that was claimed. */
void LeftoverEmpty(int directory);

/* Remove what dead runs left in a directory (a descriptor such as O_PATH gives). */
void LeftoversRemove(int directory);

/* Of these only directories for temporary files: for a directory that belongs to everybody. */
void LeftoversRemoveScratch(int directory);

/* Do the same in the results in that directory if their run did not end, as its run.json says, and
 * in all below them. */
void LeftoversRemoveUnended(int results);

/* The same for the results below `parent`: OPPROF_…, also where there is no run.json yet. */
void LeftoversRemoveBelow(int parent);

/* Remove the directories that OpprofScratchMake made for dead runs where temporary files go. */
void ScratchRemoveDead(void);

#endif
