/* SPDX-License-Identifier: Apache-2.0 */
/* Hits and misses of the L2 cache. Tested by tests/refchip/test_operators.sh. */
#include "l2.h"
#include "config.h"

static uint64_t tags[REFCHIP_MOST_DEVICES][L2_LINES];

uint64_t *L2DeviceTags(uint32_t device)
{
    return tags[device % REFCHIP_MOST_DEVICES];
}

void L2ViewInit(L2View *view, uint32_t device, uint64_t *own)
{
    *view = (L2View){ .shared = L2DeviceTags(device), .own = own };
}

static bool touch_line(L2View *view, uint64_t line)
{
    const uint64_t place = line % L2_LINES;
    const uint64_t tag = line + 1;
    const bool is_hit =
        view->own[place] == tag || (view->own[place] == 0 && view->shared[place] == tag);

    view->own[place] = tag;
    return is_hit;
}

uint64_t L2Touch(L2View *view, uint64_t address, uint64_t size)
{
    uint64_t missed = 0;

    for (uint64_t at = address; at < address + size; at = (at / L2_LINE + 1) * L2_LINE) {
        if (touch_line(view, at / L2_LINE)) {
            view->hits++;
        } else {
            const uint64_t end = (at / L2_LINE + 1) * L2_LINE;

            view->misses++;
            missed += (end < address + size ? end : address + size) - at;
        }
    }
    return missed;
}

void L2Merge(uint32_t device, const uint64_t *own)
{
    uint64_t *shared = L2DeviceTags(device);

    for (uint32_t i = 0; i < L2_LINES; i++) {
        if (own[i] != 0) {
            shared[i] = own[i];
        }
    }
}
