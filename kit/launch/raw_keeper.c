/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps records of unknown kinds, to be looked at. Tested by tests/e2e/raw_records.sh. */
#include <opprof/kit/raw_keeper.h>

#include <opprof/require.h>
#include <string.h>

void OpprofRawKeeperBegin(OpprofRawKeeper *keeper, OpprofStage *stage, uint32_t port,
                          uint32_t partition)
{
    OPPROF_REQUIRE("raw-keeper-given", keeper != NULL, "The keeper is given");
    OPPROF_REQUIRE("raw-keeper-stage", stage != NULL, "The stage is the one that create was given");
    *keeper = (OpprofRawKeeper){ .stage = stage,
                                 .port = port,
                                 .partition = partition,
                                 .is_wanted = OpprofStageHasReader(stage, port) };
}

void OpprofRawKeep(OpprofRawKeeper *keeper, uint32_t file, uint64_t offset, const void *bytes,
                   size_t size, const char *reason)
{
    OPPROF_REQUIRE("raw-keeper-given", keeper != NULL, "The keeper is given");
    OPPROF_REQUIRE("raw-keeper-bytes", (bytes != NULL || size == 0) && reason != NULL,
                   "The bytes are NULL only if their size is 0, and there is a reason");
    keeper->count++;
    if (!keeper->is_wanted || keeper->has_failed) {
        return;
    }
    OpprofRaw raw = { .offset = offset,
                      .file = file,
                      .reason = OpprofStageIntern(keeper->stage, reason, strlen(reason)) };
    OpprofStatus status =
        OpprofStageText(keeper->stage, keeper->port, keeper->partition, bytes, size, &raw.bytes);

    if (status == OPPROF_OK) {
        status = OpprofStageAppend(keeper->stage, keeper->port, keeper->partition, &raw);
    }
    keeper->has_failed = OpprofFailed(status);
}

void OpprofRawKeeperEnd(OpprofRawKeeper *keeper)
{
    OPPROF_REQUIRE("raw-keeper-given", keeper != NULL, "The keeper is given");
    if (keeper->stage != NULL && keeper->count > 0) {
        OpprofStageCount(keeper->stage, "records of unknown kinds", keeper->count);
    }
    if (keeper->has_failed) {
        OpprofStageIncomplete(keeper->stage,
                              "Cannot keep all records of unknown kinds: out of memory");
    }
    *keeper = (OpprofRawKeeper){ .stage = NULL };
}
