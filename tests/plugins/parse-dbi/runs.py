# SPDX-License-Identifier: Apache-2.0
"""Whole runs over instrumentation records in their three forms, and over damaged ones."""
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
checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit("FAIL: %s" % what)


def run(files, code, *options, info="Run Soc Version=Ascend910B1\n"):
    """Run the pipeline over files of a launch; returns rows of the table and run.json."""
    source = os.path.join(scratch, "dump")
    result = os.path.join(scratch, "result")
    for folder in (source, result):
        shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(source)
    if info is not None:
        with open(os.path.join(source, "op_basic_info.txt"), "w", encoding="utf-8") as out:
            out.write(info)
    for name, write in files.items():
        write(os.path.join(source, name))
    done = subprocess.run([RUN, "--pipeline", "dbi-dump", "--set", "input=" + source, "--output",
                           result, "--flat", "--quiet", *options],
                          capture_output=True, text=True, check=False)
    check(done.returncode == code, "exit code %d, not %d: %s" %
          (done.returncode, code, done.stderr))
    table = os.path.join(result, "MemoryTraffic.csv")
    rows = []
    if os.path.exists(table):
        with open(table, encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
    with open(os.path.join(result, "run.json"), encoding="utf-8") as text:
        return rows, json.dumps(json.load(text), ensure_ascii=False), done.stderr


SLOTS = {
    0: [raw.dma_mov(0, 0x1000, 0x4c, 3, 4, 2, 1, "GM>UB")],
    1: [raw.dma_mov(0x8000, 0, 0x60, 2, 2, 0, 0, "UB>GM")],
    5: [raw.dma_mov(0, 0x100000 + 0x1000 * i, 0x80, 8, 8, 0, 0, "GM>L1") for i in range(10)],
}
WANTED = [
    ("0", "vector0", "GM", "UB", "3", "384", "384", "NA"),
    ("0", "vector1", "UB", "GM", "2", "128", "128", "NA"),
    ("1", "cube0", "GM", "L1", "80", "20480", "20480", "80"),
]
COLUMNS = ("Block ID", "Sub Core", "Source", "Destination", "Accesses", "Bytes Read",
           "Bytes Written", "Requests")


def cells(rows):
    return [tuple(row[name] for name in COLUMNS) for row in rows]


def chart_file(path):
    with open(path, "wb") as out:
        for i in range(3):
            out.write(raw.chart(0x1000 + 0xc0 * i, 0xa0 * i, 128, 128, 0x4c, 0, "GM>UB"))
        for i in range(2):
            out.write(raw.chart(0x40 * i, 0x8000 + 0x40 * i, 64, 64, 0x60, 1, "UB>GM"))
        for i in range(80):
            out.write(raw.chart(0x100000 + 256 * i, 256 * i, 256, 256, 0x80, 5, "GM>L1"))


# The three forms say the same.
for form in ({"DbiArea.bin": lambda path: raw.write_area(path, SLOTS)},
             {"DbiPackets.bin": lambda path: raw.write_packets(path, SLOTS)},
             {"MemoryChart.bin": chart_file}):
    rows, _, _ = run(form, 0)
    check(cells(rows) == WANTED, "%s: %s" % (list(form), cells(rows)))

# Of two forms one counts, and that is said.
rows, report, _ = run({"DbiArea.bin": lambda path: raw.write_area(path, SLOTS),
                       "MemoryChart.bin": chart_file}, 0)
check(cells(rows) == WANTED, "two forms are counted twice: %s" % cells(rows))
check("another form" in report, "two forms: %s" % report)

# Vector operators have a block on each vector core, cube operators one on each cube core.
VECTORS = {slot: [raw.dma_mov(0, 0, 0, 1, 1, 0, 0, "GM>UB")] for slot in (0, 1, 3, 4)}
rows, _, _ = run({"DbiPackets.bin": lambda path: raw.write_packets(path, VECTORS)}, 0)
check([(row["Block ID"], row["Sub Core"]) for row in rows] == [(str(i), "vector0") for i
                                                               in range(4)],
      "blocks of a vector operator")
rows, _, _ = run({"DbiPackets.bin": lambda path: raw.write_packets(path, VECTORS)}, 0, "--set",
                 "op_type=mix")
check([(row["Block ID"], row["Sub Core"]) for row in rows] == [("0", "vector0"), ("0", "vector1"),
                                                               ("1", "vector0"), ("1", "vector1")],
      "blocks of a mix operator")
CUBES = {slot: [raw.dma_mov(0, 0, 0, 1, 1, 0, 0, "GM>L1")] for slot in (2, 5)}
rows, _, _ = run({"DbiPackets.bin": lambda path: raw.write_packets(path, CUBES)}, 0)
check([(row["Block ID"], row["Sub Core"]) for row in rows] == [("0", "cube0"), ("1", "cube0")],
      "blocks of a cube operator")


def cut(write, length):
    def write_cut(path):
        write(path)
        os.truncate(path, length)
    return write_cut


# A chart cut in a record keeps the others; so does an area cut in a slot. Messages name file and
# byte.
rows, _, errors = run({"MemoryChart.bin": cut(chart_file, 56 * 4 + 13)}, 4)
check(cells(rows) == [WANTED[0], ("0", "vector1", "UB", "GM", "1", "64", "64", "NA")]
      or len(rows) == 2, "a cut chart: %s" % cells(rows))
check("'MemoryChart.bin' ends within a record at byte 224" in errors, "a cut chart: %s" % errors)
size = 5 * (raw.SLOT + raw.GAP) + raw.HEADER
rows, _, errors = run({"DbiArea.bin": cut(lambda path: raw.write_area(path, SLOTS), size + 3 * 56 +
                                          10)}, 4)
check(cells(rows)[:2] == WANTED[:2] and rows[2]["Accesses"] == "24", "a cut area: %s" % cells(rows))
check("'DbiArea.bin' at byte %d: slot 5: the file ends" % (size + 3 * 56) in errors,
      "a cut area: %s" % errors)

# What is not known: the chip; and operators that communicate have no records that count.
rows, _, errors = run({"MemoryChart.bin": chart_file}, 4, info=None)
check(not rows and "does not name its SoC" in errors, "no chip: %s" % errors)
rows, _, _ = run({"MemoryChart.bin": chart_file}, 0, "--set", "chip=910B", info=None)
check(cells(rows) == WANTED, "a chip that is asked for")
rows, report, _ = run({"MemoryChart.bin": chart_file}, 4, info="Run Soc Version=Ascend910B1\n"
                                                               "Is MC2=1\n")
check(not rows and "an operator that communicates, skipping it" in report,
      "an operator that communicates: %s" % report)

# Records that cannot be.
ODD = {0: [raw.dma_mov(0, 0, 0, 3, 0, 0, 0, "GM>L1", pad_mode=9),
           raw.dma_mov(0, 0x1000, 0x4c, 3, 4, 2, 1, "GM>UB")],
       1: [struct.pack("<2I", 17, raw.MAGIC) + bytes(32) + struct.pack("<QIIBBH", 1, 1, 0xffffffff,
                                                                       0, 0, 0) * 5 + bytes(4)]}
rows, _, errors = run({"DbiPackets.bin": lambda path: raw.write_packets(path, ODD)}, 4)
check(cells(rows) == WANTED[:1], "odd records: %s" % cells(rows))
check("'DbiPackets.bin' at byte 36: no instruction can have such parameters; 1 " in errors,
      "odd parameters: %s" % errors)
check("'DbiPackets.bin' at byte 184: a record claims more accesses" in errors, "odd counts: %s" %
      errors)
print("%d checks" % checks)
