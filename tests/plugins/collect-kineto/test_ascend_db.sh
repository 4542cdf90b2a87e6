#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Databases that Ascend profilers export: the breakdown and kernels of the trace of the same work;
# versions that lack tables; damage.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77
data=$here/../../data/ascend

# kineto INPUT: a run of it into out
kineto() {
    rm -rf out
    opprof kineto "$1" --without html --output out --flat
}
# holds COMMAND…
holds() {
    checks=$((checks + 1))
    "$@" || fail "$*"
}

kineto "$data/ms"
mv out wanted
opprof "$data/db" --without html --output out --flat
expect 0 "fits pipeline 'kineto'" \
    "its version of the database lacks calls that launch work (table CANN_API)"
for file in temporal_breakdown kernel_breakdown kernel_types overlap collectives; do
    holds cmp "wanted/$file.csv" "out/$file.csv"
done
holds [ "$(cut -d, -f1-3,5-6 out/steps.csv)" = "$(cut -d, -f1-3,5-6 wanted/steps.csv)" ]

# One rank, its output directory, the file itself, also compressed.
rank=$data/db/host_4000_20250618083000000_ascend_ms
kineto "$rank"
mv out one
gzip -c "$rank"/ASCEND_PROFILER_OUTPUT/*.db >db.gz
for place in "$rank/ASCEND_PROFILER_OUTPUT" "$rank"/ASCEND_PROFILER_OUTPUT/*.db db.gz; do
    kineto "$place"
    expect 0
    holds cmp one/kernel_breakdown.csv out/kernel_breakdown.csv
done
# Those of all ranks in an archive.
python3 -c 'import shutil, sys; shutil.make_archive("all", "zip", sys.argv[1])' "$data/db"
rm -rf out
opprof all.zip --without html --output out --flat
expect 0 "fits pipeline 'kineto'"
holds cmp wanted/kernel_breakdown.csv out/kernel_breakdown.csv
# Where there is a trace, too, one of the two is read.
cp -r "$data/ms" both && cp "$rank"/ASCEND_PROFILER_OUTPUT/*.db \
    both/host_4000_20250618083000000_ascend_ms/ASCEND_PROFILER_OUTPUT
kineto both
expect 0
holds cmp wanted/kernel_breakdown.csv out/kernel_breakdown.csv

# changed SQL: of one rank
changed() {
    rm -rf changed_ascend_ms
    cp -r "$rank" changed_ascend_ms
    python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript(sys.argv[2])
db.close()' changed_ascend_ms/ASCEND_PROFILER_OUTPUT/*.db "$1" || fail "$1"
    kineto changed_ascend_ms
}
changed "DROP TABLE COMPUTE_TASK_INFO; DROP TABLE STEP_TIME;"
expect 0 \
    "lacks names of kernels (table COMPUTE_TASK_INFO), calls that launch work (table CANN_API), steps (table STEP_TIME)"
holds cmp one/temporal_breakdown.csv out/temporal_breakdown.csv
holds grep -q '^AI_CORE,' out/kernel_breakdown.csv
# Calls of CANN launch work by the connection; operators of PyTorch and marked ranges are those of
# the host.
changed "CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER, name INTEGER);
    INSERT INTO STRING_IDS VALUES (900, 'launch'), (901, 'aten::add'), (902, 'my range');
    INSERT INTO CANN_API SELECT startNs - 2000, startNs - 1000, 10000, 77, connectionId, 900 FROM TASK;
    CREATE TABLE PYTORCH_API (startNs INTEGER, endNs INTEGER, globalTid INTEGER, connectionId INTEGER, name INTEGER, extra TEXT);
    INSERT INTO PYTORCH_API SELECT startNs - 3000, startNs - 500, 77, NULL, 901, 'x' FROM TASK LIMIT 1;
    CREATE TABLE MSTX_EVENTS (startNs INTEGER, endNs INTEGER, eventType INTEGER, rangeId INTEGER, message INTEGER, globalTid INTEGER);
    INSERT INTO MSTX_EVENTS SELECT startNs - 3500, startNs - 400, 2, 1, 902, 77 FROM TASK LIMIT 1;"
holds cmp one/kernel_breakdown.csv out/kernel_breakdown.csv
holds grep -q 'aten::add' out/operators.csv
holds grep -q 'my range' out/annotations.csv
# Tasks of a collective are parts of it; work that no call launched names none.
changed "CREATE TABLE COMMUNICATION_TASK_INFO (name INTEGER, globalTaskId INTEGER); INSERT INTO STRING_IDS VALUES (900, 'SDMA');
    INSERT INTO TASK SELECT startNs, startNs + 5, 0, 4294967295, 7000 + opId, 1, 900, 0, 9, 1, 0 FROM COMMUNICATION_OP;
    INSERT INTO COMMUNICATION_TASK_INFO SELECT 900, globalTaskId FROM TASK WHERE globalTaskId >= 7000;"
holds cmp one/kernel_breakdown.csv out/kernel_breakdown.csv
# A time that is a text, work that is there twice, no work at all.
changed "UPDATE TASK SET endNs = 'late' WHERE taskId = 1;"
expect 4
changed "INSERT INTO TASK SELECT * FROM TASK WHERE taskId = 2;"
expect 4 "in it twice"
changed "DROP TABLE TASK; DROP TABLE COMMUNICATION_OP;"
expect 1 "The database is not a trace"
# A cut file.
rm -rf changed_ascend_ms && cp -r "$rank" changed_ascend_ms
truncate -s 20000 changed_ascend_ms/ASCEND_PROFILER_OUTPUT/*.db
kineto changed_ascend_ms
expect 4 "the file has 20000 bytes, the database 28672"
finish
