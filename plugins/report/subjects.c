/* SPDX-License-Identifier: Apache-2.0 */
/* What ran: operators, chip, blocks. Tested by tests/plugins/report/test_report. */
#include "subjects.h"

#include <opprof/print.h>
#include <opprof/records/subject.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

bool SubjectsHave(const OpprofRecordType *type)
{
    return strcmp(type->name, OPPROF_SUBJECT_TABLE) == 0;
}

/* A row, with fields by their names, since the table of an old run may lack some. */
typedef struct Row {
    const OpprofStage *stage;
    const OpprofBatch *batch;
    const void *record;
} Row;

/* The text of a field, for free(). NULL: it is absent. `*is_good`: false without memory. */
static char *text_of(const Row *row, const char *name, bool *is_good)
{
    const OpprofField *field = OpprofFieldFind(row->batch->type, name, strlen(name));
    char number[OPPROF_TEXT_NUMBER];
    size_t size = 0;
    const char *text =
        field == NULL ? NULL
                      : OpprofFieldPrint(row->stage, row->batch, field, row->record, number, &size);
    char *copy = text == NULL || size == 0 ? NULL : strndup(text, size);

    *is_good = *is_good && (copy != NULL || text == NULL || size == 0);
    if (copy != NULL) {
        OpprofTextTame(copy, false);
    }
    return copy;
}

/* 0: it is absent. */
static double number_of(const Row *row, const char *name)
{
    const OpprofField *field = OpprofFieldFind(row->batch->type, name, strlen(name));
    double number = 0;

    return field != NULL && OpprofFieldNumber(field, row->record, &number) ? number : 0;
}

/* Takes over `name`. Names are kept in their alphabetical order, the first of all: launches end in
 * any order. */
static void add_name(Subjects *subjects, char *name)
{
    uint32_t at = 0;

    while (name != NULL && at < subjects->name_count && strcmp(subjects->names[at], name) < 0) {
        at++;
    }
    if (name == NULL || (at < subjects->name_count && strcmp(subjects->names[at], name) == 0)) {
        free(name);
        return;
    }
    for (uint32_t i = at; i < subjects->name_count; i++) {
        char *later = subjects->names[i];

        subjects->names[i] = name;
        name = later;
    }
    if (subjects->name_count < SUBJECT_NAMES) {
        subjects->names[subjects->name_count++] = name;
    } else {
        subjects->has_more_names = true;
        free(name);
    }
}

/* Keep the first text; false if `text`, which is taken over, is another one. */
static bool keep(char **kept, char *text)
{
    const bool is_same = *kept == NULL || text == NULL || strcmp(*kept, text) == 0;

    if (*kept == NULL) {
        *kept = text;
    } else {
        free(text);
    }
    return is_same;
}

static bool take_row(Subjects *subjects, const Row *row)
{
    const double blocks = number_of(row, "blocks"), cores = number_of(row, "cores");
    const double cycles = number_of(row, "cycles");
    bool is_good = true;

    add_name(subjects, text_of(row, "name", &is_good));
    if (!keep(&subjects->chip, text_of(row, "chip", &is_good))) {
        subjects->has_chips = true;
    }
    keep(&subjects->way, text_of(row, "way", &is_good));
    subjects->blocks = subjects->launches == 0 || subjects->blocks == blocks ? blocks : 0;
    subjects->cores = subjects->launches == 0 || subjects->cores == cores ? cores : 0;
    subjects->cycles += cycles;
    subjects->lacks_cycles = subjects->lacks_cycles || cycles <= 0;
    subjects->launches++;
    return is_good;
}

bool SubjectsTake(Subjects *subjects, const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!take_row(subjects,
                      &(Row){ stage, batch, (const char *) OpprofBatchRecord(batch, i) })) {
            return false;
        }
    }
    return true;
}

static void put_count(FILE *out, double count, const char *one, const char *several)
{
    if (count > 0) {
        fprintf(out, ", %.0f %s", count, OPPROF_PLURAL((uint64_t) count, one, several));
    }
}

void SubjectsPut(FILE *out, const Subjects *subjects, const char *otherwise)
{
    for (uint32_t i = 0; i < subjects->name_count; i++) {
        fprintf(out, "%s%s", i == 0 ? "" : ", ", subjects->names[i]);
    }
    if (subjects->has_more_names) {
        fputs(" and others", out);
    }
    if (subjects->name_count == 0) {
        fputs(otherwise, out);
    }
    if (subjects->has_chips) {
        fputs(" on several chips", out);
    } else if (subjects->chip != NULL) {
        fprintf(out, " on %s", subjects->chip);
    }
    put_count(out, subjects->blocks, "block", "blocks");
    if (subjects->blocks <= 0) {
        put_count(out, subjects->cores, "core", "cores");
    }
    if (subjects->way != NULL) {
        fprintf(out, ", %s", subjects->way);
    }
}

void SubjectsFree(Subjects *subjects)
{
    for (uint32_t i = 0; i < subjects->name_count; i++) {
        free(subjects->names[i]);
    }
    free(subjects->chip);
    free(subjects->way);
    *subjects = (Subjects){ .launches = 0 };
}
