# SPDX-License-Identifier: Apache-2.0
"""Worked examples: what each kind of record must look like in the timeline.

Where those of the specification are, besides here (T1 to T3, T6 to T8, T10):
T4, T9 test_marks.c; T5, T6 test_tasks.c; T7, T8, T10 also test_marks.c; T11 to T14, T16, T17
test_words.c, T11 also streams.py; T15, T19, T20 test_monitor.c; T18 streams.py; T21, T22
test_perfmon.c; T23 examples/test_pool.c.
"""

import os
import struct
import subprocess

from run import check, equal, finish, run, scratch

import mc2_raw as raw

CHIP = "910b"
Z = 536000000000


def launch(kind, files, *settings, chip=CHIP, extra=""):
    directory = scratch()
    raw.put(directory, "op_basic_info.txt", raw.info(chip, kind, extra))
    for name, data in files.items():
        raw.put(directory, name, data)
    return run("mc2-dump", directory, *settings)


def stars(entries):
    """(task, stream, type, start, end); without end only a start."""
    data = b""
    for task, stream, kind, start, end in entries:
        data += raw.acsq(CHIP, kind, 0, stream, task, start)
        if end:
            data += raw.acsq(CHIP, kind, 1, stream, task, end)
    return data


STARS = stars([(1, 4, 1, Z, Z + 5000), (2, 3, 0, Z + 100, Z + 4900), (3, 53, 7, Z + 1300, Z + 1400),
               (4, 53, 7, Z + 1500, Z + 1700), (5, 53, 11, Z + 1300, Z + 1800),
               (6, 53, 11, Z + 2100, Z + 2200), (7, 54, 8, Z + 2000, Z + 3000),
               (8, 55, 20, Z + 2100, Z + 2400)])


def named(events, name, process=None):
    return [e for e in events if e["name"] == name and process in (None, e["pid"])]


def times(events, name, process=None):
    return [(e["tid"], e["ts"], e["dur"]) for e in named(events, name, process)]


def tasks_of_streams():
    result = launch("mc2", {"duration.bin": STARS})
    equal(result.code, 4, "exit code of T1, which has one file only")
    for file in ("DeviceProf1.bin", "aicpu.bin", "aic_timestamp.bin"):
        check(f"'{file}' is missing or holds no record" in result.messages, "what is missing:",
              result.messages)
    events, meta = result.events()
    equal(len(events) + len(meta), 14, "T1 events")
    equal(times(events, "AI_CPU"), [("AI_CPU", 0, 100)], "AI_CPU")
    equal(times(events, "AI_CORE"), [("AI_CORE", 2, 96)], "AI_CORE")
    equal(times(events, "NOTIFY_WAIT_SQE"), [("STREAM53", 26, 2), ("STREAM53", 30, 4)], "waits")
    equal(times(events, "SDMA_SQE"), [("STREAM53", 26, 10), ("STREAM53", 42, 2)], "SDMA")
    equal(times(events, "WRITE_VALUE_SQE"), [("STREAM54", 40, 20)], "write value")
    equal(times(events, "C_CORE_SQE"), [("STREAM55", 42, 6)], "C core")
    sorts = [e["args"]["sort_index"] for e in meta if e["name"] == "thread_sort_index"]
    equal(sorted(sorts), [10053, 10054, 10055], "ranks of streams")
    equal(named(events, "NOTIFY_WAIT_SQE")[0]["cname"], "background_memory_dump",
          "colour of type 7")
    equal(named(events, "C_CORE_SQE")[0]["args"], {"stream id": "55", "task id": "8"}, "arguments")
    check(os.path.exists(result.path("visualize_data.bin")), "the viewer's file")


