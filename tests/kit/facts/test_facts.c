/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of a chip against tables: each type, good and bad, and what it fills. */
#include <stdbool.h>

#include "tests/core/base/failing_alloc.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/kit/facts.h>
#include <opprof/kit/record_bits.h>

#include <check.h>

static int number; /* of the chip that was made last */

/* A chip with a section "own" of this content. */
static OpprofChip *chip_with(const char *content)
{
    char file[2000];
    char name[32];
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;

    number++;
    snprintf(
        file, sizeof file,
        "{\"opprof_chip\": \"1.0\", \"series\": \"S%d\", \"socs\": {\"Soc%d\": {}}, \"things\": "
        "{\"alpha\": 1, \"beta\": [\"gamma\", {\"name\": \"delta\"}], \"7\": 0}, \"own\": %s}",
        number, number, content);
    snprintf(name, sizeof name, "s%d.json", number);
    mkdir(in_scratch(name), 0700); /* files are read once for each value of the path */
    setenv("OPPROF_CHIP_PATH", in_scratch(name), 1);
    snprintf(name, sizeof name, "s%d.json/a.json", number);
    write_scratch(name, file, strlen(file));
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    snprintf(name, sizeof name, "Soc%d", number);
    ck_assert_msg(OpprofChipLoad(name, &chip, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
    return chip;
}

/* Binds the section; the first mistake, without its file, or "" and what it fills, which is to be
 * freed. */
static const char *bind(const char *content, const OpprofFactTable *table, void *ret_bound)
{
    static char mistake[512];
    OpprofChip *chip = chip_with(content);
    OpprofError *error = NULL;
    const OpprofStatus status = OpprofFactsBind(chip, "own", table, ret_bound, &error);

    mistake[0] = '\0';
    if (status != OPPROF_OK) {
        ck_assert_int_eq(status, OPPROF_E_DATA);
        const char *line = OpprofErrorMessage(OpprofErrorCause(error));
        const char *at = strstr(line, " at ");
        ck_assert_ptr_nonnull(at);
        snprintf(mistake, sizeof mistake, "%s", at + 4);
    }
    OpprofErrorDestroy(error);
    OpprofChipFree(chip); /* chips stay while the process lives, so what is borrowed stays good */
    return mistake;
}

/* The first mistake; what is filled is freed. */
static const char *check(const char *content, const OpprofFactTable *table)
{
    char bound[4096] = { 0 };

    ck_assert_uint_le(table->size, sizeof bound);
    const char *mistake = bind(content, table, bound);
    OpprofFactsFree(table, bound);
    return mistake;
}

typedef struct Plain {
    uint32_t a;
    const char *b;
    bool c;
    double d;
    uint8_t e;
    uint64_t f;
} Plain;

static const OpprofFactField plain_fields[] = {
    { "a", OPPROF_FACT_IS_WHOLE, .least = 1, .most = 4, .unit = "bytes", .otherwise = 3,
      OPPROF_FACT_IN(Plain, a) },
    { "b", OPPROF_FACT_IS_TEXT, OPPROF_FACT_IN(Plain, b) },
    { "c", OPPROF_FACT_IS_BOOL, .otherwise = 1, OPPROF_FACT_IN(Plain, c) },
    { "d", OPPROF_FACT_IS_REAL, .unit = "us", .otherwise = 2.5, OPPROF_FACT_IN(Plain, d) },
    { "e", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_IN(Plain, e) },
    { "f", OPPROF_FACT_IS_WHOLE, .otherwise = -1, OPPROF_FACT_IN(Plain, f) },
    { .name = NULL },
};
static const OpprofFactTable plain = { .fields = plain_fields, .size = sizeof(Plain) };

START_TEST(plain_values_and_their_ranges)
{
    Plain bound;

    make_scratch();
    ck_assert_str_eq(bind("{\"a\": 4, \"b\": \"x\", \"c\": false, \"d\": 1.5, \"e\": 255, \"f\": "
                          "4294967296, \"_note\": []}",
                          &plain, &bound),
                     "");
    ck_assert_uint_eq(bound.a, 4);
    ck_assert_str_eq(bound.b, "x");
    ck_assert(!bound.c && bound.d == 1.5);
    ck_assert_uint_eq(bound.e, 255);
    ck_assert_uint_eq(bound.f, UINT64_C(1) << 32);
    ck_assert_str_eq(bind("{}", &plain, &bound), "");
    ck_assert_uint_eq(bound.a, 3);
    ck_assert_ptr_null(bound.b);
    ck_assert(bound.c && bound.d == 2.5);
    ck_assert_uint_eq(bound.f, UINT64_MAX);
    ck_assert_str_eq(check("{\"a\": 5}", &plain), "/own/a: 5 is out of range (1..4 bytes)");
    ck_assert_str_eq(check("{\"a\": 0}", &plain), "/own/a: 0 is out of range (1..4 bytes)");
    ck_assert_str_eq(check("{\"a\": 1.5}", &plain), "/own/a: 1.5 is not an integer");
    ck_assert_str_eq(check("{\"d\": -1}", &plain), "/own/d: -1 is out of range (0.. us)");
    ck_assert_str_eq(check("{\"e\": 256}", &plain), "/own/e: 256 is out of range (0..255)");
    ck_assert_str_eq(check("{\"a\": \"1\"}", &plain), "/own/a: expected an integer, found a text");
    ck_assert_str_eq(check("{\"b\": \"\"}", &plain), "/own/b: the text is empty");
    ck_assert_str_eq(check("{\"a\": null}", &plain), "/own/a: expected an integer, found null");
    remove_scratch();
}
END_TEST

START_TEST(a_missing_object_is_as_an_empty_one)
{
    OpprofChip *chip = NULL;
    Plain bound;

    make_scratch();
    chip = chip_with("{}");
    ck_assert_int_eq(OpprofFactsBind(chip, "other.things", &plain, &bound, NULL), OPPROF_OK);
    ck_assert_uint_eq(bound.a, 3);
    OpprofChipFree(chip);
    remove_scratch();
}
END_TEST

/* ---- members and elements ---- */

typedef struct Part {
    const char *name;
    uint16_t size;
} Part;

typedef struct Numbered {
    uint32_t number;
    const char *name;
} Numbered;

typedef struct Whole {
    Part *parts;
    uint32_t part_count;
    Numbered *numbered;
    uint32_t numbered_count;
    uint8_t few[3];
    uint32_t few_count;
    uint32_t range[2];
    Part inner;
    uint64_t set;
    uint64_t known;
    const char *either;
    uint32_t other;
} Whole;

static const OpprofFactField part_fields[] = {
    { "name", OPPROF_FACT_IS_TEXT, OPPROF_FACT_REQUIRED, OPPROF_FACT_IN(Part, name) },
    { "size", OPPROF_FACT_IS_WHOLE, .otherwise = 9, OPPROF_FACT_IN(Part, size) },
    { .name = NULL },
};
static const OpprofFactField part = { .type = OPPROF_FACT_IS_OBJECT, .of = part_fields };
static const OpprofFactField range_fields[] = {
    { .type = OPPROF_FACT_IS_WHOLE, OPPROF_FACT_IN(Whole, range[0]) },
    { .type = OPPROF_FACT_IS_WHOLE, OPPROF_FACT_IN(Whole, range[1]) },
    { .name = NULL },
};

static bool check_whole(const void *object, OpprofFactReport *report)
{
    const Whole *whole = object;

    if (whole->range[0] > whole->range[1]) {
        OpprofFactMistake(report, "range", "%u is above %u", whole->range[0], whole->range[1]);
    }
    return true;
}

static const OpprofFactField whole_fields[] = {
    { "parts", OPPROF_FACT_IS_LIST, .least = 1, .most = 3, .unique = "name", .of = &part,
      OPPROF_FACT_ARRAY(Whole, parts, part_count) },
    { "numbered", OPPROF_FACT_IS_MAP, OPPROF_FACT_NUMBERED, .most = 100,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TEXT, OPPROF_FACT_IN(Numbered, name)),
      OPPROF_FACT_ARRAY(Whole, numbered, numbered_count), OPPROF_FACT_KEY(Numbered, number) },
    { "few", OPPROF_FACT_IS_LIST, OPPROF_FACT_IN_PLACE, .most = 3,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE, .size = 1),
      OPPROF_FACT_ARRAY(Whole, few, few_count) },
    { "range", OPPROF_FACT_IS_TUPLE, .of = range_fields },
    { "inner", OPPROF_FACT_IS_OBJECT, .of = part_fields, OPPROF_FACT_IN(Whole, inner) },
    { "set", OPPROF_FACT_IS_SET, OPPROF_FACT_IN(Whole, set) },
    { "known", OPPROF_FACT_IS_SET, OPPROF_FACT_IN(Whole, known) },
    { "either", OPPROF_FACT_IS_TEXT, OPPROF_FACT_IN(Whole, either),
      .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE, OPPROF_FACT_IN(Whole, other),
                               .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_NULL)) },
    { "one", .type = OPPROF_FACT_IS_ANY, .flags = OPPROF_FACT_ONE_OF },
    { "two", .type = OPPROF_FACT_IS_ANY, .flags = OPPROF_FACT_ONE_OF },
    { .name = NULL },
};
static const OpprofFactTable whole = { .fields = whole_fields,
                                       .size = sizeof(Whole),
                                       .check = check_whole };

