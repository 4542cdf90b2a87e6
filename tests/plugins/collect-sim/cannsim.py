# SPDX-License-Identifier: Apache-2.0
"""Packs the logs of a dump directory into a file as Cannsim writes it.

cannsim.py DUMP NEW [HOW]: NEW/instr.bin. HOW is `parts` (what is decoded and its operands, without
the tick before and the blanks between them), `whole` (the whole line) or `halves` (the first 200
bytes of the line, and the rest). Records of all logs are in the order of their ticks, those of a
log in its order.
"""
import pathlib
import re
import struct
import sys

NAME = re.compile(r"^core(\d+)\.([a-z]+core\d+)\.(instr_popped_log|instr_log)\.dump$")
LINE = re.compile(r"^\[info\] \[(\d+)\] (\(PC: 0x([0-9a-f]+)\) .*?\(Binary: [^)]*\) (?:\(ID: \d+\) "
                  r")?\S+)(\s*)(.*)$")
SUB_CORES = {"cubecore0": 0, "veccore0": 1, "veccore1": 2}


def record(line, core, sub, how):
    found = LINE.match(line)
    if not found:
        return None
    tick, decoded, pc, gap, operands = found.groups()
    if how == "halves":
        texts = (line[:200], line[200:])
    elif how == "whole":
        texts = (line[: len(line) - len(operands)], operands)
    else:
        texts = (decoded if gap == "  " else decoded + gap, operands)
    return int(tick), struct.pack("<QIIQ200s200s", int(tick), core, sub, int(pc, 16),
                                  *(text.encode() for text in texts))


def main():
    dump, new, how = sys.argv[1], sys.argv[2], (sys.argv[3:] or ["parts"])[0]
    logs = []
    for path in sorted(pathlib.Path(dump).iterdir()):
        found = NAME.match(path.name)
        if found:
            core = int(found[1]) + (32 if found[3] == "instr_popped_log" else 0)
            records = [record(line, core, SUB_CORES[found[2]], how)
                       for line in path.read_text().splitlines()]
            logs.append([one for one in records if one])
    pathlib.Path(new).mkdir(exist_ok=True)
    with open(pathlib.Path(new) / "instr.bin", "wb") as file:
        while any(logs):
            log = min((log for log in logs if log), key=lambda one: one[0][0])
            file.write(log.pop(0)[1])


main()
