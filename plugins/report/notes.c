/* SPDX-License-Identifier: Apache-2.0 */
/* The advice that a report shows. Tested by tests/plugins/report/test_report. */
#include "notes.h"

#include <opprof/grow.h>
#include <opprof/present.h>
#include <opprof/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOTES_MAX 1000u

/* A sanitized copy; NULL without memory. */
static char *copy_text(const char *text, size_t length)
{
    char *copy = text == NULL ? strdup("") : strndup(text, length);

    if (copy != NULL) {
        OpprofTextTame(copy, false);
    }
    return copy;
}

static char *copy_blob(const OpprofBatch *batch, OpprofText text)
{
    return copy_text(OpprofBatchText(batch, text), text.length);
}

static char *copy_interned(const OpprofStage *stage, uint32_t id)
{
    size_t length;
    const char *text = OpprofStageStringLength(stage, id, &length);

    return copy_text(text, length);
}

static uint32_t severity_of(const OpprofStage *stage, uint32_t id)
{
    const char *text = OpprofStageString(stage, id);

    return strcmp(text, "problem") == 0 ? OPPROF_SEVERITY_PROBLEM
           : strcmp(text, "hint") == 0  ? OPPROF_SEVERITY_HINT
                                        : OPPROF_SEVERITY_NOTE;
}

static void free_note(Note *note)
{
    free(note->sentence);
    free(note->topic);
    free(note->subject);
    free(note->numbers);
    free(note->column);
    free(note->file);
    free(note->unit);
    free(note->rule);
    free(note->todo);
}

/* Below 0: a's gain is larger. Unknown gains count as 0. */
static int compare_gains(const Note *a, const Note *b)
{
    const double x = isnan(a->gain) ? 0 : a->gain;
    const double y = isnan(b->gain) ? 0 : b->gain;

    return x > y ? -1 : x < y;
}

/* Of equal sentences the report names one, which does not depend on the order of arrival. */
static void prefer_smaller(Note *kept, Note *note)
{
    const int by_gain = compare_gains(note, kept);
    const int by_subject = strverscmp(note->subject, kept->subject);
    const Note before = *kept;

    if (by_gain < 0 ||
        (by_gain == 0 &&
         (by_subject < 0 || (by_subject == 0 && strcmp(note->numbers, kept->numbers) < 0)))) {
        *kept = *note;
        kept->said = before.said;
        *note = before;
    }
}

/* A rule says the same of all its subjects. */
static bool is_same(const Note *a, const Note *b)
{
    return a->rule[0] != '\0' || b->rule[0] != '\0'
               ? strcmp(a->rule, b->rule) == 0
               : a->severity == b->severity && strcmp(a->sentence, b->sentence) == 0;
}

static bool is_said(Notes *notes, Note *note)
{
    for (uint32_t i = 0; i < notes->count; i++) {
        if (is_same(&notes->list[i], note)) {
            notes->list[i].said++;
            prefer_smaller(&notes->list[i], note);
            return true;
        }
    }
    return false;
}

/* Frees the contents of the note. */
static bool add(Notes *notes, Note *note)
{
    if (note->sentence == NULL || note->topic == NULL || note->subject == NULL ||
        note->numbers == NULL || note->column == NULL || note->file == NULL || note->unit == NULL ||
        note->rule == NULL || note->todo == NULL) {
        free_note(note);
        return false;
    }
    const bool is_known = is_said(notes, note);

    if (is_known || notes->count >= NOTES_MAX) {
        notes->left_out += !is_known;
        free_note(note);
        return true;
    }
    if (!OpprofGrow32(&notes->list, &notes->capacity, notes->count + 1, sizeof *notes->list)) {
        free_note(note);
        return false;
    }
    notes->list[notes->count++] = *note;
    return true;
}

bool NotesTake(Notes *notes, const OpprofStage *stage, const OpprofBatch *batch)
{
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        OpprofAdvice advice;
        Note note;

        memcpy(&advice, OpprofBatchRecord(batch, i), sizeof advice);
        note = (Note){ .severity = severity_of(stage, advice.severity),
                       .sentence = copy_blob(batch, advice.sentence),
                       .topic = copy_interned(stage, advice.topic),
                       .subject = copy_interned(stage, advice.subject),
                       .numbers = copy_blob(batch, advice.numbers),
                       .column = copy_interned(stage, advice.column),
                       .file = copy_interned(stage, advice.file),
                       .unit = copy_interned(stage, advice.unit),
                       .rule = copy_interned(stage, advice.rule),
                       .todo = copy_blob(batch, advice.todo),
                       .value = advice.value,
                       .gain = advice.gain,
                       .said = 1 };
        is_good = add(notes, &note);
    }
    return is_good;
}

static int compare(const void *a, const void *b)
{
    const Note *x = a;
    const Note *y = b;

    if (compare_gains(x, y) != 0) {
        return compare_gains(x, y);
    }
    if (x->severity != y->severity) {
        return x->severity > y->severity ? -1 : 1;
    }
    if (x->said != y->said) {
        return x->said > y->said ? -1 : 1;
    }
    return strcmp(x->sentence, y->sentence);
}

void NotesSort(Notes *notes)
{
    if (notes->count > 0) {
        qsort(notes->list, notes->count, sizeof *notes->list, compare);
    }
}

void NotesFree(Notes *notes)
{
    for (uint32_t i = 0; i < notes->count; i++) {
        free_note(&notes->list[i]);
    }
    free(notes->list);
    *notes = (Notes){ .count = 0 };
}
