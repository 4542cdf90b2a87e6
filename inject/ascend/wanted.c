/* SPDX-License-Identifier: Apache-2.0 */
/* Whether launches of a thread count, and those that pass by. Tested by
 * tests/refchip/test_injection.sh. */
#include "inject/ascend/ascend.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

bool LaunchIsWanted(void)
{
    WatchPrepare();
    return LinkIsWanted() && WatchMayWant() && WatchWelcome() != NULL &&
           ((WatchWelcome()->flags & OPPROF_LIVE_WANT_MSTX) == 0 ||
            MstxIsOpen(WatchWelcome()->mstx_include) || WatchIsRecording());
}

uint32_t *LaunchesSeen(void)
{
    static _Thread_local uint32_t seen __attribute__((tls_model("initial-exec")));

    return &seen;
}

void Unprofiled(const char *format, ...)
{
    const int saved_errno = errno;
    char text[400];
    va_list list;

    (*LaunchesSeen())++;
    if (LaunchIsWanted()) {
        va_start(list, format);
        vsnprintf(text, sizeof text, format, list);
        va_end(list);
        Note(0, OPPROF_LIVE_UNPROFILED, "%s", text);
    }
    errno = saved_errno;
}
