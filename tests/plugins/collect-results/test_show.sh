#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --show prints the report of a finished run again, from its folder or its database, and leaves
# nothing behind.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
data=$root/tests/data

# show CODE ARGUMENT...: standard output in $scratch/shown
show() {
    local wanted=$1 status=0
    shift
    "$OPPROF_RUN" "$@" >"$scratch/shown" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$wanted" ] || { cat -- "$scratch/err" >&2; fail "$*: exit code $status"; }
}

# same NAME CODE PIPELINE INPUT [OPTION...]: the report of a run is the same when it is shown again
same() {
    local name=$1 code=$2 status=0
    "$OPPROF_RUN" -q --pipeline "$3" --set "input=$4" "${@:5}" --output "$scratch/$name" --flat \
        >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$code" ] || { cat -- "$scratch/err" >&2; fail "$name: exit code $status"; }
    show "$code" --show "$scratch/$name"
    diff -u "$scratch/$name/report.txt" "$scratch/shown" ||
        fail "$name: the report differs when it is shown again"
    cp -- "$scratch/$name/results.sqlite" "$scratch/$name.sqlite"
    show "$code" --show "$scratch/$name.sqlite"
    diff -u "$scratch/$name/report.txt" "$scratch/shown" ||
        fail "$name: the report of the database alone differs"
}

same simulated 0 sim-dump "$data/sim/a2_synthetic" --set chip=Ascend910B1 --set formats=all
same cut 4 sim-dump "$data/sim/sample_a2" --set chip=Ascend910B1
grep -q 'The results are incomplete' "$scratch/err" || fail "what is missing is not reported"
"${TEST_TOOLS:?}/gen_onboard" --describe "$root/examples/onboard/matmul.txt" --name matmul_bias \
    --blocks 4 "$scratch/raw"
same measured 0 onboard-dump "$scratch/raw"
"$OPPROF_RUN" --list >"$scratch/list"
! grep -q collect-kineto "$scratch/list" || same traced 0 kineto \
    "$data/kineto/sampled_rank-0.json.gz"

# Each of several reasons is one, and what is said comes after the whole report, however long that
# is.
same reasons 4 onboard-dump "$data/pmu/cases/a5_mix/input" --set metrics=default,occupancy,roofline
grep -q "are incomplete: Stage 'roofline'" "$scratch/err" || {
    cat -- "$scratch/err" >&2; fail "the second reason"
}
! grep -F -q '?' "$scratch/err" || { cat -- "$scratch/err" >&2; fail "reasons are not apart"; }
status=0
"$OPPROF_RUN" --show "$scratch/reasons" --set report.rows=1000 --set report.lines=0 \
    >"$scratch/both" 2>&1 || status=$?
[ "$status" -eq 4 ] || fail "a long report: exit code $status"
show 4 --show "$scratch/reasons" --set report.rows=1000 --set report.lines=0
head -c "$(wc -c <"$scratch/shown")" "$scratch/both" | cmp -s - "$scratch/shown" ||
    fail "the report is interrupted"

# Sections can be longer than those of the run.
show 0 --show "$scratch/simulated" --set report.rows=1000 --set report.lines=0
grep -q '^  and 1 more$' "$scratch/simulated/report.txt" || fail "the run's report has all rows"
! grep -q '^  and .* more$' "$scratch/shown" || fail "report.rows says nothing"

# Today's rules are asked about an old run, and what they said then is not repeated.
mkdir "$scratch/rules"
printf -- '-- title: Busy\n-- todo: Rest\nSELECT core AS subject, core || %s AS sentence, duration_us / 4 AS gain_us, duration_us AS whole_us FROM sim_core_summary' \
    "' could rest'" >"$scratch/rules/busy.sql"
OPPROF_RULES_PATH=$scratch/rules show 0 --show "$scratch/simulated"
grep -q 'up to 25.0 %: .* could rest' "$scratch/shown" && grep -q '^    Rest$' "$scratch/shown" ||
    fail "a rule says nothing about an old run"
