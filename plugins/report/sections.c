/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of a report, and which of them fit on a screen. Tested by
 * tests/plugins/report/test_report. */
#include "sections.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/print.h>
#include <opprof/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_LINES 2u         /* of a sentence */
#define TODO_LINES 2u         /* of what to do about it */
#define ROWS_LEAST 4u         /* of a section, so that others have room */
#define ALONE_LINES 4u        /* of a single row; a longer one becomes a list */
#define COLUMNS_MAX 64u       /* of a table that is shown unchanged */
#define SHARE_SMALLEST 0.0005 /* "0.0 %" is useless */

/* Sections that are shown first. */
enum {
    RANK_ANSWER,  /* a summary that says what weighs most */
    RANK_SUMMARY, /* a summary of the subject of the run */
    RANK_PEAK,
    RANK_PARTS,
    RANK_LANES,
    RANK_WEIGHT,
    RANK_DETAIL,  /* what weighs most, repeated by another key */
    RANK_CONTEXT, /* the subject of a run that has a result */
    RANK_SHARES,
    RANK_TIMES,
    RANK_CURVES
};

typedef struct Section {
    unsigned rank;
    const char *title;
    char *text;
    size_t size;
    unsigned lines;
    uint32_t order; /* in which the table was made */
} Section;

typedef struct Sections {
    Section *list;
    uint32_t count;
    uint32_t capacity;
    OpprofTextMap seen; /* headings of shares that were shown: several tables may have them */
    bool is_out_of_memory;
} Sections;

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
    out = open_memstream(&section->text, &section->size);
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
    if (!PageStreamEnd(out, &section->text)) {
        sections->is_out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < section->size; i++) {
        section->lines += section->text[i] == '\n';
    }
    if (section->lines < 2) {
        free(section->text);
        return;
    }
    sections->count++;
}

static const char *title_of(const OpprofRecordType *type)
{
    return type->title != NULL ? type->title : type->name;
}

static void put_more(FILE *out, uint64_t count)
{
    if (count > 0) {
        fprintf(out, "  and %" PRIu64 " more\n", count);
    }
}

/* ---- rows as they are ---- */

typedef struct Columns {
    const char *headings[COLUMNS_MAX];
    unsigned widths[COLUMNS_MAX];
    bool is_text[COLUMNS_MAX];
    uint32_t cells[COLUMNS_MAX]; /* place in a kept row */
    uint32_t count;
} Columns;

static const char *cell_at(const char *row, uint32_t column)
{
    while (column-- > 0) {
        row += strlen(row) + 1;
    }
    return row;
}

/* True if no row of the table has a value in the column: then it says nothing. */
static bool is_empty_column(const Finding *finding, unsigned rows, uint32_t cell)
{
    bool is_empty = rows > 0 && finding->rows == rows;

    for (unsigned row = 0; is_empty && row < rows; row++) {
        is_empty = strcmp(cell_at(finding->kept[row], cell), "NA") == 0;
    }
    return is_empty;
}

/* The widest of a heading and its cells. */
static void add_column(Columns *columns, const Finding *finding, unsigned rows, uint32_t cell,
                       const char *heading)
{
    const uint32_t c = columns->count++;

    columns->headings[c] = heading;
    columns->cells[c] = cell;
    columns->widths[c] = PageColumns(heading, strlen(heading));
    for (unsigned row = 0; row < rows; row++) {
        const char *text = cell_at(finding->kept[row], cell);
        const unsigned width = PageColumns(text, strlen(text));

        columns->widths[c] = width > columns->widths[c] ? width : columns->widths[c];
    }
}

static Columns columns_of(const Finding *finding, unsigned rows)
{
    Columns columns = { .count = 0 };
    uint32_t cell = 1; /* in the kept rows, after the launch */

    if (finding->has_launches) {
        columns.is_text[0] = true;
        add_column(&columns, finding, rows, 0, "launch");
    }
    for (uint32_t f = 0; f < finding->type->field_count && columns.count < COLUMNS_MAX; f++) {
        const OpprofField *field = &finding->type->fields[f];

        if (!FindingIsShown(field) || is_empty_column(finding, rows, cell++)) {
            continue;
        }

        columns.is_text[columns.count] = OpprofFieldIsText(field);
        add_column(&columns, finding, rows, cell - 1, OpprofFieldHeading(field));
    }
    return columns;
}

