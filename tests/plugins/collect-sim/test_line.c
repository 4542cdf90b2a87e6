/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the parser of lines: plugins/collect-sim/lines. */
#include "plugins/collect-sim/lines/charset.h"
#include "plugins/collect-sim/lines/line.h"
#include "tests/core/suites.h"
#include "tests/plugins/collect-sim/forms.h"
#include "plugins/collect-sim/lines/pipes.h"
#include "tests/plugins/collect-sim/backtrack.h"
#include <check.h>
#include <inttypes.h>
#include <opprof/record.h>
#include <stdio.h>
#include <stdlib.h>

/* The grammar of line.h as an expression: groups are tick, PC, PIPE, ID, NAME, DETAIL, POPTAIL. */
#define GRAMMAR                                                                                    \
    "(?:\\[info\\] )?\\[(\\d+)\\]\\s?\\(PC: "                                                      \
    "0x([0-9a-f]{1,16})\\)(?:@CORE\\d{1,2})?\\s?([A-Za-z0-3_]+)"                                   \
    "(?: ISSUE| IB ISSUE)?\\s*"                                                                    \
    "(?:: \\(Binary: 0x[0-9a-f ]{8,34}\\) (?:\\(ID: (\\d{6,15})\\)\\s)?([0-9a-zA-Z_\\-]*)"         \
    "(?:(?:\\(|\\s\\s)([\\[\\]\\|A-Za-z0-9_, :=/#\\-]*)(?:\\)| )?)?(?:, instr ID is: \\d+.)?"      \
    "((?:\\.)? (?:poped from IQ|pop success \\d+))?)?.*"

/* For loops: an assertion of Check tells its parent even when it holds. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (0)

typedef struct Text {
    char bytes[512 + 64];
    size_t length;
} Text;

static Text text_of(const char *line)
{
    Text text;

    memset(&text, '~', sizeof text);
    text.length = strlen(line);
    ck_assert_uint_lt(text.length, 512);
    memcpy(text.bytes, line, text.length);
    return text;
}

/* What the simulators of Ascend chips print. */
static SimPipes pipes;

static void load_pipes(void)
{
    OpprofChip *chip = NULL;

    ck_assert_int_eq(OpprofChipLoad("Ascend910B1", &chip, NULL), OPPROF_OK);
    pipes = SimPipesOf(chip);
    OpprofChipFree(chip); /* facts stay */
}

static void expect(const char *source, uint64_t tick, const char *pipe, const char *name,
                   const char *detail)
{
    const Text text = text_of(source);
    char stripped[600 + 64];
    SimLine line;

    ck_assert_msg(SimLineParse(text.bytes, text.length, &camodel_marks()->watch, &line),
                  "no record: %s", source);
    *CharsetCopyWithoutBlanks(stripped, line.detail, line.detail + line.detail_length) = '\0';
    ck_assert_uint_eq(line.tick, tick);
    if (SimMarkFactsHasRegister(camodel_marks(), &line)) {
        ck_assert_str_eq(pipe, "USERMARK");
    } else {
        size_t length = 0;
        const char *found = SimPipesFind(&pipes, &line, &length);
        ck_assert_uint_eq(length, strlen(pipe));
        ck_assert_mem_eq(found, pipe, length);
    }
    ck_assert_uint_eq(line.name_length, strlen(name));
    ck_assert_mem_eq(line.name, name, line.name_length);
    ck_assert_str_eq(stripped, detail);
    ck_assert(!line.poped_from_queue);
}

static void expect_none(const char *source)
{
    const Text text = text_of(source);
    SimLine line;

    ck_assert_msg(!SimLineParse(text.bytes, text.length, &camodel_marks()->watch, &line),
                  "a record: %s", source);
}

