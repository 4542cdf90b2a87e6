/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_DETAILS_NAMES_H
#define SIM_DETAILS_NAMES_H

/* What the name of an instruction implies. */

#include "analyse-sim/common/chip_words.h"
#include "analyse-sim/common/operands.h"

/* How the bytes that an instruction moves come from its operands. */
typedef enum BytesForm {
    BYTES_NONE = 0,
    BYTES_FACTORS, /* as the chip file says */
    BYTES_ND2NZ,   /* MOV_OUT_TO_L1_MULTI_ND2NZ */
    BYTES_ALIGN,   /* MOV_SRC_TO_DST_ALIGN */
    BYTES_FIX,     /* FIX_L0C_TO_DST */
    BYTES_IMAGE,   /* LOAD_IMAGE */
    BYTES_SMASK    /* load_src_to_smask */
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
    WRITTEN_LOAD_4,    /* the first one and the three numbers after it, modulo 32 */
    WRITTEN_BY_OPERAND /* the operands say it themselves */
} WrittenForm;

/* A number, or bits of a value. */
typedef struct MoveFactor {
    uint32_t number;
    uint8_t value; /* OperandMask; 0: the number */
    uint8_t first;
    uint8_t bits;
} MoveFactor;

typedef struct NameFacts {
    uint8_t dialect;            /* OperandDialect */
    uint8_t bytes;              /* BytesForm */
    uint8_t vector;             /* VectorForm */
    uint8_t state;              /* VectorState */
    uint8_t written;            /* WrittenForm */
    uint8_t needs;              /* OperandMask: values without which BYTES_FACTORS are not known */
    MoveFactor factors[3];      /* of BYTES_FACTORS */
    const OpprofFact *memories; /* list of texts */
} NameFacts;

NameFacts NameFactsOf(const ChipWords *words, const char *name);

#endif
