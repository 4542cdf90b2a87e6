/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts a file that comes in pieces into records of one size. */
#include <opprof/kit/cutter.h>

#include <opprof/require.h>
#include <string.h>

void OpprofCutterBegin(OpprofCutter *cutter, uint32_t size)
{
    OPPROF_REQUIRE("cutter-given", cutter != NULL, "The cutter is given");
    OPPROF_REQUIRE("cutter-size", size > 0 && size <= OPPROF_CUTTER_MAX,
                   "A record has 1 to OPPROF_CUTTER_MAX bytes");
    cutter->size = size;
    cutter->have = 0;
}

bool OpprofCutterFeed(OpprofCutter *cutter, const unsigned char *bytes, size_t length,
                      OpprofCutterTake *take, void *context)
{
    OPPROF_REQUIRE("cutter-given", cutter != NULL, "The cutter is given");
    OPPROF_REQUIRE("cutter-bytes-given", take != NULL && (bytes != NULL || length == 0),
                   "The bytes are NULL only if their length is 0, and a function takes them");
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
    if (rest > 0) {
        memcpy(cutter->carry, bytes + count * cutter->size, rest);
    }
    cutter->have = (uint32_t) rest;
    return true;
}
