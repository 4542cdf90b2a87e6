# SPDX-License-Identifier: Apache-2.0
"""mindspore.py FOLDER RESULTS: compares the tables of a run with an independent reading of the raw
files in a folder of MindSpore's profiler: operators, types, AI CPU, steps and collectives."""
import collections
import csv
import glob
import json
import math
import os
import re
import struct
import sys

failures = []


def equal(got, wanted, what):
    if got != wanted:
        failures.append(f"{what}: {got!r} instead of {wanted!r}")


def near(got, wanted, what):
    if (got in ("", "NA")) != (wanted is None):
        failures.append(f"{what}: {got!r} instead of {wanted!r}")
    elif wanted is not None and not math.isclose(float(got), wanted, rel_tol=1e-12, abs_tol=1e-12):
        failures.append(f"{what}: {got!r} instead of {wanted!r}")


def table(results, name):
    path = os.path.join(results, name + ".csv")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Device:
    """All raw files of a device, each with its slices joined."""

    def __init__(self, number):
        self.number = number
        self.logs = {}

    def log(self, *stems):
        for stem in stems:
            for name, slices in self.logs.items():
                if re.fullmatch(stem, name):
                    return b"".join(data for _, data in sorted(slices))
        return b""

    def has(self, stem):
        return any(re.fullmatch(stem, name) for name in self.logs)


def devices_of(folder):
    devices = {}
    for path in glob.glob(folder + "/**/*", recursive=True):
        match = re.fullmatch(r"(.+)\.(\d+)\.slice_(\d+)", os.path.basename(path))
        if match and os.path.isfile(path):
            device = devices.setdefault(int(match[2]), Device(int(match[2])))
            with open(path, "rb") as file:
                device.logs.setdefault(match[1], []).append((int(match[3]), file.read()))
    return [devices[number] for number in sorted(devices)]


def records(data, form):
    size = struct.calcsize(form)
    return [struct.unpack_from(form, data, at) for at in range(0, len(data) - size + 1, size)]


def tasks_of(device):
    """Names, types and blocks of tasks, by (stream, task), in the order of the table."""
    tasks = {}
    if device.has("Framework.host.*task_desc_info"):
        types = dict(re.findall(r"op_name:(\S+) op_type:(\S+)",
                                device.log("Framework.host.*graph_desc_info").decode()))
        for line in device.log("Framework.host.*task_desc_info").decode().splitlines():
            name, blocks, task, stream = line.split()[-4:]
            key = (int(stream), int(task)) if int(task) < 25000 else int(task)
            tasks[key] = (name, types.get(name), int(blocks))
        return tasks
    names = dict(line.split(":", 1)
                 for line in device.log("Framework.hash_dic").decode().splitlines())

    def text(data):
        if data[0] == 1:
            return data[8:].split(b"\0")[0].decode()
        return names.get(str(struct.unpack_from("<Q", data, 8)[0]))
    for record in records(device.log("Framework.task_desc_info"), "<8x128s64s20xI4xII20x"):
        name, kind, blocks, stream, task = record
        tasks[(stream, task)] = (text(name) or f"{stream}_{task}", text(kind), blocks)
    return tasks


def executions_of(device, tasks):
    """(name, stream, ticks) of each execution of a known task."""
    is_a = device.has("Framework.host.*task_desc_info")
    opened, found = {}, []
    for head, magic, task, tick, stream in records(
            device.log("hwts.*"), "<BxH2xHQI44x"):
        key = task if is_a and task >= 25000 else (stream, task)
        if magic != 0x6bd3 or head & 7 > 1:
            continue
        if head & 7 == 0:
            opened[stream, task] = tick
        elif (stream, task) in opened:
            start = opened.pop((stream, task))
            if key in tasks:
                found.append((tasks[key][0], stream, tick - start))
    return found