START_TEST(members_and_elements_fill_structures)
{
    Whole bound;

    make_scratch();
    ck_assert_str_eq(
        bind("{\"one\": 1, \"parts\": [{\"name\": \"x\", \"size\": 2}, {\"name\": \"y\"}, "
             "{\"name\": \"z\"}], \"numbered\": {\"0\": \"no\", \"_\": 3, \"12\": \"dozen\"}, "
             "\"few\": [7, 8], \"range\": [1, 2], \"inner\": {\"name\": \"in\"}, "
             "\"set\": [0, 63], \"known\": {\"3\": \"three\"}, \"either\": 4}",
             &whole, &bound),
        "");
    ck_assert_uint_eq(bound.part_count, 3);
    ck_assert_str_eq(bound.parts[0].name, "x");
    ck_assert_uint_eq(bound.parts[0].size, 2);
    ck_assert_str_eq(bound.parts[2].name, "z");
    ck_assert_uint_eq(bound.parts[2].size, 9);
    ck_assert_uint_eq(bound.numbered_count, 2);
    ck_assert_uint_eq(bound.numbered[1].number, 12);
    ck_assert_str_eq(bound.numbered[1].name, "dozen");
    ck_assert_uint_eq(bound.few_count, 2);
    ck_assert_uint_eq(bound.few[1], 8);
    ck_assert_uint_eq(bound.range[1], 2);
    ck_assert_str_eq(bound.inner.name, "in");
    ck_assert_uint_eq(bound.inner.size, 9);
    ck_assert_uint_eq(bound.set, UINT64_C(0x8000000000000001));
    ck_assert_uint_eq(bound.known, 8);
    ck_assert_ptr_null(bound.either);
    ck_assert_uint_eq(bound.other, 4);
    OpprofFactsFree(&whole, &bound);
    ck_assert_ptr_null(bound.parts);
    ck_assert_str_eq(check("{\"one\": null, \"either\": null}", &whole), "");
    remove_scratch();
}
END_TEST

