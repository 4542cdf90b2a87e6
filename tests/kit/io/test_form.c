/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/io/form.c. */
#include <opprof/kit/form.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TICK, PC, ADDRESS, NAME, SUB, FLAG, MASK, REST, ANY, HERE };

static const OpprofFormField fields[] = {
    [TICK] = { .name = "tick", .kind = OPPROF_FORM_DECIMAL },
    [PC] = { .name = "pc", .kind = OPPROF_FORM_HEX },
    [ADDRESS] = { .name = "address", .kind = OPPROF_FORM_ADDRESS, .most = 16 },
    [NAME] = { .name = "name", .kind = OPPROF_FORM_WORD, .also = "_.-" },
    [SUB] = { .name = "sub", .kind = OPPROF_FORM_WORD, .is_name = true },
    [FLAG] = { .name = "flag", .kind = OPPROF_FORM_DIGITS, .most = 3 },
    [MASK] = { .name = "mask", .kind = OPPROF_FORM_HEX_DIGITS, .least = 8, .most = 8 },
    [REST] = { .name = "rest", .kind = OPPROF_FORM_REST },
    [ANY] = { .name = "any", .kind = OPPROF_FORM_REST, .use = OPPROF_FORM_REPEATED },
    [HERE] = { .name = "here", .kind = OPPROF_FORM_HERE },
};
#define FIELDS (sizeof fields / sizeof fields[0])

static const OpprofFormLanguage plain = { .fields = fields, .field_count = FIELDS };
static const OpprofFormLanguage lines = { .fields = fields,
                                          .field_count = FIELDS,
                                          .has_blanks = true };
static const OpprofFormLanguage names = { .fields = fields,
                                          .field_count = FIELDS,
                                          .has_wildcards = true };

static OpprofForm *read_form(const OpprofFormLanguage *language, const char *text)
{
    OpprofForm *form = NULL;
    OpprofError *error = NULL;

    ck_assert_msg(OpprofFormRead(language, text, &form, &error) == OPPROF_OK, "'%s': %s", text,
                  error == NULL ? "" : OpprofErrorMessage(error));
    ck_assert_str_eq(OpprofFormText(form), text);
    return form;
}

/* "[tick]=12 …" of the fields that the form has, "none" if the text has another form. */
static void describe(const OpprofForm *form, const OpprofFormValue *values, char *result)
{
    result[0] = '\0';
    for (unsigned i = 0; i < FIELDS; i++) {
        const size_t used = strlen(result);
        ck_assert_int_eq(OpprofFormHas(form, i), values[i].text != NULL);
        if (values[i].text != NULL && i != ANY) {
            snprintf(result + used, 256 - used, "%s%s=%.*s", used > 0 ? " " : "", fields[i].name,
                     (int) values[i].length, values[i].text);
        }
    }
}

static void expect(const OpprofFormLanguage *language, const char *text, const char *line,
                   const char *expected)
{
    OpprofForm *form = read_form(language, text);
    OpprofFormValue values[FIELDS];
    char found[256] = "none";

    if (OpprofFormMatch(form, line, strlen(line), values)) {
        describe(form, values, found);
    }
    ck_assert_msg(strcmp(found, expected) == 0, "'%s' by '%s': '%s', not '%s'", line, text, found,
                  expected);
    OpprofFormFree(form);
}

START_TEST(each_kind_of_field_takes_its_bytes)
{
    expect(&plain, "<tick>", "0042", "tick=0042");
    expect(&plain, "<tick>", "", "none");
    expect(&plain, "<tick>", "18446744073709551614", "tick=18446744073709551614");
    expect(&plain, "<tick>", "18446744073709551615", "none"); /* the absent value */
    expect(&plain, "<tick>", "18446744073709551616", "none");
    expect(&plain, "<tick>", "99999999999999999999999", "none");
    expect(&plain, "<pc>", "0X1fA", "pc=0X1fA");
    expect(&plain, "<pc>", "1fA", "pc=1fA");
    expect(&plain, "<pc>", "0x", "none");
    expect(&plain, "<pc>", "0x11112222333344445", "none");
    expect(&plain, "<address>", "0x1f", "address=0x1f");
    expect(&plain, "<address>", "0x1F", "none");
    expect(&plain, "<address>", "1f", "none");
    expect(&plain, "<name>!", "FMA.x_1-!", "name=FMA.x_1-");
    expect(&plain, "<sub>.", "tile1.", "sub=tile1");
    expect(&plain, "<sub>.", "1tile.", "none");
    expect(&plain, "type:<flag>,", "type:,", "flag=");
    expect(&plain, "type:<flag>,", "type:123,", "flag=123");
    expect(&plain, "type:<flag>,", "type:1234,", "none");
    expect(&plain, "0x<mask>.", "0x0aF00000.", "mask=0aF00000");
    expect(&plain, "0x<mask>.", "0x0aF0000.", "none");
    expect(&plain, "<rest>;<any>", "a;b;c", "rest=a");
    expect(&plain, "<tick> <here>a<any>b", "7 acb", "tick=7 here=");
}
END_TEST

