#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files with several recordings, processes or devices: work is tied to its own launches, and devices
# of one number are told apart.
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
def pair(corr, ts, host, device, number=0, stream=7, after=15, dur=50):
    """A call of 5 us, and work that begins `after` us after its end."""
    ev.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": host, "tid": 5,
               "ts": ts, "dur": 5, "args": {"correlation": corr}})
    args = {"stream": stream, "correlation": corr}
    if number is not None:
        args["device"] = number
    ev.append({"ph": "X", "cat": "kernel", "name": "gemm", "pid": device, "tid": stream, "ts": ts +
               5 + after, "dur": dur, "args": args})
PY
        cat
        echo 'json.dump({"distributedInfo": {"rank": 0}, "traceEvents": ev}, open("'"$input"'.json", "w"))'
    } >make.py
    python3 make.py || exit 99
    rm -rf out
    opprof --pipeline kineto --set "input=$input.json" --set launches.rows=true --output out --flat
}

# delays WANTED: the launch delays of the rows, each once.
delays() {
    local found
    checks=$((checks + 1))
    found=$(python3 \
        -c 'import csv; print(" ".join(sorted({row["launch_delay"] for row in csv.DictReader(open("out/launches.csv"))})))')
    [ "$found" = "$1" ] || fail "$input: launch delays '$found', not '$1'"
    found=$(($(wc -l <out/launches.csv) - 1))
    [ "$found" = "$2" ] || fail "$input: $found launches, not $2"
}

devices() {
    checks=$((checks + 1))
    local found
    found=$(python3 \
        -c 'import csv; print("; ".join(row["device"] for row in csv.DictReader(open("out/temporal_breakdown_by_device.csv"))))')
    [ "$found" = "$1" ] || fail "$input: devices '$found', not '$1'"
}

# Ranks whose processes have a text in front of their numbers; the second begins in the middle of
# the first.
kineto texts <<'PY'
for n in range(4):
    pair(n, 1000 + 100 * n, "[TP00] 500", "[TP00] 0", 0)
    pair(n, 1230 + 100 * n, "[TP01] 500", "[TP01] 1", 1)
PY
expect 0
delays 15.000 8
devices "rank 0 device 0; rank 0 device 1"
# Each sees its own GPU as device 0, whether the work says so or its process does.
for number in 0 None; do
    for form in '"[TP0%d] %d" % (rank, pid)' '"rank%d-%d" % (rank, pid)' \
        '"%d@node%d" % (pid, rank)'; do
        kineto same <<PY
for rank in (0, 1):
    name = lambda pid: $form
    for n in range(3):
        pair(n, 1000 + 100 * n, name(500), name(0), $number)
PY
        expect 0
        delays 15.000 6
        checks=$((checks + 1))
        [ "$(wc -l <out/temporal_breakdown_by_device.csv)" = 3 ] ||
            fail "$form $number: $(cat out/temporal_breakdown_by_device.csv)"
    done
done
# The work of another rank's lost launch is not tied to a call of this one.
kineto lost <<'PY'
pair(1, 1000, "[TP00] 500", "[TP00] 0", 0)
pair(2, 1100, "[TP00] 500", "[TP00] 0", 0)
pair(2, 1200, "[TP01] 500", "[TP01] 1", 1)
pair(1, 1300, "[TP01] 500", "[TP01] 1", 1)
del ev[4]
PY
expect 0 "the calls that launched 1 of 4 pieces of device work"
delays 15.000 3
# Numbers instead of texts: the process whose calls come before the work of a device launched it.
kineto numbers <<'PY'
for n in range(6):
    pair(n, 1000 + 100 * n, 1500, 0, 0)
    pair(5 - n, 1040 + 100 * n, 2500, 1, 1)
PY
expect 0
delays 15.000 12
# Two devices 0 whose work runs in one stream at the same time are two.
kineto twins <<'PY'
for n in range(4):
    pair(n, 1000 + 100 * n, 1500, 1000, 0, dur=70)
    pair(10 + n, 1010 + 100 * n, 2500, 2000, 0, dur=70)
PY
expect 0
devices "rank 0 device 0 of process 1000; rank 0 device 0 of process 2000"
# One device that two processes use in turn is one.
kineto shared <<'PY'
for n in range(4):
    pair(n, 1000 + 200 * n, 1500, 1000, 0)
    pair(10 + n, 1100 + 200 * n, 2500, 2000, 0)
PY
expect 0
devices "rank 0 device 0"

