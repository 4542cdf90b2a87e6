#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What opprof does with on-board launches where the reference is wrong: an example for each row of
the section "On-board launches" of docs/using/differences.md, with the reference's value in the text
of the test.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from onboard_raw import Launch, Result, main, run, same  # noqa: E402  (needs the path)

GIB = 2**30


def gib_s(amount, us):
    return amount * 1e6 / GIB / us


def loads(result, kind=7):
    return {(entry["block_id"], entry["name"], entry["unit"]): entry["value"]
            for entry in result.blocks()[kind]["subblock_detail"]}


# --- reading ---

def other_records_are_no_counters():
    """Reference: a record of the whole task (0x28) is merged as (0, cube0), whose cycles become
    999999."""
    launch = Launch("910b").core("cube", 10000, {1032: 7})
    foreign = bytearray(launch.record(1, ("cube", 999999, {1032: 5}, 0, 0, 0, set())))
    foreign[0] = 0x28
    launch.extra = {"DeviceProf%d.bin" % number: bytes(foreign) for number in range(1, 11)}
    result = launch.run()
    same(result.cell("ArithmeticUtilization", "aic_total_cycles"), "10000")
    same(" of whole tasks" in result.errors, True)


def counters_that_cannot_be_true_are_told():
    """Reference: a ratio of 1.3, and nothing else."""
    launch = Launch("910b", freq=1000).took(1000).core("cube", 100000, {12: 130000})
    result = launch.run(code=4)
    same(result.cell("Memory", "aic_mte2_ratio"), 1.3)
    same("more than its 100000 cycles allow" in result.errors, True)


def an_unknown_clock_is_the_rated_one():
    """Reference: without a line 'Current Freq', whatever was in memory."""
    launch = Launch("910b").core("cube", 3700, {})
    launch.info["Current Freq"] = None
    result = launch.run(code=4)
    same(result.cell("Memory", "aic_time(us)"), 2)
    same("'op_basic_info.txt' lacks 'Current Freq'" in result.errors, True)
    same("the clock while it ran is unknown, using the rated 1850 MHz" in result.errors, True)
    same(launch.run("default", "pmu.rated_freq=1000", code=4).cell("Memory", "aic_time(us)"), 3.7)


def a_device_has_its_own_clocks_and_cores():
    """Reference: those of device 0, whatever device ran the operator."""
    launch = Launch("310p", block_dim=20).core("core", 1000, {})
    launch.ticks = 1000
    result = launch.run("default", "pmu.rated_freq=500", "pmu.scheduler_freq=1000", "pmu.cores=4")
    same(result.cell("Memory", "aic_time(us)"), 2 * 5 / 20)
    same(result.cell("OpBasicInfo", "Task Duration(us)"), 1000)


def a_block_without_cube_core_has_its_own_place():
    """Reference: its vector cores go to the block before it, or are lost if it is the first."""
    launch = Launch("910b").core("vector", 1000, {8: 100}, block=0)
    launch.core("cube", 1000, {10: 900}, block=1).core("vector", 1000, {8: 300}, block=1)
    launch.core("vector", 1000, {8: 500}, block=2, sub=1)
    result = launch.run(code=4)  # that cores are missing is said
    same([one["core_no"] for one in result.blocks()[8]["core_memory_map"]], ["0", "1", "2"])
    same(result.map("0")["Vector"]["ratio"], 10)
    same("Cube" in result.map("0"), False)
    same(result.map("1")["Vector"]["ratio"], 30)
    same(result.map("2")["Vector1"]["ratio"], 50)
    same(result.tables("2")["Pipe Vector Core1"]["Scalar"][1], "0")


def block_numbers_have_no_limit():
    """Reference: 300 is shown as 300 mod 256 = 44, and nothing is advised on blocks above 99."""
    launch = Launch("910b")
    for block in (44, 300, 301, 65535):
        launch.core("cube", 1000 if block == 300 else 100, {10: 300 if block == 300 else 44},
                    block=block)
    result = launch.run("default,occupancy")
    same([one["core_no"] for one in result.blocks()[8]["core_memory_map"]],
         ["44", "300", "301", "65535"])
    same(result.map("300")["Cube"]["cycle"], 300)
    same([core["core_id"] for core in result.blocks()[12]["op_detail"]], [44, 300, 301, 65535])
    same(result.blocks()[12]["advice"], "\t1) cube0 of core[300] take more time than other "
                                        "cube cores.\n")


