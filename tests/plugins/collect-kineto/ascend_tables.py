# SPDX-License-Identifier: Apache-2.0
"""ascend_tables.py DIRECTORY RESULTS: compares each cell of the tables of a run with an independent
reading of the profiler's files."""
import csv
import decimal
import fnmatch
import glob
import json
import os
import re
import sys

PAIRS = {
    "ascend_kernels": ("kernel_details*.csv", {
        "step": "Step ID", "device": "Device_id", "model": "Model ID", "task": "Task ID",
        "stream": "Stream ID", "name": "Name", "type": "Type", "state": "OP State",
        "core": "Accelerator Core", "start_ns": "Start Time(us)", "duration(us)": "Duration(us)",
        "wait(us)": "Wait Time(us)", "blocks": "Block Dim|Block Num",
        "mix_blocks": "Mix Block Dim|Mix Block Num", "hf32": "HF32 Eligible",
        "input_shapes": "Input Shapes", "input_types": "Input Data Types",
        "input_formats": "Input Formats", "output_shapes": "Output Shapes",
        "output_types": "Output Data Types", "output_formats": "Output Formats",
        "context": "Context ID"}),
    "ascend_operator_types": ("op_statistic*.csv", {
        "device": "Device_id", "type": "OP Type", "core": "Core Type", "count": "Count",
        "total(us)": "Total Time(us)", "min(us)": "Min Time(us)",
        "mean(us)": "Avg Time(us)", "max(us)": "Max Time(us)", "share": "Ratio(%)"}),
    "ascend_steps": ("step_trace_time*.csv", {
        "device": "Device_id", "step": "Step", "computing(us)": "Computing",
        "exposed_communication(us)": "Communication(Not Overlapped)",
        "overlapped(us)": "Overlapped", "communication(us)": "Communication", "free(us)": "Free",
        "stage(us)": "Stage", "bubble(us)": "Bubble", "exposed_without_receive(us)":
        "Communication(Not Overlapped and Exclude Receive)", "preparing(us)": "Preparing"}),
    "ascend_calls": ("api_statistic*.csv", {
        "device": "Device_id", "level": "Level", "name": "API Name", "count": "Count",
        "total(us)": "Time(us)", "mean(us)": "Avg(us)", "min(us)": "Min(us)", "max(us)": "Max(us)",
        "variance": "Variance"}),
    "ascend_memory": ("operator_memory*.csv", {
        "name": "Name", "size_kb": "Size(KB)", "allocated_ns": "Allocation Time(us)",
        "released_ns": "Release Time(us)", "active_released_ns": "Active Release Time(us)",
        "duration(us)": "Duration(us)", "active_duration(us)": "Active Duration(us)",
        "allocated_mb": "Allocation Total Allocated(MB)",
        "reserved_mb": "Allocation Total Reserved(MB)", "active_mb": "Allocation Total Active(MB)",
        "released_allocated_mb": "Release Total Allocated(MB)", "released_reserved_mb":
        "Release Total Reserved(MB)",
        "released_active_mb": "Release Total Active(MB)", "stream": "Stream Ptr",
        "device_type": "Device Type"}),
    "ascend_datasets": ("dataset*.csv", {
        "operation": "Operation", "stage": "Stage", "count": "Occurrences",
        "mean(us)": "Avg. time(us)", "info": "Custom Info"}),
    "data_pipeline": ("minddata_pipeline_raw_*.csv", {
        "device": None, "op_id": "op_id", "op_type": "op_type", "num_workers": "num_workers",
        "queue_average": "output_queue_average_size", "queue_length": "output_queue_length",
        "queue_usage": "output_queue_usage_rate", "sample_interval": "sample_interval",
        "parent_id": "parent_id", "children": "children_id", "queue_sizes": "output_queue_size"}),
}
TEXTS = {"name", "type", "state", "core", "hf32", "input_shapes", "input_types", "input_formats",
         "output_shapes", "output_types", "output_formats", "device", "level", "device_type",
         "stream", "operation", "stage", "info", "op_type", "children", "queue_sizes", "rank",
         "group", "kind", "transport"}
checked = 0


def number(text):
    return decimal.Decimal(text)


def cell(column, text):
    """What the results have for a cell of the profiler; None: nothing."""
    text = text.strip()
    if column.endswith("_shapes") and len(text) >= 2 and text[0] == text[-1] == '"':
        text = text[1:-1]
    if text in ("", "N/A", "-"):
        return None
    if column.endswith("_ns"):
        return int((number(text) * 1000).to_integral_value(decimal.ROUND_HALF_EVEN))
    return text if column in TEXTS and not (column == "stream" and text.isdigit()) else float(text)


def shown(column, text):
    if text == "NA":
        return None
    if column.endswith("_ns"):
        return int(text)
    return text.lstrip("'") if column in TEXTS and not (column == "stream"
                                                        and text.isdigit()) else float(text)


