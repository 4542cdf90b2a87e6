/* SPDX-License-Identifier: Apache-2.0 */
/* Takes lines apart by a form that a chip's file states. Tested by tests/plugins/collect-sim/test_form.c. */
#include "form.h"
#include "charset.h"
#include <opprof/record.h>
#include <string.h>

static const char *const field_names[] = {
    [SIM_FORM_TICK] = "<tick>", [SIM_FORM_PC] = "<pc>",     [SIM_FORM_ID] = "<id>",
    [SIM_FORM_PIPE] = "<pipe>", [SIM_FORM_NAME] = "<name>", [SIM_FORM_OPERANDS] = "<operands>",
    [SIM_FORM_ANY] = "<any>"
};

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* ---- reading a form ---- */

/* The field that a form goes on with; SIM_FORM_TEXT: none. */
static SimFormKind field_at(const char *text)
{
    for (unsigned kind = SIM_FORM_TICK; kind <= SIM_FORM_ANY; kind++) {
        if (strncmp(text, field_names[kind], strlen(field_names[kind])) == 0) {
            return (SimFormKind) kind;
        }
    }
    return SIM_FORM_TEXT;
}

static const char *read_piece(const char *at, SimFormPiece *piece)
{
    *piece = (SimFormPiece){ .kind = field_at(at), .text = at };
    if (piece->kind != SIM_FORM_TEXT) {
        return at + strlen(field_names[piece->kind]);
    }
    if (is_blank(*at)) {
        piece->kind = SIM_FORM_BLANKS;
        return at + strspn(at, " \t\r");
    }
    do {
        at++;
    } while (*at != '\0' && !is_blank(*at) && field_at(at) == SIM_FORM_TEXT);
    piece->length = (uint32_t) (at - piece->text);
    return at;
}

static unsigned times(const SimForm *form, SimFormKind kind)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < form->count; i++) {
        count += form->pieces[i].kind == kind;
    }
    return count;
}

/* Without a text or blank between them it is open where one field ends and the next begins. */
static bool has_touching_fields(const SimForm *form)
{
    for (uint32_t i = 1; i < form->count; i++) {
        if (form->pieces[i - 1].kind >= SIM_FORM_TICK && form->pieces[i].kind >= SIM_FORM_TICK) {
            return true;
        }
    }
    return false;
}

const char *SimFormRead(const char *text, SimForm *ret_form)
{
    ret_form->count = 0;
    for (const char *at = text; *at != '\0';) {
        if (ret_form->count == SIM_FORM_PIECES) {
            return "has more than 32 parts";
        }
        at = read_piece(at, &ret_form->pieces[ret_form->count++]);
    }
    if (times(ret_form, SIM_FORM_TICK) != 1 || times(ret_form, SIM_FORM_PC) != 1 ||
        times(ret_form, SIM_FORM_PIPE) != 1 || times(ret_form, SIM_FORM_NAME) != 1) {
        return "needs each of <tick>, <pc>, <pipe> and <name> once";
    }
    if (times(ret_form, SIM_FORM_ID) > 1 || times(ret_form, SIM_FORM_OPERANDS) > 1) {
        return "has <id> or <operands> more than once";
    }
    if (has_touching_fields(ret_form)) {
        return "has two fields with nothing between them";
    }
    for (uint32_t i = 0; i < ret_form->count; i++) {
        const SimFormPiece *piece = &ret_form->pieces[i];
        if (piece->kind == SIM_FORM_TEXT && memchr(piece->text, '<', piece->length) != NULL) {
            return "has an unknown field; there are <tick>, <pc>, <id>, <pipe>, <name>, <operands> "
                   "and <any>";
        }
    }
    return NULL;
}

/* ---- reading a line ---- */

static const char *read_decimal(const char *at, const char *end, uint64_t *ret_value)
{
    const char *from = at;
    uint64_t value = 0;

    for (; at < end && CharsetHas(*at, CHARSET_DIGIT); at++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t) (*at - '0'), &value)) {
            return NULL;
        }
    }
    *ret_value = value;
    return at > from && value != OPPROF_NA_U64 ? at : NULL;
}

