/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_DETAILS_NAMES_H
#define SIM_DETAILS_NAMES_H

/* What the name of an instruction implies. */

#include "analyse-sim/common/operands.h"

/* How the bytes that an instruction moves come from its operands. */
typedef enum BytesForm {
    BYTES_NONE = 0,
    BYTES_LOAD_2D,
    BYTES_MOV,   /* burst length and number of bursts */
    BYTES_ND2NZ, /* MOV_OUT_TO_L1_MULTI_ND2NZ */
    BYTES_ALIGN, /* MOV_SRC_TO_DST_ALIGN */
    BYTES_FIX,   /* FIX_L0C_TO_DST */
    BYTES_IMAGE, /* LOAD_IMAGE */
    BYTES_SMASK  /* load_src_to_smask */
} BytesForm;

/* Which operands of a vector instruction are blocks in the unified buffer. */
typedef enum VectorForm {
    VECTOR_NONE = 0,
    VECTOR_ONE_SOURCE,  /* destination and source with block strides */
    VECTOR_TWO_SOURCES, /* destination and two sources */
    VECTOR_REDUCE,      /* one block for the destination, one source */
    VECTOR_OTHER        /* none is known */
} VectorForm;

/* What an instruction changes of the vector unit's state. */
typedef enum VectorState {
    VECTOR_STATE_NONE = 0,
    VECTOR_STATE_MASK, /* MOVEMASK, movemask */
    VECTOR_STATE_MODE  /* MOV_SPR_XN, scalar_mov_xd_special */
} VectorState;

/* Which registers of the operands are written; the others are read. */
typedef enum WrittenForm {
    WRITTEN_NONE = 0,
    WRITTEN_FIRST, /* the first one */
    WRITTEN_SECOND,
    WRITTEN_FIRST_TWO,
    WRITTEN_LOAD_4,    /* the first one and the three numbers behind it, modulo 32 */
    WRITTEN_BY_OPERAND /* the operands say it themselves */
} WrittenForm;

typedef struct NameFacts {
    uint8_t dialect; /* OperandDialect */
    uint8_t bytes;   /* BytesForm */
    uint8_t vector;  /* VectorForm */
    uint8_t state;   /* VectorState */
    uint8_t written; /* WrittenForm */
} NameFacts;

NameFacts NameFactsOf(OperandDialect dialect, const char *name);

#endif
