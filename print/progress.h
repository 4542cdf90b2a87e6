/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PRINT_PROGRESS_H
#define PRINT_PROGRESS_H

#include <opprof/pipeline.h>

#define PROGRESS_LINE 256 /* bytes, with a NUL */

/*
 * One line on how far a run is, at most `columns` wide: the percentage always, then time left,
 * amounts, a bar, the rate and the stage as far as there is room.
 */
void ProgressLine(const OpprofProgress *progress, uint64_t elapsed_ns, unsigned columns,
                  char line[PROGRESS_LINE]);

/* The same for those who read it later: a sentence without a bar. */
void ProgressSentence(const OpprofProgress *progress, uint64_t elapsed_ns,
                      char line[PROGRESS_LINE]);

/* 1234567 of "bytes" is "1.2 MB"; other units keep their name: "1.2 M records". */
void ProgressAmount(char *out, size_t size, uint64_t value, const char *unit);

#endif
