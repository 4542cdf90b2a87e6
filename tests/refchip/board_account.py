#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what profiling found with the reference chip's own account of its launches.

usage: board_account.py ACCOUNT DUMP [CSVS]     the raw files of one launch, and its tables

What an event is comes from the description of the counters, not from opprof; each round is compared
with the launch during which its channel was open.
"""
import csv
import glob
import json
import math
import os
import struct
import sys

ROUNDS = {  # events of the series 910B, by round
    "cube": [[1032, 1033, 1280, 1282, 1283, 1292], [1284, 1286, 1287, 1288, 1290, 1291, 1293, 1294],
             [19, 49, 50, 518, 524], [3, 4, 5, 6, 526], [27, 28, 33, 34, 40, 42, 84, 85], None,
             None, [106, 107, 108, 109, 110, 111, 112, 113], [13, 73, 74, 87, 92, 114],
             [9, 10, 12, 88, 90, 91, 770, 771]],
    "vector": [[55, 56, 1280, 1282, 1283, 1292], [1284, 1286, 1287, 1288, 1290, 1291, 1293, 1294],
               [61, 62, 67, 68], [1, 75, 76, 77, 78, 79, 174, 186],
               [5, 6, 100, 101, 102, 103, 184, 185], None, None,
               [106, 107, 108, 109, 110, 111, 112, 113], [4, 84, 85, 526, 13, 87, 92, 114],
               [8, 9, 12, 770, 771, 89, 90, 91]]}
EVENTS = {  # event: (count, bytes or cycles of each)
    1: ("vector_instr", 1), 3: ("cube_instr", 1), 4: ("mte1_instr", 1), 5: ("mte2_instr", 1),
    6: ("mte3_instr", 1), 8: ("vector_busy", 1), 9: ("scalar_busy", 1), 10: ("cube_busy", 1),
    12: ("mte2_busy", 1), 13: ("mte3_busy", 1), 27: ("l0a_read_bytes", 512),
    28: ("l0a_write_bytes", 256), 33: ("l0b_read_bytes", 512), 34: ("l0b_write_bytes", 128),
    40: ("l0c_read_bytes", 1024), 42: ("l0c_write_bytes", 1024), 49: ("l1_read_bytes", 256),
    50: ("l1_write_bytes", 256), 61: ("ub_store_bytes", 128), 62: ("ub_load_bytes", 128),
    67: ("ub_read_bytes", 256), 68: ("ub_write_bytes", 256),
    73: ("cube_steps", 1), 75: ("vector_repeats", 1), 84: ("fetches", 1), 85: ("fetch_misses", 1),
    87: ("scalar_wait", 1), 88: ("cube_wait", 1), 89: ("vector_wait", 1), 90: ("mte1_wait", 1),
    91: ("mte2_wait", 1), 92: ("mte3_wait", 1), 524: ("l0c_out_bytes", 128), 526: ("fix_instr", 1),
    770: ("mte1_busy", 1), 771: ("fix_busy", 1), 1032: ("mmads", 1),
    1280: ("l2_write_hits", 1), 1282: ("l2_write_misses", 1), 1284: ("l2_read_hits", 1),
    1286: ("l2_read_misses", 1), 1288: ("l2_read_hits_odd", 1), 1290: ("l2_read_misses_odd", 1),
    1292: ("gm_write_words", 1), 1293: ("gm_read_words", 1), 1294: ("gm_read_words_odd", 1)}


def value(core, event):
    name, unit = EVENTS.get(event, (None, 1))
    return None if name is None else math.ceil(core[name] / unit)


def check_raw(runs, dump):
    """Every counter of every core and round; how many were compared."""
    compared = 0
    assert len(glob.glob(dump + "/DeviceProf*.bin")) == len(runs) == 10, len(runs)
    for number, run in enumerate(runs):
        data = open(f"{dump}/DeviceProf{number + 1}.bin", "rb").read()
        assert len(data) == 128 * len(run["cores"]), (number, len(data))
        for at in range(0, len(data), 128):
            block, cycles = struct.unpack_from("<HQ", data, at + 30)
            counters = struct.unpack_from("<8Q", data, at + 48)
            is_vector, place = data[at + 20] & 1, data[at + 20] >> 1
            core = next(core for core in run["cores"] if core["core"] == place
                        and (core["sub_core"] != 0) == is_vector)
            events = ROUNDS["vector" if is_vector else "cube"][number]
            assert cycles == core["cycles"], (number, block, cycles, core["cycles"])
            for slot, event in enumerate(events or []):
                wanted = value(core, event)
                if wanted is not None:
                    assert counters[slot] == wanted, (number, block, event, counters[slot], wanted)
                    compared += 1
    return compared


def check_tables(runs, folder):
    """Cells of the tables against counts of the round that counted them; ratios take the last
    round's cycles."""
    prefix = "aic" if runs[0]["kind"] == "cube" else "aiv"
    last = runs[9]["cores"]

    def near(text, wanted):
        assert math.isclose(float(text), wanted, rel_tol=2e-6, abs_tol=1e-6), (text, wanted)

    def rows(name):
        with open(f"{folder}/{name}.csv", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        assert len(table) == len(last), name
        return [(row, int(row["block_id"])) for row in table]

    for row, block in rows("PipeUtilization"):
        core = last[block]
        assert int(row[prefix + "_total_cycles"]) == core["cycles"]
        near(row[prefix + "_time(us)"], core["cycles"] / 1850)
        near(row[prefix + "_mte2_ratio"], core["mte2_busy"] / core["cycles"])
        near(row[prefix + "_scalar_ratio"], core["scalar_busy"] / core["cycles"])
        busy = ("cube_ratio", "cube_busy") if prefix == "aic" else ("vec_ratio", "vector_busy")
        near(row[f"{prefix}_{busy[0]}"], core[busy[1]] / core["cycles"])
        fetch = runs[4 if prefix == "aic" else 8]["cores"][block]
        near(row[prefix + "_icache_miss_rate"], fetch["fetch_misses"] / fetch["fetches"])
    for row, block in rows("L2Cache"):
        write, read = runs[0]["cores"][block], runs[1]["cores"][block]
        assert int(row[prefix + "_write_cache_hit"]) == write["l2_write_hits"]
        assert int(row[prefix + "_r0_read_cache_hit"]) == read["l2_read_hits"]
        assert int(row[prefix + "_r1_read_cache_miss_allocate"]) == read["l2_read_misses_odd"]
        hits = write["l2_write_hits"] + read["l2_read_hits"] + read["l2_read_hits_odd"]
        every = hits + write["l2_write_misses"] + read["l2_read_misses"] + read[
            "l2_read_misses_odd"]
        near(row[prefix + "_total_hit_rate(%)"], 100 * hits / every)
    for row, block in rows("Memory"):
        moved, write, read = (runs[i]["cores"][block] for i in (2, 0, 1))
        near(row["write_main_memory_datas(KB)"], write["gm_write_words"] * 128 / 1024)
        near(row["read_main_memory_datas(KB)"],
             (read["gm_read_words"] + read["gm_read_words_odd"]) * 128 / 1024)
        if prefix == "aic":
            near(row["GM_to_L1_datas(KB)"], moved["l1_write_bytes"] / 1024)
            near(row["L0C_to_GM_datas(KB)"], moved["l0c_out_bytes"] / 1024)
        else:
            near(row["GM_to_UB_datas(KB)"], moved["ub_load_bytes"] / 1024)
            near(row["UB_to_GM_datas(KB)"], moved["ub_store_bytes"] / 1024)
    with open(folder + "/OpBasicInfo.csv", encoding="utf-8") as file:
        info = next(csv.DictReader(file))
    near(info["Task Duration(us)"], (runs[9]["end"] - runs[9]["start"]) / 50)
    assert int(info["Block Dim"]) == runs[9]["blocks"] and info["Op Name"] == runs[9][
        "kernel"], info


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        every = [json.loads(line) for line in file]
    runs = [run for run in every if 53 in run["channels"]]
    compared = check_raw(runs, sys.argv[2])
    assert compared >= 32 * runs[0]["blocks"], compared
    first = [run for run in every if run["channels"] == [47]]
    evicted = struct.unpack_from("<8Q", open(sys.argv[2] + "/L2Cache.bin", "rb").read(), 8)[4]
    assert len(first) == 1 and evicted == sum(core["l2_evictions"] for core in first[0]["cores"])
    assert 50 in runs[9]["channels"] and all(50 not in run["channels"] for run in runs[:9])
    if len(sys.argv) > 3:
        check_tables(runs, sys.argv[3])
    print(f"{compared} counters of {len(runs)} rounds, {len(every)} launches in all")


main()
