/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_COLLECT_SIM_BACKTRACK_H
#define TESTS_PLUGINS_COLLECT_SIM_BACKTRACK_H

/*
 * A small backtracking matcher for regular expressions, to check a hand-written scanner against the
 * expression that it stands for. Knows literals, '.', classes, \d \s and escapes, groups "(...)"
 * with a capture or "(?:...)" without, '|', '?', '*', '+' and {m,n}; greedy, first match wins, the
 * whole text must match. '.' is neither CR nor LF. Slow and simple on purpose.
 */

#include <stdbool.h>
#include <stddef.h>

#define BACKTRACK_CAPTURES 10

typedef struct Backtrack Backtrack;

typedef struct BacktrackMatch {
    const char *from[BACKTRACK_CAPTURES]; /* NULL: the group took no part */
    const char *to[BACKTRACK_CAPTURES];
} BacktrackMatch;

/* Compile; aborts on a mistake in the expression. */
Backtrack *BacktrackCompile(const char *expression);
bool BacktrackMatches(const Backtrack *expression, const char *text, size_t length,
                      BacktrackMatch *ret_match);
void BacktrackFree(Backtrack *expression);

#endif
