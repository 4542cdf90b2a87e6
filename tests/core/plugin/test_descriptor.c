/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/plugin/descriptor.c. */
#include "plugin/descriptor.h"
#include "plugin/registry.h"

#include "tests/core/suites.h"

#include <check.h>
#include <opprof/present.h>
#include <stdlib.h>
#include <string.h>

static OpprofStatus process(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    (void) self;
    (void) port;
    (void) batch;
    (void) error;
    return OPPROF_OK;
}

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps), .process = process };
static const OpprofPluginOps no_process = { .struct_size = sizeof(OpprofPluginOps) };
static const OpprofPluginOps small_ops = { .struct_size = 8, .process = process };

static const OpprofField fields[] = {
    { .name = "start", .kind = OPPROF_FIELD_TICK, .offset = 0 },
    { .name = "core", .kind = OPPROF_FIELD_STRING, .offset = 8 },
    { .name = "detail", .kind = OPPROF_FIELD_TEXT, .offset = 12 },
};
static const OpprofRecordType record = { .struct_size = sizeof(OpprofRecordType),
                                         .name = "t.event",
                                         .size = 24,
                                         .fields = fields,
                                         .field_count = OPPROF_COUNT(fields) };

static const OpprofPort inputs[] = { { .name = "in", .type = "t.event", .record_type = &record } };
static const OpprofPort outputs[] = { { .name = "out", .record_type = &record },
                                      { .name = "late", .type = "t.late" },
                                      { .name = "later" } };
static const OpprofParam params[] = {
    { .name = "top", .type = OPPROF_PARAM_INT, .default_value = "20", .min = 1, .max = 100 }
};

#define PLUGIN(...)                                                                                \
    {                                                                                              \
        .struct_size = sizeof(OpprofPlugin), .abi_major = OPPROF_ABI_MAJOR,                        \
        .abi_minor = OPPROF_ABI_MINOR, .name = "good", .version = "1.0", .license = "Apache-2.0",  \
        .summary = "Does nothing.", .kind = OPPROF_ANALYSIS, .inputs = inputs,                     \
        .input_count = OPPROF_COUNT(inputs), .outputs = outputs,                                   \
        .output_count = OPPROF_COUNT(outputs), .params = params,                                   \
        .param_count = OPPROF_COUNT(params), .ops = &ops, __VA_ARGS__                              \
    }

static const OpprofPort bad_name[] = { { .name = "In", .type = "t.event" } };
static const OpprofPort no_name[] = { { .type = "t.event" } };
static const OpprofPort twice[] = { { .name = "in", .type = "t.event" },
                                    { .name = "in", .type = "t.event" } };
static const OpprofPort no_type[] = { { .name = "in", .record_type = &record } };
static const OpprofPort other_type[] = { { .name = "in", .type = "t.e", .record_type = &record } };
static const OpprofPort bad_flags[] = { { .name = "in", .type = "t.event", .flags = 8 } };
static const OpprofPort bad_order[] = { { .name = "in", .type = "t.event", .order = 3 } };
static const OpprofPort many_out[] = {
    { .name = "out", .record_type = &record, .flags = OPPROF_PORT_MANY }
};
static const OpprofPort partial_in[] = {
    { .name = "in", .type = "t.event", .record_type = &record, .flags = OPPROF_PORT_PARTIAL }
};
static const OpprofPort partial_out[] = {
    { .name = "in", .record_type = &record, .flags = OPPROF_PORT_PARTIAL }
};
static const OpprofPort other_partial_out[] = {
    { .name = "out", .record_type = &record, .flags = OPPROF_PORT_PARTIAL }
};
static const OpprofPort any_out[] = { { .name = "out", .type = OPPROF_ANY_TABLE } };
static const OpprofParam bad_default[] = {
    { .name = "top", .type = OPPROF_PARAM_INT, .default_value = "200", .min = 1, .max = 100 }
};

typedef struct Bad {
    OpprofPlugin plugin;
    const char *line;
} Bad;

#define WITH_INPUTS(ports) .inputs = ports, .input_count = OPPROF_COUNT(ports)
#define WITH_OUTPUTS(ports) .outputs = ports, .output_count = OPPROF_COUNT(ports)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const OpprofPlugin good = PLUGIN(.flags = OPPROF_PLUGIN_PARTITIONED);
static const OpprofPlugin good_collector =
    PLUGIN(.kind = OPPROF_COLLECTOR, .input_count = 0, .flags = OPPROF_PLUGIN_PARALLEL);

static const OpprofPlugin good_partial = PLUGIN(WITH_INPUTS(partial_in), WITH_OUTPUTS(partial_out));

