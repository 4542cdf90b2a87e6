/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_CONTENT_H
#define REPORT_CONTENT_H

#include "findings.h"
#include "lane_tables.h"
#include "notes.h"
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

#endif
