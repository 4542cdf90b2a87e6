/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any module that takes records, in a real run, fed with records that are of the right type and
 * otherwise as odd as possible: absent values, extremes, unknown names, texts that are not text,
 * times in disorder between ports. The first line of the input names the module; the bytes after it
 * choose ports, numbers of records and values. What the module gives goes to csv and trace, which
 * then are fed with odd records of the second hand. What comes out as JSON has to be JSON.
 */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_plugin.h"
#include "fuzz/quick_runs.h"

#include <dirent.h>
#include <jansson.h>
#include <opprof/opprof.h>
#include <opprof/records/activity.h>
#include <opprof/records/block.h>
#include <opprof/records/dbi.h>
#include <opprof/records/host.h>
#include <opprof/records/onboard.h>
#include <opprof/records/path.h>
#include <opprof/records/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PORTS_MAX 16u
#define RECORDS_MAX 64u
#define PUSHES_MAX 32u
#define TRACKS 4u
#define NAME_MOST 64u /* bytes of a name that the input holds */
#define CODE_BYTES 8192u

/* Records of every kind of field, as a module makes them whose columns depend on the data. */
typedef struct Row {
    uint64_t tick, wide, address;
    int64_t negative;
    double number;
    OpprofText text;
    uint32_t name, narrow, track;
    int32_t odd;
    int16_t small;
} Row;

