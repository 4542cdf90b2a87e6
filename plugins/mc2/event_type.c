/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record type between the parser and the timeline.
 * Tested by tests/plugins/mc2/test_vectors.sh.
 */
#include "event.h"

#include <opprof/plugin.h>
#include <stddef.h>

#define ABSENT "only some kinds have it"
#define FIELD(member, kind, unit, meaning, absent)                                                 \
    OPPROF_RECORD_FIELD(Mc2Event, member, kind, 0, unit, meaning, absent)

static const OpprofField fields[] = {
    FIELD(start, TICK, "tick", "Start.", NULL),
    FIELD(end, TICK, "tick", "End.", NULL),
    FIELD(kind, U32, NULL, "What happened, as a number.", NULL),
    FIELD(name, STRING, NULL, "Its name.", NULL),
    FIELD(lane, STRING, NULL, "Core that it happened on.", ABSENT),
    FIELD(number, U32, NULL, "Stream, plane or turn.", ABSENT),
    FIELD(block, U32, NULL, "Block.", ABSENT),
    FIELD(stream, U32, NULL, "Stream.", ABSENT),
    FIELD(task, U32, NULL, "Task.", ABSENT),
    FIELD(item, HEX, NULL, "Number of the mark or of the task's name.", ABSENT),
    FIELD(pc, HEX, NULL, "Address of the mark.", ABSENT),
    FIELD(bytes, U64, "byte", "Bytes moved.", ABSENT),
    FIELD(notify, U64, NULL, "Number of the notice.", ABSENT),
    FIELD(estimated_us, F64, "us", "Duration that was expected.", ABSENT),
    FIELD(local_rank, U32, NULL, "Rank of this card.", ABSENT),
    FIELD(remote_rank, U32, NULL, "Rank of the other card.", ABSENT),
    FIELD(transport, U32, NULL, "How bytes are moved, as a number.", ABSENT),
    FIELD(data_type, U32, NULL, "Type of the data, as a number.", ABSENT),
    FIELD(link, U32, NULL, "Kind of link, as a number.", ABSENT),
    FIELD(device, STRING, NULL, "Part of the results' folder.", "there is one device"),
    FIELD(kernel, STRING, NULL, "The same.", "there is one launch"),
    FIELD(order, STRING, NULL, "The same.", "there is one launch"),
};

const OpprofRecordType mc2_event_type = OPPROF_RECORD_TYPE(
    Mc2Event, 1, "mc2.event",
    "Something that happened on the cores, the AI CPU or the streams of a launch.", 0, fields, NULL,
    NULL);
