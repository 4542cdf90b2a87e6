/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "findings.h"
#include "lane_tables.h"
#include "notes.h"
#include "page.h"
#include "subjects.h"

/* The contents of a report. */
typedef struct ReportContent {
    const OpprofStage *stage;
    Findings findings;
    LaneTables lanes;
    Notes notes;
    Subjects subjects;
} ReportContent;

/* The limits of what is shown. */
typedef struct ReportLimits {
    unsigned lines; /* of the whole; 0: no limit */
    unsigned rows;  /* of a section */
} ReportLimits;

/*
 * Print the report: what ran (`title`, "" if unknown) and why it was slow, the most informative
 * sections, as many as fit, and the advice at the end.
 *
 * @return False without memory.
 */
bool ReportPrint(FILE *out, const PageStyle *style, const ReportLimits *limits, const char *title,
                 ReportContent *content);

#endif
