#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Timelines have the times of their traces, so that both can be opened together; all ranks are in
# one timeline too.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
data=$root/tests/data/kineto

# same INPUT TRACE...: what comes out of INPUT has the times of the traces
same() {
    local input=$1 status=0
    shift
    rm -rf -- "$scratch/out"
    "$OPPROF_RUN" -q --pipeline kineto --set formats=all --set "input=$input" --set gaps.top=5 \
        --output "$scratch/out" --flat >/dev/null 2>"$scratch/err" || status=$?
    [ "$status" = 0 ] || { cat -- "$scratch/err" >&2; fail "$input: exit code $status"; }
    python3 "$root/tests/plugins/analyse-trace/times_model.py" "$root/tests/tools" "$scratch/out" \
        "$@" || fail "$input"
}

# Whole microseconds since 1970, fractions of them, small numbers.
same "$data/event_sync_multi_stream.json.gz" "$data/event_sync_multi_stream.json.gz"
same "$data/mi250_minitoy.json.gz" "$data/mi250_minitoy.json.gz"
same "$data/sampled_rank-0.json.gz" "$data/sampled_rank-0.json.gz"

# Ranks of one run, on one axis, with and without a base time.
for base in "" '"baseTimeNanoseconds":1710000000000000000,'; do
    rm -rf -- "$scratch/in"
    mkdir -- "$scratch/in"
    for rank in 0 1 2 10; do
        start=1712195495519689.04$rank
        printf '{%s"distributedInfo":{"rank":%d},"traceEvents":[%s,%s,%s]}' "$base" "$rank" \
            '{"ph":"X","cat":"user_annotation","name":"ProfilerStep#7","pid":1,"tid":1,"ts":1712195495519000.5,"dur":900.25}' \
            '{"ph":"X","cat":"kernel","name":"k\"'"$rank"'","ts":'"$start"',"dur":3.125,"args":{"device":'"$rank"',"stream":7}}' \
            '{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (x)","ts":1712195495519700.001,"dur":1,"args":{"device":'"$rank"',"stream":8,"bytes":64}}' \
            >"$scratch/in/rank$rank.json"
    done
    same "$scratch/in" "$scratch"/in/*.json
done
