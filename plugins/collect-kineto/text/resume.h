/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_RESUME_H
#define COLLECT_KINETO_TEXT_RESUME_H

#include <stdbool.h>

typedef enum ResumeResult {
    RESUME_HERE,   /* *at is the brace of an event, or the bracket that ends the array */
    RESUME_UNKNOWN /* nothing up to *at; more text is needed to see what follows it */
} ResumeResult;

/*
 * Look in the text of an array of events, one of which is damaged, for the place where the next one
 * begins or the array ends. Quotes and brackets cannot be trusted there, so it is recognised by
 * what follows a closing brace.
 *
 * at:           in: where to look from; out: as the result says
 * end:          as for scan.h
 * is_last_text: no more text follows `end`
 */
ResumeResult ResumeFind(const char **at, const char *end, bool is_last_text);

#endif
