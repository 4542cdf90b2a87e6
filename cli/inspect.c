/* SPDX-License-Identifier: Apache-2.0 */
/* What --list and --inspect print. */
#include "inspect.h"

#include <opprof/opprof.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100 /* columns */
#define INDENT 2

/* Text in columns */

/* Columns of the first `length` bytes: characters, not bytes. */
static size_t columns_of(const char *text, size_t length)
{
    size_t columns = 0;

    for (size_t i = 0; i < length; i++) {
        columns += ((unsigned char) text[i] & 0xc0) != 0x80 ? 1 : 0;
    }
    return columns;
}

static size_t text_columns(const char *text)
{
    return columns_of(text, strlen(text));
}

static size_t larger(size_t left, size_t right)
{
    return left > right ? left : right;
}

static void print_blanks(size_t count, FILE *out)
{
    fprintf(out, "%*s", (int) count, "");
}

/* A cell of a table and two blanks between it and the next. */
static void print_cell(const char *text, size_t width, FILE *out)
{
    size_t columns = text_columns(text);

    fputs(text, out);
    print_blanks((columns < width ? width - columns : 0) + 2, out);
}

/*
 * Words of a paragraph in lines up to WIDTH; the first line goes on at `indent`, where the cursor
 * is, further ones start there. Returns what follows the paragraph.
 */
static const char *print_paragraph(const char *text, size_t indent, FILE *out)
{
    size_t column = indent;
    bool first = true;

    while (*text != '\0' && strncmp(text, "\n\n", 2) != 0) {
        size_t length = strcspn(text, " \n");
        size_t columns = columns_of(text, length);

        if (length == 0) {
            text++;
            continue;
        }
        if (!first && column + 1 + columns > WIDTH) {
            fputc('\n', out);
            print_blanks(indent, out);
            column = indent;
            first = true;
        }
        fprintf(out, "%s%.*s", first ? "" : " ", (int) length, text);
        column += columns + (first ? 0 : 1);
        first = false;
        text += length;
    }
    fputc('\n', out);
    return text + strspn(text, "\n");
}

/* Paragraphs with an empty line between each two; ends in a newline. */
static void print_text(const char *text, size_t indent, FILE *out)
{
    text += strspn(text, "\n ");
    for (;;) {
        text = print_paragraph(text, indent, out);
        if (*text == '\0') {
            return;
        }
        fputc('\n', out);
        print_blanks(indent, out);
    }
}

/* Text to be given to free(), or NULL without memory. */
OPPROF_PRINTF(1, 2)
static char *text_of(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    int length;

    va_start(list, format);
    length = vasprintf(&text, format, list);
    va_end(list);
    return length < 0 ? NULL : text;
}

static const char *text_or(const char *text, const char *otherwise)
{
    return text != NULL && *text != '\0' ? text : otherwise;
}

/* A name at INDENT, its details and under them its summary. */
static void print_item(const char *name, size_t width, const char *details, const char *summary,
                       FILE *out)
{
    print_blanks(INDENT, out);
    print_cell(name, width, out);
    print_text(details, INDENT + width + 2, out);
    if (summary != NULL && *summary != '\0') {
        print_blanks(INDENT + width + 2, out);
        print_text(summary, INDENT + width + 2, out);
    }
}

/* Record types */

static void print_field(const OpprofField *field, size_t indent, size_t name_width,
                        size_t unit_width, FILE *out)
{
    const char *kind = OpprofFieldKindName(field->kind);
    char *meaning = field->absent == NULL
                        ? NULL
                        : text_of("%s Absent: %s", text_or(field->meaning, ""), field->absent);

    print_blanks(indent, out);
    print_cell(field->name, name_width, out);
    print_cell(kind, strlen("string"), out);
    print_cell(text_or(field->unit, "-"), unit_width, out);
    print_text(meaning != NULL ? meaning : text_or(field->meaning, "-"),
               indent + name_width + 2 + strlen("string") + 2 + unit_width + 2, out);
    free(meaning);
}

