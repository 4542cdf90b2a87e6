# SPDX-License-Identifier: Apache-2.0
"""Streams of pipe activity in each kind of file, from raw words to the timeline."""

import csv
import json
import os
import random

from run import check, equal, finish, run, scratch

import mc2_raw as raw

CORE_MHZ = 1000  # as the counter, so that cycles are ticks


def launch(files, *settings, chip="950"):
    directory = scratch()
    raw.put(directory, "op_basic_info.txt", raw.info(chip, "plain", f"Current Freq={CORE_MHZ}\n"))
    for name, data in files.items():
        raw.put(directory, name, data)
    return run("biu-dump", directory, *settings)


def words(*pairs):
    return b"".join(raw.word(*pair) for pair in pairs)


def shown(events):
    return sorted((e["pid"], e["tid"], e["name"], e["ts"], e["dur"]) for e in events)


def containers():
    stream = words((10, 0xF001), (20, 0xF000), (30, 0x2111), (40, 0xA60C), (50, 0xA60C),
                   (60, 0x060D))
    cube, vector = "core0.cubecore", "core18.veccore1"  # groups 0 and 3
    files = {"timeline.bin.0": raw.chunk(0, 0, stream[:8]) + raw.chunk(3, 2, words((5, 0x1007))),
             "timeline.bin.1": raw.chunk(0, 0, stream[8:])}
    result = launch(files)
    equal(result.code, 4, "regions without partner")
    check("regions 524, 525" in result.messages, "which regions:", result.messages)
    check("no start stamp" in result.messages, "no common zero")
    check("0 marks of FIXP have code 6, 2 code 10" in result.messages, "code of marks")
    equal(shown(result.events()[0]), sorted([(cube, "SCALAR", "SCALAR", 0.01, 0.02),
                                             (cube, "CUBE", "MarkStamp273", 0.06, 0.001),
                                             (cube, "FIXP", "MarkStamp1548", 0.1, 0.001),
                                             (cube, "FIXP", "MarkStamp1548", 0.15, 0.001),
                                             (cube, "SCALAR", "MarkStamp1549", 0.21, 0.001),
                                             (vector, "VECTOR", "MarkStamp7", 0.005, 0.001)]),
          "pipes and marks")
    files["dfx_region_map.txt"] = "region_id=1548,pipe=FIXP,x,pc=0x10,opcode=copy_out\n"
    files["pc_start_addr.txt"] = "0x1000\n"
    events = launch(files, "timeline=instructions").events()[0]
    equal(shown(events), [(cube, "FIXP", "copy_out", 0.1, 0.05)], "an instruction")
    equal(events[0]["args"], {"pc_addr": "0x00001010"}, "its address")


def groups():
    """Three cores of the system profiler, each with its stamp; one in two slices that part a
    stamp."""
    first = raw.stamp(1000, 0) + words((0, 0xF008), (1000, 0xF000))
    second = raw.stamp(3000, 1) + words((0, 0xF010), (1000, 0xF000), (1, 0x10FF))
    third = raw.stamp(5000, 0) + words((0, 0xF020), (1000, 0xF000))
    result = launch({"instr.biu_perf_group0_aic.0.slice_0": first[:6],
                     "instr.biu_perf_group0_aic.0.slice_1": first[6:],
                     "instr.biu_perf_group0_aiv0.0.slice_0": second,
                     "instr.biu_perf_group1_aiv1.0.slice_0": third})
    equal(result.code, 0, "groups: " + result.messages)
    events, meta = result.events()
    names = {e["tid"]: e["args"]["name"] for e in meta if e["name"] == "thread_name"}
    equal(sorted(names.values()), ["Group0-aic", "Group0-aiv0", "Group1-aiv1"], "threads")
    equal(sorted((names[e["tid"]], e["name"], e["ts"], e["dur"]) for e in events),
          [("Group0-aic", "MTE1", 1, 1), ("Group0-aiv0", "MTE2", 3, 1),
           ("Group0-aiv0", "VEC", 4.001, 0), ("Group1-aiv1", "MTE3", 5, 1)], "spans")
    vec = [e for e in events if e["name"] == "VEC"][0]
    equal(vec["args"], {"Block Id": 1, "Checkpoint Info": 255, "Core Type": "aiv0"}, "a checkpoint")
    with open(result.path("biu_instr_status.csv"), encoding="utf-8") as file:
        equal([row["name"] for row in csv.DictReader(file)], ["MTE1", "MTE2", "VEC", "MTE3"],
              "the table")


