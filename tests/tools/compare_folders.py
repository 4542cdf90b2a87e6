#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the results of two builds, folder by folder: compare_folders.py OLD NEW. Says of each
file that differs where it does; exits with 1 if any does."""
import csv
import json
import os
import re
import sqlite3
import struct
import sys

ADVICE_BLOCK = 2  # type of the block of visualize_data.bin that holds advice


def files(folder):
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            full = os.path.join(path, name)
            found[os.path.relpath(full, folder)] = full
    return found


def first_difference(old, new):
    where = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    begin = max(0, where - 30)
    return f"at byte {where}: {old[begin:where + 50]!r} became {new[begin:where + 50]!r}"


def events(data):
    trace = json.loads(data)
    rows = trace.pop("traceEvents")
    return trace, sorted(json.dumps(row, sort_keys=True) for row in rows)


def same_in_another_order(name, old, new):
    """Events of a trace and rows of a table may come in another order where cores or ranks are
    worked on side by side."""
    try:
        if name.endswith(".json"):
            return events(old) == events(new)
    except (ValueError, KeyError):
        return False
    return name.endswith(".csv") and sorted(old.splitlines()) == sorted(new.splitlines())


def process_of(folder):
    """The number of the process whose operator was profiled."""
    try:
        with open(os.path.join(folder, "OpBasicInfo.csv"), encoding="utf-8", newline="") as file:
            return next(csv.DictReader(file)).get("Pid") or None
    except (OSError, StopIteration):
        return None


def content(path, processes):
    """The bytes of a file, without the numbers of processes; of a database its statements."""
    if path.endswith(".sqlite"):
        base = sqlite3.connect(path)
        data = "\n".join(base.iterdump()).encode()
        base.close()
    else:
        with open(path, "rb") as file:
            data = file.read()
    for process in filter(None, processes):
        data = re.sub(rb"\b" + process.encode() + rb"\b", b"#" * len(process), data)
    return data


def unsteady(key):
    """Whether a member of run.json differs from run to run."""
    return key in ("started",
                   "bottleneck") or key.endswith(
        ("_ns", " us")) or "bytes" in key or "peak" in key or "batches" in key


def steady(value):
    if isinstance(value, dict):
        return {key: steady(item) for key, item in value.items() if not unsteady(key)}
    return [steady(item) for item in value] if isinstance(value, list) else value


def blocks(data):
    found, at = [], 0
    while at + 12 <= len(data):
        size, kind = struct.unpack_from("<QB", data, at)
        found.append((kind, data[at + 8:at + 12], data[at + 12:at + 12 + size]))
        at += 12 + size
    return found


def compare_containers(old, new):
    """What differs, and whether it is only the order."""
    old_blocks, new_blocks = blocks(old), blocks(new)
    if [b[0] for b in old_blocks] != [b[0] for b in new_blocks]:
        return f"blocks {[b[0] for b in old_blocks]} became {[b[0] for b in new_blocks]}", False
    moved = None
    for old_block, new_block in zip(old_blocks, new_blocks):
        old_content, new_content = old_block[-1], new_block[-1]
        if old_block == new_block or without_advice(old_content) == without_advice(new_content):
            continue
        said = f"block of type {old_block[0]} {first_difference(old_content, new_content)}"
        if not same_in_another_order("trace.json", old_content.rstrip(b" \0"),
                                     new_content.rstrip(b" \0")):
            return said, False
        moved = said
    return moved, True


def without_advice(content):
    """Of a block that is JSON, what is not an advice."""
    try:
        value = json.loads(content)
    except ValueError:
        return content
    return strip(value)


def strip(value):
    if isinstance(value, dict):
        return {key: strip(item) for key, item in value.items() if "advice" not in key.lower()}
    return [strip(item) for item in value] if isinstance(value, list) else value


def compare(name, old, new):
    """What differs, if anything, and whether it is only the order."""
    if old == new:
        return None, False
    if os.path.basename(name) == "run.json":
        old, new = (json.dumps(steady(json.loads(text)), indent=1).encode() for text in (old, new))
        return (None, False) if old == new else (first_difference(old, new), False)
    if os.path.basename(name) == "visualize_data.bin":
        return compare_containers(old, new)
    return first_difference(old, new), same_in_another_order(name, old, new)


def main():
    old, new = files(sys.argv[1]), files(sys.argv[2])
    differ = moved = 0
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            said, only_order = "is new" if name in new else "is gone", False
        else:
            case = name.split(os.sep)[0]
            processes = [process_of(os.path.join(side, case)) for side in sys.argv[1:]]
            said, only_order = compare(name, *(content(found[name], processes)
                                               for found in (old, new)))
        if said and only_order:
            moved += 1
        elif said:
            differ += 1
            print(f"{name}: {said}")
    print(f"{len(old.keys() | new.keys())} files, {differ} differ, {moved} more only in "
          "their order")
    return 1 if differ or not old else 0


if __name__ == "__main__":
    sys.exit(main())
