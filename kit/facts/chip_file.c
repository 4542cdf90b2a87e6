/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one chip file and checks its form. Tested by tests/kit/facts/test_chip. */
#include "kit/facts/chip_file.h"

#include <opprof/grow.h>
#include <opprof/json.h>

#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/text.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMAT_VERSION "1.0"
#define MIN_CLOCK_MHZ 1e-6 /* 1 Hz */
#define MAX_CLOCK_MHZ 1e6
#define MAX_FAULTS_TOLD 4

/* A member of the document, for JSON Pointers in messages. */
typedef struct Place {
    const struct Place *above; /* NULL: the document itself */
    const char *key;
} Place;

typedef OpprofStatus Check(const ChipFile *file, const Place *place, const json_t *value,
                           OpprofError **error);

/* ---- messages ---- */

static void print_pointer(FILE *out, const Place *place)
{
    if (place->above == NULL) {
        return;
    }
    print_pointer(out, place->above);
    fputc('/', out);
    for (const char *at = place->key; *at != '\0'; at++) {
        if (*at == '~' || *at == '/') { /* as JSON Pointer wants it */
            fputs(*at == '~' ? "~0" : "~1", out);
        } else {
            fputc(*at, out);
        }
    }
}

/* NULL without memory. */
static char *pointer_text(const Place *place)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    print_pointer(out, place);
    return fclose(out) == 0 ? text : NULL;
}

static const char *type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a truth value";
    case JSON_NULL:
        return "null";
    }
    return "something else";
}

static OpprofStatus refuse(const ChipFile *file, const Place *place, const char *problem,
                           OpprofError **error)
{
    char *pointer = pointer_text(place);

    OpprofErrorSet(error, OPPROF_E_DATA, "Chip file '%s' at '%s': %s", file->path,
                   pointer == NULL ? "" : pointer, problem);
    free(pointer);
    return OPPROF_E_DATA;
}

static OpprofStatus refuse_type(const ChipFile *file, const Place *place, const char *wanted,
                                const json_t *value, OpprofError **error)
{
    char problem[128];

    snprintf(problem, sizeof problem, "expected %s, found %s", wanted, type_name(value));
    return refuse(file, place, problem, error);
}

/* ---- checks of members ---- */

static OpprofStatus check_text(const ChipFile *file, const Place *place, const json_t *value,
                               OpprofError **error)
{
    if (!json_is_string(value)) {
        return refuse_type(file, place, "a string", value, error);
    }
    return json_string_length(value) > 0 ? OPPROF_OK
                                         : refuse(file, place, "the text is empty", error);
}

static OpprofStatus check_version(const ChipFile *file, const Place *place, const json_t *value,
                                  OpprofError **error)
{
    const char *version = json_string_value(value);

    if (version == NULL) {
        return refuse_type(file, place, "the string \"" FORMAT_VERSION "\"", value, error);
    }
    if (strcmp(version, FORMAT_VERSION) == 0) {
        return OPPROF_OK;
    }
    refuse(file, place, "this format version is unknown, only \"" FORMAT_VERSION "\" is", error);
    OpprofErrorHint(error, "The file was made for another release of opprof");
    return OPPROF_E_DATA;
}

static OpprofStatus check_object(const ChipFile *file, const Place *place, const json_t *value,
                                 OpprofError **error)
{
    return json_is_object(value) ? OPPROF_OK : refuse_type(file, place, "an object", value, error);
}

