/* SPDX-License-Identifier: Apache-2.0 */
/* Permitted facts of `pmu`. Tested by tests/plugins/parse-pmu/test_records and
 * tests/e2e/chip_mistakes.sh. */
#include "facts.h"

#include "choices.h"

#include <opprof/kit/cutter.h>
#include <opprof/map.h>

#include <string.h>

/* Most counts of an event in a cycle, where the chip file has no limit: far
 * more than any reaches. */
#define MOST_PER_CYCLE 16777216.0
#define MAX_THREADS 65536u
#define WORD_BYTES 8u
#define KINDS "pmu.kinds.*.name"

#define TEXT(text, structure, member)                                                              \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_TEXT, OPPROF_FACT_IN(structure, member)             \
    }
#define BYTE_ORDER(structure)                                                                      \
    {                                                                                              \
        "byte_order", OPPROF_FACT_IS_CHOICE, .from = "'little','big'",                             \
                                             OPPROF_FACT_IN(structure, is_big)                     \
    }
#define BYTES(member, smallest)                                                                    \
    {                                                                                              \
        .name = #member, .type = OPPROF_FACT_IS_WHOLE, .flags = OPPROF_FACT_REQUIRED,              \
        .least = (smallest), .most = 65536, .unit = "bytes", OPPROF_FACT_IN(OperandLayout, member) \
    }

/* ---- records ---- */

static const OpprofFactField l2_fields[] = {
    { "size", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .least = WORD_BYTES,
      .most = OPPROF_CUTTER_MAX, .unit = "bytes", OPPROF_FACT_IN(L2Facts, size) },
    BYTE_ORDER(L2Facts),
    { "at", OPPROF_FACT_IS_WHOLE, .most = OPPROF_CUTTER_MAX - 1, .unit = "bytes",
      OPPROF_FACT_IN(L2Facts, at) },
    { "bits", OPPROF_FACT_IS_WHOLE, .least = 8, .most = 64, .unit = "bits", .otherwise = 64,
      OPPROF_FACT_IN(L2Facts, bits) },
    { "evict_slot", OPPROF_FACT_IS_WHOLE, .most = OPPROF_COUNTER_SLOTS, .otherwise = -1,
      OPPROF_FACT_IN(L2Facts, evict_slot) },
    { "events", OPPROF_FACT_IS_LIST, .most = OPPROF_COUNTER_SLOTS,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_ID, .from = "pmu.events", .size = 4),
      OPPROF_FACT_ARRAY(L2Facts, events.ids, events.count) },
    { "group", OPPROF_FACT_IS_NAME, .from = "pmu.groups,metrics.choices",
      OPPROF_FACT_IN(L2Facts, group) },
    { .name = NULL },
};

static bool check_l2(const void *object, OpprofFactReport *report)
{
    const L2Facts *l2 = object;
    const uint32_t slots = l2->evict_slot != PMU_NO_SLOT && l2->evict_slot >= l2->events.count
                               ? l2->evict_slot + 1u
                               : l2->events.count;

    if (l2->bits % 8 != 0) {
        OpprofFactMistake(report, "bits", "counters have 8, 16, 24 … or 64 bits");
    } else if (l2->at + slots * (l2->bits / 8u) > l2->size) {
        OpprofFactMistake(report, NULL,
                          "%u counters of %u bytes from byte %u on reach beyond the %u bytes of a "
                          "record",
                          slots, l2->bits / 8u, l2->at, l2->size);
    }
    return true;
}

static const OpprofFactField anything = { .type = OPPROF_FACT_IS_ANY };
static const OpprofFactField operand_record_fields[] = {
    BYTE_ORDER(OperandLayout),
    { "magic", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .most = UINT32_MAX,
      OPPROF_FACT_IN(OperandLayout, magic) },
    { "types", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .least = 1, .most = OPERAND_MAX_TYPES,
      OPPROF_FACT_IN(OperandLayout, types) },
    BYTES(header, WORD_BYTES),
    BYTES(entry, WORD_BYTES),
    BYTES(instructions_at, 0),
    BYTES(operands_at, 0),
    BYTES(gap, 0),
    { .name = NULL },
};