static void print_record(const OpprofRecordType *type, size_t indent, FILE *out)
{
    size_t name_width = 0;
    size_t unit_width = 1;

    for (uint32_t i = 0; i < type->field_count; i++) {
        name_width = larger(name_width, text_columns(type->fields[i].name));
        unit_width = larger(unit_width, text_columns(text_or(type->fields[i].unit, "-")));
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        print_field(&type->fields[i], indent, name_width, unit_width, out);
    }
}

/* Ports */

static const char *order_details(uint32_t order)
{
    return order == OPPROF_ORDER_START ? ", by start time"
                                       : (order == OPPROF_ORDER_END ? ", by end time" : "");
}

static char *type_details(const OpprofPort *port)
{
    const OpprofRecordType *record = port->record_type;

    if (record == NULL) {
        return strdup(text_or(port->type, "a type that depends on parameters"));
    }
    return text_of("%s version %u%s", record->name, record->version,
                   (record->flags & OPPROF_RECORD_TABLE) != 0 ? ", a table" : "");
}

static void print_port(const OpprofPort *port, size_t width, FILE *out)
{
    char *type = type_details(port);
    char *details = NULL;

    if (type != NULL) {
        details = text_of("%s%s%s%s", type, order_details(port->order),
                          (port->flags & OPPROF_PORT_MANY) != 0 ? ", all producers" : "",
                          (port->flags & OPPROF_PORT_OPTIONAL) != 0 ? ", optional" : "");
    }
    print_item(port->name, width, details != NULL ? details : "", port->summary, out);
    free(type);
    free(details);
    if (port->record_type != NULL) {
        print_record(port->record_type, INDENT + width + 2 + INDENT, out);
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
        width = larger(width, text_columns(ports[i].name));
    }
    for (uint32_t i = 0; i < count; i++) {
        print_port(&ports[i], width, out);
    }
}

/* Parameters */

/* "a, b, c"; "none" for none. */
static char *join(const char *const *names)
{
    char *text = strdup(names == NULL || names[0] == NULL ? "none" : names[0]);

    for (size_t i = 1; text != NULL && names != NULL && names[0] != NULL && names[i] != NULL; i++) {
        char *longer = text_of("%s, %s", text, names[i]);

        free(text);
        text = longer;
    }
    return text;
}

static void print_param(const OpprofParam *param, size_t width, FILE *out)
{
    bool is_required = (param->flags & OPPROF_PARAM_REQUIRED) != 0;
    bool has_default = param->default_value != NULL;
    char *choices = join(param->choices);
    char *range = OpprofParamRangeText(param);
    char *details = NULL;

    if (choices != NULL && range != NULL) {
        details = text_of(
            "%s%s%s%s%s%s%s%s%s%s", OpprofParamTypeName(param->type), *range != '\0' ? ", " : "",
            range, *range == '\0' && param->unit != NULL ? " of " : "",
            *range == '\0' ? text_or(param->unit, "") : "", param->choices != NULL ? ", of: " : "",
            param->choices != NULL ? choices : "", is_required ? "; required" : "",
            has_default ? "; default " : "",
            has_default ? text_or(param->default_value, "''") : "");
    }
    print_item(param->name, width, details != NULL ? details : "", param->summary, out);
    free(choices);
    free(range);
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
        width = larger(width, text_columns(plugin->params[i].name));
    }
    for (uint32_t i = 0; i < plugin->param_count; i++) {
        print_param(&plugin->params[i], width, out);
    }
}

/* Plugins */

static const char *threads_text(uint32_t flags)
{
    if ((flags & OPPROF_PLUGIN_PARTITIONED) != 0) {
        return "one instance a partition, up to the number of cores of the machine";
    }
    if ((flags & OPPROF_PLUGIN_PARALLEL) != 0) {
        return "as many instances as the machine has cores";
    }
    return "one instance";
}

