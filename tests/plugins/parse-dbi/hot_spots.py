# SPDX-License-Identifier: Apache-2.0
"""On-board hot spots: counts of blocks, traffic, samples and registers, by instruction and source
line.

The kernel (tests/data/source/mapped.S) has line 12 at 0, 20 at 0x14 to 0x18, 21 at 0x1c, line 99 of
the toolkit inlined at line 9 at 0x20, and 25 at 0x28; nothing is known between.
"""
import csv
import json
import os
import shutil
import struct
import subprocess
import sys

scratch, tools, kernel = sys.argv[1:4]
sys.path.insert(0, tools)
import dbi_raw as raw  # noqa: E402
import onboard_raw  # noqa: E402

RUN = os.environ["OPPROF_RUN"]
SOURCE = os.path.join(scratch, "dump")
RESULT = os.path.join(scratch, "result")
START = 0x1269F000
REASONS = ["IBuf_Empty", "Nop_Cycles", "Scoreboard_Not_Ready", "Register_bank_conflict",
           "Resource_conflict", "Warp_Level_Sync", "Divergence_Stack_Spill", "Others", "Active"]
checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit("FAIL: %s" % what)


# ---------------------------------------------------------------- a kernel

BLOCKS = [(0, 0x0, 0x10), (1, 0x14, 0x1C), (2, 0x28, 0x28)]
MAP = raw.block_map([("add_custom", 0, BLOCKS), ("add_custom_mix_aiv", 0x2C, [(3, 0, 4)]),
                     ("another", 0x38, [(4, 0, 4)])])
UNITS = [{0: 2, 1: 10, 2: 1, 4: 77}, {0: 2, 1: 20, 3: 5}, {}, {1: 2**32 - 1}, {}, {}]
CALLS = {0: 4, 1: 30 + 2**32 - 1, 2: 1, 3: 5}
# Address: counts by reason; the last one lies beyond the code. Samples tell addresses in steps of
# 8.
SAMPLES = {0x18: [1, 2, 0, 0, 0, 0, 0, 0, 7], 0x28: [0, 0, 4, 0, 0, 0, 0, 0, 0],
           0x4000: [0, 0, 0, 0, 0, 0, 0, 6, 0]}
STUB = 0x20
REGISTERS = [(pc, [[(0, 1), (2, 2)] if pc in (0x14, 0x18) else [], [(5, 4)] if pc == 0x18 else []])
             for pc in range(0, 0x40, 4)]


def call_of(pc):
    """As the map says, without blocks of other kernels."""
    for number, start, end in BLOCKS + [(3, 0x2C, 0x30)]:
        if start <= pc <= end:
            return CALLS[number]
    return None


def line_of(pc):
    return 12 if pc == 0 else 20 if pc in (
        0x14, 0x18) else 21 if pc == 0x1C else 9 if pc == 0x20 else 25 if pc == 0x28 else None


# A load of 4 lines at 0x14, twice; and a store of one of these lines at 0x1c.
ACCESSES = {0: [raw.dma_mov(0, 0x100000, 0x14, 1, 64, 0, 0, "GM>UB")] * 2 +
            [raw.dma_mov(0x100000, 0, 0x1C, 1, 16, 0, 0, "UB>GM")]}
TRAFFIC = {0x14: (4096, 4, 4), 0x1C: (512, 1, 0)}


def files(**changes):
    made = {
        "op_basic_info.txt": b"Op Name=add_custom\nRun Soc Version=Ascend910B1\n",
        "pc_start_addr.txt": b"0x%x\n" % START,
        "pc_start_pcsampling.txt": b"0x%x\n" % (START + 0x8000000),
        "PcOffset.bin": struct.pack("<Q", STUB),
        "kernel7Stub.o.bbbmap.1": MAP.encode(),
        "kernel7.extra.1": raw.block_counts(UNITS, 5),
        "pcSampling.bin.0": raw.sample_chunk(3, 1, [raw.sample(START + STUB + pc, counts) for pc,
                                                    counts in SAMPLES.items()]),
        "pcSampling.bin.1": raw.sample_chunk(4, 2, [raw.sample(START + STUB + 0x18, [1] * 9)]),
        "lrm.bin": raw.liveness([0, 3], [2, 1], ["add_custom"], [0], REGISTERS),
        "aicore_binary.o": open(kernel, "rb").read(),
    }
    made.update(changes)
    return {name: data for name, data in made.items() if data is not None}


