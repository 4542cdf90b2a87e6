/* SPDX-License-Identifier: Apache-2.0 */
/* Which event each counter of each replay counted. */
#include "plan.h"

#include <opprof/records/onboard.h>

#include <stdio.h>
#include <stdlib.h>

#define MAX_IDS (PLAN_MAX_ROUNDS * LAYOUT_MAX_SLOTS)
#define FILLER 0u /* id of counters that count nothing, or scalar instructions */

/* Ids of one kind of core, in the order of the counters of all replays. */
typedef struct IdList {
    uint32_t ids[MAX_IDS];
    uint32_t count;
} IdList;

/* Place of an id in the fixed plan: replay * slots + slot; UINT32_MAX: none. */
typedef struct Wanted {
    uint32_t id;
    uint32_t place;
} Wanted;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "plan the replays");
}

static OpprofStatus too_much(const PmuLayout *layout, const char *what, OpprofError **error)
{
    return OpprofChipRefuse(layout->chip, "pmu.rounds", error, "%s", what);
}

static const OpprofFact *rounds_of(const PmuLayout *layout, uint32_t kind)
{
    return OpprofFactMember(OpprofChipFact(layout->chip, "pmu.rounds"), layout->kinds[kind].name);
}

/* False if it is not the number of an event, nor 0 for none. */
static bool read_id(const PmuLayout *layout, const OpprofFact *fact, double *ret_id)
{
    return OpprofFactNumber(fact, ret_id) && *ret_id >= 0 && *ret_id <= LAYOUT_MAX_EVENT &&
           (*ret_id == FILLER || PmuLayoutColumn(layout, (uint32_t) *ret_id) != LAYOUT_NO_COLUMN);
}

/* The fixed plan of a kind, each replay filled up. */
static OpprofStatus read_fixed(const PmuLayout *layout, uint32_t kind, IdList *ret_list,
                               OpprofError **error)
{
    const OpprofFact *rounds = rounds_of(layout, kind);
    const uint32_t slots = layout->counters.slot_count;

    ret_list->count = 0;
    if (OpprofFactCount(rounds) > PLAN_MAX_ROUNDS) {
        return too_much(layout, "more than 64 replays", error);
    }
    for (size_t round = 0; round < OpprofFactCount(rounds); round++) {
        const OpprofFact *ids = OpprofFactAt(rounds, round);
        if (OpprofFactCount(ids) > slots) {
            return OpprofChipRefuse(layout->chip, "pmu.rounds", error,
                                    "replay %zu of '%s' has %zu events, but a record %u counters",
                                    round + 1, layout->kinds[kind].name, OpprofFactCount(ids),
                                    slots);
        }
        for (uint32_t slot = 0; slot < slots; slot++) {
            double id = FILLER;
            if (slot < OpprofFactCount(ids) && !read_id(layout, OpprofFactAt(ids, slot), &id)) {
                return OpprofChipRefuse(
                    layout->chip, "pmu.rounds", error,
                    "event %u of replay %zu of '%s' is not the number of one of pmu.events",
                    slot + 1, round + 1, layout->kinds[kind].name);
            }
            ret_list->ids[ret_list->count++] = (uint32_t) id;
        }
    }
    return OPPROF_OK;
}

/* ---- the packed plan ---- */

static uint32_t place_of(const IdList *fixed, uint32_t id)
{
    for (uint32_t i = 0; i < fixed->count; i++) {
        if (fixed->ids[i] == id) {
            return i;
        }
    }
    return UINT32_MAX;
}

