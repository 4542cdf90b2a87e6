/* SPDX-License-Identifier: Apache-2.0 */
/* Parses lines of the instruction logs. Tested by tests/plugins/collect-sim/test_line.c. */
#include "line.h"
#include "charset.h"
#include <opprof/compiler.h>
#include <opprof/record.h>

/*
 * Why no backtracking is needed. Up to PIPE every step is forced, but for one case: after "@CORE"
 * two digits are tried before one, and the second digit may turn out to be the PIPE. From PIPE on
 * all parts are optional or repeat any number of times, so the greedy choice always leads to a
 * match unless the rest holds a carriage return, which only a ws can take. A less greedy choice
 * never brings a ws any further: shortening PIPE, the suffix, ws* or NAME leaves a non-blank where
 * the next part would have to begin, and the parts after NAME's two ws hold none. So: greedy, then
 * no carriage return in the rest.
 */

const SimLineWatch sim_watch_popped = { .byte = 'I', .after = { 'Q', 'Q' } };

/* Steps that are needed in both parsers are part of each: the compiler would make them calls, two
 * per line. */

#define STARTS_WITH(at, end, text) starts_with((at), (end), "" text, sizeof(text) - 1)

static inline bool starts_with(const char *at, const char *end, const char *text, size_t length)
{
    return (size_t) (end - at) >= length && memcmp(at, text, length) == 0;
}

