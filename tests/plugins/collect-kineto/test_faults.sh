#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a trace cannot truly have is seen, counted and reported, with numbers computed by hand; what
# real traces have is not.
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

# kineto NAME <<PYTHON: makes the trace NAME.json from the events that the program puts into `ev`,
# and runs the pipeline on it.
kineto() {
    input=$1
    {
        cat <<'PY'
import json
ev = []
def launch(ts, dur, corr, name="cudaLaunchKernel", tid=500):
    ev.append({"ph": "X", "cat": "cuda_runtime", "name": name, "pid": 500, "tid": tid, "ts": ts,
               "dur": dur, "args": {"correlation": corr}})
def kernel(name, ts, dur, corr, stream=7):
    args = {"device": 0, "stream": stream}
    if corr is not None:
        args["correlation"] = corr
    ev.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": ts,
               "dur": dur, "args": args})
def operator(name, ts, dur, cat="cpu_op"):
    ev.append({"ph": "X", "cat": cat, "name": name, "pid": 500, "tid": 500, "ts": ts, "dur": dur})
def pair(n, ts, dur=50):
    launch(ts, 5, n)
    kernel("gemm", ts + 20, dur, n)
PY
        cat
        echo 'json.dump({"distributedInfo": {"rank": 0}, "traceEvents": ev}, open("'"$input"'.json", "w"))'
    } >make.py
    python3 make.py || exit 99
    rm -rf out
    opprof --pipeline kineto --set "input=$input.json" --output out --flat
}

# has FILE LINE: the results have that line.
has() {
    checks=$((checks + 1))
    grep -qxF -- "$2" "out/$1" || fail "$input: out/$1 lacks '$2': $(cat "out/$1")"
}

quiet() {
    expect 0
    checks=$((checks + 1))
    ! grep -qE "launch calls have no work|begin before the call|another clock|twice|before earlier work" "$WORK/.stderr" || fail "$input: said"
}

# Launches without work.
kineto lost <<'PY'
for n in range(100):
    launch(1000 + 20 * n, 5, n)
    if n >= 60:
        kernel("k", 1010 + 20 * n, 8, n)
PY
expect 4 \
    "60 of 100 launch calls have no work in it, so that work was lost; the first is 'cudaLaunchKernel' at 1000000 ns"
kineto one_lost <<'PY'
for n in range(100):
    pair(n, 1000 + 100 * n)
ev.pop(101)
PY
expect 4 "1 of 100 launch calls have no work"
# Each kind of call that always launches something counts, one that may not does not.
kineto kinds <<'PY'
pair(1, 1000)
launch(1100, 5, 2, "cudaMemcpyAsync")
launch(1200, 5, 3, "hipLaunchKernel")
launch(1300, 5, 4, "cuLaunchKernelEx")
launch(1400, 5, 5, "cudaMalloc")
launch(1500, 5, 6, "cudaUnknownCall")
launch(1600, 5, 7, "cudaStreamSynchronize")
PY
expect 4 "3 of 4 launch calls have no work"
# While a graph is captured nothing is launched, on any thread of the process, also if the recording
# began or ended during that.
kineto captured <<'PY'
launch(900, 5, 90)
launch(910, 5, 91, "cudaStreamEndCapture")
pair(1, 1000)
launch(1100, 5, 2, "cudaStreamBeginCapture")
launch(1110, 5, 3)
launch(1120, 5, 4, tid=501)
launch(1125, 5, 92, "cudaStreamBeginCapture", tid=502)
launch(1130, 5, 5, "cudaStreamEndCapture")
launch(1132, 5, 93, tid=502)
launch(1135, 5, 94, "cudaStreamEndCapture", tid=502)
launch(1140, 5, 6, "cudaGraphLaunch")
kernel("a", 1160, 10, 6)
kernel("b", 1170, 10, 6)
launch(1200, 5, 7, "hipStreamBeginCapture")
launch(1210, 5, 8, "hipLaunchKernel")
PY
quiet
kineto after_capture <<'PY'
launch(1100, 5, 2, "cudaStreamBeginCapture")
launch(1110, 5, 3)
launch(1130, 5, 5, "cudaStreamEndCapture")
launch(1140, 5, 6)
pair(1, 1200)
PY
expect 4 \
    "1 of 3 launch calls have no work in it, so that work was lost; the first is 'cudaLaunchKernel' at 1140000 ns"
# A call inside another one: either has the work.
kineto nested <<'PY'
for n in range(3):
    launch(1000 + 100 * n, 20, 10 + n)
    launch(1005 + 100 * n, 10, 20 + n, "cuLaunchKernel")
    kernel("k", 1050 + 100 * n, 30, (10 if n else 20) + n)
