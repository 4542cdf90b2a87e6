/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORE_BASE_JSON_GUARD_H
#define CORE_BASE_JSON_GUARD_H

#include <jansson.h>

/*
 * json_loadb, ended at the first allocation that fails. jansson's reader goes on when the buffer of
 * a token can't grow: the token lacks a byte then, and where that byte was a backslash or a quote,
 * the reader writes past its copy of the text. NULL with errno ENOMEM: no memory; nothing of the
 * document remains.
 */
json_t *JsonGuardLoad(const char *text, size_t length, size_t flags, json_error_t *ret_problem);

#endif
