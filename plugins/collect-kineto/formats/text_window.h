/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_TEXT_WINDOW_H
#define COLLECT_KINETO_FORMATS_TEXT_WINDOW_H

#include "collect-kineto/formats/parallel_reader.h"
#include "collect-kineto/text/json_text.h"
#include "collect-kineto/text/scan.h"
#include "collect-kineto/text/source.h"

/* Size of the window: no event and no record may be longer. */
#define TEXT_WINDOW_BYTES (1u << 20)

/* JSON text of any length, seen through a window of fixed size. */
typedef struct TextWindow {
    Source *source;           /* borrowed */
    ParallelReader *parallel; /* owned: the text comes through it; NULL: directly from the source */
    char *text;               /* TEXT_WINDOW_BYTES and SCAN_PADDING */
    size_t at;                /* next byte of the window */
    size_t end;               /* bytes in the window */
    uint64_t offset;          /* of the window's first byte in the text */
    bool is_exhausted;
} TextWindow;

/* False without memory. */
bool TextWindowInit(TextWindow *window, Source *source);

/* A zeroed one is allowed. */
void TextWindowFinish(TextWindow *window);

/* Byte of the text that comes next. */
static inline uint64_t TextWindowOffset(const TextWindow *window)
{
    return window->offset + window->at;
}

/* More text after the rest. False if none, or no room. */
bool TextWindowRefill(TextWindow *window);

/* Part of TextWindowPeek, where the window ends: reads on. */
char TextWindowPeekOn(TextWindow *window);

/* First byte that is not a blank; '\0' at the end of the text. */
static inline char TextWindowPeek(TextWindow *window)
{
    window->at =
        (size_t) (ScanBlanks(window->text + window->at, window->text + window->end) - window->text);
    return window->at < window->end ? window->text[window->at] : TextWindowPeekOn(window);
}

/* Skip a container of which `depth` brackets are open. False at the end of the text. */
bool TextWindowPassContainer(TextWindow *window, uint64_t depth);

/* Skip any value. False at the end of the text, or if none. */
bool TextWindowPassValue(TextWindow *window);

/* The key of a member. False if none. Valid until the next refill. */
bool TextWindowKey(TextWindow *window, JsonText *ret_key);

/* The colon after a key. False if none. */
bool TextWindowColon(TextWindow *window);

/* Take a comma if that is what comes next. */
void TextWindowComma(TextWindow *window);

/* A number or a quoted one, unless there is a value already; anything else is skipped. False at the
 * end of the text. */
bool TextWindowInteger(TextWindow *window, bool *has_value, int64_t *ret_value);

/*
 * The extent of the object or array that begins at the next byte, without skipping it. 0: it does
 * not end in the text, or is longer than the window. Valid until the next refill.
 */
size_t TextWindowContainer(TextWindow *window);

#endif
