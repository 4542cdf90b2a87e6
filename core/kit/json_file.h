/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_JSON_FILE_H
#define KIT_JSON_FILE_H

#include <jansson.h>
#include <opprof/error.h>
#include <stdbool.h>

#define JSON_FILE_MAX_SIZE (16u << 20) /* bytes */

/*
 * Read a JSON object from a regular file: at most JSON_FILE_MAX_SIZE bytes, no duplicate keys,
 * nothing behind it. Errors name file, line and column.
 */
OpprofStatus JsonFileLoad(const char *path, json_t **ret_root, OpprofError **error);

/* The same from memory; `name` is used in messages. */
OpprofStatus JsonTextLoad(const char *name, const char *text, size_t length, json_t **ret_root,
                          OpprofError **error);

/* True for "x-…" and "_…": comments at every level of a document. */
bool JsonIsComment(const char *key);

/*
 * Of `candidates` (NULL entries are skipped), the one nearest to `word` by edit distance, or NULL
 * when none is near enough (a third of its length, at least 1, at most 4 edits; case-insensitive).
 */
const char *NearestName(const char *word, const char *const *candidates, size_t count);

#endif
