/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses what unpacks compressed data. Tested by
 * tests/plugins/collect-kineto/test_trace_reader and test_directories.sh.
 */
#include "collect-kineto/text/codec.h"

#ifdef HAVE_ZSTD
#include "collect-kineto/text/unzstd.h"
#endif

/* ---- gzip ---- */

static bool is_gzip(const unsigned char *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static void *create_inflater(void)
{
    return InflaterCreate();
}

static void destroy_inflater(void *state)
{
    InflaterDestroy(state);
}

static bool reset_inflater(void *state)
{
    return InflaterReset(state);
}

static InflateResult run_inflater(void *state, InflateBuffers *buffers)
{
    return InflaterRun(state, buffers);
}

static const Codec gzip = { .begins = is_gzip,
                            .create = create_inflater,
                            .destroy = destroy_inflater,
                            .reset = reset_inflater,
                            .run = run_inflater };

/* ---- zstd ---- */

#ifdef HAVE_ZSTD
/* A frame, or one of those that are to be skipped. */
static bool is_zstd(const unsigned char *bytes, size_t size)
{
    if (size < 4) {
        return false;
    }
    return (bytes[0] == 0x28 && bytes[1] == 0xb5 && bytes[2] == 0x2f && bytes[3] == 0xfd) ||
           ((bytes[0] & 0xf0) == 0x50 && bytes[1] == 0x2a && bytes[2] == 0x4d && bytes[3] == 0x18);
}

static void *create_unzstd(void)
{
    return UnzstdCreate();
}

static void destroy_unzstd(void *state)
{
    UnzstdDestroy(state);
}

static bool reset_unzstd(void *state)
{
    return UnzstdReset(state);
}

static InflateResult run_unzstd(void *state, InflateBuffers *buffers)
{
    return UnzstdRun(state, buffers);
}

static const Codec zstd = { .begins = is_zstd,
                            .create = create_unzstd,
                            .destroy = destroy_unzstd,
                            .reset = reset_unzstd,
                            .run = run_unzstd };
#endif

const Codec *CodecOf(const unsigned char *bytes, size_t size)
{
    static const Codec *const codecs[] = {
        &gzip,
#ifdef HAVE_ZSTD
        &zstd,
#endif
    };

    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++) {
        if (codecs[i]->begins(bytes, size)) {
            return codecs[i];
        }
    }
    return NULL;
}
