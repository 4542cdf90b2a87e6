# SPDX-License-Identifier: Apache-2.0
"""Stubs of an unknown architecture need one JSON file; and files of all lengths, each a launch of
one run."""
import csv
import json
import os
import shutil
import struct
import subprocess
import sys

scratch, tools = sys.argv[1:3]
sys.path.insert(0, tools)
import dbi_raw as raw  # noqa: E402

RUN = os.environ["OPPROF_RUN"]
CHIPS = os.path.join(scratch, "chips")
SOURCE, RESULT = os.path.join(scratch, "dump"), os.path.join(scratch, "result")
MAGIC = 0x12345678
checks = 0


def places(**fields):
    """Fields of a record: their first byte and bits by name."""
    return {name.rstrip("_"): {"at": at, "bits": bits} for name, (at, bits) in fields.items()}


NOVA = {
    "opprof_chip": "1.0", "series": "Nova", "default_soc": "Nova1", "socs": {"Nova1": {}},
    "uses": ["dbi-rules"], "cores": {"vectors": 2, "cubes": 1},
    "caches": {"l2": {"line": 128, "ways": 2, "sets": 8, "policy": "fifo"}},
    "pmu": {"moves": {"IN": {"routes": ["GM>SPM"], "bytes": 64}}},
    "dbi": {
        "area": {"slots": 4, "bytes": 1024, "gap": 16, "header": 32, "magic": MAGIC},
        "memories": ["SPM", "GM"], "type_bits": [8],
        "records": {
            "NOVA_LOAD": {"type": 40, "size": 24, "rule": "bursts", "from": "GM", "to": "SPM",
                          "fields": places(src=(0, 64), dst=(8, 32), pc=(12, 32), bursts=(16, 16),
                                           length=(18, 16), src_stride=(20, 16))}},
        "instructions": {"LOAD_TILE": {"id": 1, "stub": "load_tile", "operands": [0, 1],
                                       "record": "NOVA_LOAD", "path": "GM>SPM"}}}}


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit("FAIL: %s" % what)


def run(code, *options):
    shutil.rmtree(RESULT, ignore_errors=True)
    environment = dict(os.environ, OPPROF_CHIP_PATH=CHIPS + ":" + os.environ["OPPROF_CHIP_PATH"])
    done = subprocess.run([RUN, "--pipeline", "dbi-dump", "--set", "input=" + SOURCE, "--output",
                           RESULT, "--flat", "--quiet", *options],
                          capture_output=True, text=True, check=False, env=environment)
    check(done.returncode == code, "exit code %d, not %d: %s" %
          (done.returncode, code, done.stderr[:2000]))
    return done.stderr


def table(*path):
    path = os.path.join(RESULT, *path) + ".csv"
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


# ---------------------------------------------------------------- another architecture

def nova_load(src, pc, bursts, blocks, gap):
    return struct.pack("<2I", 40, MAGIC) + struct.pack("<QIIHHH2x", src, 0, pc, bursts, blocks, gap)


def nova_area(slots):
    data = bytearray()
    for slot in range(max(slots) + 1):
        records = slots.get(slot, [])
        one = struct.pack("<2Q", len(records), sum(map(len, records))) + bytes(16) + b"".join(
            records)
        data += one + bytes(1024 + 16 - len(one))
    return bytes(data)


os.makedirs(CHIPS)
with open(os.path.join(CHIPS, "Nova.json"), "w", encoding="utf-8") as out:
    json.dump(NOVA, out)
os.makedirs(SOURCE)
with open(os.path.join(SOURCE, "op_basic_info.txt"), "w", encoding="utf-8") as out:
    out.write("Run Soc Version=Nova1\n")
with open(os.path.join(SOURCE, "DbiArea.bin"), "wb") as out:
    out.write(nova_area({0: [nova_load(0x10000, 0x40, 4, 2, 1)],
                         3: [nova_load(0x10000, 0x44, 2, 4, 0)] * 2}))
run(0)
found = [(row["Block ID"], row["Source"], row["Destination"], row["Accesses"], row["Bytes Read"],
          row["Requests"]) for row in table("MemoryTraffic")]
# 4 bursts of 64 bytes, 96 apart; twice 2 of 128
check(found == [("0", "GM", "SPM", "4", "256", "4"), ("2", "GM", "SPM", "4", "512", "8")],
      "traffic of another architecture: %s" % found)
model = table("L2CacheModel")[0]
check((model["policy"], model["line"], model["ways"], model["sets"]) == ("fifo", "128", "2", "8"),
      "its cache: %s" % model)