/* All members of an object but its comments; the first fault counts. */
static OpprofStatus check_members(const ChipFile *file, const Place *place, const json_t *object,
                                  Check *check, OpprofError **error)
{
    const char *key;
    json_t *value;
    OpprofStatus status = check_object(file, place, object, error);

    if (status != OPPROF_OK) {
        return status;
    }
    json_t *walked = NULL;
    memcpy(&walked, &object, sizeof walked); /* the macro wants it writable, but does not write */
    json_object_foreach(walked, key, value)
    {
        const Place member = { .above = place, .key = key };
        status = OpprofJsonIsComment(key) ? OPPROF_OK : check(file, &member, value, error);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return OPPROF_OK;
}

/* Names of facts. */
static OpprofStatus check_uses(const ChipFile *file, const Place *place, const json_t *value,
                               OpprofError **error)
{
    if (!json_is_array(value)) {
        return refuse_type(file, place, "an array of names", value, error);
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        const OpprofStatus status = check_text(file, place, json_array_get(value, i), error);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return OPPROF_OK;
}

static OpprofStatus check_clock(const ChipFile *file, const Place *place, const json_t *value,
                                OpprofError **error)
{
    if (!json_is_number(value)) {
        return refuse_type(file, place, "a number of MHz", value, error);
    }
    const double mhz = json_number_value(value);
    return mhz >= MIN_CLOCK_MHZ && mhz <= MAX_CLOCK_MHZ
               ? OPPROF_OK
               : refuse(file, place, "a clock is above 0 and at most 1000000 MHz", error);
}

static OpprofStatus check_clocks(const ChipFile *file, const Place *place, const json_t *value,
                                 OpprofError **error)
{
    return check_members(file, place, value, check_clock, error);
}

static OpprofStatus check_socs(const ChipFile *file, const Place *place, const json_t *value,
                               OpprofError **error);

/* ---- sections ---- */

static const struct {
    const char *name;
    Check *check;
    bool in_soc; /* may be overridden for a SoC */
} sections[] = {
    { "opprof_chip", check_version, false },
    { "series", check_text, false },
    { "nick", check_text, true },
    { "extends", check_text, false },
    { "uses", check_uses, false },
    { "opprof_facts", check_version, false },
    { "name", check_text, false },
    { "default_soc", check_text, false },
    { "socs", check_socs, false },
    { "description", check_text, true },
    { "clocks", check_clocks, true },
    { "cores", check_object, true },
    { "caches", check_object, true },
    { "peaks", check_object, true },
    { "simulator", check_object, true },
    { "mc2", check_object, true },
    { "biu", check_object, true },
    { "perfmon", check_object, true },
    { "pmu", check_object, true },
    { "metrics", check_object, true },
    { "dbi", check_object, true },
};

#define SECTIONS (sizeof sections / sizeof sections[0])

/*
 * Which sections there are is the business of the modules that read them; one that
 * nearly is a known name is a typing error.
 */
static OpprofStatus check_other(const ChipFile *file, const Place *place, const json_t *value,
                                bool in_soc, OpprofError **error)
{
    const char *names[SECTIONS];
    bool is_of_file = false;

    for (size_t i = 0; i < SECTIONS; i++) {
        const bool is_hidden = in_soc && !sections[i].in_soc;
        is_of_file = is_of_file || (is_hidden && strcmp(sections[i].name, place->key) == 0);
        names[i] = is_hidden ? NULL : sections[i].name;
    }
    const char *nearest = OpprofNearestName(place->key, names, SECTIONS);
    if (!is_of_file && nearest == NULL) {
        return check_object(file, place, value, error);
    }
    refuse(file, place, in_soc ? "a SoC has no such member" : "a chip file has no such member",
           error);
    if (nearest != NULL) {
        OpprofErrorHint(error, "Did you mean '%s'?", nearest);
    }
    return OPPROF_E_DATA;
}

static OpprofStatus check_section(const ChipFile *file, const Place *place, const json_t *value,
                                  bool in_soc, OpprofError **error)
{
    for (size_t i = 0; i < SECTIONS; i++) {
        if ((!in_soc || sections[i].in_soc) && strcmp(sections[i].name, place->key) == 0) {
            return sections[i].check(file, place, value, error);
        }
    }
    return check_other(file, place, value, in_soc, error);
}

static OpprofStatus check_member_of_soc(const ChipFile *file, const Place *place,
                                        const json_t *value, OpprofError **error)
{
    return check_section(file, place, value, true, error);
}

static OpprofStatus check_member_of_chip(const ChipFile *file, const Place *place,
                                         const json_t *value, OpprofError **error)
{
    return check_section(file, place, value, false, error);
}

static OpprofStatus check_soc(const ChipFile *file, const Place *place, const json_t *value,
                              OpprofError **error)
{
    return check_members(file, place, value, check_member_of_soc, error);
}

static OpprofStatus check_socs(const ChipFile *file, const Place *place, const json_t *value,
                               OpprofError **error)
{
    return check_members(file, place, value, check_soc, error);
}

/* ---- the file ---- */

/* A file is of a chip, or of facts that chips use. */
static OpprofStatus check_required(const ChipFile *file, OpprofError **error)
{
    static const char *const of_chip[] = { "opprof_chip", "series", NULL };
    static const char *const of_facts[] = { "opprof_facts", "name", NULL };
    static const char *const no_facts[] = { "opprof_chip", "series", "extends",
                                            "default_soc", "socs",   NULL };
    static const char *const no_chip[] = { "name", NULL };
    const bool is_facts = json_object_get(file->root, "opprof_facts") != NULL;
    const char *const *required = is_facts ? of_facts : of_chip;
    const char *const *refused = is_facts ? no_facts : no_chip;
    const Place document = { 0 };
    char problem[64];

    for (; *required != NULL; required++) {
        if (json_object_get(file->root, *required) == NULL) {
            snprintf(problem, sizeof problem, "the member '%s' is missing", *required);
            return refuse(file, &document, problem, error);
        }
    }
    for (; *refused != NULL; refused++) {
        if (json_object_get(file->root, *refused) != NULL) {
            snprintf(problem, sizeof problem, "%s have no member '%s'",
                     is_facts ? "facts that chips use" : "chips", *refused);
            return refuse(file, &document, problem, error);
        }
    }
    return OPPROF_OK;
}

static OpprofStatus check_default_soc(const ChipFile *file, OpprofError **error)
{
    const Place document = { 0 };
    const Place place = { .above = &document, .key = "default_soc" };
    const char *name = json_string_value(json_object_get(file->root, "default_soc"));

    if (name == NULL || json_object_get(json_object_get(file->root, "socs"), name) != NULL) {
        return OPPROF_OK;
    }
    return refuse(file, &place, "this SoC is not among those in '/socs'", error);
}

static void read_file(ChipFile *file)
{
    const Place document = { 0 };
    OpprofStatus status = OpprofJsonLoad(file->path, &file->root, &file->fault);

    free(file->text);
    file->text = NULL;
    file->is_read = true;
    if (status == OPPROF_OK) {
        status = check_required(file, &file->fault);
    }
    if (status == OPPROF_OK) {
        status = check_members(file, &document, file->root, check_member_of_chip, &file->fault);
    }
    if (status == OPPROF_OK) {
        check_default_soc(file, &file->fault);
    }
}

/* Names are looked for in any case. */
static void to_lower(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        text[i] = (char) (text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i]);
    }
}

