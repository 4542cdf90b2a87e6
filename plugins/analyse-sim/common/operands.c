/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads values and registers in the texts of operands, by the forms in a chip's file. A text is
 * scanned once for all forms that share a byte.
 * Tested by tests/plugins/analyse-sim/details/test_operands.c.
 */
#include "analyse-sim/common/operands.h"

#include "analyse-sim/common/byte_search.h"

#include <opprof/kit/bytes.h>
#include <opprof/kit/form.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FORMS 64u /* of a dialect's values; as many of its registers */
#define BUCKETS 32u    /* a power of two */
#define NOTHING 0xffu

/* Fields of a form, in the order of the table. */
enum {
    TAKE_HEX,
    TAKE_DECIMAL,
    TAKE_NUMBER,
    TAKE_WORD,
    TAKE_DIGITS,
    TAKE_REGISTER,
    TAKE_REGISTER16,
    TAKE_SMALL,
    TAKE_LETTER,
    TAKE_DIGIT,
    TAKE_LETTERS,
    TAKES,
    TAKE_TEXT = TAKES,
    TAKE_OPTIONAL
};

static const OpprofFormField fields[TAKES] = {
    [TAKE_HEX] = { .name = "hex", .kind = OPPROF_FORM_HEX },
    [TAKE_DECIMAL] = { .name = "decimal", .kind = OPPROF_FORM_DECIMAL },
    [TAKE_NUMBER] = { .name = "number", .kind = OPPROF_FORM_HEX },
    [TAKE_WORD] = { .name = "word", .kind = OPPROF_FORM_WORD },
    [TAKE_DIGITS] = { .name = "digits", .kind = OPPROF_FORM_DIGITS, .most = 2 },
    [TAKE_REGISTER] = { .name = "register", .kind = OPPROF_FORM_DECIMAL, .most = 2 },
    [TAKE_REGISTER16] = { .name = "register16", .kind = OPPROF_FORM_HEX_DIGITS, .most = 2 },
    [TAKE_SMALL] = { .name = "small", .kind = OPPROF_FORM_HEX },
    [TAKE_LETTER] = { .name = "letter", .kind = OPPROF_FORM_WORD, .most = 1 },
    [TAKE_DIGIT] = { .name = "digit", .kind = OPPROF_FORM_DECIMAL, .most = 1 },
    [TAKE_LETTERS] = { .name = "letters", .kind = OPPROF_FORM_WORD, .most = 2 },
};
static const OpprofFormLanguage language = { .fields = fields, .field_count = TAKES };

/* After its head. */
typedef struct Piece {
    uint8_t take;
    uint8_t length; /* of a text */
    const char *text;
} Piece;

typedef struct Form {
    OpprofForm *form; /* owns the texts */
    const char *head; /* the text that begins it */
    uint32_t head_length;
    uint32_t value; /* place of the value; for a register, whether it is written */
    uint32_t count;
    Piece pieces[OPPROF_FORM_PARTS];
} Form;

typedef struct Forms {
    Form *forms;
    uint32_t count;
} Forms;

/* A word, or a number in digits, and its meaning. */
typedef struct Meaning {
    const char *text; /* the chip's */
    size_t length;
    uint64_t key; /* if it is a number */
    uint64_t number;
} Meaning;

typedef struct Value {
    const char *name; /* the chip's */
    Meaning *meanings;
    size_t meaning_count;
    bool has_meanings;
} Value;

struct OperandForms {
    Value values[OPERAND_VALUES];
    uint32_t value_count;
    Forms of_values;
    Forms of_registers; /* those of written registers first */
    uint32_t registers;
    char first[2];    /* bytes that forms of registers begin with, if one or two */
    bool is_anything; /* there are more */
    bool is_simple;   /* the only form is a byte before a register */
};

/* ---- reading forms ---- */

