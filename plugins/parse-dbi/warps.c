/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a block of the warp timeline.
 * Tested by tests/plugins/parse-dbi/test_counts.
 */
#include "warps.h"

#include <opprof/kit/bytes.h>

#define MAGIC UINT32_C(0x5a5a5a5a)
#define HEAD_BYTES 16u
#define RECORD_BYTES 16u
#define KINDS 3u

WarpOutcome WarpBlockRead(const unsigned char *bytes, uint32_t slot, WarpBlock *ret_block)
{
    const uint32_t count = OpprofLoadLe32(bytes + 4);
    const uint32_t core = OpprofLoadLe32(bytes + 8);
    const uint32_t kind = OpprofLoadLe32(bytes + 12);

    ret_block->count = ret_block->skipped = 0;
    if (OpprofLoadLe32(bytes) != MAGIC) {
        return WARP_BAD_MAGIC;
    }
    if (count > WARPS || kind >= KINDS) {
        return WARP_BAD_COUNT;
    }
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *at = bytes + HEAD_BYTES + i * RECORD_BYTES;
        const Warp warp = { .start = OpprofLoadLe64(at),
                            .end = OpprofLoadLe64(at + 8),
                            .slot = slot,
                            .core = core,
                            .kind = kind,
                            .number = i };
        if (warp.start == 0 || warp.end <= warp.start) {
            ret_block->skipped++;
        } else {
            ret_block->list[ret_block->count++] = warp;
        }
    }
    return WARP_GOOD;
}
