/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assembler: a line of source to a word of code, in two passes because of labels.
 * Tested by tests/refchip/test_operators.sh.
 */
#include "assemble.h"
#include "refchip/isa.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 512u

typedef struct Name {
    const char *text;
    size_t length;
    uint64_t value;
} Name;

typedef struct Assembler {
    AsmCode *code;
    AsmError *error;
    uint32_t line;
    size_t at;      /* word that comes next */
    bool is_second; /* pass: labels are known, words are written */
    Name names[MOST_NAMES];
    size_t name_count;
    unsigned part_count;
} Assembler;

/* A part of a line. */
typedef struct Word {
    const char *text;
    size_t length;
} Word;

__attribute__((format(printf, 2, 3))) static bool fail(Assembler *as, const char *format, ...)
{
    va_list list;

    as->error->line = as->line;
    va_start(list, format);
    vsnprintf(as->error->text, sizeof as->error->text, format, list);
    va_end(list);
    return false;
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char) c) || c == '_' || c == '.';
}

/* The next name or number of a line; empty at its end. Commas are blanks. */
static Word next_word(const char **line)
{
    Word word;

    *line += strspn(*line, " \t,\r");
    word.text = *line;
    word.length = strcspn(*line, " \t,\r\n;");
    *line += word.length;
    return word;
}

static const Name *find_name(const Assembler *as, Word word)
{
    for (size_t i = 0; i < as->name_count; i++) {
        const Name *name = &as->names[i];

        if (name->length == word.length && memcmp(name->text, word.text, word.length) == 0) {
            return name;
        }
    }
    return NULL;
}

static bool add_name(Assembler *as, Word word, uint64_t value)
{
    if (as->is_second) {
        return true;
    }
    if (find_name(as, word) != NULL) {
        return fail(as, "'%.*s' is defined twice", (int) word.length, word.text);
    }
    if (as->name_count == MOST_NAMES) {
        return fail(as, "More than %u names", MOST_NAMES);
    }
    as->names[as->name_count++] = (Name){ word.text, word.length, value };
    return true;
}

/* A number, or a name that stands for one. The first pass accepts any name. */
static bool read_value(Assembler *as, Word word, uint64_t *ret_value)
{
    char text[32];
    char *end;

    *ret_value = 0;
    if (word.length == 0) {
        return fail(as, "An operand is missing");
    }
    if (isdigit((unsigned char) word.text[0])) {
        if (word.length >= sizeof text) {
            return fail(as, "Number '%.*s' is too long", (int) word.length, word.text);
        }
        memcpy(text, word.text, word.length);
        text[word.length] = '\0';
        *ret_value = strtoull(text, &end, 0);
        return *end == '\0' || fail(as, "'%s' is not a number", text);
    }
    const Name *name = find_name(as, word);

    if (name != NULL) {
        *ret_value = name->value;
        return true;
    }
    return !as->is_second || fail(as, "'%.*s' is not defined", (int) word.length, word.text);
}

static bool read_register(Assembler *as, Word word, uint32_t *ret_number)
{
    unsigned number = 0;

    if (word.length < 2 || word.length > 3 || word.text[0] != 'X') {
        return fail(as, "'%.*s' is not a register", (int) word.length, word.text);
    }
    for (size_t i = 1; i < word.length; i++) {
        if (!isdigit((unsigned char) word.text[i])) {
            return fail(as, "'%.*s' is not a register", (int) word.length, word.text);
        }
        number = number * 10 + (unsigned) (word.text[i] - '0');
    }
    if (number > 31) {
        return fail(as, "Register X%u does not exist, the last one is X31", number);
    }
    *ret_number = number;
    return true;
}

static bool read_field(Assembler *as, Word word, uint32_t most, uint32_t *ret_field)
{
    uint64_t value;

    if (!read_value(as, word, &value)) {
        return false;
    }
    if (value > most) {
        return fail(as, "'%.*s' is more than %u", (int) word.length, word.text, most);
    }
    *ret_field = (uint32_t) value;
    return true;
}

static bool read_pipe(Assembler *as, Word word, uint32_t *ret_pipe)
{
    const int pipe = IsaPipeNumber(word.text, word.length);

    if (pipe < 0) {
        return fail(as, "'%.*s' is not a pipe", (int) word.length, word.text);
    }
    *ret_pipe = (uint32_t) pipe;
    return true;
}

