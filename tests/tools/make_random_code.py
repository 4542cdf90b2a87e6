#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make a random camodel dump of two cores that run through loops and branches of a made-up program:
scalar instructions with registers, vector instructions, and those that set masks and mode of the
vector unit.

usage: make_random_code.py SEED ROWS a2|310p|950 DIRECTORY
"""
import os
import random
import sys

A2_SCALAR = ("ADD MOV_XD_IMM LD_XD_XN_IMM MADD LDP_XI_XJ_XN LD4_XD_XN ST_DEV ST_ATOMIC_IMM "
             "ST_XD_XN CMP "
             "STP_XI_XJ_XN JUMPC NOP").split()
A2_VECTOR = ("VADD VMUL VSEL VABS VADDS VCONV VLRELU VTRANSPOSE VCADD VCMAX VCPADD VMS4 VREDUCE "
             "VEXTRACT "
             "LD_VAD").split()
A2_TYPES = ("F16 F32 S8 U64 B32L BF16 B8U2 " * 4 + "UNDEF XYZ").split()
P310_SCALAR = ("scalar_add scalar_ld_imm scalar_mov_xd_imme16 scalar_ldp scalar_ld4 scalar_st_imm "
               "scalar_cmp "
               "jump scalar_sub_imm12").split()
P310_VECTOR = "vadd vmul vabs vlrelu vcadd vms4 ldvad vmovemask_cmp_xn vconv".split()
LINES = {
    "a2": "[info] [%(tick)08d] (PC: 0x%(pc)x) %(pipe)-8s : (Binary: 0x40a01000) %(name)s  "
          "%(operands)s\n",
    "310p": "[info] [%(tick)08d](PC: 0x%(pc)x) %(pipe)s : (Binary: 0x40a01000) "
            "%(name)s(%(operands)s) \n",
    "950": "[info] [%(tick)08d] (PC: 0x%(pc)x) %(pipe)-8s : (Binary: 0x40a01000) (ID: %(id)06d) "
           "%(name)s  "
           "%(operands)s\n",
}
CORES = {"a2": ("core0.veccore0.", "core1.veccore0."), "310p": ("core0.", "core1."),
         "950": ("core0.veccore0.", "core1.veccore0.")}


class Any:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.one = self.random.choice
        self.below = self.random.randrange

    def chance(self, part):
        return self.random.random() < part

    def bits(self, count):
        """Few bits or many, of `count`."""
        return self.random.getrandbits(count) >> self.below(count)


def a2_operands(any_, name):
    if name == "MOVEMASK":
        return "XN:X%d=0x%x, Pos:%d, Id:%d" % (any_.below(32), any_.bits(64), any_.below(2),
                                               any_.below(900))
    if name == "MOV_SPR_XN":
        register = any_.one(("CTRL", "CTRL", "CTRL", "FFTS"))
        value = any_.below(2) << 56 | any_.bits(60) & ~(1 << 56)
        return "SPR:%s, XN:X%d=0x%x," % (register, any_.below(32), value)
    if name.startswith(("V", "LD_V")):
        strides = "%02x%08x%02x%02x%02x" % (any_.one((1, 1, 4, 8, 32, 255)), any_.below(1 << 32),
                                            any_.one((0, 1, 8, 16)), any_.one((0, 1, 2, 8)),
                                            any_.one((1, 4, 16)))
        parts = ["XD:X%d=0x%x" % (any_.below(32), any_.below(1 << 18)),
                 "XN:X%d=0x%x" % (any_.below(32), any_.below(1 << 18)),
                 "XM:X%d=0x%x" % (any_.below(32), any_.below(1 << 18)),
                 "XT:X%d=0x%s" % (any_.below(32), strides), "Dtype:" + any_.one(A2_TYPES)]
        return ", ".join(part for part in parts if not any_.chance(0.02)) + ","
    parts = ["X%s:X%d=0x%x" % (letter, any_.below(32), any_.bits(40))
             for letter in "DNM"[:any_.below(4)]]
    return ", ".join(parts) + ","


def p310_operands(any_, name):
    if name == "movemask":
        return "mask:%d, X%d:%x" % (any_.below(2), any_.below(32), any_.bits(64))
    if name == "scalar_mov_xd_special":
        return "SPR_CTRL=0x%x" % (any_.below(2) << 56 | any_.bits(40))
    if name.startswith(("v", "ldv")):
        parts = ["type:%d" % any_.one((0, 1, 2, 3, 5, 9) * 4 + (10,))]
        for operand, place in (("dest", "dst"), ("src", "src"), ("src1", "src1")):
            parts += ["%s_addr:0x%x" % (operand, any_.below(1 << 18)),
                      "%s_stride:%s" % (place, any_.one(("1", "0x10", "8", "0"))),
                      "%s_rep_stride:8" % place]
        parts.append("repeat:%d" % any_.one((1, 1, 4, 8, 32, 255)))
        return ", ".join(part for part in parts if not any_.chance(0.02))
    forms = ("X%d", "x[%d]", "xd:%d", "xn:%d")
    parts = [any_.one(forms) % any_.below(32) for _ in range(any_.below(4))]
    return ", ".join(parts + ["xm:0x%x" % (32 + any_.below(1 << 20))])


def a5_operands(any_, _):
    parts = ["[R%s:%x|R]" % (any_.one(("d", "n", "m", "d1", "s2")), any_.below(64))
             for _ in range(any_.below(5))]
    return ",".join(parts + ["[imm:%x|I]" % any_.below(64)])


def choose_name(any_, series):
    if series == "950":
        return "SCALAR", any_.one(("ADD", "SIMT_IADD", "MOVI"))
    is_old = series == "310p"
    if any_.chance(0.25):
        return "VEC", any_.one(P310_VECTOR if is_old else A2_VECTOR)
    if any_.chance(0.15):
        return "VEC", "movemask" if is_old else "MOVEMASK"
    if any_.chance(0.08):
        return "SCALAR", "scalar_mov_xd_special" if is_old else "MOV_SPR_XN"
    return "SCALAR", any_.one(P310_SCALAR if is_old else A2_SCALAR)


def run_core(any_, series, program, rows):
    """Lines as they are issued, by pieces of the program: loops, and branches anywhere."""
    operands = {"a2": a2_operands, "310p": p310_operands, "950": a5_operands}[series]
    issued, tick = [], 1000
    while len(issued) < rows:
        first = any_.below(len(program))
        piece = range(first, min(first + 1 + any_.below(40), len(program)))
        for number in list(piece) * any_.one((1, 1, 2, 5)):
            pipe, name, texts = program[number]
            if len(texts) < 4:
                texts.append(operands(any_, name))
            tick += any_.one((0, 0, 1, 1, 2, 7))
            start = max(0, tick - any_.one((0, 0, 0, 0, 3)))  # lines may be a little late
            issued.append({"tick": start, "pc": 0x10000000 + 4 * number, "pipe": pipe, "name": name,
                           "operands": any_.one(texts), "id": 100000 + len(issued)})
    return issued[:rows]


def main(argv):
    if len(argv) != 5 or argv[3] not in LINES:
        sys.stderr.write(__doc__)
        return 2
    any_, series = Any(int(argv[1])), argv[3]
    os.makedirs(argv[4], exist_ok=True)
    program = [choose_name(any_, series) + ([],) for _ in range(20 + any_.below(200))]
    for core in CORES[series]:
        issued = run_core(any_, series, program, int(argv[2]))
        stem = os.path.join(argv[4], core)
        with open(stem + "instr_popped_log.dump", "w", encoding="ascii") as file:
            file.writelines(LINES[series] % row for row in issued)
        for row in issued:
            # a few end before they start
            row["tick"] += any_.one((1, 2, 30, 1, 2, 30, 1, 2, 30, -2))
        with open(stem + "instr_log.dump", "w", encoding="ascii") as file:
            file.writelines(LINES[series] % row
                            for row in sorted(issued, key=lambda row: row["tick"]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
