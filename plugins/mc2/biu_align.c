/* SPDX-License-Identifier: Apache-2.0 */
/* First marks of streams, and the one that they have in common. Tested by
 * tests/plugins/mc2/test_biu_align.c. */
#include "biu_align.h"

#include <stdlib.h>
#include <string.h>

bool BiuFirstsNote(BiuFirsts *firsts, uint16_t id, uint64_t time)
{
    uint64_t *first;

    if (firsts->times == NULL) {
        firsts->times = malloc(BIU_MARK_IDS * sizeof *firsts->times);
        if (firsts->times == NULL) {
            return false;
        }
        memset(firsts->times, 0xff, BIU_MARK_IDS * sizeof *firsts->times);
    }
    first = &firsts->times[id % BIU_MARK_IDS];
    *first = time < *first ? time : *first;
    return true;
}

static bool is_common(const BiuFirsts *const *streams, size_t count, uint32_t id)
{
    for (size_t i = 0; i < count; i++) {
        if (streams[i]->times == NULL || streams[i]->times[id] == UINT64_MAX) {
            return false;
        }
    }
    return count > 0;
}

bool BiuFirstsCommon(const BiuFirsts *const *streams, size_t count, uint16_t *ret_id)
{
    bool is_found = false;

    for (uint32_t id = 0; id < BIU_MARK_IDS; id++) {
        if (is_common(streams, count, id) &&
            (!is_found || streams[0]->times[id] < streams[0]->times[*ret_id])) {
            *ret_id = (uint16_t) id;
            is_found = true;
        }
    }
    return is_found;
}

void BiuFirstsFinish(BiuFirsts *firsts)
{
    free(firsts->times);
    firsts->times = NULL;
}
