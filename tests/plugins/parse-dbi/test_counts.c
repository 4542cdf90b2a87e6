/* SPDX-License-Identifier: Apache-2.0 */
/* Block maps and their counters, samples of program counters, register
 * liveness: whole and damaged. */
#include "plugins/parse-dbi/block_map.h"
#include "plugins/parse-dbi/liveness.h"
#include "plugins/parse-dbi/samples.h"
#include "plugins/parse-dbi/warps.h"
#include "tests/core/suites.h"
#include "tests/plugins/parse-dbi/dbi_bytes.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- blocks ---- */

static const char map_text[] = "InstrumentBlockCount\n"
                               "function: first\n"
                               "start addr: 0x100\n"
                               "BBB id:0 Offset: 0x0 end: 0x8\n"
                               "BBB id:2 Offset: 0xc end: 0xc\n"
                               "something else\n"
                               "function: second\n"
                               "start addr: 0x200\n"
                               "BBB id:1 Offset: 0x10 end: 0x20\n";

static BlockMap map;

static void read_map(const char *text)
{
    BlockMapFinish(&map);
    ck_assert(BlockMapRead(&map, text, strlen(text)));
}

START_TEST(a_map_names_functions_and_blocks)
{
    read_map(map_text);
    ck_assert_uint_eq(map.bad_lines, 0);
    ck_assert_uint_eq(map.function_count, 2);
    ck_assert_uint_eq(map.block_count, 3);
    ck_assert_uint_eq(map.marks, 3);
    ck_assert_uint_eq(map.blocks[1].start, 0x10c);
    ck_assert_uint_eq(map.blocks[1].end, 0x10c);
    ck_assert_uint_eq(map.blocks[2].start, 0x210);
    ck_assert_uint_eq(map.blocks[2].end, 0x220);
    ck_assert_str_eq(map.functions[map.blocks[2].function].name, "second");
    ck_assert_uint_eq(map.blocks[0].count, BLOCK_NO_COUNT);
}
END_TEST

START_TEST(lines_that_make_no_sense_lose_themselves_only)
{
    static const char *const bad[] = {
        "BBB id:7 Offset: 0x20 end: 0x1f\n",               /* ends before it begins */
        "BBB id:0 Offset: 0x20 end: 0x24\n",               /* a number twice */
        "BBB id:x Offset: 0x20 end: 0x24\n",               /* no number */
        "BBB id:7 Offset: 0x20\n",                         /* no end */
        "BBB id:7 Offset: 0xffffffffffffffff end: 0x24\n", /* beyond the top */
        "BBB id:99999999999999999999 Offset: 0x20 end: 0x24\n",
        "start addr: 0x300\n", /* of no function */
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[512];

        snprintf(text, sizeof text, "%s%s", map_text, bad[i]);
        read_map(text);
        ck_assert_uint_eq(map.block_count, 3);
        ck_assert_uint_eq(map.bad_lines, 1);
        ck_assert_uint_eq(map.first_bad, 10);
    }
    read_map("BBB id:0 Offset: 0x0 end: 0x8\nfunction: f\nBBB id:1 Offset: 0x0 end: 0x8\n");
    ck_assert_uint_eq(map.block_count, 0);
    ck_assert_uint_eq(map.bad_lines, 2);
}
END_TEST

START_TEST(a_map_cut_at_every_byte_keeps_the_blocks_before)
{
    const size_t length = strlen(map_text);

    for (size_t cut = 1; cut < length; cut++) {
        size_t whole = 0;

        for (const char *at = map_text; (at = strstr(at, "BBB")) != NULL; at++) {
            const char *end = strchr(at, '\n');
            whole += (size_t) (end - map_text) < cut;
        }
        BlockMapFinish(&map);
        ck_assert(BlockMapRead(&map, map_text, cut));
        ck_assert_uint_eq(map.block_count, whole);
        ck_assert(map.is_cut == (map_text[cut - 1] != '\n'));
    }
}
END_TEST

