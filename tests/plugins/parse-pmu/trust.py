#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No wrong number looks right: where counters, cycles or peaks could be taken for others, and where
advice could rest on nothing. Expected values are computed here from the counters that each test
names.
"""
import csv
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from onboard_raw import FACTS, Launch, main, run, same  # noqa: E402  (needs the path)

GIB = 2**30


def gib_s(amount, us):
    return amount * 1e6 / GIB / us


def ran(launch, files, metrics="default", *options, code=0):
    """The launch's files, and others: {name: bytes}."""
    with tempfile.TemporaryDirectory() as raw:
        launch.write(raw)
        for name, data in files.items():
            with open(os.path.join(raw, name), "wb") as file:
                file.write(data)
        return run(raw, metrics, *launch.options(), *options, code=code)


# --- replays ---

def replays_beyond_the_plan_do_not_count():
    """Cycles of an eleventh replay would make a ratio of 0.688 one of 1.274."""
    launch = Launch("910b", freq=1000).core("cube", 10000, {12: 6880}, core=3)
    other = bytes(launch.record(1, ("cube", 5400, {12: 1}, 0, 0, 9, set())))
    result = ran(launch, {"DeviceProf11.bin": other, "DeviceProf12.bin": other}, code=4)
    same(result.cell("Memory", "aic_mte2_ratio"), 0.688)
    same(result.cell("Memory", "aic_total_cycles"), "10000")
    same("2 files of counters beyond 'DeviceProf10.bin' are left out" in result.errors, True)
    # nor do cores that only such a replay has
    other = bytes(launch.record(1, ("vector", 5400, {}, 7, 0, 9, set())))
    same(len(ran(launch, {"DeviceProf11.bin": other}, code=4).table("Memory")), 1)
    # without counters, the first file shows which cores ran, and no other is looked at
    result = ran(launch, {"DeviceProf2.bin": other}, "BasicInfo")
    same(result.cell("OpBasicInfo", "Op Type"), "cube")


def packed_plan(series, *groups):
    """{(core, round): [event of each slot]} of an application that is replayed for some groups."""
    launch = Launch(series)
    plan = {}
    with open(os.path.join(FACTS, "pmu_events_%s.csv" % series), encoding="utf-8",
              newline="") as file:
        rows = list(csv.DictReader(file))
    rounds = 1
    for core in ("aic", "aiv"):
        wanted = {int(row["event"]) for row in rows
                  if set(groups) & set(row[core + "_groups"].replace(";", " ").split())}
        chunks = [[event for event in launch.plan[core, number] if event in wanted]
                  for number in range(1, launch.rounds + 1)]
        packed = [[]]
        for chunk in filter(None, chunks):
            if len(packed[-1]) + len(chunk) > launch.slots:
                packed.append([])
            packed[-1] += chunk
        rounds = max(rounds, len(packed))
        for number, slots in enumerate(packed):
            plan[core, number + 1] = slots + [0] * (launch.slots - len(slots))
    return {(core, number): plan.get((core, number), [0] * launch.slots)
            for core in ("aic", "aiv") for number in range(1, rounds + 1)}