def run(made, code, pipeline="dbi-dump", options=(), accesses=True, folder=SOURCE):
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.rmtree(RESULT, ignore_errors=True)
    os.makedirs(folder)
    for name, data in made.items():
        with open(os.path.join(folder, name), "wb") as out:
            out.write(data)
    if accesses:
        raw.write_packets(os.path.join(folder, "DbiPackets.bin"), ACCESSES, closed=True)
    done = subprocess.run([RUN, *(["--pipeline", pipeline, "--set", "input=" + SOURCE] if pipeline
                                  else [SOURCE]), "--output", RESULT,
                           "--flat", "--quiet", *options], capture_output=True, text=True,
                          check=False)
    check(done.returncode == code, "exit code %d, not %d: %s" %
          (done.returncode, code, done.stderr))
    with open(os.path.join(RESULT, "run.json"), encoding="utf-8") as text:
        stages = json.load(text)["stages"]
    return "\n".join(said for stage in stages for said in stage["warnings"] + stage["incomplete"])


def table(name, folder=""):
    path = os.path.join(RESULT, folder, name + ".csv")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def blocks(folder=""):
    """Blocks of the viewer's container by type; of source texts the path as well."""
    found = {}
    with open(os.path.join(RESULT, folder, "visualize_data.bin"), "rb") as data:
        while True:
            head = data.read(12)
            if not head:
                return found
            size, kind, padding, version = struct.unpack("<QBBBx", head)
            path = data.read(4096).rstrip(b"\0").decode() if kind == 1 else None
            body = data.read(size)
            body = body[:len(body) - padding]
            found[kind] = (version, path, body if kind == 1 else json.loads(body))


# ---------------------------------------------------------------- everything is there

def shown_pcs():
    return list(range(0, 0x2C, 4)) + [0x2C, 0x30]


def check_instructions():
    rows = table("HotInstructions")
    check([int(row["Address"], 16) - START for row in rows] == shown_pcs(), "instructions: %s" %
          [row["Address"] for row in rows])
    for row in rows:
        pc = int(row["Address"], 16) - START
        calls = call_of(pc)
        check(row["Instructions Executed"] == ("NA" if calls is None else str(calls)),
              "executions at 0x%x: %s" % (pc, row))
        line = line_of(pc)
        check(row["Code"].endswith("add_custom.cpp:%d" % line) if line else row["Code"] == "NA",
              "line at 0x%x: %s" % (pc, row["Code"]))
        size, hits, misses = TRAFFIC.get(pc, (None, None, None))
        check(row["Process Bytes"] == ("NA" if size is None else str(size)), "bytes at 0x%x: %s" %
              (pc, row))
        check(row["L2 Hits"] == ("NA" if hits is None else str(hits))
              and row["L2 Misses"] == ("NA" if misses is None else str(misses)),
              "hits at 0x%x: %s" % (pc, row))
        counts = SAMPLES.get(pc, [0] * 9)
        counts = [count + (pc == 0x18) for count in counts]
        check(int(row["All Samples"]) == sum(counts) and int(row["Not Issue"]) == sum(counts[:8]),
              "samples at 0x%x: %s" % (pc, row))
        check(row["GPR Count"] == str({0x14: 2, 0x18: 3}.get(pc, 0)), "registers at 0x%x: %s" %
              (pc, row))
        check(row["Function"] == ("add_custom" if pc < 0x2C else "add_custom_mix_aiv"),
              "function at 0x%x: %s" % (pc, row))


def check_lines():
    found = {}
    for row in table("HotLines"):
        found[int(row["Code"].rsplit(":", 1)[1])] = row
    wanted = {}
    for pc in shown_pcs():
        if line_of(pc):
            wanted.setdefault(line_of(pc), []).append(pc)
    check(sorted(found) == sorted(wanted), "lines: %s" % sorted(found))
    for line, pcs in wanted.items():
        calls = [call_of(pc) for pc in pcs if call_of(pc) is not None]
        check(found[line]["Instructions Executed"] == (str(sum(calls)) if calls else "NA"),
              "executions of line %d: %s" % (line, found[line]))
        sizes = [TRAFFIC[pc][0] for pc in pcs if pc in TRAFFIC]
        check(found[line]["Process Bytes"] == (str(sum(sizes)) if sizes else "NA"),
              "bytes of line %d: %s" % (line, found[line]))
    check(found[20]["L2Cache Hit Rate(%)"] == "50.0"
          and found[21]["L2Cache Hit Rate(%)"] == "100.0", "hit rates of lines")
    check(found[20]["All Samples"] == "19" and found[20]["Not Issue"] == "11"
          and found[20]["GPR Count"] == "3", "samples of line 20")


