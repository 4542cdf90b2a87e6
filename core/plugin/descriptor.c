/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a plugin's descriptor fits this version and makes sense. */
#include "plugin/descriptor.h"

#include "plugin/params.h"
#include "stream/fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 64 /* bytes */

static const char *const field_kind_names[] = {
    [OPPROF_FIELD_U32] = "u32",     [OPPROF_FIELD_I32] = "i32",       [OPPROF_FIELD_U64] = "u64",
    [OPPROF_FIELD_I64] = "i64",     [OPPROF_FIELD_F64] = "f64",       [OPPROF_FIELD_HEX] = "hex",
    [OPPROF_FIELD_TICK] = "tick",   [OPPROF_FIELD_STRING] = "string", [OPPROF_FIELD_TEXT] = "text",
    [OPPROF_FIELD_TRACK] = "track", [OPPROF_FIELD_I16] = "i16",
};

static const char *const kind_names[] = {
    [OPPROF_COLLECTOR] = "collector",
    [OPPROF_PARSER] = "parser",
    [OPPROF_ANALYSIS] = "analysis",
    [OPPROF_EXPORTER] = "exporter",
};

static const char *const order_names[] = {
    [OPPROF_ORDER_NONE] = "any",
    [OPPROF_ORDER_START] = "start",
    [OPPROF_ORDER_END] = "end",
};

const char *OpprofPluginKindName(uint32_t kind)
{
    return kind < OPPROF_COUNT(kind_names) ? kind_names[kind] : NULL;
}

const char *DescriptorOrderName(uint32_t order)
{
    return order < OPPROF_COUNT(order_names) ? order_names[order] : NULL;
}

const char *OpprofFieldKindName(uint32_t kind)
{
    return kind < OPPROF_COUNT(field_kind_names) ? field_kind_names[kind] : NULL;
}

bool DescriptorIsName(const char *text)
{
    size_t length = strnlen(text, MAX_NAME + 1);

    if (length == 0 || length > MAX_NAME || text[0] < 'a' || text[0] > 'z' ||
        text[length - 1] == '-') {
        return false;
    }
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == length &&
           strstr(text, "--") == NULL;
}

/* ---- record types ---- */

/* Names that are equal have the same bit: few fields need to be compared with those before them. */
static uint64_t bit_of(const char *name)
{
    const size_t length = strlen(name);

    return (uint64_t) 1 << ((7 * length + (unsigned char) name[length - 1]) % 64);
}

static bool is_named(const OpprofField *field, const char *name)
{
    return field->name != NULL && strcmp(field->name, name) == 0;
}

static void check_field(const OpprofRecordType *type, uint32_t index, uint64_t *names,
                        const char *location, Problems *problems)
{
    const OpprofField *field = &type->fields[index];
    uint32_t bytes, alignment;

    if (field->name == NULL || *field->name == '\0') {
        ProblemsAdd(problems, location, "field %" PRIu32 " of record type '%s' has no name.", index,
                    type->name);
        return;
    }
    if (OpprofFieldKindName(field->kind) == NULL) {
        ProblemsAdd(problems, location,
                    "field '%s' of record type '%s' has a kind that does not exist: %" PRIu32 ".",
                    field->name, type->name, field->kind);
        return;
    }
    bytes = FieldKindBytes(field->kind);
    alignment = field->kind == OPPROF_FIELD_TEXT ? bytes / 2 : bytes; /* it is a pair of numbers */
    if (field->offset % alignment != 0 || field->offset > type->size ||
        type->size - field->offset < bytes) {
        ProblemsAdd(problems, location,
                    "field '%s' of record type '%s' does not fit: %" PRIu32 " bytes at offset "
                    "%" PRIu32 " of %" PRIu32 ".",
                    field->name, type->name, bytes, field->offset, type->size);
    }
    const uint64_t bit = bit_of(field->name);
    const bool may_be_second = (*names & bit) != 0;
    *names |= bit;
    for (uint32_t i = 0; i < index && may_be_second; i++) {
        if (is_named(&type->fields[i], field->name)) {
            ProblemsAdd(problems, location, "record type '%s' has two fields '%s'.", type->name,
                        field->name);
            return;
        }
    }
}

