/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The framework's tables of generation A, and small texts of both: a line for each entry.
 * Tested by tests/plugins/collect-mindspore/test_raw.sh.
 */
#include "parse-mindspore/device.h"
#include "parse-mindspore/codes.h"
#include "parse-mindspore/fields.h"

#include <jansson.h>
#include <opprof/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line that is not what it should be. */
static OpprofStatus odd(Log *log)
{
    LogNote(log, &log->odd, 1);
    return OPPROF_OK;
}

/* ---- tasks ---- */

/* "<name> <blocks> <task> <stream>", perhaps with a field before it. */
static OpprofStatus take_task(Device *device, Log *log, const unsigned char *line, size_t length)
{
    Field fields[6];
    const size_t count = FieldsSplit((const char *) line, length, fields, 6);
    const Field *field = count == 5 ? fields + 1 : fields;
    uint64_t blocks, task, stream;
    uint32_t name, operation;

    log->records++;
    if (count == 0) {
        return OPPROF_OK;
    }
    if ((count != 4 && count != 5) || !FieldNumber(&field[1], &blocks) ||
        !FieldNumber(&field[2], &task) || !FieldNumber(&field[3], &stream) ||
        blocks >= UINT32_MAX || task >= UINT32_MAX || stream >= UINT32_MAX) {
        return odd(log);
    }
    device->tasks.generation = 'A';
    name = DeviceIntern(device, field[0].text, field[0].length);
    operation = name == OPPROF_NA_STRING ? OPPROF_MAP_NONE : TasksOperation(&device->tasks, name);
    if (operation == OPPROF_MAP_NONE ||
        !TasksAdd(&device->tasks, (uint32_t) stream, task, operation)) {
        return OPPROF_E_MEMORY;
    }
    device->tasks.operations[operation].block_dim = (uint32_t) blocks;
    device->tasks.operations[operation].stream = (uint32_t) stream;
    return OPPROF_OK;
}

/* ---- graphs ---- */

/* The value of a field "key:value", without its quotes; NULL: it has another key. */
static const char *value_of(const Field *field, const char *key, size_t *ret_length)
{
    const size_t length = strlen(key);
    const char *value = field->text + length + 1;

    if (field->length <= length || field->text[length] != ':' ||
        memcmp(field->text, key, length) != 0) {
        return NULL;
    }
    *ret_length = field->length - length - 1;
    if (*ret_length >= 2 && value[0] == '"' && value[*ret_length - 1] == '"') {
        value++;
        *ret_length -= 2;
    }
    return value;
}

/* Adds a member of an input or output, where one of its keys stands. */
static void put_member(OpprofJsonOut *json, const Field *field, bool is_ge)
{
    static const struct {
        const char *keys[2];
        const char *name;
    } members[] = {
        { { "input_format", "output_format" }, "format" },
        { { "input_data_type", "output_data_type" }, "data_type" },
        { { "input_shape", "output_shape" }, "shape" },
    };

    for (size_t i = 0; i < OPPROF_COUNT(members) * 2; i++) {
        size_t length;
        const char *value = value_of(field, members[i / 2].keys[i % 2], &length);
        Field text = { value, length };
        uint64_t code;

        if (value == NULL) {
            continue;
        }
        OpprofJsonPutKey(json, members[i / 2].name);
        if (i / 2 == 1 && FieldNumber(&text, &code)) {
            value = is_ge ? CodeGeType(code) : CodeTypeA(code);
            length = strlen(value);
        } else if (i / 2 == 0 && is_ge && FieldNumber(&text, &code)) {
            value = CodeGeFormat(code);
            length = strlen(value);
        }
        OpprofJsonPutString(json, value, length);
    }
}

/* Opens the object of an input or output where its number stands. */
static bool open_group(OpprofJsonOut *json, const Field *field, bool *is_open)
{
    static const char *const keys[] = { "input_id", "output_id" };

    for (size_t i = 0; i < OPPROF_COUNT(keys); i++) {
        size_t length;
        const char *value = value_of(field, keys[i], &length);

        if (value != NULL) {
            char name[40];

            if (*is_open) {
                OpprofJsonPutRaw(json, "}");
            }
            snprintf(name, sizeof name, "%s_%.*s", i == 0 ? "input" : "output",
                     (int) (length < 20 ? length : 20), value);
            OpprofJsonPutComma(json);
            OpprofJsonPutString(json, name, strlen(name));
            OpprofJsonPutRaw(json, ":{");
            *is_open = true;
            return true;
        }
    }
    return false;
}

static OpprofStatus take_graph_line(Device *device, Log *log, const unsigned char *line,
                                    size_t length, bool is_ge)
{
    const char *const end = (const char *) line + length;
    const char *at = (const char *) line;
    Operation *operation = NULL;
    bool is_open = false;
    Field field;

    log->records++;
    while (FieldNext(&at, end, &field)) {
        size_t size;
        const char *value = value_of(&field, "op_name", &size);

        if (value != NULL) {
            const uint32_t name = DeviceIntern(device, value, size);
            const uint32_t place =
                name == OPPROF_NA_STRING ? OPPROF_MAP_NONE : TasksOperation(&device->tasks, name);

            if (place == OPPROF_MAP_NONE) {
                return OPPROF_E_MEMORY;
            }
            operation = &device->tasks.operations[place];
            OpprofJsonOutClear(&operation->info);
            OpprofJsonPutRaw(&operation->info, "{");
        } else if (operation == NULL) {
            return odd(log);
        } else if ((value = value_of(&field, "op_type", &size)) != NULL) {
            operation->type = DeviceIntern(device, value, size);
        } else if (!open_group(&operation->info, &field, &is_open) && is_open) {
            put_member(&operation->info, &field, is_ge);
        }
    }
    if (is_open) {
        OpprofJsonPutRaw(&operation->info, "}");
    }
    return operation != NULL && operation->info.is_short ? OPPROF_E_MEMORY : OPPROF_OK;
}