/* Vectors L1 to L15 of the specification of dumps. */
START_TEST(lines_are_taken_apart_as_specified)
{
    expect(
        "[info] [00011690] (PC: 0x10f86084) MTE2     : (Binary: 0x40a01000) SET_FLAG  PIPE:MTE2, "
        "TRIGGER PIPE:SCALAR, FLAG ID:0,",
        11690, "MTE2", "SET_FLAG", "PIPE:MTE2,TRIGGERPIPE:SCALAR,FLAGID:0,");
    expect(
        "[info] [00000344](PC: 0x10cfa010) SCALAR : (Binary: 0x04c01fd8) scalar_st_imm(dType:0x3,  "
        "x[0]= 0xff, post = 0x0) start_cycle(343) end_cycle(346) ",
        344, "SCALAR", "scalar_st_imm", "dType:0x3,x[0]=0xff,post=0x0");
    expect("[info] [00000344](PC: 0x10cfa03c) MTE2 : (Binary: 0x74401100) mov_out_to_ub(xd:0, "
           "padValue:0), instr ID is: 1. pop success 2 ",
           344, "MTE2", "mov_out_to_ub", "xd:0,padValue:0");
    expect("[info] [00000504](PC: 0x10cfa308) VEC0 IB ISSUE : (Binary: 0x40c20098) "
           "wait_event(pipe_type: SCALAR, tigger_pipe: VECTOR, event_id: 0) ",
           504, "VECTOR", "wait_event", "pipe_type:SCALAR,tigger_pipe:VECTOR,event_id:0");
    expect("[00000101](PC: 0x1004) SCALAR : (Binary: 0x083dd2b8) a1(xd:1, xn:2)", 101, "SCALAR",
           "a1", "xd:1,xn:2");
    expect("[info] [00000102] (PC: 0x1008) SCALAR   : (Binary: 0x083dd2b8) (ID: 123) A2  dtype:S64",
           102, "SCALAR", "", "ID:123");
    expect("[info] [00000103] (PC: 0x100c) MTE4   : (Binary: 0x083dd2b8) A3  dtype:S64", 103, "ALL",
           "", "");
    expect("[info] [00000107] (PC: 0x101c) SCALAR   : (Binary: 0x083dd2b8) A7  a:1.5, b:2", 107,
           "SCALAR", "A7", "a:1");
    expect("[info] [00000109] (PC: 0x1024) SCALAR   : (Binary: 0x083dd2b8) A9 one_blank:1", 109,
           "SCALAR", "A9", "");
    expect("[info] [00000109] (PC: 0x1024) SCALAR   : (Binary: 0x083dd2b8) (ID: 000001) A9 "
           "one_blank:1",
           109, "SCALAR", "A9", "one_blank:1");
    expect("[info] [00000109] (PC: 0x1024) SCALAR   : (Binary: 0x083dd2b8) (ID: 000001) A9 ", 109,
           "SCALAR", "A9", "");
    expect(
        "[info] [00000109] (PC: 0x1024) SCALAR   : (Binary: 0x083dd2b8) (ID: 000001) DFX_REGION  "
        "{\"xt_value\": \"0x4.01\"}  ",
        109, "SCALAR", "DFX_REGION", "{\"xt_value\":\"0x4.01\"}");
    expect(
        "[info] [00000109] (PC: 0x1024) SCALAR   : (Binary: 0x083dd2b8) (ID: 000001) A9 {\"a\":{}}",
        109, "SCALAR", "A9", "{\"a\":{}}");
    expect("[info] [00000117] (PC: 0x1044) SCALAR", 117, "SCALAR", "", "");
    expect("[info] [00000105] (PC: 0x1014)@CORE3 SCALAR   : (Binary: 0x083dd2b8) A5  dtype:S64",
           105, "SCALAR", "A5", "dtype:S64");
}
END_TEST