static const OpprofField row_fields[] = {
    OPPROF_FIELD(Row, tick, OPPROF_FIELD_TICK, .unit = "tick"),
    OPPROF_FIELD(Row, wide, OPPROF_FIELD_U64),
    OPPROF_FIELD(Row, address, OPPROF_FIELD_HEX),
    OPPROF_FIELD(Row, negative, OPPROF_FIELD_I64),
    OPPROF_FIELD(Row, number, OPPROF_FIELD_F64, .decimals = 4),
    OPPROF_FIELD(Row, text, OPPROF_FIELD_TEXT),
    OPPROF_FIELD(Row, name, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(Row, narrow, OPPROF_FIELD_U32, .heading = "narrow, \"quoted\""),
    OPPROF_FIELD(Row, track, OPPROF_FIELD_TRACK),
    OPPROF_FIELD(Row, odd, OPPROF_FIELD_I32, .flags = OPPROF_FIELD_QUOTED),
    OPPROF_FIELD(Row, small, OPPROF_FIELD_I16),
};

static const OpprofRecordType row_type = {
    .struct_size = sizeof row_type,
    .version = 1,
    .name = "fuzz.row",
    .size = sizeof(Row),
    .fields = row_fields,
    .field_count = OPPROF_COUNT(row_fields),
    .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY,
};

static const OpprofRecordType *const known[] = {
    &opprof_span_type,           &opprof_counter_type,
    &opprof_advice_type,         &opprof_block_type,
    &opprof_dbi_pc_type,         &opprof_dbi_set_type,
    &opprof_dbi_access_type,     &opprof_dbi_move_type,
    &opprof_host_call_type,      &opprof_path_event_type,
    &opprof_onboard_chunk_type,  &opprof_pmu_launch_type,
    &opprof_pmu_counter_type,    &opprof_operator_view_type,
    &opprof_compute_view_type,   &opprof_storage_map_view_type,
    &opprof_storage_view_type,   &opprof_occupancy_view_type,
    &opprof_roofline_view_type,  &opprof_sim_instruction_type,
    &opprof_sim_issue_type,      &opprof_sim_mte_type,
    &opprof_sim_mark_type,       &opprof_sim_icache_miss_type,
    &opprof_sim_pc_details_type, &row_type,
};

/* Names that modules read, and some that none does. */
static const char *const names[] = {
    "core0",
    "core0.veccore0",
    "core0.cubecore0",
    "core1.veccore1",
    "trace",
    "core0/trace",
    "SCALAR",
    "VECTOR",
    "CUBE",
    "MTE1",
    "MTE2",
    "MTE3",
    "FIXP",
    "FLOWCTRL",
    "CACHEMISS",
    "ALL",
    "SET_FLAG",
    "WAIT_FLAG",
    "BAR",
    "MOV_OUT_TO_UB",
    "VADD",
    "LD_XD_XN_IMM",
    "mix",
    "cube",
    "vector",
    "Ascend910B1",
    "Ascend310P3",
    "Ascend950PR_9599",
    "default",
    "Roofline",
    "PipeUtilization",
    "Memory,Occupancy,Roofline",
    "computation",
    "communication",
    "memory",
    "kernel",
    "ProfilerStep#1",
    "nccl:all_reduce",
    "aten::mm",
    "cudaLaunchKernel",
    "duration.bin",
    "aicpu.bin",
    "op_basic_info.txt",
    "0",
    "1",
    "4096",
    "x\x1b[31m\x9b",
    "\xff\xfe",
    "=1+1",
    "a,\"b\"\r\n",
    "../../etc",
    "",
    OPPROF_ACTIVITY_WAITING,
    OPPROF_ACTIVITY_GAP,
    OPPROF_ACTIVITY_STATE,
    OPPROF_ACTIVITY_STEP,
    OPPROF_ACTIVITY_ARG_BANDWIDTH,
    OPPROF_ACTIVITY_ARG_BYTES,
    OPPROF_ACTIVITY_ARG_PEER,
    OPPROF_ACTIVITY_ARG_COLLECTIVE,
    OPPROF_ACTIVITY_ARG_CORRELATION,
    OPPROF_ACTIVITY_ARG_ENQUEUED,
    OPPROF_ACTIVITY_ARG_GROUP,
    OPPROF_ACTIVITY_ARG_GROUP_SIZE,
    OPPROF_ACTIVITY_ARG_IN_BYTES,
    OPPROF_ACTIVITY_ARG_LAUNCH_DURATION,
    OPPROF_ACTIVITY_ARG_LAUNCH_START,
    OPPROF_ACTIVITY_ARG_LAUNCHED,
    OPPROF_ACTIVITY_ARG_LAUNCHED_DURATION,
    OPPROF_ACTIVITY_ARG_OUT_BYTES,
    OPPROF_ACTIVITY_ARG_SEQUENCE,
    OPPROF_HOST_OPERATOR,
    OPPROF_HOST_ANNOTATION,
    OPPROF_HOST_MODULE,
    OPPROF_HOST_FRAME,
    OPPROF_PATH_CALL,
    OPPROF_PATH_WORK,
    OPPROF_PATH_WAIT,
    "1" OPPROF_ACTIVITY_CYCLE "2",
    "allreduce",
    "_allgather_base",
    "sendrecv",
    "Memcpy HtoD",
    "float16",
    "float32",
    "Cube",
    "Ascend910",
    "problem",
    "hint",
};

/* Bytes of the input, zeroes after its end. */
typedef struct Bytes {
    const uint8_t *at;
    const uint8_t *end;
} Bytes;

static uint8_t next_byte(Bytes *bytes)
{
    return bytes->at < bytes->end ? *bytes->at++ : 0;
}

static uint64_t next_number(Bytes *bytes)
{
    static const uint64_t odd[] = { UINT64_MAX,
                                    UINT64_MAX - 1,
                                    UINT32_MAX,
                                    UINT32_MAX - 1,
                                    INT64_MAX,
                                    UINT64_C(1) << 63,
                                    INT32_MAX,
                                    0x80000000u,
                                    1u << 20,
                                    UINT64_C(1) << 40,
                                    1000000,
                                    1000,
                                    UINT64_C(1) << 53,
                                    0xffff,
                                    0x8000,
                                    4096 };
    const uint8_t how = next_byte(bytes);
    uint64_t number = 0;

    if (how < 0xd0) {
        return how;
    }
    if (how < 0xf0) {
        return odd[how % OPPROF_COUNT(odd)];
    }
    for (unsigned i = 0; i < 8; i++) {
        number = number << 8 | next_byte(bytes);
    }
    return number;
}

static double next_double(Bytes *bytes)
{
    const uint8_t how = bytes->at < bytes->end ? *bytes->at : 0;
    const uint64_t bits = next_number(bytes);
    double value;

    if (how == 0xd0) {
        return OpprofNaF64();
    }
    if (how < 0xe0) {
        return (double) bits / 8;
    }
    memcpy(&value, &bits, sizeof value); /* infinities, other NaNs, tiny ones */
    return value;
}

/* The collector before the module; one run at a time. */
static struct Source {
    OpprofPlugin plugin;
    OpprofPort ports[PORTS_MAX];
    char port_names[PORTS_MAX][16];
    Bytes bytes;
    uint64_t times[PORTS_MAX]; /* so that times of a port are in order */
} source;

typedef struct Instance {
    OpprofStage *stage;
    uint32_t tracks[TRACKS];
    uint32_t clock;
} Instance;

static OpprofStatus source_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Instance *self = calloc(1, sizeof *self);

    (void) error;
    FUZZ_REQUIRE(self != NULL);
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus source_start(void *context, OpprofError **error)
{
    static const OpprofClock clock = { .name = "odd", .hz = 1000000000 };
    static const OpprofTrack tracks[TRACKS] = {
        { .document = "trace", .process = "core0.veccore0", .thread = "SCALAR" },
        { .document = "trace", .process = "7", .thread = "7\"\x1b", .thread_name = "\xff" },
        { .document = "core0/trace", .process = "core0" },
        { .document = "trace", .process = "0", .thread = "0", .process_sort = -1 },
    };
    Instance *self = context;

    (void) error;
    for (unsigned i = 0; i < TRACKS; i++) {
        self->tracks[i] = OpprofStageTrack(self->stage, &tracks[i]);
    }
    self->clock = OpprofStageClock(self->stage, &clock);
    return OPPROF_OK;
}

/* A name of the list, one that the input holds, or none. */
static uint32_t next_name(const Instance *self)
{
    const uint8_t which = next_byte(&source.bytes);
    const char *name = names[which % OPPROF_COUNT(names)];
    char own[NAME_MOST];

    if (which == 0xfe) {
        const size_t length = next_byte(&source.bytes) % sizeof own;

        for (size_t i = 0; i < length; i++) {
            const char character = (char) next_byte(&source.bytes);

            own[i] =
                (char) (character == '\0' ? ' ' : character); /* jansson reads no key with a NUL */
        }
        return OpprofStageIntern(self->stage, own, length);
    }
    return which == 0xff ? OPPROF_NA_STRING : OpprofStageIntern(self->stage, name, strlen(name));
}

static OpprofText next_text(OpprofBatch *batch)
{
    const uint8_t how = next_byte(&source.bytes);
    OpprofText text = { .offset = OPPROF_NA_U32 };
    char room[256];

    if (how == 0xff) {
        return text;
    }
    for (unsigned i = 0; i < how; i++) {
        room[i] = (char) next_byte(&source.bytes);
    }
    FUZZ_REQUIRE(OpprofBatchAppendText(batch, room, how, &text) == OPPROF_OK);
    return text;
}

static const OpprofField *tick_of(const OpprofRecordType *type, const char *name)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind == OPPROF_FIELD_TICK &&
            (name == NULL || strcmp(type->fields[i].name, name) == 0)) {
            return &type->fields[i];
        }
    }
    return NULL;
}