static bool read_spr(Assembler *as, Word word, uint32_t *ret_spr)
{
    const int spr = IsaSprNumber(word.text, word.length);

    if (spr < 0) {
        return fail(as, "'%.*s' is not a special register", (int) word.length, word.text);
    }
    *ret_spr = (uint32_t) spr;
    return true;
}

static bool read_jump(Assembler *as, Word word, uint32_t *ret_field)
{
    uint64_t target;

    if (!read_value(as, word, &target)) {
        return false;
    }
    *ret_field = (uint32_t) ((int64_t) target - (int64_t) as->at) & 0x7ffffu;
    return true;
}

static bool read_type(Assembler *as, Word word)
{
    return (word.length == 3 && memcmp(word.text, "F32", 3) == 0) ||
           fail(as, "'%.*s' is not a data type: use F32", (int) word.length, word.text);
}

/* One operand's bits. */
static bool read_operand(Assembler *as, char letter, Word word, uint32_t *bits)
{
    static const struct {
        char letter;
        uint8_t shift;
    } places[] = { { 'd', 19 }, { 'n', 14 }, { 'm', 9 },  { 't', 4 },  { 'w', 0 },  { 'h', 16 },
                   { 'i', 0 },  { 's', 14 }, { 'S', 19 }, { 'j', 0 },  { 'p', 19 }, { 'q', 14 },
                   { 'f', 0 },  { 'y', 0 },  { 'k', 0 },  { 'r', 19 }, { 'a', 0 } };
    uint32_t field = 0;
    bool is_good;

    switch (letter) {
    case 'd':
    case 'n':
    case 'm':
    case 't':
        is_good = read_register(as, word, &field);
        break;
    case 's':
    case 'S':
        is_good = read_spr(as, word, &field);
        break;
    case 'p':
    case 'q':
        is_good = read_pipe(as, word, &field);
        break;
    case 'j':
        is_good = read_jump(as, word, &field);
        break;
    case 'y':
        is_good = read_type(as, word);
        break;
    default:
        is_good = read_field(as, word,
                             letter == 'w'   ? 0xffffu
                             : letter == 'i' ? 0x3fffu
                             : letter == 'h' ? 3u
                             : letter == 'k' ? 1u
                             : letter == 'r' ? REPORT_KINDS - 1u
                             : letter == 'a' ? 0x7ffffu
                                             : 15u,
                             &field);
        break;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (places[i].letter == letter) {
            *bits |= field << places[i].shift;
        }
    }
    return is_good;
}

static bool put(Assembler *as, uint32_t word)
{
    AsmCode *code = as->code;

    as->at++;
    if (!as->is_second) {
        return true;
    }
    if (code->count == code->room) {
        const size_t room = code->room == 0 ? 256 : 2 * code->room;
        uint32_t *words = reallocarray(code->words, room, sizeof *words);
        uint32_t *lines;

        if (words == NULL) {
            return fail(as, "Out of memory");
        }
        code->words = words;
        lines = reallocarray(code->lines, room, sizeof *lines);
        if (lines == NULL) {
            return fail(as, "Out of memory");
        }
        code->lines = lines;
        code->room = room;
    }
    code->words[code->count] = word;
    code->lines[code->count++] = as->line;
    return true;
}

static bool expect_end(Assembler *as, const char *line)
{
    const Word word = next_word(&line);

    return word.length == 0 ||
           fail(as, "'%.*s' is one operand too many", (int) word.length, word.text);
}

static bool read_instruction(Assembler *as, Word name, const char *line)
{
    const IsaOp *op = IsaFindName(name.text, name.length);
    uint32_t bits;

    if (op == NULL) {
        return fail(as, "'%.*s' is not an instruction", (int) name.length, name.text);
    }
    bits = (uint32_t) op->code << 24;
    for (const char *letter = op->operands; *letter != '\0'; letter++) {
        if (!read_operand(as, *letter, next_word(&line), &bits)) {
            return false;
        }
    }
    return expect_end(as, line) && put(as, bits);
}

/* LI Xd, value: as many moves as the value has 16-bit parts; names count as 32 bits. */
static bool read_li(Assembler *as, const char *line)
{
    const Word target = next_word(&line);
    const Word source = next_word(&line);
    uint32_t d;
    uint64_t value;

    if (!read_register(as, target, &d) || !read_value(as, source, &value) ||
        !expect_end(as, line) ||
        !put(as, (uint32_t) ISA_MOV_XD_IMM << 24 | d << 19 | (uint32_t) (value & 0xffff))) {
        return false;
    }
    for (uint32_t part = 1; part < 4; part++) {
        const uint32_t bits = (uint32_t) (value >> (16 * part) & 0xffff);

        if (bits != 0 && !put(as, (uint32_t) ISA_MOVK << 24 | d << 19 | part << 16 | bits)) {
            return false;
        }
    }
    return true;
}