static const Bad bads[] = {
    { PLUGIN(.name = "Bad"), "its name is not in kebab-case: 'Bad'." },
    { PLUGIN(.version = NULL), "it has no version." },
    { PLUGIN(.license = ""), "it has no license (an SPDX expression)." },
    { PLUGIN(.summary = NULL), "it has no summary." },
    { PLUGIN(.kind = 0), "unknown kind 0." },
    { PLUGIN(.kind = 5), "unknown kind 5." },
    { PLUGIN(.kind = OPPROF_COLLECTOR), "a collector has no inputs." },
    { PLUGIN(.kind = OPPROF_COLLECTOR, .input_count = 0, .output_count = 0),
      "a collector has outputs." },
    { PLUGIN(.input_count = 0), "every plugin but a collector has inputs." },
    { PLUGIN(.flags = 12), "it has flags that do not exist: 0xc." },
    { PLUGIN(.flags = OPPROF_PLUGIN_PARALLEL), "only a collector is parallel." },
    { PLUGIN(.kind = OPPROF_COLLECTOR, .input_count = 0, .flags = OPPROF_PLUGIN_PARTITIONED),
      "a collector is not partitioned: no batches arrive." },
    { PLUGIN(.ops = NULL), "it has no operations." },
    { PLUGIN(.ops = &small_ops), NULL },
    { PLUGIN(.ops = &no_process), "it has no operation 'process'." },
    { PLUGIN(.input_count = 33), "its input count is invalid: 33." },
    { PLUGIN(.outputs = NULL), "its output count is invalid: 3." },
    { PLUGIN(.param_count = 257), "its parameter count is invalid: 257." },
    { PLUGIN(.params = NULL), "its parameter count is invalid: 1." },
    { PLUGIN(WITH_INPUTS(bad_name)), "the name of input 0 is not in kebab-case: 'In'." },
    { PLUGIN(WITH_INPUTS(no_name)), "the name of input 0 is not in kebab-case: ''." },
    { PLUGIN(WITH_INPUTS(twice)), "there are two inputs 'in'." },
    { PLUGIN(WITH_INPUTS(no_type)), "input 'in': it has no type." },
    { PLUGIN(WITH_INPUTS(other_type)),
      "input 'in': it has type 't.e', but its record type is 't.event'." },
    { PLUGIN(WITH_INPUTS(bad_flags)), "input 'in': it has flags that no input has: 0x8." },
    { PLUGIN(WITH_INPUTS(bad_order)), "input 'in': unknown order 3." },
    { PLUGIN(WITH_OUTPUTS(many_out)), "output 'out': it has flags that no output has: 0x1." },
    { PLUGIN(WITH_INPUTS(partial_in)),
      "its partial input 'in' has no output of its name and record type." },
    { PLUGIN(WITH_OUTPUTS(other_partial_out)),
      "its partial output 'out' has no input of its name and record type." },
    { PLUGIN(WITH_OUTPUTS(any_out)), "output 'out': an output cannot be of 'any table'." },
    { PLUGIN(.params = bad_default),
      "default of parameter 'top': out of range: expected 1 to 100, got '200'." },
};
static const OpprofPlugin older = PLUGIN(.abi_minor = 77, .name = NULL);
static const OpprofPlugin resized = PLUGIN(.struct_size = 40, .name = NULL);
static const OpprofPlugin nameless = PLUGIN(.name = NULL);
#pragma GCC diagnostic pop

START_TEST(good_descriptors_are_good)
{
    OpprofError *error = NULL;

    ck_assert_int_eq(DescriptorCheck(&good, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(DescriptorCheck(&good_collector, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(DescriptorCheck(&good_partial, NULL, &error), OPPROF_OK);
    ck_assert_ptr_null(error);
}
END_TEST

START_TEST(a_mistake_is_told)
{
    const Bad *bad = &bads[_i];
    OpprofError *error = NULL;
    char *wanted =
        bad->line != NULL
            ? ProblemText("The descriptor of '%s' has 1 mistake:\n  %s", bad->plugin.name,
                          bad->line)
            : ProblemText("The descriptor of 'good' has 1 mistake:\n  its operations have "
                          "struct_size 8, not sizeof(OpprofPluginOps) = %zu.",
                          sizeof(OpprofPluginOps));

    ck_assert_int_eq(DescriptorCheck(&bad->plugin, NULL, &error), OPPROF_E_LOAD);
    ck_assert_str_eq(OpprofErrorMessage(error), wanted);
    OpprofErrorDestroy(error);
    free(wanted);
}
END_TEST

START_TEST(another_abi_is_refused_before_anything_is_read)
{
    OpprofError *error = NULL;

    ck_assert_int_eq(DescriptorCheck(&older, NULL, &error), OPPROF_E_ABI);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "is built for plugin ABI 0.77, this"));
    OpprofErrorDestroy(error);
    error = NULL;
    ck_assert_int_eq(DescriptorCheck(&resized, NULL, &error), OPPROF_E_ABI);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "descriptor has 40 bytes"));
    OpprofErrorDestroy(error);
    ck_assert_int_eq(DescriptorCheck(&nameless, NULL, NULL), OPPROF_E_LOAD);
}
END_TEST

