/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DESCRIBE_JSON_H
#define CLI_DESCRIBE_JSON_H

#include <jansson.h>
#include <opprof/error.h>
#include <stdbool.h>
#include <stdio.h>

/* Call it before the first piece: what lacks memory is not printed. Main thread only. */
void DescribeWatchMemory(void);

/* Something else lacked memory. */
void DescribeLackMemory(void);

/* Members of an object; NULL is null. The first takes the reference of the value. */
void DescribePut(json_t *object, const char *key, json_t *value);
void DescribePutText(json_t *object, const char *key, const char *text);
void DescribePutFlag(json_t *object, const char *key, bool is_set);

/* Print a document and give up its reference. */
OpprofStatus DescribePrint(json_t *root, FILE *out, OpprofError **error);

#endif
