/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/report/report.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <opprof/records/subject.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const OpprofPlugin opprof_plugin_v0;

/* Tables that nobody but this test knows. */
typedef struct Row {
    uint32_t core;
    uint32_t name;
    double time;
    double first;
    double second;
    double third;
} Row;

#define FIELD(member, kind, ...) OPPROF_FIELD(Row, member, OPPROF_FIELD_##kind, __VA_ARGS__)

static const OpprofField weight_fields[] = {
    FIELD(core, STRING, .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN),
    FIELD(name, STRING, .flags = OPPROF_FIELD_KEY),
    FIELD(first, F64, .combine = OPPROF_COMBINE_SUM, .unit = "us"),
    FIELD(time, F64, .combine = OPPROF_COMBINE_SUM, .heading = "spent(us)", .unit = "us",
          .flags = OPPROF_FIELD_WEIGHT),
};
/* Queues of shops: the second text may say where it is once more. */
static const OpprofField queue_fields[] = {
    FIELD(core, STRING, .heading = "shop", .flags = OPPROF_FIELD_KEY),
    FIELD(name, STRING, .heading = "place", .flags = OPPROF_FIELD_KEY),
    FIELD(time, F64, .combine = OPPROF_COMBINE_SUM, .unit = "us", .flags = OPPROF_FIELD_WEIGHT),
};
/* Shops whose name has a short form, which is not a key. */
static const OpprofField form_fields[] = {
    FIELD(name, STRING, .flags = OPPROF_FIELD_KEY),
    FIELD(core, STRING, .heading = "short"),
    FIELD(time, F64, .combine = OPPROF_COMBINE_SUM, .unit = "us", .flags = OPPROF_FIELD_WEIGHT),
};
static const OpprofField time_fields[] = {
    FIELD(name, STRING),
    FIELD(second, F64, .combine = OPPROF_COMBINE_SUM, .unit = "1"),
    FIELD(third, F64, .combine = OPPROF_COMBINE_SUM, .unit = "ms"),
};
static const OpprofField share_fields[] = {
    FIELD(name, STRING),
    FIELD(first, F64, .heading = "busy", .unit = "ratio"),
    FIELD(second, F64, .heading = "hits", .unit = "%"),
    FIELD(third, F64, .heading = "road", .unit = "%", .flags = OPPROF_FIELD_PEAK),
    FIELD(time, F64, .heading = "rest", .unit = "%"),
};
static const OpprofField part_fields[] = {
    FIELD(name, STRING),
    FIELD(time, F64, .combine = OPPROF_COMBINE_SUM, .unit = "us", .flags = OPPROF_FIELD_WEIGHT),
    FIELD(first, F64, .combine = OPPROF_COMBINE_SUM, .heading = "eating", .unit = "us",
          .flags = OPPROF_FIELD_PART),
    FIELD(second, F64, .combine = OPPROF_COMBINE_SUM, .heading = "sleeping", .unit = "us",
          .flags = OPPROF_FIELD_PART),
};
#define TYPE(list, table_title, more_flags)                                                        \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = "org.example." table_title, \
        .summary = "A table.", .size = sizeof(Row), .flags = OPPROF_RECORD_TABLE | (more_flags),   \
        .fields = list, .field_count = OPPROF_COUNT(list), .title = table_title, .file_hint = ""   \
    }
/* What members did, each for itself or all together. */
static const OpprofField member_fields[] = {
    FIELD(core, STRING, .heading = "cook", .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER),
    FIELD(name, STRING, .flags = OPPROF_FIELD_KEY),
    FIELD(time, F64, .combine = OPPROF_COMBINE_LONGEST, .heading = "spent(us)", .unit = "us",
          .flags = OPPROF_FIELD_WEIGHT),
};
/* How long meals took, which have several cooks side by side. */
static const OpprofField meal_fields[] = {
    FIELD(core, STRING, .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN),
    FIELD(name, STRING, .heading = "cook", .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER),
    FIELD(time, F64, .combine = OPPROF_COMBINE_LONGEST, .unit = "ms",
          .flags = OPPROF_FIELD_RUN_TIME),
};
static const OpprofRecordType weight_type = TYPE(weight_fields, "Dishes", 0);
static const OpprofRecordType queue_type = TYPE(queue_fields, "Queues", 0);
static const OpprofRecordType form_type = TYPE(form_fields, "Forms", 0);
static const OpprofRecordType time_type = TYPE(time_fields, "Walks", 0);
static const OpprofRecordType share_type = TYPE(share_fields, "Shares", 0);
static const OpprofRecordType part_type = TYPE(part_fields, "Days", 0);
static const OpprofRecordType summary_type = TYPE(time_fields, "Totals", OPPROF_RECORD_SUMMARY);
static const OpprofRecordType member_type = TYPE(member_fields, "Chores", 0);
static const OpprofRecordType whole_type = TYPE(member_fields, "Ways", 0);
static const OpprofRecordType peer_type =
    TYPE(weight_fields, "Cooks", OPPROF_RECORD_SUMMARY | OPPROF_RECORD_PEERS);