def check_stalls():
    found = {(row["Code"].rsplit(":", 1)[-1], row["Reason"]):
             (int(row["Samples"]), float(row["Share(%)"])) for row in table("StallReasons")}
    all_samples = sum(map(sum, SAMPLES.values())) + 9
    wanted = {}
    for pc, counts in [*SAMPLES.items(), (0x18, [1] * 9)]:
        for reason, count in zip(REASONS, counts):
            if count:
                key = (str(line_of(pc) or "NA"), reason)
                wanted[key] = wanted.get(key, 0) + count
    check({key: value[0] for key, value in found.items()} == wanted, "stall reasons: %s, not %s" %
          (found, wanted))
    check(all(abs(share - 100 * count / all_samples) < 1e-9 for count, share in found.values()),
          "shares of stall reasons")


def cells_of(pc, body):
    return next(one for one in body["Instructions"] if int(one["Address"], 16) == START + pc)


def check_container(folder=""):
    found = blocks(folder)
    version, _, body = found[4]
    check(version == 0 and body["Cores"] == ["ALL"], "instructions of all cores together")
    types = body["Instructions Dtype"]["Instructions"]
    check(types == {"Address": 3, "AscendC Inner Code": 3, "Instructions Executed": 1, "Pipe": 3,
                    "Source": 3, "GPR Count": 1, "L2Cache Hit Rate": 4, "Process Bytes": 1,
                    "Stall Sampling(All Samples)": 100, "Stall Sampling(Not Issue)": 100,
                    "GPR Status": 5}, "columns: %s" % types)
    check([one["Address"] for one in body["Instructions"]] == sorted("0x%x" % (START + pc) for pc
                                                                     in shown_pcs()),
          "order of addresses")
    one = cells_of(0x14, body)
    check(one["Instructions Executed"] == [2**31 - 1], "the viewer takes 32 bits: %s" % one)
    check(one["Source"] == "DMA_MOV GM>UB" and one["Pipe"] == "MTE2"
          and one["Process Bytes"] == 4096 and one["L2Cache Hit Rate"] == 50.0,
          "an instruction that moves data: %s" % one)
    check(one["GPR Status"] == [{"regIndex": "R0", "regStatus": 1, "survivalTime": 2},
                                {"regIndex": "R2", "regStatus": 2, "survivalTime": 2}],
          "registers: %s" % one["GPR Status"])
    check([r["survivalTime"] for r in cells_of(0x18, body)["GPR Status"]] == [0, 0, 1],
          "a run's length stands where it begins")
    stall = cells_of(0x18, body)["Stall Sampling(All Samples)"]
    check(stall["Details"] == {"Active": 8, "IBuf_Empty": 2, "Nop_Cycles": 3,
                               "Divergence_Stack_Spill": 1, "Others": 1, "Register_bank_conflict":
                               1,
                               "Resource_conflict": 1, "Scoreboard_Not_Ready": 1,
                               "Warp_Level_Sync": 1}, "details: %s" % stall)
    check(abs(stall["Percent"] - 19 / 29) < 1e-12, "share of all samples: %s" % stall["Percent"])
    waits = cells_of(0x18, body)["Stall Sampling(Not Issue)"]
    check("Active" not in waits["Details"] and abs(waits["Percent"] - 11 / 21) < 1e-12,
          "share of waits: %s" % waits)
    check("Instructions Executed" not in cells_of(0x20, body)
          and "Process Bytes" not in cells_of(0, body), "what is unknown has no cell")
    _, _, lines = found[3]
    check(len(lines["Files"]) == 1 and lines["Files"][0]["Source"] == found[1][1],
          "the source is in the container")
    check([one["Line"] for one in lines["Files"][0]["Lines"]] == [12, 20, 21, 25, 9],
          "lines in the order of their texts")
    line = lines["Files"][0]["Lines"][1]
    check(line["Address Range"] == [["0x%08x" % (START + 0x14), "0x%08x" % (START + 0x18)]]
          and line["Process Bytes"] == 4096 and
          line["GPR Count"] == 3 and line["L2Cache Hit Rate"] == 50.0
          and abs(line["Stall Sampling(All Samples)"]["Percent"] - 19 / 29) < 1e-12,
          "line 20: %s" % line)
    check(found[15][2] == {"top_stall_reason_table": {"Divergence_Stack_Spill": 1, "IBuf_Empty": 2,
                                                      "Nop_Cycles": 3, "Others": 7,
                                                      "Register_bank_conflict": 1,
                                                      "Resource_conflict": 1,
                                                      "Scoreboard_Not_Ready": 5, "Warp_Level_Sync":
                                                      1}}, "reasons of the launch: %s" %
          found[15][2])
    check(open(found[1][1], "rb").read() == found[1][2], "the source's text")


