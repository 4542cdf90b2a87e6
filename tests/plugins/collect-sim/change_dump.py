#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""change_dump.py FROM TO CHANGE...: a copy of a dump whose popped and instr logs have changed.

    FILES:stop:TICK         records after the tick are missing, as if the simulation had been
                            stopped then
    FILES:cut:N             the last N lines are missing
    FILES:drop:AT:N         so are N lines from line AT on, counted from 0
    FILES:late:TICKS        all ticks are later by so many

FILES is a pattern of their names."""
import fnmatch
import os
import re
import shutil
import sys

TICK = re.compile(r"\[(\d+)\]")


def changed(lines, what, numbers):
    if what == "stop":
        return [line for line in lines if int(TICK.search(line)[1]) <= numbers[0]]
    if what == "cut":
        return lines[: len(lines) - numbers[0]]
    if what == "drop":
        return lines[: numbers[0]] + lines[numbers[0] + numbers[1] :]
    if what == "late":
        return [TICK.sub(lambda tick: "[%08d]" % (int(tick[1]) + numbers[0]), line, count=1)
                for line in lines]
    sys.exit("unknown change " + what)


def main():
    source, target = sys.argv[1:3]
    shutil.copytree(source, target)
    for change in sys.argv[3:]:
        pattern, what, *numbers = change.split(":")
        for name in fnmatch.filter(sorted(os.listdir(target)), pattern):
            path = os.path.join(target, name)
            with open(path, encoding="ascii") as file:
                lines = file.readlines()
            with open(path, "w", encoding="ascii") as file:
                file.writelines(changed(lines, what, [int(number) for number in numbers]))


if __name__ == "__main__":
    main()
