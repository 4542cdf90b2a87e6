/* SPDX-License-Identifier: Apache-2.0 */
/* Puts kernels into groups by parts of their names; the groups are data, see kernel_groups.json. */
#include "groups.h"

#include <jansson.h>
#include <opprof/json.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_KEY "opprof_kernel_groups"
#define FORMAT_VERSION "1.0"
#define OTHER "other"

static OpprofStatus bad_file(const char *path, size_t number, const char *why, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_DATA, "Cannot use kernel groups '%s': group %zu %s", path,
                          number, why);
}

static OpprofStatus read_group(const char *path, size_t number, const json_t *object,
                               KernelGroup *group, OpprofError **error)
{
    const json_t *parts = json_object_get(object, "contains");

    group->name = json_string_value(json_object_get(object, "group"));
    if (group->name == NULL || !json_is_array(parts)) {
        return bad_file(path, number, "has no name 'group' or no list 'contains'", error);
    }
    group->parts = calloc(json_array_size(parts) + 1, sizeof *group->parts);
    if (group->parts == NULL) {
        return OpprofErrorNoMemory(error, "read kernel groups '%s'", path);
    }
    for (; group->count < json_array_size(parts); group->count++) {
        const char *part = json_string_value(json_array_get(parts, group->count));

        if (part == NULL || part[0] == '\0') {
            return bad_file(path, number, "has a part that is not a text", error);
        }
        group->parts[group->count] = part;
    }
    return OPPROF_OK;
}

static OpprofStatus read_groups(const char *path, KernelGroups *groups, OpprofError **error)
{
    const char *version = json_string_value(json_object_get(groups->document, FORMAT_KEY));
    const json_t *list = json_object_get(groups->document, "groups");
    OpprofStatus status = OPPROF_OK;

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
    while (status == OPPROF_OK && groups->count < json_array_size(list)) {
        const size_t number = groups->count++;

        status = read_group(path, number + 1, json_array_get(list, number), &groups->list[number],
                            error);
    }
    return status;
}

OpprofStatus KernelGroupsLoad(const char *path, KernelGroups *ret_groups, OpprofError **error)
{
    OpprofStatus status;

    *ret_groups = (KernelGroups){ .list = NULL };
    if (path == NULL) {
        path = "kernel_groups.json";
        status = OpprofJsonParse(path, kernel_groups_text, strlen(kernel_groups_text),
                                 &ret_groups->document, error);
    } else {
        status = OpprofJsonLoad(path, &ret_groups->document, error);
    }
    return status == OPPROF_OK ? read_groups(path, ret_groups, error) : status;
}

void KernelGroupsFinish(KernelGroups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->list[i].parts);
    }
    free(groups->list);
    json_decref(groups->document);
    *groups = (KernelGroups){ .list = NULL };
}

const char *KernelGroupsFind(const KernelGroups *groups, ActivityClass class, const char *name)
{
    if (class == ACTIVITY_COMMUNICATION) {
        return "communication";
    }
    if (class == ACTIVITY_MEMORY) {
        return "memory";
    }
    for (size_t i = 0; i < groups->count; i++) {
        for (size_t part = 0; part < groups->list[i].count; part++) {
            if (strcasestr(name, groups->list[i].parts[part]) != NULL) {
                return groups->list[i].name;
            }
        }
    }
    return OTHER;
}
