/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reuse distances of lines, as far as they matter for a cache of a given size.
 * Tested by tests/plugins/analyse-dbi/test_cache.
 */
#include "reuse.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_WORDS (REUSE_BLOCK_BITS / REUSE_WORD_BITS)
#define GROUP_BLOCKS (REUSE_GROUP_BITS / REUSE_BLOCK_BITS)
#define NEAR_WORDS 6u /* up to which counting bits beats reading counts */
#define ALIGNMENT 64u
#define SLACK 8u /* bits per line of depth, so that stamps are seldom renumbered */

typedef uint16_t Sums __attribute__((vector_size(16), may_alias));
typedef uint64_t Halves __attribute__((vector_size(16), may_alias));
typedef uint16_t LooseSums __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint64_t LooseHalves __attribute__((vector_size(16), aligned(8), may_alias));

/* All bits, then none: reading from the middle less n gives n lanes that count. */
static const uint64_t word_masks[2 * BLOCK_WORDS] = { UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                                      UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                                      UINT64_MAX, UINT64_MAX };
static const uint64_t block_masks[2 * GROUP_BLOCKS / 4] = {
    UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
    UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX
};

bool ReuseInit(Reuse *reuse, uint32_t depth)
{
    const uint32_t blocks = (SLACK * depth + REUSE_BLOCK_BITS) / REUSE_BLOCK_BITS + 1;
    const uint32_t groups = (blocks + GROUP_BLOCKS - 1) / GROUP_BLOCKS;
    const size_t words = (size_t) groups * GROUP_BLOCKS * BLOCK_WORDS;

    *reuse = (Reuse){
        .depth = depth, .size = groups * REUSE_GROUP_BITS, .tail = 1, .group_count = groups
    };
    reuse->memory = calloc(words + ALIGNMENT / sizeof *reuse->words, sizeof *reuse->words);
    reuse->block_counts = calloc((size_t) groups * GROUP_BLOCKS, sizeof *reuse->block_counts);
    reuse->group_counts = calloc(groups, sizeof *reuse->group_counts);
    reuse->ranks = calloc(words, sizeof *reuse->ranks);
    if (reuse->ranks == NULL || reuse->memory == NULL || reuse->block_counts == NULL ||
        reuse->group_counts == NULL) {
        ReuseFinish(reuse);
        return false;
    }
    reuse->words =
        (uint64_t *) (void *) ((char *) reuse->memory +
                               (ALIGNMENT - (uintptr_t) reuse->memory % ALIGNMENT) % ALIGNMENT);
    return true;
}

void ReuseFinish(Reuse *reuse)
{
    free(reuse->memory);
    free(reuse->block_counts);
    free(reuse->group_counts);
    free(reuse->ranks);
    *reuse = (Reuse){ .words = NULL };
}

/* ---- counting ---- */

static uint32_t popcount(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t) ((x * UINT64_C(0x0101010101010101)) >> 56);
}

/* The total of eight sums, together below 2^16. */
static uint32_t add_up(Sums sums)
{
    const uint64_t both = ((Halves) sums)[0] + ((Halves) sums)[1];

    return (uint32_t) (both * UINT64_C(0x0001000100010001) >> 48);
}

/*
 * Counts the bits of the first `count` words of a block. All words are read: the end is
 * unpredictable, and a misprediction costs more.
 */