START_TEST(blanks_stand_for_any_number_where_the_language_says_so)
{
    expect(&plain, "<tick> <name>", "7  A", "none");
    expect(&lines, "<tick> <name>", "7 \t A", "tick=7 name=A");
    expect(&lines, "<tick> <name> <rest>", "7 A", "tick=7 name=A rest=");
    expect(&lines, "<tick>  { <rest> } ", "7 { a}, b } ", "tick=7 rest=a}, b");
    expect(&lines, "<rest> at <pc>", "x y at 0x8", "pc=0x8 rest=x y");
}
END_TEST

START_TEST(wildcards_stand_for_any_bytes_where_the_language_says_so)
{
    expect(&plain, "a*<tick>", "ab7", "none");
    expect(&names, "a*<tick>.b?n", "a.b.n7.bin", "tick=7");
    expect(&names, "*.<tick>.*", "x.y.12.z", "tick=12");
    expect(&names, "*a*b*c", "xxaxxbxxbxxc", "");
    expect(&names, "*a*b*c", "xxaxxbxxbxx", "none");
    expect(&names, "*", "", "");
    expect(&names, "?", "", "none");
}
END_TEST

START_TEST(a_form_is_found_where_it_first_stands)
{
    static const char line[] = "t: issue pc: 0xZ, t 3: issue pc:0x11112222333344445 5";
    OpprofForm *form = read_form(&plain, "<tick>: issue pc:<address>");
    OpprofFormValue values[FIELDS];
    const char *after = OpprofFormFind(form, line, strlen(line), values);

    ck_assert_ptr_nonnull(after);
    ck_assert_str_eq(after, "5 5"); /* an address has 16 digits */
    ck_assert_uint_eq(values[TICK].number, 3);
    ck_assert_uint_eq(values[ADDRESS].number, 0x1111222233334444u);
    ck_assert_ptr_null(OpprofFormFind(form, line, strlen(line) - 24, values));
    OpprofFormFree(form);
    form = read_form(&plain, "0x<flag>;");
    ck_assert_ptr_nonnull(OpprofFormFind(form, "0x0x12;", 7, values));
    ck_assert_uint_eq(values[FLAG].length, 2);
    OpprofFormFree(form);
}
END_TEST

/* Among bytes that it begins with, and right before the end, after which nothing may be read. */
START_TEST(a_text_is_found_at_each_place_of_lines_of_each_length)
{
    static const char *const texts[] = { "[", "[w", "[[w", "[warp:" };
    OpprofFormValue values[FIELDS];

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        OpprofForm *form = read_form(&plain, texts[i]);
        const size_t size = strlen(texts[i]);

        for (size_t length = size; length < 70; length++) {
            char *line = malloc(length);

            for (size_t place = 0; place + size <= length; place++) {
                memset(line, i == 0 ? 'w' : '[', length);
                memcpy(line + place, texts[i], size);
                const char *first = memmem(line, length, texts[i], size);
                ck_assert_ptr_eq(OpprofFormFind(form, line, length, values), first + size);
                ck_assert_ptr_null(
                    OpprofFormFind(form, line, (size_t) (first - line) + size - 1, values));
            }
            free(line);
        }
        OpprofFormFree(form);
    }
}
END_TEST

START_TEST(texts_may_be_missing)
{
    OpprofFormPart parts[OPPROF_FORM_PARTS];

    expect(&plain, "<?[info] >[<tick>]", "[info] [12]", "tick=12");
    expect(&plain, "<?[info] >[<tick>]", "[12]", "tick=12");
    expect(&plain, "<?[info] >[<tick>]", "[info][12]", "none");
    expect(&plain, "<tick><? ms>", "12 ms", "tick=12");
    expect(&plain, "<tick><? ms>", "12", "tick=12");
    expect(&plain, "<tick><? ms>", "12 m", "none");
    OpprofForm *form = read_form(&plain, "<?a><tick>b");
    ck_assert_uint_eq(OpprofFormTakeApart(form, parts), 3);
    ck_assert(parts[0].is_optional && parts[0].field == NULL && parts[0].length == 1 &&
              parts[0].text[0] == 'a');
    ck_assert(!parts[2].is_optional);
    char *glob = OpprofFormPrint(form, NULL);
    ck_assert_str_eq(glob, "**b");
    free(glob);
    OpprofFormFree(form);
}
END_TEST

