/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins sets and waits of flags between cores, whichever instance draws them.
 * Tested by tests/plugins/analyse-sim/timeline/test_cross_pairs.c.
 */
#include "cross_pairs.h"

#include <opprof/grow.h>
#include <opprof/text.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ID_PREFIX "intra_"

typedef enum Fate { FATE_OPEN, FATE_PAIR, FATE_ALONE } Fate;

/* An end in a line. */
typedef struct Waiting {
    CrossEnd end;
    Fate fate;
} Waiting;

struct CrossLine {
    char *core;
    Waiting *ring;
    uint64_t first; /* number of the first one in the line */
    uint32_t count;
    uint32_t capacity; /* a power of two, or 0 */
    uint64_t keyless;  /* halves that cannot have a partner */
};

struct CrossPairs {
    pthread_mutex_t lock; /* guards all below */
    FlagTable *flags;
    CrossLine **lines;
    size_t count;
    size_t capacity;
};

static Waiting *waiting_at(const CrossLine *line, uint64_t place)
{
    return &line->ring[place & (line->capacity - 1)];
}

/* Handles a half without partner; a FlagAlone. */
static OpprofStatus leave_alone(void *context, const char *key, size_t key_length, FlagSide side,
                                const OpenFlag *flag)
{
    (void) context;
    (void) key;
    (void) key_length;
    (void) side;
    waiting_at(flag->core, flag->place)->fate = FATE_ALONE;
    return OPPROF_OK;
}

CrossPairs *CrossPairsCreate(void)
{
    CrossPairs *pairs = calloc(1, sizeof *pairs);

    if (pairs == NULL) {
        return NULL;
    }
    pairs->flags = FlagTableCreate(leave_alone, NULL);
    if (pairs->flags == NULL || pthread_mutex_init(&pairs->lock, NULL) != 0) {
        FlagTableDestroy(pairs->flags);
        free(pairs);
        return NULL;
    }
    return pairs;
}

static void destroy_line(CrossLine *line)
{
    if (line != NULL) {
        free(line->core);
        free(line->ring);
        free(line);
    }
}

void CrossPairsDestroy(CrossPairs *pairs)
{
    if (pairs == NULL) {
        return;
    }
    for (size_t i = 0; i < pairs->count; i++) {
        destroy_line(pairs->lines[i]);
    }
    free(pairs->lines);
    FlagTableDestroy(pairs->flags);
    pthread_mutex_destroy(&pairs->lock);
    free(pairs);
}

CrossLine *CrossPairsAdd(CrossPairs *pairs, const char *core)
{
    CrossLine *line = calloc(1, sizeof *line);
    bool is_added;

    if (line == NULL || (line->core = strdup(core)) == NULL) {
        destroy_line(line);
        return NULL;
    }
    pthread_mutex_lock(&pairs->lock);
    is_added = OpprofGrow(&pairs->lines, &pairs->capacity, pairs->count + 1, sizeof(CrossLine *));
    if (is_added) {
        pairs->lines[pairs->count++] = line;
    }
    pthread_mutex_unlock(&pairs->lock);
    if (!is_added) {
        destroy_line(line);
        return NULL;
    }
    return line;
}

static void make_pair(const OpenFlag *a, FlagSide side, const OpenFlag *b)
{
    const OpenFlag *set = side == FLAG_SET ? a : b;
    const OpenFlag *wait = side == FLAG_SET ? b : a;
    const OpenFlag *const both[] = { a, b };

    for (size_t i = 0; i < 2; i++) {
        Waiting *waiting = waiting_at(both[i]->core, both[i]->place);

        waiting->fate = FATE_PAIR;
        waiting->end.from_lane = set->lane;
        waiting->end.to_lane = wait->lane;
    }
}

/* Call with the lock. A half on a core outside of any block takes no place. */
static OpprofStatus meet(CrossPairs *pairs, CrossLine *line, const CrossHalf *half,
                         uint64_t *ret_number)
{
    const FlagSide side = CrossSide(half->kind);
    char key[CROSS_KEY_SIZE];
    const size_t length = CrossKey(&half->rule, line->core, half->kind, half->sync_id, key);
    OpenFlag flag = { .place = line->first + line->count, .core = line, .lane = half->lane };
    OpenFlag partner;
    bool is_found;
    OpprofStatus status;

    if (length == 0) {
        *ret_number = line->keyless++;
        return OPPROF_OK;
    }
    if (!OpprofGrowRing(&line->ring, &line->capacity, line->first, line->count,
                        sizeof *line->ring)) {
        return OPPROF_E_MEMORY;
    }
    flag.id = *ret_number = FlagTableNext(pairs->flags, key, length, side);
    *waiting_at(line, flag.place) =
        (Waiting){ .end = { .half = *half, .number = flag.id }, .fate = FATE_OPEN };
    line->count++;
    status =
        FlagTableMeet(pairs->flags, &(FlagHalf){ key, length, side }, &flag, &partner, &is_found);
    if (status == OPPROF_OK && is_found && partner.id == flag.id) {
        make_pair(&flag, side, &partner);
    } else if (status == OPPROF_OK && is_found) { /* this half passed the limit */
        waiting_at(line, flag.place)->fate = FATE_ALONE;
        waiting_at(partner.core, partner.place)->fate = FATE_ALONE;
    }
    return status;
}

OpprofStatus CrossPairsMeet(CrossPairs *pairs, CrossLine *line, const CrossHalf *half,
                            uint64_t *ret_number)
{
    OpprofStatus status;

    pthread_mutex_lock(&pairs->lock);
    status = meet(pairs, line, half, ret_number);
    pthread_mutex_unlock(&pairs->lock);
    return status;
}

bool CrossPairsTake(CrossPairs *pairs, CrossLine *line, CrossEnd *ret_end)
{
    bool is_pair = false;

    pthread_mutex_lock(&pairs->lock);
    while (!is_pair && line->count > 0 && waiting_at(line, line->first)->fate != FATE_OPEN) {
        is_pair = waiting_at(line, line->first)->fate == FATE_PAIR;
        *ret_end = waiting_at(line, line->first)->end;
        line->first++;
        line->count--;
    }
    pthread_mutex_unlock(&pairs->lock);
    return is_pair;
}

size_t CrossIdPut(const CrossLine *line, const CrossHalf *half, uint64_t number,
                  char id[CROSS_ID_SIZE])
{
    char *key = id + strlen(ID_PREFIX);
    size_t length = CrossKey(&half->rule, line->core, half->kind, half->sync_id, key);
    char *at;

    memcpy(id, ID_PREFIX, strlen(ID_PREFIX));
    if (length == 0) {
        length = strnlen(line->core, CROSS_ID_SIZE - 32u);
        memcpy(key, line->core, length);
    }
    at = key + length;
    *at++ = '.';
    return (size_t) (OpprofTextPutU64(at, number) - id);
}

static int compare_lines(const void *a, const void *b)
{
    const CrossLine *const *x = a;
    const CrossLine *const *y = b;

    return strcmp((*x)->core, (*y)->core);
}

OpprofStatus CrossPairsEnd(CrossPairs *pairs)
{
    if (pairs->count > 1) {
        qsort(pairs->lines, pairs->count, sizeof(CrossLine *), compare_lines);
    }
    return FlagTableEnd(pairs->flags);
}

CrossLine *CrossPairsLine(const CrossPairs *pairs, size_t index)
{
    return index < pairs->count ? pairs->lines[index] : NULL;
}

uint64_t CrossPairsForgotten(const CrossPairs *pairs)
{
    return FlagTableForgotten(pairs->flags);
}
