/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of JAX. The input is its text, which is compressed here: damage to compressed text is up
 * to fuzz_kineto. */
#include "fuzz/fuzz.h"
#include "fuzz/trace_run.h"

#include <stdlib.h>
#include <zlib.h>

#define GZIP (15 + 16) /* greatest window; deflateInit2 wants 16 more for gzip */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    z_stream stream = { .next_in = (Bytef *) (uintptr_t) data, .avail_in = (uInt) size };
    unsigned char *packed;

    FUZZ_REQUIRE(deflateInit2(&stream, 1, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.avail_out = (uInt) deflateBound(&stream, size);
    packed = malloc(stream.avail_out);
    stream.next_out = packed;
    FUZZ_REQUIRE(packed != NULL && deflate(&stream, Z_FINISH) == Z_STREAM_END);
    TraceRunBytes(packed, stream.total_out);
    deflateEnd(&stream);
    free(packed);
    return 0;
}