OPPROF_RULES_PATH=$scratch/rules "$OPPROF_RUN" -q --pipeline sim-dump \
    --set "input=$data/sim/a2_synthetic" --set chip=Ascend910B1 --output "$scratch/ruled" --flat \
    >"$scratch/out"
grep -q 'could rest' "$scratch/ruled/advice.csv" || fail "a rule says nothing"
show 0 --show "$scratch/ruled"
! grep -q 'could rest' "$scratch/shown" || fail "a rule that is gone is repeated"

# Any exporter takes what was kept: tables come out as they went in.
"$OPPROF_RUN" -q --pipeline show --set "input=$scratch/simulated" --add csv=csv \
    --output "$scratch/again" --flat >"$scratch/out"
while IFS= read -r file; do
    # a table without rows is not in the database
    [ "$(wc -l <"$scratch/simulated/$file")" -gt 1 ] || continue
    cmp -s "$scratch/simulated/$file" "$scratch/again/$file" ||
        fail "$file differs when it is written again"
done < <(cd "$scratch/simulated" && find . -name '*.csv')

# A flipped byte of a row is a number like any other; one of the header is not.
mkdir "$scratch/alone"
cp -- "$scratch/simulated/results.sqlite" "$scratch/alone/"
python3 "$root/tests/tools/damage_inputs.py" show "$scratch/alone" <<'TABLE' || fail \
    "damage has not been reported"
results.sqlite  cut:1 cut:10 cut:45 cut:90 cut:99 empty remove double text flip:0
TABLE

# A page that cannot be read is no end of a table.
python3 - "$scratch/simulated/results.sqlite" "$scratch" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    roots = dict(db.execute("SELECT name, rootpage FROM sqlite_master WHERE name IN "
                            "('opprof_tables', 'opprof_columns', 'advice', 'opprof_spans')"))
    size = db.execute("PRAGMA page_size").fetchone()[0]
data = open(sys.argv[1], "rb").read()
for name, root in roots.items():
    at = (root - 1) * size
    with open("%s/page-%s.sqlite" % (sys.argv[2], name), "wb") as out:
        out.write(data[:at] + b"\x55" * size + data[at + size:])
PYTHON
for database in "$scratch"/page-*.sqlite; do
    show 1 --show "$database"
    grep -qF -- "$database" "$scratch/err" || fail "$database is not named"
done

# Neither is one that holds only some of its rows, a view that has no end, or a column that is not
# there.
python3 - "$scratch/simulated/results.sqlite" "$scratch" <<'PYTHON'
import shutil, sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    (root,), (size,) = (db.execute(query).fetchone() for query in (
        "SELECT rootpage FROM sqlite_master WHERE name = 'advice'", "PRAGMA page_size"))
data = open(sys.argv[1], "rb").read()
at = (root - 1) * size + 3  # how many rows the page has
with open(sys.argv[2] + "/lost-rows.sqlite", "wb") as out:
    out.write(data[:at] + bytes(2) + data[at + 2:])
endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT old.* FROM old, r"
for table in ("opprof_run", "opprof_tables", "opprof_columns", "sim_core_summary"):
    shutil.copy(sys.argv[1], f"{sys.argv[2]}/lost-{table}.sqlite")
    with sqlite3.connect(f"{sys.argv[2]}/lost-{table}.sqlite") as db:
        db.executescript(f"CREATE TABLE old AS SELECT * FROM {table}; DROP VIEW spans; DROP TABLE "
                         f"{table}; CREATE VIEW {table} AS {endless}")
shutil.copy(sys.argv[1], sys.argv[2] + "/lost-column.sqlite")
with sqlite3.connect(sys.argv[2] + "/lost-column.sqlite") as db:
    db.execute("ALTER TABLE sim_core_summary RENAME COLUMN duration_us TO another")
PYTHON
for database in "$scratch"/lost-*.sqlite; do
    show 1 --show "$database"
    grep -qF -- "$database" "$scratch/err" || fail "$database is not named"