START_TEST(mistakes_in_members_and_elements)
{
    static const char *const mistakes[][2] = {
        { "{\"one\": 1, \"prats\": 1}",
          "/own/prats: there is no member 'prats'. Did you mean 'parts'?" },
        { "{\"one\": 1, \"inner\": {}}", "/own/inner: the member 'name' is missing" },
        { "{\"one\": 1, \"parts\": []}", "/own/parts: the array is empty" },
        { "{\"one\": 1, \"parts\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"A\"}]}",
          "/own/parts/2: the name 'A' is that of element 0" },
        { "{\"one\": 1, \"parts\": [{\"name\": 1}]}",
          "/own/parts/0/name: expected a text, found a number" },
        { "{\"one\": 1, \"few\": [1, 2, 3, 4]}", "/own/few: expected 0 to 3 elements, found 4" },
        { "{\"one\": 1, \"few\": [1, 300]}", "/own/few/1: 300 is out of range (0..255)" },
        { "{\"one\": 1, \"range\": [1]}", "/own/range: expected 2 elements, found 1" },
        { "{\"one\": 1, \"range\": [1, 2, 3]}", "/own/range: expected 2 elements, found 3" },
        { "{\"one\": 1, \"range\": [2, 1]}", "/own/range: 2 is above 1" },
        { "{\"one\": 1, \"set\": [1, 64]}", "/own/set/1: 64 is out of range (0..63)" },
        { "{\"one\": 1, \"known\": {\"64\": \"x\"}}",
          "/own/known/64: '64' is not a whole number from 0 to 63 without zeros before it" },
        { "{\"one\": 1, \"numbered\": {\"012\": \"x\"}}",
          "/own/numbered/012: '012' is not a whole number from 0 to 100 without zeros before it" },
        { "{\"one\": 1, \"either\": []}",
          "/own/either: expected a text or an integer or null, found an array" },
        { "{}", "/own: the member 'one' or 'two' is missing" },
        { "{\"two\": 1, \"one\": 2}", "/own: only one of the members 'one' or 'two' is allowed" },
    };

    make_scratch();
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        ck_assert_str_eq(check(mistakes[i][0], &whole), mistakes[i][1]);
    }
    remove_scratch();
}
END_TEST