def groups_of_a_slow_counter():
    """Where both clocks run at 50 MHz, a tick is 20 ns; threads are numbered as they are sorted."""
    chips = scratch()
    with open(os.path.join(chips, "slow.json"), "w", encoding="utf-8") as file:
        json.dump({"opprof_chip": "1.0", "series": "slow", "extends": "950", "default_soc": "Slow1",
                   "socs": {"Slow1": {}}, "pmu": {"defaults": {"scheduler_khz": 50000}}}, file)
    directory = scratch()
    raw.put(directory, "op_basic_info.txt", "Op Name=made_up\nRun Soc Version=Slow1\nCurrent "
                                            "Freq=50\n")
    for name, start, pipe, cycles in (("group0_aic", 1000, 3, 2000), ("group0_aiv0", 3000, 4, 4000),
                                      ("group1_aiv1", 5000, 5, 6000)):
        raw.put(directory, f"instr.biu_perf_{name}.0.slice_0",
                raw.stamp(start, int(name == "group0_aiv0")) + words((0, 0xF000 | 1 << pipe),
                                                                     (cycles, 0xF000)))
    before = os.environ["OPPROF_CHIP_PATH"]
    os.environ["OPPROF_CHIP_PATH"] = chips + ":" + before
    result = run("biu-dump", directory)
    os.environ["OPPROF_CHIP_PATH"] = before
    equal(result.code, 0, "a slow counter: " + result.messages)
    events, meta = result.events()
    names = {e["tid"]: e["args"]["name"] for e in meta if e["name"] == "thread_name"}
    equal(names, {0: "Group0-aic", 1: "Group0-aiv0", 2: "Group1-aiv1"}, "T18 threads")
    equal([(e["tid"], e["name"], e["ts"], e["dur"], e["args"]["Block Id"]) for e in events],
          [(0, "MTE1", 20, 40, 0), (1, "MTE2", 60, 80, 1), (2, "MTE3", 100, 120, 0)], "T18 spans")


def common_marks():
    """Cores without start stamps are aligned at the first mark that all have, stamped or not."""
    files = {"perfmon.core0.aic": words((100, 0x0021), (50, 0x0007), (10, 0xF001), (20, 0xF000)),
             "perfmon.core1.aic": words((900, 0xF002), (50, 0xF000), (50, 0x0007), (30, 0x0021)),
             "perfmon.core2.aic": words((5, 0x0007), (5, 0x0021))}
    result = launch(files)
    equal(result.code, 0, "common marks: " + result.messages)
    check("3 of 3 cores have no start stamp: their first marks 33, the first that all cores have"
          in result.messages,
          result.messages)
    # Mark 33 is first in core 0; in core 1 it comes latest, at 1030.
    equal(sorted({e["ts"] for e in result.events()[0] if e["name"] == "MarkStamp33"}), [1.03],
          "the common mark")
    equal([(e["tid"], e["ts"]) for e in result.events()[0] if e["tid"] == "SCALAR"
           and e["name"] == "SCALAR"],
          [("SCALAR", 1.09)], "what follows in core 0")
    files["perfmon.core1.aic"] = raw.stamp(5000) + files["perfmon.core1.aic"]
    result = launch(files)
    check("2 of 3 cores have no start stamp" in result.messages, result.messages)
    equal(sorted({e["ts"] for e in result.events()[0] if e["name"] == "MarkStamp7"}), [6],
          "that of a stamped core")
    del files["perfmon.core2.aic"]
    files["perfmon.core3.aic"] = words((5, 0x0008))
    check("not from a common zero" in launch(files).messages, "nothing in common")


def broken_stamps():
    data = raw.stamp(1000)[:12] + words((5, 0x1001)) + raw.stamp(2000) + words((5, 0x1002))
    result = launch({"instr.biu_perf_group0_aic.0.slice_0": data + b"\1"})
    equal(result.code, 4, "a broken stamp")
    check("1 start stamp is broken, 1 word after it has no time" in result.messages,
          result.messages)
    check("the last 1 byte is not a whole word" in result.messages, result.messages)
    equal([e["ts"] for e in result.events()[0]], [2.005], "what follows a whole stamp counts")


