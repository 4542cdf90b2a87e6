/* SPDX-License-Identifier: Apache-2.0 */
#include "line.h"
#include "charset.h"
#include <opprof/record.h>

/*
 * Why no backtracking is needed. Up to PIPE every step is forced, but for one case: after "@CORE" two
 * digits are tried before one, and the second digit may turn out to be the PIPE. From PIPE on all parts
 * are optional or repeat any number of times, so the greedy choice always leads to a match unless the
 * rest holds a carriage return, which only a ws can take. A less greedy choice never brings a ws any
 * further: shortening PIPE, the suffix, ws* or NAME leaves a non-blank where the next part would have to
 * begin, and the parts behind NAME's two ws hold none. So: greedy, then no carriage return in the rest.
 */

const SimLineWatch sim_watch_popped = { .pairs = { { 'I', 'Q' }, { 'I', 'Q' } } };
const SimLineWatch sim_watch_popped_core = { .pairs = { { 'I', 'Q' }, { 'I', 'Q' } },
                                             .name = "MOV_XD_SPR",
                                             .name_length = 10 };
const SimLineWatch sim_watch_instr = { .pairs = { { 'L', 'P' }, { 'N', 'D' } } };

#define STARTS_WITH(at, end, text) starts_with((at), (end), "" text, sizeof(text) - 1)

static inline bool starts_with(const char *at, const char *end, const char *text, size_t length)
{
    return (size_t) (end - at) >= length && memcmp(at, text, length) == 0;
}