def counters_of_an_application_are_read_by_its_own_plan():
    """398 steps are 3260416 operations; by the plan of all groups, other counters are taken for
    steps."""
    launch = Launch("910b", freq=1000).core("cube", 10000, {1032: 398, 10: 5298, 3: 7, 73: 5,
                                                            74: 1})
    launch.info["Pid"] = None
    launch.plan = packed_plan("910b", "ArithmeticUtilization")
    launch.rounds = max(number for _, number in launch.plan)
    same(launch.rounds < 10, True)
    result = launch.run("arithmeticutilization")
    same(result.cell("ArithmeticUtilization", "aic_cube_fops"), "3260416")
    for metrics in ("", ","):
        result = launch.run(metrics, code=4)
        same(result.cell("ArithmeticUtilization", "aic_cube_fops"), "NA")
        same(result.cell("ArithmeticUtilization", "aic_total_cycles"), "10000")
        same(result.cell("OpBasicInfo", "Task Duration(us)"), 100)
        same("all counters are left out: there are %d replays" % launch.rounds in result.errors,
             True)
        same("--set metrics=" in result.errors, True)
    # what was replayed is unknown
    launch.info["Pid"] = 1
    with tempfile.TemporaryDirectory() as raw:
        launch.write(raw)
        os.remove(os.path.join(raw, "op_basic_info.txt"))
        result = run(raw, "", "chip=Ascend910B1", code=4)
        same(result.cell("ArithmeticUtilization", "aic_cube_fops"), "NA")
    # a longer plan than that of the metrics that are named
    launch = Launch("910b", freq=1000).core("cube", 10000, {1032: 398})
    launch.info["Pid"] = None
    result = launch.run("arithmeticutilization", code=4)
    same(result.cell("ArithmeticUtilization", "aic_cube_fops"), "NA")
    same("all counters are left out" in result.errors, True)
    # all groups have one plan, whatever is replayed
    result = launch.run("default")
    same(result.cell("ArithmeticUtilization", "aic_cube_fops"), "3260416")


def as_many_replays_as_all_groups_need_tell_no_events():
    """Without ResourceConflictRatio, A2 needs as many replays as with it, and reads of L1 (770,
    771) are elsewhere."""
    groups = ["ArithmeticUtilization", "L2Cache", "Memory", "MemoryL0", "MemoryUB",
              "PipeUtilization"]
    launch = Launch("910b", freq=1000).core("cube", 10000, {770: 77, 771: 78})
    launch.info["Pid"] = None
    all_groups = launch.rounds
    launch.plan = packed_plan("910b", *groups)
    launch.rounds = max(number for _, number in launch.plan)
    same(launch.rounds, all_groups)
    named = launch.run(",".join(groups))
    same(named.cell("Memory", "aic_mte1_ratio"), 0.0077)
    result = launch.run("", code=4)
    same(result.cell("Memory", "aic_mte1_ratio"), "NA")
    same(result.cell("Memory", "aic_total_cycles"), "10000")
    same("up to 'DeviceProf%d.bin', of an application, and no metrics are named" %
         all_groups in result.errors, True)


def changed(launch, change, *options, code=4):
    """The launch's files after change(files), a dictionary."""
    files = launch.files()
    change(files)
    return ran(launch, files, "default", *options, code=code)


def counted(series="910b", us=1000):
    """Cores whose counters differ, and busy cycles below the cores' own."""
    launch = Launch(series, freq=1000, rated=1000).took(us)
    for block in range(1 if series == "310p" else 2):
        for kind in ("core",) if series == "310p" else ("cube", "vector"):
            launch.core(kind, 100000 + block, {event: event + 10 * block + 1
                                               for slots in launch.plan.values()
                                               for event in slots}, block=block)
    return launch


def a_file_of_counters_that_is_a_copy_of_another_is_told():
    for series in ("310p", "910b", "a5"):
        launch = counted(series)
        launch.run()
        def copy(files):
            files["DeviceProf2.bin"] = files["DeviceProf1.bin"]
        same("'DeviceProf2.bin' has the same bytes as 'DeviceProf1.bin'"
             in changed(launch, copy).errors, True)
    # Files of zeros alone are alike in any launch that did nothing of the kind.
    Launch("910b", freq=1000).core("cube", 500, {}).run()


def stamp(launch, files, swapped):
    """Cores that began later in each replay, but for two that are swapped."""
    for number in range(1, launch.rounds + 1):
        data = bytearray(files["DeviceProf%d.bin" % number])
        for at in range(0, len(data), 128):
            struct.pack_into("<QQ", data, at + 112, 10**6 * number + at, 10**6 * number + at + 500)
        files["DeviceProf%d.bin" % number] = bytes(data)
    if swapped:
        files["DeviceProf2.bin"], files["DeviceProf3.bin"] = files["DeviceProf3.bin"], files[
            "DeviceProf2.bin"]


