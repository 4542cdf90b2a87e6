/* SPDX-License-Identifier: Apache-2.0 */
/* Records and the accesses that they stand for. Expected numbers are computed by hand. */
#include "plugins/parse-dbi/rules.h"
#include "tests/core/suites.h"
#include "tests/plugins/parse-dbi/dbi_bytes.h"

#include <check.h>
#include <stdlib.h>

#define MAX_SEEN 8192

/* One access. */
typedef struct Seen {
    uint64_t src;
    uint64_t dst;
    uint64_t src_bytes;
    uint64_t dst_bytes;
    uint8_t from;
    uint8_t to;
} Seen;

static OpprofChip *chip;
static DbiTables tables;
static unsigned char body[DBI_MAX_BODY];
static Seen seen[MAX_SEEN];
static size_t seen_count;
static uint64_t all_count;
static bool is_rough;

static void setup(void)
{
    OpprofError *error = NULL;

    ck_assert_msg(OpprofChipLoad("Ascend910B1", &chip, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
    ck_assert_msg(DbiTablesLoad(chip, &tables, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
}

static void teardown(void)
{
    DbiTablesFinish(&tables);
    OpprofChipFree(chip);
}

static bool take(void *context, const DbiRun *run)
{
    (void) context;
    all_count += run->count;
    for (uint64_t i = 0; i < run->count && seen_count < MAX_SEEN; i++) {
        seen[seen_count++] = (Seen){ .src = run->src + i * run->src_step,
                                     .dst = run->dst + i * run->dst_step,
                                     .src_bytes = run->src_bytes,
                                     .dst_bytes = run->dst_bytes,
                                     .from = run->from,
                                     .to = run->to };
    }
    return true;
}

/* What every record begins with. */
static void begin(uint64_t dst, uint64_t src)
{
    memset(body, 0, sizeof body);
    put(body, dst, 8);
    put(body + 8, src, 8);
}

static void u16(unsigned offset, uint64_t value)
{
    put(body + offset, value, 2);
}

static void u32(unsigned offset, uint64_t value)
{
    put(body + offset, value, 4);
}

static void u64(unsigned offset, uint64_t value)
{
    put(body + offset, value, 8);
}

static void u8(unsigned offset, unsigned value)
{
    body[offset] = (unsigned char) value;
}

static DbiOutcome decompose(uint32_t type)
{
    const DbiSink sink = { take, NULL };
    const DbiLayout *layout = DbiLayoutOf(&tables, type);
    DbiRecord record;

    ck_assert_ptr_nonnull(layout);
    seen_count = 0;
    all_count = 0;
    DbiRecordRead(&tables, layout, body, &record);
    return DbiDecompose(&record, &sink, &is_rough);
}

/* The record makes so many accesses. */
static void accesses(uint32_t type, size_t count)
{
    ck_assert_int_eq(decompose(type), DBI_GOOD);
    ck_assert_uint_eq(seen_count, count);
}

static void expect(size_t index, uint64_t src, uint64_t dst, uint64_t src_bytes, uint64_t dst_bytes)
{
    ck_assert_uint_lt(index, seen_count);
    ck_assert_uint_eq(seen[index].src, src);
    ck_assert_uint_eq(seen[index].dst, dst);
    ck_assert_uint_eq(seen[index].src_bytes, src_bytes);
    ck_assert_uint_eq(seen[index].dst_bytes, dst_bytes);
}

/* ---- bursts ---- */

START_TEST(bursts_of_blocks_with_gaps)
{
    /* V1, as it lies in the file after the record's header */
    static const unsigned char bytes[48] = { 0,    0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0,
                                             0x4c, 0, 0, 0, 0, 0, 0, 0, 0, 0,    0, 0, 0, 0, 0, 0,
                                             3,    0, 4, 0, 2, 0, 1, 0, 2, 0,    4, 6, 0, 0, 0, 0 };
    memcpy(body, bytes, sizeof bytes);
    accesses(3, 3);
    expect(0, 0x1000, 0x0, 128, 128);
    expect(1, 0x10c0, 0xa0, 128, 128);
    expect(2, 0x1180, 0x140, 128, 128);
    ck_assert_uint_eq(seen[0].from, GM);
    ck_assert_uint_eq(seen[0].to, UB);
}
END_TEST

static void dma_mov(unsigned bursts, unsigned length, unsigned src_stride, unsigned dst_stride,
                    unsigned pad_mode)
{
    u16(32, bursts);
    u16(34, length);
    u16(36, src_stride);
    u16(38, dst_stride);
    u8(44, pad_mode);
}

START_TEST(bursts_of_bytes_read_whole_blocks)
{
    begin(0x8000, 0x100); /* V2 */
    dma_mov(2, 40, 1, 2, 0);
    u8(42, GM);
    u8(43, UB);
    u8(45, 1);
    accesses(3, 2);
    expect(0, 0x100, 0x8000, 64, 40);
    expect(1, 0x160, 0x8068, 64, 40);
}
END_TEST

START_TEST(padded_bursts_are_one_access_each)
{
    begin(0x2000, 0x1000); /* V3 */
    dma_mov(3, 0, 0, 1, 3);
    accesses(3, 3);
    expect(0, 0x1000, 0x2000, 4, 32);
    expect(1, 0x1004, 0x2040, 4, 32);
    expect(2, 0x1008, 0x2080, 4, 32);
    begin(0x2000, 0x1000); /* outwards blocks with gaps become 8 bytes each without gaps */
    dma_mov(2, 0, 2, 9, 7);
    accesses(3, 2);
    expect(0, 0x1000, 0x2000, 32, 8);
    expect(1, 0x1060, 0x2008, 32, 8);
}
END_TEST

START_TEST(every_pad_mode_has_its_width)
{
    static const unsigned small[] = { 0, 1, 2, 4, 8, 16, 4, 8, 16 };

    begin(0, 0);
    for (unsigned mode = 1; mode <= 8; mode++) {
        dma_mov(1, 0, 0, 0, mode);
        accesses(3, 1);
        ck_assert_uint_eq(mode <= 5 ? seen[0].src_bytes : seen[0].dst_bytes, small[mode]);
        ck_assert_uint_eq(mode <= 5 ? seen[0].dst_bytes : seen[0].src_bytes, 32);
    }
    dma_mov(1, 0, 0, 0, 9);
    ck_assert_int_eq(decompose(3), DBI_INVALID);
    ck_assert_uint_eq(seen_count, 0);
}
END_TEST

START_TEST(moves_in_narrow_and_wide_fields)
{
    begin(0x200, 0x100); /* 2 bursts of 3 blocks, gaps 1 and 4 */
    u16(36, 2);
    u16(38, 3);
    u16(40, 1);
    u16(42, 4);
    u8(44, UB);
    accesses(1, 2);
    expect(1, 0x100 + 128, 0x200 + 224, 96, 96);
    begin(0x200, 0x100);
    u32(32, 1);
    u32(36, 4);
    u32(40, 3);
    u32(44, 2);
    u8(52, GM);
    accesses(2, 2);
    expect(1, 0x100 + 128, 0x200 + 224, 96, 96);
    ck_assert_uint_eq(seen[0].from, GM);
    u32(44, UINT32_MAX);
    ck_assert_int_eq(decompose(2), DBI_TOO_MANY);
    ck_assert_uint_eq(all_count, 0);
}
END_TEST

START_TEST(aligned_bursts_count_bytes_in_global_memory)
{
    begin(0, 0x1000); /* V4 */
    u32(32, 28);
    u32(36, 1);
    u32(40, 100);
    u16(44, 2);
    u8(48, UB);
    u8(49, GM);
    u8(50, B16);
    u8(51, 2);
    accesses(4, 2);
    expect(0, 0x1000, 0x0, 100, 128);
    expect(1, 0x1080, 0xa0, 100, 128);
    u8(48, GM); /* outwards: blocks of 32 and gaps of blocks at the source, no padding */
    u8(49, UB);
    accesses(4, 2);
    expect(1, 0x1000 + 128 + 28 * 32, 101, 128, 100);
}
END_TEST

static void align_v2(unsigned src_stride, unsigned dst_stride, unsigned length, unsigned bursts)
{
    u64(32, dst_stride);
    u64(40, src_stride);
    u32(88, length);
    u16(92, bursts);
    u8(98, B16);
}

static void loops_around(uint64_t loop1, uint64_t loop2)
{
    u64(48, 0x1000); /* destinations of loop 1 and 2, then their sources */
    u64(56, 0x10000);
    u64(64, 0x2000);
    u64(72, 0x20000);
    u32(80, loop1);
    u32(84, loop2);
}

START_TEST(looped_bursts)
{
    begin(0x2000, 0x1000); /* V5 */
    align_v2(32, 64, 48, 2);
    u8(96, GM);
    u8(97, UB);
    u32(80, 1);
    u32(84, 1);
    accesses(5, 2);
    expect(0, 0x1000, 0x2000, 64, 48);
    expect(1, 0x1020, 0x2040, 64, 48);
    loops_around(3, 2);
    accesses(5, 12);
    expect(1, 0x1020, 0x2040, 64, 48);
    expect(2, 0x3000, 0x3000, 64, 48);
    expect(11, 0x1000 + 0x20000 + 2 * 0x2000 + 0x20, 0x2000 + 0x10000 + 2 * 0x1000 + 0x40, 64, 48);
}
END_TEST

START_TEST(looped_bursts_into_the_chip_are_padded)
{
    const unsigned memories[] = { L1, UB }; /* both alike */

    for (unsigned i = 0; i < 2; i++) {
        begin(0x2000, 0x1000);
        align_v2(200, 128, 100, 2);
        u8(96, memories[i]);
        u8(97, GM);
        u8(99, 1); /* 3 elements of 2 bytes */
        u8(100, 2);
        accesses(5, 2);
        expect(0, 0x1000, 0x2000, 100, 128);
        expect(1, 0x10c8, 0x2080, 100, 128);
        align_v2(200, 100, 100, 2); /* back to back: one burst of 200 bytes, 206 with padding */
        accesses(5, 1);
        expect(0, 0x1000, 0x2000, 200, 224);
        loops_around(1, 1); /* loops do not pad */
        accesses(5, 1);
        expect(0, 0x1000, 0x2000, 200, 224);
        align_v2(200, 128, 96, 2);
        accesses(5, 2);
        expect(0, 0x1000, 0x2000, 96, 96);
    }
}
END_TEST

START_TEST(loops_that_cannot_be_are_left_out)
{
    begin(0, 0);
    align_v2(32, 64, 48, 65535);
    u8(97, GM);
    loops_around(UINT32_MAX, UINT32_MAX);
    ck_assert_int_eq(decompose(5), DBI_TOO_MANY);
    ck_assert_uint_eq(all_count, 0);
    u16(92, 0); /* no burst at all, in however many loops */
    accesses(5, 0);
}
END_TEST

/* ---- fractals ---- */

static void load_2d(unsigned base, unsigned src_stride, unsigned dst_stride, unsigned repeat,
                    unsigned down)
{
    u16(34, base);
    u16(36, src_stride);
    u16(38, dst_stride);
    u8(40, repeat);
    u8(41, L0A);
    u8(42, GM);
    u8(43, down);
}

START_TEST(fractals_go_up_or_down)
{
    begin(0, 0x10000); /* V6 */
    load_2d(1, 2, 1, 3, 0);
    accesses(6, 3);
    expect(0, 0x10200, 0x0, 512, 512);
    expect(1, 0x10600, 0x200, 512, 512);
    expect(2, 0x10a00, 0x400, 512, 512);
    u8(43, 1);
    accesses(6, 3);
    expect(0, 0x10200, 0x0, 512, 512);
    expect(1, 0xfe00, 0x200, 512, 512);
    expect(2, 0xfa00, 0x400, 512, 512);
    u8(41, L0C); /* what a load into L1 records */
    accesses(6, 3);
    ck_assert_uint_eq(seen[0].to, L1);
}
END_TEST

START_TEST(addresses_saturate)
{
    begin(0, 0x400); /* down below 0: at the top from then on */
    load_2d(0, 1, 1, 5, 1);
    accesses(6, 5);
    expect(2, 0x0, 0x400, 512, 512);
    expect(3, UINT64_MAX, 0x600, 512, 512);
    expect(4, UINT64_MAX, 0x800, 512, 512);
    begin(UINT64_MAX - 0x300, UINT64_MAX - 0x500); /* up: each side on its own */
    load_2d(0, 1, 1, 5, 0);
    accesses(6, 5);
    expect(1, UINT64_MAX - 0x300, UINT64_MAX - 0x100, 512, 512);
    expect(2, UINT64_MAX - 0x100, UINT64_MAX, 512, 512);
    expect(3, UINT64_MAX, UINT64_MAX, 512, 512);
    expect(4, UINT64_MAX, UINT64_MAX, 512, 512);
}
END_TEST

START_TEST(transposing_loads_move_fractals_by_width)
{
    static const unsigned bytes[] = { [B4] = 2048, [B8] = 1024, [B16] = 512, [B32] = 1024 };

    for (unsigned type = B4; type <= B32; type++) {
        begin(0x100, 0x4000);
        u16(34, 1);
        u16(36, 3); /* destination */
        u16(38, 2); /* source */
        u8(40, 2);
        u8(43, type);
        accesses(11, 2);
        expect(0, 0x4200, 0x100, bytes[type], bytes[type]);
        expect(1, 0x4600, 0x700, bytes[type], bytes[type]);
    }
}
END_TEST

static void steps(unsigned m_start, unsigned k_start, unsigned dst_stride, unsigned src_stride,
                  unsigned m_step, unsigned k_step)
{
    u16(34, m_start);
    u16(36, k_start);
    u16(38, dst_stride);
    u16(40, src_stride);
    u8(42, m_step);
    u8(43, k_step);
}

START_TEST(a_block_of_fractals_is_one_access)
{
    begin(0, 0x4000); /* V12 */
    steps(1, 2, 0, 0xfffc, 2, 3);
    accesses(12, 1);
    expect(0, 0x5200, 0, 3072, 3072);
    begin(0, 0x4000); /* scales: x in the first fields, blocks of 32 bytes */
    steps(3, 5, 0, 7, 2, 4);
    accesses(14, 1);
    expect(0, 0x4000 + 32 * (7 * 3 + 5), 0, 256, 256);
}
END_TEST

START_TEST(compressed_fractals)
{
    begin(0x2000, 0x1000); /* V13 */
    steps(1, 1, 4, 2, 2, 2);
    u8(44, 2);
    accesses(13, 4);
    expect(0, 0x1240, 0x2000, 192, 512);
    expect(1, 0x1300, 0x2200, 192, 512);
    expect(2, 0x13c0, 0x2800, 192, 512);
    expect(3, 0x1480, 0x2a00, 192, 512);
    begin(0x2000, 0x1000);
    steps(0, 0, 0, 0, 1, 1);
    accesses(13, 1);
    expect(0, 0x1000, 0x2000, 512, 512);
    begin(0x2000, 0x100000); /* the stride is signed in the loop as well */
    steps(0, 0, 1, 0xfffe, 1, 3);
    accesses(13, 3);
    expect(2, 0x100000 - 2 * 2 * 512, 0x2400, 512, 512);
}
END_TEST

START_TEST(a_fill_reads_nothing)
{
    begin(0x100, 0);
    u16(34, 3); /* repeat */
    u16(36, 1); /* gap */
    u16(38, 2); /* blocks */
    accesses(15, 3);
    expect(0, DBI_NO_ADDRESS, 0x100, 0, 96);
    expect(2, DBI_NO_ADDRESS, 0x100 + 192, 0, 96);
}
END_TEST

/* ---- layouts ---- */

START_TEST(rows_of_matrices)
{
    begin(0, 0x1000); /* V7; a row of 40 bytes is written as whole blocks */
    u16(32, 2);
    u16(34, 2);
    u16(36, 20);
    u16(38, 64);
    u16(40, 32);
    u8(52, B16);
    accesses(7, 4);
    expect(0, 0x1000, 0, 40, 64);
    expect(1, 0x1040, 32, 40, 64);
    expect(2, 0x1080, 64, 40, 64);
    expect(3, 0x10c0, 96, 40, 64);
}
END_TEST

static void loops(unsigned type, unsigned d, unsigned n, unsigned matrices)
{
    u32(48, d);
    u16(52, n);
    u16(54, matrices);
    u8(65, GM);
    u8(67, type);
}

START_TEST(layout_loops)
{
    begin(0x2000, 0x1000); /* V8 */
    u64(24, 1);
    loops(B8, 10, 3, 2);
    u64(32, 32);
    u64(40, 10);
    u16(56, 8);
    u16(60, 64);
    accesses(9, 6);
    expect(5, 0x1034, 0x2a00, 10, 32);
    begin(0x2000, 0x1000);
    u64(24, 1);
    loops(B16, 3, 5, 1);
    u64(40, 6);
    u16(60, 4);
    u8(64, 1); /* small C0 */
    accesses(9, 5);
    expect(4, 0x1018, 0x2020, 6, 8);
    for (unsigned type = 8; type <= 9; type++) { /* V9: rows and columns change places */
        begin(0x2000, 0x1000);
        loops(B16, 24, 8, 2);
        u16(56, 2);
        accesses(type, 48);
        expect(47, 0x1000, 0x2000 + 32 * 23 * 2, 16, 64);
    }
}
END_TEST

START_TEST(layout_loops_wrap)
{
    begin(0, UINT64_MAX - 15);
    u64(24, 1);
    loops(B8, 16, 2, 1);
    u64(40, 16);
    accesses(9, 2);
    expect(1, 0, 0, 16, 32);
    loops(B8, 16, 65535, 65535);
    ck_assert_int_eq(decompose(9), DBI_TOO_MANY);
}
END_TEST

/* ---- results ---- */

static void fix(unsigned n, unsigned m, unsigned src_stride, unsigned dst_stride, unsigned bits)
{
    u32(32, dst_stride);
    u32(36, src_stride);
    u16(40, n);
    u16(42, m);
    u16(60, bits);
    u8(68, GM);
    u8(69, L0C);
}

START_TEST(results_in_rows_and_in_split_channels)
{
    begin(0x2000, 0x1000); /* V10 */
    fix(48, 24, 64, 64, 32);
    u16(46, 2);
    u8(66, 1);
    accesses(16, 48);
    expect(5, 0x1500, 0x2500, 192, 192);
    ck_assert(is_rough); /* the record has only half of the distance between matrices */
    u8(66, 0);
    u8(65, 1);
    accesses(16, 6);
    expect(1, 0x1800, 0x2800, 768, 768);
    ck_assert(!is_rough);
}
END_TEST

START_TEST(merged_channels_end_in_half_a_column)
{
    begin(0x2000, 0x1000); /* V11 */
    u32(32, 4);
    u16(36, 3);
    u16(38, 48);
    u16(40, 16);
    u16(50, 8);
    u8(53, 1);
    accesses(10, 2);
    expect(0, 0x1000, 0x2000, 512, 512);
    expect(1, 0x1000 + 96, 0x2000 + 128, 256, 256);
    ck_assert_uint_eq(seen[0].from, L0C);
    ck_assert_uint_eq(seen[0].to, GM);
}
END_TEST

START_TEST(results_in_rows_of_a_whole_matrix)
{
    begin(0, 0); /* V20 */
    u16(38, 256);
    u16(40, 128);
    u16(44, 1);
    u16(50, 32);
    u8(56, 1);
    accesses(10, 128);
    for (size_t row = 0; row < 128; row++) {
        ck_assert_uint_eq(seen[row].src_bytes, 1024);
        ck_assert_uint_eq(seen[row].dst_bytes, 1024);
    }
}
END_TEST

START_TEST(results_by_columns)
{
    begin(0x2000, 0x1000); /* 3 columns of 16: 8 rows of 16 elements of 2 bytes */
    fix(48, 8, 16, 2, 16);
    accesses(16, 3);
    expect(2, 0x1000 + 2 * 16 * 32, 0x2000 + 2 * 2 * 32, 256, 256);
    fix(48, 8, 16, 2, 0); /* 0 bits stand for 8 */
    accesses(16, 3);
    expect(2, 0x1000 + 2 * 16 * 32, 0x2000 + 2 * 2 * 32, 128, 128);
    u8(67, 1); /* columns first: where is not recorded, how much is */
    accesses(16, 3);
    ck_assert(is_rough);
    ck_assert_uint_eq(seen_count * seen[0].dst_bytes, 48 * 8);
}
END_TEST

START_TEST(results_of_four_bits)
{
    begin(0x2000, 0x1000); /* 2 elements a byte, matrices half their distance apart */
    fix(64, 2, 16, 32, 4);
    u16(46, 2);
    u16(56, 100);
    u16(58, 10);
    u8(66, 1);
    accesses(16, 4);
    expect(1, 0x1010, 0x2010, 32, 32);
    expect(3, 0x1000 + 5 + 16, 0x2000 + 50 + 16, 32, 32);
    u8(66, 0);
    u8(64, 1); /* four columns merged into one */
    accesses(16, 1);
    expect(0, 0x1000, 0x2000, 64, 64);
}
END_TEST

START_TEST(results_that_cannot_be)
{
    static const struct {
        unsigned n, m, src_stride, merge4, split, to_rows;
    } bad[] = {
        { 48, 0, 16, 0, 0, 0 }, { 0, 8, 16, 0, 0, 0 },  { 48, 8, 17, 0, 0, 0 },
        { 47, 8, 16, 0, 0, 0 }, { 48, 8, 16, 1, 0, 0 }, { 47, 8, 16, 0, 1, 0 },
        { 64, 8, 16, 1, 1, 0 }, { 48, 8, 16, 0, 0, 1 },
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        begin(0, 0);
        fix(bad[i].n, bad[i].m, bad[i].src_stride, 2, 16);
        u8(64, bad[i].merge4);
        u8(65, bad[i].split);
        u8(66, bad[i].to_rows);
        ck_assert_int_eq(decompose(16), DBI_INVALID);
        ck_assert_uint_eq(all_count, 0);
    }
}
END_TEST

/* ---- nested loops ---- */

static void nest(unsigned index, unsigned src, unsigned dst, unsigned size, unsigned left,
                 unsigned right)
{
    const unsigned at = 32 + 20 * index;

    u64(at, src);
    u32(at + 8, dst);
    u32(at + 12, size);
    u8(at + 16, left);
    u8(at + 17, right);
}

START_TEST(nested_loops_move_elements)
{
    size_t sources = 0;

    begin(0x200, 0x1000); /* V14 */
    nest(0, 3, 1, 2, 1, 1);
    for (unsigned i = 1; i < 5; i++) {
        nest(i, 0, 0, 1, 0, 0);
    }
    u8(134, B16);
    accesses(17, 4);
    expect(0, DBI_NO_ADDRESS, 0x200, 0, 2);
    expect(1, 0x1000, 0x202, 2, 2);
    expect(2, 0x1006, 0x204, 2, 2);
    expect(3, DBI_NO_ADDRESS, 0x206, 0, 2);
    ck_assert_uint_eq(seen[1].from, GM);
    ck_assert_uint_eq(seen[1].to, UB);
    for (unsigned i = 0; i < 5; i++) {
        nest(i, 1, 1, 1, 2, 3);
    }
    accesses(17, 7776);
    for (size_t i = 0; i < seen_count; i++) {
        sources += seen[i].src_bytes > 0;
    }
    ck_assert_uint_eq(sources, 1);
}
END_TEST

/* A matrix of 3 x 2 within padding, against the indices themselves. */
START_TEST(nested_loops_by_indices)
{
    size_t at = 0;

    begin(0, 0x1000);
    nest(0, 1, 2, 3, 1, 0);
    nest(1, 10, 100, 2, 0, 2);
    for (unsigned i = 2; i < 5; i++) {
        nest(i, 0, 0, 1, 0, 0);
    }
    u8(134, B32);
    accesses(17, 16);
    for (unsigned y = 0; y < 4; y++) {
        for (unsigned x = 0; x < 4; x++, at++) {
            const bool is_data = x >= 1 && y < 2;
            expect(at, is_data ? 0x1000 + 4 * (x - 1 + 10 * y) : DBI_NO_ADDRESS,
                   4 * (2 * x + 100 * y), is_data ? 4 : 0, 4);
        }
    }
}
END_TEST

START_TEST(nested_loops_that_cannot_be)
{
    begin(0, 0);
    for (unsigned i = 0; i < 5; i++) {
        nest(i, 1, 1, UINT32_MAX, 255, 255);
    }
    ck_assert_int_eq(decompose(17), DBI_TOO_MANY);
    nest(4, 1, 1, 0, 0, 0);
    accesses(17, 0);
}
END_TEST

/* ---- threads ---- */

START_TEST(threads_load_and_store)
{
    begin(0, 0); /* V15 */
    u64(32, 0x110000);
    u64(40, 0x100000);
    u64(48, 8);
    u8(58, GM);
    u8(59, 1);
    accesses(18, 1);
    expect(0, 0x100000, 0x110000, 8, 8);
    ck_assert_uint_eq(seen[0].from, GM);
    ck_assert_uint_eq(seen[0].to, REG);
    u8(59, 2);
    accesses(18, 1);
    expect(0, 0x110000, 0x100000, 8, 8);
    ck_assert_uint_eq(seen[0].from, REG);
    ck_assert_uint_eq(seen[0].to, GM);
    u8(58, 9); /* an address outside of all memories */
    ck_assert_int_eq(decompose(18), DBI_INVALID);
}
END_TEST

START_TEST(atomics_read_and_write_back)
{
    begin(0, 0);
    u64(32, 4);
    u64(44, 0x5000);
    u8(42, GM);
    u8(52, 9);
    accesses(19, 2);
    expect(0, 0x5000, DBI_NO_ADDRESS, 4, 4);
    expect(1, DBI_NO_ADDRESS, 0x5000, 4, 4);
    ck_assert_uint_eq(seen[0].from, GM);
    ck_assert_uint_eq(seen[1].to, GM);
    u64(32, 8); /* a reduction only reads */
    u8(42, UB);
    u8(52, 10);
    accesses(19, 1);
    ck_assert_uint_eq(seen[0].from, UB);
    ck_assert_uint_eq(seen[0].to, REG);
    ck_assert_uint_eq(seen[0].src_bytes, 8);
}
END_TEST

/* ---- tables ---- */

static bool has_record(const char *name)
{
    for (uint32_t i = 0; name != NULL && i < DBI_MAX_TYPES; i++) {
        const DbiLayout *layout = DbiLayoutOf(&tables, i);
        if (layout != NULL && strcmp(layout->name, name) == 0) {
            return true;
        }
    }
    return false;
}

START_TEST(each_instruction_makes_a_record_or_sets_a_word)
{
    const OpprofFact *ids = OpprofChipFact(chip, "dbi.instruction_ids");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;
    unsigned count = 0;
    double id = -1;
    double same = -2;

    while (OpprofFactNext(OpprofChipFact(chip, "dbi.instructions"), &walk, &name, &fact)) {
        ck_assert_msg(OpprofFactText(OpprofFactMember(fact, "sets")) != NULL ||
                          has_record(OpprofFactText(OpprofFactMember(fact, "record"))),
                      "%s", name);
        ck_assert(OpprofFactNumber(OpprofFactMember(fact, "id"), &id));
        ck_assert_msg(OpprofFactNumber(OpprofFactMember(ids, name), &same) && id == same, "%s",
                      name);
        count++;
    }
    ck_assert_uint_eq(count, 119);
}
END_TEST

static Suite *rules_suite(void)
{
    Suite *suite = suite_create("rules");
    TCase *tcase = tcase_create("rules");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, bursts_of_blocks_with_gaps);
    tcase_add_test(tcase, bursts_of_bytes_read_whole_blocks);
    tcase_add_test(tcase, padded_bursts_are_one_access_each);
    tcase_add_test(tcase, every_pad_mode_has_its_width);
    tcase_add_test(tcase, moves_in_narrow_and_wide_fields);
    tcase_add_test(tcase, aligned_bursts_count_bytes_in_global_memory);
    tcase_add_test(tcase, looped_bursts);
    tcase_add_test(tcase, looped_bursts_into_the_chip_are_padded);
    tcase_add_test(tcase, loops_that_cannot_be_are_left_out);
    tcase_add_test(tcase, fractals_go_up_or_down);
    tcase_add_test(tcase, addresses_saturate);
    tcase_add_test(tcase, transposing_loads_move_fractals_by_width);
    tcase_add_test(tcase, a_block_of_fractals_is_one_access);
    tcase_add_test(tcase, compressed_fractals);
    tcase_add_test(tcase, a_fill_reads_nothing);
    tcase_add_test(tcase, rows_of_matrices);
    tcase_add_test(tcase, layout_loops);
    tcase_add_test(tcase, layout_loops_wrap);
    tcase_add_test(tcase, results_in_rows_and_in_split_channels);
    tcase_add_test(tcase, merged_channels_end_in_half_a_column);
    tcase_add_test(tcase, results_in_rows_of_a_whole_matrix);
    tcase_add_test(tcase, results_by_columns);
    tcase_add_test(tcase, results_of_four_bits);
    tcase_add_test(tcase, results_that_cannot_be);
    tcase_add_test(tcase, nested_loops_move_elements);
    tcase_add_test(tcase, nested_loops_by_indices);
    tcase_add_test(tcase, nested_loops_that_cannot_be);
    tcase_add_test(tcase, threads_load_and_store);
    tcase_add_test(tcase, atomics_read_and_write_back);
    tcase_add_test(tcase, each_instruction_makes_a_record_or_sets_a_word);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(rules_suite)
