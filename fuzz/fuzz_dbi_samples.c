/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of program counters and blocks of warps: the first byte chooses. Pieces of samples are 2
 * MiB, so an input is their head and what is valid of them, and goes on after a hole. Any cut gives
 * the same samples.
 */
#include "fuzz/fuzz.h"
#include "plugins/parse-dbi/samples.h"
#include "plugins/parse-dbi/warps.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK (8u + 2097152u)
#define SHARE 200u /* bytes of the input that a piece begins with */

static uint64_t read_pieces(const uint8_t *data, size_t size, size_t piece)
{
    static unsigned char chunk[CHUNK];
    Samples samples = { .count = 0 };
    uint64_t hash = 0;
    uint64_t sum = 0;

    SamplesBeginFile(&samples);
    for (size_t at = 0, n = 0; at < size && n < 3; at += SHARE, n++) {
        const size_t share = size - at < SHARE ? size - at : SHARE;
        const bool is_last = at + share == size;

        memset(chunk, 0, SHARE);
        memcpy(chunk, data + at, share);
        for (size_t done = 0, part; done < (is_last ? share : CHUNK); done += part) {
            const size_t left = (is_last ? share : CHUNK) - done;
            part = done < SHARE && left > piece ? piece : left;
            FUZZ_REQUIRE(SamplesFeed(&samples, chunk + done, part));
        }
    }
    for (size_t i = 0; i < samples.count; i++) {
        FUZZ_REQUIRE(samples.pcs[i].raw % 8 == 0 && samples.pcs[i].raw <= 0x7fffff8);
        FUZZ_REQUIRE(SamplePlace(samples.pcs[i].raw, hash, 3) <= 0x7ffffff);
        for (unsigned r = 0; r < SAMPLE_REASONS; r++) {
            sum += samples.pcs[i].counts[r];
            hash = (hash ^ samples.pcs[i].counts[r]) * UINT64_C(0x100000001b3);
        }
    }
    FUZZ_REQUIRE(sum <= samples.taken * SAMPLE_REASONS * 255);
    hash ^= samples.taken << 1 ^ SamplesRest(&samples) << 20 ^ samples.bad_heads << 50;
    SamplesFinish(&samples);
    return hash;
}

static void read_warps(const uint8_t *data, size_t size)
{
    unsigned char bytes[WARP_BLOCK_BYTES] = { 0 };
    WarpBlock block;

    memcpy(bytes, data, size < sizeof bytes ? size : sizeof bytes);
    const WarpOutcome outcome = WarpBlockRead(bytes, 7, &block);
    FUZZ_REQUIRE(block.count + block.skipped <= WARPS);
    FUZZ_REQUIRE(outcome == WARP_GOOD || block.count == 0);
    for (uint32_t i = 0; i < block.count; i++) {
        FUZZ_REQUIRE(block.list[i].end > block.list[i].start && block.list[i].number < WARPS);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    if (data[0] % 2 == 1) {
        read_warps(data + 2, size - 2);
        return 0;
    }
    FUZZ_REQUIRE(read_pieces(data + 2, size - 2, CHUNK) ==
                 read_pieces(data + 2, size - 2, (size_t) data[1] % 16 + 1));
    return 0;
}