def folders(directory):
    for path in sorted(glob.glob(os.path.join(directory, "**", "ASCEND_PROFILER_OUTPUT"),
                                 recursive=True)):
        info = glob.glob(os.path.join(os.path.dirname(path), "profiler_info_*.json"))
        yield re.search(r"_(\d+)\.json$", info[0])[1], path


def wanted_of_csv(directory, pattern, columns):
    for rank, folder in folders(directory):
        for name in sorted(fnmatch.filter(os.listdir(folder), pattern)):
            with open(os.path.join(folder, name), newline="", encoding="utf-8-sig") as file:
                for row in csv.DictReader(file):
                    lower = {heading.strip().lower(): text for heading, text in row.items()}
                    result = {"rank": rank}
                    for column, headings in columns.items():
                        if headings is None:
                            result[column] = rank
                            continue
                        found = [lower[heading.lower()] for heading in headings.split("|")
                                 if heading.lower() in lower]
                        result[column] = cell(column, found[0]) if found else None
                    known = {heading.lower() for text in columns.values() if text
                             for heading in text.split("|")}
                    for heading, text in row.items():
                        if heading.strip().lower() not in known:
                            result[heading.strip()] = cell(heading.strip(), text)
                    yield result


def wanted_of_json(directory, links):
    for rank, folder in folders(directory):
        path = os.path.join(folder, "communication.json")
        with open(path, encoding="utf-8") as file:
            document = json.load(file, parse_float=decimal.Decimal)
        for step, kinds in document.items():
            for kind, operators in kinds.items():
                for full, facts in operators.items():
                    if full.startswith("Total Op Info"):
                        continue
                    name, _, group = full.rpartition("@")
                    head = {"rank": rank, "step": float(re.search(r"\d+", step)[0]), "name": name,
                            "group": group}
                    times = facts["Communication Time Info"]
                    if not links:
                        row = {"kind": kind, "start_ns": int(times["Start Timestamp(us)"] * 1000)}
                        for column, key in (("elapsed", "Elapse"), ("transit", "Transit"),
                                            ("wait", "Wait"),
                                            ("synchronization", "Synchronization"),
                                            ("idle", "Idle")):
                            row[column + "(us)"] = float(times[key + " Time(ms)"]) * 1000
                        yield {**head, **row}
                        continue
                    for transport, link in facts["Communication Bandwidth Info"].items():
                        if links == "packets":
                            for size, (count, time) in link["Size Distribution"].items():
                                yield {**head, "transport": transport, "packet_mb": float(size),
                                       "count": float(count), "time(us)": float(time) * 1000}
                        elif link["Transit Size(MB)"] > 0:
                            yield {**head, "transport": transport,
                                   "size_mb": float(link["Transit Size(MB)"]),
                                   "time(us)": float(link["Transit Time(ms)"]) * 1000,
                                   "bandwidth_gbs": float(link["Bandwidth(GB/s)"])}


def compare(results, table, wanted):
    global checked
    with open(os.path.join(results, table + ".csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    wanted = list(wanted)
    if len(rows) != len(wanted):
        sys.exit(f"FAIL: {table}: {len(rows)} rows, wanted {len(wanted)}")
    for number_of_row, (row, want) in enumerate(zip(rows, wanted)):
        for column, text in row.items():
            if shown(column, text) != want.get(column):
                sys.exit(f"FAIL: {table}, row {number_of_row}, {column}: {text}, wanted "
                         f"{want.get(column)}")
            checked += 1
        if set(want) - set(row):
            sys.exit(f"FAIL: {table} lacks {set(want) - set(row)}")


def memory(directory, results):
    """Compares the curves in trace.json with memory_record.csv: each sample at its time."""
    global checked
    wanted = []
    for rank, folder in folders(directory):
        with open(os.path.join(folder, "memory_record.csv"), newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                for word in ("Allocated", "Reserved", "Active"):
                    value = cell("value", row[f"Total {word}(MB)"])
                    if value is not None:
                        wanted.append((f"rank {rank} memory",
                                       f"{row['Component']} {row['Device Type']}",
                                       cell("time_ns", row["Timestamp(us)"]),
                                       f"{word.lower()}(MB)", value))
    with open(os.path.join(results, "trace.json"), encoding="utf-8") as file:
        events = json.load(file, parse_float=decimal.Decimal)["traceEvents"]
    found = [(event["pid"], event["name"], int(event["ts"] * 1000), series, float(value))
             for event in events if event["ph"] == "C" and event["pid"].endswith(" memory")
             for series, value in event["args"].items()]
    if not wanted or sorted(found) != sorted(wanted):
        sys.exit(f"FAIL: memory: {found}, wanted {wanted}")
    checked += len(found)


def main():
    directory, results = sys.argv[1:]
    for table, (pattern, columns) in PAIRS.items():
        compare(results, table, wanted_of_csv(directory, pattern, columns))
    compare(results, "ascend_communication", wanted_of_json(directory, None))
    compare(results, "ascend_links", wanted_of_json(directory, "links"))
    compare(results, "ascend_packets", wanted_of_json(directory, "packets"))
    memory(directory, results)
    print(f"{checked} cells")


main()
