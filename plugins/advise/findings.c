/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of advice: kept, ordered and given. Tested by tests/plugins/advise/test_advise. */
#include "findings.h"

#include <opprof/grow.h>
#include <opprof/present.h>
#include <opprof/text.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 2000u /* bytes of a text; the rest is cut off */

/* The longest part that fits and ends between two characters. */
static size_t fitting(const char *text, size_t length)
{
    size_t end = length < TEXT_MAX ? length : TEXT_MAX;

    while (end < length && end > 0 && ((unsigned char) text[end] & 0xc0) == 0x80) {
        end--;
    }
    return end;
}

bool FindingCopy(const char *text, size_t length, char **ret_copy)
{
    const size_t end = text == NULL ? 0 : fitting(text, length);
    bool is_plain = true;

    *ret_copy = NULL;
    if (end == 0) {
        return true;
    }
    *ret_copy = malloc(end + 1);
    if (*ret_copy == NULL) {
        return false;
    }
    for (size_t i = 0; i < end; i++) { /* a NUL would hide the rest */
        (*ret_copy)[i] = (char) (text[i] == '\0' || text[i] == '\n' ? ' ' : text[i]);
        is_plain = is_plain && (*ret_copy)[i] >= ' ' && (*ret_copy)[i] <= '~';
    }
    (*ret_copy)[end] = '\0';
    if (!is_plain) {
        OpprofTextTame(*ret_copy, false);
    }
    return true;
}

void FindingFree(Finding *finding)
{
    for (size_t i = 0; i < FINDING_TEXTS; i++) {
        free(finding->texts[i]);
        finding->texts[i] = NULL;
    }
}

bool FindingsAdd(Findings *findings, Finding *finding)
{
    if (!OpprofGrow32(&findings->list, &findings->capacity, findings->count + 1,
                      sizeof *findings->list)) {
        FindingFree(finding);
        return false;
    }
    findings->list[findings->count++] = *finding;
    return true;
}

/* ---- advice of other stages ---- */

static bool copy_string(const OpprofStage *stage, uint32_t id, char **ret_copy)
{
    size_t length;
    const char *text = OpprofStageStringLength(stage, id, &length);

    return FindingCopy(text, length, ret_copy);
}

static bool copy_text(const OpprofBatch *batch, OpprofText text, char **ret_copy)
{
    return FindingCopy(OpprofBatchText(batch, text), text.length, ret_copy);
}

static uint32_t severity_of(const char *name)
{
    return strcmp(name, "problem") == 0 ? OPPROF_SEVERITY_PROBLEM
           : strcmp(name, "hint") == 0  ? OPPROF_SEVERITY_HINT
                                        : OPPROF_SEVERITY_NOTE;
}

static bool take_one(Findings *findings, const OpprofStage *stage, const OpprofBatch *batch,
                     const OpprofAdvice *advice)
{
    Finding finding = { .severity = severity_of(OpprofStageString(stage, advice->severity)),
                        .value = advice->value,
                        .gain = advice->gain,
                        .gain_us = advice->gain_us,
                        .whole_us = advice->whole_us,
                        .start_us = advice->start_us };
    char **texts = finding.texts;
    const bool is_good = copy_string(stage, advice->topic, &texts[FINDING_TOPIC]) &&
                         copy_string(stage, advice->subject, &texts[FINDING_SUBJECT]) &&
                         copy_text(batch, advice->sentence, &texts[FINDING_SENTENCE]) &&
                         copy_text(batch, advice->numbers, &texts[FINDING_NUMBERS]) &&
                         copy_string(stage, advice->file, &texts[FINDING_FILE]) &&
                         copy_string(stage, advice->column, &texts[FINDING_COLUMN]) &&
                         copy_string(stage, advice->unit, &texts[FINDING_UNIT]) &&
                         copy_text(batch, advice->todo, &texts[FINDING_TODO]) &&
                         copy_string(stage, advice->from_table, &texts[FINDING_TABLE]) &&
                         copy_string(stage, advice->track, &texts[FINDING_TRACK]);

    if (!is_good) {
        FindingFree(&finding);
        return false;
    }
    return FindingsAdd(findings, &finding);
}