def l2_counters_of_310p_reach_the_views():
    """Reference: NA in the map and in the table Cache, though L2Cache.csv has the rate."""
    launch = Launch("310p").core("core", 1000, {})
    launch.l2 = [75, 60, 40, 0, 0, 0, 0, 0]
    result = launch.run()
    wanted = {"hit": "75", "miss": "25", "total_request": "100", "hit_ratio": "75.000000"}
    same(result.map("NA")["L2cache"], wanted)
    same(result.tables("NA")["Cache"]["L2 Cache Total"], list(wanted.values()))


def a_missing_replay_is_absent():
    """Reference: on A5, 0 in the tables; 'Vector FP32' is 0 on A2."""
    launch = Launch("a5").core("cube", 1000, {1799: 5, 1801: 6})
    launch.missing = {4}
    result = launch.run(code=4)
    same(result.cell("Memory", "aic_l1_read_bw(GB/s)"), "NA")
    same(result.cell("PipeUtilization", "aic_fixpipe_active_bw(GB/s)"), "NA")
    same(result.tables()["Pipe"]["FIXP"][4], "NA")
    same(result.tables()["L1"]["L1 Write MTE"], ["NA", "NA", "NA"])
    launch = Launch("910b").core("vector", 1000, {75: 9, 76: 4}, absent=[4])
    launch.core("vector", 1000, {75: 9, 76: 4}, block=1)
    result = launch.run(code=4)
    same("'DeviceProf4.bin' lacks the records of 1 of 2 cores" in result.errors, True)
    same(loads(result)["0", "Vector FP32", 1], "NA")
    same(loads(result)["1", "Vector FP32", 1], "5")
    same(result.cell("ArithmeticUtilization", "aiv_vec_fops", 0), "NA")


# --- formulas ---

def short_mix_operators_have_ratios():
    """Reference: the duration is cut to whole microseconds, so 0.000000."""
    launch = Launch("910b", freq=1800).core("cube", 900, {10: 450}).core("vector", 900,
                                                                         {8: 90}).took(0.5)
    result = launch.run()
    same(result.cell("ArithmeticUtilization", "aic_cube_ratio", 0), 450 / 900)
    same(result.cell("ArithmeticUtilization", "aiv_vec_ratio", 1), 90 / 900)


def nothing_is_divided_by_zero():
    """Reference: 0.000000 for ratios and bandwidths of A2, the text 0 for times, 0.000000 for a hit
    rate."""
    result = Launch("910b", freq=0).core("cube", 1000, {10: 5, 49: 5}).run(code=4)
    same(result.cell("PipeUtilization", "aic_cube_time(us)"), "NA")
    same(result.cell("PipeUtilization", "aic_cube_ratio"), 0.005)
    same(result.cell("Memory", "aic_l1_read_bw(GB/s)"), "NA")
    same(result.cell("PipeUtilization", "aic_mte3_active_bw(GB/s)"), "NA")
    result = Launch("910b").core("cube", 0, {10: 5}).run()
    same(result.cell("PipeUtilization", "aic_cube_ratio"), "NA")
    # A core that worked took longer than 0 us; one that did nothing did not.
    same([result.cell("PipeUtilization", name) for name in ("aic_time(us)", "aic_total_cycles")],
         ["NA", "NA"])
    idle = Launch("910b").core("cube", 0, {10: 0}).run()
    same([idle.cell("PipeUtilization", name) for name in ("aic_time(us)", "aic_total_cycles")],
         ["0.000000", "0"])
    same(result.cell("L2Cache", "aic_write_hit_rate(%)"), "NA")
    same(result.cell("PipeUtilization", "aic_icache_miss_rate"), "NA")
    result = Launch("a5").core("vector", 100, {}).run()
    same(result.cell("L2Cache", "aiv_read_hit_rate(%)"), "NA")
    result = Launch("310p", freq=0).core("core", 100, {}).run(code=4)
    same(result.cell("Memory", "aic_time(us)"), "NA")