/* Adds one digit; false on overflow. */
static bool add_digit(uint64_t *value, char digit)
{
    return !__builtin_mul_overflow(*value, 10, value) &&
           !__builtin_add_overflow(*value, (uint64_t) (digit - '0'), value);
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define IS_LITTLE_ENDIAN 1
#else
#define IS_LITTLE_ENDIAN 0
#endif

/* Eight decimal digits at once, as most ticks have; false if one of them is not a digit. */
static inline bool eight_digits(const char *at, uint64_t *ret_value)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof bytes);
    if (!IS_LITTLE_ENDIAN ||
        ((bytes & UINT64_C(0xf0f0f0f0f0f0f0f0)) |
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

/* Up to sixteen decimal digits, already checked. */
static inline uint64_t decimal_value(const char *at, unsigned count)
{
    uint64_t value = 0;

    if (count >= 8 && eight_digits(at, &value)) {
        at += 8;
        count -= 8;
    }
    if (count >= 4) {
        value = value * 10000 + (uint64_t) ((at[0] - '0') * 1000 + (at[1] - '0') * 100 +
                                            (at[2] - '0') * 10 + (at[3] - '0'));
        at += 4;
        count -= 4;
    }
    for (; count > 0; count--, at++) {
        value = value * 10 + (uint64_t) (*at - '0');
    }
    return value;
}

/* Up to eight hexadecimal digits of [0-9a-f] at once: four bits each, put together pair by pair. */
static inline uint64_t eight_hex_digits(const char *at, unsigned count)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof bytes);
    bytes =
        (bytes & UINT64_C(0x0f0f0f0f0f0f0f0f)) + 9 * ((bytes >> 6) & UINT64_C(0x0101010101010101));
    bytes = __builtin_bswap64(bytes);
    bytes = (bytes | bytes >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    bytes = (bytes | bytes >> 8) & UINT64_C(0x0000ffff0000ffff);
    bytes = (bytes | bytes >> 16) & UINT64_C(0x00000000ffffffff);
    return bytes >> (4 * (8 - count));
}

/* Decimal digits, at least one; NULL if none or the value does not fit. */
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

static inline uint64_t hex_value(const char *at, unsigned count)
{
    uint64_t value = 0;

    if (IS_LITTLE_ENDIAN) {
        return count <= 8 ? eight_hex_digits(at, count)
                          : eight_hex_digits(at, 8) << (4 * (count - 8)) |
                                eight_hex_digits(at + 8, count - 8);
    }
    for (unsigned i = 0; i < count; i++) {
        value = value << 4 | (uint64_t) (at[i] <= '9' ? at[i] - '0' : at[i] - 'a' + 10);
    }
    return value;
}

/* "0x" and 1 to 16 lower-case hexadecimal digits; NULL if there are none, or more. */
static inline const char *read_pc(const char *at, const char *end, uint64_t *ret_value)
{
    const char *from = at + 2;

    if (!STARTS_WITH(at, end, "0x")) {
        return NULL;
    }
    at = CharsetSkipHex(from, end);
    if (at == from || at - from > 16) {
        return NULL;
    }
    *ret_value = hex_value(from, (unsigned) (at - from));
    return at;
}

static inline const char *skip_one_space(const char *at, const char *end)
{
    return at < end && CharsetHas(*at, CHARSET_SPACE) ? at + 1 : at;
}

/* PIPE, with or without one white-space character before it; NULL if none. */
static inline const char *read_pipe(const char *at, const char *end, SimLine *line)
{
    line->pipe = skip_one_space(at, end);
    at = CharsetSkipPipe(line->pipe, end);
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

/* From the start to the white space after the tick; NULL: not a record. */
static const char *read_tick(const char *at, const char *end, SimLine *line)
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
    return skip_one_space(at + 1, end);
}

/* From there to PIPE and the white space after it; NULL: not a record. */
static const char *read_place(const char *at, const char *end, SimLine *line)
{
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
    return CharsetSkipSpace(at, end);
}

/* ": (Binary: " BIN ") "; NULL if missing. */
static inline const char *skip_binary(const char *at, const char *end)
{
    const char *from;

    if (!STARTS_WITH(at, end, ": (Binary: 0x")) {
        return NULL;
    }
    from = at + 13;
    at = CharsetSkipBinary(from, end);
    if (at - from < 8 || at - from > 34 || !STARTS_WITH(at, end, ") ")) {
        return NULL;
    }
    return at + 2;
}

/*
 * The layout that most chips print, with every part at its place:
 *
 *   [info] [00011036] (PC: 0x10f86000) SCALAR   : (Binary: 0x073a7f80) NAME…
 *   0       8         18      25       35       44           57        67
 *
 * Nothing here waits for where the part before ends, which makes it several times as fast as taking
 * one part after the other. Returns where BODY goes on after BIN; NULL: the line has another
 * layout.
 */
#define FIXED_PLACE_AT 18
#define FIXED_NAME_AT 67

#if COLLECT_SIM_SSE2

/* How far the bytes of a line are above those of a layout, in 16 places. */
static OPPROF_ALWAYS_INLINE __m128i above(const char *at, const char *low)
{
    return _mm_sub_epi8(sim_load(at), sim_load(low));
}

/* Where they are by no more than `width`: fixed bytes have width 0. */
static OPPROF_ALWAYS_INLINE __m128i is_within(__m128i above, const char *width)
{
    return _mm_cmpeq_epi8(_mm_min_epu8(above, sim_load(width)), above);
}

/* The number of eight digits, from their values in the upper half. */
static OPPROF_ALWAYS_INLINE uint64_t tick_of(__m128i digits)
{
    const __m128i ones = _mm_srli_si128(digits, 8);
    const __m128i pairs = _mm_and_si128(
        _mm_add_epi16(_mm_mullo_epi16(ones, _mm_set1_epi16(10)), _mm_srli_epi16(ones, 8)),
        _mm_set1_epi16(0xff));
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(100 | 1 << 16));
    const __m128i eights =
        _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(10000 | 1 << 16));

    return (uint32_t) _mm_cvtsi128_si32(eights);
}

/* The number of eight hexadecimal digits, from their values in places 6 to 13. */
static OPPROF_ALWAYS_INLINE uint64_t pc_of(__m128i digits)
{
    const __m128i ones = _mm_srli_si128(digits, 6);
    const __m128i pairs = _mm_and_si128(
        _mm_or_si128(_mm_slli_epi16(ones, 4), _mm_srli_epi16(ones, 8)), _mm_set1_epi16(0xff));

    return __builtin_bswap32((uint32_t) _mm_cvtsi128_si32(_mm_packus_epi16(pairs, pairs)));
}

#define EIGHT(value) (value), (value), (value), (value), (value), (value), (value), (value)
#define LETTER_GAP ('a' - '0')

static const char tick_low[] = "[info] [00000000";
static const char tick_width[16] = { [8] = EIGHT(9) };
/* From the byte after the first bracket; the last part of the binary has the same shape. */
static const char pc_low[] = "PC: 0x00000000) ";
static const char binary_low[] = "ry: 0x00000000) ";
static const char digit_width[16] = { [6] = EIGHT(9) };
static const char letter_gap[16] = { [6] = EIGHT(LETTER_GAP) };
static const char letter_width[16] = { [6] = EIGHT(5) };
static const char letter_excess[16] = { [6] = EIGHT(LETTER_GAP - 10) };
static const char blank_gap[16] = { [6] = EIGHT(' ' - '0') };
static const char pipe_end[] = "         : (Bina";

