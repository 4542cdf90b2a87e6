#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --query answers from a finished run in three forms, refuses all others, and --list and --explain
# know queries and rules.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"

python3 - "$scratch/results.sqlite" <<'PYTHON'
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
database.executescript("""
CREATE TABLE opprof_run(name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE opprof_tables(name TEXT PRIMARY KEY, record TEXT, version INTEGER, title TEXT, summary TEXT, file TEXT, flags INTEGER, row_count INTEGER);
CREATE TABLE opprof_columns(table_name TEXT, position INTEGER, name TEXT, heading TEXT, kind TEXT, unit TEXT, meaning TEXT, absent TEXT,
                            decimals INTEGER, is_key INTEGER, flags INTEGER, PRIMARY KEY(table_name, position));
CREATE TABLE opprof_names(id INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE opprof_tracks(id INTEGER PRIMARY KEY, document TEXT, process TEXT, process_name TEXT, thread TEXT, thread_name TEXT,
                           process_sort INTEGER, thread_sort INTEGER, flags INTEGER);
CREATE TABLE opprof_spans(track INTEGER, kind INTEGER, name INTEGER, category INTEGER, colour INTEGER, start_us REAL, duration_us REAL,
                          id TEXT, tied TEXT, args TEXT);
CREATE TABLE opprof_counters(track INTEGER, name INTEGER, series INTEGER, time_us REAL, value REAL);
CREATE VIEW spans AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS name FROM n;
INSERT INTO opprof_run VALUES('format', '1'), ('complete', '1');
CREATE TABLE test_cores(core TEXT, us REAL);
INSERT INTO test_cores VALUES('core0', 1.5), ('=cmd,"x"', 20), (NULL, NULL), ('b' || char(27) || '[2J', 3);
INSERT INTO opprof_tables VALUES('test_cores', 'test.cores', 1, 'Cores', NULL, 'cores', 1, 4);
INSERT INTO opprof_columns VALUES('test_cores', 1, 'core', 'core', 'string', NULL, NULL, NULL, 0, 1, 2),
                                 ('test_cores', 2, 'us', 'Time(us)', 'f64', 'us', 'How long', NULL, 3, 0, 0);
INSERT INTO opprof_names VALUES(1, 'MOV');
INSERT INTO opprof_tracks VALUES(1, 'trace', '0', 'core0', 'MTE2', NULL, 0, 0, 0);
INSERT INTO opprof_spans VALUES(1, 1, 1, NULL, NULL, 2, 3, NULL, NULL, NULL);
""")
PYTHON
mkdir "$scratch/queries" "$scratch/rules"
export OPPROF_QUERIES_PATH=$scratch/queries OPPROF_RULES_PATH=$scratch/rules

# answer ARGUMENT...: in $scratch/out
answer() {
    "$OPPROF_RUN" --query "$@" >"$scratch/out" 2>"$scratch/err" || {
        cat -- "$scratch/err" >&2; fail "$*: exit code $?"
    }
}

# same TEXT: the answer
same() { printf '%s\n' "$1" | diff -u - "$scratch/out" >&2 || fail "another answer"; }

# refused CODE TEXT ARGUMENT...
refused() {
    local wanted=$1 text=$2 status=0
    shift 2
    "$OPPROF_RUN" --query "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: exit code $status"
    grep -qF -- "$text" "$scratch/err" || {
        cat -- "$scratch/err" >&2; fail "$*: says nothing of '$text'"
    }
}

