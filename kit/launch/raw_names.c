/* SPDX-License-Identifier: Apache-2.0 */
/* Names of raw files and keys of their facts, as chip files state them. Tested by
 * tests/kit/launch/test_raw_names.c. */
#include "kit/facts/chip_file.h"
#include "kit/launch/launch_reader.h"

#include <opprof/grow.h>
#include <opprof/kit/raw_names.h>
#include <opprof/require.h>

#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NUMBER "<k>"
#define NUMBER_FIELD "k"
#define MAX_DIGITS 4u

typedef struct Pattern {
    const char *role; /* the chip's */
    const char *text; /* the same, with <k> */
    char *as_fnmatch; /* with * for <k> */
} Pattern;

/* A role with its part of `fnmatches`. */
typedef struct Role {
    const char *name;
    size_t first;
    size_t count;
} Role;

/* Of one chip, or of all. */
typedef struct Names {
    struct Names *next;
    char *chip;
    OpprofChip **chips; /* the chip whose texts these are */
    size_t chip_count;
    size_t chip_capacity;
    Pattern *patterns;
    size_t pattern_count;
    size_t pattern_capacity;
    const char **fnmatches; /* those of the patterns, role by role */
    Role *roles;            /* a few, so that a role is found without comparing every pattern */
    size_t role_count;
    OpprofRawForm *forms;
    size_t form_count;
    size_t form_capacity;
} Names;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list; what is in it stays */
static Names *all_names;

/* ---- making ---- */

/* After the field that begins at `at`, "<core>"; NULL: none does. */
static const char *field_end(const char *at)
{
    const char *end = *at == '<' ? strchr(at, '>') : NULL;

    return end == NULL || end == at + 1 ? NULL : end + 1;
}

/* Whether a text begins with this field. */
static bool is_field(const char *at, const char *field)
{
    const char *end = field_end(at);
    const size_t length = strlen(field);

    return end != NULL && (size_t) (end - at) == length + 2 && strncmp(at + 1, field, length) == 0;
}

/* Whether the pattern has fields besides a number that counts. */
static bool has_fields(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (field_end(at) != NULL && !is_field(at, NUMBER_FIELD)) {
            return true;
        }
    }
    return false;
}

/* "DeviceProf<k>.bin" to "DeviceProf*.bin"; NULL without memory. */
static char *fnmatch_of(const char *text)
{
    char *pattern = malloc(strlen(text) + 1);
    size_t length = 0;

    for (const char *at = text; pattern != NULL && *at != '\0';) {
        const char *end = field_end(at);
        pattern[length++] = end == NULL ? *at : '*';
        at = end == NULL ? at + 1 : end;
    }
    if (pattern != NULL) {
        pattern[length] = '\0';
    }
    return pattern;
}

static bool add_pattern(Names *names, const char *role, const char *text)
{
    for (size_t i = 0; i < names->pattern_count; i++) {
        if (strcmp(names->patterns[i].role, role) == 0 &&
            strcmp(names->patterns[i].text, text) == 0) {
            return true;
        }
    }
    if (!OpprofGrow(&names->patterns, &names->pattern_capacity, names->pattern_count + 1,
                    sizeof *names->patterns)) {
        return false;
    }
    const Pattern pattern = { .role = role, .text = text, .as_fnmatch = fnmatch_of(text) };
    names->patterns[names->pattern_count] = pattern;
    names->pattern_count += pattern.as_fnmatch != NULL;
    return pattern.as_fnmatch != NULL;
}

