/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CORE_STREAM_STREAM_TEST_H
#define TESTS_CORE_STREAM_STREAM_TEST_H

/**
 * @file
 * What the tests of batches and streams share: a record, a seeded random number generator, and how
 * much to do where a sanitizer makes everything slower.
 */

#include <opprof/batch.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#endif
#if defined(IS_SANITIZED)
#define AMOUNT(full, sanitized) (sanitized)
#else
#define AMOUNT(full, sanitized) (full)
#endif

/* Who made it, and its number among what that one made. */
typedef struct Mark {
    uint64_t producer;
    uint64_t number;
} Mark;

static const OpprofRecordType mark_type = { .struct_size = sizeof(OpprofRecordType),
                                            .version = 1,
                                            .name = "test.mark",
                                            .summary = "Who made it and when",
                                            .size = sizeof(Mark) };

/* xorshift64*; each thread has its own state. */
static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t) ((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 32) % limit;
}

/* The seed of a test, printed so that a failure can be repeated: TEST_SEED in
 * the environment wins. */
static inline uint64_t seed_of(const char *test)
{
    const char *text = getenv("TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : 0;

    if (seed == 0) {
        seed = UINT64_C(0x9e3779b97f4a7c15);
    }
    printf("%s: TEST_SEED=0x%" PRIx64 "\n", test, seed);
    fflush(stdout);
    return seed;
}

#endif
