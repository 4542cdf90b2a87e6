/* SPDX-License-Identifier: Apache-2.0 */
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <opprof/sim.h>

#include <stddef.h>

/* The built-in record types. The field tables are what `csv`, `--tap` and --inspect show. */

#define RECORD_TYPE(record, type_fields, ...)                                                      \
    {                                                                                              \
        .struct_size = sizeof(RecordType), .version = 1, .size = sizeof(record),                   \
        .fields = (type_fields), .field_count = OPPROF_COUNT(type_fields), __VA_ARGS__             \
    }

_Static_assert(sizeof(OpprofSpan) == 64, "no padding in OpprofSpan");
_Static_assert(sizeof(OpprofCounter) == 32, "no padding in OpprofCounter");
_Static_assert(sizeof(OpprofAdvice) == 16, "no padding in OpprofAdvice");
_Static_assert(sizeof(OpprofBlock) == 56, "no padding in OpprofBlock");
_Static_assert(sizeof(SimInstruction) == 80, "no padding in SimInstruction");
_Static_assert(sizeof(SimIssue) == 48, "no padding in SimIssue");
_Static_assert(sizeof(SimMte) == 48, "no padding in SimMte");
_Static_assert(sizeof(SimMark) == 56, "no padding in SimMark");
_Static_assert(sizeof(SimIcacheMiss) == 40, "no padding in SimIcacheMiss");
_Static_assert(sizeof(SimPcDetails) == 56, "no padding in SimPcDetails");

static const OpprofField span_fields[] = {
    OPPROF_FIELD(OpprofSpan, start, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "Start of the span, or the moment of a mark."),
    OPPROF_FIELD(OpprofSpan, duration, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "How long a slice lasts; 0 for all other kinds."),
    OPPROF_FIELD(OpprofSpan, track, OPPROF_FIELD_TRACK,
                 .meaning = "Line of the timeline that the span is on."),
    OPPROF_FIELD(OpprofSpan, kind, OPPROF_FIELD_U32,
                 .meaning = "1 slice, 2 begin, 3 end, 4 mark, 5 flow start, 6 flow end."),
    OPPROF_FIELD(OpprofSpan, name, OPPROF_FIELD_STRING, .meaning = "What is written on the span."),
    OPPROF_FIELD(OpprofSpan, category, OPPROF_FIELD_STRING,
                 .meaning = "Group of names to filter by.", .absent = "the span has no category"),
    OPPROF_FIELD(OpprofSpan, colour, OPPROF_FIELD_STRING, .meaning = "Colour name of the viewer.",
                 .absent = "the viewer chooses"),
    OPPROF_FIELD(OpprofSpan, arg_count, OPPROF_FIELD_U32, .unit = "1",
                 .meaning = "Number of arguments."),
    OPPROF_FIELD(OpprofSpan, args, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_HIDDEN,
                 .meaning = "The arguments, an array of OpprofArg.",
                 .absent = "the span has no arguments"),
    OPPROF_FIELD(OpprofSpan, id, OPPROF_FIELD_TEXT,
                 .meaning = "Pairs begin with end and flow start with flow end in one document.",
                 .absent = "the span has no partner"),
    OPPROF_FIELD(OpprofSpan, group, OPPROF_FIELD_TEXT,
                 .meaning = "Ties slices that belong together.",
                 .absent = "the span belongs to no group"),
};

static const OpprofField counter_fields[] = {
    OPPROF_FIELD(OpprofCounter, time, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "When the value begins to hold."),
    OPPROF_FIELD(OpprofCounter, value, OPPROF_FIELD_F64, .meaning = "Value from this time on.",
                 .absent = "nothing was measured from this time on"),
    OPPROF_FIELD(OpprofCounter, track, OPPROF_FIELD_TRACK,
                 .meaning = "Process of the timeline that the curve is under."),
    OPPROF_FIELD(OpprofCounter, name, OPPROF_FIELD_STRING, .meaning = "Name of the curve."),
    OPPROF_FIELD(OpprofCounter, series, OPPROF_FIELD_STRING,
                 .meaning = "Name of the series in the curve, with its unit."),
};

