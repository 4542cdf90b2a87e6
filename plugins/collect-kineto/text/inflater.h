/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_INFLATER_H
#define COLLECT_KINETO_TEXT_INFLATER_H

#include <stdbool.h>
#include <stddef.h>

/* Inflates gzip members, one after another. Uses ISA-L if it was available at build time, else
 * zlib. */
typedef struct Inflater Inflater;

typedef enum InflateResult {
    INFLATE_MORE,   /* wants more input, or more room */
    INFLATE_MEMBER, /* a member ended; its checksum was right */
    INFLATE_DAMAGED /* not gzip data, or a wrong checksum */
} InflateResult;

/*
 * Bytes in and out; moved on by InflaterRun. At the end of a member `in` may move back by up to 8
 * bytes, also beyond where it was before the call.
 */
typedef struct InflateBuffers {
    const unsigned char *in;
    size_t in_left;
    unsigned char *out;
    size_t out_left;
} InflateBuffers;

/* NULL without memory. */
Inflater *InflaterCreate(void);
/* NULL is allowed. */
void InflaterDestroy(Inflater *inflater);

/* Begin with the next member, at its header. */
bool InflaterReset(Inflater *inflater);

/* Inflate until input or room run out, or the member ends. */
InflateResult InflaterRun(Inflater *inflater, InflateBuffers *buffers);

#endif
