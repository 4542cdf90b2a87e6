#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels that were replayed together as a range: each has the results that it would have alone."""
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from onboard_raw import Launch, Result, main, run, same  # noqa: E402  (needs the path)

RANGE = ("tmp_dump", "device0", "4242", "0")


def write(*parts, data):
    path = os.path.join(*parts)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def kernels(series):
    """A cube, a mix and a vector operator, and once more the first."""
    made = []
    made_of = ((("cube",), 10), (("cube", "vector"), 25), (("vector",), 40), (("cube",), 55))
    for number, (kinds, us) in enumerate(made_of):
        launch = Launch(series, Op_Name="kernel%d" % number).took(us)
        for block in range(2 + number):
            for kind in kinds:
                events = {event: event * 3 + number * 100 + block for slots in launch.plan.values()
                          for event in slots}
                launch.core(kind, 10000 + number, events, block=block)
        launch.stream, launch.task = 5, 100 + number
        made.append(launch)
    return made


def parted(name, launches):
    """Bytes of a file of the range."""
    return b"".join(launch.files()[name] for launch in launches)


def lay_out(root, launches, unwanted=(), clocks=b"Current Freq=1234\nRated Freq=1650\nnoise\n",
            order=None):
    """A run whose launches are parts of one range; the folders are named as on another machine."""
    folders = []
    for number, launch in enumerate(launches):
        place = ("device0", "kernel%d" % number, "0", "dump")
        if number in unwanted:
            folders.append("-1")
            continue
        text = "".join("%s=%s\n" % pair for pair in launch.info.items()
                       if not pair[0].endswith("Freq"))
        write(root, *place, "op_basic_info.txt", data=text.rstrip("\n").encode())
        folders.append("/elsewhere/OPPROF_20260101_ABC/" + "/".join(place))
    write(root, *RANGE, "output.txt", data=("\n".join(folders) + "\n").encode())
    if clocks is not None:
        write(root, *RANGE, "freq.txt", data=clocks)
    for name in launches[0].files():
        if name.startswith("DeviceProf"):
            write(root, *RANGE, name, data=parted(name, launches))
    # the log goes replay by replay
    write(root, *RANGE, "duration.bin", data=parted("duration.bin", order or launches))


def texts(result):
    """{name: bytes} of the tables"""
    found = {}
    for name in os.listdir(result.directory):
        if name.endswith(".csv") and name != "advice.csv":
            with open(os.path.join(result.directory, name), "rb") as file:
                found[name] = file.read()
    return found


def alone(launch, clock=1234):
    launch.info["Current Freq"], launch.info["Rated Freq"] = clock, 1650 if clock != "NA" else "NA"
    return texts(launch.run())


def result_of(results, number):
    return Result(os.path.join(results.directory, "kernel%d" % number, "0"), 0, results.errors)


def each_kernel_has_its_share():
    for series in ("910b", "a5"):
        launches = kernels(series)
        with tempfile.TemporaryDirectory() as root:
            # records of the log before the last replay do not count
            old = Launch(series).took(999)
            old.stream, old.task, old.began = 5, 101, 7
            lay_out(root, launches, order=[old] + launches)
            write(root, "device0", "kernel0", "0", "dump", "L2Cache.bin", data=bytes(72))
            results = run(root)
        for number, launch in enumerate(launches):
            same(texts(result_of(results, number)), alone(launch))


def kernels_that_nobody_wants_are_left_out():
    launches = kernels("910b")
    with tempfile.TemporaryDirectory() as root:
        lay_out(root, launches, unwanted=(1,), clocks=None)
        results = run(root, code=4)
        same("its 'freq.txt' is missing or names no clock" in results.errors, True)
        same(sorted(name for name in os.listdir(results.directory) if name.startswith("kernel")
                    and not name.endswith(".csv")),
             ["kernel0", "kernel2", "kernel3"])
        for number in (0, 2, 3):
            same(texts(result_of(results, number)), alone(launches[number], "NA"))
        # a folder that is not there is not wanted either
        os.remove(os.path.join(root, "device0", "kernel2", "0", "dump", "op_basic_info.txt"))
        os.rmdir(os.path.join(root, "device0", "kernel2", "0", "dump"))
        results = run(root, code=4)
        same("there is no launch in '/elsewhere/OPPROF_20260101_ABC/device0/kernel2/0/dump'"
             in results.errors, True)
        same(texts(result_of(results, 3)), alone(launches[3], "NA"))