static bool is_word(Word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static bool read_kernel(Assembler *as, const char *line)
{
    const Word name = next_word(&line);
    const Word kind = next_word(&line);
    AsmCode *code = as->code;

    if (as->at != 0 || (!as->is_second && code->kind != 0)) {
        return fail(as, "A file has one .kernel, before the first instruction");
    }
    if (name.length == 0 || name.length >= sizeof code->kernel) {
        return fail(as, ".kernel needs a name of fewer than %zu characters", sizeof code->kernel);
    }
    memcpy(code->kernel, name.text, name.length);
    code->kernel[name.length] = '\0';
    code->kernel_line = as->line;
    code->kind = is_word(kind, "cube")     ? ISA_KIND_CUBE
                 : is_word(kind, "vector") ? ISA_KIND_VECTOR
                 : is_word(kind, "mix")    ? ISA_KIND_MIX
                                           : 0;
    as->part_count = 0;
    return code->kind != 0 || fail(as, ".kernel NAME needs 'cube', 'vector' or 'mix'");
}

/* First the cube cores' function of a mixed kernel, then the vector cores'. */
static bool read_part(Assembler *as, const char *line)
{
    static const char *const names[] = { "cube", "vector" };
    const Word name = next_word(&line);

    if (as->code->kind != ISA_KIND_MIX || as->part_count == 2 ||
        !is_word(name, names[as->part_count]) || (as->part_count == 0 && as->at != 0)) {
        return fail(as, "A 'mix' kernel begins with '.part cube', and has '.part vector' "
                        "after that");
    }
    as->code->parts[as->part_count++] = as->at;
    return expect_end(as, line);
}

static bool read_equ(Assembler *as, const char *line)
{
    const Word name = next_word(&line);
    const Word number = next_word(&line);
    uint64_t value;

    return read_value(as, number, &value) && add_name(as, name, value) && expect_end(as, line);
}

static bool read_line(Assembler *as, const char *line)
{
    Word word = next_word(&line);

    if (word.length > 1 && word.text[word.length - 1] == ':') {
        word.length--;
        if (!is_name_char(word.text[0]) || !add_name(as, word, as->at)) {
            return false;
        }
        word = next_word(&line);
    }
    if (word.length == 0) {
        return true;
    }
    if (is_word(word, ".kernel")) {
        return read_kernel(as, line);
    }
    if (is_word(word, ".equ")) {
        return read_equ(as, line);
    }
    if (is_word(word, ".part")) {
        return read_part(as, line);
    }
    if (as->code->kind == 0) {
        return fail(as, "There is no .kernel before this");
    }
    if (as->code->kind == ISA_KIND_MIX && as->part_count == 0) {
        return fail(as, "There is no .part before this");
    }
    if (is_word(word, "LI")) {
        return read_li(as, line);
    }
    return read_instruction(as, word, line);
}

static bool pass(Assembler *as, const char *source)
{
    as->line = 0;
    as->at = 0;
    while (*source != '\0') {
        const size_t length = strcspn(source, "\n");

        as->line++;
        if (!read_line(as, source)) {
            return false;
        }
        source += length + (source[length] == '\n');
    }
    if (as->code->kind == ISA_KIND_MIX && as->part_count < 2) {
        return fail(as, "There is no '.part vector'");
    }
    return as->at > 0 || fail(as, "There is no instruction");
}

bool Assemble(const char *source, AsmCode *code, AsmError *error)
{
    Assembler *as = calloc(1, sizeof *as);
    bool is_good;

    *code = (AsmCode){ .count = 0 };
    *error = (AsmError){ .line = 0 };
    if (as == NULL) {
        snprintf(error->text, sizeof error->text, "Out of memory");
        return false;
    }
    as->code = code;
    as->error = error;
    is_good = pass(as, source);
    as->is_second = true;
    is_good = is_good && pass(as, source);
    free(as);
    return is_good;
}

void AsmCodeFinish(AsmCode *code)
{
    free(code->words);
    free(code->lines);
    *code = (AsmCode){ .count = 0 };
}