def files_of_counters_in_another_order_are_told():
    """By when their cores began; without that nobody can tell."""
    for series in ("910b", "a5"):
        launch = counted(series)
        launch.began = 10**6 * launch.rounds
        changed(launch, lambda files: stamp(launch, files, False), code=0)
        result = changed(launch, lambda files: stamp(launch, files, True))
        same("the cores of 'DeviceProf3.bin' began before those of 'DeviceProf2.bin'"
             in result.errors, True)


def a_log_that_lost_records_is_told():
    """A log of several tasks has an end for each replay, and as many starts as ends."""
    launch = counted()
    logs = []
    for _ in range(launch.rounds):
        logs.append(launch.files()["duration.bin"])
        launch.began += 2000 * 50
    for log, said in ((logs[:4], "'duration.bin' holds the ends of 4 tasks, but there are counters "
                                 "of %d replays" % launch.rounds),
                      (logs + [logs[2][:64]], "'duration.bin' has a start without an end"),
                      (logs + [logs[2][64:]] + [logs[3]], "'duration.bin' has an end "
                                                          "without a start")):
        def change(files):
            files["duration.bin"] = b"".join(log)
        same(said in changed(launch, change).errors, True)


def files_of_another_launch_are_told():
    """Cores run while the tasks of the log do, where records have their start."""
    for series in ("910b", "a5"):
        launch = counted(series)
        launch.began = 10**6 * launch.rounds
        def change(files):
            stamp(launch, files, False)
            last = "DeviceProf%d.bin" % launch.rounds
            later = bytearray(files[last])
            for at in range(0, len(later), 128):
                struct.pack_into("<Q", later, at + 112, 10**9)
            files[last] = bytes(later)
        same("began after the last task of 'duration.bin'" in changed(launch, change).errors, True)


def counters_that_no_core_reaches_are_told():
    """A pipe is busy at most all the cycles of its core; and no counter has its highest bit set."""
    for event, value, name in ((12, 130000, "mte2_busy_cyc"), (1280, 2**63, "l2_write_hit")):
        launch = counted()
        launch.cores[2] = ("cube", 100001, {**launch.cores[2][2], event: value}, 1,
                           *launch.cores[2][4:])
        number = next(number for (core, number), slots in launch.plan.items() if core == "aic"
                      and event in slots)
        result = launch.run(code=4)
        same("'DeviceProf%d.bin': core 'cube0' of block 1 counted %d of event %d ('%s'), more than "
             "its 100001 cycles allow; "
             "1 such" % (number, value, event, name) in result.errors, True)
    # up to a quarter more may be what replays differ by
    launch = counted()
    launch.cores[2][2][12] = 124000
    launch.run()
    # the L2 cache's counters of the 310P
    launch = counted("310p")
    launch.l2 = [2**63, 60, 40, 0, 3, 0, 0, 0]
    same("'L2Cache.bin': the core counted 9223372036854775808 of event 106"
         in launch.run(code=4).errors, True)


def a_log_of_another_launch_is_reported():
    """A task takes at least as long as its cores work; a longer time is possible."""
    for series in ("310p", "910b", "a5"):
        result = counted(series, us=70).run(code=4)
        same("by 'duration.bin' the task took 70 us" in result.errors, True)
        same(" cycles, 100 us at 1000 MHz" in result.errors, True)
        counted(series, us=90).run()
        # the 310P has one row for all cores, whose cycles may be those of several: of as many as
        # there are blocks
        for us, code in ((30, 4), (45, 0)) if series == "310p" else ():
            launch = counted(series, us=us)
            launch.info["Block Dim"] = 2
            same("by 'duration.bin' the task took" in launch.run(code=code).errors, code == 4)
        launch = counted(series)
        def double(files):
            files["duration.bin"] *= 2
        same("'duration.bin' holds the records of a task twice" in changed(launch, double).errors,
             True)


