#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Traces that are cut, emptied, doubled, damaged or removed: the good part is kept, and the run is
# never called complete.
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99

# kineto INPUT [OPTION...]: run the pipeline on an input, results in out/.
kineto() {
    local input=$1
    shift
    rm -rf out
    opprof --pipeline kineto --set "input=$input" --output out --flat "$@"
}

# lacks NAME: the last run said that it is not complete, and named the file.
lacks() {
    checks=$((checks + 1))
    case $code in
    1 | 2) ;;
    4) grep -q '"complete": *false' out/run.json || fail "run.json calls it complete: $*" ;;
    *) fail "exit code $code: $*" ;;
    esac
    grep -qF -- "$1" "$WORK/.stderr" || fail "does not name $1: $*"
}

sample=$DATA/kineto/trace_compare_base.json.gz
cp "$sample" plain.gz && gzip -d <plain.gz >object.json
python3 - object.json array.json <<'PY' || exit 99
import json, sys
json.dump(json.load(open(sys.argv[1]))["traceEvents"], open(sys.argv[2], "w"), indent=1)
PY

# damage FILE: every way to damage it, alone and as one of two ranks.
damage() {
    local file=$1 size at
    size=$(stat -c %s "$file")
    rm -rf ranks && mkdir ranks
    cp "$DATA/kineto/event_sync_multi_stream.json.gz" ranks/rank0.json.gz
    kineto "$file"
    expect 0
    for at in 1 $((size / 100)) $((size / 10)) $((size * 45 / 100)) $((size * 9 / 10)) \
        $((size - 30)) $((size - 1)); do
        head -c "$at" "$file" >"cut-$file"
        kineto "cut-$file"
        lacks "cut-$file" "cut at $at of $size"
        cp "cut-$file" "ranks/other-$file"
        kineto ranks
        lacks "other-$file" "one of two, cut at $at of $size"
        holds [ -s out/temporal_breakdown.csv ]
    done
    : >"empty-$file"
    kineto "empty-$file"
    lacks "empty-$file"
    cp "empty-$file" "ranks/other-$file"
    kineto ranks
    lacks "other-$file" "one of two, empty"
    cat "$file" "$file" >"twice-$file"
    kineto "twice-$file"
    lacks "twice-$file"
    { cat "$file" && printf '\0\0\0'; } >"more-$file"
    kineto "more-$file"
    lacks "more-$file"
    cp "more-$file" "ranks/other-$file"
    kineto ranks
    lacks "other-$file" "one of two, with more bytes"
    kineto "no-$file"
    lacks "no-$file"
}

# A text that ends before its last line feed, which means nothing, is whole.
strip() {
    python3 -c 'import sys; d = open(sys.argv[1], "rb").read().rstrip(); open(sys.argv[1], "wb").write(d)' "$1"
}

strip object.json
strip array.json
cp plain.gz packed.json.gz
damage object.json
damage array.json
damage packed.json.gz

# Zeros where a part of a file was never written, within a string, which goes on after them.
for zeros in 1 3000; do
    python3 - object.json zeros.json $zeros <<'PY'
import sys
data = open(sys.argv[1], "rb").read()
at = data.index(b'"name": "') + 10 if b'"name": "' in data else data.index(b'"name":"') + 9
open(sys.argv[2], "wb").write(data[:at] + bytes(int(sys.argv[3])) + data[at:])
PY
    kineto zeros.json
    lacks zeros.json
    expect 4 "it has zeros"
    gzip -c zeros.json >zeros.json.gz
    kineto zeros.json.gz
    lacks zeros.json.gz
done

# A byte flipped inside the compressed data.
python3 - plain.gz flipped.json.gz <<'PY'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[len(data) // 2] ^= 0x10
open(sys.argv[2], "wb").write(data)
PY
kineto flipped.json.gz
lacks flipped.json.gz

# Events that lack what is needed are left out, and the first byte of each kind is named.
cat >odd.json <<'JSON'
{"distributedInfo":{"rank":3},"traceEvents":[
{"ph":"X","cat":"kernel","name":"good","ts":1,"dur":2,"pid":0,"tid":7,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"no ts","dur":2,"pid":0,"tid":7,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"a "quoted" name","ts":5,"dur":2,"pid":0,"tid":7},
{"ph":"B","cat":"kernel","name":"open","ts":6,"pid":0,"tid":7},
{"ph":"X","cat":"kernel","name":"good","ts":8,"dur":2,"pid":0,"tid":7,"args":{"device":0,"stream":7}}
]}
JSON
# byte TEXT: where the line with the text begins.
byte() {
    grep -bF -- "$1" odd.json | cut -d: -f1
}

kineto odd.json
expect 4 \
    "the start (such as 'ts') is missing or not a number; the first is at byte $(byte '"no ts"') of its text" \
    "not JSON; the first is at byte $(byte quoted) of its text" \
    "the begin or the end is missing; the first is at byte $(byte '"open"') of its text"
holds grep -q '^3,.*,4\.000,' out/temporal_breakdown.csv

# A file that inflates to 64 GB of blanks is given up when the run should stop.
python3 - blanks.json.gz <<'PY'
import gzip, sys
with open(sys.argv[1], "wb") as out:
    out.write(gzip.compress(b'{"traceEvents":['))
    member = gzip.compress(b" " * (1 << 24))
    for _ in range(4000):
        out.write(member)
PY
rm -rf out
"$OPPROF_RUN" -v --pipeline kineto --set input=blanks.json.gz --output out --flat >"$WORK/.stdout" \
    2>"$WORK/.stderr" </dev/null &
runner=$!
wait_for "Started collect-kineto"
kill -TERM "$runner"
code=0
wait "$runner" || code=$?
expect 4 "blanks.json.gz" "SIGTERM"
finish
