/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module's manual page, in the language of mdoc(7). Tested by
 * tests/e2e-docs/test_plugin_pages.sh.
 */
#include "inspect_man.h"

#include "inspect.h"

#include "print/columns.h"

#include <opprof/opprof.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * A text in which nothing is a request or an escape, on a line of its own; `*at` ends before a
 * paragraph's end.
 */
static void print_line(const char *text, size_t length, FILE *out)
{
    if (length > 0 && (text[0] == '.' || text[0] == '\'')) {
        fputs("\\&", out);
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\') {
            fputs("\\e", out);
        } else {
            fputc(text[i], out);
        }
    }
    fputc('\n', out);
}

/* Where a sentence ends: its formatter wants the next on a new line. */
static bool ends_sentence(const char *text, size_t length, size_t at)
{
    return strchr(".!?", text[at]) != NULL && at + 2 < length && text[at + 1] == ' ' &&
           isupper((unsigned char) text[at + 2]);
}

/* Paragraphs of sentences. */
static void print_text(const char *text, FILE *out)
{
    while (text != NULL && *text != '\0') {
        const size_t length = strcspn(text, "\n");
        size_t from = 0;

        for (size_t i = 0; i < length; i++) {
            if (ends_sentence(text, length, i)) {
                print_line(text + from, i + 1 - from, out);
                from = i + 2;
            }
        }
        if (from < length) {
            print_line(text + from, length - from, out);
        }
        text += length;
        if (*text == '\n') {
            text++;
            if (*text == '\n') {
                fputs(".Pp\n", out);
                text += strspn(text, "\n");
            }
        }
    }
}

/* A word as an argument of a macro: neither a macro's name nor punctuation. */
static void print_argument(const char *text, FILE *out)
{
    fputs(" \"\\&", out);
    for (; *text != '\0'; text++) {
        if (*text == '\\') {
            fputs("\\e", out);
        } else if (*text == '"') {
            fputs("\\(dq", out);
        } else {
            fputc(*text == '\n' ? ' ' : *text, out);
        }
    }
    fputc('"', out);
}

static void begin_item(const char *macro, const char *name, FILE *out)
{
    fprintf(out, ".It %s", macro);
    print_argument(name, out);
    fputc('\n', out);
}

static void print_field(const OpprofField *field, FILE *out)
{
    char *head = ColumnsPrint("%s%s%s", ColumnsOr(OpprofFieldKindName(field->kind), "?"),
                              field->unit != NULL ? ", " : "", ColumnsOr(field->unit, ""));

    begin_item("Li", field->name, out);
    if (head != NULL) {
        fputs(".Pq", out);
        print_argument(head, out);
        fputc('\n', out);
    }
    print_text(field->meaning, out);
    if (field->absent != NULL) {
        char *absent = ColumnsPrint("Absent: %s.", field->absent);
        print_text(absent, out);
        free(absent);
    }
    free(head);
}

static void print_port(const OpprofPort *port, FILE *out)
{
    const OpprofRecordType *type = port->record_type;
    char *details = InspectPortDetails(port);

    begin_item("Sy", port->name, out);
    if (details != NULL) {
        print_text(details, out);
        fputs(".br\n", out);
    }
    print_text(ColumnsOr(port->summary, ""), out);
    if (type != NULL && type->field_count > 0) {
        fputs(".Bl -tag -width Ds -compact\n", out);
        for (uint32_t f = 0; f < type->field_count; f++) {
            print_field(&type->fields[f], out);
        }
        fputs(".El\n", out);
    }
    free(details);
}

static void print_ports(const char *title, const OpprofPort *ports, uint32_t count, FILE *out)
{
    if (count == 0) {
        return;
    }
    fprintf(out, ".Sh %s\n.Bl -tag -width Ds\n", title);
    for (uint32_t i = 0; i < count; i++) {
        print_port(&ports[i], out);
    }
    fputs(".El\n", out);
}

