/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of passes: which channels are open when, and the words that program them. */
#include "plugins/collect-onboard/live_plan.h"

#include "tests/core/suites.h"
#include <check.h>
#include <string.h>

static OpprofChip *chip;
static LivePlan plan;

static void make(const char *soc, LivePlanWish wish)
{
    ck_assert_int_eq(OpprofChipLoad(soc, &chip, NULL), OPPROF_OK);
    ck_assert_int_eq(LivePlanMake(chip, &wish, &plan, NULL), OPPROF_OK);
}

static void finish(void)
{
    LivePlanFinish(&plan);
    OpprofChipFree(chip);
}

static OpprofLivePlan head(void)
{
    OpprofLivePlan head;

    memcpy(&head, plan.bytes, sizeof head);
    return head;
}

/* The channel at a place of a pass; `*ret_user` points to its user data. */
static OpprofLiveChannel channel_at(uint32_t pass, uint32_t place, const uint8_t **ret_user)
{
    size_t at = sizeof(OpprofLivePlan);
    OpprofLiveChannel channel = { 0, 0, 0, 0 };
    OpprofLivePass described;

    for (uint32_t i = 0; i <= pass; i++) {
        memcpy(&described, plan.bytes + at, sizeof described);
        at += sizeof described;
        for (uint32_t k = 0; k < described.channel_count; k++) {
            memcpy(&channel, plan.bytes + at, sizeof channel);
            *ret_user = plan.bytes + at + sizeof channel;
            if (i == pass && k == place) {
                return channel;
            }
            at += sizeof channel + OpprofLivePadded(channel.user_bytes);
        }
        at += (described.flags & OPPROF_LIVE_PASS_MONITORS) != 0 ? sizeof(OpprofLiveMonitors) : 0;
        at += (described.flags & OPPROF_LIVE_PASS_INSTRUMENTED) != 0 ? sizeof(OpprofLiveArea) : 0;
    }
    channel.channel = 0;
    return channel;
}

static uint32_t word32(const uint8_t *user, size_t at)
{
    uint32_t word;

    memcpy(&word, user + at, 4);
    return word;
}

static uint32_t word16(const uint8_t *user, size_t at)
{
    uint16_t word;

    memcpy(&word, user + at, 2);
    return word;
}

START_TEST(test_910b__first_the_l2_cache_then_ten_rounds_then_the_task)
{
    const uint8_t *user;

    make("Ascend910B1", (LivePlanWish){ .warm_up = 5, .deadline_ms = 10000, .clears_cache = true });
    ck_assert_uint_eq(head().pass_count, 11);
    ck_assert_uint_eq(head().warm_up, 5);
    ck_assert_uint_eq(head().clear_bytes, 201326592);
    ck_assert_uint_eq(head().command, 0x100000010);
    ck_assert_uint_eq(channel_at(0, 0, &user).channel, 47);
    ck_assert_uint_eq(channel_at(0, 0, &user).user_bytes, 36);
    ck_assert_uint_eq(word32(user, 0), 8);
    ck_assert_uint_eq(word32(user, 4), 0xfb);
    ck_assert_uint_eq(word32(user, 32), 7);
    ck_assert_uint_eq(channel_at(0, 1, &user).channel, 0);
    for (uint32_t pass = 1; pass < 11; pass++) {
        ck_assert_uint_eq(channel_at(pass, 0, &user).channel, 53);
        ck_assert_uint_eq(channel_at(pass, 0, &user).user_bytes, 72);
        ck_assert_uint_eq(channel_at(pass, 1, &user).channel, pass == 10 ? 50 : 0);
    }
    ck_assert_str_eq(LivePlanFind(&plan, 0, 47)->name, "L2Cache.bin");
    ck_assert_str_eq(LivePlanFind(&plan, 1, 53)->name, "DeviceProf1.bin");
    ck_assert_str_eq(LivePlanFind(&plan, 10, 53)->name, "DeviceProf10.bin");
    ck_assert_str_eq(LivePlanFind(&plan, 10, 50)->name, "duration.bin");
    ck_assert_ptr_null(LivePlanFind(&plan, 1, 50));
    finish();
}
END_TEST

/* Mode 3, then for cube and vector cores: type 5, period, mask, number of events, events; at last
 * the tag. */
