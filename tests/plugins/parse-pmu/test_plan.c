/* SPDX-License-Identifier: Apache-2.0 */
/* Which event is in which slot of which replay, and what may be asked for. */
#include "plugins/parse-pmu/plan.h"

#include "tests/core/suites.h"

#include <check.h>
#include <opprof/error.h>
#include <opprof/records/onboard.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_IDS 256

static OpprofChip *chip;
static PmuLayout layout;
static Choices choices;
static Plan plan;

static void teardown(void)
{
    PlanFree(&plan);
    ChoicesFree(&choices);
    PmuLayoutFree(&layout);
    OpprofChipFree(chip);
    plan = (Plan){ 0 };
    choices = (Choices){ 0 };
    layout = (PmuLayout){ 0 };
    chip = NULL;
}

/* Items separated by blanks; at most 16. */
static OpprofStatus choose(const char *name, const char *text, OpprofError **error)
{
    static char copy[256];
    const char *items[16];
    ChoiceItems list = { .items = items };

    snprintf(copy, sizeof copy, "%s", text);
    for (char *at, *item = strtok_r(copy, " ", &at); item != NULL;
         item = strtok_r(NULL, " ", &at)) {
        items[list.count++] = item;
    }
    ck_assert_int_eq(OpprofChipLoad(name, &chip, NULL), OPPROF_OK);
    return ChoicesResolve(chip, &list, &choices, error);
}

static void make_plan(const char *name, const char *items, bool is_application)
{
    OpprofError *error = NULL;

    ck_assert_msg(choose(name, items, &error) == OPPROF_OK, "%s", OpprofErrorMessage(error));
    ck_assert_int_eq(PmuLayoutLoad(chip, &layout, NULL), OPPROF_OK);
    ck_assert_int_eq(PlanMake(&layout, &choices, is_application, &plan, NULL), OPPROF_OK);
}

/* Event of a slot; -1: none. */
static int event_at(uint32_t kind, uint32_t round, uint32_t slot)
{
    const uint16_t column = PlanRound(&plan, kind, round)[slot];

    return column == LAYOUT_NO_COLUMN ? -1 : (int) layout.events[column];
}

/* Event of the list of a kind at an index, as the replays follow one another. */
static int event_of_list(uint32_t kind, uint32_t index)
{
    return event_at(kind, index / plan.slots, index % plan.slots);
}

START_TEST(whole_plans_are_those_of_the_chip)
{
    make_plan("Ascend910B1", "", false);
    ck_assert_uint_eq(plan.rounds, 10);
    ck_assert_uint_eq(plan.slots, 8);
    ck_assert_int_eq(event_of_list(0, 2), 1280);
    ck_assert_int_eq(event_of_list(1, 11), 1288);
    ck_assert_int_eq(event_of_list(0, 7), -1);
    teardown();
    make_plan("Ascend950PR_9599", "", false);
    ck_assert_uint_eq(plan.rounds, 6);
    ck_assert_uint_eq(plan.slots, 10);
    ck_assert_int_eq(event_of_list(0, 19), 0);
    teardown();
    make_plan("Ascend310P3", "", true);
    ck_assert_uint_eq(plan.rounds, 7);
}
END_TEST

START_TEST(a_kernel_that_was_replayed_has_the_whole_plan_whatever_was_asked_for)
{
    make_plan("Ascend910B1", "MemoryUB", false);
    ck_assert_uint_eq(plan.rounds, 10);
    teardown();
    /* so has an application with all groups, and a chip that does not pack */
    make_plan("Ascend910B1", "default", true);
    ck_assert_uint_eq(plan.rounds, 10);
    teardown();
    make_plan("Ascend310P3", "MemoryUB", true);
    ck_assert_uint_eq(plan.rounds, 7);
}
END_TEST

