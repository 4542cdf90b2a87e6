/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports what is wrong with a launch's records, with file and offset.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch_parts.h"

#include <opprof/text.h>

#include <inttypes.h>
#include <stdio.h>

static void report_overflow(const DbiLaunch *launch, const DbiFinding *finding)
{
    OPPROF_FILE_LACKS(&launch->base,
                      "at byte %" PRIu64 ": slot %u was full: %" PRIu64
                      " requests (records or settings) were lost while the kernel ran",
                      finding->offset, finding->slot, finding->lost);
}

void DbiLaunchReportFinding(void *context, const DbiFinding *finding)
{
    const DbiLaunch *launch = context;
    char lost[96] = "";
    char value[48] = "";
    char slot[32] = "";

    if (finding->problem == DBI_OVERFLOWED) {
        report_overflow(launch, finding);
        return;
    }
    if (finding->problem == DBI_BAD_MAGIC || finding->problem == DBI_UNKNOWN_TYPE ||
        finding->problem == DBI_OTHER_PACKET) {
        snprintf(value, sizeof value, " (0x%" PRIx32 ")", finding->value);
    }
    if (finding->slot != UINT32_MAX) {
        snprintf(slot, sizeof slot, "slot %u: ", finding->slot);
    }
    if (finding->lost > 0) {
        const bool is_bytes = finding->problem == DBI_UNCOUNTED || finding->problem == DBI_BEYOND;
        snprintf(lost, sizeof lost, "; %" PRIu64 " %s left out", finding->lost,
                 is_bytes ? OPPROF_PLURAL(finding->lost, "byte is", "bytes are")
                          : OPPROF_PLURAL(finding->lost, "record is", "records are"));
    }
    OPPROF_FILE_LACKS(&launch->base, "at byte %" PRIu64 ": %s%s%s%s", finding->offset, slot,
                      DbiProblemText(finding->problem), value, lost);
}

static void report_left_out(const DbiLaunch *launch, const DbiLeftOut *left_out, const char *why)
{
    if (left_out->count > 0) {
        OPPROF_FILE_LACKS(&launch->base, "at byte %" PRIu64 ": %s; %" PRIu64 " such %s left out",
                          left_out->first, why, left_out->count,
                          OPPROF_PLURAL(left_out->count, "record is", "records are"));
    }
}

/* Every kernel moves something, so without any record the records were not saved. */
static void report_no_record(const DbiLaunch *launch)
{
    if (launch->taken == 0 && launch->base.file.is_whole) {
        OPPROF_FILE_LACKS(&launch->base, "holds no record in its %" PRIu64 " bytes",
                          launch->base.file.size);
    }
}

void DbiLaunchReportLeftOut(DbiLaunch *launch)
{
    const DbiLeftOut none = { 0, 0 };

    report_no_record(launch);
    report_left_out(launch, &launch->invalid, "no instruction can have such parameters");
    report_left_out(launch, &launch->implausible,
                    "a record claims more accesses than any instruction makes");
    report_left_out(launch, &launch->nowhere, "a record names a memory that does not exist");
    report_left_out(launch, &launch->beyond, "a record is of a slot that does not exist");
    if (launch->rough.count > 0) {
        OPPROF_LAUNCH_WARNS(&launch->base,
                            "'%s': %" PRIu64
                            " %s not say where all of the data is: bytes are exact, "
                            "addresses approximate",
                            launch->base.file.name, launch->rough.count,
                            OPPROF_PLURAL(launch->rough.count, "record does", "records do"));
    }
    if (launch->without_pc > 0) {
        OPPROF_LAUNCH_WARNS(&launch->base,
                            "'%s': %" PRIu64 " records of nested loops carry no PC: they count "
                            "for blocks and buffers, not for instructions",
                            launch->base.file.name, launch->without_pc);
    }
    if (launch->is_mixed_up) {
        OPPROF_LAUNCH_WARNS(&launch->base,
                            "the slots of '%s' are not in order, using the file's order",
                            launch->base.file.name);
    }
    launch->invalid = launch->implausible = launch->nowhere = launch->beyond = none;
    launch->rough = none;
    launch->without_pc = 0;
    launch->is_mixed_up = false;
}
