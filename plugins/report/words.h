/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include <opprof/error.h>
#include <stdio.h>

/* The operation `explain` of the report: what its own words mean. */
OpprofStatus WordsExplain(const char *chip, const char *name, FILE *out, OpprofError **error);

#endif
