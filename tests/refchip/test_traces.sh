#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Channels that trace some cores of the newest series: what pipes did, each of their instructions,
# and where their program counters were, is what the chip did; old and new drivers; faults.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
cd "$scratch"

# trace NAME CODE METRICS WORD... : onboard-live with the options in $set on a chip with $faults
# over a command into ./NAME
set=() faults=
trace() {
    local name=$1 wanted=$2 metrics=$3 code=0
    shift 3
    OPPROF_REFCHIP="account=$PWD/$name.account $faults" "$OPPROF_RUN" --output "$name" --flat \
        --set warm_up=1 --set deadline=600 \
        --set metrics="$metrics" "${set[@]}" onboard-live -- "$chip" --chip Ascend950PR_9599 "$@" \
        >said 2>why </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat said why >&2; fail "$name: exit code $code, not $wanted"; }
    grep -qx verified said || { cat said why >&2; fail "the operator's own result is wrong"; }
}
says() { tr '\n' ' ' <why | grep -qF -- "$1" || { cat why >&2; fail "not reported: $1"; }; }

cat >account.py <<'END'
"""account.py pipes|instructions|samples NAME: against the chip's account of the pass whose channels cover these six cores."""
import collections, csv, json, os, sys
what, name = sys.argv[1:]
COVERED, MHZ = [0, 9, 17, 18, 27, 35], 1800
runs = [json.loads(line) for line in open(name + ".account", encoding="utf-8")]
runs = [run for run in runs if set(range(11, 29)) <= set(run["channels"])]
if what == "pipes":
    run, got = runs[-1], collections.Counter()
    events = [e for e in json.load(open(name + "/trace.json", encoding="utf-8"))["traceEvents"] if e["ph"] == "X"]
    for event in events:
        got[event["pid"], event["tid"]] += event["dur"] * MHZ
    pipes = {"SCALAR": "scalar", "VECTOR": "vector", "CUBE": "cube", "MTE1": "mte1", "MTE2": "mte2", "MTE3": "mte3", "FIXP": "fix"}
    compared = 0
    for core in run["cores"]:
        if core["ai_core"] in COVERED:
            unit = f"core{core['ai_core']}." + ("cubecore", "veccore0", "veccore1")[core["sub_core"]]
            for pipe, count in pipes.items():
                assert abs(got.pop((unit, pipe), 0) - core[count + "_busy"]) <= 0.001 * MHZ * len(events), (unit, pipe, core)
                compared += core[count + "_busy"] > 0
    assert not got and compared >= 12, (got, compared)
    sys.exit(0)
if what == "instructions":  # of a launch whose cores are covered
    run, first = runs[-1], int(open(name + "/dump/pc_start_addr.txt", encoding="utf-8").read(), 16)
    plain = [json.loads(line) for line in open(name + ".account", encoding="utf-8")][-1]
    assert all(core["ai_core"] == 0 for core in run["cores"])
    events = [e for e in json.load(open(name + "/trace.json", encoding="utf-8"))["traceEvents"] if e["ph"] == "X"]
    got = collections.Counter((int(e["args"]["pc_addr"], 16) - first, e["name"]) for e in events)
    moves = ("MOV_OUT", "MOV_UB", "LOAD_L1", "FIX_", "MMAD", "VADD", "MOVEMASK", "VRELU")
    true = {(one["pc"], one["name"]): one["executed"] for one in plain["instructions"] if one["name"].startswith(moves)}
    assert got == true, (got, true)
    times = collections.Counter()
    for event in events:
        times[event["pid"], event["tid"]] += event["dur"] * MHZ
    for core in run["cores"]:
        unit = "core0." + ("cubecore", "veccore0", "veccore1")[core["sub_core"]]
        for pipe, count in {"VECTOR": "vector", "CUBE": "cube", "MTE1": "mte1", "MTE2": "mte2", "MTE3": "mte3", "FIXP": "fix"}.items():
            # A mark takes a cycle of its pipe.
            wanted = core[count + "_busy"] + core[count + "_instr"]
            assert abs(times.pop((unit, pipe), 0) - wanted) <= 0.001 * MHZ * len(events), (unit, pipe, core)
    assert not times, times
    sys.exit(0)
run = runs[0]
# What the stub before the kernel did is nobody's.
stub, offset = name + "/dump/PcOffset.bin", 0
if os.path.exists(stub):
    offset = int.from_bytes(open(stub, "rb").read(), "little")
    assert offset > 0 and offset % 8 == 0, offset
