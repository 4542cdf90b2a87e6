/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chip's facts that the parser needs, read once. Tested by
 * tests/plugins/parse-pmu/test_vectors.sh.
 */
#include "model.h"

#include <opprof/kit/raw_names.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_auto(const ParserSettings *settings)
{
    return strcasecmp(settings->chip, "auto") == 0;
}

static OpprofStatus ask_for_chip(OpprofStatus status, OpprofError **error)
{
    OpprofErrorHint(error, "Name the chip with --set chip=, such as --set chip=Ascend910B1");
    return status;
}

/* If a series is set, the data may name one of its SoCs. */
static OpprofStatus load_set_chip(const ParserSettings *settings, const char *soc,
                                  OpprofChip **ret_chip, bool *ret_is_substitute,
                                  OpprofError **error)
{
    OpprofChip *of_data = NULL;
    const OpprofStatus status = OpprofChipLoad(settings->chip, ret_chip, error);

    if (status != OPPROF_OK || soc == NULL || strcasecmp(OpprofChipSoc(*ret_chip), soc) == 0) {
        return status;
    }
    *ret_is_substitute = true;
    if (strcasecmp(settings->chip, OpprofChipSoc(*ret_chip)) == 0 ||
        OpprofChipLoad(soc, &of_data, NULL) != OPPROF_OK) {
        return OPPROF_OK;
    }
    if (strcmp(OpprofChipSeries(of_data), OpprofChipSeries(*ret_chip)) == 0) {
        OpprofChipFree(*ret_chip);
        *ret_chip = of_data;
        *ret_is_substitute = false;
    } else {
        OpprofChipFree(of_data);
    }
    return OPPROF_OK;
}

static OpprofStatus load_chip(const ParserSettings *settings, const char *soc, PmuModel *model,
                              OpprofError **error)
{
    if (!is_auto(settings)) {
        return load_set_chip(settings, soc, &model->chip, &model->is_substitute, error);
    }
    if (soc == NULL) {
        const OpprofRawForm form = OpprofRawFormOf(settings->chip, NULL, 0);
        char info[128];

        OpprofRawFileName(settings->chip, "info", 0, info, sizeof info);
        OpprofErrorSet(
            error, OPPROF_E_DATA,
            "The data does not name its SoC: '%s' is missing, unreadable, cut, or without '%s'",
            info, OpprofRawKey(&form, "soc"));
        return ask_for_chip(OPPROF_E_DATA, error);
    }
    const OpprofStatus status = OpprofChipLoad(soc, &model->chip, error);
    return status == OPPROF_E_NOT_FOUND ? ask_for_chip(status, error) : status;
}

static OpprofStatus build(PmuModel *model, const ParserSettings *settings, const char *soc,
                          OpprofError **error)
{
    OpprofStatus status = load_chip(settings, soc, model, error);

    if (status == OPPROF_OK) {
        status = PmuLayoutLoad(model->chip, &model->layout, error);
    }
    if (status == OPPROF_OK) {
        status = OperandLayoutLoad(model->chip, &model->operands, error);
    }
    if (status == OPPROF_OK) {
        status = ChoicesResolve(model->chip, &settings->metrics, &model->choices, error);
    }
    for (int i = 0; status == OPPROF_OK && i < 2; i++) {
        status = PlanMake(&model->layout, &model->choices, i == 1, &model->plans[i], error);
    }
    return status;
}

OpprofStatus PmuModelFind(PmuModel **models, const ParserSettings *settings, const char *soc,
                          const PmuModel **ret_model, OpprofError **error)
{
    const char *name = soc != NULL ? soc : "";

    for (const PmuModel *at = *models; at != NULL; at = at->next) {
        if (strcmp(at->soc, name) == 0) {
            *ret_model = at;
            return OPPROF_OK;
        }
    }
    PmuModel *model = calloc(1, sizeof *model);
    if (model == NULL || (model->soc = strdup(name)) == NULL) {
        free(model);
        return OpprofErrorNoMemory(error, "read the facts of a chip");
    }
    const OpprofStatus status = build(model, settings, soc, error);
    if (status != OPPROF_OK) {
        PmuModelsFree(model);
        return status;
    }
    model->next = *models;
    *models = model;
    *ret_model = model;
    return OPPROF_OK;
}

void PmuModelsFree(PmuModel *models)
{
    while (models != NULL) {
        PmuModel *next = models->next;
        PlanFree(&models->plans[0]);
        PlanFree(&models->plans[1]);
        ChoicesFree(&models->choices);
        PmuLayoutFree(&models->layout);
        OpprofChipFree(models->chip);
        free(models->soc);
        free(models);
        models = next;
    }
}
