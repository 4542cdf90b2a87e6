/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORE_BASE_JSON_GUARD_H
#define CORE_BASE_JSON_GUARD_H

#include <jansson.h>

/*
 * json_loadb, ended at the first allocation that fails. jansson's reader goes on when the buffer of a token can't grow:
 * the token lacks a byte then, and where that byte was a backslash or a quote, the reader writes past its copy of the
 * text. NULL with errno ENOMEM: no memory; nothing of the document remains.
 */
json_t *JsonGuardLoad(const char *text, size_t length, size_t flags, json_error_t *ret_problem);

/*
 * What a thread makes with jansson between the two calls comes and goes together, so that small values cost no allocation
 * each. Nothing of it may be used after the end, nor be put into a value from before.
 */
typedef struct JsonHeap {
    struct JsonHeapBlock *blocks; /* the one in use first */
    size_t left;                  /* bytes of that */
} JsonHeap;

void JsonHeapBegin(JsonHeap *heap);
void JsonHeapEnd(JsonHeap *heap);

#endif