START_TEST(basic_info_alone_counts_nothing)
{
    make_plan("Ascend910B1", "BasicInfo", false);
    ck_assert_uint_eq(plan.rounds, 0);
    teardown();
    make_plan("Ascend910B1", "BasicInfo MemoryUB", false);
    ck_assert_uint_eq(plan.rounds, 10);
}
END_TEST

START_TEST(events_of_some_groups_are_packed_replay_by_replay)
{
    static const int cube[] = { 27, 28, 33, 34, 40, 42, -1, -1 };
    static const int vector[] = { 55, 56, 67, 68, -1, -1, -1, -1 };

    make_plan("Ascend910B1", "MemoryL0 MemoryUB", true);
    ck_assert_uint_eq(plan.rounds, 1);
    for (uint32_t slot = 0; slot < 8; slot++) {
        ck_assert_int_eq(event_at(0, 0, slot), cube[slot]);
        ck_assert_int_eq(event_at(1, 0, slot), vector[slot]);
    }
}
END_TEST

/* What belongs to one fixed replay does not fit into the rest of another, so a new one begins. */
START_TEST(events_of_one_fixed_replay_stay_together)
{
    /* vector, by replay: 1280 1282 1283 | 1284 1286 1287 1288 1290 1291 */
    static const int vector[2][8] = { { 1280, 1282, 1283, -1, -1, -1, -1, -1 },
                                      { 1284, 1286, 1287, 1288, 1290, 1291, -1, -1 } };

    make_plan("Ascend910B1", "L2Cache", true);
    ck_assert_uint_eq(plan.rounds, 2);
    for (uint32_t slot = 0; slot < 16; slot++) {
        ck_assert_int_eq(event_of_list(0, slot), vector[slot / 8][slot % 8]);
        ck_assert_int_eq(event_of_list(1, slot), vector[slot / 8][slot % 8]);
    }
}
END_TEST

/* ---- the same by the book ---- */

typedef struct List {
    int ids[MAX_IDS];
    uint32_t count;
} List;

static void add_id(List *list, int id)
{
    ck_assert_uint_lt(list->count, MAX_IDS);
    list->ids[list->count++] = id;
}

static const OpprofFact *rounds_of(const char *kind)
{
    char path[64];

    snprintf(path, sizeof path, "pmu.rounds.%s", kind);
    return OpprofChipFact(chip, path);
}

static bool is_in_groups(const char *kind, int id)
{
    static const char *const groups[] = { "PipeUtilization",
                                          "ArithmeticUtilization",
                                          "L2Cache",
                                          "Memory",
                                          "ResourceConflictRatio",
                                          "MemoryL0",
                                          "MemoryUB",
                                          "Occupancy",
                                          "Roofline" };

    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        char path[96];
        const OpprofFact *ids;
        snprintf(path, sizeof path, "pmu.groups.%s.%s", groups[g], kind);
        ids = OpprofChipFact(chip, path);
        for (size_t i = 0; OpprofPmuListHas(choices.groups, groups[g]) && i < OpprofFactCount(ids);
             i++) {
            double value = -1;
            if (OpprofFactNumber(OpprofFactAt(ids, i), &value) && (int) value == id) {
                return true;
            }
        }
    }
    return false;
}

/*
 * Chunks in the order of the fixed plan; one that does not fit into the rest starts a new replay.
 */
static List pack(const char *kind, uint32_t slots, bool has_zero)
{
    const OpprofFact *rounds = rounds_of(kind);
    List list = { .count = 0 };

    for (size_t r = 0; r < OpprofFactCount(rounds); r++) {
        List chunk = { .count = 0 };
        for (size_t s = 0; s < slots; s++) {
            double id = 0;
            OpprofFactNumber(OpprofFactAt(OpprofFactAt(rounds, r), s), &id);
            if (id != 0 && is_in_groups(kind, (int) id)) {
                add_id(&chunk, (int) id);
            }
        }
        while (list.count % slots != 0 && chunk.count > slots - list.count % slots) {
            add_id(&list, 0);
        }
        for (uint32_t i = 0; i < chunk.count; i++) {
            add_id(&list, chunk.ids[i]);
        }
    }
    while (list.count % slots != 0) {
        add_id(&list, 0);
    }
    bool is_full = has_zero && list.count > 0;
    for (uint32_t i = 0; i < list.count; i++) {
        is_full = is_full && list.ids[i] != 0;
    }
    if (is_full && is_in_groups(kind, 0) && list.count + slots <= 60) {
        const int last = list.ids[list.count - 1];
        list.ids[list.count - 1] = 0;
        add_id(&list, last);
        while (list.count % slots != 0) {
            add_id(&list, 0);
        }
    }
    return list;
}

