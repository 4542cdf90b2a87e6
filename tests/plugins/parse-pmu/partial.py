#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Raw files that are cut, emptied, removed or doubled: the run ends with exit code 4 (or 1, 2) and
names the file, or its results are those of the whole files. With OPPROF_TEST=full they are cut at
more places.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from onboard_raw import Launch, main, same  # noqa: E402  (needs the path)
import onboard_raw  # noqa: E402

METRICS = {"310p": "default,roofline", "910b": "default,occupancy,roofline,memorydetail",
           "a5": "default,occupancy,roofline,memorydetail"}
RECORD = {"DeviceProf": 128, "duration": 32, "MemoryChart": 56}


def everything(series):
    launch = Launch(series, freq=1000, rated=1000)
    for block in range(1 if series == "310p" else 3):
        for kind in ("core",) if series == "310p" else ("cube", "vector"):
            events = {event: event * 7 + block + 1 for slots in launch.plan.values()
                      for event in slots}
            launch.core(kind, 50000 + block, events, block=block)
    if series != "310p":
        for block in range(3):
            place = block if series == "910b" else 3 * block + 2
            launch.move("GM", "L0A", 1000 + block, place=place).move("GM", "L1", 2000, place=place)
    if series == "a5":
        launch.operand(2, "F32", simd=(5, 50)).operand(6, "F32", simd=(1, 1), simt=(5, 50))
    else:
        launch.l2 = [75, 60, 40, 0, 30, 0, 0, 0]
    return launch


def texts(result):
    """All files but those that name the input, whose folder differs; the report names it in its
    first line."""
    found = {}
    for name in os.listdir(result.directory):
        if name not in ("run.json", "results.sqlite", "report.html"):
            with open(os.path.join(result.directory, name), "rb") as file:
                found[name] = file.read()
    found["report.txt"] = found.get("report.txt", b"").partition(b"\n")[2]
    return found


def places(name, data):
    """Where a file is cut: at its ends, in the middle, between records and within them."""
    size = len(data)
    record = next((count for start, count in RECORD.items() if name.startswith(start)), 100)
    lines = [at + 1 for at, byte in enumerate(data) if byte == 10] if name.endswith(".txt") else []
    found = {size // 2 + 1, size - record, size - 1, *lines[:1]}
    if os.environ.get("OPPROF_TEST") == "full":
        found |= {1, size // 2, record, *lines, *(at - 1 for at in lines)}
    return sorted(at for at in found if 0 < at < size)


def changes(name, data):
    """(what is done, the file's new bytes; None: it is gone)"""
    yield "removed", None
    yield "empty", b""
    yield "doubled", data + data
    for at in places(name, data):
        yield "cut at byte %d" % at, data[:at]
    for at in places(name, data)[:None if os.environ.get("OPPROF_TEST") == "full" else 1]:
        yield "doubled up to byte %d" % at, data + data[:at]


def is_hidden(name, what, data):
    """Moves have no count of their own: whole records fewer or more are another launch's moves."""
    return name == "MemoryChart.bin" and data is not None and len(data) % 56 == 0 and len(data) > 0


def check(series, name, what, data, launch, good):
    with tempfile.TemporaryDirectory() as raw:
        launch.write(raw)
        if data is None:
            os.remove(os.path.join(raw, name))
        else:
            with open(os.path.join(raw, name), "wb") as file:
                file.write(data)
        result = onboard_raw.run(raw, METRICS[series], *launch.options(), code=None)
    place = "%s %s %s" % (series, name, what)
    if result.code == 0:
        same((place, texts(result) == good), (place, True))
    else:
        same((place, result.code in (1, 2, 4)), (place, True))
        same((place, name in result.errors, result.errors[-300:]),
             (place, True, result.errors[-300:]))


def parts_of_a_launch(series):
    launch = everything(series)
    files = launch.files()
    good = texts(launch.run(METRICS[series]))
    for name, whole in sorted(files.items()):
        if name.startswith("DeviceProf") and name not in ("DeviceProf1.bin", "DeviceProf%d.bin" %
                                                          launch.rounds):
            continue
        for what, data in changes(name, whole):
            if not is_hidden(name, what, data):
                check(series, name, what, data, launch, good)


def parts_of_310p():
    parts_of_a_launch("310p")


def parts_of_a2():
    parts_of_a_launch("910b")


def parts_of_a5():
    parts_of_a_launch("a5")


if __name__ == "__main__":
    main([parts_of_310p, parts_of_a2, parts_of_a5])
