/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_PARAM_TEXT_H
#define PLUGIN_PARAM_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Texts as people type them, and values as people read them; the same in every locale. */

typedef enum Parse {
    PARSE_OK,
    PARSE_BAD,
    PARSE_LARGE /* a number, but of more than 64 bits */
} Parse;

/* The whole text must make sense. The result is written on PARSE_OK only. */
Parse ParseSize(const char *text, int64_t *ret_bytes);    /* "64MiB", "4kB", "100" */
Parse ParseDuration(const char *text, int64_t *ret_ns);   /* "10ms", "2s"; never without a unit */
Parse ParseInteger(const char *text, int64_t *ret_value); /* "-5", "0x10" */
Parse ParseNumber(const char *text, double *ret_value);   /* finite: "0.5", "1e3" */
Parse ParseTruth(const char *text, bool *ret_value);      /* "true", "no", "on", "0" */

/*
 * "64MiB", "10ms": in the largest unit that gives a whole number; "0.5", "3". free(); NULL without
 * memory.
 */
char *ShowSize(int64_t bytes);
char *ShowDuration(int64_t ns);
char *ShowNumber(double value);

#endif
