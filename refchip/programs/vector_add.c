/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector-add: c = a + b on vector cores, checked. --size is the number of elements; with --simt
 * each is a thread's. Tested by tests/refchip/test_operators.sh.
 */
#include "host.h"
#include <stdio.h>
#include <stdlib.h>

#define TILE_FLOATS 2048u
#define SIMT_FLOATS 512u

static uint64_t move_shape(uint64_t bytes)
{
    return bytes / 32 << 16 | 1u << 4;
}

/* Threads have one each. */
static uint64_t tile_floats(const HostOptions *options)
{
    return options->is_simt ? SIMT_FLOATS : TILE_FLOATS;
}

/* The share of each core: a whole number of tiles, an even one for two buffers. */
static uint64_t tiles_of_core(const HostOptions *options)
{
    const uint64_t tiles = (options->size + tile_floats(options) - 1) / tile_floats(options);
    const uint64_t each = (tiles + options->blocks - 1) / options->blocks;

    return options->is_double ? (each + 1) / 2 * 2 : each;
}

static int run(const HostOptions *options, const float *a, const float *b, float *c, uint64_t count)
{
    void *on_device[3] = { HostUpload(a, 4 * count), HostUpload(b, 4 * count),
                           HostUpload(NULL, 4 * count) };
    const uint64_t arguments[] = { (uint64_t) (uintptr_t) on_device[0],
                                   (uint64_t) (uintptr_t) on_device[1],
                                   (uint64_t) (uintptr_t) on_device[2],
                                   tiles_of_core(options),
                                   4 * tile_floats(options),
                                   options->is_simt ? SIMT_FLOATS : move_shape(4 * TILE_FLOATS),
                                   HOST_VECTOR_SHAPE(TILE_FLOATS) };

    if (on_device[0] == NULL || on_device[1] == NULL || on_device[2] == NULL ||
        !HostLaunch(options, arguments, 7) || !HostDownload(c, on_device[2], 4 * count)) {
        return 1;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (c[i] != a[i] + b[i]) {
            return HostEnd(false, i, (double) c[i], (double) (a[i] + b[i]));
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        aclrtFree(on_device[i]);
    }
    return HostEnd(true, 0, 0, 0);
}

int main(int argc, char **argv)
{
    HostOptions options = { .size = 65536, .launch = "host-args", .repeat = 1, .blocks = 4 };
    float *a, *b, *c;
    uint64_t count;
    int code = 1;

    if (!HostParse(&options, argc, argv)) {
        return 2;
    }
    if (!HostOpen(&options, options.is_simt     ? "vector_add_simt"
                            : options.is_double ? "vector_add_double"
                                                : "vector_add")) {
        return 1;
    }
    count = tiles_of_core(&options) * options.blocks * tile_floats(&options);
    a = calloc(count, sizeof *a);
    b = calloc(count, sizeof *b);
    c = calloc(count, sizeof *c);
    if (a != NULL && b != NULL && c != NULL) {
        for (uint64_t i = 0; i < count; i++) {
            a[i] = HostNumber(i, 1);
            b[i] = HostNumber(i, 2);
        }
        code = run(&options, a, b, c, count);
    } else {
        fputs("Out of memory\n", stderr);
    }
    free(a);
    free(b);
    free(c);
    return code;
}
