#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares when warps of SIMT code ran, as kernels of a 950 told it, with the reference chip's own
account.

usage: warp_account.py ACCOUNT RESULTS

Of one launch, whose raw files are in RESULTS/dump: each warp's start and end in the file and in the
timeline; executions and bytes of each instruction, which is counted once a warp.
"""
import csv
import json
import math
import struct
import sys

WARPS, MHZ = 64, 1800
SLOT = 16 + 16 * WARPS + 64
MOVES = {"SIMT_LDG_B32", "SIMT_STG_B32"}


def check_file(run, path):
    """{(core, part): spans} of cores that had warps."""
    data, found = open(path, "rb").read(), {}
    assert len(data) == SLOT * min(3 * run["blocks"], 108), len(data)
    true = {3 * (core["block"] // 2) + core["block"] % 2: core.get("warps", [])
            for core in run["cores"]}
    for slot in range(len(data) // SLOT):
        magic, count, core, part = struct.unpack_from("<4I", data, slot * SLOT)
        spans = [list(struct.unpack_from("<2Q", data, slot * SLOT + 16 + 16 * warp))
                 for warp in range(count)]
        assert (magic, core, part) == (0x5A5A5A5A, slot // 3, slot % 3), (slot, magic, core, part)
        assert spans == true.get(slot, []), (slot, spans, true.get(slot))
        assert not any(data[slot * SLOT + 16 + 16 * count:(slot + 1) * SLOT]), slot
        if count > 0:
            found[core, part] = spans
    return found


def check_timeline(spans, path):
    events = [event for event in json.load(open(path, encoding="utf-8"))["traceEvents"]
              if event["ph"] == "X"]
    shown = {(event["pid"], event["args"]["warp_id"]): event for event in events}
    for (core, part), warps in spans.items():
        first = min(start for start, _ in warps)
        for number, (start, end) in enumerate(warps):
            event = shown.pop((f"warp.core{core}.veccore{part}", number))
            assert event["name"] == f"Warp_{number}", event
            assert math.isclose(event["dur"], (end - start) / MHZ, abs_tol=1e-3), (event, start,
                                                                                   end)
            assert math.isclose(event["ts"], (start - first) / MHZ, abs_tol=1e-3), (event, start,
                                                                                    first)
    assert not shown, shown


def check_instructions(run, folder):
    rows = list(csv.DictReader(open(folder + "/HotInstructions.csv", encoding="utf-8")))
    start = min(int(row["Address"], 16) for row in rows)
    rows = {int(row["Address"], 16) - start: row for row in rows}
    for one in run["instructions"]:
        row = rows[one["pc"]]
        assert int(row["Instructions Executed"]) == one["executed"], (one, row)
        assert row["Process Bytes"] == (str(one["gm_bytes"]) if one["name"] in MOVES
                                        else "NA"), (one, row)
    return len(run["instructions"])


def main():
    runs = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    folder = sys.argv[2]
    # the last pass; then the program's own launch
    spans = check_file(runs[-2], folder + "/dump/WarpTimeline.bin")
    if spans:
        check_timeline(spans, folder + "/trace.json")
        assert check_instructions(runs[-1], folder) > 12
    print(sum(map(len, spans.values())), "warps")
    assert ("Has Simt=1" in open(folder + "/dump/op_basic_info.txt",
                                 encoding="utf-8").read()) == bool(spans)


if __name__ == "__main__":
    main()
