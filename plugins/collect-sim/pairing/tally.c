/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts records by address or id, and from that the pairs of each.
 * Tested by tests/plugins/collect-sim/test_tables.c.
 */
#include "tally.h"
#include "slots.h"
#include <opprof/intern.h>

void TallyInit(Tally *tally, bool by_id)
{
    *tally = (Tally){ .by_id = by_id,
                      .keys = { .entry_size = sizeof(TallyKey) },
                      .pages = { .entry_size = sizeof(TallyPage) },
                      .names = { .entry_size = sizeof(TallyName) },
                      .pipes = { .entry_size = sizeof(TallyPipe) } };
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

static bool note_pipe(Tally *tally, TallyKey *entry, const TallyRecord *record)
{
    const TallyPipe *pipe =
        KeyTableAdd(&tally->pipes, OpprofInternHash(0, record->pipe, record->pipe_length));

    if (pipe != NULL) {
        entry->pipe = KeyTablePlace(&tally->pipes, pipe);
    }
    return pipe != NULL;
}

/* An address is in a log for the first time: so is its name, perhaps. False without memory. */
static bool note_name(Tally *tally, TallyKey *entry, const TallyRecord *record, bool is_popped)
{
    TallyName *name =
        KeyTableAdd(&tally->names, OpprofInternHash(0, record->name, record->name_length));

    if (name == NULL) {
        return false;
    }
    name->is_popped |= is_popped;
    name->is_instr |= !is_popped;
    entry->name = KeyTablePlace(&tally->names, name);
    return !is_popped || note_pipe(tally, entry, record);
}

bool TallyAddPopped(Tally *tally, const TallyRecord *record)
{
    TallyKey *entry;

    if (tally->by_id) {
        return add_id(tally, record->key, true);
    }
    entry = KeyTableAdd(&tally->keys, record->key);
    if (entry == NULL || (entry->popped == 0 && !note_name(tally, entry, record, true))) {
        return false;
    }
    entry->popped_again += entry->popped > 0 && record->tick == entry->popped_last;
    entry->popped_pruned += entry->popped == 0 || record->tick - entry->popped_last != POPPED_GAP;
    entry->popped++;
    entry->popped_last = record->tick;
    return true;
}

bool TallyAddInstr(Tally *tally, const TallyRecord *record)
{
    TallyKey *entry;

    if (tally->by_id) {
        return add_id(tally, record->key, false);
    }
    entry = KeyTableAdd(&tally->keys, record->key);
    if (entry == NULL || (entry->instr == 0 && !note_name(tally, entry, record, false))) {
        return false;
    }
    entry->instr_pruned += entry->instr == 0 || record->tick - entry->instr_last > INSTR_GAP;
    entry->instr++;
    entry->instr_last = record->tick;
    return true;
}

bool TallyAddMark(Tally *tally, const TallyRecord *record)
{
    TallyKey *entry = tally->by_id ? NULL : KeyTableAdd(&tally->keys, record->key);

    if (entry != NULL) {
        entry->marks++;
    }
    return tally->by_id || (entry != NULL && note_name(tally, entry, record, false));
}

bool TallyAddQueued(Tally *tally, const TallyRecord *record)
{
    TallyKey *entry = tally->by_id ? NULL : KeyTableAdd(&tally->keys, record->key);

    if (entry != NULL) {
        entry->queued++;
    }
    return tally->by_id || entry != NULL;
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

static uint64_t without(uint64_t count, uint64_t others)
{
    return count > others ? count - others : 0;
}

/* Popped records without a partner that are not user marks. */
static uint64_t popped_alone_of(const TallyKey *key)
{
    const uint64_t popped = key->prunes_popped ? key->popped_pruned : key->popped;

    return without(popped - key->pairs, key->marks);
}

void TallyTake(Tally *tally, const TallyKey *key, uint64_t start, uint64_t end)
{
    TallyName *name = KeyTableAt(&tally->names, key->name);
    TallyPipe *pipe = KeyTableAt(&tally->pipes, key->pipe);
    const uint64_t ticks = end - start;

    pipe->latest = start > pipe->latest ? start : pipe->latest;
    /* Where one is alone, the pairs after it may be those of others. */
    if ((!name->has_longest || ticks > name->longest) && popped_alone_of(key) == 0) {
        name->longest = ticks;
        name->has_longest = true;
    }
}

uint64_t TallyOverdue(const Tally *tally, uint64_t last)
{
    uint64_t overdue = 0;

    for (uint32_t i = 0; i < tally->keys.count && !tally->by_id; i++) {
        const TallyKey *key = KeyTableAt(&tally->keys, i);
        const TallyName *name = KeyTableAt(&tally->names, key->name);
        const TallyPipe *pipe = KeyTableAt(&tally->pipes, key->pipe);

        if (key->popped > 0 && pipe->latest > key->popped_last && name->has_longest &&
            (last - key->popped_last) / 2 > name->longest + OVERDUE_LEAST) {
            overdue += popped_alone_of(key);
        }
    }
    return overdue;
}

static void sum_key(const Tally *tally, TallySums *sums, const TallyKey *key)
{
    const TallyName *name = tally->by_id ? NULL : KeyTableAt(&tally->names, key->name);
    const uint64_t popped = key->prunes_popped ? key->popped_pruned : key->popped;
    const uint64_t instr = key->prunes_instr ? key->instr_pruned : key->instr;
    const uint64_t popped_alone = popped_alone_of(key);
    const uint64_t lost = name == NULL || name->is_instr ? popped_alone : 0;

    sums->pairs += key->pairs;
    sums->pruned += key->popped - popped + key->instr - instr;
    sums->popped_alone += popped_alone;
    sums->popped_lost += lost;
    sums->popped_again += lost > 0 ? key->popped_again : 0;
    sums->popped_torn += key->prunes_instr ? lost : 0;
    sums->instr_alone +=
        name == NULL || name->is_popped ? without(instr - key->pairs, key->queued) : 0;
}

TallySums TallySum(const Tally *tally)
{
    TallySums sums = { .pairs = 0 };

    for (uint32_t i = 0; i < tally->keys.count; i++) {
        sum_key(tally, &sums, KeyTableAt(&tally->keys, i));
    }
    for (uint32_t i = 0; i < tally->pages.count; i++) {
        const TallyPage *page = KeyTableAt(&tally->pages, i);
        const uint64_t both = page->popped & page->instr & ~page->more;

        sums.pairs += (uint64_t) __builtin_popcountll(both);
        sums.popped_alone += (uint64_t) __builtin_popcountll(page->popped & ~page->more & ~both);
        sums.popped_lost += (uint64_t) __builtin_popcountll(page->popped & ~page->more & ~both);
        sums.instr_alone += (uint64_t) __builtin_popcountll(page->instr & ~page->more & ~both);
    }
    return sums;
}

void TallyFinish(Tally *tally)
{
    KeyTableFinish(&tally->keys);
    KeyTableFinish(&tally->pages);
    KeyTableFinish(&tally->names);
    KeyTableFinish(&tally->pipes);
}