typedef struct BadRecord {
    OpprofRecordType type;
    OpprofField fields[2];
    const char *line;
} BadRecord;

#define TYPE(...)                                                                                  \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .name = "t", .size = 16, __VA_ARGS__              \
    }

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const BadRecord bad_records[] = {
    { TYPE(.name = NULL), { { 0 } }, "@: its record type has no name." },
    { TYPE(.size = 0), { { 0 } }, "@: record type 't' has a size that is not a multiple of 8: 0." },
    { TYPE(.size = 20),
      { { 0 } },
      "@: record type 't' has a size that is not a multiple of 8: 20." },
    { TYPE(.field_count = 5000),
      { { 0 } },
      "@: record type 't' has an invalid field count: 5000." },
    { TYPE(.field_count = 1), { { 0 } }, "@: field 0 of record type 't' has no name." },
    { TYPE(.field_count = 1),
      { { .name = "f", .kind = 0 } },
      "@: field 'f' of record type 't' has a kind that does not exist: 0." },
    { TYPE(.field_count = 1),
      { { .name = "f", .kind = 99 } },
      "@: field 'f' of record type 't' has a kind that does not exist: 99." },
    { TYPE(.field_count = 1),
      { { .name = "f", .kind = OPPROF_FIELD_U64, .offset = 4 } },
      "@: field 'f' of record type 't' does not fit: 8 bytes at offset 4 of 16." },
    { TYPE(.field_count = 1),
      { { .name = "f", .kind = OPPROF_FIELD_U32, .offset = 16 } },
      "@: field 'f' of record type 't' does not fit: 4 bytes at offset 16 of 16." },
    { TYPE(.field_count = 1),
      { { .name = "f", .kind = OPPROF_FIELD_TEXT, .offset = 12 } },
      "@: field 'f' of record type 't' does not fit: 8 bytes at offset 12 of 16." },
    { TYPE(.field_count = 1),
      { { .name = "f", .kind = OPPROF_FIELD_U32, .offset = UINT32_MAX - 3 } },
      "@: field 'f' of record type 't' does not fit: 4 bytes at offset 4294967292 of 16." },
    { TYPE(.field_count = 2),
      { { .name = "f", .kind = OPPROF_FIELD_U32 }, { .name = "f", .kind = OPPROF_FIELD_U32 } },
      "@: record type 't' has two fields 'f'." },
};
#pragma GCC diagnostic pop

START_TEST(a_broken_record_type_is_told)
{
    const BadRecord *bad = &bad_records[_i];
    OpprofRecordType type = bad->type;
    Problems problems = { 0 };

    type.fields = bad->fields;
    DescriptorCheckRecord(&type, "@", &problems);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0], bad->line);
    ProblemsFinish(&problems);
}
END_TEST

START_TEST(built_in_record_types_are_good)
{
    Problems problems = { 0 };
    OpprofRecordType type = opprof_span_type;

    DescriptorCheckRecord(&type, "@", &problems);
    DescriptorCheckRecord(&record, "@", &problems);
    ck_assert(ProblemsNone(&problems));
    type.struct_size = 8;
    DescriptorCheckRecord(&type, "@", &problems);
    ck_assert_uint_eq(problems.count, 1);
    ProblemsFinish(&problems);
}
END_TEST

START_TEST(names_are_kebab_case)
{
    static const char *const yes[] = { "a", "a1", "sim-timeline", "a-1", "l2-cache" };
    static const char *const no[] = { "", "1a", "-a", "a-", "a--b", "A", "a_b", "a.b", "a/b", "ä" };

    for (size_t i = 0; i < OPPROF_COUNT(yes); i++) {
        ck_assert_msg(DescriptorIsName(yes[i]), "%s", yes[i]);
    }
    for (size_t i = 0; i < OPPROF_COUNT(no); i++) {
        ck_assert_msg(!DescriptorIsName(no[i]), "%s", no[i]);
    }
}
END_TEST

static Suite *descriptor_suite(void)
{
    Suite *suite = suite_create("descriptor");
    TCase *tcase = tcase_create("checks");

    tcase_add_test(tcase, good_descriptors_are_good);
    tcase_add_loop_test(tcase, a_mistake_is_told, 0, (int) OPPROF_COUNT(bads));
    tcase_add_test(tcase, another_abi_is_refused_before_anything_is_read);
    tcase_add_loop_test(tcase, a_broken_record_type_is_told, 0, (int) OPPROF_COUNT(bad_records));
    tcase_add_test(tcase, built_in_record_types_are_good);
    tcase_add_test(tcase, names_are_kebab_case);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(descriptor_suite)
