/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of an instruction as logs of the 310P have it: "name(operands) ", in names and forms of
 * that series. Tested by tests/refchip/test_310p.sh.
 */
#include "core.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Names that are not simply ours in lower case. */
static const char *const names[ISA_CODES] = {
    [ISA_MOV_XD_IMM] = "scalar_mov_xd_imme16",
    [ISA_MOVK] = "scalar_movk_xd_imme16",
    [ISA_MOV_XD_SPR] = "scalar_mov_xd_special",
    [ISA_MOV_SPR_XN] = "scalar_mov_special_xn",
    [ISA_ADD_IMM] = "scalar_add_imm12",
    [ISA_SUB_IMM] = "scalar_sub_imm12",
    [ISA_MUL_IMM] = "scalar_mul_imm12",
    [ISA_LD_XD_XN_IMM] = "scalar_ld_imm",
    [ISA_ST_XD_XN_IMM] = "scalar_st_imm",
    [ISA_SET_FLAG] = "set_event",
    [ISA_WAIT_FLAG] = "wait_event",
};

const char *CorePipe310p(uint32_t pipe)
{
    return pipe == PIPE_VECTOR ? "VECTOR" : IsaPipeName(pipe);
}

static int put_name(char *at, size_t room, const IsaOp *op)
{
    const bool is_plain_scalar = op->pipe == PIPE_SCALAR && op->code != ISA_BAR;
    int length;

    if (names[op->code] != NULL) {
        return snprintf(at, room, "%s(", names[op->code]);
    }
    length = snprintf(at, room, "%s%s(", is_plain_scalar ? "scalar_" : "", op->name);
    for (char *c = at; length > 0 && (size_t) length < room && *c != '\0'; c++) {
        *c = (char) tolower((unsigned char) *c);
    }
    return length;
}

static int put_register(char *at, size_t room, const Core *core, uint32_t number)
{
    return snprintf(at, room, "x[%u]= 0x%" PRIx64 ", ", (unsigned) number, core->x[number]);
}

/* A scalar instruction's operand. */
static int put_scalar(char *at, size_t room, char letter, const Core *core, uint32_t word)
{
    switch (letter) {
    case 'd':
        return put_register(at, room, core, IsaD(word));
    case 'n':
        return put_register(at, room, core, IsaN(word));
    case 'm':
        return put_register(at, room, core, IsaM(word));
    case 'w':
        return snprintf(at, room, "imme16:0x%x ", (unsigned) (word & 0xffffu));
    case 'h':
        return snprintf(at, room, "part:0x%x ", (unsigned) (word >> 16 & 3u));
    case 'i':
        return snprintf(at, room, "imm12= 0x%x", (unsigned) (word & 0x3fffu));
    case 's':
        return snprintf(at, room, "SPR:%s", IsaSprName(IsaN(word)));
    case 'S':
        return snprintf(at, room, "SPR:%s, ", IsaSprName(IsaD(word)));
    case 'j':
        return snprintf(at, room, "target:0x%" PRIx64,
                        core->launch->load_pc +
                            4 * (uint64_t) ((int64_t) core->pc + IsaJump(word)));
    case 'p':
        return snprintf(at, room, "pipe_type: %s, ", CorePipe310p(IsaD(word)));
    case 'q':
        return snprintf(at, room, "tigger_pipe: %s, ", CorePipe310p(IsaN(word)));
    default:
        return snprintf(at, room, "event_id: %u", (unsigned) (word & 15u));
    }
}

static int put_scalars(char *at, size_t room, const Core *core, const IsaOp *op, uint32_t word)
{
    size_t used = 0;

    for (const char *letter = op->operands; *letter != '\0' && used < room; letter++) {
        used += (size_t) put_scalar(at + used, room - used, *letter, core, word);
    }
    return (int) used;
}

static int put_move(char *at, size_t room, const Core *core, uint32_t word)
{
    return snprintf(at, room,
                    "xd:%u, xn:%u, xm:%u, xdValue:0x%" PRIx64 ", xnValue:0x%" PRIx64
                    ", xmValue:0x%" PRIx64 ", xtValue:0x%" PRIx64,
                    (unsigned) IsaD(word), (unsigned) IsaN(word), (unsigned) IsaM(word),
                    core->x[IsaD(word)], core->x[IsaN(word)], core->x[IsaM(word)],
                    core->x[IsaT(word)]);
}

static unsigned bits(uint64_t value, unsigned from, unsigned count)
{
    return (unsigned) (value >> from & ((UINT64_C(1) << count) - 1));
}

/* Steps are where operate.c reads them. Type 7: floats of 32 bits. */
static int put_vector(char *at, size_t room, const Core *core, uint32_t word)
{
    const uint32_t code = IsaCodeOf(word);
    const uint64_t shape = core->x[IsaT(word)];

    if (code >= ISA_VADD && code <= ISA_VMIN) {
        return snprintf(at, room,
                        "type:7, repeat:%u, dest_addr:0x%" PRIx64 ", src_addr:0x%" PRIx64
                        ", src1_addr:0x%" PRIx64 ", dst_stride:%u, src_stride:%u, src1_stride:%u, "
                        "dst_rep_stride:%u, src_rep_stride:%u, src1_rep_stride:%u",
                        bits(shape, 56, 8), core->x[IsaD(word)], core->x[IsaN(word)],
                        core->x[IsaM(word)], bits(shape, 0, 8), bits(shape, 8, 8),
                        bits(shape, 16, 8), bits(shape, 24, 8), bits(shape, 32, 8),
                        bits(shape, 40, 8));
    }
    return snprintf(at, room,
                    "type:7, repeat:%u, dest_addr:0x%" PRIx64 ", src_addr:0x%" PRIx64
                    ", dst_stride:%u, src_stride:%u, dst_rep_stride:%u, src_rep_stride:%u",
                    bits(shape, 56, 8), core->x[IsaD(word)], core->x[IsaN(word)],
                    bits(shape, 0, 16), bits(shape, 16, 16), bits(shape, 32, 8),
                    bits(shape, 40, 8));
}

static int put_operands(char *at, size_t room, const Core *core, const IsaOp *op, uint32_t word)
{
    if (op->code == ISA_MOVEMASK) {
        return snprintf(at, room, "mask:%u, X%u:0x%" PRIx64, (unsigned) (word & 1u),
                        (unsigned) IsaN(word), core->x[IsaN(word)]);
    }
    switch (op->pipe) {
    case PIPE_VECTOR:
        return put_vector(at, room, core, word);
    case PIPE_SCALAR:
    case PIPE_FLOW:
    case PIPE_ALL:
        return put_scalars(at, room, core, op, word);
    default:
        return put_move(at, room, core, word);
    }
}

void CoreDescribe310p(const Core *core, uint32_t word, char *text, size_t size)
{
    const IsaOp *op = IsaFind(IsaCodeOf(word));
    size_t at = (size_t) put_name(text, size, op);

    if (at < size) {
        at += (size_t) put_operands(text + at, size - at, core, op, word);
    }
    if (at + 1 < size) {
        snprintf(text + at, size - at, ") ");
    }
}
