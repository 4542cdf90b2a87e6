/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the sections `mc2` and `biu` of a chip file. Tested by tests/plugins/mc2/test_marks.c and
 * tests/plugins/mc2/test_words.c.
 */
#include "facts.h"

#define DEFAULT_KHZ 50000.0

/* ---- timelines of launches (mc2) ---- */

static const OpprofFactField range_fields[] = {
    { .type = OPPROF_FACT_IS_WHOLE, .most = UINT16_MAX, OPPROF_FACT_IN(CoreRange, first) },
    { .type = OPPROF_FACT_IS_WHOLE, .most = UINT16_MAX, OPPROF_FACT_IN(CoreRange, last) },
    { .name = NULL },
};
static const OpprofFactField mc2_fields[] = {
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

static const OpprofFactTable mc2_table = { .fields = mc2_fields,
                                           .size = sizeof(Mc2Facts),
                                           .check = check_ranges };

const OpprofChipTable mc2_chip_tables[] = {
    { .path = "mc2", .table = &mc2_table },
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
    OpprofStatus status = OpprofFactsBind(chip, "mc2", &mc2_table, ret_facts, error);

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

/* ---- streams of pipe activity (biu) ---- */

#define PIECE_BYTES 8u
#define MAX_RECORD_BYTES 4096u
#define DEFAULT_GROUPS 6

#define PIPE_NAMES(member, total)                                                                  \
    {                                                                                              \
        .name = #member, .type = OPPROF_FACT_IS_LIST,                                              \
        .flags = OPPROF_FACT_REQUIRED | OPPROF_FACT_IN_PLACE, .least = BIU_PIPES,                  \
        .most = BIU_PIPES,                                                                         \
        .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TEXT, .size = sizeof(const char *)),           \
        OPPROF_FACT_ARRAY(BiuFacts, member, total)                                                 \
    }
#define PIECES(member, flag)                                                                       \
    {                                                                                              \
        .name = #member, .type = OPPROF_FACT_IS_LIST, .flags = OPPROF_FACT_IN_PLACE | (flag),      \
        .most = BIU_PIECES,                                                                        \
        .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE, .unit = "bytes", .size = 2),            \
        OPPROF_FACT_ARRAY(BiuRecord, member.at, member.count)                                      \
    }

/* A control is a pipe's mark, or one of the names after the pipes: as BiuControl. */
static const OpprofFactField word_fields[] = {
    PIPE_NAMES(pipes, pipe_count),
    PIPE_NAMES(short_pipes, short_count),
    { "controls", OPPROF_FACT_IS_LIST, OPPROF_FACT_REQUIRED | OPPROF_FACT_IN_PLACE,
      .least = BIU_CONTROLS, .most = BIU_CONTROLS,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_CHOICE, .size = sizeof(uint8_t),
                           .from = "biu.words.pipes,'time','stamp','state'"),
      OPPROF_FACT_ARRAY(BiuFacts, controls, control_count) },
    { .name = NULL },
};
static const OpprofFactField record_fields[] = {
    { "size", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .least = PIECE_BYTES,
      .most = MAX_RECORD_BYTES, .unit = "bytes", OPPROF_FACT_IN(BiuRecord, size) },
    PIECES(flow, 0),
    PIECES(cycles, OPPROF_FACT_REQUIRED),
    { .name = NULL },
};

static void check_pieces(const BiuPieces *pieces, const BiuRecord *record, const char *name,
                         OpprofFactReport *report)
{
    for (uint32_t i = 0; i < pieces->count; i++) {
        if (pieces->at[i] + PIECE_BYTES > record->size) {
            OpprofFactMistake(report, name, "%u bytes from byte %u on reach beyond the record",
                              PIECE_BYTES, pieces->at[i]);
        }
    }
}

static bool check_record(const void *object, OpprofFactReport *report)
{
    const BiuRecord *record = object;

    if ((record->flow.count != 0 && record->flow.count != BIU_PIECES) ||
        record->cycles.count != BIU_PIECES) {
        OpprofFactMistake(report, record->cycles.count != BIU_PIECES ? "cycles" : "flow",
                          "the counts of a monitor are %u pieces of %u bytes", BIU_PIECES,
                          PIECE_BYTES);
    }
    check_pieces(&record->flow, record, "flow", report);
    check_pieces(&record->cycles, record, "cycles", report);
    return true;
}

static const OpprofFactField monitor_fields[] = {
    { "cube", OPPROF_FACT_IS_OBJECT, OPPROF_FACT_REQUIRED, .of = record_fields,
      .check = check_record, OPPROF_FACT_IN(BiuFacts, cube_record) },
    { "vector", OPPROF_FACT_IS_OBJECT, OPPROF_FACT_REQUIRED, .of = record_fields,
      .check = check_record, OPPROF_FACT_IN(BiuFacts, vector_record) },
    { .name = NULL },
};
static const OpprofFactField biu_fields[] = {
    { "groups", OPPROF_FACT_IS_WHOLE, .least = 1, .most = BIU_GROUPS, .otherwise = DEFAULT_GROUPS,
      OPPROF_FACT_IN(BiuFacts, groups) },
    { "group_cores", OPPROF_FACT_IS_LIST, .flags = OPPROF_FACT_IN_PLACE, .most = BIU_GROUPS,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE, .size = sizeof(uint32_t)),
      OPPROF_FACT_ARRAY(BiuFacts, group_cores, group_core_count) },
    { "monitor", OPPROF_FACT_IS_OBJECT, .of = monitor_fields },
    { "words", OPPROF_FACT_IS_OBJECT, .of = word_fields },
    { .name = NULL },
};
static const OpprofFactTable biu_table = { .fields = biu_fields, .size = sizeof(BiuFacts) };

const OpprofChipTable biu_chip_tables[] = {
    { .path = "biu", .table = &biu_table },
    { .path = NULL },
};

/* The SoC's own number, which is stated for its simulator, else that of the series. */
static uint32_t cores_of(const OpprofChip *chip)
{
    double cores = 0;

    return OpprofChipNumber(chip, "simulator.cores", &cores) ||
                   OpprofChipNumber(chip, "cores.count", &cores)
               ? (uint32_t) cores
               : 0;
}

OpprofStatus BiuFactsLoad(const OpprofChip *chip, BiuFacts *ret_facts, OpprofError **error)
{
    OpprofPmuFacts pmu;
    OpprofStatus status = OpprofFactsBind(chip, "biu", &biu_table, ret_facts, error);

    if (status == OPPROF_OK) {
        status = OpprofPmuFactsRead(chip, &pmu, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    ret_facts->cores = cores_of(chip);
    ret_facts->has_words = ret_facts->pipe_count > 0;
    ret_facts->has_monitors = ret_facts->cube_record.size > 0;
    ret_facts->core_hz = OpprofChipClock(chip, "core");
    ret_facts->counter_hz =
        (uint64_t) (pmu.scheduler_khz > 0 ? pmu.scheduler_khz : DEFAULT_KHZ) * 1000;
    if ((!ret_facts->has_words && !ret_facts->has_monitors) || ret_facts->core_hz == 0) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "The chip file of '%s' does not describe streams of pipe activity: '%s' is "
                       "missing",
                       OpprofChipSoc(chip), ret_facts->core_hz == 0 ? "clocks.core" : "biu");
        OpprofErrorHint(error,
                        "Name a chip that has them with --set chip=, such as --set chip=950");
        return OPPROF_E_DATA;
    }
    return OPPROF_OK;
}
