/* SPDX-License-Identifier: Apache-2.0 */
/* Reads forms, and finds with them what lines and names hold. Tested by
 * tests/kit/io/test_form.c. */
#include <opprof/kit/form.h>

#include <opprof/json.h>
#include <opprof/record.h>
#include <opprof/require.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef enum PartKind {
    PART_TEXT = 0,
    PART_BLANKS,
    PART_STAR,     /* any bytes, as few as do */
    PART_ONE,      /* any byte */
    PART_OPTIONAL, /* a text that may be missing */
    PART_FIELD
} PartKind;

typedef struct Part {
    PartKind kind;
    uint32_t length;              /* of the text */
    const char *text;             /* within the form's */
    const OpprofFormField *field; /* of PART_FIELD */
    uint32_t number;              /* of that in the language */
    unsigned char also[32];       /* bit of each byte that a word takes */
} Part;

struct OpprofForm {
    const OpprofFormLanguage *language;
    char *text;
    uint32_t count;
    Part parts[OPPROF_FORM_PARTS];
};

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* ---- reading a form ---- */

static void add_to(unsigned char *set, const char *bytes)
{
    for (const char *at = bytes; at != NULL && *at != '\0'; at++) {
        set[(unsigned char) *at / 8] |= (unsigned char) (1u << ((unsigned char) *at % 8));
    }
}

static void make_field(Part *part, const OpprofFormField *field, uint32_t number)
{
    part->kind = PART_FIELD;
    part->field = field;
    part->number = number;
    if (field->kind == OPPROF_FORM_WORD) {
        add_to(part->also, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
        add_to(part->also, field->also);
    }
}

/* The field "<name>" that begins at `at`; NULL: there is no such field. */
static const char *find_field(const OpprofFormLanguage *language, const char *at, Part *part)
{
    const size_t length = strcspn(at + 1, ">");

    for (uint32_t i = 0; at[1 + length] == '>' && i < language->field_count; i++) {
        const char *name = language->fields[i].name;
        if (strlen(name) == length && strncmp(name, at + 1, length) == 0) {
            make_field(part, &language->fields[i], i);
            return at + length + 2;
        }
    }
    return NULL;
}

static PartKind kind_at(const OpprofFormLanguage *language, const char *at)
{
    if (*at == '<') {
        return at[1] == '?' ? PART_OPTIONAL : PART_FIELD;
    }
    if (language->has_blanks && is_blank(*at)) {
        return PART_BLANKS;
    }
    if (language->has_wildcards && (*at == '*' || *at == '?')) {
        return *at == '*' ? PART_STAR : PART_ONE;
    }
    return PART_TEXT;
}

/* Where the form goes on; NULL: with a field that the language does not have. */
static const char *read_part(const OpprofFormLanguage *language, const char *at, Part *part)
{
    *part = (Part){ .kind = kind_at(language, at), .text = at };
    switch (part->kind) {
    case PART_FIELD:
        return find_field(language, at, part);
    case PART_BLANKS:
        return at + strspn(at, " \t\r");
    case PART_STAR:
    case PART_ONE:
        return at + 1;
    case PART_OPTIONAL:
        part->text = at + 2;
        part->length = (uint32_t) strcspn(part->text, ">");
        return part->length > 0 && part->text[part->length] == '>' ? part->text + part->length + 1
                                                                   : NULL;
    case PART_TEXT:
    default:
        break;
    }
    while (*at != '\0' && kind_at(language, at) == PART_TEXT) {
        at++;
    }
    part->length = (uint32_t) (at - part->text);
    return at;
}

static OpprofStatus refuse_field(const OpprofForm *form, const char *at, OpprofError **error)
{
    const char *names[OPPROF_FORM_FIELDS];
    const size_t length = strcspn(at + 1, ">");
    char *wanted = strndup(at + 1, length);
    const char *nearest;

    for (uint32_t i = 0; i < form->language->field_count; i++) {
        names[i] = form->language->fields[i].name;
    }
    nearest = wanted == NULL ? NULL : OpprofNearestName(wanted, names, form->language->field_count);
    OpprofErrorSet(error, OPPROF_E_DATA, "'%s' has an unknown field '%.*s'", form->text,
                   (int) (length + 1 + (at[1 + length] == '>')), at);
    if (nearest != NULL) {
        OpprofErrorHint(error, "Did you mean '<%s>'?", nearest);
    }
    free(wanted);
    return OPPROF_E_DATA;
}

static OpprofStatus read_parts(OpprofForm *form, OpprofError **error)
{
    for (const char *at = form->text; *at != '\0';) {
        if (form->count == OPPROF_FORM_PARTS) {
            return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' has more than %u parts", form->text,
                                  OPPROF_FORM_PARTS);
        }
        const char *next = read_part(form->language, at, &form->parts[form->count]);
        if (next == NULL) {
            return refuse_field(form, at, error);
        }
        form->count++;
        at = next;
    }
    return OPPROF_OK;
}