static const OpprofRecordType meal_type =
    TYPE(meal_fields, "Meals", OPPROF_RECORD_SUMMARY | OPPROF_RECORD_PEERS);
static const OpprofRecordType answer_type = TYPE(weight_fields, "Winners", OPPROF_RECORD_SUMMARY);

static void put(OpprofStage *stage, uint32_t port, const char *core, const char *name,
                const double values[4])
{
    const Row row = { .core = HarnessIntern(stage, core),
                      .name = HarnessIntern(stage, name),
                      .time = values[0],
                      .first = values[1],
                      .second = values[2],
                      .third = values[3] };

    ck_assert_int_eq(OpprofStageAppend(stage, port, 0, &row), OPPROF_OK);
}

static const char *report_of(HarnessProduce *produce, const OpprofRecordType *const *types,
                             uint32_t count, const char *params)
{
    const char *text;

    HarnessSource("made-up", produce, types, count);
    HarnessPlugin("report", &opprof_plugin_v0, params);
    HarnessRun(OPPROF_RUN_COMPLETE);
    text = HarnessFile("report.txt", NULL);
    ck_assert_ptr_nonnull(text);
    return text;
}

/* The rest of the line that begins with this text after blanks; fails if none. */
static const char *line_of(const char *text, const char *beginning)
{
    static char line[400];

    for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
        at += strspn(at, "\n ");
        if (strncmp(at, beginning, strlen(beginning)) == 0) {
            snprintf(line, sizeof line, "%.*s", (int) strcspn(at, "\n"), at);
            return line;
        }
    }
    ck_abort_msg("no line begins with '%s' in:\n%s", beginning, text);
    return "";
}

#define HAS(text, beginning, part)                                                                 \
    ck_assert_msg(strstr(line_of(text, beginning), part) != NULL, "no '%s' in '%s'", part,         \
                  line_of(text, beginning))

static OpprofStatus produce_weights(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "a", "soup", (const double[4]){ 10, 99, 0, 0 });
    put(stage, 0, "a", "fish", (const double[4]){ 30, 99, 0, 0 });
    put(stage, 0, "b", "fish", (const double[4]){ 40, 99, 0, 0 });
    put(stage, 0, "b", "rice", (const double[4]){ 20, 99, 0, 0 });
    put(stage, 1, "", "hill", (const double[4]){ 0, 0, 7, 3 });
    put(stage, 1, "", "lake", (const double[4]){ 0, 0, 5, 9 });
    return OPPROF_OK;
}

START_TEST(the_heaviest_rows_come_with_their_shares)
{
    static const OpprofRecordType *const types[] = { &weight_type, &time_type };
    const char *text = report_of(produce_weights, types, 2, "{\"rows\": 2}");

    HAS(text, "Dishes", " spent, % of the sum");
    HAS(text, "fish", "70.0 %"); /* 70 of 100, of both cores */
    HAS(text, "fish", "70.0 us");
    HAS(text, "rice", "20.0 %");
    ck_assert_ptr_null(strstr(text, "soup"));
    ck_assert_ptr_nonnull(strstr(text, "  and 1 more\n"));
    HAS(text, "lake", "75.0 %"); /* without a word on weights the first time counts: 9 of 12 */
}
END_TEST

static OpprofStatus produce_members(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "Ann", "cut", (const double[4]){ 10, 0, 0, 0 });
    put(stage, 0, "Ann", "boil", (const double[4]){ 40, 0, 0, 0 });
    put(stage, 0, "Bob", "cut", (const double[4]){ 30, 0, 0, 0 });
    put(stage, 1, "Ann", "walk", (const double[4]){ 500, 0, 0, 0 });
    put(stage, 1, "all", "walk", (const double[4]){ 30, 0, 0, 0 });
    put(stage, 1, "all", "wait", (const double[4]){ 10, 0, 0, 0 });
    put(stage, 1, "all", "rest", (const double[4]){ 0, 0, 0, 0 });
    put(stage, 2, "", "Ann", (const double[4]){ 12, 0, 0, 0 });
    put(stage, 2, "", "Bob", (const double[4]){ 6, 0, 0, 0 });
    put(stage, 2, "", "Cid", (const double[4]){ 8, 0, 0, 0 });
    put(stage, 2, "", "Dan", (const double[4]){ 8, 0, 0, 0 });
    return OPPROF_OK;
}