static OpprofStatus take_graph(Device *device, Log *log, const unsigned char *line, size_t length)
{
    return take_graph_line(device, log, line, length, false);
}

static OpprofStatus take_ge_graph(Device *device, Log *log, const unsigned char *line,
                                  size_t length)
{
    return take_graph_line(device, log, line, length, true);
}

/* ---- points, names, facts ---- */

/* "<tag> <name>" */
static OpprofStatus take_point(Device *device, Log *log, const unsigned char *line, size_t length)
{
    Field fields[3];
    const size_t count = FieldsSplit((const char *) line, length, fields, 3);
    uint64_t tag;

    log->records++;
    if (count == 0) {
        return OPPROF_OK;
    }
    if (count != 2 || !FieldNumber(&fields[0], &tag)) {
        return odd(log);
    }
    const uint32_t name = DeviceIntern(device, fields[1].text, fields[1].length);
    if (name == OPPROF_NA_STRING || !TasksNamePoint(&device->tasks, tag, name)) {
        return OPPROF_E_MEMORY;
    }
    return OPPROF_OK;
}

static OpprofStatus end_of_points(Device *device, Log *log)
{
    static const char *const points[] = { "fp_start", "bp_end" };
    OpprofStatus status = OPPROF_OK;
    size_t found = 0;

    for (uint32_t i = 0; i < OPPROF_COUNT(points) && status == OPPROF_OK; i++) {
        const OpprofMindsporePoint record = {
            .device = device->id,
            .point = DeviceIntern(device, points[i], strlen(points[i])),
            .op_name = OpprofMapFind(&device->tasks.points, i + 1),
        };

        if (record.op_name != OPPROF_MAP_NONE) {
            found++;
            status = OpprofStageAppend(device->stage, PORT_POINTS, device->id, &record);
        }
    }
    LogNote(log, &log->skipped, found % OPPROF_COUNT(points));
    return status;
}

/* "<hash>:<name>" */
static OpprofStatus take_hash(Device *device, Log *log, const unsigned char *line, size_t length)
{
    const char *text = (const char *) line;
    const char *colon = memchr(text, ':', length);
    Field number = { text, colon == NULL ? 0 : (size_t) (colon - text) };
    size_t end = length;
    uint64_t hash;

    log->records++;
    while (end > 0 && (text[end - 1] == '\r' || text[end - 1] == '\n')) {
        end--;
    }
    if (end == 0) {
        return OPPROF_OK;
    }
    if (colon == NULL || !FieldNumber(&number, &hash)) {
        return odd(log);
    }
    const uint32_t name = DeviceIntern(device, colon + 1, end - (size_t) (colon + 1 - text));
    return name == OPPROF_NA_STRING || !TasksNameHash(&device->tasks, hash, name) ? OPPROF_E_MEMORY
                                                                                  : OPPROF_OK;
}

/* A number that is written as text. */
static double number_in(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_string(value) ? strtod(json_string_value(value), NULL)
                                 : json_number_value(value);
}

static OpprofStatus take_facts(Device *device, Log *log, const unsigned char *text, size_t length)
{
    json_t *root = NULL;
    const OpprofStatus status =
        OpprofJsonParse(log->file, (const char *) text, length, &root, NULL);
    const json_t *facts = json_array_get(json_object_get(root, "DeviceInfo"), 0);
    const double mhz = number_in(facts, "hwts_frequency");

    log->records++;
    if (status == OPPROF_E_DATA || (status == OPPROF_OK && facts == NULL)) {
        LogNote(log, &log->odd, 1);
    }
    if (mhz >= 1e-3 && mhz <= 1e6) {
        DeviceSetClock(device, (uint64_t) (mhz * 1e6 + 0.5));
    }
    device->peak =
        number_in(facts, "aic_frequency") * 1e6 * number_in(facts, "ai_core_num") * 4096 * 2;
    json_decref(root);
    return status == OPPROF_E_MEMORY ? status : OPPROF_OK;
}

const Format text_formats[] = {
    { .kind = "info", .is_document = true, .is_table = true, .take = take_facts },
    { .kind = "hash_dic", .end = '\n', .is_table = true, .take = take_hash },
    { .kind = "point",
      .end = '\n',
      .is_table = true,
      .take = take_point,
      .end_of_log = end_of_points },
    { .kind = "task_desc_info",
      .generation = 'A',
      .end = '\n',
      .is_table = true,
      .take = take_task },
    { .kind = "graph_desc_info", .end = '\n', .is_table = true, .take = take_graph },
    { .kind = "ge_graph_desc_info", .end = '\n', .is_table = true, .take = take_ge_graph },
    { .kind = NULL },
};