/* The field that says where a record stands: its end, or its first time. Others are durations and
 * the like. */
static const OpprofField *place_of(const OpprofRecordType *type)
{
    const OpprofField *end = tick_of(type, "end");

    return end == NULL ? tick_of(type, NULL) : end;
}

static uint64_t next_place(uint32_t port)
{
    const uint64_t number = next_number(&source.bytes);

    source.times[port] +=
        number < 256 || source.times[port] < UINT64_C(1) << 40 ? number % (UINT64_C(1) << 50) : 1;
    return source.times[port];
}

static void fill_field(const Instance *self, uint32_t port, OpprofBatch *batch, char *record,
                       const OpprofField *field)
{
    static const size_t sizes[] = {
        [OPPROF_FIELD_U32] = 4, [OPPROF_FIELD_I32] = 4, [OPPROF_FIELD_U64] = 8,
        [OPPROF_FIELD_I64] = 8, [OPPROF_FIELD_HEX] = 8, [OPPROF_FIELD_I16] = 2,
    };
    char *at = record + field->offset;
    uint64_t number;
    uint32_t id;
    double real;
    OpprofText text;

    switch ((OpprofFieldKind) field->kind) {
    case OPPROF_FIELD_F64:
        real = next_double(&source.bytes);
        memcpy(at, &real, sizeof real);
        break;
    case OPPROF_FIELD_STRING:
        id = next_name(self);
        memcpy(at, &id, sizeof id);
        break;
    case OPPROF_FIELD_TRACK:
        id = next_byte(&source.bytes);
        id = id == 0xff ? OPPROF_NA_U32 : self->tracks[id % TRACKS];
        memcpy(at, &id, sizeof id);
        break;
    case OPPROF_FIELD_TEXT:
        text = next_text(batch);
        memcpy(at, &text, sizeof text);
        break;
    case OPPROF_FIELD_TICK:
        number = field == place_of(batch->type) ? next_place(port) : next_number(&source.bytes);
        memcpy(at, &number, sizeof number);
        break;
    case OPPROF_FIELD_U32:
    case OPPROF_FIELD_I32:
    case OPPROF_FIELD_U64:
    case OPPROF_FIELD_I64:
    case OPPROF_FIELD_HEX:
    case OPPROF_FIELD_I16:
    default:
        number = next_number(&source.bytes);
        memcpy(at, &number, sizes[field->kind]); /* the low bytes come first */
    }
}

