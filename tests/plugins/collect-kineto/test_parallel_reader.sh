#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Several threads read a text as one does, wherever it is cut: all results are the same bytes, and
# so are all messages.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

cat >"$scratch/pipeline.json" <<'JSON'
{ "opprof_pipeline": "1.0",
  "vars": { "input": { "required": true }, "threads": { "default": "1" }, "piece": { "default": "0" } },
  "stages": [
    { "id": "kineto", "use": "collect-kineto",
      "params": { "input": "${input}", "threads": "${threads}", "piece": "${piece}" } },
    { "id": "breakdown", "use": "trace-temporal" },
    { "id": "operators", "use": "trace-operators" },
    { "id": "efficiency", "use": "trace-efficiency" },
    { "id": "path", "use": "trace-critical-path" },
    { "id": "trace", "use": "trace" },
    { "id": "csv", "use": "csv" } ] }
JSON
# What the reader reported, without what differs from run to run.
told='import glob, json, sys
def told(path):
    run = json.load(open(path))
    stage = run["stages"][0]
    return [run["outcome"], run["reasons"], stage["counts"], stage["warnings"], stage["incomplete"], stage["records_out"]]
for folder in sys.argv[1:]:
    one = told(folder + "/one.json")
    for path in glob.glob(folder + "/many*.json"):
        if told(path) != one:
            sys.exit("%s: told %s instead of %s" % (path, told(path), one))'

# take NAME FILE THREADS PIECE
take() {
    local status=0
    rm -rf -- "${scratch:?}/$1"
    "$OPPROF_RUN" -q --pipeline "$scratch/pipeline.json" --set "input=$2" --set "threads=$3" \
        --set "piece=$4" --output "$scratch/$1" --flat >/dev/null 2>"$scratch/$1.err" || status=$?
    [ "$status" = 0 ] || [ "$status" = 4 ] || {
        cat -- "$scratch/$1.err" >&2; fail "$2: exit code $status"
    }
    mv -- "$scratch/$1/run.json" "$told_in/$1${3}_$4.json"
}

# first FILE: what one thread makes of it.
first() {
    told_in=$scratch/told/${1##*/}
    mkdir -p -- "$told_in"
    take one "$1" 1 0
    mv -- "$told_in/one1_0.json" "$told_in/one.json"
}

# same FILE THREADS PIECE
same() {
    take many "$@"
    diff -r "$scratch/one" "$scratch/many" >"$scratch/diff" ||
        { head -c 2000 "$scratch/diff" >&2; fail \
            "$1: $2 threads, pieces of $3 bytes: another result"; }
}

mkdir -- "$scratch/in"
for name in event_sync_multi_stream mi250_minitoy sampled_rank-0 trace_compare_base; do
    gzip -dc "$root/tests/data/kineto/$name.json.gz" >"$scratch/in/$name.json"
done
python3 "$root/tests/plugins/collect-kineto/make_odd_texts.py" "$scratch/in"

all_cuts='1 3'
if [ "${OPPROF_TEST:-}" = full ]; then
    all_cuts='1 2 3 7'
fi
for file in "$scratch"/in/*.json; do
    first "$file"
    size=$(wc -c <"$file")
    for cuts in $all_cuts; do
        piece=$((size / cuts + 1))
        same "$file" 2 $((piece < 1048576 ? piece : 1048576))
    done
    same "$file" 3 300
    same "$file" 4 2000
    same "$file" 2 9001
done
first "$root/tests/data/kineto/sampled_rank-0.json.gz"
same "$root/tests/data/kineto/sampled_rank-0.json.gz" 2 30000
python3 -c "$told" "$scratch"/told/* || fail "messages differ between numbers of threads"