START_TEST(test_910b__counters_are_programmed_for_both_kinds_of_cores)
{
    const uint8_t *user;

    make("Ascend910B1", (LivePlanWish){ .is_scaled = true });
    channel_at(10, 0, &user); /* round 10 */
    ck_assert_uint_eq(word32(user, 0), 3);
    ck_assert_uint_eq(word32(user, 4), 5);
    ck_assert_uint_eq(word32(user, 8), 0);
    ck_assert_uint_eq(word32(user, 12), 0xffffffff);
    ck_assert_uint_eq(word32(user, 16), 8);
    ck_assert_uint_eq(word16(user, 20), 9);
    ck_assert_uint_eq(word16(user, 22), 10);
    ck_assert_uint_eq(word16(user, 34), 771);
    ck_assert_uint_eq(word32(user, 36), 5);
    ck_assert_uint_eq(word32(user, 48), 8);
    ck_assert_uint_eq(word16(user, 52), 8);
    ck_assert_uint_eq(word16(user, 66), 91);
    ck_assert_uint_eq(word32(user, 68), 0x10000);
    channel_at(10, 1, &user);
    ck_assert_uint_eq(word32(user, 0), 1);
    ck_assert_uint_eq(word32(user, 4), 1);
    ck_assert_uint_eq(word32(user, 24), 1);
    ck_assert_uint_eq(word32(user, 32), 0);
    finish();
}
END_TEST

START_TEST(test_310p__one_kind_of_cores_and_the_l2_cache_with_the_first_round)
{
    const uint8_t *user;

    make("Ascend310P3", (LivePlanWish){ .warm_up = 0 });
    ck_assert_uint_eq(head().pass_count, 7);
    ck_assert_uint_eq(head().command, 4);
    ck_assert_uint_eq(channel_at(0, 0, &user).channel, 43);
    ck_assert_uint_eq(channel_at(0, 0, &user).user_bytes, 56);
    ck_assert_uint_eq(word32(user, 16), 8);
    ck_assert_uint_eq(channel_at(0, 1, &user).channel, 47);
    ck_assert_uint_eq(word32(user, 4), 106);
    ck_assert_uint_eq(word32(user, 16), 0);
    ck_assert_uint_eq(channel_at(1, 1, &user).channel, 0);
    ck_assert_uint_eq(channel_at(6, 1, &user).channel, 45);
    ck_assert_uint_eq(channel_at(6, 1, &user).user_bytes, 4);
    finish();
}
END_TEST

START_TEST(test_950__ten_events_a_round)
{
    const uint8_t *user;

    make("Ascend950PR_9599", (LivePlanWish){ .warm_up = 0 });
    ck_assert_uint_eq(head().pass_count, 8);
    ck_assert_uint_eq(channel_at(0, 0, &user).user_bytes, 88);
    ck_assert_uint_eq(word32(user, 16), 10);
    ck_assert_uint_eq(word32(user, 40), 5);
    ck_assert_uint_eq(word32(user, 52), 10);
    ck_assert_uint_eq(word32(user, 80), 2);
    ck_assert_uint_eq(channel_at(5, 1, &user).channel, 50);
    ck_assert_uint_eq(channel_at(5, 1, &user).user_bytes, 44);
    finish();
}
END_TEST

START_TEST(test_basic_info__is_one_pass_without_events)
{
    const uint8_t *user;

    make("Ascend910_9391", (LivePlanWish){ .is_basic = true });
    ck_assert_uint_eq(head().pass_count, 1);
    ck_assert_uint_eq(channel_at(0, 0, &user).channel, 53);
    ck_assert_uint_eq(word16(user, 20), 0);
    ck_assert_uint_eq(channel_at(0, 1, &user).channel, 50);
    finish();
}
END_TEST

