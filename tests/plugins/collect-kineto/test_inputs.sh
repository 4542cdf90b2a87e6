#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One timeline in every form that is read gives the same tables, with the numbers computed by hand;
# damage to each form is reported.
here=$(realpath "$0")
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77
python3 "$(dirname "$here")/make_inputs.py" . || exit 99

# kineto INPUT [OPTION...]: run the pipeline on an input, results in out/.
kineto() {
    local input=$1
    shift
    rm -rf out
    opprof --pipeline kineto --set "input=$input" --output out --flat "$@"
}

# has FILE LINE: the results have that line.
has() {
    checks=$((checks + 1))
    grep -qxF -- "$2" "out/$1" || fail "$input: out/$1 lacks '$2': $(cat "out/$1")"
}

# From 100 to 260; busy 100..180, 200..210, 230..260; computing 100..140, 230..260: idle 40,
# computing 70, else 50. The gap 180..200 of stream 7 (140..200) is host_wait, for its call began
# after 140 and so did that of gemm_b after 210.
breakdown='40.000,70.000,50.000,160.000,25.0000,43.7500,31.2500'

# same INPUT: complete, with the tables of the first form, beside the numbers above.
same() {
    input=$1
    kineto "$input"
    [ "$code" -eq 0 ] || fail "$input: exit code $code: $(cat "$WORK/.stderr")"
    has temporal_breakdown.csv "0,$breakdown"
    for table in kernel_breakdown idle_breakdown launch_stats kernel_groups; do
        checks=$((checks + 1))
        cmp -s "first/$table.csv" "out/$table.csv" ||
            fail "$input: $table.csv differs: $(diff "first/$table.csv" "out/$table.csv")"
    done
}

input=kineto.json
kineto kineto.json
has temporal_breakdown.csv "0,$breakdown"
has memory_bandwidth.csv \
    '0,Memcpy HtoD,1,100.0,NA,100.0,100.0,100.0,100.0,100.0,1000000,rank 0 device 0'
cp -r out first
for form in rocprof.json nsys.sqlite nsys.sqlite.gz one.zip nsys.zip jax.json.gz; do
    same "$form"
    [ "$form" = jax.json.gz ] || cmp -s first/memory_bandwidth.csv out/memory_bandwidth.csv ||
        fail "$form: memory_bandwidth.csv differs"
done
grep -q 'a range' out/annotations.csv 2>/dev/null && fail "JAX has no NVTX range"
# Iterations of XLA are those of a thread, whatever their names. 90..200: computing until 140, the
# rest of the all-reduce until 180, 10 before the first call and 20 before the copy, which was
# launched in time. 200..310: the copy, 20 until the call of gemm_b, 30, nothing.
input=jax.json.gz
has steps.csv '0,7,0,0.000,110.000,40.000,40.000,0.000,10.000,20.000,0.000,60.000,3,0.000,NA'
has steps.csv '0,train 8,1,110.000,110.000,30.000,0.000,10.000,20.000,0.000,50.000,0.000,1,0.000,NA'
# XLA's work names its operation and module; nothing else of its host is read. gemm_a: 40 us, 5
# after its call. All work: 40 + 60 + 10 + 30, 5, 16, 40 and 8 after its calls.
has operators.csv '0,dot.1,1,0.000,0.000,40.000,40.000,1,1,5.000'
has modules.csv '0,jit_train,4,0.000,0.000,140.000,140.000,4,4,17.250'
has gaps.csv \
    '0,rank 0 device 0,90.000,20.000,7,kernel_wait,NA,dot.3,jit_train,NA,13,ncclDevKernel_AllReduce,7,Memcpy HtoD,ncclDevKernel_AllReduce,Memcpy HtoD,NA,NA'
has gaps.csv \
    '0,rank 0 device 0,120.000,20.000,train 8,host_wait,10.000,dot.4,jit_train,NA,7,Memcpy HtoD,7,gemm_b,Memcpy HtoD,gemm_b,NA,NA'
kineto nsys.sqlite
grep -q ',a range,' out/annotations.csv || fail "nsys: the NVTX range is not among the annotations"

# Archives: ranks in the order of their numbers, alone and in a directory; none without a trace.
kineto ranks.zip
grep -q "ranks.zip/rank10.json.gz' names the rank of an earlier file" "$WORK/.stderr" ||
    fail "rank 10 is not the second"
mkdir both && cp kineto.json both/rank0.json && cp one.zip both/one.zip &&
    cp empty.zip both/empty.zip