static bool check_operand_record(const void *object, OpprofFactReport *report)
{
    const OperandLayout *layout = object;
    const struct {
        const char *name;
        uint32_t bytes;
    } all[] = { { "header", layout->header },
                { "entry", layout->entry },
                { "instructions_at", layout->instructions_at },
                { "operands_at", layout->operands_at },
                { "gap", layout->gap } };

    for (size_t i = 0; i < OPPROF_COUNT(all); i++) {
        if (all[i].bytes % WORD_BYTES != 0) {
            OpprofFactMistake(report, all[i].name, "%u is not a multiple of 8 bytes", all[i].bytes);
        }
    }
    if (layout->instructions_at >= layout->entry || layout->operands_at >= layout->entry) {
        OpprofFactMistake(report, "entry", "the counts of a type lie beyond its %u bytes",
                          layout->entry);
    }
    return true;
}

/* What else is stated of them the kit binds. */
static const OpprofFactField slot_fields[] = {
    { "count", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_IN(PmuFacts, slots) },
    { "*", OPPROF_FACT_IS_MAP, .of = &anything },
    { .name = NULL },
};
static const OpprofFactField counter_fields[] = {
    { "counters", OPPROF_FACT_IS_OBJECT, .of = slot_fields },
    { "*", OPPROF_FACT_IS_MAP, .of = &anything },
    { .name = NULL },
};
static const OpprofFactField record_fields[] = {
    { "counters", OPPROF_FACT_IS_OBJECT, OPPROF_FACT_REQUIRED, .of = counter_fields },
    { "task_log", .type = OPPROF_FACT_IS_ANY, .flags = OPPROF_FACT_REQUIRED },
    { "l2_cache", OPPROF_FACT_IS_OBJECT, .of = l2_fields, .check = check_l2,
      OPPROF_FACT_IN(PmuFacts, l2) },
    { "operands", OPPROF_FACT_IS_OBJECT, .of = operand_record_fields, .check = check_operand_record,
      OPPROF_FACT_IN(PmuFacts, operand_record) },
    { .name = NULL },
};

/* ---- events ---- */

static const OpprofFactField event_fields[] = {
    TEXT("name", EventFacts, name),
    { "meaning", .type = OPPROF_FACT_IS_TEXT },
    { "most_per_cycle", OPPROF_FACT_IS_REAL, .otherwise = MOST_PER_CYCLE,
      OPPROF_FACT_IN(EventFacts, most_per_cycle) },
    { .name = NULL },
};

/* A replay counts no more events than a record has room for, if that is known. */
static void check_rounds(const PmuFacts *facts, OpprofFactReport *report)
{
    for (uint32_t i = 0; facts->slots > 0 && i < facts->round_count; i++) {
        const RoundFacts *rounds = &facts->rounds[i];

        for (uint32_t k = 0; k < rounds->count; k++) {
            if (rounds->rounds[k].count > facts->slots) {
                OpprofFactMistake(report, "rounds",
                                  "replay %u of '%s' has %u events, but a record %u counters",
                                  k + 1, rounds->kind, rounds->rounds[k].count, facts->slots);
            }
        }
    }
}

/* A formula that names an event by its name means one. */
static bool check_events(const void *object, OpprofFactReport *report)
{
    const PmuFacts *facts = object;
    OpprofTextMap names = { .count = 0 };
    char member[32];
    bool has_memory = true;

    for (uint32_t i = 0; has_memory && i < facts->event_count; i++) {
        const char *name = facts->events[i].name;

        if (name == NULL) {
            continue;
        }
        if (OpprofTextMapFind(&names, name, strlen(name)) != OPPROF_MAP_NONE) {
            snprintf(member, sizeof member, "events.%u", facts->events[i].id);
            OpprofFactMistake(report, member, "the name '%s' is that of another event", name);
        } else if (!OpprofTextMapPut(&names, name, strlen(name), i, NULL)) {
            has_memory = false;
        }
    }
    OpprofTextMapFinish(&names);
    check_rounds(facts, report);
    return has_memory;
}

static const OpprofFactField one_round = {
    .type = OPPROF_FACT_IS_LIST,
    .most = OPPROF_COUNTER_SLOTS,
    .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_ID, .from = "pmu.events,'0'", .size = 4),
    OPPROF_FACT_ARRAY(EventIds, ids, count),
};
static const OpprofFactField rounds = {
    .type = OPPROF_FACT_IS_LIST,
    .most = PMU_MAX_ROUNDS,
    .of = &one_round,
    OPPROF_FACT_ARRAY(RoundFacts, rounds, count),
};
static const OpprofFactField kind_events = {
    .type = OPPROF_FACT_IS_LIST,
    .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_ID, .from = "pmu.events", .size = 4),
    OPPROF_FACT_ARRAY(KindEvents, events.ids, events.count),
};
static const OpprofFactField group = {
    .type = OPPROF_FACT_IS_MAP,
    .from = KINDS,
    .of = &kind_events,
    OPPROF_FACT_ARRAY(GroupFacts, kinds, count),
    OPPROF_FACT_KEY(KindEvents, kind),
};

