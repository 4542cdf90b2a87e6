/* SPDX-License-Identifier: Apache-2.0 */
/* Puts kernels into groups by parts of their names; the groups are data, see kernel_groups.json. */
#include "groups.h"

#include <jansson.h>
#include <opprof/json.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FORMAT_KEY "opprof_kernel_groups"
#define FORMAT_VERSION "1.0"
#define OTHER "other"

static OpprofStatus bad_file(const char *path, size_t number, const char *why, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_DATA, "Cannot use kernel groups '%s': group %zu %s", path,
                          number, why);
}

/* Texts of a list, in order; they are borrowed. *ret_texts is NULL without memory. False: one is no
 * text, or empty. */
static bool read_texts(const json_t *list, const char ***ret_texts, size_t *ret_count)
{
    const char **texts = calloc(json_array_size(list) + 1, sizeof *texts);

    *ret_texts = texts;
    for (size_t i = 0; texts != NULL && i < json_array_size(list); i++) {
        texts[i] = json_string_value(json_array_get(list, i));
        if (texts[i] == NULL || texts[i][0] == '\0') {
            return false;
        }
        *ret_count = i + 1;
    }
    return true;
}

static OpprofStatus read_group(const char *path, size_t number, const json_t *object,
                               KernelGroup *group, OpprofError **error)
{
    const json_t *parts = json_object_get(object, "contains");

    group->name = json_string_value(json_object_get(object, "group"));
    if (group->name == NULL || !json_is_array(parts)) {
        return bad_file(path, number, "has no name 'group' or no list 'contains'", error);
    }
    if (!read_texts(parts, &group->parts, &group->count)) {
        return bad_file(path, number, "has a part that is not a text", error);
    }
    return group->parts == NULL ? OpprofErrorNoMemory(error, "read kernel groups '%s'", path)
                                : OPPROF_OK;
}

static OpprofStatus read_ignored(const char *path, KernelGroups *groups, OpprofError **error)
{
    const json_t *list = json_object_get(groups->document, "ignore");

    if (list == NULL) {
        return OPPROF_OK;
    }
    if (!json_is_array(list) || !read_texts(list, &groups->ignored, &groups->ignored_count)) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Cannot use kernel groups '%s': 'ignore' is not a list of texts",
                              path);
    }
    return groups->ignored == NULL ? OpprofErrorNoMemory(error, "read kernel groups '%s'", path)
                                   : OPPROF_OK;
}

static OpprofStatus read_groups(const char *path, KernelGroups *groups, OpprofError **error)
{
    const char *version = json_string_value(json_object_get(groups->document, FORMAT_KEY));
    const json_t *list = json_object_get(groups->document, "groups");
    OpprofStatus status;

    if (version == NULL || strcmp(version, FORMAT_VERSION) != 0 || !json_is_array(list)) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Cannot use kernel groups '%s': '" FORMAT_KEY "' is not \"%s\", or "
                              "there is no list 'groups'",
                              path, FORMAT_VERSION);
    }
    groups->list = calloc(json_array_size(list) + 1, sizeof *groups->list);
    if (groups->list == NULL) {
        return OpprofErrorNoMemory(error, "read kernel groups '%s'", path);
    }
    status = read_ignored(path, groups, error);
    while (status == OPPROF_OK && groups->count < json_array_size(list)) {
        const size_t number = groups->count++;

        status = read_group(path, number + 1, json_array_get(list, number), &groups->list[number],
                            error);
    }
    return status;
}

OpprofStatus KernelGroupsLoad(const char *path, const KernelGroupsText *own,
                              KernelGroups *ret_groups, OpprofError **error)
{
    OpprofStatus status;

    *ret_groups = (KernelGroups){ .list = NULL };
    status = path == NULL ? OpprofJsonParse(own->name, own->text, strlen(own->text),
                                            &ret_groups->document, error)
                          : OpprofJsonLoad(path, &ret_groups->document, error);
    return status == OPPROF_OK ? read_groups(path == NULL ? own->name : path, ret_groups, error)
                               : status;
}

void KernelGroupsFinish(KernelGroups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->list[i].parts);
    }
    free(groups->list);
    free(groups->ignored);
    json_decref(groups->document);
    *groups = (KernelGroups){ .list = NULL };
}

/* Whether a part of a name, found there, is only a part of a word that says nothing. */
static bool is_ignored(const KernelGroups *groups, const char *name, const char *at,
                       const char *part)
{
    for (size_t i = 0; i < groups->ignored_count; i++) {
        const char *word = groups->ignored[i];
        const size_t length = strlen(word);

        for (const char *in = strcasestr(word, part); in != NULL; in = strcasestr(in + 1, part)) {
            const size_t before = (size_t) (in - word);

            if ((size_t) (at - name) >= before && strncasecmp(at - before, word, length) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool has_part(const KernelGroups *groups, const char *name, const char *part)
{
    const char *at = strcasestr(name, part);

    while (at != NULL && is_ignored(groups, name, at, part)) {
        at = strcasestr(at + 1, part);
    }
    return at != NULL;
}

const char *KernelGroupsName(const KernelGroups *groups, const char *name)
{
    for (size_t i = 0; i < groups->count; i++) {
        for (size_t part = 0; part < groups->list[i].count; part++) {
            if (has_part(groups, name, groups->list[i].parts[part])) {
                return groups->list[i].name;
            }
        }
    }
    return NULL;
}

const char *KernelGroupsFind(const KernelGroups *groups, ActivityClass class, const char *name)
{
    const char *group = class == ACTIVITY_COMMUNICATION ? "communication"
                        : class == ACTIVITY_MEMORY      ? "memory"
                                                        : KernelGroupsName(groups, name);

    return group == NULL ? OTHER : group;
}