static uint32_t count_words(const uint64_t *block, uint32_t count)
{
    const Halves *words = (const Halves *) (const void *) block;
    const LooseHalves *masks =
        (const LooseHalves *) (const void *) (word_masks + BLOCK_WORDS - count);
    Halves bytes = { 0, 0 };

    for (unsigned i = 0; i < BLOCK_WORDS / 2; i++) {
        Halves x = words[i] & masks[i];
        x -= x >> 1 & UINT64_C(0x5555555555555555);
        x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
        bytes += (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    }
    return add_up(((Sums) bytes & 0xff) + ((Sums) bytes >> 8));
}

/* The same for the counts of a group's blocks, each up to 512. */
static uint32_t count_blocks(const uint16_t *counts, uint32_t count)
{
    const Sums *eight = (const Sums *) (const void *) counts;
    const LooseSums *masks =
        (const LooseSums *) (const void *) ((const uint16_t *) (const void *) block_masks +
                                            GROUP_BLOCKS - count);
    Sums sums = { 0 };

    for (unsigned i = 0; i < GROUP_BLOCKS / 8; i++) {
        sums += eight[i] & masks[i];
    }
    return add_up(sums);
}

/* Counts the bits up to `at` from the axis's beginning. Blocks before it are closed. */
static uint32_t count_to(const Reuse *reuse, uint32_t at)
{
    const uint32_t word = at / REUSE_WORD_BITS;
    const uint32_t block = at / REUSE_BLOCK_BITS;
    const uint32_t group = at / REUSE_GROUP_BITS;
    uint32_t count = popcount(reuse->words[word] << (REUSE_WORD_BITS - 1 - at % REUSE_WORD_BITS));

    count += count_words(reuse->words + (size_t) block * BLOCK_WORDS, word % BLOCK_WORDS);
    count +=
        count_blocks(reuse->block_counts + (size_t) group * GROUP_BLOCKS, block % GROUP_BLOCKS);
    for (uint32_t i = 0; i < group; i++) {
        count += reuse->group_counts[i];
    }
    return count;
}

/* Counts the bits after `from` up to `to`, at most a few words later. */
static uint32_t count_between(const Reuse *reuse, uint32_t from, uint32_t to)
{
    const uint32_t last = to / REUSE_WORD_BITS;
    uint32_t word = from / REUSE_WORD_BITS;
    uint64_t bits = reuse->words[word] & (~UINT64_C(1) << from % REUSE_WORD_BITS);
    uint32_t count = 0;

    for (; word < last; bits = reuse->words[++word]) {
        count += popcount(bits);
    }
    return count + popcount(bits << (REUSE_WORD_BITS - 1 - to % REUSE_WORD_BITS));
}

/* Counts the bits set after a given one that is set. */
static uint32_t count_after(const Reuse *reuse, uint32_t at)
{
    const uint32_t word = at / REUSE_WORD_BITS;
    const uint32_t last = reuse->last / REUSE_WORD_BITS;

    if (at == reuse->last + 1) {
        return reuse->last_count - 1;
    }
    if (word - last <= NEAR_WORDS && at > reuse->last) {
        return reuse->last_count - count_between(reuse, reuse->last, at);
    }
    if (last - word <= NEAR_WORDS) {
        return reuse->last_count + count_between(reuse, at, reuse->last);
    }
    return reuse->alive - count_to(reuse, at);
}

/* ---- the axis ---- */

/* The bit after `now` begins a new block. */
static void close_block(Reuse *reuse)
{
    const uint32_t block = (reuse->now + 1) / REUSE_BLOCK_BITS - 1;
    const uint32_t given = REUSE_BLOCK_BITS - (block == 0); /* the first bit is 1 */

    reuse->block_counts[block] = (uint16_t) (reuse->block_counts[block] + given);
    reuse->group_counts[block / GROUP_BLOCKS] += given;
}

/* The oldest line is beyond the depth now. */
static void drop_oldest(Reuse *reuse)
{
    uint32_t word = reuse->tail / REUSE_WORD_BITS;

    while (reuse->words[word] == 0) {
        word++;
    }
    const uint32_t at = word * REUSE_WORD_BITS + (uint32_t) __builtin_ctzll(reuse->words[word]);
    reuse->words[word] &= reuse->words[word] - 1;
    reuse->block_counts[at / REUSE_BLOCK_BITS]--;
    reuse->group_counts[at / REUSE_GROUP_BITS]--;
    reuse->alive--;
    reuse->last_count -= at > reuse->last;
    reuse->tail = at + 1;
}

static uint32_t bits_to_word_end(uint32_t at)
{
    return REUSE_WORD_BITS - at % REUSE_WORD_BITS;
}

/* A mask of `count` bits of a word from `at` on. */
static uint64_t bits_at(uint32_t at, uint32_t count)
{
    return UINT64_MAX >> (REUSE_WORD_BITS - count) << at % REUSE_WORD_BITS;
}

/* Sets the next bits, all in one word. */
static void append(Reuse *reuse, uint32_t count)
{
    const uint32_t at = reuse->now + 1;

    if (at % REUSE_BLOCK_BITS == 0) {
        close_block(reuse);
    }
    reuse->words[at / REUSE_WORD_BITS] |= bits_at(at, count);
    reuse->now += count;
}

/* Clears bits that are set, all in one word. */
static void clear(Reuse *reuse, uint32_t at, uint32_t count)
{
    reuse->words[at / REUSE_WORD_BITS] ^= bits_at(at, count);
    reuse->block_counts[at / REUSE_BLOCK_BITS] =
        (uint16_t) (reuse->block_counts[at / REUSE_BLOCK_BITS] - count);
    reuse->group_counts[at / REUSE_GROUP_BITS] -= count;
}

/*
 * Adjacent stamps belong to lines that were last accessed in this order. Each line that moves from
 * the beginning of the row to the end of the axis leaves as many lines after the next one as were
 * after itself.
 */
static uint32_t touch_alive(Reuse *reuse, uint32_t *stamps, uint32_t most, uint32_t *ret_distance)
{
    const uint32_t at = stamps[0];
    const uint32_t together = bits_to_word_end(at);
    uint32_t count = 1;

    if (at == reuse->now) {
        *ret_distance = 0;
        return 1;
    }
    *ret_distance = count_after(reuse, at);
    most = together < most ? together : most;
    while (count < most && stamps[count] == at + count) {
        count++;
    }
    clear(reuse, at, count);
    for (uint32_t i = 0; i < count; i++) {
        stamps[i] = reuse->now + 1 + i;
    }
    append(reuse, count);
    reuse->last = at + count - 1;
    reuse->last_count = *ret_distance + 1;
    return count;
}

/* Lines that were accessed never, or too long ago. */
static uint32_t touch_others(Reuse *reuse, uint32_t *stamps, uint32_t most, uint32_t *ret_distance)
{
    const uint32_t stamp = stamps[0];
    uint32_t count = 0;

    do {
        stamps[count] = reuse->now + 1 + count;
        count++;
    } while (count < most && stamps[count] == stamp);
    append(reuse, count);
    *ret_distance = stamp == REUSE_NEVER ? REUSE_FIRST : REUSE_BEYOND;
    reuse->last_count += count;
    reuse->alive += count;
    while (reuse->alive > reuse->depth) {
        drop_oldest(reuse);
    }
    return count;
}

uint32_t ReuseTouch(Reuse *reuse, uint32_t *stamps, uint32_t count, uint32_t *ret_distance)
{
    const uint32_t together = bits_to_word_end(reuse->now + 1);
    const uint32_t most = together < count ? together : count;

    return ReuseIsAlive(reuse, stamps[0]) ? touch_alive(reuse, stamps, most, ret_distance)
                                          : touch_others(reuse, stamps, most, ret_distance);
}

void ReuseRank(Reuse *reuse)
{
    uint32_t rank = 0;

    for (uint32_t i = 0; i <= reuse->now / REUSE_WORD_BITS; i++) {
        reuse->ranks[i] = rank;
        rank += popcount(reuse->words[i]);
    }
}

uint32_t ReuseRenumber(const Reuse *reuse, uint32_t stamp)
{
    if (!ReuseIsAlive(reuse, stamp)) {
        return stamp == REUSE_NEVER ? REUSE_NEVER : REUSE_OLD;
    }
    const uint32_t word = stamp / REUSE_WORD_BITS;
    const uint32_t unused = REUSE_WORD_BITS - 1 - stamp % REUSE_WORD_BITS;
    return reuse->ranks[word] + popcount(reuse->words[word] << unused);
}

void ReuseCompact(Reuse *reuse)
{
    const uint32_t alive = reuse->alive;

    memset(reuse->words, 0, (size_t) reuse->size / REUSE_WORD_BITS * sizeof *reuse->words);
    memset(reuse->block_counts, 0,
           (size_t) reuse->group_count * GROUP_BLOCKS * sizeof *reuse->block_counts);
    memset(reuse->group_counts, 0, reuse->group_count * sizeof *reuse->group_counts);
    reuse->now = 0;
    while (reuse->now < alive) {
        const uint32_t some = bits_to_word_end(reuse->now + 1);
        const uint32_t left = alive - reuse->now;
        append(reuse, some < left ? some : left);
    }
    reuse->tail = 1;
    reuse->last = 0;
    reuse->last_count = alive;
}
