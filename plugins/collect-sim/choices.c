/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of both collectors of the simulator. Tested by tests/refchip/test_live.sh. */
#include "choices.h"

#include <opprof/kit/chip.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CORE_ID 49u

const char *const choices_metrics[] = { "PipeUtilization", CHOICES_CONFLICTS, CHOICES_SAMPLING,
                                        CHOICES_OVERHEAD, NULL };
const char *const choices_chip_sections[] = { "clocks", "simulator", NULL };

static OpprofStatus wrong_core_id(const char *text, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter core_id: '%s' is not a number from 0 to %u",
                   text, MOST_CORE_ID);
    OpprofErrorHint(error, "For example core_id=0,2 or core_id=0|2");
    return OPPROF_E_ARGUMENT;
}

/* One element of the list may contain several ids with '|' between them. */
static OpprofStatus read_core_ids(uint64_t *ids, const char *text, OpprofError **error)
{
    const char *at = text;

    for (;;) {
        char *end;
        const unsigned long id = strtoul(at, &end, 10);

        if (!isdigit((unsigned char) *at) || id > MOST_CORE_ID || (*end != '\0' && *end != '|')) {
            return wrong_core_id(text, error);
        }
        *ids |= UINT64_C(1) << id;
        if (*end == '\0') {
            return OPPROF_OK;
        }
        at = end + 1;
    }
}

const char *ChoicesChip(const OpprofParams *params)
{
    const char *chip = OpprofParamsString(params, "chip");

    return OpprofChipIsAuto(chip) ? NULL : chip;
}

/* All have PipeUtilization. */
OpprofStatus ChoicesCheckMetrics(const OpprofParams *params, const SimFacts *facts,
                                 OpprofError **error)
{
    const OpprofFact *known = OpprofChipFact(facts->chip, "simulator.metrics");

    for (size_t i = 0; i < OpprofParamsCount(params, "metrics"); i++) {
        const char *metric = OpprofParamsElement(params, "metrics", i);
        bool is_known = strcasecmp(metric, "PipeUtilization") == 0;

        for (size_t k = 0; k < OpprofFactCount(known) && !is_known; k++) {
            const char *name = OpprofFactText(OpprofFactAt(known, k));

            is_known = name != NULL && strcasecmp(metric, name) == 0;
        }
        if (!is_known) {
            OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                           "Parameter metrics: the simulator of %s (%s) has no '%s'",
                           OpprofChipSoc(facts->chip), OpprofChipSeries(facts->chip), metric);
            OpprofErrorHint(error, "Leave it out, or say which chip it is: chip=NAME");
            return OPPROF_E_ARGUMENT;
        }
    }
    return OPPROF_OK;
}

bool ChoicesHasMetric(const OpprofParams *params, const char *metric)
{
    for (size_t i = 0; i < OpprofParamsCount(params, "metrics"); i++) {
        if (strcasecmp(OpprofParamsElement(params, "metrics", i), metric) == 0) {
            return true;
        }
    }
    return !OpprofParamsIsSet(params, "metrics") && strcmp(metric, CHOICES_CONFLICTS) == 0;
}

OpprofStatus ChoicesCheck(const OpprofParams *params, uint64_t *ret_core_ids, OpprofError **error)
{
    const char *chip = ChoicesChip(params);
    OpprofStatus status = OPPROF_OK;
    SimFacts facts = { .chip = NULL };

    *ret_core_ids = 0;
    for (size_t i = 0; i < OpprofParamsCount(params, "core_id") && status == OPPROF_OK; i++) {
        status = read_core_ids(ret_core_ids, OpprofParamsElement(params, "core_id", i), error);
    }
    if (status == OPPROF_OK && chip != NULL) {
        status = SimFactsLoad(chip, &facts, error);
        if (status == OPPROF_OK) {
            status = ChoicesCheckMetrics(params, &facts, error);
        }
        SimFactsFinish(&facts);
    }
    if (status == OPPROF_E_NOT_FOUND) {
        status = OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                "Parameter chip: '%s' is not a known chip", chip);
    }
    return status;
}