/* A single row with more columns than fit is shown as a list. */
static void put_upright(FILE *out, const PageStyle *style, const Finding *finding,
                        const Columns *columns)
{
    unsigned widest = 0;

    for (uint32_t c = 0; c < columns->count; c++) {
        const unsigned width = PageColumns(columns->headings[c], strlen(columns->headings[c]));
        widest = width > widest ? width : widest;
    }
    widest = widest > style->width / 2 ? style->width / 2 : widest;
    for (uint32_t c = 0; c < columns->count; c++) {
        fputs("  ", out);
        PageCell(out, style, PAGE_DIM, columns->headings[c], (int) widest, false);
        fputs("  ", out);
        PageText(out, style, PAGE_PLAIN, "", cell_at(finding->kept[0], columns->cells[c]), 1);
    }
}

static void put_cells(FILE *out, const PageStyle *style, PageColour colour, const Columns *columns,
                      const char *const *cells, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++) {
        const int width = (int) columns->widths[c];

        fputs("  ", out);
        PageCell(out, style, colour, cells[c], columns->is_text[c] ? width : -width, false);
    }
    fputc('\n', out);
}

static void put_grid(FILE *out, const PageStyle *style, const Finding *finding,
                     const Columns *columns, unsigned rows)
{
    const char *cells[COLUMNS_MAX];
    unsigned width = 0;
    uint32_t count = 0;

    while (count < columns->count && width + columns->widths[count] + 2 <= style->width) {
        width += columns->widths[count++] + 2;
    }
    put_cells(out, style, PAGE_DIM, columns, columns->headings, count);
    for (unsigned row = 0; row < rows; row++) {
        for (uint32_t c = 0; c < count; c++) {
            cells[c] = cell_at(finding->kept[row], columns->cells[c]);
        }
        put_cells(out, style, PAGE_PLAIN, columns, cells, count);
    }
}

static int compare_rows(const void *a, const void *b)
{
    return strverscmp(*(char *const *) a, *(char *const *) b);
}