# A table, in three forms; a view of the database is not what answers.
answer test_cores "$scratch"
same 'core        us
core0      1.5
=cmd,"x"  20.0
NA          NA
b?[2J      3.0'
answer test_cores "$scratch/results.sqlite" --format csv
same 'core,us
core0,1.5
"'"'"'=cmd,""x""",20.0
NA,NA
b?[2J,3.0'
answer test_cores "$scratch" --json
python3 -c '
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer == {
    "opprof_query": "1.0", "table": "test_cores", "title": "Cores",
    "columns": [{"name": "core", "heading": "core", "kind": "string", "unit": None,
                 "meaning": None},
                {"name": "us", "heading": "Time(us)", "kind": "f64", "unit": "us",
                 "meaning": "How long"}],
    "rows": [["core0", 1.5], ["=cmd,\"x\"", 20], [None, None], ["b\x1b[2J", 3]], "size": 4,
    "page": None, "limit": None}, answer
' "$scratch/out"
echo 'SELECT name, process, duration_us FROM spans' >"$scratch/spans.sql"
answer "$scratch/spans.sql" "$scratch"
same 'name  process  duration_us
MOV   core0            3.0'

# Parameters and statistics.
printf -- '-- title: Long cores\nSELECT core, us FROM test_cores WHERE us >= coalesce(:least, 2) AND core <> coalesce(:not, %s)' "''" >"$scratch/queries/long.sql"
answer long "$scratch" least=1.5 not=core0 --format csv
same 'core,us
"'"'"'=cmd,""x""",20.0
b?[2J,3.0'
echo 'SELECT median(us) AS m, quantile(us, 0.25) AS q, spread(us) AS s FROM test_cores' \
    >"$scratch/queries/statistics.sql"
answer statistics "$scratch" --format csv
same 'm,q,s
3.0,2.25,1.5'
echo 'SELECT 1 AS one WHERE 0' >"$scratch/queries/nothing.sql"
answer nothing "$scratch" --json
python3 -c '
import json, sys
answer = json.load(open(sys.argv[1]))
assert (answer["table"], answer["title"], answer["columns"][0]["name"],
        answer["columns"][0]["kind"]) == ("nothing", None, "one", None), answer
assert (answer["rows"], answer["size"]) == ([], 0), answer
' "$scratch/out"

# Conditions, in three forms.
answer test_cores "$scratch" --where 'us > 1' --where 'core !~ CMD' --sort us:desc
same 'core    us
b?[2J  3.0
core0  1.5'
answer test_cores "$scratch" --sort 'Time(us)' --columns us --limit 2 --page 2 --format csv
same 'us
3.0
20.0'
answer test_cores "$scratch" --where 'us is not null' --limit 2 --page 2 --json
python3 -c '
import json, sys
answer = json.load(open(sys.argv[1]))
assert (answer["rows"], answer["size"], answer["page"], answer["limit"]) == ([["b\x1b[2J", 3]], 3,
                                                                             2, 2), answer
' "$scratch/out"
answer long "$scratch" least=1.5 --where 'core = core0' --format csv
same 'core,us
core0,1.5'

# Nothing else is answered.
refused 2 "There is no column 'time'" test_cores "$scratch" --where 'time > 3'
refused 2 "Did you mean 'Time(us)'?" test_cores "$scratch" --sort 'Time (us)'
refused 2 "compares 'x' with numbers" test_cores "$scratch" --where 'us > x'
refused 2 "--limit needs a whole number above 0, not '-1'" test_cores "$scratch" --limit -1
refused 2 "A page needs a limit" test_cores "$scratch" --page 2
refused 2 "Did you mean 'test_cores'?" test_core "$scratch"
refused 2 "It has no parameter ':lest'" long "$scratch" lest=3
refused 2 "--query needs results" test_cores
refused 2 "is no PARAMETER=VALUE" test_cores "$scratch" "$scratch"
refused 2 "--format must be text, csv or json" test_cores "$scratch" --format html
echo 'SELECT "uss" FROM test_cores' >"$scratch/wrong.sql"
refused 2 "no such column: uss" "$scratch/wrong.sql" "$scratch"
for sql in 'DELETE FROM test_cores' "ATTACH '$scratch/other' AS other" \
    'PRAGMA journal_mode=DELETE' 'SELECT 1; SELECT 2' 'VACUUM' ''; do
    printf '%s\n' "$sql" >"$scratch/wrong.sql"
    refused 2 'It ' "$scratch/wrong.sql" "$scratch"
done
[ ! -e "$scratch/other" ] || fail "a file was made"
refused 2 "Cannot read '$scratch/nowhere'" test_cores "$scratch/nowhere"

# Rules are questions as well, are listed and explained.
printf -- '-- title: A core is slow\n-- todo: Give it less\nSELECT core AS subject, core || %s AS sentence, us AS gain_us FROM test_cores' "' is slow'" \
    >"$scratch/rules/slow-core.sql"
answer slow-core "$scratch" --format csv
grep -q '^core0,core0 is slow,1.5$' "$scratch/out" || fail "a rule has no answer"
"$OPPROF_RUN" --list >"$scratch/out"
grep -q '^  slow-core: A core is slow$' "$scratch/out" || fail "the rule is not listed"
grep -q '^  long: Long cores$' "$scratch/out" || fail "the query is not listed"
"$OPPROF_RUN" --explain slow-core >"$scratch/out"
grep -q 'Give it less' "$scratch/out" && grep -q 'SELECT core AS subject' "$scratch/out" ||
    fail "the rule is not explained"

# A rule that is tried has its optional tables as in a run: empty ones where results have none.
printf -- '-- title: X\n-- optional: test_chips(core, area), TEST_CORES(us, hertz)\nSELECT core, area FROM test_cores LEFT JOIN test_chips USING(core) WHERE us < 2' \
    >"$scratch/optional.sql"
answer "$scratch/optional.sql" "$scratch" --format csv
same 'core,area
core0,NA'
answer "$scratch/optional.sql" "$scratch" --json --limit 1
grep -q core0 "$scratch/out" || fail "no rows of a page"
printf -- '-- title: X\n-- optional: chips(core)\nSELECT core FROM chips' >"$scratch/optional.sql"
refused 2 'no such table: chips' "$scratch/optional.sql" "$scratch"
printf -- '-- title: X\n-- optional: chips(a, a)\nSELECT 1 FROM chips, test_cores' >"$scratch/optional.sql"
refused 2 "duplicate column name: a" "$scratch/optional.sql" "$scratch"
printf -- '-- title: X\n-- optional: chips\nSELECT 1' >"$scratch/optional.sql"
refused 2 "the optional table 'chips'" "$scratch/optional.sql" "$scratch"

# --validate finds a misspelt column of a table that a module makes, and names the nearest; a table
# that nobody makes is none of its business.
"$OPPROF_RUN" --list >"$scratch/list"
if grep -q collect-results "$scratch/list"; then
    "$OPPROF_RUN" --validate show "$scratch" >"$scratch/out" 2>"$scratch/err" || {
        cat -- "$scratch/err" >&2; fail "rules are refused"
    }
fi
if grep -q trace-idle "$scratch/list"; then
    printf -- '-- title: Idle\nSELECT sum(idel_us) AS sentence FROM trace_idle_breakdown\n' \
        >"$scratch/rules/idle.sql"
    status=0
    "$OPPROF_RUN" --validate show "$scratch" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "a wrong rule: exit code $status"
    grep -q "idle.sql' is wrong" "$scratch/err" && grep -q "no such column: idel_us" \
        "$scratch/err" && [ "$(grep -c "Did you mean 'idle_us'" "$scratch/err")" = 1 ] ||
        { cat -- "$scratch/err" >&2; fail "the column is not named"; }
fi
