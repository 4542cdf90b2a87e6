/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_PAGE_WRITER_H
#define VIZ_HTML_PAGE_WRITER_H

#include "sources.h"
#include "tables.h"
#include "timeline.h"

/* The contents of a page. */
typedef struct PageParts {
    const char *title;
    bool was_stopped;    /* the run ended early */
    const char *missing; /* what the records lack, one reason per line; NULL: nothing known */
    const OpprofJsonOut *comparison; /* empty: no comparison */
    Names *names;
    Tables *tables;
    const Sources *sources;
    Timeline *timeline;
} PageParts;

/* Write the page as a file of the results. */
OpprofStatus PageWrite(OpprofOutputDirectory *directory, const char *file, const PageParts *parts,
                       OpprofError **error);

#endif
