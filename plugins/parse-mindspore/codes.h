/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MINDSPORE_CODES_H
#define PARSE_MINDSPORE_CODES_H

/* Codes of data types and formats of tensors, as texts; "UNKNOWN" for others. */

#include <stdint.h>

/* Generation A. */
const char *CodeTypeA(uint64_t code);
const char *CodeGeType(uint64_t code);
const char *CodeGeFormat(uint64_t code);
/* Generation B: from 200 on, the framework's own. */
const char *CodeTypeB(uint64_t code);
const char *CodeFormatB(uint64_t code);

#endif
