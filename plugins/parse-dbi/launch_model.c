/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of a launch's chip: made once for all launches of a SoC.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch_model.h"

#include <opprof/kit/chip_choice.h>

#include <stdlib.h>
#include <string.h>

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read instrumentation records");
}

void DbiModelsFree(DbiModel *models)
{
    while (models != NULL) {
        DbiModel *next = models->next;
        DbiTablesFinish(&models->tables);
        OpprofChipFree(models->chip);
        free(models->name);
        free(models);
        models = next;
    }
}

static OpprofStatus make_model(const char *asked, const char *soc, DbiModel **ret_model,
                               OpprofError **error)
{
    DbiModel *model = calloc(1, sizeof *model);

    if (model == NULL || (model->name = strdup(soc)) == NULL) {
        DbiModelsFree(model);
        return no_memory(error);
    }
    OpprofStatus status = OpprofChipChoose(asked, soc, &model->chip, NULL, error);
    if (status == OPPROF_OK) {
        status = DbiTablesLoad(model->chip, &model->tables, error);
    }
    if (status == OPPROF_OK) {
        status = MovePathsLoad(model->chip, &model->tables, &model->paths, error);
    }
    if (status != OPPROF_OK) {
        DbiModelsFree(model);
        return status;
    }
    *ret_model = model;
    return OPPROF_OK;
}

OpprofStatus DbiModelFind(DbiModel **models, const char *asked, const DbiText *info,
                          const DbiModel **ret_model, OpprofError **error)
{
    char soc[128] = "";
    size_t length = 0;
    const char *value = DbiValueOf(info, asked, "soc", &length);
    DbiModel *made = NULL;

    if (value != NULL && length < sizeof soc) {
        memcpy(soc, value, length);
        soc[length] = '\0';
    }
    for (const DbiModel *at = *models; at != NULL; at = at->next) {
        if (strcmp(at->name, soc) == 0) {
            *ret_model = at;
            return OPPROF_OK;
        }
    }
    const OpprofStatus status = make_model(asked, soc, &made, error);
    if (status == OPPROF_OK) {
        made->next = *models;
        *models = made;
        *ret_model = made;
    }
    return status;
}