/* A span says how many arguments its text has, and of what kind it is. */
static void mend_span(const Instance *self, OpprofBatch *batch, OpprofSpan *span)
{
    OpprofArg args[3] = { { 0 } };

    span->kind = span->kind % OPPROF_SPAN_FLOW_END + 1;
    span->arg_count %= 4;
    for (uint32_t i = 0; i < span->arg_count; i++) {
        args[i].key = next_name(self);
        args[i].kind = next_byte(&source.bytes) % OPPROF_ARG_F64 + 1;
        args[i].value.u64 = next_number(&source.bytes);
        if (args[i].kind == OPPROF_ARG_TEXT) {
            args[i].value.text = next_text(batch);
        } else if (args[i].kind == OPPROF_ARG_STRING) {
            args[i].value.u64 = next_name(self);
        }
    }
    FUZZ_REQUIRE(OpprofBatchAppendText(batch, (const char *) args, span->arg_count * sizeof *args,
                                       &span->args) == OPPROF_OK);
}

/* Records with an end start before it: the number is the duration. */
static void mend_start(const OpprofRecordType *type, char *record)
{
    const OpprofField *start = tick_of(type, "start");
    const OpprofField *end = tick_of(type, "end");
    uint64_t from, to;

    if (start != NULL && end != NULL) {
        memcpy(&from, record + start->offset, sizeof from);
        memcpy(&to, record + end->offset, sizeof to);
        from = from < to ? to - from : 0;
        memcpy(record + start->offset, &from, sizeof from);
    }
}

/* A module shows each address of a function, up to a million: those of a few
 * pages are enough here. */
static void mend_block(OpprofDbiBlockCount *block)
{
    block->start %= CODE_BYTES;
    block->end %= CODE_BYTES; /* it may lie before the start */
}

static void fill_batch(const Instance *self, uint32_t port, OpprofBatch *batch)
{
    const OpprofRecordType *type = batch->type;
    uint32_t count = next_byte(&source.bytes) % RECORDS_MAX + 1;

    batch->partition = next_name(self);
    const uint8_t how = next_byte(&source.bytes);
    batch->clock = how == 0xff ? 0 : self->clock;
    batch->watermark = how == 0xfe ? UINT64_MAX : batch->watermark; /* the partition's last one */
    for (char *record; count > 0 && (record = OpprofBatchAppend(batch)) != NULL; count--) {
        memset(record, 0, type->size);
        for (uint32_t i = 0; i < type->field_count; i++) {
            fill_field(self, port, batch, record, &type->fields[i]);
        }
        mend_start(type, record);
        if (type == &opprof_span_type) {
            mend_span(self, batch, (OpprofSpan *) (void *) record);
        } else if (strcmp(type->name, opprof_dbi_block_type.name) == 0) {
            mend_block((OpprofDbiBlockCount *) (void *) record);
        }
    }
}

static OpprofStatus source_process(void *context, uint32_t none, const OpprofBatch *nothing,
                                   OpprofError **error)
{
    const Instance *self = context;

    (void) none;
    (void) nothing;
    (void) error;
    for (unsigned i = 0; i < PUSHES_MAX && source.bytes.at < source.bytes.end; i++) {
        const uint32_t port = next_byte(&source.bytes) % source.plugin.output_count;
        OpprofBatch *batch = OpprofStageNewBatch(self->stage, port);

        FUZZ_REQUIRE(batch != NULL);
        fill_batch(self, port, batch);
        if (OpprofStagePush(self->stage, port, batch) != OPPROF_OK) {
            return OPPROF_CLOSED;
        }
    }
    return OPPROF_END;
}

static const OpprofRecordType *type_of(const OpprofPort *port)
{
    if (port->record_type != NULL) {
        return port->record_type;
    }
    for (size_t i = 0; i < OPPROF_COUNT(known); i++) {
        if (port->type != NULL && strcmp(known[i]->name, port->type) == 0) {
            return known[i];
        }
    }
    return &row_type;
}