/* PIPE and the blanks after it fill nine places, and ": (Bina" follows. */
static OPPROF_ALWAYS_INLINE bool read_fixed_pipe(const char *at, SimLine *line)
{
    const unsigned length = MaskFirst(~(uint64_t) sim_mask_pipe(at));
    const unsigned rest =
        (unsigned) _mm_movemask_epi8(_mm_cmpeq_epi8(sim_load(at), sim_load(pipe_end)));

    line->pipe = at;
    line->pipe_length = length;
    return length - 1 < 8 && rest + (1u << length) == 1u << 16;
}

/* From the place on. */
static OPPROF_ALWAYS_INLINE const char *read_fixed_place(const char *at, const char *end,
                                                         SimLine *line)
{
    if (end - at < FIXED_NAME_AT - FIXED_PLACE_AT || *at != '(') {
        return NULL;
    }
    const __m128i pc = above(at + 1, pc_low);
    const __m128i letters = is_within(_mm_sub_epi8(pc, sim_load(letter_gap)), letter_width);
    const __m128i binary = above(at + 33, binary_low);
    const __m128i is_pc = _mm_or_si128(is_within(pc, digit_width), letters);
    const __m128i is_binary = _mm_or_si128(
        _mm_or_si128(is_within(binary, digit_width), _mm_cmpeq_epi8(binary, sim_load(blank_gap))),
        is_within(_mm_sub_epi8(binary, sim_load(letter_gap)), letter_width));

    if (_mm_movemask_epi8(_mm_and_si128(is_pc, is_binary)) != 0xffff ||
        !read_fixed_pipe(at + 17, line)) {
        return NULL;
    }
    line->pc = pc_of(_mm_sub_epi8(pc, _mm_and_si128(letters, sim_load(letter_excess))));
    return at + FIXED_NAME_AT - FIXED_PLACE_AT;
}

static OPPROF_ALWAYS_INLINE const char *read_fixed(const char *at, const char *end, SimLine *line)
{
    if (end - at < FIXED_NAME_AT) {
        return NULL;
    }
    const __m128i head = above(at, tick_low);

    if (_mm_movemask_epi8(is_within(head, tick_width)) != 0xffff || memcmp(at + 16, "] ", 2) != 0) {
        return NULL;
    }
    line->tick = tick_of(head);
    return read_fixed_place(at + FIXED_PLACE_AT, end, line);
}

#else

static inline bool holds(const char *at, const char text[8])
{
    return memcmp(at, text, 8) == 0;
}

/* PIPE and the white space after it fill nine places. */
static inline bool read_fixed_pipe(const char *at, SimLine *line)
{
    const unsigned length = MaskFirst(~(uint64_t) sim_mask_pipe(at));
    const unsigned space = sim_mask_space(at + length) << length;

    line->pipe = at;
    line->pipe_length = length;
    return length > 0 && length < 9 && ((((1u << length) - 1) | space) & 0x1ff) == 0x1ff;
}

/* From the place on. */
static OPPROF_ALWAYS_INLINE const char *read_fixed_place(const char *at, const char *end,
                                                         SimLine *line)
{
    if (end - at < FIXED_NAME_AT - FIXED_PLACE_AT || memcmp(at, "(PC: 0x", 7) != 0 ||
        at[15] != ')' || at[16] != ' ' || !holds(at + 26, ": (Binar") ||
        !holds(at + 31, "nary: 0x") || at[47] != ')' || at[48] != ' ') {
        return NULL;
    }
    if ((sim_mask_hex(at + 7) & 0xff) != 0xff || (sim_mask_binary(at + 39) & 0xff) != 0xff ||
        !read_fixed_pipe(at + 17, line)) {
        return NULL;
    }
    line->pc = hex_value(at + 7, 8);
    return at + FIXED_NAME_AT - FIXED_PLACE_AT;
}

