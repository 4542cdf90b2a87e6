/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of a report, and their order. Tested by tests/plugins/report/test_report. */
#include "sections.h"

#include "heaviest.h"
#include "row_names.h"
#include "rows.h"

#include <opprof/grow.h>
#include <opprof/print.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define LIST_LINES 10u        /* of a single row that is worth its room */
#define ALONE_LINES 4u        /* of a single row; a longer one becomes a list */
#define SHARE_SMALLEST 0.0005 /* "0.0 %" is useless */

/* Sections that are shown first. */
enum {
    RANK_ANSWER,  /* a summary that says what weighs most */
    RANK_SUMMARY, /* a summary of the subject of the run */
    RANK_PEAK,
    RANK_PARTS,
    RANK_LANES,
    RANK_WEIGHT, /* of times */
    RANK_DETAIL, /* what weighs most, repeated by another key */
    RANK_SHARES,
    RANK_CONTEXT, /* the subject of a run that has a result */
    RANK_COUNTS,  /* weights that are no times */
    RANK_TIMES,
    RANK_TIED, /* the heaviest of many rows weigh the same */
    RANK_LIST, /* a single row of many columns */
    RANK_CURVES
};

static FILE *begin(Sections *sections, unsigned rank, const char *title)
{
    Section *section;
    FILE *out;

    if (!OpprofGrow32(&sections->list, &sections->capacity, sections->count + 1,
                      sizeof *sections->list)) {
        sections->is_out_of_memory = true;
        return NULL;
    }
    section = &sections->list[sections->count];
    *section = (Section){ .rank = rank, .title = title, .order = sections->count };
    out = OpprofTextOpen(&section->text, &section->size);
    sections->is_out_of_memory = sections->is_out_of_memory || out == NULL;
    return out;
}

/* A section with nothing but its title is dropped. */
static void end(Sections *sections, FILE *out)
{
    Section *section = &sections->list[sections->count];

    if (out == NULL) {
        return;
    }
    if (fclose(out) != 0) {
        sections->is_out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < section->size; i++) {
        section->lines += section->text[i] == '\n';
    }
    if (strstr(section->text, "\n  ") == NULL) { /* rows are indented */
        free(section->text);
        return;
    }
    sections->count++;
}

/* ---- shares ---- */

/* Something with a share, to be sorted. */
typedef struct Share {
    const OpprofField *field;
    double share;
    double most; /* below 0: not shown */
} Share;

/*
 * The larger sum first. The last digits of a sum depend on the order of its parts, so they are
 * ignored: sums that differ only in them are equal, and sorted by name.
 */
static int compare_sums(double left, double right, const char *left_name, const char *right_name)
{
    const float x = (float) left;
    const float y = (float) right;

    return x > y ? -1 : x < y ? 1 : strcmp(left_name, right_name);
}

static int compare_shares(const void *a, const void *b)
{
    const Share *x = a;
    const Share *y = b;

    return compare_sums(x->share, y->share, x->field->name, y->field->name);
}

/* False if a share with that heading was shown before. */
static bool is_new(const Sections *sections, const OpprofField *field)
{
    const char *heading = OpprofFieldHeading(field);

    return OpprofTextMapFind(&sections->seen, heading, strlen(heading)) == OPPROF_MAP_NONE;
}

static void remember(Sections *sections, const OpprofField *field)
{
    const char *heading = OpprofFieldHeading(field);

    if (!OpprofTextMapPut(&sections->seen, heading, strlen(heading), 0, NULL)) {
        sections->is_out_of_memory = true;
    }
}

/* Parts are words; shares have the names of their columns, without the unit of the number beside
 * them. */
static void name_share(char *out, size_t size, const OpprofField *field)
{
    const char *heading = OpprofFieldHeading(field);
    const char *unit = strstr(heading, "(%)");

    if ((field->flags & OPPROF_FIELD_PART) != 0) {
        PageWords(out, size, heading);
    } else {
        snprintf(out, size, "%.*s",
                 (int) (unit == NULL ? strlen(heading) : (size_t) (unit - heading)), heading);
    }
}