START_TEST(names_of_kernels)
{
    static const struct {
        const char *function;
        const char *kernel;
        bool is_of;
    } names[] = {
        { "add", "add", true },
        { "add_mix_aic", "add", true },
        { "add_mix_aiv", "add_mix_aic", true },
        { "_Z3addPhS_", "add", true },
        { "_Z3addPhS__mix_aiv", "add", true },
        { "_Z3addPhS_", "_Z3addPhS_", true },
        { "add_mix_aid", "add", false },
        { "adder", "add", false },
        { "_Z4adds", "add", false },
        { "_Z99add", "add", false },
        { "_mix_aic", "", false },
        { "", "add", false },
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ck_assert_msg(BlockMapIsOf(names[i].function, names[i].kernel, strlen(names[i].kernel)) ==
                          names[i].is_of,
                      "'%s' and '%s'", names[i].function, names[i].kernel);
    }
}
END_TEST

/* Counters of three cores: 256 bytes each, since there are three blocks. */
static size_t put_counters(unsigned char *bytes)
{
    memset(bytes, 0, 3 * 256);
    put(bytes, 1, 4);
    put(bytes + 4, 20, 4);
    put(bytes + 256, 2, 4);
    put(bytes + 512 + 8, UINT32_MAX, 4);
    put(bytes + 512 + 12, 77, 4); /* of no block */
    return 3 * 256;
}

START_TEST(counters_of_all_cores_add_up)
{
    unsigned char bytes[3 * 256];
    const size_t length = put_counters(bytes);

    for (size_t piece = 1; piece <= 300; piece += piece < 9 ? 1 : 97) {
        CountReader reader;

        read_map(map_text);
        CountsBegin(&reader, &map);
        ck_assert_uint_eq(reader.unit, 256);
        for (size_t at = 0; at < length; at += piece) {
            CountsFeed(&reader, bytes + at, length - at < piece ? length - at : piece);
        }
        ck_assert_uint_eq(CountsRest(&reader), 0);
        ck_assert_uint_eq(reader.foreign, 1);
        ck_assert_uint_eq(reader.first_foreign, 512 + 12);
        ck_assert_uint_eq(map.blocks[0].count, 3);
        ck_assert_uint_eq(map.blocks[1].count, UINT32_MAX); /* number 2 */
        ck_assert_uint_eq(map.blocks[2].count, 20);
    }
}
END_TEST

START_TEST(counters_cut_at_every_byte)
{
    unsigned char bytes[3 * 256];
    const size_t length = put_counters(bytes);

    for (size_t cut = 0; cut < length; cut++) {
        CountReader reader;

        read_map(map_text);
        CountsBegin(&reader, &map);
        CountsFeed(&reader, bytes, cut);
        ck_assert_uint_eq(CountsRest(&reader), cut % 256);
        ck_assert_uint_eq(map.blocks[0].count, (cut >= 4 ? 1u : 0u) + (cut >= 260 ? 2u : 0u));
        ck_assert_uint_eq(map.blocks[1].count, cut >= 524 ? UINT32_MAX : 0u);
    }
}
END_TEST

START_TEST(numbers_beyond_the_counters_have_no_count)
{
    CountReader reader;
    unsigned char bytes[256] = { 5 };

    read_map("function: f\nstart addr: 0x0\nBBB id:0 Offset: 0x0 end: 0x0\n"
             "BBB id:64 Offset: 0x8 end: 0x8\n");
    CountsBegin(&reader, &map);
    CountsFeed(&reader, bytes, sizeof bytes);
    ck_assert_uint_eq(map.blocks[0].count, 5);
    ck_assert_uint_eq(map.blocks[1].count, BLOCK_NO_COUNT);
}
END_TEST

