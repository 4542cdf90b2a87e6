#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Operators, annotations, modules: real traces and random ones against counting without a stack.
. "$(dirname "$0")/../../e2e/lib.sh"
model=$(cd "$(dirname "$0")" && pwd)/operators_model.py
cd "$WORK" || exit 99

compare() {
    rm -rf out
    opprof --pipeline kineto --set "input=$1" --output out --flat
    expect 0
    run python3 "$model" "$1" out
    expect 0
}

compare "$DATA/kineto/sampled_rank-0.json.gz"
compare "$DATA/kineto/event_sync_multi_stream.json.gz"
compare "$DATA/kineto/trace_compare_base.json.gz"
compare "$DATA/kineto/mi250_minitoy.json.gz"

# Two threads of nested events, some of which end after what they are in; events in no order;
# graphs.
for seed in 1 2 3 4 5 6 7 8; do
    python3 - "$seed" >random.json <<'PY'
import json, random, sys
random.seed(int(sys.argv[1]))
events, correlation = [], 0

def host(tid, start, end, depth):
    global correlation
    at = start
    while at < end:
        length = random.randint(0, max(1, (end - at) // 2))
        cat = random.choice(["cpu_op", "cpu_op", "user_annotation", "python_function"])
        name = {"python_function": random.choice(["nn.Module: M_", "net.py(7): f"])}.get(
            cat, cat) + str(random.randint(0, 3))
        over = random.choice([0, 0, 0, 3])
        event = {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": tid, "ts": at / 8,
                 "dur": (length + over) / 8}
        if event in events:
            event["name"] += "'"  # the same one twice would be a fault of the trace
        events.append(event)
        if depth < 5 and length > 2:
            host(tid, at + random.randint(0, 1), at + length, depth + 1)
        if random.random() < 0.5:
            correlation += 1
            when = random.randint(at, at + length)
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1,
                           "tid": tid, "ts": when / 8, "dur": 1 / 8,
                           "args": {"correlation": correlation}})
            for part in range(random.choice([1, 1, 1, 3])):
                events.append({"ph": "X", "cat": "kernel", "name": "k%d" % random.randint(0, 2),
                               "pid": 0, "tid": 7,
                               "ts": (when + 14 * part + random.randint(0, 12)) / 8,
                               "dur": random.randint(0, 9) / 8,
                               "args": {"stream": 7, "device": 0, "correlation": correlation}})
        at += length + random.randint(1, 4)

host(1, 1000, 1400, 0)
host(2, 1100, 1500, 0)
events.sort(key=lambda e: (e.get("tid") != 7, random.random() if e["cat"] == "kernel" else e["ts"],
                           -e["dur"]))
print(json.dumps({"distributedInfo": {"rank": 0}, "traceEvents": events}))
PY
    compare random.json
done

# Without operators nothing is known of them, and nothing else changes.
cp out/idle_breakdown.csv with.csv
rm -rf out
opprof --pipeline kineto --set input=random.json --set kineto.operators=false --output out --flat
holds cmp with.csv out/idle_breakdown.csv
holds [ ! -s out/operators.csv ]
finish
