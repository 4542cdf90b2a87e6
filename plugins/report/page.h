/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* How the place looks that text is printed for. */
typedef struct PageStyle {
    unsigned width; /* columns */
    bool has_colours;
    bool has_unicode;
} PageStyle;

typedef enum PageColour {
    PAGE_PLAIN,
    PAGE_BOLD,
    PAGE_DIM,
    PAGE_BAR,
    PAGE_WARN,
    PAGE_BAD
} PageColour;

/* The style of the terminal after standard error; 80 columns where there is none. */
PageStyle PageStyleOfTerminal(void);

/* Columns that a text takes. What is printed of texts is tame: control characters become '?'. */
unsigned PageColumns(const char *text, size_t length);

/* A text in a field of `columns`, cut where it is longer; `from_end` keeps its end. Negative: to the right. */
void PageCell(FILE *out, const PageStyle *style, PageColour colour, const char *text, int columns,
              bool from_end);
/* A title, and what stands at the right end of its line, or NULL. */
void PageTitle(FILE *out, const PageStyle *style, const char *title, const char *right);
/* "  label   ####....  12.3 %  value": what part of a whole something is. `value` may be empty. */
void PageBar(FILE *out, const PageStyle *style, const char *label, double share, const char *value,
             bool from_end);
/* A text broken into lines at blanks, at most `lines` of them. `first` stands before it, in a colour. */
void PageText(FILE *out, const PageStyle *style, PageColour colour, const char *first,
              const char *text, unsigned lines);
/* A number for the eye; room: 32. Whole numbers stay whole. */
void PageNumber(char *out, double value, bool is_whole);

/*
 * Close a stream of open_memstream. False if it lacked memory, which closing does not always tell: *text, which may
 * then be missing or end early, is freed and NULL.
 */
bool PageStreamEnd(FILE *stream, char **text);

#endif
