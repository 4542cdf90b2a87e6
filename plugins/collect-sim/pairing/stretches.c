/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects that a log lost a part in its middle.
 * Tested by tests/plugins/collect-sim/test_stretches.c.
 */
#include "stretches.h"

static uint32_t add(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* Each two neighbours become one. */
static void halve(Stretches *stretches)
{
    for (uint32_t i = 0; i < STRETCHES; i++) {
        const Stretch none = { .is_there = { false } };
        const Stretch *a = i < STRETCHES / 2 ? &stretches->list[2 * i] : &none;
        const Stretch *b = i < STRETCHES / 2 ? &stretches->list[2 * i + 1] : &none;
        Stretch both = none;

        for (int log = 0; log < STRETCH_LOGS; log++) {
            both.instructions[log] = add(a->instructions[log], b->instructions[log]);
            both.is_there[log] = a->is_there[log] || b->is_there[log];
        }
        stretches->list[i] = both;
    }
    stretches->shift++;
}

void StretchesFold(Stretches *stretches, uint64_t since)
{
    while (since >> stretches->shift >= STRETCHES) {
        halve(stretches);
    }
}

bool StretchesLack(const Stretches *stretches, StretchLog log, uint64_t most, uint64_t *ret_from,
                   uint64_t *ret_until)
{
    const StretchLog other = log == STRETCH_POPPED ? STRETCH_INSTR : STRETCH_POPPED;
    uint64_t instructions = 0;
    uint32_t from = 0;

    for (uint32_t i = 0; i <= STRETCHES; i++) {
        if (i < STRETCHES && !stretches->list[i].is_there[log]) {
            instructions += stretches->list[i].instructions[other];
            continue;
        }
        if (instructions > most) {
            *ret_from = stretches->first + ((uint64_t) from << stretches->shift);
            *ret_until =
                i == STRETCHES ? UINT64_MAX : stretches->first + ((uint64_t) i << stretches->shift);
            return true;
        }
        instructions = 0;
        from = i + 1;
    }
    return false;
}
