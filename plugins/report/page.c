/* SPDX-License-Identifier: Apache-2.0 */
/* Printing for a terminal of a given width: cells, bars, texts. Tested by
 * tests/plugins/report/test_report. */
#include "page.h"

#include <inttypes.h>
#include <math.h>
#include <opprof/text.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_DEFAULT 80u
#define WIDTH_LEAST 20u
#define WIDTH_MOST 240u
#define BAR_MOST 40u
#define VALUE_COLUMNS 14u /* of a bar's value */
#define SHARE_COLUMNS 8u  /* "100.0 %" and a blank */
#define LABEL_LEAST 12u

/* ---- the terminal ---- */

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && value[0] != '\0';
}

static bool speaks_unicode(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_set(names[i])) {
            const char *value = getenv(names[i]);

            return strcasestr(value, "utf-8") != NULL || strcasestr(value, "utf8") != NULL;
        }
    }
    return false;
}

static unsigned within(unsigned long width)
{
    return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : (unsigned) width;
}

PageStyle PageStyleOfTerminal(void)
{
    const char *kind = getenv("TERM");
    const bool is_terminal = isatty(STDERR_FILENO) != 0;
    const bool is_dumb = kind == NULL || strcmp(kind, "dumb") == 0;
    struct winsize size = { .ws_col = 0 };

    if (!is_terminal || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        size.ws_col = WIDTH_DEFAULT;
    }
    return (PageStyle){ .width = within(size.ws_col),
                        .has_colours = is_terminal && !is_dumb && !is_set("NO_COLOR"),
                        .has_unicode = is_terminal && !is_dumb && speaks_unicode() };
}

/* ---- widths ---- */

static uint32_t code_point(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *) text;
    static const unsigned char masks[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    uint32_t value;

    if (length == 0 || length > 4) {
        return 0;
    }
    value = bytes[0] & masks[length];
    for (size_t i = 1; i < length; i++) {
        value = value << 6 | (bytes[i] & 0x3f);
    }
    return value;
}

/* East Asian scripts and pictures take two columns, combining marks none. */
static unsigned columns_of(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } wide[] = { { 0x1100, 0x115f }, { 0x2e80, 0xa4cf },   { 0xac00, 0xd7a3 },
                 { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },
                 { 0xffe0, 0xffe6 }, { 0x1f300, 0x1faff }, { 0x20000, 0x3fffd } };

    if ((point >= 0x300 && point <= 0x36f) || (point >= 0x200b && point <= 0x200f)) {
        return 0;
    }
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        if (point >= wide[i].first && point <= wide[i].last) {
            return 2;
        }
    }
    return 1;
}

unsigned PageColumns(const char *text, size_t length)
{
    unsigned columns = 0;

    while (length > 0) {
        bool plain;
        const size_t taken = OpprofTextNext(text, length, &plain);

        columns += columns_of(code_point(text, taken));
        text += taken;
        length -= taken;
    }
    return columns;
}

/* Length in bytes of the longest prefix that takes at most so many columns. */
static size_t fitting(const char *text, size_t length, unsigned columns)
{
    size_t at = 0;

    while (at < length) {
        bool plain;
        const size_t taken = OpprofTextNext(text + at, length - at, &plain);
        const unsigned needed = columns_of(code_point(text + at, taken));

        if (needed > columns) {
            break;
        }
        columns -= needed;
        at += taken;
    }
    return at;
}

/* ---- pieces ---- */

static void begin_colour(FILE *out, const PageStyle *style, PageColour colour)
{
    static const char *const codes[] = { [PAGE_PLAIN] = "", [PAGE_BOLD] = "1",  [PAGE_DIM] = "2",
                                         [PAGE_BAR] = "36", [PAGE_WARN] = "33", [PAGE_BAD] = "31" };

    if (style->has_colours && colour != PAGE_PLAIN) {
        fprintf(out, "\033[%sm", codes[colour]);
    }
}

static void end_colour(FILE *out, const PageStyle *style, PageColour colour)
{
    if (style->has_colours && colour != PAGE_PLAIN) {
        fputs("\033[0m", out);
    }
}

static void put_blanks(FILE *out, unsigned count)
{
    fprintf(out, "%*s", (int) count, "");
}

/* The text cut to `columns`, with a mark where it was cut. */
static void put_cut(FILE *out, const PageStyle *style, const char *text, size_t length,
                    unsigned columns, bool from_end)
{
    const char *mark = style->has_unicode ? "…" : "~";

    if (columns == 0) {
        return;
    }
    if (!from_end) {
        fprintf(out, "%.*s%s", (int) fitting(text, length, columns - 1), text, mark);
        return;
    }
    while (length > 0 && PageColumns(text, length) > columns - 1) {
        bool plain;
        const size_t taken = OpprofTextNext(text, length, &plain);

        text += taken;
        length -= taken;
    }
    fprintf(out, "%s%.*s", mark, (int) length, text);
}

