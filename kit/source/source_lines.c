/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of a kernel to source lines and inlined frames, memoised. */
#include <opprof/intern.h>
#include "kit/source/source_units.h"

#include <opprof/kit/live_host.h>
#include <opprof/kit/source.h>
#include <opprof/require.h>
#include <opprof/text.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LINES_MAX (4u << 20)
#define STACKS_MAX (64u << 20)

/* A line as it is kept: the text stands after it. */
typedef struct KeptLine {
    OpprofSourceLine line;
    size_t length;
    char text[];
} KeptLine;

/* A stack as it is kept: lines and text stand after it. */
typedef struct KeptStack {
    uint64_t pc;
    OpprofSourceStack stack;
    const OpprofSourceLine *lines[];
} KeptStack;

/* Key of a source. */
typedef struct SourceKey {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
    uint64_t start;
    const char *toolkit; /* part of paths, or NULL; borrowed for good */
} SourceKey;

struct OpprofSource {
    OpprofSource *next; /* of the process */
    unsigned users;
    SourceKey key;
    dev_t place_device; /* of the directory from which the start was found */
    ino_t place_inode;  /* 0 if none */
    char *path;
    SourceElf file;
    pthread_mutex_t lock; /* guards units, problem, and additions to stacks and lines */
    SourceUnits units;
    char *problem;
    OpprofIntern *stacks; /* KeptStack by address */
    OpprofIntern *lines;  /* KeptLine by text */
};

static pthread_mutex_t sources_lock =
    PTHREAD_MUTEX_INITIALIZER; /* guards the list and its counts of users */
static OpprofSource *sources;

/* Text of a line that may not be kept yet. */
typedef struct LineKey {
    const char *text;
    size_t length;
} LineKey;

static bool is_line(const void *item, const void *key)
{
    const KeptLine *line = item;
    const LineKey *wanted = key;

    return line->length == wanted->length && memcmp(line->text, wanted->text, wanted->length) == 0;
}

static bool is_stack_of(const void *item, const void *key)
{
    const KeptStack *stack = item;
    uint64_t pc;

    memcpy(&pc, key, sizeof pc);
    return stack->pc == pc;
}

/* ---- lines ---- */

static KeptLine *add_line(OpprofSource *source, uint64_t hash, const LineKey *key,
                          size_t file_length, uint32_t number)
{
    KeptLine *line = malloc(sizeof *line + key->length + 1);

    if (line == NULL) {
        return NULL;
    }
    memcpy(line->text, key->text, key->length);
    line->text[key->length] = '\0';
    line->length = key->length;
    line->line = (OpprofSourceLine){
        .text = line->text,
        .file_length = (uint32_t) file_length,
        .line = number,
        .id = OpprofInternCount(source->lines),
        .is_toolkit =
            source->key.toolkit != NULL && memmem(key->text, file_length, source->key.toolkit,
                                                  strlen(source->key.toolkit)) != NULL,
    };
    if (OpprofInternAdd(source->lines, hash, line) == OPPROF_INTERN_NONE) {
        free(line);
        return NULL;
    }
    return line;
}

/* NULL without memory. */
static const OpprofSourceLine *find_line(OpprofSource *source, const SourceFrame *frame)
{
    const char *directory = frame->directory == NULL ? "" : frame->directory;
    const char *slash = directory[0] == '\0' ? "" : "/";
    char *text;
    int file_length;
    int length =
        asprintf(&text, "%s%s%s%n:%u", directory, slash, frame->file, &file_length, frame->line);
    const KeptLine *line;

    if (length < 0) {
        return NULL;
    }
    const LineKey key = { .text = text, .length = (size_t) length };
    const uint64_t hash = OpprofInternHash(OpprofInternSeed(source->lines), text, key.length);
    const uint32_t index = OpprofInternFind(source->lines, hash, &key);
    line = index != OPPROF_INTERN_NONE
               ? OpprofInternGet(source->lines, index)
               : add_line(source, hash, &key, (size_t) file_length, frame->line);
    free(text);
    return line == NULL ? NULL : &line->line;
}

/* ---- stacks ---- */

static bool is_toolkit(const char *toolkit, const SourceFrame *frame)
{
    return toolkit != NULL && frame->file != NULL &&
           ((frame->directory != NULL && strstr(frame->directory, toolkit) != NULL) ||
            strstr(frame->file, toolkit) != NULL);
}

/* How many frames make the stack: up to the outermost one of the operator's own. */
static uint32_t stack_depth(const char *toolkit, const SourceFrame *frames, uint32_t count)
{
    for (uint32_t i = count; i > 0; i--) {
        if (frames[i - 1].line > 0 && frames[i - 1].file != NULL &&
            !is_toolkit(toolkit, &frames[i - 1])) {
            return i;
        }
    }
    return count > 0 && is_toolkit(toolkit, &frames[count - 1]) ? 1 : 0;
}

static bool holds_line(const OpprofSourceLine *const *lines, uint32_t count,
                       const OpprofSourceLine *line)
{
    for (uint32_t i = 0; i < count; i++) {
        if (lines[i] == line) {
            return true;
        }
    }
    return false;
}

