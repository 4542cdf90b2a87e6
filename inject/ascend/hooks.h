/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_HOOKS_H
#define INJECT_ASCEND_HOOKS_H

/* Shared by the files of functions that precede those of the runtime. */

#include "inject/ascend/board.h"
#include "inject/ascend/range.h"
#include <errno.h>

/* Call the original function; if no library has it, return the error of its family. */
#define CALL(name, missing, ...) (ORIGINAL(name) == NULL ? (missing) : ORIGINAL(name)(__VA_ARGS__))
#define CALL_RT(name, ...) CALL(name, RT_ERROR_RESERVED, __VA_ARGS__)
#define CALL_ACL(name, ...) CALL(name, ACL_ERROR_INTERNAL, __VA_ARGS__)

/* Calls of the program itself, while they may matter. */
static inline bool HookIsOuter(void)
{
    return *CallDepth() == 0 && LinkIsWanted();
}

/* Make an outer call with inner ones masked. */
#define MASKED(result, expression)                                                                 \
    do {                                                                                           \
        (*CallDepth())++;                                                                          \
        result = expression;                                                                       \
        (*CallDepth())--;                                                                          \
    } while (0)

/* A call that loads or finds a kernel, and what is noted of it if it succeeds. */
#define LOAD(expression, note)                                                                     \
    do {                                                                                           \
        AbiError error_;                                                                           \
        int saved_errno_;                                                                          \
        MASKED(error_, expression);                                                                \
        saved_errno_ = errno;                                                                      \
        if (error_ == 0 && HookIsOuter()) {                                                        \
            note;                                                                                  \
        }                                                                                          \
        errno = saved_errno_;                                                                      \
        return error_;                                                                             \
    } while (0)

/* A call that must not meet a launch which is repeated. */
#define HELD(result, expression)                                                                   \
    do {                                                                                           \
        RangeTouch(NULL);                                                                          \
        const bool is_held_ = WatchHold();                                                         \
        MASKED(result, expression);                                                                \
        WatchLetGo(is_held_);                                                                      \
    } while (0)

/* Make a launch as often as its profiling needs, and once as the program means it. */
#define LAUNCH(launch, expression)                                                                 \
    do {                                                                                           \
        AbiError error_ = 0;                                                                       \
        LaunchBegin(&launch);                                                                      \
        while (LaunchRepeats(&launch)) {                                                           \
            MASKED(error_, launch.is_replaced ? InstrumentLaunch(&launch) : (expression));         \
            LaunchRepeated(&launch, error_);                                                       \
        }                                                                                          \
        LaunchSettle(&launch);                                                                     \
        if (!launch.is_suppressed) {                                                               \
            MASKED(error_, expression);                                                            \
        }                                                                                          \
        return LaunchEnd(&launch, error_);                                                         \
    } while (0)

/* The arguments of a launch by rt*. */
static inline void HookNoteArgs(Launch *launch, const rtArgsEx_t *args)
{
    if (args != NULL) {
        launch->rt_args = args;
        launch->args = args->args;
        launch->args_size = args->argsSize;
        launch->has_device_args = args->isNoNeedH2DCopy != 0;
    }
}

#endif