START_TEST(a_counted_text_wins_over_counters)
{
    static const char text[] = "0 first 0 7\n1 first c 1\n\n2 second 0x10 5\r\n"
                               "3 second 11 1\nfour first 0 1\n5 third 0 1\n6 first 0\n"
                               "7 first 0 1"; /* may be the beginning of 100 */
    CountReader reader;
    CountedText counted;
    unsigned char bytes[3 * 256];
    const size_t length = put_counters(bytes);

    read_map(map_text);
    CountsBegin(&reader, &map);
    CountsFeed(&reader, bytes, length);
    ck_assert(CountsReadText(&map, text, strlen(text), &counted));
    ck_assert_uint_eq(counted.entries, 7);
    ck_assert_uint_eq(counted.strange, 4);
    ck_assert_uint_eq(counted.first, 5);
    ck_assert_uint_eq(counted.differ, 3);
    ck_assert_uint_eq(map.blocks[0].count, 7);
    ck_assert_uint_eq(map.blocks[1].count, 1);
    ck_assert_uint_eq(map.blocks[2].count, 5);
    ck_assert_uint_eq(counted.unnamed, 0);
    ck_assert(counted.is_cut);
}
END_TEST

START_TEST(blocks_that_a_counted_text_does_not_name_keep_their_counts)
{
    CountReader reader;
    CountedText counted;
    unsigned char bytes[3 * 256];
    const size_t length = put_counters(bytes);

    read_map(map_text);
    CountsBegin(&reader, &map);
    CountsFeed(&reader, bytes, length);
    ck_assert(CountsReadText(&map, "", 0, &counted));
    ck_assert_uint_eq(counted.entries, 0);
    ck_assert_uint_eq(counted.unnamed, 3);
    ck_assert_uint_eq(map.blocks[0].count, 3);
    ck_assert(CountsReadText(&map, "0 first 0 3\n", 12, &counted));
    ck_assert_uint_eq(counted.unnamed, 2);
    ck_assert_uint_eq(counted.differ, 0);
    ck_assert_uint_eq(map.blocks[2].count, 20);
    /* Without counters, what is not named is unknown. */
    read_map(map_text);
    ck_assert(CountsReadText(&map, "0 first 0 3\n", 12, &counted));
    ck_assert_uint_eq(map.blocks[0].count, 3);
    ck_assert_uint_eq(map.blocks[1].count, BLOCK_NO_COUNT);
}
END_TEST

/* ---- samples ---- */

#define CHUNK (8u + 2097152u)

static Samples samples;

/* A chunk with two samples. */
static unsigned char *make_chunk(void)
{
    /* V23, and the same address once more */
    static const unsigned char vector[] = { 0x10, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 7, 9, 9, 9, 9 };
    unsigned char *bytes = calloc(1, CHUNK);

    ck_assert_ptr_nonnull(bytes);
    put(bytes, 3, 2);
    put(bytes + 2, 1, 2);
    put(bytes + 4, 32, 4);
    memcpy(bytes + 8, vector, sizeof vector);
    memcpy(bytes + 24, vector, sizeof vector);
    return bytes;
}

START_TEST(samples_tell_where_and_why) /* V23 */
{
    unsigned char *bytes = make_chunk();

    for (size_t piece = 5; piece <= CHUNK; piece = piece < 40 ? piece * 3 : piece * 50000) {
        SamplesFinish(&samples);
        SamplesBeginFile(&samples);
        for (size_t at = 0; at < CHUNK; at += piece) {
            ck_assert(SamplesFeed(&samples, bytes + at, CHUNK - at < piece ? CHUNK - at : piece));
        }
        ck_assert_uint_eq(samples.taken, 2);
        ck_assert_uint_eq(samples.count, 1);
        ck_assert_uint_eq(SamplePlace(samples.pcs[0].raw, 0, 0x20), 0x60);
        ck_assert_uint_eq(samples.pcs[0].counts[0], 2);  /* IBuf_Empty */
        ck_assert_uint_eq(samples.pcs[0].counts[1], 4);  /* Nop_Cycles */
        ck_assert_uint_eq(samples.pcs[0].counts[8], 14); /* Active */
        ck_assert_uint_eq(SamplesRest(&samples), 0);
    }
    ck_assert_str_eq(sample_reasons[0], "IBuf_Empty");
    ck_assert_str_eq(sample_reasons[8], "Active");
    free(bytes);
}
END_TEST