static inline const char *read_fixed(const char *at, const char *end, SimLine *line)
{
    if (end - at < FIXED_NAME_AT || !holds(at, "[info] [") || at[16] != ']' || at[17] != ' ' ||
        !eight_digits(at + 8, &line->tick)) {
        return NULL;
    }
    return read_fixed_place(at + FIXED_PLACE_AT, end, line);
}

#endif

/* ["(ID: " ID ")" ws] */
static inline const char *read_id(const char *at, const char *end, SimLine *line)
{
    const char *digits = at + 5;
    const char *after;

    if (at == end || *at != '(' || !STARTS_WITH(at, end, "(ID: ")) {
        return at;
    }
    after = CharsetSkipDigits(digits, end);
    if (after - digits < 6 || after - digits > 15 || !STARTS_WITH(after, end, ")") ||
        skip_one_space(after + 1, end) == after + 1) {
        return at;
    }
    line->id = decimal_value(digits, (unsigned) (after - digits));
    return after + 2;
}

/* ["(ID: " ID ")" ws] NAME */
static OPPROF_ALWAYS_INLINE const char *read_name(const char *at, const char *end, SimLine *line)
{
    line->name = read_id(at, end, line);
    at = CharsetSkipName(line->name, end);
    line->name_length = (uint32_t) (at - line->name);
    return at;
}

static bool is_poped_from_queue(const char *at, const char *end)
{
    if (at < end && *at == '.') {
        at++;
    }
    return STARTS_WITH(at, end, " poped from IQ");
}

static bool has_no_return(const char *at, const char *end)
{
    return at == end || memchr(at, '\r', (size_t) (end - at)) == NULL;
}

/* Lines with an id may have one blank before their operands, unless POPTAIL follows that. */
static bool has_one_blank(const char *at, const char *end, const SimLine *line)
{
    return line->id != OPPROF_NA_U64 && end - at >= 2 && at[0] == ' ' &&
           !is_poped_from_queue(at, end) && !STARTS_WITH(at, end, " pop success ");
}

/* The end of operands that are a JSON object; NULL: they are none. */
static const char *skip_json(const char *from, const char *end, const SimLine *line)
{
    const char *last = line->id != OPPROF_NA_U64 && from < end && *from == '{'
                           ? memrchr(from, '}', (size_t) (end - from))
                           : NULL;

    return last == NULL || !has_no_return(from, last) ? NULL : last + 1;
}

/* [("(" | ws ws | ws) (DETAIL | JSON) [")" | " "]]: a blank cannot follow, DETAIL would have taken
 * it. */
static inline const char *read_detail(const char *at, const char *end, const SimLineWatch *watch,
                                      SimLine *line)
{
    const char *from = at;
    const char *json;

    if (at < end && *at == '(') {
        from = at + 1;
    } else if (end - at >= 2 && CharsetHas(at[0], CHARSET_SPACE) &&
               CharsetHas(at[1], CHARSET_SPACE)) {
        from = at + 2;
    } else if (has_one_blank(at, end, line)) {
        from = at + 1;
    } else {
        return at;
    }
    json = skip_json(from, end, line);
    if (json != NULL) {
        line->may_have_register = true;
        at = json;
    } else {
        at = CharsetSkipDetail(from, end, watch->byte, watch->after, &line->may_have_register);
        line->may_have_register |= watch->is_any;
    }
    line->detail = from;
    line->detail_length = (uint32_t) (at - from);
    return at < end && *at == ')' ? at + 1 : at;
}

/* [", instr ID is: " D+ any]: with nothing after the digits the last of them is the "any". */
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

static void clear_texts(SimLine *line, const char *at)
{
    line->id = OPPROF_NA_U64;
    line->name = at;
    line->name_length = 0;
    line->detail = at;
    line->detail_length = 0;
    line->poped_from_queue = false;
    line->may_have_register = false;
}