static void put_shares(Sections *sections, FILE *out, const PageStyle *style, Share *shares,
                       uint32_t count, unsigned most)
{
    uint64_t more = 0;

    qsort(shares, count, sizeof *shares, compare_shares);
    for (uint32_t i = 0; i < count && shares[i].share >= SHARE_SMALLEST; i++) {
        char value[40] = "", name[LABEL_BYTES];

        if (!is_new(sections, shares[i].field)) {
            continue;
        }
        if (most == 0) {
            more++;
            continue;
        }
        most--;
        remember(sections, shares[i].field);
        if (shares[i].most > shares[i].share * 1.005) {
            snprintf(value, sizeof value, "max %.1f %%", shares[i].most * 100);
        }
        name_share(name, sizeof name, shares[i].field);
        PageBar(out, style, name, shares[i].share, value);
    }
    PageMore(out, more);
}

/* Adds the means of columns that say `flag` (0: any share). */
static uint32_t mean_shares(const Finding *finding, uint32_t flag, Share *shares, uint32_t room)
{
    uint32_t count = 0;

    for (uint32_t f = 0; f < finding->type->field_count && count < room; f++) {
        const OpprofField *field = &finding->type->fields[f];
        const FindingColumn *column = &finding->columns[f];
        const double unit = FindingShareUnit(field);

        if (unit > 0 && column->count > 0 && NameIsShown(field) &&
            (flag == 0 ? (field->flags & OPPROF_FIELD_PEAK) == 0 : (field->flags & flag) != 0)) {
            shares[count++] = (Share){ .field = field,
                                       .share = (double) (column->sum / column->count) / unit,
                                       .most = column->count > 1 ? column->most / unit : -1 };
        }
    }
    return count;
}

static uint32_t part_shares(const Finding *finding, Share *shares, uint32_t room)
{
    const long double whole = finding->columns[finding->weight].sum;
    uint32_t count = 0;

    for (uint32_t f = 0; f < finding->type->field_count && count < room; f++) {
        const OpprofField *field = &finding->type->fields[f];

        if ((field->flags & OPPROF_FIELD_PART) != 0 && whole > 0) {
            shares[count++] = (Share){ .field = field,
                                       .share = (double) (finding->columns[f].sum / whole),
                                       .most = -1 };
        }
    }
    return count;
}

#define SHARES_MAX 256u

/* Collects from all tables how close the hardware came to its peaks. */
static void add_peaks(Sections *sections, const PageStyle *style, const ReportLimits *limits,
                      const Findings *findings)
{
    Share shares[SHARES_MAX];
    uint32_t count = 0;
    FILE *out = begin(sections, RANK_PEAK, "Speed of light");

    if (out == NULL) {
        return;
    }
    for (uint32_t i = 0; i < findings->count; i++) {
        count +=
            mean_shares(&findings->list[i], OPPROF_FIELD_PEAK, shares + count, SHARES_MAX - count);
    }
    PageTitle(out, style, "Speed of light", "share of the peak");
    put_shares(sections, out, style, shares, count, limits->rows + 3);
    end(sections, out);
    /* The load of a unit may be a share of a peak, and is nevertheless shown
     * with the other units. */
    OpprofTextMapFinish(&sections->seen);
}

/* ---- tables ---- */

