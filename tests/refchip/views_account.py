#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the viewer shows of an operator on a 910B, and what the tables say of its source
lines and regions of memory, with the reference chip's own account.

usage: views_account.py ACCOUNT RESULTS SOURCE     of a launch of one kind of cores, whose kernel
                                                   was assembled from SOURCE

Roofline: bytes of every line, operations and times. Heat map of memory: requests of every path,
hits and misses. Compute load: cycles. Occupancy: cycles, bytes and hits of each core. Hot lines:
executions and bytes of each line, whose instruction the source has there. Reuse distances and
buffers: by definition, from the raw records.
"""
import csv
import json
import math
import os
import struct
import sys
from collections import OrderedDict, defaultdict

from instrument_account import accesses

LINE = 512
# rounds that count hits of writes, hits of reads, and busy cycles
ROUND_OF = {"write": 0, "read": 1, "last": 9}


def table(folder, name):
    with open(f"{folder}/{name}.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def blocks_of(folder):
    data, at, found = open(folder + "/visualize_data.bin", "rb").read(), 0, {}
    while at < len(data):
        size, kind, padding = struct.unpack_from("<QBB", data, at)
        at += 12 + (4096 if kind == 1 else 0)
        found[kind] = data[at:at + size - padding]
        at += size
    return found


def near(found, wanted, what):
    assert math.isclose(float(found), wanted, rel_tol=2e-6, abs_tol=1e-6), (what, found, wanted)


class Sums:
    """Of all cores, in the round that counts it."""

    def __init__(self, runs):
        self.runs = runs

    def __call__(self, name, run="last"):
        return sum(core[name] for core in self.runs[ROUND_OF[run]]["cores"])


def gm_bytes(total, evicted):
    """What leaves the L2 cache, and what comes to it."""
    outside = 128 * (total("l2_read_misses", "read") + total("l2_read_misses_odd",
                                                             "read")) + 512 * min(
        total("l2_write_misses", "write"), evicted)
    inside = 512 * total("l2_write_hits", "write") + 128 * (
        total("l2_read_hits", "read") + total("l2_read_hits_odd", "read"))
    return {"GM Read + Write": outside, "L2 Read + Write": inside + outside}


def cube_bytes(total):
    read, write, out = total("l1_read_bytes"), total("l1_write_bytes"), total("l0c_out_bytes")
    a, b = total("l0a_write_bytes"), total("l0b_write_bytes")
    return {"L1 Read + Write": read + write, "Read from L1": read, "Write to L1": write,
            "Write to L0A": a, "Write to L0B": b, "Read from L0C": out, "MTE1": read, "MTE2": write,
            "FIXP": out, "GM/L1 to L0A": a, "GM/L1 to L0B": b, "L0C to GM": out}


def vector_bytes(total):
    load, store = total("ub_load_bytes"), total("ub_store_bytes")
    read, write = total("ub_read_bytes"), total("ub_write_bytes")
    return {"UB Read + Write": load + store + read + write, "Read from UB": store,
            "Write to UB": load, "Vector Read UB": read, "Vector Write UB": write, "MTE2": load,
            "MTE3": store, "UB to GM": store, "GM to UB": load}


def check_roofline(shown, runs, evicted):
    total, is_cube = Sums(runs), runs[0]["kind"] == "cube"
    # A step is counted by its reads of L0B, 512 bytes each; a repeat has 64 floats.
    operations = 8192 * total("l0b_read_bytes") // 512 if is_cube else 64 * total("vector_repeats")
    micros = (runs[9]["end"] - runs[9]["start"]) / 50
    wanted = {**(cube_bytes if is_cube else vector_bytes)(total), **gm_bytes(total, evicted)}
    seen = set()
    for part in shown["multiple_rooflines"]:
        for line in part["rooflines"]:
            name = line["bw_name"]
            near(line["point"][0], operations / wanted[name], (part["title"], name))
            near(line["point"][1], operations / micros / 1e6, (part["title"], name))
            seen.add(name)
    assert seen == {name for name, size in wanted.items() if size > 0}, seen ^ set(wanted)


def check_heat_map(shown, runs):
    """Requests of paths by their numbers; each core is a map."""
    is_cube = runs[0]["kind"] == "cube"
    busy = ("Cube", "cube_busy") if is_cube else ("Vector", "vector_busy")
    paths = {6: ("l0a_read_bytes", 512), 7: ("l0b_read_bytes", 512),
             10: ("l0c_out_bytes", 128)} if is_cube else {}
    for one in shown["core_memory_map"]:
        block = int(one["core_no"])
        write, read, last = (next(core for core in runs[ROUND_OF[run]]["cores"]
                                  if core["block"] == block)
                             for run in ("write", "read", "last"))
        hits = write["l2_write_hits"] + read["l2_read_hits"] + read["l2_read_hits_odd"]
        misses = write["l2_write_misses"] + read["l2_read_misses"] + read["l2_read_misses_odd"]
        cache = one["L2cache"]
        assert (int(cache["hit"]), int(cache["miss"]),
                int(cache["total_request"])) == (hits, misses, hits + misses), cache
        near(cache["hit_ratio"], 100 * hits / (hits + misses), cache)
        cycles = last[busy[1]]
        assert (one[busy[0]]["cycle"],
                one[busy[0]]["total_cycles"]) == (cycles, last["cycles"]), one
        near(one[busy[0]]["ratio"], 100 * cycles / last["cycles"], one)
        found = {unit["memory_path"]: unit for unit in one["memory_unit"]}
        for path, (count, size) in paths.items():
            assert int(found[path]["request"]) == last[count] // size, (path, found[path],
                                                                        last[count])
            near(found[path]["bandwidth"], last[count] / (last["cycles"] / 1850) * 1e6 / 2**30,
                 found[path])
    assert len(shown["core_memory_map"]) == runs[0]["blocks"]


def check_load(shown, runs):
    name, count = ("Cube FP", "cube_steps") if runs[0]["kind"] == "cube" else ("Vector All Active",
                                                                               "vector_busy")
    found = {int(one["block_id"]): one for one in shown["subblock_detail"] if one["name"] == name}
    # Steps are counted in a round of their own, but equal launches count alike.
    for core in runs[9]["cores"]:
        one = found.pop(core["block"])
        assert one["origin_value"] == core[count], (one, core[count])
        near(one["value"], 100 * core[count] / core["cycles"], one)
    assert not found


def check_occupancy(shown, runs):
    """Cycles, bytes between core and L2 cache, and hits of every core that ran."""
    wanted = []
    for core in runs[9]["cores"]:
        write, read = (next(one for one in runs[ROUND_OF[run]]["cores"]
                            if one["block"] == core["block"]
                            and one["sub_block"] == core["sub_block"])
                       for run in ("write", "read"))
        hits = write["l2_write_hits"] + read["l2_read_hits"] + read["l2_read_hits_odd"]
        misses = write["l2_write_misses"] + read["l2_read_misses"] + read["l2_read_misses_odd"]
        words = core["gm_write_words"] + core["gm_read_words"] + core["gm_read_words_odd"]
        wanted.append((core["cycles"], 128 * words, round(100 * hits / (hits + misses), 4)))
    found = [(int(one["cycles"]), int(one["throughput"]), round(float(one["L2cache_hit_rate"]), 4))
             for core in shown["op_detail"] for one in core["core_detail"]]
    assert sorted(found) == sorted(wanted), (found, wanted)
    assert shown["op_type"] == runs[0]["kind"], shown["op_type"]


def check_lines(run, folder, source):
    text = open(source, encoding="utf-8").read().split("\n")
    lines, executed, moved = {}, defaultdict(int), defaultdict(int)
    start = int(open(folder + "/dump/pc_start_addr.txt", encoding="utf-8").read(), 16)
    for row in table(folder, "HotInstructions"):
        lines[int(row["Address"], 16) - start] = int(row["Code"].rpartition(":")[2])
    for counts in run["instructions"]:
        line = lines[counts["pc"]]
        word = text[line - 1].split(";")[0].split()[0]
        assert word == counts["name"] or word == "LI", (line, word, counts)
        executed[line] += counts["executed"]
        moved[line] += counts["gm_bytes"]
    rows = {int(row["Code"].rpartition(":")[2]): row for row in table(folder, "HotLines")}
    for line, count in executed.items():
        row = rows.pop(line)
        assert int(row["Instructions Executed"]) == count, (row, count)
        if row["Process Bytes"] != "NA":
            assert int(row["Process Bytes"]) == moved[line], (row, moved[line])
        moved.pop(line, None) if row["Process Bytes"] != "NA" else None
    assert all(row["Instructions Executed"] == "0" for row in rows.values()), rows
    return len(executed)


def lines_of(folder):
    """Lines of the L2 cache in the order of their accesses, one core after the other."""
    return [line for _, _, ranges in accesses(folder) for address, size, _ in ranges
            for line in range(address // LINE, (address + size - 1) // LINE + 1)]


def check_reuse(folder):
    """How many other lines were accessed since the last access of a line, in powers of two."""
    stack, wanted = OrderedDict(), defaultdict(int)
    for line in lines_of(folder):
        if line in stack:
            order = list(stack)
            distance = len(order) - 1 - order.index(line)
            wanted[distance.bit_length()] += 1
        stack[line] = True
        stack.move_to_end(line)
    # Where no line is accessed again, there is no table.
    for row in table(folder, "ReuseDistance") if os.path.exists(folder +
                                                                "/ReuseDistance.csv") else []:
        if row["from"].isdigit() and row["to"].isdigit():
            low, high = int(row["from"]), int(row["to"])
            ours = sum(wanted.pop(bits) for bits in list(wanted) if low <= (1 << bits) // 2 <= high)
            assert int(row["accesses"]) == ours, (row, ours)
    assert not any(wanted.values()), wanted


def check_buffers(folder):
    found = lines_of(folder)
    rows = table(folder, "L2CacheBuffer")
    assert sum(int(row["hits"]) + int(row["misses"])
               for row in rows) == len(found), (rows, len(found))
    for row in rows:
        first, last = int(row["first"], 16), int(row["last"], 16)
        inside = [line for line in found if first // LINE <= line <= last // LINE]
        assert int(row["hits"]) + int(row["misses"]) == len(inside), (row, len(inside))
        assert int(row["misses"]) >= int(row["compulsory"]) == len(set(inside)), (
            row, len(set(inside)))


def main():
    runs = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    folder, source = sys.argv[2:]
    evicted = sum(core["l2_evictions"] for core in next(run for run in runs
                                                        if run["channels"] == [47])["cores"])
    runs = [run for run in runs if 53 in run["channels"]]
    shown = {kind: json.loads(text) for kind, text in blocks_of(folder).items()
             if kind in (6, 8, 12, 13)}
    check_roofline(shown[13], runs, evicted)
    check_heat_map(shown[8], runs)
    check_load(shown[6], runs)
    check_occupancy(shown[12], runs)
    lines = check_lines(runs[9], folder, source)
    check_reuse(folder)
    check_buffers(folder)
    print(f"{lines} source lines, "
          f"{sum(len(part['rooflines']) for part in shown[13]['multiple_rooflines'])} lines of "
          "rooflines")


main()
