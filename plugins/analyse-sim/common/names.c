/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of mnemonics: what they move, write, and do to the vector unit. Tested by
 * tests/plugins/analyse-sim/details/test_process_bytes.c.
 */
#include "analyse-sim/common/names.h"
#include <string.h>
#include <strings.h>

/*
 * The instruction set as the simulators of 910B and 910_93 ("a2") and of 310P print it. Lists are
 * texts with a blank around each name: they are looked at once for each distinct name of a run.
 */

/* A list of names, and what being in it means. */
typedef struct NameList {
    const char *names;
    uint8_t meaning;
} NameList;

/* ---- bytes ---- */

static const NameList bytes_a2[] = {
    { " LOAD_2D ", BYTES_LOAD_2D },
    { " MOV_OUT_TO_UB MOV_OUT_TO_L1 MOV_UB_TO_OUT MOV_L1_TO_OUT ", BYTES_MOV },
    { " MOV_OUT_TO_L1_MULTI_ND2NZ ", BYTES_ND2NZ },
    { " MOV_SRC_TO_DST_ALIGN ", BYTES_ALIGN },
    { " FIX_L0C_TO_DST ", BYTES_FIX },
    { " LOAD_IMAGE ", BYTES_IMAGE },
    { NULL, BYTES_NONE },
};

static const NameList bytes_310p[] = {
    { " load_out_to_l0a_2d load_out_to_l0b_2d load_out_to_l1_2d ", BYTES_LOAD_2D },
    { " mov_out_to_ub mov_out_to_l1 mov_ub_to_out ", BYTES_MOV },
    { " load_out_to_l1_image ", BYTES_IMAGE },
    { " load_src_to_smask ", BYTES_SMASK },
    { NULL, BYTES_NONE },
};

/* ---- the vector unit: 310P has the same names in lower case, but for two ---- */

static const NameList vector_a2[] = {
    { " LD_VAD VABS VADDS VBS16 VCBD VCONV VEXP VGATHER VLN VLRELU VMAXS VMERGECH VMINS VMULS VNOT "
      "VPADDING"
      " VREC VRELU VRPAC VRSQRT VSCATTER VSHL VSHR VSQRT VTRANSPOSE ",
      VECTOR_ONE_SOURCE },
    { " VAADD VADD VADDDEQRELU VADDRELU VADDRELUCONV VAND VAXPY VCMP VDIV VIOU VMADD VMADDRELU "
      "VMAX VMIN"
      " VMLA VMUL VMULCONV VOR VSEL VSUB VSUBRELU VSUBRELUCONV ",
      VECTOR_TWO_SOURCES },
    { " VCADD VCGADD VCGMAX VCGMIN VCMAX VCMIN VCPADD ", VECTOR_REDUCE },
    { " VDP VEXTRACT VMOVMASK_XN VMS4 VREDUCE ", VECTOR_OTHER },
    { NULL, VECTOR_NONE },
};

static const NameList state_a2[] = {
    { " MOVEMASK ", VECTOR_STATE_MASK },
    { " MOV_SPR_XN ", VECTOR_STATE_MODE },
    { NULL, VECTOR_STATE_NONE },
};

static const NameList state_310p[] = {
    { " movemask ", VECTOR_STATE_MASK },
    { " scalar_mov_xd_special ", VECTOR_STATE_MODE },
    { NULL, VECTOR_STATE_NONE },
};

/* ---- registers ---- */

static const NameList written_a2[] = {
    { " ADD SUB MUL MADD DIV REM MAX MIN SEL AND OR XOR CMPN LD_XD_XN LD_DDR SQRT NEG ABS NOT SHL "
      "SHR SBCNT"
      " SFF SBITSET CLZ SFLBITS CONV MOV_XD_XN MOV_XD_SPR SIGNEXT ZEROEXT INSERT_XD_XN INSERT_XD"
      " LD_XD_XN_IMM MOV_XD_IMM MOVK ADD_IMM MUL_IMM SUB_IMM LD_DEV_XD_XN_IMM12 MOVX8_XD_IMM "
      "LD_DEV ",
      WRITTEN_FIRST },
    { " LDP_XI_XJ_XN ", WRITTEN_FIRST_TWO },
    { " ST_ATOMIC_IMM ST_DEV ", WRITTEN_SECOND },
    { " LD4_XD_XN LD4_XD_XN_IMM ", WRITTEN_LOAD_4 },
    { NULL, WRITTEN_NONE },
};

/* Without their prefix "scalar_". */
static const NameList written_310p[] = {
    { " add sub mul madd div mod max min sel and or xor cmpn ld ld_ddr sqrt neg abs not shl shr "
      "sbcnt sff"
      " sbitset clz sflbits conv mov_xd_xn mov_xd_special signext zeroext insert insert_ext ld_imm"
      " mov_xd_imme16 movk_xd_imme16 add_imm12 mul_imm12 sub_imm12 ld_ddr_imm movx8 ",
      WRITTEN_FIRST },
    { " ldp ", WRITTEN_FIRST_TWO },
    { " ld4 ld4_imm ", WRITTEN_LOAD_4 },
    { NULL, WRITTEN_NONE },
};

/* Letters are compared as they are, or without looking at their case. */
static bool is_in(const char *names, const char *name, size_t length, bool any_case)
{
    for (const char *at = names + 1; *at != '\0'; at += strcspn(at, " ") + 1) {
        if (strcspn(at, " ") == length &&
            (any_case ? strncasecmp(at, name, length) : strncmp(at, name, length)) == 0) {
            return true;
        }
    }
    return false;
}

static uint8_t look_up(const NameList *lists, const char *name, bool any_case)
{
    const size_t length = strlen(name);

    for (; lists->names != NULL; lists++) {
        if (length > 0 && is_in(lists->names, name, length, any_case)) {
            return lists->meaning;
        }
    }
    return lists->meaning;
}

static bool has_capitals(const char *name)
{
    return strpbrk(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
}

static uint8_t vector_310p(const char *name)
{
    if (strcmp(name, "ldvad") == 0) {
        return VECTOR_ONE_SOURCE;
    }
    if (strcmp(name, "vmovemask_cmp_xn") == 0) {
        return VECTOR_OTHER;
    }
    if (has_capitals(name) || strcmp(name, "ld_vad") == 0 || strcmp(name, "vmovmask_xn") == 0) {
        return VECTOR_NONE;
    }
    return look_up(vector_a2, name, true);
}

NameFacts NameFactsOf(OperandDialect dialect, const char *name)
{
    static const char scalar[] = "scalar_";
    NameFacts facts = { .dialect = (uint8_t) dialect };

    if (dialect == OPERANDS_A2) {
        facts.bytes = look_up(bytes_a2, name, false);
        facts.vector = look_up(vector_a2, name, false);
        facts.state = look_up(state_a2, name, false);
        facts.written = look_up(written_a2, name, false);
    } else if (dialect == OPERANDS_310P) {
        facts.bytes = look_up(bytes_310p, name, false);
        facts.vector = vector_310p(name);
        facts.state = look_up(state_310p, name, false);
        if (strncmp(name, scalar, sizeof scalar - 1) == 0) {
            facts.written = look_up(written_310p, name + sizeof scalar - 1, false);
        }
    } else if (dialect == OPERANDS_950) {
        facts.written = WRITTEN_BY_OPERAND;
    }
    return facts;
}