START_TEST(members_are_added_up_and_peers_compared)
{
    static const OpprofRecordType *const types[] = { &member_type, &whole_type, &peer_type };
    const char *text = report_of(produce_members, types, 3, NULL);

    HAS(text, "Chores", "spent of the longest of 2, % of the sum");
    HAS(text, "boil", "57.1 %"); /* 40 of 40 + 30 */
    HAS(text, "boil", "40.0 us");
    HAS(text, "cut", "42.9 %"); /* Ann and Bob cut side by side, and Bob longer */
    HAS(text, "cut", "30.0 us");
    ck_assert_ptr_null(strstr(text, "longest of 3"));
    HAS(text, "walk", "75.0 %"); /* where there is "all", members do not count */
    HAS(text, "walk", "30.0 us");
    HAS(text, "wait", "25.0 %");
    ck_assert_ptr_null(strstr(text, "rest")); /* that weighs nothing */
    HAS(text, "Cooks", "from the median, spent");
    HAS(text, "Ann", "############## +50.0 %"); /* the median is 8 */
    HAS(text, "Cid", "#########.....  +0.0 %");
    HAS(text, "Bob", "#######....... -25.0 %");
}
END_TEST

/* Lunch takes 3 ms, since Bob does; dinner 5 ms. Chores are in microseconds. */
static OpprofStatus produce_meals(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "lunch", "Ann", (const double[4]){ 2, 0, 0, 0 });
    put(stage, 0, "lunch", "Bob", (const double[4]){ 3, 0, 0, 0 });
    put(stage, 0, "dinner", "Ann", (const double[4]){ 5, 0, 0, 0 });
    put(stage, 0, "dinner", "Bob", (const double[4]){ 4, 0, 0, 0 });
    put(stage, 1, "Ann", "cut", (const double[4]){ 1000, 0, 0, 0 });
    put(stage, 1, "Bob", "cut", (const double[4]){ 2000, 0, 0, 0 });
    put(stage, 1, "Ann", "boil", (const double[4]){ 4000, 0, 0, 0 });
    put(stage, 2, "", "soup", (const double[4]){ 6, 0, 0, 0 });
    put(stage, 2, "", "fish", (const double[4]){ 2, 0, 0, 0 });
    OpprofStageAdvise(stage, 3, 0,
                      &(OpprofAdviceText){ .severity = OPPROF_SEVERITY_HINT,
                                           .topic = "food",
                                           .sentence = "iron::pan is cold",
                                           .value = OpprofNaF64(),
                                           .gain = 20 });
    return OPPROF_OK;
}

START_TEST(the_first_lines_say_how_long_it_took_and_why)
{
    static const OpprofRecordType *const types[] = { &meal_type, &member_type, &weight_type,
                                                     &opprof_advice_type };

    HarnessTitle("A day: with\nguests");
    const char *text = report_of(produce_meals, types, 4, NULL);

    ck_assert_msg(
        strncmp(text,
                "A day: with?guests\n"
                "2 launches: 8.00 ms (the longest of 2 cooks). iron::pan is cold.\n",
                strlen("A day: with?guests\n2 launches: 8.00 ms (the longest of 2 cooks). "
                       "iron::pan is cold.\n")) == 0,
        "%s", text);
    HAS(text, "Chores", "spent of the longest of 2, % of the run");
    HAS(text, "cut", "25.0 %"); /* 2 of 8 ms */
    HAS(text, "cut", "2.00 ms");
    HAS(text, "Dishes", "% of the sum"); /* these may overlap */
    HAS(text, "soup", "75.0 %");
}
END_TEST

static void put_subject(OpprofStage *stage, uint32_t port, const char *name, OpprofSubject row)
{
    row.device = row.kernel = row.order = OPPROF_NA_STRING;
    row.name = HarnessIntern(stage, name);
    row.chip = HarnessIntern(stage, "Oven9");
    row.way = HarnessIntern(stage, "simulated");
    ck_assert_int_eq(OpprofStageAppend(stage, port, 0, &row), OPPROF_OK);
}

static OpprofStatus produce_subject(OpprofStage *stage, OpprofError **error)
{
    put_subject(stage, 1, "bake", (OpprofSubject){ .blocks = 4, .cores = 8, .cycles = 700 });
    put_subject(stage, 1, "fry", (OpprofSubject){ .blocks = 4, .cores = 6, .cycles = 300 });
    (void) error;
    put(stage, 0, "lunch", "Ann", (const double[4]){ 2, 0, 0, 0 });
    put(stage, 0, "lunch", "Bob", (const double[4]){ 3, 0, 0, 0 });
    put(stage, 0, "dinner", "Ann", (const double[4]){ 5, 0, 0, 0 });
    return OPPROF_OK;
}

START_TEST(the_first_line_says_what_ran)
{
    static const OpprofRecordType *const types[] = { &meal_type, &opprof_subject_type };

    HarnessTitle("./cook --all");
    const char *text = report_of(produce_subject, types, 2, NULL);

    ck_assert_msg(strncmp(text, "bake, fry on Oven9, 4 blocks, simulated: ./cook --all\n",
                          strlen("bake, fry on Oven9, 4 blocks, simulated: ./cook --all\n")) == 0,
                  "%s", text);
    HAS(text, "2 launches: 8.00 ms, 1000 cycles (the longest of 2 cooks).", "");
    ck_assert_ptr_null(strstr(text, "What ran"));
}
END_TEST

