#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damaged raw files: the good part is kept, the rest is absent and reported.

More of these, on whole runs, are in test_runs.sh.
"""
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from onboard_raw import Launch, Result, main, run, same  # noqa: E402  (needs the path)


def everything(series="910b", blocks=3):
    """A launch in which every counter of every core has a number of its own."""
    launch = Launch(series, freq=1000, rated=1000)
    kinds = ("core",) if series == "310p" else ("cube", "vector")
    for block in range(1 if series == "310p" else blocks):
        for kind in kinds:
            events = {event: event * 7 + block + 1 for slots in launch.plan.values()
                      for event in slots}
            launch.core(kind, 50000 + block, events, block=block)
    return launch


def texts(result):
    """All tables and blocks."""
    found = {"blocks": result.blocks()}
    for name in os.listdir(result.directory):
        if name.endswith(".csv") and name != "advice.csv":
            with open(os.path.join(result.directory, name), "rb") as file:
                found[name] = file.read()
    return found


def ran(launch, change=None, metrics="default,roofline", *options, code=0):
    """The launch's files, changed in their directory."""
    with tempfile.TemporaryDirectory() as raw:
        launch.write(raw)
        if change is not None:
            change(raw)
        return run(raw, metrics, *launch.options(), *options, code=code)


def rewrite(name, edit):
    def change(raw):
        path = os.path.join(raw, name)
        with open(path, "rb") as file:
            data = file.read()
        with open(path, "wb") as file:
            file.write(edit(data))
    return change


def records_may_come_in_any_order():
    for series in ("910b", "a5"):
        launch = everything(series)
        good = texts(ran(launch))
        launch.cores.reverse()
        same(texts(ran(launch)), good)
        launch.cores = launch.cores[3:] + launch.cores[:3]
        same(texts(ran(launch)), good)


def a_log_in_another_order_counts_the_last_start_and_end():
    launch = everything()
    result = ran(launch, rewrite("duration.bin", lambda data: data[64:] + data[:64]))
    same(result.cell("OpBasicInfo", "Task Duration(us)"), 100)
    # an end before the start says nothing
    launch.ticks = -500
    result = ran(launch, code=4)
    same(result.cell("OpBasicInfo", "Task Duration(us)"), "NA")
    same("no 'duration.bin' states a task's start and end" in result.errors, True)
    # mix operators then have the cycles of their cores
    same(result.cell("Memory", "aic_mte1_ratio"), (770 * 7 + 1) / 50000)
    same(result.cell("Memory", "aic_l1_read_bw(GB/s)"), (49 * 7 + 1) * 128 * 1e6 / 2**30 / 50)


def empty_files_are_missing_ones():
    for series in ("310p", "910b", "a5"):
        launch = everything(series)
        for number in range(1, launch.rounds + 1):
            name = "DeviceProf%d.bin" % number
            empty = ran(launch, rewrite(name, lambda data: b""), code=4)
            missing = ran(launch, lambda raw: os.remove(os.path.join(raw, name)), code=4)
            same(texts(empty), texts(missing))
            same("'%s' is missing or holds no record" % name in empty.errors, True)
    launch = everything()
    result = ran(launch, rewrite("duration.bin", lambda data: b""), code=4)
    same(result.cell("OpBasicInfo", "Task Duration(us)"), "NA")
    launch.move("GM", "L1", 1)
    for name in ("MemoryChart.bin",):
        result = ran(launch, rewrite(name, lambda data: b""), "memorydetail", code=4)
        same(result.cell("PipeUtilization", "aic_mte2_active_bw(GB/s)"), "NA")
        same("'%s' is empty" % name in result.errors, True)


def record_of(result):
    with open(os.path.join(result.directory, "run.json"), encoding="utf-8") as file:
        return file.read()


