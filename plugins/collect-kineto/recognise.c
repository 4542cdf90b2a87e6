/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distinguishes traces of frameworks from other JSON, by the beginning of their text.
 * Tested by tests/e2e/recognise.sh.
 */
#include "recognise.h"

#include "source.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_LOOKED_AT (32u << 10)
#define FILES_LOOKED_AT 4u

/* What only traces contain, and how certain that is. */
static const struct {
    const char *word;
    uint32_t confidence;
} signs[] = {
    { "\"traceEvents\"", 90 },
    { "\"baseTimeNanoseconds\"", OPPROF_LIKELY },
    { "\"deviceProperties\"", OPPROF_LIKELY },
    { "\"schemaVersion\"", OPPROF_POSSIBLE },
};

static bool holds(const char *text, size_t length, const char *word)
{
    return memmem(text, length, word, strlen(word)) != NULL;
}

/* A bare array of events, as some profilers write. */
static bool is_event_array(const char *text, size_t length)
{
    size_t at = 0;

    while (at < length && strchr(" \t\r\n", text[at]) != NULL) {
        at++;
    }
    return at < length && text[at] == '[' && holds(text, length, "\"ph\"") &&
           holds(text, length, "\"ts\"");
}

static uint32_t judge_text(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (holds(text, length, signs[i].word)) {
            return signs[i].confidence;
        }
    }
    return is_event_array(text, length) ? OPPROF_LIKELY : 0;
}

/* The beginning of a file, inflated if it is compressed. */
static uint32_t judge_file(OpprofProbe *probe, const char *file)
{
    const void *bytes;
    const size_t size = OpprofProbeHead(probe, file, &bytes);
    Source *source = SourceOpenMemory(bytes, size);
    char *text = malloc(TEXT_LOOKED_AT);
    uint32_t confidence = 0;
    size_t length = 0;
    size_t got = 1;

    while (source != NULL && text != NULL && got > 0 && length < TEXT_LOOKED_AT) {
        got = SourceRead(source, text + length, TEXT_LOOKED_AT - length);
        length += got;
    }
    if (text != NULL) {
        confidence = judge_text(text, length);
    }
    SourceClose(source);
    free(text);
    return confidence;
}

/* The best match among the first files of a pattern. */
static uint32_t judge_files(OpprofProbe *probe, const char *pattern)
{
    uint32_t best = 0;
    const char *file;

    for (size_t i = 0; i < FILES_LOOKED_AT && (file = OpprofProbeFile(probe, pattern, i)) != NULL;
         i++) {
        const uint32_t confidence = judge_file(probe, file);

        best = confidence > best ? confidence : best;
    }
    return best;
}

static uint32_t recognise(OpprofProbe *probe)
{
    uint32_t best;

    if (!OpprofProbeIsDirectory(probe)) {
        return judge_files(probe, "*");
    }
    best = judge_files(probe, "trace_view.json");
    if (best == 0) {
        best = judge_files(probe, "*.json");
    }
    return best > 0 ? best : judge_files(probe, "*.gz");
}

const OpprofInputKind recognise_kinds[] = {
    { .name = "trace",
      .summary = "a trace of a framework (JSON with traceEvents, plain or gzip), or a directory of "
                 "them",
      .recognise = recognise },
    { .name = NULL },
};