START_TEST(sampled_addresses_are_those_of_the_code)
{
    ck_assert_uint_eq(SamplePlace(0x7fffff8, 0, 0), 0x7fffff8);
    ck_assert_uint_eq(SamplePlace(0x1000, UINT64_C(0x12c0000000f80), 0), 0x80);
    /* the code lies across a multiple of what a sample tells */
    ck_assert_uint_eq(SamplePlace(0x40, UINT64_C(0x12c0007ffffc0), 0x20), 0x60);
}
END_TEST

START_TEST(samples_cut_at_every_byte)
{
    unsigned char *bytes = make_chunk();

    for (size_t cut = 0; cut < 64; cut++) {
        SamplesFinish(&samples);
        SamplesBeginFile(&samples);
        ck_assert(SamplesFeed(&samples, bytes, cut));
        ck_assert_uint_eq(samples.taken, cut < 24 ? 0 : cut < 40 ? 1 : 2);
        ck_assert_uint_eq(SamplesRest(&samples), cut);
    }
    free(bytes);
}
END_TEST

START_TEST(pieces_of_samples_that_make_no_sense)
{
    unsigned char *bytes = make_chunk();

    SamplesBeginFile(&samples);
    put(bytes + 4, 2097153, 4); /* longer than the piece */
    ck_assert(SamplesFeed(&samples, bytes, CHUNK));
    put(bytes + 4, 32, 4);
    put(bytes + 2, 3, 2); /* no kind of core */
    ck_assert(SamplesFeed(&samples, bytes, CHUNK));
    ck_assert_uint_eq(samples.bad_heads, 2);
    ck_assert_uint_eq(samples.first_bad, 0);
    ck_assert_uint_eq(samples.taken, 0);
    put(bytes + 2, 2, 2);
    put(bytes + 4, 31, 4); /* ends within a sample */
    ck_assert(SamplesFeed(&samples, bytes, CHUNK));
    ck_assert_uint_eq(samples.odd, 1);
    ck_assert_uint_eq(samples.taken, 1);
    put(bytes + 4, 0, 4);
    ck_assert(SamplesFeed(&samples, bytes, CHUNK));
    ck_assert_uint_eq(samples.taken, 1);
    free(bytes);
}
END_TEST

/* ---- liveness ---- */

#define V22_BYTES 615u

static Liveness liveness;

/* An element whose value comes later; returns where the value begins. */
static unsigned char *open_element(unsigned char *at, uint32_t tag)
{
    put(at, tag, 4);
    return at + 12;
}

/* Ends an element at `end`, which it returns. */
static unsigned char *close_element(unsigned char *value, unsigned char *end)
{
    put(value - 8, (uint64_t) (end - value), 8);
    return end;
}

static unsigned char *put_numbers(unsigned char *at, uint32_t tag, const uint64_t *values,
                                  unsigned count, unsigned bytes)
{
    unsigned char *value = open_element(at, tag);
    unsigned char *end = value;

    for (unsigned i = 0; i < count; i++, end += bytes) {
        put(end, values[i], bytes);
    }
    return close_element(value, end);
}

/* An instruction: pairs of index and operation. */
static unsigned char *put_instruction(unsigned char *at, uint64_t address, const uint64_t *pairs,
                                      unsigned registers)
{
    unsigned char *value = open_element(at, 10);
    unsigned char *end = put_numbers(value, 11, &address, 1, 8);

    return close_element(value, put_numbers(end, 12, pairs, 2 * registers, 2));
}