def ratios_have_one_format():
    """Reference: 0 instead of 0.000000 when E1 is 0; the product of 2^40 and 2^40 is 2^64 - 1."""
    result = Launch("910b").core("vector", 1000, {8: 10, 75: 10}).run()
    for kind in ("fp32", "fp16", "int32", "int16", "misc"):
        same(result.cell("ArithmeticUtilization", "aiv_vec_%s_ratio" % kind), "0.000000")
    result = Launch("910b").core("cube", 1000, {10: 10}).run()
    same(result.cell("ArithmeticUtilization", "aic_cube_fp16_ratio"), "0.000000")
    result = Launch("910b").core("vector", 2**40, {1: 2**41, 8: 2**40, 75: 2**40}).run()
    same(result.cell("ArithmeticUtilization", "aiv_vec_fp32_ratio"), "0.500000")


def differences_do_not_wrap():
    """Reference: E75 - E76 = -6 is 18446744073709551610; MTE3 of the table Pipe moves 3.4e16
    GB/s."""
    result = Launch("910b").core("vector", 1000, {1: 100, 8: 50, 75: 4, 76: 10}).run()
    same(result.cell("ArithmeticUtilization", "aiv_vec_fp32_ratio"), "0.000000")
    same(result.cell("ArithmeticUtilization", "aiv_vec_fops"), str(10 * 128))
    same(loads(result)["0", "Vector FP32", 1], "0")
    result = Launch("910b").core("cube", 1000, {13: 10, 19: 1, 518: 2, 524: 100, 50: 1}).run()
    same(result.cell("PipeUtilization", "aic_mte3_active_bw(GB/s)"), "NA")
    same(result.tables()["Pipe"]["MTE3"][4], "NA")
    same(result.tables()["L1"]["L1 Write GM"], ["NA", "NA", "NA"])
    same(result.tables()["L1"]["L1 Read GM"], ["NA", "NA", "NA"])
    same(result.cell("Memory", "GM_to_L1_datas(KB)"), "NA")


def unknown_peaks_are_not_those_of_another_chip():
    """Reference: A3, and A2 with memory of SK or SS, are compared with the peaks of Ascend910B1."""
    for soc, options in (("Ascend910_9391", ()), ("Ascend910B1", ("pmu.memory_vendor=SK",)),
                         ("Ascend910B4", ("pmu.memory_vendor=SS",))):
        result = Launch("910b", soc=soc).core("vector", 1000, {61: 100, 62: 100}).run("default",
                                                                                      *options)
        same(result.cell("Memory", "UB_to_GM_bw_usage_rate(%)"), "NA")
        same(result.tables()["UB"]["UB Read GM"][2], "NA")
    launch = Launch("910b").core("vector", 1850, {61: 100, 62: 100})
    same(launch.run("default", "pmu.memory_vendor=CJ").cell("Memory", "UB_to_GM_bw_usage_rate(%)"),
         100 * gib_s(12800, 1) / 197.82)


def a_roof_that_nobody_knows_is_not_drawn():
    """Reference: for Ascend910B2C and A3, pipes and paths of 910B1 and 1.8 and 8 TB/s of memory and
    L2."""
    events = {33: 10, 49: 100, 50: 100, 73: 10, 1280: 10, 1282: 10}
    result = Launch("910b", soc="Ascend910B2C").core("cube", 1000, events).run("roofline")
    same(result.line("Pipeline(Cube)", "MTE1")["bw"], (425.68 + 204.81) / 2 * 24 / 1024)
    same(result.lines("GM/L2"), {})
    same("Roofline 'GM/L2', line 'GM Read + Write': its peak is unknown" in result.errors, True)
    result = Launch("910b", soc="Ascend910_9391").core("cube", 1000, events).run("roofline")
    same(result.lines("GM/L2"), {})
    same(result.lines("Pipeline(Cube)"), {})
    same(result.line("Memory Unit(Cube)", "Read from L1")["bw"], 256 * 1850 * 24 * 1e6 / 2**40)


