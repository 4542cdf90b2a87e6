/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of tables that a report keeps: sums by row name, means of shares, a few rows. It relies on
 * the flags of fields, and knows no table by name. Tested by tests/plugins/report/test_report.
 */
#include "findings.h"

#include "page.h"

#include <inttypes.h>
#include <math.h>
#include <opprof/grow.h>
#include <opprof/intern.h>
#include <opprof/present.h>
#include <opprof/print.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_BYTES 1024u           /* of a row's name; longer ones are cut */
#define KEY_BYTES 64u               /* of a value in a row's key; a longer one counts by its hash */
#define SEED UINT64_C(0x7d3b0f1e26) /* any */
#define ALL_MEMBERS "all"
#define SHARES_LEAST 3u /* columns that make a table one of shares */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "make a report");
}

/* ---- what a type says ---- */

bool FindingIsShown(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_HIDDEN) == 0;
}

bool FindingAddsUp(const Finding *finding)
{
    const uint32_t combine = finding->type->fields[finding->weight].combine;

    return combine == OPPROF_COMBINE_SUM || combine == OPPROF_COMBINE_LONGEST;
}

double FindingShareUnit(const OpprofField *field)
{
    if (field->unit == NULL || field->kind != OPPROF_FIELD_F64) {
        return 0;
    }
    return strcmp(field->unit, "%") == 0 ? 100 : strcmp(field->unit, "ratio") == 0 ? 1 : 0;
}

static bool is_number(const OpprofField *field)
{
    return !OpprofFieldIsText(field) && field->kind != OPPROF_FIELD_HEX;
}

static bool is_time(const OpprofField *field)
{
    static const char *const units[] = { "ns", "us", "ms", "s", "tick", "cycles", "cycle" };

    for (size_t i = 0; field->unit != NULL && i < OPPROF_COUNT(units); i++) {
        if (strcmp(field->unit, units[i]) == 0) {
            return is_number(field) && (field->flags & (OPPROF_FIELD_KEY | OPPROF_FIELD_MOMENT |
                                                        OPPROF_FIELD_ALONE)) == 0;
        }
    }
    return false;
}

static uint32_t weight_of(const OpprofRecordType *type)
{
    uint32_t found = type->field_count;

    for (uint32_t f = type->field_count; f-- > 0;) {
        const OpprofField *field = &type->fields[f];

        if ((field->flags & OPPROF_FIELD_WEIGHT) != 0 && is_number(field)) {
            return f;
        }
        if (FindingIsShown(field) && is_time(field)) {
            found = f;
        }
    }
    return found;
}

static FindingShape shape_of(const OpprofRecordType *type, uint32_t weight)
{
    const bool is_weighed = weight < type->field_count;
    const bool says_weight = is_weighed && (type->fields[weight].flags & OPPROF_FIELD_WEIGHT) != 0;
    uint32_t shares = 0;

    for (uint32_t f = 0; f < type->field_count; f++) {
        if (is_weighed && (type->fields[f].flags & OPPROF_FIELD_PART) != 0) {
            return FINDING_PARTS;
        }
        shares += FindingShareUnit(&type->fields[f]) > 0 && FindingIsShown(&type->fields[f]);
    }
    if ((type->flags & OPPROF_RECORD_SUMMARY) != 0 && !says_weight) {
        return FINDING_ROWS;
    }
    if (shares >= SHARES_LEAST && !says_weight) {
        return FINDING_SHARES;
    }
    return is_weighed ? FINDING_TOP : FINDING_NAMED;
}

/* NULL without memory. */
static Finding *find(Findings *findings, const OpprofRecordType *type)
{
    Finding *finding;

    for (uint32_t i = 0; i < findings->count; i++) {
        if (OpprofRecordTypeIsSame(findings->list[i].type, type)) {
            return &findings->list[i];
        }
    }
    if (!OpprofGrow32(&findings->list, &findings->capacity, findings->count + 1,
                      sizeof *findings->list)) {
        return NULL;
    }
    finding = &findings->list[findings->count];
    *finding = (Finding){ .type = type, .weight = weight_of(type) };
    finding->shape = shape_of(type, finding->weight);
    finding->columns = calloc((size_t) type->field_count + 1, sizeof *finding->columns);
    if (finding->columns == NULL) {
        return NULL;
    }
    findings->count++;
    return finding;
}