def a_replay_does_not_begin_with_the_one_before():
    """Without the start of the second replay, the task took from the start of the first: 400 us
    instead of 100."""
    launch = Launch("910b", freq=1000).core("cube", 1000, {}).took(100)
    logs = []
    for _ in range(launch.rounds):
        logs.append(launch.files()["duration.bin"])
        launch.began += 300 * 50
    same(ran(launch, {"duration.bin": b"".join(logs)}).cell("OpBasicInfo", "Task Duration(us)"),
         100)
    logs[-1] = logs[-1][64:]
    result = ran(launch, {"duration.bin": b"".join(logs)}, code=4)
    same(result.cell("OpBasicInfo", "Task Duration(us)"), "NA")
    same("the last end of a task in 'duration.bin' has no start of its own" in result.errors, True)


def processes_of_an_application_may_begin_at_the_same_tick():
    """Each replay is a process whose clock may begin anew: any number of equal starts does not make
    a doubled log."""
    plans = {group: packed_plan("910b", group) for group in ("Memory", "MemoryL0", "MemoryUB",
                                                             "PipeUtilization", "L2Cache")}
    group, launch = next(iter(plans)), Launch("910b", freq=1000, rated=1000).took(1000)
    for group, launch.plan in plans.items():
        launch.rounds = max(number for _, number in launch.plan)
        if launch.rounds == 2:
            break
    same(launch.rounds, 2)
    launch.core("cube", 100000, {event: event + 1 for slots in launch.plan.values()
                                 for event in slots if event})
    launch.info["Pid"] = None
    one = launch.files()["duration.bin"]
    for count in (1, 2, 4, 12):
        same("holds the records of a task twice" in ran(launch, {"duration.bin": one * count},
                                                        group.lower(), code=0).errors, False)


def runs_of_a_program_have_their_own_clocks():
    """An application that is run again, with the process: starts that come again are no copy, and
    times of two runs have no order."""
    launch = counted()
    first, logs = launch.began, []
    for us in (0, 400, 200, 0, 300, 100, 400, 200, 500, 100):
        launch.began = first + us * 50
        logs.append(launch.files()["duration.bin"])

    def change(files):
        stamp(launch, files, True)
        files["duration.bin"] = b"".join(logs)
    changed(launch, change, code=0)


# --- peaks and traffic ---

def advice_on_mte2_is_on_what_it_moves():
    """5 us of 10 it was busy: 0.7 of its peak is little, though as much again went from L1 to L0A
    by MTE1."""
    def launch(to_l1, to_l0a):
        amount = 340.1 * GIB * 5e-6
        count = round(to_l0a * amount / 256)
        return Launch("910b", freq=1850).core("cube", 18500, {
            12: 9250, 50: round(to_l1 * amount / 256), 28: count, 49: count})

    slow = "MTE2 bandwidth utilization lower than 80% when active"
    same(slow in launch(0.7, 0.7).run().advice(), True)
    same(slow in launch(0.9, 0.7).run().advice(), False)
    # what came from memory to L0A is MTE2's: 0.5 and 0.4 of the peak
    detail = launch(0.5, 0.7).move("GM", "L0A", round(0.4 * 340.1 * GIB * 5e-6))
    same(slow in detail.run("memorydetail").advice(), False)
    detail = launch(0.5, 0.7).move("GM", "L0A", round(0.1 * 340.1 * GIB * 5e-6))
    same(slow in detail.run("memorydetail").advice(), True)


