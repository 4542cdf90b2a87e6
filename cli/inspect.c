/* SPDX-License-Identifier: Apache-2.0 */
/* Output of --list and --inspect. */
#include "inspect.h"

#include "print/columns.h"
#include "print/plain_output.h"
#include "print/table.h"

#include <opprof/opprof.h>

#include <stdlib.h>
#include <string.h>

/* ---- record types ---- */

static void print_field(const OpprofField *field, size_t indent, size_t name_width,
                        size_t unit_width, FILE *out)
{
    const char *kind = OpprofFieldKindName(field->kind);
    char *meaning =
        field->absent == NULL
            ? NULL
            : ColumnsPrint("%s Absent: %s", ColumnsOr(field->meaning, ""), field->absent);

    ColumnsBlanks(indent, out);
    ColumnsCell(field->name, name_width, out);
    ColumnsCell(kind, strlen("string"), out);
    ColumnsCell(ColumnsOr(field->unit, "-"), unit_width, out);
    ColumnsText(meaning != NULL ? meaning : ColumnsOr(field->meaning, "-"),
                indent + name_width + 2 + strlen("string") + 2 + unit_width + 2, out);
    free(meaning);
}

static void print_record(const OpprofRecordType *type, size_t indent, FILE *out)
{
    size_t name_width = 0;
    size_t unit_width = 1;

    for (uint32_t i = 0; i < type->field_count; i++) {
        name_width = ColumnsMore(name_width, ColumnsOf(type->fields[i].name));
        unit_width = ColumnsMore(unit_width, ColumnsOf(ColumnsOr(type->fields[i].unit, "-")));
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        print_field(&type->fields[i], indent, name_width, unit_width, out);
    }
}

/* ---- ports ---- */

static const char *order_details(uint32_t order)
{
    return order == OPPROF_ORDER_START ? ", by start time"
                                       : (order == OPPROF_ORDER_END ? ", by end time" : "");
}

static char *type_details(const OpprofPort *port)
{
    const OpprofRecordType *record = port->record_type;

    if (record == NULL) {
        return strdup(ColumnsOr(port->type, "a type that depends on parameters"));
    }
    return ColumnsPrint("%s version %u%s", record->name, record->version,
                        (record->flags & OPPROF_RECORD_TABLE) != 0 ? ", a table" : "");
}

char *InspectPortDetails(const OpprofPort *port)
{
    char *type = type_details(port);
    char *details = NULL;

    if (type != NULL) {
        details = ColumnsPrint("%s%s%s%s%s", type, order_details(port->order),
                               (port->flags & OPPROF_PORT_MANY) != 0 ? ", all producers" : "",
                               (port->flags & OPPROF_PORT_OPTIONAL) != 0 ? ", optional" : "",
                               (port->flags & OPPROF_PORT_PARTIAL) != 0 ? ", partial" : "");
    }
    free(type);
    return details;
}

static void print_port(const OpprofPort *port, size_t width, FILE *out)
{
    char *details = InspectPortDetails(port);

    ColumnsItem(port->name, width, details != NULL ? details : "", port->summary, out);
    free(details);
    if (port->record_type != NULL) {
        print_record(port->record_type, COLUMNS_INDENT + width + 2 + COLUMNS_INDENT, out);
    }
}

static void print_ports(const char *title, const OpprofPort *ports, uint32_t count, FILE *out)
{
    size_t width = 0;

    if (count == 0) {
        return;
    }
    fprintf(out, "\n%s:\n", title);
    for (uint32_t i = 0; i < count; i++) {
        width = ColumnsMore(width, ColumnsOf(ports[i].name));
    }
    for (uint32_t i = 0; i < count; i++) {
        print_port(&ports[i], width, out);
    }
}

/* ---- parameters ---- */

/* "a, b, c"; "none" for none. */
static char *join(const char *const *names)
{
    char *text = strdup(names == NULL || names[0] == NULL ? "none" : names[0]);

    for (size_t i = 1; text != NULL && names != NULL && names[0] != NULL && names[i] != NULL; i++) {
        char *longer = ColumnsPrint("%s, %s", text, names[i]);

        free(text);
        text = longer;
    }
    return text;
}