def communication_tasks():
    slots = [raw.comm_slot(raw.ITEMS["hccl_info"], 3, 53, 0, kinds=(0, 0, 0), size=1 << 20,
                           estimated=1.5, notify=9),
             raw.comm_slot(raw.ITEMS["Notify_Record"], 4, 53, 1, kinds=(1, 1, 1)),
             raw.comm_slot(raw.ITEMS["Notify_Wait"], 5, 53, 2, kinds=(2, 2, 2)),
             raw.comm_slot(0, 10, 56, 0)]
    result = launch("mc2", {"duration.bin": STARS,
                            "aicpu.bin": raw.comm(*slots[:2]) + raw.comm(*slots[2:])})
    equal(result.code, 4, "a task without times makes the run incomplete")
    check("1 communication task in 'aicpu.bin' has no times" in result.messages, "why is said")
    every, meta = result.events()
    events = [e for e in every if e["pid"] == "HCCL TASK"]
    equal(len(events) + len([e for e in meta if e["pid"] == "HCCL TASK"]), 9, "T2 events")
    equal(times(events, "hccl_info"), [("PLANE0", 26, 2)], "plane 0")
    equal(times(events, "Notify_Record"), [("PLANE1", 30, 4)], "plane 1")
    equal(times(events, "Notify_Wait"), [("PLANE2", 26, 10)], "plane 2")
    kinds = [(e["args"]["transport type"], e["args"]["data type"], e["args"]["link type"])
             for e in events]
    equal(kinds, [("SDMA", "INT8", "ON_CHIP"), ("RDMA", "INT16", "HCCS"),
                  ("LOCAL", "INT32", "PCIE")], "kinds")
    first = events[0]["args"]
    equal(first["duration estimated(us)"], "1.500000", "estimate")
    equal(first["bandwidth(GB/s)"], "%.6f" % ((1 << 20) / 0.002 / 2**30 * 1000), "bandwidth")
    equal((first["src rank"], first["dst rank"], first["notify id"], first["size(Byte)"]),
          ("0", "1", "9", "1048576"), "ranks, notify, size")


def ids_of_tasks_are_those_of_the_lanes():
    """The bit 0x2000 of a stream says that its number and the low bits of the task's changed
    places."""
    log = stars([(2, 3, 0, Z, Z + 4900), (0x3012, 0x2005, 11, Z + 1300, Z + 1800)])
    slot = raw.comm_slot(raw.ITEMS["hccl_info"], 0x73012, 0x2005, 0)
    events, _ = launch("mc2", {"duration.bin": log, "aicpu.bin": raw.comm(slot, slot)}).events()
    lane, = named(events, "SDMA_SQE")
    equal((lane["tid"], lane["args"]["stream id"], lane["args"]["task id"]),
          ("STREAM18", "18", str(0x3005)), "the lane")
    task = named(events, "hccl_info")[0]["args"]
    equal((task["stream id"], task["task id"]), ("18", str(0x73005)), "the communication task")


def turns():
    first = [Z + t for t in (1000, 2000, 4000, 7000, 10000, 14000, 19000)]
    second = [Z + t for t in range(1000, 8000, 1000)]
    result = launch("mc2", {"duration.bin": STARS,
                            "aicpu.bin": raw.turn(0, first, 60, 100) + raw.turn(1, second, 60,
                                                                                100)})
    every, meta = result.events()
    events = [e for e in every if str(e["tid"]).startswith("TURN")]
    meta = [e for e in meta if str(e["tid"]).startswith("TURN")]
    equal(len(events) + len(meta), 16, "T3 events")
    equal(times(events, "StartServer")[0], ("TURN0", 20, 20), "first phase")
    equal(times(events, "Finalize")[1], ("TURN1", 120, 20), "last phase")
    equal([e["args"]["sort_index"] for e in meta if e["name"] == "thread_sort_index"],
          [10000, 10001], "ranks")
    equal(events[0]["args"], {"stream id": "60", "task id": "100"}, "arguments")


def calls():
    result = launch("mc2", {
        "DeviceProf1.bin": raw.block(CHIP, False, 0, 0, 1, 5001),
        "pc_start_addr.txt": "0x10\n",
        "aic_timestamp.bin": raw.mark(1001, 25 << 16, 0x1020, 0x22) + raw.mark(1501, 25 << 16,
                                                                               0x1021, 0x30)})
    event = named(result.events()[0], "WAIT")[0]
    equal((event["ts"], event["dur"], event["tid"], event["cname"]),
          (20, 10, "core0.veccore0", "heap_dump_child_node_arrow"), "T7")
    equal(event["args"]["pc_addr"], "0x00000022", "address")