static int hex_digit(char byte)
{
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static const char *read_address(const char *at, const char *end, uint64_t *ret_value)
{
    const char *from;
    uint64_t value = 0;

    if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x') {
        at += 2;
    }
    for (from = at; at < end && hex_digit(*at) >= 0; at++) {
        value = value << 4 | (uint64_t) hex_digit(*at);
    }
    *ret_value = value;
    return at > from && at - from <= 16 ? at : NULL;
}

static const char *read_word(const char *at, const char *end, const char *others,
                             const char **ret_text, uint32_t *ret_length)
{
    *ret_text = at;
    while (at < end && *at != '\0' &&
           (CharsetHas(*at, CHARSET_PIPE | CHARSET_DIGIT) || strchr(others, *at) != NULL)) {
        at++;
    }
    *ret_length = (uint32_t) (at - *ret_text);
    return *ret_length > 0 ? at : NULL;
}

static const char *find_text(const char *at, const char *end, const SimFormPiece *text)
{
    return memmem(at, (size_t) (end - at), text->text, text->length);
}

/* The first blanks that come before a text, or before anything without one. */
static const char *find_blanks(const char *at, const char *end, const SimFormPiece *text)
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

/* Where what takes everything ends: at the next piece, which is a text or blanks, or at the end. */
static const char *end_of_rest(const SimForm *form, uint32_t which, const char *at, const char *end)
{
    const SimFormPiece *next = &form->pieces[which + 1];

    if (which + 1 == form->count || (next->kind == SIM_FORM_BLANKS && which + 2 == form->count)) {
        return end;
    }
    if (next->kind == SIM_FORM_BLANKS) {
        return find_blanks(at, end, next[1].kind == SIM_FORM_TEXT ? &next[1] : NULL);
    }
    return find_text(at, end, next);
}

static const char *read_rest(const SimForm *form, uint32_t which, const char *at, const char *end,
                             SimLine *line)
{
    const bool is_kept = form->pieces[which].kind == SIM_FORM_OPERANDS;
    const char *stop = end_of_rest(form, which, at, end);

    if (stop != NULL && is_kept) {
        line->detail = at;
        line->detail_length = (uint32_t) (stop - at);
        line->may_have_register = true;
    }
    return stop;
}

static const char *skip_piece(const SimFormPiece *piece, const char *at, const char *end)
{
    if (piece->kind == SIM_FORM_BLANKS) {
        const char *from = at;
        while (at < end && is_blank(*at)) {
            at++;
        }
        return at > from || at == end ? at : NULL;
    }
    return (size_t) (end - at) >= piece->length && memcmp(at, piece->text, piece->length) == 0
               ? at + piece->length
               : NULL;
}

/* Where the line goes on after a piece; NULL: it has another form. */
static const char *take_piece(const SimForm *form, uint32_t which, const char *at, const char *end,
                              SimLine *line)
{
    const SimFormPiece *piece = &form->pieces[which];

    switch (piece->kind) {
    case SIM_FORM_TICK:
        return read_decimal(at, end, &line->tick);
    case SIM_FORM_PC:
        return read_address(at, end, &line->pc);
    case SIM_FORM_ID:
        return read_decimal(at, end, &line->id);
    case SIM_FORM_PIPE:
        return read_word(at, end, "_", &line->pipe, &line->pipe_length);
    case SIM_FORM_NAME:
        return read_word(at, end, "_.-", &line->name, &line->name_length);
    case SIM_FORM_OPERANDS:
    case SIM_FORM_ANY:
        return read_rest(form, which, at, end, line);
    case SIM_FORM_TEXT:
    case SIM_FORM_BLANKS:
    default:
        return skip_piece(piece, at, end);
    }
}

static bool parse(const SimForm *form, const char *at, const char *end, SimLine *line)
{
    *line = (SimLine){ .id = OPPROF_NA_U64, .detail = end };
    for (uint32_t i = 0; i < form->count && at != NULL; i++) {
        at = take_piece(form, i, at, end, line);
    }
    return at == end;
}

bool SimFormsParse(const SimForms *forms, const char *line, size_t length, SimLine *ret_line)
{
    const char *end = line + length;

    while (end > line && is_blank(end[-1])) {
        end--;
    }
    for (uint32_t i = 0; i < forms->count; i++) {
        if (parse(&forms->forms[i], line, end, ret_line)) {
            return true;
        }
    }
    return false;
}