/* ---- values ---- */

/* A text being composed; what does not fit is cut off. */
typedef struct Label {
    char text[LABEL_BYTES];
    size_t length;
} Label;

/* Append a text, sanitized, after two blanks. */
static void put_text(Label *label, const char *text, size_t size)
{
    const size_t gap = label->length == 0 ? 0 : 2;
    const size_t room = sizeof label->text - 1 - label->length;
    char *at = label->text + label->length;

    if (size == 0 || room <= gap) {
        return;
    }
    size = size < room - gap ? size : room - gap;
    memset(at, ' ', gap);
    memcpy(at + gap, text, size);
    for (size_t i = gap; i < gap + size; i++) {
        at[i] = (char) (at[i] == '\0' ? '?' : at[i]);
    }
    at[gap + size] = '\0';
    label->length += gap + OpprofTextTame(at + gap, false);
}

/* Append a field's text; absent ones are left out. */
static void put_value(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                      const OpprofField *field, const char *record)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t size;
    const char *text = OpprofFieldPrint(stage, batch, field, record, number, &size);

    if (text != NULL) {
        put_text(label, text, size);
    }
}

/* ---- rows ---- */

/* Peers are members that are shown one by one. */
static bool is_member(const OpprofRecordType *type, const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_MEMBER) != 0 && (type->flags & OPPROF_RECORD_PEERS) == 0;
}

static bool is_key(const OpprofRecordType *type, const OpprofField *field)
{
    return FindingIsShown(field) && (field->flags & OPPROF_FIELD_KEY) != 0 &&
           !is_member(type, field);
}

static bool is_place(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_PLACE) != 0;
}

static bool is_in_name(const OpprofRecordType *type, const OpprofField *field)
{
    return is_key(type, field) ||
           (FindingIsShown(field) && OpprofFieldIsText(field) && !is_member(type, field));
}

static bool has_shown_key(const OpprofRecordType *type)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (is_key(type, &type->fields[f])) {
            return true;
        }
    }
    return false;
}

/* Append what distinguishes a field's text from others, however long they are. */
static void put_key(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                    const OpprofField *field, const char *record)
{
    char number[OPPROF_TEXT_NUMBER];
    char hash[17];
    size_t size;
    const char *text = OpprofFieldPrint(stage, batch, field, record, number, &size);

    if (text != NULL && size > KEY_BYTES) {
        snprintf(hash, sizeof hash, "%016" PRIx64, OpprofInternHash(SEED, text, size));
        put_text(label, hash, sizeof hash - 1);
    } else if (text != NULL) {
        put_text(label, text, size);
    }
}

/* Fields that distinguish rows: visible keys and places in the source, or else all texts. */
static void make_key(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                     const char *record)
{
    const bool by_key = has_shown_key(batch->type);

    *label = (Label){ .length = 0 };
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];

        if (by_key ? is_key(batch->type, field) || is_place(field)
                   : is_in_name(batch->type, field)) {
            put_key(label, stage, batch, field, record);
        }
    }
}

/* "kernel.cpp:17": the end of a place is the most informative part. */
static void put_place(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                      const OpprofField *field, const char *record)
{
    Label place = { .length = 0 };
    const size_t room = sizeof label->text - 1 - label->length;
    const char *name;

    put_value(&place, stage, batch, field, record);
    name = strrchr(place.text, '/');
    name = name == NULL ? place.text : name + 1;
    if (name[0] != '\0' && strlen(name) + 2 <= room) {
        char *end = stpcpy(label->text + label->length, label->length == 0 ? "" : "  ");

        label->length = (size_t) (stpcpy(end, name) - label->text);
    }
}

/* Append a field's value, a number with its name: "stream 7". False: a text. */
static bool put_name(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                     const OpprofField *field, const char *record)
{
    const size_t before = label->length;
    const char *heading = OpprofFieldHeading(field);
    const size_t length = strcspn(heading, "(");

    put_value(label, stage, batch, field, record);
    char *value = label->text + before + (before == 0 ? 0 : 2);
    const size_t size = label->length == before ? 0 : strlen(value);
    if (size == 0 || strspn(value, "0123456789") < size ||
        label->length + length + 1 >= sizeof label->text) {
        return false;
    }
    memmove(value + length + 1, value, size + 1);
    memcpy(value, heading, length);
    value[length] = ' ';
    label->length += length + 1;
    return true;
}

