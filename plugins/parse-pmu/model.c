/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chip's facts that the parser needs, read once. Tested by
 * tests/plugins/parse-pmu/test_vectors.sh.
 */
#include "model.h"

#include <opprof/kit/chip_choice.h>

#include <stdlib.h>
#include <string.h>

static OpprofStatus build(PmuModel *model, const ParserSettings *settings, const char *soc,
                          OpprofError **error)
{
    OpprofStatus status =
        OpprofChipChoose(settings->chip, soc, &model->chip, &model->is_substitute, error);

    if (status == OPPROF_OK) {
        status = PmuLayoutLoad(model->chip, &model->layout, error);
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