static void put_rows(FILE *out, const PageStyle *style, const Finding *finding, unsigned most)
{
    const unsigned rows = finding->kept_count < most ? finding->kept_count : most;
    unsigned width = 0;
    Columns columns;

    if (rows == 0) {
        return;
    }
    qsort(finding->kept, finding->kept_count, sizeof *finding->kept, compare_rows);
    columns = columns_of(finding, rows);
    for (uint32_t c = 0; c < columns.count; c++) {
        width += columns.widths[c] + 2;
    }
    if (width > style->width && finding->rows == 1) {
        put_upright(out, style, finding, &columns);
    } else {
        put_grid(out, style, finding, &columns, rows);
    }
    put_more(out, finding->rows - rows);
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

static void put_shares(Sections *sections, FILE *out, const PageStyle *style, Share *shares,
                       uint32_t count, unsigned most)
{
    uint64_t more = 0;

    qsort(shares, count, sizeof *shares, compare_shares);
    for (uint32_t i = 0; i < count && shares[i].share >= SHARE_SMALLEST; i++) {
        char value[40] = "";

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
        PageBar(out, style, OpprofFieldHeading(shares[i].field), shares[i].share, value);
    }
    put_more(out, more);
}

/* Adds the means of columns that say `flag` (0: any share). */
static uint32_t mean_shares(const Finding *finding, uint32_t flag, Share *shares, uint32_t room)
{
    uint32_t count = 0;

    for (uint32_t f = 0; f < finding->type->field_count && count < room; f++) {
        const OpprofField *field = &finding->type->fields[f];
        const FindingColumn *column = &finding->columns[f];
        const double unit = FindingShareUnit(field);

        if (unit > 0 && column->count > 0 && FindingIsShown(field) &&
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

/* ---- the heaviest rows ---- */

/* Bars of peers are shares of the heaviest, and say how far a peer is from the median. */
static void put_peer(FILE *out, const PageStyle *style, const Finding *finding, const char *name,
                     long double weight, const char *value)
{
    const long double heaviest = finding->groups.list[0].weight;
    char says[32] = "";

    if (finding->median > 0) {
        snprintf(says, sizeof says, "%+.1f %%", 100 * ((double) weight / finding->median - 1));
    }
    PageBarSays(out, style, name, (double) (weight / heaviest), says, value);
}

static bool are_peers(const Finding *finding)
{
    return (finding->type->flags & OPPROF_RECORD_PEERS) != 0;
}

/* Heading of the numbers at the right. */
static void name_top(char *out, size_t size, const Finding *finding)
{
    const char *heading = OpprofFieldHeading(&finding->type->fields[finding->weight]);
    const uint32_t combine = finding->type->fields[finding->weight].combine;

    if (are_peers(finding)) {
        snprintf(out, size, "from the median, %s", heading);
    } else if (finding->member_count > 1 && combine == OPPROF_COMBINE_LONGEST) {
        snprintf(out, size, "longest of %" PRIu32 ", %s, %% of the sum", finding->member_count,
                 heading);
    } else if (finding->member_count > 1 && combine == OPPROF_COMBINE_SUM) {
        snprintf(out, size, "sum of %" PRIu32 ", %s, %% of the sum", finding->member_count,
                 heading);
    } else if (combine == OPPROF_COMBINE_MEAN) {
        snprintf(out, size, "mean, %s", heading);
    } else if (!FindingAddsUp(finding)) {
        snprintf(out, size, "largest row, not added up, %s", heading);
    } else {
        snprintf(out, size, "%s, %% of the sum", heading);
    }
}

static void put_top(FILE *out, const PageStyle *style, const Finding *finding, unsigned most)
{
    const OpprofField *weight = &finding->type->fields[finding->weight];
    const bool is_whole = weight->kind != OPPROF_FIELD_F64;
    const bool has_unit = weight->unit != NULL && strcmp(weight->unit, "1") != 0;
    const Groups *groups = &finding->groups;

    for (uint32_t i = 0; i < groups->count && i < most && groups->list[i].weight > 0; i++) {
        const Group *group = &groups->list[i];
        char number[32], value[48];
        char *name = NULL;

        /* Rows of a summary are runs of the same thing, worth counting; other rows are parts of
         * one. */
        if (group->rows > 1 && (finding->type->flags & OPPROF_RECORD_SUMMARY) != 0 &&
            asprintf(&name, "%llu x %s", (unsigned long long) group->rows, group->label) < 0) {
            name = NULL;
        }
        PageNumber(number, (double) group->weight, is_whole);
        snprintf(value, sizeof value, "%s %s", number, has_unit ? weight->unit : "");
        if (are_peers(finding)) {
            put_peer(out, style, finding, name != NULL ? name : group->label, group->weight, value);
        } else if (FindingAddsUp(finding)) {
            PageBar(out, style, name != NULL ? name : group->label,
                    (double) (group->weight / groups->whole), value);
        } else {
            PageBarSays(out, style, name != NULL ? name : group->label,
                        (double) (group->weight / groups->list[0].weight), "", value);
        }
        free(name);
    }
    put_more(out, groups->heavy > most ? groups->heavy - most : 0);
}

/* ---- tables ---- */

static unsigned rank_of(const Finding *finding)
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
        return (finding->type->flags & OPPROF_RECORD_SUMMARY) != 0 ? RANK_ANSWER
               : says_weight                                       ? RANK_WEIGHT
                                                                   : RANK_TIMES;
    case FINDING_NAMED:
    case FINDING_ROWS:
    default:
        return RANK_SUMMARY;
    }
}

/* A single row, with no others to compare it with. */
static bool is_alone(const Finding *finding)
{
    return finding->shape == FINDING_TOP && finding->rows > 0 && finding->groups.total < 2 &&
           finding->kept_count == 0;
}

/* A single row has nothing to be slower than: it counts as a result while it is short. */
static void put_upright_later(Sections *sections)
{
    Section *last = sections->count == 0 ? NULL : &sections->list[sections->count - 1];

    if (last != NULL && last->rank == RANK_ANSWER && last->lines > ALONE_LINES) {
        last->rank = RANK_CONTEXT;
    }
}

static void add_table(Sections *sections, const PageStyle *style, const ReportLimits *limits,
                      const Finding *finding)
{
    const char *title = title_of(finding->type);
    Share shares[SHARES_MAX];
    bool is_single = false;
    char heading[160];
    FILE *out;

    if (finding->shape == FINDING_NAMED || finding->rows == 0 || is_alone(finding)) {
        return;
    }
    out = begin(sections, rank_of(finding), title);
    if (out == NULL) {
        return;
    }
    switch (finding->shape) {
    case FINDING_PARTS:
        PageTitle(out, style, title, "share");
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
            put_rows(out, style, finding, 1);
            is_single = true;
            break;
        }
        name_top(heading, sizeof heading, finding);
        PageTitle(out, style, title, heading);
        put_top(out, style, finding, limits->rows);
        break;
    case FINDING_NAMED:
    case FINDING_ROWS:
    default:
        PageTitle(out, style, title, NULL);
        put_rows(out, style, finding, limits->rows);
        break;
    }
    end(sections, out);
    if (is_single) {
        put_upright_later(sections);
    }
}

/* ---- lanes and curves ---- */

static void add_lanes(Sections *sections, const PageStyle *style, const ReportLimits *limits,
                      const LaneLines *lanes)
{
    FILE *out = begin(sections, RANK_LANES, "Lanes of the timeline");
    uint64_t more = 0;

    if (out == NULL) {
        return;
    }
    PageTitle(out, style, "Lanes of the timeline", "share of time with work");
    for (uint32_t i = 0; i < lanes->count; i++) {
        const LaneLine *lane = &lanes->list[i];

        if (lane->first >= SHARE_SMALLEST && i < limits->rows + 3) {
            PageBar(out, style, lane->name, lane->first, lane->is_rough ? "about" : "");
        } else {
            more += lane->first >= SHARE_SMALLEST;
        }
    }
    put_more(out, more);
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
    put_more(out, curves->count > limits->rows ? curves->count - limits->rows : 0);
    end(sections, out);
}

/* ---- advice ---- */

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
    FILE *line = open_memstream(&text, &size);

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
    if (PageStreamEnd(line, &text) && text[0] != '\0') {
        PageText(out, style, PAGE_PLAIN, "    ", text, NOTE_LINES);
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

/* "up to 12.3 %: the sentence (rank 3, …)"; NULL without memory. */
static char *cause_of(const Note *note)
{
    char *text = NULL;
    size_t size;
    FILE *line = open_memstream(&text, &size);

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
    return PageStreamEnd(line, &text) ? text : NULL;
}

/* What a rule says: the cause and its gain, then what to do. */
static void put_todo(FILE *out, const PageStyle *style, const Note *note)
{
    if (note->todo[0] != '\0') {
        PageText(out, style, PAGE_PLAIN, "    ", note->todo, TODO_LINES);
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
    char *text = cause_of(note);

    PageText(out, style, colours[note->severity], marks[note->severity],
             text != NULL ? text : note->sentence, NOTE_LINES);
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

static void put_notes(FILE *out, const PageStyle *style, Notes *notes, unsigned most)
{
    if (notes->count == 0) {
        return;
    }
    NotesSort(notes);
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

/* ---- the page ---- */

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
                  : strcmp(title_of(((const Finding *) a)->type),
                           title_of(((const Finding *) b)->type));
}

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

/* Readers who ask what was slow do not want to read first how the clocks were aligned. */
static void put_answer_first(Sections *sections)
{
    bool has_answer = false;

    for (uint32_t i = 0; i < sections->count; i++) {
        has_answer = has_answer || sections->list[i].rank == RANK_ANSWER;
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

/* Tables without a file are parts of viewers' pages: results.sqlite may lack them, and nobody would
 * look them up. */
static bool has_file(const OpprofRecordType *type)
{
    return type->file_hint == NULL || *type->file_hint != '\0';
}

/* Titles of tables that did not fit, or have nothing to compare, in a few lines. */
static void put_left_out(FILE *out, const PageStyle *style, const Sections *sections,
                         const bool *is_shown, const Findings *findings)
{
    char *text = NULL;
    size_t size;
    FILE *list = open_memstream(&text, &size);
    const char *before = "";

    for (uint32_t i = 0; list != NULL && i < sections->count; i++) {
        if (!is_shown[i]) {
            fprintf(list, "%s%s", before, sections->list[i].title);
            before = ", ";
        }
    }
    for (uint32_t i = 0; list != NULL && i < findings->count; i++) {
        const Finding *finding = &findings->list[i];

        if (has_file(finding->type) &&
            (finding->shape == FINDING_NAMED ? finding->rows > 0 : is_alone(finding))) {
            fprintf(list, "%s%s", before, title_of(finding->type));
            before = ", ";
        }
    }
    if (list != NULL && PageStreamEnd(list, &text) && size > 0) {
        PageText(out, style, PAGE_DIM, "Also: ", text, 2);
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

static void free_sections(Sections *sections)
{
    for (uint32_t i = 0; i < sections->count; i++) {
        free(sections->list[i].text);
    }
    free(sections->list);
    OpprofTextMapFinish(&sections->seen);
    *sections = (Sections){ .count = 0 };
}

static void make_sections(Sections *sections, const PageStyle *style, const ReportLimits *limits,
                          ReportContent *content)
{
    add_peaks(sections, style, limits, &content->findings);
    for (uint32_t i = 0; i < content->findings.count; i++) {
        add_table(sections, style, limits, &content->findings.list[i]);
    }
    add_lanes(sections, style, limits, &content->lanes.lanes);
    add_curves(sections, style, limits, &content->lanes.curves);
    put_details_later(sections);
    put_answer_first(sections);
    if (sections->count > 0) {
        qsort(sections->list, sections->count, sizeof *sections->list, compare_sections);
    }
}

static unsigned lines_of(const Sections *sections)
{
    unsigned lines = 0;

    for (uint32_t i = 0; i < sections->count; i++) {
        lines += sections->list[i].lines;
    }
    return lines;
}

/* The advice as text, for free(). NULL without memory. */
static char *make_advice(const PageStyle *style, const ReportLimits *limits, ReportContent *content,
                         size_t *ret_size)
{
    char *advice = NULL;
    FILE *out = open_memstream(&advice, ret_size);

    if (out == NULL) {
        return NULL;
    }
    put_notes(out, style, &content->notes, limits->rows);
    PageStreamEnd(out, &advice);
    return advice;
}

/* If not everything fits, fewer rows of each section leave room for more sections. */
bool ReportPrint(FILE *out, const PageStyle *style, const ReportLimits *limits,
                 ReportContent *content)
{
    ReportLimits fewer = *limits;
    Sections sections = { .count = 0 };
    size_t size = 0;
    char *advice;
    unsigned lines;
    bool is_good;

    if (limits->lines > 0 && fewer.rows > limits->lines) {
        fewer.rows = limits->lines; /* a section of more rows finds no room */
    }
    if (content->findings.count > 0) {
        qsort(content->findings.list, content->findings.count, sizeof *content->findings.list,
              compare_findings);
    }
    make_sections(&sections, style, &fewer, content);
    advice = make_advice(style, limits, content, &size);
    lines = count_lines(advice, size) + 2;
    while (limits->lines > 0 && fewer.rows > ROWS_LEAST &&
           lines_of(&sections) + lines > limits->lines) {
        fewer.rows--;
        free_sections(&sections);
        make_sections(&sections, style, &fewer, content);
    }
    is_good = advice != NULL && !sections.is_out_of_memory &&
              put_sections(out, style, limits, &sections, &content->findings, lines);
    if (is_good) {
        fwrite(advice, 1, size, out);
    }
    free_sections(&sections);
    free(advice);
    return is_good;
}