/* Lines of an address and bytes of their texts with a byte after each. False without memory. */
static bool collect_lines(OpprofSource *source, uint64_t pc, const OpprofSourceLine **lines,
                          uint32_t *ret_count, size_t *ret_bytes)
{
    SourceFrame frames[SOURCE_FRAMES_MAX];
    uint32_t count = 0;

    *ret_count = 0;
    *ret_bytes = 0;
    if (pc < source->key.start) {
        return true;
    }
    if (!SourceUnitsFrames(&source->units, pc - source->key.start, frames, &count)) {
        return false;
    }
    count = stack_depth(source->key.toolkit, frames, count);
    for (uint32_t i = 0; i < count; i++) {
        const OpprofSourceLine *line;

        if (frames[i].line == 0 || frames[i].file == NULL) {
            continue;
        }
        line = find_line(source, &frames[i]);
        if (line == NULL) {
            return false;
        }
        if (!holds_line(lines, *ret_count, line)) {
            lines[(*ret_count)++] = line;
            *ret_bytes += strlen(line->text) + 1;
        }
    }
    return true;
}

static KeptStack *make_stack(OpprofSource *source, uint64_t pc)
{
    const OpprofSourceLine *lines[SOURCE_FRAMES_MAX];
    uint32_t count;
    size_t bytes;
    KeptStack *stack;
    char *text;

    if (!collect_lines(source, pc, lines, &count, &bytes)) {
        return NULL;
    }
    stack = malloc(sizeof *stack + count * sizeof lines[0] + bytes + 1);
    if (stack == NULL) {
        return NULL;
    }
    text = (char *) &stack->lines[count];
    stack->pc = pc;
    stack->stack = (OpprofSourceStack){
        .text = text, .length = bytes - (count > 0), .count = count, .lines = stack->lines
    };
    for (uint32_t i = 0; i < count; i++) {
        stack->lines[i] = lines[i];
        text = stpcpy(text, lines[i]->text);
        *text++ = '\n';
    }
    text[count > 0 ? -1 : 0] = '\0';
    return stack;
}

/* The address was not found before the lock was taken. */
static const KeptStack *add_stack(OpprofSource *source, uint64_t hash, uint64_t pc)
{
    const uint32_t index = OpprofInternFind(source->stacks, hash, &pc);
    KeptStack *stack;

    if (index != OPPROF_INTERN_NONE) {
        return OpprofInternGet(source->stacks, index);
    }
    stack = make_stack(source, pc);
    if (stack != NULL && OpprofInternAdd(source->stacks, hash, stack) == OPPROF_INTERN_NONE) {
        free(stack);
        return NULL;
    }
    return stack;
}

const OpprofSourceStack *OpprofSourceLookup(OpprofSource *source, uint64_t pc)
{
    OPPROF_REQUIRE("source-given", source != NULL, "The source is given");

    const uint64_t hash = OpprofInternHash(OpprofInternSeed(source->stacks), &pc, sizeof pc);
    const uint32_t index = OpprofInternFind(source->stacks, hash, &pc);
    const KeptStack *stack;

    if (index != OPPROF_INTERN_NONE) {
        stack = OpprofInternGet(source->stacks, index);
        return &stack->stack;
    }
    pthread_mutex_lock(&source->lock);
    stack = add_stack(source, hash, pc);
    pthread_mutex_unlock(&source->lock);
    return stack == NULL ? NULL : &stack->stack;
}

/* ---- life ---- */

static void free_items(OpprofIntern *intern)
{
    for (uint32_t i = 0; intern != NULL && i < OpprofInternCount(intern); i++) {
        free((void *) (uintptr_t) OpprofInternGet(intern, i));
    }
    OpprofInternDestroy(intern);
}

static void destroy(OpprofSource *source)
{
    free_items(source->stacks);
    free_items(source->lines);
    SourceUnitsClose(&source->units);
    SourceElfClose(&source->file);
    pthread_mutex_destroy(&source->lock);
    free(source->problem);
    free(source->path);
    free(source);
}

static OpprofStatus no_memory(const char *path, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read kernel '%s'", path);
}

static OpprofStatus create(const char *path, const char *name, const SourceKey *key,
                           OpprofSource **ret_source, OpprofError **error)
{
    OpprofSource *source = calloc(1, sizeof *source);
    OpprofStatus status;

    if (source == NULL) {
        return no_memory(name, error);
    }
    source->key = *key;
    source->users = 1;
    source->file.fd = -1;
    pthread_mutex_init(&source->lock, NULL);
    source->path = strdup(name);
    source->stacks = OpprofInternCreate(STACKS_MAX, is_stack_of);
    source->lines = OpprofInternCreate(LINES_MAX, is_line);
    status = source->path == NULL || source->stacks == NULL || source->lines == NULL
                 ? no_memory(name, error)
                 : SourceElfOpen(path, name, &source->file, error);
    if (status == OPPROF_OK && source->file.dwarf != NULL &&
        !SourceUnitsOpen(&source->units, &source->file)) {
        status = no_memory(name, error);
    }
    if (status != OPPROF_OK) {
        destroy(source);
        return status;
    }
    *ret_source = source;
    return OPPROF_OK;
}