START_TEST(test_application__each_run_has_one_pass)
{
    const uint8_t *user;

    make("Ascend910B1", (LivePlanWish){ .replay = OPPROF_LIVE_REPLAY_APPLICATION, .round = 0 });
    ck_assert_uint_eq(LivePlanRounds(chip, &(LivePlanWish){ .is_basic = false }), 11);
    ck_assert_uint_eq(head().pass_count, 1);
    ck_assert_uint_eq(channel_at(0, 0, &user).channel, 47);
    finish();
    make("Ascend910B1", (LivePlanWish){ .replay = OPPROF_LIVE_REPLAY_APPLICATION, .round = 9 });
    ck_assert(!LivePlanFind(&plan, 0, 53)->is_early && LivePlanFind(&plan, 0, 50)->is_early);
    ck_assert_ptr_null(LivePlanFind(&plan, 0, 143));
    finish();
    make("Ascend910B1", (LivePlanWish){ .replay = OPPROF_LIVE_REPLAY_APPLICATION, .round = 10 });
    ck_assert(!LivePlanFind(&plan, 0, 50)->is_early);
    ck_assert_str_eq(LivePlanFind(&plan, 0, 143)->name, "aicpu.bin");
    ck_assert_str_eq(LivePlanFind(&plan, 0, 53)->name, "DeviceProf10.bin");
    ck_assert_str_eq(LivePlanFind(&plan, 0, 50)->name, "duration.bin");
    finish();
}
END_TEST

START_TEST(test_the_ai_cpu__is_read_with_the_tasks_of_operators_that_communicate)
{
    const uint8_t *user;

    make("Ascend910B1", (LivePlanWish){ .warm_up = 1 });
    const OpprofLiveChannel channel = channel_at(10, 2, &user);
    ck_assert_uint_eq(channel.channel, 143);
    ck_assert_uint_eq(channel.kind, 1 | OPPROF_LIVE_CHANNEL_JOINT);
    ck_assert_uint_eq(channel.period, 100);
    ck_assert_uint_eq(channel.user_bytes, 0);
    ck_assert_str_eq(LivePlanFind(&plan, 10, 143)->name, "aicpu.bin");
    ck_assert_ptr_null(LivePlanFind(&plan, 9, 143));
    finish();
}
END_TEST

/* 18 channels cover six cores with three parts each; newer drivers take a byte more. */
static void check_trace(uint32_t pass, uint32_t mode, uint32_t bytes, const char *name)
{
    const uint8_t *user = NULL;

    for (uint32_t i = 0; i < 18; i++) {
        const OpprofLiveChannel channel = channel_at(pass, i, &user);
        const LivePlanFile *file = LivePlanFind(&plan, pass, 11 + i);

        ck_assert_uint_eq(channel.channel, 11 + i);
        ck_assert_uint_eq(channel.kind, OPPROF_LIVE_CHANNEL_SPARSE);
        ck_assert_uint_eq(channel.period, 0);
        ck_assert_uint_eq(channel.user_bytes, bytes);
        ck_assert_uint_eq(word32(user, 0), 32);
        ck_assert_uint_eq(word32(user, 4), mode);
        ck_assert_uint_eq(word32(user, 8) | word32(user, 12), 0);
        ck_assert(bytes == 16 || user[16] == 1);
        ck_assert_str_eq(file->name, name);
        ck_assert_uint_eq(file->chunk, 2097152);
        ck_assert_uint_eq(file->core, i / 3);
        ck_assert_uint_eq(file->part, i % 3);
    }
    ck_assert_uint_eq(channel_at(pass, 18, &user).channel, 0);
}

START_TEST(test_traces__have_a_pass_each)
{
    LivePlanWish wish = { .is_basic = true, .has_monitors = true, .has_samples = true };

    make("Ascend950PR_9599", wish);
    ck_assert(LivePlanHasTrace(chip));
    ck_assert_uint_eq(head().pass_count, 3);
    check_trace(1, 1, 16, "pcSampling.bin.*");
    check_trace(2, 0, 16, "timeline.bin.*");
    ck_assert_uint_eq(LivePlanFindArea(&plan, 1)->kind, OPPROF_LIVE_INSTRUMENT_START);
    ck_assert_uint_eq(LivePlanFindArea(&plan, 1)->slot_bytes, 8);
    ck_assert_ptr_null(LivePlanFindArea(&plan, 2));
    finish();
    make("Ascend950PR_9599", (LivePlanWish){ .is_basic = true, .has_regions = true });
    check_trace(1, 0, 16, "timeline.bin.*");
    ck_assert_uint_eq(LivePlanFindArea(&plan, 1)->kind, OPPROF_LIVE_INSTRUMENT_REGIONS);
    finish();
    wish.api_version = 0x072418;
    make("Ascend950PR_9599", wish);
    check_trace(2, 0, 16, "timeline.bin.*");
    finish();
    wish.api_version = 0x072419;
    make("Ascend950PR_9599", wish);
    check_trace(1, 1, 17, "pcSampling.bin.*");
    check_trace(2, 0, 17, "timeline.bin.*");
    finish();
    make("Ascend910B1", (LivePlanWish){ .is_basic = true, .has_samples = true });
    ck_assert(!LivePlanHasTrace(chip));
    ck_assert_uint_eq(head().pass_count, 1);
    finish();
}
END_TEST