said = run(files(), 0)
check_instructions()
check_lines()
check_stalls()
check_container()
check("6 samples are of addresses outside" in said, "samples beyond the code: %s" % said)
check(blocks()[14][2]["Cacheline Records"][0x800]["Miss"]["Address Range"] == [
          ["0x%08x" % (START + 0x14)] * 2], "the cache's heat map links to instructions")

# Recognised by its files alone, and without instrumented accesses.
run(files(), 0, pipeline=None, accesses=False)
check(len(table("HotInstructions")) == len(shown_pcs()), "a folder is recognised")

# -vv shows what a liveness file says of the code as a whole.
told = subprocess.run([RUN, "--pipeline", "dbi-dump", "--set", "input=" + SOURCE, "--output",
                       RESULT + ".vv", "--flat", "-vv"],
                      capture_output=True, text=True, check=False).stderr
check("registers of type R=2\n" in told and "registers of type X=1\n" in told,
      "totals of registers: %s" % told)
check("function 'add_custom' starts at instruction 0\n" in told, "functions of the code: %s" % told)

# Without liveness an instruction may begin at every fourth byte; registers are unknown then.
run(files(**{"lrm.bin": None}), 0)
check([int(row["Address"], 16) - START for row in table("HotInstructions")] == shown_pcs(),
      "steps of four bytes")
check({row["GPR Count"] for row in table("HotInstructions")} == {"NA"}, "registers are unknown")
check("GPR Count" not in blocks()[4][2]["Instructions Dtype"]["Instructions"],
      "no column of registers")

# Traffic of an instruction outside of all functions has no row.
ACCESSES[0].append(raw.dma_mov(0, 0x100000, 0x2000, 1, 16, 0, 0, "GM>UB"))
said = run(files(), 4)
check_instructions()
check("1 instruction that moved data lies outside" in said, "traffic beyond the code: %s" % said)
ACCESSES[0].pop()

# ---------------------------------------------------------------- the text of counted blocks

COUNTED = ("1 add_custom 0 4\n2 add_custom 14 %d\n3 add_custom 0x28 1\n4 add_custom_mix_aiv 0 5\n5 "
           "another 0 77\n" % CALLS[1])
run(files(**{"kernel7.extra.1": None, "fdata": COUNTED.encode()}), 0)
check_instructions()
said = run(files(fdata=COUNTED.replace("0 4\n", "0 5\n", 1).encode()), 4)
check(table("HotInstructions")[0]["Instructions Executed"] == "5" and "counts 1 block differently"
      in said, "two sources of counts: %s" % said)
said = run(files(fdata=(COUNTED + "6 add_custom 18 9\nnonsense\n").encode()), 4)
check_instructions()
check("'fdata' line 6: it counts no block of the map; 2 such lines" in said, "entries that begin "
      "no block: %s" % said)

# What is empty, cut or lacks blocks takes no count away.
for text, why in ((b"", "'fdata' is empty"), (b"\n\n", "'fdata' counts no block"),
                  (COUNTED[:-1].encode(), "'fdata' ends within a line"),
                  (COUNTED.replace("1 add_custom 0 4\n", "").encode(), "'fdata' lacks 1 block that "
                   "ran by the raw counters")):
    said = run(files(fdata=text), 4)
    check_instructions()
    check(why in said, "counted blocks: %s" % said)
