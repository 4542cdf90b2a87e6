# SPDX-License-Identifier: Apache-2.0
"""Rewrites a dump directory into the names and lines of a simulator that does not exist, which
own.json describes.

own_logs.py DUMP NEW CHIP SERIES: also writes CHIP, a chip file that extends SERIES.
"""
import json
import pathlib
import re
import shutil
import sys

LINE = re.compile(r"^(?:\[info\] )?\[(\d+)\]\s?\(PC: 0x([0-9a-f]+)\)\s?(\w+?)\s*: \(Binary: "
                  r"[^)]*\) (?:\(ID: (\d+)\)\s)?([\w-]*)(?:\s\s(.*))?$")
NAME = re.compile(r"^core(\d+)\.([a-z]+core\d+)\.(instr_popped_log|instr_log)((?:\.\d+)?)\.dump$")
NEW_NAMES = {"instr_popped_log": "issued", "instr_log": "done"}


def rewrite(line):
    found = LINE.match(line)
    if not found:
        return "# " + line
    tick, pc, pipe, ident, name, operands = found.groups()
    if operands is None:
        return "%s @%s %s/%s%s" % (tick, pc.upper(), pipe, name, "#" + ident if ident else "")
    return "t=%s pc=0x%s\tunit=%s %sop=%s { %s }  " % (tick, pc, pipe, "id=%s " % ident if ident
                                                       else "", name, operands)


def main():
    dump, new, chip, series = sys.argv[1:]
    target = pathlib.Path(new)
    target.mkdir()
    rewritten = 0
    for path in pathlib.Path(dump).iterdir():
        found = NAME.match(path.name)
        if not found:
            shutil.copy(path, target / path.name)
            continue
        core, sub, kind, number = found.groups()
        lines = path.read_text().split("\n")
        rewritten += sum(LINE.match(line) is not None for line in lines)
        out = target / ("%s of %s-%s%s.log" % (NEW_NAMES[kind], sub, core.zfill(3), number))
        out.write_text("\n".join(rewrite(line) if line else line for line in lines))
    assert rewritten > 10, "lines that were rewritten: %d" % rewritten
    names = {"popped": "issued of <sub>-<core>.log", "instr": "done of <sub>-<core>.log"}
    icache = next(target.glob("core*.ifu.icache_log.dump"), None)
    if icache:
        found = re.match(r"core(\d+)\.(\w+)\.", icache.name)
        icache.rename(target / ("cache of %s-%s.log" % (found[2], found[1])))
        names["icache"] = "cache of <sub>-<core>.log"
    names["line"] = ["t=<tick> pc=<pc> unit=<pipe> id=<id> op=<name> { <operands> }",
                     "<tick> @<pc> <pipe>/<name>#<id>", "t=<tick> pc=<pc> unit=<pipe> op=<name> { "
                                                        "<operands> }",
                     "<tick> @<pc> <pipe>/<name>"]
    facts = {"opprof_chip": "1.0", "series": "Own" + series, "extends": series,
             "socs": {"Own%s1" % series: {}}, "simulator": {"logs": names}}
    pathlib.Path(chip).write_text(json.dumps(facts))


main()
