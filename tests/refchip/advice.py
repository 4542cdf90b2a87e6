#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the reported waits of a simulated operator with the reference chip's account of the same
run.

usage: advice.py OPERATOR FOLDER     FOLDER holds OPERATOR-single, OPERATOR-double, and
                                     OPERATOR-….account
"""
import csv
import json
import re
import sys

MHZ = 1850  # of the chip
PARTNER = {"vector-add": ("MTE3", "vector_add.s"), "matmul": ("CUBE", "matmul.s")}


def us(cycles):
    return cycles / MHZ


def near(value, wanted, cycles):
    assert abs(value - wanted) <= us(cycles) + 0.0051, (value, wanted)


def core_of(name, account):
    core, part = re.fullmatch(r"core(\d+)\.(cubecore0|veccore\d)", name).groups()
    sub = 0 if part == "cubecore0" else int(part[-1]) + 1
    return next(c for c in account["cores"] if c["core"] == int(core) and c["sub_core"] == sub)


def advice_of(folder, rule):
    """The only advice, about a core or the whole operator."""
    with open(folder + "/advice.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["rule"] for row in rows] == [rule], rows
    return rows[0]


def numbers_of(row):
    return {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+) us", row["numbers"])}


def duration_of(folder, core):
    with open(folder + "/core_summary.csv", encoding="utf-8") as file:
        return next(float(row["duration_time(us)"]) for row in csv.DictReader(file)
                    if row["core_name"] == core)


def waits_in_trace(folder, core):
    """Cycles that WAIT_FLAG takes in the lane MTE2 of a core's part of the timeline."""
    with open(folder + "/trace.json", encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    begins, total = [], 0.0
    for event in events:
        if event.get("pid") != core or event.get("tid") != "MTE2" or event.get(
            "name") != "WAIT_FLAG":
            continue
        if event["ph"] == "B":
            begins.append(event["ts"])
        elif event["ph"] == "E":
            total += event["ts"] - begins.pop()
    return total * MHZ


def waits_in_hot_spots(folder, core, source):
    """The longest wait of MTE2 in the table of instructions, and its line's row in the table of
    lines."""
    with open(f"{folder}/{core}/{core}_instr_exe.csv", encoding="utf-8") as file:
        waits = [row for row in csv.DictReader(file) if row["instr"] == "WAIT_FLAG"
                 and row["pipe"] == "MTE2"]
    longest = max(waits, key=lambda row: int(row["cycles"]))
    with open(f"{folder}/{core}/{core}_code_exe.csv", encoding="utf-8") as file:
        lines = [row for row in csv.DictReader(file) if row["cycles"] == longest["cycles"]]
    assert any(source in row["code"] for row in lines), (longest, lines)
    return longest, [row["code"] for row in lines]


def main():
    operator, root = sys.argv[1:]
    partner, source = PARTNER[operator]
    folders = {kind: f"{root}/{operator}-{kind}" for kind in ("single", "double")}
    rows = {"single": advice_of(folders["single"], "single-buffer"),
            "double": advice_of(folders["double"], "healthy-operator")}
    bound = rows["single"]["subject"].removeprefix("core ")
    accounts = {}
    for kind, folder in folders.items():
        with open(folder + ".account", encoding="utf-8") as file:
            accounts[kind] = json.loads(file.readline())
        core = core_of(bound, accounts[kind])
        said = numbers_of(rows[kind])
        busy = max(core[f"{pipe}_busy"] for pipe in ("scalar", "vector", "cube", "mte1", "mte2",
                                                     "mte3", "fix"))
        assert busy == core["mte2_busy"], core
        assert busy == max(c["mte2_busy"] for c in accounts[kind]["cores"])
        near(said["worked"], us(busy), 0)
        # A wait that finds its flag set takes the chip a cycle, and none in the log.
        near(said["waited"], us(core["mte2_wait"]), 0 if kind == "single" else core["mte2_instr"])
        # The log begins with the first instruction that was fetched.
        near(said["duration"], us(core["cycles"]), 64)
        assert said["duration"] == duration_of(folder, bound)

    single, double = rows["single"], rows["double"]
    assert (single["severity"], double["severity"]) == ("hint", "note"), rows
    saved = numbers_of(single)["duration"] - numbers_of(double)["duration"]
    waited = numbers_of(single)["waited"]
    assert 0 < saved <= waited, (saved, waited)
    wait_share = 100 * waited / numbers_of(single)["duration"]
    assert abs(float(single["gain(%)"]) - wait_share) < 0.2, (single, wait_share)
    assert float(single["gain_us"]) == waited == float(single["value"]), single
    sentence = re.fullmatch(r"MTE2, the busiest pipe, waits for flags (\d+) % of the time, most "
                            r"for (\w+) at (\S+)", single["sentence"])
    assert sentence and sentence[2] == partner and "ouble buffering" in single["todo"], single
    assert abs(int(sentence[1]) - wait_share) <= 0.7

    _, codes = waits_in_hot_spots(folders["single"], bound, source)
    assert sentence[3] in codes, (sentence[3], codes)
    for kind, account in accounts.items():
        core = core_of(bound, account)
        drawn = waits_in_trace(folders[kind], bound)
        assert abs(drawn - core["mte2_wait"]) <= core["mte2_instr"], (kind, drawn,
                                                                      core["mte2_wait"])
    print(f"{operator}: {single['sentence']}; two buffers saved {saved:.2f} us", file=sys.stderr)


main()
