/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions whose arguments are not known go on with every register and word of the stack as it
 * was: each is called with numbers in all of them. Run by tests/inject/test_trampolines.sh, for
 * each machine that the compilers and an emulator offer.
 */
#include "inject/ascend/board.h"
#include "inject/ascend/graphs.h"
#include "inject/ascend/range.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Result {
    uint64_t first;
    uint64_t second;
} Result;

/* More integers than registers have room for: the last 14 or 16 are on the stack. */
#define INTEGERS(X)                                                                                \
    X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10), X(11), X(12), X(13), X(14), \
        X(15), X(16), X(17), X(18), X(19), X(20), X(21)
#define FLOATS(X) X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7)
#define INTEGER_PARAMETER(n) uint64_t i##n
#define FLOAT_PARAMETER(n) double d##n
#define NAME_INTEGER(n) i##n
#define NAME_FLOAT(n) d##n
#define INTEGER_VALUE(n) UINT64_C(0x1234567800000000) + n
#define FLOAT_VALUE(n) 0.5 + n

typedef Result Function(INTEGERS(INTEGER_PARAMETER), FLOATS(FLOAT_PARAMETER));

static int depth, inner_depth, held, received;
static char reported[200];

__attribute__((noinline)) static Result receive(INTEGERS(INTEGER_PARAMETER),
                                                FLOATS(FLOAT_PARAMETER))
{
    const uint64_t integers[] = { INTEGERS(NAME_INTEGER) }, wanted[] = { INTEGERS(INTEGER_VALUE) };
    const double floats[] = { FLOATS(NAME_FLOAT) }, wanted_floats[] = { FLOATS(FLOAT_VALUE) };

    received += memcmp(integers, wanted, sizeof integers) == 0 &&
                memcmp(floats, wanted_floats, sizeof floats) == 0;
    inner_depth = depth;
    return (Result){ 0x1122334455667788, 0x99aabbccddeeff00 };
}

/* ---- what the library has around it ---- */

void *OriginalFind(const char *name)
{
    (void) name;
    return (void *) receive;
}

int OriginalNameLength(const char *name)
{
    return (int) strlen(name);
}

int *CallDepth(void)
{
    return &depth;
}

void Unprofiled(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(reported, sizeof reported, format, list);
    va_end(list);
}

void GraphSpoil(const char *why, bool hides_kernels)
{
    (void) why;
    (void) hides_kernels;
}

void RangeTouch(AbiStream touched)
{
    (void) touched;
}

bool WatchHold(void)
{
    held++;
    return true;
}

void WatchLetGo(bool is_held)
{
    held -= is_held;
}

/* ---- the test ---- */

/* By the name that the linker knows, with more arguments than the function's declaration has. */
#define TRY(name)                                                                                  \
    do {                                                                                           \
        extern Function tried_##name __asm__(#name);                                               \
        Result result;                                                                             \
        received = inner_depth = 0;                                                                \
        result = tried_##name(INTEGERS(INTEGER_VALUE), FLOATS(FLOAT_VALUE));                       \
        if (received != 1 || inner_depth != 1 || depth != 0 || held != 0 ||                        \
            strstr(reported, "by " #name ", ") == NULL || result.first != 0x1122334455667788 ||    \
            result.second != 0x99aabbccddeeff00) {                                                 \
            printf("%s: received %d, depth %d, held %d, reported '%s'\n", #name, received,         \
                   inner_depth, held, reported);                                                   \
            return EXIT_FAILURE;                                                                   \
        }                                                                                          \
    } while (0)

int main(void)
{
    TRY(aclrtLaunchSIMTKernelWithArgsArrayImpl);
    TRY(aclrtLaunchSIMTKernelWithHostArgsImpl);
    TRY(rtFftsPlusTaskLaunch);
    TRY(rtFftsPlusTaskLaunchWithFlag);
    TRY(rtMultipleTaskInfoLaunch);
    TRY(rtMultipleTaskInfoLaunchWithFlag);
    TRY(rtsLaunchCpuKernel);
    TRY(rtStarsTaskLaunch);
    TRY(rtKernelLaunchEx);
    puts("all");
    return EXIT_SUCCESS;
}
