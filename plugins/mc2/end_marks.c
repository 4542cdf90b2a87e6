/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises the marks at a kernel's end. Tested by tests/plugins/mc2/test_words.c. */
#include "end_marks.h"

static const uint16_t sequence[END_MARK_COUNT] = { 0xd88, 0xd99, 0xdaa, 0xdbb,
                                                   0xdcc, 0xddd, 0xdee, 0xdff };

static bool is_element(uint32_t id)
{
    for (uint32_t i = 0; i < END_MARK_COUNT; i++) {
        if (sequence[i] == id) {
            return true;
        }
    }
    return false;
}

void EndMarksTake(EndMarks *end, uint32_t id, uint64_t events)
{
    if (EndMarksComplete(end) && is_element(id)) {
        return;
    }
    if (id == sequence[0]) {
        end->start = events;
        end->next = 1;
        return;
    }
    end->next = end->next > 0 && end->next < END_MARK_COUNT && id == sequence[end->next]
                    ? end->next + 1
                    : 0;
}