START_TEST(test_monitors__have_the_last_pass_if_their_registers_may_be_written)
{
    LivePlanWish wish = { .is_basic = true, .has_monitors = true, .monitor_bytes = 4096 };
    OpprofLivePass pass;
    OpprofLiveMonitors monitors;
    char name[32];

    ck_assert_int_eq(OpprofChipLoad("Ascend950PR_9599", &chip, NULL), OPPROF_OK);
    wish.is_provisional_accepted = true;
    ck_assert_int_eq(LivePlanMake(chip, &wish, &plan, NULL), OPPROF_OK);
    ck_assert_uint_eq(head().pass_count, 2);
    memcpy(&monitors, plan.bytes + plan.size - sizeof monitors, sizeof monitors);
    memcpy(&pass, plan.bytes + plan.size - sizeof monitors - sizeof pass, sizeof pass);
    ck_assert_uint_eq(pass.channel_count, 0);
    ck_assert_uint_eq(pass.flags, OPPROF_LIVE_PASS_MONITORS);
    ck_assert_uint_eq(monitors.core_count, 36);
    ck_assert_uint_eq(monitors.buffer_bytes, 4096);
    ck_assert(OpprofLiveMonitorsAreGood(&monitors));
    ck_assert(LivePlanMonitorFile(OpprofChipSoc(chip), OPPROF_LIVE_RAW_MONITOR + 4 * 35 + 2, name,
                                  sizeof name));
    ck_assert_str_eq(name, "perfmon.core35.aiv1");
    ck_assert(!LivePlanMonitorFile(OpprofChipSoc(chip), 53, name, sizeof name));
    ck_assert(
        !LivePlanMonitorFile(OpprofChipSoc(chip), OPPROF_LIVE_RAW_MONITOR + 3, name, sizeof name));
    finish();
}
END_TEST

START_TEST(test_chip__without_channels_is_an_error)
{
    const LivePlanWish wish = { .warm_up = 0 };
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofChipLoad("Ascend310", &chip, NULL), OPPROF_OK);
    ck_assert(!LivePlanIsKnown(chip));
    ck_assert_int_eq(LivePlanMake(chip, &wish, &plan, &error), OPPROF_E_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "channels"));
    OpprofErrorDestroy(error);
    finish();
}
END_TEST

/* Of slots of 100 MiB the header tells how much was written; counters are taken as a whole. */
START_TEST(test_910b__instrumented_kernels_come_after_all_others)
{
    const uint32_t both = 1u << OPPROF_LIVE_INSTRUMENT_BLOCKS | 1u << OPPROF_LIVE_INSTRUMENT_MEMORY;
    const LivePlanWish wish = { .is_basic = true, .instruments = both };
    const OpprofLiveArea *area;

    make("Ascend910B1", wish);
    ck_assert_uint_eq(head().pass_count, 3);
    ck_assert_ptr_null(LivePlanFindArea(&plan, 0));
    area = LivePlanFindArea(&plan, 1);
    ck_assert_uint_eq(area->kind, OPPROF_LIVE_INSTRUMENT_BLOCKS);
    ck_assert_uint_eq(area->slots_per_block, 3);
    ck_assert_uint_eq(area->most_slots, 300);
    ck_assert_uint_eq(area->header_bytes, 0);
    ck_assert_uint_eq(area->slot_bytes, 0);
    area = LivePlanFindArea(&plan, 2);
    ck_assert_uint_eq(area->kind, OPPROF_LIVE_INSTRUMENT_MEMORY);
    ck_assert_uint_eq(area->most_slots, 108);
    ck_assert_uint_eq(area->header_bytes, 176);
    ck_assert_uint_eq(area->length_at, 8);
    ck_assert_uint_eq(area->gap, 64);
    ck_assert_uint_eq(area->slot_bytes, 104857600);
    finish();
}
END_TEST

/* Whatever is wished; a slot has 33 types of 24 bytes and a gap, once and for
 * each of 2048 threads. */
