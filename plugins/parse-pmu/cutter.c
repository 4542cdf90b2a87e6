/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts a stream of bytes into records of one size. Tested by
 * tests/plugins/parse-pmu/test_records.
 */
#include "cutter.h"

void CutterBegin(Cutter *cutter, uint32_t size)
{
    cutter->size = size;
    cutter->have = 0;
}

bool CutterFeed(Cutter *cutter, const unsigned char *bytes, size_t length, CutterTake *take,
                void *context)
{
    if (cutter->have > 0) {
        const size_t wanted = cutter->size - cutter->have;
        const size_t taken = length < wanted ? length : wanted;
        memcpy(cutter->carry + cutter->have, bytes, taken);
        cutter->have += (uint32_t) taken;
        bytes += taken;
        length -= taken;
        if (cutter->have < cutter->size) {
            return true;
        }
        cutter->have = 0;
        if (!take(context, cutter->carry, 1)) {
            return false;
        }
    }
    const size_t count = length / cutter->size;
    if (count > 0 && !take(context, bytes, count)) {
        return false;
    }
    const size_t rest = length - count * cutter->size;
    memcpy(cutter->carry, bytes + count * cutter->size, rest);
    cutter->have = (uint32_t) rest;
    return true;
}