# --- views ---

def paths_have_their_own_peaks():
    """Reference: UB Read MTE against 199.43 (L1->GM), UB Write MTE NA, L1 Write GM against 220.06,
    L0C NA."""
    result = Launch("910b").core("vector", 1850, {61: 100, 62: 100}).run()
    same(result.tables()["UB"]["UB Read MTE"][2], 100 * gib_s(12800, 1) / 220.06)
    same(result.tables()["UB"]["UB Write MTE"][2], 100 * gib_s(12800, 1) / 186.8)
    same(result.paths()[12][2], 100 * gib_s(12800, 1) / 220.06)
    result = Launch("910b").core("cube", 1850, {19: 300, 518: 200, 524: 400, 50: 300,
                                                49: 900}).run()
    same(result.tables()["L1"]["L1 Write GM"][2], 100 * gib_s(1000 * 128, 1) / 199.43)
    same(result.tables()["L1"]["L1 Write L0A/L0B"][0], "NA")  # 900 + 400 - 1200 - 200
    same(result.tables()["L0C"]["L0C Write GM"][2], 100 * gib_s(200 * 128, 1) / 209.32)
    same(result.tables()["L0C"]["L0C Write L1"][2], 100 * gib_s(200 * 128, 1) / 216.88)
    result = Launch("910b").core("cube", 1850, {49: 300}).run()
    same(result.tables()["L1"]["L1 Write L0A/L0B"][1], gib_s(300 * 256, 1))
    same(result.tables()["L1"]["L1 Write L0A/L0B"][2],
         100 * gib_s(300 * 256, 1) / ((437.5 + 210.5) / 2))
    # 100 * 256 bytes to L0A, 600 * 128 to L0B
    result = Launch("910b").core("cube", 1850, {49: 300, 28: 100, 34: 600}).run()
    same(result.tables()["L1"]["L1 Write L0A/L0B"][2],
         100 * gib_s(300 * 256, 1) / (437.5 / 4 + 210.5 * 3 / 4))


def advice_on_pipes_compares_shares_with_shares():
    """Reference: bandwidth 0.45 of the peak over a rate of 50 (percent) is 0.009, always below 0.8;
    and vector cores are compared with the peaks of the cube's pipes."""
    def advice(kind, share, busy, events):
        launch = Launch("910b").core(kind, 18500, events(share * busy))  # 10 us
        return launch.run().advice()

    def vector(share):
        return {62: round(share * 220.06 * GIB / 1e5 / 128), 12: 9250}

    slow = "MTE2 bandwidth utilization lower than 80% when active"
    same(slow in advice("vector", 0.9, 0.5, vector), False)
    same(slow in advice("vector", 0.7, 0.5, vector), True)
    # 0.7 of 340.1, the cube's peak, is 1.08 of 220.06
    same(slow in advice("vector", 0.7 * 340.1 / 220.06, 0.5, vector), False)
    # nothing wraps: what left for memory by way of L1 is more than what MTE1 read
    result = Launch("910b").core("cube", 18500, {770: 9250, 49: 10, 19: 1000}).run()
    same("MTE1 bandwidth utilization lower than 80% when active" in result.advice(), True)


def mte2_writes_the_ub_of_mix_operators():
    """Reference: MTE2 has E61, MTE3 has E62."""
    launch = Launch("910b", freq=1850).core("cube", 1000, {})
    launch.core("vector", 1000, {12: 185, 13: 370, 61: 1000, 62: 4000})
    pipe = launch.run().tables()["Pipe Vector Core0"]
    same(pipe["MTE2"][4], gib_s(4000 * 128, 0.1))
    same(pipe["MTE3"][4], gib_s(1000 * 128, 0.2))