START_TEST(malformed_heads_are_no_records)
{
    expect_none("[debug] [00000104] (PC: 0x1010) SCALAR   : (Binary: 0x083dd2b8) A4  dtype:S64");
    expect_none("[info] [00000106] (PC: 0xABC) SCALAR   : (Binary: 0x083dd2b8) A6  dtype:S64");
    expect_none(" [info] [00000108] (PC: 0x1020) SCALAR   : (Binary: 0x083dd2b8) A8  a:1");
    expect_none("[info] [00000108] (PC: 0x1020) SCALAR   : (Binary: 0x083dd2b8) A8  a:1\r");
    expect_none(
        "[info] [99999999999999999999999] (PC: 0x1050) SCALAR : (Binary: 0x083dd2b8) A20  x:1");
    expect_none("[info] [18446744073709551616] (PC: 0x1050) SCALAR");
    expect_none("[info] [] (PC: 0x1050) SCALAR");
    expect_none("[info] [1] (PC: 0x) SCALAR");
    expect_none("[info] [1] (PC: 0x12345678123456781) SCALAR");
    expect_none("[info] [1] (PC: 0x1000) ");
    expect_none("");
    expect("[info] [18446744073709551614] (PC: 0x1234567812345678)SCALAR", UINT64_MAX - 1, "SCALAR",
           "", "");
}
END_TEST

START_TEST(a_record_that_waits_to_be_popped_is_reported)
{
    const Text text = text_of("[info] [00000344](PC: 0x10cfa03c) MTE2 : (Binary: 0x74401100) "
                              "mov_out_to_ub(xd:0, padValue:0), instr ID is: 1. poped from IQ ");
    SimLine line;

    ck_assert(SimLineParse(text.bytes, text.length, &camodel_marks()->watch, &line));
    ck_assert(line.poped_from_queue);
}
END_TEST

START_TEST(an_id_is_read_where_it_has_six_digits)
{
    const Text text = text_of("[info] [00000749] (PC: 0x11bbe03c) SCALAR   : (Binary: 0x083dd2b8) "
                              "(ID: 000123) ADD_IMM  dtype:S64, XD:X30=0x204258");
    SimLine line;

    ck_assert(SimLineParse(text.bytes, text.length, &camodel_marks()->watch, &line));
    ck_assert_uint_eq(line.id, 123);
    ck_assert_uint_eq(line.name_length, 7);
    ck_assert_uint_eq(line.pc, 0x11bbe03c);
}
END_TEST

START_TEST(pipes_are_named_as_specified)
{
    static const char *const pairs[][2] = {
        { "FC", "FLOWCTRL" },   { "FIX_PIPE", "FIXP" },       { "VEC", "VECTOR" },
        { "VEC0", "VECTOR" },   { "VECTOR0", "VECTOR" },      { "ISSUE", "EVENT" },
        { "RVECEX", "RVECEX" }, { "PUSHQ", "PUSHQ" },         { "VEC1", "ALL" },
        { "scalar", "ALL" },    { "CACHEMISS", "CACHEMISS" },
    };
    char source[200];

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        snprintf(source, sizeof source, "[1] (PC: 0x1) %s : (Binary: 0x083dd2b8) other(x:1)",
                 pairs[i][0]);
        expect(source, 1, pairs[i][1], "other", "x:1");
    }
    expect("[1] (PC: 0x1) ABC : (Binary: 0x083dd2b8) scalar_ld_x(x:1)", 1, "SCALAR", "scalar_ld_x",
           "x:1");
    expect("[1] (PC: 0x1) ABC : (Binary: 0x083dd2b8) my_scalar_st(x:1)", 1, "SCALAR",
           "my_scalar_st", "x:1");
    expect("[1] (PC: 0x1) MTE2 : (Binary: 0x083dd2b8) A  SPR:LPCNT, X1=1", 1, "USERMARK", "A",
           "SPR:LPCNT,X1=1");
    expect("[1] (PC: 0x1) MTE2 : (Binary: 0x083dd2b8) A  SPR:COND,X", 1, "USERMARK", "A",
           "SPR:COND,X");
    expect("[1] (PC: 0x1) MTE2 : (Binary: 0x083dd2b8) A  SPR:COND.,X", 1, "MTE2", "A", "SPR:COND");
}
END_TEST

