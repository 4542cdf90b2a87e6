/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what the chip file says of timelines. Tested by tests/plugins/mc2/test_marks.c. */
#include "mc2_facts.h"

#define DEFAULT_KHZ 50000.0

static const OpprofFactField range_fields[] = {
    { .type = OPPROF_FACT_IS_WHOLE, .most = UINT16_MAX, OPPROF_FACT_IN(CoreRange, first) },
    { .type = OPPROF_FACT_IS_WHOLE, .most = UINT16_MAX, OPPROF_FACT_IN(CoreRange, last) },
    { .name = NULL },
};
static const OpprofFactField fields[] = {
    { "cube_cores", OPPROF_FACT_IS_LIST, OPPROF_FACT_REQUIRED | OPPROF_FACT_IN_PLACE, .least = 1,
      .most = FACTS_MAX_RANGES,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TUPLE, .of = range_fields),
      OPPROF_FACT_ARRAY(Mc2Facts, cubes, cube_count) },
    { "uncertain_task_types", OPPROF_FACT_IS_BOOL, OPPROF_FACT_IN(Mc2Facts, uncertain_types) },
    { .name = NULL },
};

static bool check_ranges(const void *object, OpprofFactReport *report)
{
    const Mc2Facts *facts = object;

    for (uint32_t i = 0; i < facts->cube_count; i++) {
        if (facts->cubes[i].first > facts->cubes[i].last) {
            OpprofFactMistake(report, "cube_cores", "range %u begins after its end", i + 1);
        }
    }
    return true;
}

static const OpprofFactTable table = { .fields = fields,
                                       .size = sizeof(Mc2Facts),
                                       .check = check_ranges };

const OpprofChipTable mc2_chip_tables[] = {
    { .path = "mc2", .table = &table },
    { .path = NULL },
};

static uint64_t cube_type(const OpprofPmuFacts *pmu)
{
    for (uint32_t i = 0; i < pmu->kind_count; i++) {
        if (strcmp(pmu->kinds[i].name, "cube") == 0 && pmu->kinds[i].type != OPPROF_NA_U64) {
            return pmu->kinds[i].type;
        }
    }
    return 0;
}

OpprofStatus Mc2FactsLoad(const OpprofChip *chip, Mc2Facts *ret_facts, OpprofError **error)
{
    OpprofPmuFacts pmu;
    OpprofStatus status = OpprofFactsBind(chip, "mc2", &table, ret_facts, error);

    if (status == OPPROF_OK) {
        status = OpprofPmuFactsRead(chip, &pmu, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (ret_facts->cube_count == 0 || pmu.task_log.size == 0) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "The chip file of '%s' does not describe timelines: '%s' is missing",
                       OpprofChipSoc(chip),
                       ret_facts->cube_count == 0 ? "mc2.cube_cores" : "pmu.records.task_log");
        OpprofErrorHint(error, "Name the chip with --set chip=, such as --set chip=Ascend910B1");
        return OPPROF_E_DATA;
    }
    if (pmu.counters.start.mask != 0) { /* else blocks of the chip have no times */
        ret_facts->blocks = (BlockLayout){ .record = pmu.counters, .cube = cube_type(&pmu) };
    }
    ret_facts->log = pmu.task_log;
    ret_facts->counter_khz = (uint64_t) (pmu.scheduler_khz > 0 ? pmu.scheduler_khz : DEFAULT_KHZ);
    return OPPROF_OK;
}

bool Mc2FactsIsCube(const Mc2Facts *facts, uint32_t core)
{
    for (uint32_t i = 0; i < facts->cube_count; i++) {
        if (core >= facts->cubes[i].first && core <= facts->cubes[i].last) {
            return true;
        }
    }
    return false;
}
