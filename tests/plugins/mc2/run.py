# SPDX-License-Identifier: Apache-2.0
"""Runs a pipeline on made-up raw files and reads what came out."""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
failures = 0


def check(holds, *what):
    """Counts a failure unless something holds."""
    global failures
    if not holds:
        failures += 1
        print("FAIL:", *what)


def equal(got, wanted, what):
    check(got == wanted, f"{what}: got {got!r}, wanted {wanted!r}")


class Result:
    def __init__(self, code, output, messages):
        self.code, self.output, self.messages = code, output, messages

    def path(self, name):
        return os.path.join(self.output, name)

    def events(self, document="trace"):
        """The slices of a document, and apart from them the metadata."""
        path = self.path(document + ".json")
        if not os.path.exists(path):
            return [], []
        with open(path, encoding="utf-8") as file:
            every = json.load(file)["traceEvents"]
        return [e for e in every if e["ph"] == "X"], [e for e in every if e["ph"] == "M"]

    def report(self):
        with open(self.path("run.json"), encoding="utf-8") as file:
            return json.load(file)


def run(pipeline, directory, *settings):
    output = tempfile.mkdtemp(dir=os.environ["MC2_SCRATCH"])
    command = [os.environ["OPPROF_RUN"], "--pipeline", pipeline, "--set", f"input={directory}",
               "--flat", "--output", output]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return Result(done.returncode, output, done.stderr)


def scratch():
    return tempfile.mkdtemp(dir=os.environ["MC2_SCRATCH"])


def finish():
    print(f"{failures} failed")
    sys.exit(failures > 0)