without_counters = {"kernel7.extra.1": None}
said = run(files(fdata=COUNTED.replace("1 add_custom 0 4\n", "").encode(), **without_counters), 4)
check(table("HotInstructions")[0]["Instructions Executed"] == "NA" and "'fdata' lacks 1 block of "
      "the kernel" in said, "no count: %s" % said)
said = run(files(fdata=b"", **without_counters, **{"kernel7Stub.o.bbbmap.1": None}), 4)
check("'fdata' is empty" in said, "an empty text without a map: %s" % said)

# ---------------------------------------------------------------- names of kernels

# Of another kernel than the instrumented one, samples and traffic lie outside.
for name, count, code in (("add_custom", 13, 0), ("_Z10add_customPhS_", 13, 0), ("another", 2, 4),
                          ("add_custom_mix_aic", 13, 0)):
    run(files(**{"op_basic_info.txt": b"Op Name=%s\nRun Soc Version=Ascend910B1\n" %
                 name.encode()}), code)
    check(len(table("HotInstructions")) == count, "kernel '%s'" % name)
said = run(files(**{"op_basic_info.txt": b"Op Name=unheard_of\nRun Soc Version=Ascend910B1\n"}), 0)
check(len(table("HotInstructions")) == 15 and "no function of the block map belongs to 'unheard_of'"
      in said, "a name that no function has")

# ---------------------------------------------------------------- what may be missing or broken

said = run(files(**{"aicore_binary.o": None}), 0)
check({row["Code"] for row in table("HotInstructions")} == {"NA"} and "'aicore_binary.o', is "
                                                                      "not there" in said,
      "no kernel: %s" % said)
check(not table("HotLines") and 3 not in blocks() and 4 in blocks(), "no kernel, no lines")
# ---------------------------------------------------------------- a disassembler