def call_stacks():
    """Marks of a kernel with debug information name their lines, as the toolchain's own program
    tells them."""
    kernel = os.path.join(os.environ["TEST_KERNELS"], "dwarf5.so")
    symbols = subprocess.run(["nm", kernel], capture_output=True, text=True,
                             check=True).stdout.split()
    places = {name: int(symbols[i - 2], 16) for i, name in enumerate(symbols)
              if name in ("at_2", "at_4")}
    start = 0x40000000
    marks = b"".join(raw.mark(10 + 20 * i, 25 << 16, 0x1020 + i, start + places["at_2"])
                     for i in (0, 1))
    files = {"DeviceProf1.bin": raw.block(CHIP, False, 0, 0, 1, 5001), "pc_start_addr.txt":
             f"{start:#x}\n",
             "aic_timestamp.bin": marks}
    users = dict(files)
    users["aic_timestamp.bin"] = b"".join(raw.mark(10 + 20 * i, 25 << 16, 70000,
                                                   start + places["at_4"])
                                          for i in (0, 1))
    for kind, made, name, place in (("mc2", files, "WAIT", "at_2"),
                                    ("plain", users, "70000", "at_4")):
        with open(kernel, "rb") as file:
            made["aicore_binary.o"] = file.read()
        frames = subprocess.run(["addr2line", "-i", "-e", kernel, f"{places[place]:#x}"],
                                capture_output=True, text=True, check=True).stdout
        wanted = [line.rsplit("/", 1)[-1] for line in frames.split()]
        check(len(wanted) >= 2, "the mark lies in an inlined function", wanted)
        event = named(launch(kind, made).events()[0], name)[0]
        got = [line.rsplit("/", 1)[-1] for line in event["args"]["code"].split("\n")]
        equal(got, wanted, f"call stack of {name}")
        equal(event["args"]["pc_addr"], f"{start + places[place]:#010x}", f"address of {name}")


def users_marks():
    files = {"DeviceProf1.bin": raw.block(CHIP, True, 0, 0, 1, 1001),
             "aic_timestamp.bin": b"".join(raw.mark(t + 1, 0, 0x10029, 0) for t in (10, 20, 30))}
    result = launch("plain", files)
    equal(result.code, 4, "a start without end")
    events, _ = result.events()
    equal(times(events, "65577"), [("core0.cubecore0", 0.2, 0.2)], "T8")
    equal(times(events, "cube time"), [("core0.cubecore0", 0, 20)], "block")
    check("pc_addr" not in named(events, "65577")[0]["args"], "no address without a start")
    display = os.path.join(scratch(), "display.json")
    with open(display, "w", encoding="utf-8") as file:
        file.write('{"mc2_trace_config":{"enable_block_time":false,'
                   '"descid_display":{"65577":"STORE"}}}')
    events, _ = launch("plain", files, f"display={display}").events()
    equal(times(events, "STORE"), [("core0.cubecore0", 0.2, 0.2)], "name of the display")
    odd = os.path.join(scratch(), "odd.json")
    with open(odd, "w", encoding="utf-8") as file:
        file.write('{"mc2_trace_config":{"descid_display":{"x":"STORE"}}}')
    for setting, why in ((f"display={odd}", "1 name in"),
                         ("kernel=nowhere.o", "call stacks are missing: Cannot open kernel "
                                              "'nowhere.o': No such file")):
        whole = {**files, "pc_start_addr.txt": b"0x1000\n"}
        said = launch("plain", whole, setting).messages
        check(any(why in line and "warning" not in line for line in said.splitlines()),
              f"{setting}: {said}")
    equal(times(events, "AIC BLOCK0 START"), [("core0.cubecore0", 0, 0)], "start of the block")
    equal(times(events, "AIC BLOCK0 END"), [("core0.cubecore0", 20, 0)], "end of the block")