static void print_chip_sections(const char *const *sections, FILE *out)
{
    for (size_t i = 0; sections != NULL && sections[i] != NULL; i++) {
        fprintf(out, "%s%s", i == 0 ? "Reads of chip files: " : ", ", sections[i]);
    }
    if (sections != NULL && sections[0] != NULL) {
        fputc('\n', out);
    }
}

static void print_input_kinds(const OpprofInputKind *kinds, FILE *out)
{
    size_t width = 0;

    for (const OpprofInputKind *kind = kinds; kind != NULL && kind->name != NULL; kind++) {
        width = larger(width, text_columns(kind->name));
    }
    if (width > 0) {
        fputs("\nRecognises:\n", out);
    }
    for (const OpprofInputKind *kind = kinds; kind != NULL && kind->name != NULL; kind++) {
        print_item(kind->name, width, kind->summary, NULL, out);
    }
}

void InspectPrintPlugin(const OpprofPlugin *plugin, const char *path, FILE *out)
{
    fprintf(out, "%s %s: %s, %s\n", plugin->name, plugin->version,
            OpprofPluginKindName(plugin->kind), plugin->license);
    print_text(plugin->summary, 0, out);
    if (plugin->help != NULL && *plugin->help != '\0') {
        fputc('\n', out);
        print_text(plugin->help, 0, out);
    }
    fprintf(out, "\nRuns as: %s\n", threads_text(plugin->flags));
    if (path != NULL) {
        fprintf(out, "File:    %s\n", path);
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
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot print about plugins: %m");
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

/* Lists */

typedef struct Widths {
    size_t name;
    size_t kind;
    size_t version;
    size_t license;
} Widths;

/* Where the list goes, and how far it is. */
typedef struct Lister {
    FILE *out;
    Widths widths;
    bool has_any;
    bool has_unusable;
    bool has_shadowed;
} Lister;

static void measure(void *context, const OpprofPluginFile *file)
{
    Lister *lister = context;
    const OpprofPlugin *plugin = file->plugin;

    lister->has_any = true;
    if (plugin != NULL) {
        lister->widths.name = larger(lister->widths.name, text_columns(plugin->name));
        lister->widths.kind =
            larger(lister->widths.kind, text_columns(OpprofPluginKindName(plugin->kind)));
        lister->widths.version = larger(lister->widths.version, text_columns(plugin->version));
        lister->widths.license = larger(lister->widths.license, text_columns(plugin->license));
    }
}

static void print_usable(void *context, const OpprofPluginFile *file)
{
    const Lister *lister = context;
    const OpprofPlugin *plugin = file->plugin;

    if (plugin != NULL) {
        print_cell(plugin->name, lister->widths.name, lister->out);
        print_cell(OpprofPluginKindName(plugin->kind), lister->widths.kind, lister->out);
        print_cell(plugin->version, lister->widths.version, lister->out);
        print_cell(plugin->license, lister->widths.license, lister->out);
        fprintf(lister->out, "%s\n", plugin->summary);
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

        print_blanks(2 * INDENT, out);
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
        fprintf(lister->out, "  %s\n", file->path);
        print_reason(file->error, lister->out);
        lister->has_unusable = true;
    }
}

static void print_shadowed(void *context, const OpprofPluginFile *file)
{
    Lister *lister = context;

    if (file->shadowed_by != NULL) {
        fputs(lister->has_shadowed ? "" : "\nshadowed:\n", lister->out);
        fprintf(lister->out, "  %s\n    %s is used instead\n", file->path, file->shadowed_by);
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
    OpprofPluginVisit *const passes[] = { measure, print_usable, print_unusable, print_shadowed };
    Lister lister = { .out = out };

    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        const OpprofStatus status = OpprofPipelineVisitPlugins(pipeline, passes[i], &lister, error);

        if (status != OPPROF_OK) {
            return status;
        }
        if (!lister.has_any) {
            print_nothing(pipeline, out);
            break;
        }
    }
    return check_written(out, error);
}