START_TEST(test_950__operations_and_warps_are_told_wherever_events_are_counted)
{
    const OpprofLiveArea *area;

    make("Ascend950PR_9599", (LivePlanWish){ .is_basic = false });
    area = LivePlanFindArea(&plan, 6);
    ck_assert_ptr_nonnull(area);
    ck_assert_uint_eq(area->kind, OPPROF_LIVE_INSTRUMENT_OPERANDS);
    ck_assert_uint_eq(area->most_slots, 108);
    ck_assert_uint_eq(area->header_bytes, 0);
    ck_assert_uint_eq(area->slot_bytes + area->gap, 1754008);
    ck_assert_uint_eq(area->gap, 64);
    area = LivePlanFindArea(&plan, 7);
    ck_assert_uint_eq(area->kind, OPPROF_LIVE_INSTRUMENT_WARPS);
    ck_assert_uint_eq(area->slot_bytes + area->gap, 16 + 64 * 16 + 64);
    finish();
    make("Ascend950PR_9599", (LivePlanWish){ .is_basic = true });
    ck_assert_uint_eq(head().pass_count, 1);
    finish();
    make("Ascend950PR_9599",
         (LivePlanWish){ .replay = OPPROF_LIVE_REPLAY_APPLICATION, .round = 6 });
    ck_assert_uint_eq(LivePlanRounds(chip, &(LivePlanWish){ .is_basic = false }), 8);
    ck_assert_uint_eq(LivePlanFindArea(&plan, 0)->kind, OPPROF_LIVE_INSTRUMENT_OPERANDS);
    finish();
    make("Ascend950PR_9599", (LivePlanWish){ .replay = OPPROF_LIVE_REPLAY_RANGE });
    ck_assert_uint_eq(head().pass_count, 6);
    finish();
}
END_TEST

/* Eleven runs that count, and then one for each kind. */
START_TEST(test_910b__an_application_is_run_once_more_for_each_kind)
{
    LivePlanWish wish = { .replay = OPPROF_LIVE_REPLAY_APPLICATION,
                          .round = 11,
                          .instruments = 1u << OPPROF_LIVE_INSTRUMENT_BLOCKS |
                                         1u << OPPROF_LIVE_INSTRUMENT_MEMORY };

    make("Ascend910B1", wish);
    ck_assert_uint_eq(LivePlanRounds(chip, &wish), 13);
    ck_assert_uint_eq(head().pass_count, 1);
    ck_assert_uint_eq(LivePlanFindArea(&plan, 0)->kind, OPPROF_LIVE_INSTRUMENT_BLOCKS);
    finish();
    wish.round = 12;
    make("Ascend910B1", wish);
    ck_assert_uint_eq(LivePlanFindArea(&plan, 0)->kind, OPPROF_LIVE_INSTRUMENT_MEMORY);
    finish();
    wish.round = 10;
    make("Ascend910B1", wish);
    ck_assert_ptr_null(LivePlanFindArea(&plan, 0));
    finish();
}
END_TEST

static Suite *live_plan_suite(void)
{
    Suite *suite = suite_create("live_plan");
    TCase *tests = tcase_create("live_plan");

    tcase_add_test(tests, test_910b__instrumented_kernels_come_after_all_others);
    tcase_add_test(tests, test_910b__an_application_is_run_once_more_for_each_kind);
    tcase_add_test(tests, test_910b__first_the_l2_cache_then_ten_rounds_then_the_task);
    tcase_add_test(tests, test_910b__counters_are_programmed_for_both_kinds_of_cores);
    tcase_add_test(tests, test_310p__one_kind_of_cores_and_the_l2_cache_with_the_first_round);
    tcase_add_test(tests, test_950__ten_events_a_round);
    tcase_add_test(tests, test_950__operations_and_warps_are_told_wherever_events_are_counted);
    tcase_add_test(tests, test_traces__have_a_pass_each);
    tcase_add_test(tests, test_basic_info__is_one_pass_without_events);
    tcase_add_test(tests, test_application__each_run_has_one_pass);
    tcase_add_test(tests, test_the_ai_cpu__is_read_with_the_tasks_of_operators_that_communicate);
    tcase_add_test(tests, test_monitors__have_the_last_pass_if_their_registers_may_be_written);
    tcase_add_test(tests, test_chip__without_channels_is_an_error);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(live_plan_suite)
