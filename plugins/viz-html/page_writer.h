/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_PAGE_WRITER_H
#define VIZ_HTML_PAGE_WRITER_H

#include "sources.h"
#include "tables.h"
#include "timeline.h"

/* What a page is made of. */
typedef struct PageParts {
    const char *title;
    bool was_stopped;    /* the run ended early */
    const char *missing; /* what the records lack, a line a reason; NULL: nothing is known to */
    const OpprofJsonOut *comparison; /* empty if none */
    Names *names;
    Tables *tables;
    const Sources *sources;
    Timeline *timeline;
} PageParts;

/* Write the page as a file of the results. */
OpprofStatus PageWrite(OpprofOutputDirectory *directory, const char *file, const PageParts *parts,
                       OpprofError **error);

#endif
