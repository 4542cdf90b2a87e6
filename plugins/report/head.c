/* SPDX-License-Identifier: Apache-2.0 */
/* The first lines of a report. Tested by tests/plugins/report/test_report. */
#include "head.h"

#include "advice_lines.h"

#include <inttypes.h>
#include <opprof/print.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_LINES 4u

/* The word for several members, of the heading of their key: "cores" of "core_name". */
static void put_members(FILE *out, const OpprofRecordType *type)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if ((type->fields[f].flags & OPPROF_FIELD_MEMBER) != 0) {
            const char *heading = OpprofFieldHeading(&type->fields[f]);

            fprintf(out, " %.*ss", (int) strcspn(heading, "_( "), heading);
            return;
        }
    }
}

/* A time of one of several, " per step", by its heading. */
static void put_per(FILE *out, const Findings *findings)
{
    if (findings->run_field->flags & OPPROF_FIELD_ALONE) {
        const char *heading = OpprofFieldHeading(findings->run_field);

        fprintf(out, " per %.*s", (int) strcspn(heading, "_( "), heading);
    }
}

/* "3 launches: 25.7 us, 47,545 cycles (the longest of 4 cores)." */
static void put_time(FILE *out, const ReportContent *content)
{
    const Findings *findings = &content->findings;
    const Subjects *subjects = &content->subjects;
    char text[32];

    PageTime(text, findings->run_us);
    if (findings->launches > 1) {
        fprintf(out, "%" PRIu64 " launches: ", findings->launches);
    }
    fputs(text, out);
    put_per(out, findings);
    if (subjects->cycles > 0 && !subjects->lacks_cycles) {
        PageNumber(text, subjects->cycles, true);
        fprintf(out, ", %s cycles", text);
    }
    if (findings->run_members > 1) {
        fprintf(out, " (the longest of %" PRIu32, findings->run_members);
        put_members(out, findings->run_type);
        fputc(')', out);
    }
    fputc('.', out);
}

/* What ran: "matmul on Ascend910B1, 4 blocks, simulated: ./app", or the title alone. */
static void put_subject(FILE *out, const PageStyle *style, const char *title,
                        const Subjects *subjects)
{
    char *text = NULL;
    size_t size;
    FILE *line = OpprofTextOpen(&text, &size);

    if (line == NULL) {
        return;
    }
    if (subjects->launches > 0) {
        SubjectsPut(line, subjects, title[0] == '\0' ? "An operator" : title);
    }
    if (title[0] != '\0' && (subjects->launches == 0 || subjects->name_count > 0)) {
        fprintf(line, "%s%s", subjects->launches == 0 ? "" : ": ", title);
    }
    if (fclose(line) == 0 && size > 0) {
        PageText(out, style, PAGE_PLAIN, "", text, TITLE_LINES);
    }
    free(text);
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
    put_subject(out, style, title, &content->subjects);
    line = OpprofTextOpen(&text, &size);
    if (line == NULL) {
        return;
    }
    if (content->findings.run_us > 0) {
        put_time(line, content);
    }
    if (content->findings.run_us > 0 && content->notes.count > 0) {
        fputc(' ', line);
    }
    if (content->notes.count > 0) {
        put_advice(line, &content->notes.list[0]);
    }
    if (fclose(line) == 0 && size > 0) {
        PageText(out, style, PAGE_BOLD, "", text, PAGE_ALL_LINES);
    }
    free(text);
}