kineto both
expect 4 "both/rank0.json' names the rank of an earlier file and was recorded at the same time"
has temporal_breakdown.csv 'all,80.000,140.000,100.000,320.000,25.0000,43.7500,31.2500'
# What an Ascend profiler wrote: its traces, with the ranks beside them, and nothing of what else it
# wrote.
input=ascend.zip
kineto ascend.zip
expect 0
has temporal_breakdown.csv "5,$breakdown"
has temporal_breakdown.csv "6,$breakdown"
holds [ "$(grep -c communication.json "$WORK/.stderr")" = 0 ]
kineto one_ascend.zip
expect 0
has temporal_breakdown.csv "9,$breakdown"
kineto empty.zip
[ "$code" -eq 1 ] && grep -q "no traces\|find traces in archive 'empty.zip'" "$WORK/.stderr" ||
    fail "an archive without a trace"

# lacks NAME: the last run ended as incomplete or failed, and named the file.
lacks() {
    checks=$((checks + 1))
    case $code in 1 | 4) ;; *) fail "exit code $code: $*" ;; esac
    grep -qF -- "$1" "$WORK/.stderr" || fail "does not name $1: $(cat "$WORK/.stderr")"
}

# Which ranks there are. Who profiles some of many knows that, so it is only said; a few that are
# missing were lost, and what contradicts itself is not whole.
ranks() { # DIRECTORY TEXT_OF_EACH_INFO...
    rm -rf "$1"
    python3 - "$@" <<'PY' || exit 99
import os, sys
text = open("kineto.json").read()
assert '{"rank": 0}' in text
os.mkdir(sys.argv[1])
for number, info in enumerate(sys.argv[2:]):
    with open(f"{sys.argv[1]}/trace{number}.json", "w") as out:
        out.write(text.replace('{"rank": 0}', info, 1))
PY
    kineto "$1"
}
ranks world '{"rank": 0, "world_size": 8}' '{"rank": 1, "world_size": 8}' '{"rank": 2}' \
    '{"rank": 4}' '{"rank": 5}' '{"rank": 7}'
expect 4 "2 of the job's 8 ranks are not in the input, so the results leave them out: 3, 6"
holds grep -q "2 of the job's 8 ranks" out/run.json
ranks half '{"rank": 1, "world_size": 4}' '{"rank": 2, "world_size": 4}'
expect 0 "2 of the job's 4 ranks are not in the input, so the results leave them out: 0, 3"
ranks alone '{"world_size": 1000, "rank": 3}'
expect 0 \
    "999 of the job's 1000 ranks are not in the input, so the results leave them out: 0, 1, 2, 4, 5, 6, 7, 8 …"
ranks whole '{"rank": 0, "world_size": 2}' '{"rank": 1, "world_size": 2}'
expect 0
holds [ "$(grep -c "ranks are not" "$WORK/.stderr")" = 0 ]
for rank in '"x"' 1.5 -1 '{}'; do
    ranks strange "{\"rank\": $rank}"
    expect 4 "trace0.json': its 'rank' is not a whole number from 0 on"
done
ranks none '{"rank": null}'
expect 0
ranks twice '{"rank": 3}' '{"rank": 3}'
expect 4 "trace1.json' names the rank of an earlier file"
ranks guessed '{"rank": null}' '{}'
expect 0 "trace1.json' has the rank of an earlier file"
ranks void '{"rank": 0}' '{"rank": 1}'
printf '{"distributedInfo": {"rank": 1}, "traceEvents": []}' >void/trace1.json
kineto void
expect 4 "trace1.json"

# A trace that lost its events; documents of other kinds are not traces.
for text in '{}' '{"traceEvents": null}' '{"distributedInfo": {"rank": 1}}' \
    '{"baseTimeNanoseconds": 5, "other": 1}'; do
    printf '%s' "$text" >void/trace1.json
    kineto void
    expect 4 "trace1.json"
done
printf '{"settings": {"steps": 5}}' >void/trace1.json
kineto void
expect 0 "trace1.json"

# A rank's trace that is not where it must be: of an Ascend profiler, and a link that leads nowhere.
for rank in 0 1; do
    mkdir -p "ascend/r${rank}_ascend_pt/ASCEND_PROFILER_OUTPUT"
    cp kineto.json "ascend/r${rank}_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"
done
sed -i 's/{"rank": 0}/{"rank": 1}/' ascend/r1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json
kineto ascend
expect 0
rm ascend/r0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json
kineto ascend
expect 4 "r0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"
mkdir links && cp kineto.json links/rank0.json && ln -s nowhere links/rank1.json
kineto links
expect 4 "links/rank1.json"

