#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Monitors of cores, programmed through registers that the driver maps: what pipes did is what the
# chip did, words that are lost are counted, and cores that fail are named.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
cd "$scratch"

# A chip with the counters of one series and the monitors of another.
mkdir chips
python3 - "$root/chips/950.json" <<'END' >chips/watched.json
import json, sys
newest = json.load(open(sys.argv[1], encoding="utf-8"))
json.dump({"opprof_chip": "1.0", "series": "watched", "extends": "910B", "default_soc": "Watched1",
           "socs": {"Watched1": {}}, "perfmon": newest["perfmon"], "biu": newest["biu"],
           "metrics": {"choices": {"PipeTimeline": {}}}}, sys.stdout)
END
export OPPROF_CHIP_PATH=$PWD/chips:$OPPROF_CHIP_PATH

# monitor NAME CODE WORD... : onboard-live with the options in $set on a chip with $faults over a
# command into ./NAME
set=() faults=
monitor() {
    local name=$1 wanted=$2 code=0
    shift 2
    OPPROF_REFCHIP="account=$PWD/$name.account $faults" "$OPPROF_RUN" --output "$name" --flat \
        --set clear_cache=off \
        --set warm_up=1 --set metrics=PipeTimeline --set provisional=on "${set[@]}" onboard-live \
        -- "$chip" --chip "${soc:-Watched1}" "$@" >said 2>why </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat said why >&2; fail "$name: exit code $code, not $wanted"; }
    grep -qx verified said || { cat said why >&2; fail "the operator's own result is wrong"; }
}
says() { grep -qF -- "$1" why || { cat why >&2; fail "not reported: $1"; }; }

# account NAME: the time in which each pipe of each core worked is what the chip counted, in cycles.
cat >account.py <<'END'
import collections, json, sys
name = sys.argv[1]
lines = [json.loads(line) for line in open(name + ".account", encoding="utf-8")]
kind = lines[-1]["kind"]
# The pass with monitors is the last one before the program's own launch, or that itself: blocks are placed the same each time.
cores = lines[-1]["cores"]
events = [e for e in json.load(open(name + "/trace.json", encoding="utf-8"))["traceEvents"] if e["ph"] == "X"]
mhz = 1850
got = collections.Counter()
for event in events:
    if not event["name"].startswith(("Mark", "Region")):
        got[event["pid"], event["tid"]] += event["dur"] * mhz
names = {"SCALAR": "scalar", "VECTOR": "vector", "CUBE": "cube", "MTE1": "mte1", "MTE2": "mte2", "MTE3": "mte3", "FIXP": "fix"}
compared = 0
for core in cores:
    unit = f"core{core['ai_core']}." + {0: "cubecore", 1: "veccore0", 2: "veccore1"}[core["sub_core"]]
    for pipe, count in names.items():
        busy = core[count + "_busy"]
        assert abs(got.pop((unit, pipe), 0) - busy) <= 0.001 * mhz * max(1, len(events)), (unit, pipe, busy)
        compared += busy > 0
assert not got, got
assert compared >= 3 * len(cores), compared
print(compared, "pipes of", len(cores), kind, "cores,", len(events), "spans")
END

set=(--set dump=on)
monitor matmul 0 matmul --double-buffer --blocks 24
python3 account.py matmul || fail "pipes of cube cores did not do what the chip did"
[ "$(find matmul/dump -name 'perfmon.core*.aic' | wc -l)" = 24 ] ||
    fail "not each of 24 cores has its stream"
monitor vector 0 vector-add --blocks 48
python3 account.py vector || fail "pipes of vector cores did not do what the chip did"
[ "$(find vector/dump -name 'perfmon.core*.aiv?' | wc -l)" = 48 ] ||
    fail "not each of 48 vector cores has its stream"
"$OPPROF_RUN" -q --pipeline onboard-dump --set input=vector/dump --set metrics=PipeTimeline \
    --output offline --flat >/dev/null 2>why ||
    { cat why >&2; fail "onboard-dump: exit code $?"; }
cmp vector/trace.json offline/trace.json || fail "live and offline differ"

# With counters beside it; several launches do not mix.
set=(--set 'metrics=Default,PipeTimeline' --set launch_count=2)
monitor both 0 vector-add --repeat 2
for order in 0 1; do
    [ -s "both/device0/vector_add/$order/PipeUtilization.csv" ] ||
        fail "there are no counters of launch $order"
    [ -s "both/device0/vector_add/$order/trace.json" ] ||
        fail "there is no timeline of launch $order"
done

# A buffer that is too small: what is lost is counted to the byte.
set=(--set monitor_buffer=1 --set dump=on)
monitor small 4 matmul --blocks 2
says 'Monitors of cores lost'
python3 - <<'END' || fail "bytes that were kept and lost do not add up"
import os, re
why = open("why", encoding="utf-8").read()
lost, places = map(int, re.search(r"lost (\d+) bytes, at (\d+) places", why).groups())
kept = sum(os.path.getsize(f"small/dump/perfmon.core{core}.aic") for core in (0, 1)) - 4 * places
open("sum", "w").write(str(kept + lost))
END
set=(--set dump=on)
monitor large 0 matmul --blocks 2
[ "$(cat sum)" = "$(cat large/dump/perfmon.core*.aic | wc -c)" ] ||
    fail "kept and lost are $(cat sum) bytes, the whole is $(cat large/dump/perfmon.core*.aic | wc -c)"

# Cores that cannot be mapped, that never write, whose pointer stands still.
set=()
faults=fail_map=2 monitor unmapped 4 matmul --blocks 2
says '1 of 36 cores have no monitor: the driver does not map core 1: error 8'
faults=silent_monitor=2 monitor silent 4 matmul --blocks 2
says 'no stream of a core names block 1'
faults=silent_monitor=1 monitor nobody 4 matmul --blocks 1
says 'No monitor of a core wrote a word'
set=(--set monitor_buffer=4)
faults=stuck_monitor=1 monitor stuck 4 matmul --blocks 2
says 'The write pointers of 1 monitors stand still'
faults=windows=0 monitor none 4 matmul
says 'Monitors of cores are not read'
OPPROF_REFCHIP_LIBRARIES=$REFCHIP_LAYOUTS/no_channels/.libs monitor driver 4 matmul
set=(--set monitor_buffer=65536)
faults=memory=100000000 monitor full 4 matmul
says 'the device has not enough free memory for their buffers'

# The newest series has registers of its own; other chips have none, and nobody writes to
# unconfirmed ones unasked.
set=()
soc=Ascend950PR_9599 monitor newest 0 matmul
[ -s newest/trace.json ] || fail "there is no timeline of the newest series"
soc=Ascend910B1 monitor older 4 matmul
says "does not describe performance monitors"
set=(--set provisional=off)
monitor unasked 4 matmul
says 'never confirmed on silicon'
