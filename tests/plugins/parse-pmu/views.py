#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the views of each chip and kind of operator show, computed independently: facts of the
operator, compute load, caches, pipes, scalar units and rooflines. (Paths of memory: maps.py; load
of cores: vectors.py.)
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from onboard_raw import OPERANDS, Launch, main, same  # noqa: E402  (needs the path)

FREQ, CYCLES, US = 1000, 20000, 40
CORES = {"AiCore": (("core", 0),), "cube": (("cube", 0),), "vector": (("vector", 0),),
         "mix": (("cube", 0), ("vector", 0), ("vector", 1))}


def launch_of(chip, kind, soc=None):
    """(the launch, events by name of core): every event has a number of its own."""
    launch, cores = Launch(chip, soc=soc, freq=FREQ, rated=1850).took(US), {}
    for number, (core, sub) in enumerate(CORES[kind]):
        events = {event: 3 * event + 7 * number + 50 for slots in launch.plan.values()
                  for event in slots}
        events.update({50: 30000, 518: 200, 19: 4000, 524: 900, 1801: 60000, 1806: 500, 1058: 20000,
                       1799: 70000, 49: 90000, 84: 5000, 52: 5000, 76: 100 + number, 75: 1000,
                       1292: 9000})
        launch.core(core, CYCLES, events, sub=sub)
        cores["%s%d" % (core, sub)] = events
    return launch, cores


def count(text, events):
    """A formula such as E84-E85, for one core or, of several, added up."""
    return eval(re.sub(r"E(\d+)", r"e[\1]", text), {"e": events, "max": max})


def added(cores):
    total = {}
    for events in cores:
        for event, value in events.items():
            total[event] = total.get(event, 0) + value
    return total


# --- facts of the operator ---

def facts_of_operators():
    for chip in ("310p", "910b", "a5"):
        for kind in ("AiCore",) if chip == "310p" else ("cube", "vector", "mix"):
            launch, _ = launch_of(chip, kind)
            launch.info.update({"Block Dim": 20, "Pid": 77})
            # 19 blocks are missing
            block = launch.run("BasicInfo", code=0 if chip == "310p" else 4).blocks()[5]
            soc = launch.info["Run Soc Version"]
            same({name: block[name] for name in ("name", "soc", "op_type", "block_dim",
                                                 "mix_block_dim", "device_id", "pid", "cur_freq",
                                                 "rated_freq", "duration")},
                 {"name": "made_up", "soc": soc, "op_type": kind, "block_dim": "20",
                  "mix_block_dim": "2" if kind == "mix" else "", "device_id": "0", "pid": "77",
                  "cur_freq": "1000", "rated_freq": "1850", "duration": US})
            detail = block["mix_block_detail" if kind == "mix" else "block_detail"]
            us = "20.000000"
            if chip == "310p":  # twice ten cores for 20 blocks: 2 / 20 of the cycles
                heads, row = ["Core Type", "Duration (μs)"], ["AiCore", "2.000000"]
            elif kind == "mix":
                heads = ["Block ID"] + [core + " Duration (μs)"
                                        for core in ("Cube0", "Vector0", "Vector1")]
                row = ["0", us, us, us]
            else:
                heads, row = ["Block ID", "Core Type", "Duration (μs)"], ["0", kind, us]
            same(detail, {"head_name": heads, "row": [{"value": row}], "size": [2, len(heads)]})
            same(len(block["advice"]), 1)


# --- compute load: name, unit, expression; unit 3 is a share of the cycles ---