/* The bounds of a part of a name; the part "rank 0" of "rank 0 host rank 0
 * device 0" is repeated. */
static bool is_said_again(const Label *label, size_t from, size_t to)
{
    char part[LABEL_BYTES + 1];
    const char *again;

    snprintf(part, sizeof part, "%.*s ", (int) (to - from), label->text + from);
    again = strstr(label->text + to, part);
    return again != NULL && again[-1] == ' ' && again[to - from + 1] != ' ';
}

static void drop_what_is_said_again(Label *label)
{
    for (size_t from = 0; from < label->length;) {
        const char *gap = strstr(label->text + from, "  ");
        const size_t to = gap == NULL ? label->length : (size_t) (gap - label->text);

        if (gap == NULL || !is_said_again(label, from, to)) {
            from = to + 2;
            continue;
        }
        memmove(label->text + from, label->text + to + 2, label->length - to - 1);
        label->length -= to + 2 - from;
    }
}

/* The last part of a name goes if the text before has it: the short form of a name after the long
 * one. */
static void drop_what_was_said(Label *label, size_t before)
{
    const char *value = label->text + before + 2;

    if (before > 0 && label->length > before &&
        memmem(label->text, before, value, strlen(value)) != NULL) {
        label->length = before;
        label->text[before] = '\0';
    }
}

/* A row's name for people: its first text, its place in the source, its keys and other texts. */
static void make_name(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                      const char *record)
{
    const OpprofRecordType *type = batch->type;
    uint32_t first = 0;
    bool has_number = false;

    *label = (Label){ .length = 0 };
    while (first < type->field_count &&
           (!is_in_name(type, &type->fields[first]) || is_place(&type->fields[first]))) {
        first++;
    }
    if (first < type->field_count) {
        has_number = put_name(label, stage, batch, &type->fields[first], record);
    }
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (is_place(&type->fields[f])) {
            put_place(label, stage, batch, &type->fields[f], record);
        }
    }
    for (uint32_t f = first + 1; f < type->field_count; f++) {
        const OpprofField *field = &type->fields[f];
        const size_t before = label->length;

        if (is_in_name(type, field) && !is_place(field)) {
            has_number |= put_name(label, stage, batch, field, record);
            if (!is_key(type, field)) {
                drop_what_was_said(label, before);
            }
        }
    }
    if (has_number) {
        drop_what_is_said_again(label);
    }
}

/* The members that a row is of. False: all together. */
static bool read_members(Label *members, const OpprofStage *stage, const OpprofBatch *batch,
                         const char *record)
{
    *members = (Label){ .length = 0 };
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const size_t before = members->length;

        if (is_member(batch->type, &batch->type->fields[f])) {
            put_value(members, stage, batch, &batch->type->fields[f], record);
            if (strcmp(members->text + before + (before == 0 ? 0 : 2), ALL_MEMBERS) == 0) {
                return false;
            }
        }
    }
    return true;
}

/* The sums to which a row belongs. NULL without memory. */
static Groups *groups_of(Finding *finding, const OpprofStage *stage, const OpprofBatch *batch,
                         const char *record, Label *members)
{
    if (!read_members(members, stage, batch, record)) {
        return &finding->of_all;
    }
    if (members->length > 0 &&
        OpprofTextMapFind(&finding->members, members->text, members->length) == OPPROF_MAP_NONE) {
        if (!OpprofTextMapPut(&finding->members, members->text, members->length, 0, NULL)) {
            return NULL;
        }
        finding->member_count++;
    }
    return &finding->groups;
}

/* False without memory. */
static bool keep_weight(Finding *finding, double weight)
{
    if ((finding->type->flags & OPPROF_RECORD_PEERS) == 0) {
        return true;
    }
    if (!OpprofGrow32(&finding->weights, &finding->weight_capacity,
                      (size_t) finding->weight_count + 1, sizeof *finding->weights)) {
        return false;
    }
    finding->weights[finding->weight_count++] = weight;
    return true;
}