/* Elements lie in the blob as they are, so alignment does not matter. */
static void check_elements(const OpprofRecordType *type, const OpprofElements *elements,
                           const char *location, Problems *problems)
{
    if (FieldOfElements(type, elements->field) == NULL) {
        ProblemsAdd(problems, location, "record type '%s' has no TEXT field '%s' for its elements.",
                    type->name, elements->field);
    }
    if (elements->size == 0 || elements->field_count > DESCRIPTOR_MAX_FIELDS ||
        (elements->field_count > 0 && elements->fields == NULL)) {
        ProblemsAdd(problems, location, "elements '%s' of record type '%s' make no sense.",
                    elements->field, type->name);
        return;
    }
    for (uint32_t i = 0; i < elements->field_count; i++) {
        const OpprofField *field = &elements->fields[i];
        const bool is_known = field->name != NULL && OpprofFieldKindName(field->kind) != NULL &&
                              field->kind != OPPROF_FIELD_TEXT;

        if (!is_known || field->offset > elements->size ||
            elements->size - field->offset < FieldKindBytes(field->kind)) {
            ProblemsAdd(problems, location,
                        "field %" PRIu32 " of elements '%s' of record type '%s' does not fit.", i,
                        elements->field, type->name);
        }
    }
}

void DescriptorCheckRecord(const OpprofRecordType *type, const char *location, Problems *problems)
{
    if (type->struct_size != sizeof(OpprofRecordType)) {
        ProblemsAdd(problems, location,
                    "its record type has struct_size %" PRIu32
                    ", not sizeof(OpprofRecordType) = %zu.",
                    type->struct_size, sizeof(OpprofRecordType));
        return;
    }
    if (type->name == NULL || *type->name == '\0') {
        ProblemsAdd(problems, location, "its record type has no name.");
        return;
    }
    if (type->size == 0 || type->size % 8 != 0) {
        ProblemsAdd(problems, location,
                    "record type '%s' has a size that is not a multiple of 8: %" PRIu32 ".",
                    type->name, type->size);
    }
    if (type->field_count > DESCRIPTOR_MAX_FIELDS ||
        (type->field_count > 0 && type->fields == NULL)) {
        ProblemsAdd(problems, location, "record type '%s' has an invalid field count: %" PRIu32 ".",
                    type->name, type->field_count);
        return;
    }
    uint64_t names = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        check_field(type, i, &names, location, problems);
    }
    for (const OpprofElements *list = type->elements; list != NULL && list->field != NULL; list++) {
        check_elements(type, list, location, problems);
    }
}

/* ---- ports ---- */

static void check_port_name(const OpprofPort *ports, uint32_t index, const char *direction,
                            Problems *problems)
{
    const char *name = ports[index].name;

    if (name == NULL || !DescriptorIsName(name)) {
        ProblemsAdd(problems, NULL, "the name of %s %" PRIu32 " is not in kebab-case: '%.64s'.",
                    direction, index, name != NULL ? name : "");
        return;
    }
    for (uint32_t i = 0; i < index; i++) {
        if (ports[i].name != NULL && strcmp(ports[i].name, name) == 0) {
            ProblemsAdd(problems, NULL, "there are two %ss '%s'.", direction, name);
            return;
        }
    }
}

static bool is_any(const char *type)
{
    return strcmp(type, OPPROF_ANY_TABLE) == 0 || strcmp(type, OPPROF_ANY_RECORD) == 0;
}

static void check_port_type(const OpprofPort *port, bool is_input, const char *location,
                            Problems *problems)
{
    const OpprofRecordType *record = port->record_type;

    if (is_input && (port->type == NULL || *port->type == '\0')) {
        ProblemsAdd(problems, location, "it has no type.");
        return;
    }
    if (!is_input && port->type != NULL && is_any(port->type)) {
        ProblemsAdd(problems, location, "an output cannot be of '%s'.", port->type);
    }
    if (record == NULL) {
        return;
    }
    DescriptorCheckRecord(record, location, problems);
    if (record->name != NULL && port->type != NULL && strcmp(record->name, port->type) != 0) {
        ProblemsAdd(problems, location, "it has type '%s', but its record type is '%s'.",
                    port->type, record->name);
    }
}

static void check_port(const OpprofPort *port, bool is_input, Problems *problems)
{
    uint32_t allowed =
        OPPROF_PORT_PARTIAL | (is_input ? OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL : 0);
    const char *direction = is_input ? "input" : "output";
    char location[MAX_NAME + sizeof "output ''"];

    snprintf(location, sizeof location, "%s '%.*s'", direction, MAX_NAME,
             port->name != NULL ? port->name : "");
    if ((port->flags & ~allowed) != 0) {
        ProblemsAdd(problems, location, "it has flags that no %s has: 0x%" PRIx32 ".", direction,
                    port->flags & ~allowed);
    }
    if (DescriptorOrderName(port->order) == NULL) {
        ProblemsAdd(problems, location, "unknown order %" PRIu32 ".", port->order);
    }
    check_port_type(port, is_input, location, problems);
}