static OpprofStatus add_form(Forms *forms, const char *text, uint32_t value, OpprofError **error)
{
    OpprofFormPart parts[OPPROF_FORM_PARTS];
    Form *form;

    if (text == NULL || forms->count == MOST_FORMS) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "A dialect has %s",
                              text == NULL ? "a form that is not a text" : "more than 64 forms");
    }
    if (forms->forms == NULL && (forms->forms = calloc(MOST_FORMS, sizeof *form)) == NULL) {
        return OpprofErrorNoMemory(error, "read forms of operands");
    }
    form = &forms->forms[forms->count];
    const OpprofStatus status = OpprofFormRead(&language, text, &form->form, error);
    if (status != OPPROF_OK) {
        return status;
    }
    const uint32_t count = OpprofFormTakeApart(form->form, parts);
    const bool has_head = count > 0 && parts[0].field == NULL && !parts[0].is_optional;
    form->value = value;
    form->head = parts[0].text;
    form->head_length = has_head ? parts[0].length : 0;
    for (uint32_t i = has_head; i < count; i++) {
        form->pieces[form->count++] =
            (Piece){ .take = (uint8_t) (parts[i].is_optional     ? TAKE_OPTIONAL
                                        : parts[i].field == NULL ? TAKE_TEXT
                                                                 : parts[i].field - fields),
                     .length = (uint8_t) parts[i].length,
                     .text = parts[i].text };
    }
    forms->count++;
    return OPPROF_OK;
}

/* One form or an array of them. */
static OpprofStatus add_forms(Forms *forms, const OpprofFact *fact, uint32_t value,
                              OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (OpprofFactGetKind(fact) != OPPROF_FACT_ARRAY) {
        return add_form(forms, OpprofFactText(fact), value, error);
    }
    for (size_t i = 0; i < OpprofFactCount(fact) && status == OPPROF_OK; i++) {
        status = add_form(forms, OpprofFactText(OpprofFactAt(fact, i)), value, error);
    }
    return status;
}

static const Meaning *find_meaning(const Value *value, const char *word, size_t length)
{
    for (size_t i = 0; i < value->meaning_count; i++) {
        if (value->meanings[i].length == length &&
            memcmp(value->meanings[i].text, word, length) == 0) {
            return &value->meanings[i];
        }
    }
    return NULL;
}

bool OperandFormsMeaning(const OperandForms *forms, const char *word, uint64_t *ret_number)
{
    const Meaning *meaning = NULL;

    for (uint32_t i = 0; i < forms->value_count && meaning == NULL; i++) {
        meaning = find_meaning(&forms->values[i], word, strlen(word));
    }
    *ret_number = meaning == NULL ? 0 : meaning->number;
    return meaning != NULL;
}

static OpprofStatus read_meanings(const OperandForms *forms, Value *value, const OpprofFact *means,
                                  OpprofError **error)
{
    OpprofFactWalk walk = { 0 };
    const char *word;
    const OpprofFact *fact;
    size_t count = 0;

    while (OpprofFactNext(means, &walk, &word, &fact)) {
        count++;
    }
    value->has_meanings = true;
    value->meanings = calloc(count + 1, sizeof *value->meanings);
    if (value->meanings == NULL) {
        return OpprofErrorNoMemory(error, "read meanings of operands");
    }
    walk = (OpprofFactWalk){ 0 };
    while (value->meaning_count < count && OpprofFactNext(means, &walk, &word, &fact)) {
        double number = 0;
        uint64_t before = 0;
        OpprofFactNumber(fact, &number);
        if (OperandFormsMeaning(forms, word, &before) && before != (uint64_t) number) {
            return OpprofErrorSet(error, OPPROF_E_DATA, "The word '%s' means %llu and %.0f", word,
                                  (unsigned long long) before, number);
        }
        value->meanings[value->meaning_count++] = (Meaning){ .text = word,
                                                             .length = strlen(word),
                                                             .key = strtoull(word, NULL, 0),
                                                             .number = (uint64_t) number };
    }
    return OPPROF_OK;
}

