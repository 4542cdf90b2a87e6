# SPDX-License-Identifier: Apache-2.0
"""Hit rates of described kernels in a small cache of 64 sets x 10 ways x 512 bytes, computed on
paper.

A tile of 32 KiB has one line in each set, so a set holds ten tiles' lines and the sets behave
alike.
"""
import csv
import json
import os
import shutil
import struct
import subprocess
import sys

scratch, tools = sys.argv[1:3]
sys.path.insert(0, tools)
import dbi_kernels as kernels  # noqa: E402

RUN = os.environ["OPPROF_RUN"]
SOURCE = os.path.join(scratch, "dump")
RESULT = os.path.join(scratch, "result")
SETS, WAYS = 64, 10
checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit("FAIL: %s" % what)


def model(*options):
    shutil.rmtree(RESULT, ignore_errors=True)
    done = subprocess.run([RUN, "--pipeline", "dbi-dump", "--set", "input=" + SOURCE, "--output",
                           RESULT, "--flat", "--quiet", "--set", "cache.sets=%d" % SETS, "--set",
                           "cache.ways=%d" % WAYS, *options],
                          capture_output=True, text=True, check=False)
    check(done.returncode == 0, "exit code %d: %s" % (done.returncode, done.stderr))


def table(name):
    path = os.path.join(RESULT, name + ".csv")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def fates(row):
    return tuple(int(row[name]) for name in ("hits", "compulsory", "capacity", "conflict"))


def make(kernel, **options):
    shutil.rmtree(SOURCE, ignore_errors=True)
    kernels.write(kernel, SOURCE, **options)


def expect(what, wanted):
    found = fates(table("L2CacheModel")[0])
    check(found == wanted, "%s: %s, not %s" % (what, found, wanted))


# Product of 4 x 4 tiles, 64 lines each. For each tile of C a row of A and a column of B are read.
# Between two uses of a tile of A lie 3 tiles of A, 4 of B and one of C: it stays. Between two of B
# lie all 15 others: it left, and 15 + 4 tiles are more than the cache holds: capacity. C is written
# once.
make("matmul", n=4, block=1)
model()
LINES = 64
expect("matmul, not tiled", (48 * LINES, 48 * LINES, 48 * LINES, 0))
by_pc = {row["address"]: fates(row) for row in table("L2CachePc")}
check(by_pc == {"0x1269f100": (48 * LINES, 16 * LINES, 0, 0),
                "0x1269f120": (0, 16 * LINES, 48 * LINES, 0), "0x1269f140": (0, 16 * LINES, 0, 0)},
      "matmul by instruction: %s" % by_pc)
check([row["bytes"] for row in table("L2CachePc")] == [str(64 * 32768)] * 2 + [str(16 * 32768)],
      "bytes by instruction")
check(len(table("L2CacheBuffer")) == 3, "matmul has three buffers")
check([(row["block"], row["core"]) for row in table("L2CacheCore")] == [("0", "cube0")],
      "matmul runs on a cube core")
advice = table("advice")
check(len(advice) == 1 and "'0x12c040000000'" in advice[0]["sentence"] and "another loop order"
      in advice[0]["todo"],
      "matmul's advice: %s" % advice)

# In macro tiles of 2 x 2: of 8 tiles each is read twice within a step, and left before the next
# step that reads it.
make("matmul", n=4, block=2)
model()
expect("matmul, tiled", (64 * LINES, 48 * LINES, 32 * LINES, 0))

# Everything fits: each line misses once, whichever line would leave.
make("matmul", n=4, block=1)
for policy in ("lru", "fifo", "plru", "random"):
    model("--set", "cache.ways=48", "--set", "policy=" + policy)
    expect("matmul in a large cache, " + policy, (96 * LINES, 48 * LINES, 0, 0))
    check(table("L2CacheModel")[0]["policy"] == policy, "policy is named")

# Transpose with a pitch of all sets: a column's 32 lines share a set of ten ways. A line takes 16
# rows.
make("transpose", size=32, pitch=32768)
model("--set", "buffers=source:0x12c000000000:0x8000,target:0x12c040000000:0x100000")
WRITES, ONCE = 32 * 32, 32 * 32 // 16
expect("transpose", (0, 2 * ONCE, 0, WRITES - ONCE))
advice = table("advice")
check(len(advice) == 1 and "'target'" in advice[0]["sentence"] and
      advice[0]["file"] == "L2CacheBuffer.csv" and advice[0]["column"] == "conflict" and
      float(advice[0]["value"]) == WRITES - ONCE and "stride=32768 byte" in advice[0]["numbers"] and
      "every 32768 bytes, which uses 1 of 64 sets" in advice[0]["sentence"],
      "transpose's advice: %s" % advice)
