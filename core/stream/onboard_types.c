/* SPDX-License-Identifier: Apache-2.0 */
#include <opprof/onboard.h>
#include <opprof/plugin.h>

#include <stddef.h>

#define RECORD_TYPE(record, type_fields, ...)                                                      \
    { .struct_size = sizeof(RecordType), .version = 1, .size = sizeof(record),                     \
      .fields = (type_fields), .field_count = OPPROF_COUNT(type_fields), __VA_ARGS__ }

_Static_assert(sizeof(OnboardChunk) == 40, "no padding in OnboardChunk");
_Static_assert(sizeof(PmuKey) == 48, "no padding in PmuKey");
_Static_assert(sizeof(PmuMove) == 32, "no padding in PmuMove");
_Static_assert(sizeof(PmuOperand) == 40, "no padding in PmuOperand");
_Static_assert(sizeof(PmuLaunch) == 152, "no padding in PmuLaunch");
_Static_assert(sizeof(PmuCounter) == 40, "no padding in PmuCounter");
_Static_assert(sizeof(OnboardCell) == 56, "no padding in OnboardCell");
_Static_assert(sizeof(OnboardAdvice) == 24, "no padding in OnboardAdvice");

/* Where the results of a launch go. */
#define FOLDER_FIELDS(record)                                                                      \
    OPPROF_FIELD(record, device, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_HIDDEN,                \
                 .meaning = "First part of the results' folder.", .absent = "it has no such part"), \
        OPPROF_FIELD(record, kernel, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_HIDDEN,            \
                     .meaning = "Second part of the results' folder.",                             \
                     .absent = "it has no such part"),                                             \
        OPPROF_FIELD(record, order, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_HIDDEN,             \
                     .meaning = "Third part of the results' folder.",                              \
                     .absent = "it has no such part")

#define IN_BLOB(record, member, what, why_absent)                                                  \
    OPPROF_FIELD(record, member, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_HIDDEN,                  \
                 .meaning = (what), .absent = (why_absent))

#define AS_WRITTEN(member, what)                                                                   \
    OPPROF_FIELD(PmuLaunch, member, OPPROF_FIELD_STRING, .meaning = (what),                        \
                 .absent = "the data does not tell")

static const OpprofField chunk_fields[] = {
    OPPROF_FIELD(OnboardChunk, offset, OPPROF_FIELD_U64, .unit = "byte",
                 .meaning = "Where in the file the piece begins."),
    OPPROF_FIELD(OnboardChunk, file_size, OPPROF_FIELD_U64, .unit = "byte",
                 .meaning = "Size of the file."),
    OPPROF_FIELD(OnboardChunk, file, OPPROF_FIELD_STRING, .meaning = "Name of the file.",
                 .absent = "the launch ends here"),
    FOLDER_FIELDS(OnboardChunk),
    IN_BLOB(OnboardChunk, bytes, "The piece.", "the launch ends here"),
};

static const OpprofField launch_fields[] = {
    OPPROF_FIELD(PmuLaunch, duration_us, OPPROF_FIELD_F64, .unit = "us", .meaning = "Task duration.",
                 .absent = "no start or no end of the task was logged"),
    OPPROF_FIELD(PmuLaunch, freq_mhz, OPPROF_FIELD_F64, .unit = "MHz",
                 .meaning = "Clock of the cores while the operator ran.", .absent = "nobody knows"),
    OPPROF_FIELD(PmuLaunch, rated_mhz, OPPROF_FIELD_F64, .unit = "MHz",
                 .meaning = "Rated clock of the cores.", .absent = "nobody knows"),
    OPPROF_FIELD(PmuLaunch, l2_evict, OPPROF_FIELD_U64, .unit = "1",
                 .meaning = "Dirty lines that the L2 cache wrote back.",
                 .absent = "the counter was not collected"),
    FOLDER_FIELDS(PmuLaunch),
    OPPROF_FIELD(PmuLaunch, chip, OPPROF_FIELD_STRING, .meaning = "SoC whose facts apply."),
    OPPROF_FIELD(PmuLaunch, variant, OPPROF_FIELD_STRING, .meaning = "Memory vendor."),
    OPPROF_FIELD(PmuLaunch, groups, OPPROF_FIELD_STRING, .meaning = "Metric groups asked for."),
    OPPROF_FIELD(PmuLaunch, views, OPPROF_FIELD_STRING, .meaning = "Additional views asked for."),
    OPPROF_FIELD(PmuLaunch, flags, OPPROF_FIELD_U32,
                 .meaning = "1 mix, 2 KernelScale, 4 MemoryDetail, 8 SIMT, 16 one key."),
    AS_WRITTEN(name, "Operator."),
    OPPROF_FIELD(PmuLaunch, op_type, OPPROF_FIELD_STRING, .meaning = "Which kinds of cores ran."),
    AS_WRITTEN(soc, "SoC as the data names it."),
    AS_WRITTEN(device_id, "Device as the data names it."),
    AS_WRITTEN(pid, "Process as the data names it."),
    AS_WRITTEN(block_dim, "Number of blocks as the data names it."),
    AS_WRITTEN(cur_freq, "Clock while it ran as the data names it."),
    AS_WRITTEN(rated_freq, "Rated clock as the data names it."),
    OPPROF_FIELD(PmuLaunch, cores, OPPROF_FIELD_U32, .unit = "1", .meaning = "AI cores of the device."),
    OPPROF_FIELD(PmuLaunch, block_count, OPPROF_FIELD_U32, .unit = "1",
                 .meaning = "Different blocks that left counters."),
    OPPROF_FIELD(PmuLaunch, launched, OPPROF_FIELD_U32, .unit = "1",
                 .meaning = "Number of blocks launched.", .absent = "the data does not tell"),
    IN_BLOB(PmuLaunch, keys, "PmuKey array.", "no core left a record"),
    IN_BLOB(PmuLaunch, events, "Events of the columns of `values`.", "no event was counted"),
    IN_BLOB(PmuLaunch, values, "Counters: a row for each key.", "no event was counted"),
    IN_BLOB(PmuLaunch, moves, "PmuMove array.", "nothing was instrumented"),
    IN_BLOB(PmuLaunch, operands, "PmuOperand array.", "no operands were recorded"),
};