/* V22: types X and S, 4 instructions, the second one with registers 0, 2 and 4. */
static size_t put_v22(unsigned char *bytes)
{
    static const uint64_t kinds[] = { 3, 1 }, totals[] = { 128, 96 }, starts[] = { 0, 1, 3 };
    static const uint64_t second[] = { 0, 1, 2, 2, 4, 4 }, third[] = { 2, 1, 5, 2 };
    static const uint64_t of_s[] = { 7, 3 };
    const uint64_t four = 4, three = 3;
    unsigned char *file = open_element(bytes, 0);
    unsigned char *at = put_numbers(file, 1, kinds, 2, 4);

    at = put_numbers(at, 2, totals, 2, 8);
    at = put_numbers(at, 3, &four, 1, 8);
    at = put_numbers(at, 4, &three, 1, 8);
    unsigned char *names = open_element(at, 5);
    at = names;
    for (unsigned i = 0; i < 3; i++) {
        unsigned char *name = open_element(at, 6);
        memcpy(name, "func", 4);
        name[4] = (unsigned char) ('1' + i);
        at = close_element(name, name + 5);
    }
    at = close_element(names, at);
    at = put_numbers(at, 7, starts, 3, 8);
    unsigned char *records = open_element(at, 8);
    unsigned char *list = open_element(records, 9);
    at = put_instruction(list, 0x2710, NULL, 0);
    at = put_instruction(at, 0x2711, second, 3);
    at = put_instruction(at, 0x2712, third, 2);
    at = close_element(list, put_instruction(at, 0x2713, NULL, 0));
    list = open_element(at, 9);
    at = put_instruction(list, 0x2710, NULL, 0);
    at = put_instruction(at, 0x2711, NULL, 0);
    at = put_instruction(at, 0x2712, of_s, 1);
    at = close_element(list, put_instruction(at, 0x2713, of_s, 1));
    at = close_element(file, close_element(records, at));
    return (size_t) (at - bytes);
}

static LivenessOutcome read_liveness(const unsigned char *bytes, size_t length)
{
    const char *why = NULL;
    size_t where = 0;

    LivenessFinish(&liveness);
    const LivenessOutcome outcome = LivenessRead(&liveness, bytes, length, &why, &where);
    ck_assert_int_eq(outcome == LIVENESS_BAD, why != NULL);
    ck_assert_uint_le(where, length);
    return outcome;
}

static unsigned registers_at(uint32_t place)
{
    unsigned count = 0;

    for (size_t i = 0; i < liveness.register_count; i++) {
        count += liveness.registers[i].place == place;
    }
    return count;
}

START_TEST(registers_in_use_by_instruction) /* V22 */
{
    static const unsigned char begin[] = { 0, 0, 0, 0, 0x5b, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                           8, 0, 0, 0, 0,    0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0 };
    unsigned char bytes[V22_BYTES + 64] = { 0 };

    ck_assert_uint_eq(put_v22(bytes), V22_BYTES);
    ck_assert_mem_eq(bytes, begin, sizeof begin);
    ck_assert_int_eq(read_liveness(bytes, V22_BYTES), LIVENESS_GOOD);
    ck_assert_uint_eq(liveness.count, 4);
    ck_assert_uint_eq(liveness.function_count, 3);
    ck_assert_uint_eq(liveness.addresses[1], 0x2711);
    ck_assert_uint_eq(registers_at(0), 0);
    ck_assert_uint_eq(registers_at(1), 3);
    ck_assert_uint_eq(registers_at(2), 3); /* of both types */
    ck_assert_uint_eq(liveness.registers[0].index, 0);
    ck_assert_uint_eq(liveness.registers[0].operation, 1); /* read */
    ck_assert_uint_eq(liveness.registers[1].index, 2);
    ck_assert_uint_eq(liveness.registers[1].operation, 2); /* written */
    ck_assert_uint_eq(liveness.registers[2].index, 4);
    ck_assert_uint_eq(liveness.registers[2].operation, 4); /* in use */
    ck_assert_int_eq(LivenessLetter(liveness.registers[0].kind), 'X');
    /* register 2 lives for two instructions, which the first of them says */
    ck_assert_uint_eq(liveness.registers[0].survival, 1);
    ck_assert_uint_eq(liveness.registers[1].survival, 2);
    ck_assert_uint_eq(liveness.registers[3].survival, 0);
}
END_TEST