CUBE_LOAD = """Cube All Active|3|E73+E74; Cube FP|3|E73; Cube INT|3|E74; Cube Wait|3|E88; Cube All Active|1|E3;
Cube FP|1|E1032; Cube INT|1|E1033"""
VECTOR_LOAD = """Vector All Active|3|E8; Vector All Active|1|E1; Vector S32|1|E78; Vector FP32|1|max(0,E75-E76);
Vector FP16|1|E76+E77+E174; Vector S16|1|E186; Vector Misc|1|E79; Vector Fusion|1|E184; Vector DB Para|1|E185;
Vector All Block|1|E100+E101+E102+E103; Vector Bank Group Conflict Block|1|E100; Vector Bank Conflict Block|1|E101;
Vector VALU Resource Conflict Block|1|E102; Vector MTE Urgent Request Block|1|E103; Vector Wait|0|E89//1000"""
LOADS = {
    ("910b", "cube"): CUBE_LOAD,
    ("910b", "vector"): VECTOR_LOAD,
    ("310p", "core"): CUBE_LOAD.replace("E1032", "NA").replace("E1033", "NA") + ";" +
                      VECTOR_LOAD,
    ("a5", "cube"):
    """Cube All Active|3|E810; Cube FP|3|E808; Cube INT|3|E809; Cube FP|1|E789; Cube INT|1|E790;
Cube All Active|1|E768; Cube Wait|0|E11//1000""",
    ("a5", "vector"): "Vector All Active|3|E1281; Vector All Active|1|0; Vector Wait|0|E12//1000",
}


def loads_of_cores():
    for chip in ("310p", "910b", "a5"):
        for kind in ("AiCore",) if chip == "310p" else ("cube", "vector", "mix"):
            launch, cores = launch_of(chip, kind)
            blocks = launch.run("default").blocks()
            wanted = {6: [], 7: []}
            for core, events in cores.items():
                for entry in LOADS[chip, core[:-1]].split(";"):
                    name, unit, text = entry.strip().split("|")
                    value = "NA" if text == "NA" else count(text, events)
                    one = {"block_id": "NA" if chip == "310p" else "0", "block_type": core
                           if kind == "mix" else kind,
                           "name": name, "unit": int(unit)}
                    if unit == "3":
                        suffix = core[-1] if kind == "mix" and core.startswith("vector") else ""
                        one.update({"name": name + suffix, "origin_value": value,
                                    "value": 100 * value / CYCLES})
                    else:
                        one["value"] = str(value)
                    wanted[6 if unit == "3" else 7].append(one)
            for number in (6, 7):
                block = blocks[number]
                same(block["advice"], [])
                same([sorted(entry.items(), key=str) for entry in block["subblock_detail"]],
                     [sorted(entry.items(), key=str) for entry in wanted[number]])