static const OpprofField counter_fields[] = {
    FOLDER_FIELDS(PmuCounter),
    OPPROF_FIELD(PmuCounter, block, OPPROF_FIELD_U32, .meaning = "Block id."),
    OPPROF_FIELD(PmuCounter, key, OPPROF_FIELD_STRING, .meaning = "Kind of core and sub block.",
                 .absent = "the chip tells no blocks apart"),
    OPPROF_FIELD(PmuCounter, event, OPPROF_FIELD_U32, .meaning = "Event id."),
    OPPROF_FIELD(PmuCounter, event_name, OPPROF_FIELD_STRING, .meaning = "Name of the event."),
    OPPROF_FIELD(PmuCounter, value, OPPROF_FIELD_U64, .unit = "1", .meaning = "The counter."),
    OPPROF_FIELD(PmuCounter, round, OPPROF_FIELD_U32, .meaning = "Replay that counted it, from 1."),
};

static const OpprofField cell_fields[] = {
    FOLDER_FIELDS(OnboardCell),
    OPPROF_FIELD(OnboardCell, group, OPPROF_FIELD_STRING, .meaning = "Block or core.",
                 .absent = "it is about the whole operator", .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(OnboardCell, table, OPPROF_FIELD_STRING, .meaning = "Table.",
                 .absent = "it is a fact of the group", .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(OnboardCell, row, OPPROF_FIELD_STRING, .meaning = "Row.",
                 .absent = "the table has one row", .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(OnboardCell, column, OPPROF_FIELD_STRING, .meaning = "Column.",
                 .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(OnboardCell, integer, OPPROF_FIELD_U64, .meaning = "Value, if it is an integer.",
                 .absent = "the value is none or not available"),
    OPPROF_FIELD(OnboardCell, real, OPPROF_FIELD_F64, .meaning = "Value, if it is a real.",
                 .absent = "the value is none or not available"),
    OPPROF_FIELD(OnboardCell, text, OPPROF_FIELD_TEXT, .meaning = "Value, if it is a text.",
                 .absent = "the value is none or not available"),
    OPPROF_FIELD(OnboardCell, unit, OPPROF_FIELD_STRING, .meaning = "Unit of the value.",
                 .absent = "it has none"),
};

static const OpprofField advice_fields[] = {
    OPPROF_FIELD(OnboardAdvice, sentence, OPPROF_FIELD_TEXT, .meaning = "What is advised."),
    FOLDER_FIELDS(OnboardAdvice),
};

/* Views are tables that a viewer shows; as files of their own they would say nothing new. */
#define VIEW_TYPE(type_name, text, heading)                                                        \
    RECORD_TYPE(OnboardCell, cell_fields, .name = (type_name), .summary = (text),                  \
                .flags = OPPROF_RECORD_TABLE, .title = (heading), .file_hint = "")

const RecordType opprof_onboard_chunk_type = RECORD_TYPE(
    OnboardChunk, chunk_fields, .name = "onboard.chunk", .summary = "A piece of a raw file of a launch.");

const RecordType opprof_pmu_launch_type =
    RECORD_TYPE(PmuLaunch, launch_fields, .name = "pmu.launch",
                .summary = "What one launch left behind, merged over its replays.");

const RecordType opprof_pmu_counter_type =
    RECORD_TYPE(PmuCounter, counter_fields, .name = "pmu.counter", .summary = "One counter of a launch.");

const RecordType opprof_operator_view_type =
    VIEW_TYPE("view.operator", "What ran, where, and how long.", "Operator");

const RecordType opprof_compute_view_type =
    VIEW_TYPE("view.compute-load", "How busy the compute units of each block were.", "Compute load");

const RecordType opprof_storage_map_view_type =
    VIEW_TYPE("view.storage-map", "Traffic on each path of a block.", "Memory heat map");

const RecordType opprof_storage_view_type =
    VIEW_TYPE("view.storage", "Traffic tables of each block.", "Memory tables");

const RecordType opprof_occupancy_view_type =
    VIEW_TYPE("view.occupancy", "Load of the cores, compared with one another.", "Inter-core load");

const RecordType opprof_roofline_view_type =
    VIEW_TYPE("view.roofline", "Distance from the chip's bounds.", "Roofline");

const RecordType opprof_onboard_advice_type =
    RECORD_TYPE(OnboardAdvice, advice_fields, .name = "onboard.advice",
                .summary = "What the views of a launch advise.", .flags = OPPROF_RECORD_SUMMARY,
                .title = "Advice", .file_hint = "<device>/<kernel>/<order>/advice");
