/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of a launch's chip: made once for all launches of a SoC.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch_model.h"

#include <opprof/kit/raw_names.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* The requested chip; if that is a series, the data's SoC if it belongs to the series. */
static OpprofStatus load_chip(const char *asked, const char *soc, OpprofChip **ret_chip,
                              OpprofError **error)
{
    OpprofChip *of_data = NULL;

    if (strcasecmp(asked, "auto") == 0) {
        if (soc[0] == '\0') {
            char info[128];

            OpprofRawFileName(asked, "info", 0, info, sizeof info);
            OpprofErrorSet(
                error, OPPROF_E_NOT_FOUND,
                "The data does not name its SoC: '%s' is missing, unreadable, cut, or names none",
                info);
            OpprofErrorHint(error, "Name the chip with --set chip=");
            return OPPROF_E_NOT_FOUND;
        }
        return OpprofChipLoad(soc, ret_chip, error);
    }
    const OpprofStatus status = OpprofChipLoad(asked, ret_chip, error);
    if (status != OPPROF_OK || soc[0] == '\0' || strcasecmp(asked, OpprofChipSoc(*ret_chip)) == 0 ||
        OpprofChipLoad(soc, &of_data, NULL) != OPPROF_OK) {
        return status;
    }
    const bool is_same = strcmp(OpprofChipSeries(of_data), OpprofChipSeries(*ret_chip)) == 0;
    OpprofChipFree(is_same ? *ret_chip : of_data);
    *ret_chip = is_same ? of_data : *ret_chip;
    return OPPROF_OK;
}

static OpprofStatus make_model(const char *asked, const char *soc, DbiModel **ret_model,
                               OpprofError **error)
{
    DbiModel *model = calloc(1, sizeof *model);

    if (model == NULL || (model->name = strdup(soc)) == NULL) {
        DbiModelsFree(model);
        return no_memory(error);
    }
    OpprofStatus status = load_chip(asked, soc, &model->chip, error);
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
