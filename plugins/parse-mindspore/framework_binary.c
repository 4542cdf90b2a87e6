/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The framework's tables of generation B, and counts of operations by the AI cores' PMU.
 * Tested by tests/plugins/collect-mindspore/test_raw.sh.
 */
#include "parse-mindspore/codes.h"
#include "parse-mindspore/device.h"

#include <inttypes.h>
#include <opprof/kit/bytes.h>
#include <stdio.h>
#include <string.h>

#define TABLE_BYTES 256u
#define TABLE_MAGIC 0x5a5au
#define TENSORS 5u
#define TENSOR_BYTES 44u
#define AXES 8u

/* ---- tasks ---- */

/* A name as text, or as a hash of one: of `size` bytes after the first eight. OPPROF_NA_STRING: a
 * hash without a name. False without memory. */
static bool read_name(const Device *device, const unsigned char *at, size_t size, uint32_t *ret_id)
{
    if (at[0] == 0) {
        const uint32_t id = OpprofMapFind(&device->tasks.hashes, OpprofLoadLe64(at + 8));

        *ret_id = id == OPPROF_MAP_NONE ? OPPROF_NA_STRING : id;
        return true;
    }
    *ret_id = DeviceIntern(device, (const char *) at + 8, strnlen((const char *) at + 8, size));
    return *ret_id != OPPROF_NA_STRING;
}

static uint32_t name_by_numbers(const Device *device, uint32_t stream, uint64_t task)
{
    char name[48];

    snprintf(name, sizeof name, "%" PRIu32 "_%" PRIu64, stream, task);
    return DeviceIntern(device, name, strlen(name));
}

static bool add_task(Device *device, Log *log, const unsigned char *record)
{
    const uint32_t stream = OpprofLoadLe32(record + 228);
    const uint32_t task = OpprofLoadLe32(record + 232);
    uint32_t name, type, place;

    if (!read_name(device, record + 8, 120, &name) || !read_name(device, record + 136, 56, &type)) {
        return false;
    }
    if (name == OPPROF_NA_STRING) {
        LogNote(log, &log->nameless, 1);
        name = name_by_numbers(device, stream, task);
    }
    place = name == OPPROF_NA_STRING ? OPPROF_MAP_NONE : TasksOperation(&device->tasks, name);
    if (place == OPPROF_MAP_NONE || !TasksAdd(&device->tasks, stream, task, place)) {
        return false;
    }
    Operation *operation = &device->tasks.operations[place];
    operation->type = type;
    operation->block_dim = OpprofLoadLe32(record + 220);
    operation->stream = stream;
    return true;
}

static OpprofStatus take_tasks(Device *device, Log *log, const unsigned char *records, size_t count)
{
    device->tasks.generation = 'B';
    for (size_t i = 0; i < count; i++) {
        const unsigned char *record = records + i * TABLE_BYTES;

        log->records++;
        if (OpprofLoadLe16(record) != TABLE_MAGIC) {
            LogNote(log, &log->odd, 1);
        } else if (!add_task(device, log, record)) {
            return OPPROF_E_MEMORY;
        }
    }
    return OPPROF_OK;
}

/* ---- tensors ---- */

static void put_tensor(Operation *operation, const unsigned char *tensor)
{
    OpprofJsonOut *json = &operation->info;
    const unsigned is_output = OpprofLoadLe32(tensor) != 0;
    const char *format = CodeFormatB(OpprofLoadLe32(tensor + 4));
    const char *type = CodeTypeB(OpprofLoadLe32(tensor + 8));
    char text[AXES * 11 + 1] = "";
    size_t length = 0;

    for (size_t i = 0; i < AXES; i++) {
        const uint32_t axis = OpprofLoadLe32(tensor + 12 + 4 * i);

        if (axis != 0) {
            length += (size_t) snprintf(text + length, sizeof text - length, "%s%" PRIu32,
                                        length == 0 ? "" : ",", axis);
        }
    }
    char name[24];
    snprintf(name, sizeof name, "%s_%" PRIu32, is_output ? "output" : "input",
             operation->counted[is_output]++);
    OpprofJsonPutKey(json, name);
    OpprofJsonPutRaw(json, "{");
    OpprofJsonPutKey(json, "format");
    OpprofJsonPutString(json, format, strlen(format));
    OpprofJsonPutKey(json, "data_type");
    OpprofJsonPutString(json, type, strlen(type));
    OpprofJsonPutKey(json, "shape");
    OpprofJsonPutString(json, text, length);
    OpprofJsonPutRaw(json, "}");
}

/* A list that is longer than a record goes on in the next one of its task; a later iteration says
 * the same again. */
