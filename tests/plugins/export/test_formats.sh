#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The ready pipelines write the large files on request only; exporters can be left out; run.json
# says which stages were.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

# run NAME CODE OPTION...: sim-dump into $scratch/NAME
run() {
    local status=0
    "$OPPROF_RUN" -q --pipeline sim-dump --set "input=$root/tests/data/sim/a2_synthetic" \
        --set chip=Ascend910B1 "${@:3}" --output "$scratch/$1" --flat >"$scratch/out" \
        2>"$scratch/err" || status=$?
    [ "$status" = "$2" ] || { cat -- "$scratch/err" >&2; fail "$1: exit code $status"; }
}

# holds NAME FILES SPANS KEYS LEFT_OUT: which of some files a run wrote, whether the database has
# spans and indices of keys, and the stages that run.json calls left out, each with the setting that
# adds it
holds() {
    python3 - "$scratch/$1" "${@:2}" <<'PYTHON' || fail "$1 holds something else"
import json, os, sqlite3, sys
folder, files, spans, keys, left_out = sys.argv[1:]
made = [name for name in ("trace.json", "trace.pftrace", "report.html", "results.sqlite")
        if os.path.exists(f"{folder}/{name}")]
assert made == files.split(), made
with open(f"{folder}/run.json", encoding="utf-8") as file:
    record = json.load(file)
told = [f"{entry['stage']}:{entry['set']}" for entry in record["left_out"]]
assert told == left_out.split(), told
ran = {stage["id"] for stage in record["stages"]}
assert not ran & {entry["stage"] for entry in record["left_out"]}, ran
if "results.sqlite" in made:
    with sqlite3.connect(f"{folder}/results.sqlite") as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        assert ("opprof_spans" in names) == (spans == "spans"), names
        assert ("sim_core_summary_key" in names) == (keys == "keys"), names
        assert any(name == "timeline_lane" for name in names), names
        if spans == "spans":
            slices, = db.execute("SELECT count(*) FROM spans WHERE kind = 'slice'").fetchone()
            assert slices > 0
PYTHON
}

run plain 0
holds plain "trace.json report.html results.sqlite" - - "perfetto:formats=perfetto"
run native 0 --set formats=perfetto
holds native "trace.json trace.pftrace report.html results.sqlite" - - ""
run timelines 0 --set formats=spans
holds timelines "trace.json report.html results.sqlite" spans - "perfetto:formats=perfetto"
run both 0 --set formats=perfetto,spans
holds both "trace.json trace.pftrace report.html results.sqlite" spans - ""
run all 0 --set formats=all
holds all "trace.json trace.pftrace report.html results.sqlite" spans keys ""
run fewer 0 --without html,trace --without sqlite
holds fewer "" - - "trace:None perfetto:formats=perfetto html:None sqlite:None"

# Files that are written either way are the same.
for name in native timelines both all; do
    for file in trace.json core_summary.csv visualize_data.bin report.txt; do
        cmp -- "$scratch/plain/$file" "$scratch/$name/$file" || fail "$name: another $file"
    done
done
# So are the reports that are shown again, with what the database lacks on standard error.
for name in plain all; do
    "$OPPROF_RUN" --show "$scratch/$name" >"$scratch/shown" 2>"$scratch/err" ||
        fail "$name is not shown"
    cmp -- "$scratch/$name/report.txt" "$scratch/shown" || fail "$name: another report"
    [ "$name" = all ] || grep -q 'formats=spans' "$scratch/err" ||
        fail "nothing says how to get timelines"
    [ "$name" = plain ] || ! grep -q 'formats=spans' "$scratch/err" ||
        fail "timelines are said to be missing"
done

# Cells of viewers' pages are tables of the database with formats=all alone.
"${TEST_TOOLS:?}/gen_onboard" --describe "$root/examples/onboard/matmul.txt" --name matmul_bias \
    --blocks 4 "$scratch/raw"
for formats in spans all; do
    "$OPPROF_RUN" -q --pipeline onboard-dump --set "input=$scratch/raw" --set "formats=$formats" \
        --output "$scratch/board-$formats" --flat >"$scratch/out" 2>"$scratch/err" ||
        fail "onboard-dump: $(cat "$scratch/err")"
done
python3 - "$scratch" <<'PYTHON' || fail "views"
import sqlite3, sys
for formats, wanted in ("spans", False), ("all", True):
    with sqlite3.connect(f"{sys.argv[1]}/board-{formats}/results.sqlite") as db:
        found = db.execute("SELECT count(*) FROM sqlite_master WHERE name LIKE 'view~_%' "
                           "ESCAPE '~'").fetchone()[0] > 0
        assert found == wanted, formats
PYTHON

run wrong 2 --set formats=perfeto
grep -q "setting formats: not one of the choices. Did you mean 'perfetto'? Choices: perfetto, spans, all." "$scratch/err" || fail "$(cat "$scratch/err")"
run wrong 2 --without htlm
grep -q "no stage 'htlm'. Did you mean 'html'?" "$scratch/err" || fail "$(cat "$scratch/err")"
run wrong 2 --set perfetto.file=x
grep -q "stage 'perfetto' is left out: set formats=perfetto to add it." "$scratch/err" ||
    fail "$(cat "$scratch/err")"
