#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels for the reference chip, and the causes that can make them slow.

A vector kernel goes over tiles of 16 KiB with two buffers: load, a few additions, store; MTE2
bounds it with one addition of a tile, the vector unit with eight. A cube kernel multiplies tiles
that it loads once for four products. A cause changes the source; the same kernel without it gives
the true gain. What a kernel computes does not matter. Python 3 standard library only."""
import json
import os
import struct
import subprocess

TILE = 16384
BUFFERS = (0x0, 0x8000)  # of inputs; those of outputs lie behind
OUT = 0x10000
REPEATS = TILE // 256


class Kernel:
    """`additions` of each tile, `tiles` of each block; it `counts` in scalar code; `causes`: what
    is wrong, by name."""

    def __init__(self, causes=(), additions=1, tiles=24, blocks=4, seed=0, counts=False):
        self.counts = counts
        self.causes, self.additions, self.tiles, self.blocks, self.seed = set(
            causes), additions, tiles, blocks, seed
        self.kind = "cube" if "feeding" in self.causes or additions == 0 else "vector"

    def has(self, cause):
        return cause in self.causes

    # ---- the vector kernel ----

    def load(self, buffer):
        if not self.has("short moves"):
            return ["MOV_OUT_TO_UB X%d, X10, X15" % (4 + buffer)]
        return ["MOV_OUT_TO_UB X%d, X10, X15" % (4 + buffer)] * (TILE // 512)

    def add(self, buffer):
        """Both sources lie in the input, 256 bytes apart: in other groups of banks; 512 bytes
        apart: in the same ones."""
        second = 23 if self.has("bank conflicts") else 21
        times = REPEATS // 4 if self.has("short vectors") else 1
        return ["VADD X%d, X%d, X%d, X16, F32" % (6 + buffer, 4 + buffer, second + buffer)] * (
            self.additions * times)

    def scalar(self, number):
        if not self.has("scalar code"):
            return []
        return ["LI X25, 400", "busy%d:" % number, "SUB_IMM X25, X25, 1", "JUMPNZ X25, busy%d" %
                number]

    def tile(self, buffer):
        step = ["ADD X10, X10, X14", "ADD X12, X12, X14"] + self.scalar(buffer)
        if self.has("single buffer"):
            return (self.load(0) + ["SET_FLAG MTE2, VEC, 0",
                                    "WAIT_FLAG MTE2, VEC, 0"] + self.add(0) +
                    ["SET_FLAG VEC, MTE3, 0", "WAIT_FLAG VEC, MTE3, 0",
                     "MOV_UB_TO_OUT X12, X6, X17", "SET_FLAG MTE3, MTE2, 0",
                     "WAIT_FLAG MTE3, MTE2, 0"] + step)
        if self.has("barriers"):
            return self.load(buffer) + ["BAR ALL"] + self.add(buffer) + [
                "BAR ALL", "MOV_UB_TO_OUT X12, X%d, X17" % (6 + buffer), "BAR ALL"] + step
        return (["WAIT_FLAG VEC, MTE2, %d" %
                 buffer] + self.load(buffer) + ["SET_FLAG MTE2, VEC, %d" % buffer,
                "WAIT_FLAG MTE2, VEC, %d" % buffer, "WAIT_FLAG MTE3, VEC, %d" %
                                                buffer] + self.add(buffer) +
                ["SET_FLAG VEC, MTE2, %d" % buffer, "SET_FLAG VEC, MTE3, %d" % buffer,
                 "WAIT_FLAG VEC, MTE3, %d" % buffer, "MOV_UB_TO_OUT X12, X%d, X17" % (6 + buffer),
                 "SET_FLAG MTE3, VEC, %d" % buffer] + step)

    def vector(self):
        length = 512 if self.has("short moves") else TILE
        repeats = 4 if self.has("short vectors") else REPEATS
        lines = [".kernel planted vector", "MOV_XD_SPR X0, PARA_BASE", "MOV_XD_SPR X1, BLOCKID",
                 "MOV_XD_SPR X2, SUBBLOCKID", "MUL_IMM X1, X1, 2", "ADD X1, X1, X2",
                 "LD_XD_XN_IMM X10, X0, 0", "LD_XD_XN_IMM X12, X0, 8"]
        if self.has("long head"):
            lines += ["LD_XD_XN_IMM X20, X10, %d" % (8 * i) for i in range(200)]
        lines += ["LI X14, %d" % TILE, "LI X15, %d" % (1 << 4 | length // 32 << 16), "LI X17, %d" %
                  (1 << 4 | TILE // 32 << 16),
                  "LI X16, 0x%x" % (repeats << 56 | 0x080808010101)]
        for buffer in (0, 1):
            lines += ["LI X%d, %d" % (4 + buffer, BUFFERS[buffer]), "LI X%d, %d" %
                      (6 + buffer, OUT + BUFFERS[buffer]),
                      "LI X%d, %d" % (21 + buffer, BUFFERS[buffer] + 256), "LI X%d, %d" %
                      (23 + buffer, BUFFERS[buffer] + 512)]
        lines += ["LI X27, 0xffffffffffffffff", "MOVEMASK X27, 0", "LI X3, %d" %
                  (self.most_tiles() * TILE), "MUL X3, X3, X1",
                  "ADD X10, X10, X3", "ADD X12, X12, X3", "LI X13, %d" % (self.tiles // 2)]
        if self.has("unequal blocks"):  # the first block has the work of two
            lines += ["JUMPNZ X1, equal", "LI X13, %d" % self.tiles, "equal:"]
        if not self.causes & {"single buffer", "barriers"}:
            lines += ["SET_FLAG VEC, MTE2, 0", "SET_FLAG VEC, MTE2, 1", "SET_FLAG MTE3, VEC, 0",
                      "SET_FLAG MTE3, VEC, 1"]
        lines += ["pair:"] + self.tile(0) + self.tile(1)
        lines += self.count()
        return lines + ["SUB_IMM X13, X13, 1", "JUMPNZ X13, pair", "BAR ALL", "END"]

    def count(self):
        """Additions in a loop of 16, or one after the other, which is more code than the
        instruction cache holds."""
        if self.has("large code"):
            return ["ADD_IMM X26, X26, 1"] * 4800
        if not self.counts:
            return []
        return ["LI X25, 300", "count:", *["ADD_IMM X26, X26, 1"] * 16, "SUB_IMM X25, X25, 1",
                "JUMPNZ X25, count"]

    def most_tiles(self):
        return self.tiles * (2 if self.has("unequal blocks") else 1)

    # ---- the cube kernel ----

    def product(self, buffer, first):
        loads = ["LOAD_L1_TO_L0A X%d, X20, X15" %
                 (6 + buffer)] if first or self.has("feeding") else []
        return (["WAIT_FLAG CUBE, MTE1, %d" % buffer] + loads +
                ["LOAD_L1_TO_L0B X%d, X20, X15" % (6 + buffer), "SET_FLAG MTE1, CUBE, %d" % buffer,
                "WAIT_FLAG MTE1, CUBE, %d" % buffer, "MMAD X4, X%d, X%d, X16" %
                 (6 + buffer, 6 + buffer), "SET_FLAG CUBE, MTE1, %d" % buffer])

    def cube(self):
        lines = [".kernel planted cube", "MOV_XD_SPR X0, PARA_BASE", "LD_XD_XN_IMM X10, X0, 0",
                 "LD_XD_XN_IMM X12, X0, 8", "LI X15, %d" % (1 << 4 | TILE // 32 << 16),
                 "LI X16, 0x%x" % (64 | 64 << 12 | 64 << 24), "LI X4, 0", "LI X6, 0", "LI X7, %d" %
                 TILE,
                 "LI X18, 0x%x" % (64 << 4 | 64 << 16 | 256 << 32), "LI X19, 0x%x" % (1 << 43),
                 "LI X13, %d" % (self.tiles // 2), "SET_FLAG CUBE, MTE1, 0",
                 "SET_FLAG CUBE, MTE1, 1", "SET_FLAG MTE1, MTE2, 0", "SET_FLAG MTE1, MTE2, 1",
                 "pair:"]
        for tile in (0, 1):
            lines += ["LI X20, %d" % (tile * 2 * TILE), "WAIT_FLAG MTE1, MTE2, %d" % tile,
                      "MOV_OUT_TO_L1 X20, X10, X15", "SET_FLAG MTE2, MTE1, %d" % tile,
                      "WAIT_FLAG MTE2, MTE1, %d" % tile]
            for i in range(4):
                lines += self.product(i % 2, i < 2)
            lines += ["SET_FLAG MTE1, MTE2, %d" % tile]
        return lines + ["SUB_IMM X13, X13, 1", "JUMPNZ X13, pair", "SET_FLAG CUBE, FIXP, 0",
                        "WAIT_FLAG CUBE, FIXP, 0", "FIX_L0C_TO_DST X12, X4, X18, X19", "BAR ALL",
                        "END"]

    # ---- files ----

    def write(self, folder, assembler, mode="ca"):
        """The kernel's files and the document that launches it; returns the document's path."""
        os.makedirs(folder, exist_ok=True)
        source = os.path.join(folder, "planted.s")
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(self.cube() if self.kind == "cube" else self.vector()) + "\n")
        subprocess.run([assembler, source, "planted.s", os.path.join(folder, "planted.o")],
                       check=True)
        elements = self.most_tiles() * self.blocks * TILE // 8
        document = {"kernel_name": "planted", "kernel_path": "./planted.o", "blockdim": self.blocks,
                    "mode": mode, "device_id": 0, "magic": "RT_DEV_BINARY_MAGIC_ELF_AI%s" %
                    ("CUBE" if self.kind == "cube" else "VEC"),
                    "test_cases": [{"case_name": "planted", "param_desc": [
                        {"param_type": "input", "type": "int64", "shape": [elements],
                         "data_path": "./x.bin", "name": "x"},
                        {"param_type": "output", "type": "int64", "shape": [elements],
                         "name": "y"}]}]}
        with open(os.path.join(folder, "x.bin"), "wb") as file:
            file.write(struct.pack("<Q", 0) * elements)
        path = os.path.join(folder, "planted.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        return path