static bool add_patterns(Names *names, const OpprofFact *files)
{
    OpprofFactWalk walk = { 0 };
    const OpprofFact *fact;
    const char *role;
    bool is_good = true;

    while (is_good && OpprofFactGetKind(files) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(files, &walk, &role, &fact)) {
        const char *text = OpprofFactText(fact);
        is_good = text == NULL || add_pattern(names, role, text);
        for (size_t i = 0; is_good && i < OpprofFactCount(fact); i++) {
            text = OpprofFactText(OpprofFactAt(fact, i));
            is_good = text == NULL || add_pattern(names, role, text);
        }
    }
    return is_good;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Every key of one is a key of the other. */
static bool holds_keys(const OpprofFact *of, const OpprofFact *in)
{
    OpprofFactWalk walk = { 0 };
    const OpprofFact *fact;
    const char *name;

    while (OpprofFactNext(of, &walk, &name, &fact)) {
        if (!is_same_text(OpprofFactText(fact), OpprofFactText(OpprofFactMember(in, name)))) {
            return false;
        }
    }
    return true;
}

static bool add_form(Names *names, const OpprofFact *info)
{
    const char *separator = OpprofFactText(OpprofFactMember(info, "separator"));

    if (OpprofFactGetKind(info) != OPPROF_FACT_OBJECT) {
        return true;
    }
    for (size_t i = 0; i < names->form_count; i++) {
        if (holds_keys(info, names->forms[i].keys) && holds_keys(names->forms[i].keys, info)) {
            return true;
        }
    }
    if (!OpprofGrow(&names->forms, &names->form_capacity, names->form_count + 1,
                    sizeof *names->forms)) {
        return false;
    }
    names->forms[names->form_count++] =
        (OpprofRawForm){ .keys = info, .separator = separator == NULL ? '=' : separator[0] };
    return true;
}

static bool add_section(Names *names, const OpprofFact *raw)
{
    return add_patterns(names, OpprofFactMember(raw, "files")) &&
           add_form(names, OpprofFactMember(raw, "info"));
}

/* A chip whose file is wrong has no names; its users report what is wrong. */
static bool add_named(Names *names, const char *name)
{
    OpprofChip *chip = NULL;
    const OpprofStatus status = OpprofChipLoad(name, &chip, NULL);

    if (status != OPPROF_OK) {
        return status != OPPROF_E_MEMORY;
    }
    if (!OpprofGrow(&names->chips, &names->chip_capacity, names->chip_count + 1,
                    sizeof(OpprofChip *))) {
        OpprofChipFree(chip);
        return false;
    }
    names->chips[names->chip_count++] = chip;
    return add_section(names, OpprofChipFact(chip, "raw"));
}

/* Names that chips share, and chips with names of their own: other files are not read for it. */
static bool add_all(Names *names)
{
    RawSource *sources = NULL;
    size_t count = 0;
    bool is_good = ChipsRawSources(&sources, &count, NULL) == OPPROF_OK;

    for (size_t i = 0; i < count; i++) {
        if (is_good) {
            is_good = sources[i].series != NULL ? add_named(names, sources[i].series)
                                                : add_section(names, sources[i].raw);
        }
        free(sources[i].series);
    }
    free(sources);
    return is_good;
}

static const Role *role_of(const Names *names, const char *name)
{
    for (size_t i = 0; i < names->role_count; i++) {
        if (strcmp(names->roles[i].name, name) == 0) {
            return &names->roles[i];
        }
    }
    return NULL;
}

/* The patterns of each role as one list, in `fnmatches`. */
static bool list_patterns(Names *names)
{
    size_t count = 0;

    names->fnmatches = calloc(names->pattern_count + 1, sizeof *names->fnmatches);
    names->roles = calloc(names->pattern_count + 1, sizeof *names->roles);
    if (names->fnmatches == NULL || names->roles == NULL) {
        return false;
    }
    for (size_t i = 0; i < names->pattern_count; i++) {
        const char *name = names->patterns[i].role;
        const size_t first = count;
        if (role_of(names, name) != NULL) {
            continue;
        }
        for (size_t k = i; k < names->pattern_count; k++) {
            if (strcmp(names->patterns[k].role, name) == 0) {
                names->fnmatches[count++] = names->patterns[k].as_fnmatch;
            }
        }
        names->roles[names->role_count++] = (Role){ name, first, count - first };
    }
    return true;
}

static void free_names(Names *names)
{
    for (size_t i = 0; i < names->pattern_count; i++) {
        free(names->patterns[i].as_fnmatch);
    }
    for (size_t i = 0; i < names->chip_count; i++) {
        OpprofChipFree(names->chips[i]);
    }
    free(names->patterns);
    free(names->fnmatches);
    free(names->roles);
    free(names->forms);
    free(names->chips);
    free(names->chip);
    free(names);
}

static Names *make(const char *chip)
{
    Names *names = calloc(1, sizeof *names);
    bool is_good = names != NULL && (names->chip = strdup(chip)) != NULL;

    is_good = is_good && (strcasecmp(chip, "auto") == 0 ? add_all(names) : add_named(names, chip));
    if (names != NULL && (!is_good || !list_patterns(names))) {
        free_names(names);
        return NULL;
    }
    return names;
}

/* NULL without memory. */
static const Names *names_of(const char *chip)
{
    Names *names;

    pthread_mutex_lock(&lock);
    for (names = all_names; names != NULL && strcasecmp(names->chip, chip) != 0;) {
        names = names->next;
    }
    if (names == NULL && (names = make(chip)) != NULL) {
        names->next = all_names;
        all_names = names;
    }
    pthread_mutex_unlock(&lock);
    return names;
}

OpprofStatus OpprofRawNamesLoad(const char *chip, OpprofError **error)
{
    OPPROF_REQUIRE("raw-name-given", chip != NULL,
                   "The chip and the file, field or role are texts");
    return names_of(chip) != NULL
               ? OPPROF_OK
               : OpprofErrorNoMemory(error, "read the names of the raw files of '%s'", chip);
}

void RawNamesForget(void)
{
    pthread_mutex_lock(&lock);
    while (all_names != NULL) {
        Names *next = all_names->next;
        free_names(all_names);
        all_names = next;
    }
    pthread_mutex_unlock(&lock);
    ChipsForget();
}

/* ---- files ---- */

/* The number in a name; 0: the name does not match the pattern. */
static uint32_t number_in(const char *text, const char *number, const char *file)
{
    const size_t head = (size_t) (number - text);
    const char *tail = number + strlen(NUMBER);
    const char *at = file + head;
    uint32_t value = 0;
    unsigned digits = 0;

    if (strncmp(file, text, head) != 0 || *at == '0') {
        return 0;
    }
    for (; digits <= MAX_DIGITS && *at >= '0' && *at <= '9'; at++, digits++) {
        value = value * 10 + (uint32_t) (*at - '0');
    }
    return digits <= MAX_DIGITS && fnmatch(tail, at, 0) == 0 ? value : 0;
}

/* A field to look for in a name. */
typedef struct Wanted {
    const char *field; /* NULL: none */
    const char *value;
    size_t length;
} Wanted;

static bool is_alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether a name matches a pattern with fields, each of which stands for letters and digits. */
static bool matches_fields(const char *text, const char *file, Wanted *wanted)
{
    while (*text != '\0') {
        const char *end = field_end(text);
        size_t length = 0;

        if (end == NULL) {
            if (*text++ != *file++) {
                return false;
            }
            continue;
        }
        while (is_alphanumeric(file[length])) {
            length++;
        }
        if (length == 0) {
            return false;
        }
        if (wanted->field != NULL && is_field(text, wanted->field)) {
            wanted->value = file;
            wanted->length = length;
        }
        text = end;
        file += length;
    }
    return *file == '\0';
}

static const Pattern *pattern_of(const char *chip, const char *file, uint32_t *ret_number,
                                 Wanted *wanted)
{
    const Names *names = names_of(chip);

    for (size_t i = 0; names != NULL && i < names->pattern_count; i++) {
        const Pattern *pattern = &names->patterns[i];
        const char *number = strstr(pattern->text, NUMBER);

        *ret_number = 0;
        if (has_fields(pattern->text)) {
            if (matches_fields(pattern->text, file, wanted)) {
                return pattern;
            }
        } else if (number != NULL) {
            *ret_number = number_in(pattern->text, number, file);
            if (*ret_number > 0) {
                return pattern;
            }
        } else if (fnmatch(pattern->text, file, 0) == 0) {
            return pattern;
        }
    }
    return NULL;
}

const char *OpprofRawRole(const char *chip, const char *file, uint32_t *ret_number)
{
    OPPROF_REQUIRE("raw-name-given", chip != NULL && file != NULL,
                   "The chip and the file, field or role are texts");

    Wanted none = { .field = NULL };
    uint32_t number = 0;
    const Pattern *pattern = pattern_of(chip, file, &number, &none);

    if (pattern == NULL) {
        return NULL;
    }
    if (ret_number != NULL) {
        *ret_number = number;
    }
    return pattern->role;
}

const char *OpprofRawField(const char *chip, const char *file, const char *field,
                           size_t *ret_length)
{
    OPPROF_REQUIRE("raw-name-given", chip != NULL && file != NULL && field != NULL,
                   "The chip and the file, field or role are texts");
    OPPROF_REQUIRE("raw-result-given", ret_length != NULL, "The result pointer is given");

    Wanted wanted = { .field = field };
    uint32_t number = 0;

    if (pattern_of(chip, file, &number, &wanted) == NULL) {
        return NULL;
    }
    *ret_length = wanted.length;
    return wanted.value;
}

size_t OpprofRawPatterns(const char *chip, const char *role, const char *const **ret_patterns)
{
    OPPROF_REQUIRE("raw-name-given", chip != NULL && role != NULL,
                   "The chip and the file, field or role are texts");
    OPPROF_REQUIRE("raw-result-given", ret_patterns != NULL, "The result pointer is given");

    const Names *names = names_of(chip);
    const Role *found = names == NULL ? NULL : role_of(names, role);

    if (found == NULL) {
        return 0;
    }
    *ret_patterns = names->fnmatches + found->first;
    return found->count;
}

static const char *text_of(const char *at, const OpprofRawPart *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (*at == '*' ? strcmp(parts[i].field, "*") == 0 : is_field(at, parts[i].field)) {
            return parts[i].text;
        }
    }
    return NULL;
}

