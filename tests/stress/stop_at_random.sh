#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Stops a long run at random places, by one or two SIGINT, SIGTERM or SIGHUP, and looks at what is
# left: results that have their final names must parse, run.json must say that the run was cut, an
# abort must end by its exit code, and no temporary file may stay. A place is a number of bytes that
# came out of a tap, so it is the same on any machine; some lie after the last byte, where results
# are finished.
# usage: stop_at_random.sh DIRECTORY CHIP [ROUNDS [SEED [PIPELINE [STAGE.PORT]]]]
# Needs OPPROF_RUN and the module paths of the tests in the environment.
set -u
dump=${1:?directory of the input}
chip=${2:?chip}
rounds=${3:-1000}
RANDOM=${4:-1}
pipeline=${5:-sim-dump}
port=${6:-dump.instructions}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

tell() {
    bad=$((bad + 1))
    printf 'round %d (%s after %d bytes): %s\n' "$round" "$how" "$place" "$1"
    tail -n 5 "$work/err"
}

# Every result with a final name is whole.
check_results() {
    local left json
    left=$(find "$work/out" -name '.*part*' 2>/dev/null)
    [ -z "$left" ] || tell "temporary files stay: $left"
    while IFS= read -r json; do
        python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$json" 2>/dev/null ||
            tell "does not parse: $json"
    done < <(find "$work/out" -name '*.json' 2>/dev/null)
}

check_cut() {
    python3 - "$work/out/run.json" <<'PY' || tell "run.json does not say that the run was cut"
import json, sys
run = json.load(open(sys.argv[1]))
sys.exit(0 if run["cut"] and run["outcome"] == "incomplete" and run["reasons"] else 1)
PY
}

check_end() {
    case $1 in
    0) ;; # it was done before
    4) check_cut ;;
    # or before it began
    129 | 130 | 143) [ "$how" = two ] || [ ! -e "$work/out" ] || tell "exit code $1" ;;
    *) tell "exit code $1" ;;
    esac
}

# The tap goes into a pipe that nobody reads further than the place, so the run waits there. What
# nohup runs begins with SIGHUP ignored, which opprof-run keeps so; here it is to be told.
start() {
    rm -rf "$work/out" "$work/pipe"
    mkfifo "$work/pipe"
    exec 9<>"$work/pipe" 7<"$work/pipe" 8>"$work/pipe" 9<&-
    env --default-signal=HUP "$OPPROF_RUN" --pipeline "$pipeline" --set "input=$dump" \
        --set "chip=$chip" --output "$work/out" --flat \
        --tap "$port=$work/pipe" >/dev/null 2>"$work/err" 7<&- &
    pid=$!
    exec 8>&-
}

read_on() {
    head -c "$1" <&7 >/dev/null
}

finish() {
    cat <&7 >/dev/null
    exec 7<&-
    wait $pid
    code=$?
}

random() {
    echo $(((RANDOM << 15 | RANDOM) % $1))
}

# How many places there are.
round=0 how=none place=0
start
total=$(cat <&7 | wc -c)
finish
if [ $code != 0 ] || [ "$total" = 0 ]; then
    tell "the run that is not stopped ends with exit code $code"
    exit 1
fi

# Prints what happened to how many rounds at the end.
declare -A codes
for ((round = 1; round <= rounds; round++)); do
    signals=(INT TERM HUP)
    signal=${signals[RANDOM % 3]}
    hows=(one two)
    how=${hows[RANDOM % 2]}
    place=$(random $((total + total / 8)))
    start
    read_on $((place + 1))
    kill -$signal $pid 2>/dev/null
    if [ $how = two ]; then
        read_on $(($(random 65536) + 1))
        kill -$signal $pid 2>/dev/null
    fi
    finish
    codes[$how/$code]=$((${codes[$how/$code]:-0} + 1))
    check_end $code
    [ $code -ge 128 ] || check_results
done
for key in "${!codes[@]}"; do
    printf '%s: %d\n' "$key" "${codes[$key]}"
done | sort
printf '%d rounds of %d places, %d wrong\n' "$rounds" "$total" "$bad"
[ "$bad" = 0 ]