/* NULL without memory. */
static char *lower_copy(const char *text)
{
    char *copy = strdup(text);

    if (copy != NULL) {
        to_lower(copy, strlen(copy));
    }
    return copy;
}

/* The bytes of a file of ordinary kind and size, in lower case. NULL for any other, and without
 * memory: then it is read at once. */
static void read_text(ChipFile *file)
{
    const int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat about;
    ssize_t length = -1;

    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
        about.st_size <= (off_t) OPPROF_JSON_MAX_SIZE) {
        file->text = malloc((size_t) about.st_size);
        length = file->text == NULL ? -1 : read(fd, file->text, (size_t) about.st_size);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (length < 0 || length != about.st_size) {
        free(file->text);
        file->text = NULL;
        return;
    }
    file->length = (size_t) length;
    to_lower(file->text, file->length);
}

/* Where a JSON string in lower case ends in the text of a file, from an offset on; 0: it is not
 * there, or empty. */
static size_t end_of_string(const ChipFile *file, size_t from, const char *string)
{
    const size_t length = strlen(string);

    while (length > 0 && from < file->length) {
        const char *at = memmem(file->text + from, file->length - from, string, length);
        if (at == NULL) {
            return 0;
        }
        from = (size_t) (at - file->text) + length;
        if (at > file->text && at[-1] == '"' && from < file->length && file->text[from] == '"') {
            return from + 1;
        }
    }
    return 0;
}

