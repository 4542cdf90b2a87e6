/* SPDX-License-Identifier: Apache-2.0 */
/* Every record type, the core's and those that families exchange: complete, without gaps,
 * explained. */
#include <opprof/records/block.h>
#include <opprof/records/dbi.h>
#include <opprof/records/hotspot.h>
#include <opprof/records/onboard.h>
#include <opprof/present.h>
#include <opprof/records/sim.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const OpprofRecordType *const types[] = {
    &opprof_span_type,
    &opprof_counter_type,
    &opprof_advice_type,
    &opprof_block_type,
    &opprof_sim_instruction_type,
    &opprof_sim_issue_type,
    &opprof_sim_mark_type,
    &opprof_sim_mte_type,
    &opprof_sim_mte_log_type,
    &opprof_sim_icache_miss_type,
    &opprof_sim_pc_details_type,
    &opprof_hot_address_type,
    &opprof_hot_line_type,
    &opprof_hot_sample_type,
    &opprof_hot_register_type,
    &opprof_dbi_access_type,
    &opprof_dbi_move_type,
    &opprof_dbi_pc_type,
    &opprof_dbi_set_type,
    &opprof_dbi_block_type,
    &opprof_dbi_sample_type,
    &opprof_dbi_register_type,
    &opprof_onboard_chunk_type,
    &opprof_pmu_launch_type,
    &opprof_pmu_counter_type,
    &opprof_operator_view_type,
    &opprof_compute_view_type,
    &opprof_storage_map_view_type,
    &opprof_storage_view_type,
    &opprof_occupancy_view_type,
    &opprof_roofline_view_type,
};

#define TYPES (sizeof types / sizeof types[0])

static uint32_t size_of_kind(uint32_t kind)
{
    switch ((OpprofFieldKind) kind) {
    case OPPROF_FIELD_I16:
        return 2;
    case OPPROF_FIELD_U32:
    case OPPROF_FIELD_I32:
    case OPPROF_FIELD_STRING:
    case OPPROF_FIELD_TRACK:
        return 4;
    case OPPROF_FIELD_U64:
    case OPPROF_FIELD_I64:
    case OPPROF_FIELD_F64:
    case OPPROF_FIELD_HEX:
    case OPPROF_FIELD_TICK:
    case OPPROF_FIELD_TEXT:
        return 8;
    }
    return 0;
}

START_TEST(types_are_complete)
{
    static const struct {
        const char *name;
        uint32_t size;
    } wanted[TYPES] = {
        { "span", sizeof(OpprofSpan) },
        { "counter", sizeof(OpprofCounter) },
        { "advice", sizeof(OpprofAdvice) },
        { "insight.block", sizeof(OpprofBlock) },
        { "sim.instruction", sizeof(OpprofSimInstruction) },
        { "sim.issue", sizeof(OpprofSimIssue) },
        { "sim.mark", sizeof(OpprofSimMark) },
        { "sim.mte", sizeof(OpprofSimMte) },
        { "sim.mte-log", sizeof(OpprofSimMteLog) },
        { "sim.icache-miss", sizeof(OpprofSimIcacheMiss) },
        { "sim.pc-details", sizeof(OpprofSimPcDetails) },
        { "hot.address", sizeof(OpprofHotAddress) },
        { "hot.line", sizeof(OpprofHotLine) },
        { "hot.sample", sizeof(OpprofHotSample) },
        { "hot.register", sizeof(OpprofHotRegister) },
        { "dbi.access", sizeof(OpprofDbiAccess) },
        { "dbi.move", sizeof(OpprofDbiMove) },
        { "dbi.pc", sizeof(OpprofDbiPc) },
        { "dbi.cache-set", sizeof(OpprofDbiSet) },
        { "dbi.block", sizeof(OpprofDbiBlockCount) },
        { "dbi.sample", sizeof(OpprofDbiSample) },
        { "dbi.register", sizeof(OpprofDbiRegister) },
        { "onboard.chunk", sizeof(OpprofOnboardChunk) },
        { "pmu.launch", sizeof(OpprofPmuLaunch) },
        { "pmu.counter", sizeof(OpprofPmuCounter) },
        { "view.operator", sizeof(OpprofOnboardCell) },
        { "view.compute-load", sizeof(OpprofOnboardCell) },
        { "view.storage-map", sizeof(OpprofOnboardCell) },
        { "view.storage", sizeof(OpprofOnboardCell) },
        { "view.occupancy", sizeof(OpprofOnboardCell) },
        { "view.roofline", sizeof(OpprofOnboardCell) },
    };

    for (size_t i = 0; i < TYPES; i++) {
        ck_assert_str_eq(types[i]->name, wanted[i].name);
        ck_assert_uint_eq(types[i]->size, wanted[i].size);
        ck_assert_uint_eq(types[i]->size % 8, 0);
        ck_assert_uint_eq(types[i]->struct_size, sizeof(OpprofRecordType));
        ck_assert_uint_eq(types[i]->version, 1);
        ck_assert_ptr_nonnull(types[i]->summary);
        ck_assert_uint_gt(types[i]->field_count, 0);
    }
}
END_TEST

/* Every byte of a record belongs to one field, or to one reserved word. */
START_TEST(fields_lie_side_by_side)
{
    for (size_t i = 0; i < TYPES; i++) {
        unsigned char used[256] = { 0 };
        ck_assert_uint_le(types[i]->size, sizeof used);
        uint32_t bytes = 0;
        for (uint32_t k = 0; k < types[i]->field_count; k++) {
            const OpprofField *field = &types[i]->fields[k];
            const uint32_t size = size_of_kind(field->kind);
            ck_assert_uint_gt(size, 0);
            ck_assert_uint_le(field->offset + size, types[i]->size);
            ck_assert_uint_eq(
                field->offset % (size > 4 && field->kind == OPPROF_FIELD_TEXT ? 4 : size), 0);
            for (uint32_t at = field->offset; at < field->offset + size; at++) {
                ck_assert_uint_eq(used[at], 0);
                used[at] = 1;
                bytes++;
            }
        }
        ck_assert_uint_ge(bytes, types[i]->size - 4);
    }
}
END_TEST

START_TEST(fields_explain_themselves)
{
    for (size_t i = 0; i < TYPES; i++) {
        for (uint32_t k = 0; k < types[i]->field_count; k++) {
            const OpprofField *field = &types[i]->fields[k];
            const size_t length = strlen(field->meaning);
            ck_assert_int_eq(field->meaning[length - 1], '.'); /* a sentence */
            ck_assert(field->kind != OPPROF_FIELD_TICK || strcmp(field->unit, "tick") == 0);
            for (const char *at = field->name; *at != '\0'; at++) {
                ck_assert((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '_');
            }
        }
    }
}
END_TEST

static Suite *types_suite(void)
{
    Suite *suite = suite_create("types");
    TCase *tests = tcase_create("types");

    tcase_add_test(tests, types_are_complete);
    tcase_add_test(tests, fields_lie_side_by_side);
    tcase_add_test(tests, fields_explain_themselves);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(types_suite)