/* A row at a place in a source file, and one around it that is a label. */
typedef struct PlacedRow {
    uint32_t code;
    uint32_t is_label;
    double time;
} PlacedRow;

static const OpprofField placed_fields[] = {
    OPPROF_FIELD(PlacedRow, code, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_PLACE),
    OPPROF_FIELD(PlacedRow, is_label, OPPROF_FIELD_U32,
                 .flags = OPPROF_FIELD_HIDDEN | OPPROF_FIELD_IS_LABEL),
    OPPROF_FIELD(PlacedRow, time, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_SUM, .unit = "us",
                 .flags = OPPROF_FIELD_WEIGHT),
};
static const OpprofRecordType placed_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "org.example.lines",
    .summary = "A table.",
    .size = sizeof(PlacedRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = placed_fields,
    .field_count = OPPROF_COUNT(placed_fields),
    .title = "Lines",
    .file_hint = "",
};

static char recipe[] = "/tmp/opprof-test-recipe-XXXXXX";

static void put_placed(OpprofStage *stage, const char *file, unsigned line, PlacedRow row)
{
    char place[160];

    snprintf(place, sizeof place, "%s:%u", file, line);
    row.code = HarnessIntern(stage, place);
    ck_assert_int_eq(OpprofStageAppend(stage, 0, 0, &row), OPPROF_OK);
}

static OpprofStatus produce_placed(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put_placed(stage, recipe, 2, (PlacedRow){ .time = 3 });
    put_placed(stage, recipe, 9, (PlacedRow){ .time = 2 });
    put_placed(stage, "/no/such/file.c", 1, (PlacedRow){ .time = 1 });
    put_placed(stage, "/around/all.c", 1, (PlacedRow){ .time = 99, .is_label = 1 });
    return OPPROF_OK;
}

START_TEST(places_come_with_the_text_of_the_line_and_labels_are_left_out)
{
    static const OpprofRecordType *const types[] = { &placed_type };
    static const char source[] = "first\n\t  \x1b[3mwhisk(eggs); \r\nlast";
    const int fd = mkstemp(recipe);
    const char *text;

    ck_assert_int_eq(write(fd, source, sizeof source - 1), (ssize_t) sizeof source - 1);
    close(fd);
    text = report_of(produce_placed, types, 1, "{\"width\": 120}");
    unlink(recipe);
    HAS(text, strrchr(recipe, '/') + 1, ":2  ?[3mwhisk(");
    HAS(text, strrchr(recipe, '/') + 1, "50.0 %"); /* 3 of 6 us */
    HAS(text, "file.c:1 ", "16.7 %");
    ck_assert_ptr_null(strstr(text, "all.c"));
    ck_assert_ptr_null(strstr(text, "last"));
}
END_TEST

/* Two types of one table: rows of the second are of launches with a folder. */
static const OpprofField folder_fields[] = {
    FIELD(name, STRING, .flags = OPPROF_FIELD_KEY),
    FIELD(time, F64, .combine = OPPROF_COMBINE_SUM, .unit = "us", .flags = OPPROF_FIELD_WEIGHT),
    FIELD(core, STRING, .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN),
};
#define FOLDER_TYPE(fewer)                                                                         \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = "org.example.Trips",        \
        .summary = "A table.", .size = sizeof(Row), .flags = OPPROF_RECORD_TABLE,                  \
        .fields = folder_fields, .field_count = OPPROF_COUNT(folder_fields) - (fewer),             \
        .title = "Trips", .file_hint = ""                                                          \
    }
static const OpprofRecordType plain_type = FOLDER_TYPE(1);
static const OpprofRecordType folder_type = FOLDER_TYPE(0);

static OpprofStatus produce_folders(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "", "train", (const double[4]){ 10, 0, 0, 0 });
    ck_assert_int_eq(OpprofStagePushOpen(stage, 0, 0), OPPROF_OK);
    put(stage, 1, "second", "boat", (const double[4]){ 30, 0, 0, 0 });
    return OPPROF_OK;
}

START_TEST(rows_with_a_folder_are_rows_like_others)
{
    static const OpprofRecordType *const types[] = { &plain_type, &folder_type };
    const char *text = report_of(produce_folders, types, 2, NULL);

    HAS(text, "boat", "75.0 %");
    HAS(text, "train", "25.0 %");
}
END_TEST

static OpprofStatus produce_tied(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    for (uint32_t i = 0; i < 9; i++) {
        char name[16];

        snprintf(name, sizeof name, "bean %u", i);
        put(stage, 0, "", name, (const double[4]){ 10, 0, 0, 0 });
    }
    put(stage, 1, "", "hill", (const double[4]){ 0, 0, 7, 3 });
    put(stage, 1, "", "lake", (const double[4]){ 0, 0, 5, 9 });
    return OPPROF_OK;
}

