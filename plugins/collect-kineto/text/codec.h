/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_CODEC_H
#define COLLECT_KINETO_TEXT_CODEC_H

#include "collect-kineto/text/inflater.h"

#include <stddef.h>

/* A form of compressed data, which consists of members that begin alike. */
typedef struct Codec {
    bool (*begins)(const unsigned char *bytes, size_t size);
    void *(*create)(void); /* NULL without memory */
    void (*destroy)(void *state);
    bool (*reset)(void *state);
    InflateResult (*run)(void *state, InflateBuffers *buffers);
} Codec;

#define CODEC_MAGIC_BYTES 4u /* as many tell each form */

/* The form of data that begins so; NULL: it is not compressed, or this build cannot unpack it. */
const Codec *CodecOf(const unsigned char *bytes, size_t size);

#endif
