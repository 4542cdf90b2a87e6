/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences about operators, for the collector's report. Tested by tests/refchip/test_board.sh. */
#include "inject/link/link.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void Note(uint32_t operator_id, OpprofLiveSeverity severity, const char *format, ...)
{
    const OpprofLiveNote note = { operator_id, severity };
    char text[512];
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length > 0) {
        LinkSend(OPPROF_LIVE_NOTE, &note, sizeof note, text,
                 (size_t) length < sizeof text ? (size_t) length : sizeof text - 1);
    }
}

void NoteText(OpprofLiveSeverity severity, const char *text)
{
    const OpprofLiveNote note = { 0, severity };

    LinkSend(OPPROF_LIVE_NOTE, &note, sizeof note, text, strnlen(text, OPPROF_LIVE_MOST_NOTE - 1));
}