found = {row["record"] + " " + row["from"] + ">" + row["to"]: (row["hits"], row["misses"])
         for row in table("L2CachePc")}
# Bursts at 0, 96, 192 and 288 touch lines 0; 0, 1; 1; 2: three misses. Then lines 0 and 1, twice.
check(table("L2CachePc")[0]["misses"] == "3" and table("L2CachePc")[0]["hits"] == "2"
      and table("L2CachePc")[1]["hits"] == "4",
      "its instructions: %s" % found)

# What its file leaves out: a block is then one core. What it calls by another name: the memory
# behind the cache.
del NOVA["cores"]
NOVA["dbi"]["memories"][1] = NOVA["dbi"]["global"] = NOVA["dbi"]["records"]["NOVA_LOAD"][
    "from"] = "POOL"
NOVA["pmu"]["moves"]["IN"]["routes"] = ["POOL>SPM"]
NOVA["dbi"]["instructions"]["LOAD_TILE"]["path"] = "POOL>SPM"
with open(os.path.join(CHIPS, "Nova.json"), "w", encoding="utf-8") as out:
    json.dump(NOVA, out)
run(0)
found = [(row["Block ID"], row["Source"], row["Bytes Read"]) for row in table("MemoryTraffic")]
check(found == [("0", "POOL", "256"), ("3", "POOL", "512")], "blocks of one core: %s" % found)
found = [(row["hits"], row["misses"]) for row in table("L2CachePc")]
check([hits for hits, _ in found] == ["2", "4"] and found[0][1] == "3", "the cache before another "
      "memory: %s" % found)

# ---------------------------------------------------------------- more memories than Ascend has,
# and rules of its own

BANKS = ["BANK%d" % i for i in range(20)]
VAST = {
    "opprof_chip": "1.0", "series": "Vast", "default_soc": "Vast1", "socs": {"Vast1": {}},
    "pmu": {"moves": {"OUT": {"routes": ["BANK17>POOL"], "bytes": 16}}},
    "dbi": {
        "area": {"slots": 2, "bytes": 1024, "gap": 0, "header": 16, "magic": MAGIC},
        "memories": BANKS + ["POOL"], "global": "POOL",
        "chart": {"size": 24, "byte_order": "big", "fields": {
            "src": {"at": 0, "bits": 32}, "dst": {"at": 4, "bits": 32},
            "src_bytes": {"at": 8, "bits": 16}, "dst_bytes": {"at": 10, "bits": 16},
            "pc": {"at": 12, "bits": 32}, "slot": {"at": 16, "bits": 8},
            "sub_block": {"at": 17, "bits": 8}, "from": {"at": 18, "bits": 5},
            "to": {"at": 19, "bits": 5}}},
        # Diagonals: the first bank of a record, every `skip` bytes, is gathered `turns` times into
        # rows of the pool.
        "rules": {"diagonal": {
            "fields": ["turns", "skip", "width"],
            "let": {"pieces": "align(width, 8) / 8", "row": "t * 256"},
            "invalid": "width > 64",
            "loops": [{"index": "t", "count": "turns"}],
            "runs": [{"count": "pieces", "src": "src + t * skip", "dst": "dst + row",
                      "src_bytes": 8, "dst_bytes": 8, "src_step": "skip", "dst_step": 8}]}},
        "records": {"GATHER": {"type": 1, "size": 16, "rule": "diagonal", "to": "POOL",
                               "fields": places(src=(0, 32), dst=(4, 32), turns=(8, 16),
                                                skip=(10, 16), width=(12, 8), from_=(13, 8))}}}}


def gather(src, dst, turns, skip, width, bank):
    return struct.pack("<2I", 1, MAGIC) + struct.pack("<2I2H2B2x", src, dst, turns, skip, width,
                                                      bank)


def traffic_of_vast(name, data):
    shutil.rmtree(SOURCE)
    os.makedirs(SOURCE)
    with open(os.path.join(SOURCE, "op_basic_info.txt"), "w", encoding="utf-8") as out:
        out.write("Run Soc Version=Vast1\n")
    with open(os.path.join(SOURCE, name), "wb") as out:
        out.write(data)
    return lambda: [tuple(row[key] for key in ("Block ID", "Source", "Destination", "Accesses",
                                               "Bytes Read", "Requests"))
                    for row in table("MemoryTraffic")]


def write_vast():
    with open(os.path.join(CHIPS, "Vast.json"), "w", encoding="utf-8") as out:
        json.dump(VAST, out)


