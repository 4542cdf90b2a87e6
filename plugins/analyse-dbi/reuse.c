/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reuse distances of lines, as far as they matter to a cache of a given size.
 * Tested by tests/plugins/analyse-dbi/test_cache.
 */
#include "reuse.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64u
#define FAN 64u /* words of a group, groups of a super */
#define GROUP_BITS (WORD_BITS * FAN)
#define SUPER_BITS (GROUP_BITS * FAN)

bool ReuseInit(Reuse *reuse, uint32_t depth)
{
    /* Twice the depth, so that compacting costs a constant an access. */
    const uint32_t groups = (2 * depth + 2 + GROUP_BITS - 1) / GROUP_BITS;

    *reuse = (Reuse){ .depth = depth,
                      .size = groups * GROUP_BITS,
                      .tail = 1,
                      .group_count = groups,
                      .super_count = (groups + FAN - 1) / FAN };
    reuse->words = calloc((size_t) groups * FAN, sizeof *reuse->words);
    reuse->word_counts = calloc((size_t) groups * FAN, sizeof *reuse->word_counts);
    reuse->group_counts = calloc((size_t) reuse->super_count * FAN, sizeof *reuse->group_counts);
    reuse->super_counts = calloc(reuse->super_count, sizeof *reuse->super_counts);
    if (reuse->words == NULL || reuse->word_counts == NULL || reuse->group_counts == NULL ||
        reuse->super_counts == NULL) {
        ReuseFinish(reuse);
        return false;
    }
    return true;
}

void ReuseFinish(Reuse *reuse)
{
    free(reuse->words);
    free(reuse->word_counts);
    free(reuse->group_counts);
    free(reuse->super_counts);
    *reuse = (Reuse){ .words = NULL };
}

static void change(Reuse *reuse, uint32_t at, int by)
{
    reuse->words[at / WORD_BITS] ^= UINT64_C(1) << at % WORD_BITS;
    reuse->word_counts[at / WORD_BITS] = (uint8_t) (reuse->word_counts[at / WORD_BITS] + by);
    reuse->group_counts[at / GROUP_BITS] = (uint16_t) (reuse->group_counts[at / GROUP_BITS] + by);
    reuse->super_counts[at / SUPER_BITS] += (uint32_t) by;
    reuse->alive += (uint32_t) by;
}

static uint32_t sum_bytes(const uint8_t *counts, uint32_t from, uint32_t to)
{
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    uint32_t sum = 0;
    uint64_t lanes = 0;

    for (; from < to && from % 8 != 0; from++) {
        sum += counts[from];
    }
    for (; to - from >= 8; from += 8) { /* at most 8 times: lanes stay below 2^16 */
        uint64_t eight;
        memcpy(&eight, counts + from, sizeof eight);
        lanes += (eight & even) + (eight >> 8 & even);
    }
    for (; from < to; from++) {
        sum += counts[from];
    }
    return sum + (uint32_t) ((lanes * UINT64_C(0x0001000100010001)) >> 48);
}

static uint32_t sum_halves(const uint16_t *counts, uint32_t from, uint32_t to)
{
    uint32_t sum = 0;

    for (; from < to; from++) {
        sum += counts[from];
    }
    return sum;
}

static uint32_t popcount(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t) ((x * UINT64_C(0x0101010101010101)) >> 56);
}

/* Bits that are set after `at`. */
static uint32_t count_after(const Reuse *reuse, uint32_t at)
{
    const uint32_t word = at / WORD_BITS;
    const uint32_t group = at / GROUP_BITS;
    const uint32_t super = at / SUPER_BITS;
    const uint32_t last = super * FAN + FAN;
    uint32_t count = popcount(reuse->words[word] >> at % WORD_BITS >> 1);

    count += sum_bytes(reuse->word_counts, word + 1, (group + 1) * FAN);
    count += sum_halves(reuse->group_counts, group + 1,
                        last < reuse->group_count ? last : reuse->group_count);
    for (uint32_t i = super + 1; i < reuse->super_count; i++) {
        count += reuse->super_counts[i];
    }
    return count;
}

/* The oldest line is beyond the depth now. */
static void drop_oldest(Reuse *reuse)
{
    uint32_t word = reuse->tail / WORD_BITS;

    while (reuse->words[word] == 0) {
        word++;
    }
    const uint32_t at = word * WORD_BITS + (uint32_t) __builtin_ctzll(reuse->words[word]);
    change(reuse, at, -1);
    reuse->tail = at + 1;
}

static bool is_alive(const Reuse *reuse, uint32_t stamp)
{
    return stamp != REUSE_NEVER && stamp != REUSE_OLD && stamp >= reuse->tail;
}

uint32_t ReuseRenumber(const Reuse *reuse, uint32_t stamp)
{
    if (stamp == REUSE_NEVER) {
        return REUSE_NEVER;
    }
    return is_alive(reuse, stamp) ? reuse->alive - count_after(reuse, stamp) : REUSE_OLD;
}

void ReuseCompact(Reuse *reuse)
{
    const uint32_t alive = reuse->alive;

    memset(reuse->words, 0, (size_t) reuse->group_count * FAN * sizeof *reuse->words);
    memset(reuse->word_counts, 0, (size_t) reuse->group_count * FAN);
    memset(reuse->group_counts, 0, (size_t) reuse->super_count * FAN * sizeof *reuse->group_counts);
    memset(reuse->super_counts, 0, reuse->super_count * sizeof *reuse->super_counts);
    reuse->alive = 0;
    for (uint32_t i = 1; i <= alive; i++) {
        change(reuse, i, 1);
    }
    reuse->now = alive;
    reuse->tail = 1;
}

uint64_t ReuseTouch(Reuse *reuse, uint32_t *stamp)
{
    uint64_t distance = *stamp == REUSE_NEVER ? REUSE_FIRST : REUSE_BEYOND;

    if (is_alive(reuse, *stamp)) {
        if (*stamp == reuse->now) {
            return 0;
        }
        distance = count_after(reuse, *stamp);
        change(reuse, *stamp, -1);
    }
    *stamp = ++reuse->now;
    change(reuse, *stamp, 1);
    if (reuse->alive > reuse->depth) {
        drop_oldest(reuse);
    }
    return distance;
}
