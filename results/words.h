/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_WORDS_H
#define RESULTS_WORDS_H

#include <opprof/map.h>
#include <stdbool.h>

/* The names that a statement of SQL may use, in small letters; for OpprofTextMapFinish and free().
 * NULL without memory. */
OpprofTextMap *WordsOf(const char *sql);
bool WordsHave(const OpprofTextMap *words, const char *name);

#endif