def a_pipe_is_active_in_the_time_of_its_core():
    """Busy for 5 us of its core's 10 us, at 0.9 of its peak: no advice, though the task of the mix
    took 100 us."""
    slow = "aicore MTE2 bandwidth utilization lower than 80% when active"
    for share in (0.9, 0.7):
        for options in ("default", "default,kernelscale"):
            launch = Launch("910b", freq=1850).core("cube", 18500,
                                                    {12: 9250,
                                                     50: round(share * 340.1 * GIB * 5e-6 / 256)})
            same(slow in launch.core("vector", 18500, {}).took(100).run(options).advice(),
                 share < 0.8)


def memory_reads_include_those_of_the_data_cache():
    """838 requests moved to the UB, 74996 counted of the data cache: 75834 reads, not 838."""
    launch = Launch("a5", freq=1650)
    for block in (0, 1):
        launch.core("vector", 1650, {1058: 80000, 1059: 900, 1407: 74000, 1408: 996}, block=block)
    launch.move("GM", "UB", 838 * 128, place=0)
    result = launch.run("default,memorydetail")
    tables = result.tables("0")
    same(tables["UB"]["UB Read GM"][0], "838")
    same(tables["DCache"]["DCache Read GM"][0], "74996")
    same(tables["GM"]["Read Main Memory"][0], "75834")
    same(tables["GM"]["Write Main Memory"][0], "0")
    same(result.paths("0")[13][0], "0")
    same(result.tables("1")["GM"]["Read Main Memory"][0], "80000")
    same(result.tables("1")["GM"]["Write Main Memory"][0], "0")
    # counters alone
    launch.moves.clear()
    tables = launch.run("default").tables("0")
    same(tables["GM"]["Read Main Memory"][0], "80000")
    same(tables["GM"]["Write Main Memory"][0], "900")
    # moves of the data cache alone
    launch.move("GM", "REG", 10 * 128, place=0).move("REG", "GM", 3 * 128, place=0)
    tables = launch.run("default,memorydetail").tables("0")
    same(tables["GM"]["Read Main Memory"][0], str(80000 - 74996 + 10))
    same(tables["GM"]["Write Main Memory"][0], "3")


def what_the_cube_counted_took_the_time_of_the_cube():
    """1 us of the cube, 10 us of the vector cores: paths of L1, L0C and the UB are what the cube's
    pipes moved."""
    events = {1799: 900, 1795: 100, 1797: 200, 1801: 800, 1806: 50, 1058: 100, 1804: 70, 1815: 80}
    launch = Launch("a5", freq=1650).core("cube", 1650, events)
    for sub in (0, 1):
        launch.core("vector", 16500, {}, sub=sub)
    result = launch.run("default,kernelscale")
    wanted = {44: 600 * 256, 46: (800 - 50 - 50) * 256, 42: 70 * 128, 43: 80 * 128}
    for path, amount in wanted.items():
        same(result.paths()[path][1], gib_s(amount, 1))
    same(result.tables()["UB Core0"]["UB Read L0C"][1], gib_s(70 * 128, 1))
    # what a vector core moved took its own time
    launch.move("L1", "UB", 257, place=0).move("UB", "L1", 300, place=0)
    paths = launch.run("default,kernelscale,memorydetail").paths()
    same(paths[44][:2], ("2", "%.6f" % gib_s(512, 10)))
    same(paths[46][:2], ("3", "%.6f" % gib_s(384, 10)))
    # without KernelScale all took the time of the task
    launch.moves.clear()
    for path, amount in wanted.items():
        same(launch.took(100).run("default").paths()[path][1], gib_s(amount, 100))


# --- what is unknown ---

def a_sum_with_an_unknown_part_is_not_drawn():
    """Without the replay that counted the cube's steps, GM and L2 moved bytes for an unknown number
    of operations."""
    events = {1280: 10, 1282: 10, 1284: 10, 1286: 10, 61: 5}
    launch = Launch("910b").core("cube", 1000, {**events, 33: 10, 73: 10, 49: 5})
    launch.core("vector", 1000, {**events, 75: 10})
    same(sorted(name for name, _ in launch.run("roofline").lines("GM/L2")),
         ["GM Read + Write", "L2 Read + Write"])
    launch.missing = {5}
    result = launch.run("roofline", code=4)
    same(result.lines("GM/L2"), {})
    same(result.lines("Memory Unit(Cube)"), {})
    same(len(result.lines("Memory Unit(Vector)")) > 0, True)
    same("the rooflines of 'cube' are left out" in result.errors, True)


