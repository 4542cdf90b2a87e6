/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the collector's plan apart. Tested by tests/refchip/test_board.sh and fuzz/fuzz_plan.c. */
#include "inject/ascend/board.h"
#include <string.h>

typedef struct Rest {
    const uint8_t *at;
    size_t left;
} Rest;

static bool take(Rest *rest, void *to, size_t size)
{
    if (rest->left < size) {
        return false;
    }
    memcpy(to, rest->at, size);
    rest->at += size;
    rest->left -= size;
    return true;
}

static bool take_channel(Rest *rest, PlanChannel *channel)
{
    size_t padded;

    if (!take(rest, &channel->head, sizeof channel->head) ||
        channel->head.user_bytes > OPPROF_LIVE_MOST_USER_BYTES) {
        return false;
    }
    padded = OpprofLivePadded(channel->head.user_bytes);
    if (rest->left < padded) {
        return false;
    }
    channel->user = rest->at;
    rest->at += padded;
    rest->left -= padded;
    return true;
}

static bool take_pass(Rest *rest, PlanPass *pass)
{
    OpprofLivePass head;

    if (!take(rest, &head, sizeof head) || head.channel_count > OPPROF_LIVE_MOST_CHANNELS) {
        return false;
    }
    for (pass->count = 0; pass->count < head.channel_count; pass->count++) {
        if (!take_channel(rest, &pass->channels[pass->count])) {
            return false;
        }
    }
    pass->has_monitors = (head.flags & OPPROF_LIVE_PASS_MONITORS) != 0;
    pass->has_area = (head.flags & OPPROF_LIVE_PASS_INSTRUMENTED) != 0;
    if (pass->has_monitors && (!take(rest, &pass->monitors, sizeof pass->monitors) ||
                               !OpprofLiveMonitorsAreGood(&pass->monitors))) {
        return false;
    }
    return !pass->has_area ||
           (take(rest, &pass->area, sizeof pass->area) && OpprofLiveAreaIsGood(&pass->area));
}

bool PlanRead(Plan *plan, uint8_t *bytes, size_t size)
{
    Rest rest = { bytes, size };

    plan->bytes = bytes;
    if (!take(&rest, &plan->head, sizeof plan->head) ||
        plan->head.pass_count > OPPROF_LIVE_MOST_PASSES ||
        plan->head.replay > OPPROF_LIVE_REPLAY_RANGE) {
        return false;
    }
    for (uint32_t i = 0; i < plan->head.pass_count; i++) {
        if (!take_pass(&rest, &plan->passes[i])) {
            return false;
        }
    }
    return rest.left == 0;
}
