#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pipeline sim-dump draws what the reference drew, on each of its dumps, and files that the
# viewer takes.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../lib.sh"
data=$root/tests/data/sim

# run SET CHIP METRICS: into $scratch/SET
run() {
    local status=0 wanted=0
    # their last lines are cut, instructions cannot be read, or end before they start
    case $1 in a2_910B | a5_950 | mte_a2 | sample_a2 | edge_lines | prune_rotate) wanted=4 ;; esac
    "$OPPROF_RUN" --pipeline sim-dump --set "input=$data/$1" --set "chip=$2" --set "metrics=$3" \
        --output "$scratch/$1" --flat \
        >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" = "$wanted" ] || { cat -- "$scratch/err" >&2; fail "$1: exit code $status"; }
}

# same SET [OPTION...]: the timelines are the reference's
same() {
    local set=$1
    shift
    python3 "$root/tests/tools/compare_trace.py" "$scratch/$set" "$data/expected/$set" \
        --without-code "$@" ||
        fail "$set: timelines differ"
}

# bytes SET PC BYTES: what is shown of the instruction there
bytes() {
    grep -q "\"pc_addr\":\"$2\",\"process_bytes\":\"$3\"" "$scratch/$1/trace.json" ||
        fail "$1: $2 moves other than $3 bytes"
}

# summary SET: cores and times are those that the reference printed
summary() {
    awk 'NR > 1 { printf "%s %.2f %.2f\n", $1, $2, $3 }' "$data/expected/$1/core_summary.txt" |
        sort >"$scratch/expected"
    awk -F, 'NR > 1 { printf "%s %.2f %.2f\n", $1, $2, $3 }' "$scratch/$1/core_summary.csv" |
        sort >"$scratch/ours"
    diff -- "$scratch/expected" "$scratch/ours" || fail "$1: times of cores differ"
}

# viewer SET: the viewer takes timelines and container
viewer() {
    python3 "$root/tests/tools/visualize_check.py" "$scratch/$1"/trace.json \
        "$scratch/$1"/*/trace.json "$scratch/$1/visualize_data.bin" >"$scratch/out" || {
            cat -- "$scratch/out" >&2; fail "$1: not for the viewer"
        }
    python3 "$root/tests/tools/perfetto_rules.py" --own "$scratch/$1"/trace.json \
        "$scratch/$1"/*/trace.json >"$scratch/out" || {
            cat -- "$scratch/out" >&2; fail "$1: arrows that Perfetto does not show"
        }
}

# block SET: the container's first block is the timeline of all cores, to the byte but for names
# that are empty
block() {
    local size
    sed 's/"name":""/"name":"?"/g' -- "$scratch/$1/trace.json" >"$scratch/shown"
    size=$(stat -c %s -- "$scratch/shown")
    cmp --ignore-initial=12:0 --bytes="$size" -- "$scratch/$1/visualize_data.bin" \
        "$scratch/shown" ||
        fail "$1: the container holds another timeline"
}

both=PipeUtilization,ResourceConflictRatio
while read -r set chip more; do
    run "$set" "$chip" "$both$more"
    case $set in
    edge_lines) same "$set" --without CR ;; # its line ends in CR LF, which the reference drops
    gpr_bytes) # the reference reads memory names without digits, and no bytes of images
        same "$set" --other-bytes 0x1118,0x1120
        bytes "$set" 0x1118 512
        bytes "$set" 0x1120 8192
        ;;
    prune_rotate) ;;              # compared below
    *) same "$set"; summary "$set"; viewer "$set" ;;
    esac
    block "$set"
done <<'SETS'
a2_910B Ascend910B1
a2_synthetic Ascend910B1 ,Overhead
a5_950 Ascend950PR_9599
a5_synthetic Ascend950PR_9599
edge_lines Ascend910B1
gpr_bytes Ascend910B1
mte_a2 Ascend910B4 ,PMSampling
p310_310P Ascend310P1
prune_rotate Ascend910B1
sample_a2 Ascend910B1
SETS

# The reference reads rotated logs in two different orders, so the rows of one address pair up
# differently.
python3 - "$scratch/prune_rotate/trace.json" <<'PYTHON' || fail \
    "prune_rotate: rotated logs pair up wrongly"
import json, sys
events = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "X"]
ticks = sorted((round(e["ts"] * 1850), round((e["ts"] + e["dur"]) * 1850)) for e in events
               if e["args"]["pc_addr"] == "0x1050")
sys.exit(ticks != [(10, 20), (50, 60), (300, 310)])
PYTHON