/* Where id 0 is an event, the last of the free slots of a replay counts it. */
static int wanted_at(const List *list, uint32_t index, uint32_t slots, bool has_zero)
{
    if (index < list->count && list->ids[index] != 0) {
        return list->ids[index];
    }
    for (uint32_t i = index + 1; i % slots != 0; i++) {
        if (i >= list->count || list->ids[i] == 0) {
            return -1;
        }
    }
    return has_zero ? 0 : -1;
}

static void check_packed(const char *name, const char *items, bool has_zero)
{
    make_plan(name, items, true);
    if (choices.all_groups) {
        teardown();
        return;
    }
    List lists[2];
    for (uint32_t kind = 0; kind < 2; kind++) {
        lists[kind] = pack(layout.kinds[kind].name, plan.slots, has_zero);
    }
    const uint32_t longest = lists[0].count > lists[1].count ? lists[0].count : lists[1].count;
    ck_assert_msg(plan.rounds == longest / plan.slots, "%s %s: %u replays, not %u", name, items,
                  plan.rounds, longest / plan.slots);
    for (uint32_t kind = 0; kind < 2; kind++) {
        for (uint32_t i = 0; i < plan.rounds * plan.slots; i++) {
            const int wanted = wanted_at(&lists[kind], i, plan.slots, has_zero);
            ck_assert_msg(event_of_list(kind, i) == wanted, "%s %s, kind %u, %u: %d, not %d", name,
                          items, kind, i, event_of_list(kind, i), wanted);
        }
    }
    teardown();
}

START_TEST(every_set_of_groups_is_packed_by_the_book)
{
    static const char *const names[] = { "PipeUtilization", "ArithmeticUtilization", "L2Cache",
                                         "Memory",          "ResourceConflictRatio", "MemoryL0",
                                         "MemoryUB" };

    for (unsigned set = 1 + (unsigned) _i; set < 128; set += 8) {
        char items[256] = "";
        for (unsigned i = 0; i < 7; i++) {
            if ((set >> i & 1) != 0) {
                snprintf(items + strlen(items), sizeof items - strlen(items), "%s ", names[i]);
            }
        }
        check_packed("Ascend910B1", items, false);
        check_packed("Ascend950PR_9599", items, true);
    }
}
END_TEST

START_TEST(a_missing_replay_is_known_by_the_groups_that_need_it)
{
    char *groups;

    make_plan("Ascend910B1", "Memory MemoryUB L2Cache", false);
    groups = PlanGroupsOf(&plan, &layout, 2); /* 19 49 50 518 524, 61 62 67 68 */
    ck_assert_ptr_nonnull(groups);
    ck_assert_ptr_nonnull(strstr(groups, "Memory"));
    ck_assert_ptr_nonnull(strstr(groups, "MemoryUB"));
    ck_assert_ptr_null(strstr(groups, "L2Cache"));
    free(groups);
}
END_TEST

/* ---- what may be asked for ---- */

static void check_groups(const char *name, const char *items, const char *groups, const char *views,
                         uint32_t flags)
{
    OpprofError *error = NULL;

    ck_assert_msg(choose(name, items, &error) == OPPROF_OK, "%s: %s", items,
                  OpprofErrorMessage(error));
    ck_assert_str_eq(choices.groups, groups);
    ck_assert_str_eq(choices.views, views);
    ck_assert_uint_eq(choices.flags, flags);
    teardown();
}