def times_of_a_share_of_an_unknown_number_of_blocks_are_absent():
    """310P: the cycles are those of all blocks on a core, so the time of the operator depends on
    their number."""
    launch = Launch("310p", freq=1000, block_dim=20).core("core", 2000, {10: 500, 49: 100})
    same(launch.run().cell("PipeUtilization", "aic_cube_time(us)"), 500 / 1000 * 2 / 20)
    launch.info["Block Dim"] = None
    result = launch.run(code=4)
    same(result.cell("PipeUtilization", "aic_cube_time(us)"), "NA")
    same(result.cell("PipeUtilization", "aic_cube_ratio"), 0.25)
    same(result.cell("Memory", "aic_l1_read_bw(GB/s)"), "NA")
    same(result.tables("NA")["L1"]["L1 Read MTE"], ["0", "NA"])


def a_block_has_the_cube_counters_of_its_own_cube_only():
    """Block 1 left no record of its cube: what that moved is unknown, not 0."""
    launch = Launch("a5", freq=1650)
    launch.core("cube", 1650, {1804: 70}).core("vector", 1650, {}).core("vector", 1650, {}, block=1)
    result = launch.run("default", code=4)
    same(result.tables("0")["UB Core0"]["UB Read L0C"][0], "70")
    same(result.tables("1")["UB Core0"]["UB Read L0C"], ["NA"] * 3)
    same(result.paths("1")[42][:2], ("NA", "NA"))


def what_was_not_counted_may_be_the_bound():
    """Without its last replay only MTE3 is known to have been busy, for 30 %: not enough to say
    latency."""
    events = {8: 990, 13: 300, 62: 90, 75: 100}
    launch = Launch("910b", freq=1000).core("vector", 1000, events)
    same(launch.run("roofline").blocks()[13]["advice"], "latency bound:compute caused")
    launch.missing = {10}
    result = launch.run("roofline", code=4)
    same(len(result.lines("Memory Unit(Vector)")) > 0, True)
    same(result.blocks()[13]["advice"], "")
    # what is busy for 80 % is a bound, whatever the others do
    launch = Launch("910b", freq=1000).core("vector", 1000, {**events, 13: 900})
    launch.missing = {10}
    same(launch.run("roofline", code=4).blocks()[13]["advice"], "latency bound:memory caused")
    # a little busy is latency only if all is counted
    for missing, wanted in ((set(), "latency bound:pipeline caused"), ({9}, "")):
        launch = Launch("910b", freq=1000).core("vector", 1000, {**events, 8: 100})
        launch.missing = missing
        same(launch.run("roofline", code=4 if missing else 0).blocks()[13]["advice"], wanted)
    # the list of launches, one of which counted little
    with tempfile.TemporaryDirectory() as raw:
        for number, rounds in enumerate((set(), {10})):
            launch = Launch("910b", freq=1000).core("vector", 1000, {**events, 8: 100})
            launch.missing = rounds
            launch.write(os.path.join(raw, "device0", "made_up", str(number), "dump"))
        rows = {row["order"]: row for row in run(raw, "default", code=4).table("launches")}
        same((rows["0"]["bound"], rows["0"]["busiest"]), ("latency", "MTE3"))
        same((rows["1"]["bound"], rows["1"]["busiest"]), ("NA", "MTE3"))