def numbers_of_tasks_are_written_in_several_ways():
    """Bit 12 of the stream: it holds the upper bits of the task. Bit 13: stream and task have
    changed places."""
    launches = kernels("910b")[:3]
    with tempfile.TemporaryDirectory() as root:
        for launch, (stream, task) in zip(launches, ((5, 7), (5, 0x6008), (5, 9))):
            launch.stream, launch.task = stream, task
        logs = kernels("910b")[:3]
        for launch, (stream, task) in zip(logs, ((0x2007, 5), (0x7005, 8), (5, 9))):
            launch.stream, launch.task = stream, task
        lay_out(root, launches, order=logs)
        results = run(root)
        for number, launch in enumerate(launches):
            same(texts(result_of(results, number)), alone(launch))


def a_task_that_comes_again_has_no_time_of_its_own():
    launches = kernels("910b")
    launches[3].task = launches[0].task
    with tempfile.TemporaryDirectory() as root:
        lay_out(root, launches)
        results = run(root, code=4)
        # the log does not tell which of the two it is, so the first has all of it
        same(result_of(results, 0).cell("OpBasicInfo", "Task Duration(us)"), 55)
        same(result_of(results, 3).cell("OpBasicInfo", "Task Duration(us)"), "NA")
        same(result_of(results, 3).cell("Memory", "aic_total_cycles"), "10003")


def what_was_shared_out_before_is_left_alone():
    launches = kernels("910b")[:2]
    with tempfile.TemporaryDirectory() as root:
        lay_out(root, launches)
        launches[0].cores = launches[0].cores[:1]
        launches[0].write(os.path.join(root, "device0", "kernel0", "0", "dump"))
        results = run(root)
        same(len(result_of(results, 0).table("Memory")), 1)
        same(len(result_of(results, 1).table("Memory")), 6)


def a_launch_that_is_listed_twice_has_one_share():
    launches = kernels("910b")[:2]
    with tempfile.TemporaryDirectory() as root:
        lay_out(root, launches)
        name = os.path.join(root, *RANGE, "output.txt")
        with open(name, "a", encoding="utf-8") as file:
            file.write("/elsewhere/OPPROF_20260101_ABC/device0/kernel0/0/dump\n")
        results = run(root, code=4)
        same("'/elsewhere/OPPROF_20260101_ABC/device0/kernel0/0/dump' is in its 'output.txt' again"
             in results.errors, True)
        for number, launch in enumerate(launches):
            same(texts(result_of(results, number)), alone(launch))


def a_file_of_its_own_stands_for_the_share():
    launches = kernels("910b")[:2]
    with tempfile.TemporaryDirectory() as root:
        lay_out(root, launches)
        own = kernels("910b")[0].took(70)
        own.stream, own.task = launches[0].stream, launches[0].task
        write(root, "device0", "kernel0", "0", "dump", "duration.bin",
              data=own.files()["duration.bin"])
        results = run(root)
        same(result_of(results, 0).cell("OpBasicInfo", "Task Duration(us)"), 70)
        same(result_of(results, 0).cell("Memory", "aic_total_cycles"), "10000")
        same(texts(result_of(results, 1)), alone(launches[1]))