/* ---- against the expression ---- */

static uint64_t random_state;

static uint32_t any_below(uint32_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t) ((random_state >> 33) % limit);
}

static const char *const seeds[] = {
    "[info] [00011690] (PC: 0x10f86084) MTE2     : (Binary: 0x40a01000) SET_FLAG  PIPE:MTE2, "
    "TRIGGER "
    "PIPE:SCALAR, FLAG ID:0,",
    "[info] [00000344](PC: 0x10cfa03c) MTE2 : (Binary: 0x74401100) mov_out_to_ub(xd:0, "
    "padValue:0), "
    "instr ID is: 1. poped from IQ ",
    "[00000344](PC: 0x10cfa03c)@CORE12 MTE2 ISSUE : (Binary: 0x74401100 11) a_b(xd:0), instr ID "
    "is: 12. "
    "pop success 2 ",
    "[info] [00000504](PC: 0x10cfa308) VEC0 IB ISSUE : (Binary: 0x40c20098) wait_event(pipe_type: "
    "A) ",
    "[info] [00000749] (PC: 0x11bbe03c) SCALAR   : (Binary: 0x083dd2b8) (ID: 000123) ADD_IMM  "
    "[Rd:3|R],[#imm:1], XD:X30=0x204258",
    "[info] [00000749] (PC: 0x11bbe03c) SCALAR   : (Binary: 0x083dd2b8) (ID: 000123) poped from IQ",
    "[1] (PC: 0x1044)@CORE12",
    "[1] (PC: 0x1044)@CORE12\r: (Binary: 0x083dd2b8) A\r\rB",
    "[info] [00000101] (PC: 0x1004) MTE2 : (Binary: 0x083dd2b8) NAME  a:1, instr ID is: 1. poped "
    "from IQ",
};

static const char *const pieces[] = {
    "\r",
    " ",
    "  ",
    "\t",
    "(",
    ")",
    ".",
    ", instr ID is: ",
    "1",
    "23",
    "@CORE",
    "@CORE1",
    "@CORE22",
    " ISSUE",
    " IB ISSUE",
    "(ID: 000777) ",
    "(ID: 12345) ",
    ". poped from IQ",
    " poped from IQ",
    " pop success 9",
    "[info] ",
    ": (Binary: 0x",
    "0x",
    "[",
    "]",
    "A",
    "z",
    "_",
    "-",
    "|",
    "#",
    "/",
    "=",
    ":",
    ";",
    "{",
    "4",
    "9",
    "f",
    "F",
    "\x80",
    "~",
    "LPCNT",
    "SPR:COND,",
    "aaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaa"
};

static void replace_at(Text *text, size_t at, size_t removed, const char *piece, size_t length)
{
    if (text->length - removed + length > 400) {
        return;
    }
    memmove(text->bytes + at + length, text->bytes + at + removed, text->length - at - removed);
    memcpy(text->bytes + at, piece, length);
    text->length += length - removed;
    memset(text->bytes + text->length, "\r LND"[any_below(5)], 64);
}

static void mutate(Text *text)
{
    const size_t at = any_below((uint32_t) text->length + 1);
    const size_t left = text->length - at;
    const size_t some = left == 0 ? 0 : any_below((uint32_t) (left < 9 ? left : 9) + 1);
    const char *piece = pieces[any_below(sizeof pieces / sizeof pieces[0])];

    switch (any_below(4)) {
    case 0:
        replace_at(text, at, some, "", 0);
        break;
    case 1:
        replace_at(text, at, 0, piece, strlen(piece));
        break;
    case 2:
        replace_at(text, at, some, piece, strlen(piece));
        break;
    default:
        replace_at(text, at, left > 0, &"\0\r \tzZ90()"[any_below(10)], 1);
        break;
    }
}