/* Text after NAME. */
static inline bool finish(const char *at, const char *end, const SimLineWatch *watch, SimLine *line)
{
    at = read_detail(at, end, watch, line);
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

/* State of a line after NAME was read. */
typedef enum LineState {
    LINE_NONE,    /* not a record */
    LINE_WHOLE,   /* a record without a BODY */
    LINE_TO_NAME, /* a record whose operands begin at *ret_at, if any */
} LineState;

/* `body` is after BIN, or NULL; then `at` is after PIPE, or NULL as well. */
static OPPROF_ALWAYS_INLINE LineState read_body(const char *body, const char *at, const char *end,
                                                SimLine *line, const char **ret_at)
{
    if (body == NULL) {
        if (at == NULL) {
            return LINE_NONE;
        }
        body = skip_binary(at, end);
    }
    clear_texts(line, at);
    if (body == NULL) {
        return has_no_return(at, end) ? LINE_WHOLE : LINE_NONE;
    }
    *ret_at = read_name(body, end, line);
    return LINE_TO_NAME;
}

static OPPROF_ALWAYS_INLINE LineState read_to_name(const char *at, const char *end, SimLine *line,
                                                   const char **ret_at)
{
    const char *body = read_fixed(at, end, line);

    if (body == NULL) {
        at = read_tick(at, end, line);
        at = at == NULL ? NULL : read_place(at, end, line);
    }
    return read_body(body, at, end, line, ret_at);
}

/* The same for the rest of a line after the tick. */
static inline LineState read_rest_to_name(uint64_t tick, const char *at, const char *end,
                                          SimLine *line, const char **ret_at)
{
    const char *body = read_fixed_place(at, end, line);

    line->tick = tick;
    if (tick == OPPROF_NA_U64) {
        return LINE_NONE;
    }
    return read_body(body, body == NULL ? read_place(at, end, line) : at, end, line, ret_at);
}

static inline bool parse_rest(LineState state, const char *at, const char *end,
                              const SimLineWatch *watch, SimLine *line)
{
    return state == LINE_TO_NAME ? finish(at, end, watch, line) : state == LINE_WHOLE;
}

bool SimLineParse(const char *line, size_t length, const SimLineWatch *registers, SimLine *ret_line)
{
    const char *end = line + length;
    const char *at = line;
    const LineState state = read_to_name(line, end, ret_line, &at);

    return parse_rest(state, at, end, registers, ret_line);
}

bool SimRestParse(uint64_t tick, const char *rest, size_t length, const SimLineWatch *registers,
                  SimLine *ret_line)
{
    const char *end = rest + length;
    const char *at = rest;
    const LineState state = read_rest_to_name(tick, rest, end, ret_line, &at);

    return parse_rest(state, at, end, registers, ret_line);
}

size_t SimLineTrim(const char *text, size_t length)
{
    const char *end = text + length;
    const char *comma;
    SimLine line;

    if (!SimLineParse(text, length, &sim_watch_popped, &line) || line.name_length == 0) {
        return 0;
    }
    if (line.detail_length == 0 || line.detail + line.detail_length < end) {
        return length;
    }
    while (end > line.detail && CharsetHas(end[-1], CHARSET_SPACE)) {
        end--;
    }
    comma = memrchr(line.detail, ',', (size_t) (end - line.detail));
    return (size_t) ((comma == NULL ? line.detail : comma + 1) - text);
}

static bool is_watched_name(const SimLine *line, const SimLineWatch *watch)
{
    return watch->name != NULL && line->name_length == watch->name_length &&
           memcmp(line->name, watch->name, watch->name_length) == 0;
}

static inline bool parse_brief(LineState state, const char *at, const char *end,
                               const SimLineWatch *watch, SimLine *line)
{
    if (state == LINE_TO_NAME && !watch->is_any && !is_watched_name(line, watch) &&
        !CharsetMayHold(at, end, watch->byte, watch->after)) {
        return true;
    }
    return parse_rest(state, at, end, watch, line);
}

bool SimLineParseBrief(const char *line, size_t length, const SimLineWatch *watch,
                       SimLine *ret_line)
{
    const char *end = line + length;
    const char *at = line;
    const LineState state = read_to_name(line, end, ret_line, &at);

    return parse_brief(state, at, end, watch, ret_line);
}

bool SimRestParseBrief(uint64_t tick, const char *rest, size_t length, const SimLineWatch *watch,
                       SimLine *ret_line)
{
    const char *end = rest + length;
    const char *at = rest;
    const LineState state = read_rest_to_name(tick, rest, end, ret_line, &at);

    return parse_brief(state, at, end, watch, ret_line);
}

bool SimLineIsBroken(const char *line, size_t length)
{
    const char *place = memmem(line, length, "(PC: ", 5);

    return place != NULL &&
           memmem(place, length - (size_t) (place - line), "(Binary: 0x", 11) != NULL;
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