static int by_place(const void *a, const void *b)
{
    const Wanted *x = a;
    const Wanted *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* The ids of the requested groups that are in the fixed plan, without repetitions, in its order. */
static uint32_t collect_wanted(const PmuLayout *layout, uint32_t kind, const Choices *choices,
                               const IdList *fixed, Wanted *wanted, bool *ret_has_filler)
{
    const OpprofFact *groups = OpprofChipFact(layout->chip, "pmu.groups");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *group;
    uint32_t count = 0;

    *ret_has_filler = false;
    while (OpprofFactGetKind(groups) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(groups, &walk, &name, &group)) {
        const OpprofFact *ids = OpprofFactMember(group, layout->kinds[kind].name);
        for (size_t i = 0; OpprofPmuListHas(choices->groups, name) && i < OpprofFactCount(ids);
             i++) {
            double value = -1;
            if (!OpprofFactNumber(OpprofFactAt(ids, i), &value) || value < 0 ||
                value > LAYOUT_MAX_EVENT) {
                continue;
            }
            const uint32_t id = (uint32_t) value;
            const uint32_t place = place_of(fixed, id);
            bool is_new = place != UINT32_MAX && count < MAX_IDS;
            *ret_has_filler = *ret_has_filler || id == FILLER;
            for (uint32_t k = 0; k < count && is_new; k++) {
                is_new = wanted[k].id != id;
            }
            if (is_new && id != FILLER) {
                wanted[count++] = (Wanted){ .id = id, .place = place };
            }
        }
    }
    qsort(wanted, count, sizeof *wanted, by_place);
    return count;
}

static bool put(IdList *list, uint32_t id)
{
    if (list->count == MAX_IDS) {
        return false;
    }
    list->ids[list->count++] = id;
    return true;
}

static bool fill_round(IdList *list, uint32_t slots)
{
    while (list->count % slots != 0) {
        if (!put(list, FILLER)) {
            return false;
        }
    }
    return true;
}

/* Ids that share a replay of the fixed plan stay together. */
static bool pack_chunks(const Wanted *wanted, uint32_t count, uint32_t slots, IdList *list)
{
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i;
        while (end < count && wanted[end].place / slots == wanted[i].place / slots) {
            end++;
        }
        const uint32_t used = list->count % slots;
        if (used != 0 && end - i > slots - used && !fill_round(list, slots)) {
            return false;
        }
        for (; i < end; i++) {
            if (!put(list, wanted[i].id)) {
                return false;
            }
        }
    }
    return true;
}

/*
 * If id 0 counts something and has no counter left, it takes the place before the last id, which
 * moves to one more replay.
 */
static bool make_filler_count(IdList *list, uint32_t slots, uint32_t most)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->ids[i] == FILLER) {
            return true;
        }
    }
    if (list->count >= most) {
        return true; /* one more replay does not fit */
    }
    if (list->count == 0) {
        return put(list, FILLER) && fill_round(list, slots);
    }
    const uint32_t last = list->ids[list->count - 1];
    list->ids[list->count - 1] = FILLER;
    return put(list, last) && fill_round(list, slots);
}

/* Number of replays that the driver takes; a longer plan is cut there. */
static uint32_t max_rounds(const PmuLayout *layout)
{
    double most = PLAN_MAX_ROUNDS;

    return OpprofChipNumber(layout->chip, "pmu.max_rounds", &most) && most >= 1 &&
                   most <= PLAN_MAX_ROUNDS
               ? (uint32_t) most
               : PLAN_MAX_ROUNDS;
}

static OpprofStatus make_packed(const PmuLayout *layout, uint32_t kind, const Choices *choices,
                                const IdList *fixed, IdList *ret_list, OpprofError **error)
{
    const uint32_t slots = layout->counters.slot_count;
    Wanted *wanted = calloc(MAX_IDS, sizeof *wanted);
    bool has_filler = false;

    ret_list->count = 0;
    if (wanted == NULL) {
        return no_memory(error);
    }
    const uint32_t count = collect_wanted(layout, kind, choices, fixed, wanted, &has_filler);
    bool fits = pack_chunks(wanted, count, slots, ret_list) && fill_round(ret_list, slots);
    const uint32_t most = max_rounds(layout) * slots;
    if (fits && ret_list->count > most) {
        ret_list->count = most;
    }
    if (fits && has_filler && PmuLayoutColumn(layout, FILLER) != LAYOUT_NO_COLUMN) {
        fits = make_filler_count(ret_list, slots, most);
    }
    free(wanted);
    return fits ? OPPROF_OK : too_much(layout, "too many events for 64 replays", error);
}

/* ---- from lists to columns ---- */

/* If several counters of one replay count the same, the last one counts. */
static void set_round(const PmuLayout *layout, const uint32_t *ids, uint16_t *columns,
                      uint32_t slots)
{
    for (uint32_t slot = 0; slot < slots; slot++) {
        columns[slot] = PmuLayoutColumn(layout, ids[slot]);
        for (uint32_t earlier = 0; earlier < slot; earlier++) {
            if (columns[earlier] == columns[slot]) {
                columns[earlier] = LAYOUT_NO_COLUMN;
            }
        }
    }
}

