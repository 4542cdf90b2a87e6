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
#define BYTES 16u /* counts that are added together: of words */
#define SHORTS 8u /* of groups */

typedef int8_t Bytes __attribute__((vector_size(16), may_alias));
typedef int16_t Shorts __attribute__((vector_size(16), may_alias));
typedef uint16_t Sums __attribute__((vector_size(16), may_alias));
typedef uint64_t Halves __attribute__((vector_size(16), may_alias));

static const Bytes first_bytes = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
static const Shorts first_shorts = { 0, 1, 2, 3, 4, 5, 6, 7 };

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
    reuse->ranks = calloc((size_t) groups * FAN, sizeof *reuse->ranks);
    if (reuse->ranks == NULL || reuse->words == NULL || reuse->word_counts == NULL ||
        reuse->group_counts == NULL || reuse->super_counts == NULL) {
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
    free(reuse->ranks);
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

/* Of the FAN counts at `counts`, those after the first `at` and one. All are looked at: where to begin nobody can guess,
 * and a wrong guess of the machine costs more. */
static inline uint32_t sum_bytes(const uint8_t *counts, uint32_t at)
{
    const Bytes *four = (const Bytes *) (const void *) counts;
    const Bytes limit = (Bytes){ 0 } + (int8_t) at;
    Bytes places = first_bytes;
    Sums sums = { 0 };

    for (unsigned i = 0; i < FAN / BYTES; i++, places += (int8_t) BYTES) {
        const Sums taken = (Sums) (four[i] & (places > limit));
        sums += (taken & 0xff) + (taken >> 8); /* of counts to 64 */
    }
    const uint64_t both = ((Halves) sums)[0] + ((Halves) sums)[1];
    return (uint32_t) (both * UINT64_C(0x0001000100010001) >> 48);
}

static inline uint32_t sum_shorts(const uint16_t *counts, uint32_t at)
{
    const uint64_t even = UINT64_C(0x0000ffff0000ffff);
    const Sums *eight = (const Sums *) (const void *) counts;
    const Shorts limit = (Shorts){ 0 } + (int16_t) at;
    Shorts places = first_shorts;
    Sums sums = { 0 };

    for (unsigned i = 0; i < FAN / SHORTS; i++, places += (int16_t) SHORTS) {
        sums += eight[i] & (Sums) (places > limit); /* of counts to 4096 */
    }
    const uint64_t low = ((Halves) sums)[0];
    const uint64_t high = ((Halves) sums)[1];
    const uint64_t four = (low & even) + (low >> 16 & even) + (high & even) + (high >> 16 & even);
    return (uint32_t) (four + (four >> 32));
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
    uint32_t count = popcount(reuse->words[word] >> at % WORD_BITS >> 1);

    count += sum_bytes(reuse->word_counts + (size_t) group * FAN, word % FAN);
    count += sum_shorts(reuse->group_counts + (size_t) super * FAN, group % FAN);
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

void ReuseRank(Reuse *reuse)
{
    uint32_t rank = 0;

    for (size_t i = 0; i < (size_t) reuse->group_count * FAN; i++) {
        reuse->ranks[i] = rank;
        rank += reuse->word_counts[i];
    }
}

uint32_t ReuseRenumber(const Reuse *reuse, uint32_t stamp)
{
    if (!is_alive(reuse, stamp)) {
        return stamp == REUSE_NEVER ? REUSE_NEVER : REUSE_OLD;
    }
    const uint64_t after = reuse->words[stamp / WORD_BITS] >> stamp % WORD_BITS >> 1;
    const uint32_t word = stamp / WORD_BITS;
    return reuse->ranks[word] + reuse->word_counts[word] - popcount(after);
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