START_TEST(register_totals_and_functions_of_a_liveness_file) /* V22 */
{
    unsigned char bytes[V22_BYTES + 64] = { 0 };

    put_v22(bytes);
    ck_assert_int_eq(read_liveness(bytes, V22_BYTES), LIVENESS_GOOD);
    ck_assert_uint_eq(liveness.kind_count, 2);
    ck_assert_int_eq(LivenessLetter(liveness.kinds[0].kind), 'X');
    ck_assert_int_eq(LivenessLetter(liveness.kinds[1].kind), 'S');
    ck_assert_uint_eq(liveness.kinds[0].total, 128);
    ck_assert_uint_eq(liveness.kinds[1].total, 96);
    ck_assert_uint_eq(liveness.function_count, 3);
    ck_assert_str_eq(liveness.functions[0].name, "func1");
    ck_assert_str_eq(liveness.functions[1].name, "func2");
    ck_assert_str_eq(liveness.functions[2].name, "func3");
    ck_assert_int_eq(liveness.functions[0].start, 0);
    ck_assert_int_eq(liveness.functions[1].start, 1);
    ck_assert_int_eq(liveness.functions[2].start, 3);
}
END_TEST

START_TEST(functions_counted_after_a_list_of_them_are_bad)
{
    const uint64_t one = 1;
    unsigned char bytes[256] = { 0 };
    unsigned char *file = open_element(bytes, 0);
    unsigned char *at = put_numbers(file, 7, NULL, 0, 8); /* starts, of no function */

    at = put_numbers(at, 4, &one, 1, 8);
    unsigned char *names = open_element(at, 5);
    unsigned char *name = open_element(names, 6);
    name[0] = 'f';
    at = close_element(names, close_element(name, name + 1));
    at = close_element(file, at);
    ck_assert_int_eq(read_liveness(bytes, (size_t) (at - bytes)), LIVENESS_BAD);
    ck_assert_ptr_null(liveness.functions);
}
END_TEST

START_TEST(a_liveness_file_cut_at_every_byte_is_left_out)
{
    unsigned char bytes[V22_BYTES + 64] = { 0 };

    put_v22(bytes);
    for (size_t cut = 0; cut < V22_BYTES; cut++) {
        ck_assert_int_eq(read_liveness(bytes, cut), LIVENESS_BAD);
        ck_assert_uint_eq(liveness.count, 0);
    }
    ck_assert_int_eq(read_liveness(bytes, V22_BYTES + 1), LIVENESS_BAD);
}
END_TEST

START_TEST(a_liveness_file_that_contradicts_itself_is_left_out)
{
    static const struct {
        unsigned at;
        unsigned value;
        unsigned bytes;
    } damages[] = {
        { 0, 1, 4 },           /* no container */
        { 12, 99, 4 },         /* a tag */
        { 12, 3, 4 },          /* an element twice */
        { 24, 4, 4 },          /* a type of registers */
        { 16, 4, 8 },          /* fewer types than lists */
        { 72, 5, 8 },          /* more instructions than there are */
        { 72, 3, 8 },          /* fewer */
        { 72, UINT32_MAX, 8 }, /* far more */
        { 92, 2, 8 },          /* functions */
        { 112 + 4, 0, 8 },     /* a name without bytes */
    };

    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        unsigned char bytes[V22_BYTES + 64] = { 0 };

        put_v22(bytes);
        put(bytes + damages[i].at, damages[i].value, damages[i].bytes);
        ck_assert_msg(read_liveness(bytes, V22_BYTES) == LIVENESS_BAD, "damage %zu", i);
    }
}
END_TEST

/* Whatever one byte becomes, the file is read or left out. */
START_TEST(a_liveness_file_with_every_byte_changed)
{
    for (size_t i = 0; i < V22_BYTES; i++) {
        unsigned char bytes[V22_BYTES + 64] = { 0 };

        put_v22(bytes);
        bytes[i] ^= 0xff;
        ck_assert_int_ne(read_liveness(bytes, V22_BYTES), LIVENESS_NO_MEMORY);
    }
}
END_TEST

/* ---- warps ---- */

static void put_warp(unsigned char *block, unsigned number, uint64_t start, uint64_t end)
{
    put(block + 16 + 16 * number, start, 8);
    put(block + 24 + 16 * number, end, 8);
}

static void put_warps(unsigned char *block) /* V24: 60 and 40 cycles of a clock of 1000 MHz */
{
    memset(block, 0, WARP_BLOCK_BYTES);
    put(block, MAGIC, 4);
    put(block + 4, 2, 4);
    put(block + 8, 5, 4);
    put(block + 12, 1, 4);
    put_warp(block, 0, 300, 360);
    put_warp(block, 1, 340, 380);
}