static void print_params(const OpprofPlugin *plugin, FILE *out)
{
    if (plugin->param_count == 0) {
        return;
    }
    fputs(".Sh PARAMETERS\n.Bl -tag -width Ds\n", out);
    for (uint32_t i = 0; i < plugin->param_count; i++) {
        char *details = InspectParamDetails(&plugin->params[i]);

        begin_item("Cm", plugin->params[i].name, out);
        if (details != NULL) {
            fputs(".Pq", out);
            print_argument(details, out);
            fputc('\n', out);
        }
        print_text(ColumnsOr(plugin->params[i].summary, ""), out);
        free(details);
    }
    fputs(".El\n", out);
}

static void print_kinds(const OpprofInputKind *kinds, FILE *out)
{
    if (kinds == NULL || kinds->name == NULL) {
        return;
    }
    fputs(".Pp\nInputs that it recognises:\n.Bl -tag -width Ds -compact\n", out);
    for (; kinds->name != NULL; kinds++) {
        begin_item("Li", kinds->name, out);
        print_text(ColumnsOr(kinds->summary, ""), out);
    }
    fputs(".El\n", out);
}

static void print_sections(const char *const *sections, FILE *out)
{
    if (sections == NULL || sections[0] == NULL) {
        return;
    }
    fputs(".Pp\nSections of chip files that it reads:\n", out);
    for (size_t i = 0; sections[i] != NULL; i++) {
        fprintf(out, ".Li");
        print_argument(sections[i], out);
        fprintf(out, " %s\n", sections[i + 1] != NULL ? "," : ".");
    }
}

/* "A thing." as the one line of NAME: "a thing". */
static void print_summary(const char *summary, FILE *out)
{
    const size_t length = strlen(summary);
    const bool is_word = isupper((unsigned char) summary[0]) && islower((unsigned char) summary[1]);

    fputs(".Nd ", out);
    for (size_t i = 0; i < length; i++) {
        if (i == 0 && is_word) {
            fputc(tolower((unsigned char) summary[0]), out);
        } else if (summary[i] == '\\') {
            fputs("\\e", out);
        } else if (i + 1 < length || summary[i] != '.') {
            fputc(summary[i], out);
        }
    }
    fputc('\n', out);
}

static void print_page(const OpprofPlugin *plugin, FILE *out)
{
    fprintf(
        out,
        ".\\\" SPDX-License-Identifier: %s\n.\\\" Made by opprof-run --inspect %s --format man.\n"
        ".Dd January 1, 2026\n.Dt OPPROF-PLUGIN-",
        plugin->license, plugin->name);
    for (const char *at = plugin->name; *at != '\0'; at++) {
        fputc(toupper((unsigned char) *at), out);
    }
    fprintf(out, " 7\n.Os opprof %s\n.Sh NAME\n.Nm opprof-plugin-%s\n", OpprofVersion(),
            plugin->name);
    print_summary(plugin->summary, out);
    fprintf(out, ".Sh DESCRIPTION\nThe %s\n.Sy %s ,\nversion %s.\n",
            OpprofPluginKindName(plugin->kind), plugin->name, plugin->version);
    print_text(plugin->summary, out);
    if (plugin->help != NULL && *plugin->help != '\0') {
        fputs(".Pp\n", out);
        print_text(plugin->help, out);
    }
    fprintf(out, ".Pp\nIt runs as %s.\n", InspectThreads(plugin->flags));
    print_sections(plugin->chip_sections, out);
    print_kinds(plugin->input_kinds, out);
    print_ports("INPUTS", plugin->inputs, plugin->input_count, out);
    print_ports("OUTPUTS", plugin->outputs, plugin->output_count, out);
    print_params(plugin, out);
    fputs(".Sh SEE ALSO\n.Xr opprof-run 1 ,\n.Xr opprof-pipeline 5\n", out);
}

OpprofStatus InspectManPage(OpprofPipeline *pipeline, const char *name, FILE *out,
                            OpprofError **error)
{
    const OpprofPlugin *plugin = NULL;
    const OpprofStatus status = OpprofPipelineFindPlugin(pipeline, name, &plugin, NULL, error);

    if (status == OPPROF_OK) {
        print_page(plugin, out);
    }
    return status;
}
