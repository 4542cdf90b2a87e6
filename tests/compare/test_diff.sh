#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --diff: the cause first, equal results, thresholds with their exit code, repetitions, and what is
# not a result.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"
for variant in single double; do
    "$OPPROF_RUN" -q --pipeline sim-dump --set "input=$root/tests/data/diff/$variant" \
        --set chip=Ascend910B1 \
        --set formats=spans --output "$scratch/$variant" --flat >"$scratch/out" \
        2>"$scratch/err" || {
            cat -- "$scratch/err" >&2; fail "$variant"
        }
done
for variant in '' -slow; do
    describe=$root/examples/onboard/matmul.txt
    if [ -n "$variant" ]; then
        sed 's/^cube.busy.mte2 =.*/cube.busy.mte2 = 95/; s/^duration_us =.*/duration_us = 300/' \
            "$describe" >"$scratch/slow.txt"
        describe=$scratch/slow.txt
    fi
    "${TEST_TOOLS:?}/gen_onboard" --describe "$describe" --name matmul_bias --blocks 4 \
        "$scratch/raw$variant" >"$scratch/out"
    "$OPPROF_RUN" -q --pipeline onboard-dump --set "input=$scratch/raw$variant" \
        --output "$scratch/board$variant" --flat >"$scratch/out"
done
python3 "$root/tests/compare/differences.py" "$scratch" || fail "differences"

# A database that is not whole is not compared.
# damaged COMMAND...: changes $scratch/odd/results.sqlite
damaged() {
    rm -rf -- "$scratch/odd"
    cp -r -- "$scratch/single" "$scratch/odd"
    "$@" || fail "$*"
    for sides in "$scratch/single $scratch/odd" "$scratch/odd $scratch/single"; do
        status=0
        # shellcheck disable=SC2086
        "$OPPROF_RUN" --diff $sides >"$scratch/out" 2>"$scratch/err" || status=$?
        { [ $status -eq 2 ] && grep -q odd "$scratch/err"; } || {
            cat -- "$scratch/err" >&2; fail "$*: exit code $status"
        }
    done
}
database=$scratch/odd/results.sqlite
size=$(stat -c %s -- "$scratch/single/results.sqlite")
for part in 10 45 90 99; do damaged truncate -s $((size * part / 100)) -- "$database"; done
damaged truncate -s 0 -- "$database"
damaged rm -- "$database"
damaged cp -- "$root/README.md" "$database"
damaged dd if="$scratch/single/results.sqlite" of="$database" bs="$size" seek=1 status=none
# Nothing that cannot be read is taken for something that is not there.
alter() { python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    for statement in sys.argv[2:]: database.execute(statement)' "$database" "$@"; }
# page TABLE BYTES_AT BYTES: overwrites the first page of a table.
page() { python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    root, = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?",
                             (sys.argv[2],)).fetchone()
    size, = database.execute("PRAGMA page_size").fetchone()
with open(sys.argv[1], "r+b") as file:
    file.seek((root - 1) * size + int(sys.argv[3]))
    file.write(bytes.fromhex(sys.argv[4]) or bytes(size))' "$database" "$@"; }
damaged alter 'DROP TABLE sim_core_summary'
damaged alter 'ALTER TABLE sim_core_summary RENAME COLUMN duration_us TO another'
damaged alter 'ALTER TABLE sim_core_summary RENAME COLUMN core TO another'
damaged alter 'DELETE FROM opprof_columns'
damaged alter 'UPDATE opprof_columns SET name = NULL'
damaged alter 'UPDATE opprof_tables SET name = NULL'
damaged alter "UPDATE opprof_run SET value = '2' WHERE name = 'format'"
damaged alter 'DROP TABLE sim_core_summary' \
    'CREATE VIEW sim_core_summary AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL
    SELECT n + 1 FROM r) SELECT 0 AS core, n AS duration_us, n AS running_us FROM r' # it has no end
for table in opprof_run opprof_tables opprof_columns sim_core_summary sim_instr_exe; do
    damaged page $table 0 ''
done
damaged page sim_core_summary 3 0000 # no rows
# Numbers without limits are numbers, and what one side does not have is not 0.
rm -rf -- "$scratch/odd"
cp -r -- "$scratch/single" "$scratch/odd"
alter 'UPDATE sim_core_summary SET duration_us = 9e999'
"$OPPROF_RUN" --diff "$scratch/single" "$scratch/odd" >"$scratch/out" || fail "an infinite number"
grep -q slower "$scratch/out" || fail "an infinite number is no difference"
alter 'UPDATE sim_core_summary SET duration_us = 1' \
    "DELETE FROM opprof_columns WHERE name = 'running_us' AND table_name LIKE '%summary'"
"$OPPROF_RUN" --diff "$scratch/single" "$scratch/odd" --json >"$scratch/out" ||
    fail "another release"
python3 - "$scratch/out" <<'PYTHON' || fail "what is absent has a value"
import json, sys
table = next(table for table in json.load(open(sys.argv[1], encoding="utf-8"))["tables"]
             if table["table"] == "sim_core_summary")
changes = [change for change in table["changes"] if change["column"] == "running_us"]
sys.exit(not all(change["kind"] == "gone" and change["after"] is None for change in changes))
PYTHON
# A run without results is not just left out of the repetitions.
mkdir -- "$scratch/some"
cp -r -- "$scratch/single" "$scratch/some/1"
mkdir -- "$scratch/some/2" "$scratch/some/notes"
"$OPPROF_RUN" --diff "$scratch/single" "$scratch/some" >"$scratch/out" ||
    fail "folders beside the runs"
cp -- "$scratch/single/run.json" "$scratch/some/2/"
status=0
"$OPPROF_RUN" --diff "$scratch/some" "$scratch/single" >"$scratch/out" 2>"$scratch/err" || status=$?
{ [ $status -eq 2 ] && grep -q "some/2' has left no results.sqlite" "$scratch/err"; } ||
    fail "a run without results: $status"
rm -r -- "$scratch/some/2"
for run in $(seq 2 101); do
    mkdir -- "$scratch/some/$run"
    ln -- "$scratch/some/1/results.sqlite" "$scratch/some/$run/"
done
status=0
"$OPPROF_RUN" --diff "$scratch/some" "$scratch/single" >"$scratch/out" 2>"$scratch/err" || status=$?
{ [ $status -eq 2 ] && grep -q "more than 100 runs" "$scratch/err"; } ||
    fail "more runs than are compared: $status"