/* Whether the text of a file has a member of that name, on any level. */
static bool has_member(const ChipFile *file, const char *key)
{
    for (size_t at = end_of_string(file, 0, key); at != 0; at = end_of_string(file, at, key)) {
        while (at < file->length && strchr(" \t\r\n", file->text[at]) != NULL) {
            at++;
        }
        if (at < file->length && file->text[at] == ':') {
            return true;
        }
    }
    return false;
}

/* ---- all files ---- */

static int is_chip_name(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > strlen(".json") && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - strlen(".json"), ".json") == 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* the same order in every locale */
}

static bool add_file(ChipFiles *files, const char *directory, const char *name, bool is_own)
{
    if (!OpprofGrow(&files->file, &files->capacity, files->count + 1, sizeof *files->file)) {
        return false;
    }
    ChipFile *file = &files->file[files->count];
    *file = (ChipFile){ 0 };
    if (asprintf(&file->path, "%s/%s", directory, name) < 0) {
        return false;
    }
    files->count++;
    if (!is_own) {
        read_text(file);
    }
    if (file->text == NULL) {
        read_file(file);
    }
    return true;
}

static bool add_directory(ChipFiles *files, const char *directory, bool is_own)
{
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, is_chip_name, by_bytes);
    bool good = count >= 0 || errno != ENOMEM;

    if (count < 0) {
        OpprofLog(errno == ENOENT ? OPPROF_LOG_DEBUG : OPPROF_LOG_WARNING, "chips",
                  "Cannot list '%s': %m, going on without it", directory);
    }
    for (int i = 0; i < count; i++) {
        good = good && add_file(files, directory, entries[i]->d_name, is_own);
        free(entries[i]);
    }
    free(entries);
    return good;
}

/* ---- what a broken file was ---- */

#define MOST_BROKEN_BYTES (1u << 20) /* that are looked through */