void OpprofRawFileNameOf(const char *chip, const char *role, const OpprofRawPart *parts,
                         size_t count, char *ret_name, size_t size)
{
    OPPROF_REQUIRE("raw-name-given", chip != NULL && role != NULL,
                   "The chip and the file, field or role are texts");
    OPPROF_REQUIRE("raw-result-given", ret_name != NULL && size > 0, "The result pointer is given");

    const Names *names = names_of(chip);
    const char *at = role;
    size_t length = 0;

    for (size_t i = 0; names != NULL && at == role && i < names->pattern_count; i++) {
        at = strcmp(names->patterns[i].role, role) == 0 ? names->patterns[i].text : role;
    }
    while (*at != '\0' && length + 1 < size) {
        const char *end = *at == '*' ? at + 1 : field_end(at);
        const char *text = end == NULL ? NULL : text_of(at, parts, count);
        const int added = text == NULL ? snprintf(ret_name + length, size - length, "%c", *at)
                                       : snprintf(ret_name + length, size - length, "%s", text);
        at = text == NULL ? at + 1 : end;
        length += added < 0 ? 0 : (size_t) added;
    }
    ret_name[length < size ? length : size - 1] = '\0';
}

void OpprofRawFileName(const char *chip, const char *role, uint32_t number, char *ret_name,
                       size_t size)
{
    OPPROF_REQUIRE("raw-name-given", chip != NULL && role != NULL,
                   "The chip and the file, field or role are texts");
    OPPROF_REQUIRE("raw-result-given", ret_name != NULL && size > 0, "The result pointer is given");

    char digits[16];
    const OpprofRawPart part = { NUMBER_FIELD, digits };

    snprintf(digits, sizeof digits, "%u", number);
    OpprofRawFileNameOf(chip, role, &part, 1, ret_name, size);
}

