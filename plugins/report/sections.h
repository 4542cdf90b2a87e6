/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "findings.h"
#include "lanes.h"
#include "notes.h"
#include "page.h"

/* All that a report is made of. */
typedef struct ReportContent {
    const OpprofStage *stage;
    Findings findings;
    Lanes lanes;
    Notes notes;
} ReportContent;

/* How much of it is shown. */
typedef struct ReportLimits {
    unsigned lines; /* of the whole; 0: no limit */
    unsigned rows;  /* of a section */
} ReportLimits;

/*
 * Print the report: what is most telling first, as many sections as there is room for, the advice at the end.
 *
 * @return False without memory.
 */
bool ReportPrint(FILE *out, const PageStyle *style, const ReportLimits *limits,
                 ReportContent *content);

#endif
