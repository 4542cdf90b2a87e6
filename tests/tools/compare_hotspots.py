#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares hot spots with what the reference tool made: the tables of each core, and the viewer's
blocks.

    compare_hotspots.py OURS EXPECTED [--rename OURS=THEIRS]... [--without COLUMN,...] [--added
    NAME,...]

OURS is an output directory, EXPECTED one of tests/data/sim/expected. Prints what differs; exits
with 1 then. Rows may come in any order where their cycles are equal, for the reference promises
none.
"""
import argparse
import csv
import json
import pathlib
import struct
import sys

problems = []


def complain(text):
    problems.append(text)
    print(text)


def read_table(path, renames):
    text = path.read_text()
    for ours, theirs in renames:
        text = text.replace(ours, theirs)
    rows = list(csv.reader(text.splitlines()))
    return rows[0], [tuple(row) for row in rows[1:]]


def compare_table(ours, expected, renames, added):
    if not ours.exists():
        complain(f"{ours} is missing")
        return
    heading, rows = read_table(ours, renames)
    wanted_heading, wanted = read_table(expected, [])
    rows = [row for row in rows if row[0] not in added]
    if heading != wanted_heading:
        complain(f"{ours}: heading {heading}")
    cycles = [int(row[heading.index("cycles")]) for row in rows]
    if cycles != sorted(cycles, reverse=True):
        complain(f"{ours}: not sorted by cycles")
    for row in sorted(set(wanted) ^ set(rows)):
        complain(f"{ours}: {'lacks' if row in wanted else 'has also'} {row}")
    if len(rows) != len(wanted):
        complain(f"{ours}: {len(rows)} rows, not {len(wanted)}")


def read_blocks(path):
    """Contents by type; source texts by path."""
    data = path.read_bytes()
    blocks, sources, at = {}, {}, 0
    while at < len(data):
        size, kind, padding, version, _ = struct.unpack_from("<QBBBB", data, at)
        at += 12
        if kind == 1:
            name = data[at:at + 4096].rstrip(b"\0").decode()
            at += 4096
            sources[name] = data[at:at + size - padding]
        else:
            blocks[kind] = data[at:at + size - padding].decode()
        if version != (0 if kind == 4 else 0x5A):
            complain(f"{path}: block {kind} has version {version}")
        at += size
    return blocks, sources


def differences(ours, theirs, where, without):
    """Members of objects are compared in their order, too."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        our_keys = [key for key in ours if key not in without]
        keys = [key for key in theirs if key not in without]
        if our_keys != keys:
            complain(f"{where}: members {our_keys}, not {keys}")
            return
        for key in keys:
            differences(ours[key], theirs[key], f"{where}.{key}", without)
    elif isinstance(theirs, list) and isinstance(ours, list) and len(ours) == len(theirs):
        for i, (our, their) in enumerate(zip(ours, theirs)):
            differences(our, their, f"{where}[{i}]", without)
    elif ours != theirs or type(ours) is not type(theirs):
        complain(f"{where}: {ours}, not {theirs}")


def compare_block(blocks, kind, expected, options):
    if not expected.exists():
        if kind in blocks:
            complain(f"there is a block {kind}, and should be none")
        return
    if kind not in blocks:
        complain(f"there is no block {kind}")
        return
    text = blocks[kind]
    for ours, theirs in options.rename:
        text = text.replace(ours, theirs)
    ours = json.loads(text)
    if text != json.dumps(ours, separators=(",", ":"), ensure_ascii=False):
        complain(f"block {kind} is not compact")
    if "Instructions" in ours:
        ours["Instructions"] = [entry for entry in ours["Instructions"]
                                if entry["Source"].split(" ")[0] not in options.added]
    differences(ours, json.loads(expected.read_text()), f"block {kind}", options.without)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours", type=pathlib.Path)
    parser.add_argument("expected", type=pathlib.Path)
    parser.add_argument("--rename", action="append", default=[], type=lambda text: text.split("="))
    parser.add_argument("--without", default=[], type=lambda text: text.split(","))
    parser.add_argument("--added", default=[], type=lambda text: text.split(","))
    options = parser.parse_args()
    tables = sorted(options.expected.glob("*/*.csv"))
    for table in tables:
        compare_table(options.ours / table.relative_to(options.expected), table, options.rename,
                      options.added)
    for table in options.ours.glob("*/*_exe.csv"):
        if not (options.expected / table.relative_to(options.ours)).exists():
            complain(f"{table} should not be there")
    blocks, sources = read_blocks(options.ours / "visualize_data.bin")
    compare_block(blocks, 4, options.expected / "instr_api.json", options)
    compare_block(blocks, 3, options.expected / "file_api.json", options)
    for name, text in sources.items():
        if pathlib.Path(name).read_bytes() != text:
            complain(f"the text of {name} is another")
    shown = {entry["Source"] for entry in json.loads(blocks[3])["Files"]} if 3 in blocks else set()
    if shown != set(sources):
        complain(f"lines of {sorted(shown)}, texts of {sorted(sources)}")
    if not tables:
        complain(f"{options.expected} has no tables")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