def path_39_is_what_fixp_reads():
    """Reference: L0C->UB, 700 requests; also of cube operators, whose table has no such row."""
    events = {1804: 300, 1806: 50, 1815: 400, 1059: 8}
    result = Launch("a5").core("cube", 1650, events).run()
    same(result.paths()[39][0], "758")
    same(result.paths()[39][1], gib_s(758 * 128, 1))
    same(result.tables()["L0C"]["L0C Write FIXP"][0], "758")
    launch = Launch("a5").core("cube", 1650, events).core("vector", 1650, {})
    same(launch.run().paths()[39][0], "758")


def operators_do_not_learn_from_one_another():
    """Reference: the largest ratio of all operators so far, here 'memory bound' for both; entries
    of vector cores are numbered on from one operator to the next."""
    first = Launch("910b").core("cube", 1000, {33: 10, 49: 100, 73: 10, 1280: 10**8}).core("vector",
                                                                                           1000, {})
    first.took(1000)
    second = Launch("910b").core("cube", 1000, {33: 10, 49: 100, 73: 10}).core("vector", 1000,
                                                                               {8: 1})
    with tempfile.TemporaryDirectory() as raw:
        for number, launch in enumerate((first, second)):
            launch.write(os.path.join(raw, "device0", "made_up", str(number), "dump"))
        results = run(raw, "roofline")
        alone = second.run("roofline")
        later = Result(os.path.join(results.directory, "made_up", "1"), 0, "")
        same(later.blocks(), alone.blocks())
        figure = [entry["name"] for entry in later.blocks()[6]["subblock_detail"]]
        same(figure[-1], "Vector All Active0")


def blocks_of_one_core_are_one_wherever_they_are():
    """Reference: block ids are taken for positions, so of cores 5, 7, 5, 7 wrong ones are added
    up."""
    launch = Launch("910b")
    for block, core in ((10, 5), (11, 7), (20, 5), (31, 7)):
        launch.core("vector", block, {1292: block}, block=block, core=core)
    detail = launch.run("occupancy").blocks()[12]["op_detail"]
    found = {core["core_id"]: (core["core_detail"][0]["cycles"],
                               core["core_detail"][0]["throughput"])
             for core in detail}
    same(found, {10: ("30", str(30 * 128)), 11: ("42", str(42 * 128))})


def evicted_lines_are_shared_by_blocks():
    """Reference: 600 lines over 4 / 3 = 1 blocks; with fewer than three cores, a division by
    zero."""
    launch = Launch("910b")
    launch.l2 = [0, 0, 0, 0, 600, 0, 0, 0]
    for block in (0, 1):
        launch.core("cube", 1000, {1282: 1000}, block=block).core("vector", 1000, {}, block=block)
    result = launch.run()
    same(result.paths("0")[1][0], "300")
    same(result.paths("1")[1][0], "300")


def rows_have_a_value_for_each_header():
    """Reference: four values under the five headers of the table Pipe on 310P."""
    result = Launch("310p").core("core", 1000, {4: 3, 11: 500, 90: 7}).run()
    same(result.tables("NA")["Pipe"]["MTE1"], ["3", "500", "7", "50.000000", "NA"])


def shares_above_100_percent_are_shown():
    """Reference: 0. Above 125 % replays do not differ by so much, and the run is incomplete."""
    Launch("910b").core("cube", 1000, {10: 1200, 12: 1100}).run()
    result = Launch("910b").core("cube", 1000, {10: 1500, 12: 1100}).run(code=4)
    same(result.map()["Cube"]["ratio"], 150)
    same(result.tables()["Pipe"]["MTE2"][3], "110.000000")
    same("2 shares of a core's cycles are above 100%" in result.errors, True)