START_TEST(all_mistakes_are_reported_once)
{
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;
    Plain bound;

    make_scratch();
    chip = chip_with("{\"a\": 9, \"x\": 1, \"d\": \"\"}");
    ck_assert_int_eq(OpprofFactsBind(chip, "own", &plain, &bound, &error), OPPROF_E_DATA);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "have 3 mistakes"));
    OpprofErrorDestroy(error);
    OpprofChipFree(chip);
    remove_scratch();
}
END_TEST

/* ---- names and forms ---- */

typedef struct Named {
    const char *name;
    uint8_t choice;
    uint32_t id;
    uint8_t mode;
    const char *pair;
    OpprofForm *form;
    Part *parts;
    uint32_t part_count;
} Named;

static const OpprofFormField form_fields[] = {
    { .name = "tick", .use = OPPROF_FORM_REQUIRED },
    { .name = "any", .kind = OPPROF_FORM_REST, .use = OPPROF_FORM_REPEATED },
};
static const OpprofFormLanguage language = { .fields = form_fields, .field_count = 2 };
static const OpprofFactField named_fields[] = {
    { "name", OPPROF_FACT_IS_NAME, .from = "things.*.*.name,things,'0'",
      OPPROF_FACT_IN(Named, name) },
    { "choice", OPPROF_FACT_IS_CHOICE, .from = "things.beta", .otherwise = -1,
      OPPROF_FACT_IN(Named, choice) },
    { "mode", OPPROF_FACT_IS_CHOICE, .from = "'up','down'", OPPROF_FACT_IN(Named, mode) },
    { "id", OPPROF_FACT_IS_ID, .from = "things,'0'", OPPROF_FACT_IN(Named, id) },
    { "pair", OPPROF_FACT_IS_PAIR, .from = "things,'0'", OPPROF_FACT_IN(Named, pair) },
    { "form", OPPROF_FACT_IS_FORM, .form = &language, OPPROF_FACT_IN(Named, form) },
    { "local", OPPROF_FACT_IS_NAME, .from = ".parts" },
    { "parts", OPPROF_FACT_IS_LIST, .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TEXT) },
    { "*", OPPROF_FACT_IS_MAP, .from = "things", .of = &part,
      OPPROF_FACT_ARRAY(Named, parts, part_count) },
    { .name = NULL },
};
static const OpprofFactTable named = { .fields = named_fields, .size = sizeof(Named) };