def damaged_ranges_keep_what_is_good():
    launches = kernels("910b")[:3]
    with tempfile.TemporaryDirectory() as root:
        lay_out(root, launches)
        # the last kernel's records of a replay are cut
        name = os.path.join(root, *RANGE, "DeviceProf3.bin")
        os.truncate(name, os.path.getsize(name) - 4 * 128 - 1)
        results = run(root, code=4)
        same("'%s' ends in the middle of a record: 127 of 128 bytes" % name in results.errors, True)
        same("has consecutive records of 2 tasks, not of 3" in results.errors, True)
        same(texts(result_of(results, 0)), alone(launches[0]))
        same(result_of(results, 2).cell("Memory", "aiv_ub_to_gm_bw(GB/s)"), "NA")
        same(result_of(results, 2).cell("Memory", "aiv_total_cycles"), "10002")
        # without its list of kernels nothing can be shared out, nor without knowing the chip
        os.remove(os.path.join(root, *RANGE, "output.txt"))
        results = run(root, code=4)
        same("Range 'tmp_dump/device0/4242/0' is left out: its 'output.txt' cannot be read"
             in results.errors, True)
        same(result_of(results, 0).cell("OpBasicInfo", "Op Name"), "kernel0")
    with tempfile.TemporaryDirectory() as root:
        for launch in launches:
            launch.info["Run Soc Version"] = None
        lay_out(root, launches)
        run(root, code=1)
        results = run(root, "default", "chip=Ascend910B1")
        same(result_of(results, 1).cell("OpBasicInfo", "Op Type"), "mix")


def records_that_name_no_task_cannot_be_shared_out():
    launch = Launch("310p", Op_Name="kernel0").core("core", 100, {})
    with tempfile.TemporaryDirectory() as root:
        lay_out(root, [launch])
        result = run(root, code=4)
        same("'tmp_dump/device0/4242/0' is left out: records of this chip do not say whose they are"
             in
             result.errors, True)
        same(result.cell("OpBasicInfo", "Op Name"), "kernel0")


def ranges_of_several_devices_and_processes():
    with tempfile.TemporaryDirectory() as root:
        made = {}
        for device, process, order in ((0, 1, 0), (0, 1, 1), (0, 22, 0), (3, 1, 7)):
            launches = kernels("910b")[1:3]
            for number, launch in enumerate(launches):
                launch.took(10 + len(made))
                kernel = "k%d_%d_%d" % (process, order, number)
                launch.info["Op Name"] = kernel
                made["device%d" % device, kernel] = launch
            place = ("tmp_dump", "device%d" % device, str(process), str(order))
            folders = ["device%d/k%d_%d_%d/0/dump/" % (device, process, order, number)
                       for number in (0, 1)]
            for folder, launch in zip(folders, launches):
                text = "".join("%s=%s\n" % pair for pair in launch.info.items())
                write(root, folder, "op_basic_info.txt", data=text.encode())
            write(root, *place, "output.txt", data="\r\n".join(folders).encode())
            write(root, *place, "freq.txt", data=b"Current Freq=NA\nRated Freq=NA\n")
            for name in launches[0].files():
                if name != "op_basic_info.txt":
                    write(root, *place, name, data=parted(name, launches))
        results = run(root)
        for (device, kernel), launch in made.items():
            result = Result(os.path.join(results.directory, device, kernel, "0"), 0, "")
            same(texts(result), texts(launch.run()))


def other_folders_are_no_ranges():
    launches = kernels("910b")[:1]
    with tempfile.TemporaryDirectory() as root:
        launches[0].write(os.path.join(root, "device0", "kernel0", "0", "dump"))
        for place in (("host", "1", "0"), ("device0", "x1", "0"), ("device0", "1", "1000000000")):
            write(root, "tmp_dump", *place, "DeviceProf1.bin", data=bytes(128))
        write(root, "tmp_dump", "device1", data=struct.pack("<Q", 1))
        same(run(root).cell("OpBasicInfo", "Op Name"), "kernel0")


if __name__ == "__main__":
    helpers = ("Launch", "Result", "main", "run", "same", "write", "kernels", "parted", "lay_out",
               "texts", "alone", "result_of")
    main([value for name, value in list(globals().items()) if callable(value)
          and name not in helpers])