START_TEST(rows_that_weigh_the_same_come_late)
{
    static const OpprofRecordType *const types[] = { &weight_type, &time_type };
    const char *text = report_of(produce_tied, types, 2, NULL);

    ck_assert(strstr(text, "Walks") < strstr(text, "Dishes"));
}
END_TEST

static OpprofStatus produce_queues(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "0", "shop 0 door 2", (const double[4]){ 50, 0, 0, 0 });
    put(stage, 0, "1", "shop 10 door 2", (const double[4]){ 30, 0, 0, 0 });
    put(stage, 0, "12", "till", (const double[4]){ 15, 0, 0, 0 });
    put(stage, 0, "corner", "34", (const double[4]){ 5, 0, 0, 0 });
    return OPPROF_OK;
}

START_TEST(numbers_in_names_say_of_what)
{
    static const OpprofRecordType *const types[] = { &queue_type };
    const char *text = report_of(produce_queues, types, 1, NULL);

    HAS(text, "shop 0 door 2 ", "50.0 %");
    HAS(text, "shop 1  shop 10 door 2 ", "30.0 %");
    HAS(text, "shop 12  till ", "15.0 %");
    HAS(text, "corner  place 34 ", "5.0 %");
}
END_TEST

static OpprofStatus produce_long_queues(OpprofStage *stage, OpprofError **error)
{
    static const char name[] = "a shop whose name is longer than a line has room for";

    (void) error;
    put(stage, 0, name, "7", (const double[4]){ 60, 0, 0, 0 });
    put(stage, 0, name, "8", (const double[4]){ 40, 0, 0, 0 });
    return OPPROF_OK;
}

START_TEST(long_names_keep_what_tells_them_apart)
{
    static const OpprofRecordType *const types[] = { &queue_type };
    const char *text = report_of(produce_long_queues, types, 1, NULL);

    ck_assert_ptr_nonnull(strstr(text, "a shop whose name is longer tha~  place 7 "));
    ck_assert_ptr_nonnull(strstr(text, "a shop whose name is longer tha~  place 8 "));
}
END_TEST

static OpprofStatus produce_unknown(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "", "hill", (const double[4]){ 0, 0, OpprofNaF64(), 3 });
    return OPPROF_OK;
}

START_TEST(columns_without_a_value_are_left_out)
{
    static const OpprofRecordType *const types[] = { &summary_type };
    const char *text = report_of(produce_unknown, types, 1, NULL);

    ck_assert_ptr_nonnull(strstr(text, "third"));
    ck_assert_ptr_null(strstr(text, "second"));
    ck_assert_ptr_null(strstr(text, "NA"));
}
END_TEST

static OpprofStatus produce_forms(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "till", "old::till(int)", (const double[4]){ 60, 0, 0, 0 });
    put(stage, 0, "door", "_Z3gateii", (const double[4]){ 40, 0, 0, 0 });
    return OPPROF_OK;
}

START_TEST(short_forms_of_names_are_not_repeated)
{
    static const OpprofRecordType *const types[] = { &form_type };
    const char *text = report_of(produce_forms, types, 1, NULL);

    HAS(text, "old::till(int)   ", "60.0 %");
    HAS(text, "_Z3gateii  door ", "40.0 %");
}
END_TEST

START_TEST(what_answers_comes_before_what_it_was_about)
{
    static const OpprofRecordType *const with_answer[] = { &answer_type, &summary_type };
    const char *text = report_of(produce_weights, with_answer, 2, NULL);

    ck_assert(strstr(text, "Winners") < strstr(text, "Totals"));
}
END_TEST

START_TEST(without_an_answer_the_summary_comes_first)
{
    static const OpprofRecordType *const without[] = { &weight_type, &summary_type };
    const char *text = report_of(produce_weights, without, 2, NULL);

    ck_assert(strstr(text, "Totals") < strstr(text, "Dishes"));
}
END_TEST

static OpprofStatus produce_details(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "a", "soup", (const double[4]){ 10, 99, 0, 0 });
    put(stage, 0, "a", "fish", (const double[4]){ 30, 99, 0, 0 });
    put(stage, 1, "a", "spoon", (const double[4]){ 10, 99, 0, 0 });
    put(stage, 1, "a", "fork", (const double[4]){ 30, 99, 0, 0 });
    put(stage, 2, "a", "apple", (const double[4]){ 10, 99, 0, 0 });
    put(stage, 2, "a", "pear", (const double[4]){ 30, 99, 0, 0 });
    put(stage, 3, "a", "nothing", (const double[4]){ 0, 99, 0, 0 });
    put(stage, 3, "b", "nowhere", (const double[4]){ 0, 99, 0, 0 });
    return OPPROF_OK;
}

