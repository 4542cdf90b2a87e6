#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make a random camodel dump of two cores, rich in rows that overlap, touch or have no length, in
flags with and without partner, and in barriers.

usage: make_random_dump.py SEED ROWS DIRECTORY
"""
import os
import random
import sys

FLAGS = (("MTE2", "VECTOR"), ("VECTOR", "SCALAR"), ("MTE2", "SCALAR"))
PIPES = ("SCALAR", "SCALAR", "VECTOR", "MTE2", "MTE3", "FLOWCTRL", "CUBE")
LINE = "[info] [%08d] (PC: 0x%x) %-8s : (Binary: 0x40a01000) %s  %s\n"


def random_row(random_, start, number):
    """(start, end, pc, pipe, name, operands)"""
    pipe = random_.choice(PIPES)
    length = random_.choice((0, 0, 1, 1, 2, 3, 5, 40 if pipe.startswith("MTE") else 8))
    name = "OP%d" % random_.randrange(5)
    operands = "XN:X%d=0x%x," % (random_.randrange(32), random_.randrange(1 << 16))
    if pipe == "SCALAR" and random_.random() < 0.5:
        operands = "XD:X1=0x1," + operands
    source, target = random_.choice(FLAGS)
    kind = random_.random()
    if kind < 0.2:
        name = "SET_FLAG" if kind < 0.1 else "WAIT_FLAG"
        pipe = source if kind < 0.1 else target
        operands = "PIPE:%s,TRIGGERPIPE:%s,FLAGID:%d," % (source, target, random_.randrange(3))
        length = random_.randrange(60 if kind < 0.1 else 100)
    elif kind < 0.23:
        name, operands = "BAR", "PIPE:ALL"
    return start, start + length, 0x10000000 + 4 * number, pipe, name, operands


def write(path, rows, tick):
    with open(path, "w", encoding="ascii") as file:
        for row in rows:
            file.write(LINE % (row[tick], row[2], row[3], row[4], row[5]))


def main(argv):
    if len(argv) != 4:
        sys.stderr.write(__doc__)
        return 2
    random_ = random.Random(int(argv[1]))
    os.makedirs(argv[3], exist_ok=True)
    for core in ("core0.cubecore0", "core0.veccore0"):
        rows, start = [], 1000
        for number in range(int(argv[2])):
            start += random_.choice((0, 0, 1, 1, 2, 5))
            rows.append(random_row(random_, start, number))
        stem = os.path.join(argv[3], core)
        write(stem + ".instr_popped_log.dump", rows, 0)
        write(stem + ".instr_log.dump", sorted(rows, key=lambda row: row[1]), 1)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