/* The text of a file; NULL if it cannot be read. To be freed. */
static char *text_of(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = file == NULL ? NULL : calloc(1, MOST_BROKEN_BYTES + 1);
    size_t length = text == NULL ? 0 : fread(text, 1, MOST_BROKEN_BYTES, file);

    if (text != NULL && ferror(file)) {
        free(text);
        text = NULL;
    }
    for (size_t i = 0; i < length; i++) {
        text[i] = text[i] == '\0' ? ' ' : text[i];
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Moves after a string with its quotes, in any case; NULL: it does not begin here. */
static const char *skip_string(const char *at, const char *string)
{
    const size_t length = strlen(string);

    return at[0] == '"' && strncasecmp(at + 1, string, length) == 0 && at[1 + length] == '"'
               ? at + length + 2
               : NULL;
}

/* Whether a text has a member of that name, with that string as its value unless it is NULL. */
static bool text_has(const char *text, const char *member, const char *value)
{
    for (const char *at = strchr(text, '"'); at != NULL; at = strchr(at + 1, '"')) {
        const char *after = skip_string(at, member);

        if (after != NULL && *(after = skip_blanks(after)) == ':' &&
            (value == NULL || skip_string(skip_blanks(after + 1), value) != NULL)) {
            return true;
        }
    }
    return false;
}

/* A text that is cut before it says what it is of may be of anything. */
static bool says_what(const char *text)
{
    return text_has(text, "socs", NULL) || text_has(text, "opprof_facts", NULL) ||
           text_has(text, "extends", NULL);
}

static bool text_may_be(const char *text, const char *series, const char *soc, const char *facts)
{
    return (series != NULL && text_has(text, "series", series)) ||
           (soc != NULL && text_has(text, soc, NULL)) ||
           (facts != NULL && text_has(text, "name", facts));
}

bool ChipFileMayBe(const ChipFile *file, const char *series, const char *soc, const char *facts)
{
    struct stat about;

    if (stat(file->path, &about) == 0 && !S_ISREG(about.st_mode)) {
        return false;
    }
    char *text = text_of(file->path);
    const bool may_be = text == NULL || (file->root == NULL && !says_what(text)) ||
                        text_may_be(text, series, soc, facts);

    free(text);
    return may_be;
}

void ChipFileReportFault(const ChipFile *file, OpprofError **error)
{
    OpprofErrorSet(error, OpprofErrorStatus(file->fault), "%s", OpprofErrorLine(file->fault));
    if (OpprofErrorGetHint(file->fault) != NULL) {
        OpprofErrorHint(error, "%s", OpprofErrorGetHint(file->fault));
    }
}

size_t ChipFilesReportFaults(const ChipFiles *files, OpprofError **error)
{
    size_t faults = 0;

    for (size_t i = files->count; i > 0; i--) {
        if (files->file[i - 1].fault != NULL && ++faults <= MAX_FAULTS_TOLD) {
            ChipFileReportFault(&files->file[i - 1], error);
        }
    }
    return faults;
}

/* Directories that the user names. */
static const char *own_places(void)
{
    const char *places = getenv("OPPROF_CHIP_PATH");

    return places == NULL ? "" : places;
}

/* Directories of opprof; tests of the build tree have their own. */
static const char *installed_places(void)
{
    const char *places = getenv("OPPROF_SYSTEM_CHIP_PATH");

    return places == NULL ? OPPROF_CHIP_DIR ":" OPPROF_FACTS_DIR : places;
}

char *ChipFilesPlaces(void)
{
    const char *own = own_places();
    const char *installed = installed_places();
    char *places = NULL;

    const char *between = own[0] == '\0' || installed[0] == '\0' ? "" : ":";
    return asprintf(&places, "%s%s%s", own, between, installed) < 0 ? NULL : places;
}

/* Whether a directory is in a colon-separated list. */
static bool is_listed(const char *list, const char *directory)
{
    const size_t length = strlen(directory);

    for (const char *at = list; at != NULL; at = strchr(at, ':')) {
        at += *at == ':';
        if (strncmp(at, directory, length) == 0 && (at[length] == ':' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* An installed directory that the user names as well stays installed, and is looked at once. */
static bool add_places(ChipFiles *files, const char *list, bool is_own)
{
    const char *others = is_own ? installed_places() : own_places();
    char *places = strdup(list);
    char *rest = places;
    bool good = places != NULL;

    while (good && rest != NULL) {
        const char *directory = strsep(&rest, ":");
        const bool is_both = directory[0] != '\0' && is_listed(others, directory);

        good = directory[0] == '\0' || (!is_own && is_both) ||
               add_directory(files, directory, is_own && !is_both);
    }
    free(places);
    return good;
}

OpprofStatus ChipFilesLoad(ChipFiles *files, OpprofError **error)
{
    return add_places(files, own_places(), true) && add_places(files, installed_places(), false)
               ? OPPROF_OK
               : OpprofErrorNoMemory(error, "load chip files");
}

/* A file for which memory ran out is not broken: it may be read another time. */
static OpprofStatus read_unless_read(ChipFile *file, OpprofError **error)
{
    if (!file->is_read) {
        read_file(file);
    }
    if (file->fault == NULL || OpprofErrorStatus(file->fault) != OPPROF_E_MEMORY) {
        return OPPROF_OK;
    }
    OpprofErrorDestroy(file->fault);
    file->fault = NULL;
    json_decref(file->root);
    file->root = NULL;
    file->is_read = false;
    return OpprofErrorNoMemory(error, "read '%s'", file->path);
}

OpprofStatus ChipFilesRead(ChipFiles *files, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < files->count; i++) {
        status = read_unless_read(&files->file[i], error);
    }
    return status;
}

/* Names to search in the text of a file. */
typedef enum Sought { SOUGHT_NAME, SOUGHT_FACTS, SOUGHT_MEMBER } Sought;

/* Whether a file that is not read may have what is sought, which is in lower case. */
static bool may_have(const ChipFile *file, Sought sought, const char *lower)
{
    switch (sought) {
    case SOUGHT_NAME:
        return end_of_string(file, 0, lower) != 0;
    case SOUGHT_FACTS:
        return end_of_string(file, 0, lower) != 0 && has_member(file, "opprof_facts");
    case SOUGHT_MEMBER:
        return has_member(file, lower);
    }
    return true;
}

static OpprofStatus read_those(ChipFiles *files, Sought sought, const char *name,
                               OpprofError **error)
{
    char *lower = lower_copy(name);
    OpprofStatus status =
        lower == NULL ? OpprofErrorNoMemory(error, "look for '%s'", name) : OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < files->count; i++) {
        ChipFile *file = &files->file[i];

        if (file->text == NULL || may_have(file, sought, lower)) {
            status = read_unless_read(file, error);
        }
    }
    free(lower);
    return status;
}

OpprofStatus ChipFilesReadNamed(ChipFiles *files, const char *name, OpprofError **error)
{
    return read_those(files, SOUGHT_NAME, name, error);
}

OpprofStatus ChipFilesReadFacts(ChipFiles *files, const char *name, OpprofError **error)
{
    return read_those(files, SOUGHT_FACTS, name, error);
}

OpprofStatus ChipFilesReadSection(ChipFiles *files, const char *section, OpprofError **error)
{
    return read_those(files, SOUGHT_MEMBER, section, error);
}

/* ---- who states something ---- */

static bool has_path(const json_t *facts, const char *path)
{
    char key[64];

    while (facts != NULL && *path != '\0') {
        const size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int) length, path);
        facts = json_object_get(facts, key);
        path += length + (path[length] == '.');
    }
    return facts != NULL;
}

/* Of all SoCs, or of one. */
static bool states(const ChipFile *file, const char *path)
{
    const char *soc;
    json_t *facts;

    if (has_path(file->root, path)) {
        return true;
    }
    json_object_foreach(json_object_get(file->root, "socs"), soc, facts)
    {
        if (has_path(facts, path)) {
            return true;
        }
    }
    return false;
}

/* Whether a file extends a series or uses facts of that name; one that is not read may name it only
 * in another way. */
static bool builds_on(const ChipFile *file, const char *name)
{
    const char *extended = json_string_value(json_object_get(file->root, "extends"));
    const json_t *used = json_object_get(file->root, "uses");
    bool is_it = extended != NULL && strcasecmp(extended, name) == 0;

    if (file->text != NULL) {
        char *lower = lower_copy(name);

        is_it = lower == NULL || end_of_string(file, 0, lower) != 0;
        free(lower);
    }
    for (size_t i = 0; i < json_array_size(used); i++) {
        const char *one = json_string_value(json_array_get(used, i));
        is_it = is_it || (one != NULL && strcasecmp(one, name) == 0);
    }
    return is_it;
}

/* Marks the files that build on one; true if there are more now. */
static bool mark_users(const ChipFiles *files, const ChipFile *file, bool *marks)
{
    const char *series = json_string_value(json_object_get(file->root, "series"));
    const char *name =
        series != NULL ? series : json_string_value(json_object_get(file->root, "name"));
    bool is_more = false;

    for (size_t i = 0; name != NULL && i < files->count; i++) {
        if (!marks[i] && builds_on(&files->file[i], name)) {
            marks[i] = true;
            is_more = true;
        }
    }
    return is_more;
}

OpprofStatus ChipFilesFindStating(ChipFiles *files, const char *path, bool *marks,
                                  OpprofError **error)
{
    const char *last = strrchr(path, '.') == NULL ? path : strrchr(path, '.') + 1;
    OpprofStatus status = ChipFilesReadSection(files, last, error);

    for (size_t i = 0; i < files->count; i++) {
        marks[i] = files->file[i].root != NULL && states(&files->file[i], path);
    }
    for (bool is_more = true; status == OPPROF_OK && is_more;) {
        is_more = false;
        for (size_t i = 0; status == OPPROF_OK && i < files->count; i++) {
            if (marks[i]) {
                status = read_unless_read(&files->file[i], error);
                is_more = mark_users(files, &files->file[i], marks) || is_more;
            }
        }
    }
    return status;
}

void ChipFilesFree(ChipFiles *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->file[i].path);
        free(files->file[i].text);
        json_decref(files->file[i].root);
        OpprofErrorDestroy(files->file[i].fault);
    }
    free(files->file);
    *files = (ChipFiles){ 0 };
}
