/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_NAMES_H
#define VIZ_HTML_NAMES_H

#include "text.h"

#include <opprof/map.h>
#include <opprof/stage.h>

/* Interned texts of the run that the page shows, each once, with numbers of the page's own. */
typedef struct Names {
    OpprofStage *stage;
    OpprofMap numbers;  /* by interned id */
    uint32_t count;     /* numbers in use; 0 is "left out" */
    OpprofJsonOut json; /* members of the array, without its brackets */
    uint64_t left_out;  /* names that did not fit */
} Names;

/* Number of an interned text, assigned at its first use. 0 if there is no room for more names, or
 * no memory. */
uint32_t NamesNumber(Names *names, uint32_t id);

/*
 * Append an interned text to kept data as a mark and its id, since numbers are assigned when the
 * page is written, in an order that does not depend on the order of arrival. `before` and `after`
 * are a sign each, or empty.
 */
void NamesMark(OpprofJsonOut *text, const char *before, uint32_t id, const char *after);

/* So many bytes shorter than its mark a name's number is at most. */
#define NAMES_MARK_SAVES 5u

/* Append kept data with numbers in place of the marked ids. */
void NamesResolve(Names *names, const char *bytes, size_t length, OpprofJsonOut *text);

/* Free what it holds. */
void NamesFinish(Names *names);

#endif