bool FindingsTake(Findings *findings, const OpprofStage *stage, const OpprofBatch *batch)
{
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        OpprofAdvice advice;

        memcpy(&advice, OpprofBatchRecord(batch, i), sizeof advice);
        if (advice.rule == OPPROF_NA_STRING) {
            is_good = take_one(findings, stage, batch, &advice);
        }
    }
    return is_good;
}

/* ---- order ---- */

static int compare_numbers(double a, double b)
{
    const double x = isnan(a) ? 0 : a;
    const double y = isnan(b) ? 0 : b;

    return x > y ? -1 : x < y;
}

static int compare_texts(const char *a, const char *b)
{
    return strverscmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

int FindingsCompare(const void *a, const void *b)
{
    static const int by_texts[] = { FINDING_RULE, FINDING_SUBJECT, FINDING_TOPIC, FINDING_SENTENCE,
                                    FINDING_NUMBERS };
    const Finding *x = a;
    const Finding *y = b;
    int order = compare_numbers(x->gain, y->gain);

    order = order != 0 ? order : compare_numbers(x->gain_us, y->gain_us);
    order = order != 0 ? order : compare_numbers(x->severity, y->severity);
    for (size_t i = 0; order == 0 && i < OPPROF_COUNT(by_texts); i++) {
        order = compare_texts(x->texts[by_texts[i]], y->texts[by_texts[i]]);
    }
    return order;
}

/* ---- giving them ---- */

/* "ranks" where the subject is a rank. */
static void print_kind(FILE *out, const char *subject)
{
    static const char *const kinds[] = { "rank", "core", "device", "step", "stream" };

    for (size_t i = 0; subject != NULL && i < OPPROF_COUNT(kinds); i++) {
        const size_t length = strlen(kinds[i]);

        if (strncmp(subject, kinds[i], length) == 0 && subject[length] == ' ') {
            fprintf(out, "%ss", kinds[i]);
            return;
        }
    }
    fputs("subjects", out);
}

/* The sentence with the number of subjects that are not mentioned; NULL without memory. */
static char *whole_sentence(const Finding *finding)
{
    char *text = NULL;
    size_t size;
    FILE *out = OpprofTextOpen(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    fputs(finding->texts[FINDING_SENTENCE], out);
    if (finding->more > 0) {
        fprintf(out, ", and so for %llu more ", (unsigned long long) finding->more);
        print_kind(out, finding->texts[FINDING_SUBJECT]);
    }
    return fclose(out) == 0 ? text : NULL;
}

static OpprofStatus give(const Finding *finding, OpprofStage *stage, uint32_t port)
{
    char *const *texts = finding->texts;
    char *sentence = texts[FINDING_SENTENCE] == NULL ? strdup("") : whole_sentence(finding);
    OpprofStatus status;

    if (sentence == NULL) {
        return OPPROF_E_MEMORY;
    }
    status = OpprofStageAdvise(
        stage, port, OPPROF_NA_STRING,
        &(OpprofAdviceText){ .severity = finding->severity,
                             .topic = texts[FINDING_TOPIC] == NULL ? "" : texts[FINDING_TOPIC],
                             .subject = texts[FINDING_SUBJECT],
                             .sentence = sentence,
                             .numbers = texts[FINDING_NUMBERS],
                             .file = texts[FINDING_FILE],
                             .column = texts[FINDING_COLUMN],
                             .unit = texts[FINDING_UNIT],
                             .value = finding->value,
                             .gain = finding->gain,
                             .rule = texts[FINDING_RULE],
                             .todo = texts[FINDING_TODO],
                             .gain_us = finding->gain_us,
                             .whole_us = finding->whole_us,
                             .from_table = texts[FINDING_TABLE],
                             .track = texts[FINDING_TRACK],
                             .start_us = finding->start_us });
    free(sentence);
    return status;
}

OpprofStatus FindingsGive(Findings *findings, OpprofStage *stage, uint32_t port)
{
    OpprofStatus status = OPPROF_OK;

    if (findings->count > 0) {
        qsort(findings->list, findings->count, sizeof *findings->list, FindingsCompare);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < findings->count; i++) {
        if (!findings->list[i].is_dropped) {
            status = give(&findings->list[i], stage, port);
        }
    }
    return status;
}

void FindingsFree(Findings *findings)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        FindingFree(&findings->list[i]);
    }
    free(findings->list);
    *findings = (Findings){ .count = 0 };
}
