/* SPDX-License-Identifier: Apache-2.0 */
/*
 * matmul: C = A * B on cube cores, and with --relu its positive part on vector cores, checked.
 * --size is the side of the matrices, a multiple of 64. Tested by tests/refchip/test_operators.sh.
 */
#include "host.h"
#include <stdio.h>
#include <stdlib.h>

#define TILE 64u

static uint64_t shape_of_product(bool overwrites)
{
    return (uint64_t) overwrites << 63 | (uint64_t) TILE << 24 | (uint64_t) TILE << 12 | TILE;
}

/* 64 rows of a tile, and the gap from row to row of the matrix. */
static uint64_t shape_of_move(uint64_t side)
{
    const uint64_t units = TILE * 4 / 32;

    return (side * 4 / 32 - units) << 32 | units << 16 | TILE << 4;
}

static uint64_t address(const void *memory)
{
    return (uint64_t) (uintptr_t) memory;
}

/* Half a tile, 32 rows, between memory and a flat buffer of a vector core. */
static uint64_t shape_of_half(uint64_t side, unsigned gap_bits)
{
    const uint64_t units = TILE * 4 / 32;

    return (side * 4 / 32 - units) << gap_bits | units << 16 | (TILE / 2) << 4;
}

/* 32 repeats of 64 floats, one after the other. */
#define SHAPE_OF_VECTORS                                                                           \
    (UINT64_C(32) << 56 | UINT64_C(8) << 40 | UINT64_C(8) << 32 | 1u << 16 | 1u)

/* The product computed on the host; whole numbers, so that any order of additions agrees. */
static void multiply(const float *a, const float *b, float *c, uint64_t side)
{
    for (uint64_t row = 0; row < side; row++) {
        for (uint64_t i = 0; i < side; i++) {
            for (uint64_t column = 0; column < side; column++) {
                c[row * side + column] += a[row * side + i] * b[i * side + column];
            }
        }
    }
}

static int run(const HostOptions *options, const float *a, const float *b, float *c,
               const float *wanted)
{
    const uint64_t side = options->size, bytes = 4 * side * side;
    void *on_device[3] = { HostUpload(a, bytes), HostUpload(b, bytes), HostUpload(NULL, bytes) };
    const uint64_t arguments[] = { address(on_device[0]),
                                   address(on_device[1]),
                                   address(on_device[2]),
                                   side / TILE,
                                   shape_of_move(side),
                                   shape_of_product(true),
                                   side * 4 << 32 | TILE << 16 | TILE << 4,
                                   UINT64_C(1) << 43,
                                   TILE * 4,
                                   side * TILE * 4,
                                   (uint64_t) (TILE * TILE * 4 / 32) << 16 | 1u << 4,
                                   shape_of_product(false),
                                   shape_of_half(side, 32),
                                   shape_of_half(side, 48),
                                   SHAPE_OF_VECTORS };

    if (on_device[0] == NULL || on_device[1] == NULL || on_device[2] == NULL ||
        !HostLaunch(options, arguments, 15) || !HostDownload(c, on_device[2], bytes)) {
        return 1;
    }
    for (uint64_t i = 0; i < side * side; i++) {
        if (c[i] != wanted[i]) {
            return HostEnd(false, i, (double) c[i], (double) wanted[i]);
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        aclrtFree(on_device[i]);
    }
    return HostEnd(true, 0, 0, 0);
}

int main(int argc, char **argv)
{
    HostOptions options = { .size = 256, .launch = "host-args", .repeat = 1, .blocks = 4 };
    float *matrices[4];
    uint64_t count;
    int code = 1;

    if (!HostParse(&options, argc, argv)) {
        return 2;
    }
    if (options.size % TILE != 0 || options.size > 8192) {
        fprintf(stderr, "--size needs a multiple of %u up to 8192\n", TILE);
        return 2;
    }
    if (!HostOpen(&options, options.is_relu     ? "matmul_relu"
                            : options.is_double ? "matmul_double"
                                                : "matmul")) {
        return 1;
    }
    count = options.size * options.size;
    for (unsigned i = 0; i < 4; i++) {
        matrices[i] = calloc(count, sizeof(float));
        if (matrices[i] == NULL) {
            fputs("Out of memory\n", stderr);
            return 1;
        }
    }
    for (uint64_t i = 0; i < count; i++) {
        matrices[0][i] = HostNumber(i, 3);
        matrices[1][i] = HostNumber(i, 4);
    }
    multiply(matrices[0], matrices[1], matrices[3], options.size);
    for (uint64_t i = 0; options.is_relu && i < count; i++) {
        matrices[3][i] = matrices[3][i] > 0 ? matrices[3][i] : 0;
    }
    code = run(&options, matrices[0], matrices[1], matrices[2], matrices[3]);
    for (unsigned i = 0; i < 4; i++) {
        free(matrices[i]);
    }
    return code;
}
