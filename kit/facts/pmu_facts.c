/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a chip file says of the raw records of launches. Tested by
 * tests/kit/facts/test_pmu_facts. */
#include <opprof/kit/pmu_facts.h>

#include "kit/facts/pmu_facts.h"

#include <opprof/kit/cutter.h>
#include <opprof/record.h>
#include <opprof/require.h>

#define BITS(structure, member)                                                                    \
    {                                                                                              \
        .name = #member, .type = OPPROF_FACT_IS_BITS, OPPROF_FACT_IN(structure, member)            \
    }
#define RECORD_SIZE(structure)                                                                     \
    {                                                                                              \
        "size", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .least = 8, .most = OPPROF_CUTTER_MAX, \
                                                            .unit = "bytes",                       \
                                                            OPPROF_FACT_IN(structure, size)        \
    }

/* ---- counters ---- */

static const OpprofFactField counter_fields[] = {
    BITS(OpprofCounterRecord, function),
    BITS(OpprofCounterRecord, core_type),
    BITS(OpprofCounterRecord, core),
    BITS(OpprofCounterRecord, block),
    BITS(OpprofCounterRecord, sub_block),
    BITS(OpprofCounterRecord, cycles),
    BITS(OpprofCounterRecord, stream),
    BITS(OpprofCounterRecord, task),
    BITS(OpprofCounterRecord, start),
    BITS(OpprofCounterRecord, end),
    { .name = NULL },
};
static const OpprofFactField slot_fields[] = {
    { "at", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .most = OPPROF_CUTTER_MAX - 1,
      .unit = "bytes", OPPROF_FACT_IN(OpprofCounterRecord, slots_at) },
    { "count", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .least = 1, .most = OPPROF_COUNTER_SLOTS,
      OPPROF_FACT_IN(OpprofCounterRecord, slot_count) },
    { "bits", OPPROF_FACT_IS_WHOLE, .least = 8, .most = 64, .unit = "bits", .otherwise = 64,
      OPPROF_FACT_IN(OpprofCounterRecord, slot_bits) },
    { .name = NULL },
};
static const OpprofFactField counter_members[] = {
    RECORD_SIZE(OpprofCounterRecord),
    { "byte_order", OPPROF_FACT_IS_CHOICE, .from = "'little','big'",
      OPPROF_FACT_IN(OpprofCounterRecord, is_big) },
    { "fields", OPPROF_FACT_IS_OBJECT, .of = counter_fields },
    { "counters", OPPROF_FACT_IS_OBJECT, OPPROF_FACT_REQUIRED, .of = slot_fields },
    { "accept", OPPROF_FACT_IS_SET, OPPROF_FACT_IN(OpprofCounterRecord, accepted) },
    { "known", OPPROF_FACT_IS_SET, OPPROF_FACT_IN(OpprofCounterRecord, known) },
    { .name = NULL },
};

static bool check_counters(const void *object, OpprofFactReport *report)
{
    const OpprofCounterRecord *record = object;
    const uint32_t bytes = record->slot_bits / 8u;

    if (record->slot_bits % 8 != 0) {
        OpprofFactMistake(report, "counters.bits", "counters have 8, 16, 24 … or 64 bits");
    } else if (record->slots_at + record->slot_count * bytes > record->size) {
        OpprofFactMistake(
            report, "counters",
            "%u counters of %u bytes from byte %u on reach beyond the %u bytes of a record",
            record->slot_count, bytes, record->slots_at, record->size);
    }
    if (record->block.mask > UINT32_MAX || record->sub_block.mask > UINT32_MAX ||
        record->core.mask > UINT32_MAX) {
        OpprofFactMistake(report, "fields", "block, sub_block and core have at most 32 bits");
    }
    return true;
}

static const OpprofFactTable counter_table = { .fields = counter_members,
                                               .size = sizeof(OpprofCounterRecord),
                                               .check = check_counters };

/* ---- the log of tasks ---- */