static void check_group(const BacktrackMatch *match, int group, const char *at, size_t length,
                        const Text *text)
{
    if (match->from[group] == NULL) {
        REQUIRE(length == 0, "group %d of %.*s", group, (int) text->length, text->bytes);
        return;
    }
    REQUIRE(match->from[group] == at && (size_t) (match->to[group] - match->from[group]) == length,
            "group %d of %.*s: %.*s, not %.*s", group, (int) text->length, text->bytes,
            (int) length, at, (int) (match->to[group] - match->from[group]), match->from[group]);
}

static uint64_t decimal(const BacktrackMatch *match, int group, bool *ret_fits)
{
    uint64_t value = 0;

    *ret_fits = true;
    for (const char *at = match->from[group]; at < match->to[group]; at++) {
        *ret_fits = *ret_fits && value <= (UINT64_MAX - (uint64_t) (*at - '0')) / 10;
        value = value * 10 + (uint64_t) (*at - '0');
    }
    return value;
}

/* Returns whether the line is a record. */
static bool check_against_expression(const Backtrack *grammar, const Text *text)
{
    BacktrackMatch match;
    SimLine line;
    bool fits = true;
    bool matches = BacktrackMatches(grammar, text->bytes, text->length, &match);
    uint64_t tick = matches ? decimal(&match, 0, &fits) : 0;

    matches = matches && fits && tick != UINT64_MAX;
    REQUIRE(SimLineParse(text->bytes, text->length, &camodel_marks()->watch, &line) == matches,
            "%srecord: '%.*s'", matches ? "a " : "no ", (int) text->length, text->bytes);
    if (!matches) {
        return false;
    }
    REQUIRE(line.tick == tick, "tick of '%.*s'", (int) text->length, text->bytes);
    REQUIRE(line.pc == strtoull(match.from[1], NULL, 16), "PC of '%.*s'", (int) text->length,
            text->bytes);
    check_group(&match, 2, line.pipe, line.pipe_length, text);
    check_group(&match, 4, line.name, line.name_length, text);
    REQUIRE(line.id == (match.from[3] == NULL ? OPPROF_NA_U64 : decimal(&match, 3, &fits)),
            "id of '%.*s'", (int) text->length, text->bytes);
    if (match.from[3] != NULL && match.from[5] == match.to[5]) {
        return true; /* with an id, more than the expression knows may be operands */
    }
    check_group(&match, 5, line.detail, line.detail_length, text);
    REQUIRE(line.poped_from_queue == (match.from[6] != NULL && match.to[6] - match.from[6] >= 14 &&
                                      memcmp(match.to[6] - 13, "poped from IQ", 13) == 0),
            "tail of '%.*s'", (int) text->length, text->bytes);
    return true;
}

/* As while the logical core is looked for. */
static const SimLineWatch popped_core = {
    .byte = 'I', .after = { 'Q', 'Q' }, .name = "MOV_XD_SPR", .name_length = 10
};

/* What the short look leaves out must not matter. */
static void check_brief(const Text *text, const SimLineWatch *watch, bool is_popped)
{
    SimLine full, brief;
    const bool is_record = SimLineParse(text->bytes, text->length, &camodel_marks()->watch, &full);

    bool is_same = SimLineParseBrief(text->bytes, text->length, watch, &brief) == is_record;

    if (is_record && is_same) {
        is_same = brief.tick == full.tick && brief.pc == full.pc && brief.id == full.id &&
                  brief.name == full.name && brief.name_length == full.name_length &&
                  (is_popped ? brief.poped_from_queue == full.poped_from_queue
                             : SimMarkFactsHasRegister(camodel_marks(), &brief) ==
                                   SimMarkFactsHasRegister(camodel_marks(), &full));
    }
    REQUIRE(is_same, "a short look at '%.*s'", (int) text->length, text->bytes);
}