# Devices that take part in the same collectives are ranks: device 1 comes 300 us late to each of
# five. Its cost is 1500 us, and the time of each rank is 5 x 500 us.
collectives() { # the names of the collectives of device 1
    cat <<PY
for device in (0, 1):
    for n in range(5):
        late = 300 * device
        for name, ts, dur in (("gemm", 1000 * n, 100 + late), ("ncclDevKernel_AllReduce" if device == 0 else $1, 1000 * n + 100 + late, 400 - late)):
            ev.append({"ph": "X", "cat": "kernel", "name": name, "pid": device, "tid": 7, "ts": ts, "dur": dur, "args": {"device": device, "stream": 7}})
ev.append({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 5, "tid": 5, "ts": 0, "dur": 7})
PY
}
kineto ranks <<<"$(collectives '"ncclDevKernel_AllReduce"')"
expect 0 "its 2 devices take part in the same collectives, so that each is a rank"
holds [ "$(cut -d, -f 1,5 out/temporal_breakdown.csv | tail -n +2 | tr '\n' ' ')" = "0,4500.000 1,4500.000 all,9000.000 " ]
holds grep -q '^1,.*1500\.000' out/collective_ranks.csv
holds grep -q '^0,aten::mm,1,7.000,' out/operators.csv
holds [ "$(wc -l <out/operators.csv)" = 2 ]
holds [ -s out/rank1/trace.json ]
# Other collectives on each, or on one of them only: one rank with two devices.
for other in '"ncclDevKernel_AllGather"' '"gemm2"'; do
    kineto one_rank <<<"$(collectives "$other")"
    expect 0
    devices "rank 0 device 0; rank 0 device 1"
done

# Several recordings of a process: the numbers of calls begin anew.
kineto cycles <<'PY'
for cycle in range(3):
    for n in range(5):
        pair(n, 1000 + 10000 * cycle + 100 * n, 500, 0)
PY
expect 0
delays 15.000 15
# Calls inside each other that share a number: the outer one, from its end.
kineto inside <<'PY'
for n in range(3):
    pair(n, 1000 + 100 * n, 500, 0)
    ev.append(dict(ev[-2], name="cuLaunchKernel", ts=1001 + 100 * n, dur=2))
PY
expect 0
delays 15.000 3

# queued NAME CODE <<PYTHON: a trace of ranks that launch at random times into queues, by calls of
# rank(number, host, device, stream, dev). Each piece of work has a name and a known delay.
queued() {
    local found
    {
        cat <<'PY'
import random
delays = {}
def rank(number, host, device, stream=7, dev=0, start=0, count=30, thread=5):
    noise, now, free = random.Random(number), 1000 + start + 7 * number, 0
    for i in range(count):
        begin = max(now + 15, free + 1)
        name = "k%d_%d" % (number, i)
        ev.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": host,
                   "tid": thread, "ts": now, "dur": 5, "args": {"correlation": 100 + i}})
        ev.append({"ph": "X", "cat": "kernel", "name": name, "pid": device, "tid": stream,
                   "ts": begin, "dur": noise.randrange(10, 25),
                   "args": {"device": dev, "stream": stream, "correlation": 100 + i}})
        delays[name] = begin - now - 5
        free = begin + ev[-1]["dur"]
        now += noise.randrange(5, 25)
PY
        cat
        echo 'json.dump(delays, open("delays.json", "w"))'
    } >queued.py
    kineto "$1" <queued.py
    expect "$2" "${@:3}"
    [ "$2" = 0 ] || return
    checks=$((checks + 1))
    found=$(python3 -c 'import csv, json
wanted = json.load(open("delays.json"))
rows = csv.DictReader(open("out/launches.csv"))
found = {row["name"]: float(row["launch_delay"]) for row in rows}
print(*[name for name in wanted if found.get(name) != wanted[name]])')
    [ -z "$found" ] || fail "$1: not launched by their calls: $found"
}

# Processes and devices by numbers, in any order; numbers that tools for merging made.
queued in_order 0 <<<'for n in range(4): rank(n, 500 + n, n, dev=n)'
queued reversed 0 <<<'for n in range(4): rank(n, 500 + n, 3 - n, dev=3 - n)'
queued offsets 0 <<<'for n in range(3): rank(n, 1000000 * n + 500, 1000000 * n)'
# One process for the devices of all ranks: their streams differ, or they ran one after the other.
queued streams 0 <<<'for n in range(3): rank(n, 500 + n, 0, stream=7 + 10 * n)'
queued after 0 <<<'for n in range(3): rank(n, 500 + n, 0, start=50000 * n)'
# Nothing tells the calls, or the work, of two ranks apart.
queued one_host 4 "have several calls of their correlation that may have launched them" \
    <<<'for n in range(2): rank(n, 500, n, dev=n)'
queued one_device 4 "have several calls of their correlation that may have launched them" \
    <<<'for n in range(2): rank(n, 500 + n, 0)'
finish
