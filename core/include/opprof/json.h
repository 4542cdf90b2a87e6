/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_JSON_H
#define OPPROF_JSON_H

/**
 * @file
 * JSON documents as opprof reads them: pipelines, chip files and whatever else a plugin keeps as
 * data. The result is jansson's; include <jansson.h> to look inside. Experimental. [any thread]
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct json_t;

#define OPPROF_JSON_MAX_SIZE (16u << 20) /**< Largest document in bytes. */

/**
 * Read a JSON object from a regular file: at most OPPROF_JSON_MAX_SIZE bytes, no duplicate keys,
 * nothing after it.
 *
 * @param path           Path of the file. Borrowed.
 * @param[out] ret_root  The object, to be given to json_decref.
 * @param[out] error     Cause on failure: names file, line and column.
 * @return OPPROF_OK, OPPROF_E_IO, OPPROF_E_DATA or OPPROF_E_MEMORY.
 */
OpprofStatus OpprofJsonLoad(const char *path, struct json_t **ret_root, OpprofError **error);

/**
 * The same from memory.
 *
 * @param name           What messages call the document. Borrowed.
 * @param text           The document, `length` bytes. Borrowed.
 * @param[out] ret_root  As OpprofJsonLoad.
 * @return OPPROF_OK, OPPROF_E_DATA (not JSON, or not an object), OPPROF_E_MEMORY.
 */
OpprofStatus OpprofJsonParse(const char *name, const char *text, size_t length,
                             struct json_t **ret_root, OpprofError **error);

/**
 * A JSON value from memory, to be given to json_decref.
 *
 * Unlike json_loadb of jansson up to 2.14, it survives that memory runs out: there, a token whose
 * buffer could not grow lacks a byte, and the bytes after the copy of its text may be overwritten.
 *
 * @param text   `length` bytes. Borrowed.
 * @param flags  As json_loadb takes them: JSON_DECODE_ANY, JSON_REJECT_DUPLICATES …
 * @return NULL: not valid JSON, or no memory (errno is ENOMEM then).
 */
struct json_t *OpprofJsonValue(const char *text, size_t length, size_t flags);

/**
 * A JSON value as text, to be given to free.
 *
 * Unlike json_dumps of jansson up to 2.14, it is whole or missing: that leaves out a piece for
 * which memory ran out.
 *
 * @param value  Any value; NULL gives NULL. Borrowed.
 * @param flags  As json_dumps takes them: JSON_INDENT(2), JSON_ENSURE_ASCII …
 * @return NULL: no memory, or no value that `flags` permit.
 */
char *OpprofJsonText(const struct json_t *value, size_t flags);

/** True for "x-…" and "_…", which are comments at every level of a document. */
bool OpprofJsonIsComment(const char *key);

/**
 * The candidate nearest to a word by edit distance, for "did you mean".
 *
 * @param candidates  `count` texts; NULL entries are skipped. Borrowed.
 * @return One of the candidates, or NULL when none is near enough: at most a third of the word's
 *         length, at least 1 and at most 4 edits, without regard to case.
 */
const char *OpprofNearestName(const char *word, const char *const *candidates, size_t count);

#ifdef __cplusplus
}
#endif

#endif