START_TEST(metrics_are_groups_views_and_flags)
{
    check_groups("Ascend910B1", "memoryub MEMORYL0", "MemoryUB,MemoryL0", "", 0);
    check_groups("Ascend910B1", "BasicInfo", "", "", 0);
    check_groups("Ascend910B1", "Occupancy", "Occupancy", "occupancy", 0);
    check_groups("Ascend910B1", "Memory KernelScale", "Memory", "", OPPROF_PMU_LAUNCH_KERNEL_SCALE);
    check_groups("Ascend910B1", "Source", "", "", 0);
}
END_TEST

static void check_all(const char *name, const char *items, const char *views, uint32_t flags)
{
    ck_assert_int_eq(choose(name, items, NULL), OPPROF_OK);
    ck_assert(choices.all_groups);
    ck_assert(OpprofPmuListHas(choices.groups, "ResourceConflictRatio"));
    ck_assert_str_eq(choices.views, views);
    ck_assert_uint_eq(choices.flags, flags);
    teardown();
}

START_TEST(some_metrics_are_all_groups)
{
    check_all("Ascend910B1", "", "", 0);
    check_all("Ascend910B1", "Default", "", 0);
    check_all("Ascend910B1", "KernelScale", "", OPPROF_PMU_LAUNCH_KERNEL_SCALE);
    check_all("Ascend950PR_9599", "memorydetail", "", OPPROF_PMU_LAUNCH_MEMORY_DETAIL);
    check_all("Ascend910B1", "Roofline", "roofline", 0);
    check_all("Ascend910B1", "Roofline BasicInfo occupancy", "roofline,occupancy", 0);
}
END_TEST

static void check_refused(const char *name, const char *items, const char *part)
{
    OpprofError *error = NULL;

    ck_assert_int_eq(choose(name, items, &error), OPPROF_E_ARGUMENT);
    ck_assert_msg(strstr(OpprofErrorMessage(error), part) != NULL, "%s", OpprofErrorMessage(error));
    ck_assert_ptr_nonnull(OpprofErrorGetHint(error));
    OpprofErrorDestroy(error);
    teardown();
}

START_TEST(metrics_that_a_chip_does_not_have_are_refused)
{
    check_refused("Ascend910B1", "Memory Memry", "'Memry'");
    check_refused("Ascend910B1", "PMSampling", "simulated");
    check_refused("Ascend910B1", "Overhead", "simulated");
    check_refused("Ascend310P3", "Occupancy", "310P");
    check_refused("Ascend310P3", "KernelScale", "310P");
    check_refused("Ascend910B1", "PcSampling", "910B");
    check_refused("Ascend950PR_9599", "InstrTimeline PipeTimeline", "excludes");
}
END_TEST

static Suite *plan_suite(void)
{
    Suite *suite = suite_create("plan");
    TCase *tcase = tcase_create("plans");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, whole_plans_are_those_of_the_chip);
    tcase_add_test(tcase, a_kernel_that_was_replayed_has_the_whole_plan_whatever_was_asked_for);
    tcase_add_test(tcase, basic_info_alone_counts_nothing);
    tcase_add_test(tcase, events_of_some_groups_are_packed_replay_by_replay);
    tcase_add_test(tcase, events_of_one_fixed_replay_stay_together);
    tcase_add_loop_test(tcase, every_set_of_groups_is_packed_by_the_book, 0, 8);
    tcase_add_test(tcase, a_missing_replay_is_known_by_the_groups_that_need_it);
    tcase_add_test(tcase, metrics_are_groups_views_and_flags);
    tcase_add_test(tcase, some_metrics_are_all_groups);
    tcase_add_test(tcase, metrics_that_a_chip_does_not_have_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(plan_suite)
