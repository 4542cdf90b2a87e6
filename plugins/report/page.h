/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <limits.h>
#include <opprof/params.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The look of the output that text is printed for. */
typedef struct PageStyle {
    unsigned width; /* columns */
    bool has_colours;
    bool has_unicode;
    const OpprofParams *sources; /* where source files are looked for; NULL: at their paths */
} PageStyle;

typedef enum PageColour {
    PAGE_PLAIN,
    PAGE_BOLD,
    PAGE_DIM,
    PAGE_BAR,
    PAGE_WARN,
    PAGE_BAD
} PageColour;

/* The style of the terminal on standard error; 80 columns if standard error is not a terminal. */
PageStyle PageStyleOfTerminal(void);

/* Number of columns of a text. Printed texts are sanitized: control characters become '?'. */
unsigned PageColumns(const char *text, size_t length);

/* A text in a field of `columns`, cut if it is longer; `from_end` keeps its end. Negative:
 * right-aligned. */
void PageCell(FILE *out, const PageStyle *style, PageColour colour, const char *text, int columns,
              bool from_end);
/* A title, and a text at the right end of its line, or below it if there is no room, or NULL. */
void PageTitle(FILE *out, const PageStyle *style, const char *title, const char *right);
/* " label ####.... says value": the bar is a share of a whole. `value` may be empty. */
void PageBarSays(FILE *out, const PageStyle *style, const char *label, double share,
                 const char *says, const char *value);
/* " label ####.... 12.3 % value". */
void PageBar(FILE *out, const PageStyle *style, const char *label, double share, const char *value);
#define PAGE_ALL_LINES UINT_MAX /* nothing is cut */
/* A text broken into lines at blanks, at most `lines` of them. `first` precedes it, in a colour. */
void PageText(FILE *out, const PageStyle *style, PageColour colour, const char *first,
              const char *text, unsigned lines);
/* A time in microseconds for people, with three digits and the unit that fits; room: 32. */
void PageTime(char *out, double us);
/* A heading of a column as words: "waited_time(us)" is "waited time", and so is "waited_time_us".
 * What does not fit is cut. */
void PageWords(char *out, size_t size, const char *heading);
/* "and 7 more", unless there are none. */
void PageMore(FILE *out, uint64_t count);
/* A number for people; room: 32. Whole numbers stay whole. */
void PageNumber(char *out, double value, bool is_whole);

#endif
