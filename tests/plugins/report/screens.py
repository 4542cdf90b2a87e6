# SPDX-License-Identifier: Apache-2.0
"""Runs pipelines on terminals of several widths and in a pipe: screens.py DATA SCRATCH."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

data, scratch = sys.argv[1:3]
failures = 0
CASES = {
    "sim-dump": (["--set", f"input={data}/sim/a2_synthetic", "--set", "chip=Ascend910B1"], ["Lanes of the", "Hot instr"]),
    "onboard-dump": (["--set", f"input={scratch}/raw"], ["Speed of light", "PipeUtilization", "Advice"]),
    "kineto": (["--set", f"input={data}/kineto/sampled_rank-0.json.gz"], ["Iterations", "Kernels", "idle_host"]),
}


def check(claim, what):
    global failures
    if not claim:
        failures += 1
        print("FAIL:", what)


def command(pipeline, more=()):
    return [os.environ["OPPROF_RUN"], "--pipeline", pipeline, *CASES[pipeline][0], "--output", f"{scratch}/{pipeline}", "--flat", *more]


def on_terminal(arguments, columns, **environment):
    """What the command writes to a terminal as its standard error."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=theirs, stdin=subprocess.DEVNULL,
                             env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment})
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
    """The lines from the report's first on, without progress, colours and log lines."""
    text = re.sub(r"\r\x1b\[K[^\r\n]*(?=[\r\n])", "", text)
    text = re.sub(r"\x1b\[[0-9;]*[mK]|\r", "", text)
    return [line for line in text.split("\n") if line and not line.startswith("opprof-run:")]


available = [name for name in CASES if name != "kineto" or "collect-kineto" in subprocess.run(
    [os.environ["OPPROF_RUN"], "--list"], capture_output=True, text=True, check=True).stdout]
for pipeline in available:
    words = CASES[pipeline][1]
    for columns in (40, 80, 200):
        text = on_terminal(command(pipeline), columns)
        check("\x1b[1m" in text and "█" in text, f"{pipeline}, {columns}: colours and blocks")
        lines = lines_of_report(text, words)
        check(all(len(line) <= columns for line in lines), f"{pipeline}, {columns}: {max(lines, key=len)!r} is too long")
        check(len(lines) <= 55, f"{pipeline}, {columns}: {len(lines)} lines are more than a screen")
        check(all(any(word in line for line in lines) for word in words), f"{pipeline}, {columns}: {words} in {lines}")
    plain = subprocess.run(command(pipeline), capture_output=True, check=True)
    text = plain.stderr.decode("utf-8")
    check("\x1b" not in text and "█" not in text, f"{pipeline}: a pipe gets plain text")
    check(all(len(line) <= 80 for line in lines_of_report(text, words)), f"{pipeline}: 80 columns in a pipe")
    check("wait out" not in text, f"{pipeline}: statistics of stages are not asked for")
    check(plain.stdout.decode().strip().split("\n")[-1] == os.path.realpath(f"{scratch}/{pipeline}"), f"{pipeline}: path last")
    with open(f"{scratch}/{pipeline}/report.txt", encoding="utf-8") as file:
        kept = file.read()
    check(kept in text, f"{pipeline}: report.txt is what was shown")
for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
    text = on_terminal(command("sim-dump"), 80, **environment)
    check(not re.search(r"\x1b\[[0-9;]*m", text), f"colours with {environment}")
text = subprocess.run(command("sim-dump", ["-v"]), capture_output=True, check=True).stderr.decode()
check("wait out" in text, "-v shows the stages")
text = subprocess.run(command("sim-dump", ["-q"]), capture_output=True, check=True).stderr.decode()
check(text == "", "-q shows nothing")
sys.exit(failures > 0)