START_TEST(names_choices_and_forms)
{
    Named bound;
    OpprofFormValue values[2];

    make_scratch();
    ck_assert_str_eq(
        bind("{\"name\": \"delta\", \"choice\": \"gamma\", \"mode\": \"down\", \"id\": "
             "7, \"pair\": \"beta>0\", \"form\": \"<any>@<tick>\", "
             "\"alpha\": {\"name\": \"one\"}, \"beta\": {\"name\": \"two\"}, "
             "\"parts\": [\"p\"], \"local\": \"p\"}",
             &named, &bound),
        "");
    ck_assert_str_eq(bound.name, "delta");
    ck_assert_uint_eq(bound.choice, 0);
    ck_assert_uint_eq(bound.mode, 1);
    ck_assert_uint_eq(bound.id, 7);
    ck_assert_str_eq(bound.pair, "beta>0");
    ck_assert(OpprofFormMatch(bound.form, "x@12", 4, values));
    ck_assert_uint_eq(values[0].number, 12);
    ck_assert_uint_eq(bound.part_count, 2);
    ck_assert_str_eq(bound.parts[1].name, "two");
    OpprofFactsFree(&named, &bound);
    ck_assert_str_eq(bind("{}", &named, &bound), "");
    ck_assert_uint_eq(bound.choice, UINT8_MAX);
    remove_scratch();
}
END_TEST

START_TEST(mistakes_in_names_and_forms)
{
    static const char *const mistakes[][2] = {
        { "{\"name\": \"alhpa\"}", "/own/name: there is no 'alhpa'. Did you mean 'alpha'?" },
        { "{\"choice\": \"gama\"}", "/own/choice: there is no 'gama'. Did you mean 'gamma'?" },
        { "{\"mode\": \"dwon\"}", "/own/mode: there is no 'dwon'. Did you mean 'down'?" },
        { "{\"mode\": 1}", "/own/mode: expected a text, found a number" },
        { "{\"id\": 8}", "/own/id: there is no '8'. Did you mean '7'?" },
        { "{\"id\": \"7\"}", "/own/id: expected a number, found a text" },
        { "{\"pair\": \"0>btea\"}", "/own/pair: there is no 'btea'. Did you mean 'beta'?" },
        { "{\"pair\": \"alhpa>0\"}", "/own/pair: there is no 'alhpa'. Did you mean 'alpha'?" },
        { "{\"pair\": \"beta\"}",
          "/own/pair: expected two names with '>' between them, found 'beta'" },
        { "{\"form\": \"<tikc>\"}",
          "/own/form: '<tikc>' has an unknown field '<tikc>'. Did you mean '<tick>'?" },
        { "{\"form\": \"x\"}", "/own/form: 'x' lacks '<tick>'" },
        { "{\"local\": \"q\", \"parts\": [\"p\"]}",
          "/own/local: there is no 'q'. Did you mean 'p'?" },
        { "{\"btea\": {\"name\": \"x\"}}", "/own/btea: there is no 'btea'. Did you mean 'beta'?" },
        { "{\"beta\": {\"nam\": \"x\"}}", "/own/beta: the member 'name' is missing" },
    };

    make_scratch();
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        ck_assert_str_eq(check(mistakes[i][0], &named), mistakes[i][1]);
    }
    remove_scratch();
}
END_TEST

/* ---- records ---- */

typedef struct Record {
    uint32_t size;
    OpprofRecordBits block;
    OpprofRecordBits cycles;
} Record;

static const OpprofFactField record_fields[] = {
    { "block", OPPROF_FACT_IS_BITS, OPPROF_FACT_IN(Record, block) },
    { "cycles", OPPROF_FACT_IS_BITS, OPPROF_FACT_IN(Record, cycles) },
    { .name = NULL },
};
static const OpprofFactField record_members[] = {
    { "size", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .least = 8, .most = 64, .unit = "bytes",
      OPPROF_FACT_IN(Record, size) },
    { "byte_order", OPPROF_FACT_IS_CHOICE, .from = "'little','big'" },
    { "fields", OPPROF_FACT_IS_OBJECT, .of = record_fields },
    { .name = NULL },
};
static const OpprofFactTable record = { .fields = record_members, .size = sizeof(Record) };

