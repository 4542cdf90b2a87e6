/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents that extend others: reads the chain and lays one over the other, so that one document
 * is left. Tested by tests/core/document/test_extends.
 */
#include "document/config_parser.h"

#include "base/names.h"
#include "base/files.h"
#include "document/config_find.h"

#include <opprof/json.h>
#include <opprof/plugin.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_CHAIN 16

/* One document of a chain, from the one that was asked for down to the one that extends none. */
typedef struct Document {
    const struct Document *above; /* that extends this one; NULL: it was asked for */
    const char *name;             /* as that one calls it */
    const char *path;             /* NULL: from memory */
    const char *directory;
    const char *label; /* before its locations; "" for the one that was asked for */
    json_t *root;
} Document;

/* ---- the chain, in messages ---- */

/* "'a' extends 'b', which extends 'c'". */
static const char *chain_text(Problems *problems, const Document *document, const char *next)
{
    if (document->above == NULL) {
        return ProblemsText(problems, "'%s' extends '%s'", document->name, next);
    }
    return ProblemsText(problems, "%s, which extends '%s'",
                        chain_text(problems, document->above, document->name), next);
}

static OpprofStatus fail_chain(const ConfigParser *parser, const Document *document,
                               const char *next, OpprofStatus status, const char *what,
                               OpprofError **error)
{
    return OpprofErrorSet(error, status, "Cannot read the pipeline: %s%s",
                          chain_text(parser->problems, document, next), what);
}

static bool are_one_file(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && IsSameFile(&x, &y);
}

static bool is_in_chain(const Document *document, const char *path, unsigned *ret_length)
{
    bool is_in = false;

    for (*ret_length = 0; document != NULL; document = document->above, ++*ret_length) {
        is_in = is_in || (document->path != NULL && are_one_file(document->path, path));
    }
    return is_in;
}

/* ---- where a piece comes from ---- */

/* Remember the place of a stage, link or variable of a document that others extend. */
static bool mark(json_t *piece, const char *label, const char *array, const char *key)
{
    return json_object_set_new(piece, CONFIG_PLACE, json_sprintf("%s/%s/%s", label, array, key)) ==
           0;
}

/* Every element of the array that is an object. */
static bool mark_array(json_t *root, const char *label, const char *key)
{
    json_t *array = json_object_get(root, key);
    bool is_good = true;

    for (size_t i = 0; i < json_array_size(array) && is_good; i++) {
        char number[24];

        snprintf(number, sizeof number, "%zu", i);
        if (json_is_object(json_array_get(array, i))) {
            is_good = mark(json_array_get(array, i), label, key, number);
        }
    }
    return is_good;
}

static bool mark_vars(json_t *root, const char *label)
{
    const char *name;
    json_t *var;

    json_object_foreach(json_object_get(root, "vars"), name, var)
    {
        if (json_is_object(var) && !mark(var, label, "vars", name)) {
            return false;
        }
    }
    return true;
}

static bool mark_all(json_t *root, const char *label)
{
    return mark_array(root, label, "stages") && mark_array(root, label, "links") &&
           mark_vars(root, label);
}

/* ---- one over the other; false without memory ---- */

/* Member by member; what is not an object is replaced. */
static bool lay_members(json_t *below, json_t *above)
{
    return json_object_update(below, above) == 0;
}

/* A new default also replaces `required`, and the other way round. */
static bool lay_var(json_t *below, json_t *above)
{
    if (json_object_get(above, "default") != NULL) {
        json_object_del(below, "required");
    }
    if (json_is_true(json_object_get(above, "required"))) {
        json_object_del(below, "default");
    }
    return lay_members(below, above);
}

static bool lay_vars(json_t *below, json_t *above)
{
    const char *name;
    json_t *var;

    json_object_foreach(above, name, var)
    {
        json_t *old = json_object_get(below, name);

        if (json_is_object(old) && json_is_object(var) ? !lay_var(old, var)
                                                       : json_object_set(below, name, var) != 0) {
            return false;
        }
    }
    return true;
}

/* Among the first stages, so that two stages with one id in the document above stay distinct. */
static json_t *find_stage(json_t *stages, size_t count, const json_t *id)
{
    for (size_t i = 0; id != NULL && i < count; i++) {
        json_t *stage = json_array_get(stages, i);

        if (json_is_object(stage) && json_equal(json_object_get(stage, "id"), id)) {
            return stage;
        }
    }
    return NULL;
}

