/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions choose, sort and page rows as a model does that has the cells in memory; what they
 * name and does not exist is refused.
 */
#include <opprof/results.h>

#include "tests/core/suites.h"

#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RULES_MOST 3
#define ROWS 8

static const char schema[] =
    "CREATE TABLE opprof_run(name TEXT PRIMARY KEY, value TEXT);"
    "CREATE TABLE opprof_tables(name TEXT PRIMARY KEY, record TEXT, version INTEGER, title TEXT,"
    " summary TEXT, file TEXT, flags INTEGER, row_count INTEGER);"
    "CREATE TABLE opprof_columns(table_name TEXT, position INTEGER, name TEXT, heading TEXT,"
    " kind TEXT, unit TEXT, meaning TEXT, absent TEXT, decimals INTEGER, is_key INTEGER,"
    " flags INTEGER, PRIMARY KEY(table_name, position));"
    "INSERT INTO opprof_run VALUES('format','1'),('complete','1');"
    "CREATE TABLE \"k\"\"s\"(id INTEGER, name TEXT, us REAL, us_total REAL, pc INTEGER);"
    "INSERT INTO opprof_tables VALUES('k\"s','test.k',1,'Kernels',NULL,'k',1,8);"
    "INSERT INTO opprof_columns VALUES('k\"s',1,'id','id','i64',NULL,NULL,NULL,0,1,2),"
    "('k\"s',2,'name','Op Name','string',NULL,NULL,NULL,0,0,0),"
    "('k\"s',3,'us','Time(us)','f64','us','How long','nobody',3,0,0),"
    "('k\"s',4,'us_total','us total','f64',NULL,NULL,NULL,3,0,0),"
    "('k\"s',5,'pc','pc','hex',NULL,NULL,NULL,0,0,0);"
    "INSERT INTO \"k\"\"s\" VALUES(1,'MatMul',2.5,10,4096),(2,'matmul_v2',NULL,20,4100),"
    "(3,NULL,7,30,NULL),(4,'Add',2.5,NULL,-1),(5,'a|b',-3,40,4096),(6,'100%',0,50,0),"
    "(7,'',7,60,5),(8,'7',1e9,70,4104);";

static char path[64];
static OpprofResults *results;
static OpprofError *error;