START_TEST(fields_of_raw_records)
{
    static const unsigned char bytes[16] = { 0x12, 0x34, [8] = 5 };
    Record bound;

    make_scratch();
    ck_assert_str_eq(bind("{\"size\": 16, \"fields\": {\"block\": {\"at\": 0, \"bits\": 8, "
                          "\"shift\": 8}, \"cycles\": {\"at\": 8, \"bits\": 64}}}",
                          &record, &bound),
                     "");
    ck_assert_uint_eq(bound.size, 16);
    ck_assert_uint_eq(OpprofRecordBitsGet(&bound.block, bytes), 0x34);
    ck_assert_uint_eq(OpprofRecordBitsGet(&bound.cycles, bytes), 5);
    ck_assert_str_eq(
        bind("{\"size\": 16, \"byte_order\": \"big\", \"fields\": {\"block\": {\"at\": 0, "
             "\"bits\": 16}}}",
             &record, &bound),
        "");
    ck_assert_uint_eq(OpprofRecordBitsGet(&bound.block, bytes), 0x1234);
    ck_assert_uint_eq(bound.cycles.mask, 0);
    ck_assert_str_eq(
        check("{\"size\": 16, \"fields\": {\"block\": {\"at\": 15, \"bits\": 16}}}", &record),
        "/own/fields/block: the field reaches beyond the record or beyond eight bytes");
    ck_assert_str_eq(check("{\"size\": 16, \"fields\": {\"block\": {\"at\": 15}}}", &record),
                     "/own/fields/block: the member 'bits' is missing");
    ck_assert_str_eq(check("{\"size\": 16, \"fields\": {\"block\": [0, 2]}}", &record),
                     "/own/fields/block: expected an object, found an array");
    ck_assert_str_eq(
        check("{\"size\": 16, \"fields\": {\"bloc\": {\"at\": 15, \"bits\": 8}}}", &record),
        "/own/fields/bloc: there is no member 'bloc'. Did you mean 'block'?");
    remove_scratch();
}
END_TEST

/* ---- formulas ---- */

static const OpprofFactField formula_fields[] = {
    { "rate", .type = OPPROF_FACT_IS_FORMULA },
    { "values", OPPROF_FACT_IS_MAP, .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_ANY) },
    { "let", OPPROF_FACT_IS_MAP,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_COUNT, .from = ".values,.let") },
    { "count", OPPROF_FACT_IS_COUNT, .from = ".values,.let,things" },
    { .name = NULL },
};
static const OpprofFactTable formulas = { .fields = formula_fields, .size = 1 };

typedef struct Counts {
    const OpprofFact *own;
    const OpprofFact *values;
    OpprofFactWhole text;
    OpprofFactWhole number;
    OpprofFactWhole missing;
} Counts;
static const OpprofFactField count_fields[] = {
    { "values", OPPROF_FACT_IS_ANY, OPPROF_FACT_IN(Counts, values) },
    { "text", OPPROF_FACT_IS_COUNT, .from = ".values", OPPROF_FACT_IN(Counts, text) },
    { "number", OPPROF_FACT_IS_COUNT, .from = ".values", OPPROF_FACT_IN(Counts, number) },
    { "missing", OPPROF_FACT_IS_COUNT, .from = ".values", OPPROF_FACT_IN(Counts, missing) },
    { .name = NULL },
};
static const OpprofFactField counts_root = { .type = OPPROF_FACT_IS_OBJECT,
                                             .of = count_fields,
                                             OPPROF_FACT_SELF(Counts, own) };
static const OpprofFactTable counts = { .root = &counts_root, .size = sizeof(Counts) };

