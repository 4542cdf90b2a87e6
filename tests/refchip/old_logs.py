#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares tables of a vector addition on a 310P with what its kernel does.

usage: old_logs.py RESULTS DOUBLE     results of the kernel with one buffer, and with two
"""
import csv
import re
import sys

ELEMENTS, CORES, TILES = 65536, 4, 8


def rows(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def main():
    single, double = sys.argv[1:]
    table = rows(f"{single}/core0/core0_instr_exe.csv")
    names = {row["instr"]: row for row in table}
    for name in ("scalar_mov_xd_special", "scalar_ld_imm", "mov_out_to_ub", "mov_ub_to_out", "vadd",
                 "movemask"):
        assert name in names, (name, sorted(names))
    # Each tile: two loads, an addition, a store, three sets and waits.
    for name, count in (("mov_out_to_ub", 2), ("vadd", 1), ("mov_ub_to_out", 1), ("set_event", 3),
                        ("wait_event", 3)):
        calls = sum(int(row["call_count"]) for row in table if row["instr"] == name)
        assert calls == count * TILES, (name, calls)
    details = names["mov_out_to_ub"]["detail"]
    shape = int(re.search(r"xmValue:0x([0-9a-f]+)", details)[1], 16)
    moved = (shape >> 4 & 0xfff) * (shape >> 16 & 0xffff) * 32
    assert moved * TILES == ELEMENTS * 4 // CORES, (shape, moved)
    repeat = int(re.search(r"repeat:(\d+)", names["vadd"]["detail"])[1])
    assert repeat * 64 * 4 == moved, (repeat, moved)

    def seconds(folder):
        return max(float(row["duration_time(us)"]) for row in rows(f"{folder}/core_summary.csv"))

    assert seconds(double) < seconds(single)
    advice = rows(f"{single}/advice.csv")
    assert advice[0]["rule"] == "single-buffer" and "most for MTE3 at" in advice[0][
        "sentence"], advice


main()
