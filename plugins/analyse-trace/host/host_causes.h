/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_HOST_HOST_CAUSES_H
#define ANALYSE_TRACE_HOST_HOST_CAUSES_H

#include "analyse-trace/common/item_map.h"
#include "groups.h"

#include <opprof/stage.h>

/* Why a host is busy, by the names of what it does; see host_causes.json. Zeroed at first. */
typedef struct HostCauses {
    KernelGroups words;
    ItemMap known; /* of interned causes, by interned name */
} HostCauses;

/* The causes of a file; NULL: those that come with the module. As KernelGroupsLoad. */
OpprofStatus HostCausesLoad(HostCauses *causes, const char *path, OpprofError **error);

/* The cause that an interned name shows; OPPROF_NA_STRING: none. False without memory. */
bool HostCausesFind(HostCauses *causes, OpprofStage *stage, uint32_t name, uint32_t *ret_cause);

/* A zeroed one is allowed. */
void HostCausesFinish(HostCauses *causes);

/* The text of host_causes.json. */
extern const char host_causes_text[];

#endif
