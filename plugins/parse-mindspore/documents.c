/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON documents: the data pipeline as a tree, and how busy the host's CPU was.
 * Tested by tests/plugins/collect-mindspore/test_parsed.sh.
 */
#include "parse-mindspore/types.h"

#include <jansson.h>
#include <opprof/json.h>
#include <opprof/kit/json_out.h>
#include <stdio.h>
#include <string.h>

#define OPERATIONS_MOST 4096u

/* Reads a whole document; NULL after a note, or without memory (`ret_status`). */
static json_t *read_document(Log *log, const unsigned char *text, size_t length,
                             OpprofStatus *ret_status)
{
    json_t *root = NULL;

    log->records++;
    *ret_status = OpprofJsonParse(log->file, (const char *) text, length, &root, NULL);
    if (*ret_status == OPPROF_E_DATA) {
        LogNote(log, &log->odd, 1);
        *ret_status = OPPROF_OK;
    }
    return root;
}

/* ---- the data pipeline ---- */

typedef struct Walk {
    Device *device;
    const json_t *operations[OPERATIONS_MOST];
    size_t count;
    uint32_t queue[OPERATIONS_MOST];   /* indices, in the order of the walk */
    uint32_t parents[OPERATIONS_MOST]; /* their ids */
    size_t queued;
    bool is_queued[OPERATIONS_MOST];
    uint32_t interval;
    uint32_t missing; /* children that are not there */
} Walk;

static uint32_t number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const json_int_t number = json_integer_value(value);

    return json_is_integer(value) && number >= 0 && number < UINT32_MAX ? (uint32_t) number
                                                                        : OPPROF_NA_U32;
}

static const json_t *queue_of(const json_t *operation)
{
    return json_object_get(json_object_get(operation, "metrics"), "output_queue");
}