def check_operators(device, tasks, results):
    rows = {row["op_name"]: row for row in table(results, "operators")
            if row["device"] == str(device.number)}
    times, streams = collections.defaultdict(list), {}
    for name, stream, ticks in executions_of(device, tasks):
        times[name].append(ticks)
        streams.setdefault(name, stream)
    facts = {name: (kind, blocks) for name, kind, blocks in tasks.values()}
    equal(set(rows), set(times), f"operators of device {device.number}")
    whole = sum(map(sum, times.values()))
    types = collections.defaultdict(list)
    for name, ticks in times.items():
        row, last = rows[name], name.split("/")[-1]
        kind = facts[name][0] or last.split("-")[0]
        types[kind].append(sum(ticks) / len(ticks) / 100)
        graph = name.split("/")[0] if name.split("/")[0] in ("Default", "Gradients") else "NA"
        for column, wanted in (("kernel_name", last), ("kernel_type", kind), ("subgraph", graph),
                               ("stream", str(streams[name])), ("block_dim", str(facts[name][1])),
                               ("executions", str(len(ticks)))):
            equal(row[column], wanted, f"{name}: {column}")
        for column, wanted in (("total(us)", sum(ticks) / 100),
                               ("mean(us)", sum(ticks) / len(ticks) / 100),
                               ("min(us)", min(ticks) / 100), ("max(us)", max(ticks) / 100),
                               ("share", 100 * sum(ticks) / whole)):
            near(row[column], wanted, f"{name}: {column}")
    found = {row["kernel_type"]: row for row in table(results, "operator_types")
             if row["device"] == str(device.number)}
    equal(set(found), set(types), "types")
    for kind, means in types.items():
        equal(found[kind]["operators"], str(len(means)), f"{kind}: operators")
        near(found[kind]["mean_sum(us)"], sum(means), f"{kind}: mean_sum")
        near(found[kind]["share"], 100 * sum(means) / sum(map(sum, types.values())),
             f"{kind}: share")
    check_rates(device, tasks, times, rows)


def check_rates(device, tasks, times, rows):
    weights = (16 ** 3 * 2, 16 * 16 * 32 * 2, 32, 128, 64, 64, 32)
    seen = set()
    for record in records(device.log("aicore.data"), "<6xH8x16x8QI28x"):
        task, counts, stream = record[0], record[1:8], record[9]
        name = tasks.get((stream, task), (None,))[0]
        if name in rows and name not in seen:
            seen.add(name)
            cube = sum(a * b for a, b in zip(counts[:2], weights[:2])) / 1e6
            vector = sum(a * b for a, b in zip(counts[2:], weights[2:])) / 1e6
            mean_ms = sum(times[name]) / len(times[name]) / 1e5
            for part, value in (("", cube + vector), ("cube_", cube), ("vector_", vector)):
                near(rows[name][part + "mflops"], value, f"{name}: {part}mflops")
                near(rows[name][part + "gflops"], value / mean_ms, f"{name}: {part}gflops")
                near(rows[name][part + "utilization"],
                     value / mean_ms * 1e9 / (1000 * 1e6 * 32 * 4096 * 2) * 100,
                     f"{name}: {part}utilization")


def check_info(device, tasks, results):
    """Inputs and outputs of generation B."""
    wanted = {}
    for record in records(device.log("Framework.tensor_data_info"), "<16xIIB3x220s8x"):
        stream, task, count, tensors = record
        info = wanted.setdefault(tasks[(stream, task)][0], {})
        for tensor in range(count):
            kind, form, dtype, *shape = struct.unpack_from("<11I", tensors, tensor * 44)
            part = "output" if kind else "input"
            number = sum(key.startswith(part) for key in info)
            info[f"{part}_{number}"] = (form % 200, dtype % 200,
                                        ",".join(str(axis) for axis in shape if axis))
    forms = {0: "UNKNOWN", 1: "DEFAULT", 3: "ND", 4: "NCHW", 5: "NHWC", 7: "NC1HWC0",
             8: "FRAC_Z", 10: "FRAC_NZ"}
    types = {30: "BOOL", 34: "INT32", 42: "FLOAT16", 43: "FLOAT32"}
    for row in table(results, "operators"):
        if row["device"] == str(device.number) and wanted:
            info = json.loads(row["op_info"])
            equal(list(info), list(wanted[row["op_name"]]), row["op_name"])
            for key, (form, dtype, shape) in wanted[row["op_name"]].items():
                equal(info[key]["shape"], shape, key)
                equal(info[key]["format"], forms.get(form, info[key]["format"]), key)
                name = types.get(dtype)
                equal(info[key]["data_type"], f"NUMBER_TYPE_{name}" if name else
                      info[key]["data_type"], key)


