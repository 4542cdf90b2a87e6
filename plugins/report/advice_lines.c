/* SPDX-License-Identifier: Apache-2.0 */
/* What a report says of advice. Tested by tests/plugins/report/test_report. */
#include "advice_lines.h"

#include <opprof/present.h>
#include <opprof/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "aic_mte2_ratio=0.83 in PipeUtilization.csv" */
static void put_value(FILE *out, const Note *note)
{
    const bool has_unit = note->unit[0] != '\0' && strcmp(note->unit, "ratio") != 0;

    fputs(note->column, out);
    if (!isnan(note->value)) {
        fprintf(out, "=%.6g%s%s", note->value, has_unit ? " " : "", has_unit ? note->unit : "");
    }
    fprintf(out, "%s%s", note->file[0] != '\0' ? " in " : "", note->file);
}

/* The possible gain, and the number that it follows from. */
static void put_source(FILE *out, const PageStyle *style, const Note *note)
{
    char *text = NULL;
    size_t size;
    FILE *line = OpprofTextOpen(&text, &size);

    if (line == NULL) {
        return;
    }
    if (!isnan(note->gain)) {
        fprintf(line, "could save up to %.1f %% of the time%s", note->gain,
                note->column[0] != '\0' ? ": " : "");
    }
    if (note->column[0] != '\0') {
        put_value(line, note);
    }
    if (fclose(line) == 0 && text[0] != '\0') {
        PageText(out, style, PAGE_PLAIN, "    ", text, PAGE_ALL_LINES);
    }
    free(text);
}

static void put_numbers(FILE *out, const PageStyle *style, const Note *note)
{
    char *from = NULL;

    /* The file of advice has them too; one number that can be looked up is enough here. */
    if (note->column[0] == '\0' && note->numbers[0] != '\0' &&
        asprintf(&from, "%s: %s", note->topic, note->numbers) >= 0) {
        PageText(out, style, PAGE_DIM, "    ", from, 1);
        free(from);
    }
}

char *AdviceLinesCause(const Note *note)
{
    char *text = NULL;
    size_t size;
    FILE *line = OpprofTextOpen(&text, &size);

    if (line == NULL) {
        return NULL;
    }
    if (note->rule[0] != '\0' && !isnan(note->gain)) {
        fprintf(line, "up to %.1f %%: ", note->gain);
    }
    fputs(note->sentence, line);
    if (note->subject[0] != '\0') {
        fprintf(line, " (%s%s)", note->subject, note->said > 1 ? ", …" : "");
    }
    return fclose(line) == 0 ? text : NULL;
}

/* What a rule says: the cause and its gain, then what to do. */
static void put_todo(FILE *out, const PageStyle *style, const Note *note)
{
    if (note->todo[0] != '\0') {
        PageText(out, style, PAGE_PLAIN, "    ", note->todo, PAGE_ALL_LINES);
    }
}

static void put_note(FILE *out, const PageStyle *style, const Note *note)
{
    static const PageColour colours[] = { [OPPROF_SEVERITY_NOTE] = PAGE_DIM,
                                          [OPPROF_SEVERITY_HINT] = PAGE_WARN,
                                          [OPPROF_SEVERITY_PROBLEM] = PAGE_BAD };
    static const char *const marks[] = { [OPPROF_SEVERITY_NOTE] = "  - ",
                                         [OPPROF_SEVERITY_HINT] = "  ! ",
                                         [OPPROF_SEVERITY_PROBLEM] = "  X " };
    char *text = AdviceLinesCause(note);

    PageText(out, style, colours[note->severity], marks[note->severity],
             text != NULL ? text : note->sentence, PAGE_ALL_LINES);
    free(text);
    if (note->rule[0] != '\0') {
        put_todo(out, style, note);
        return;
    }
    if (note->said > 1) {
        fprintf(out, "    said %u times\n", note->said);
    }
    put_source(out, style, note);
    put_numbers(out, style, note);
}

static uint32_t count_gains(const Notes *notes)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < notes->count; i++) {
        count += !isnan(notes->list[i].gain);
    }
    return count;
}

void AdviceLinesPut(FILE *out, const PageStyle *style, const Notes *notes, unsigned most)
{
    if (notes->count == 0) {
        return;
    }
    PageTitle(out, style, "Advice",
              count_gains(notes) > 1 ? "each gain is a bound by itself" : NULL);
    for (uint32_t i = 0; i < notes->count && i < most; i++) {
        put_note(out, style, &notes->list[i]);
    }
    if (notes->count > most) {
        fprintf(out, "  and %llu more in advice.csv\n",
                (unsigned long long) (notes->count - most + notes->left_out));
    }
}
