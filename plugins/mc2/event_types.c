/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record types between the parsers and their timelines. Tested by
 * tests/plugins/mc2/test_vectors.sh and tests/plugins/mc2/test_streams.sh.
 */
#include "biu_event.h"
#include "event.h"

#include <opprof/plugin.h>
#include <stddef.h>

#define ABSENT "only some kinds have it"
#define MC2(member, kind, unit, meaning, absent)                                                   \
    OPPROF_RECORD_FIELD(Mc2Event, member, kind, 0, unit, meaning, absent)
#define BIU(member, kind, unit, meaning, absent)                                                   \
    OPPROF_RECORD_FIELD(BiuEvent, member, kind, 0, unit, meaning, absent)

static const OpprofField mc2_fields[] = {
    MC2(start, TICK, "tick", "Start.", NULL),
    MC2(end, TICK, "tick", "End.", NULL),
    MC2(kind, U32, NULL, "What happened, as a number.", NULL),
    MC2(name, STRING, NULL, "Its name.", NULL),
    MC2(lane, STRING, NULL, "Core that it happened on.", ABSENT),
    MC2(number, U32, NULL, "Stream, plane or turn.", ABSENT),
    MC2(block, U32, NULL, "Block.", ABSENT),
    MC2(stream, U32, NULL, "Stream.", ABSENT),
    MC2(task, U32, NULL, "Task.", ABSENT),
    MC2(item, HEX, NULL, "Number of the mark or of the task's name.", ABSENT),
    MC2(pc, HEX, NULL, "Address of the mark.", ABSENT),
    MC2(bytes, U64, "byte", "Bytes moved.", ABSENT),
    MC2(notify, U64, NULL, "Number of the notice.", ABSENT),
    MC2(estimated_us, F64, "us", "Duration that was expected.", ABSENT),
    MC2(local_rank, U32, NULL, "Number of this rank.", ABSENT),
    MC2(remote_rank, U32, NULL, "Number of the other rank.", ABSENT),
    MC2(transport, U32, NULL, "How bytes are moved, as a number.", ABSENT),
    MC2(data_type, U32, NULL, "Type of the data, as a number.", ABSENT),
    MC2(link, U32, NULL, "Kind of link, as a number.", ABSENT),
    MC2(device, STRING, NULL, "Part of the results' folder.", "there is one device"),
    MC2(kernel, STRING, NULL, "The same.", "there is one launch"),
    MC2(order, STRING, NULL, "The same.", "there is one launch"),
};

const OpprofRecordType mc2_event_type = OPPROF_RECORD_TYPE(
    Mc2Event, 1, "mc2.event",
    "Something that happened on the cores, the AI CPU or the streams of a launch.", 0, mc2_fields,
    NULL, NULL);

static const OpprofField biu_fields[] = {
    BIU(start, TICK, "tick", "Start.", NULL),
    BIU(end, TICK, "tick", "End.", NULL),
    BIU(kind, U32, NULL, "What happened, as a number.", NULL),
    BIU(unit, STRING, NULL, "Core.", NULL),
    BIU(pipe, STRING, NULL, "Pipe.", NULL),
    BIU(name, STRING, NULL, "Its name.", NULL),
    BIU(payload, U32, NULL, "Number of the mark, or value.", NULL),
    BIU(block, U32, NULL, "Block.", "no stamp was there"),
    BIU(group, U32, NULL, "Group of cores.", NULL),
    BIU(type, U32, NULL, "Kind of core.", NULL),
    BIU(pc, HEX, NULL, "Address of the instruction.", "it is not known"),
    BIU(source, U32, NULL, "Which kind of file it came from, as a number.", NULL),
    BIU(pipe_number, U32, NULL, "Number of the pipe.", NULL),
    BIU(colour, STRING, NULL, "Colour name of the viewer.", "the viewer chooses"),
    BIU(source_device, U32, NULL, "Device in the file's name.", "the name has none"),
    BIU(is_cut, U32, NULL, "1: it was still open at the end.", NULL),
    BIU(device, STRING, NULL, "Part of the results' folder.", "there is one device"),
    BIU(kernel, STRING, NULL, "The same.", "there is one launch"),
    BIU(order, STRING, NULL, "The same.", "there is one launch"),
};

const OpprofRecordType biu_event_type =
    OPPROF_RECORD_TYPE(BiuEvent, 1, "biu.event", "Activity of a pipe of a core, or a mark on it.",
                       0, biu_fields, NULL, NULL);