START_TEST(mutated_lines_match_exactly_what_the_expression_matches)
{
    Backtrack *grammar = BacktrackCompile(GRAMMAR);
    unsigned records = 0;

    random_state = 20240917;
    for (unsigned i = 0; i < 200000; i++) {
        Text text = text_of(seeds[any_below(sizeof seeds / sizeof seeds[0])]);

        for (uint32_t changes = any_below(5); changes > 0; changes--) {
            mutate(&text);
        }
        records += check_against_expression(grammar, &text);
        check_brief(&text, &sim_watch_popped, true);
        check_brief(&text, &popped_core, true);
        check_brief(&text, &camodel_marks()->watch, false);
    }
    ck_assert_uint_gt(records, 50000);
    ck_assert_uint_lt(records, 190000);
    BacktrackFree(grammar);
}
END_TEST

/* ---- the character classes ---- */

START_TEST(sixty_four_bytes_at_once_are_classed_as_each_by_itself)
{
    char bytes[64 + 64];
    char copy[64 + 64];
    bool pair;

    for (unsigned first = 0; first < 256; first++) {
        for (unsigned i = 0; i < sizeof bytes; i++) {
            bytes[i] = (char) (unsigned char) (first + i * (first % 2 == 0 ? 37 : 1));
        }
        for (unsigned i = 0; i < 64; i++) {
            REQUIRE((CharsetNoDetail(bytes) >> i & 1) == !CharsetHas(bytes[i], CHARSET_DETAIL),
                    "class of byte %u", (unsigned char) bytes[i]);
            REQUIRE((CharsetBlanks(bytes) >> i & 1) == (bytes[i] == ' '), "blank %u",
                    (unsigned char) bytes[i]);
        }
        ck_assert_ptr_eq(CharsetSkipDetail(bytes, bytes + 64, 'x', "yz", &pair),
                         CharsetSkip(bytes, bytes + 64, CHARSET_DETAIL));
        ck_assert_ptr_eq(CharsetSkipHex(bytes, bytes + 64),
                         CharsetSkip(bytes, bytes + 64, CHARSET_HEX));
        ck_assert_ptr_eq(CharsetSkipName(bytes, bytes + 64),
                         CharsetSkip(bytes, bytes + 64, CHARSET_NAME));
        ck_assert_ptr_eq(CharsetSkipPipe(bytes, bytes + 64),
                         CharsetSkip(bytes, bytes + 64, CHARSET_PIPE));
        ck_assert_ptr_eq(CharsetSkipSpace(bytes, bytes + 64),
                         CharsetSkip(bytes, bytes + 64, CHARSET_SPACE));
        ck_assert_ptr_eq(CharsetSkipBinary(bytes, bytes + 64),
                         CharsetSkip(bytes, bytes + 64, CHARSET_BINARY));
        ck_assert_ptr_eq(CharsetCopyWithoutBlanks(copy, bytes, bytes), copy);
    }
}
END_TEST

START_TEST(blanks_are_left_out_at_every_place)
{
    char bytes[300];
    char copy[300 + 64];
    char expected[300];

    random_state = 7;
    for (unsigned round = 0; round < 2000; round++) {
        const size_t length = any_below(230);
        size_t kept = 0;

        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = "abcd "[any_below(5)];
            if (i < length && bytes[i] != ' ') {
                expected[kept++] = bytes[i];
            }
        }
        ck_assert_uint_eq((size_t) (CharsetCopyWithoutBlanks(copy, bytes, bytes + length) - copy),
                          kept);
        ck_assert_mem_eq(copy, expected, kept);
    }
}
END_TEST

