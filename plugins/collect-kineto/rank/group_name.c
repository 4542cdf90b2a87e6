/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of process groups.
 * Tested by tests/plugins/collect-kineto/test_group_name.
 */
#include "collect-kineto/rank/group_name.h"

#include "collect-kineto/text/number.h"

#include <inttypes.h>
#include <stdio.h>

/* Ranks at equal distances. */
typedef struct EvenRanks {
    int64_t first;
    int64_t last;
    int64_t stride;
    size_t count;
    bool has_gap; /* some are left out before the next one */
} EvenRanks;

/* The text up to the next comma or bracket, without blanks around it. Moves past it. */
static JsonText next_part(const char **at, const char *end)
{
    const char *from = *at;
    const char *to;

    while (from < end && *from == ' ') {
        from++;
    }
    to = from;
    while (to < end && *to != ',' && *to != ']') {
        to++;
    }
    *at = to < end ? to + 1 : end;
    while (to > from && to[-1] == ' ') {
        to--;
    }
    return (JsonText){ .text = from, .length = (uint32_t) (to - from) };
}

/* False if the rank does not continue the others. */
static bool add_rank(EvenRanks *even, int64_t rank)
{
    const int64_t distance = rank - even->last;

    if (rank < 0 || (even->count > 0 && distance <= 0)) {
        return false;
    }
    if (even->count == 0) {
        even->first = rank;
    } else if (even->count == 1 && !even->has_gap) {
        even->stride = distance;
    } else if (even->stride == 0 ||
               (even->has_gap ? distance % even->stride != 0 : distance != even->stride)) {
        return false;
    }
    even->has_gap = false;
    even->last = rank;
    even->count++;
    return true;
}

/* False if there are less than three, or not at equal distances. */
static bool read_even(JsonText ranks, EvenRanks *even)
{
    const char *at = ranks.text + 1;
    const char *end = ranks.text + ranks.length;

    *even = (EvenRanks){ .count = 0 };
    while (at < end) {
        const JsonText part = next_part(&at, end);
        int64_t rank;

        if (JSON_TEXT_IS(part, "...") && !even->has_gap) {
            even->has_gap = true;
        } else if (!NumberInteger(part.text, part.length, &rank) || !add_rank(even, rank)) {
            return false;
        }
    }
    return even->count > 2 && !even->has_gap;
}

static size_t put_text(JsonText text, char *out, size_t room)
{
    const size_t length = text.length < room ? text.length : room;

    memcpy(out, text.text, length);
    return length;
}

size_t GroupName(JsonText name, JsonText ranks, char *out, size_t room)
{
    const bool has_ranks = ranks.length > 2 && ranks.text[0] == '[';
    char shorter[80];
    size_t length = put_text(name, out, room);
    EvenRanks even;

    if (!has_ranks) {
        return length;
    }
    if (length > 0 && length < room) {
        out[length++] = ' ';
    }
    if (read_even(ranks, &even)) {
        const int written =
            even.stride == 1
                ? snprintf(shorter, sizeof shorter, "[%" PRId64 "-%" PRId64 "]", even.first,
                           even.last)
                : snprintf(shorter, sizeof shorter, "[%" PRId64 "-%" PRId64 " by %" PRId64 "]",
                           even.first, even.last, even.stride);

        ranks = (JsonText){ .text = shorter, .length = (uint32_t) written };
    }
    return length + put_text(ranks, out + length, room - length);
}