char *InspectParamDetails(const OpprofParam *param)
{
    bool is_required = (param->flags & OPPROF_PARAM_REQUIRED) != 0;
    bool has_default = param->default_value != NULL;
    char *choices = join(param->choices);
    char *range = OpprofParamRangeText(param);
    char *details = NULL;

    if (choices != NULL && range != NULL) {
        details = ColumnsPrint(
            "%s%s%s%s%s%s%s%s%s%s", OpprofParamTypeName(param->type), *range != '\0' ? ", " : "",
            range, *range == '\0' && param->unit != NULL ? " of " : "",
            *range == '\0' ? ColumnsOr(param->unit, "") : "",
            param->choices != NULL ? ", of: " : "", param->choices != NULL ? choices : "",
            is_required ? "; required" : "", has_default ? "; default " : "",
            has_default ? ColumnsOr(param->default_value, "''") : "");
    }
    free(choices);
    free(range);
    return details;
}

static void print_param(const OpprofParam *param, size_t width, FILE *out)
{
    char *details = InspectParamDetails(param);

    ColumnsItem(param->name, width, details != NULL ? details : "", param->summary, out);
    free(details);
}

static void print_params(const OpprofPlugin *plugin, FILE *out)
{
    size_t width = 0;

    if (plugin->param_count == 0) {
        return;
    }
    fputs("\nParameters:\n", out);
    for (uint32_t i = 0; i < plugin->param_count; i++) {
        width = ColumnsMore(width, ColumnsOf(plugin->params[i].name));
    }
    for (uint32_t i = 0; i < plugin->param_count; i++) {
        print_param(&plugin->params[i], width, out);
    }
}

/* ---- plugins ---- */

const char *InspectThreads(uint32_t flags)
{
    if ((flags & OPPROF_PLUGIN_PARTITIONED) != 0) {
        return "one instance per partition, up to the machine's number of cores";
    }
    if ((flags & OPPROF_PLUGIN_PARALLEL) != 0) {
        return "as many instances as the machine has cores";
    }
    return "one instance";
}

static void print_chip_sections(const char *const *sections, FILE *out)
{
    for (size_t i = 0; sections != NULL && sections[i] != NULL; i++) {
        fprintf(out, "%s%s", i == 0 ? "Reads from chip files: " : ", ", sections[i]);
    }
    if (sections != NULL && sections[0] != NULL) {
        fputc('\n', out);
    }
}

static void print_input_kinds(const OpprofInputKind *kinds, FILE *out)
{
    size_t width = 0;

    for (const OpprofInputKind *kind = kinds; kind != NULL && kind->name != NULL; kind++) {
        width = ColumnsMore(width, ColumnsOf(kind->name));
    }
    if (width > 0) {
        fputs("\nRecognises:\n", out);
    }
    for (const OpprofInputKind *kind = kinds; kind != NULL && kind->name != NULL; kind++) {
        ColumnsItem(kind->name, width, kind->summary, NULL, out);
    }
}

void InspectPrintPlugin(const OpprofPlugin *plugin, const char *path, FILE *out)
{
    fprintf(out, "%s %s: %s, %s\n", plugin->name, plugin->version,
            OpprofPluginKindName(plugin->kind), plugin->license);
    ColumnsText(plugin->summary, 0, out);
    if (plugin->help != NULL && *plugin->help != '\0') {
        fputc('\n', out);
        ColumnsText(plugin->help, 0, out);
    }
    fprintf(out, "\nRuns as: %s\n", InspectThreads(plugin->flags));
    if (path != NULL) {
        fputs("File:    ", out);
        PlainPut(out, path);
        fputc('\n', out);
    }
    print_chip_sections(plugin->chip_sections, out);
    print_input_kinds(plugin->input_kinds, out);
    print_ports("Inputs", plugin->inputs, plugin->input_count, out);
    print_ports("Outputs", plugin->outputs, plugin->output_count, out);
    print_params(plugin, out);
}

static OpprofStatus check_written(FILE *out, OpprofError **error)
{
    if (fflush(out) != 0 || ferror(out) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot print the plugins: %m");
    }
    return OPPROF_OK;
}

