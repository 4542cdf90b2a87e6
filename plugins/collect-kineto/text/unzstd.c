/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks zstd. Tested by tests/plugins/collect-kineto/test_directories.sh. */
#include "collect-kineto/text/unzstd.h"

#include <stdlib.h>
#include <zstd.h>

struct Unzstd {
    ZSTD_DStream *stream;
};

Unzstd *UnzstdCreate(void)
{
    Unzstd *unzstd = calloc(1, sizeof *unzstd);

    if (unzstd == NULL) {
        return NULL;
    }
    unzstd->stream = ZSTD_createDStream();
    if (unzstd->stream == NULL || !UnzstdReset(unzstd)) {
        UnzstdDestroy(unzstd);
        return NULL;
    }
    return unzstd;
}

void UnzstdDestroy(Unzstd *unzstd)
{
    if (unzstd != NULL) {
        ZSTD_freeDStream(unzstd->stream);
        free(unzstd);
    }
}

bool UnzstdReset(Unzstd *unzstd)
{
    return !ZSTD_isError(ZSTD_initDStream(unzstd->stream));
}

InflateResult UnzstdRun(Unzstd *unzstd, InflateBuffers *buffers)
{
    ZSTD_inBuffer in = { .src = buffers->in, .size = buffers->in_left };
    ZSTD_outBuffer out = { .dst = buffers->out, .size = buffers->out_left };
    const size_t result = ZSTD_decompressStream(unzstd->stream, &out, &in);

    buffers->in += in.pos;
    buffers->in_left -= in.pos;
    buffers->out += out.pos;
    buffers->out_left -= out.pos;
    if (ZSTD_isError(result)) {
        return INFLATE_DAMAGED;
    }
    return result == 0 ? INFLATE_MEMBER : INFLATE_MORE;
}
