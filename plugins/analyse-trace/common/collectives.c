/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of collectives by their names, and recordings of ranks that belong together.
 * Tested by tests/plugins/analyse-trace/test_collectives.
 */
#include "analyse-trace/common/collectives.h"

#include <ctype.h>
#include <math.h>
#include <opprof/present.h>
#include <opprof/records/activity.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LOOKED_AT 128u

uint32_t RankCycle(const char *rank, size_t *ret_length)
{
    const char *mark = strstr(rank, OPPROF_ACTIVITY_CYCLE);
    const char *digits = mark == NULL ? "" : mark + sizeof OPPROF_ACTIVITY_CYCLE - 1;
    char *end = NULL;
    const unsigned long number = isdigit((unsigned char) *digits) ? strtoul(digits, &end, 10) : 0;
    const bool has_number = end != NULL && *end == '\0' && number > 1 && number <= UINT32_MAX;

    if (ret_length != NULL) {
        *ret_length = has_number ? (size_t) (mark - rank) : strlen(rank);
    }
    return has_number ? (uint32_t) number : 1;
}

void CallCounterNumber(CallCounter *counter, uint64_t sequence, CollectiveCall *call)
{
    const bool is_repeat = sequence != OPPROF_NA_U64 && sequence + 1 == counter->next;

    counter->repeats = is_repeat ? counter->repeats + 1 : 0;
    call->sequence = sequence == OPPROF_NA_U64 ? counter->next : sequence;
    call->repeat = counter->repeats;
    counter->next = call->sequence + 1;
}

/* ---- bandwidth ---- */

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
        { "sendrecv", FORM_POINT_TO_POINT },
        { "crossdevicereduce", FORM_ALL_REDUCE }, /* of inference engines */
        { "send", FORM_POINT_TO_POINT },
        { "recv", FORM_POINT_TO_POINT },
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
    case FORM_POINT_TO_POINT:
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
    case FORM_POINT_TO_POINT:
        return 1;
    case FORM_UNKNOWN:
    default:
        return (double) NAN;
    }
}