# Cut anywhere, empty, gone, doubled, something else.
for form in rocprof.json nsys.sqlite nsys.sqlite.gz one.zip nsys.zip jax.json.gz; do
    checks=$((checks + 1))
    python3 "$(dirname "$here")/../../tools/damage_inputs.py" kineto "$form" <<'TABLE' || fail \
        "$form: damage has not been reported"
. cut:1 cut:10 cut:50 cut:90 cut:99 empty remove double text
TABLE
done

# What is not a text or a number where there must be one. A kernel without name may be
# communication.
mkdir odd && python3 - <<'PY' || exit 99
import json, shutil, sqlite3
text = open("kineto.json").read()
for name, old, new in (("phase", '"ph": "X"', '"ph": 5'), ("no-phase", '"ph": "X"', '"pj": "X"'),
                       ("category", '"cat": "kernel"', '"cat": []'),
                       ("unknown-phase", '"ph": "X"', '"ph": "Z"'),
                       ("unknown-category", '"cat": "kernel"', '"cat": "kernal"'),
                       ("name", '"name": "gemm_a"', '"name": null'),
                       ("args", '"args": {"device": 0, "stream": 7, "correlation": 1}',
                        '"args": 5'),
                       ("device", '"device": 0', '"device": 1e400'),
                       ("stream", '"stream": 7', '"stream": {}'),
                       ("correlation", '"correlation": 1', '"correlation": 1.5'),
                       ("bytes", '"bytes": 1000000', '"bytes": -5')):
    assert old in text, old
    open(f"odd/{name}.json", "w").write(text.replace(old, new, 1))
text = open("rocprof.json").read()
for name, old, new in (("rocprof-start", '"start_timestamp": 100000, "end_timestamp": 140000',
                        '"start_timestamp": -1, "end_timestamp": 140000'),
                       ("rocprof-kernel", '"kernel_id": 0', '"kernel_id": 99'),
                       ("rocprof-agent", '"agent_id": {"handle": 77}', '"agent_id": "x"'),
                       ("rocprof-call", '"correlation_id": {"internal": 1,',
                        '"correlation_id": {"internal": "x",'),
                       ("rocprof-bytes", '"bytes": 1000000', '"bytes": -1'),
                       ("rocprof-strings", '"strings"', '"stripes"'),
                       ("rocprof-operation", '"kind": 3, "operation": 0',
                        '"kind": 3, "operation": 99')):
    assert old in text, old
    open(f"odd/{name}.json", "w").write(text.replace(old, new, 1))