OpprofStatus InspectPlugin(OpprofPipeline *pipeline, const char *name, FILE *out,
                           OpprofError **error)
{
    const OpprofPlugin *plugin = NULL;
    const char *path = NULL;
    const OpprofStatus status = OpprofPipelineFindPlugin(pipeline, name, &plugin, &path, error);

    if (status != OPPROF_OK) {
        return status;
    }
    InspectPrintPlugin(plugin, path, out);
    return check_written(out, error);
}

/* ---- lists ---- */

/* Where the list goes, and how far it is. */
typedef struct Lister {
    FILE *out;
    Table usable;
    bool has_any;
    bool has_unusable;
    bool has_shadowed;
    bool lacks_memory;
} Lister;

enum { LIST_COLUMNS = 5 };

static void add_usable(void *context, const OpprofPluginFile *file)
{
    Lister *lister = context;
    const OpprofPlugin *plugin = file->plugin;

    lister->has_any = true;
    if (plugin != NULL) {
        const char *const cells[LIST_COLUMNS] = { plugin->name, OpprofPluginKindName(plugin->kind),
                                                  plugin->version, plugin->license,
                                                  plugin->summary };

        for (size_t c = 0; c < LIST_COLUMNS; c++) {
            lister->lacks_memory = lister->lacks_memory || !TableAlignLeft(&lister->usable, c) ||
                                   !TableAdd(&lister->usable, cells[c]);
        }
    }
}

/* The reasons below the outermost message, which only says again what the path says. */
static void print_reason(const OpprofError *error, FILE *out)
{
    const OpprofError *cause = OpprofErrorCause(error);
    char *text = OpprofErrorText(cause != NULL ? cause : error, false);
    const char *line = text != NULL ? text : OpprofErrorMessage(error);

    while (*line != '\0') {
        size_t length = strcspn(line, "\n");

        ColumnsBlanks(2 * COLUMNS_INDENT, out);
        fprintf(out, "%.*s\n", (int) length, line);
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    free(text);
}

static void print_unusable(void *context, const OpprofPluginFile *file)
{
    Lister *lister = context;

    if (file->error != NULL) {
        fputs(lister->has_unusable ? "" : "\nnot usable:\n", lister->out);
        fputs("  ", lister->out);
        PlainPut(lister->out, file->path);
        fputc('\n', lister->out);
        print_reason(file->error, lister->out);
        lister->has_unusable = true;
    }
}

static void print_shadowed(void *context, const OpprofPluginFile *file)
{
    Lister *lister = context;

    if (file->shadowed_by != NULL) {
        fputs(lister->has_shadowed ? "" : "\nshadowed:\n", lister->out);
        fputs("  ", lister->out);
        PlainPut(lister->out, file->path);
        fputs("\n    ", lister->out);
        PlainPut(lister->out, file->shadowed_by);
        fputs(" is used instead\n", lister->out);
        lister->has_shadowed = true;
    }
}

static void print_nothing(const OpprofPipeline *pipeline, FILE *out)
{
    fputs("no plugins in:\n", out);
    for (size_t i = 0; OpprofPipelinePluginPath(pipeline, i) != NULL; i++) {
        fprintf(out, "  %s\n", OpprofPipelinePluginPath(pipeline, i));
    }
}

OpprofStatus InspectList(OpprofPipeline *pipeline, FILE *out, OpprofError **error)
{
    OpprofPluginVisit *const passes[] = { add_usable, print_unusable, print_shadowed };
    Lister lister = { .out = out, .usable = { .columns = LIST_COLUMNS } };
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        /* what could not be looked at does not hide the others */
        const OpprofStatus outcome = OpprofPipelineVisitPlugins(pipeline, passes[i], &lister,
                                                                status == OPPROF_OK ? error : NULL);

        status = status == OPPROF_OK ? outcome : status;
        if (!lister.has_any) {
            break;
        }
        if (passes[i] == add_usable) {
            TablePrint(&lister.usable, out);
        }
    }
    TableFinish(&lister.usable);
    if (status == OPPROF_OK && lister.lacks_memory) {
        status = OpprofErrorNoMemory(error, "list the plugins");
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (!lister.has_any) {
        print_nothing(pipeline, out);
    }
    return check_written(out, error);
}
