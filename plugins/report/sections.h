/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "content.h"
#include "page.h"

#include <opprof/map.h>

/* A title, and what a table, or the lanes of all timelines, say below it. */
typedef struct Section {
    unsigned rank;
    const char *title;
    char *text;
    size_t size;
    unsigned lines;
    uint32_t order; /* in which the table was made */
} Section;

/* Zeroed memory holds none. */
typedef struct Sections {
    Section *list;
    uint32_t count;
    uint32_t capacity;
    OpprofTextMap seen; /* headings of shares that were shown: several tables may have them */
    bool is_out_of_memory;
} Sections;

/* All sections, the most informative first, of limits->rows rows each. */
void SectionsMake(Sections *sections, const PageStyle *style, const ReportLimits *limits,
                  const ReportContent *content);
void SectionsFree(Sections *sections);

#endif
