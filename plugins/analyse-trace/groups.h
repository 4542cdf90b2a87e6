/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_GROUPS_H
#define ANALYSE_TRACE_GROUPS_H

#include "analyse-trace/common/rules.h"

#include <opprof/error.h>

struct json_t;

/* A group, and the parts of names that put a kernel into it. */
typedef struct KernelGroup {
    const char *name;
    const char **parts; /* the words are borrowed from the document */
    size_t count;
} KernelGroup;

/* Groups of kernels, see kernel_groups.json. */
typedef struct KernelGroups {
    KernelGroup *list; /* the first group that has a part of a name counts */
    size_t count;
    const char **ignored; /* words whose parts say nothing; NULL: none */
    size_t ignored_count;
    struct json_t *document;
} KernelGroups;

/* Groups that come with a module. */
typedef struct KernelGroupsText {
    const char *name; /* of the file */
    const char *text;
} KernelGroupsText;

/*
 * The groups of a file; NULL: `own`.
 *
 * Returns OPPROF_OK, OPPROF_E_IO, OPPROF_E_DATA, OPPROF_E_MEMORY. Call KernelGroupsFinish in any
 * case.
 */
OpprofStatus KernelGroupsLoad(const char *path, const KernelGroupsText *own,
                              KernelGroups *ret_groups, OpprofError **error);

/* A zeroed one is allowed. */
void KernelGroupsFinish(KernelGroups *groups);

/* The first group that has a part of a name; NULL: none. */
const char *KernelGroupsName(const KernelGroups *groups, const char *name);

/* Group of work of a class. Never NULL. */
const char *KernelGroupsFind(const KernelGroups *groups, ActivityClass class, const char *name);

/* The text of kernel_groups.json. */
extern const char kernel_groups_text[];

#endif
