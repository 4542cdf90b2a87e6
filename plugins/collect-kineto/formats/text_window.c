/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON text seen through a window of fixed size, and how to skip unwanted parts.
 * Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/formats/text_window.h"

#include "collect-kineto/formats/event.h"
#include "collect-kineto/text/number.h"
#include "collect-kineto/text/scan.h"

#include <stdlib.h>
#include <string.h>

#define PIECE ((size_t) 128 << 10) /* read at a time: it is scanned while it is in the cache */

bool TextWindowInit(TextWindow *window, Source *source)
{
    *window = (TextWindow){ .source = source, .text = calloc(1, TEXT_WINDOW_BYTES + SCAN_PADDING) };
    return window->text != NULL;
}

void TextWindowFinish(TextWindow *window)
{
    ParallelReaderDestroy(window->parallel);
    free(window->text);
    *window = (TextWindow){ .text = NULL };
}

static size_t read_text(const TextWindow *window, char *out, size_t size)
{
    return window->parallel == NULL ? SourceRead(window->source, out, size)
                                    : ParallelReaderRead(window->parallel, out, size);
}

bool TextWindowRefill(TextWindow *window)
{
    const size_t left = window->end - window->at;
    const size_t room = TEXT_WINDOW_BYTES - left < PIECE ? TEXT_WINDOW_BYTES - left : PIECE;
    size_t got = 0;

    memmove(window->text, window->text + window->at, left);
    window->offset += window->at;
    window->at = 0;
    window->end = left;
    while (!window->is_exhausted && got < room) {
        const size_t more = read_text(window, window->text + window->end, room - got);

        window->is_exhausted = more == 0;
        window->end += more;
        got += more;
    }
    memset(window->text + window->end, 0, SCAN_PADDING);
    return got > 0;
}

char TextWindowPeekOn(TextWindow *window)
{
    while (TextWindowRefill(window)) {
        window->at = (size_t) (ScanBlanks(window->text + window->at, window->text + window->end) -
                               window->text);
        if (window->at < window->end) {
            return window->text[window->at];
        }
    }
    return '\0';
}

/* ---- passing over ---- */

bool TextWindowPassContainer(TextWindow *window, uint64_t depth)
{
    ScanState state = { .depth = depth };

    do {
        const char *after =
            ScanContainer(&state, window->text + window->at, window->text + window->end);

        if (after != NULL) {
            window->at = (size_t) (after - window->text);
            return true;
        }
        window->at = window->end;
    } while (TextWindowRefill(window));
    return false;
}

/* A string from after its opening quote. */
static bool pass_string(TextWindow *window)
{
    bool is_escaped = false;

    do {
        for (; window->at < window->end; window->at++) {
            const char c = window->text[window->at];

            if (c == '"' && !is_escaped) {
                window->at++;
                return true;
            }
            is_escaped = c == '\\' && !is_escaped;
        }
    } while (TextWindowRefill(window));
    return false;
}

static bool is_scalar(char c)
{
    return c != ',' && c != '}' && c != ']' && c != ':' && c != ' ' && c != '\n' && c != '\r' &&
           c != '\t' && c != '{' && c != '[' && c != '"';
}

static bool pass_scalar(TextWindow *window)
{
    do {
        for (; window->at < window->end; window->at++) {
            if (!is_scalar(window->text[window->at])) {
                return true;
            }
        }
    } while (TextWindowRefill(window));
    return true;
}

bool TextWindowPassValue(TextWindow *window)
{
    switch (TextWindowPeek(window)) {
    case '{':
    case '[':
        return TextWindowPassContainer(window, 0);
    case '"':
        window->at++;
        return pass_string(window);
    default:
        return window->at < window->end && is_scalar(window->text[window->at]) &&
               pass_scalar(window);
    }
}

/* ---- values ---- */

/* A scalar; NULL text if none that fits the window. */
static JsonText read_scalar(TextWindow *window)
{
    JsonText text;

    TextWindowPeek(window);
    do {
        const char *after =
            EventReadScalar(window->text + window->at, window->text + window->end, &text);

        if (after != NULL) {
            window->at = (size_t) (after - window->text);
            return text;
        }
    } while (TextWindowRefill(window));
    return (JsonText){ .text = NULL };
}

bool TextWindowInteger(TextWindow *window, bool *has_value, int64_t *ret_value)
{
    const char first = TextWindowPeek(window);
    JsonText text;
    int64_t value;

    if (first == '{' || first == '[') {
        return TextWindowPassValue(window);
    }
    text = read_scalar(window);
    if (text.text == NULL) {
        return TextWindowPassValue(window);
    }
    if (!*has_value && NumberInteger(text.text, text.length, &value)) {
        *has_value = true;
        *ret_value = value;
    }
    return true;
}

bool TextWindowKey(TextWindow *window, JsonText *ret_key)
{
    if (TextWindowPeek(window) != '"') {
        return false;
    }
    *ret_key = read_scalar(window);
    return ret_key->text != NULL;
}

bool TextWindowColon(TextWindow *window)
{
    if (TextWindowPeek(window) != ':') {
        return false;
    }
    window->at++;
    return true;
}

void TextWindowComma(TextWindow *window)
{
    if (TextWindowPeek(window) == ',') {
        window->at++;
    }
}

size_t TextWindowContainer(TextWindow *window)
{
    do {
        ScanState state = { .depth = 0 };
        const char *begin = window->text + window->at;
        const char *after = ScanContainer(&state, begin, window->text + window->end);

        if (after != NULL) {
            return (size_t) (after - begin);
        }
    } while (TextWindowRefill(window));
    return 0;
}