/* Keys that are not shown, such as those of a launch, but for the member. */
static void put_hidden_keys(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                            const char *record)
{
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];

        if (!FindingIsShown(field) && (field->flags & OPPROF_FIELD_KEY) != 0 &&
            !is_member(batch->type, field)) {
            put_key(label, stage, batch, field, record);
        }
    }
}

/* The key of a row among the groups, with its text in `text`. */
static GroupKey key_of(Label *text, const Groups *groups, const OpprofStage *stage,
                       const OpprofBatch *batch, const char *record, const Label *members)
{
    GroupKey key = { .text = text->text };

    make_key(text, stage, batch, record);
    key.shown = (uint32_t) text->length;
    if (groups->combine == OPPROF_COMBINE_LONGEST) {
        put_hidden_keys(text, stage, batch, record);
        key.row = (uint32_t) text->length;
        put_text(text, members->text, members->length);
    } else {
        key.row = key.shown;
    }
    key.length = (uint32_t) text->length;
    return key;
}

static OpprofStatus weigh(Finding *finding, const OpprofStage *stage, const OpprofBatch *batch,
                          const char *record, OpprofError **error)
{
    Label members, text;
    double weight = 0;
    OpprofStatus status;
    Groups *groups;
    Group *group;

    if (!OpprofFieldNumber(&batch->type->fields[finding->weight], record, &weight)) {
        return OPPROF_OK;
    }
    groups = groups_of(finding, stage, batch, record, &members);
    if (groups == NULL || !keep_weight(finding, weight)) {
        return no_memory(error);
    }
    groups->combine = finding->type->fields[finding->weight].combine;
    groups->directory = OpprofStageOutput(stage);
    status =
        GroupsFind(groups, key_of(&text, groups, stage, batch, record, &members), &group, error);
    if (status != OPPROF_OK) {
        return status;
    }
    GroupAdd(groups, group, weight);
    make_name(&text, stage, batch, record);
    return GroupName(group, text.text) ? OPPROF_OK : no_memory(error);
}

static void add_columns(Finding *finding, const OpprofBatch *batch, const char *record)
{
    const uint32_t known = finding->type->field_count; /* further ones are hidden texts */

    for (uint32_t f = 0; f < batch->type->field_count && f < known; f++) {
        FindingColumn *column = &finding->columns[f];
        double value;

        if (is_number(&batch->type->fields[f]) &&
            OpprofFieldNumber(&batch->type->fields[f], record, &value)) {
            column->most = column->count == 0 || value > column->most ? value : column->most;
            column->sum += value;
            column->count++;
        }
    }
}

/* Append a field's text as people read it: of a number whose type asks for no certain digits, six
 * or all before the point. */
static void put_cell(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                     const OpprofField *field, const char *record)
{
    char number[32];
    double value;

    if (field->kind == OPPROF_FIELD_F64 && field->decimals == 0 &&
        OpprofFieldNumber(field, record, &value)) {
        const bool is_large = fabs(value) >= 999999.5 && fabs(value) < 1e15;

        snprintf(number, sizeof number, is_large ? "%.0f" : "%.6g", value);
        put_text(label, number, strlen(number));
    } else {
        put_value(label, stage, batch, field, record);
    }
}

/* Append the parts of the launch that a row is of: "device0/add/1". */
static void put_launch(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                       const char *record)
{
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];
        Label part = { .length = 0 };

        if (!FindingIsShown(field) && (field->flags & OPPROF_FIELD_KEY) != 0 &&
            field->kind == OPPROF_FIELD_STRING) {
            put_value(&part, stage, batch, field, record);
        }
        if (part.length > 0 && label->length + 1 + part.length < sizeof label->text) {
            char *end = stpcpy(label->text + label->length, label->length == 0 ? "" : "/");

            label->length = (size_t) (stpcpy(end, part.text) - label->text);
        }
    }
}

