/* SPDX-License-Identifier: Apache-2.0 */
/* Which sections of a report fit on a screen. Tested by tests/plugins/report/test_report. */
#include "fitting.h"

#include "advice_lines.h"
#include "head.h"
#include "sections.h"

#include <opprof/text.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_LEAST 4u /* of a section, so that others have room */

static uint32_t count_shares(const Finding *finding)
{
    uint32_t count = 0;

    for (uint32_t f = 0; f < finding->type->field_count; f++) {
        const OpprofField *field = &finding->type->fields[f];

        count += FindingShareUnit(field) > 0 && (field->flags & OPPROF_FIELD_PEAK) == 0 &&
                 finding->columns[f].count > 0;
    }
    return count;
}

/* If several tables have a share, the one with the most shares shows it. */
static int compare_findings(const void *a, const void *b)
{
    const uint32_t x = count_shares(a);
    const uint32_t y = count_shares(b);

    return x != y ? (x > y ? -1 : 1)
                  : strcmp(FindingTitle(((const Finding *) a)->type),
                           FindingTitle(((const Finding *) b)->type));
}

/* ---- what does not fit ---- */

/* Tables without a file are parts of viewers' pages: results.sqlite may lack them, and nobody would
 * look them up. */
static bool has_file(const OpprofRecordType *type)
{
    return type->file_hint == NULL || *type->file_hint != '\0';
}

/* Names in as many lines as have room; the others are counted. */
typedef struct Names {
    FILE *out;
    unsigned columns; /* so far */
    unsigned room;
    uint32_t count;
    uint32_t left_out;
} Names;

static void put_name(Names *names, const char *name)
{
    const unsigned columns = PageColumns(name, strlen(name)) + 2;

    if (names->left_out > 0 || names->columns + columns > names->room) {
        names->left_out++;
        return;
    }
    fprintf(names->out, "%s%s", names->count++ == 0 ? "" : ", ", name);
    names->columns += columns;
}

/* Titles of tables that did not fit, or have nothing to compare, in a few lines. */
static void put_left_out(FILE *out, const PageStyle *style, const Sections *sections,
                         const bool *is_shown, const Findings *findings)
{
    char *text = NULL;
    size_t size;
    /* Lines end before words that do not fit, and "and 12 more" needs room, too. */
    const unsigned room = style->width > 40 ? 2 * (style->width - 24) : 32;
    Names names = { .out = OpprofTextOpen(&text, &size), .room = room };

    for (uint32_t i = 0; names.out != NULL && i < sections->count; i++) {
        if (!is_shown[i]) {
            put_name(&names, sections->list[i].title);
        }
    }
    for (uint32_t i = 0; names.out != NULL && i < findings->count; i++) {
        const Finding *finding = &findings->list[i];

        if (has_file(finding->type) &&
            (finding->shape == FINDING_NAMED ? finding->rows > 0 : FindingIsAlone(finding))) {
            put_name(&names, FindingTitle(finding->type));
        }
    }
    if (names.out != NULL && names.left_out > 0) {
        fprintf(names.out, " and %" PRIu32 " more", names.left_out);
    }
    if (names.out != NULL && fclose(names.out) == 0 && size > 0) {
        PageText(out, style, PAGE_DIM, "Also: ", text, 3);
    }
    free(text);
}

static bool put_sections(FILE *out, const PageStyle *style, const ReportLimits *limits,
                         const Sections *sections, const Findings *findings, unsigned lines)
{
    bool *is_shown = calloc((size_t) sections->count + 1, sizeof *is_shown);

    for (uint32_t i = 0; is_shown != NULL && i < sections->count; i++) {
        const Section *section = &sections->list[i];

        if (limits->lines == 0 || lines + section->lines <= limits->lines) {
            fwrite(section->text, 1, section->size, out);
            lines += section->lines;
            is_shown[i] = true;
        }
    }
    if (is_shown != NULL) {
        put_left_out(out, style, sections, is_shown, findings);
    }
    free(is_shown);
    return is_shown != NULL;
}

static unsigned count_lines(const char *text, size_t size)
{
    unsigned lines = 0;

    for (size_t i = 0; text != NULL && i < size; i++) {
        lines += text[i] == '\n';
    }
    return lines;
}

static unsigned lines_of(const Sections *sections)
{
    unsigned lines = 0;

    for (uint32_t i = 0; i < sections->count; i++) {
        lines += sections->list[i].lines;
    }
    return lines;
}

/* The first lines, or without a title the advice, as text for free(). NULL without memory. */
static char *make_text(const PageStyle *style, const ReportLimits *limits, const char *title,
                       ReportContent *content, size_t *ret_size)
{
    char *text = NULL;
    FILE *out = OpprofTextOpen(&text, ret_size);

    if (out == NULL) {
        return NULL;
    }
    if (title != NULL) {
        HeadPut(out, style, title, content);
    } else {
        AdviceLinesPut(out, style, &content->notes, limits->rows);
    }
    fclose(out);
    return text;
}

/* If not everything fits, fewer rows of each section leave room for more sections. */
bool ReportPrint(FILE *out, const PageStyle *style, const ReportLimits *limits, const char *title,
                 ReportContent *content)
{
    ReportLimits fewer = *limits;
    Sections sections = { .count = 0 };
    size_t head_size = 0, size = 0;
    char *head, *advice;
    unsigned lines;
    bool is_good;

    if (limits->lines > 0 && fewer.rows > limits->lines) {
        fewer.rows = limits->lines; /* a section of more rows finds no room */
    }
    if (content->findings.count > 0) {
        qsort(content->findings.list, content->findings.count, sizeof *content->findings.list,
              compare_findings);
    }
    SectionsMake(&sections, style, &fewer, content);
    head = make_text(style, limits, title, content, &head_size);
    advice = make_text(style, limits, NULL, content, &size);
    lines = count_lines(head, head_size) + count_lines(advice, size) + 2;
    while (limits->lines > 0 && fewer.rows > ROWS_LEAST &&
           lines_of(&sections) + lines > limits->lines) {
        fewer.rows--;
        SectionsFree(&sections);
        SectionsMake(&sections, style, &fewer, content);
    }
    is_good = head != NULL && advice != NULL && !sections.is_out_of_memory;
    if (is_good) {
        fwrite(head, 1, head_size, out);
    }
    is_good = is_good && put_sections(out, style, limits, &sections, &content->findings, lines);
    if (is_good) {
        fwrite(advice, 1, size, out);
    }
    SectionsFree(&sections);
    free(head);
    free(advice);
    return is_good;
}