# Rows one line further apart use all sets: then lines are evicted by nothing.
make("transpose", size=32, pitch=32768 + 512)
model()
expect("transpose, padded", (WRITES - ONCE, 2 * ONCE, 0, 0))
check([advice["rule"] for advice in table("advice")] == ["healthy-cache"], "nothing to advise: %s" %
      table("advice"))

# Buffers that share a region: A is read again from the cache, of 32 KiB the first two tiles have
# names, and what no name covers keeps its address.
make("matmul", n=4, block=1)
A = 0x12C000000000
model("--set", "buffers=b:0x%x:0x200000,second:0x%x:0x8000,first:0x%x:32768" %
      (A + (1 << 30), A + 0x8000, A))
rows = {row["name"]: (fates(row), row["first"], row["last"]) for row in table("L2CacheBuffer")}
wanted = {name: ((3 * tiles * LINES, tiles * LINES, 0, 0), hex(A + low),
                 hex(A + low + tiles * 0x8000 - 1))
          for name, low, tiles in (("first", 0, 1), ("second", 0x8000, 1),
                                   (hex(A + 0x10000), 0x10000, 14))}
check({name: rows[name] for name in wanted if name in rows} == wanted, "buffers beside each "
      "other: %s" % rows)
check(rows["b"][0] == (0, 16 * LINES, 48 * LINES, 0), "a buffer of its own: %s" % (rows["b"],))
for wrong, why in (("a:0:16,b:8:16", "'a' and 'b' overlap"), ("a:-5:16", "'a:-5:16', which is not"),
                   ("a:0x1ffffffffffffffff:1", "which is not"), ("a:0:0", "which is not"),
                   ("a:0:18446744073709551615,b:1:1", "overlap"), ("a", "which is not"),
                   (":0:1", "which is not"), ("a:0:1:2", "which is not"),
                   ("a:8:18446744073709551615", "which is not")):
    refused = subprocess.run([RUN, "--validate", "--pipeline", "dbi-dump", "--set", "input=" +
                              SOURCE, "--set", "buffers=" + wrong],
                             capture_output=True, text=True, check=False)
    check(refused.returncode == 2 and why in refused.stderr, "buffers=%s: %s" %
          (wrong, refused.stderr))

# Upper bits in the set: rows 65 lines apart all fall into one. A stride alone does not tell how
# many sets it uses, so the advice does not say so.
chips = os.path.join(scratch, "chips")
os.makedirs(chips, exist_ok=True)
with open(os.path.join(chips, "hashed.json"), "w", encoding="utf-8") as out:
    json.dump({"opprof_chip": "1.0", "series": "Hashed", "extends": "910B", "socs": {"Hashed1": {}},
               "caches": {"l2": {"hash": "xor"}}}, out)
make("transpose", size=32, pitch=65 * 512, soc="Hashed1")
os.environ["OPPROF_CHIP_PATH"] = chips + os.pathsep + os.environ.get("OPPROF_CHIP_PATH", "")
model()
advice = table("advice")
check(len(advice) == 1 and "to conflicts" in advice[0]["sentence"]
      and "sets" not in advice[0]["sentence"], "a hashed cache: %s" % advice)

# Gather over a table that fits, twice; over one of twice the size of the cache; and by two cores.
make("gather", lines=SETS * WAYS, passes=2)
model()
expect("gather that fits", (SETS * WAYS, SETS * WAYS, 0, 0))
make("gather", lines=2 * SETS * WAYS, passes=3)
model()
expect("gather that does not fit", (0, 2 * SETS * WAYS, 4 * SETS * WAYS, 0))
make("gather", lines=100, passes=1, slots=2)
model()
cores = [(row["core"], fates(row)) for row in table("L2CacheCore")]
check(cores == [("vector0", (0, 100, 0, 0)), ("vector0", (100, 0, 0, 0))], "a second core finds "
      "what the first one read: %s" % cores)

# The heat map in the viewer's container: a cell a set, with the instructions that hit and missed
# there.
with open(os.path.join(RESULT, "visualize_data.bin"), "rb") as data:
    size, kind, padding, version = struct.unpack("<QBBBx", data.read(12))
    body = json.loads(data.read(size)[:size - padding])
check((kind, version) == (0x0E, 0x5A), "block type %d" % kind)
records = body["Cacheline Records"]
check([record["Cacheline Id"] for record in records] == list(range(SETS)), "a cell a set")
check(sum(record["Hit"]["Value"][0] for record in records) == 100
      and sum(record["Miss"]["Value"][0] for record in records) == 100, "cells add up")
check(records[0]["Hit"] == {"Value": [2, 0.5], "Address Range": [["0x1269f300", "0x1269f300"]]},
      "first cell: %s" % records[0])
check(json.dumps(records[40]["Miss"]["Value"]) == "[1, 0.5]", "another cell: %s" % records[40])
print("%d checks" % checks)
