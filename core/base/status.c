/* SPDX-License-Identifier: Apache-2.0 */
/* Names of status codes. Tested by tests/core/base/test_error. */
#include <opprof/status.h>
#include <opprof/version.h>

#include <stddef.h>

static const char *const names[] = {
    [OPPROF_OK] = "ok",
    [OPPROF_END] = "end",
    [OPPROF_AGAIN] = "again",
    [OPPROF_CLOSED] = "closed",
    [OPPROF_E_ARGUMENT] = "bad argument",
    [OPPROF_E_MEMORY] = "out of memory",
    [OPPROF_E_IO] = "input or output failed",
    [OPPROF_E_DATA] = "bad data",
    [OPPROF_E_NOT_FOUND] = "not found",
    [OPPROF_E_LOAD] = "plugin not loaded",
    [OPPROF_E_ABI] = "other plugin ABI",
    [OPPROF_E_LIMIT] = "limit passed",
    [OPPROF_E_CONTRACT] = "contract broken",
    [OPPROF_E_CRASH] = "crashed",
};

const char *OpprofStatusName(OpprofStatus status)
{
    const size_t at = (size_t) status;
    const char *name = at < sizeof names / sizeof names[0] ? names[at] : NULL;

    return name != NULL ? name : "unknown status";
}

const char *OpprofVersion(void)
{
    return OPPROF_VERSION;
}