static bool lay_stage(json_t *below, json_t *above)
{
    json_t *old = json_object_get(below, "params");
    json_t *params = json_object_get(above, "params");

    if (json_is_object(old) && json_is_object(params)) {
        if (!lay_members(old, params) || json_object_set(above, "params", old) != 0) {
            return false;
        }
    }
    return lay_members(below, above);
}

static bool lay_stages(json_t *below, json_t *above)
{
    const size_t count = json_array_size(below);

    for (size_t i = 0; i < json_array_size(above); i++) {
        json_t *stage = json_array_get(above, i);
        json_t *old = find_stage(below, count, json_object_get(stage, "id"));

        if (old != NULL) {
            if (!lay_stage(old, stage)) {
                return false;
            }
        } else if ((json_is_object(stage) &&
                    json_object_set_new(stage, CONFIG_APPENDED, json_true()) != 0) ||
                   json_array_append(below, stage) != 0) {
            return false;
        }
    }
    return true;
}

/* Links to an input replace those that it had. */
static bool lay_links(json_t *below, json_t *above)
{
    for (size_t i = 0; i < json_array_size(above); i++) {
        const json_t *to = json_object_get(json_array_get(above, i), "to");

        for (size_t k = json_array_size(below); to != NULL && k > 0; k--) {
            if (json_equal(json_object_get(json_array_get(below, k - 1), "to"), to)) {
                json_array_remove(below, k - 1);
            }
        }
    }
    return json_array_extend(below, above) == 0;
}

/* Directories of the document above come first. */
static bool lay_paths(json_t *below, json_t *above)
{
    for (size_t i = 0; i < json_array_size(above); i++) {
        if (json_array_insert(below, i, json_array_get(above, i)) != 0) {
            return false;
        }
    }
    return true;
}

static const struct {
    const char *key;
    json_type type;
    bool (*lay)(json_t *below, json_t *above);
} layers[] = {
    { "vars", JSON_OBJECT, lay_vars },        { "queue", JSON_OBJECT, lay_members },
    { "stages", JSON_ARRAY, lay_stages },     { "links", JSON_ARRAY, lay_links },
    { "plugin_path", JSON_ARRAY, lay_paths },
};

static bool lay_member(json_t *below, const char *key, json_t *value)
{
    json_t *old = json_object_get(below, key);

    for (size_t i = 0; i < OPPROF_COUNT(layers); i++) {
        if (strcmp(layers[i].key, key) == 0 && old != NULL && json_typeof(old) == layers[i].type &&
            json_typeof(value) == layers[i].type) {
            return layers[i].lay(old, value);
        }
    }
    return json_object_set(below, key, value) == 0;
}

static bool lay_document(json_t *below, json_t *above)
{
    const char *key;
    json_t *value;

    json_object_foreach(above, key, value)
    {
        if (strcmp(key, "extends") != 0 && !lay_member(below, key, value)) {
            return false;
        }
    }
    return true;
}

/* ---- reading ---- */

/* Paths in a document are relative to its directory; in one that is
 * extended they are made whole. */
static bool make_paths_whole(json_t *root, const char *directory)
{
    json_t *paths = json_object_get(root, "plugin_path");
    bool is_good = true;

    for (size_t i = 0; i < json_array_size(paths) && is_good; i++) {
        const char *path = json_string_value(json_array_get(paths, i));

        if (path != NULL && *path != '\0' && *path != '/') {
            json_t *whole = json_sprintf("%s/%s", directory, path);

            is_good = whole != NULL && json_array_set_new(paths, i, whole) == 0;
        }
    }
    return is_good;
}

/* The document that another one extends: a path is relative to it, a name is that of an installed
 * pipeline. */
static OpprofStatus find_base(const ConfigParser *parser, const Document *document,
                              const char *name, char **ret_path, OpprofError **error)
{
    const bool is_relative = ConfigIsPath(name) && *name != '/';

    return ConfigFind(
        is_relative ? ProblemsText(parser->problems, "%s/%s", document->directory, name) : name,
        ret_path, error);
}

static OpprofStatus extend(ConfigParser *parser, Document *document, OpprofError **error);