static void check_ports(const OpprofPort *ports, uint32_t count, bool is_input, Problems *problems)
{
    const char *direction = is_input ? "input" : "output";

    if (count > DESCRIPTOR_MAX_PORTS || (count > 0 && ports == NULL)) {
        ProblemsAdd(problems, NULL, "its %s count is invalid: %" PRIu32 ".", direction, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        check_port_name(ports, i, direction, problems);
        check_port(&ports[i], is_input, problems);
    }
}

/* Each partial port has one of its name and record type in the other direction. */
static void check_partials(const OpprofPlugin *plugin, bool is_input, Problems *problems)
{
    const OpprofPort *ports = is_input ? plugin->inputs : plugin->outputs;
    const OpprofPort *others = is_input ? plugin->outputs : plugin->inputs;
    const uint32_t count = is_input ? plugin->input_count : plugin->output_count;
    const uint32_t other_count = is_input ? plugin->output_count : plugin->input_count;

    if (ports == NULL || count > DESCRIPTOR_MAX_PORTS || other_count > DESCRIPTOR_MAX_PORTS) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool is_good = (ports[i].flags & OPPROF_PORT_PARTIAL) == 0;

        for (uint32_t o = 0; others != NULL && o < other_count && !is_good; o++) {
            is_good = (others[o].flags & OPPROF_PORT_PARTIAL) != 0 && ports[i].name != NULL &&
                      ports[i].record_type == others[o].record_type && others[o].name != NULL &&
                      others[o].record_type != NULL && strcmp(ports[i].name, others[o].name) == 0;
        }
        if (!is_good) {
            ProblemsAdd(problems, NULL,
                        "its partial %s '%.64s' has no %s of its name and record type.",
                        is_input ? "input" : "output", ports[i].name != NULL ? ports[i].name : "",
                        is_input ? "output" : "input");
        }
    }
}

/* ---- descriptors ---- */

static void check_texts(const OpprofPlugin *plugin, Problems *problems)
{
    if (!DescriptorIsName(plugin->name)) {
        ProblemsAdd(problems, NULL, "its name is not in kebab-case: '%.64s'.", plugin->name);
    }
    if (plugin->version == NULL || *plugin->version == '\0') {
        ProblemsAdd(problems, NULL, "it has no version.");
    }
    if (plugin->license == NULL || *plugin->license == '\0') {
        ProblemsAdd(problems, NULL, "it has no license (an SPDX expression).");
    }
    if (plugin->summary == NULL || *plugin->summary == '\0') {
        ProblemsAdd(problems, NULL, "it has no summary.");
    }
}

static void check_kind(const OpprofPlugin *plugin, Problems *problems)
{
    const uint32_t known = OPPROF_PLUGIN_PARTITIONED | OPPROF_PLUGIN_PARALLEL;
    bool is_collector = plugin->kind == OPPROF_COLLECTOR;

    if (OpprofPluginKindName(plugin->kind) == NULL) {
        ProblemsAdd(problems, NULL, "unknown kind %" PRIu32 ".", plugin->kind);
        return;
    }
    if (is_collector && plugin->input_count > 0) {
        ProblemsAdd(problems, NULL, "a collector has no inputs.");
    }
    if (is_collector && plugin->output_count == 0) {
        ProblemsAdd(problems, NULL, "a collector has outputs.");
    }
    if (!is_collector && plugin->input_count == 0) {
        ProblemsAdd(problems, NULL, "every plugin but a collector has inputs.");
    }
    if ((plugin->flags & ~known) != 0) {
        ProblemsAdd(problems, NULL, "it has flags that do not exist: 0x%" PRIx32 ".",
                    plugin->flags & ~known);
    }
    if ((plugin->flags & OPPROF_PLUGIN_PARALLEL) != 0 && !is_collector) {
        ProblemsAdd(problems, NULL, "only a collector is parallel.");
    }
    if ((plugin->flags & OPPROF_PLUGIN_PARTITIONED) != 0 && is_collector) {
        ProblemsAdd(problems, NULL, "a collector is not partitioned: no batches arrive.");
    }
}

static void check_ops(const OpprofPluginOps *ops, Problems *problems)
{
    if (ops == NULL) {
        ProblemsAdd(problems, NULL, "it has no operations.");
    } else if (ops->struct_size != sizeof(OpprofPluginOps)) {
        ProblemsAdd(problems, NULL,
                    "its operations have struct_size %" PRIu32
                    ", not sizeof(OpprofPluginOps) = %zu.",
                    ops->struct_size, sizeof(OpprofPluginOps));
    } else if (ops->process == NULL) {
        ProblemsAdd(problems, NULL, "it has no operation 'process'.");
    }
}