/* The launch, and texts of the visible fields, with a NUL after each; NULL without memory. */
static char *copy_row(const OpprofStage *stage, const OpprofBatch *batch, const char *record)
{
    Label launch = { .length = 0 };
    char *row = NULL;
    size_t size;
    FILE *out = open_memstream(&row, &size);

    if (out == NULL) {
        return NULL;
    }
    put_launch(&launch, stage, batch, record);
    fprintf(out, "%s%c", launch.text, '\0');
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];

        if (FindingIsShown(field)) {
            Label label = { .length = 0 };

            put_cell(&label, stage, batch, field, record);
            fprintf(out, "%s%c", label.length == 0 ? "NA" : label.text, '\0');
        }
    }
    PageStreamEnd(out, &row);
    return row;
}

static bool keep_row(Finding *finding, const OpprofStage *stage, const OpprofBatch *batch,
                     const char *record)
{
    char *row;

    if (finding->kept_count >= ROWS_KEPT) {
        return true;
    }
    if (finding->kept == NULL) {
        finding->kept = calloc(ROWS_KEPT, sizeof *finding->kept);
    }
    row = finding->kept == NULL ? NULL : copy_row(stage, batch, record);
    if (row == NULL) {
        return false;
    }
    finding->kept[finding->kept_count++] = row;
    finding->has_launches = finding->has_launches || row[0] != '\0';
    return true;
}

/* A record whose visible fields are all absent is not a row. */
static bool is_row(const OpprofRecordType *type, const char *record)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (FindingIsShown(&type->fields[f]) &&
            !OpprofFieldIsNa(&type->fields[f], record + type->fields[f].offset)) {
            return true;
        }
    }
    return false;
}

static OpprofStatus take_row(Finding *finding, const OpprofStage *stage, const OpprofBatch *batch,
                             const char *record, OpprofError **error)
{
    const bool is_kept =
        finding->shape == FINDING_ROWS ||
        (finding->shape == FINDING_TOP && (batch->type->flags & OPPROF_RECORD_SUMMARY) != 0);
    OpprofStatus status = OPPROF_OK;

    finding->rows++;
    add_columns(finding, batch, record);
    if (finding->shape == FINDING_TOP) {
        status = weigh(finding, stage, batch, record, error);
    }
    if (status == OPPROF_OK && is_kept && !keep_row(finding, stage, batch, record)) {
        return no_memory(error);
    }
    return status;
}

OpprofStatus FindingsTake(Findings *findings, const OpprofStage *stage, const OpprofBatch *batch,
                          OpprofError **error)
{
    Finding *finding = find(findings, batch->type);
    OpprofStatus status = finding == NULL ? no_memory(error) : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const char *record = OpprofBatchRecord(batch, i);

        if (is_row(batch->type, record)) {
            status = take_row(finding, stage, batch, record, error);
        }
    }
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *) a;
    const double right = *(const double *) b;

    return (left > right) - (left < right);
}

static double median_of(double *list, uint32_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(list, count, sizeof *list, compare_numbers);
    return (list[(count - 1) / 2] + list[count / 2]) / 2;
}

static OpprofStatus settle(Finding *finding, uint32_t most, OpprofError **error)
{
    OpprofStatus status = GroupsSettle(&finding->groups, most, error);

    if (status == OPPROF_OK) {
        status = GroupsSettle(&finding->of_all, most, error);
    }
    if (status == OPPROF_OK && finding->of_all.total > 0) {
        GroupsFinish(&finding->groups);
        finding->groups = finding->of_all;
        finding->of_all = (Groups){ .list = NULL };
        finding->member_count = 0;
    }
    finding->median = median_of(finding->weights, finding->weight_count);
    return status;
}

OpprofStatus FindingsSettle(Findings *findings, uint32_t most, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < findings->count; i++) {
        status = settle(&findings->list[i], most, error);
    }
    return status;
}

void FindingsFree(Findings *findings)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        Finding *finding = &findings->list[i];

        for (uint32_t row = 0; row < finding->kept_count; row++) {
            free(finding->kept[row]);
        }
        free(finding->kept);
        free(finding->columns);
        free(finding->weights);
        OpprofTextMapFinish(&finding->members);
        GroupsFinish(&finding->groups);
        GroupsFinish(&finding->of_all);
    }
    free(findings->list);
    *findings = (Findings){ .count = 0 };
}