/* ---- operators and moves ---- */

static const OpprofFactField operator_fields[] = {
    TEXT("type", PmuFacts, op_type),
    TEXT("mix", PmuFacts, mix),
    TEXT("none", PmuFacts, none),
    { "mix_blocks", OPPROF_FACT_IS_NAME, .from = KINDS },
    { .name = NULL },
};
static const OpprofFactField move_fields[] = {
    { "routes", OPPROF_FACT_IS_LIST, .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TEXT) },
    { "bytes", OPPROF_FACT_IS_WHOLE, .least = 1, .unit = "bytes" },
    { "credited_to_vector", .type = OPPROF_FACT_IS_BOOL },
    { .name = NULL },
};

/* ---- all of it ---- */

static const OpprofFactField pmu_fields[] = {
    { "operator", OPPROF_FACT_IS_OBJECT, .of = operator_fields },
    { "kinds", .type = OPPROF_FACT_IS_ANY, .flags = OPPROF_FACT_REQUIRED },
    { "defaults", .type = OPPROF_FACT_IS_ANY },
    { "max_rounds", OPPROF_FACT_IS_WHOLE, .least = 1, .most = PMU_MAX_ROUNDS,
      .otherwise = PMU_MAX_ROUNDS, OPPROF_FACT_IN(PmuFacts, max_rounds) },
    { "always_fixed", OPPROF_FACT_IS_BOOL, OPPROF_FACT_IN(PmuFacts, is_always_fixed) },
    { "records", OPPROF_FACT_IS_OBJECT, OPPROF_FACT_REQUIRED, .of = record_fields },
    { "moves_by", OPPROF_FACT_IS_CHOICE, .from = "'block','core'",
      OPPROF_FACT_IN(PmuFacts, moves_by_core) },
    { "moves", OPPROF_FACT_IS_MAP,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_OBJECT, .of = move_fields),
      OPPROF_FACT_ARRAY(PmuFacts, moves, move_count), .key_size = sizeof(const char *) },
    { "operands", OPPROF_FACT_IS_LIST,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TEXT, .size = sizeof(const char *)),
      OPPROF_FACT_ARRAY(PmuFacts, operands, operand_count) },
    { "operand_threads", OPPROF_FACT_IS_WHOLE, .least = 1, .most = MAX_THREADS,
      OPPROF_FACT_IN(PmuFacts, operand_threads) },
    { "rounds", OPPROF_FACT_IS_MAP, .from = KINDS, .of = &rounds,
      OPPROF_FACT_ARRAY(PmuFacts, rounds, round_count), OPPROF_FACT_KEY(RoundFacts, kind) },
    { "groups", OPPROF_FACT_IS_MAP, .of = &group, OPPROF_FACT_ARRAY(PmuFacts, groups, group_count),
      OPPROF_FACT_KEY(GroupFacts, name) },
    { "events", OPPROF_FACT_IS_MAP, OPPROF_FACT_REQUIRED | OPPROF_FACT_NUMBERED,
      .most = PMU_MAX_EVENT,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_OBJECT, .of = event_fields),
      OPPROF_FACT_ARRAY(PmuFacts, events, event_count), OPPROF_FACT_KEY(EventFacts, id) },
    { .name = NULL },
};
const OpprofFactTable pmu_table = { .fields = pmu_fields,
                                    .size = sizeof(PmuFacts),
                                    .check = check_events };

const OpprofChipTable pmu_chip_tables[] = {
    { .path = "pmu", .table = &pmu_table },
    { .path = CHOICES_PATH, .table = &choices_table },
    { .path = NULL },
};

const RoundFacts *PmuRoundsOf(const PmuFacts *facts, const char *kind)
{
    for (uint32_t i = 0; i < facts->round_count; i++) {
        if (strcmp(facts->rounds[i].kind, kind) == 0) {
            return &facts->rounds[i];
        }
    }
    return NULL;
}

const EventIds *PmuGroupEvents(const GroupFacts *group_facts, const char *kind)
{
    for (uint32_t i = 0; i < group_facts->count; i++) {
        if (strcmp(group_facts->kinds[i].kind, kind) == 0) {
            return &group_facts->kinds[i].events;
        }
    }
    return NULL;
}
