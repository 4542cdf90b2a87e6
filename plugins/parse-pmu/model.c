/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chip's facts that the parser needs, read once. Tested by
 * tests/plugins/parse-pmu/test_vectors.sh.
 */
#include "model.h"

OpprofStatus PmuModelLoad(const OpprofChip *chip, const ParserSettings *settings, PmuModel *model,
                          OpprofError **error)
{
    OpprofStatus status = PmuLayoutLoad(chip, &model->layout, error);

    model->chip = chip;
    if (status == OPPROF_OK) {
        status = ChoicesResolve(chip, &settings->metrics, &model->choices, error);
    }
    for (int i = 0; status == OPPROF_OK && i < 2; i++) {
        status = PlanMake(&model->layout, &model->choices, i == 1, &model->plans[i], error);
    }
    return status;
}

void PmuModelFinish(PmuModel *model)
{
    PlanFree(&model->plans[0]);
    PlanFree(&model->plans[1]);
    ChoicesFree(&model->choices);
    PmuLayoutFree(&model->layout);
}