def windows():
    """One stream of each of 36 cores, read from the core's own window: there is no limit of six."""
    draw = random.Random(7)
    files, wanted = {}, []
    for core in range(36):
        at = 1000 + draw.randrange(1000)
        data = raw.stamp(at, core)
        for number in range(20):
            cycles = draw.randrange(1, 60000)
            at += cycles
            data += raw.word(cycles, 0x1000 + number)
            wanted.append((f"core{core}.veccore0", "VECTOR", f"MarkStamp{number}", at / 1000,
                           0.001))
        files[f"perfmon.core{core}.aiv0"] = data
    result = launch(files)
    equal(result.code, 0, "36 cores: " + result.messages)
    equal(shown(result.events()[0]), sorted(wanted), "marks of 36 cores")


def ends():
    """A stream without the marks of the kernel's end, which another core has, was cut."""
    end = words(*((2, mark) for mark in (0xD88, 0xD99, 0xDAA, 0xDBB, 0xDCC, 0xDDD, 0xDEE, 0xDFF)))
    body = words((10, 0xF001), (20, 0xF000), (5, 0x1001))
    files = {f"perfmon.core{core}.aiv0": raw.stamp(1000 + core, core) + body + end
             for core in range(3)}
    equal(launch(files).code, 0, "all have their end")
    files["perfmon.core1.aiv0"] = files["perfmon.core1.aiv0"][:-32]
    result = launch(files)
    equal(result.code, 4, "one has none")
    check("'perfmon.core1.aiv0': the marks of the kernel's end are missing, which "
          "core0.veccore0 has" in result.messages, result.messages)
    equal(launch({name: data[:28] for name, data in files.items()}).code, 0, "nothing shows that "
          "there is an end")


def monitors():
    def record(vector, scalar, latency):
        pair = (vector | scalar << 12).to_bytes(3, "little")
        flow = (1).to_bytes(2, "little") + (2).to_bytes(2, "little") + latency.to_bytes(
            3, "little") + bytes(25)
        cycles = pair + bytes(29)
        out = bytearray(96)
        for i in range(4):
            out[32 + 16 * i:40 + 16 * i] = flow[8 * i:8 * i + 8]
            out[40 + 16 * i:48 + 16 * i] = cycles[8 * i:8 * i + 8]
        return bytes(out)

    result = launch({"instr.group_1_aic.0.slice_0": record(9, 4000, 77) + record(9, 10, 78) + b"x"},
                    "chip=910B", "interval=500", chip="910b")
    equal(result.code, 4, "a cut record")
    check("the last 1 byte is not a whole record" in result.messages, result.messages)
    events, meta = result.events()
    scalar = [(e["pid"], e["ts"], e["args"]["cycle_num"]) for e in events if e["name"] == "Scalar"]
    equal(scalar, [(5, 0, 4000), (5, 0.5, 106)], "cycles wrap at 4096")
    equal([e["args"]["cycle_num"] for e in events if e["name"] == "Vector"], [0, 0],
          "a cube core has no vector unit")
    names = {e["pid"]: e["args"]["name"] for e in meta if e["name"] == "process_name"}
    equal(names, {5: "1_core1_group1", 8: "biu_group1"}, "units")


def damage():
    chunk = raw.chunk(0, 0, words((10, 0x1001)))
    result = launch({"timeline.bin.0": chunk + raw.chunk(9, 0, words((10, 0x1001))) + chunk[:100]})
    equal(result.code, 4, "a bad chunk and a cut one")
    check("1 chunk of 'timeline.bin.0' is left out, the first at byte 2097160" in result.messages,
          result.messages)
    check("'timeline.bin.0' ends within the chunk at byte 4194320" in result.messages,
          result.messages)
    equal([e["ts"] for e in result.events()[0]], [0.01, 0.02], "the valid words count")
    other = launch({"instr.group_1_aic.0.slice_0": bytes(96), "timeline.bin.0": chunk})
    equal(other.code, 4, "records of another chip")
    check("does not describe such records" in other.messages, other.messages)
    equal(launch({"op_basic_info.txt": raw.info("950")}).code, 4, "nothing but facts")


for test in (containers, groups, groups_of_a_slow_counter, common_marks, broken_stamps, windows,
             ends, monitors, damage):
    test()
finish()
