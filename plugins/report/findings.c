/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of tables that a report keeps: sums by row name, means of shares, a few rows. It relies on
 * the flags of fields, and knows no table by name. Tested by tests/plugins/report/test_report.
 */
#include "findings.h"

#include "page.h"
#include "row_names.h"

#include <opprof/grow.h>
#include <opprof/print.h>
#include <stdlib.h>
#include <string.h>

#define SHARES_LEAST 3u /* columns that make a table one of shares */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "make a report");
}

/* ---- what a type says ---- */

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
    return OpprofUnitTime(field->unit) != 0 && is_number(field) &&
           (field->flags & (OPPROF_FIELD_KEY | OPPROF_FIELD_MOMENT | OPPROF_FIELD_ALONE)) == 0;
}

static uint32_t weight_of(const OpprofRecordType *type)
{
    uint32_t found = type->field_count;

    for (uint32_t f = type->field_count; f-- > 0;) {
        const OpprofField *field = &type->fields[f];

        if ((field->flags & OPPROF_FIELD_WEIGHT) != 0 && is_number(field)) {
            return f;
        }
        if (NameIsShown(field) && is_time(field)) {
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
        shares += FindingShareUnit(&type->fields[f]) > 0 && NameIsShown(&type->fields[f]);
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
    *finding = (Finding){ .type = type,
                          .link = UINT32_MAX,
                          .order = findings->count,
                          .weight = weight_of(type),
                          .label = NameFieldWith(type, OPPROF_FIELD_IS_LABEL),
                          .run_time = RunTimeOf(type) };
    finding->shape = shape_of(type, finding->weight);
    finding->columns = calloc((size_t) type->field_count + 1, sizeof *finding->columns);
    if (finding->columns == NULL) {
        return NULL;
    }
    findings->count++;
    return finding;
}

/* ---- rows ---- */

/* The sums to which a row belongs. NULL without memory. */
static Groups *groups_of(Finding *finding, const OpprofStage *stage, const OpprofBatch *batch,
                         const char *record, Label *members)
{
    if (!NameMembers(members, stage, batch, record, false)) {
        return &finding->of_all;
    }
    return NameNoteMembers(&finding->members, members) ? &finding->groups : NULL;
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

/* The key of a row among the groups, with its text in `text`. */
static GroupKey key_of(Label *text, const Groups *groups, const OpprofStage *stage,
                       const OpprofBatch *batch, const char *record, const Label *members)
{
    GroupKey key = { .text = text->text };

    NameMakeKey(text, stage, batch, record);
    key.shown = (uint32_t) text->length;
    if (groups->combine == OPPROF_COMBINE_LONGEST) {
        NamePutHiddenKeys(text, stage, batch, record);
        key.row = (uint32_t) text->length;
        NamePutText(text, members->text, members->length);
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
    NameMake(&text, stage, batch, record);
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
    row = finding->kept == NULL ? NULL : NameCopyRow(stage, batch, record);
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
        if (NameIsShown(&type->fields[f]) &&
            !OpprofFieldIsNa(&type->fields[f], record + type->fields[f].offset)) {
            return true;
        }
    }
    return false;
}

/* Is the row a label around work, whose time is that of other rows? */
static bool is_label(const Finding *finding, const OpprofRecordType *type, const char *record)
{
    double number;

    return finding->label < type->field_count &&
           OpprofFieldNumber(&type->fields[finding->label], record, &number) && number != 0;
}

static OpprofStatus take_row(Finding *finding, const OpprofStage *stage, const OpprofBatch *batch,
                             const char *record, OpprofError **error)
{
    const bool is_kept =
        finding->shape == FINDING_ROWS ||
        (finding->shape == FINDING_TOP && (batch->type->flags & OPPROF_RECORD_SUMMARY) != 0);
    OpprofStatus status = OPPROF_OK;

    finding->rows++;
    if (finding->shape == FINDING_NAMED) {
        return RunTimeTake(&finding->run_time, stage, batch, record, error);
    }
    add_columns(finding, batch, record);
    if (finding->shape == FINDING_TOP) {
        status = weigh(finding, stage, batch, record, error);
    }
    if (status == OPPROF_OK) {
        status = RunTimeTake(&finding->run_time, stage, batch, record, error);
    }
    if (status == OPPROF_OK && is_kept && !keep_row(finding, stage, batch, record)) {
        return no_memory(error);
    }
    return status;
}

/* Only that it has rows is shown of a table, and it is known. */
static bool is_named_only(const Finding *finding)
{
    return finding->shape == FINDING_NAMED && finding->rows > 0 &&
           finding->run_time.field >= finding->type->field_count;
}

OpprofStatus FindingsTake(Findings *findings, const OpprofStage *stage, const OpprofBatch *batch,
                          OpprofError **error)
{
    Finding *finding = find(findings, batch->type);
    OpprofStatus status = finding == NULL ? no_memory(error) : OPPROF_OK;

    if (status != OPPROF_OK) {
        return status;
    }
    const uint32_t link = OpprofStageLink(stage);
    finding->link = link < finding->link ? link : finding->link;
    if (is_named_only(finding)) {
        return OPPROF_OK;
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const char *record = OpprofBatchRecord(batch, i);

        if (is_row(batch->type, record) && !is_label(finding, batch->type, record)) {
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
        OpprofTextMapFinish(&finding->members);
    }
    finding->median = median_of(finding->weights, finding->weight_count);
    return status;
}

/* Tables of one link come in the order of their rows. */
static int compare_findings(const void *a, const void *b)
{
    const Finding *x = a;
    const Finding *y = b;

    return x->link != y->link ? (x->link < y->link ? -1 : 1)
                              : (x->order > y->order) - (x->order < y->order);
}

OpprofStatus FindingsSettle(Findings *findings, uint32_t most, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    /* Which of several producers was first must not show. */
    if (findings->count > 0) {
        qsort(findings->list, findings->count, sizeof *findings->list, compare_findings);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < findings->count; i++) {
        Finding *finding = &findings->list[i];

        status = settle(finding, most, error);
        if (status == OPPROF_OK) {
            status = RunTimeSettle(&finding->run_time, finding->type, error);
        }
        if (finding->run_time.us > findings->run_us) {
            findings->run_us = finding->run_time.us;
            findings->launches = finding->run_time.launches;
            findings->run_members = finding->run_time.members.count;
            findings->run_type = finding->type;
            findings->run_field = &finding->type->fields[finding->run_time.field];
        }
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
        RunTimeFinish(&finding->run_time);
    }
    free(findings->list);
    *findings = (Findings){ .count = 0 };
}

bool FindingIsAlone(const Finding *finding)
{
    return finding->shape == FINDING_TOP && finding->rows > 0 && finding->groups.total < 2 &&
           finding->kept_count == 0;
}

const char *FindingTitle(const OpprofRecordType *type)
{
    return type->title != NULL ? type->title : type->name;
}