static OpprofStatus set_columns(const PmuLayout *layout, const IdList *lists, Plan *plan,
                                OpprofError **error)
{
    const uint32_t slots = plan->slots;
    static const uint32_t nothing[LAYOUT_MAX_SLOTS];

    for (uint32_t kind = 0; kind < plan->kinds; kind++) {
        const uint32_t rounds = lists[kind].count / slots;
        plan->rounds = rounds > plan->rounds ? rounds : plan->rounds;
    }
    const size_t total = (size_t) plan->kinds * plan->rounds * slots;
    plan->columns = calloc(total + 1, sizeof *plan->columns);
    if (plan->columns == NULL) {
        return no_memory(error);
    }
    for (uint32_t kind = 0; kind < plan->kinds; kind++) {
        for (uint32_t round = 0; round < plan->rounds; round++) {
            const bool is_there = (round + 1) * slots <= lists[kind].count;
            uint16_t *columns = plan->columns + ((size_t) kind * plan->rounds + round) * slots;
            set_round(layout, is_there ? lists[kind].ids + (size_t) round * slots : nothing,
                      columns, slots);
        }
    }
    return OPPROF_OK;
}

OpprofStatus PlanMake(const PmuLayout *layout, const Choices *choices, bool is_application_replay,
                      Plan *ret_plan, OpprofError **error)
{
    const bool is_packed = is_application_replay && !choices->all_groups &&
                           choices->groups[0] != '\0' &&
                           !OpprofChipBool(layout->chip, "pmu.always_fixed", false);
    IdList *lists = malloc((LAYOUT_MAX_KINDS + 1) * sizeof *lists);
    OpprofStatus status = lists == NULL ? no_memory(error) : OPPROF_OK;

    *ret_plan = (Plan){ .slots = layout->counters.slot_count, .kinds = layout->kind_count };
    for (uint32_t kind = 0; status == OPPROF_OK && kind < layout->kind_count; kind++) {
        IdList *fixed = &lists[LAYOUT_MAX_KINDS];

        lists[kind].count = 0;
        if (choices->groups[0] == '\0') {
            continue; /* nothing was counted */
        }
        status = read_fixed(layout, kind, is_packed ? fixed : &lists[kind], error);
        if (status == OPPROF_OK && is_packed) {
            status = make_packed(layout, kind, choices, fixed, &lists[kind], error);
        }
    }
    if (status == OPPROF_OK) {
        status = set_columns(layout, lists, ret_plan, error);
    }
    free(lists);
    return status;
}

void PlanFree(Plan *plan)
{
    free(plan->columns);
    *plan = (Plan){ .columns = NULL };
}

/* ---- explaining ---- */

static bool needs_round(const Plan *plan, const PmuLayout *layout, const OpprofFact *group,
                        uint32_t round)
{
    for (uint32_t kind = 0; kind < plan->kinds; kind++) {
        const OpprofFact *ids = OpprofFactMember(group, layout->kinds[kind].name);
        const uint16_t *columns = PlanRound(plan, kind, round);
        for (size_t i = 0; i < OpprofFactCount(ids); i++) {
            double id = -1;
            const bool is_id =
                OpprofFactNumber(OpprofFactAt(ids, i), &id) && id >= 0 && id <= LAYOUT_MAX_EVENT;
            const uint16_t column =
                is_id ? PmuLayoutColumn(layout, (uint32_t) id) : LAYOUT_NO_COLUMN;
            for (uint32_t slot = 0; slot < plan->slots && column != LAYOUT_NO_COLUMN; slot++) {
                if (columns[slot] == column) {
                    return true;
                }
            }
        }
    }
    return false;
}

char *PlanGroupsOf(const Plan *plan, const PmuLayout *layout, uint32_t round)
{
    const OpprofFact *groups = OpprofChipFact(layout->chip, "pmu.groups");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *group;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    while (OpprofFactGetKind(groups) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(groups, &walk, &name, &group)) {
        if (needs_round(plan, layout, group, round)) {
            fprintf(out, "%s%s", ftell(out) > 0 ? ", " : "", name);
        }
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