/* ---- facts ---- */

const char *OpprofRawKey(const OpprofRawForm *form, const char *fact)
{
    OPPROF_REQUIRE("raw-form-given", form != NULL && fact != NULL,
                   "The form and the name of the fact are given");
    return OpprofFactText(OpprofFactMember(form->keys, fact));
}

/* A line has one key and one value. */
static bool is_value(const OpprofRawForm *form, const char *text, size_t length)
{
    return memchr(text, form->separator, length) == NULL && memchr(text, '\0', length) == NULL;
}

const char *OpprofRawValue(const OpprofRawForm *form, const char *fact, const char *text,
                           size_t length, size_t *ret_length)
{
    OPPROF_REQUIRE("raw-result-given", ret_length != NULL, "The result pointer is given");
    OPPROF_REQUIRE("raw-form-given", form != NULL && fact != NULL,
                   "The form and the name of the fact are given");
    OPPROF_REQUIRE("raw-text-given", text != NULL || length == 0,
                   "A text is NULL only if its length is 0");

    const char *key = OpprofRawKey(form, fact);
    const size_t key_length = key == NULL ? 0 : strlen(key);
    const char *end = length == 0 ? text : text + length; /* nothing may be NULL */
    const char *found = NULL;

    for (const char *at = text; key != NULL && at < end;) {
        const char *newline = memchr(at, '\n', (size_t) (end - at));
        if (newline == NULL) {
            break; /* part of a number is another number */
        }
        const char *last = newline > at && newline[-1] == '\r' ? newline - 1 : newline;
        if ((size_t) (last - at) > key_length + 1 && memcmp(at, key, key_length) == 0 &&
            at[key_length] == form->separator &&
            is_value(form, at + key_length + 1, (size_t) (last - at) - key_length - 1)) {
            found = at + key_length + 1;
            *ret_length = (size_t) (last - found);
        }
        at = newline + 1;
    }
    return found;
}

