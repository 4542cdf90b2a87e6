#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two traces compared: operators, annotations and kernels by name, iterations by place.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

for run in base test; do
    "$OPPROF_RUN" -q --pipeline kineto \
        --set "input=$root/tests/data/kineto/trace_compare_$run.json.gz" \
        --output "$scratch/$run" --flat >/dev/null || fail "$run"
done
# The same iterations under other numbers.
gzip -dc "$root/tests/data/kineto/trace_compare_test.json.gz" |
    sed 's/ProfilerStep#1009/ProfilerStep#77/g; s/ProfilerStep#1010/ProfilerStep#78/g' \
        >"$scratch/other.json"
"$OPPROF_RUN" -q --pipeline kineto --set "input=$scratch/other.json" --output "$scratch/other" \
    --flat >/dev/null ||
    fail "other"
for run in test other; do
    "$OPPROF_RUN" --diff "$scratch/base" "$scratch/$run" --format json >"$scratch/$run.diff" ||
        fail "--diff"
done

# What the reference finds: three operators new, of 207, 311 and 11 us; one of two annotations of 67
# us gone; a kernel of 4 us gone.
python3 - "$scratch/test.diff" "$scratch/other.diff" <<'PY' || fail \
    "the differences are not those of the reference"
import json, sys

def changes(path):
    return {(t["table"], c["key"], c["column"]): (c["kind"], c["before"], c["after"])
            for t in json.load(open(path))["tables"] for c in t["changes"]}

found = changes(sys.argv[1])
for name, total in (("AddmmBackward0", 207), ("All2All_Pooled_Req", 311), ("CatBackward0", 11)):
    one = found["trace_operators", "1  " + name, "total_us"]
    assert one[0] == "new" and one[2] == total, (name, one)
assert found["trace_annotations", "1  nccl:all_reduce", "total_us"] == ("faster", 133, 66)
assert found["trace_annotations", "1  nccl:all_reduce", "count"] == ("less", 2, 1)
kernels = [c for (table, _, column), c in found.items() if table == "trace_kernel_breakdown"]
assert any(c[1] == 12 and c[2] == 8 for c in kernels), kernels
assert not any("aten::as_strided" in key for _, key,
               _ in found), "an operator that is the same differs"
# When gaps begin is no time that anything took, and gaps without an operator have nothing in
# common.
document = json.load(open(sys.argv[1]))
assert not any(column == "start_us" for _, _, column in found), "moments are compared"
assert document["causes"] and not any(c["column"] == "start_us" or c["key"] == ""
                                      for c in document["causes"]), document["causes"]
# Means, and times that rows share, are causes of nothing: their sums are times that nothing took.
alone = {"path_us", "half_gain_us", "total_us", "device_total_us", "mean_us", "max_us", "delay_us",
         "delay_mean_us", "transfer_us"}
assert not any(c["column"] in alone for c in document["causes"]), document["causes"]
# Iterations have other names, and the same places: two rows, which differ by nothing but the kernel
# that is gone.
steps = {t["table"]: t for t in json.load(open(sys.argv[2]))["tables"]}["trace_steps"]
assert steps["rows"] == 2, steps
assert [(c["key"], c["column"], c["before"], c["after"])
        for c in steps["changes"]] == [("1  1", "kernels", 6, 5)], steps
PY

# Ten iterations of 100 us, the last then of 300 us: that it now differs from the others is no cause
# of 300 us.
for last in 100 300; do
    python3 - "$last" >"$scratch/last-$last.json" <<'PY'
import json, sys
ends = [100] * 9 + [int(sys.argv[1])]
starts = [sum(ends[:i]) for i in range(10)]
json.dump([event for i, (start, time) in enumerate(zip(starts, ends)) for event in (
    {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % i, "pid": 1, "tid": 1,
     "ts": start, "dur": time},
    {"ph": "X", "cat": "kernel", "name": "k", "ts": start, "dur": time,
     "args": {"device": 0, "stream": 7}})], sys.stdout)
