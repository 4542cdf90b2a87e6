/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Causes that names of what the host does show.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "analyse-trace/host/host_causes.h"

#include <string.h>

OpprofStatus HostCausesLoad(HostCauses *causes, const char *path, OpprofError **error)
{
    static const KernelGroupsText own = { "host_causes.json", host_causes_text };

    return KernelGroupsLoad(path, &own, &causes->words, error);
}

bool HostCausesFind(HostCauses *causes, OpprofStage *stage, uint32_t name, uint32_t *ret_cause)
{
    const uint32_t count = causes->known.count;
    uint32_t *cause;

    *ret_cause = OPPROF_NA_STRING;
    if (name == OPPROF_NA_STRING) {
        return true;
    }
    cause = ItemMapGet(&causes->known, name, sizeof *cause);
    if (cause == NULL) {
        return false;
    }
    if (causes->known.count > count) {
        const char *word = KernelGroupsName(&causes->words, OpprofStageString(stage, name));

        *cause = word == NULL ? OPPROF_NA_STRING : OpprofStageIntern(stage, word, strlen(word));
        if (word != NULL && *cause == OPPROF_NA_STRING) {
            return false;
        }
    }
    *ret_cause = *cause;
    return true;
}

void HostCausesFinish(HostCauses *causes)
{
    KernelGroupsFinish(&causes->words);
    ItemMapFree(&causes->known);
}
