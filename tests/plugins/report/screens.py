# SPDX-License-Identifier: Apache-2.0
"""Runs pipelines on terminals of several widths and in a pipe: screens.py DATA SCRATCH
PIPELINE..."""
import difflib
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios

import screen_rules

data, scratch = sys.argv[1:3]
failures = 0
# What comes after the pipeline's name, and words that its report must have.
CASES = {
    "sim-dump": ([f"{data}/sim/a2_synthetic", "--set", "chip=Ascend910B1", "--set",
                  f"kernel={os.environ.get('TEST_KERNELS')}/mapped.o"],
                 ["core2.veccore1", "Rows of the", "MTE2", "Hot instr", "add_custom.cpp:20",
                  "% of the run"]),
    "onboard-dump": ([f"{scratch}/raw"], ["Speed of light", "aic_cube_ratio", "GM_to_L1",
                                          "PipeUtilization", "Advice", "up to "]),
    "kineto": ([f"{data}/kineto/sampled_rank-0.json.gz"],
               ["Iterations", "exposed communication", "idle host wait", "1.22 s. Up to",
                "Critical path", "Kernels"]),
    "mc2-dump": ([f"{scratch}/mc2"], ["Ranks, the slowest", "Rows of the", "Alignment of"]),
    "biu-dump": ([f"{scratch}/biu"], ["Rows of the", "MTE1"]),
    "dbi-dump": ([f"{scratch}/dbi"], ["L2 cache model", "hit rate", "Traffic between",
                                      "0 vector0"]),
    "mindspore-dump": ([f"{data}/mindspore/parsed"],
                       ["Operators by type", "Parts of a step", "iteration_interval",
                        "Advice", "The CPU of the host is busy for 90 %", "130 ms per step."]),
    "sim-live": (["--", os.environ.get("OPPROF_REFCHIP_COMMAND", ""), "matmul"],
                 ["Time of each core", "Rows of the", "Hot instr", "Hot source lines",
                  "Waits for flags"]),
    "onboard-live": (["--", os.environ.get("OPPROF_REFCHIP_COMMAND", ""), "matmul"],
                     ["OpBasicInfo", "Speed of light", "PipeUtil"]),
}


def check(claim, what):
    global failures
    if not claim:
        failures += 1
        print("FAIL:", what)


def command(pipeline, more=()):
    shutil.rmtree(f"{scratch}/{pipeline}", ignore_errors=True)
    return [os.environ["OPPROF_RUN"], *more, "--set", f"title={pipeline}", "--output",
            f"{scratch}/{pipeline}", "--flat", pipeline, *CASES[pipeline][0]]