START_TEST(formulas_of_whole_numbers_fill_their_text_or_number)
{
    Counts bound;

    make_scratch();
    OpprofChip *chip = chip_with("{\"values\": {\"x\": 1}, \"text\": \"x * 2\", \"number\": 12}");
    ck_assert_int_eq(OpprofFactsBind(chip, "own", &counts, &bound, NULL), OPPROF_OK);
    ck_assert_ptr_eq(bound.own, OpprofChipFact(chip, "own"));
    ck_assert_ptr_eq(bound.values, OpprofChipFact(chip, "own.values"));
    ck_assert(bound.text.is_there);
    ck_assert_str_eq(bound.text.text, "x * 2");
    ck_assert(bound.number.is_there);
    ck_assert_ptr_null(bound.number.text);
    ck_assert_uint_eq(bound.number.number, 12);
    ck_assert(!bound.missing.is_there);
    OpprofFactsFree(&counts, &bound);
    OpprofChipFree(chip);
    remove_scratch();
}
END_TEST

START_TEST(formulas_of_whole_numbers)
{
    static const char *const mistakes[][2] = {
        { "{\"values\": {\"x\": 1}, \"let\": {\"a\": \"x * 2\", \"b\": \"a + 1\"}, "
          "\"count\": \"b + alpha\"}",
          "" },
        { "{\"count\": 12}", "" },
        { "{\"count\": -1}", "/own/count: -1 is out of range (0..)" },
        { "{\"count\": 1.5}", "/own/count: 1.5 is not an integer" },
        { "{\"count\": \"alhpa\"}", "/own/count: there is no 'alhpa'. Did you mean 'alpha'?" },
        { "{\"let\": {\"a\": \"b\", \"b\": 1}}", "/own/let/a: 'b' is computed later" },
        { "{\"rate\": 1}", "/own/rate: expected a formula, found a number" },
    };

    make_scratch();
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        ck_assert_str_eq(check(mistakes[i][0], &formulas), mistakes[i][1]);
    }
    remove_scratch();
}
END_TEST

START_TEST(lack_of_memory_is_no_mistake_of_the_file)
{
    static const char content[] =
        "{\"one\": 1, \"parts\": [{\"name\": \"x\"}, {\"name\": \"y\"}, {\"name\": \"z\"}], "
        "\"numbered\": {\"1\": \"a\", \"2\": \"b\"}, \"few\": [1, 2]}";
    OpprofChip *chip = NULL;
    bool failed = true;

    make_scratch();
    chip = chip_with(content);
    for (long n = 1; failed; n++) {
        OpprofError *error = NULL;
        Whole bound;

        fail_allocation(n);
        const OpprofStatus status = OpprofFactsBind(chip, "own", &whole, &bound, &error);
        failed = has_failed_allocation();
        ck_assert_int_eq(status, failed ? OPPROF_E_MEMORY : OPPROF_OK);
        ck_assert(failed || n > 4);
        OpprofErrorDestroy(error);
        OpprofFactsFree(&whole, &bound);
    }
    OpprofChipFree(chip);
    remove_scratch();
}
END_TEST

static Suite *facts_suite(void)
{
    Suite *suite = suite_create("facts");
    TCase *tcase = tcase_create("facts");

    tcase_add_test(tcase, plain_values_and_their_ranges);
    tcase_add_test(tcase, a_missing_object_is_as_an_empty_one);
    tcase_add_test(tcase, members_and_elements_fill_structures);
    tcase_add_test(tcase, mistakes_in_members_and_elements);
    tcase_add_test(tcase, all_mistakes_are_reported_once);
    tcase_add_test(tcase, names_choices_and_forms);
    tcase_add_test(tcase, mistakes_in_names_and_forms);
    tcase_add_test(tcase, fields_of_raw_records);
    tcase_add_test(tcase, formulas_of_whole_numbers);
    tcase_add_test(tcase, formulas_of_whole_numbers_fill_their_text_or_number);
    tcase_add_test(tcase, lack_of_memory_is_no_mistake_of_the_file);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(facts_suite)