PY
quiet
# Where most work has no launch, or there is no work, it is said as ever.
kineto few_launches <<'PY'
for n in range(10):
    kernel("k", 1000 + 100 * n, 50, n)
launch(990, 5, 0)
launch(2000, 5, 77)
PY
quiet
holds grep -q "the calls that launched 9 of 10 pieces of device work" "$WORK/.stderr"

# Work before its launch: the clocks differ. Times of whole microseconds may be off by one.
kineto early <<'PY'
for n in range(20):
    launch(1000 + 100 * n, 5, n)
    kernel("k", 970 + 100 * n, 20, n)
PY
expect 4 \
    "20 piece(s) of device work begin before the call that launched them: the clocks of host and device differ"
kineto rounded <<'PY'
for n in range(20):
    launch(1000 + 100 * n, 5, n)
    kernel("k", 999 + 100 * n, 20, n)
PY
quiet
# Times of another clock: 8 of 10 are left, from 220 to 970.
for far in 10**11 2000000 -4000000000; do
    kineto jump <<PY
for n in range(10):
    launch(10**15 + 100 * n, 5, n)
    kernel("gemm", 10**15 + 100 * n + 20 - ($far if n < 2 else 0), 50, n)
PY
    expect 4 "2 piece(s) of device work have times of another clock"
    has temporal_breakdown.csv '0,350.000,400.000,0.000,750.000,46.6667,53.3333,0.0000'
done
# Not if all are: then the clocks differ, and nothing is better than the rest.
kineto all_far <<'PY'
for n in range(10):
    launch(10**10 + 100 * n, 5, n)
    kernel("gemm", 100 * n + 20, 50, n)
PY
expect 4 "10 piece(s) of device work begin before the call"
# A long queue is none of it.
kineto queue <<'PY'
for n in range(100):
    launch(1000 + 10 * n, 5, n)
    kernel("k", 1010 + 1000000 * n, 999990, n)
PY
quiet

# Work that is there twice counts once.
kineto twice <<'PY'
for n in range(5):
    pair(n, 100 * n)
    ev.append(ev[-1])
PY
expect 4 \
    "5 piece(s) of device work are in it twice, with the same stream, times and name; each counts once; the first is 'gemm' at 20000 ns"
has kernel_breakdown.csv \
    "gemm,250.000,50.000,50.000,0.000,50.000,COMPUTATION,0,5,$(tail -n 1 out/kernel_breakdown.csv | cut -d, -f 10-)"
kineto again_later <<'PY'
for n in range(5):
    pair(n, 100 * n)
ev += ev[2:4]
ev.append(dict(ev[1], args={"device": 0, "stream": 7}, ts=1000))
ev.append(ev[-1])
PY
expect 4 "2 piece(s) of device work are in it twice" \
    "1 call(s), operators or iterations are in it twice"
# Other streams, names or correlations are other work; copies on both directions begin together.
kineto alike <<'PY'
for n in range(4):
    launch(100 + 10 * n, 5, n)
kernel("k", 200, 50, 0)
kernel("k", 200, 50, 1, stream=8)
kernel("other", 200, 50, 2, stream=9)
kernel("k", 200, 0, 3, stream=10)
PY
quiet
# Operators, frames and iterations that are there twice to the nanosecond; in whole microseconds an
# operator may call itself.
kineto host <<'PY'
pair(1, 1000)
operator("aten::mm", 900.125, 200.5)
operator("aten::mm", 900.125, 200.5)
operator("nn.Module: Linear", 800.5, 400.25, "python_function")
operator("nn.Module: Linear", 800.5, 400.25, "python_function")
operator("ProfilerStep#1", 700.5, 900, "user_annotation")
operator("ProfilerStep#1", 700.5, 900, "user_annotation")
PY
expect 4 "3 call(s), operators or iterations are in it twice"
kineto recursive <<'PY'
pair(1, 1000)
operator("aten::to", 900, 200)
operator("aten::to", 900, 200)
PY
quiet

# Work over later work of its stream, from 50 us on.
kineto crossing <<'PY'
for n in range(6):
    launch(1000 + 10 * n, 2, n)
kernel("fmha", 1100, 1000000, 0)
for n in range(1, 6):
    kernel("gemm", 1100 + 100 * n, 50, n)
PY
expect 4 "5 piece(s) of device work begin over 50 us before earlier work of their stream ends" \
    "the first is 'gemm' at 1200000 ns"
kineto overlapping <<'PY'
for n in range(6):
    launch(1000 + 10 * n, 2, n)
    kernel("gemm", 2000 + 100 * n, 149.9, n)
    launch(1500 + 10 * n, 2, 10 + n)
    kernel("copy", 2000 + 100 * n, 149.9, 10 + n, stream=8)
PY
quiet
finish
