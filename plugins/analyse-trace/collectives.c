/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the kernels of collectives of several ranks together. */
#include "collectives.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LOOKED_AT 128u

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_calls(const void *a, const void *b)
{
    const CollectiveCall *left = a;
    const CollectiveCall *right = b;
    int order = compare_u64(left->kind, right->kind);

    order = order != 0 ? order : compare_u64(left->sequence, right->sequence);
    order = order != 0 ? order : compare_u64(left->rank, right->rank);
    return order != 0 ? order : compare_u64(left->start_ns, right->start_ns);
}

static bool is_same(const CollectiveCall *a, const CollectiveCall *b)
{
    return a->kind == b->kind && a->sequence == b->sequence;
}

size_t CollectivesSort(CollectiveCall *calls, size_t count)
{
    size_t kept = 0;

    if (count > 1) {
        qsort(calls, count, sizeof *calls, compare_calls);
    }
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || !is_same(&calls[kept - 1], &calls[i]) ||
            calls[kept - 1].rank != calls[i].rank) {
            calls[kept++] = calls[i];
        }
    }
    return kept;
}

CollectiveMatch CollectivesMatch(const CollectiveCall *calls, size_t count)
{
    CollectiveMatch match = { .calls = calls, .transfer_ns = UINT64_MAX };
    uint64_t second_ns = UINT64_MAX;
    uint64_t longest_ns = 0;
    uint64_t sum_ns = 0;

    while (match.count < count && is_same(&calls[0], &calls[match.count])) {
        const uint64_t duration_ns = calls[match.count].duration_ns;

        if (duration_ns < match.transfer_ns) {
            second_ns = match.transfer_ns;
            match.transfer_ns = duration_ns;
            match.late = match.count;
        } else if (duration_ns < second_ns) {
            second_ns = duration_ns;
        }
        longest_ns = duration_ns > longest_ns ? duration_ns : longest_ns;
        sum_ns += duration_ns;
        match.count++;
    }
    match.skew_ns = longest_ns - match.transfer_ns;
    match.cost_ns = match.count > 1 ? second_ns - match.transfer_ns : 0;
    match.wait_ns = sum_ns - match.count * match.transfer_ns;
    return match;
}

/* ------------------------------------------------------------------ bandwidth */

CollectiveForm CollectiveFormOf(const char *name)
{
    static const struct {
        const char *part;
        CollectiveForm form;
    } forms[] = {
        { "allreduce", FORM_ALL_REDUCE },
        { "allgather", FORM_ALL_GATHER },
        { "reducescatter", FORM_REDUCE_SCATTER },
        { "alltoall", FORM_ALL_TO_ALL },
        { "broadcast", FORM_ONE_WAY },
        { "sendrecv", FORM_ONE_WAY },
        { "send", FORM_ONE_WAY },
        { "recv", FORM_ONE_WAY },
        { "reduce", FORM_ONE_WAY },
    };
    char plain[NAME_MAX_LOOKED_AT];
    size_t length = 0;

    for (const char *at = name; *at != '\0' && length + 1 < sizeof plain; at++) {
        if (isalpha((unsigned char) *at)) {
            plain[length++] = (char) tolower((unsigned char) *at);
        }
    }
    plain[length] = '\0';
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (strstr(plain, forms[i].part) != NULL) {
            return forms[i].form;
        }
    }
    return FORM_UNKNOWN;
}

bool CollectiveIsLeftTogether(CollectiveForm form)
{
    return form == FORM_ALL_REDUCE || form == FORM_ALL_GATHER || form == FORM_REDUCE_SCATTER ||
           form == FORM_ALL_TO_ALL;
}

uint64_t CollectiveBytes(CollectiveForm form, uint64_t in_bytes, uint64_t out_bytes)
{
    switch (form) {
    case FORM_ALL_GATHER:
        return out_bytes;
    case FORM_ALL_REDUCE:
    case FORM_REDUCE_SCATTER:
    case FORM_ALL_TO_ALL:
        return in_bytes;
    case FORM_ONE_WAY:
        return in_bytes != UINT64_MAX && (out_bytes == UINT64_MAX || in_bytes > out_bytes)
                   ? in_bytes
                   : out_bytes;
    case FORM_UNKNOWN:
    default:
        return UINT64_MAX;
    }
}

double CollectiveBusFactor(CollectiveForm form, uint64_t ranks)
{
    const double others = ((double) ranks - 1) / (double) ranks;

    if (ranks < 2) {
        return (double) NAN;
    }
    switch (form) {
    case FORM_ALL_REDUCE:
        return 2 * others;
    case FORM_ALL_GATHER:
    case FORM_REDUCE_SCATTER:
    case FORM_ALL_TO_ALL:
        return others;
    case FORM_ONE_WAY:
        return 1;
    case FORM_UNKNOWN:
    default:
        return (double) NAN;
    }
}