def operands_of_a5():
    """Each type with any instruction, in the order of types, and their sum; SIMD and SIMT
    together."""
    launch, _ = launch_of("a5", "mix")
    for index, name in ((0, "ZX32"), (0, "F16"), (0, "F32"), (1, "U8"), (2, "S8")):
        launch.operand(index, name, simd=(10 + index, 1000), simt=(5 * (name != "U8"), 7))
    entries = [(entry["block_type"], entry["name"], entry["value"])
               for entry in launch.run("default").blocks()[7]["subblock_detail"]
               if entry["block_type"] != "cube0"]
    wait = str((3 * 12 + 7 + 50) // 1000), str((3 * 12 + 14 + 50) // 1000)
    same(entries, [("vector0", "Vector F16", "15"), ("vector0", "Vector F32", "15"),
                   ("vector0", "Vector ZX32", "15"), ("vector0", "Vector All Active", "45"),
                   ("vector0", "Vector Wait", wait[0]), ("vector1", "Vector U8", "11"),
                   ("vector1", "Vector All Active", "11"), ("vector1", "Vector Wait", wait[1])])
    same(OPERANDS.index("ZX32"), 32)


# --- caches, pipes and scalar units ---

A2_CACHE = {"L2 Cache Write": ("E1280", "E1282"), "L2 Cache Read": ("E1284+E1288", "E1286+E1290"),
            "L2 Cache Total": ("E1280+E1284+E1288", "E1282+E1286+E1290"),
            "iCache Total": ("E84-E85", "E85")}
A5_CACHE = {"L2 Cache Write": ("E1066+E1069", "E1067+E1068+E1070+E1071"),
            "L2 Cache Read": ("E1060+E1063", "E1061+E1062+E1064+E1065"),
            "L2 Cache Total": ("E1060+E1063+E1066+E1069",
                               "E1061+E1062+E1064+E1065+E1067+E1068+E1070+E1071"),
            "iCache Total": ("E52-E53", "E53")}
A5_VECTOR_PIPE = {"MTE2": ("E512", "E514", "E14", "max(0,E1058-E1407-E1408)*128"),
                  "MTE3": ("E513", "E515", "E15", None), "Scalar": ("E0", "E1", "E10", None)}
PIPES = {
    ("910b", "cube"): {"MTE1": ("E4", "E770", "E90", None), "MTE2": ("E5", "E12", "E91", None),
                       "MTE3": ("E6", "E13", "E92", "(4*E19+E518-E524)*128"),
                       "FIXP": ("E526", "E771", "0", "E524*128"),
                       "Scalar": ("0", "E9", "E87", None)},
    ("910b", "vector"): {"MTE1": ("E4", "E770", "E90", None),
                         "MTE2": ("E5", "E12", "E91", "E62*128"),
                         "MTE3": ("E6", "E13", "E92", "E61*128"),
                         "FIXP": ("E526", "E771", "0", None), "Scalar": ("0", "E9", "E87", None)},
    ("310p", "core"): {"MTE1": ("E4", "E11", "E90", None), "MTE2": ("E5", "E12", "E91", None),
                       "MTE3": ("E6", "E13", "E92", None), "Scalar": ("0", "E9", "E87", None)},
    ("a5", "cube"): {"MTE1": ("E1792", "E1794", "E13", "E1799*256"),
                     "MTE2": ("E512", "E514", "E14", "E1058*128"),
                     "MTE3": ("E513", "E515", "E15", "max(0,E1801-E1806-E1058//2)*256"),
                     "FIXP": ("E1813", "E1812", "E36", "(E1804+E1806+E1815+E1059)*128"),
                     "Scalar": ("E0", "E1", "E10", None)},
    ("a5", "vector"): A5_VECTOR_PIPE,
}
SCALARS = {"cube": [("Time", 9), ("Single", 112), ("Dual", 113), ("Mte1 Stall", 107),
                    ("Mte2 Stall", 108), ("Mte3 Stall", 109), ("WAIT IB", 114), ("Wait", 87),
                    ("Cube Stall", 110)],
           "vector": [("Time", 9), ("Single", 112), ("Dual", 113), ("Mte2 Stall", 108),
                      ("Mte3 Stall", 109), ("WAIT IB", 114), ("Wait", 87), ("Ub Stall", 106),
                      ("Vector Stall", 111)]}
INTERNUCLEAR = [("Internuclear ID%d" % number, 1792 + number if number < 8 else 1772 + number)
                for number in range(16)]


def caches_pipes_and_scalar_units():
    for chip in ("310p", "910b", "a5"):
        for kind in ("AiCore",) if chip == "310p" else ("cube", "vector", "mix"):
            launch, cores = launch_of(chip, kind)
            launch.l2 = [75, 60, 40, 0, 0, 0, 0, 0] if chip == "310p" else launch.l2
            tables = launch.run("default").tables("NA" if chip == "310p" else "0")
            check_cache(chip, tables["Cache"], added(cores.values()))
            for core, events in cores.items():
                of = {"cube": " Cube", "vector": " Vector Core" +
                      core[-1]}[core[:-1]] if kind == "mix" else ""
                check_pipe(chip, core[:-1], kind, tables["Pipe" + of], events)
                if chip == "910b":
                    check_scalar(core[:-1], tables["Scalar" + of], events)


def check_cache(chip, table, events):
    wanted = {"310p": {"L2 Cache Total": ("75", "25"), "iCache Total": ("E84-E85", "E85")},
              "910b": A2_CACHE, "a5": A5_CACHE}[chip]
    same(sorted(table), sorted(wanted))
    for name, (hit, miss) in wanted.items():
        hit, miss = count(hit, events), count(miss, events)
        if chip != "310p" and hit < 0:
            hit = None
        same(table[name][:3], [str(hit), str(miss), str(hit + miss)] if hit is not None else None)
        same(table[name][3], 100 * hit / (hit + miss))


def check_pipe(chip, core, kind, table, events):
    rows = dict(PIPES[chip, core])
    if (chip, core, kind) == ("910b", "vector", "mix"):
        del rows["MTE1"], rows["FIXP"]
    same(list(table), list(rows))
    for name, (instructions, cycle, wait, amount) in rows.items():
        busy = count(cycle, events)
        same(table[name][:3], [str(count(text, events)) for text in (instructions, cycle, wait)])
        same(table[name][3], 100 * busy / CYCLES)
        same(table[name][4], "NA" if amount is None
             else count(amount, events) / (busy / FREQ) * 1e6 / 2**30)


def check_scalar(core, table, events):
    rows = SCALARS[core] + INTERNUCLEAR
    same(list(table), ["Scalar " + name for name, _ in rows])
    for name, event in rows:
        same(table["Scalar " + name][0], str(events[event]))
        same(table["Scalar " + name][1], events[event] / FREQ)


def waits_that_did_not_happen_have_no_row():
    result = Launch("910b").core("cube", 1000, {1794: 3, 1785: 4}).run()
    same([name for name in result.tables()["Scalar"] if "Internuclear" in name],
         ["Scalar Internuclear ID2", "Scalar Internuclear ID13"])
    same([name for name in result.table("PipeUtilization")[0] if "wait_id" in name],
         ["aic_scalar_wait_id13_time(us)", "aic_scalar_wait_id2_time(us)"])


# --- rooflines: title, then line: bytes, peak in bytes a cycle of each core, in GB/s of each core,
# or in TB/s ---

def rooflines(chip, kind, cube, vector, every, rated=1850, cores=24):
    a, b, c = "max(0,E50-E518)*256", "E49*256", "E518*128"
    g, h = "max(0,4*E19+E518-E524)*128", "max(0,E524-E518)*128"
    l0a, l0b = "E28*256", "E34*128"
    weights = [count(text, cube) for text in (l0a, l0b, c, h)] if cube and chip == "910b" else [
        1, 1, 1, 1]
    mte1 = (weights[0] * 437.5 + weights[1] * 210.5) / (weights[0] + weights[1])
    fixp = (weights[2] * 216.88 + weights[3] * 209.32) / (weights[2] + weights[3])
    l0c = "(E1804+E1806+E1815+E1059)*128"
    gm = "(E1286+E1290)*128+E1282*512"
    gm5 = "(E1061+E1062+E1064+E1065)*128+(E1062+E1065+E1068+E1071)*128"
    graphs = {
        "910b": {
            "Memory Unit(Cube)": (cube, {
                "L1 Read + Write": ("+".join((a, b, c)), "cycle", 512),
                "Write to L1": (a + "+" + c, "cycle", 256), "Read from L1": (b, "cycle", 256),
                "Write to L0A": (l0a, "cycle", 256), "Write to L0B": (l0b, "cycle", 128),
                "Read from L0C": ("E524*128", "cycle", 128)}),
            "Pipeline(Cube)": (cube, {
                "MTE1": ("max(0,%s-%s)" % (b, g), "core", mte1),
                "MTE2": ("%s+max(0,%s+%s-max(0,%s-%s))" % (a, l0a, l0b, b, g), "core", 340.1),
                "MTE3": ("max(0,E1292*128-%s)" % h, "core", 199.43),
                "FIXP": ("E524*128", "core", fixp)}),
            "Memory Transfer(Cube)": (cube, {
                "L1 to GM": (g, "core", 199.43), "L0C to GM": (h, "core", 209.32),
                "L0C to L1": (c, "core", 216.88), "GM/L1 to L0A": (l0a, "core", 437.5),
                "GM/L1 to L0B": (l0b, "core", 210.5)}),
            "Memory Unit(Vector)": (vector, {
                "UB Read + Write": ("(E61+E62)*128+(E67+E68)*256", "cycle", 1024),
                "Read from UB": ("E61*128", "cycle", 256),
                "Write to UB": ("E62*128", "cycle", 256),
                "Vector Read UB": ("E67*256", "cycle", 1024),
                "Vector Write UB": ("E68*256", "cycle", 1024)}),
            "Pipeline(Vector)": (vector, {"MTE2": ("E62*128", "core", 2 * 220.06),
                                          "MTE3": ("E61*128", "core", 2 * 186.8)}),
            "Memory Transfer(Vector)": (vector, {"UB to GM": ("E61*128", "core", 2 * 186.8),
                                                 "GM to UB": ("E62*128", "core", 2 * 220.06)}),
            "GM/L2": (every, {"GM Read + Write": (gm, "chip", 1.8),
                              "L2 Read + Write": ("E1280*512+(E1284+E1288)*128+" + gm, "chip", 8)}),
        },
        "310p": {
            "Memory Unit": (every, {
                "L1 Read + Write": ("E50*256+E49*512", "cycle", 768),
                "Write to L1": ("E50*256", "cycle", 256), "Read from L1": ("E49*512", "cycle", 128),
                "Write to L0A": (l0a, "cycle", 256), "Write to L0B": (l0b, "cycle", 128),
                "Read from L0C": ("E44*512", "cycle", 512),
                "UB Read + Write": ("(E61+E62+E67+E68)*16", "cycle", 256),
                "Read from UB": ("E61*16", "cycle", 128), "Write to UB": ("E62*16", "cycle", 128),
                "Vector Read UB": ("E67*16", "cycle", 512),
                "Vector Write UB": ("E68*16", "cycle", 512)}),
        },
        "a5": {
            "Memory Unit(Cube)": (cube, {
                "L1 Read + Write": ("E1801*256+E1806*128+E1799*256", "cycle", 512),
                "Write to L1": ("E1801*256+E1806*128", "cycle", 256),
                "Read from L1": ("E1799*256", "cycle", 256),
                "Write to L0A": ("E1795*256", "core", 412.1),
                "Write to L0B": ("E1797*256", "core", 412.11),
                "Read from L0C": (l0c, "cycle", 512)}),
            "Pipeline(Cube)": (cube, {
                "MTE1": ("E1799*256", "core", 412.11), "MTE2": ("E1058*128", "core", 177.57),
                "MTE3": ("max(0,E1801-E1806-E1058//2)*256", "core", 206.18),
                "FIXP": (l0c, "core", 412.15)}),
            "Memory Transfer(Cube)": (cube, {
                "L0C to GM": ("E1059*128", "core", 142.05),
                "L0C to L1": ("E1806*128", "core", 412.15),
                "GM/L1 to L0A": ("E1795*256", "core", 412.1),
                "GM/L1 to L0B": ("E1797*256", "core", 412.11)}),
            "Memory Unit(Vector)": (vector, {"SIMT VF": ("(E1407+E1408+E1397+E1398)*128", "cycle",
                                                         256)}),
            "GM/L2": (every, {"GM Read + Write": (gm5, "chip", 1.6),
                              "L2 Read + Write": ("(E1060+E1063)*128+(E1066+E1069)*128+" + gm5,
                                                  "chip", 8.8)}),
        },
    }[chip]
    peaks = {"cycle": lambda value: value * rated * cores * 1e6 / 2**40, "core": lambda value:
             value * cores / 1024,
             "chip": lambda value: value}
    # lines in the order of their names
    return {title: {name: (count(text, events), peaks[how](value))
                    for name, (text, how, value) in sorted(lines.items())}
            for title, (events, lines) in graphs.items() if events}


def work_of_a2(cube, vector, cores=24, rated=1850, lanes=(64, 128, 64, 32, 64, 128, 32), per_core=2,
               corrected=True):
    """[operations, theory, name] of the cube and of the vector cores."""
    works = []
    if cube:
        share = cube[74] / (cube[73] + cube[74])
        theory = 8192 * (1 + share)
        name = "Cube_FP(%.6f%%),Cube_INT(%.6f%%)" % (100 - 100 * share, 100 * share)
        name = name if share < 1 else "Cube_INT(100%)"
        works.append((cube[33] * theory, theory * rated * cores / 1e6, name))
    if vector:
        fp32 = max(0, vector[75] - vector[76]) if corrected else vector[75]
        counts = dict(zip(("FP32", "FP16_128", "FP16_64", "FP16_32", "S32", "S16", "MISC"),
                          (fp32, vector[76], vector[77], vector[174], vector[78], vector[186],
                           vector[79])))
        total, operations = sum(counts.values()), sum(n * lane for n,
                                                      lane in zip(counts.values(), lanes))
        works.append((operations, operations * rated * cores * per_core / total / 1e6,
                      ",".join("Vec_%s(%.6f%%)" % (name, 100 * n / total) for name,
                               n in sorted(counts.items()) if n)))
    return works


def check_lines(found, wanted, work):
    same(list(found), [(name, work[2]) for name in wanted])
    for (name, _), line in found.items():
        amount, peak = wanted[name]
        x, y = work[0] / amount, work[0] / US / 1e6
        same(line["bw"], peak)
        same(line["computility"], work[1])
        same(line["point"][0], x)
        same(line["point"][1], y)
        is_right = x > work[1] / peak
        bound = work[1] if is_right else x * peak
        is_odd = y > work[1] or abs(y - work[1]) <= 1e-4 or (not is_right and y > x * peak)
        same(line["ratio"], "NA" if is_odd else "%.6f" % (y / bound))


def rooflines_of_a2_and_310p():
    for kind in ("cube", "vector", "mix"):
        launch, cores = launch_of("910b", kind)
        result = launch.run("roofline")
        cube = cores.get("cube0")
        vector = added(events for core, events in cores.items() if core.startswith("vector"))
        wanted = rooflines("910b", kind, cube, vector, added(cores.values()))
        same([graph["title"] for graph in result.blocks()[13]["multiple_rooflines"]], list(wanted))
        works = work_of_a2(cube, vector)
        both = (sum(work[0] for work in works), sum(work[1] for work in works),
                " + ".join(work[2] for work in works))
        for title, lines in wanted.items():
            work = both if title == "GM/L2" else works[-1] if "Vector" in title else works[0]
            check_lines(result.lines(title), lines, work)
    launch, cores = launch_of("310p", "AiCore")
    every = cores["core0"]
    result = launch.run("roofline", "pmu.rated_freq=1000", "pmu.cores=8")
    works = work_of_a2(every, every, 8, 1000, (64, 128, 64, 32, 16, 32, 16), 1, False)
    wanted = rooflines("310p", "AiCore", every, every, every, 1000, 8)
    check_lines(result.lines("Memory Unit"), wanted["Memory Unit"],
                (works[0][0] + works[1][0], works[0][1] + works[1][1], works[0][2] + " + " +
                 works[1][2]))


CLASSES = {"Single Precision": (4096, ["F32"]), "Half Precision": (8192, ["F16", "BF16"]),
           "Quarter Precision": (16384, ["E4M3", "E5M2"]),
           "Eighth Precision": (32768, ["E1M2", "E2M1"]), "Integer": (16384, ["S8"])}


def rooflines_of_a5():
    """A line for each class of operands: of the cube's SIMD instructions, of the vector cores' SIMT
    ones."""
    launch, cores = launch_of("a5", "mix")
    for number, name in enumerate(OPERANDS):
        launch.operand(2, name, simd=(1, 1000 + number), simt=(1, 99))
        launch.operand(0, name, simd=(1, 77), simt=(1, 500 + number))
        launch.operand(1, name, simt=(1, 10))
    result = launch.run("roofline")
    vector = added(cores[name] for name in ("vector0", "vector1"))
    wanted = rooflines("a5", "mix", cores["cube0"], vector, added(cores.values()), 1650, 32)
    works = {name: (sum(1000 + OPERANDS.index(one) for one in names), theory * 1650 * 32 / 1e6,
                    name)
             for name, (theory, names) in CLASSES.items()}
    simt = {"Float": (sum(510 + number for number in range(17)), 128 * 1650 * 64 / 1e6, "Float"),
            "Integer": (sum(510 + number for number in range(17, 33)), 64 * 1650 * 64 / 1e6,
                        "Integer")}
    shared = {"Cube " + name: work for name, work in works.items() if name != "Integer"}
    shared["SIMT Float"] = simt["Float"]
    shared["Integer"] = tuple(works["Integer"][i] + simt["Integer"][i] for i in (0, 1))
    for title, lines in wanted.items():
        found = result.lines(title)
        of = shared if title == "GM/L2" else simt if "Vector" in title else works
        same(sorted({name for _, name in found}), sorted(of))
        for name, work in of.items():
            check_lines({key: line for key, line in found.items() if key[1] == name}, lines,
                        (work[0], work[1], name))


if __name__ == "__main__":
    main([facts_of_operators, loads_of_cores, operands_of_a5, caches_pipes_and_scalar_units,
          waits_that_did_not_happen_have_no_row, rooflines_of_a2_and_310p, rooflines_of_a5])
