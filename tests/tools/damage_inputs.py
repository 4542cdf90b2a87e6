#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damages each input file of a pipeline in several ways, and demands that the run says so.

A run on damaged input ends with exit code 4 (or 1, or 2) and names the file, on standard error or
in run.json.

    damage_inputs.py [--set NAME=VALUE]... [--name TEXT]... PIPELINE INPUT <TABLE

INPUT is a directory or a file; it is copied for each case. The unharmed input must pass with exit
code 0, or the codes of a line `unharmed CODE`. Each line of TABLE is a file (a pattern such as
core*.instr_log.dump, below INPUT; `.` where INPUT is the file itself) and the damages to try on
each file that fits:

    cut:PERCENT     only so much of it is left, up to the middle of a line
    lines:PERCENT   the same, up to the end of a line
    tail:PERCENT    only its end is left, from the beginning of a line on
    middle:PERCENT  so much of its middle is gone, in whole lines
    thin:PERCENT    so many of its lines are gone, here and there
    flip:PERCENT    the byte there is another one
    empty, remove, double, text
    zero            as long as it was, of NUL bytes

A damage with `=0` after it cannot be seen, and passes; a comment should say why. `#` begins a
comment. --name is a text that may stand for a file's name in messages, where a pipeline names, say,
the launch that the file is of.
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile


def place(data, percent):
    """A byte offset that lies within a line, as far as there are lines."""
    at = max(1, len(data) * int(percent) // 100)
    while at < len(data) and data[at - 1 : at] == b"\n":
        at += 1
    return at


def line_end(data, percent):
    at = data.find(b"\n", len(data) * int(percent) // 100)
    return len(data) if at < 0 else at + 1


def damaged(data, how):
    """What is left of a file's bytes; None: the file itself is gone."""
    kind, _, percent = how.partition(":")
    if kind == "cut":
        return data[: place(data, percent)]
    if kind == "lines":
        return data[: line_end(data, percent)]
    if kind == "tail":
        return data[line_end(data, percent) :]
    if kind == "middle":
        return data[: line_end(data, 50 - int(percent) // 2)] + data[line_end(data, 50 +
                                                                              int(percent) // 2) :]
    if kind == "thin":
        kept = (line for number, line in enumerate(data.splitlines(keepends=True)) if number * 19 %
                101 >= int(percent))
        return b"".join(kept)
    if kind == "flip":
        at = min(len(data) * int(percent) // 100, len(data) - 1)
        return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
    if kind == "zero":
        return bytes(len(data))
    return {"empty": b"", "remove": None, "double": data + data,
            "text": b"This is something else.\n"}[kind]


def copy(source, target):
    if os.path.isdir(source):
        shutil.copytree(source, target)
    else:
        shutil.copyfile(source, target)


def run(pipeline, given, settings, scratch):
    """Exit code, and all that was said."""
    out = os.path.join(scratch, "out")
    shutil.rmtree(out, ignore_errors=True)
    command = [os.environ["OPPROF_RUN"], "--pipeline", pipeline, "--set", "input=" + given,
               "--output", out, "--flat"]
    for setting in settings:
        command += ["--set", setting]
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              check=False, timeout=300)
    except subprocess.TimeoutExpired:
        return "that it does not end", ""
    said = done.stderr.decode(errors="replace")
    record = os.path.join(out, "run.json")
    if os.path.exists(record):
        with open(record, encoding="utf-8") as file:
            outcome = json.load(file)
        # What was asked for names files as well, so only the reasons count.
        said += "\n".join(outcome.get("reasons", []))
        for stage in outcome.get("stages", []):
            said += "\n".join(stage.get("incomplete", []))
    return done.returncode, said


def read_table(lines):
    """Patterns with their damages; codes of the unharmed input."""
    table, codes = [], {0}
    for line in lines:
        words = line.split("#")[0].split()
        if words and words[0] == "unharmed":
            codes = {int(word) for word in words[1:]}
        elif words:
            table.append((words[0], words[1:]))
    return table, codes


def files_of(given, pattern):
    if pattern == ".":
        return ["."]
    return sorted(os.path.relpath(path, given) for path in glob.glob(os.path.join(given, pattern)))


def complaint(code, said, names, passes):
    """Why a case fails; None: it does not."""
    if code not in (0, 1, 2, 4):
        return f"exit code {code}"
    if passes:
        return None if code == 0 else f"exit code {code}, though the damage cannot be seen"
    if code == 0:
        return "exit code 0"
    return None if any(name in said
                       for name in names) else f"exit code {code}, but the file is not named"


def case(options, scratch, name, how, passes):
    given = os.path.join(scratch, os.path.basename(os.path.normpath(options.input)))
    copy(options.input, given)
    path = given if name == "." else os.path.join(given, name)
    with open(path, "rb") as file:
        data = damaged(file.read(), how)
    if data is None:
        os.remove(path)
    else:
        with open(path, "wb") as file:
            file.write(data)
    code, said = run(options.pipeline, given, options.set, scratch)
    wrong = complaint(code, said, [os.path.basename(path), *options.name], passes)
    shutil.rmtree(given) if os.path.isdir(given) else os.path.exists(given) and os.remove(given)
    if wrong is not None:
        print(f"FAIL: {options.pipeline}: {name}, {how}: {wrong}\n{said}", file=sys.stderr)
    return wrong is None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--name", action="append", default=[])
    parser.add_argument("pipeline")
    parser.add_argument("input")
    options = parser.parse_args()
    table, codes = read_table(sys.stdin)
    tried = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        code, said = run(options.pipeline, options.input, options.set, scratch)
        if code not in codes:
            sys.exit(f"FAIL: {options.pipeline}: unharmed input, exit code {code}\n{said}")
        for pattern, hows in table:
            names = files_of(options.input, pattern)
            if not names:
                sys.exit(f"FAIL: no file fits '{pattern}'")
            for name in names:
                for how in hows:
                    how, _, code = how.partition("=")
                    tried += 1
                    failed += not case(options, scratch, name, how, code == "0")
    print(f"{options.pipeline}: {tried} damages, {failed} not reported")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
