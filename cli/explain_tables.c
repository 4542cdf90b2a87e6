/* SPDX-License-Identifier: Apache-2.0 */
/* --explain: tables that modules give, their columns and values. Tested by tests/e2e/explain.sh. */
#include "explain_tables.h"

#include "print/columns.h"

#include <opprof/plugin.h>
#include <opprof/print.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Search {
    const char *word;
    FILE *out;
    bool is_found;
} Search;

/* A letter of a name as people write it: "busy_share(%)" is "busy share". */
static char plain(char letter)
{
    return (char) (letter == '_' || letter == '.' ? ' ' : letter);
}

/* Length of a heading without the unit at its end, in parentheses or of a time. */
static size_t length_of(const char *name)
{
    const size_t length = strlen(name);
    const char *unit = length > 0 && name[length - 1] == ')' ? strrchr(name, '(') : NULL;

    if (length > 3 && strcmp(name + length - 2, "us") == 0 && plain(name[length - 3]) == ' ') {
        unit = name + length - 3;
    }
    return unit == NULL || unit == name ? length : (size_t) (unit - name);
}

static bool is_named(const char *name, const char *word)
{
    const size_t length = name == NULL ? 0 : length_of(name);
    bool is_same = length > 0 && length == length_of(word);

    for (size_t i = 0; is_same && i < length; i++) {
        const char pair[2][2] = { { plain(name[i]) }, { plain(word[i]) } };

        is_same = strcasecmp(pair[0], pair[1]) == 0;
    }
    return is_same;
}

static void print_column(const Search *search, const OpprofRecordType *type,
                         const OpprofField *field, const OpprofPlugin *plugin)
{
    fprintf(search->out, "%s: column of '%s', of %s%s%s\n  ", OpprofFieldHeading(field),
            ColumnsOr(type->title, type->name), plugin->name, field->unit == NULL ? "" : ", in ",
            ColumnsOr(field->unit, ""));
    ColumnsText(ColumnsOr(field->meaning, "-"), COLUMNS_INDENT, search->out);
    if (field->absent != NULL) {
        fprintf(search->out, "  Absent: %s\n", field->absent);
    }
}

/* What the meaning of a column says of one of its values, "host: operators and calls; wait: …", for
 * free(); NULL: nothing. */
static char *value_in(const char *meaning, const char *word)
{
    for (const char *at = meaning; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ":;.");
        char *name = strncmp(at + length, ": ", 2) == 0 ? strndup(at, length) : NULL;
        const bool is_it = is_named(name, word);
        const char *end = at + strcspn(at, ";.");

        free(name);
        while (*end != '\0' && end[1] != '\0' && end[1] != ' ') {
            end += 1 + strcspn(end + 1, ";.");
        }
        if (is_it) {
            return strndup(at + length + 2, (size_t) (end - at) - length - 2);
        }
        at = end + strspn(end, ";. ");
    }
    return NULL;
}

static bool print_value(const Search *search, const OpprofRecordType *type,
                        const OpprofField *field, const OpprofPlugin *plugin)
{
    char *text = value_in(field->meaning, search->word);

    if (text == NULL) {
        return false;
    }
    fprintf(search->out, "%s: value of the column '%s' of '%s', of %s\n  ", search->word,
            OpprofFieldHeading(field), ColumnsOr(type->title, type->name), plugin->name);
    ColumnsText(text, COLUMNS_INDENT, search->out);
    free(text);
    return true;
}

static void print_table(const Search *search, const OpprofRecordType *type,
                        const OpprofPlugin *plugin)
{
    fprintf(search->out, "%s: table of %s, '%s'\n  ", ColumnsOr(type->title, type->name),
            plugin->name, type->name);
    ColumnsText(ColumnsOr(type->summary, "-"), COLUMNS_INDENT, search->out);
    for (uint32_t f = 0; f < type->field_count; f++) {
        const OpprofField *field = &type->fields[f];

        if ((field->flags & OPPROF_FIELD_HIDDEN) == 0) {
            ColumnsItem(OpprofFieldHeading(field), strlen(OpprofFieldHeading(field)),
                        ColumnsOr(field->meaning, "-"), NULL, search->out);
        }
    }
}

static void explain_type(Search *search, const OpprofRecordType *type, const OpprofPlugin *plugin)
{
    const bool is_table = (type->flags & OPPROF_RECORD_TABLE) != 0;

    if (is_table && (is_named(type->title, search->word) || is_named(type->name, search->word))) {
        print_table(search, type, plugin);
        search->is_found = true;
    }
    for (uint32_t f = 0; f < type->field_count; f++) {
        const OpprofField *field = &type->fields[f];

        if (is_table &&
            (is_named(field->name, search->word) || is_named(field->heading, search->word))) {
            print_column(search, type, field, plugin);
            search->is_found = true;
        }
        search->is_found = print_value(search, type, field, plugin) || search->is_found;
    }
}

/* Does an earlier port give a type of that name, with the same columns but for hidden ones? */
static bool is_repeated(const OpprofPlugin *plugin, uint32_t port)
{
    for (uint32_t i = 0; i < port; i++) {
        if (plugin->outputs[i].record_type != NULL &&
            strcmp(plugin->outputs[i].record_type->name, plugin->outputs[port].record_type->name) ==
                0) {
            return true;
        }
    }
    return false;
}

static void visit(void *context, const OpprofPluginFile *file)
{
    for (uint32_t i = 0; file->plugin != NULL && i < file->plugin->output_count; i++) {
        const OpprofRecordType *type = file->plugin->outputs[i].record_type;

        if (type != NULL && !is_repeated(file->plugin, i)) {
            explain_type(context, type, file->plugin);
        }
    }
}

OpprofStatus ExplainTables(OpprofPipeline *pipeline, const char *word, bool *ret_found, FILE *out,
                           OpprofError **error)
{
    Search search = { .word = word, .out = out };
    const OpprofStatus status = OpprofPipelineVisitPlugins(pipeline, visit, &search, error);

    *ret_found = search.is_found;
    return status;
}