def on_terminal(arguments, columns, **environment):
    """What the command writes to a terminal as its standard error."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=theirs,
                             stdin=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm",
                                                            "LC_ALL": "C.UTF-8", **environment})
    os.close(theirs)
    text = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        text += piece
    os.close(ours)
    check(child.wait() == 0, f"{arguments}: exit code {child.returncode}")
    return text.decode("utf-8").replace("\r\n", "\n")


def lines_of_report(text, first_words):
    """The lines from the report's first on, without progress, colours, log lines, and what a slow
    machine adds."""
    text = re.sub(r"[^\n]*\r\x1b\[K", "", text)  # what was cleared again
    text = re.sub(r"\x1b\[[0-9;]*[mK]|\r", "", text)
    return [line for line in text.split("\n") if line
            and not line.startswith(("opprof-run:", "Stage '", "Page: "))]


def without_process(lines):
    """The lines without the number of a process, which is another one in each run and may be
    shorter."""
    at = next((number for number, line in enumerate(lines) if re.search(r"\bPid\b", line)), None)
    if at is None:
        return lines
    upright = re.match(r"( *Pid +)\d+$", lines[at])
    if upright:
        return [*lines[:at], upright[1] + "PID", *lines[at + 1:]]
    cells = [re.split(r" {2,}", line) for line in lines[at:at + 2]]
    cells[1][cells[0].index("Pid")] = "PID"
    return [*lines[:at], *("  ".join(row) for row in cells), *lines[at + 2:]]


def compare_with_read(pipeline, columns, lines):
    """The screen is the one that somebody has read. OPPROF_UPDATE_SCREENS=1 writes it anew: read
    the difference before it is committed."""
    path = f"{data}/screens/{pipeline}-{columns}.txt"
    text = "\n".join(line.rstrip() for line in without_process(lines)) + "\n"
    if os.environ.get("OPPROF_UPDATE_SCREENS"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    with open(path, encoding="utf-8") as file:
        wanted = file.read()
    difference = "\n".join(difflib.unified_diff(wanted.splitlines(), text.splitlines(), path,
                                                "this run", lineterm=""))
    check(text == wanted, f"{pipeline}, {columns}: another screen than tests/data/screens has:\n"
                          f"{difference}")


CHIPS = {"kineto": None, "biu-dump": "Ascend950PR_9599"}
for pipeline in sys.argv[3:]:
    words = CASES[pipeline][1]
    for columns in (40, 80, 132, 200):
        text = on_terminal(command(pipeline), columns)
        check("\x1b[1m" in text and "█" in text, f"{pipeline}, {columns}: colours and blocks")
        lines = lines_of_report(text, words)
        check(all(len(line) <= columns for line in lines), f"{pipeline}, {columns}: "
                                                           f"{max(lines, key=len)!r} is too long")
        check(len(lines) <= (68 if columns < 80 else 55), f"{pipeline}, {columns}: {len(lines)} lines are more than a screen")
        for problem in screen_rules.problems(lines, columns, CHIPS.get(pipeline, "Ascend910B1")):
            check(False, f"{pipeline}, {columns}: {problem}")
        compare_with_read(pipeline, columns, lines)
        flat = " ".join(" ".join(lines).split())
        check(all(word in flat for word in words), f"{pipeline}, {columns}: "
                                                   f"{[word for word in words if word not in flat]} are missing in {lines}")
        check("Alignment of" not in flat
              or flat.index("Ranks, the slowest") < flat.index("Alignment of"),
              f"{pipeline}: the answer first")
        check("thr " not in text and "records out" not in text, f"{pipeline}, {columns}: it is "
                                                                "about the operator")
    plain = subprocess.run(command(pipeline), capture_output=True, check=True)
    text = plain.stderr.decode("utf-8")
    check("\x1b" not in text and "█" not in text, f"{pipeline}: a pipe gets plain text")
    check(all(len(line) <= 80 for line in lines_of_report(text, words)), f"{pipeline}: 80 columns "
          "in a pipe")
    check("wait out" not in text, f"{pipeline}: statistics of stages are not asked for")
    check(text.endswith(f"Page: {os.path.realpath(f'{scratch}/{pipeline}')}/report.html\n"),
          f"{pipeline}: the page at the end")
    check(plain.stdout.decode().strip().split("\n")[-1] == os.path.realpath(
              f"{scratch}/{pipeline}"), f"{pipeline}: path last")
    with open(f"{scratch}/{pipeline}/report.txt", encoding="utf-8") as file:
        kept = file.read()
    check(kept in text, f"{pipeline}: report.txt is what was shown")
if "sim-live" in sys.argv[3:]:
    chip = CASES["sim-live"][0][1]
    text = on_terminal([os.environ["OPPROF_RUN"], "--output", f"{scratch}/said", "--flat",
                        "sim-live", "--", "sh", "-c", "for word in one two three; do echo said "
                        "$word >&2; sleep 0.3; done; exec \"$0\" matmul", chip], 80)
    check(text.startswith("said one\nsaid two\nsaid three\n"), "what a program writes stands "
          f"alone in its lines: {text[:80]!r}")
if "sim-dump" not in sys.argv[3:]:
    sys.exit(failures > 0)
for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
    text = on_terminal(command("sim-dump"), 80, **environment)
    check(not re.search(r"\x1b\[[0-9;]*m", text), f"colours with {environment}")
text = subprocess.run(command("sim-dump", ["-v"]), capture_output=True, check=True).stderr.decode()
check("wait out" in text, "-v shows the stages")
text = subprocess.run(command("sim-dump", ["-q"]), capture_output=True, check=True).stderr.decode()
check(text == "", "-q shows nothing")
sys.exit(failures > 0)