def objdump(name, text, status=0):
    """A tool that says this of the kernel that it is given, whose first word it must be able to
    read."""
    path = os.path.join(scratch, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write("#!/bin/sh\ntest \"$*\" = \"-d -j .text --no-show-raw-insn $5\" || exit 9\n"
                  "test \"$(head -c 4 \"$5\" | tail -c 3)\" = ELF || exit 8\ncat <<'TEXT'\n%sTEXT\n"
                  "exit %d\n" % (text, status))
    os.chmod(path, 0o755)
    return ["--set", "objdump=" + path]


def sources():
    return {int(one["Address"], 16) - START: one["Source"].rstrip()
            for one in blocks()[4][2]["Instructions"]}


LISTING = ("\n<kernel>:\n      14: \tMOV_OUT_TO_UB\tX3, X4\n  18:\tBARRIER\n-1: x\n  99:\n      "
           "1c: MOV_UB_TO_OUT X5\n")
run(files(), 0)
without = sources()
run(files(), 0, options=objdump("named", LISTING))
check(sources() == {**without, 0x14: "MOV_OUT_TO_UB X3, X4", 0x18: "BARRIER",
                    0x1C: "MOV_UB_TO_OUT X5"}, "names: %s" % sources())
run(files(**{"aicore_binary.o": None}), 0, options=objdump("named", LISTING) + ["--set", "elf=" +
                                                                                kernel])
check(sources()[0x18] == "BARRIER", "names of a kernel that is a file: %s" % sources())
for options, why in ((objdump("fails", LISTING, 3), "fails' failed with exit code 3: it did "
                                                    "not say why"),
                     (objdump("silent", "no address\n"), "it names no instruction"),
                     (["--set", "objdump=/nowhere/objdump"], "'/nowhere/objdump' cannot be run: No "
                                                             "such file or directory")):
    said = run(files(), 4, options=options)
    check("names of instructions are unknown: " in said and why in said, "what is said: %s" % said)
    check(sources() == without, "all else is there: %s" % sources())
# One that hangs does not hold up the end of a run.
up = os.path.join(scratch, "up")
os.mkfifo(up)
options = objdump("hangs", "")
with open(options[1].removeprefix("objdump="), "w", encoding="utf-8") as out:
    out.write("#!/bin/sh\necho up >%s\ntail -f /dev/null\n" % up)
shutil.rmtree(RESULT)
with subprocess.Popen([RUN, "--pipeline", "dbi-dump", "--set", "input=" + SOURCE, "--output",
                       RESULT, "--flat", "--quiet", *options],
                      stderr=subprocess.PIPE, text=True) as hung:
    with open(up, encoding="utf-8") as line:
        line.read()
    hung.terminate()
    said = hung.communicate()[1]
check(hung.returncode == 4 and "hangs' was ended because the run was stopped" in said,
      "a stop: exit code %d: %s" % (hung.returncode, said))

# Where nothing was sampled, no number of samples is known.
run(files(**{"pcSampling.bin.0": None, "pcSampling.bin.1": None, "pc_start_pcsampling.txt": None,
             "PcOffset.bin": None}), 0)
for name in ("HotInstructions", "HotLines"):
    check({(row["All Samples"], row["Not Issue"]) for row in table(name)} == {("NA", "NA")},
          "samples of an unsampled launch: %s" % table(name)[:1])
run(files(**{"aicore_binary.o": None}), 0, options=["--set", "elf=" + kernel])
check_lines()
run(files(**{"aicore_binary.o": None, "kernel7.o": open(kernel, "rb").read()}), 0)
check_lines()
said = run(files(**{"aicore_binary.o": b"no kernel"}), 4)
check("source lines are unknown" in said and len(table("HotInstructions")) == len(shown_pcs()),
      "a broken kernel: %s" % said)
said = run(files(**{"pc_start_addr.txt": b"0x0\n", "pc_start_pcsampling.txt": None}), 4)
check(table("HotInstructions")[1]["Address"] == "0x4", "offsets where the start is unknown: %s" %
      table("HotInstructions")[1])
check("placed as if at 0" in said, "samples without a start: %s" % said)
for broken, why in ((b"", "is empty"), (b"nonsense\n", "has no hexadecimal address")):
    said = run(files(**{"pc_start_pcsampling.txt": broken}), 4)
    check("'pc_start_pcsampling.txt' " + why in said, "not a start: %s" % said)
for name in ("pcSampling.bin.0", "kernel7Stub.o.bbbmap.1"):
    said = run(files(**{name: b""}), 4)
    check("'%s' is empty" % name in said or "'%s' names no basic block" % name in said,
          "an empty file: %s" % said)
said = run(files(**{"PcOffset.bin": struct.pack("<Q", 0x40000)}), 4)
check("all 29 samples lie in the 262144 bytes before the code" in said,
      "samples of another stub: %s" % said)
said = run(files(**{"pc_start_pcsampling.txt": b"0x%x\n" % (START - 0x40000)}), 4)
check("29 of 29 samples are of addresses outside of the kernel's code" in said,
      "samples at wrong addresses: %s" % said)
said = run(files(**{"kernel7Stub.o.bbbmap.1": None}), 4)
check("no file 'kernel*.o.bbbmap.*' says" in said, "counters without a map: %s" % said)
said = run(files(**{"kernel7.extra.1": None}), 4)
check("has a block map but no counts" in said
      and table("HotInstructions")[0]["Instructions Executed"] == "NA",
      "a map without counters: %s" % said)
said = run(files(**{"kernel7.extra.1": raw.block_counts(UNITS, 5) + b"\1\0\0\0" + bytes(63)}), 4)
check(table("HotInstructions")[0]["Instructions Executed"] == "5" and "'kernel7.extra.1' ends "
                                                                      "within the counters of a "
                                                                      "core at byte 1536" in said,
      "counters that are cut: %s" % said)
said = run(files(**{"kernel7.extra.1": raw.block_counts(UNITS[:4], 5)}), 4)
check("'kernel7.extra.1' ends after the counters of 4 cores, within a block, which has 3" in said,
      "counters cut after a core: %s" % said)
said = run(files(**{"kernel7.extra.1": raw.block_counts(UNITS[:3], 5), "op_basic_info.txt":
                    files()["op_basic_info.txt"] + b"Block Dim=2\n"}), 4)
check("'kernel7.extra.1' ends after the counters of 3 cores, but the blocks of the launch have 6"
      in said, "counters cut after a block: %s" % said)
said = run(files(**{"kernel7Stub.o.bbbmap.1": MAP.replace("end: 0x1c", "end: 0x13").encode()}), 4)
check("line 5: it names no function, start or block that can be; 1 such line is" in said
      and table("HotInstructions")[5]["Instructions Executed"] == "NA",
      "a block that ends before it begins: %s" % said)
said = run(files(**{"kernel7Stub.o.bbbmap.1": MAP.replace("id:4", "id:64").encode()}), 4)
check("1 block has a number beyond the counters" in said, "a number without a counter: %s" % said)
for stub, why in ((b"", "is empty"), (b"\x20", "has 1 bytes, not 8")):
    said = run(files(**{"PcOffset.bin": stub}), 4)
    check("'PcOffset.bin' " + why in said, "a stub of another size: %s" % said)
said = run(files(**{"kernel7Stub.o.bbbmap.1": MAP[:MAP.index("function: another")].encode()}), 4)
check("'kernel7.extra.1' at byte 16: a counter is of no block of 'kernel7Stub.o.bbbmap.1', which "
      "may be cut; 1 such" in said, "a map that is cut: %s" % said)
said = run(files(**{"kernel7Stub.o.bbbmap.1": MAP[:-1].encode()}), 4)
check("'kernel7Stub.o.bbbmap.1' ends within a line" in said, "a map that is cut: %s" % said)
good = files()["pcSampling.bin.0"]
said = run(files(**{"pcSampling.bin.0": struct.pack("<2HI", 3, 9, 16) + good[8:] + good}), 4)
check("'pcSampling.bin.0' at byte 0: the head of a piece of samples makes no sense; 1 " in said,
      "a bad head: %s" % said)
check_stalls()
said = run(files(**{"pcSampling.bin.0": good[:8 + 3 * 16 - 1]}), 4)
check("'pcSampling.bin.0' ends within a piece of samples at byte 0" in said
      and "6 samples" not in said, "samples that are cut: %s" % said)
said = run(files(**{"lrm.bin": files()["lrm.bin"][:-1]}), 4)
check("'lrm.bin' is left out: at byte 0 an element is longer" in said
      and {row["GPR Count"] for row in table("HotInstructions")} == {"NA"},
      "liveness that is cut: %s" % said)
said = run(files(**{"op_basic_info.txt": b"Op Name=add_custom\nRun Soc Version=Ascend910B1\n"
                                         b"Is MC2=1\n"}), 4)
check(not table("HotInstructions") and "an operator that communicates, skipping it" in said,
      "operators that communicate")

# ---------------------------------------------------------------- beside counters, and in several
# launches

launch = os.path.join(SOURCE, "device0", "add_custom", "0", "dump")
run(files(), 0, folder=launch)
check_instructions()
shutil.copytree(launch, os.path.join(SOURCE, "device0", "add_custom", "1", "dump"))
os.remove(os.path.join(SOURCE, "device0", "add_custom", "1", "dump", "lrm.bin"))
done = subprocess.run([RUN, "dbi-dump", SOURCE, "--output", RESULT, "--flat", "--quiet"],
                      capture_output=True, text=True, check=False)
check(done.returncode == 4 and "'device0/add_custom/1', has no file 'lrm.bin'" in done.stderr,
      "two launches: %s" % done.stderr)
check_container("add_custom/0")
check("GPR Count" not in blocks("add_custom/1")[4][2]["Instructions Dtype"]["Instructions"],
      "launches have containers of their own")

# Counters, instrumentation and hot spots of one launch: all of it in one run, the blocks in the
# container's order.
counted = onboard_raw.Launch("910b", block_dim=2,
                             **{"Op Name": "add_custom"}).core("vector", 1000, {12: 500}).core(
    "vector", 1000, {12: 500}, block=1).files()
run({**counted, **{name: data for name, data in files().items() if name != "op_basic_info.txt"}}, 0,
    pipeline="onboard-dump", options=["--set", "metrics=default,memorydetail"])
check_instructions()
check_lines()
check_stalls()
check_container()
kinds = list(blocks())
check(kinds == [5, 6, 7, 8, 9, 14, 15, 1, 3, 4], "blocks of everything: %s" % kinds)
run({**counted, **{name: data for name, data in files().items() if name != "op_basic_info.txt"}}, 0,
    pipeline=None)
check(os.path.exists(os.path.join(RESULT, "PipeUtilization.csv"))
      and len(table("HotInstructions")) == 13, "recognised as a launch with counters")
print("%d checks" % checks)