NO_CACHE = ("--set", "cache.sets=2", "--set", "cache.ways=2", "--set", "cache.line=128")
write_vast()
records = [gather(0x100, 0x2000, 3, 72, 20, 17), gather(0x900, 0x2000, 2, 8, 8, 3)]
area = struct.pack("<2Q", 2, sum(map(len, records))) + b"".join(records)
found = traffic_of_vast("DbiArea.bin", area)
run(0, *NO_CACHE)
# 3 turns of 3 pieces of 8 bytes, each in a request of 16; 2 of 1
check(sorted(found()) == [("0", "BANK17", "POOL", "9", "72", "9"),
                          ("0", "BANK3", "POOL", "2", "16", "NA")], "a rule of its own: %s" %
      found())

records = [gather(0, 0, 1, 8, 65, 1), gather(0, 0, 1, 8, 8, 21), gather(0, 0, 1, 8, 8, 19)]
area = struct.pack("<2Q", 3, sum(map(len, records))) + b"".join(records)
found = traffic_of_vast("DbiArea.bin", area)
said = run(4, *NO_CACHE)
check(found() == [("0", "BANK19", "POOL", "1", "8", "NA")], "what its rule refuses, and a memory "
                                                            "beyond its own: %s" % found())

accesses = [(0x100, 0, 64, 64, 1, 0, 0, 17, 20), (0x200, 0, 32, 32, 1, 1, 0, 20, 19),
            (0, 0, 8, 8, 1, 0, 0, 2, 21)]
found = traffic_of_vast("MemoryChart.bin", b"".join(struct.pack(">2I2HI4B4x", *one)
                                                    for one in accesses))
run(4, *NO_CACHE)
check(sorted(found()) == [("0", "BANK17", "POOL", "1", "64", "4"),
                          ("1", "POOL", "BANK19", "1", "32", "NA")], "a chart of its own: %s" %
      found())

# A mistake in the rule is named before a record is read.
VAST["dbi"]["rules"]["diagonal"]["runs"][0]["count"] = "peices"
write_vast()
said = run(2, "--set", "chip=Vast1")
check("/dbi/rules/diagonal/runs/0/count: there is no 'peices'. Did you mean 'pieces'?" in said,
      "a rule's mistake: %s" % said)
VAST["dbi"]["rules"]["diagonal"]["runs"][0]["count"] = "pieces"
VAST["dbi"]["rules"]["diagonal"]["let"]["pieces"] = "row"
VAST["dbi"]["rules"]["diagonal"]["let"]["row"] = "pieces"
write_vast()
run(4)
with open(os.path.join(RESULT, "run.json"), encoding="utf-8") as text:
    said = text.read()
check("/dbi/rules/diagonal/let/pieces: 'row' is computed later" in said, "a circle: %s" %
      said[:800])

# ---------------------------------------------------------------- every length of a small file

CHART = b"".join(raw.chart(0x1000 * i, 0, 128, 128, 0x4C, 0, "GM>UB") for i in (1, 2))
PACKET = b"".join(raw.dma_mov(0, 0x1000 * i, 0x4C, 1, 4, 0, 0, "GM>UB") for i in (1, 2))
PACKETS = struct.pack("<2I", 3, 28 + len(PACKET)) + struct.pack("<3QHBx", 2, len(PACKET), 0, 0,
                                                                0) + PACKET
AREA = raw.slot_header(2, len(PACKET)) + PACKET
FORMS = {"MemoryChart.bin": (CHART, 0, 56), "DbiPackets.bin": (PACKETS, 36, 56),
         "DbiArea.bin": (AREA, raw.HEADER, 56)}

for name, (data, head, size) in FORMS.items():
    shutil.rmtree(SOURCE)
    lengths = range(1, len(data) + 1)
    for length in lengths:
        folder = os.path.join(SOURCE, "device0", "move", "%d" % length, "dump")
        os.makedirs(folder)
        with open(os.path.join(folder, "op_basic_info.txt"), "w", encoding="utf-8") as out:
            out.write("Run Soc Version=Ascend910B1\n")
        with open(os.path.join(folder, name), "wb") as out:
            out.write(data[:length])
    run(4, "--set", "cache.sets=2", "--set", "cache.ways=2")
    for length in lengths:
        whole = max(0, length - head) // size
        rows = table("move", str(length), "MemoryTraffic")
        check([row["Accesses"] for row in rows] == ([str(whole)] if whole else []),
              "%s of %d bytes keeps %d records: %s" % (name, length, whole, rows))
    with open(os.path.join(RESULT, "run.json"), encoding="utf-8") as text:
        said = "\n".join(one for stage in json.load(text)["stages"] for one in stage["incomplete"])
    check("'%s'" % name in said and "move/1'" in said, "%s: what is cut is named: %s" %
          (name, said[:500]))
print("%d checks" % checks)