const char *RawTextFault(const char *text, size_t length)
{
    OPPROF_REQUIRE("raw-text-given", text != NULL || length == 0,
                   "A text is NULL only if its length is 0");

    if (length == 0) {
        return NULL;
    }
    if (text[length - 1] != '\n') {
        return "ends within a line, which is left out";
    }
    return length % 2 == 0 && memcmp(text, text + length / 2, length / 2) == 0
               ? "holds the same lines twice"
               : NULL;
}

bool OpprofRawAddress(const char *text, size_t length, uint64_t *ret_address)
{
    OPPROF_REQUIRE("raw-text-given", text != NULL || length == 0,
                   "A text is NULL only if its length is 0");
    OPPROF_REQUIRE("raw-result-given", ret_address != NULL, "The result pointer is given");

    char line[32] = "";
    char *end = NULL;

    memcpy(line, length == 0 ? "" : text, length < sizeof line - 1 ? length : sizeof line - 1);
    line[strcspn(line, "\r\n")] = '\0';
    const size_t blanks = strspn(line, " \t");
    const uint64_t address = strtoull(line + blanks, &end, 16);
    if (line[blanks] == '\0' || line[blanks] == '-' || line[blanks] == '+' ||
        end[strspn(end, " \t")] != '\0') {
        return false;
    }
    *ret_address = address;
    return true;
}

OpprofRawForm OpprofRawFormOf(const char *chip, const char *text, size_t length)
{
    OPPROF_REQUIRE("raw-name-given", chip != NULL,
                   "The chip and the file, field or role are texts");
    OPPROF_REQUIRE("raw-text-given", text != NULL || length == 0,
                   "A text is NULL only if its length is 0");

    const Names *names = names_of(chip);
    size_t unused;

    for (size_t i = 0; names != NULL && i < names->form_count; i++) {
        if (OpprofRawValue(&names->forms[i], "soc", text, length, &unused) != NULL) {
            return names->forms[i];
        }
    }
    return names != NULL && names->form_count > 0 ? names->forms[0]
                                                  : (OpprofRawForm){ .separator = '=' };
}
