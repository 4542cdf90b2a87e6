/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HARNESS_CHECK_CASES_H
#define HARNESS_CHECK_CASES_H

#include "child.h"

/* A module file to check, and how to check it. */
typedef struct Subject {
    const char *path;                /* absolute */
    const char *directory;           /* of that file */
    const char *name;                /* of the file, without suffix */
    const char *const *plugin_paths; /* where the modules are that give what it takes */
    size_t plugin_path_count;
    const char *const *settings; /* NAME=VALUE */
    size_t setting_count;
    const char *const *recordings; /* PORT=FILE, of real records */
    size_t recording_count;
    const char *empty;     /* an empty directory */
    long most_allocations; /* that are made to fail, one a run */
} Subject;

/* A case, for which a module is loaded anew. The context is a Subject. */
typedef struct Case {
    const char *name;
    const char *sentence; /* what holds for a good module */
    ChildCase *run;
    unsigned seconds;
} Case;

extern const Case cases[];
extern const size_t case_count;

#endif
