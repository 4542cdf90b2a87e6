/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts records by address or id, and from that the pairs of each.
 * Tested by tests/plugins/collect-sim/test_tables.c.
 */
#include "tally.h"
#include "slots.h"

void TallyInit(Tally *tally, bool by_id)
{
    *tally = (Tally){ .by_id = by_id,
                      .keys = { .entry_size = sizeof(TallyKey) },
                      .pages = { .entry_size = sizeof(TallyPage) } };
}

static uint64_t id_bit(uint64_t id)
{
    return UINT64_C(1) << (id & 63);
}

/* An id turns out to occur more than once: from now on it is counted separately. */
static TallyKey *promote(Tally *tally, TallyPage *page, uint64_t id)
{
    TallyKey *key = KeyTableAdd(&tally->keys, id);

    if (key != NULL) {
        key->popped = (page->popped & id_bit(id)) != 0;
        key->instr = (page->instr & id_bit(id)) != 0;
        page->more |= id_bit(id);
    }
    return key;
}

/* The page of an id, created if necessary; NULL without memory. */
static inline TallyPage *page_of(Tally *tally, uint64_t id)
{
    TallyPage *page = NULL;

    if (tally->page < tally->pages.count) {
        page = KeyTableAt(&tally->pages, tally->page);
        if (page->number == id / 64) {
            return page;
        }
    }
    page = KeyTableAdd(&tally->pages, id / 64);
    if (page != NULL) {
        tally->page = KeyTablePlace(&tally->pages, page);
    }
    return page;
}

/* Count an id in one of the logs. */
static bool add_id(Tally *tally, uint64_t id, bool is_popped)
{
    TallyPage *page = page_of(tally, id);
    uint64_t *seen;
    TallyKey *key;

    if (page == NULL) {
        return false;
    }
    seen = is_popped ? &page->popped : &page->instr;
    if (((*seen | page->more) & id_bit(id)) == 0) {
        *seen |= id_bit(id);
        return true;
    }
    key =
        (page->more & id_bit(id)) != 0 ? KeyTableFind(&tally->keys, id) : promote(tally, page, id);
    if (key == NULL) {
        return false;
    }
    *seen |= id_bit(id);
    *(is_popped ? &key->popped : &key->instr) += 1;
    return true;
}

bool TallyAddPopped(Tally *tally, uint64_t key, uint64_t tick)
{
    TallyKey *entry;

    if (tally->by_id) {
        return add_id(tally, key, true);
    }
    entry = KeyTableAdd(&tally->keys, key);
    if (entry == NULL) {
        return false;
    }
    entry->popped_pruned += entry->popped == 0 || tick - entry->popped_last != POPPED_GAP;
    entry->popped++;
    entry->popped_last = tick;
    return true;
}

bool TallyAddInstr(Tally *tally, uint64_t key, uint64_t tick)
{
    TallyKey *entry;

    if (tally->by_id) {
        return add_id(tally, key, false);
    }
    entry = KeyTableAdd(&tally->keys, key);
    if (entry == NULL) {
        return false;
    }
    entry->instr_pruned += entry->instr == 0 || tick - entry->instr_last > INSTR_GAP;
    entry->instr++;
    entry->instr_last = tick;
    return true;
}

static void close_key(TallyKey *key, bool prunes)
{
    uint64_t popped = key->popped;
    uint64_t instr = key->instr;

    if (prunes && popped > 0 && instr > 0) {
        key->prunes_instr = instr > popped;
        instr = key->prunes_instr ? key->instr_pruned : instr;
        key->prunes_popped = instr < popped;
        popped = key->prunes_popped ? key->popped_pruned : popped;
    }
    key->pairs = popped < instr ? popped : instr;
    key->head = SLOT_NONE;
    key->tail = SLOT_NONE;
}

void TallyClose(Tally *tally)
{
    for (uint32_t i = 0; i < tally->keys.count; i++) {
        close_key(KeyTableAt(&tally->keys, i), !tally->by_id);
    }
}

TallyKind TallyFindId(const Tally *tally, uint64_t id, TallyKey **ret_key)
{
    const TallyPage *page = KeyTableFind(&tally->pages, id / 64);

    if (page == NULL || (page->popped & page->instr & id_bit(id)) == 0) {
        return TALLY_NONE;
    }
    if ((page->more & id_bit(id)) == 0) {
        return TALLY_ONCE;
    }
    *ret_key = KeyTableFind(&tally->keys, id);
    return *ret_key != NULL && (*ret_key)->pairs > 0 ? TALLY_MANY : TALLY_NONE;
}

static void sum_key(TallySums *sums, const TallyKey *key, uint64_t recent)
{
    const uint64_t popped = key->prunes_popped ? key->popped_pruned : key->popped;
    const uint64_t instr = key->prunes_instr ? key->instr_pruned : key->instr;

    sums->pairs += key->pairs;
    sums->pruned += key->popped - popped + key->instr - instr;
    sums->popped_alone += popped - key->pairs;
    sums->popped_stuck += key->popped_last < recent ? popped - key->pairs : 0;
    sums->instr_alone += popped > 0 ? instr - key->pairs : 0;
}

TallySums TallySum(const Tally *tally, uint64_t recent)
{
    TallySums sums = { .pairs = 0 };

    for (uint32_t i = 0; i < tally->keys.count; i++) {
        sum_key(&sums, KeyTableAt(&tally->keys, i), tally->by_id ? 0 : recent);
    }
    for (uint32_t i = 0; i < tally->pages.count; i++) {
        const TallyPage *page = KeyTableAt(&tally->pages, i);
        const uint64_t both = page->popped & page->instr & ~page->more;

        sums.pairs += (uint64_t) __builtin_popcountll(both);
        sums.popped_alone += (uint64_t) __builtin_popcountll(page->popped & ~page->more & ~both);
        sums.instr_alone += (uint64_t) __builtin_popcountll(page->instr & ~page->more & ~both);
    }
    return sums;
}

void TallyFinish(Tally *tally)
{
    KeyTableFinish(&tally->keys);
    KeyTableFinish(&tally->pages);
}