/* One digit more; false on overflow. */
static bool add_digit(uint64_t *value, char digit)
{
    return !__builtin_mul_overflow(*value, 10, value) &&
           !__builtin_add_overflow(*value, (uint64_t) (digit - '0'), value);
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Eight decimal digits at once, as ticks have mostly; false if one of them is no digit. */
static inline bool eight_digits(const char *at, uint64_t *ret_value)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof bytes);
    if (((bytes & UINT64_C(0xf0f0f0f0f0f0f0f0)) |
         (((bytes + UINT64_C(0x0606060606060606)) & UINT64_C(0xf0f0f0f0f0f0f0f0)) >> 4)) !=
        UINT64_C(0x3333333333333333)) {
        return false;
    }
    bytes -= UINT64_C(0x3030303030303030);
    bytes = bytes * 10 + (bytes >> 8);
    *ret_value = ((bytes & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
                  ((bytes >> 16) & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
                 32;
    return true;
}
#else
static inline bool eight_digits(const char *at, uint64_t *ret_value)
{
    (void) at;
    (void) ret_value;
    return false;
}
#endif

/* Decimal digits, at least one; NULL if there is none or the value does not fit. */
static inline const char *read_decimal(const char *at, const char *end, uint64_t *ret_value)
{
    const char *from = at;
    uint64_t value = 0;

    if ((size_t) (end - at) >= 8 && eight_digits(at, &value)) {
        at += 8;
    }
    for (; at < end && CharsetHas(*at, CHARSET_DIGIT); at++) {
        if (!add_digit(&value, *at)) {
            return NULL;
        }
    }
    *ret_value = value;
    return at > from ? at : NULL;
}

/* "0x" and 1 to 16 lower-case hexadecimal digits; NULL if there are none, or more. */
static inline const char *read_pc(const char *at, const char *end, uint64_t *ret_value)
{
    const char *from = at + 2;
    uint64_t value = 0;

    if (!STARTS_WITH(at, end, "0x")) {
        return NULL;
    }
    for (at = from; at < end && CharsetHas(*at, CHARSET_HEX); at++) {
        value = value << 4 | (uint64_t) (*at <= '9' ? *at - '0' : *at - 'a' + 10);
    }
    *ret_value = value;
    return at > from && at - from <= 16 ? at : NULL;
}

static inline const char *skip_one_space(const char *at, const char *end)
{
    return at < end && CharsetHas(*at, CHARSET_SPACE) ? at + 1 : at;
}

/* PIPE, with or without one white-space character before it; NULL if there is none. */
static inline const char *read_pipe(const char *at, const char *end, SimLine *line)
{
    line->pipe = skip_one_space(at, end);
    at = CharsetSkip(line->pipe, end, CHARSET_PIPE);
    line->pipe_length = (uint32_t) (at - line->pipe);
    return at > line->pipe ? at : NULL;
}

/* ["@CORE" D1-2] [ws] PIPE: two digits are tried first, then one. */
static const char *read_core_and_pipe(const char *at, const char *end, SimLine *line)
{
    const char *digits = at + 5;
    const char *after;

    if (!STARTS_WITH(at, end, "@CORE") || digits == end || !CharsetHas(*digits, CHARSET_DIGIT)) {
        return read_pipe(at, end, line);
    }
    if (digits + 1 < end && CharsetHas(digits[1], CHARSET_DIGIT)) {
        after = read_pipe(digits + 2, end, line);
        if (after != NULL) {
            return after;
        }
    }
    return read_pipe(digits + 1, end, line);
}

/* From the start to PIPE and the white space behind it; NULL: no record. */
static inline const char *read_head(const char *at, const char *end, SimLine *line)
{
    if (STARTS_WITH(at, end, "[info] ")) {
        at += 7;
    }
    if (at == end || *at != '[') {
        return NULL;
    }
    at = read_decimal(at + 1, end, &line->tick);
    if (at == NULL || at == end || *at != ']' || line->tick == OPPROF_NA_U64) {
        return NULL;
    }
    at = skip_one_space(at + 1, end);
    if (!STARTS_WITH(at, end, "(PC: ")) {
        return NULL;
    }
    at = read_pc(at + 5, end, &line->pc);
    if (at == NULL || at == end || *at != ')') {
        return NULL;
    }
    at = read_core_and_pipe(at + 1, end, line);
    if (at == NULL) {
        return NULL;
    }
    if (STARTS_WITH(at, end, " ISSUE")) {
        at += 6;
    } else if (STARTS_WITH(at, end, " IB ISSUE")) {
        at += 9;
    }
    return CharsetSkip(at, end, CHARSET_SPACE);
}

/* ": (Binary: " BIN ") "; NULL if it is not there. */
static inline const char *skip_binary(const char *at, const char *end)
{
    const char *from;

    if (!STARTS_WITH(at, end, ": (Binary: 0x")) {
        return NULL;
    }
    from = at + 13;
    at = CharsetSkip(from, end, CHARSET_BINARY);
    if (at - from < 8 || at - from > 34 || !STARTS_WITH(at, end, ") ")) {
        return NULL;
    }
    return at + 2;
}

/* ["(ID: " ID ")" ws] */
static inline const char *read_id(const char *at, const char *end, SimLine *line)
{
    const char *digits = at + 5;
    const char *after;
    uint64_t id = 0;

    if (at == end || *at != '(' || !STARTS_WITH(at, end, "(ID: ")) {
        return at;
    }
    for (after = digits; after < end && after - digits < 16 && CharsetHas(*after, CHARSET_DIGIT); after++) {
        id = id * 10 + (uint64_t) (*after - '0');
    }
    if (after - digits < 6 || after - digits > 15 || !STARTS_WITH(after, end, ")") ||
        skip_one_space(after + 1, end) == after + 1) {
        return at;
    }
    line->id = id;
    return after + 2;
}

/* BODY up to NAME. Returns where the operands may begin; NULL: there is no BODY. */
static inline const char *read_name(const char *at, const char *end, SimLine *line)
{
    at = skip_binary(at, end);
    if (at == NULL) {
        return NULL;
    }
    line->name = read_id(at, end, line);
    at = CharsetSkip(line->name, end, CHARSET_NAME);
    line->name_length = (uint32_t) (at - line->name);
    return at;
}

/* [("(" | ws ws) DETAIL [")" | " "]]: a blank cannot follow, DETAIL would have taken it. */
static inline const char *read_detail(const char *at, const char *end, SimLine *line)
{
    const char *from = at;

    if (at < end && *at == '(') {
        from = at + 1;
    } else if (end - at >= 2 && CharsetHas(at[0], CHARSET_SPACE) && CharsetHas(at[1], CHARSET_SPACE)) {
        from = at + 2;
    } else {
        return at;
    }
    at = CharsetSkipDetail(from, end);
    line->detail = from;
    line->detail_length = (uint32_t) (at - from);
    return at < end && *at == ')' ? at + 1 : at;
}

/* [", instr ID is: " D+ any]: with nothing behind the digits the last of them is the "any". */
static const char *skip_instr_id(const char *at, const char *end)
{
    const char *digits = at + 15;
    const char *after;

    if (!STARTS_WITH(at, end, ", instr ID is: ")) {
        return at;
    }
    after = CharsetSkip(digits, end, CHARSET_DIGIT);
    if (after == digits) {
        return at;
    }
    if (after < end) {
        return after + 1;
    }
    return after - digits >= 2 ? after : at;
}

static bool is_poped_from_queue(const char *at, const char *end)
{
    if (at < end && *at == '.') {
        at++;
    }
    return STARTS_WITH(at, end, " poped from IQ");
}

static void clear_texts(SimLine *line, const char *at)
{
    line->id = OPPROF_NA_U64;
    line->name = at;
    line->name_length = 0;
    line->detail = at;
    line->detail_length = 0;
    line->poped_from_queue = false;
}

static bool has_no_return(const char *at, const char *end)
{
    return at == end || memchr(at, '\r', (size_t) (end - at)) == NULL;
}

/* What follows NAME. */
static inline bool finish(const char *at, const char *end, SimLine *line)
{
    at = read_detail(at, end, line);
    if (at == end) {
        return true;
    }
    if (!has_no_return(at, end)) {
        return false;
    }
    at = skip_instr_id(at, end);
    line->poped_from_queue = is_poped_from_queue(at, end);
    return true;
}

bool SimLineParse(const char *line, size_t length, SimLine *ret_line)
{
    const char *end = line + length;
    const char *at = read_head(line, end, ret_line);
    const char *after;

    if (at == NULL) {
        return false;
    }
    clear_texts(ret_line, at);
    after = read_name(at, end, ret_line);
    return after == NULL ? has_no_return(at, end) : finish(after, end, ret_line);
}

static bool is_watched_name(const SimLine *line, const SimLineWatch *watch)
{
    return watch->name != NULL && line->name_length == watch->name_length &&
           memcmp(line->name, watch->name, watch->name_length) == 0;
}

bool SimLineParseBrief(const char *line, size_t length, const SimLineWatch *watch, SimLine *ret_line)
{
    const char *end = line + length;
    const char *at = read_head(line, end, ret_line);
    const char *after;

    if (at == NULL) {
        return false;
    }
    clear_texts(ret_line, at);
    after = read_name(at, end, ret_line);
    if (after == NULL) {
        return has_no_return(at, end);
    }
    if (!is_watched_name(ret_line, watch) &&
        !CharsetMayHold(after, end, watch->pairs[0], watch->pairs[1])) {
        return true;
    }
    return finish(after, end, ret_line);
}

bool SimLineHasMarkRegister(const SimLine *line)
{
    const char *end = line->detail + line->detail_length;

    if (!CharsetMayHold(line->detail, end, sim_watch_instr.pairs[0], sim_watch_instr.pairs[1])) {
        return false;
    }
    return CharsetFind(line->detail, end, "LPCNT", 5) != NULL ||
           CharsetFind(line->detail, end, "SPR:COND,", 9) != NULL;
}

bool SimLineNameIsOneOf(const SimLine *line, const char *names)
{
    while (names != NULL && *names != '\0') {
        const size_t length = strcspn(names, "|");

        if (length == line->name_length && memcmp(names, line->name, length) == 0) {
            return true;
        }
        names += length + (names[length] == '|');
    }
    return false;
}

typedef struct PipeName {
    const char *text;
    const char *pipe;
} PipeName;

static const PipeName pipe_names[] = {
    { "SCALAR", "SCALAR" },     { "VECTOR", "VECTOR" },   { "VEC", "VECTOR" },
    { "MTE2", "MTE2" },         { "MTE3", "MTE3" },       { "MTE1", "MTE1" },
    { "CUBE", "CUBE" },         { "FLOWCTRL", "FLOWCTRL" }, { "FC", "FLOWCTRL" },
    { "FIXP", "FIXP" },         { "FIX_PIPE", "FIXP" },   { "EVENT", "EVENT" },
    { "ISSUE", "EVENT" },       { "VEC0", "VECTOR" },     { "VECTOR0", "VECTOR" },
    { "CACHEMISS", "CACHEMISS" }, { "ALL", "ALL" },       { "USERMARK", "USERMARK" },
    { "RVECST", "RVECST" },     { "RVECLD", "RVECLD" },   { "RVECEX", "RVECEX" },
    { "PUSHQ", "PUSHQ" },       { "RVECSU", "RVECSU" },   { "RVECLP", "RVECLP" },
};

const char *SimLinePipe(const SimLine *line, bool has_mark_register)
{
    const char *name_end = line->name + line->name_length;

    if (has_mark_register) {
        return "USERMARK";
    }
    for (size_t i = 0; i < sizeof pipe_names / sizeof pipe_names[0]; i++) {
        if (strlen(pipe_names[i].text) == line->pipe_length &&
            memcmp(pipe_names[i].text, line->pipe, line->pipe_length) == 0) {
            return pipe_names[i].pipe;
        }
    }
    if (CharsetFind(line->name, name_end, "scalar_ld", 9) != NULL ||
        CharsetFind(line->name, name_end, "scalar_st", 9) != NULL) {
        return "SCALAR";
    }
    return "ALL";
}