def colours_of_users_marks():
    ids = [70000 - i for i in range(14)]
    marks = b"".join(raw.mark(10 + 20 * i + k, 0, one, 0) for i, one in enumerate(ids)
                     for k in (0, 10))
    result = launch("plain", {"DeviceProf1.bin": raw.block(CHIP, True, 0, 0, 1, 1001),
                              "aic_timestamp.bin": marks})
    events, _ = result.events()
    colours = {int(e["name"]): e["cname"] for e in events if e["name"].isdigit()}
    equal(len(colours), 14, "marks")
    equal(colours[min(ids)], "thread_state_runnable", "the smallest id has the first colour")
    equal(colours[min(ids) + 12], "thread_state_runnable", "colours begin again")


def collective_kernels():
    start = 48117105577516
    ends = [48117105578916, 48117105581350, 48117105581921]
    blocks = b"".join(raw.block(CHIP, i == 0, 0, max(i - 1, 0), start, end) for i,
                      end in enumerate(ends))
    base = 48117105500000
    logs = (raw.lccl_mark(1, 0, base + 78953, 0x22, 3, 4) + raw.lccl_mark(1, 0, base + 78999) +
            raw.lccl_mark(2, 0, base + 79953) + raw.lccl_mark(2, 0, base + 79999))
    result = launch("lccl", {"DeviceProf1.bin": blocks, "aic_timestamp.bin": logs,
                             "duration.bin": stars([(2, 3, 0, start - 10, ends[2] + 10)])})
    equal(result.code, 0, "exit code of T10")
    events, meta = result.events()
    equal(len(events) + len(meta), 9, "T10 events")
    equal([e["dur"] for e in named(events, "INIT") + named(events, "PROCESS")], [0.92, 0.92],
          "46 cycles")
    equal(named(events, "INIT")[0]["args"], {"curPc": "0x22", "operationType": "3", "rsv": "4"},
          "arguments")
    equal([e["args"]["sort_index"] for e in meta], [1, 2, 3], "ranks of lanes")
    equal(times(events, "AI_CORE"), [("AI_CORE", 0, (ends[2] + 20 - start) / 50)], "operator")


def damaged_files():
    cut = launch("mc2", {"duration.bin": STARS[:-5]})
    equal(cut.code, 4, "a file that ends within a record")
    check("'duration.bin' ends within a record at byte 960: 59 of 64 bytes" in cut.messages,
          "file and offset:", cut.messages)
    equal(len(named(cut.events()[0], "SDMA_SQE")), 2, "whole records count")
    slot = raw.comm_slot(1, 3, 53, 0)
    bad = launch("mc2", {"duration.bin": STARS,
                         "aicpu.bin": raw.comm(slot) + raw.report(13, slot, magic=1)})
    equal(bad.code, 4, "a wrong magic number")
    check("first at byte 256" in bad.messages, "offset of the bad report:", bad.messages)
    nameless = launch("mc2", {"duration.bin": STARS}, "chip=auto")
    equal(nameless.code, 4, "chip by the data")
    directory = scratch()
    raw.put(directory, "duration.bin", STARS)
    unknown = run("mc2-dump", directory)
    equal(unknown.code, 1, "no chip")
    check("such as chip=" in unknown.messages, "what to do")
    equal(run("mc2-dump", directory, "chip=910B").code, 4, "chip by hand")


def newest_chip():
    """Types 1 and 2 are core tasks there, and its counter runs at 1 GHz."""
    files = {"duration.bin": b"".join(raw.task_pair("950", kind, 3, kind + 2, Z + 1000 * kind,
                                                    Z + 1000 * kind + 500)
                                      for kind in (0, 1, 2)),
             "DeviceProf1.bin": raw.block("950", True, 1, 0, Z + 10, Z + 400)}
    result = launch("mc2", files, chip="950")
    equal(result.code, 4, "exit code without the files of the AI CPU")
    events, _ = result.events()
    equal(times(events, "AI_CORE"), [("AI_CORE", 0, 0.5), ("AI_CORE", 1, 0.5), ("AI_CORE", 2, 0.5)],
          "core tasks")
    equal(result.messages.count("what they are is uncertain"), 1, "said once")


for test in (tasks_of_streams, communication_tasks, ids_of_tasks_are_those_of_the_lanes, turns,
             calls, call_stacks, users_marks, colours_of_users_marks,
             collective_kernels, damaged_files, newest_chip):
    test()
finish()
