/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the streams of a launch a common zero. Tested by tests/plugins/mc2/test_streams.sh. */
#include "biu_zero.h"

#include "biu_channel.h"

#include <stdlib.h>

#define HELD_AT_ONCE 64u

/* Streams of words with any content; the stamped ones first. Returns their number, and how many are
 * stamped. */
static size_t list_streams(const BiuLaunch *launch, const BiuChannel **list, size_t *ret_stamped)
{
    size_t count = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < launch->channel_count; i++) {
            const BiuChannel *channel = launch->channels[i];
            const bool is_stamped = channel->words.counts.stamps > 0;

            if (channel->source != BIU_SOURCE_MONITOR && channel->words.counts.words > 0 &&
                is_stamped == (pass == 0)) {
                list[count++] = channel;
            }
        }
        *ret_stamped = pass == 0 ? count : *ret_stamped;
    }
    return count;
}

static bool emit_moved(BiuLaunch *launch, BiuEvent *event, int64_t shift)
{
    const int64_t start = (int64_t) event->start + shift;

    event->end = event->end - event->start;
    event->start = start > 0 ? (uint64_t) start : 0;
    event->end += event->start;
    return BiuEmit(launch, event);
}

/* Emits the held events, moved in time. */
static bool give_held(BiuLaunch *launch, BiuChannel *channel, int64_t shift)
{
    const uint64_t count = channel->held.total / sizeof(BiuEvent);
    BiuEvent events[HELD_AT_ONCE];

    for (uint64_t at = 0; at < count; at += HELD_AT_ONCE) {
        const size_t some = count - at < HELD_AT_ONCE ? (size_t) (count - at) : HELD_AT_ONCE;

        launch->status = OpprofSpoolRead(&channel->held, at * sizeof events[0],
                                         some * sizeof events[0], (char *) events, &launch->reason);
        if (launch->status != OPPROF_OK) {
            return false;
        }
        for (size_t i = 0; i < some; i++) {
            if (!emit_moved(launch, &events[i], shift)) {
                return false;
            }
        }
    }
    OpprofSpoolFinish(&channel->held);
    return true;
}

/* The time of the common mark: a stamped core's own, else the latest of all. */
static uint64_t common_time(const BiuChannel *const *streams, size_t count, size_t stamped,
                            uint16_t mark)
{
    uint64_t time = 0;

    for (size_t i = 0; i < (stamped > 0 ? stamped : count); i++) {
        const uint64_t first = streams[i]->firsts.times[mark];
        time = first > time ? first : time;
    }
    return time;
}

static void warn_of_missing_stamps(const BiuLaunch *launch, size_t count, size_t stamped, int mark)
{
    if (count < 2 || stamped == count) {
        return;
    }
    if (mark < 0) {
        OPPROF_LAUNCH_WARNS(&launch->base,
                            "%zu of %zu cores have no start stamp: their times count from "
                            "their own first word, not from a common zero",
                            count - stamped, count);
    } else {
        OPPROF_LAUNCH_WARNS(
            &launch->base,
            "%zu of %zu cores have no start stamp: their first marks %d, the first "
            "that all cores have, are assumed to be at the same time; the error is unknown",
            count - stamped, count, mark);
    }
}

bool BiuZeroAlign(BiuLaunch *launch)
{
    const BiuChannel **streams = calloc(launch->channel_count + 1, sizeof *streams);
    const BiuFirsts **firsts = calloc(launch->channel_count + 1, sizeof *firsts);
    bool is_good = streams != NULL && firsts != NULL;
    uint64_t time = 0;
    size_t stamped = 0;
    uint16_t mark = 0;
    bool has_mark = false;

    if (is_good) {
        const size_t count = list_streams(launch, streams, &stamped);

        for (size_t i = 0; i < count; i++) {
            firsts[i] = &streams[i]->firsts;
        }
        has_mark = count > 1 && BiuFirstsCommon(firsts, count, &mark);
        time = has_mark ? common_time(streams, count, stamped, mark) : 0;
        warn_of_missing_stamps(launch, count, stamped, has_mark ? (int) mark : -1);
    }
    for (size_t i = 0; is_good && i < launch->channel_count; i++) {
        BiuChannel *channel = launch->channels[i];
        const bool moves = has_mark && channel->held.total > 0 && channel->words.counts.stamps == 0;

        is_good =
            give_held(launch, channel, moves ? (int64_t) (time - channel->firsts.times[mark]) : 0);
    }
    free(streams);
    free(firsts);
    return is_good;
}
