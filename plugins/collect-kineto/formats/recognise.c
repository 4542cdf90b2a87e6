/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distinguishes traces of frameworks from other JSON by the beginning of their text, from other
 * archives by their members, and from other databases by their tables. Tested by
 * tests/e2e/recognise.sh.
 */
#include "collect-kineto/formats/recognise.h"
#include "collect-kineto/formats/ascend_folders.h"
#include "collect-kineto/formats/ascend_reader.h"
#include "collect-kineto/formats/files.h"

#include "collect-kineto/text/archive.h"
#include "collect-kineto/formats/files.h"
#include "collect-kineto/formats/nsys_reader.h"
#include "collect-kineto/text/source.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_LOOKED_AT (32u << 10)
#define FILES_LOOKED_AT 4u

/* A text of traces that MindStudio's profilers of operators, and this one, write. */
#define OPERATOR_SIGN "\"profilingType\""

/* Texts that only traces contain, and how certain that is. */
static const struct {
    const char *word;
    uint32_t confidence;
} signs[] = {
    { "\"traceEvents\"", 90 },
    { "\"rocprofiler-sdk-tool\"", 90 },
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
    if (holds(text, length, OPERATOR_SIGN)) {
        return 0;
    }
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (holds(text, length, signs[i].word)) {
            return signs[i].confidence;
        }
    }
    return is_event_array(text, length) ? OPPROF_LIKELY : 0;
}

/* The tables of a packed database show only once it is unpacked. */
static uint32_t judge_database(Source *source)
{
    const uint32_t confidence = SourceIsPacked(source) ? OPPROF_POSSIBLE : 0;

    SourceClose(source);
    return confidence;
}