static bool is_same_file(const SourceKey *a, const SourceKey *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* The lock on the list is held. */
static OpprofStatus find_or_create(const char *path, const char *name, const SourceKey *key,
                                   OpprofSource **ret_source, OpprofError **error)
{
    OpprofStatus status;

    for (OpprofSource *source = sources; source != NULL; source = source->next) {
        if (is_same_file(&source->key, key) && source->key.start == key->start &&
            is_same_text(source->key.toolkit, key->toolkit)) {
            source->users++;
            *ret_source = source;
            return OPPROF_OK;
        }
    }
    status = create(path, name, key, ret_source, error);
    if (status == OPPROF_OK) {
        (*ret_source)->next = sources;
        sources = *ret_source;
    }
    return status;
}

/* Name of the kernel in messages. */
static const char *name_of(const char *path, const OpprofSourceOptions *options)
{
    return options->name == NULL ? path : options->name;
}

static OpprofStatus read_key(const char *path, const char *name, SourceKey *ret_key,
                             OpprofError **error)
{
    struct stat info;

    if (OpprofLiveStat(path, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot open kernel '%s': %m", name);
    }
    *ret_key = (SourceKey){
        .device = info.st_dev, .inode = info.st_ino, .size = info.st_size, .changed = info.st_mtim
    };
    return OPPROF_OK;
}

/* Start of a kernel that is already open for this directory: it is searched once. The lock on the
 * list is held. */
static bool is_known_start(const SourceKey *key, const struct stat *place, uint64_t *ret_start)
{
    for (const OpprofSource *source = sources; source != NULL; source = source->next) {
        if (is_same_file(&source->key, key) && source->place_inode == place->st_ino &&
            source->place_device == place->st_dev) {
            *ret_start = source->key.start;
            return true;
        }
    }
    return false;
}

/* The lock on the list is held. */
static OpprofStatus open_locked(const char *path, SourceKey *key,
                                const OpprofSourceOptions *options, const struct stat *place,
                                OpprofSource **ret_source, OpprofError **error)
{
    OpprofStatus status;

    if (options->place != NULL && !is_known_start(key, place, &key->start)) {
        key->start = options->find_start(options->place);
    }
    status = find_or_create(path, name_of(path, options), key, ret_source, error);
    if (status == OPPROF_OK && options->place != NULL) {
        (*ret_source)->place_device = place->st_dev;
        (*ret_source)->place_inode = place->st_ino;
    }
    return status;
}

OpprofStatus OpprofSourceOpen(const char *path, const OpprofSourceOptions *options,
                              OpprofSource **ret_source, OpprofError **error)
{
    OPPROF_REQUIRE("source-path", path != NULL && ret_source != NULL,
                   "The kernel has a path, and the result a place");

    static const OpprofSourceOptions plain = { 0 };
    struct stat place = { 0 };
    SourceKey key;
    OpprofStatus status;

    *ret_source = NULL;
    options = options == NULL ? &plain : options;
    status = read_key(path, name_of(path, options), &key, error);
    if (status != OPPROF_OK) {
        return status;
    }
    if (options->place != NULL && OpprofLiveStat(options->place, &place) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot open directory '%s': %m", options->place);
    }
    key.start = options->start_pc;
    key.toolkit = options->toolkit;
    pthread_mutex_lock(&sources_lock);
    status = open_locked(path, &key, options, &place, ret_source, error);
    pthread_mutex_unlock(&sources_lock);
    return status;
}

const char *OpprofSourcePath(const OpprofSource *source)
{
    OPPROF_REQUIRE("source-given", source != NULL, "The source is given");
    return source->path;
}

bool OpprofSourceHasLines(const OpprofSource *source)
{
    OPPROF_REQUIRE("source-given", source != NULL, "The source is given");
    return source->file.dwarf != NULL;
}

const char *OpprofSourceProblem(OpprofSource *source)
{
    OPPROF_REQUIRE("source-given", source != NULL, "The source is given");

    const char *problem;

    pthread_mutex_lock(&source->lock);
    if (source->problem == NULL && source->units.problem != NULL &&
        asprintf(&source->problem, "Debug information of kernel '%s', at 0x%llx: %s", source->path,
                 (unsigned long long) source->units.problem_at, source->units.problem) < 0) {
        source->problem = NULL;
    }
    problem = source->problem;
    pthread_mutex_unlock(&source->lock);
    return problem;
}

void OpprofSourceClose(OpprofSource *source)
{
    OpprofSource **place = &sources;

    if (source == NULL) {
        return;
    }
    pthread_mutex_lock(&sources_lock);
    if (--source->users > 0) {
        source = NULL;
    }
    while (source != NULL && *place != source) {
        place = &(*place)->next;
    }
    if (source != NULL) {
        *place = source->next;
    }
    pthread_mutex_unlock(&sources_lock);
    if (source != NULL) {
        destroy(source);
    }
}
