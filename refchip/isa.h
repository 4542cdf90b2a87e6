/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_ISA_H
#define REFCHIP_ISA_H

/*
 * The instruction set of the reference chip: one 32-bit word each, described by one table that the
 * assembler, the chip and the logs share. refchip/README.md explains it for people.
 */

#include <stddef.h>
#include <stdint.h>

typedef enum IsaPipe {
    PIPE_SCALAR = 0,
    PIPE_FLOW,
    PIPE_VECTOR,
    PIPE_CUBE,
    PIPE_MTE1,
    PIPE_MTE2,
    PIPE_MTE3,
    PIPE_FIX,
    PIPE_ALL,
    PIPE_COUNT
} IsaPipe;

typedef enum IsaCode {
    ISA_END = 1,
    ISA_MOV_XD_IMM,
    ISA_MOVK,
    ISA_MOV_XD_XN,
    ISA_MOV_XD_SPR,
    ISA_MOV_SPR_XN,
    ISA_ADD,
    ISA_SUB,
    ISA_MUL,
    ISA_AND,
    ISA_OR,
    ISA_XOR,
    ISA_SHL,
    ISA_SHR,
    ISA_MIN,
    ISA_MAX,
    ISA_ADD_IMM,
    ISA_SUB_IMM,
    ISA_MUL_IMM,
    ISA_LD_XD_XN_IMM,
    ISA_ST_XD_XN_IMM,
    ISA_JUMP,
    ISA_JUMPNZ,
    ISA_JUMPZ,
    ISA_SET_FLAG,
    ISA_WAIT_FLAG,
    ISA_BAR,
    ISA_MOV_OUT_TO_UB,
    ISA_MOV_OUT_TO_L1,
    ISA_MOV_UB_TO_OUT,
    ISA_LOAD_L1_TO_L0A,
    ISA_LOAD_L1_TO_L0B,
    ISA_FIX_L0C_TO_DST,
    ISA_MMAD,
    ISA_MOVEMASK,
    ISA_VADD,
    ISA_VSUB,
    ISA_VMUL,
    ISA_VMAX,
    ISA_VMIN,
    ISA_VADDS,
    ISA_VMULS,
    ISA_VRELU,
    ISA_FFTS_CROSS_CORE_SYNC,
    ISA_WAIT_FLAG_DEV,
    ISA_REPORT, /* only tools write it: what an instrumented kernel reports at this place */
    /* threads of a vector core run other words: those that follow are for them alone */
    ISA_SIMT_CALL,
    ISA_SIMT_END,
    ISA_SIMT_LDG_B32,
    ISA_SIMT_STG_B32,
    ISA_SIMT_TID,
    ISA_SIMT_PARAM,
    ISA_IADD,
    ISA_IMAD_U32,
    ISA_FADD_FP32,
    ISA_FMUL_F32,
    ISA_FFMA_F32,
    ISA_MARK, /* only tools write it: when a pipe gets here, its trace has the number */
    ISA_CODES
} IsaCode;

typedef enum IsaSpr {
    SPR_BLOCKID = 0,
    SPR_SUBBLOCKID,
    SPR_BLOCKDIM,
    SPR_PARA_BASE,
    SPR_CTRL,
    SPR_LPCNT,
    SPR_AREA,       /* of an instrumented kernel: where the core reports to; 0: nowhere */
    SPR_AREA_BYTES, /* and how many bytes it has there */
    SPR_COUNT
} IsaSpr;

/* Kinds of reports of an instrumented kernel. */
typedef enum IsaReport {
    REPORT_BLOCK = 0, /* a block of code is run: the number is the block's */
    REPORT_MOVE,     /* what the next word moves: the number is its place in the kernel as it was */
    REPORT_OPERANDS, /* what the next word computes */
    REPORT_WARP,     /* a warp begins (the number is 0) or ends (1) */
    REPORT_START,    /* how many bytes lie before the kernel as it was: the number */
    REPORT_KINDS
} IsaReport;

/*
 * Operands of an instruction, a letter each, in the order in which they are written:
 *
 *   d n m t   registers XD (bits 19..23), XN (14..18), XM (9..13), XT (4..8)
 *   w h       16-bit immediate (0..15), number of the 16-bit part it goes to (16..18)
 *   i         14-bit immediate (0..13)
 *   s S       special register read (14..18), written (19..23)
 *   j         signed distance in words to a label (0..18)
 *   p q f     pipe (19..23), trigger pipe (14..18), flag id (0..3)
 *   y         data type (0..3)
 *   k         number of the mask half (0..3)
 *   r a       what is reported (19..23, IsaReport), and a number (0..18)
 */
typedef struct IsaOp {
    const char *name;
    const char *operands;
    const char *prefix; /* what the log says before the operands */
    uint8_t pipe;
    uint8_t code;
} IsaOp;

/* The operation of a code, NULL if none. */
const IsaOp *IsaFind(uint32_t code);
const IsaOp *IsaFindName(const char *name, size_t length);

/* Names as assembler and logs spell them; NULL for an unknown number. */
const char *IsaPipeName(uint32_t pipe);
const char *IsaSprName(uint32_t spr);
/* Numbers of names, -1: unknown. */
int IsaPipeNumber(const char *name, size_t length);
int IsaSprNumber(const char *name, size_t length);

static inline uint32_t IsaCodeOf(uint32_t word)
{
    return word >> 24;
}
static inline uint32_t IsaD(uint32_t word)
{
    return word >> 19 & 31u;
}
static inline uint32_t IsaN(uint32_t word)
{
    return word >> 14 & 31u;
}
static inline uint32_t IsaM(uint32_t word)
{
    return word >> 9 & 31u;
}
static inline uint32_t IsaT(uint32_t word)
{
    return word >> 4 & 31u;
}
/* The signed distance of a jump, in words. */
static inline int32_t IsaJump(uint32_t word)
{
    const uint32_t field = word & 0x7ffffu;

    return field & 0x40000u ? (int32_t) field - 0x80000 : (int32_t) field;
}

/* e_flags of a kernel's ELF file: the cores that it runs on. */
#define ISA_KIND_CUBE 1u
#define ISA_KIND_VECTOR 2u
#define ISA_KIND_MIX 3u /* a cube core and two vector cores for each block */

/* Endings of the names of a mixed kernel's two functions. */
#define ISA_CUBE_PART "_mix_aic"
#define ISA_VECTOR_PART "_mix_aiv"

#endif