/* A collector with a port for each input of the module. */
static void make_source(const OpprofPlugin *module)
{
    static const OpprofPluginOps ops = { .struct_size = sizeof ops,
                                         .create = source_create,
                                         .start = source_start,
                                         .process = source_process,
                                         .destroy = free };

    memset(&source, 0, sizeof source);
    for (uint32_t i = 0; i < module->input_count && i < PORTS_MAX; i++) {
        snprintf(source.port_names[i], sizeof source.port_names[i], "out-%u", i);
        source.ports[i] = (OpprofPort){ .name = source.port_names[i],
                                        .record_type = type_of(&module->inputs[i]),
                                        .batch_records = RECORDS_MAX,
                                        .order = module->inputs[i].order,
                                        .summary = "Odd records." };
        source.plugin.output_count++;
    }
    source.plugin.struct_size = sizeof source.plugin;
    source.plugin.abi_major = OPPROF_ABI_MAJOR;
    source.plugin.abi_minor = OPPROF_ABI_MINOR;
    source.plugin.name = "odd";
    source.plugin.version = "1.0";
    source.plugin.license = "Apache-2.0";
    source.plugin.summary = "Odd records.";
    source.plugin.kind = OPPROF_COLLECTOR;
    source.plugin.outputs = source.ports;
    source.plugin.ops = &ops;
}

static void look_at_result(const char *path)
{
    const size_t length = strlen(path);

    if (length > 5 && strcmp(path + length - 5, ".json") == 0) {
        json_t *document = json_load_file(path, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);

        FUZZ_REQUIRE(document != NULL);
        json_decref(document);
    }
    unlink(path);
}

static void clear(const char *directory)
{
    struct dirent *entry;
    DIR *entries = opendir(directory);

    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char path[1024];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (entry->d_type == DT_DIR) {
            clear(path);
        } else {
            look_at_result(path);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    rmdir(directory);
}

static void link_ports(OpprofPipeline *pipeline, const OpprofPlugin *module)
{
    for (uint32_t i = 0; i < source.plugin.output_count; i++) {
        char from[64], to[64];

        snprintf(from, sizeof from, "odd.%s", source.port_names[i]);
        snprintf(to, sizeof to, "module.%s", module->inputs[i].name);
        FUZZ_REQUIRE(OpprofPipelineLink(pipeline, from, to, NULL) == OPPROF_OK);
    }
}

static bool gives(const OpprofPlugin *module, const char *type)
{
    for (uint32_t i = 0; i < module->output_count; i++) {
        if (module->outputs[i].record_type != NULL &&
            strcmp(module->outputs[i].record_type->name, type) == 0) {
            return true;
        }
    }
    return false;
}

static void add(OpprofPipeline *pipeline, const char *name)
{
    const OpprofPlugin *plugin = FuzzPlugin(name, FUZZ_MODULE_PATH);

    FUZZ_REQUIRE(plugin != NULL);
    AddPluginDescriptor(pipeline, name, plugin, NULL, NULL);
}

static void try_module(OpprofPipeline *pipeline, const OpprofPlugin *module, Bytes bytes)
{
    char directory[FUZZ_DIRECTORY_BYTES];
    OpprofRunReport report = { 0 };
    OpprofError *error = NULL;

    make_source(module);
    source.bytes = bytes;
    FUZZ_REQUIRE(AddPluginDescriptor(pipeline, "odd", &source.plugin, NULL, NULL) == OPPROF_OK);
    /* A module with required parameters is not tried. */
    if (AddPluginDescriptor(pipeline, "module", module, NULL, NULL) == OPPROF_OK) {
        link_ports(pipeline, module);
        if (module->output_count > 0) {
            add(pipeline, "csv");
        }
        if (gives(module, "span")) {
            add(pipeline, "trace");
        }
        FuzzMakeDirectory(directory);
        FUZZ_REQUIRE(OpprofPipelineSetOutput(pipeline, directory, true, NULL) == OPPROF_OK);
        RunAllPlugins(pipeline, &report, &error);
        clear(directory);
    }
    OpprofErrorDestroy(error);
    OpprofRunReportFinish(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *line_end = memchr(data, '\n', size < 40 ? size : 40);
    OpprofPipeline *pipeline;
    char name[40] = "";

    if (line_end == NULL) {
        return 0;
    }
    memcpy(name, data, (size_t) (line_end - data));
    setenv("OPPROF_CHIP_PATH", FUZZ_CHIPS_DIR, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    const OpprofPlugin *module = FuzzPlugin(name, FUZZ_MODULE_PATH);
    if (module == NULL || module->input_count == 0) {
        return 0;
    }
    pipeline = OpprofPipelineCreate();
    FUZZ_REQUIRE(pipeline != NULL);
    try_module(pipeline, module, (Bytes){ line_end + 1, data + size });
    OpprofPipelineDestroy(pipeline);
    return 0;
}
