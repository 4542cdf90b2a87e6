#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A dump with names and lines that only a chip file describes gives the same results as with the
# usual ones.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
data=$root/tests/data/sim
mkdir -- "$scratch/chips"
export OPPROF_CHIP_PATH=$scratch/chips${OPPROF_CHIP_PATH:+:$OPPROF_CHIP_PATH}

# run NAME INPUT [OPTION...]: into $scratch/NAME
# What ran is another thing in each of them.
title=(--set title=dump)
run() {
    local name=$1 input=$2 status=0
    shift 2
    "$OPPROF_RUN" "${title[@]}" --pipeline sim-dump --set "input=$input" "$@" \
        --output "$scratch/$name" --flat >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 0 ] || { cat -- "$scratch/err" >&2; fail "$name: exit code $status"; }
}

# What names the input or the moment differs; the stream of packets holds the time of the run.
compare() {
    rm -f -- "$scratch/$1/"{run.json,results.sqlite,trace.pftrace} \
        "$scratch/$2/"{run.json,results.sqlite,trace.pftrace}
    sed -i 's/Own910B1\|Own9501\|Ascend910B1\|Ascend950DT_9581/CHIP/g' \
        "$scratch/"{"$1","$2"}/report.{html,txt}
    diff -r -- "$scratch/$1" "$scratch/$2" >"$scratch/diff" || {
        head -c 2000 -- "$scratch/diff" >&2; fail "$2 differs from $1"
    }
}

for set in "a2_synthetic 910B Ascend910B1" "a5_synthetic 950 Ascend950DT_9581"; do
    read -r name series soc <<<"$set"
    python3 "$root/tests/plugins/collect-sim/own_logs.py" "$data/$name" "$scratch/raw_$name" \
        "$scratch/chips/own$series.json" "$series" ||
        fail "$name cannot be rewritten"
    run "usual_$name" "$data/$name" --set "chip=$soc"
    run "own_$name" "$scratch/raw_$name" --set "chip=Own${series}1"
    compare "usual_$name" "own_$name"
    [ -s "$scratch/own_$name/trace.json" ] || fail "$name: no timeline"
done
# The names of opprof's own recordings hold for any chip, with their lines.
run recorded "$data/a2_synthetic" --set chip=Own910B1
compare usual_a2_synthetic recorded

# Both series name their files in this way: only a name of the chip decides.
"$OPPROF_RUN" "$scratch/raw_a2_synthetic" --output "$scratch/guess" --flat >"$scratch/out" \
    2>"$scratch/err" && fail "one of two chips that fit was chosen"
grep -q 'the files of 2 chips name the logs' "$scratch/err" || {
    cat -- "$scratch/err" >&2; fail "it is not reported that two chips fit"
}
rm -- "$scratch/chips/own950.json"
"$OPPROF_RUN" "${title[@]}" "$scratch/raw_a2_synthetic" --output "$scratch/guess" --flat \
    >"$scratch/out" 2>"$scratch/err" || fail "the dump is not recognised"
grep -q "fits pipeline 'sim-dump'" "$scratch/err" || fail "the dump is not recognised"
grep -q 'taken to be Own910B1' "$scratch/err" ||
    fail "the chip is not found by the names of its logs"
compare usual_a2_synthetic guess

# damage PATTERN LINES SENTENCE: the exit code is 4, the sentence is printed
damage() {
    rm -rf -- "$scratch/cut" "$scratch/damaged"
    cp -r -- "$scratch/raw_a2_synthetic" "$scratch/cut"
    sed -i "$2" "$scratch/cut/"$1
    local status=0
    "$OPPROF_RUN" sim-dump "$scratch/cut" --set chip=Own910B1 --output "$scratch/damaged" --flat \
        >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 4 ] || { cat -- "$scratch/err" >&2; fail "damage '$3': exit code $status"; }
    grep -q -- "$3" "$scratch/err" || { cat -- "$scratch/err" >&2; fail "not reported: $3"; }
}
# Rules that contradict themselves, which no schema sees, make the run incomplete.
python3 - "$scratch/chips/own910B.json" "$scratch/chips/zwrong.json" <<'PYTHON'
import json, sys
facts = json.load(open(sys.argv[1]))
facts.update(series="Wrong910B", socs={"Wrong1": {}})
facts.pop("default_soc", None)
facts["simulator"]["operands"] = "wrong"
facts["instructions"] = {"wrong": {"operands": {"values": {
    "from": {"form": "Src:<word>", "means": {"UB": 1}},
    "to": {"form": "Dst:<word>", "means": {"UB": 2}}}}}}
