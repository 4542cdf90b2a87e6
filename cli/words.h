/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The words as a shell takes them, with blanks between, after `prefix`. With `always` each is quoted, else those that
 * need it. To be given to free(); NULL without memory.
 */
char *WordsQuote(const char *prefix, const char *const *words, size_t count, bool always);

#endif
