#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Messages to the collector in every order, a process that does not read, and one that never ends
# its sentence.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"
walk=$root/tests/refchip/walk.py
cd "$scratch"

# run NAME CODE WAY PIPELINE OPTION...
run() {
    local code=0
    timeout 1200 "$OPPROF_RUN" -q --output "$1" --flat --set launch_count=5000 "${@:5}" "$4" -- \
        python3 -B "$walk" "$3" >said 2>why </dev/null || code=$?
    [ "$code" = "$2" ] || { tail -n 5 why >&2; fail "$1: exit code $code"; }
}
says() { grep -qF -- "$1" why || { tail -n 5 why >&2; fail "not reported: $1"; }; }

while read -r chip metrics; do
    # Nothing of it can be profiled, but the run ends as a run does.
    run "walk-$chip" 4 pairs onboard-live --set chip="$chip" --set metrics="$metrics"
    grep -qx walked said || fail "chip=$chip: the collector no longer listens"
done <<CHIPS
auto BasicInfo
Ascend910B1 Default,Source,MemoryDetail
Ascend950PR_9599 PipeTimeline
CHIPS
says 'it asks for the plan a second time'
run walk-sim 4 pairs sim-live
grep -qx walked said || fail "sim-live no longer listens"

run deaf 4 deaf onboard-live
grep -qx served said || fail "a process that does not read holds up the others"
run slow 4 slow onboard-live
grep -qx served said || fail "a process that reads slowly holds up the others"
run drip 4 drip onboard-live
if grep -qF 'still runs' why; then fail "a connection that never greets counts as a process"; fi
run drip-greeted 4 drip-greeted onboard-live
says 'process still runs after the end of'