true = {one["pc"] - offset: one["samples"] for one in run["instructions"] if "samples" in one and one["pc"] >= offset}
# A sample holds bits 3 and up of an address: two instructions share a place.
places = collections.Counter()
for pc, samples in true.items():
    places[pc // 8 * 8] += sum(samples)
rows = list(csv.DictReader(open(name + "/HotInstructions.csv", encoding="utf-8")))
first = min(int(row["Address"], 16) for row in rows)
got = {int(row["Address"], 16) - first: int(row["All Samples"]) for row in rows if row["All Samples"] not in ("NA", "0")}
assert got == dict(places), (got, places)
# A core is sampled every 32 cycles of its own.
most = sum(core["cycles"] // 32 + 1 for core in run["cores"] if core["ai_core"] in COVERED)
assert 0.5 * most < sum(places.values()) <= most, (most, sum(places.values()))
reasons = collections.Counter()
for row in csv.DictReader(open(name + "/StallReasons.csv", encoding="utf-8")):
    reasons[row["Reason"]] += int(row["Samples"])
words = ["IBuf_Empty", "Nop_Cycles", "Scoreboard_Not_Ready", "Register_bank_conflict", "Resource_conflict", "Warp_Level_Sync",
         "Divergence_Stack_Spill", "Others"]
for i, word in enumerate(words):
    assert reasons.pop(word, 0) == sum(samples[i] for samples in true.values()), (word, reasons)
END

# The channels watch a few cores: they have their own names, and it is said how many others ran.
trace watched 0 PipeTimeline matmul --blocks 32 --size 512
says 'the channels watch 6 of 36 cores (0, 9, 17, 18, 27, 35): 27 of the 32 that ran a block are not seen'
python3 account.py pipes watched || fail "the pipes of watched cores are others than the chip's"

set=(--set dump=on)
trace cube 0 BasicInfo,PipeTimeline matmul --double-buffer --blocks 24
python3 account.py pipes cube || fail "pipes of cube cores did not do what the chip did"
trace vector 0 BasicInfo,PipeTimeline vector-add --blocks 48
python3 account.py pipes vector || fail "pipes of vector cores did not do what the chip did"
[ $(($(stat -c %s vector/dump/timeline.bin.0) % 2097160)) = 0 ] ||
    fail "the pieces of timeline.bin.0 are not whole"
"$OPPROF_RUN" -q --pipeline onboard-dump --set input=vector/dump --set metrics=PipeTimeline \
    --output offline --flat >/dev/null 2>why ||
    { cat why >&2; fail "onboard-dump: exit code $?"; }
cmp vector/trace.json offline/trace.json || fail "live and offline differ"
trace marked 0 InstrTimeline matmul --double-buffer --blocks 1
python3 account.py instructions marked ||
    fail "instructions of a cube core were not those of the chip"
"$OPPROF_RUN" -q --pipeline onboard-dump --set input=marked/dump --set metrics=InstrTimeline \
    --output marked-offline --flat >/dev/null 2>why ||
    { cat why >&2; fail "onboard-dump: exit code $?"; }
cmp marked/trace.json marked-offline/trace.json || fail "live and offline differ"
trace vectors 0 InstrTimeline vector-add --double-buffer --blocks 2
python3 account.py instructions vectors ||
    fail "instructions of vector cores were not those of the chip"
trace together 0 InstrTimeline matmul --relu --blocks 1
python3 account.py instructions together ||
    fail "instructions of a mixed kernel were not those of the chip"
set=(--set 'instr_timeline_pipe=cube|MTE1')
trace few 0 InstrTimeline matmul --blocks 1
[ "$(python3 -c 'import json
print(*sorted({e["tid"] for e in json.load(open("few/trace.json"))["traceEvents"]
               if e["ph"] == "X"}))')" = 'CUBE MTE1' ] || fail "other pipes have instructions"
set=(--set dump=on)
OPPROF_INSTRUMENTER='' trace unmarked 4 InstrTimeline matmul --blocks 1
says 'so its results lack its instructions: No known tool'
trace sampled 0 PcSampling matmul --double-buffer --blocks 24
python3 account.py samples sampled || fail "samples are not where the chip was"
trace mixed 0 PcSampling matmul --relu --blocks 24
python3 account.py samples mixed || fail "samples of a mixed kernel are not where the chip was"
# Without a tool the kernel is sampled as it is.
OPPROF_INSTRUMENTER='' trace plain 4 PcSampling matmul --blocks 24
[ ! -e plain/dump/PcOffset.bin ] || fail "there is a stub without a tool"
trace both 0 PcSampling,PipeTimeline vector-add --blocks 48
python3 account.py samples both || fail "samples of vector cores are not where the chip was"
python3 account.py pipes both || fail "samples and pipes mix"

# A driver that does not say which it is takes the shorter words.
mkdir hidden
cp -L -- "$REFCHIP_LIBRARIES/libascend_hal.so" hidden/
LC_ALL=C sed -i 's/\x00halGetAPIVersion\x00/\x00_alGetAPIVersion\x00/g' hidden/libascend_hal.so
OPPROF_REFCHIP_LIBRARIES=$PWD/hidden trace old 0 BasicInfo,PipeTimeline matmul --blocks 24
python3 account.py pipes old || fail "pipes of an old driver did not do what the chip did"

# A channel that fails is named; silent cores do not count among the six.
set=()
faults=lose_stop=11 trace lost 4 BasicInfo,PipeTimeline matmul --blocks 24
says 'Channel 11 lost records'
faults=fail_start=14 trace start 4 PcSampling matmul --blocks 24
says 'does not start channel 14'
says "nothing is made of the metrics 'PcSampling'"
trace seldom 0 BasicInfo,PipeTimeline matmul --blocks 1
faults=silent=11 trace silent 4 BasicInfo,PipeTimeline matmul --blocks 1
says 'None of the 18 channels of pass 7, which cover some cores, gave records'

# Words.
refused() {
    code=0
    "$OPPROF_RUN" --output refused --flat "${@:2}" onboard-live -- touch ran >said 2>why || code=$?
    [ "$code" = 2 ] || fail "${*:2}: exit code $code"
    says "$1"
}
refused 'PcSampling needs' --set replay_mode=application --set metrics=PcSampling
refused 'InstrTimeline needs' --set replay_mode=application --set metrics=InstrTimeline
refused 'InstrTimeline excludes' --set metrics=InstrTimeline,PipeTimeline
refused "'SCALAR' is not one of" --set metrics=InstrTimeline --set 'instr_timeline_pipe=CUBE|SCALAR'
refused 'needs metrics=InstrTimeline' --set instr_timeline_pipe=CUBE