static const OpprofField advice_fields[] = {
    OPPROF_FIELD(OpprofAdvice, topic, OPPROF_FIELD_STRING,
                 .meaning = "Analysis or view that the sentence belongs to."),
    OPPROF_FIELD(OpprofAdvice, severity, OPPROF_FIELD_U32, .meaning = "0 note, 1 hint, 2 problem."),
    OPPROF_FIELD(OpprofAdvice, text, OPPROF_FIELD_TEXT, .meaning = "The sentence."),
};

static const OpprofField block_fields[] = {
    OPPROF_FIELD(OpprofBlock, block_type, OPPROF_FIELD_U32,
                 .meaning = "Type byte of the block in the container, 1 to 15."),
    OPPROF_FIELD(OpprofBlock, version, OPPROF_FIELD_U32,
                 .meaning = "Version byte: 0x5a, or 0 for instructions."),
    OPPROF_FIELD(OpprofBlock, path, OPPROF_FIELD_TEXT, .meaning = "Path of the source file.",
                 .absent = "the block is not a source file"),
    OPPROF_FIELD(OpprofBlock, bytes, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_HIDDEN,
                 .meaning = "The content.", .absent = "the content is in a file"),
    OPPROF_FIELD(OpprofBlock, file, OPPROF_FIELD_TEXT,
                 .meaning = "Absolute path of the finished file with the content.",
                 .absent = "the content is in the record"),
    OPPROF_FIELD(OpprofBlock, file_offset, OPPROF_FIELD_U64, .unit = "byte",
                 .meaning = "First byte of the content in the file."),
    OPPROF_FIELD(OpprofBlock, file_length, OPPROF_FIELD_U64, .unit = "byte",
                 .meaning = "Length of the content in the file."),
    OPPROF_FIELD(OpprofBlock, folder, OPPROF_FIELD_STRING,
                 .meaning = "Folder of the output directory that the block is for.",
                 .absent = "it is for the output directory itself"),
};

static const OpprofField instruction_fields[] = {
    OPPROF_FIELD(SimInstruction, pc, OPPROF_FIELD_HEX, .meaning = "Address of the instruction."),
    OPPROF_FIELD(SimInstruction, id, OPPROF_FIELD_U64,
                 .meaning = "Instruction id of the simulator.",
                 .absent = "the chip's logs print no instruction ids"),
    OPPROF_FIELD(SimInstruction, start, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "Cycle of issue."),
    OPPROF_FIELD(SimInstruction, end, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "Cycle of retirement, at least start."),
    OPPROF_FIELD(SimInstruction, core, OPPROF_FIELD_STRING, .meaning = "Logical core."),
    OPPROF_FIELD(SimInstruction, pipe, OPPROF_FIELD_STRING, .meaning = "Normalised pipe name."),
    OPPROF_FIELD(SimInstruction, name, OPPROF_FIELD_STRING,
                 .meaning = "Mnemonic, may be the empty text."),
    OPPROF_FIELD(SimInstruction, warp, OPPROF_FIELD_I16, .meaning = "SIMT warp, 0 to 99.",
                 .absent = "not executed by a warp"),
    OPPROF_FIELD(SimInstruction, scheduler, OPPROF_FIELD_I16, .meaning = "SIMT scheduler, 0 to 3.",
                 .absent = "not executed by a warp"),
    OPPROF_FIELD(SimInstruction, sequence, OPPROF_FIELD_U64,
                 .meaning = "Place in the core's issue log, from 0; breaks ties of issue order."),
    OPPROF_FIELD(SimInstruction, detail, OPPROF_FIELD_TEXT, .meaning = "Operands without blanks."),
    OPPROF_FIELD(SimInstruction, cache_cycles, OPPROF_FIELD_U32, .unit = "cycle",
                 .meaning = "From fetch to issue by the control unit.",
                 .absent = "fetch and issue were not looked for, or the logs tell none"),
    OPPROF_FIELD(SimInstruction, ccu_cycles, OPPROF_FIELD_U32, .unit = "cycle",
                 .meaning = "From issue by the control unit to start.",
                 .absent = "fetch and issue were not looked for, or the logs tell none"),
    OPPROF_FIELD(SimInstruction, dialect, OPPROF_FIELD_STRING,
                 .meaning = "How the chip's simulator prints operands.",
                 .absent = "the chip's file does not say"),
};