/* Read the document, check it, and lay it over what it extends itself. */
static OpprofStatus read_base(ConfigParser *parser, Document *base, OpprofError **error)
{
    OpprofStatus status = OpprofJsonLoad(base->path, &base->root, error);

    if (status != OPPROF_OK) {
        return fail_chain(parser, base->above, base->name,
                          status == OPPROF_E_DATA ? OPPROF_E_ARGUMENT : status, "", error);
    }
    if (!ConfigCheckDocument(parser, base->root, base->label)) {
        return OPPROF_END; /* what is wrong has been reported */
    }
    if (!mark_all(base->root, base->label) || !make_paths_whole(base->root, base->directory)) {
        return OpprofErrorNoMemory(error, "read the pipeline");
    }
    return extend(parser, base, error);
}

/* Lay the document `above` over the one that it extends; the result takes its place. */
static OpprofStatus lay_over(ConfigParser *parser, Document *above, const char *name,
                             const char *path, OpprofError **error)
{
    char *directory = NameDirectory(path);
    const char *label = ProblemsText(parser->problems, "%s:", path);
    Document base = {
        .above = above, .name = name, .path = path, .directory = directory, .label = label
    };
    OpprofStatus status = OPPROF_E_MEMORY;

    if (directory != NULL) {
        status = read_base(parser, &base, error);
    }
    if (status == OPPROF_OK && !lay_document(base.root, above->root)) {
        status = OPPROF_E_MEMORY;
    }
    if (status == OPPROF_OK) {
        json_decref(above->root);
        above->root = json_incref(base.root);
    } else if (status == OPPROF_E_MEMORY) {
        OpprofErrorNoMemory(error, "read the pipeline");
    }
    json_decref(base.root);
    free(directory);
    return status;
}

static OpprofStatus extend(ConfigParser *parser, Document *document, OpprofError **error)
{
    json_t *extends = json_object_get(document->root, "extends");
    const char *name = json_string_value(extends);
    OpprofStatus status;
    unsigned length;
    char *path = NULL;

    if (extends == NULL) {
        return OPPROF_OK;
    }
    if (name == NULL || *name == '\0') {
        ConfigReportType(parser, document->label, "extends", "the name or path of a pipeline",
                         extends);
        return OPPROF_OK;
    }
    status = find_base(parser, document, name, &path, error);
    if (status != OPPROF_OK) {
        return fail_chain(parser, document, name, status, "", error);
    }
    if (is_in_chain(document, path, &length)) {
        status = fail_chain(parser, document, name, OPPROF_E_ARGUMENT, ": this is a cycle", error);
    } else if (length >= MAX_CHAIN) {
        status =
            fail_chain(parser, document, name, OPPROF_E_ARGUMENT, ": the chain is too long", error);
    } else {
        status = lay_over(parser, document, name, path, error);
    }
    free(path);
    return status;
}

/* ---- entry ---- */

OpprofStatus ConfigExtend(ConfigParser *parser, const char *path, json_t **root,
                          OpprofError **error)
{
    Document document = { .name = parser->config->name,
                          .path = path,
                          .directory = parser->directory,
                          .label = "",
                          .root = *root };
    OpprofStatus status;

    if (json_object_get(*root, "extends") == NULL) {
        return OPPROF_OK;
    }
    if (!mark_all(*root, "")) {
        return OpprofErrorNoMemory(error, "read the pipeline");
    }
    status = extend(parser, &document, error);
    *root = document.root;
    return status;
}

bool ConfigAppend(json_t *root, json_t *stages)
{
    json_t *own = json_object_get(root, "stages");

    for (size_t i = 0; json_is_array(own) && i < json_array_size(stages); i++) {
        json_t *added = json_array_get(stages, i);
        json_t *stage = json_copy(added);
        json_t *place =
            json_sprintf("added stage %s", json_string_value(json_object_get(stage, "id")));

        /* Without memory a copy may lack members. */
        const bool is_whole = json_object_size(stage) == json_object_size(added);

        if (json_object_set_new(stage, CONFIG_PLACE, place) != 0 ||
            json_object_set_new(stage, CONFIG_APPENDED, json_true()) != 0 || !is_whole) {
            json_decref(stage);
            return false;
        }
        if (json_array_append_new(own, stage) != 0) {
            return false;
        }
    }
    return true;
}
