/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HARNESS_CHECK_CHILD_H
#define HARNESS_CHECK_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* How a case went. */
typedef enum Verdict {
    VERDICT_PASSED,
    VERDICT_SKIPPED, /* what it needs is missing */
    VERDICT_FAILED
} Verdict;

typedef struct Outcome {
    Verdict verdict;
    char reason[600]; /* unless it passed */
    bool has_printed; /* something came out on standard output */
} Outcome;

/* Runs in the child. Fills reason (a buffer of `size` bytes) unless it passes. */
typedef Verdict ChildCase(void *context, char *reason, size_t size);

/*
 * Run a case in a child process of its own, so that a crash, exit() and a hang are outcomes. What
 * it prints does not reach the terminal. `seconds` is how long it may take.
 */
Outcome ChildRun(ChildCase *run, void *context, unsigned seconds);

#endif
