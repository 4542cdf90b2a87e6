#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the tables of an on-board launch must show, by exact arithmetic.

usage: onboard_model.py RAW_DIR RESULT_DIR --chip 310p|910b|a5 --facts DIR [--metrics TEXT] [--cores
N]
                       [--seen FILE]

Reads the raw files itself, by the layouts of the device, evaluates each formula of
FACTS/csv_columns_<chip>.csv with fractions and compares every cell of the CSV files in RESULT_DIR,
and also the tables of memory traffic in visualize_data.bin with FACTS/memory_tables.csv. It shares
nothing with opprof: no chip file, no code. Values may differ in the last decimal only. Prints how
many cells it compared; exit status 1 when one differs.
"""
import argparse
import csv
import json
import operator
import os
import re
import struct
import sys
from fractions import Fraction

GIB = 1 << 30
NO_VALUE = (1 << 64) - 1
TOKEN = re.compile(r"\s*(?:(\d+)|(E\d+c?)|(D|PEAK)\[(\w+)\]|([A-Za-z_]\w*)|(.))")
MOVES = ("L1", "L0A", "L0B", "L0C", "UB", "BT", "GM", "REG", "PRIVATE")


class NotAvailable(Exception):
    pass


def read_table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Formula:
    """The notation of the formula column; evaluated while it is read, from left to right."""

    def __init__(self, text, value_of, may_be_negative):
        self.tokens = [match for match in TOKEN.finditer(text.strip())]
        self.at, self.value_of, self.may_be_negative = 0, value_of, may_be_negative

    def peek(self):
        return self.tokens[self.at].group(0).strip() if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        text = self.peek()
        if wanted is not None and text != wanted:
            raise ValueError("expected %s, not %s" % (wanted, text))
        self.at += 1
        return text

    def whole(self):
        value = self.sum()
        if self.peek() != "":
            raise ValueError("left over: %s" % self.peek())
        return value

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            if self.take() == "+":
                value += self.product()
            else:
                value -= self.product()
                if value < 0 and not self.may_be_negative:
                    raise NotAvailable
        return value

    def product(self):
        value, is_bytes = self.operand(), False
        while self.peek() in ("*", "/", "B"):
            sign = self.take()
            if sign == "B":
                is_bytes = True
                continue
            other = self.operand()
            if sign == "/":
                if other == 0:
                    raise NotAvailable
                value /= other
            else:
                value *= other
        return value * 1000000 / GIB if is_bytes else value

    def arguments(self):
        self.take("(")
        values = [self.sum()]
        while self.peek() == ",":
            self.take()
            values.append(self.sum())
        self.take(")")
        return values

    def operand(self):
        if self.peek() == "(":
            self.take()
            value = self.sum()
            self.take(")")
            return value
        match = self.tokens[self.at]
        name = self.take()
        if match.group(1) is not None:
            return Fraction(int(name))
        if name == "sub0":
            a, b = self.arguments()
            return max(a - b, Fraction(0))
        if name == "min":
            return min(self.arguments())
        if name == "trunc":
            return Fraction(int(self.arguments()[0]))
        return Fraction(self.value_of(name))


class Launch:
    def __init__(self, directory, chip, facts, metrics, cores):
        self.directory, self.chip, self.facts, self.cores = directory, chip, facts, cores
        self.metrics = [item.lower() for item in metrics.split(",")]
        self.keys = {}      # (block, text) -> {event: value}
        self.cycles, self.vectors = {}, 0
        self.seen = set()   # columns that had a number
        self.info = self.read_info()
        self.read_rounds()
        kinds = {text.rstrip("0123456789") for _, text in self.keys}
        self.type = ("AiCore" if chip == "310p" else "mix" if len(kinds) == 2 else
                     "cube" if kinds == {"cube"} else "vector")
        self.duration = self.read_duration()
        self.moves = self.read_moves()
        self.peaks = self.read_peaks()
        freq = self.info.get("Current Freq", "")
        rated = {"310p": 1060, "910b": 1850, "a5": 1650}[chip]
        self.freq = int(freq) if freq.isdigit() else rated

    def read_file(self, name):
        path = os.path.join(self.directory, name)
        if not os.path.exists(path):
            return b""
        with open(path, "rb") as file:
            return file.read()

    def read_info(self):
        info = {}
        for line in self.read_file("op_basic_info.txt").decode().split("\n"):
            parts = line.split("=")
            if len(parts) == 2 and parts[0] and parts[1]:
                info[parts[0]] = parts[1]
        return info

    def identity(self, record):
        if self.chip == "310p":
            return 0, "", struct.unpack_from("<Q", record, 16)[0], struct.unpack_from("<8Q", record,
                                                                                      32)
        if self.chip == "910b":
            kind, (sub, block) = record[20] & 1, struct.unpack_from("<HH", record, 28)
            cycles, counters = struct.unpack_from("<Q", record,
                                                  32)[0], struct.unpack_from("<8Q", record, 48)
        else:
            kind, (sub, block) = record[20] & 1, struct.unpack_from("<HH", record, 24)
            cycles, counters = struct.unpack_from("<Q", record,
                                                  8)[0], struct.unpack_from("<10Q", record, 32)
        return block, "%s%d" % ("vector" if kind else "cube", sub), cycles, counters

    def read_rounds(self):
        plan = {}
        for row in read_table(os.path.join(self.facts, "replay_rounds_%s.csv" % self.chip)):
            ids = [int(value) for name, value in row.items() if name.startswith("slot")]
            plan[row["core"], int(row["round"])] = ids
        for number in sorted({number for _, number in plan}):
            data = self.read_file("DeviceProf%d.bin" % number)
            for at in range(0, len(data) - 127, 128):
                block, text, cycles, counters = self.identity(data[at:at + 128])
                kind = "core" if self.chip == "310p" else "aiv" if text.startswith(
                    "vector") else "aic"
                events = self.keys.setdefault((block, text), {})
                self.cycles[block, text] = cycles
                for event, value in zip(plan[kind, number], counters):
                    is_known = event != 0 and value != NO_VALUE and self.metrics != ["basicinfo"]
                    if is_known and event not in events:
                        events[event] = value
        self.vectors = sum(text.startswith("vector") for _, text in self.keys)
        if self.chip == "310p" and "l2cache" in self.groups():
            data = self.read_file("L2Cache.bin")
            if len(data) == 72:
                counters = struct.unpack_from("<8Q", data, 8)
                for event, value in zip((106, 120, 121), counters):
                    self.keys[0, ""][event] = value

    def groups(self):
        every = ("arithmeticutilization", "l2cache", "memory", "memoryl0", "memoryub",
                 "pipeutilization", "resourceconflictratio")
        wide = {"default", "roofline", "memorydetail", "kernelscale"}
        if wide & set(self.metrics):
            return every
        return [group for group in every if group in self.metrics]

    def read_duration(self):
        data, size = self.read_file("duration.bin"), 32 if self.chip == "a5" else 64
        wanted = {"310p": None, "910b": (0,), "a5": (0, 1, 2)}[self.chip]
        khz = {"310p": 38400, "910b": 50000, "a5": 1000000}[self.chip]
        times = [0, 0]
        for at in range(0, len(data) - size + 1, size):
            if self.chip == "310p":
                kind, task = data[at] & 7, None
            else:
                head = struct.unpack_from("<H", data, at)[0]
                kind, task = head & 63, head >> 10
            if kind < 2 and (wanted is None or task in wanted):
                times[kind] = struct.unpack_from("<Q", data, at + 8)[0]
        if times[0] == 0 or times[1] < times[0]:
            return None
        return Fraction((times[1] - times[0]) * 1000, khz)

    def read_moves(self):
        """Bytes by (index of the record, path)."""
        data, moves = self.read_file("MemoryChart.bin"), {}
        if len(data) % 56 != 0:
            return moves
        for at in range(0, len(data), 56):
            amount, place = struct.unpack_from("<Q", data, at +
                                               16)[0], struct.unpack_from("<H", data, at + 48)[0]
            if data[at + 52] < len(MOVES) and data[at + 53] < len(MOVES):
                path = "%s_TO_%s" % (MOVES[data[at + 52]], MOVES[data[at + 53]])
                moves[place, path] = moves.get((place, path), 0) + amount
        return moves

    def moved(self, key, path):
        block, text = key
        if self.type == "vector":
            places = [3 * (block // 2) + block % 2]
        elif self.chip == "910b" or self.type != "mix":
            places = range(3 * block, 3 * block + 3)
        else:
            places = [3 * block + int(text[-1])]
        if self.chip == "910b":
            return sum(self.moves.get((place, path), 0) for place in places)
        amounts = [self.moves[place, path] for place in places if (place, path) in self.moves]
        if not amounts:
            raise NotAvailable
        return sum(amounts)

    def read_peaks(self):
        soc, families = self.info.get("Run Soc Version", ""), {}
        for row in read_table(os.path.join(self.facts, "soc_to_peak_family.csv")):
            families[row["soc_version"], row["memory_vendor"]] = row["family"]
        family = families.get((soc, "default"))
        return {row["path"]: Fraction(row["GB_per_s_per_core"])
                for row in read_table(os.path.join(self.facts, "peaks_transport.csv"))
                if row["family"] == family and row["memory_vendor"] == "default"}

    def share(self):
        blocks = int(self.info.get("Block Dim", "0") or 0)
        if self.chip != "310p" or blocks == 0 or self.cores == 0:
            return Fraction(1)
        return Fraction((blocks + self.cores - 1) // self.cores, blocks)

    def counted(self, key):
        """Cycles of a core; one that worked did not take 0. Without KernelScale numbers of mix
        operators rest on the duration."""
        if (self.type != "mix" or "kernelscale" in self.metrics) and self.cycles[key] == 0 and any(
            self.keys[key].values()):
            raise NotAvailable
        return self.cycles[key]

    def symbol(self, key, name):
        is_common = self.type == "mix" and "kernelscale" not in self.metrics
        if name == "CYC":
            return self.counted(key)
        if name == "FREQ":
            return self.freq
        if name == "TF":
            return self.share()
        if name == "RC":
            is_common = is_common and self.chip == "910b" and self.duration not in (None, 0)
            return self.duration * self.freq if is_common else self.counted(key)
        if name == "T":
            if is_common and (self.chip == "a5" or self.duration not in (None, 0)):
                return self.duration or 0
            if self.freq == 0:
                raise NotAvailable
            return Fraction(self.counted(key)) / self.freq * self.share()
        small = self.chip == "310p"
        lanes = {"L32": 16 if small else 64, "L16": 32 if small else 128, "LM": 16 if small else 32}
        return lanes[name]

    def value_of(self, key, name):
        events = self.keys[key]
        if name == "E75c":
            is_corrected = self.info.get("Run Soc Version", "").startswith("Ascend910B")
            return max(0, self.event(events, 75) - (self.event(events, 76) if is_corrected else 0))
        if re.fullmatch(r"E\d+", name):
            return self.event(events, int(name[1:]))
        if name.startswith("D["):
            return self.moved(key, name[2:-1])
        if name.startswith("PEAK["):
            if not self.peaks.get(name[5:-1]):
                raise NotAvailable
            return self.peaks[name[5:-1]]
        return self.symbol(key, name)

    @staticmethod
    def event(events, number):
        if number not in events:
            raise NotAvailable
        return events[number]

    def evaluate(self, key, text, may_be_negative=False, **names):
        def value_of(name):
            return names[name] if name in names else self.value_of(key, name)
        return Formula(text, value_of, may_be_negative).whole()

    def number(self, key, column):
        """The value of a column, or NotAvailable."""
        text, rule = column["formula"], column["rule"]
        for number in column["events"].split():
            self.event(self.keys[key], int(number))
        match = re.search(r"(?:NA if|also NA if) ([^;]*?) ([<>]) ([^;]*)", rule)
        if match is not None:
            left, right = (self.evaluate(key, match.group(i)) for i in (1, 3))
            if (left < right) if match.group(2) == "<" else (left > right):
                raise NotAvailable
        if "NA without D" in rule:
            self.moved(key, re.search(r"D\[(\w+)\]", text).group(1))
        if " ; 0 when " in text:
            text, condition = text.split(" ; 0 when ")
            if "RC" in text:
                self.symbol(key, "RC")  # without cycles there is no share of them, not even 0
            if self.evaluate(key, condition.split(" = ")[0]) == 0:
                return Fraction(0)
        if ", bw = " in text:
            text, inner = text.split(", bw = ")
            return self.evaluate(key, text, bw=self.evaluate(key, inner))
        return self.evaluate(key, text)

    def cell(self, key, column):
        """An exact number, or a text."""
        core, name = column["core"], column["column"]
        if core == "key":
            return str(key[0]) if name == "block_id" else key[1]
        kind = "aiv" if key[1].startswith("vector") else "aic"
        if core != "core" and kind not in core.split("+"):
            return "NA"
        try:
            return self.number(key, column)
        except NotAvailable:
            return "NA"

    def basic_cell(self, name):
        values = {"Op Type": self.type, "Mix Block Dim": str(self.vectors) if self.type == "mix"
                  else "NA",
                  "Task Duration(us)": "NA" if self.duration is None else self.duration}
        return values.get(name, self.info.get(name, "NA"))

    def is_shown(self, column):
        """Some columns are there only when there is something to show."""
        match = re.match(r"(ai[cv])_scalar_wait_id\d+_time", column["column"])
        if match is not None:
            kind, event = "vector" if match.group(1) == "aiv" else "cube", int(column["events"])
            return any(events.get(event, 0) != 0 for key, events in self.keys.items()
                       if key[1].startswith(kind))
        if self.chip == "910b" and column["column"] in ("aic_mte1_active_bw(GB/s)",
                                                        "aic_mte2_active_bw(GB/s)"):
            return "memorydetail" in self.metrics
        return True


def is_same(text, wanted, is_integer):
    if isinstance(wanted, str):
        return text == wanted
    if is_integer:
        return re.fullmatch(r"\d+", text) is not None and int(text) == wanted
    if re.fullmatch(r"-?\d+\.\d{6}", text) is None:
        return False
    return abs(Fraction(text) - wanted) <= Fraction(6, 10**7) + abs(wanted) / 10**12


def check_file(launch, directory, name, columns):
    """(cells compared, [what differs])"""
    columns = [column for column in columns if launch.is_shown(column)]
    path = os.path.join(directory, name)
    if not os.path.exists(path):
        return 0, ["%s: is not there" % name]
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().split("\n")
    header = "".join(column["column"] + "," for column in columns)
    keys = [None] if name == "OpBasicInfo.csv" else sorted(launch.keys)
    if lines[0] != header:
        return 0, ["%s: header\n  %s\ninstead of\n  %s" % (name, lines[0], header)]
    if lines[-1] != "" or len(lines) != len(keys) + 2:
        return 0, ["%s: %d lines for %d keys" % (name, len(lines), len(keys))]
    bad = []
    for key, line in zip(keys, lines[1:]):
        cells = line.split(",")
        if len(cells) != len(columns) + 1:
            bad.append("%s %s: %d cells" % (name, key, len(cells)))
            continue
        for text, column in zip(cells, columns):
            wanted = launch.basic_cell(column["column"]) if key is None else launch.cell(
                key, column)
            if not isinstance(wanted, str):
                launch.seen.add("%s,%s,%s" % (launch.chip, name, column["column"]))
            if not is_same(text, wanted, column["rule"] == "INT"):
                shown = wanted if isinstance(wanted, str) else float(wanted)
                bad.append("%s %s %s: %s instead of %s" % (name, key, column["column"], text,
                                                           shown))
    return len(columns) * len(keys), bad


def read_storage(path):
    """{(block, table, row): [texts]} of the tables of memory traffic, block 9."""
    with open(path, "rb") as file:
        data = file.read()
    at, values = 0, {}
    while at < len(data):
        size, kind, padding = struct.unpack_from("<QBB", data, at)
        at += 12
        if kind == 9:
            for block in json.loads(data[at:at + size - padding])["table_per_block"]:
                for table in block["table_detail"]:
                    for row in table["row"]:
                        values[block["block_id"], table["table_name"], row["name"]] = row["value"]
        at += size
    return values


def peak_of(launch, key, text):
    """A path's peak, or the mean of several paths' that is weighted by bytes: A*PATH+B*PATH."""
    parts = [part.rpartition("*") for part in text.split("+")]
    weights = [Fraction(launch.evaluate(key, part[0])) if part[0] else 1 for part in parts]
    peaks = [launch.peaks.get(part[2], 0) for part in parts]
    if sum(weights) == 0:
        weights = [1] * len(parts)
    return sum(map(operator.mul, weights, peaks)) / sum(weights) if 0 not in peaks else 0


def storage_row(launch, key, fact, has_peak):
    """[requests, throughput, peak], exact or as text."""
    requests = Fraction(launch.evaluate(key, fact["requests"]))
    values = [requests, "NA"] + (["NA"] if has_peak else [])
    amount = requests * int(fact["bytes_per_request"])
    is_common = (launch.type == "mix" and "kernelscale" not in launch.metrics and launch.chip !=
                 "310p")
    try:
        time = (launch.duration or Fraction(1)) if is_common else launch.symbol(key, "T")
    except NotAvailable:
        return values
    if time != 0:
        values[1] = amount * 1000000 / GIB / time
        peak = peak_of(launch, key, fact["peak_path"])
        if has_peak and peak != 0:
            values[2] = min(values[1], peak) * 100 / peak
    return values


def check_storage(launch, path, facts):
    shown, bad, count = read_storage(path), [], 0
    for key, fact in ((key, fact) for key in sorted(launch.keys) for fact in facts):
        table, name = fact["table"], fact["row_name"].replace(" (mix only)", "")
        is_vector = key[1].startswith("vector")
        # Tables without a core's name are of the cube core, or of the only one.
        core = re.search(r"Core(\d)$", table)
        is_of = key[1] == "vector" + core.group(
            1) if core is not None else launch.type != "mix" or not is_vector
        is_odd = " of the cube core " in fact["requests"] or (
            "(mix only)" in fact["row_name"] and launch.type != "mix")
        if launch.type not in fact["op_types"].split(",") or not is_of or is_odd:
            continue
        has_peak = launch.chip != "310p" and (
            table in ("L1", "L0C") or table.startswith("UB")
            or (launch.chip == "a5" and table in ("L0A", "L0B")))
        fact = dict(fact, requests=fact["requests"].replace(" (NA for SIMT operators)", ""))
        try:
            wanted = storage_row(launch, key, fact, has_peak)
        except NotAvailable:
            wanted = ["NA"] * (3 if has_peak else 2)
        block = "NA" if launch.chip == "310p" else str(key[0])
        texts = shown.get((block, table, name), [])
        count += len(wanted)
        if len(texts) != len(wanted) or not all(
                is_same(text, value, i == 0) for i, (text, value) in enumerate(zip(texts, wanted))):
            show = [value if isinstance(value, str) else float(value) for value in wanted]
            bad.append("%s %s/%s: %s instead of %s" % (key, table, name, texts, show))
    return count, bad


def main():
    parser = argparse.ArgumentParser(description="check the tables of an on-board launch")
    parser.add_argument("raw")
    parser.add_argument("results")
    parser.add_argument("--chip", required=True, choices=("310p", "910b", "a5"))
    parser.add_argument("--facts", required=True)
    parser.add_argument("--metrics", default="default")
    parser.add_argument("--cores", type=int, default=10)
    parser.add_argument("--seen", help="append the columns that had a number")
    options = parser.parse_args()
    launch = Launch(options.raw, options.chip, options.facts, options.metrics, options.cores)
    files, count, bad = {}, 0, []
    for column in read_table(os.path.join(options.facts, "csv_columns_%s.csv" % options.chip)):
        files.setdefault(column["file"], []).append(column)
    wanted = {"OpBasicInfo.csv"}
    wanted |= {name for name in files if name[:-len(".csv")].lower() in launch.groups()}
    instrumented = ("MemoryTraffic.csv", "ReuseDistance.csv") + tuple("L2Cache%s.csv" % part
                                                                      for part in (
        "Advice", "Buffer", "Core", "Model", "Pc", "Set"))
    there = {name for name in os.listdir(options.results)
             if name.endswith(".csv")} - set(instrumented)
    there.discard("advice.csv")
    bad += ["%s: should %s there" % (name, "be" if name in wanted else "not be")
            for name in sorted(wanted ^ there)]
    for name in sorted(wanted & there):
        cells, differences = check_file(launch, options.results, name, files[name])
        count += cells
        bad += differences
    if not {"memorydetail"} & set(launch.metrics):
        facts = [fact for fact in read_table(os.path.join(options.facts, "memory_tables.csv"))
                 if fact["chip"] == options.chip]
        cells, differences = check_storage(launch, os.path.join(options.results,
                                                                "visualize_data.bin"), facts)
        count += cells
        bad += differences
    if options.seen is not None:
        with open(options.seen, "a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in sorted(launch.seen))
    print("%s: %d cells, %d differences" % (options.raw, count, len(bad)))
    for line in bad[:20]:
        print("  " + line)
    sys.exit(1 if bad or count == 0 else 0)


if __name__ == "__main__":
    main()