def a_launch_without_counters_has_its_facts():
    def remove(raw):
        for name in os.listdir(raw):
            if name.startswith("DeviceProf"):
                os.remove(os.path.join(raw, name))

    result = ran(everything(), remove, code=4)
    same(result.cell("OpBasicInfo", "Op Type"), "NA")
    same(result.cell("OpBasicInfo", "Task Duration(us)"), 100)
    same(result.blocks()[5]["name"], "made_up")
    lines = [line for line in record_of(result).splitlines() if "is missing or holds no record"
             in line]
    same(len(lines), 11)  # one is a reason of the run as well
    same("(and 9 more like this)" in result.errors, True)


def a_huge_file_is_left_out():
    def grow(raw):
        os.truncate(os.path.join(raw, "DeviceProf2.bin"), 10 * 2**30 + 1)

    result = ran(everything(), grow, code=4)
    same("DeviceProf2.bin' is left out: it is larger than 10 GiB" in result.errors, True)
    same(result.cell("L2Cache", "aic_r0_read_cache_hit"), "NA")
    same(result.cell("L2Cache", "aic_write_cache_hit"), str(1280 * 7 + 1))
    # a text of facts is never that long
    result = ran(everything(), rewrite("op_basic_info.txt", lambda data: data + b"x" * 2**21),
                 code=4)
    same("is longer than 1 MiB: the rest is left out" in result.errors, True)
    same(result.cell("OpBasicInfo", "Op Name"), "made_up")


def what_is_no_file_is_left_out():
    def change(raw):
        for name, make in (("DeviceProf2.bin", os.mkfifo), ("DeviceProf3.bin", os.mkdir)):
            os.remove(os.path.join(raw, name))
            make(os.path.join(raw, name))
        os.remove(os.path.join(raw, "DeviceProf4.bin"))
        os.symlink("nowhere", os.path.join(raw, "DeviceProf4.bin"))
        with open(os.path.join(raw, "DeviceProf0.bin"), "wb") as file:
            file.write(bytes(128))
        with open(os.path.join(raw, "DeviceProf1.bin.bak"), "wb") as file:
            file.write(bytes(128))

    result = ran(everything(), change, code=4)
    for number in (2, 3, 4):
        same("DeviceProf%d.bin' is left out" % number in record_of(result), True)
    same(result.cell("Memory", "aic_mte1_instructions"), "NA")
    same(result.cell("Memory", "aic_mte2_ratio"), (12 * 7 + 1) / (100 * 1000))
    same(len(result.table("Memory")), 6)


def replays_are_counted_as_numbers():
    """The tenth comes after the ninth: with textual order its cycles would not be the last."""
    launch = everything()

    def cycles(raw):
        for number in range(1, 11):
            name = os.path.join(raw, "DeviceProf%d.bin" % number)
            with open(name, "r+b") as file:
                file.seek(32)
                file.write(struct.pack("<Q", 50000 + number))

    same(ran(launch, cycles).cell("Memory", "aic_total_cycles"), "50010")


def replays_that_differ_are_told():
    launch = everything()
    result = ran(launch, rewrite("DeviceProf3.bin",
                                 lambda data: data[:32] + struct.pack("<Q", 99999) + data[40:]))
    same("cycles of one core differ by up to 50% between the replays" in result.errors, True)


def cores_that_some_replays_lack_are_absent_there():
    launch = everything(blocks=2)
    launch.core("vector", 777, {55: 5, 8: 9}, block=7, absent=[1, 2, 3, 4, 5, 6, 7, 8, 9])
    result = ran(launch, code=4)
    same("'DeviceProf9.bin' lacks the records of 1 of 5 cores" in record_of(result), True)
    same([row["block_id"] for row in result.table("Memory")], ["0", "0", "1", "1", "7"])
    same(result.cell("PipeUtilization", "aiv_vec_time(us)", 4), 0.009)
    same(result.cell("MemoryUB", "aiv_ub_read_bw_scalar(GB/s)", 4), "NA")
    same(result.cell("OpBasicInfo", "Mix Block Dim"), "3")


