/* SPDX-License-Identifier: Apache-2.0 */
/* The first lines of a report. Tested by tests/plugins/report/test_report. */
#include "head.h"

#include "advice_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_LINES 4u
#define ANSWER_LINES 5u

/* "3 launches: 25.7 us (the longest of 4)." */
static void put_time(FILE *out, const Findings *findings)
{
    char text[32];

    PageTime(text, findings->run_us);
    if (findings->launches > 1) {
        fprintf(out, "%" PRIu64 " launches: ", findings->launches);
    }
    fputs(text, out);
    if (findings->run_members > 1) {
        fprintf(out, " (the longest of %" PRIu32 ")", findings->run_members);
    }
    fputc('.', out);
}

static void put_advice(FILE *out, const Note *note)
{
    char *cause = AdviceLinesCause(note);

    if (cause == NULL) {
        return;
    }
    cause[0] = strncmp(cause, "up to ", strlen("up to ")) == 0 ? 'U' : cause[0];
    fprintf(out, "%s.", cause);
    if (note->todo[0] != '\0') {
        fprintf(out, " %s.", note->todo);
    }
    free(cause);
}

void HeadPut(FILE *out, const PageStyle *style, const char *title, ReportContent *content)
{
    char *text = NULL;
    size_t size;
    FILE *line;

    NotesSort(&content->notes);
    if (title[0] != '\0') {
        PageText(out, style, PAGE_PLAIN, "", title, TITLE_LINES);
    }
    line = open_memstream(&text, &size);
    if (line == NULL) {
        return;
    }
    if (content->findings.run_us > 0) {
        put_time(line, &content->findings);
    }
    if (content->findings.run_us > 0 && content->notes.count > 0) {
        fputc(' ', line);
    }
    if (content->notes.count > 0) {
        put_advice(line, &content->notes.list[0]);
    }
    if (PageStreamEnd(line, &text) && size > 0) {
        PageText(out, style, PAGE_BOLD, "", text, ANSWER_LINES);
    }
    free(text);
}
