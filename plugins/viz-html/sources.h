/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_SOURCES_H
#define VIZ_HTML_SOURCES_H

#include "text.h"

#include <opprof/map.h>
#include <opprof/records/block.h>
#include <opprof/stage.h>

/* Source files for which analyses report hot lines. */
typedef struct Sources {
    OpprofTextMap paths; /* that are in the page */
    OpprofJsonOut json;  /* members of an array: {"path":…,"text":…} */
    uint64_t left_out;   /* files that did not fit */
    uint64_t cut;        /* files whose end did not fit */
} Sources;

/* Take the source file of a block; other blocks are ignored. False without memory. */
bool SourcesTake(Sources *sources, const OpprofBatch *batch, const OpprofBlock *block);

/* Free what it holds. */
void SourcesFinish(Sources *sources);

#endif