def no_cycles_are_no_share():
    """A core of 0 cycles is neither below 20 % nor the busiest."""
    result = Launch("910b").core("vector", 0, {8: 20}).core("cube", 0, {10: 20}).run()
    same(result.map()["advice"], [])
    same(result.map()["Cube"], {"cycle": 20, "ratio": "NA", "total_cycles": 0})
    shares = {one["name"]: one["value"] for one in result.blocks()[6]["subblock_detail"]}
    same((shares["Cube All Active"], shares["Vector All Active0"]), ("NA", "NA"))
    result = Launch("910b").core("cube", 0, {10: 20, 33: 10, 73: 10, 49: 5}).run("roofline")
    same(result.blocks()[13]["advice"], "latency bound:pipeline caused")


def blocks_without_a_record_are_missed():
    """Rooflines and sums are those of the cores that left records: not of the operator."""
    work = {33: 10, 73: 10, 49: 5}
    launch = Launch("910b", block_dim=3).core("cube", 1000, work)
    launch.core("cube", 1000, work, block=2)
    wanted = ("'DeviceProf1.bin' and later ones hold records of %d of %d blocks, and of %d of "
              "their %d cores")
    same(wanted % (2, 3, 2, 3) in launch.run(code=4).errors, True)
    launch.core("cube", 1000, work, block=1)
    launch.run()
    # of the second block a vector core is lost
    for series in ("910b", "a5"):
        launch = Launch(series, block_dim=2)
        for block, cores in ((0, "cvv"), (1, "cv")):
            for number, core in enumerate(cores):
                launch.core("cube" if core == "c" else "vector", 1000, {}, block=block,
                            sub=max(0, number - 1))
        same(wanted % (2, 2, 5, 6) in launch.run(code=4).errors, True)
        launch.core("vector", 1000, {}, block=1, sub=1).run()
    # more than Block Dim says is another matter
    Launch("910b").core("vector", 1000, {}).core("vector", 1000, {}, block=1).run()


def lost_records_make_rates_of_merged_blocks_absent():
    """Two blocks on one core; of one the replay of most L2 events is lost: 80 %, or unknown."""
    hits = {1280: 40, 1282: 10, 1284: 40, 1286: 10, 1292: 1, 1293: 2, 1294: 3}

    def detail(lost, code):
        launch = Launch("910b").core("vector", 100, hits, core=13)
        launch.core("vector", 100, hits, block=1, core=13, absent=lost)
        result = launch.run("occupancy", code=code)
        return result.blocks()[12]["op_detail"][0]["core_detail"][0]

    one = detail((), 0)
    same((one["L2cache_hit_rate"], one["throughput"]), ("80.000000", str(12 * 128)))
    one = detail((2,), 4)
    same((one["L2cache_hit_rate"], one["throughput"]), ("NA", "NA"))
    launch = Launch("a5").core("vector", 100, {1060: 40, 1061: 10}, core=13)
    launch.core("vector", 100, {1060: 40, 1061: 10}, block=1, core=13,
                absent=(1, 2, 3, 4, 5, 6)[:5])
    one = launch.run("occupancy", code=4).blocks()[12]["op_detail"][0]["core_detail"][0]
    same(one["L2cache_hit_rate"], "NA")


# --- cores that stand out ---

def advice_on(values, event=None, kind="vector"):
    launch = Launch("910b")
    for block, value in enumerate(values):
        events = {} if event is None else event(value)
        launch.core(kind, value if event is None else 100, events, block=block)
    return launch.run("occupancy").blocks()[12]["advice"]


def cores_that_are_alike_are_not_named():
    def hit_rate(value):
        return {1280: value, 1282: 10**6 - value}

    same(advice_on([100] * 24), "")
    same(advice_on([333333] * 24, hit_rate), "")
    same(advice_on([100000] * 23 + [100001]), "")
    same(advice_on([900000] * 23 + [899999], hit_rate), "")
    same(advice_on([100] * 23 + [109]), "")
    same(advice_on([100] * 23 + [110]), "\t1) vector1 of core[11] take more time than other "
                                        "vector cores.\n")
    same(advice_on([900000] * 3 + [810001], hit_rate), "")
    same(advice_on([900000] * 3 + [810000], hit_rate),
         "\t1) vector1 of core[1] cache hit rate lower than other vector cores.\n")
    # normally spread values: the reference names a third of them
    same(advice_on([1000 + 3 * number for number in range(-12, 13)], kind="cube"), "")