START_TEST(a_form_is_taken_apart)
{
    OpprofFormPart parts[OPPROF_FORM_PARTS];
    OpprofForm *form = read_form(&plain, "[<tick>] at <pc>");

    ck_assert_uint_eq(OpprofFormTakeApart(form, parts), 4);
    ck_assert(parts[0].field == NULL && parts[0].length == 1 && parts[0].text[0] == '[');
    ck_assert_str_eq(parts[1].field->name, "tick");
    ck_assert_uint_eq(parts[1].length, 0);
    ck_assert(parts[2].field == NULL && parts[2].length == 5);
    ck_assert_mem_eq(parts[2].text, "] at ", 5);
    ck_assert_str_eq(parts[3].field->name, "pc");
    OpprofFormFree(form);
}
END_TEST

START_TEST(what_is_wrong_with_a_form_is_said)
{
    static const OpprofFormField needed[] = {
        { .name = "tick", .kind = OPPROF_FORM_DECIMAL, .use = OPPROF_FORM_REQUIRED },
        { .name = "name", .kind = OPPROF_FORM_WORD },
        { .name = "rest", .kind = OPPROF_FORM_REST },
    };
    static const OpprofFormLanguage language = { .fields = needed, .field_count = 3 };
    static const char *const wrongs[][3] = {
        { "x", "'x' lacks '<tick>'", NULL },
        { "<tick> <tick>", "'<tick> <tick>' has '<tick>' more than once", NULL },
        { "<tick> <nmae>", "'<tick> <nmae>' has an unknown field '<nmae>'",
          "Did you mean '<name>'?" },
        { "<tick> <name", "'<tick> <name' has an unknown field '<name'", "Did you mean '<name>'?" },
        { "<tick><?a><name>", "'<tick><?a><name>' has nothing between '<tick>' and '<name>'",
          NULL },
        { "<tick> <rest><? x>",
          "'<tick> <rest><? x>' has a text that may be missing after '<rest>', which takes "
          "everything",
          NULL },
        { "<tick><?>", "'<tick><?>' has an unknown field '<?>'", NULL },
        { "<tick><name>", "'<tick><name>' has nothing between '<tick>' and '<name>'", NULL },
    };
    char many[256] = "<tick>";
    OpprofForm *form = NULL;
    OpprofError *error = NULL;

    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        ck_assert_int_eq(OpprofFormRead(&language, wrongs[i][0], &form, &error), OPPROF_E_DATA);
        ck_assert_ptr_null(form);
        ck_assert_str_eq(OpprofErrorMessage(error), wrongs[i][1]);
        ck_assert_pstr_eq(OpprofErrorGetHint(error), wrongs[i][2]);
        OpprofErrorDestroy(error);
        error = NULL;
    }
    for (unsigned i = 0; i < OPPROF_FORM_PARTS; i++) {
        strcat(many, i % 2 == 0 ? ";" : "<any>");
    }
    ck_assert_int_eq(OpprofFormRead(&plain, many, &form, NULL), OPPROF_E_DATA);
}
END_TEST

START_TEST(a_form_is_printed_with_texts_for_its_fields)
{
    OpprofForm *form = read_form(&plain, "tile<tick>-<sub>.log");
    const char *const texts[FIELDS] = { [TICK] = "3", [SUB] = "vec1" };
    char *text = OpprofFormPrint(form, texts);

    ck_assert_str_eq(text, "tile3-vec1.log");
    free(text);
    text = OpprofFormPrint(form, NULL);
    ck_assert_str_eq(text, "tile*-*.log");
    free(text);
    OpprofFormFree(form);
    OpprofFormFree(NULL);
}
END_TEST

static Suite *form_suite(void)
{
    Suite *suite = suite_create("form");
    TCase *tests = tcase_create("form");

    tcase_add_test(tests, each_kind_of_field_takes_its_bytes);
    tcase_add_test(tests, blanks_stand_for_any_number_where_the_language_says_so);
    tcase_add_test(tests, wildcards_stand_for_any_bytes_where_the_language_says_so);
    tcase_add_test(tests, a_form_is_found_where_it_first_stands);
    tcase_add_test(tests, a_text_is_found_at_each_place_of_lines_of_each_length);
    tcase_add_test(tests, texts_may_be_missing);
    tcase_add_test(tests, a_form_is_taken_apart);
    tcase_add_test(tests, what_is_wrong_with_a_form_is_said);
    tcase_add_test(tests, a_form_is_printed_with_texts_for_its_fields);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(form_suite)