static void check_input_kinds(const OpprofPlugin *plugin, Problems *problems)
{
    if (plugin->input_kinds != NULL && plugin->kind != OPPROF_COLLECTOR) {
        ProblemsAdd(problems, NULL, "only a collector recognises inputs.");
    }
    for (const OpprofInputKind *kind = plugin->input_kinds; kind != NULL && kind->name != NULL;
         kind++) {
        if (!DescriptorIsName(kind->name)) {
            ProblemsAdd(problems, NULL, "the name of an input kind is not in kebab-case: '%.64s'.",
                        kind->name);
        }
        if (kind->summary == NULL || *kind->summary == '\0' || kind->recognise == NULL) {
            ProblemsAdd(problems, NULL, "input kind '%.64s' has no summary or no function.",
                        kind->name);
        }
    }
}

static void check_params(const OpprofPlugin *plugin, Problems *problems)
{
    if (plugin->param_count > DESCRIPTOR_MAX_PARAMS ||
        (plugin->param_count > 0 && plugin->params == NULL)) {
        ProblemsAdd(problems, NULL, "its parameter count is invalid: %" PRIu32 ".",
                    plugin->param_count);
        return;
    }
    ParamCheckTable(plugin->params, plugin->param_count, problems);
}

/* ABI numbers of both sides; nothing else may be read before this has passed. */
static OpprofStatus check_abi(const OpprofPlugin *plugin, OpprofError **error)
{
    if (plugin->abi_major != OPPROF_ABI_MAJOR || plugin->abi_minor != OPPROF_ABI_MINOR) {
        OpprofErrorSet(error, OPPROF_E_ABI,
                       "The module is built for plugin ABI %u.%u, this opprof (%s) has %d.%d",
                       plugin->abi_major, plugin->abi_minor, OPPROF_VERSION, OPPROF_ABI_MAJOR,
                       OPPROF_ABI_MINOR);
        OpprofErrorHint(error, "Rebuild the module against this opprof, or use the opprof that it "
                               "was built for. ABI numbers are not release numbers.");
        return OPPROF_E_ABI;
    }
    if (plugin->struct_size != sizeof(OpprofPlugin)) {
        OpprofErrorSet(error, OPPROF_E_ABI,
                       "The module's descriptor has %" PRIu32 " bytes, this opprof's (%s) has %zu, "
                       "though both say plugin ABI %d.%d",
                       plugin->struct_size, OPPROF_VERSION, sizeof(OpprofPlugin), OPPROF_ABI_MAJOR,
                       OPPROF_ABI_MINOR);
        OpprofErrorHint(error, "Rebuild the module against the headers of this opprof.");
        return OPPROF_E_ABI;
    }
    return OPPROF_OK;
}

static OpprofStatus check_name(const OpprofPlugin *plugin, const char *name, OpprofError **error)
{
    if (plugin->name == NULL) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The module's descriptor has no name");
    }
    if (name != NULL && strcmp(plugin->name, name) != 0) {
        OpprofErrorSet(error, OPPROF_E_LOAD, "The file is named '%s.so', but the module in it '%s'",
                       name, plugin->name);
        OpprofErrorHint(error, "Give the file the name of the module: '%s.so'.", plugin->name);
        return OPPROF_E_LOAD;
    }
    return OPPROF_OK;
}

OpprofStatus DescriptorCheck(const OpprofPlugin *plugin, const char *name, OpprofError **error)
{
    Problems problems = { 0 };
    OpprofStatus status = check_abi(plugin, error);

    if (status == OPPROF_OK) {
        status = check_name(plugin, name, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    check_texts(plugin, &problems);
    check_kind(plugin, &problems);
    check_ports(plugin->inputs, plugin->input_count, true, &problems);
    check_ports(plugin->outputs, plugin->output_count, false, &problems);
    check_partials(plugin, true, &problems);
    check_partials(plugin, false, &problems);
    check_params(plugin, &problems);
    check_ops(plugin->ops, &problems);
    check_input_kinds(plugin, &problems);
    status = ProblemsToErrorAs(&problems, OPPROF_E_LOAD,
                               ProblemsText(&problems, "The descriptor of '%.64s'", plugin->name),
                               error);
    ProblemsFinish(&problems);
    return status;
}