static unsigned times(const OpprofForm *form, uint32_t field)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < form->count; i++) {
        count += form->parts[i].kind == PART_FIELD && form->parts[i].number == field;
    }
    return count;
}

static bool has_width(const Part *part)
{
    return part->kind == PART_FIELD && part->field->kind != OPPROF_FORM_HERE;
}

/* Without a required text between two fields it is open where the first ends
 * and the second begins. */
static OpprofStatus check_neighbours(const OpprofForm *form, OpprofError **error)
{
    const Part *before = NULL; /* a field with a width, while nothing stands after it for certain */

    for (uint32_t i = 0; i < form->count; i++) {
        const Part *part = &form->parts[i];
        if (has_width(part) && before != NULL) {
            return OpprofErrorSet(error, OPPROF_E_DATA,
                                  "'%s' has nothing between '<%s>' and '<%s>'", form->text,
                                  before->field->name, part->field->name);
        }
        if (part->kind == PART_OPTIONAL && before != NULL &&
            before->field->kind == OPPROF_FORM_REST) {
            return OpprofErrorSet(
                error, OPPROF_E_DATA,
                "'%s' has a text that may be missing after '<%s>', which takes everything",
                form->text, before->field->name);
        }
        if (part->kind != PART_OPTIONAL) {
            before = has_width(part) ? part : NULL;
        }
    }
    return OPPROF_OK;
}

static OpprofStatus check_parts(const OpprofForm *form, OpprofError **error)
{
    for (uint32_t i = 0; i < form->language->field_count; i++) {
        const OpprofFormField *field = &form->language->fields[i];
        const unsigned count = times(form, i);
        if (count == 0 && field->use == OPPROF_FORM_REQUIRED) {
            return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' lacks '<%s>'", form->text,
                                  field->name);
        }
        if (count > 1 && field->use != OPPROF_FORM_REPEATED) {
            return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' has '<%s>' more than once",
                                  form->text, field->name);
        }
    }
    return check_neighbours(form, error);
}

OpprofStatus OpprofFormRead(const OpprofFormLanguage *language, const char *text,
                            OpprofForm **ret_form, OpprofError **error)
{
    OPPROF_REQUIRE("form-language", language != NULL && language->field_count <= OPPROF_FORM_FIELDS,
                   "The language has at most OPPROF_FORM_FIELDS fields");
    OPPROF_REQUIRE("form-text-given", text != NULL && ret_form != NULL,
                   "The text and the result pointer are given");

    OpprofForm *form = calloc(1, sizeof *form);
    OpprofStatus status;

    *ret_form = NULL;
    if (form == NULL || (form->text = strdup(text)) == NULL) {
        OpprofFormFree(form);
        return OpprofErrorNoMemory(error, "read the form '%s'", text);
    }
    form->language = language;
    status = read_parts(form, error);
    if (status == OPPROF_OK) {
        status = check_parts(form, error);
    }
    if (status != OPPROF_OK) {
        OpprofFormFree(form);
        return status;
    }
    *ret_form = form;
    return OPPROF_OK;
}

void OpprofFormFree(OpprofForm *form)
{
    if (form != NULL) {
        free(form->text);
        free(form);
    }
}

const char *OpprofFormText(const OpprofForm *form)
{
    OPPROF_REQUIRE("form-given", form != NULL, "The form is given");
    return form->text;
}

bool OpprofFormHas(const OpprofForm *form, uint32_t field)
{
    OPPROF_REQUIRE("form-given", form != NULL, "The form is given");
    OPPROF_REQUIRE("form-field", field < form->language->field_count,
                   "The field is one of the form's language");
    return times(form, field) > 0;
}