def the_cube_moves_what_the_cube_moves():
    """Reference: MTE3 of the cube includes what vector cores write, MTE2 all that MTE1 writes to
    L0A and L0B; lines of L0A, L0B and of L0C to memory never appear, since their bytes stay 0."""
    launch = Launch("910b")
    launch.core("cube", 1000, {33: 10, 73: 10, 28: 40, 34: 20, 49: 100, 50: 300, 524: 30, 518: 10,
                               1292: 100})
    launch.core("vector", 1000, {1292: 5000, 75: 10})
    result = launch.run("roofline")
    operations = 10 * 8192
    same(result.line("Pipeline(Cube)", "MTE3")["point"][0], operations / ((100 - 20) * 128))
    # MTE1 read 100 * 256 bytes of L1, more than 40 * 256 + 20 * 128: none of these came by MTE2
    same(result.line("Pipeline(Cube)", "MTE2")["point"][0], operations / (290 * 256))
    for title, name, amount in (("Memory Unit(Cube)", "Write to L0A", 40 * 256),
                                ("Memory Unit(Cube)", "Write to L0B", 20 * 128),
                                ("Memory Transfer(Cube)", "GM/L1 to L0A", 40 * 256),
                                ("Memory Transfer(Cube)", "GM/L1 to L0B", 20 * 128),
                                ("Memory Transfer(Cube)", "L0C to GM", 20 * 128),
                                ("Memory Transfer(Cube)", "L0C to L1", 10 * 128)):
        same(result.line(title, name)["point"][0], operations / amount)


def steps_are_split_as_they_were_executed():
    """Reference: one int8 step makes all of them int8: 16384 * 100 operations, Cube_INT(100%)."""
    result = Launch("910b").core("cube", 1000, {33: 100, 73: 75, 74: 25, 49: 100}).run("roofline")
    line = result.line("Memory Unit(Cube)", "Read from L1")
    same(line["computility_name"], "Cube_FP(75.000000%),Cube_INT(25.000000%)")
    same(line["point"][0], (75 * 8192 + 25 * 16384) / 25600)
    same(line["computility"], (0.75 * 8192 + 0.25 * 16384) * 1850 * 24 / 1e6)