START_TEST(warps_of_a_core) /* V24 */
{
    unsigned char bytes[WARP_BLOCK_BYTES];
    WarpBlock block;

    put_warps(bytes);
    ck_assert_uint_eq(WARP_BLOCK_BYTES, 16 + 1024 + 64);
    ck_assert_int_eq(WarpBlockRead(bytes, 16, &block), WARP_GOOD);
    ck_assert_uint_eq(block.count, 2);
    ck_assert_uint_eq(block.list[0].end - block.list[0].start, 60);   /* 0.06 us */
    ck_assert_uint_eq(block.list[1].start - block.list[0].start, 40); /* 0.04 us */
    ck_assert_uint_eq(block.list[1].end - block.list[1].start, 40);
    ck_assert_uint_eq(block.list[1].core, 5);
    ck_assert_uint_eq(block.list[1].kind, 1);
    ck_assert_uint_eq(block.list[1].number, 1);
    ck_assert_uint_eq(block.list[1].slot, 16);
}
END_TEST

START_TEST(warps_that_cannot_be)
{
    unsigned char bytes[WARP_BLOCK_BYTES];
    WarpBlock block;

    put_warps(bytes);
    put_warp(bytes, 0, 0, 360);   /* did not start */
    put_warp(bytes, 1, 340, 340); /* took no time */
    ck_assert_int_eq(WarpBlockRead(bytes, 0, &block), WARP_GOOD);
    ck_assert_uint_eq(block.count, 0);
    ck_assert_uint_eq(block.skipped, 2);
    put(bytes, 0, 4);
    ck_assert_int_eq(WarpBlockRead(bytes, 0, &block), WARP_BAD_MAGIC);
    put(bytes, MAGIC, 4);
    put(bytes + 4, 65, 4);
    ck_assert_int_eq(WarpBlockRead(bytes, 0, &block), WARP_BAD_COUNT);
    put(bytes + 4, 64, 4);
    put(bytes + 12, 3, 4);
    ck_assert_int_eq(WarpBlockRead(bytes, 0, &block), WARP_BAD_COUNT);
}
END_TEST

static void teardown(void)
{
    BlockMapFinish(&map);
    SamplesFinish(&samples);
    LivenessFinish(&liveness);
}

static Suite *counts_suite(void)
{
    Suite *suite = suite_create("counts");
    TCase *tcase = tcase_create("counts");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, a_map_names_functions_and_blocks);
    tcase_add_test(tcase, lines_that_make_no_sense_lose_themselves_only);
    tcase_add_test(tcase, a_map_cut_at_every_byte_keeps_the_blocks_before);
    tcase_add_test(tcase, names_of_kernels);
    tcase_add_test(tcase, counters_of_all_cores_add_up);
    tcase_add_test(tcase, counters_cut_at_every_byte);
    tcase_add_test(tcase, numbers_beyond_the_counters_have_no_count);
    tcase_add_test(tcase, a_counted_text_wins_over_counters);
    tcase_add_test(tcase, blocks_that_a_counted_text_does_not_name_keep_their_counts);
    tcase_add_test(tcase, samples_tell_where_and_why);
    tcase_add_test(tcase, sampled_addresses_are_those_of_the_code);
    tcase_add_test(tcase, samples_cut_at_every_byte);
    tcase_add_test(tcase, pieces_of_samples_that_make_no_sense);
    tcase_add_test(tcase, registers_in_use_by_instruction);
    tcase_add_test(tcase, register_totals_and_functions_of_a_liveness_file);
    tcase_add_test(tcase, functions_counted_after_a_list_of_them_are_bad);
    tcase_add_test(tcase, a_liveness_file_cut_at_every_byte_is_left_out);
    tcase_add_test(tcase, a_liveness_file_that_contradicts_itself_is_left_out);
    tcase_add_test(tcase, a_liveness_file_with_every_byte_changed);
    tcase_add_test(tcase, warps_of_a_core);
    tcase_add_test(tcase, warps_that_cannot_be);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(counts_suite)
