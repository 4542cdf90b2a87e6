/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_FIELDS_H
#define PARSE_DBI_FIELDS_H

/*
 * The fields that rules look at. FIELD(enumerator, name in the chip file). Where a record has no
 * such field it reads as 0.
 */
#define DBI_FIELDS(FIELD)                                                                          \
    FIELD(DBI_DST, "dst")                                                                          \
    FIELD(DBI_SRC, "src")                                                                          \
    FIELD(DBI_PC, "pc")                                                                            \
    FIELD(DBI_ID, "id")                                                                            \
    FIELD(DBI_FROM, "from")                                                                        \
    FIELD(DBI_TO, "to")                                                                            \
    FIELD(DBI_TYPE, "type")                                                                        \
    FIELD(DBI_SUB_BLOCK, "sub_block")                                                              \
    FIELD(DBI_BURSTS, "bursts")                                                                    \
    FIELD(DBI_LENGTH, "length")                                                                    \
    FIELD(DBI_SRC_STRIDE, "src_stride")                                                            \
    FIELD(DBI_DST_STRIDE, "dst_stride")                                                            \
    FIELD(DBI_PAD_MODE, "pad_mode")                                                                \
    FIELD(DBI_BYTE_MODE, "byte_mode")                                                              \
    FIELD(DBI_LEFT, "left")                                                                        \
    FIELD(DBI_RIGHT, "right")                                                                      \
    FIELD(DBI_LOOP1, "loop1")                                                                      \
    FIELD(DBI_LOOP2, "loop2")                                                                      \
    FIELD(DBI_LOOP1_SRC, "loop1_src")                                                              \
    FIELD(DBI_LOOP1_DST, "loop1_dst")                                                              \
    FIELD(DBI_LOOP2_SRC, "loop2_src")                                                              \
    FIELD(DBI_LOOP2_DST, "loop2_dst")                                                              \
    FIELD(DBI_LOOP3_DST, "loop3_dst")                                                              \
    FIELD(DBI_LOOP4_SRC, "loop4_src")                                                              \
    FIELD(DBI_LOOP4_DST, "loop4_dst")                                                              \
    FIELD(DBI_BASE, "base")                                                                        \
    FIELD(DBI_REPEAT, "repeat")                                                                    \
    FIELD(DBI_REPEAT_GAP, "repeat_gap")                                                            \
    FIELD(DBI_UNITS, "units")                                                                      \
    FIELD(DBI_DOWN, "down")                                                                        \
    FIELD(DBI_MATRICES, "matrices")                                                                \
    FIELD(DBI_M, "m")                                                                              \
    FIELD(DBI_N, "n")                                                                              \
    FIELD(DBI_D, "d")                                                                              \
    FIELD(DBI_SRC_MATRIX, "src_matrix")                                                            \
    FIELD(DBI_DST_MATRIX, "dst_matrix")                                                            \
    FIELD(DBI_SRC_ROW, "src_row")                                                                  \
    FIELD(DBI_SMALL_C0, "small_c0")                                                                \
    FIELD(DBI_BITS, "bits")                                                                        \
    FIELD(DBI_MERGE8, "merge8")                                                                    \
    FIELD(DBI_MERGE4, "merge4")                                                                    \
    FIELD(DBI_SPLIT, "split")                                                                      \
    FIELD(DBI_TO_ND, "to_nd")                                                                      \
    FIELD(DBI_TO_DN, "to_dn")                                                                      \
    FIELD(DBI_M_START, "m_start")                                                                  \
    FIELD(DBI_K_START, "k_start")                                                                  \
    FIELD(DBI_M_STEP, "m_step")                                                                    \
    FIELD(DBI_K_STEP, "k_step")                                                                    \
    FIELD(DBI_MODE, "mode")                                                                        \
    FIELD(DBI_REGISTER, "register")                                                                \
    FIELD(DBI_ADDRESS, "address")                                                                  \
    FIELD(DBI_BYTES, "bytes")                                                                      \
    FIELD(DBI_MEMORY, "memory")                                                                    \
    FIELD(DBI_SIMT, "simt")                                                                        \
    DBI_LOOP_FIELDS(FIELD, 0)                                                                      \
    DBI_LOOP_FIELDS(FIELD, 1)                                                                      \
    DBI_LOOP_FIELDS(FIELD, 2)                                                                      \
    DBI_LOOP_FIELDS(FIELD, 3)                                                                      \
    DBI_LOOP_FIELDS(FIELD, 4)

/* Of one of the nested loops, 0 the innermost. The five stay together in this order. */
#define DBI_LOOP_FIELDS(FIELD, i)                                                                  \
    FIELD(DBI_NEST##i##_SRC, "nest" #i "_src")                                                     \
    FIELD(DBI_NEST##i##_DST, "nest" #i "_dst")                                                     \
    FIELD(DBI_NEST##i##_SIZE, "nest" #i "_size")                                                   \
    FIELD(DBI_NEST##i##_LEFT, "nest" #i "_left")                                                   \
    FIELD(DBI_NEST##i##_RIGHT, "nest" #i "_right")

#define DBI_ENUMERATOR(enumerator, name) enumerator,
typedef enum DbiField { DBI_FIELDS(DBI_ENUMERATOR) DBI_FIELD_COUNT } DbiField;
#undef DBI_ENUMERATOR

#endif
