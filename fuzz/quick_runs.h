/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_QUICK_RUNS_H
#define FUZZ_QUICK_RUNS_H

/* Of a path made by FuzzMakeDirectory. */
#define FUZZ_DIRECTORY_BYTES (sizeof "/dev/shm/opprof-fuzz-XXXXXX")

/* Makes a directory in memory, where there is such a place: the files of a run cost more than the
 * run. */
void FuzzMakeDirectory(char path[FUZZ_DIRECTORY_BYTES]);

#endif