/* A line and as much of it as counts when it is the last one and has no end. */
START_TEST(of_a_line_that_is_cut_only_whole_operands_count)
{
#define HEAD "[info] [00000746] (PC: 0x11bbe044) SCALAR   : (Binary: 0x07c10000) "
    static const char *const lines[][2] = {
        { "[info] [00000746] (PC: 0x11bb", "" },
        { "[info] [00000746] (PC: 0x11bbe044) SCAL", "" },
        { HEAD, "" },
        { HEAD "MO", HEAD "MO" },
        { HEAD "MOVK  ", HEAD "MOVK  " },
        { HEAD "MOVK  XD:X0=0x106b", HEAD "MOVK  " },
        { HEAD "MOVK  XD:X0=0x106b8000,", HEAD "MOVK  XD:X0=0x106b8000," },
        { HEAD "MOVK  XD:X0=0x106b8000, ", HEAD "MOVK  XD:X0=0x106b8000," },
        { HEAD "MOVK  XD:X0=0x106b8000, IMM:0", HEAD "MOVK  XD:X0=0x106b8000," },
        { HEAD "MOVK  XD:X0=0x106b8000;", HEAD "MOVK  XD:X0=0x106b8000;" },
        { HEAD "neg(dType:0x0,  xn:0x0)", HEAD "neg(dType:0x0,  xn:0x0)" },
        { HEAD "neg(dType:0x0,  xn:0x0", HEAD "neg(dType:0x0," },
    };
    char copy[256 + 64];

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        memset(copy, '7', sizeof copy);
        memcpy(copy, lines[i][0], strlen(lines[i][0]));
        ck_assert_msg(SimLineTrim(copy, strlen(lines[i][0])) == strlen(lines[i][1]), "%s",
                      lines[i][0]);
    }
#undef HEAD
}
END_TEST

START_TEST(names_are_found_in_a_list)
{
    const Text text = text_of("[1] (PC: 0x1) MTE2 : (Binary: 0x083dd2b8) SET_FLAG  x");
    SimLine line;

    ck_assert(SimLineParse(text.bytes, text.length, &camodel_marks()->watch, &line));
    ck_assert(SimLineNameIsOneOf(&line, "WAIT_FLAG|SET_FLAG|wait_event"));
    ck_assert(SimLineNameIsOneOf(&line, "SET_FLAG"));
    ck_assert(!SimLineNameIsOneOf(&line, "SET_FLAGS|SET|"));
    ck_assert(!SimLineNameIsOneOf(&line, ""));
    ck_assert(!SimLineNameIsOneOf(&line, NULL));
}
END_TEST

START_TEST(without_facts_a_pipe_is_called_as_it_is_printed)
{
    const SimPipes none = SimPipesOf(NULL);
    const SimLine line = { .pipe = "VEC", .pipe_length = 3, .name = "scalar_ld", .name_length = 9 };
    size_t length = 0;

    ck_assert_ptr_eq(SimPipesFind(&none, &line, &length), line.pipe);
    ck_assert_uint_eq(length, 3);
}
END_TEST

static Suite *line_suite(void)
{
    Suite *suite = suite_create("line");
    TCase *tests = tcase_create("line");

    tcase_add_checked_fixture(tests, load_pipes, NULL);
    tcase_add_test(tests, lines_are_taken_apart_as_specified);
    tcase_add_test(tests, malformed_heads_are_no_records);
    tcase_add_test(tests, without_facts_a_pipe_is_called_as_it_is_printed);
    tcase_add_test(tests, a_record_that_waits_to_be_popped_is_reported);
    tcase_add_test(tests, an_id_is_read_where_it_has_six_digits);
    tcase_add_test(tests, pipes_are_named_as_specified);
    tcase_add_test(tests, mutated_lines_match_exactly_what_the_expression_matches);
    tcase_add_test(tests, sixty_four_bytes_at_once_are_classed_as_each_by_itself);
    tcase_add_test(tests, blanks_are_left_out_at_every_place);
    tcase_add_test(tests, names_are_found_in_a_list);
    tcase_add_test(tests, of_a_line_that_is_cut_only_whole_operands_count);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(line_suite)