static OpprofStatus read_values(OperandForms *forms, const OpprofFact *values, OpprofError **error)
{
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && OpprofFactNext(values, &walk, &name, &fact)) {
        const bool is_object = OpprofFactGetKind(fact) == OPPROF_FACT_OBJECT;
        if (forms->value_count == OPERAND_VALUES) {
            return OpprofErrorSet(error, OPPROF_E_DATA, "A dialect names more than %u values",
                                  OPERAND_VALUES);
        }
        Value *value = &forms->values[forms->value_count];
        *value = (Value){ .name = name };
        status = add_forms(&forms->of_values, is_object ? OpprofFactMember(fact, "form") : fact,
                           forms->value_count++, error);
        if (status == OPPROF_OK && OpprofFactMember(fact, "means") != NULL) {
            status = read_meanings(forms, value, OpprofFactMember(fact, "means"), error);
        }
    }
    return status;
}

/* The bytes that a search for registers scans for. */
static void find_first_bytes(OperandForms *forms)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < forms->of_registers.count; i++) {
        const Form *form = &forms->of_registers.forms[i];
        const char byte = form->head_length == 0 ? '\0' : form->head[0];
        const bool is_known =
            (count > 0 && byte == forms->first[0]) || (count > 1 && byte == forms->first[1]);
        forms->is_anything =
            forms->is_anything || form->head_length == 0 || (!is_known && count == 2);
        if (!is_known && count < 2) {
            forms->first[count++] = byte;
        }
    }
    forms->is_simple = forms->of_registers.count == 1 &&
                       forms->of_registers.forms[0].head_length == 1 &&
                       forms->of_registers.forms[0].count == 1 &&
                       forms->of_registers.forms[0].pieces[0].take == TAKE_REGISTER;
    forms->first[1] = count == 1 ? forms->first[0] : forms->first[1];
}

OpprofStatus OperandFormsRead(const OpprofFact *operands, OperandForms **ret_forms,
                              OpprofError **error)
{
    OperandForms *forms = calloc(1, sizeof *forms);
    const OpprofFact *written = OpprofFactMember(operands, "written");
    const OpprofFact *registers = OpprofFactMember(operands, "registers");
    double count = 32;

    *ret_forms = NULL;
    if (forms == NULL) {
        return OpprofErrorNoMemory(error, "read forms of operands");
    }
    OpprofFactNumber(OpprofFactMember(operands, "register_count"), &count);
    forms->registers = count >= 1 && count <= OPERAND_REGISTERS ? (uint32_t) count : 32;
    OpprofStatus status = read_values(forms, OpprofFactMember(operands, "values"), error);
    if (status == OPPROF_OK && written != NULL) {
        status = add_forms(&forms->of_registers, written, 1, error);
    }
    if (status == OPPROF_OK && registers != NULL) {
        status = add_forms(&forms->of_registers, registers, 0, error);
    }
    if (status != OPPROF_OK) {
        OperandFormsFree(forms);
        return status;
    }
    find_first_bytes(forms);
    *ret_forms = forms;
    return OPPROF_OK;
}

static void free_forms(Forms *forms)
{
    for (uint32_t i = 0; i < forms->count; i++) {
        OpprofFormFree(forms->forms[i].form);
    }
    free(forms->forms);
}

void OperandFormsFree(OperandForms *forms)
{
    if (forms != NULL) {
        free_forms(&forms->of_values);
        free_forms(&forms->of_registers);
        for (uint32_t i = 0; i < forms->value_count; i++) {
            free(forms->values[i].meanings);
        }
        free(forms);
    }
}

uint32_t OperandFormsPlace(const OperandForms *forms, const char *name)
{
    uint32_t place = 0;

    while (place < forms->value_count && strcmp(forms->values[place].name, name) != 0) {
        place++;
    }
    return place < forms->value_count ? place : OPERAND_VALUES;
}