static uint32_t index_of(const Walk *walk, json_int_t id)
{
    for (uint32_t i = 0; i < walk->count; i++) {
        if (number_of(walk->operations[i], "op_id") == (uint64_t) id) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* Queues the children of an operation, and in the place of those without a queue their own; each
 * once, so that a circle ends. */
static void queue_children(Walk *walk, const json_t *operation, uint32_t parent,
                           OpprofJsonOut *list)
{
    const json_t *children = json_object_get(operation, "children");

    for (size_t i = 0; i < json_array_size(children); i++) {
        const uint32_t child = index_of(walk, json_integer_value(json_array_get(children, i)));

        if (child == UINT32_MAX || walk->is_queued[child]) {
            walk->missing += child == UINT32_MAX;
            continue;
        }
        walk->is_queued[child] = true;
        if (!json_is_object(queue_of(walk->operations[child]))) {
            queue_children(walk, walk->operations[child], parent, list);
            continue;
        }
        OpprofJsonPutRaw(list, list->length == 0 ? "[" : ", ");
        OpprofJsonPutU64(list, number_of(walk->operations[child], "op_id"));
        walk->queue[walk->queued] = child;
        walk->parents[walk->queued++] = parent;
    }
    /* The list is closed by the operation whose children these are. */
}

static double mean_of(const json_t *sizes)
{
    double sum = 0;

    for (size_t i = 0; i < json_array_size(sizes); i++) {
        sum += json_number_value(json_array_get(sizes, i));
    }
    return sum / (double) json_array_size(sizes);
}

static OpprofStatus put_text(const Device *device, const char *text, size_t length,
                             OpprofText *ret_text)
{
    return OpprofStageText(device->stage, PORT_PIPELINE, device->id, text, length, ret_text);
}

static OpprofStatus put_queue(const Device *device, const json_t *operation, PipelineRow *row)
{
    const json_t *queue = queue_of(operation);
    const json_t *sizes = json_object_get(queue, "size");
    OpprofStatus status;
    char *text;

    row->queue_length = number_of(queue, "length");
    if (json_array_size(sizes) == 0) {
        return OPPROF_OK;
    }
    row->queue_average = mean_of(sizes);
    if (row->queue_length != OPPROF_NA_U32 && row->queue_length > 0) {
        row->queue_usage = row->queue_average / row->queue_length;
    }
    text = OpprofJsonText(sizes, 0);
    if (text == NULL) {
        return OPPROF_E_MEMORY;
    }
    status = put_text(device, text, strlen(text), &row->queue_sizes);
    free(text);
    return status;
}

static OpprofStatus emit_operation(Walk *walk, size_t place)
{
    Device *device = walk->device;
    const json_t *operation = walk->operations[walk->queue[place]];
    const char *type = json_string_value(json_object_get(operation, "op_type"));
    OpprofJsonOut list = { .length = 0 };
    PipelineRow row;
    OpprofStatus status;

    TypeClear(&pipeline_type, &row, device->id);
    row.op_id = number_of(operation, "op_id");
    row.op_type = type == NULL ? OPPROF_NA_STRING : DeviceIntern(device, type, strlen(type));
    row.num_workers = number_of(operation, "num_workers");
    row.sample_interval = walk->interval;
    row.parent_id = walk->parents[place];
    queue_children(walk, operation, row.op_id, &list);
    status = put_queue(device, operation, &row);
    if (status == OPPROF_OK && list.length > 0) {
        OpprofJsonPutRaw(&list, "]");
        status = list.is_short ? OPPROF_E_MEMORY
                               : put_text(device, list.text, list.length, &row.children);
    }
    OpprofJsonOutFinish(&list);
    return status == OPPROF_OK ? OpprofStageAppend(device->stage, PORT_PIPELINE, device->id, &row)
                               : status;
}

static OpprofStatus walk_tree(Walk *walk, Log *log, const json_t *root)
{
    const json_t *list = json_object_get(root, "op_info");
    OpprofStatus status = OPPROF_OK;
    uint32_t first;

    walk->interval = number_of(root, "sampling_interval");
    for (size_t i = 0; i < json_array_size(list) && i < OPERATIONS_MOST; i++) {
        walk->operations[walk->count++] = json_array_get(list, i);
    }
    first = index_of(walk, 0);
    if (first == UINT32_MAX || walk->interval == OPPROF_NA_U32 ||
        json_array_size(list) > OPERATIONS_MOST) {
        LogNote(log, &log->odd, 1);
        return OPPROF_OK;
    }
    walk->queue[0] = first;
    walk->parents[0] = OPPROF_NA_U32;
    walk->is_queued[first] = true;
    walk->queued = 1;
    for (size_t i = 0; i < walk->queued && status == OPPROF_OK; i++) {
        status = emit_operation(walk, i);
    }
    LogNote(log, &log->missing, walk->missing);
    return status;
}

static OpprofStatus take_pipeline(Device *device, Log *log, const unsigned char *text,
                                  size_t length)
{
    OpprofStatus status;
    json_t *root = read_document(log, text, length, &status);
    Walk *walk = root == NULL ? NULL : calloc(1, sizeof *walk);

    if (root != NULL) {
        status = OPPROF_E_MEMORY;
    }
    if (walk != NULL) {
        walk->device = device;
        status = walk_tree(walk, log, root);
    }
    free(walk);
    json_decref(root);
    return status;
}

/* ---- the host's CPU ---- */

/* Metrics of a scope. A sample belongs to the time stamp after its own: the first stamp has none,
 * and samples beyond the stamps do not count. */
static OpprofStatus emit_metrics(Device *device, const char *scope, json_t *metrics, size_t stamps)
{
    OpprofStatus status = OPPROF_OK;
    const char *metric;
    json_t *samples;

    json_object_foreach(metrics, metric, samples)
    {
        const size_t size = json_array_size(samples);
        const size_t count = size < stamps ? size : stamps;
        CpuRow row = { .device = device->id,
                       .scope = DeviceIntern(device, scope, strlen(scope)),
                       .metric = DeviceIntern(device, metric, strlen(metric)),
                       .samples = count,
                       .mean = OpprofNaF64() };
        double sum = 0;

        for (size_t i = 0; i < count; i++) {
            sum += json_number_value(json_array_get(samples, i));
        }
        if (count > 0) {
            row.mean = sum / (double) count;
        }
        if (json_is_array(samples) && status == OPPROF_OK) {
            status = OpprofStageAppend(device->stage, PORT_CPU, device->id, &row);
        }
    }
    return status;
}

static OpprofStatus take_cpu(Device *device, Log *log, const unsigned char *text, size_t length)
{
    OpprofStatus status;
    json_t *root = read_document(log, text, length, &status);
    const json_t *operations = json_object_get(root, "op_info");
    size_t stamps = json_array_size(json_object_get(root, "time_stamp"));

    stamps -= stamps > 0;
    if (root == NULL) {
        return status;
    }
    if (!json_is_object(json_object_get(root, "device_info"))) {
        LogNote(log, &log->odd, 1);
    }
    status = emit_metrics(device, "device", json_object_get(root, "device_info"), stamps);
    if (status == OPPROF_OK) {
        status = emit_metrics(device, "process", json_object_get(root, "process_info"), stamps);
    }
    for (size_t i = 0; i < json_array_size(operations) && status == OPPROF_OK; i++) {
        const json_t *operation = json_array_get(operations, i);
        char scope[24];

        snprintf(scope, sizeof scope, "op %u", number_of(operation, "op_id"));
        status = emit_metrics(device, scope, json_object_get(operation, "metrics"), stamps);
    }
    json_decref(root);
    return status;
}

/* ---- clusters ---- */

/* Members of an object that are numbers, as columns of the rank. */
static OpprofStatus take_rank_facts(Device *device, Log *log, const unsigned char *text,
                                    size_t length)
{
    double *const members[] = { &device->rank.mflops, &device->rank.gflops,
                                &device->rank.peak_memory };
    static const char *const names[] = { "FLOPs", "FLOPS", "peak_mem" };
    OpprofStatus status;
    json_t *root = read_document(log, text, length, &status);
    const bool is_memory = strncmp(log->file, "memory", strlen("memory")) == 0;
    bool is_there = false;

    for (size_t i = is_memory ? 2 : 0; i < (is_memory ? OPPROF_COUNT(names) : 2); i++) {
        const json_t *value = json_object_get(root, names[i]);

        if (json_is_number(value)) {
            *members[i] = json_number_value(value);
            is_there = true;
        }
    }
    if (root != NULL && !is_there) {
        LogNote(log, &log->odd, 1);
    }
    json_decref(root);
    return status;
}

const Format document_formats[] = {
    { .kind = "pipeline_tree", .is_document = true, .take = take_pipeline },
    { .kind = "rank_facts", .is_document = true, .take = take_rank_facts },
    { .kind = "cpu", .is_document = true, .take = take_cpu },
    { .kind = NULL },
};
