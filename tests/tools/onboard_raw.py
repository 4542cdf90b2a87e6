#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Raw files of an on-board launch with counters that a test names, and what opprof makes of them.

    launch = Launch("910b", soc="Ascend910B4", freq=1650)
    launch.core("cube", 10000, {19: 600, 50: 750})
    result = launch.run("memory")
    result.cell("Memory", "GM_to_L1_datas(KB)")

Events that are not named count 0. Which event sits in which slot of which replay comes from the
tables in tests/data/pmu/facts; no chip file of opprof is read, so that mistakes in these show.
"""
import csv
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import traceback

FACTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "pmu", "facts")
KHZ = {"310p": 38400, "910b": 50000, "a5": 1000000}
SOCS = {"310p": "Ascend310P3", "910b": "Ascend910B1", "a5": "Ascend950PR_9599"}
MEMORIES = ("L1", "L0A", "L0B", "L0C", "UB", "BT", "GM", "REG", "PRIVATE")
OPERANDS = ("F16 F16X2 BF16 BF16X2 E4M3 E5M2 E1M2 E2M1 V2BF16 V2F16 HIF8X2 F8E4M3X2 F8E5M2X2 FMIX "
            "HALF F32 "
            "F32X2 B4 B8 B16 B32 B64 B128 S16 S32 U16 U32 S8 U8 U64 S64 SX32 ZX32").split()
PART, GAP = 856, 64
checks = 0


def read_plan(series):
    """{(core, round): [event of each slot]}"""
    with open(os.path.join(FACTS, "replay_rounds_%s.csv" % series), encoding="utf-8",
              newline="") as file:
        return {(row["core"], int(row["round"])): [int(row[name]) for name in row
                                                   if name.startswith("slot")]
                for row in csv.DictReader(file)}


class Result:
    def __init__(self, directory, code, errors):
        self.directory, self.code, self.errors = directory, code, errors

    def table(self, name):
        path = os.path.join(self.directory, name + ".csv")
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def cell(self, table, column, row=0):
        return self.table(table)[row][column]

    def blocks(self):
        """{type: value}"""
        blocks, at = {}, 0
        with open(os.path.join(self.directory, "visualize_data.bin"), "rb") as file:
            data = file.read()
        while at < len(data):
            size, kind, padding = struct.unpack_from("<QBB", data, at)
            blocks[kind] = json.loads(data[at + 12:at + 12 + size - padding])
            at += 12 + size
        return blocks

    def tables(self, block="0"):
        """{table: {row: [texts]}} of the memory tables of a block."""
        for one in self.blocks()[9]["table_per_block"]:
            if one["block_id"] == block:
                return {table["table_name"]: {row["name"]: row["value"] for row in table["row"]}
                        for table in one["table_detail"]}
        raise KeyError(block)

    def advice(self, block="0"):
        """What is said about the memory of a block, in the map and in the tables."""
        return [text for kind, name, key in ((8, "core_memory_map", "core_no"),
                                             (9, "table_per_block", "block_id"))
                for one in self.blocks()[kind][name] if one[key] == block for text in one["advice"]]

    def map(self, block="0"):
        for one in self.blocks()[8]["core_memory_map"]:
            if one["core_no"] == block:
                return one
        raise KeyError(block)

    def paths(self, block="0"):
        """{path: (requests, bandwidth, share of the peak)} of the memory map."""
        return {path["memory_path"]: (path["request"], path["bandwidth"], path["peak_ratio"])
                for path in self.map(block)["memory_unit"]}

    def lines(self, title):
        """{(line, work): line} of a roofline."""
        for graph in self.blocks()[13]["multiple_rooflines"]:
            if graph["title"] == title:
                return {(line["bw_name"], line["computility_name"]): line
                        for line in graph["rooflines"]}
        return {}

    def line(self, title, name):
        """The only one of that name."""
        found = [line for (line_name, _), line in self.lines(title).items() if line_name == name]
        if len(found) != 1:
            raise KeyError("%s of %s: %d lines" % (name, title, len(found)))
        return found[0]


class Launch:
    def __init__(self, series, soc=None, freq=None, rated=None, block_dim=1, **info):
        self.series, self.plan = series, read_plan(series)
        self.slots = len(self.plan[min(self.plan)])
        self.rounds = max(number for _, number in self.plan)
        self.info = {"Op Name": "made_up", "Block Dim": block_dim, "Run Soc Version": soc
                     or SOCS[series],
                     "Device Id": 0, "Pid": 4242, "Current Freq": "NA" if freq is None else freq,
                     "Rated Freq": "NA" if rated is None else rated}
        self.info.update({name.replace("_", " "): value for name, value in info.items()})
        self.cores, self.moves, self.ticks = [], [], 100 * KHZ[series] // 1000
        self.began = 1000  # tick
        # eight counters of L2Cache.bin: of A2 the fifth is of evicted lines, more than any test
        # needs
        self.l2 = {"910b": (0, 0, 0, 0, 2**40, 0, 0, 0), "310p": (0,) * 8}.get(series)
        self.operands = {}      # of A5, by core; None: no file
        self.missing = set()    # replays that leave no file
        self.stream, self.task = 7, 11
        self.threads = 2
        self.extra = {}         # bytes after a file's own

    def core(self, kind, cycles, events, block=0, sub=0, core=None, absent=()):
        """What ran of a block, each on a core of its own; in the replays `absent` it leaves no
        record."""
        core = len(self.cores) % 128 if core is None else core
        self.cores.append((kind, cycles, events, block, sub, core, set(absent)))
        return self

    def took(self, us):
        """So long from start to end; None: unknown. Without it, 100 us."""
        self.ticks = None if us is None else round(us * KHZ[self.series] / 1000)
        return self

    def move(self, source, target, amount, place=0, sub=0):
        self.moves.append((amount, place, sub, MEMORIES.index(source), MEMORIES.index(target)))
        return self

    def operand(self, index, name, simd=(0, 0), simt=(0, 0)):
        """Instructions and operands of a type on the core with that index; SIMT is split over the
        threads."""
        self.operands.setdefault(index, []).append((OPERANDS.index(name), simd, simt))
        return self

    def record(self, number, one):
        kind, cycles, events, block, sub, core, _ = one
        data = bytearray(128)
        name = {"cube": "aic", "vector": "aiv", "core": "core"}[kind]
        counters = [events.get(event, 0) if event or self.series == "a5" else 0
                    for event in self.plan[name, number]]
        if self.series == "310p":
            struct.pack_into("<Q", data, 16, cycles)
            struct.pack_into("<8Q", data, 32, *counters)
            return data
        struct.pack_into("<HHHH", data, 0, 0x29, 0, self.stream, self.task)
        if self.series == "910b":
            data[20] = (kind == "vector") | core << 1
            struct.pack_into("<HHQ", data, 28, sub, block, cycles)
            struct.pack_into("<8Q", data, 48, *counters)
        else:
            struct.pack_into("<Q", data, 8, cycles)
            struct.pack_into("<BBHHH", data, 20, kind == "vector", core, 0, sub, block)
            struct.pack_into("<10Q", data, 32, *counters)
        return data

    def files(self):
        """{name: bytes}"""
        text = "".join("%s=%s\n" % pair for pair in self.info.items() if pair[1] is not None)
        files = {"op_basic_info.txt": text.encode()}
        for number in range(1, self.rounds + 1):
            if number not in self.missing:
                files["DeviceProf%d.bin" % number] = b"".join(
                    self.record(number, one) for one in self.cores if number not in one[-1])
        if self.ticks is not None:
            rest = bytes(16 if self.series == "a5" else 48)
            files["duration.bin"] = b"".join(struct.pack("<HHHHQ", function, 0, self.stream,
                                                         self.task, time) + rest
                                             for function,
                                             time in ((0, self.began),
                                                      (1, self.began + self.ticks)))
        if self.l2 is not None:
            files["L2Cache.bin"] = bytes(8) + struct.pack("<8Q", *self.l2)
        if self.moves:
            files["MemoryChart.bin"] = b"".join(
                struct.pack("<6QHHBB2x", 0, 0, amount, amount, 0, 0, place, sub, source, target)
                for amount, place, sub, source, target in self.moves)
        if self.series == "a5" and self.operands is not None:
            files["OperandRecord.bin"] = self.operand_record()
        return {name: data + self.extra.get(name, b"") for name, data in files.items()}

    def operand_record(self):
        size = PART * (1 + self.threads) + GAP
        last = max([2] + [3 * one[3] + 2 for one in self.cores] + list(self.operands))
        data = bytearray(8 + size * (last // 3 * 3 + 3))
        struct.pack_into("<I", data, 0, 0x5a5a5a5a)
        for index, entries in self.operands.items():
            for number, simd, simt in entries:
                struct.pack_into("<QQ", data, 8 + index * size + number * 24, *simd)
                for thread in range(self.threads):
                    part = [value // self.threads + (value % self.threads if thread == 0 else 0)
                            for value in simt]
                    struct.pack_into("<QQ", data, 8 + index * size + (1 + thread) * PART + number *
                                     24, *part)
        return bytes(data)

    def options(self):
        return ("pmu.operand_threads=%d" % self.threads,
                ) if self.series == "a5" and self.operands is not None else ()

    def write(self, directory):
        os.makedirs(directory, exist_ok=True)
        for name, data in self.files().items():
            with open(os.path.join(directory, name), "wb") as file:
                file.write(data)

    def run(self, metrics="default", *options, code=0):
        with tempfile.TemporaryDirectory() as raw:
            self.write(raw)
            options += self.options()
            return run(raw, metrics, *options, code=code)


scratch = []


def run(directory, metrics="default", *options, code=0):
    """Run the pipeline on a directory; each option is a text for --set. Without a code, any is
    good."""
    results = tempfile.mkdtemp()
    scratch.append(results)
    settings = ["input=" + directory] + (["metrics=" + metrics] if metrics else []) + list(options)
    command = [os.environ["OPPROF_RUN"], "--pipeline", "onboard-dump", "--flat", "--output",
               results]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    if code is not None and done.returncode != code:
        said = [line for line in done.stderr.split("\n") if line.startswith("opprof-run")]
        raise AssertionError("exit code %d, not %d: %s" % (done.returncode, code, "; ".join(said)))
    return Result(results, done.returncode, done.stderr)


def same(found, wanted, tolerance=2e-6):
    """A value is what it must be: numbers up to `tolerance` (and the last decimal of a text)."""
    global checks
    checks += 1
    if isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
        try:
            number = float(found)
        except (TypeError, ValueError):
            number = None
        slack = 6e-7 if isinstance(found, str) and "." in found else 0
        if number is not None and abs(number - wanted) <= abs(wanted) * tolerance + slack:
            return
    elif found == wanted:
        return
    raise AssertionError("%r instead of %r" % (found, wanted))


def main(functions):
    """Run the tests whose names begin with one of the command's arguments, or all; 1 if one
    fails."""
    failed = 0
    chosen = [one for one in functions
              if len(sys.argv) == 1 or any(one.__name__.startswith(name) for name in sys.argv[1:])]
    for function in chosen:
        try:
            function()
        except Exception as error:  # a test that breaks is one that fails
            failed += 1
            lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
                     if os.path.basename(frame.filename) == os.path.basename(sys.argv[0])]
            print("FAIL: %s, line %s: %s: %s" % (function.__name__, lines, type(error).__name__,
                                                 error))
            print("      " + " ".join((function.__doc__ or "").split()))
        for directory in scratch:
            shutil.rmtree(directory, ignore_errors=True)
        scratch.clear()
    print("%d tests, %d checks, %d failed" % (len(chosen), checks, failed))
    sys.exit(1 if failed or not chosen else 0)
