#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the reported operations of kernels of a 950, and the roofline, with the reference chip's
own account.

usage: operand_account.py ACCOUNT RESULTS

Of one launch, whose raw files are in RESULTS/dump: the operations of each core and of each of its
threads by type of operands, all other bytes being zero; and of each line of the roofline its bytes
and the operations a second. All threads of a core do the same.
"""
import json
import math
import struct
import sys

THREADS, TYPES, F32, U32 = 2048, 33, 15, 26
PART = 24 * TYPES + 64
RECORD = PART * (1 + THREADS) + 64
MAD_F32_F32, FADD_FP32, IMAD_U32 = 403, 205, 347
TILE = 2 * 16 * 16 * 8  # a product of two floats and its addition, of a step of the cube unit
# Works by the last word of their names: what is counted, operations of each, and of all cores in a
# cycle.
WORKS = {"Precision": ("cube_steps", TILE, 4096 * 32), "Float": ("simt_floats", 1, 128 * 64),
         "Integer": ("simt_integers", 1, 64 * 64)}
MHZ = 1650  # that the series is rated for


def value(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def slot_of(run, core):
    if run["kind"] == "vector":
        return 3 * (core["block"] // 2) + core["block"] % 2
    return 3 * core["block"] + (2, 0, 1)[core["sub_core"]]


def check_file(run, path):
    data = open(path, "rb").read()
    slots = min(3 * run["blocks"], 108)
    assert len(data) == 8 + slots * RECORD, (len(data), slots)
    assert data[:8] == struct.pack("<2I", 0x5A5A5A5A, 0), data[:8]
    wanted, cores = {}, 0
    for core in run["cores"]:
        place = 8 + slot_of(run, core) * RECORD
        if core["mmads"] > 0:
            wanted[place + 24 * F32] = value(core["mmads"], TILE * core["cube_steps"], MAD_F32_F32)
        threads = 32 * len(core.get("warps", []))
        for thread in range(threads):
            for kind, count, instruction in ((F32, "simt_floats", FADD_FP32),
                                             (U32, "simt_integers", IMAD_U32)):
                assert core[count] > 0 and core[count] % threads == 0, core
                wanted[place + PART * (1 + thread) + 24 *
                       kind] = value(*2 * [core[count] // threads], instruction)
        cores += core["mmads"] > 0 or threads > 0
    at = 0
    for place, entry in sorted(wanted.items()):
        assert data[place:place + len(entry)] == entry, (place, data[place:place + len(entry)],
                                                         entry)
    for place, entry in sorted(wanted.items()):
        assert not any(data[max(at, 8):place]), (at, place)
        at = place + len(entry)
    assert not any(data[max(at, 8):]), at
    return cores


def lines_of(runs):
    """Bytes of each line, of the cores of one kind, in the pass that counted them."""

    def total(name, sub_cores=(0, 1, 2)):
        return sum(core[name] for core in runs[-1]["cores"] if core["sub_core"] in sub_cores)

    read, write = total("l1_read_bytes"), total("l1_write_bytes")
    return {"L1 Read + Write": read + write, "Read from L1": read, "Write to L1": write,
            "Write to L0A": total("l0a_write_bytes"), "Write to L0B": total("l0b_write_bytes"),
            "Read from L0C": 128 * total("gm_write_words", (0,)), "MTE1": read,
            "MTE2": 128 * (total("gm_read_words", (0,)) + total("gm_read_words_odd", (0,))),
            "FIXP": 128 * total("gm_write_words", (0,)), "GM/L1 to L0A": total("l0a_write_bytes"),
            "GM/L1 to L0B": total("l0b_write_bytes"), "L0C to GM": 128 *
            total("gm_write_words", (0,))}


def check_roofline(runs, folder):
    data, at, shown = open(folder + "/visualize_data.bin", "rb").read(), 0, None
    while at < len(data):
        size, kind, padding = struct.unpack_from("<QBB", data, at)
        at += 12 + (4096 if kind == 1 else 0)
        if kind == 13:
            shown = json.loads(data[at:at + size - padding])
        at += size
    lines, micros, seen = lines_of(runs), (runs[-1]["end"] - runs[-1]["start"]) / 1000, 0
    for part in shown["multiple_rooflines"] if shown else []:
        for line in part["rooflines"]:
            count, each, peak = WORKS[line["computility_name"].split()[-1]]
            operations = each * sum(core[count] for core in runs[-1]["cores"])
            near(line["point"][1], operations / micros / 1e6, (part["title"], line))
            if line["bw_name"] in lines:
                near(line["point"][0], operations / lines[line["bw_name"]], (part["title"], line))
            near(line["computility"], peak * MHZ / 1e6, line)
            seen += 1
    return seen


def near(found, wanted, what):
    assert math.isclose(float(found), wanted, rel_tol=2e-6, abs_tol=1e-6), (what, found, wanted)


def main():
    runs = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    # those that were counted, not the instrumented ones
    runs = [run for run in runs if 53 in run["channels"]]
    folder = sys.argv[2]
    cores = check_file(runs[-1], folder + "/dump/OperandRecord.bin")
    seen = check_roofline(runs, folder)
    assert (seen > 0) == (cores > 0), (seen, cores)
    print(f"{cores} cores with operations, {seen} lines")


if __name__ == "__main__":
    main()