START_TEST(details_come_after_other_tables_and_nothing_is_no_section)
{
    static const OpprofRecordType detail_type = TYPE(weight_fields, "Dishes by tool", 0);
    static const OpprofRecordType fruit_type = TYPE(weight_fields, "Fruit", 0);
    static const OpprofRecordType empty_type = TYPE(weight_fields, "Ghosts", 0);
    static const OpprofRecordType *const types[] = { &weight_type, &detail_type, &fruit_type,
                                                     &empty_type };
    const char *text = report_of(produce_details, types, 4, "{\"rows\": 1}");

    ck_assert(strstr(text, "Dishes ") < strstr(text, "Fruit"));
    ck_assert(strstr(text, "Fruit") < strstr(text, "Dishes by tool"));
    ck_assert_ptr_null(strstr(text, "Ghosts"));
}
END_TEST

static OpprofStatus produce_shares(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "", "x", (const double[4]){ 1, 0.5, 20, 80 });
    put(stage, 0, "", "y", (const double[4]){ 3, 0.7, OpprofNaF64(), 90 });
    put(stage, 1, "", "monday", (const double[4]){ 10, 1, 8, 0 });
    put(stage, 1, "", "sunday", (const double[4]){ 30, 9, 16, 0 });
    return OPPROF_OK;
}

START_TEST(shares_parts_and_peaks_become_bars)
{
    static const OpprofRecordType *const types[] = { &share_type, &part_type };
    const char *text = report_of(produce_shares, types, 2, NULL);

    HAS(text, "busy", "60.0 %");
    HAS(text, "busy", "max 70.0 %");
    HAS(text, "hits", "20.0 %"); /* the absent one does not count as zero */
    HAS(text, "rest", "2.0 %");
    HAS(text, "road", "85.0 %");
    ck_assert_ptr_nonnull(strstr(text, "Speed of light"));
    HAS(text, "sleeping", "60.0 %"); /* 24 of 40 */
    HAS(text, "eating", "25.0 %");
    ck_assert(strstr(text, "Speed of light") < strstr(text, "Days"));
    ck_assert(strstr(text, "Days") < strstr(text, "Shares"));
}
END_TEST

static OpprofStatus produce_digits(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "", "few", (const double[4]){ 0, 0, 54.389721627408996, 2.5 });
    put(stage, 0, "", "many", (const double[4]){ 0, 0, 1234567.4, 0.1 });
    return OPPROF_OK;
}

START_TEST(rows_have_as_many_digits_as_people_read)
{
    static const OpprofRecordType *const types[] = { &summary_type };
    const char *text = report_of(produce_digits, types, 1, NULL);

    HAS(text, "few", " 54.3897 ");
    HAS(text, "few", " 2.5");
    HAS(text, "many", " 1234567 ");
    ck_assert_ptr_null(strstr(text, "54.38972"));
}
END_TEST

START_TEST(bars_without_room_are_counted)
{
    static const OpprofRecordType *const types[] = { &share_type, &part_type };
    const char *text = report_of(produce_shares, types, 2, "{\"rows\": 1}");

    HAS(text, "busy", "60.0 %");
    ck_assert_ptr_null(strstr(text, "hits"));
    ck_assert_ptr_nonnull(strstr(text, "  and 2 more\n"));
}
END_TEST

/* Two names that differ after more bytes than a report shows. */
static OpprofStatus produce_alike(OpprofStage *stage, OpprofError **error)
{
    char name[2002] = "";

    (void) error;
    memset(name, 'x', 2000);
    for (int i = 0; i < 4; i++) {
        name[2000] = (char) ('a' + i % 2);
        put(stage, 0, "", name, (const double[4]){ i % 2 == 0 ? 10 : 30, 0, 0, 0 });
    }
    return OPPROF_OK;
}

START_TEST(long_names_that_differ_at_their_end_are_not_added_up)
{
    static const OpprofRecordType *const types[] = { &weight_type };
    const char *text = report_of(produce_alike, types, 1, NULL);

    ck_assert_msg(strstr(text, "75.0 %       60.0 us\n") != NULL, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "25.0 %       20.0 us\n"));
}
END_TEST

