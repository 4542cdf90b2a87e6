/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues of data: how full the host's was, and how long the device waited for the next batch.
 * Tested by tests/plugins/collect-mindspore/test_parsed.sh.
 */
#include "parse-mindspore/fields.h"
#include "parse-mindspore/types.h"

#include <string.h>

#define KIND_TIME 0u
#define KIND_SIZE 1u
#define ALL_KINDS 15u /* of lines of a step: its size, and three times */
#define DEVICE_QUEUE "device_queue"
#define GET_NEXT "GetNext"

static uint32_t queue_name(const Device *device, const char *name)
{
    return DeviceIntern(device, name, strlen(name));
}

static OpprofStatus odd(Log *log)
{
    LogNote(log, &log->odd, 1);
    return OPPROF_OK;
}

/* ---- the host's ---- */

/* A step of the device's queue has a line of each kind, one of others what the first one has. */
static OpprofStatus emit_step(Device *device, Log *log)
{
    HostQueue *queue = &device->queue;
    OpprofStatus status = OPPROF_OK;

    if (queue->row.queue != OPPROF_NA_STRING) {
        if (queue->due == 0) {
            queue->due = strncmp(log->file, DEVICE_QUEUE, strlen(DEVICE_QUEUE)) == 0 ? ALL_KINDS
                                                                                     : queue->kinds;
        }
        LogNote(log, &log->missing, queue->kinds != queue->due);
        status = OpprofStageAppend(device->stage, PORT_QUEUES, device->id, &queue->row);
    }
    queue->row.queue = OPPROF_NA_STRING;
    return status;
}

static void begin_step(Device *device, Log *log, uint64_t step)
{
    HostQueue *queue = &device->queue;

    LogNote(log, &log->again, queue->due != 0 && step <= queue->step);
    LogNote(log, &log->missing, queue->due != 0 && step > queue->step + 1);
    TypeClear(&opprof_mindspore_queue_step_type, &queue->row, device->id);
    queue->row.queue = queue_name(device, DEVICE_QUEUE);
    queue->row.step = step;
    queue->step = step;
    queue->kinds = 0;
}

/* "0 <0 get, 1 push, 2 both> <step> <ms> <time>" or "1 <room> <step> <batches> <time>"; the last
 * may be missing. */
static OpprofStatus take_host(Device *device, Log *log, const unsigned char *line, size_t length)
{
    HostQueue *queue = &device->queue;
    OpprofMindsporeQueueStep *row = &queue->row;
    Field fields[6];
    const size_t count = FieldsSplit((const char *) line, length, fields, 6);
    uint64_t values[4] = { 0 };
    OpprofStatus status = OPPROF_OK;

    log->records++;
    if (count == 0) {
        return OPPROF_OK;
    }
    for (size_t i = 0; i < 4; i++) {
        if (count < 4 || count > 5 || !FieldNumber(&fields[i], &values[i])) {
            return odd(log);
        }
    }
    if (values[0] > KIND_SIZE || (values[0] == KIND_TIME && values[1] > 2)) {
        return odd(log);
    }
    if (row->queue == OPPROF_NA_STRING || row->step != values[2]) {
        status = emit_step(device, log);
        begin_step(device, log, values[2]);
    }
    const unsigned kind = values[0] == KIND_SIZE ? 1u : 2u << values[1];
    LogNote(log, &log->again, (queue->kinds & kind) != 0);
    queue->kinds |= kind;
    if (values[0] == KIND_SIZE) {
        row->capacity = values[1];
        row->size = values[3];
    } else {
        double *const times[] = { &row->get_us, &row->push_us, &row->total_us };

        *times[values[1]] = (double) values[3] * 1000;
    }
    return status;
}

static OpprofStatus end_of_host(Device *device, Log *log)
{
    const OpprofStatus status = emit_step(device, log);

    device->queue = (HostQueue){ .kinds = 0 };
    return status;
}

/* ---- the device's ---- */

