/* SPDX-License-Identifier: Apache-2.0 */
/* Names of status codes. Tested by tests/core/base/test_error. */
#include <opprof/status.h>
#include <opprof/version.h>

const char *OpprofStatusName(OpprofStatus status)
{
    switch (status) {
    case OPPROF_OK:
        return "ok";
    case OPPROF_END:
        return "end";
    case OPPROF_AGAIN:
        return "again";
    case OPPROF_CLOSED:
        return "closed";
    case OPPROF_E_ARGUMENT:
        return "bad argument";
    case OPPROF_E_MEMORY:
        return "out of memory";
    case OPPROF_E_IO:
        return "input or output failed";
    case OPPROF_E_DATA:
        return "bad data";
    case OPPROF_E_NOT_FOUND:
        return "not found";
    case OPPROF_E_LOAD:
        return "plugin not loaded";
    case OPPROF_E_ABI:
        return "other plugin ABI";
    case OPPROF_E_LIMIT:
        return "limit passed";
    case OPPROF_E_CONTRACT:
        return "contract broken";
    case OPPROF_E_CRASH:
        return "crashed";
    }
    return "unknown status";
}

const char *OpprofVersion(void)
{
    return OPPROF_VERSION;
}