def one_idle_core_makes_the_others_not_slow():
    same(advice_on([100] * 7 + [10], kind="cube"), "")
    same(advice_on([100, 120], kind="cube"), "\t1) cube0 of core[1] take more time than other "
                                             "cube cores.\n")
    same(advice_on([100], kind="cube"), "")
    same(advice_on([100, 0], kind="cube"), "")  # no core runs for 0 cycles
    same(advice_on([0, 0, 0, 7], lambda value: {1292: value}, "cube"),
         "\t1) cube0 of core[3] write/read more data than other cube cores.\n")


def nothing_drawn_nothing_advised():
    """Without a duration no point can be drawn."""
    launch = Launch("910b").core("cube", 1000, {33: 10, 73: 10, 49: 10, 10: 990}).took(None)
    same(launch.run("roofline", code=4).blocks()[13], {"advice": "", "multiple_rooflines": []})


# --- requests that yield nothing ---

def metrics_that_make_nothing_say_so():
    """What else was asked for is there all the same."""
    launch = Launch("a5").core("vector", 1000, {})
    good = launch.run("default").blocks()
    for name in ("Source", "PcSampling", "PipeTimeline", "InstrTimeline", "TimelineDetail"):
        result = launch.run("default," + name.lower(), code=4)
        why = "has no stream of pipe activity" if name in ("PipeTimeline", "InstrTimeline") else \
            "nothing is made of the metrics '%s'" % name
        same(why in result.errors, True)
        same(result.blocks(), good)


def views_without_their_file_say_so():
    launch = Launch("a5").core("cube", 1000, {1799: 10}).operand(2, "F32", simd=(1, 1))
    same(len(launch.run("roofline").blocks()[13]["multiple_rooflines"]) > 0, True)
    launch.operands = None
    result = launch.run("roofline", code=4)
    same("'OperandRecord.bin' is missing" in result.errors, True)
    same(result.blocks()[13], {"advice": "", "multiple_rooflines": []})
    launch.run("default")
    for series in ("910b", "a5"):
        result = Launch(series).core("cube", 1000, {}).run("memorydetail", code=4)
        same("MemoryDetail makes nothing: instrumentation records such as" in result.errors, True)
    result = Launch("910b").core("cube", 1000, {})
    result.missing = {1}
    same("it is unknown which kinds of cores ran" in result.run("BasicInfo", code=4).errors, True)


def replays_of_a_range_leave_no_l2_counters():
    launch = Launch("910b").core("cube", 1000, {1282: 7})
    launch.l2 = None
    same("there is no 'L2Cache.bin'" in launch.run(code=4).errors, True)
    same(launch.run("default", "pmu.replay=range").paths()[1][0], "7")
    launch.run("BasicInfo")


def operands_of_too_few_cores_are_told():
    launch = Launch("a5").core("vector", 1000, {}, block=5)
    short = launch.operand_record()[:8 + 3 * (856 * 3 + 64)]
    result = ran(launch, {"OperandRecord.bin": short}, "default", code=4)
    same("'OperandRecord.bin' holds the operands of 3 cores, but 8 are needed" in result.errors,
         True)
    same(struct.unpack("<I", short[:4])[0], 0x5a5a5a5a)


if __name__ == "__main__":
    helpers = ("Launch", "main", "run", "same", "gib_s", "ran", "packed_plan", "advice_on",
               "changed", "counted", "stamp")
    main([value for name, value in list(globals().items()) if callable(value)
          and name not in helpers])