static unsigned rank_of(const Findings *findings, const Finding *finding, unsigned most)
{
    const bool says_weight =
        finding->weight < finding->type->field_count &&
        (finding->type->fields[finding->weight].flags & OPPROF_FIELD_WEIGHT) != 0;

    switch (finding->shape) {
    case FINDING_PARTS:
        return RANK_PARTS;
    case FINDING_SHARES:
        return RANK_SHARES;
    case FINDING_TOP:
        return (finding->type->flags & OPPROF_RECORD_SUMMARY) != 0               ? RANK_ANSWER
               : HeaviestIsTied(finding, most)                                   ? RANK_TIED
               : !says_weight                                                    ? RANK_TIMES
               : OpprofUnitTime(finding->type->fields[finding->weight].unit) > 0 ? RANK_WEIGHT
                                                                                 : RANK_COUNTS;
    case FINDING_NAMED:
    case FINDING_ROWS:
    default: /* the first lines say how long the longest core took */
        return findings->run_type == finding->type && findings->run_members > 1 ? RANK_CONTEXT
                                                                                : RANK_SUMMARY;
    }
}

/* A single row has nothing to be slower than: it counts as a result while it is short, is not that
 * of the run's time, which the first lines have, and there are no peaks, which say more. */
static void put_upright_later(Sections *sections, bool has_run_time)
{
    const bool has_peaks = sections->count > 0 && sections->list[0].rank == RANK_PEAK;
    Section *last = sections->count == 0 ? NULL : &sections->list[sections->count - 1];

    if (last != NULL && last->lines > LIST_LINES) {
        last->rank = RANK_LIST;
    } else if (last != NULL && last->rank == RANK_ANSWER &&
               (has_run_time || has_peaks || last->lines > ALONE_LINES)) {
        last->rank = RANK_CONTEXT;
    }
}

/* What the parts are shares of. */
static void name_parts(char *out, size_t size, const Finding *finding)
{
    char words[64];

    PageWords(words, sizeof words, OpprofFieldHeading(&finding->type->fields[finding->weight]));
    snprintf(out, size, "share of the %s", words);
}

static void add_table(Sections *sections, const PageStyle *style, const ReportLimits *limits,
                      const Findings *findings, const Finding *finding)
{
    const char *title = FindingTitle(finding->type);
    Share shares[SHARES_MAX];
    bool is_single = false;
    char heading[96];
    FILE *out;

    if (finding->shape == FINDING_NAMED || finding->rows == 0 || FindingIsAlone(finding)) {
        return;
    }
    out = begin(sections, rank_of(findings, finding, limits->rows), title);
    if (out == NULL) {
        return;
    }
    switch (finding->shape) {
    case FINDING_PARTS:
        name_parts(heading, sizeof heading, finding);
        PageTitle(out, style, title, heading);
        put_shares(sections, out, style, shares, part_shares(finding, shares, SHARES_MAX),
                   limits->rows + 3);
        break;
    case FINDING_SHARES:
        PageTitle(out, style, title, "mean of the rows");
        put_shares(sections, out, style, shares, mean_shares(finding, 0, shares, SHARES_MAX),
                   limits->rows);
        break;
    case FINDING_TOP:
        if (finding->rows == 1 && finding->kept_count == 1) {
            PageTitle(out, style, title, NULL);
            RowsPut(out, style, finding, 1);
            is_single = true;
            break;
        }
        HeaviestPut(out, style, title, findings, finding, limits->rows);
        break;
    case FINDING_NAMED:
    case FINDING_ROWS:
    default:
        PageTitle(out, style, title, NULL);
        RowsPut(out, style, finding, limits->rows);
        break;
    }
    end(sections, out);
    if (is_single) {
        put_upright_later(sections, finding->type == findings->run_type);
    }
}

/* ---- lanes and curves ---- */

static void add_lanes(Sections *sections, const PageStyle *style, const ReportLimits *limits,
                      const LaneLines *lanes)
{
    FILE *out = begin(sections, RANK_LANES, "Rows of the timeline");
    uint64_t more = 0;

    if (out == NULL) {
        return;
    }
    PageTitle(out, style, "Rows of the timeline", "share of time with work");
    for (uint32_t i = 0; i < lanes->count; i++) {
        const LaneLine *lane = &lanes->list[i];

        if (lane->first >= SHARE_SMALLEST && i < limits->rows + 3) {
            PageBar(out, style, lane->name, lane->first, lane->is_rough ? "about" : "");
        } else {
            more += lane->first >= SHARE_SMALLEST;
        }
    }
    PageMore(out, more);
    end(sections, out);
}

