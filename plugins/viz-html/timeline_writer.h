/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_TIMELINE_WRITER_H
#define VIZ_HTML_TIMELINE_WRITER_H

#include "levels.h"

/* Append the facts of a timeline as a JSON object: lanes, levels, curves, and what was left out. */
void TimelinePutFacts(const Timeline *timeline, const Levels *levels, OpprofJsonOut *json);

/* Append arrows as packed text. */
void TimelinePutArrows(const Timeline *timeline, const Levels *levels, OpprofJsonOut *text);

#endif