def moves_and_operands_of_nobody_change_nothing():
    launch = everything("a5")
    launch.threads = 2
    launch.operand(0, "F32", simd=(5, 50)).move("UB", "GM", 1000, place=0)
    def known(result):
        return {name: text for name, text in texts(result).items()
                if name not in ("MemoryTraffic.csv", "L2CachePc.csv")}

    good = known(ran(launch, None, "default,memorydetail"))
    launch.operand(3000, "F32", simd=(7, 70)).move("UB", "GM", 5000, place=100)
    same(known(ran(launch, None, "default,memorydetail")), good)
    # memories that do not exist
    launch.moves.append((99, 0, 0, 9, 200))
    result = ran(launch, None, "default,memorydetail", code=4)
    same(known(result), good)
    same("'MemoryChart.bin' at byte 112: a record names a memory that does not exist; 1 such"
         in result.errors, True)
    # operands of another size, or without their number in front, say nothing at all
    for edit, why in ((lambda data: data + b"x", "its size is not a multiple of a record's"),
                      (lambda data: b"x" + data[1:], "it does not begin with its magic number")):
        result = ran(launch, rewrite("OperandRecord.bin", edit), "default", code=4)
        same(why in result.errors, True)
        same([entry for entry in result.blocks()[7]["subblock_detail"]
              if entry["name"] == "Vector F32"], [])


def moves_of_operators_that_communicate_do_not_count():
    for flag in ("Is MC2", "Is Lccl"):
        launch = everything()
        launch.move("GM", "L0A", 1000)
        same(ran(launch, None, "memorydetail").paths()[35][0], "4")
        launch.info[flag] = 1
        result = ran(launch, None, "memorydetail", code=4)
        same("MemoryDetail makes nothing: the moves of an operator that communicates"
             in result.errors, True)
        same(result.cell("PipeUtilization", "aic_mte2_active_bw(GB/s)"), "NA")


def l2_counters_have_an_exact_size():
    for series in ("310p", "910b"):
        launch = everything(series)
        launch.l2 = None
        without = texts(ran(launch, code=4))
        launch.l2 = [75, 60, 40, 0, 3, 0, 0, 0]
        for edit in (lambda data: data[:-1], lambda data: data + b"x", lambda data: b""):
            result = ran(launch, rewrite("L2Cache.bin", edit), code=4)
            same(texts(result), without)
            same("'L2Cache.bin' is left out" in result.errors, True)


def odd_facts_are_shown_and_told():
    launch = everything()
    launch.info["Device Id"] = "none"
    result = ran(launch, code=4)
    same(result.cell("OpBasicInfo", "Device Id"), "none")
    same("'Device Id' of its 'op_basic_info.txt' is not a number" in result.errors, True)
    launch.info.update({"Device Id": 0, "Block Dim": "many", "Current Freq": "-5",
                        "Op Name": "a,\"b\"\\c"})
    result = ran(launch, None, "default", "pmu.rated_freq=500", code=4)
    for key in ("Block Dim", "Current Freq"):
        same("'%s' of its 'op_basic_info.txt' is not a number" % key in result.errors, True)
    same(result.cell("OpBasicInfo", "Block Dim"), "many")
    same(result.cell("Memory", "aic_time(us)"), 100)
    same(result.blocks()[5]["name"], "a,\"b\"\\c")


def a_text_of_facts_that_is_not_one_whole_file_is_told():
    for edit, why in ((lambda data: data[:-1], "'op_basic_info.txt' ends within a line, which "
                                               "is left out"),
                      (lambda data: data[:-3], "'op_basic_info.txt' ends within a line, which "
                                               "is left out"),
                      (lambda data: data + data, "'op_basic_info.txt' holds the same lines twice")):
        same(why in ran(everything(), rewrite("op_basic_info.txt", edit), code=4).errors, True)


def clocks_that_no_chip_has_are_told():
    for clock in (0, 1000001):
        for key in ("Current Freq", "Rated Freq"):
            launch = everything()
            launch.info[key] = clock
            same("'%s' of its 'op_basic_info.txt' is not a clock in MHz" %
                 key in ran(launch, code=4).errors, True)


