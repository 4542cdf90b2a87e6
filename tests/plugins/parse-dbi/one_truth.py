#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What was instrumented is the same number wherever onboard-dump shows it: in the traffic table,
the memory heat map, the columns of MemoryDetail and the tables of the L2 model, block by block."""
import csv
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from onboard_raw import Launch, main, same  # noqa: E402  (needs the path)

GIB = 2**30
KINDS = {"cube": ("cube",), "vector": ("vector",), "mix": ("cube", "vector", "vector")}


def slot_of(kind, block, core):
    """Slots as the instrumentation numbers them."""
    if kind == "vector":
        return 3 * (block // 2) + block % 2
    return 3 * block + {"cube": 2, "vector0": 0, "vector1": 1}[core]


def rows(result, name):
    path = os.path.join(result.directory, name + ".csv")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def traffic(result, block, source, target, column):
    """Sum over the cores of a block."""
    return sum(int(row[column]) for row in rows(result, "MemoryTraffic")
               if (row["Block ID"], row["Source"], row["Destination"]) == (str(block), source,
                                                                           target))


def launch_of(chip, kind, blocks, events):
    launch = Launch(chip, freq=1000, block_dim=blocks)
    for block in range(blocks):
        for number, core in enumerate(KINDS[kind]):
            launch.core(core, 1000 * (block + 1), events, block=block, sub=max(0, number - 1))
    return launch


def volumes_of_a2():
    """GM to L1, L0A and L0B, of cube and of mix operators: other amounts in each block."""
    for kind in ("cube", "mix"):
        launch = launch_of("910b", kind, 4, {12: 500, 770: 500, 28: 4000, 34: 4000})
        amounts = {}
        for block in (0, 1, 3):
            for path, amount in (("L1", 100000), ("L0A", 7000), ("L0B", 900)):
                amounts[block, path] = [amount * (block + 1) + 1, 64]
                for one in amounts[block, path]:
                    launch.move("GM", path, one, place=slot_of(kind, block, "cube"))
        result = launch.run("memorydetail")
        sizes = {"L1": 256, "L0A": 256, "L0B": 128}
        for block in range(4):
            for path, number in (("L0A", 35), ("L0B", 36)):
                wanted = sum(-(-one // sizes[path]) for one in amounts.get((block, path), []))
                same(traffic(result, block, "GM", path, "Requests"), wanted)
                same(result.paths(str(block))[number][0], str(wanted))
            loaded = sum(sum(amounts.get((block, path), [])) for path in sizes)
            same(sum(traffic(result, block, "GM", path, "Bytes Read") for path in sizes), loaded)
            row = next(one for one in rows(result, "PipeUtilization")
                       if one["block_id"] == str(block) and
                       one.get("sub_block_id", "cube0") in ("cube0", "cube", "NA"))
            same(row["aic_mte2_active_bw(GB/s)"], loaded / GIB / (500 / 1000 * 1e-6))
            same(result.tables(str(block))["Pipe" if kind == "cube" else "Pipe Cube"]["MTE2"][4],
                 row["aic_mte2_active_bw(GB/s)"])
        cores = {row["block"]: int(row["hits"]) + int(row["misses"])
                 for row in rows(result, "L2CacheCore")}
        same(sorted(cores), ["0", "1", "3"])


def volumes_of_a5():
    """From and to vector cores: of vector operators, and of mix operators whose cube cores moved
    nothing."""
    for kind in ("vector", "mix"):
        launch = launch_of("a5", kind, 4, {514: 500, 515: 500, 1058: 5000, 1059: 5000, 1407: 5})
        amounts = {}
        for block in range(4):
            for core in ("vector0",) if kind == "vector" else ("vector0", "vector1"):
                for path in (("GM", "UB"), ("UB", "GM")):
                    amount = 1000 * (block + 1) + 128 * len(core) + (path[0] == "UB") + 7 * (
                        core == "vector1")
                    amounts[block, core, path] = amount
                    launch.move(*path, amount, place=slot_of(kind, block, core))
        result = launch.run("memorydetail")
        found = {(row["Block ID"], row["Sub Core"], row["Source"], row["Destination"]):
                 (int(row["Bytes Read"]), int(row["Requests"]))
                 for row in rows(result, "MemoryTraffic")}
        wanted = {(str(block), core, *path): (amount, -(-amount // 128)) for (block, core, path),
                  amount in amounts.items()}
        same(found, wanted)
        for block in range(4):
            stored = sum(-(-amount // 128) for (b, core, path), amount in amounts.items()
                         if b == block and path == ("UB", "GM") and core == "vector0")
            same(result.paths(str(block))[13][0], str(stored))


def operators_without_a_kind_of_slot():
    """A mix operator of which one vector core of each block moved data is not one of vector
    cores."""
    launch = launch_of("910b", "mix", 4, {})
    for block in range(4):
        launch.move("GM", "UB", 512, place=slot_of("mix", block, "vector0"))
    result = launch.run("memorydetail")
    same([(row["Block ID"], row["Sub Core"]) for row in rows(result, "MemoryTraffic")],
         [(str(block), "vector0") for block in range(4)])
    same([(row["block"], row["core"]) for row in rows(result, "L2CacheCore")],
         [(str(block), "vector0") for block in range(4)])


if __name__ == "__main__":
    main([volumes_of_a2, volumes_of_a5, operators_without_a_kind_of_slot])