/* Headings and units come from outside as well: none of them may control the terminal. */
static char *tame_copy(const char *text)
{
    char *copy = strdup(text);

    if (copy != NULL) {
        OpprofTextTame(copy, false);
    }
    return copy;
}

static void put_cell(FILE *out, const PageStyle *style, PageColour colour, const char *text,
                     int columns, bool from_end)
{
    const size_t length = strlen(text);
    const unsigned wanted = (unsigned) abs(columns);
    const unsigned taken = PageColumns(text, length);
    const unsigned gap = taken < wanted ? wanted - taken : 0;

    if (columns < 0) {
        put_blanks(out, gap);
    }
    begin_colour(out, style, colour);
    if (taken > wanted) {
        put_cut(out, style, text, length, wanted, from_end);
    } else {
        fputs(text, out);
    }
    end_colour(out, style, colour);
    if (columns > 0) {
        put_blanks(out, gap);
    }
}

void PageCell(FILE *out, const PageStyle *style, PageColour colour, const char *text, int columns,
              bool from_end)
{
    char *tame = tame_copy(text);

    put_cell(out, style, colour, tame == NULL ? "" : tame, columns, from_end);
    free(tame);
}

static void put_bar(FILE *out, const PageStyle *style, double share, unsigned columns)
{
    const double clipped = share < 0 ? 0 : share > 1 ? 1 : share;
    const unsigned filled = (unsigned) lround(clipped * columns);

    begin_colour(out, style, PAGE_BAR);
    for (unsigned i = 0; i < columns; i++) {
        fputs(style->has_unicode ? (i < filled ? "█" : "░") : (i < filled ? "#" : "."), out);
    }
    end_colour(out, style, PAGE_BAR);
}

#define END_MOST 12u    /* columns of a last part that is kept */
#define BEGIN_LEAST 16u /* columns of what is before it */

/* Whether a name is a path of several parts, such as that of an operator in its graph. */
static bool is_path(const char *name)
{
    const char *slash = strchr(name, '/');

    return slash != NULL && strchr(slash + 1, '/') != NULL && strchr(name, ' ') == NULL;
}

/*
 * A name in a field of `columns`. One that is too long keeps its last part if that is short: often
 * only the rank there tells rows apart. Of a path the end says most.
 */
static void put_name(FILE *out, const PageStyle *style, const char *name, unsigned columns)
{
    const char *last = NULL;
    unsigned end;

    for (const char *at = strstr(name, "  "); at != NULL; at = strstr(at + 1, "  ")) {
        last = at;
    }
    end = last == NULL ? 0 : PageColumns(last, strlen(last));
    if (PageColumns(name, strlen(name)) <= columns || end == 0 || end > END_MOST ||
        columns < end + BEGIN_LEAST) {
        put_cell(out, style, PAGE_PLAIN, name, (int) columns, is_path(name));
        return;
    }
    put_cut(out, style, name, (size_t) (last - name), columns - end, false);
    fputs(last, out);
}

/* If there is no room, the value is left out first, then the bar. */
void PageBar(FILE *out, const PageStyle *style, const char *label, double share, const char *value)
{
    char percent[32];

    snprintf(percent, sizeof percent, "%.1f %%", share * 100);
    PageBarSays(out, style, label, share, percent, value);
}

void PageBarSays(FILE *out, const PageStyle *style, const char *label, double share,
                 const char *says, const char *value)
{
    char *tame = tame_copy(label);
    const unsigned room = style->width - 2;
    const unsigned value_columns = value[0] != '\0' && room >= 56 ? VALUE_COLUMNS : 0;
    unsigned rest = room - SHARE_COLUMNS - value_columns;
    unsigned bar = rest >= LABEL_LEAST + 10 ? rest / 4 : 0;

    bar = bar > BAR_MOST ? BAR_MOST : bar;
    rest -= bar > 0 ? bar + 1 : 0;
    fputs("  ", out);
    put_name(out, style, tame == NULL ? "" : tame, rest);
    free(tame);
    if (bar > 0) {
        fputc(' ', out);
        put_bar(out, style, share, bar);
    }
    PageCell(out, style, PAGE_PLAIN, says, -(int) SHARE_COLUMNS, false);
    if (value_columns > 0) {
        PageCell(out, style, PAGE_DIM, value, -(int) value_columns, false);
    }
    fputc('\n', out);
}