for name, sql in (("names", "DELETE FROM StringIds"),
                  ("device", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 'x'"),
                  ("stream", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET streamId = 1.5"),
                  ("call", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = 'x'"),
                  ("process", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = 'x'"),
                  ("bytes", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = -1"),
                  ("operation", "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET nameId = 999 WHERE "
                                "rowid = 2")):
    shutil.copy("nsys.sqlite", f"odd/nsys-{name}.sqlite")
    with sqlite3.connect(f"odd/nsys-{name}.sqlite") as db:
        db.execute(sql)
# Pages that cannot be read: of a table, and of the time from which all others count.
shutil.copy("nsys.sqlite", "clock.sqlite")
with sqlite3.connect("clock.sqlite") as db:
    db.execute("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INT)")
    db.execute("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000)")
    roots = dict(db.execute("SELECT name, rootpage FROM sqlite_master"))
    size = db.execute("PRAGMA page_size").fetchone()[0]
data = open("clock.sqlite", "rb").read()
for table in ("TARGET_INFO_SESSION_START_TIME", "CUPTI_ACTIVITY_KIND_KERNEL", "StringIds"):
    at = (roots[table] - 1) * size
    open(f"odd/page-{table}.sqlite", "wb").write(data[:at] + b"\x55" * size + data[at + size:])
PY

# A byte of the compressed data, of a page of the database, of a record flipped.
python3 - <<'PY' || exit 99
import re, sqlite3
data = bytearray(open("one.zip", "rb").read())
at = data.index(b"deep/trace.json") + 60
data[at] ^= 0x55
open("flip-one.zip", "wb").write(data)
text = open("rocprof.json").read()
open("record.json", "w").write(text.replace('"external": 0}, "thread_id"',
                                            '"external": 0], "thread_id"', 1))
open("times.json", "w").write(text.replace('"end_timestamp": 140000', '"end_timestamp": 90000', 1))
db = sqlite3.connect("nsys.sqlite"); db.execute("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME "
                                                "COLUMN streamId TO x"); db.commit(); db.close()
db = sqlite3.connect("other.sqlite"); db.execute("CREATE TABLE t (a)"); db.commit(); db.close()
PY
for bad in flip-one.zip record.json times.json nsys.sqlite other.sqlite odd/*; do
    kineto "$bad"
    lacks "$bad"
done
kineto nsys.sqlite
grep -q "table CUPTI_ACTIVITY_KIND_KERNEL" "$WORK/.stderr" ||
    fail "the table that cannot be read is not named"
# What is good of a damaged database is kept, packed or not: the rows before the damage, and the
# other tables. Python's module reads as far as it can, too; it refuses a file that is too short,
# which zeros lengthen here.
mkdir large && python3 - <<'PY' || exit 99
import gzip, os, sqlite3, zipfile, zlib
db = sqlite3.connect("large/whole.sqlite")
db.executescript("""
    CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, globalTid INT, correlationId INT, nameId INT);
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, correlationId INT, globalPid INT,
        demangledName INT);
    INSERT INTO StringIds VALUES (0, 'gemm'), (1, 'cudaLaunchKernel');
""")
pid = 10 << 24
kernels = [(10000 * i + 5000, 10000 * i + 9000, 0, 7, i, pid, 0) for i in range(2000)]
db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?,1)",
               [(10000 * i, 10000 * i + 1000, pid | 11, i) for i in range(2000)])
db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,?,?,?,?,?)", kernels)
db.commit()
size = db.execute("PRAGMA page_size").fetchone()[0]
db.close()
whole = open("large/whole.sqlite", "rb").read()

def good(data):
    open("large/tried", "wb").write(data + bytes(len(whole) - len(data)))
    kept = 0
    tried = sqlite3.connect("large/tried")
    try:
        for row in range(1, 2001):
            found = tried.execute("SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE "
                                  "rowid = ?", (row,)).fetchone()
            kept += found is not None and None not in found and found[1] > found[0]
    except sqlite3.DatabaseError:
        pass
    tried.close()
    os.remove("large/tried")
    return kept

def save(name, data, bad):
    assert 200 < good(bad) < 2000, (name, good(bad))
    open("large/" + name, "wb").write(data)
    open("large/" + name + ".kept", "w").write(str(good(bad)))

at = len(whole) * 8 // 10 // size * size
bad = whole[:at] + b"\x55" * size + whole[at + size:]
save("page.sqlite", bad, bad)
save("page.sqlite.gz", gzip.compress(bad), bad)
cut = whole[:at]
save("cut.sqlite", cut, cut)
packer = zlib.compressobj(wbits=31)
save("cut.sqlite.gz", packer.compress(cut) + packer.flush(zlib.Z_FULL_FLUSH), cut)
with zipfile.ZipFile("large/page.zip", "w", zipfile.ZIP_DEFLATED) as file:
    file.writestr("deep/report.sqlite", bad)
save("page.zip", open("large/page.zip", "rb").read(), bad)
PY
for bad in page.sqlite page.sqlite.gz cut.sqlite cut.sqlite.gz page.zip; do
    kept=$(cat "large/$bad.kept")
    kineto "large/$bad"
    expect 4 "large/$bad" " is damaged at row " "reading table CUPTI_ACTIVITY_KIND_KERNEL fails" \
        "all that can be read is kept"
    holds [ "$(grep '^gemm,' out/kernel_breakdown.csv | cut -d, -f9)" = "$kept" ]
    # The table of calls comes before the damage in the file, and after it in the order of reading.
    holds [ "$(tail -n 1 out/launch_stats.csv | cut -d, -f2)" = "$kept" ]
done
kineto large/cut.sqlite.gz
grep -q "the compressed data ends in the middle at byte $(stat -c %s large/cut.sqlite.gz) of the file" "$WORK/.stderr" || fail "the reason is not reported"

kineto times.json
expect 4 "1 event was left out: the end is before the start"
grep -q '^gemm_b,' out/kernel_breakdown.csv || fail "the other kernels are not kept"

# A pipe without a writer is refused; nobody waits for one.
mkfifo pipe.json
kineto pipe.json
expect 1 "Cannot read traces from 'pipe.json': it is neither a file nor a directory" \
    "Write the trace to a file"
mkdir pipes
cp times.json pipes/rank0.json
mkfifo pipes/rank1.json pipes/rank2.zip
kineto pipes
expect 4 "Cannot read trace 'pipes/rank1.json': not a regular file" "pipes/rank2.zip"
finish