static OpprofStatus produce_hostile(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put(stage, 0, "", "\033[31mred\a\r", (const double[4]){ 0, 0, 1, 2 });
    put(stage, 0, "", "\xe5\x90\x8d\xe5\xad\x97", (const double[4]){ 0, 0, 1, 2 });
    OpprofStageAdvise(stage, 1, 0,
                      &(OpprofAdviceText){ .severity = OPPROF_SEVERITY_HINT,
                                           .topic = "food",
                                           .subject = "core\0330",
                                           .sentence = "eat less \033]0;title\a",
                                           .numbers = "weight=90 kg",
                                           .file = "food\033.csv",
                                           .column = "weight\a",
                                           .unit = "kg",
                                           .value = 90,
                                           .gain = 12.25 });
    OpprofStageAdvise(stage, 1, 0,
                      &(OpprofAdviceText){ .severity = OPPROF_SEVERITY_HINT,
                                           .topic = "food",
                                           .sentence = "eat earlier",
                                           .column = "share",
                                           .unit = "ratio",
                                           .value = 0.5,
                                           .gain = 250 });
    OpprofStageAdvise(stage, 1, 0,
                      &(OpprofAdviceText){ .severity = OPPROF_SEVERITY_PROBLEM,
                                           .topic = "food",
                                           .sentence = "drink more",
                                           .numbers = "water=0 l" });
    OpprofStageAdvise(stage, 1, 0,
                      &(OpprofAdviceText){ .severity = OPPROF_SEVERITY_PROBLEM,
                                           .topic = "food",
                                           .sentence = "drink more",
                                           .numbers = "water=1 l" });
    return OPPROF_OK;
}

START_TEST(names_cannot_drive_the_terminal)
{
    static const OpprofRecordType *const types[] = { &summary_type, &opprof_advice_type };
    const char *text = report_of(produce_hostile, types, 2, "{\"colour\": \"never\"}");

    for (const char *at = text; *at != '\0'; at++) {
        ck_assert_msg((unsigned char) *at >= ' ' || *at == '\n', "%s", text);
    }
    ck_assert_ptr_nonnull(strstr(text, "?[31mred??"));
    ck_assert_ptr_nonnull(strstr(text, "X drink more\n    said 2 times\n    food: water=0 l\n"));
    ck_assert(strstr(text, "drink more") > strstr(text, "! eat less")); /* it saves nothing */
    ck_assert_ptr_nonnull(
        strstr(text, "    could save up to 12.2 % of the time: weight?=90 kg in food?.csv\n"));
    HAS(text, "Advice", "each gain is a bound by itself");
    ck_assert_ptr_nonnull(strstr(text, "! eat earlier\n"
                                       "    could save up to 100.0 % of the time: share=0.5\n"));
    ck_assert(strstr(text, "! eat earlier") < strstr(text, "! eat less")); /* more can be won */
}
END_TEST

/* More sentences than are kept, and one of these once more. */
static OpprofStatus produce_many_sentences(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    for (uint32_t i = 0; i < 1500; i++) {
        char sentence[32];

        snprintf(sentence, sizeof sentence, "eat dish %u", i < 1200 ? i : 0);
        OpprofStageAdvise(stage, 0, 0,
                          &(OpprofAdviceText){ .severity = OPPROF_SEVERITY_HINT,
                                               .topic = "food",
                                               .sentence = sentence,
                                               .numbers = "weight=1 kg" });
    }
    return OPPROF_OK;
}

START_TEST(sentences_left_out_are_counted_unless_repeated)
{
    static const OpprofRecordType *const types[] = { &opprof_advice_type };
    const char *text = report_of(produce_many_sentences, types, 1, "{\"rows\": 5}");

    ck_assert_ptr_nonnull(strstr(text, "! eat dish 0\n    said 301 times\n"));
    ck_assert_ptr_nonnull(strstr(text, "  and 1195 more in advice.csv\n"));
}
END_TEST

/* The tables of timeline-lanes, as a database gives them back. */
typedef struct LaneRow {
    uint32_t lane;
    uint32_t series;
    double share;
    double most;
    int64_t is_rough;
    int64_t is_label;
} LaneRow;