static const OpprofFactField task_fields[] = {
    BITS(OpprofTaskRecord, function), BITS(OpprofTaskRecord, task_type),
    BITS(OpprofTaskRecord, stream),   BITS(OpprofTaskRecord, task),
    BITS(OpprofTaskRecord, time),     { .name = NULL },
};
static const OpprofFactField task_members[] = {
    RECORD_SIZE(OpprofTaskRecord),
    { "byte_order", OPPROF_FACT_IS_CHOICE, .from = "'little','big'" },
    { "fields", OPPROF_FACT_IS_OBJECT, .of = task_fields },
    { "start", OPPROF_FACT_IS_WHOLE, .most = UINT32_MAX, OPPROF_FACT_IN(OpprofTaskRecord, start) },
    { "end", OPPROF_FACT_IS_WHOLE, .most = UINT32_MAX, .otherwise = 1,
      OPPROF_FACT_IN(OpprofTaskRecord, end) },
    { "task_types", OPPROF_FACT_IS_SET, OPPROF_FACT_IN(OpprofTaskRecord, task_types) },
    { .name = NULL },
};
static const OpprofFactTable task_table = { .fields = task_members,
                                            .size = sizeof(OpprofTaskRecord) };

/* ---- kinds and clocks ---- */

static const OpprofFactField kind_fields[] = {
    { "name", OPPROF_FACT_IS_TEXT, OPPROF_FACT_REQUIRED, OPPROF_FACT_IN(OpprofCoreKind, name) },
    { "label", OPPROF_FACT_IS_TEXT, OPPROF_FACT_IN(OpprofCoreKind, label) },
    { "type", OPPROF_FACT_IS_WHOLE, .most = 255, .otherwise = -1,
      OPPROF_FACT_IN(OpprofCoreKind, type) },
    { "slot", OPPROF_FACT_IS_WHOLE, .most = 63, .otherwise = -1,
      OPPROF_FACT_IN(OpprofCoreKind, slot) },
    { .name = NULL },
};
static const OpprofFactField kinds = {
    .type = OPPROF_FACT_IS_LIST,
    .flags = OPPROF_FACT_IN_PLACE,
    .least = 1,
    .most = OPPROF_CORE_KINDS,
    .unique = "name",
    .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_OBJECT, .of = kind_fields),
    OPPROF_FACT_ARRAY(OpprofPmuFacts, kinds, kind_count),
};

static bool check_kinds(const void *object, OpprofFactReport *report)
{
    const OpprofPmuFacts *facts = object;

    for (uint32_t i = 0; facts->kind_count > 1 && i < facts->kind_count; i++) {
        if (facts->kinds[i].type == OPPROF_NA_U64) {
            OpprofFactMistake(report, NULL,
                              "with several kinds each needs its 'type', but '%s' has none",
                              facts->kinds[i].name);
        }
    }
    return true;
}

static const OpprofFactTable kind_table = { .root = &kinds,
                                            .size = sizeof(OpprofPmuFacts),
                                            .check = check_kinds };

static const OpprofFactField default_fields[] = {
    { "rated_freq", OPPROF_FACT_IS_REAL, .most = 1e6, .unit = "MHz",
      OPPROF_FACT_IN(OpprofPmuFacts, rated_mhz) },
    { "scheduler_khz", OPPROF_FACT_IS_REAL, .least = 1, .most = 1e9, .unit = "kHz",
      OPPROF_FACT_IN(OpprofPmuFacts, scheduler_khz) },
    { .name = NULL },
};
static const OpprofFactTable default_table = { .fields = default_fields,
                                               .size = sizeof(OpprofPmuFacts) };

/* ---- all of it ---- */

const OpprofChipTable kit_chip_tables[] = {
    { .path = "cores", .table = &kit_core_table },
    { .path = "raw", .table = &kit_raw_table },
    { .path = "pmu.kinds", .table = &kind_table },
    { .path = "pmu.defaults", .table = &default_table },
    { .path = "pmu.records.counters", .table = &counter_table },
    { .path = "pmu.records.task_log", .table = &task_table },
    { .path = NULL },
};

OpprofStatus OpprofPmuFactsRead(const OpprofChip *chip, OpprofPmuFacts *ret_facts,
                                OpprofError **error)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("chip-result-given", ret_facts != NULL, "The result pointer is given");

    OpprofPmuFacts defaults;
    OpprofStatus status = OpprofFactsBind(chip, "pmu.kinds", &kind_table, ret_facts, error);

    if (status == OPPROF_OK) {
        status = OpprofFactsBind(chip, "pmu.defaults", &default_table, &defaults, error);
        ret_facts->rated_mhz = defaults.rated_mhz;
        ret_facts->scheduler_khz = defaults.scheduler_khz;
    }
    if (status == OPPROF_OK) {
        status = OpprofFactsBind(chip, "pmu.records.counters", &counter_table, &ret_facts->counters,
                                 error);
    }
    return status == OPPROF_OK ? OpprofFactsBind(chip, "pmu.records.task_log", &task_table,
                                                 &ret_facts->task_log, error)
                               : status;
}
