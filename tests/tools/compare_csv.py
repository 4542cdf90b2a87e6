#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare metric CSV files of two folders.

usage: compare_csv.py OURS_DIR EXPECTED_DIR [--rtol 2e-6] [--atol 1e-6] [--examples 5]
       [--differences FILE]

Files are paired by name; a time stamp before the suffix (_ and 14 to 17
digits) is ignored.  Rows are paired by (block_id, sub_block_id) when the file
has these columns, else by position.  The comma that ends every line is
ignored.  A field is equal when the text is equal, or when both are numbers
with |a - b| <= atol + rtol * |expected|.  NA is equal only to NA.  Header
names and their order, the set of rows and the row order must agree, and
integers of the expected file must be integers with the same value.

Differences that FILE lists (see onboard_differences.py) do not count; where is
csv/<file>/<row>/<column>, such as csv/Memory.csv/0,cube0/aic_time(us). A listed
difference that does not show up does count.

Prints one line per file and a few examples; exit 1 on any difference, 2 when
there is nothing to compare.
"""
import argparse
import math
import os
import re
import sys

from onboard_differences import Differences

STAMP = re.compile(r"^(.*?)(?:_\d{14,17})?\.csv$")
INTEGER = re.compile(r"^-?\d+$")


def files_of(directory):
    out, double = {}, []
    for name in sorted(os.listdir(directory)):
        if name == "advice.csv":
            continue  # of ours alone
        m = STAMP.match(name)
        if m and os.path.isfile(os.path.join(directory, name)):
            if m.group(1) in out:
                double.append(m.group(1))
            out[m.group(1)] = os.path.join(directory, name)
    return out, double


def read(path):
    with open(path, encoding="utf-8", newline="") as f:
        lines = f.read().split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    table = []
    for line in lines:
        cells = line.rstrip("\r").split(",")
        if cells and cells[-1] == "":
            cells.pop()
        table.append(cells)
    return (table[0], table[1:]) if table else ([], [])


def number(text):
    try:
        v = float(text)
    except ValueError:
        return None
    return v if math.isfinite(v) else None


def same(ours, want, rtol, atol):
    if ours == want:
        return True
    if ours == "NA" or want == "NA":
        return False
    if INTEGER.match(want) and want != "0":
        return bool(INTEGER.match(ours)) and int(ours) == int(want)
    a, b = number(ours), number(want)
    if a is None or b is None:
        return False
    return abs(a - b) <= atol + rtol * abs(b)


def compare_file(name, ours, want, rtol, atol, allowed):
    """(number of fields compared, [difference text])"""
    head_a, rows_a = read(ours)
    head_b, rows_b = read(want)
    if not head_a or not head_b:
        return 0, ["empty file"]
    bad = []
    if head_a != head_b:
        only_a = [h for h in head_a if h not in head_b]
        only_b = [h for h in head_b if h not in head_a]
        bad.append("header: only ours %s, only expected %s%s"
                   % (only_a, only_b, "" if only_a or only_b else ", other order or number "
                                                                  "of columns"))
    keyed = all(c in h for h in (head_a, head_b) for c in ("block_id", "sub_block_id"))

    def keys(head, rows):
        if not keyed:
            return ["row %d" % i for i in range(len(rows))]
        b, s = head.index("block_id"), head.index("sub_block_id")
        return [(r[b], r[s]) if len(r) > max(b, s) else ("short", str(i)) for i,
                r in enumerate(rows)]

    ka, kb = keys(head_a, rows_a), keys(head_b, rows_b)
    if len(set(ka)) != len(ka):
        bad.append("a key appears twice in ours")
    for k in kb:
        if k not in ka:
            bad.append("row %s is not in ours" % (k,))
    for k in ka:
        if k not in kb:
            bad.append("row %s is only in ours" % (k,))
    if sorted(map(str, ka)) == sorted(map(str, kb)) and ka != kb:
        bad.append("rows are in another order")
    # repeated column names are paired by their occurrence
    def columns(head):
        count, out = {}, {}
        for i, h in enumerate(head):
            count[h] = count.get(h, 0) + 1
            out[(h, count[h])] = i
        return out
    ca, cb = columns(head_a), columns(head_b)
    by_key = dict(zip(ka, rows_a))
    n = 0
    for k, row in zip(kb, rows_b):
        mine = by_key.get(k)
        if mine is None:
            continue
        if len(mine) != len(head_a) or len(row) != len(head_b):
            bad.append("row %s: %d and %d fields, headers %d and %d"
                       % (k, len(mine), len(row), len(head_a), len(head_b)))
        for c, j in cb.items():
            if c not in ca or j >= len(row) or ca[c] >= len(mine):
                continue
            n += 1
            value = mine[ca[c]]
            where = "csv/%s/%s/%s" % (name, ",".join(k) if keyed else k, c[0])
            if not same(value, row[j], rtol, atol) and not allowed.allow(where, row[j], value):
                bad.append("%s %s: ours %s, expected %s" % (k, c[0], value, row[j]))
    return n, bad


def main():
    ap = argparse.ArgumentParser(description="compare metric CSV folders")
    ap.add_argument("ours")
    ap.add_argument("expected")
    ap.add_argument("--rtol", type=float, default=2e-6)
    ap.add_argument("--atol", type=float, default=1e-6)
    ap.add_argument("--examples", type=int, default=5)
    ap.add_argument("--differences")
    a = ap.parse_args()
    for d in (a.ours, a.expected):
        if not os.path.isdir(d):
            print("no such folder: %s" % d)
            sys.exit(2)
    (ours, double), (want, double_b) = files_of(a.ours), files_of(a.expected)
    if not want:
        print("no CSV file in %s" % a.expected)
        sys.exit(2)
    allowed = Differences(a.differences)
    failed = False
    for name in sorted(set(double + double_b)):
        print("%s.csv: more than one file of this name" % name)
        failed = True
    for name in sorted(set(ours) | set(want)):
        if name not in ours or name not in want:
            print("%s.csv: only in %s" % (name, "ours" if name in ours else "expected"))
            failed = True
            continue
        n, bad = compare_file(name + ".csv", ours[name], want[name], a.rtol, a.atol, allowed)
        print("%s.csv: %d fields, %d differences" % (name, n, len(bad)))
        for b in bad[:a.examples]:
            print("  " + b)
        failed = failed or bool(bad)
    for line in allowed.unused("csv/"):
        print("listed, but not there: " + line)
        failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
