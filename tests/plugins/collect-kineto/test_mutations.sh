#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A trace with one event dropped, doubled or moved: it has the same numbers, or is incomplete, or the change is of a kind that cannot be known.
tools=$(cd "$(dirname "$0")/../../tools" && pwd)
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

python3 "$tools/mutate_trace.py" mutated || exit 99
cat >run.py <<'PY'
import glob, json, os, shutil, subprocess, sys

def run(file):
    shutil.rmtree("out", ignore_errors=True)
    done = subprocess.run([os.environ["OPPROF_RUN"], "-q", "--pipeline", "kineto", "--set", "input=mutated/" + file, "--set", "html.enabled=false",
                           "--output", "out", "--flat"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode, {name: open(name, encoding="utf-8").read() for name in sorted(glob.glob("out/*.csv"))}

code, wanted = run("base.json")
assert code == 0, "the base is not complete: %d" % code
wrong, unknowable, count = [], {}, 0
for file, what, category, name, is_unknowable in json.load(open("mutated/mutations.json")):
    count += 1
    code, tables = run(file)
    if code == 0 and tables != wanted:
        if is_unknowable:
            unknowable[what, category] = unknowable.get((what, category), 0) + 1
        else:
            wrong.append((file, what, category, name, [t for t in tables if tables[t] != wanted.get(t)]))
    elif code not in (0, 4):
        wrong.append((file, what, category, name, code))
print(count, "mutations;", "of kinds that cannot be known:", unknowable)
for line in wrong:
    print("complete with other numbers:", *line)
sys.exit(bool(wrong))
PY
sed -i 's/, "--set", "html.enabled=false"//' run.py
run python3 run.py
expect 0
cat .stdout
finish
