/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record type between the parser of pipe activity and its timeline.
 * Tested by tests/plugins/mc2/test_streams.sh.
 */
#include "biu_event.h"

#include <opprof/plugin.h>
#include <stddef.h>

#define FIELD(member, kind, unit, meaning, absent)                                                 \
    OPPROF_RECORD_FIELD(BiuEvent, member, kind, 0, unit, meaning, absent)

static const OpprofField fields[] = {
    FIELD(start, TICK, "tick", "Start.", NULL),
    FIELD(end, TICK, "tick", "End.", NULL),
    FIELD(kind, U32, NULL, "What happened, as a number.", NULL),
    FIELD(unit, STRING, NULL, "Core.", NULL),
    FIELD(pipe, STRING, NULL, "Pipe.", NULL),
    FIELD(name, STRING, NULL, "Its name.", NULL),
    FIELD(payload, U32, NULL, "Number of the mark, or value.", NULL),
    FIELD(block, U32, NULL, "Block.", "no stamp was there"),
    FIELD(group, U32, NULL, "Group of cores.", NULL),
    FIELD(type, U32, NULL, "Kind of core.", NULL),
    FIELD(pc, HEX, NULL, "Address of the instruction.", "it is not known"),
    FIELD(source, U32, NULL, "Which kind of file it came from, as a number.", NULL),
    FIELD(pipe_number, U32, NULL, "Number of the pipe.", NULL),
    FIELD(colour, STRING, NULL, "Colour name of the viewer.", "the viewer chooses"),
    FIELD(source_device, U32, NULL, "Device in the file's name.", "the name has none"),
    FIELD(is_cut, U32, NULL, "1: it was still open at the end.", NULL),
    FIELD(device, STRING, NULL, "Part of the results' folder.", "there is one device"),
    FIELD(kernel, STRING, NULL, "The same.", "there is one launch"),
    FIELD(order, STRING, NULL, "The same.", "there is one launch"),
};

const OpprofRecordType biu_event_type =
    OPPROF_RECORD_TYPE(BiuEvent, 1, "biu.event", "Activity of a pipe of a core, or a mark on it.",
                       0, fields, NULL, NULL);