/* Reads the beginning of a text, and closes it. NULL is allowed. */
static uint32_t judge_text_of(Source *source)
{
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

static uint32_t judge_source(Source *source)
{
    return source != NULL && SourceIsDatabase(source) ? judge_database(source)
                                                      : judge_text_of(source);
}

static uint32_t judge_head(OpprofProbe *probe, const char *file)
{
    const void *bytes;
    const size_t size = OpprofProbeHead(probe, file, &bytes);

    return judge_source(SourceOpenMemory(bytes, size));
}

/* The best match among the first members of an archive that may be traces. */
typedef struct Members {
    uint32_t best;
    uint32_t looked_at;
} Members;

static bool judge_member(void *context, const char *path)
{
    Members *members = context;
    Source *source = NULL;
    OpprofError *error = NULL;
    uint32_t confidence;

    if (members->looked_at == FILES_LOOKED_AT || !TraceFilesIsMember(path)) {
        return true;
    }
    members->looked_at++;
    (void) SourceOpen(path, &source, &error); /* one that cannot be read is not a match */
    OpprofErrorDestroy(error);
    confidence = judge_source(source);
    members->best = confidence > members->best ? confidence : members->best;
    return true;
}

/* Whether an input has tables of an Ascend profiler, in the directory that it has for them. */
static uint32_t judge_tables(const char *path)
{
    AscendFolders folders;
    const bool has_tables =
        AscendFoldersFind(path, &folders, NULL) == OPPROF_OK && AscendFoldersHaveTables(&folders);

    AscendFoldersFinish(&folders);
    return has_tables ? OPPROF_LIKELY : 0;
}

static uint32_t judge_archive(const char *path)
{
    Members members = { .best = 0 };
    OpprofError *error = NULL;

    (void) ArchiveList(path, judge_member, &members, &error);
    OpprofErrorDestroy(error);
    return members.best > 0 ? members.best : judge_tables(path);
}

/*
 * Archives and databases have their directory anywhere, so their libraries read them, and not the
 * probe.
 */
static uint32_t judge_container(OpprofProbe *probe, const char *file)
{
    char *path = NULL;
    uint32_t confidence = 0;

    if (!OpprofProbeIsDirectory(probe)) {
        path = strdup(OpprofProbePath(probe));
    } else if (asprintf(&path, "%s/%s", OpprofProbePath(probe), file) < 0) {
        return 0;
    }
    if (path != NULL && ArchiveIs(path)) {
        confidence = judge_archive(path);
    } else if (path != NULL && (NsysReaderAccepts(path) || AscendReaderAccepts(path))) {
        confidence = OPPROF_CERTAIN;
    }
    free(path);
    return confidence;
}

typedef uint32_t Judge(OpprofProbe *probe, const char *file);

/* The best match among the first files of a pattern. */
static uint32_t judge_files(OpprofProbe *probe, const char *pattern, Judge *judge)
{
    uint32_t best = 0;
    const char *file;

    for (size_t i = 0; i < FILES_LOOKED_AT && (file = OpprofProbeFile(probe, pattern, i)) != NULL;
         i++) {
        const uint32_t confidence = judge(probe, file);

        best = confidence > best ? confidence : best;
    }
    return best;
}

/* One of many files that may be a table. */
static uint32_t judge_table(OpprofProbe *probe, const char *file)
{
    (void) file;
    return judge_tables(OpprofProbePath(probe));
}

/* Places to search, in this order, until one matches. */
typedef struct Look {
    const char *pattern;
    Judge *judge;
} Look;

static const Look file_looks[] = { { "*", judge_head }, { "*", judge_container } };

static const Look directory_looks[] = {
    { "trace_view.json", judge_head },
    { "*.json", judge_head },
    { "*.gz", judge_head },
    { "*.zst", judge_head },
    { "*.zip", judge_container },
    { "*.sqlite", judge_container },
    { ASCEND_DATABASE, judge_container },
    { "*.csv", judge_table },
    { "*.csv.*", judge_table },
};

/* Whether a pattern of directories that other profilers make fits the name, or something in it. */
static bool fits_foreign(const OpprofProbe *probe, const char *pattern)
{
    char *path = strdup(OpprofProbePath(probe));
    char *end = path == NULL ? NULL : path + strlen(path);
    bool result = OpprofProbeFile(probe, pattern, 0) != NULL;
    const char *name;

    while (path != NULL && end - path > 1 && end[-1] == '/') {
        *--end = '\0';
    }
    name = path == NULL ? NULL : strrchr(path, '/');
    name = name == NULL ? path : name + 1;
    result = result || (name != NULL && fnmatch(pattern, name, 0) == 0);
    free(path);
    return result;
}

/* A directory of another profiler. Its traces are not those of frameworks. */
static bool is_foreign(const OpprofProbe *probe)
{
    const WordList *list;
    Vocabulary vocabulary;
    bool result = false;

    if (VocabularyLoad(NULL, &vocabulary, NULL) == OPPROF_OK) {
        list = &vocabulary.lists[LIST_FOREIGN];
        for (size_t i = 0; !result && i < list->count; i++) {
            result = fits_foreign(probe, list->words[i]);
        }
    }
    VocabularyFinish(&vocabulary);
    return result;
}

/* What other collectors find in a directory is more specific than a trace among its files. */
#define DIRECTORY_MOST (OPPROF_LIKELY - 1)

static uint32_t recognise(OpprofProbe *probe)
{
    const bool is_directory = OpprofProbeIsDirectory(probe);
    const Look *looks = is_directory ? directory_looks : file_looks;
    const size_t count = is_directory ? sizeof directory_looks / sizeof directory_looks[0]
                                      : sizeof file_looks / sizeof file_looks[0];
    uint32_t confidence = 0;

    for (size_t i = 0; i < count && confidence == 0; i++) {
        confidence = judge_files(probe, looks[i].pattern, looks[i].judge);
    }
    if (is_directory && confidence > 0) {
        confidence = is_foreign(probe)             ? 0
                     : confidence > DIRECTORY_MOST ? DIRECTORY_MOST
                                                   : confidence;
    }
    return confidence;
}

const OpprofInputKind recognise_kinds[] = {
    { .name = "trace",
      .summary =
          "a trace of a framework (JSON with traceEvents or of rocprofv3, or SQLite of Nsight "
          "Systems; plain, " TRACE_PACKED " or in a zip archive), or a directory of them",
      .recognise = recognise },
    { .name = NULL },
};