uint32_t OpprofFormTakeApart(const OpprofForm *form, OpprofFormPart *ret_parts)
{
    OPPROF_REQUIRE("form-given", form != NULL, "The form is given");
    OPPROF_REQUIRE("form-text-given", ret_parts != NULL,
                   "The text and the result pointer are given");
    for (uint32_t i = 0; i < form->count; i++) {
        const Part *part = &form->parts[i];
        ret_parts[i] = (OpprofFormPart){ .is_optional = part->kind == PART_OPTIONAL,
                                         .field = part->kind == PART_FIELD ? part->field : NULL,
                                         .text = part->text,
                                         .length = part->kind == PART_FIELD ? 0
                                                   : part->length > 0       ? part->length
                                                                            : 1 };
    }
    return form->count;
}

/* ---- fields ---- */

static const char *take_decimal(const char *at, const char *end, uint64_t *ret_number)
{
    uint64_t value = 0;

    for (; at < end && is_digit(*at); at++) {
        const unsigned digit = (unsigned) (*at - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return NULL;
        }
        value = value * 10 + digit;
    }
    *ret_number = value;
    return value == OPPROF_NA_U64 ? NULL : at;
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at)) {
        at++;
    }
    return at;
}

static int hex_digit(char byte)
{
    if (is_digit(byte)) {
        return byte - '0';
    }
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static const char *take_hex(const char *at, const char *end, uint64_t *ret_number)
{
    uint64_t value = 0;
    int digit;

    for (; at < end && (digit = hex_digit(*at)) >= 0; at++) {
        value = value << 4 | (unsigned) digit;
    }
    *ret_number = value;
    return at;
}

static const char *take_lower_hex(const char *at, const char *end, uint64_t *ret_number)
{
    uint64_t value = 0;

    for (; at < end && (is_digit(*at) || (*at >= 'a' && *at <= 'f')); at++) {
        value = value << 4 | (unsigned) (*at <= '9' ? *at - '0' : *at - 'a' + 10);
    }
    *ret_number = value;
    return at;
}

static const char *take_word(const Part *part, const char *at, const char *end)
{
    if (part->field->is_name && (at == end || !is_letter(*at))) {
        return NULL;
    }
    while (at < end &&
           (part->also[(unsigned char) *at / 8] >> ((unsigned char) *at % 8) & 1) != 0) {
        at++;
    }
    return at;
}

/* Where the value of a field with its own width ends; *ret_from is after the 0x. NULL: it is
 * something else. */
static const char *take_field(const Part *part, const char *at, const char *end,
                              const char **ret_from, uint64_t *ret_number)
{
    const bool has_prefix = end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x';
    const OpprofFormKind kind = part->field->kind;

    if (kind == OPPROF_FORM_ADDRESS && (!has_prefix || at[1] != 'x')) {
        return NULL;
    }
    if ((kind == OPPROF_FORM_HEX && has_prefix) || kind == OPPROF_FORM_ADDRESS) {
        at += 2;
    }
    *ret_from = at;
    if (part->field->most > 0 && end - at > part->field->most) {
        end = at + part->field->most;
    } else if ((kind == OPPROF_FORM_HEX || kind == OPPROF_FORM_ADDRESS) && end - at > 17) {
        end = at + 17;
    }
    switch (kind) {
    case OPPROF_FORM_DECIMAL:
        return take_decimal(at, end, ret_number);
    case OPPROF_FORM_DIGITS:
        return skip_digits(at, end);
    case OPPROF_FORM_HEX:
    case OPPROF_FORM_HEX_DIGITS:
        return take_hex(at, end, ret_number);
    case OPPROF_FORM_ADDRESS:
        return take_lower_hex(at, end, ret_number);
    case OPPROF_FORM_WORD:
        return take_word(part, at, end);
    case OPPROF_FORM_REST:
    case OPPROF_FORM_HERE:
    default:
        return at;
    }
}

static bool has_good_length(const OpprofFormField *field, size_t length)
{
    const bool is_number = field->kind == OPPROF_FORM_HEX || field->kind == OPPROF_FORM_ADDRESS;
    const bool may_be_empty =
        field->kind == OPPROF_FORM_DIGITS || field->kind == OPPROF_FORM_HEX_DIGITS;
    const size_t least = field->least == 0 && !may_be_empty ? 1 : field->least;

    return length >= least && (!is_number || length <= 16);
}

/* ---- what takes everything ---- */

#ifdef __SSE2__

#define PLACES 16u /* looked at at once */

/* Bit i: the two bytes stand at at[i], of PLACES + 1 bytes. */
static inline unsigned pairs_at(const char *at, const char pair[2])
{
    const __m128i here = _mm_loadu_si128((const __m128i *) (const void *) at);
    const __m128i next = _mm_loadu_si128((const __m128i *) (const void *) (at + 1));

    return (unsigned) _mm_movemask_epi8(
        _mm_and_si128(_mm_cmpeq_epi8(here, _mm_set1_epi8(pair[0])),
                      _mm_cmpeq_epi8(next, _mm_set1_epi8(pair[1]))));
}

/* The same of a text that begins at `from`: nothing after its end is read. */
static inline unsigned find_pair(const char *from, const char *at, const char *end,
                                 const char pair[2])
{
    const size_t left = (size_t) (end - at);
    char rest[PLACES + 1] = { 0 };

    if (left >= sizeof rest) {
        return pairs_at(at, pair);
    }
    if ((size_t) (end - from) >= sizeof rest) {
        return pairs_at(end - sizeof rest, pair) >> (sizeof rest - left);
    }
    memcpy(rest, at, left);
    return pairs_at(rest, pair);
}

/*
 * Lines are short: what memmem() prepares takes longer than the search. And the first byte of a
 * text, such as '[', is often frequent around it, so that one byte alone would say little.
 */
static const char *find_text(const char *at, const char *end, const Part *text)
{
    const char *from = at;

    if (text->length < 2) {
        return memchr(at, text->text[0], (size_t) (end - at));
    }
    for (; (size_t) (end - at) >= text->length; at += PLACES) {
        for (unsigned hits = find_pair(from, at, end, text->text); hits != 0; hits &= hits - 1) {
            const char *hit = at + __builtin_ctz(hits);

            if ((size_t) (end - hit) < text->length) {
                return NULL;
            }
            if (memcmp(hit, text->text, text->length) == 0) {
                return hit;
            }
        }
        if ((size_t) (end - at) <= PLACES) {
            break;
        }
    }
    return NULL;
}

#else

static const char *find_text(const char *at, const char *end, const Part *text)
{
    return memmem(at, (size_t) (end - at), text->text, text->length);
}

#endif

/* The first blanks that come before a text, or before anything without one. */
static const char *find_blanks(const char *at, const char *end, const Part *text)
{
    const char *from = at;

    if (text == NULL) {
        while (at < end && !is_blank(*at)) {
            at++;
        }
        return at;
    }
    while ((at = find_text(at, end, text)) != NULL) {
        const char *blanks = at;
        while (blanks > from && is_blank(blanks[-1])) {
            blanks--;
        }
        if (blanks < at) {
            return blanks;
        }
        at++;
    }
    return NULL;
}

static const char *end_of_rest(const OpprofForm *form, uint32_t which, const char *at,
                               const char *end)
{
    const Part *next = &form->parts[which + 1];

    while (which + 1 < form->count && next->kind == PART_FIELD) { /* it has no width */
        which++;
        next++;
    }
    if (which + 1 == form->count || (next->kind == PART_BLANKS && which + 2 == form->count)) {
        return end;
    }
    if (next->kind == PART_BLANKS) {
        return find_blanks(at, end, next[1].kind == PART_TEXT ? &next[1] : NULL);
    }
    return next->kind == PART_TEXT ? find_text(at, end, next) : end;
}

/* ---- matching ---- */

static const char *take_value(const OpprofForm *form, uint32_t which, const char *at,
                              const char *end, OpprofFormValue *values)
{
    const Part *part = &form->parts[which];
    OpprofFormValue *value = &values[part->number];
    const char *from = at;
    const char *after = part->field->kind == OPPROF_FORM_REST
                            ? end_of_rest(form, which, at, end)
                            : take_field(part, at, end, &from, &value->number);

    if (after == NULL || (part->field->kind < OPPROF_FORM_REST &&
                          !has_good_length(part->field, (size_t) (after - from)))) {
        return NULL;
    }
    value->text = at;
    value->length = (uint32_t) (after - at);
    return after;
}

static const char *skip_blanks(const char *at, const char *end)
{
    const char *from = at;

    while (at < end && is_blank(*at)) {
        at++;
    }
    return at > from || at == end ? at : NULL;
}

/* Where the text goes on after a part; NULL: it has another form. */
static inline const char *take_part(const OpprofForm *form, uint32_t which, const char *at,
                                    const char *end, OpprofFormValue *values)
{
    const Part *part = &form->parts[which];

    switch (part->kind) {
    case PART_FIELD:
        return take_value(form, which, at, end, values);
    case PART_BLANKS:
        return skip_blanks(at, end);
    case PART_ONE:
        return at < end ? at + 1 : NULL;
    case PART_TEXT:
    case PART_OPTIONAL:
        return (size_t) (end - at) >= part->length && memcmp(at, part->text, part->length) == 0
                   ? at + part->length
               : part->kind == PART_OPTIONAL ? at
                                             : NULL;
    case PART_STAR:
    default:
        return at;
    }
}

static void clear(const OpprofForm *form, OpprofFormValue *values)
{
    for (uint32_t i = 0; i < form->language->field_count; i++) {
        values[i] = (OpprofFormValue){ .text = NULL };
    }
}

/* From `at` and a part on, to where the form ends. Only the last star ever needs to give way: what
 * stands before it is as short as it can be. */
static const char *match(const OpprofForm *form, uint32_t part, const char *at, const char *end,
                         bool is_whole, OpprofFormValue *values)
{
    uint32_t star = UINT32_MAX;
    const char *from = NULL; /* what the star has not taken begins there */

    for (uint32_t i = part;; i++) {
        if (i < form->count && form->parts[i].kind == PART_STAR) {
            star = i;
            from = at;
        } else if (i < form->count) {
            at = take_part(form, i, at, end, values);
        } else if (!is_whole || at == end) {
            return at;
        } else {
            at = NULL;
        }
        if (at == NULL) {
            if (star == UINT32_MAX || from == end) {
                return NULL;
            }
            at = ++from;
            i = star;
        }
    }
}

bool OpprofFormMatch(const OpprofForm *form, const char *text, size_t length,
                     OpprofFormValue *ret_values)
{
    OPPROF_REQUIRE("form-given", form != NULL, "The form is given");
    OPPROF_REQUIRE("form-text-given", (text != NULL || length == 0) && ret_values != NULL,
                   "The text and the result pointer are given");
    clear(form, ret_values);
    return match(form, 0, text, text + length, true, ret_values) != NULL;
}

/* The first place from `at` on where a form can begin; `first`: with this text, NULL: anywhere. */
static inline const char *find_begin(const Part *first, const char *at, const char *end)
{
    return first == NULL ? at : find_text(at, end, first);
}

const char *OpprofFormFind(const OpprofForm *form, const char *text, size_t length,
                           OpprofFormValue *ret_values)
{
    OPPROF_REQUIRE("form-given", form != NULL, "The form is given");
    OPPROF_REQUIRE("form-text-given", (text != NULL || length == 0) && ret_values != NULL,
                   "The text and the result pointer are given");

    const Part *first = form->count > 0 && form->parts[0].kind == PART_TEXT ? form->parts : NULL;
    const char *end = text + length;
    const char *at = find_begin(first, text, end);

    if (at == NULL) {
        return NULL; /* as nearly always, so nothing is done before */
    }
    clear(form, ret_values); /* once: a match sets all fields of the form */
    for (; at != NULL; at = at == end ? NULL : find_begin(first, at + 1, end)) {
        const char *after = first == NULL
                                ? match(form, 0, at, end, false, ret_values)
                                : match(form, 1, at + first->length, end, false, ret_values);

        if (after != NULL) {
            return after;
        }
    }
    return NULL;
}

char *OpprofFormPrint(const OpprofForm *form, const char *const *texts)
{
    OPPROF_REQUIRE("form-given", form != NULL, "The form is given");

    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < form->count; i++) {
        const Part *part = &form->parts[i];
        const char *given = texts == NULL || part->kind != PART_FIELD ? "*" : texts[part->number];

        if (part->kind == PART_TEXT) {
            fwrite(part->text, 1, part->length, out);
        } else if (part->kind == PART_BLANKS || part->kind == PART_ONE) {
            fputc(part->kind == PART_ONE ? '?' : ' ', out);
        } else if (part->kind == PART_OPTIONAL) {
            fputs(texts == NULL ? "*" : "", out);
        } else if (given != NULL && (part->kind == PART_STAR || has_width(part))) {
            fputs(given, out);
        }
    }
    return fclose(out) == 0 ? text : NULL;
}