static bool add_tensors(Device *device, Log *log, const unsigned char *record)
{
    const uint64_t iteration = OpprofLoadLe64(record + 8);
    const Task *task =
        TasksFind(&device->tasks, OpprofLoadLe32(record + 16), OpprofLoadLe32(record + 20));
    Operation *operation = task == NULL ? NULL : &device->tasks.operations[task->operation];
    const unsigned count = record[24];

    if (count > TENSORS) {
        LogNote(log, &log->odd, 1);
    }
    if (operation == NULL) {
        LogNote(log, &log->skipped, 1); /* the table of tasks lacks it */
    }
    if (operation == NULL || count > TENSORS) {
        return true;
    }
    if (operation->info.length == 0) {
        operation->iteration = iteration;
        operation->tensors_of = task->number;
        OpprofJsonPutRaw(&operation->info, "{");
    }
    if (iteration != operation->iteration || task->number != operation->tensors_of) {
        return true;
    }
    /* Only a full record goes on, and inputs come before outputs. */
    LogNote(log, &log->again,
            operation->is_listed ||
                (operation->counted[1] > 0 && count > 0 && OpprofLoadLe32(record + 28) == 0));
    operation->is_listed = count < TENSORS;
    for (unsigned i = 0; i < count; i++) {
        put_tensor(operation, record + 28 + (size_t) i * TENSOR_BYTES);
    }
    return !operation->info.is_short;
}

static OpprofStatus take_tensors(Device *device, Log *log, const unsigned char *records,
                                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned char *record = records + i * TABLE_BYTES;

        log->records++;
        if (OpprofLoadLe16(record) != TABLE_MAGIC) {
            LogNote(log, &log->odd, 1);
        } else if (!add_tensors(device, log, record)) {
            return OPPROF_E_MEMORY;
        }
    }
    return OPPROF_OK;
}

/* ---- counts of operations ---- */

#define PMU_BYTES 128u
#define PMU_COUNTS 7u

/* Operations of a count; the first two are those of the cube. */
static const double operations_each[PMU_COUNTS] = {
    16 * 16 * 16 * 2, 16 * 16 * 32 * 2, 32, 128, 64, 64, 32,
};

/* The first record of an operator counts. Rates and shares follow from its mean time. */
static OpprofStatus take_count(Device *device, const unsigned char *record, Unwrap *unwrap)
{
    const uint32_t stream = OpprofLoadLe32(record + 96);
    uint64_t number = OpprofLoadLe16(record + 6);
    double flops[2] = { 0, 0 };
    const Task *task;

    if (!TasksUnwrap(&device->tasks, unwrap, stream, &number)) {
        return OPPROF_E_MEMORY;
    }
    task = TasksFind(&device->tasks, stream, number);
    if (task == NULL || device->tasks.operations[task->operation].has_counts) {
        return OPPROF_OK;
    }
    device->tasks.operations[task->operation].has_counts = true;
    for (size_t i = 0; i < PMU_COUNTS; i++) {
        flops[i >= 2] += (double) OpprofLoadLe64(record + 32 + 8 * i) * operations_each[i];
    }
    OpprofMindsporeOperator out =
        OpprofMindsporeOperatorOf(device->id, device->tasks.operations[task->operation].name);
    out.mflops = (flops[0] + flops[1]) / 1e6;
    out.cube_mflops = flops[0] / 1e6;
    out.vector_mflops = flops[1] / 1e6;
    out.peak = device->peak > 0 ? device->peak : OpprofNaF64();
    return OpprofStageAppend(device->stage, PORT_OPERATORS, device->id, &out);
}

static OpprofStatus take_counts(Device *device, Log *log, const unsigned char *records,
                                size_t count)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        log->records++;
        status = take_count(device, records + i * PMU_BYTES, &device->counted);
    }
    return status;
}

static OpprofStatus end_of_counts(Device *device, Log *log)
{
    (void) log;
    UnwrapFinish(&device->counted);
    return OPPROF_OK;
}

const Format binary_formats[] = {
    { .kind = "task_desc_info",
      .generation = 'B',
      .record_bytes = TABLE_BYTES,
      .is_table = true,
      .mark = TABLE_MAGIC,
      .take = take_tasks },
    { .kind = "tensor_data_info",
      .record_bytes = TABLE_BYTES,
      .is_table = true,
      .mark = TABLE_MAGIC,
      .take = take_tensors },
    { .kind = "aicore",
      .record_bytes = PMU_BYTES,
      .take = take_counts,
      .end_of_log = end_of_counts },
    { .kind = NULL },
};
