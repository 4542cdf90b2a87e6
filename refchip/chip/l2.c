/* SPDX-License-Identifier: Apache-2.0 */
/* Hits and misses of the L2 cache. Tested by tests/refchip/test_operators.sh and
 * tests/refchip/test_l2.c. */
#include "l2.h"
#include "config.h"
#include "counts.h"
#include <pthread.h>
#include <string.h>

#define WRITTEN (UINT64_C(1) << 63)

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* guards tags: a device has several streams */
static uint64_t all_tags[REFCHIP_MOST_DEVICES][L2_LINES]; /* all zero at first */

static uint64_t *tags_of(uint32_t device)
{
    return all_tags[device % REFCHIP_MOST_DEVICES];
}

void L2Read(uint32_t device, uint64_t *tags)
{
    pthread_mutex_lock(&lock);
    memcpy(tags, tags_of(device), L2_LINES * sizeof *tags);
    pthread_mutex_unlock(&lock);
}

void L2ViewInit(L2View *view, const uint64_t *shared, uint64_t *own, uint64_t *counts)
{
    *view = (L2View){ .shared = shared, .own = own, .counts = counts };
}

static bool touch_line(L2View *view, uint64_t line, bool is_store)
{
    const uint64_t place = line % L2_LINES;
    const uint64_t tag = line + 1;
    const uint64_t before = view->own[place] != 0 ? view->own[place] : view->shared[place];
    const bool is_hit = (before & ~WRITTEN) == tag;

    if (!is_hit && (before & WRITTEN) != 0) {
        view->counts[COUNT_l2_evictions]++;
    }
    view->own[place] = tag | (is_store || (is_hit && (before & WRITTEN) != 0) ? WRITTEN : 0);
    return is_hit;
}

static void count_line(L2View *view, uint64_t line, uint64_t words, bool is_store, bool is_hit)
{
    const unsigned odd = line % 2;

    *(is_hit ? &view->hits : &view->misses) += 1;
    if (is_store) {
        view->counts[is_hit ? COUNT_l2_write_hits : COUNT_l2_write_misses]++;
        view->counts[COUNT_gm_write_words] += words;
        return;
    }
    view->counts[odd ? COUNT_gm_read_words_odd : COUNT_gm_read_words] += words;
    if (is_hit) {
        view->counts[odd ? COUNT_l2_read_hits_odd : COUNT_l2_read_hits] += words;
    } else {
        view->counts[odd ? COUNT_l2_read_misses_odd : COUNT_l2_read_misses] += words;
    }
}

uint64_t L2Touch(L2View *view, uint64_t address, uint64_t size, bool is_store)
{
    const uint64_t last = address + size;
    uint64_t missed = 0;

    for (uint64_t at = address; at < last;) {
        const uint64_t line = at / L2_LINE;
        const uint64_t end = (line + 1) * L2_LINE < last ? (line + 1) * L2_LINE : last;
        const bool is_hit = touch_line(view, line, is_store);

        count_line(view, line, (end - 1) / L2_WORD - at / L2_WORD + 1, is_store, is_hit);
        missed += is_hit ? 0 : end - at;
        at = end;
    }
    return missed;
}

void L2Copy(uint32_t device, uint64_t address, uint64_t size, bool is_store)
{
    uint64_t *shared = tags_of(device);

    pthread_mutex_lock(&lock);
    for (uint64_t line = address / L2_LINE; line * L2_LINE < address + size; line++) {
        shared[line % L2_LINES] = (line + 1) | (is_store ? WRITTEN : 0);
    }
    pthread_mutex_unlock(&lock);
}

void L2Merge(uint32_t device, const uint64_t *own)
{
    uint64_t *shared = tags_of(device);

    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < L2_LINES; i++) {
        if (own[i] != 0) {
            shared[i] = own[i];
        }
    }
    pthread_mutex_unlock(&lock);
}
