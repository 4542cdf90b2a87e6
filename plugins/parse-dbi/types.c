/* SPDX-License-Identifier: Apache-2.0 */
/* The table of this family. Tested by tests/plugins/parse-dbi/test_runs.sh. */
#include "types.h"

#include <opprof/plugin.h>

#include <stddef.h>

_Static_assert(sizeof(DbiTraffic) == 64, "no padding in DbiTraffic");

#define RECORD_TYPE(record, type_fields, ...)                                                      \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .size = sizeof(record),             \
        .fields = (type_fields), .field_count = OPPROF_COUNT(type_fields), __VA_ARGS__             \
    }

/* Where the results of a launch go. */
#define FOLDER_FIELDS(record)                                                                      \
    OPPROF_FIELD(record, device, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_HIDDEN,                \
                 .meaning = "First part of the results' folder.",                                  \
                 .absent = "it has no such part"),                                                 \
        OPPROF_FIELD(record, kernel, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_HIDDEN,            \
                     .meaning = "Second part of the results' folder.",                             \
                     .absent = "it has no such part"),                                             \
        OPPROF_FIELD(record, order, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_HIDDEN,             \
                     .meaning = "Third part of the results' folder.",                              \
                     .absent = "it has no such part")

static const OpprofField traffic_fields[] = {
    FOLDER_FIELDS(DbiTraffic),
    OPPROF_FIELD(DbiTraffic, block, OPPROF_FIELD_U32, .heading = "Block ID",
                 .flags = OPPROF_FIELD_KEY, .meaning = "Block."),
    OPPROF_FIELD(DbiTraffic, core, OPPROF_FIELD_STRING, .heading = "Sub Core",
                 .flags = OPPROF_FIELD_KEY,
                 .meaning = "Core of the block. cube0: its cube core; vector0: its first "
                            "vector core; vector1: its second one"),
    OPPROF_FIELD(
        DbiTraffic, from, OPPROF_FIELD_STRING, .heading = "Source", .flags = OPPROF_FIELD_KEY,
        .meaning =
            "Source memory. GM: of the device; L1: between GM and L0 in a cube core; L0A: left "
            "matrices; L0B: right matrices; L0C: products; UB: of a vector core; "
            "BT: biases; FB: parameters of the fixed pipe"),
    OPPROF_FIELD(DbiTraffic, to, OPPROF_FIELD_STRING, .heading = "Destination",
                 .flags = OPPROF_FIELD_KEY, .meaning = "Destination memory, as of the source."),
    OPPROF_FIELD(DbiTraffic, accesses, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,
                 .heading = "Accesses", .unit = "1", .meaning = "Accesses made by instructions."),
    OPPROF_FIELD(DbiTraffic, src_bytes, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,
                 .heading = "Bytes Read", .unit = "byte", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Bytes read at the source."),
    OPPROF_FIELD(DbiTraffic, dst_bytes, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,
                 .heading = "Bytes Written", .unit = "byte",
                 .meaning = "Bytes written at the destination."),
    OPPROF_FIELD(DbiTraffic, requests, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,
                 .heading = "Requests", .unit = "1",
                 .meaning = "Requests of the size of the chip's path.",
                 .absent = "the chip file has no such path"),
};

const OpprofRecordType dbi_traffic_type =
    RECORD_TYPE(DbiTraffic, traffic_fields, .name = "dbi.traffic",
                .summary = "What a core moved between two memories.", .flags = OPPROF_RECORD_TABLE,
                .title = "Traffic between memories, as instrumented",
                .file_hint = "<device>/<kernel>/<order>/MemoryTraffic");