static const OpprofField issue_fields[] = {
    OPPROF_FIELD(SimIssue, pc, OPPROF_FIELD_HEX, .meaning = "Address of the instruction."),
    OPPROF_FIELD(SimIssue, start, OPPROF_FIELD_TICK, .unit = "tick", .meaning = "Cycle of issue."),
    OPPROF_FIELD(SimIssue, sequence, OPPROF_FIELD_U64,
                 .meaning = "Place in the core's issue log, from 0; breaks ties of issue order."),
    OPPROF_FIELD(SimIssue, core, OPPROF_FIELD_STRING, .meaning = "Logical core."),
    OPPROF_FIELD(SimIssue, name, OPPROF_FIELD_STRING, .meaning = "Mnemonic, may be the empty text."),
    OPPROF_FIELD(SimIssue, dialect, OPPROF_FIELD_STRING,
                 .meaning = "How the chip's simulator prints operands.",
                 .absent = "the chip's file does not say"),
    OPPROF_FIELD(SimIssue, detail, OPPROF_FIELD_TEXT, .meaning = "Operands without blanks."),
};

static const OpprofField mte_fields[] = {
    OPPROF_FIELD(SimMte, tick, OPPROF_FIELD_TICK, .unit = "tick", .meaning = "Cycle in which it happened."),
    OPPROF_FIELD(SimMte, instruction_id, OPPROF_FIELD_U64,
                 .meaning = "Instruction that the request belongs to."),
    OPPROF_FIELD(SimMte, request_id, OPPROF_FIELD_U64, .meaning = "Request of the instruction.",
                 .absent = "the line prints none"),
    OPPROF_FIELD(SimMte, size, OPPROF_FIELD_U64, .unit = "byte", .meaning = "Size of the request.",
                 .absent = "the line prints none"),
    OPPROF_FIELD(SimMte, core, OPPROF_FIELD_U32, .meaning = "Number of the physical core."),
    OPPROF_FIELD(SimMte, unit, OPPROF_FIELD_STRING, .meaning = "Memory that the interface is of."),
    OPPROF_FIELD(SimMte, is_write, OPPROF_FIELD_U32,
                 .meaning = "1: the interface writes into the memory, 0: it reads from it."),
};

static const OpprofField mark_fields[] = {
    OPPROF_FIELD(SimMark, pc, OPPROF_FIELD_HEX, .meaning = "Address of the start instruction."),
    OPPROF_FIELD(SimMark, end_pc, OPPROF_FIELD_HEX, .meaning = "Address of the stop instruction."),
    OPPROF_FIELD(SimMark, start, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "Cycle in which the range starts."),
    OPPROF_FIELD(SimMark, end, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "Cycle in which the range stops."),
    OPPROF_FIELD(SimMark, core, OPPROF_FIELD_STRING, .meaning = "Logical core."),
    OPPROF_FIELD(SimMark, name, OPPROF_FIELD_STRING, .meaning = "Name of the range."),
    OPPROF_FIELD(SimMark, digit, OPPROF_FIELD_U32, .meaning = "Number of the range, 0 to 9."),
    OPPROF_FIELD(SimMark, detail, OPPROF_FIELD_TEXT,
                 .meaning = "Operands of the start instruction without blanks."),
};

static const OpprofField icache_miss_fields[] = {
    OPPROF_FIELD(SimIcacheMiss, pc, OPPROF_FIELD_HEX, .meaning = "Address that missed."),
    OPPROF_FIELD(SimIcacheMiss, tick, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "Cycle of the miss."),
    OPPROF_FIELD(SimIcacheMiss, core, OPPROF_FIELD_STRING, .meaning = "Logical core."),
    OPPROF_FIELD(SimIcacheMiss, address, OPPROF_FIELD_TEXT, .meaning = "The address as printed."),
    OPPROF_FIELD(SimIcacheMiss, detail, OPPROF_FIELD_TEXT,
                 .meaning = "Rest of the line without blanks."),
};

