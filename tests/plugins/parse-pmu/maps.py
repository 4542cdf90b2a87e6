#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The memory map of each chip and kind of operator has the paths of
tests/data/pmu/facts/heatmap_paths.csv, with the values of the rows that it names, and the other
facts that the viewer wants."""
import csv
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from onboard_raw import FACTS, Launch, main, same  # noqa: E402  (needs the path)

CORES = {"AiCore": (("core", 0),), "cube": (("cube", 0),), "vector": (("vector", 0),),
         "mix": (("cube", 0), ("vector", 0), ("vector", 1))}
US = 10


def paths_of(chip, kind):
    with open(os.path.join(FACTS, "heatmap_paths.csv"), encoding="utf-8", newline="") as file:
        return {int(row["memory_path"]): row["value_source"] for row in csv.DictReader(file)
                if (row["chip"], row["op_type"]) == (chip, kind)}


def launch_of(chip, kind):
    """Events that grow with their number, so that differences are positive, some of them by
    hand."""
    launch = Launch(chip, freq=1000).took(US)
    for number, (core, sub) in enumerate(CORES[kind]):
        events = {event: 5 * event + 3 * number + 100 for slots in launch.plan.values()
                  for event in slots}
        events.update({50: 30000, 518: 200, 19: 4000, 524: 900, 1801: 60000, 1806: 500, 1058: 20000,
                       1407: 30, 1408: 40, 1799: 70000, 1795: 300, 1797: 400})
        launch.core(core, 10000, events, sub=sub)
    return launch


def row_of(tables, source, kind):
    """The row that a source names, or None if it names none; with MemoryDetail it would be
    another."""
    found = re.fullmatch(r"(\w+(?: Core\d)?) (?:row|source) (\d)(?: of core (\d))?",
                         source.split(";")[0])
    if found is None:
        return None
    name = found.group(1) + (" Core" + found.group(3) if found.group(3) else "")
    if kind == "mix" and name == "GM":
        return None
    return list(tables[name].values())[int(found.group(2))]


def check_map(chip, kind):
    result = launch_of(chip, kind).run()
    block = "NA" if chip == "310p" else "0"
    tables, found, wanted = result.tables(block), result.paths(block), paths_of(chip, kind)
    known = {path: source for path, source in wanted.items() if "(absent)" not in source
             and "only with" not in source}
    same(sorted(found), sorted(known))
    compared = 0
    for path, source in known.items():
        row = tables["L0C"]["L0C Write FIXP"] if path == 39 else row_of(tables, source, kind)
        if row is not None:
            same(found[path][:2], tuple(row[:2]))
            same(found[path][2], row[2] if chip == "910b" and len(row) > 2 else "NA")
            compared += 1
    same(compared >= len(known) - 6, True)
    return result, found


def maps_of_310p():
    result, _ = check_map("310p", "AiCore")
    one = result.map("NA")
    same((one["soc"], one["op_type"], "memory_detail" in one), ("310P", "AiCore", False))
    members = ("display", "bandwidth_suffix", "requests_suffix")
    same({tuple(path[name] for name in members) for path in one["memory_unit"]}, {(1, "", "")})


def maps_of_a2():
    for kind in ("cube", "vector", "mix"):
        result, found = check_map("910b", kind)
        one = result.map()
        same((one["soc"], one["op_type"], "memory_detail" in one), ("910B", kind, False))
        # what the tables do not have: traffic between memory and L2, and what came by way of L1
        counts = range(len(CORES[kind]))
        same(found[0][0], str(sum(5 * (1286 + 1290) + 200 + 6 * number for number in counts)))
        same(found[1][0], str(sum(5 * 1282 + 100 + 3 * number for number in counts)))
        same(found[0][1], int(found[0][0]) * 128 * 1e6 / 2**30 / US)
        same(found[1][1], int(found[1][0]) * 512 * 1e6 / 2**30 / US)
        if kind != "vector":
            launch = launch_of("910b", kind).move("GM", "L0A", 300).move("GM", "L0B", 130)
            detail = launch.run("memorydetail").paths()
            same([detail[path][0] for path in (35, 36, 37, 38)],
                 ["2", "2", str(5 * 28 + 98), str(5 * 34 + 98)])
        for path in one["memory_unit"]:
            suffix = "(theoretical value)" if path["memory_path"] == 1 else ""
            same((path["display"], path["bandwidth_suffix"], path["request_suffix"]),
                 (1, suffix, suffix))


def moves_belong_to_the_block_of_their_slot():
    """Slots are cores; of which block depends on the kind of operator."""
    for kind, slots in (("cube", (2, 5)), ("mix", (2, 5)), ("mix", (0, 4))):
        launch = Launch("910b")
        for block in (0, 1):
            launch.core("cube", 1000, {28: 100, 34: 100}, block=block)
            if kind == "mix":
                launch.core("vector", 1000, {}, block=block)
        launch.move("GM", "L0A", 300, place=slots[0]).move("GM", "L0A", 1000, place=slots[1])
        result = launch.run("memorydetail")
        same([result.paths(block)[35][0] for block in ("0", "1")], ["2", "4"])
    launch = Launch("a5")
    for block in range(4):
        launch.core("vector", 1000, {1059: 50}, block=block)
    for slot, amount in ((0, 128), (1, 256), (3, 384), (4, 512)):
        launch.move("UB", "GM", amount, place=slot)
    result = launch.run("memorydetail")
    same([result.paths(str(block))[13][0] for block in range(4)], ["1", "2", "3", "4"])


def maps_of_a5():
    for kind in ("cube", "vector", "mix"):
        result, found = check_map("a5", kind)
        one = result.map()
        same((one["soc"], one["op_type"], one["memory_detail"]), ("910A5", kind, "0"))
        same({path["peak_ratio"] for path in one["memory_unit"]}, {"NA"})
        counts = range(len(CORES[kind]))
        same(found[0][0], str(sum(5 * (1061 + 1062 + 1064 + 1065) + 400 + 12 * number
                                  for number in counts)))
        same(found[1][0], str(sum(5 * (1062 + 1065 + 1068 + 1071) + 400 + 12 * number
                                  for number in counts)))
        if kind == "mix":
            same(found[44][0], str(70000 - 700))
            same(found[46][0], str(60000 - 500 - 10000))
        if kind != "cube":
            same(found[13][0], str(5 * 1059 + 100 + 3 * (len(CORES[kind]) > 1)))


def units_and_caches():
    """Cycles of the units, what is advised on idle ones, and the L2 cache."""
    result = launch_of("910b", "mix").run()
    one = result.map()
    same(one["Cube"], {"cycle": 150, "ratio": 1.5, "total_cycles": 10000})
    same(one["Vector"]["cycle"], 5 * 8 + 103)
    same(one["Vector1"]["cycle"], 5 * 8 + 106)
    same(one["advice"], ["aicore compute usage lower than 20%"] + 2 * ["aivector compute usage "
                                                                       "lower than 20%"])
    hits = sum(5 * (1280 + 1284 + 1288) + 300 + 9 * number for number in range(3))
    misses = sum(5 * (1282 + 1286 + 1290) + 300 + 9 * number for number in range(3))
    same(one["L2cache"]["hit"], str(hits))
    same(one["L2cache"]["miss"], str(misses))
    same(one["L2cache"]["total_request"], str(hits + misses))
    same(one["L2cache"]["hit_ratio"], 100 * hits / (hits + misses))
    busy = Launch("910b").core("vector", 100, {8: 20}).run()
    same(busy.map()["advice"], [])
    same(Launch("910b").core("vector", 100, {8: 19}).run().map()["advice"],
         ["aivector compute usage lower than 20%"])
    idle = Launch("910b").core("vector", 0, {8: 20}).run().map()
    same(idle["Vector"], {"cycle": 20, "ratio": "NA", "total_cycles": 0})


def tables_of_operators():
    """Which tables there are, in the order of their names, and the columns of each kind of them."""
    sets = {
        ("310p", "AiCore"): "Cache Cube GM L0A L0B L0C L1 Pipe UB Vector",
        ("910b", "cube"): "Cache Cube GM L0A L0B L0C L1 Pipe Scalar",
        ("910b", "vector"): "Cache GM Pipe Scalar UB Vector",
        ("a5", "cube"): "Cache Cube GM L0A L0B L0C L1 Pipe",
        ("a5", "vector"): "Cache DCache GM Pipe UB Vector",
    }
    mixes = {"910b": "Scalar", "a5": "DCache"}
    for (chip, kind), names in sets.items():
        check_tables(chip, kind, names.split())
    for chip, special in mixes.items():
        names = "Cache Cube L0A L0B L0C L1".split()
        for name in ("UB", "Vector", special) if chip == "a5" else ("UB", "Vector"):
            names += [name + " Core0", name + " Core1"]
        for name in ("GM", "Pipe", "Scalar") if chip == "910b" else ("GM", "Pipe"):
            names += [name + " Cube", name + " Vector Core0", name + " Vector Core1"]
        check_tables(chip, "mix", sorted(names))


def check_tables(chip, kind, names):
    result = launch_of(chip, kind).run()
    block = result.blocks()[9]["table_per_block"][0]
    same(block["table_op_type"], kind)
    same([table["table_name"] for table in block["table_detail"]], names)
    for table in block["table_detail"]:
        base = table["table_name"].split(" ")[0]
        peaks = {"310p": (), "910b": ("L1", "L0C", "UB"), "a5": ("L1", "L0A", "L0B", "L0C",
                                                                 "UB")}[chip]
        heads = {"Cache": ["hit", "miss", "total", "hit rate(%)"], "Scalar": ["cycle", "time(us)"],
                 "Pipe": ["instructions", "cycle", "wait cycles", "active rate(%)",
                          "active bw(GB/s)"]}
        wanted = heads.get(base, ["requests", "throughput(GB/s)"] + (["peak(%)"] if base in peaks
                                                                     else []))
        same(table["header_name"], [""] + wanted)
        same(table["size"], [len(table["row"]), len(wanted)])
        same({len(row["value"]) for row in table["row"]}, {len(wanted)})


if __name__ == "__main__":
    main([maps_of_310p, maps_of_a2, moves_belong_to_the_block_of_their_slot, maps_of_a5,
          units_and_caches, tables_of_operators])