/* A wait begins after those before it. */
static OpprofStatus emit_wait(Device *device, Log *log, OpprofMindsporeQueueStep *row,
                              uint64_t start)
{
    int order;

    row->queue = queue_name(device, "get_next");
    row->step = ++device->get_next_steps;
    if (!TasksCompare(&device->latest, row->queue, start, &order)) {
        return OPPROF_E_MEMORY;
    }
    LogNote(log, &log->again, order <= 0);
    return OpprofStageAppend(device->stage, PORT_QUEUES, device->id, row);
}

/* "<name> <start> <end> <batches>", of which the last may be missing. */
static OpprofStatus take_get_next(Device *device, Log *log, const unsigned char *line,
                                  size_t length, double units_a_us)
{
    OpprofMindsporeQueueStep row;
    Field fields[5];
    const size_t count = FieldsSplit((const char *) line, length, fields, 5);
    uint64_t values[3] = { 0 };

    log->records++;
    if (count == 0 || fields[0].length < strlen(GET_NEXT) ||
        memcmp(fields[0].text, GET_NEXT, strlen(GET_NEXT)) != 0) {
        return OPPROF_OK; /* another operator */
    }
    TypeClear(&opprof_mindspore_queue_step_type, &row, device->id);
    for (size_t i = 1; i < count && i < 4; i++) {
        if (!FieldNumber(&fields[i], &values[i - 1])) {
            return odd(log);
        }
    }
    if (count < 3 || count > 4) {
        return odd(log);
    }
    row.size = count == 4 ? values[2] : OPPROF_NA_U64;
    row.total_us = (double) (int64_t) (values[1] - values[0]) / units_a_us;
    return emit_wait(device, log, &row, values[0]);
}

static OpprofStatus take_get_next_us(Device *device, Log *log, const unsigned char *line,
                                     size_t length)
{
    return take_get_next(device, log, line, length, 1);
}

static OpprofStatus take_get_next_ns(Device *device, Log *log, const unsigned char *line,
                                     size_t length)
{
    return take_get_next(device, log, line, length, 1000);
}

/* ---- the device's, as it was logged ---- */

/* The number after a key; OPPROF_NA_U64: there is none. */
static uint64_t number_after(const char *text, size_t length, const char *key)
{
    const char *at = memmem(text, length, key, strlen(key));
    Field field = { at == NULL ? text : at + strlen(key), 0 };
    uint64_t value;

    while (field.text + field.length < text + length && field.text[field.length] >= '0' &&
           field.text[field.length] <= '9') {
        field.length++;
    }
    return at != NULL && FieldNumber(&field, &value) ? value : OPPROF_NA_U64;
}

/* "Node:<name>, queue size:<batches>, Run start:<us>, Run end:<us>", the size perhaps last. */
static OpprofStatus take_get_next_log(Device *device, Log *log, const unsigned char *bytes,
                                      size_t length)
{
    const char *text = (const char *) bytes;
    const char *name = memmem(text, length, "Node:", 5);
    OpprofMindsporeQueueStep row;
    uint64_t start, end;

    log->records++;
    if (name == NULL) {
        for (size_t i = 0; i < length; i++) {
            if (strchr(" \t\r\n", text[i]) == NULL) {
                return odd(log);
            }
        }
        return OPPROF_OK;
    }
    if ((size_t) (text + length - name) < 5 + strlen(GET_NEXT) ||
        memcmp(name + 5, GET_NEXT, strlen(GET_NEXT)) != 0) {
        return OPPROF_OK; /* another operator */
    }
    start = number_after(text, length, "Run start:");
    end = number_after(text, length, "Run end:");
    if (start == OPPROF_NA_U64 || end == OPPROF_NA_U64) {
        return odd(log);
    }
    TypeClear(&opprof_mindspore_queue_step_type, &row, device->id);
    row.size = number_after(text, length, "queue size:");
    row.total_us = (double) (int64_t) (end - start);
    return emit_wait(device, log, &row, start);
}

const Format queue_formats[] = {
    { .kind = "get_next_log", .end = '\0', .take = take_get_next_log },
    { .kind = "device_queue", .end = '\n', .take = take_host, .end_of_log = end_of_host },
    { .kind = "get_next_us", .end = '\n', .take = take_get_next_us },
    { .kind = "get_next_ns", .end = '\n', .take = take_get_next_ns },
    { .kind = NULL },
};