/* Length in bytes of the next line: up to the last blank that fits, or as much of a long word as
 * fits. */
static size_t line_length(const char *text, size_t length, unsigned columns)
{
    const size_t most = fitting(text, length, columns);
    size_t at = most;

    if (most == length) {
        return length;
    }
    while (at > 0 && text[at] != ' ') {
        at--;
    }
    return at == 0 ? most : at;
}

static void put_text(FILE *out, const PageStyle *style, PageColour colour, const char *first,
                     const char *text, unsigned lines)
{
    const unsigned indent = PageColumns(first, strlen(first));
    const unsigned room = style->width > indent + 8 ? style->width - indent : 8;
    size_t length = strlen(text);

    for (unsigned line = 0; length > 0 && line < lines; line++) {
        const size_t taken = line_length(text, length, room);

        if (line == 0) {
            begin_colour(out, style, colour);
            fputs(first, out);
            end_colour(out, style, colour);
        } else {
            put_blanks(out, indent);
        }
        if (line + 1 == lines && taken < length) {
            put_cut(out, style, text, length, room, false);
        } else {
            fprintf(out, "%.*s", (int) taken, text);
        }
        fputc('\n', out);
        text += taken;
        length -= taken;
        while (length > 0 && *text == ' ') {
            text++;
            length--;
        }
    }
}

void PageText(FILE *out, const PageStyle *style, PageColour colour, const char *first,
              const char *text, unsigned lines)
{
    char *tame = tame_copy(text);

    put_text(out, style, colour, first, tame == NULL ? "" : tame, lines);
    free(tame);
}

/* Where both do not fit on a line, what is right stands on lines of its own. */
void PageTitle(FILE *out, const PageStyle *style, const char *title, const char *right)
{
    const unsigned columns = PageColumns(title, strlen(title));
    const unsigned taken = right == NULL ? 0 : PageColumns(right, strlen(right));

    if (right != NULL && columns + 1 + taken <= style->width) {
        PageCell(out, style, PAGE_BOLD, title, (int) (style->width - taken), false);
        PageCell(out, style, PAGE_DIM, right, (int) taken, false);
        fputc('\n', out);
        return;
    }
    if (columns <= style->width) {
        PageCell(out, style, PAGE_BOLD, title, (int) columns, false);
        fputc('\n', out);
    } else {
        PageText(out, style, PAGE_PLAIN, "", title, PAGE_ALL_LINES);
    }
    if (right != NULL) {
        PageText(out, style, PAGE_PLAIN, "", right, PAGE_ALL_LINES);
    }
}

void PageTime(char *out, double us)
{
    static const struct {
        double us;
        const char *name;
    } units[] = { { 1e-3, "ns" }, { 1, "us" }, { 1e3, "ms" }, { 1e6, "s" } };
    size_t at = 0;
    double number;

    if (us == 0) {
        snprintf(out, 32, "0 us");
        return;
    }
    /* 999.6 would be shown as "1000". */
    while (at + 1 < sizeof units / sizeof units[0] && fabs(us) / units[at].us >= 999.5) {
        at++;
    }
    number = us / units[at].us;
    snprintf(out, 32, "%.*f %s",
             fabs(number) >= 99.95   ? 0
             : fabs(number) >= 9.995 ? 1
                                     : 2,
             number, units[at].name);
}

void PageWords(char *out, size_t size, const char *heading)
{
    const char *unit = strrchr(heading, '(');
    size_t length = unit == NULL || heading[strlen(heading) - 1] != ')' ? strlen(heading)
                                                                        : (size_t) (unit - heading);

    if (length > 3 && memcmp(heading + length - 3, "_us", 3) == 0) {
        length -= 3;
    }
    while (length > 0 && heading[length - 1] == ' ') {
        length--;
    }
    snprintf(out, size, "%.*s", (int) length, heading);
    for (char *at = strchr(out, '_'); at != NULL; at = strchr(at, '_')) {
        *at = ' ';
    }
}

void PageMore(FILE *out, uint64_t count)
{
    if (count > 0) {
        fprintf(out, "  and %" PRIu64 " more\n", count);
    }
}

void PageNumber(char *out, double value, bool is_whole)
{
    const double size = fabs(value);
    const int decimals = is_whole || size >= 10000 ? 0 : size >= 1000 ? 1 : size >= 10 ? 2 : 3;

    if (!isfinite(value)) {
        snprintf(out, 32, "NA");
    } else if (size >= 1e15 || (size > 0 && size < 1e-3 && !is_whole)) {
        snprintf(out, 32, "%.3g", value);
    } else {
        snprintf(out, 32, "%.*f", decimals, value);
    }
}