json.dump(facts, open(sys.argv[2], "w"))
PYTHON
status=0
"$OPPROF_RUN" sim-dump "$scratch/raw_a2_synthetic" --set chip=Wrong1 --output "$scratch/wrong" \
    --flat >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" -eq 4 ] || { cat -- "$scratch/err" >&2; fail "wrong rules: exit code $status"; }
grep -q "'instructions' in the chip file of 'Wrong1' is wrong: The word 'UB' means 1 and 2" \
    "$scratch/err" ||
    { cat -- "$scratch/err" >&2; fail "not reported: wrong rules"; }
rm -- "$scratch/chips/zwrong.json"

damage 'done*' 's/^/?/' "no line of dump file 'done of veccore1-003.log' is an instruction"
damage 'issued*' 's/^/?/' \
    "No line of dump file '.*issued of veccore1-003.log' has a form that the chip's file states"
truncate -s -9 -- "$scratch/raw_a2_synthetic/done of veccore1-003.log"
damage 'issued*' 's/^#/# /' "'.*done of veccore1-003.log' ends in the middle of a line"

cp -- "$scratch/chips/own910B.json" "$scratch/chips/own910B.json.good"
# wrong LINE SENTENCE: a form that cannot be is refused before anything runs
wrong() {
    python3 - "$scratch/chips/own910B.json" "$1" <<'PYTHON'
import json, sys
facts = json.load(open(sys.argv[1] + ".good"))
facts["simulator"]["logs"].update(json.loads(sys.argv[2]))
json.dump(facts, open(sys.argv[1], "w"))
PYTHON
    "$OPPROF_RUN" --validate --pipeline sim-dump --set "input=$scratch/raw_a2_synthetic" \
        --set chip=Own910B1 >"$scratch/out" 2>"$scratch/err" &&
        fail "accepted: $1"
    grep -qF -- "$2" "$scratch/err" || { cat -- "$scratch/err" >&2; fail "not reported: $2"; }
}
wrong '{ "line": "<tick> <pc> <pipe>" }' "'<tick> <pc> <pipe>' lacks '<name>'"
wrong '{ "line": "<tick> <pc> <pipe> <nmae>" }' \
    "at /simulator/logs/line: '<tick> <pc> <pipe> <nmae>' has an unknown field '<nmae>'. Did you mean '<name>'?"
wrong '{ "line": "<tick> <pc> <pipe><name>" }' "has nothing between '<pipe>' and '<name>'"
wrong '{ "popped": "issued.log" }' "at /simulator/logs/popped: 'issued.log' lacks '<core>'"
wrong '{ "popped": "issued-<core>.log" }' "' has <sub>, and popped has not"
wrong '{ "lien": "<tick>" }' \
    "at /simulator/logs/lien: there is no member 'lien'. Did you mean 'line'?"

# A chip that only its logs tell: what is wrong with its file is said.
"$OPPROF_RUN" "$scratch/raw_a2_synthetic" --output "$scratch/guess" --flat >"$scratch/out" \
    2>"$scratch/err" && fail "a broken chip file is used"
"$OPPROF_RUN" sim-dump "$scratch/raw_a2_synthetic" --output "$scratch/guess" --flat \
    >"$scratch/out" 2>"$scratch/err" && fail "a broken chip file is used"
grep -qF "own910B.json at /simulator/logs/lien: there is no member 'lien'" "$scratch/err" ||
    { cat -- "$scratch/err" >&2; fail "the mistake is not reported"; }
