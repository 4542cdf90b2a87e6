/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions missing in a driver or a runtime, and what is lost without each: reported once, when
 * the first launch of a process is to be profiled. Tested by tests/refchip/test_missing.sh.
 */
#include "inject/ascend/board.h"

typedef struct Lack {
    const char *library;
    const char *names[2]; /* either will do */
    const char *lost;
} Lack;

static const Lack lacks[] = {
    { "libascend_hal.so",
      { "halGetDeviceInfo" },
      "the rated clock and the chip's version are unknown" },
    { "libascend_hal.so", { "halGetDeviceInfoByBuff" }, "the current clock is unknown" },
    { "libascend_hal.so", { "halGetAPIVersion" }, "the driver is taken for an old one" },
    { "libascend_hal.so",
      { "drvMemGetAttribute" },
      "memory that was allocated by other means is not recognised, and not put back" },
    { "libprofapi.so",
      { "profSetProfCommand" },
      "layers above the runtime do not know that they are profiled" },
    { "libruntime.so",
      { "aclrtSynchronizeStreamWithTimeoutImpl", "rtStreamSynchronizeWithTimeout" },
      "no launch can be waited for, so none is profiled" },
    { "libruntime.so",
      { "aclrtSynchronizeDeviceWithTimeoutImpl", "rtDeviceSynchronizeWithTimeout" },
      "before a launch only its own stream is waited for" },
    { "libruntime.so",
      { "aclrtStreamAbortImpl", "rtStreamAbort" },
      "a launch that does not end cannot be ended" },
};

void MissingReport(void)
{
    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++) {
        const Lack *lack = &lacks[i];
        const bool has_two = lack->names[1] != NULL;

        if (DriverFind(lack->names[0]) == NULL &&
            (!has_two || DriverFind(lack->names[1]) == NULL)) {
            Note(0, OPPROF_LIVE_WARNING, "%s has no %s%s%s: %s", lack->library, lack->names[0],
                 has_two ? " and no " : "", has_two ? lack->names[1] : "", lack->lost);
        }
    }
}