done

# Nothing is left behind, and what is not a result is refused.
mkdir "$scratch/tmp" "$scratch/empty"
TMPDIR=$scratch/tmp show 0 --show "$scratch/simulated"
[ -z "$(ls -A "$scratch/tmp")" ] || fail "something is left in TMPDIR"
TMPDIR=$scratch/tmp show 1 --show "$scratch/empty"
grep -q "Cannot read '$scratch/empty/results.sqlite': No such file or directory" "$scratch/err" ||
    fail "empty: $(cat "$scratch/err")"
grep -q 'hint: Name a folder with a results.sqlite' "$scratch/err" || fail "empty: no hint"
[ -z "$(ls -A "$scratch/tmp")" ] || fail "something is left in TMPDIR after a failure"
head -c 20000 "$scratch/simulated/results.sqlite" >"$scratch/short.sqlite"
show 1 --show "$scratch/short.sqlite"
echo "no database" >"$scratch/text.sqlite"
show 1 --show "$scratch/text.sqlite"
mkfifo "$scratch/pipe.sqlite"
show 1 --show "$scratch/pipe.sqlite"
python3 - "$scratch" <<'PYTHON'
import shutil, sqlite3, sys
for number, statement in enumerate((
        "UPDATE opprof_columns SET kind = 'odd'", "UPDATE opprof_columns SET name = 'a\"; DROP'",
        "DELETE FROM opprof_columns", "UPDATE opprof_tables SET name = 'nowhere' WHERE rowid = 1",
        "UPDATE opprof_run SET value = '9'", "DROP TABLE opprof_spans",
        "UPDATE opprof_spans SET start_us = 'x', duration_us = -1e300", "UPDATE opprof_spans SET "
        "start_us = 1e300",
        "UPDATE opprof_columns SET unit = char(27) || '[31m', heading = char(27)",
        "UPDATE sim_core_summary SET duration_us = 'x'", "UPDATE opprof_columns SET flags = -1, "
                                                         "decimals = -5", "UPDATE opprof_tables "
        "SET title = NULL, file = NULL, summary = NULL")):
    shutil.copy(f"{sys.argv[1]}/simulated/results.sqlite", f"{sys.argv[1]}/odd{number}.sqlite")
    with sqlite3.connect(f"{sys.argv[1]}/odd{number}.sqlite") as database:
        database.execute(statement)
PYTHON
for odd in "$scratch"/odd*.sqlite; do
    status=0
    "$OPPROF_RUN" --show "$odd" >"$scratch/shown" 2>"$scratch/err" || status=$?
    [ "$status" -lt 5 ] || { cat -- "$scratch/err" >&2; fail "$odd: exit code $status"; }
    ! grep -q $'\033' "$scratch/shown" "$scratch/err" || fail "$odd: an escape sequence comes out"
done

# Whatever lies beside a database is not read, and nothing is written there: not even for one that
# has a journal of its own.
mkdir "$scratch/a #place? 100%"
cp -- "$scratch/simulated.sqlite" "$scratch/a #place? 100%/results.sqlite"
python3 - "$scratch/a #place? 100%/results.sqlite" <<'PYTHON'
import os, shutil, sqlite3, sys
path = sys.argv[1]
database = sqlite3.connect(path)
database.execute("PRAGMA journal_mode=WAL")
database.execute("PRAGMA wal_autocheckpoint=0")
database.execute("UPDATE sim_core_summary SET core = 'planted'")
database.commit()
for end in ("", "-wal"):
    shutil.copy(path + end, path + ".copy" + end)
database.close()
for end in ("", "-wal"):
    os.replace(path + ".copy" + end, path + end)
PYTHON
before=$(ls "$scratch/a #place? 100%")
show 0 --show "$scratch/a #place? 100%"
! grep -q planted "$scratch/shown" || fail "a journal beside the database is read"
[ "$(ls "$scratch/a #place? 100%")" = "$before" ] ||
    fail "something was written beside the database"