static void setup(void)
{
    sqlite3 *database;

    snprintf(path, sizeof path, "/tmp/opprof-conditions.XXXXXX");
    close(mkstemp(path));
    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(database, schema, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    error = NULL;
    ck_assert_int_eq(OpprofResultsOpen(path, NULL, &results, &error), OPPROF_OK);
}

static void teardown(void)
{
    OpprofResultsClose(results);
    OpprofErrorDestroy(error);
    unlink(path);
}

/* Texts that end with a NULL. */
static size_t count_of(const char *const *texts)
{
    size_t count = 0;

    while (texts[count] != NULL) {
        count++;
    }
    return count;
}

/* The first cells of all rows, with a blank after each. */
static const char *answer_of(const OpprofResultsQuestion *question)
{
    static char text[1024];
    OpprofResultsRows *rows;
    OpprofStatus status;

    text[0] = '\0';
    ck_assert_msg(OpprofResultsAsk(results, question, &rows, &error) == OPPROF_OK, "%s",
                  OpprofErrorLine(error));
    while ((status = OpprofResultsNext(rows, &error)) == OPPROF_OK) {
        const char *cell = OpprofResultsText(rows, 0, NULL);

        snprintf(text + strlen(text), sizeof text - strlen(text), "%s ",
                 cell == NULL ? "NA" : cell);
    }
    ck_assert_int_eq(status, OPPROF_END);
    OpprofResultsRowsFree(rows);
    return text;
}

static const OpprofResultsTable *table(void)
{
    return &OpprofResultsAbout(results)->tables[0];
}

static const char *ask(const OpprofResultsConditions *conditions)
{
    return answer_of(&(OpprofResultsQuestion){ .table = table(), .conditions = conditions });
}

/* ---- rules ---- */

static const struct {
    const char *rules[RULES_MOST + 1];
    const char *ids;
} chosen[] = {
    { { NULL }, "1 2 3 4 5 6 7 8 " },
    { { "us = 2.5" }, "1 4 " },
    { { "us=2.5" }, "1 4 " },
    { { "Time(us) = 25e-1" }, "1 4 " },
    { { "US != 7" }, "1 4 5 6 8 " },
    { { "us < 2.5" }, "5 6 " },
    { { "us <= 2.5" }, "1 4 5 6 " },
    { { "us > 7" }, "8 " },
    { { "us>=7" }, "3 7 8 " },
    { { "us in 7|-3 | 1000000000" }, "3 5 7 8 " },
    { { "us not in 7|0" }, "1 4 5 8 " },
    { { "us is null" }, "2 " },
    { { "us is not null" }, "1 3 4 5 6 7 8 " },
    { { "us_total > 30" }, "5 6 7 8 " },
    { { "us total > 30" }, "5 6 7 8 " },
    { { "us ~ 5" }, "1 4 " },
    { { "name = MatMul" }, "1 " },
    { { "name = matmul" }, "" },
    { { "name ~ MATMUL" }, "1 2 " },
    { { "name !~ matmul" }, "4 5 6 7 8 " },
    { { "name ~ %" }, "6 " },
    { { "name ~ _" }, "2 " },
    { { "name = 7" }, "8 " },
    { { "name > 7" }, "1 2 4 5 " },
    { { "name = " }, "7 " },
    { { "name is null" }, "3 " },
    { { "name in Add|7" }, "4 8 " },
    { { "name not in Add|7" }, "1 2 5 6 7 " },
    { { "name = a|b" }, "5 " },
    { { "Op Name IN Add" }, "4 " },
    { { "pc = 0x1000" }, "1 5 " },
    { { "pc = 4096" }, "1 5 " },
    { { "pc = 0xffffffffffffffff" }, "4 " },
    { { "pc in 5|0x1004" }, "2 7 " },
    { { "us > 1", "us < 8" }, "1 3 4 7 " },
    { { "us > 1", "us < 8", "name is not null" }, "1 4 7 " },
    { { "name = x' OR 1=1 --" }, "" },
    { { "name = \") OR (1=1" }, "" },
    { { "name = :opprof_1" }, "" },
};

START_TEST(rules_choose_rows)
{
    const OpprofResultsConditions conditions = { .rules = chosen[_i].rules,
                                                 .rule_count = count_of(chosen[_i].rules) };
    OpprofResultsConditions number = conditions;
    char size[32];

    ck_assert_str_eq(ask(&conditions), chosen[_i].ids);
    number.counts = true;
    snprintf(size, sizeof size, "%zu ", strlen(chosen[_i].ids) / 2);
    ck_assert_str_eq(ask(&number), size);
}
END_TEST

/* ---- order, columns and pages ---- */

static const struct {
    const char *sorts[3];
    const char *columns;
    uint64_t limit;
    uint64_t page;
    const char *cells;
} sorted[] = {
    { { "us" }, NULL, 0, 0, "2 5 6 1 4 3 7 8 " },
    { { "us:asc" }, NULL, 0, 0, "2 5 6 1 4 3 7 8 " },
    { { "us:desc" }, NULL, 0, 0, "8 3 7 1 4 6 5 2 " },
    { { "Time(us):DESC", "id:desc" }, NULL, 0, 0, "8 7 3 4 1 6 5 2 " },
    { { "name" }, NULL, 0, 0, "3 7 6 8 4 1 5 2 " },
    { { "us" }, "name, us", 3, 1, "matmul_v2 a|b 100% " },
    { { "us" }, "Op Name", 3, 2, "MatMul Add NA " },
    { { "us" }, "id", 3, 3, "7 8 " },
    { { "us" }, "id", 3, 4, "" },
    { { NULL }, "id,id", 2, 2, "3 4 " },
    { { NULL }, "us_total", 2, 0, "10.0 20.0 " },
};

START_TEST(rows_are_sorted_and_paged)
{
    const OpprofResultsConditions conditions = { .sorts = sorted[_i].sorts,
                                                 .sort_count = count_of(sorted[_i].sorts),
                                                 .columns = sorted[_i].columns,
                                                 .limit = sorted[_i].limit,
                                                 .page = sorted[_i].page };

    ck_assert_str_eq(ask(&conditions), sorted[_i].cells);
}
END_TEST

START_TEST(a_question_has_conditions_too)
{
    const char *const rules[] = { "word = 7" };
    const char *const more[] = { "word > 2", "n is not null" };
    const char *const sorts[] = { "word:desc" };
    const OpprofResultsParameter parameter = { .name = "least", .value = "3" };
    OpprofResultsConditions conditions = { .rules = rules, .rule_count = 1 };
    OpprofResultsQuestion question = { .sql = "SELECT id AS n, name AS word FROM \"k\"\"s\" WHERE "
                                              "id >= :least ORDER BY id DESC; -- its end",
                                       .parameters = &parameter,
                                       .parameter_count = 1,
                                       .conditions = &conditions };

    ck_assert_str_eq(answer_of(&question), "8 ");
    conditions = (OpprofResultsConditions){ .rules = more, .rule_count = 2 };
    ck_assert_str_eq(answer_of(&question), "8 5 4 "); /* texts are compared as texts */
    conditions = (OpprofResultsConditions){ .sorts = sorts, .sort_count = 1 };
    ck_assert_str_eq(answer_of(&question), "5 4 8 6 7 3 ");
    conditions = (OpprofResultsConditions){ .limit = 2, .page = 2 };
    ck_assert_str_eq(answer_of(&question), "6 5 ");
    question.sql = "SELECT us > 3 AS late, id FROM \"k\"\"s\" WHERE us IS NOT NULL ORDER BY id DESC"
                   " -- no end";
    question.parameter_count = 0;
    conditions = (OpprofResultsConditions){ .sorts = (const char *const[]){ "late" },
                                            .sort_count = 1,
                                            .columns = "id" };
    ck_assert_str_eq(answer_of(&question), "6 5 4 1 8 7 3 "); /* those alike stay as they were */
    conditions.rules = (const char *const[]){ "late = 1" };
    conditions.rule_count = 1;
    ck_assert_str_eq(answer_of(&question), "8 7 3 ");
}
END_TEST

/* ---- what is wrong ---- */

static const struct {
    const char *rule;
    OpprofStatus status;
    const char *said;
    const char *hint;
} wrong[] = {
    { "uss > 3", OPPROF_E_NOT_FOUND, "no column 'uss'", "'us'" },
    { "us_totl > 3", OPPROF_E_NOT_FOUND, "no column 'us_totl'", "'us_total'" },
    { "Op Nam ~ x", OPPROF_E_NOT_FOUND, "no column 'Op Nam'", "'Op Name'" },
    { "quite another = 3", OPPROF_E_NOT_FOUND, "no column 'quite another'", "'id'" },
    { "us", OPPROF_E_ARGUMENT, "'us' is not a rule", "COLUMN OPERATOR VALUE" },
    { "", OPPROF_E_ARGUMENT, "'' is not a rule", "COLUMN OPERATOR VALUE" },
    { "us is nul", OPPROF_E_ARGUMENT, "'us is nul' is not a rule", "is not null" },
    { "us is null 3", OPPROF_E_ARGUMENT, "is not a rule", "is not null" },
    { "us > three", OPPROF_E_ARGUMENT, "compares 'three' with numbers", NULL },
    { "us = ", OPPROF_E_ARGUMENT, "compares '' with numbers", NULL },
    { "us < nan", OPPROF_E_ARGUMENT, "compares 'nan' with numbers", NULL },
    { "us in 3|x", OPPROF_E_ARGUMENT, "compares 'x' with numbers", NULL },
    { "us inside 3", OPPROF_E_ARGUMENT, "is not a rule", NULL },
};

/* What is said on refusal. */
static void refuse(const OpprofResultsConditions *conditions, OpprofStatus status, const char *said,
                   const char *hint)
{
    const OpprofResultsQuestion question = { .table = table(), .conditions = conditions };
    OpprofResultsRows *rows;

    ck_assert_int_eq(OpprofResultsAsk(results, &question, &rows, &error), status);
    ck_assert_ptr_null(rows);
    ck_assert_msg(strstr(OpprofErrorLine(error), said) != NULL, "%s", OpprofErrorLine(error));
    if (hint != NULL) {
        ck_assert_ptr_nonnull(OpprofErrorGetHint(error));
        ck_assert_msg(strstr(OpprofErrorGetHint(error), hint) != NULL, "%s",
                      OpprofErrorGetHint(error));
    }
    OpprofErrorDestroy(error);
    error = NULL;
}

START_TEST(wrong_rules_are_refused)
{
    refuse(&(OpprofResultsConditions){ .rules = &wrong[_i].rule, .rule_count = 1 },
           wrong[_i].status, wrong[_i].said, wrong[_i].hint);
    ck_assert_str_eq(ask(&(OpprofResultsConditions){ .limit = 1 }), "1 ");
}
END_TEST

START_TEST(wrong_orders_columns_and_pages_are_refused)
{
    const char *const down[] = { "us:down" };

    refuse(&(OpprofResultsConditions){ .sorts = down, .sort_count = 1 }, OPPROF_E_NOT_FOUND,
           "no column 'us:down'", NULL);
    refuse(&(OpprofResultsConditions){ .columns = "us,," }, OPPROF_E_NOT_FOUND, "no column ''",
           NULL);
    refuse(&(OpprofResultsConditions){ .columns = "us,nam" }, OPPROF_E_NOT_FOUND, "no column 'nam'",
           "'name'");
    refuse(&(OpprofResultsConditions){ .page = 2 }, OPPROF_E_ARGUMENT, "needs a limit", NULL);
    refuse(&(OpprofResultsConditions){ .limit = UINT64_MAX }, OPPROF_E_ARGUMENT, "no page", NULL);
    refuse(&(OpprofResultsConditions){ .limit = INT64_MAX, .page = 3 }, OPPROF_E_ARGUMENT,
           "no page", NULL);
}
END_TEST

/* ---- damage ---- */

#define PAGE 512

/* A database with a table of 2000 rows on pages of PAGE bytes. */
static void make_large(void)
{
    static const char rows[] =
        "PRAGMA page_size = 512; VACUUM; CREATE TABLE large(id INTEGER, text TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
        " INSERT INTO large SELECT i, printf('%040d', i) FROM n;"
        "INSERT INTO opprof_tables VALUES('large','test.large',1,'Large',NULL,'large',1,2000);"
        "INSERT INTO opprof_columns VALUES('large',1,'id','id','i64',NULL,NULL,NULL,0,1,2),"
        "('large',2,'text','text','string',NULL,NULL,NULL,0,0,0);";
    sqlite3 *database;

    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(database, rows, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

/* Whether the table is refused, or all of its rows come in their order. */
static bool is_right(void)
{
    const OpprofResultsConditions conditions = { .sorts = (const char *const[]){ "id" },
                                                 .sort_count = 1 };
    OpprofResultsQuestion question = { .conditions = &conditions };
    OpprofResultsRows *rows = NULL;
    OpprofStatus status = OpprofResultsOpen(path, NULL, &results, &error);
    int64_t count = 0;
    int64_t id = 0;

    if (status == OPPROF_OK) {
        question.table = &OpprofResultsAbout(results)->tables[1];
        status = OpprofResultsAsk(results, &question, &rows, &error);
    }
    while (status == OPPROF_OK && (status = OpprofResultsNext(rows, &error)) == OPPROF_OK) {
        OpprofResultsWhole(rows, 0, &id);
        count++;
    }
    OpprofResultsRowsFree(rows);
    OpprofResultsClose(results);
    results = NULL;
    OpprofErrorDestroy(error);
    error = NULL;
    return status == OPPROF_END ? count == 2000 && id == 2000 : status == OPPROF_E_DATA;
}

/* Changes bytes of a page, looks, and puts them back. Returns whether the table was refused, or
 * complete. */
static bool survives(FILE *file, long page, size_t at, const unsigned char *bytes, size_t size)
{
    unsigned char before[4];
    bool result;

    fseek(file, page * PAGE + (long) at, SEEK_SET);
    ck_assert_uint_eq(fread(before, 1, size, file), size);
    fseek(file, page * PAGE + (long) at, SEEK_SET);
    fwrite(bytes, 1, size, file);
    fflush(file);
    result = is_right();
    fseek(file, page * PAGE + (long) at, SEEK_SET);
    fwrite(before, 1, size, file);
    fflush(file);
    return result;
}

START_TEST(pages_that_lose_or_repeat_rows_are_refused)
{
    unsigned char page[PAGE];
    unsigned inner = 0;
    FILE *file;

    OpprofResultsClose(results);
    make_large();
    ck_assert(is_right());
    file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    for (long p = 1; fseek(file, p * PAGE, SEEK_SET) == 0 && fread(page, 1, PAGE, file) == PAGE;
         p++) {
        const unsigned cells = page[3] * 256u + page[4];
        const unsigned first = page[12] * 256u + page[13];
        const unsigned char less[2] = { (unsigned char) ((cells - 1) / 256),
                                        (unsigned char) (cells - 1) };

        if (cells > 0 && (page[0] == 5 || (page[0] == 13 && p % 7 == 0))) {
            ck_assert(survives(file, p, 3, less, 2)); /* a cell less */
        }
        if (cells > 0 && page[0] == 5) {
            ck_assert(survives(file, p, 8, page + first, 4)); /* a page twice */
            ck_assert(survives(file, p, 8, (const unsigned char[4]){ 0 }, 4));
            ck_assert(survives(file, p, first, (const unsigned char[4]){ 0, 1, 0, 0 }, 4));
            inner++;
        }
    }
    ck_assert_uint_gt(inner, 4);
    fclose(file);
}
END_TEST

static Suite *conditions_suite(void)
{
    Suite *suite = suite_create("conditions");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_loop_test(all, rules_choose_rows, 0, (int) (sizeof chosen / sizeof chosen[0]));
    tcase_add_loop_test(all, rows_are_sorted_and_paged, 0,
                        (int) (sizeof sorted / sizeof sorted[0]));
    tcase_add_test(all, a_question_has_conditions_too);
    tcase_add_loop_test(all, wrong_rules_are_refused, 0, (int) (sizeof wrong / sizeof wrong[0]));
    tcase_add_test(all, wrong_orders_columns_and_pages_are_refused);
    tcase_add_test(all, pages_that_lose_or_repeat_rows_are_refused);
    suite_add_tcase(suite, all);
    return suite;
}
TEST_SUITE(conditions_suite)
