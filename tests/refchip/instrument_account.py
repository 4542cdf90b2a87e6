#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what an instrumented kernel reported with the reference chip's own account of the kernel
as it is.

usage: instrument_account.py ACCOUNT RESULTS [alone]

Of one launch, whose raw files are in RESULTS/dump: executions and bytes of each instruction, bytes
of each core, hits and misses of the L2 cache. With 'alone' cores share no data, so that the chip's
cache, in which each core sees what was there before and what it touched itself, has the same hits
as one that all share; else they are those of a cache that is modelled here, one core after the
other, from the raw records.
"""
import csv
import json
import math
import struct
import sys
from collections import OrderedDict, defaultdict

MOVES = ("MOV_OUT_TO_UB", "MOV_OUT_TO_L1", "MOV_UB_TO_OUT", "FIX_L0C_TO_DST")
LINE, WAYS, SETS = 512, 24, 16384  # Ascend910B1
GM = 6


def table(folder, name):
    with open(f"{folder}/{name}.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def start_of(folder):
    return int(open(folder + "/dump/pc_start_addr.txt", encoding="utf-8").read(), 16)


def pieces(record, body):
    """(address, bytes, is it a load) in global memory."""
    dst, src, pc = struct.unpack_from("<3Q", body)
    if record == 3:
        count, length, src_gap, dst_gap = struct.unpack_from("<4H", body, 32)
        is_load = body[43] == GM
        at, gap = (src, src_gap) if is_load else (dst, dst_gap)
        return pc, [(at + i * 32 * (length + gap), 32 * length, is_load) for i in range(count)]
    assert record == 10, record
    step, = struct.unpack_from("<I", body, 32)
    columns, rows = struct.unpack_from("<2H", body, 38)
    return pc, [(dst + 4 * step * i, 4 * columns, False) for i in range(rows)]


def accesses(folder):
    """All of them, slot after slot, with their slots."""
    data = open(folder + "/dump/DbiPackets.bin", "rb").read()
    sizes, slots, at = {3: 48, 10: 60}, {}, 0
    while at < len(data):
        kind, length = struct.unpack_from("<2I", data, at)
        count, size, lost, slot, _ = struct.unpack_from("<3QHB", data, at + 8)
        assert kind == 3 and length == 28 + size and lost == 0
        place, slots[slot] = at + 36, []
        for _ in range(count):
            record, magic = struct.unpack_from("<2I", data, place)
            assert magic == 0x5A5A5A5A
            slots[slot].append(pieces(record, data[place + 8:place + 8 + sizes[record]]))
            place += 8 + sizes[record]
        assert place == at + 36 + size
        at += 8 + length
    return [(slot, *one) for slot in sorted(slots) for one in slots[slot]]


def model(found):
    """Hits and misses by instruction, by set and by slot: least recently used, one core after the
    other."""
    sets = [OrderedDict() for _ in range(SETS)]
    by_pc, by_set, by_slot = (defaultdict(lambda: [0, 0]) for _ in range(3))
    for slot, pc, ranges in found:
        for address, size, _ in ranges:
            for line in range(address // LINE, (address + size - 1) // LINE + 1):
                ways = sets[line % SETS]
                is_miss = line not in ways
                ways[line] = True
                ways.move_to_end(line)
                if len(ways) > WAYS:
                    ways.popitem(last=False)
                by_pc[pc][is_miss] += 1
                by_set[line % SETS][is_miss] += 1
                by_slot[slot][is_miss] += 1
    return by_pc, by_set, by_slot


def check_instructions(run, folder, is_alone, by_pc):
    start, rows = start_of(folder), {int(row["Address"], 16): row
                                     for row in table(folder, "HotInstructions")}
    moved = 0
    for counts in run["instructions"]:
        row = rows.pop(start + counts["pc"])
        assert int(row["Instructions Executed"]) == counts["executed"], (counts, row)
        if counts["name"] not in MOVES:
            assert row["Process Bytes"] == "NA", (counts, row)
            continue
        hits, misses = (counts["hits"], counts["misses"]) if is_alone else by_pc[counts["pc"]]
        assert int(row["Process Bytes"]) == counts["gm_bytes"], (counts, row)
        assert (int(row["L2 Hits"]), int(row["L2 Misses"])) == (hits, misses), (counts, row, hits,
                                                                                misses)
        assert hits + misses == counts["hits"] + counts["misses"], (counts, hits, misses)
        moved += 1
    # what is left was never executed
    assert all(row["Instructions Executed"] == "0" for row in rows.values()), rows
    return moved


def check_cores(run, folder):
    told = defaultdict(int)
    for row in table(folder, "MemoryTraffic"):
        place = (int(row["Block ID"]), row["Sub Core"])
        told[place, row["Source"], row["Destination"]] += int(row["Bytes Read"])
        assert row["Bytes Read"] == row["Bytes Written"], row
    names = {0: "cube0", 1: "vector0", 2: "vector1"}
    for core in run["cores"]:
        # in tables the two vector cores of an operator without cube cores are blocks of their own
        is_vector = run["kind"] == "vector"
        place = (core["block"], "vector0" if is_vector else names[core["sub_core"]])
        for pair, count in (("GM UB", "ub_load_bytes"), ("UB GM", "ub_store_bytes"),
                            ("GM L1", "l1_write_bytes"), ("L0C GM", "l0c_out_bytes")):
            found = told.pop((place, *pair.split()), 0)
            assert found == core[count], (place, pair, found, core[count])
    assert not told, told


def check_cache(run, folder, by_pc, by_slot):
    """Tables of the modelled cache: by instruction, by core, and all together."""
    start, total = start_of(folder), [sum(pair[i] for pair in by_pc.values()) for i in (0, 1)]
    rows = {int(row["address"], 16) - start: row for row in table(folder, "L2CachePc")}
    assert set(rows) == set(by_pc), (rows.keys(), by_pc.keys())
    for pc, (hits, misses) in by_pc.items():
        assert (int(rows[pc]["hits"]), int(rows[pc]["misses"])) == (hits, misses), (pc, rows[pc])
        assert int(rows[pc]["bytes"]) == next(one["gm_bytes"] for one in run["instructions"]
                                              if one["pc"] == pc)
    sub_cores = ("vector0", "vector1", "cube0")
    found = {(int(row["block"]), row["core"]): (int(row["hits"]), int(row["misses"]))
             for row in table(folder, "L2CacheCore")}
    for slot, pair in by_slot.items():
        place = (2 * (slot // 3) + slot % 3, "vector0") if run["kind"] == "vector" else (
            slot // 3, sub_cores[slot % 3])
        assert found.pop(place, None) == tuple(pair), (place, pair, found)
    assert not found, found
    whole = table(folder, "L2CacheModel")[0]
    assert [int(whole["hits"]), int(whole["misses"])] == total, (whole, total)
    assert math.isclose(float(whole["hit_rate"]), 100 * total[0] / sum(total), rel_tol=1e-9)


def check_views(run, folder, by_set):
    """What the viewer shows: the heat map of the cache, and executions and bytes of
    instructions."""
    data, at, found = open(folder + "/visualize_data.bin", "rb").read(), 0, {}
    while at < len(data):
        size, kind, padding = struct.unpack_from("<QBB", data, at)
        at += 12 + (4096 if kind == 1 else 0)
        found[kind] = data[at:at + size - padding]
        at += size
    for one in json.loads(found[14])["Cacheline Records"]:
        hits, misses = by_set.get(one["Cacheline Id"], (0, 0))
        for name, count in (("Hit", hits), ("Miss", misses)):
            value, ratio = one[name]["Value"]
            assert value == count, (one, count)
            assert math.isclose(ratio, count / (hits + misses) if hits + misses else 0,
                                rel_tol=1e-6), one
    start, shown = start_of(folder), {}
    for one in json.loads(found[4])["Instructions"]:
        shown[int(one["Address"], 16) - start] = one
    for counts in run["instructions"]:
        one = shown[counts["pc"]]
        assert one["Instructions Executed"] == [counts["executed"]], (counts, one)
        assert one.get("Process Bytes", -1) in ((counts["gm_bytes"],) if counts["name"] in MOVES
                                                else (-1, 0)), (counts, one)


def main():
    runs = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    folder, is_alone = sys.argv[2], sys.argv[3:] == ["alone"]
    run = [run for run in runs if 50 in run["channels"]][-1]
    by_pc, by_set, by_slot = model(accesses(folder))
    moved = check_instructions(run, folder, is_alone, by_pc)
    check_cores(run, folder)
    sets = {int(row["set"]): row for row in table(folder, "L2CacheSet")}
    for number, (hits, misses) in by_set.items():
        row = sets.pop(number)
        assert (int(row["hits"]), int(row["misses"])) == (hits, misses), (number, row, hits, misses)
    assert all(row["hits"] == row["misses"] == "0" for row in sets.values())
    check_cache(run, folder, by_pc, by_slot)
    check_views(run, folder, by_set)
    print(f"{len(run['instructions'])} instructions, {moved} of which move data")


if __name__ == "__main__":
    main()