static const OpprofField pc_details_fields[] = {
    OPPROF_FIELD(SimPcDetails, core, OPPROF_FIELD_STRING, .meaning = "Logical core.",
                 .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(SimPcDetails, pc, OPPROF_FIELD_HEX, .meaning = "Address of the instruction.",
                 .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(SimPcDetails, gpr_count, OPPROF_FIELD_I32, .unit = "1",
                 .meaning = "Most registers that were live.", .absent = "not counted"),
    OPPROF_FIELD(SimPcDetails, process_bytes, OPPROF_FIELD_I64, .unit = "byte",
                 .meaning = "Bytes moved to or from memory by all executions.",
                 .absent = "the instruction moves nothing, or its operands do not tell"),
    OPPROF_FIELD(SimPcDetails, vector_utilization, OPPROF_FIELD_F64, .unit = "%",
                 .meaning = "Share of the vector unit in use, the least of all executions.",
                 .absent = "not a vector instruction, or its operands do not tell"),
    OPPROF_FIELD(SimPcDetails, ub_read_conflict, OPPROF_FIELD_I32, .unit = "1",
                 .meaning = "Bank conflicts of reads, the most of all executions.",
                 .absent = "not a vector instruction, or its operands do not tell"),
    OPPROF_FIELD(SimPcDetails, ub_write_conflict, OPPROF_FIELD_I32, .unit = "1",
                 .meaning = "Bank conflicts of writes, the most of all executions.",
                 .absent = "not a vector instruction, or its operands do not tell"),
    OPPROF_FIELD(SimPcDetails, icache_cycles, OPPROF_FIELD_I64, .unit = "tick",
                 .meaning = "Cycles from fetch to issue of all executions.",
                 .absent = "the logs do not tell fetch and issue"),
    OPPROF_FIELD(SimPcDetails, ccu_cycles, OPPROF_FIELD_I64, .unit = "tick",
                 .meaning = "Cycles from issue to start of all executions.",
                 .absent = "the logs do not tell fetch and issue"),
};

const RecordType opprof_span_type =
    RECORD_TYPE(OpprofSpan, span_fields, .name = "span", .summary = "A piece of a timeline.");

const RecordType opprof_counter_type = RECORD_TYPE(OpprofCounter, counter_fields, .name = "counter",
                                                   .summary = "A sample of a curve.");

const RecordType opprof_advice_type =
    RECORD_TYPE(OpprofAdvice, advice_fields, .name = "advice",
                .summary = "A sentence for the operator's developer.");

const RecordType opprof_block_type =
    RECORD_TYPE(OpprofBlock, block_fields, .name = "insight.block",
                .summary = "A finished part of the viewer's container.");

const RecordType opprof_tables_type = {
    .struct_size = sizeof(RecordType),
    .version = 1,
    .name = "tables",
    .summary = "Tables whose types are made during the run.",
    .size = 8,
    .flags = OPPROF_RECORD_TABLE,
};

const RecordType opprof_sim_instruction_type =
    RECORD_TYPE(SimInstruction, instruction_fields, .name = "sim.instruction",
                .summary = "One executed instruction of a simulated core.");

const RecordType opprof_sim_issue_type =
    RECORD_TYPE(SimIssue, issue_fields, .name = "sim.issue",
                .summary = "One issued instruction of a simulated core, in issue order.");

const RecordType opprof_sim_mte_type =
    RECORD_TYPE(SimMte, mte_fields, .name = "sim.mte",
                .summary = "An event of a request on a memory interface of a simulated core.");

const RecordType opprof_sim_mark_type =
    RECORD_TYPE(SimMark, mark_fields, .name = "sim.mark",
                .summary = "A range that the kernel's author marked.");

const RecordType opprof_sim_icache_miss_type =
    RECORD_TYPE(SimIcacheMiss, icache_miss_fields, .name = "sim.icache-miss",
                .summary = "One miss of a simulated instruction cache.");

const RecordType opprof_sim_pc_details_type =
    RECORD_TYPE(SimPcDetails, pc_details_fields, .name = "sim.pc-details",
                .summary = "What is known of one address of a simulated core besides its times.");