static void add_curves(Sections *sections, const PageStyle *style, const ReportLimits *limits,
                       const LaneLines *curves)
{
    FILE *out = begin(sections, RANK_CURVES, "Curves");

    if (out == NULL) {
        return;
    }
    PageTitle(out, style, "Curves", "mean of samples, most");
    for (uint32_t i = 0; i < curves->count && i < limits->rows; i++) {
        const LaneLine *curve = &curves->list[i];
        char mean[32], most[32], values[80];

        PageNumber(mean, curve->first, false);
        PageNumber(most, curve->most, false);
        snprintf(values, sizeof values, "%12s %12s", mean, most);
        fputs("  ", out);
        PageCell(out, style, PAGE_PLAIN, curve->name,
                 (int) (style->width > 30 ? style->width - 28 : 2), false);
        PageCell(out, style, PAGE_PLAIN, values, -26 + (style->width > 30 ? 0 : 18), false);
        fputc('\n', out);
    }
    PageMore(out, curves->count > limits->rows ? curves->count - limits->rows : 0);
    end(sections, out);
}

/* ---- their order ---- */

/* "Critical path by name" says more than "Critical path", and other tables need not wait for it. */
static bool is_detail(const Sections *sections, const Section *section)
{
    for (uint32_t i = 0; i < sections->count; i++) {
        const char *title = sections->list[i].title;
        const size_t length = strlen(title);

        if (strncmp(section->title, title, length) == 0 &&
            strncmp(section->title + length, " by ", strlen(" by ")) == 0) {
            return true;
        }
    }
    return false;
}

static void put_details_later(Sections *sections)
{
    for (uint32_t i = 0; i < sections->count; i++) {
        Section *section = &sections->list[i];

        if (section->rank == RANK_WEIGHT && is_detail(sections, section)) {
            section->rank = RANK_DETAIL;
        }
    }
}

/* Readers who ask what was slow do not want to read first how the clocks were aligned, nor those of
 * a device's peaks what the operator is called: the first lines say it. */
static void put_answer_first(Sections *sections)
{
    bool has_answer = false;

    for (uint32_t i = 0; i < sections->count; i++) {
        has_answer = has_answer || sections->list[i].rank == RANK_ANSWER ||
                     sections->list[i].rank == RANK_PEAK;
    }
    for (uint32_t i = 0; has_answer && i < sections->count; i++) {
        if (sections->list[i].rank == RANK_SUMMARY) {
            sections->list[i].rank = RANK_CONTEXT;
        }
    }
}

static int compare_sections(const void *a, const void *b)
{
    const Section *x = a;
    const Section *y = b;

    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1)
                              : (x->order > y->order) - (x->order < y->order);
}

void SectionsFree(Sections *sections)
{
    for (uint32_t i = 0; i < sections->count; i++) {
        free(sections->list[i].text);
    }
    free(sections->list);
    OpprofTextMapFinish(&sections->seen);
    *sections = (Sections){ .count = 0 };
}

void SectionsMake(Sections *sections, const PageStyle *style, const ReportLimits *limits,
                  const ReportContent *content)
{
    add_peaks(sections, style, limits, &content->findings);
    for (uint32_t i = 0; i < content->findings.count; i++) {
        add_table(sections, style, limits, &content->findings, &content->findings.list[i]);
    }
    add_lanes(sections, style, limits, &content->lanes.lanes);
    add_curves(sections, style, limits, &content->lanes.curves);
    put_details_later(sections);
    put_answer_first(sections);
    if (sections->count > 0) {
        qsort(sections->list, sections->count, sizeof *sections->list, compare_sections);
    }
}
