#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares raw files of launches on chips of the series 310P and 950 with the reference chip's own
account.

usage: series_account.py 310p|950 ACCOUNT DUMP FACTS

What an event is comes from the description of the counters (FACTS), as the account's names and
units below; which event is in which slot of which file from FACTS/replay_rounds_*.csv. Each file is
compared with the launch during which its channel was open.
"""
import csv
import json
import os
import struct
import sys

ALL_READS = ("gm_read_words", "gm_read_words_odd")
EVENTS = {  # event: (counts that are added, how many make one event)
    "950": {
        0: (["scalar_instr"], 1), 1: (["scalar_busy"], 1), 10: (["scalar_wait"], 1),
        11: (["cube_wait"], 1), 12: (["vector_wait"], 1), 13: (["mte1_wait"], 1),
        14: (["mte2_wait"], 1), 15: (["mte3_wait"], 1), 36: (["fix_wait"], 1), 52: (["fetches"], 1),
        53: (["fetch_misses"], 1), 512: (["mte2_instr"], 1), 513: (["mte3_instr"], 1),
        514: (["mte2_busy"], 1), 515: (["mte3_busy"], 1), 516: (["ub_store_bytes"], 128),
        518: (["ub_load_bytes"], 128), 768: (["cube_instr"], 1), 772: (["l0a_read_bytes"], 64),
        774: (["l0b_read_bytes"], 256), 776: (["l0c_write_bytes"], 1024),
        778: (["l0c_read_bytes"], 1024), 789: (["cube_instr"], 1), 790: ([], 1),
        808: (["cube_busy"], 1), 809: ([], 1), 810: (["cube_busy"], 1),
        1058: (ALL_READS, 1), 1059: (["gm_write_words"], 1), 1060: (["l2_read_hits"], 1),
        1061: (["l2_read_misses"], 1), 1063: (["l2_read_hits_odd"], 1),
        1064: (["l2_read_misses_odd"], 1), 1066: (["l2_write_hits"], 1),
        1067: (["l2_write_misses"], 1), 1281: (["vector_busy"], 1), 1284: (["simt_cycles"], 1),
        1466: (["simt_issued"], 1), 1468: (["simt_moved"], 1), 1393: (["ub_read_bytes"], 256),
        1394: (["ub_write_bytes"], 256), 1792: (["mte1_instr"], 1), 1794: (["mte1_busy"], 1),
        1795: (["l0a_write_bytes"], 256), 1797: (["l0b_write_bytes"], 256),
        1799: (["l1_read_bytes"], 256), 1801: (["l1_write_bytes"], 256), 1812: (["fix_busy"], 1),
        1813: (["fix_instr"], 1)},
    "310p": {
        1: (["vector_instr"], 1), 3: (["cube_instr"], 1), 4: (["mte1_instr"], 1),
        5: (["mte2_instr"], 1), 6: (["mte3_instr"], 1), 8: (["vector_busy"], 1),
        9: (["scalar_busy"], 1), 10: (["cube_busy"], 1), 11: (["mte1_busy"], 1),
        12: (["mte2_busy"], 1), 13: (["mte3_busy"], 1), 18: (ALL_READS, 4),
        19: (["gm_write_words"], 4), 28: (["l0a_write_bytes"], 256), 34: (["l0b_write_bytes"], 128),
        49: (["l1_read_bytes"], 512), 50: (["l1_write_bytes"], 256), 61: (["ub_store_bytes"], 16),
        62: (["ub_load_bytes"], 16), 67: (["ub_read_bytes"], 16), 68: (["ub_write_bytes"], 16),
        73: (["cube_steps"], 1), 75: (["vector_repeats"], 1), 84: (["fetches"], 1),
        85: (["fetch_misses"], 1), 88: (["cube_wait"], 1), 89: (["vector_wait"], 1),
        90: (["mte1_wait"], 1), 91: (["mte2_wait"], 1), 92: (["mte3_wait"], 1)}}
CHANNELS = {  # of the passes, in their order
    "950": [[53]] * 5 + [[50, 53]],
    "310p": [[43, 47]] + [[43]] * 5 + [[43, 45]]}


def value(series, counts, event):
    if event not in EVENTS[series]:
        return None
    names, unit = EVENTS[series][event]
    return -(-sum(counts[name] for name in names) // unit)


def rounds_of(facts, series):
    """{(kind, number): events} of the plan."""
    rounds = {}
    with open(f"{facts}/replay_rounds_{'a5' if series == '950' else series}.csv", encoding="utf-8",
              newline="") as file:
        for row in csv.DictReader(file):
            rounds[row["core"], int(row["round"])] = [int(word) for key, word in row.items()
                                                      if key.startswith("slot")]
    return rounds


def check_cores(series, run, number, data, rounds):
    """Records of a 950: one for each core. How many counters were compared."""
    compared, seen = 0, set()
    assert len(data) == 128 * len(run["cores"]), (number, len(data))
    for at in range(0, len(data), 128):
        function, stream, task, cycles = struct.unpack_from("<HxxHHQ", data, at)
        is_vector, place = data[at + 20], data[at + 21]
        sub_block, block = struct.unpack_from("<HH", data, at + 24)
        counters = struct.unpack_from("<10Q", data, at + 32)
        core = next(core for core in run["cores"] if core["core"] == place
                    and (core["sub_core"] != 0) == bool(is_vector))
        assert (function, stream, task) == (0x29, run["stream"], run["task"]), (function, stream,
                                                                                task)
        assert (block, sub_block, cycles) == (core["block"], core["sub_block"],
                                              core["cycles"]), (block, sub_block, cycles)
        for slot, event in enumerate(rounds["aiv" if is_vector else "aic", number]):
            wanted = value(series, core, event)
            if wanted is not None:
                assert counters[slot] == wanted, (number, block, event, counters[slot], wanted)
                compared += 1
        seen.add((block, bool(is_vector), sub_block))
    assert len(seen) == len(run["cores"]), seen
    return compared


def check_sum(series, run, number, data, rounds):
    """The one record of a 310P: all cores together."""
    every = {name: sum(core[name] for core in run["cores"]) for name in run["cores"][0]}
    compared = 0
    assert len(data) == 128 and struct.unpack_from("<Q", data,
                                                   16)[0] == every["cycles"], (number, len(data))
    for slot, event in enumerate(rounds["core", number]):
        wanted = value(series, every, event)
        if wanted is not None:
            assert struct.unpack_from("<Q", data, 32 + 8 * slot)[0] == wanted, (number, event)
            compared += 1
    return compared


def check_tasks(series, run, data):
    size, kind = (32, {"cube": 0, "vector": 1, "mix": 2}[run["kind"]]) if series == "950" else (
        64, 0)
    records = [struct.unpack_from("<HxxHHQ", data, at) for at in range(0, len(data), size)]
    assert len(data) == 2 * size, len(data)
    assert [(r[0] & 7, r[0] >> 10, r[3]) for r in records] == [(0, kind, run["start"]),
                                                               (1, kind, run["end"])], records


def check_l2(run, data):
    total = [sum(core[name] for core in run["cores"]) for name in
             ("l2_read_hits", "l2_read_misses", "l2_read_hits_odd", "l2_read_misses_odd")]
    assert len(data) == 72
    assert struct.unpack_from("<3Q", data, 8) == (total[0] + total[2], total[0] + total[1],
                                                  total[2] + total[3])


def read(dump, name):
    with open(os.path.join(dump, name), "rb") as file:
        return file.read()


def main():
    series, account, dump, facts = sys.argv[1:]
    with open(account, encoding="utf-8") as file:
        runs = [run for run in map(json.loads, file) if run["channels"]]
    rounds, compared = rounds_of(facts, series), 0
    assert [run["channels"] for run in runs] == CHANNELS[series], [run["channels"] for run in runs]
    for number, run in enumerate(runs, 1):
        check = check_cores if series == "950" else check_sum
        compared += check(series, run, number, read(dump, f"DeviceProf{number}.bin"), rounds)
    check_tasks(series, runs[-1], read(dump, "duration.bin"))
    if series == "310p":
        check_l2(runs[0], read(dump, "L2Cache.bin"))
    assert compared >= 30, compared
    print(f"{compared} counters of {len(runs)} rounds")


main()
