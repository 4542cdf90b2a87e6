/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_NAMES_H
#define COLLECT_ONBOARD_NAMES_H

#include "raw_file.h"

#include <opprof/params.h>
#include <opprof/kit/raw_names.h>

#include <stdbool.h>
#include <stddef.h>

/*
 * Patterns of the files that a list parameter names, in its order: an element is a role of
 * `raw.files` of the chip ("auto": of all) or a pattern itself. NULL without memory; free with
 * free(). The texts are borrowed.
 */
const char **NamesExpand(const OpprofParams *params, const char *parameter, const char *chip,
                         size_t *ret_count);

/* Whether a file has this role, for any chip. */
bool NamesIs(const char *file, const char *role);

/* A fact from the folder's file that says what ran, for any chip; free with free(). NULL if none,
 * or no memory. */
char *NamesFact(const char *directory, const char *fact);

#endif
