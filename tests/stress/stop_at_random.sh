#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Stops a long run at random moments, by one or two SIGINT, SIGTERM or --timeout, and looks at what is left:
# results that bear their final names must parse, run.json must say that the run was cut, an abort must end
# by its exit code, and no temporary file may stay.
# usage: stop_at_random.sh DIRECTORY CHIP [ROUNDS [SEED [LONGEST-DELAY-MS [PIPELINE]]]]
# Needs OPPROF_RUN and the module paths of the tests in the environment.
set -u
dump=${1:?directory of the input}
chip=${2:?chip}
rounds=${3:-1000}
RANDOM=${4:-1}
longest_ms=${5:-1500}
pipeline=${6:-sim-dump}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

tell() {
    bad=$((bad + 1))
    printf 'round %d (%s after %d ms): %s\n' "$round" "$how" "$delay_ms" "$1"
    tail -n 5 "$work/err"
}

# Every result with a final name is whole.
check_results() {
    local left json
    left=$(find "$work/out" -name '.*part*' 2>/dev/null)
    [ -z "$left" ] || tell "temporary files stay: $left"
    while IFS= read -r json; do
        python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$json" 2>/dev/null || tell "does not parse: $json"
    done < <(find "$work/out" -name '*.json' 2>/dev/null)
}

check_cut() {
    python3 - "$work/out/run.json" <<'PY' || tell "run.json does not say that the run was cut"
import json, sys
run = json.load(open(sys.argv[1]))
sys.exit(0 if run["cut"] and run["outcome"] == "incomplete" and run["reasons"] else 1)
PY
}

sleep_ms() {
    sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
}

check_end() {
    case $1 in
    0) ;; # it was done before
    4) check_cut ;;
    130 | 143) [ "$how" = two ] || [ ! -e "$work/out" ] || tell "exit code $1" ;; # or before it began
    *) tell "exit code $1" ;;
    esac
}

# Prints what happened to how many rounds at the end.
declare -A codes
for ((round = 1; round <= rounds; round++)); do
    delay_ms=$((RANDOM % longest_ms))
    signal=INT
    [ $((RANDOM % 2)) = 0 ] || signal=TERM
    rm -rf "$work/out"
    case $((RANDOM % 3)) in
    0) how=timeout ;;
    1) how=one ;;
    2) how=two ;;
    esac
    if [ "$how" = timeout ]; then
        "$OPPROF_RUN" --pipeline "$pipeline" --set "input=$dump" --set "chip=$chip" --output "$work/out" --flat \
            --timeout "$(printf '%d.%03d' $((delay_ms / 1000)) $((delay_ms % 1000 + 1)))" >/dev/null 2>"$work/err"
        code=$?
    else
        "$OPPROF_RUN" --pipeline "$pipeline" --set "input=$dump" --set "chip=$chip" --output "$work/out" --flat \
            >/dev/null 2>"$work/err" &
        pid=$!
        sleep_ms $delay_ms
        kill -$signal $pid 2>/dev/null
        if [ "$how" = two ]; then
            sleep_ms $((RANDOM % 30))
            kill -$signal $pid 2>/dev/null
        fi
        wait $pid
        code=$?
    fi
    codes[$how/$code]=$((${codes[$how/$code]:-0} + 1))
    check_end $code
    [ $code -ge 128 ] || check_results
done
for key in "${!codes[@]}"; do
    printf '%s: %d\n' "$key" "${codes[$key]}"
done | sort
printf '%d rounds, %d wrong\n' "$rounds" "$bad"
[ "$bad" = 0 ]