static const OpprofField lane_fields[] = {
    OPPROF_FIELD(LaneRow, lane, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(LaneRow, share, OPPROF_FIELD_F64, .unit = "ratio"),
    OPPROF_FIELD(LaneRow, is_rough, OPPROF_FIELD_I64),
    OPPROF_FIELD(LaneRow, is_label, OPPROF_FIELD_I64),
};
static const OpprofField curve_fields[] = {
    OPPROF_FIELD(LaneRow, lane, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(LaneRow, series, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY),
    { .name = "mean", .kind = OPPROF_FIELD_F64, .offset = offsetof(LaneRow, share) },
    OPPROF_FIELD(LaneRow, most, OPPROF_FIELD_F64),
};
#define LANE_TYPE(list, type_name)                                                                 \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = "A table.", .size = sizeof(LaneRow), .flags = OPPROF_RECORD_TABLE,              \
        .fields = (list), .field_count = OPPROF_COUNT(list), .title = (type_name), .file_hint = "" \
    }
static const OpprofRecordType lane_type = LANE_TYPE(lane_fields, "timeline.lane");
static const OpprofRecordType curve_type = LANE_TYPE(curve_fields, "timeline.curve");

static void put_lane(OpprofStage *stage, uint32_t port, const char *name, LaneRow row)
{
    row.lane = HarnessIntern(stage, name);
    row.series = HarnessIntern(stage, "GB/s");
    ck_assert_int_eq(OpprofStageAppend(stage, port, 0, &row), OPPROF_OK);
}

static OpprofStatus produce_lanes(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    put_lane(stage, 0, "DMA", (LaneRow){ .share = 0.99, .is_rough = 1 });
    put_lane(stage, 0, "MUL", (LaneRow){ .share = 0.75 });
    put_lane(stage, 0, "MARKS", (LaneRow){ .share = 1, .is_label = 1 });
    put_lane(stage, 0, "IDLE", (LaneRow){ .share = 0.0001 });
    put_lane(stage, 1, "bandwidth", (LaneRow){ .share = 1.5, .most = 7.25 });
    return OPPROF_OK;
}

START_TEST(lanes_and_curves_have_sections_of_their_own)
{
    static const OpprofRecordType *const types[] = { &lane_type, &curve_type };
    const char *text = report_of(produce_lanes, types, 2, NULL);

    HAS(text, "MUL", "75.0 %");
    HAS(text, "DMA", "99.0 %");
    HAS(text, "DMA", "about");
    HAS(text, "bandwidth  GB/s", "1.5");
    HAS(text, "bandwidth  GB/s", "7.25");
    ck_assert_ptr_null(strstr(text, "IDLE"));
    ck_assert_ptr_null(strstr(text, "MARKS"));
}
END_TEST

static OpprofStatus produce_many_lanes(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    for (uint32_t lane = 100; lane-- > 0;) {
        char name[16];

        snprintf(name, sizeof name, "lane %u", lane);
        put_lane(stage, 0, name, (LaneRow){ .share = (10 + lane) / 109.0 });
    }
    return OPPROF_OK;
}

START_TEST(lanes_without_room_are_counted)
{
    static const OpprofRecordType *const types[] = { &lane_type };
    const char *text = report_of(produce_many_lanes, types, 1, "{\"rows\": 1}");

    HAS(text, "lane 99", "100.0 %");
    ck_assert_ptr_null(strstr(text, "lane 0"));
    ck_assert_ptr_nonnull(strstr(text, "  and 96 more\n"));
}
END_TEST

START_TEST(more_rows_than_lines_are_no_work)
{
    static const OpprofRecordType *const types[] = { &lane_type };
    const char *text = report_of(produce_many_lanes, types, 1, "{\"rows\": 1000000}");

    HAS(text, "lane 99", "100.0 %");
    ck_assert_ptr_nonnull(strstr(text, " more\n"));
}
END_TEST

START_TEST(what_finds_no_room_is_named)
{
    static const OpprofRecordType *const types[] = { &weight_type, &time_type };
    const char *text = report_of(produce_weights, types, 2, "{\"lines\": 7}");

    ck_assert_ptr_nonnull(strstr(text, "Dishes"));
    ck_assert_ptr_nonnull(strstr(text, "Also: Walks\n"));
}
END_TEST

static Suite *report_suite(void)
{
    Suite *suite = suite_create("report");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, HarnessSetup, HarnessTeardown);
    tcase_add_test(all, members_are_added_up_and_peers_compared);
    tcase_add_test(all, the_heaviest_rows_come_with_their_shares);
    tcase_add_test(all, the_first_lines_say_how_long_it_took_and_why);
    tcase_add_test(all, the_first_line_says_what_ran);
    tcase_add_test(all, places_come_with_the_text_of_the_line_and_labels_are_left_out);
    tcase_add_test(all, rows_with_a_folder_are_rows_like_others);
    tcase_add_test(all, rows_that_weigh_the_same_come_late);
    tcase_add_test(all, numbers_in_names_say_of_what);
    tcase_add_test(all, long_names_keep_what_tells_them_apart);
    tcase_add_test(all, columns_without_a_value_are_left_out);
    tcase_add_test(all, short_forms_of_names_are_not_repeated);
    tcase_add_test(all, what_answers_comes_before_what_it_was_about);
    tcase_add_test(all, without_an_answer_the_summary_comes_first);
    tcase_add_test(all, details_come_after_other_tables_and_nothing_is_no_section);
    tcase_add_test(all, shares_parts_and_peaks_become_bars);
    tcase_add_test(all, bars_without_room_are_counted);
    tcase_add_test(all, rows_have_as_many_digits_as_people_read);
    tcase_add_test(all, names_cannot_drive_the_terminal);
    tcase_add_test(all, long_names_that_differ_at_their_end_are_not_added_up);
    tcase_add_test(all, sentences_left_out_are_counted_unless_repeated);
    tcase_add_test(all, lanes_and_curves_have_sections_of_their_own);
    tcase_add_test(all, lanes_without_room_are_counted);
    tcase_add_test(all, more_rows_than_lines_are_no_work);
    tcase_add_test(all, what_finds_no_room_is_named);
    suite_add_tcase(suite, all);
    return suite;
}
TEST_SUITE(report_suite)