uint32_t OperandFormsRegisters(const OperandForms *forms)
{
    return forms->registers;
}

/* ---- contents of a form ---- */

/* Fields found in a form. */
typedef struct Found {
    const char *text; /* a word; NULL: a number, or nothing */
    size_t length;
    uint64_t number;
    bool fits; /* into 64 bits */
} Found;

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline int hex_digit(char c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static inline bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool is_word(char c)
{
    return is_digit(c) || is_letter(c) || (c >= 'A' && c <= 'Z');
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Eight hexadecimal digits at once, as addresses and registers have; false if one of them is
 * something else. */
static inline bool eight_hex_digits(const char *at, uint64_t *ret_number)
{
    uint64_t bytes = OpprofLoadBe64(at);
    const uint64_t letters = bytes >> 6 & EACH(1);

    bytes -= letters * ('a' - '0' - 10); /* now '0' to '?' */
    if ((bytes & EACH(0xf0)) != EACH('0') || ((bytes + EACH(6)) >> 6 & EACH(1)) != letters) {
        return false;
    }
    bytes &= EACH(0x0f);
    bytes = (bytes | bytes >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    bytes = (bytes | bytes >> 8) & UINT64_C(0x0000ffff0000ffff);
    *ret_number = (bytes | bytes >> 16) & UINT32_MAX;
    return true;
}

/* Reads at most so many hexadecimal digits; NULL if it finds no digit. */
static const char *take_hex(const char *at, const char *end, size_t most, Found *found)
{
    const char *from = at;
    uint64_t number = 0;
    uint64_t lost = 0;
    int digit;

    end = (size_t) (end - at) > most ? at + most : end;
    if (end - at >= 8 && eight_hex_digits(at, &number)) {
        at += 8;
    }
    for (; at < end && (digit = hex_digit(*at)) >= 0; at++) {
        lost |= number >> 60;
        number = number << 4 | (uint64_t) digit;
    }
    found->number = number;
    found->fits = lost == 0;
    return at > from ? at : NULL;
}

/* The same for decimal digits. */
static const char *take_decimal(const char *at, const char *end, size_t most, Found *found)
{
    const char *from = at;

    found->number = 0;
    found->fits = true;
    end = (size_t) (end - at) > most ? at + most : end;
    for (; at < end && is_digit(*at); at++) {
        found->fits =
            found->fits && !__builtin_mul_overflow(found->number, 10, &found->number) &&
            !__builtin_add_overflow(found->number, (uint64_t) (*at - '0'), &found->number);
    }
    return at > from ? at : NULL;
}

/* Digits after 0x, or others of a base. */
static const char *take_number(const char *at, const char *end, bool is_hex, Found *found)
{
    if (end - at > 2 && at[0] == '0' && at[1] == 'x' && hex_digit(at[2]) >= 0) {
        return take_hex(at + 2, end, SIZE_MAX, found);
    }
    return is_hex ? take_hex(at, end, SIZE_MAX, found) : take_decimal(at, end, SIZE_MAX, found);
}

static const char *take_word(const char *at, const char *end, Found *found)
{
    found->text = at;
    while (at < end && is_word(*at)) {
        at++;
    }
    found->length = (size_t) (at - found->text);
    return found->length > 0 ? at : NULL;
}

/* Up to `most` letters, or digits. */
static const char *skip_letters(const char *at, const char *end, unsigned most, bool may_be_digits)
{
    const char *from = at;

    while (at < end && at - from < (int) most &&
           (is_letter(*at) || (may_be_digits && is_digit(*at)))) {
        at++;
    }
    return at > from ? at : NULL;
}

static const char *skip_digits(const char *at, const char *end)
{
    for (unsigned i = 0; i < 2 && at < end && is_digit(*at); i++) {
        at++;
    }
    return at;
}

/* Where the text continues after a piece; NULL: the text differs. */
static inline const char *take_piece(const Piece *piece, const char *at, const char *end,
                                     Found *found)
{
    switch (piece->take) {
    case TAKE_HEX:
    case TAKE_NUMBER:
    case TAKE_SMALL:
        return take_number(at, end, piece->take == TAKE_HEX, found);
    case TAKE_DECIMAL:
        return take_decimal(at, end, SIZE_MAX, found);
    case TAKE_REGISTER:
        return take_decimal(at, end, 2, found);
    case TAKE_REGISTER16:
        return take_hex(at, end, 2, found);
    case TAKE_WORD:
        return take_word(at, end, found);
    case TAKE_DIGITS:
        return skip_digits(at, end);
    case TAKE_LETTER:
    case TAKE_LETTERS:
        return skip_letters(at, end, piece->take == TAKE_LETTER ? 1 : 2,
                            piece->take == TAKE_LETTERS);
    case TAKE_DIGIT:
        return at < end && is_digit(*at) ? at + 1 : NULL;
    case TAKE_TEXT:
    case TAKE_OPTIONAL:
    default:
        return (size_t) (end - at) >= piece->length && memcmp(at, piece->text, piece->length) == 0
                   ? at + piece->length
               : piece->take == TAKE_OPTIONAL ? at
                                              : NULL;
    }
}

/* Reads what comes after the head of a form. */
static inline bool take_pieces(const Form *form, const char *at, const char *end, Found *found)
{
    for (uint32_t i = 0; i < form->count && at != NULL; i++) {
        at = take_piece(&form->pieces[i], at, end, found);
    }
    return at != NULL;
}

static inline bool has_text(const char *at, const char *text, size_t length)
{
    while (length > 0 && at[length - 1] == text[length - 1]) {
        length--;
    }
    return length == 0;
}

static inline bool has_head(const Form *form, const char *at, const char *end)
{
    return (size_t) (end - at) >= form->head_length && has_text(at, form->head, form->head_length);
}

/* ---- values ---- */

/* A form, and how many bytes of its head precede the byte that is scanned for. */
typedef struct Probe {
    const Form *form;
    uint8_t before;
    uint8_t next; /* of the same bucket; NOTHING: none */
} Probe;

/* Forms that contain a byte, by the byte before it. */
typedef struct Group {
    char byte;
    uint8_t count;
    uint8_t bucket[BUCKETS];
    Probe *probes;
} Group;

struct OperandReader {
    const OperandForms *forms;
    uint32_t wanted;
    uint32_t value_count;
    uint32_t group_count;
    uint32_t slow_count; /* of forms without such a byte, which are tried at every place */
    Group groups[MOST_FORMS];
    const Form *slow[MOST_FORMS];
};

/* The last place of the byte in a head, after another byte; 0: none. */
static uint32_t place_in_head(const Form *form, char byte)
{
    uint32_t place = form->head_length;

    while (place > 1 && form->head[place - 1] != byte) {
        place--;
    }
    return place > 1 ? place - 1 : 0;
}

static void add_probe(Group *group, const Form *form, uint32_t before)
{
    uint8_t *bucket = &group->bucket[(unsigned char) form->head[before - 1] % BUCKETS];
    uint8_t *link = bucket;

    while (*link != NOTHING) { /* in the order of the file */
        link = &group->probes[*link].next;
    }
    group->probes[group->count] =
        (Probe){ .form = form, .before = (uint8_t) before, .next = NOTHING };
    *link = group->count++;
}

/* The byte that most of the remaining forms contain. */
static char best_byte(const Form *const *left, uint32_t count, uint32_t *ret_forms)
{
    char best = '\0';

    *ret_forms = 0;
    for (int byte = ' '; byte < 0x7f; byte++) {
        uint32_t forms = 0;
        for (uint32_t i = 0; i < count; i++) {
            forms += place_in_head(left[i], (char) byte) > 0;
        }
        /* Digits and letters are frequent in operands; punctuation is not. */
        if (forms > *ret_forms ||
            (forms > 0 && forms == *ret_forms && is_word(best) && !is_word((char) byte))) {
            *ret_forms = forms;
            best = (char) byte;
        }
    }
    return best;
}

/* One more group for a byte; the remaining forms stay in `left`. */
static bool make_group(OperandReader *reader, char byte, uint32_t forms, const Form **left,
                       uint32_t *count)
{
    Group *group = &reader->groups[reader->group_count];
    uint32_t rest = 0;

    *group = (Group){ .byte = byte, .probes = calloc(forms, sizeof(Probe)) };
    memset(group->bucket, NOTHING, sizeof group->bucket);
    if (group->probes == NULL) {
        return false;
    }
    reader->group_count++;
    for (uint32_t i = 0; i < *count; i++) {
        const uint32_t before = place_in_head(left[i], byte);
        if (before > 0) {
            add_probe(group, left[i], before);
        } else {
            left[rest++] = left[i];
        }
    }
    *count = rest;
    return true;
}

OperandReader *OperandReaderCreate(const OperandForms *forms, uint32_t wanted)
{
    OperandReader *reader = calloc(1, sizeof *reader);
    const Form *left[MOST_FORMS];
    uint32_t count = 0;
    uint32_t in_group = 0;

    if (reader == NULL) {
        return NULL;
    }
    reader->forms = forms;
    reader->wanted = wanted;
    reader->value_count = forms->value_count;
    for (uint32_t i = 0; i < forms->of_values.count; i++) {
        if ((wanted >> forms->of_values.forms[i].value & 1) != 0) {
            left[count++] = &forms->of_values.forms[i];
        }
    }
    for (char byte; count > 0 && (byte = best_byte(left, count, &in_group), in_group > 0);) {
        if (!make_group(reader, byte, in_group, left, &count)) {
            OperandReaderDestroy(reader);
            return NULL;
        }
    }
    memcpy(reader->slow, left, count * sizeof left[0]);
    reader->slow_count = count;
    return reader;
}

void OperandReaderDestroy(OperandReader *reader)
{
    for (uint32_t i = 0; reader != NULL && i < reader->group_count; i++) {
        free(reader->groups[i].probes);
    }
    free(reader);
}

/* Values found so far in a text. */
typedef struct Reading {
    const OperandReader *reader;
    const char *text;
    const char *end;
    uint64_t *values;
    uint32_t met;
    uint32_t has;
    const char *places[OPERAND_VALUES]; /* of what was met */
} Reading;

static bool read_meaning(const Value *value, const Found *found, uint64_t *ret_number)
{
    const Meaning *meaning = NULL;

    if (found->text != NULL) {
        meaning = find_meaning(value, found->text, found->length);
    }
    for (size_t i = 0; found->text == NULL && meaning == NULL && i < value->meaning_count; i++) {
        meaning = value->meanings[i].key == found->number ? &value->meanings[i] : NULL;
    }
    *ret_number = meaning == NULL ? 0 : meaning->number;
    return meaning != NULL;
}

/* A form's head was found at a place. */
static void take_value(Reading *reading, const Form *form, const char *at)
{
    const Value *value = &reading->reader->forms->values[form->value];
    const uint32_t bit = 1u << form->value;
    Found found = { .number = 1, .fits = true };

    if (((reading->met & bit) != 0 && reading->places[form->value] <= at) ||
        !take_pieces(form, at + form->head_length, reading->end, &found)) {
        return;
    }
    bool is_there = found.fits;
    uint64_t number = found.fits ? found.number : 0;
    if (is_there && value->has_meanings) {
        is_there = read_meaning(value, &found, &number);
    }
    reading->met |= bit;
    reading->places[form->value] = at;
    reading->has = is_there ? reading->has | bit : reading->has & ~bit;
    reading->values[form->value] = number;
}

static void read_group(Reading *reading, const Group *group)
{
    const size_t length = (size_t) (reading->end - reading->text);
    ByteSearch search = ByteSearchFor(reading->text, length, group->byte, group->byte);
    size_t at;

    while (ByteSearchNext(&search, &at)) {
        const char *hit = reading->text + at;
        uint8_t which = at == 0 ? NOTHING : group->bucket[(unsigned char) hit[-1] % BUCKETS];

        for (; which != NOTHING; which = group->probes[which].next) {
            const Probe *probe = &group->probes[which];
            if (at >= probe->before && has_head(probe->form, hit - probe->before, reading->end)) {
                take_value(reading, probe->form, hit - probe->before);
            }
        }
    }
}

uint32_t OperandReaderRead(const OperandReader *reader, const char *text, size_t length,
                           uint64_t *values)
{
    Reading reading; /* places are those of the found ones */

    reading.reader = reader;
    reading.text = text;
    reading.end = text + length;
    reading.values = values;
    reading.met = 0;
    reading.has = 0;
    memset(values, 0, reader->value_count * sizeof *values);
    for (uint32_t i = 0; i < reader->group_count; i++) {
        read_group(&reading, &reader->groups[i]);
    }
    for (const char *at = text; reader->slow_count > 0 && at < reading.end; at++) {
        for (uint32_t i = 0; i < reader->slow_count; i++) {
            if (has_head(reader->slow[i], at, reading.end)) {
                take_value(&reading, reader->slow[i], at);
            }
        }
    }
    return reading.has;
}

/* ---- registers ---- */

static inline bool is_register(const OperandForms *forms, const Form *form, const Found *found)
{
    return found->fits && found->number < OPERAND_REGISTERS &&
           (form->pieces[form->count - 1].take != TAKE_SMALL || found->number < forms->registers);
}

/* The first form that matches there. */
static inline void register_at(const OperandForms *forms, const char *at, const char *end,
                               OperandRegisters *registers)
{
    for (uint32_t i = 0; i < forms->of_registers.count; i++) {
        const Form *form = &forms->of_registers.forms[i];
        Found found = { .fits = false };

        if (has_head(form, at, end) && take_pieces(form, at + form->head_length, end, &found) &&
            is_register(forms, form, &found)) {
            if (registers->count < OPERAND_MOST_REGISTERS) {
                registers->written |= form->value << registers->count;
                registers->number[registers->count++] = (uint8_t) found.number;
            }
            return;
        }
    }
}

/* The form that most chips have, read several times as fast as piece by piece. */
static void simple_registers(const OperandForms *forms, const char *text, size_t length,
                             OperandRegisters *registers)
{
    ByteSearch search = ByteSearchFor(text, length, forms->first[0], forms->first[0]);
    const uint32_t is_written = forms->of_registers.forms[0].value;
    size_t at;

    while (registers->count < OPERAND_MOST_REGISTERS && ByteSearchNext(&search, &at)) {
        if (at + 1 < length && is_digit(text[at + 1])) {
            unsigned number = (unsigned) (text[at + 1] - '0');
            if (at + 2 < length && is_digit(text[at + 2])) {
                number = number * 10 + (unsigned) (text[at + 2] - '0');
            }
            registers->written |= is_written << registers->count;
            registers->number[registers->count++] = (uint8_t) number;
        }
    }
}

void OperandRegistersRead(const OperandForms *forms, const char *text, size_t length,
                          OperandRegisters *ret_registers)
{
    ByteSearch search;
    size_t at;

    ret_registers->count = 0;
    ret_registers->written = 0;
    if (forms->is_simple) {
        simple_registers(forms, text, length, ret_registers);
        return;
    }
    if (forms->is_anything) {
        for (at = 0; at < length; at++) {
            register_at(forms, text + at, text + length, ret_registers);
        }
        return;
    }
    search = ByteSearchFor(text, forms->of_registers.count == 0 ? 0 : length, forms->first[0],
                           forms->first[1]);
    while (ByteSearchNext(&search, &at)) {
        register_at(forms, text + at, text + length, ret_registers);
    }
}
