#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The chip of docs/chips/metrics.md has the tables and the explanation that the document shows, and
# the document describes all that the chip files use.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

need python3
use_opprof_run
document=$root/docs/chips/metrics.md
mkdir -p -- "$scratch/blocks" "$scratch/work/chips"
cd -- "$scratch/work"

# block LANGUAGE N: the N-th fenced block of a language
block() {
    rm -f -- "$scratch"/blocks/*
    fenced "$1" "$document" "$scratch/blocks"
    sed -n "$2p" < <(ls -- "$scratch/blocks") | { read -r file && cat -- "$scratch/blocks/$file"; }
}

block json 1 >chips/Pebble.json
grep -q '"Pebble"' chips/Pebble.json || fail "docs/chips/metrics.md does not show the chip Pebble"
block python 1 >make.py
python3 make.py || fail "the records of docs/chips/metrics.md cannot be made"
block sh 1 >run.sh
block sh 2 >explain.sh
bash -euo pipefail run.sh >"$scratch/out" 2>"$scratch/err" || {
    cat -- "$scratch/err" >&2; fail "the run fails"
}
block csv 1 | diff - results/Use.csv >&2 || fail "Use.csv is not as docs/chips/metrics.md shows it"
block csv 2 | diff - results/Ring.csv >&2 ||
    fail "Ring.csv is not as docs/chips/metrics.md shows it"
bash -euo pipefail explain.sh >"$scratch/out" 2>&1 || {
    cat -- "$scratch/out" >&2; fail "--explain fails"
}
while IFS= read -r line; do
    grep -qF -- "$line" "$document" || continue
    shown=1
done < <(grep -F -A 1 'peak(RING)' "$scratch/out" | tail -n 2)
[ "${shown:-0}" = 1 ] || {
    cat -- "$scratch/out" >&2; fail "the explanation is not as docs/chips/metrics.md shows it"
}

# A mistake is reported as the document shows it.
sed 's/gib_s(ring_bytes, total/gib_s(ringbytes, total/' chips/Pebble.json >chips/Wrong.json
rm chips/Pebble.json
OPPROF_CHIP_PATH=chips:$OPPROF_CHIP_PATH opprof-run --explain 'ring(GB/s)' --set chip=Pebble1 \
    >"$scratch/out" 2>&1 &&
    fail "a wrong formula can be explained"
for text in "Formula 'ring(GB/s)', column 7: 'ringbytes' is unknown" \
    "hint: Did you mean 'ring_bytes'?"; do
    grep -qF -- "$text" "$root/docs/chips/formulas.md" ||
        fail "docs/chips/formulas.md does not show: $text"
    grep -qF -- "$text" "$scratch/out" || {
        cat -- "$scratch/out" >&2; fail "not reported as docs/chips/formulas.md shows it: $text"
    }
done

# Members, facts, functions and indexed names that the chip files use.
python3 - "$root" <<'PYTHON' >"$scratch/words"
import glob, json, re, sys

words = set()
named = {"kinds", "events", "rounds", "groups", "moves", "tables", "rows", "shapes", "symbols",
         "compute_load", "compute", "choices", "known"}

def is_row(key, value):
    """Defaults of a shape are members of rows, which the chip names as well."""
    return key == "defaults" and "columns" in value

def walk(value, is_named=False):
    """Keys of objects are members, but where they are names that the chip chose."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not key.startswith(("_", "x-")):
                words.update([] if is_named else [key])
                if not (isinstance(inner, dict) and key == "rows") and not is_row(key, value):
                    walk(inner, key in named and not is_named)
    elif isinstance(value, list):
        for inner in value:
            walk(inner)

for path in glob.glob(sys.argv[1] + "/chips/*.json"):
    with open(path) as file:
        chip = json.load(file)
    for section in ("pmu", "metrics"):
        walk(chip.get(section, {}))
kinds = {"cube", "vector", "core"}
print("\n".join(sorted(word for word in words - kinds if re.fullmatch("[a-z_0-9]+", word))))
PYTHON
[ "$(wc -l <"$scratch/words")" -ge 60 ] || fail "found too few members in the chip files"
while IFS= read -r word; do
    grep -qE "\`([^\`]*[^a-z_\`])?$word([^a-z_\`][^\`]*)?\`" "$document" ||
        fail "docs/chips/metrics.md does not mention '$word'"
done <"$scratch/words"