def points_of(device):
    """(kind, pair of collectives or None, is start, stream, tick) of each point."""
    for tag, stream, tick in records(device.log("training_trace.*"), "<Q2xHQ"):
        yield ({0: "model", 1: "fp", 2: "bp", 255: "end"}.get(tag, "other"), (tag - 1) // 2,
               tag % 2 == 1, stream, tick)
    for kind, tick, stream, tag in records(device.log("ts_track.data"), "<xB6xQ16xH2xH2x"):
        if kind == 10 and tag < 20000:
            yield ({2: "fp", 3: "bp", 4: "end"}.get(tag, "other" if tag >= 10000 else "model"),
                   tag // 2, tag % 2 == 0, stream, tick)


def check_steps(device, results):
    start = end = None
    now, open_points, done, order, wanted, collectives = {}, {}, [], [], [], []
    for kind, pair, is_start, stream, tick in points_of(device):
        if kind in ("fp", "bp"):
            now[kind] = tick
        elif kind == "other" and is_start:
            order += [] if stream in order else [stream]
            open_points[stream, pair] = tick
        elif kind == "other":
            done.append((order.index(stream), open_points.pop((stream, pair)), tick, stream))
        elif kind == "end":
            start, end = now["fp"] if end is None else end, tick
            wanted.append((start, end, now["fp"], now["bp"]))
            places = collections.Counter()
            for _, first, last, lane in sorted(done):
                collectives.append((len(wanted), lane, places[lane], first, last))
                places[lane] += 1
            now, done, order = {}, [], []
    rows = [row for row in table(results, "steps") if row["device"] == str(device.number)]
    equal([(int(row["start_tick"]), int(row["end_tick"]), int(row["fp_tick"]),
            int(row["bp_tick"])) for row in rows], wanted, "steps")
    for row, (start, end, fp, bp) in zip(rows, wanted):
        for column, ticks in (("total(us)", end - start), ("iteration_interval(us)", fp - start),
                              ("fp_and_bp(us)", bp - fp), ("tail(us)", end - bp)):
            near(row[column], ticks / 100, column)
    rows = [row for row in table(results, "step_collectives")
            if row["device"] == str(device.number)]
    equal([tuple(int(row[name]) for name in ("step", "stream", "place", "start_tick", "end_tick"))
           for row in rows], collectives, "collectives")


def check_aicpu(device, tasks, results):
    rows = [row for row in table(results, "aicpu") if row["device"] == str(device.number)]
    data = device.log("DATA_PREPROCESS.*")
    if data[:2] != b"ZZ":
        return
    wanted = []
    for record in records(data, "<HHHHQQ24xQQ44xII12x"):
        magic, tag, stream, task, run, start, stop, end, dispatch, total = record
        if magic == 0x5a5a and tag == 60 and start and end:
            name = tasks.get((stream, task), (f"{stream}_{task}",))[0].split("/")[-1]
            wanted.append((name, str(stream), str(task), float(total), float(dispatch),
                           float(stop - run), start / 100, end / 100))
    equal([(row["kernel_name"], row["stream"], row["task"]) +
           tuple(float(row[f"{name}(us)"]) for name in ("total", "dispatch", "execution", "start",
                                                        "end")) for row in rows], wanted, "aicpu")


def main():
    folder, results = sys.argv[1:]
    found = devices_of(folder)
    for device in found:
        tasks = tasks_of(device)
        if device.has("hwts.*"):
            check_operators(device, tasks, results)
            check_info(device, tasks, results)
        check_steps(device, results)
        check_aicpu(device, tasks, results)
    if not found:
        failures.append("no raw files")
    print("\n".join(failures[:20]))
    sys.exit(len(failures) > 0)


main()
