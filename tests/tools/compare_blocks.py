#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the blocks of a visualize_data.bin with what the reference tool made.

usage: compare_blocks.py OURS.bin EXPECTED_DIR [--differences FILE] [--rtol 2e-6]

EXPECTED_DIR holds block_<type>_<name>.json. Every value has a place such as
09/table_per_block/0/table_detail/L1/row/L1 Write GM/value/1: members by name, elements of lists by
what names them, else by number. Numbers, also those within texts, may differ by the tolerance;
lists of named elements must have the same order; a piece of advice counts how often it is given.
Differences that FILE lists (see onboard_differences.py, where is block/ and the place) do not
count; a listed one that does not show up does. Exit status 1 when something differs.
"""
import argparse
import glob
import json
import os
import re
import struct
import sys

from onboard_differences import MISSING, Differences

NAMES = ("block_id", "core_no", "core_id", "table_name", "title", "bw_name", "name", "memory_path")
NUMBER = re.compile(r"-?\d+\.\d+(?:[eE][-+]?\d+)?")


def read_blocks(path):
    with open(path, "rb") as file:
        data = file.read()
    blocks, at = {}, 0
    while at < len(data):
        size, kind, padding = struct.unpack_from("<QBB", data, at)
        at += 12 + (4096 if kind == 1 else 0)
        if kind in blocks:
            sys.exit("%s: two blocks of type %x" % (path, kind))
        blocks[kind] = json.loads(data[at:at + size - padding])
        at += size
    return blocks


def element_name(element, number):
    if not isinstance(element, dict):
        return str(number)
    if "block_type" in element:
        return "%s:%s:%s:%s" % (element["block_id"], element["block_type"], element["name"],
                                element["unit"])
    if "subcore_type" in element:
        return "%s%s" % (element["subcore_type"], element["subcore_id"])
    for name in NAMES:
        if name in element:
            return str(element[name])
    return str(number)


def flatten_list(elements, place, values):
    if place.endswith("/advice"):
        for text in elements:
            where = "%s/%s" % (place, text)
            values[where] = values.get(where, 0) + 1
        return
    names = [element_name(element, i) for i, element in enumerate(elements)]
    if len(set(names)) != len(names) and all("computility_name" in element for element in elements):
        names = ["%s, %s" % (element["bw_name"], element["computility_name"])
                 for element in elements]
    if len(set(names)) != len(names):
        names = [str(i) for i in range(len(names))]
    if not all(isinstance(element, dict) for element in elements):
        values[place + "/length"] = len(elements)
    values[place + "/order"] = names
    for name, element in zip(names, elements):
        flatten(element, "%s/%s" % (place, name), values)


def flatten(value, place, values):
    if isinstance(value, dict):
        for name, member in value.items():
            flatten(member, "%s/%s" % (place, name), values)
    elif isinstance(value, list):
        flatten_list(value, place, values)
    else:
        values[place] = value


def close(a, b, rtol):
    return abs(a - b) <= 1e-6 + rtol * abs(b)


def same(ours, theirs, rtol):
    if ours == theirs:
        return True
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        return close(ours, theirs, rtol)
    if not isinstance(ours, str) or not isinstance(theirs, str):
        return False
    a, b = NUMBER.findall(ours), NUMBER.findall(theirs)
    return (NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
            and all(close(float(x), float(y), rtol) for x, y in zip(a, b)))


def same_order(ours, theirs):
    return [name for name in ours if name in theirs] == [name for name in theirs if name in ours]


def compare(place, ours, theirs, rtol, allowed):
    mine, wanted = {}, {}
    flatten(ours, place, mine)
    flatten(theirs, place, wanted)
    bad = []
    for where in sorted(set(mine) | set(wanted)):
        a, b = mine.get(where, MISSING), wanted.get(where, MISSING)
        if where.endswith("/order"):
            if a != MISSING and b != MISSING and not same_order(a, b):
                bad.append("%s: %s, expected %s" % (where, a, b))
        elif not same(a, b, rtol) and not allowed.allow(where, str(b), str(a)):
            bad.append("%s: ours %s, expected %s" % (where, a, b))
    return len(wanted), bad


def main():
    parser = argparse.ArgumentParser(description="compare the blocks of a visualize_data.bin")
    parser.add_argument("ours")
    parser.add_argument("expected")
    parser.add_argument("--differences")
    parser.add_argument("--rtol", type=float, default=2e-6)
    options = parser.parse_args()
    allowed = Differences(options.differences)
    ours = read_blocks(options.ours)
    theirs = {}
    for path in glob.glob(os.path.join(options.expected, "block_*.json")):
        with open(path, encoding="utf-8") as file:
            theirs[int(os.path.basename(path)[6:8], 16)] = json.load(file)
    if not theirs:
        sys.exit("no blocks in %s" % options.expected)
    failed = False
    for kind in sorted(set(ours) | set(theirs)):
        count, bad = compare("block/%02x" % kind, ours.get(kind, {}), theirs.get(kind, {}),
                             options.rtol, allowed)
        print("block %02x: %d values, %d differences" % (kind, count, len(bad)))
        for line in bad:
            print("  " + line)
        failed = failed or bool(bad)
    for line in allowed.unused("block/"):
        print("listed, but not there: " + line)
        failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
