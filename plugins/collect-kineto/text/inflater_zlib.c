/* SPDX-License-Identifier: Apache-2.0 */
/* Inflates gzip with zlib. Tested by tests/plugins/collect-kineto/test_trace_reader. */
#include "collect-kineto/text/inflater.h"

#include <limits.h>
#include <stdlib.h>
#define ZLIB_CONST
#include <zlib.h>

#define WINDOW_AND_GZIP (MAX_WBITS + 16)

struct Inflater {
    z_stream stream;
};

Inflater *InflaterCreate(void)
{
    Inflater *inflater = calloc(1, sizeof *inflater);

    if (inflater != NULL && inflateInit2(&inflater->stream, WINDOW_AND_GZIP) != Z_OK) {
        free(inflater);
        return NULL;
    }
    return inflater;
}

void InflaterDestroy(Inflater *inflater)
{
    if (inflater != NULL) {
        inflateEnd(&inflater->stream);
        free(inflater);
    }
}

bool InflaterReset(Inflater *inflater)
{
    return inflateReset(&inflater->stream) == Z_OK;
}

static uInt at_most(size_t size)
{
    return size > UINT_MAX / 2 ? UINT_MAX / 2 : (uInt) size;
}

InflateResult InflaterRun(Inflater *inflater, InflateBuffers *buffers)
{
    z_stream *stream = &inflater->stream;
    const uInt in = at_most(buffers->in_left);
    const uInt out = at_most(buffers->out_left);
    int result;

    stream->next_in = buffers->in;
    stream->avail_in = in;
    stream->next_out = buffers->out;
    stream->avail_out = out;
    result = inflate(stream, Z_NO_FLUSH);
    buffers->in += in - stream->avail_in;
    buffers->in_left -= in - stream->avail_in;
    buffers->out += out - stream->avail_out;
    buffers->out_left -= out - stream->avail_out;
    if (result == Z_STREAM_END) {
        return INFLATE_MEMBER;
    }
    return result == Z_OK || result == Z_BUF_ERROR ? INFLATE_MORE : INFLATE_DAMAGED;
}
