/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_JSON_H
#define OPPROF_JSON_H

/**
 * @file
 * JSON documents as opprof reads them: pipelines, chip files and whatever else a plugin keeps as
 * data. The result is jansson's; include <jansson.h> to look inside. A `text` has `length` bytes;
 * `flags` are jansson's. All is borrowed. Experimental. [any thread]
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct json_t;

#define OPPROF_JSON_MAX_SIZE (16u << 20) /**< Largest document in bytes. */

/** Read a JSON object from the regular file at `path`: at most OPPROF_JSON_MAX_SIZE bytes, no
 * duplicate keys, nothing after it. `ret_root` is for json_decref. OPPROF_OK; OPPROF_E_IO,
 * OPPROF_E_DATA (the error names line and column), OPPROF_E_MEMORY. */
OpprofStatus OpprofJsonLoad(const char *path, struct json_t **ret_root, OpprofError **error);

/** The same from memory; messages call the document `name`. `ret_root` as OpprofJsonLoad.
 * OPPROF_OK; OPPROF_E_DATA (not JSON, or not an object), OPPROF_E_MEMORY. */
OpprofStatus OpprofJsonParse(const char *name, const char *text, size_t length,
                             struct json_t **ret_root, OpprofError **error);

/** A JSON value from memory, for json_decref, with the flags of json_loadb. NULL: not valid JSON,
 * or no memory (errno is ENOMEM then). json_loadb of jansson up to 2.14 writes beyond a token when
 * memory runs out. */
struct json_t *OpprofJsonValue(const char *text, size_t length, size_t flags);

/** A JSON `value` as text, for free, with the flags of json_dumps. NULL: no memory, no value, or
 * none that the flags permit. json_dumps of jansson up to 2.14 leaves out a piece for which memory
 * ran out. */
char *OpprofJsonText(const struct json_t *value, size_t flags);

/** True for "x-…" and "_…", which are comments at every level of a document. */
bool OpprofJsonIsComment(const char *key);

/** The candidate nearest to a word by edit distance, for "did you mean": one of `count`
 * `candidates`, of which NULL entries are skipped, or NULL when none is near enough: at most a
 * third of the word's length, at least 1 and at most 4 edits, without regard to case. */
const char *OpprofNearestName(const char *word, const char *const *candidates, size_t count);

#ifdef __cplusplus
}
#endif

#endif