PY
    "$OPPROF_RUN" -q --pipeline kineto --set "input=$scratch/last-$last.json" \
        --output "$scratch/last-$last" --flat >/dev/null || fail "$last"
done
"$OPPROF_RUN" --diff "$scratch/last-100" "$scratch/last-300" --format json >"$scratch/last.diff" ||
    fail "--diff of iterations"
python3 - "$scratch/last.diff" <<'PY' || fail "the part in which an iteration differs is a cause"
import json, sys

causes = [c for c in json.load(open(sys.argv[1]))["causes"] if c["table"] == "trace_steps"
          and c["by"]]
assert [(c["by"], c["key"], c["before"], c["after"]) for c in causes
        if c["by"] != "rank"] == [("step", "ProfilerStep#9", 100, 300)], causes
PY

# Two ranks side by side, each with two products one after the other, of 10 and 11 us, then of 12
# and 11 us: 21 us of computation become
# 23. The row of all ranks does not count beside theirs, and that another product is the longest of
# the group is no cause.
for run in one two; do
    mkdir "$scratch/in-$run"
    first=$([ "$run" = one ] && echo 10 || echo 12)
    for rank in 0 1; do
        cat >"$scratch/in-$run/rank$rank.json" <<JSON
{"distributedInfo": {"rank": $rank}, "traceEvents": [
 {"ph": "X", "cat": "kernel", "name": "gemm_a", "ts": 0, "dur": $first, "args": {"device": $rank, "stream": 7}},
 {"ph": "X", "cat": "kernel", "name": "gemm_b", "ts": $first, "dur": 11, "args": {"device": $rank, "stream": 7}}]}
JSON
    done
    "$OPPROF_RUN" -q --pipeline kineto --set "input=$scratch/in-$run" --output "$scratch/$run" \
        --flat >/dev/null || fail "$run"
done
"$OPPROF_RUN" --diff "$scratch/one" "$scratch/two" --format json >"$scratch/ranks.diff" ||
    fail "--diff of ranks"
python3 - "$scratch/ranks.diff" <<'PY' || fail \
    "the row of all ranks counts twice, or a text is wrongly a cause"
import json, sys

document = json.load(open(sys.argv[1]))
causes = document["causes"]
run = document["run_time"]
assert (run["column"], run["kind"], run["before"], run["after"]) == ("span_us", "slower", 21,
                                                                     23), run
assert max(c["after"] for c in causes) == 23, causes
assert not any((c["by"] or "") in ("longest", "longest_name", "short_name", "demangled")
               for c in causes), causes
assert {(c["before"], c["after"]) for c in causes if c["table"] == "trace_temporal_breakdown"} == {
    (21, 23)}, causes
assert [(c["before"], c["after"]) for c in causes if c["by"] == "group"] == [(21, 23)], causes
PY

# A copy before and a fill after the work are part of the run: two traces of 100 us are equally
# long, however much of it is work.
for run in long short; do
    time=$([ "$run" = long ] && echo 80 || echo 40)
    cat >"$scratch/copies-$run.json" <<JSON
{"traceEvents": [
 {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "ts": 0, "dur": 10, "args": {"device": 0, "stream": 7, "bytes": 100}},
 {"ph": "X", "cat": "kernel", "name": "gemm", "ts": 10, "dur": $time, "args": {"device": 0, "stream": 7}},
 {"ph": "X", "cat": "gpu_memset", "name": "Memset", "ts": 95, "dur": 5, "args": {"device": 0, "stream": 7, "bytes": 100}}]}
JSON
    "$OPPROF_RUN" -q --pipeline kineto --set "input=$scratch/copies-$run.json" \
        --output "$scratch/copies-$run" --flat >/dev/null || fail "copies-$run"
done
[ "$("$OPPROF_RUN" --diff "$scratch/copies-long" "$scratch/copies-short" | head -n 1)" = "The run: same, span_us 100 -> 100 us +0.0 %" ] ||
    fail "copies are no part of the run"