def counters_at_their_limits_are_numbers():
    """All bits set mark an absent value inside; a counter may hold them, though no core counts so
    far."""
    for series in ("310p", "910b", "a5"):
        launch = everything(series)
        kind, _, events, *rest = launch.cores[0]
        launch.cores[0] = (kind, 2**64 - 1, dict.fromkeys(events, 2**64 - 1), *rest)
        result = ran(launch, code=4)
        for row in result.table("PipeUtilization")[0].values():
            same(row is not None and "inf" not in row and "nan" not in row and "-" not in row, True)


def sub_blocks_that_no_device_has_do_no_harm():
    """Time and results grow with the number of cores, not with its square."""
    launch = Launch("910b").core("cube", 100, {})
    for sub in range(5000):
        launch.core("vector", 500 if sub in (0, 1, 4999) else 100, {1292: 5},
                    sub=sub * (13 if sub > 1 else 1), block=sub % 2 if sub > 1 else 0)
    result = ran(launch, None, "default,occupancy", code=4)
    same("its blocks have more than 64 cores; only the first ones are shown" in result.errors, True)
    same(len(result.blocks()[5]["mix_block_detail"]["head_name"]), 65)
    same(len(result.table("Memory")), 5001)
    same(result.blocks()[12]["advice"], "\t1) vector0, vector1 of core[0], vector64987 of core[1] "
                                        "take more time than "
                                        "other vector cores.\n")


def device_folders_have_any_name():
    with tempfile.TemporaryDirectory() as root:
        launch = everything()
        for device, order in (("npu", "0"), ("npu", "999"), ("device7", "12")):
            launch.write(os.path.join(root, device, "add", order, "dump"))
        for odd in (("npu", "add", "1000000000"), ("npu", "add", "x1"), ("npu", "add", "-1"),
                    ("npu", ".hidden", "0")):
            launch.write(os.path.join(root, *odd, "dump"))
        for place in ("file", os.path.join("npu", "file"), os.path.join("npu", "add", "5")):
            with open(os.path.join(root, place), "wb") as file:
                file.write(b"x")
        result = run(root)
        found = sorted(os.path.relpath(at, result.directory) for at, _,
                       files in os.walk(result.directory)
                       if "Memory.csv" in files)
        same(found, ["device7/add/12", "npu/add/0", "npu/add/999"])


def launches_whose_names_become_equal_are_both_there():
    with tempfile.TemporaryDirectory() as root:
        for number, name in enumerate(("a\x01b", "a\x02b", "a_b")):
            launch = everything()
            launch.info["Op Name"] = "launch%d" % number
            launch.write(os.path.join(root, "device0", name, "0", "dump"))
        result = run(root)
        found = sorted(Result(at, 0, "").cell("OpBasicInfo", "Op Name") for at, _,
                       files in os.walk(result.directory)
                       if "Memory.csv" in files)
        same(found, ["launch0", "launch1", "launch2"])


def one_bad_launch_leaves_the_others_alone():
    with tempfile.TemporaryDirectory() as root:
        good = texts(ran(everything()))
        for number in range(3):
            launch = everything()
            if number == 1:
                launch.info["Run Soc Version"] = "Ascend999"
            launch.write(os.path.join(root, "device0", "add", str(number), "dump"))
        result = run(root, "default,roofline", code=4)
        same("Launch 'device0/add/1' is left out: No chip file serves 'Ascend999'" in result.errors,
             True)
        for number in (0, 2):
            same(texts(Result(os.path.join(result.directory, "add", str(number)), 0, "")), good)
        same(os.path.exists(os.path.join(result.directory, "add", "1", "Memory.csv")), False)


if __name__ == "__main__":
    helpers = ("Launch", "Result", "main", "run", "same", "everything", "texts", "ran", "rewrite",
               "record_of")
    main([value for name, value in list(globals().items()) if callable(value)
          and name not in helpers])