def bytes_from_the_ub_belong_to_their_block():
    """Reference: the block id is a position, so with gaps the bytes are another block's, or
    none."""
    launch = Launch("a5", freq=1650)
    for block in (3, 5):
        launch.core("vector", 1000, {515: 165}, block=block)
        launch.move("UB", "GM", block * 10000, place=3 * (block // 2) + block % 2)
    result = launch.run("default,memorydetail")
    for row, block in enumerate((3, 5)):
        same(result.cell("PipeUtilization", "aiv_mte3_active_bw(GB/s)", row),
             gib_s(block * 10000, 0.1))
    # a mix block without a cube core keeps its own as well
    launch = Launch("a5", freq=1650).core("vector", 1000, {515: 165}, block=0)
    launch.core("cube", 1000, {}, block=4).core("vector", 1000, {515: 165}, block=4, sub=1)
    launch.move("UB", "GM", 777, place=0).move("UB", "GM", 8888, place=3 * 4 + 1)
    result = launch.run("default,memorydetail", code=4)
    same(result.cell("PipeUtilization", "aiv_mte3_active_bw(GB/s)", 0), gib_s(777, 0.1))
    same(result.cell("PipeUtilization", "aiv_mte3_active_bw(GB/s)", 2), gib_s(8888, 0.1))


def what_is_not_known_is_not_drawn():
    """Reference: missing counters are 0 bytes or 0 operations, and without a duration all points
    are at 0 TOPS."""
    launch = Launch("910b").core("cube", 1000, {33: 10, 73: 10, 28: 10, 34: 10, 49: 10, 50: 10,
                                                524: 10})
    launch.missing = {3}
    result = launch.run("roofline", code=4)
    same(sorted({name for name, _ in result.lines("Memory Unit(Cube)")}),
         ["Write to L0A", "Write to L0B"])
    # Of many of one kind the number is printed; run.json names them all.
    same("more like this)" in result.errors, True)
    with open(os.path.join(result.directory, "run.json"), encoding="utf-8") as file:
        same("Roofline 'Memory Unit(Cube)', line 'Read from L1': its traffic is unknown"
             in file.read(), True)
    launch.missing = set()
    result = launch.took(None).run("roofline", code=4)
    same(result.blocks()[13]["multiple_rooflines"], [])


def shares_of_missing_counters_are_absent():
    """Reference: 0."""
    launch = Launch("910b").core("cube", 1000, {73: 10, 88: 20})
    launch.missing = {9}
    result = launch.run(code=4)
    same(loads(result, 6)["0", "Cube FP", 3], "NA")
    same(loads(result, 6)["0", "Cube Wait", 3], 2)


def raw_files_stay_where_they_are():
    """Reference: MemoryChart.bin and OperandRecord.bin are gone afterwards."""
    launch = Launch("a5").core("vector", 1000, {})
    launch.move("UB", "GM", 1).operand(0, "F32", simd=(1, 1))
    with tempfile.TemporaryDirectory() as raw:
        launch.write(raw)
        run(raw, "memorydetail", *launch.options())
        same(sorted(os.listdir(raw)), sorted(launch.files()))


def work_that_is_not_there_has_no_name():
    """Reference: names are joined by ' + ', also empty ones; without a roofline it still
    advises."""
    result = Launch("910b").core("vector", 1000, {75: 10, 1280: 10}).run("roofline")
    same({name for _, name in result.lines("GM/L2")}, {"Vec_FP32(100.000000%)"})
    result = Launch("a5").core("cube", 1000, {1799: 10, 1060: 10}).run("roofline")
    same(result.blocks()[13], {"advice": "", "multiple_rooflines": []})


def pipes_are_measured_with_what_is_known():
    """Reference: without MemoryDetail, cube operators of A2 have MTE1 and MTE2 as if nothing came
    from memory."""
    launch = Launch("910b", freq=1850).core("cube", 1000, {770: 185, 12: 185, 28: 100, 34: 10,
                                                           526: 3, 771: 10})
    pipe = launch.run().tables()["Pipe"]
    same(pipe["MTE1"][4], "NA")
    same(pipe["MTE2"][4], "NA")
    launch.move("GM", "L0A", 5600).move("GM", "L1", 1000)
    result = launch.run("memorydetail")
    same(result.tables()["Pipe"]["MTE1"][4], gib_s(100 * 256 - 5600 + 1280, 0.1))
    same(result.tables()["Pipe"]["MTE2"][4], gib_s(6600, 0.1))
    same(result.cell("PipeUtilization", "aic_mte2_active_bw(GB/s)"), gib_s(6600, 0.1))
    # reference: 0.000000 for the FIXP of a vector core
    same(Launch("910b").core("vector", 1000, {771: 10}).run().tables()["Pipe"]["FIXP"][4], "NA")


def tables_and_views_agree_on_a5():
    """Reference: with MemoryDetail, the MTE2 of vector cores moves the instrumented bytes in the
    view, the counted ones in the table."""
    launch = Launch("a5", freq=1650).core("vector", 1000, {1058: 500, 1407: 100, 514: 165})
    launch.move("GM", "UB", 12345)
    result = launch.run("default,memorydetail")
    same(result.tables()["Pipe"]["MTE2"][4], result.cell("PipeUtilization",
                                                         "aiv_mte2_active_bw(GB/s)"))
    same(result.tables()["Pipe"]["MTE2"][4], gib_s(400 * 128, 0.1))


def advice_is_on_the_block_it_stands_in():
    """Reference: pipes that were slow in block 0 are so in all blocks after it, on A5."""
    launch = Launch("a5", freq=1650)
    good = round(0.9 * 177.57 * GIB / 1e5 / 128)  # in 10 us
    launch.core("cube", 16500, {514: 16500, 1058: good // 2}).core("cube", 16500,
                                                                   {514: 16500, 1058: good},
                                                                   block=1)
    result = launch.run()
    slow = "MTE2 bandwidth utilization lower than 80% when active"
    same(slow in result.advice("0"), True)
    same(slow in result.advice("1"), False)


def paths_without_data_are_absent_on_a5():
    """Reference: with MemoryDetail path 46 is 0 without records UB->L1, and 45, 47, 50 and 51 are
    there with 0."""
    launch = Launch("a5").core("cube", 1000, {1801: 900, 1806: 100, 1058: 400, 1799: 50})
    for sub in (0, 1):
        launch.core("vector", 1000, {1059: 9}, sub=sub)
    launch.move("UB", "GM", 1000, place=0)
    paths = launch.run("default,memorydetail").paths()
    same(paths[46][0], "600")
    same(paths[13][0], "8")
    same(paths[17][0], "0")
    same(sorted({45, 47, 50, 51} & set(paths)), [])
    launch.move("UB", "L1", 300, place=0).move("REG", "GM", 129, place=1).move("L1", "UB", 257,
                                                                               place=2, sub=1)
    paths = launch.run("default,memorydetail").paths()
    same({number: paths[number][0] for number in (45, 46, 51)}, {45: "2", 46: "3", 51: "2"})


def rates_of_no_access_are_absent():
    """Reference: 0.000000, and advice on the cube without an access, whose hit rate is lower than
    the others'."""
    some = {1280: 90, 1282: 10, 84: 50, 85: 5}
    launch = Launch("910b")
    for block, events in enumerate((some, some, {})):
        launch.core("cube", 1000, events, block=block)
    result = launch.run("default,occupancy")
    rates = [core["core_detail"][0]["L2cache_hit_rate"]
             for core in result.blocks()[12]["op_detail"]]
    same(rates, ["90.000000", "90.000000", "0.000000"])  # the viewer reads numbers
    same(result.blocks()[12]["advice"], "")
    same(result.tables("0")["Cache"]["L2 Cache Total"], ["90", "10", "100", "90.000000"])
    same(result.tables("2")["Cache"]["L2 Cache Total"], ["0", "0", "0", "NA"])
    same(result.tables("2")["Cache"]["iCache Total"][3], "NA")
    same(result.map("2")["L2cache"]["hit_ratio"], "NA")
    launch = Launch("a5").core("cube", 1000, {1066: 90, 1067: 10}).core("cube", 1000, {}, block=1)
    result = launch.run("occupancy")
    same(result.blocks()[12]["op_detail"][1]["core_detail"][0]["L2cache_hit_rate"], "0.000000")
    same(result.blocks()[12]["advice"], "")


def a_task_of_unknown_time_did_not_take_a_microsecond():
    """Reference: all bytes of a mix operator divided by 1 us. The cube took 2 us, the vector core
    4."""
    launch = Launch("910b", freq=1000).core("cube", 2000, {49: 1000, 50: 700, 1286: 500})
    launch.core("vector", 4000, {62: 1000, 1286: 300}).took(None)
    result = launch.run(code=4)
    same(result.tables()["L1"]["L1 Write MTE"][1], gib_s(256000, 2))
    same(result.cell("Memory", "aic_l1_write_bw(GB/s)"), result.tables()["L1"]["L1 Read MTE"][1])
    same(result.tables()["UB Core0"]["UB Read GM"][1], gib_s(128000, 4))
    same(result.paths()[0][:2], ("800", "%.6f" % gib_s(800 * 128, 4)))
    launch = Launch("a5", freq=1000).core("cube", 2000, {1799: 1000, 1061: 500}).took(None)
    result = launch.core("vector", 4000, {1804: 9}).run(code=4)
    same(result.tables()["L1"]["L1 Write MTE"][:2], ["1000", "NA"])
    same(result.paths()[0][:2], ("500", "NA"))


def what_all_cores_of_a_block_did_took_the_time_of_the_block():
    """Reference: what all cores moved divided by 1 us of the cube; a vector core took 10 us."""
    for series, miss in (("910b", 1286), ("a5", 1061)):
        launch = Launch(series, freq=1000).core("cube", 1000, {miss: 10}).core("vector", 10000,
                                                                               {miss: 9000})
        result = launch.run("default,kernelscale")
        same(result.paths()[0][:2], ("9010", "%.6f" % gib_s(9010 * 128, 10)))
        # without KernelScale it took the time of the task, 100 us
        same(launch.run("default").paths()[0][1], gib_s(9010 * 128, 100))
    launch = Launch("910b", freq=1000).core("cube", 1000, {}).core("vector", 10000, {1282: 50})
    same(launch.run("default,kernelscale").paths()[1][1], gib_s(50 * 512, 10))


if __name__ == "__main__":
    names = ("Launch", "Result", "main", "run", "same", "gib_s", "loads")
    main([value for name, value in list(globals().items()) if callable(value)
          and name not in names])
