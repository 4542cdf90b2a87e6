/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the ranks that get timelines.
 * Tested by tests/plugins/analyse-trace/test_timelines.
 */
#include "analyse-trace/timelines/choice.h"

#include <ctype.h>
#include <opprof/json.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FREE_RANKS 64u     /* with more, viewers open a timeline of all slowly or not at all */
#define CHOSEN_RANKS 8u    /* of more, unless the user says how many */
#define NUMBER_DIGITS 9u   /* of a number of ranks */
#define RANK_PREFIX "rank" /* in names of folders, which people may copy */

/* ---- the parameter ---- */

/* "3", or "rank3"; NULL: not a name of a rank. */
static const char *rank_of(const char *text)
{
    const size_t prefix = sizeof RANK_PREFIX - 1;

    text += strncasecmp(text, RANK_PREFIX, prefix) == 0 ? prefix : 0;
    return isdigit((unsigned char) *text) ? text : NULL;
}

static bool is_number(const char *text)
{
    const size_t digits = strspn(text, "0123456789");

    return digits > 0 && digits <= NUMBER_DIGITS && text[digits] == '\0';
}

static OpprofStatus refuse(const char *word, OpprofError **error)
{
    const char *const words[] = { TIMELINES_ALL };
    const char *nearest = OpprofNearestName(word, words, 1);

    OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                   "'%s' is not '" TIMELINES_ALL "', a number of ranks or the name of a rank",
                   word);
    if (nearest != NULL) {
        OpprofErrorHint(error, "Did you mean '%s'?", nearest);
    } else {
        OpprofErrorHint(error, "Ranks are called 0, 1 …: '3,17', or 'rank3' for one alone");
    }
    return OPPROF_E_ARGUMENT;
}

OpprofStatus TimelineWishRead(const OpprofParams *params, TimelineWish *ret_wish,
                              OpprofError **error)
{
    const size_t count = OpprofParamsCount(params, TIMELINES_PARAM);
    const char *first = OpprofParamsElement(params, TIMELINES_PARAM, 0);

    *ret_wish = (TimelineWish){ .params = params, .free_ranks = FREE_RANKS, .most = CHOSEN_RANKS };
    if (count == 1 && strcasecmp(first, TIMELINES_ALL) == 0) {
        ret_wish->free_ranks = UINT32_MAX;
        return OPPROF_OK;
    }
    if (count == 1 && is_number(first)) {
        ret_wish->most = ret_wish->free_ranks = (uint32_t) strtoul(first, NULL, 10);
        return OPPROF_OK;
    }
    ret_wish->name_count = count;
    for (size_t i = 0; i < count; i++) {
        const char *word = OpprofParamsElement(params, TIMELINES_PARAM, i);

        if (rank_of(word) == NULL) {
            return refuse(word, error);
        }
    }
    return OPPROF_OK;
}

const char *TimelineWishName(const TimelineWish *wish, size_t i)
{
    return rank_of(OpprofParamsElement(wish->params, TIMELINES_PARAM, i));
}

bool TimelineWishHas(const TimelineWish *wish, const char *rank)
{
    for (size_t i = 0; i < wish->name_count; i++) {
        if (strcmp(TimelineWishName(wish, i), rank) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- the choice ---- */

/* The slowest first; ranks that cannot be chosen last; equal ones keep their order. */
static int compare_times(const void *a, const void *b)
{
    const RankTime *left = *(RankTime *const *) a;
    const RankTime *right = *(RankTime *const *) b;

    if (left->can_be != right->can_be) {
        return left->can_be ? -1 : 1;
    }
    if (left->own_us != right->own_us) {
        return left->own_us > right->own_us ? -1 : 1;
    }
    return (left > right) - (left < right);
}

/* Ranks by time, while some of them are chosen. */
typedef struct Choosing {
    RankTime **order;
    uint32_t count; /* ranks that can be chosen */
    uint32_t left;  /* may still be chosen */
} Choosing;

static void take(Choosing *choosing, uint32_t at, const char *why)
{
    if (choosing->left > 0 && at < choosing->count && choosing->order[at]->why == NULL) {
        choosing->order[at]->why = why;
        choosing->left--;
    }
}

/* From both ends and the middle, `distance` away. */
static void take_around(Choosing *choosing, uint32_t distance)
{
    const uint32_t count = choosing->count;

    take(choosing, distance, "slowest");
    take(choosing, count / 2 + distance, "median");
    take(choosing, count - 1 - distance, "fastest"); /* beyond the first: wraps, and is none */
}

/* That are in this place of what some rule says. */
static void take_advised(Choosing *choosing, uint32_t place)
{
    for (uint32_t i = 0; choosing->left > 0 && i < choosing->count; i++) {
        if (choosing->order[i]->advised == place) {
            take(choosing, i, "advice");
        }
    }
}

OpprofStatus TimelinesChoose(RankTime *ranks, uint32_t count, uint32_t most)
{
    RankTime **order = reallocarray(NULL, (size_t) count + 1, sizeof *order);
    Choosing choosing = { .order = order, .left = most };

    if (order == NULL) {
        return OPPROF_E_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = &ranks[i];
        choosing.count += ranks[i].can_be;
    }
    qsort(order, count, sizeof *order, compare_times);
    take_around(&choosing, 0);
    for (uint32_t place = 0; place < most; place++) {
        take_advised(&choosing, place);
    }
    for (uint32_t distance = 1; choosing.left > 0 && distance < choosing.count; distance++) {
        take_around(&choosing, distance);
    }
    free(order);
    return OPPROF_OK;
}
