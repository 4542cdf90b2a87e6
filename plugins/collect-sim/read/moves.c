/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects that the log of memory transfer engines lost a part.
 * Tested by tests/plugins/collect-sim/test_damage.sh.
 */
#include "moves.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LINES STRETCH_POPPED
#define INSTRUCTIONS STRETCH_INSTR

Moves *MovesCreate(uint32_t readings)
{
    Moves *moves = calloc(1, sizeof *moves);

    if (moves != NULL) {
        pthread_mutex_init(&moves->lock, NULL);
        moves->left = readings;
        moves->stretches.has_first = true; /* whichever comes first, both begin at tick 0 */
    }
    return moves;
}

void MovesDestroy(Moves *moves)
{
    if (moves != NULL) {
        pthread_mutex_destroy(&moves->lock);
        free(moves);
    }
}

/* The first number of a line that 64 bits hold. */
static bool read_tick(const char *line, size_t length, uint64_t *ret_tick)
{
    size_t at = 0;

    *ret_tick = 0;
    while (at < length && !isdigit((unsigned char) line[at])) {
        at++;
    }
    if (at == length) {
        return false;
    }
    for (; at < length && isdigit((unsigned char) line[at]); at++) {
        if (__builtin_mul_overflow(*ret_tick, 10u, ret_tick) ||
            __builtin_add_overflow(*ret_tick, (unsigned) (line[at] - '0'), ret_tick)) {
            return false;
        }
    }
    return true;
}

void MovesSeeLines(Moves *moves, const char *lines, size_t length)
{
    const char *const end = lines + length;
    uint64_t tick;

    pthread_mutex_lock(&moves->lock);
    while (lines < end) {
        const char *after = memchr(lines, '\n', (size_t) (end - lines));

        after = after == NULL ? end : after;
        if (read_tick(lines, (size_t) (after - lines), &tick)) {
            StretchesSee(&moves->stretches, LINES, tick);
        }
        lines = after + 1;
    }
    pthread_mutex_unlock(&moves->lock);
}

void MovesSee(Moves *moves, uint64_t tick)
{
    pthread_mutex_lock(&moves->lock);
    StretchesAdd(&moves->stretches, INSTRUCTIONS, tick, ++moves->moves);
    pthread_mutex_unlock(&moves->lock);
}

bool MovesEnd(Moves *moves, uint64_t *ret_from, uint64_t *ret_until)
{
    bool lacks = false;

    pthread_mutex_lock(&moves->lock);
    moves->left--;
    if (moves->left == 0) {
        lacks = StretchesLack(&moves->stretches, LINES, MOVES_IN_FLIGHT, ret_from, ret_until);
    }
    pthread_mutex_unlock(&moves->lock);
    return lacks;
}
