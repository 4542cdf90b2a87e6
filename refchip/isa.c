/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of instructions, and the names of pipes and special registers.
 * Tested by tests/refchip/test_operators.sh.
 */
#include "isa.h"
#include <string.h>

#define OP(op, on, letters, text)                                                                  \
    [ISA_##op] = { .name = #op, .operands = letters, .prefix = text, .pipe = on, .code = ISA_##op }
#define ALU(op) OP(op, PIPE_SCALAR, "dnm", "dtype:S64, ")
#define VEC2(op) OP(op, PIPE_VECTOR, "dnmty", "")

static const IsaOp ops[ISA_CODES] = {
    OP(END, PIPE_FLOW, "", ""),
    OP(MOV_XD_IMM, PIPE_SCALAR, "dw", ""),
    OP(MOVK, PIPE_SCALAR, "dwh", ""),
    OP(MOV_XD_XN, PIPE_SCALAR, "dn", "dtype:S64, "),
    OP(MOV_XD_SPR, PIPE_SCALAR, "ds", ""),
    OP(MOV_SPR_XN, PIPE_SCALAR, "Sn", ""),
    ALU(ADD),
    ALU(SUB),
    ALU(MUL),
    ALU(AND),
    ALU(OR),
    ALU(XOR),
    ALU(SHL),
    ALU(SHR),
    ALU(MIN),
    ALU(MAX),
    OP(ADD_IMM, PIPE_SCALAR, "dni", "dtype:S64, "),
    OP(SUB_IMM, PIPE_SCALAR, "dni", "dtype:S64, "),
    OP(MUL_IMM, PIPE_SCALAR, "dni", "dtype:S64, "),
    OP(LD_XD_XN_IMM, PIPE_SCALAR, "dni", "dtype:B64, "),
    OP(ST_XD_XN_IMM, PIPE_SCALAR, "dni", "dtype:B64, "),
    OP(JUMP, PIPE_FLOW, "j", ""),
    OP(JUMPNZ, PIPE_FLOW, "dj", ""),
    OP(JUMPZ, PIPE_FLOW, "dj", ""),
    OP(SET_FLAG, PIPE_ALL, "pqf", ""),
    OP(WAIT_FLAG, PIPE_ALL, "pqf", ""),
    OP(BAR, PIPE_SCALAR, "p", ""),
    OP(MOV_OUT_TO_UB, PIPE_MTE2, "dnm", "Src:OUT, Dst:UB, "),
    OP(MOV_OUT_TO_L1, PIPE_MTE2, "dnm", "Src:OUT, Dst:L1, "),
    OP(MOV_UB_TO_OUT, PIPE_MTE3, "dnm", "Src:UB, Dst:OUT, "),
    OP(LOAD_L1_TO_L0A, PIPE_MTE1, "dnm", "Src:L1, Dst:L0A, "),
    OP(LOAD_L1_TO_L0B, PIPE_MTE1, "dnm", "Src:L1, Dst:L0B, "),
    OP(FIX_L0C_TO_DST, PIPE_FIX, "dnmt", "Src:L0C32, Dst:OUT, "),
    OP(MMAD, PIPE_CUBE, "dnmt", "Dtype:F32F32, "),
    OP(MOVEMASK, PIPE_VECTOR, "nk", ""),
    VEC2(VADD),
    VEC2(VSUB),
    VEC2(VMUL),
    VEC2(VMAX),
    VEC2(VMIN),
    VEC2(VADDS),
    VEC2(VMULS),
    OP(VRELU, PIPE_VECTOR, "dnty", ""),
    OP(FFTS_CROSS_CORE_SYNC, PIPE_ALL, "pf", ""),
    OP(WAIT_FLAG_DEV, PIPE_SCALAR, "f", ""),
    OP(REPORT, PIPE_SCALAR, "ra", ""),
    OP(SIMT_CALL, PIPE_VECTOR, "dj", ""),
    OP(SIMT_END, PIPE_VECTOR, "", ""),
    OP(SIMT_LDG_B32, PIPE_VECTOR, "dni", ""),
    OP(SIMT_STG_B32, PIPE_VECTOR, "dni", ""),
    OP(SIMT_TID, PIPE_VECTOR, "d", ""),
    OP(SIMT_PARAM, PIPE_VECTOR, "dn", ""),
    OP(IADD, PIPE_VECTOR, "dnm", ""),
    OP(IMAD_U32, PIPE_VECTOR, "dnmt", ""),
    OP(FADD_FP32, PIPE_VECTOR, "dnm", ""),
    OP(FMUL_F32, PIPE_VECTOR, "dnm", ""),
    OP(FFMA_F32, PIPE_VECTOR, "dnmt", ""),
    OP(MARK, PIPE_ALL, "pa", ""),
};

static const char *const pipes[PIPE_COUNT] = { "SCALAR", "FLOWCTRL", "VEC",  "CUBE", "MTE1",
                                               "MTE2",   "MTE3",     "FIXP", "ALL" };
static const char *const sprs[SPR_COUNT] = { "BLOCKID", "SUBBLOCKID", "BLOCKDIM", "PARA_BASE",
                                             "CTRL",    "LPCNT",      "AREA",     "AREA_BYTES" };

const IsaOp *IsaFind(uint32_t code)
{
    return code < ISA_CODES && ops[code].name != NULL ? &ops[code] : NULL;
}

const IsaOp *IsaFindName(const char *name, size_t length)
{
    for (uint32_t code = 0; code < ISA_CODES; code++) {
        const char *known = ops[code].name;

        if (known != NULL && strlen(known) == length && memcmp(known, name, length) == 0) {
            return &ops[code];
        }
    }
    return NULL;
}

const char *IsaPipeName(uint32_t pipe)
{
    return pipe < PIPE_COUNT ? pipes[pipe] : NULL;
}

const char *IsaSprName(uint32_t spr)
{
    return spr < SPR_COUNT ? sprs[spr] : NULL;
}

static int find(const char *const *names, int count, const char *name, size_t length)
{
    for (int i = 0; i < count; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) {
            return i;
        }
    }
    return -1;
}

int IsaPipeNumber(const char *name, size_t length)
{
    return find(pipes, PIPE_COUNT, name, length);
}

int IsaSprNumber(const char *name, size_t length)
{
    return find(sprs, SPR_COUNT, name, length);
}
