# SPDX-License-Identifier: Apache-2.0
# Helpers for end-to-end tests, sourced by them. OPPROF_RUN and the module paths come from the
# makefile.
set -u
LC_ALL=C
export LC_ALL
WORK=$(mktemp -d "${TMPDIR:-/tmp}/opprof-e2e-XXXXXX") || exit 99
trap 'chmod -R u+rwx "$WORK" 2>/dev/null; rm -rf "$WORK"' EXIT
DATA=${TEST_DATA:?set by the makefile}
checks=0
failures=0

# Run a command; its exit code is in $code, its outputs in $WORK/.stdout and $WORK/.stderr.
run() {
    code=0
    "$@" >"$WORK/.stdout" 2>"$WORK/.stderr" </dev/null || code=$?
}

opprof() {
    run "$OPPROF_RUN" "$@"
}

# Whether a file is one JSON document. (`python3 -m json.tool` writes it again, which takes ten
# times as long.)
is_json() {
    python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$1"
}

fail() {
    failures=$((failures + 1))
    printf 'FAIL: %s\n' "$*"
    sed 's/^/    stdout: /' "$WORK/.stdout" 2>/dev/null | head -n 20
    sed 's/^/    stderr: /' "$WORK/.stderr" 2>/dev/null | head -n 40
}

# start_into_pipe OPTION...: starts opprof-run, which writes a tap into the fifo `pipe`, and returns
# when the first records came out of that, kept in the file `head`. Nobody reads on: the run is in
# the middle, and stays there until go_on, however fast or slow the machine is. Both ends are open
# before the program starts, so nobody waits for another to open its own, and a run that dies early
# ends the reading. What nohup runs begins with SIGHUP ignored, which opprof-run keeps so; here it
# is to be reported.
start_into_pipe() {
    rm -f pipe
    mkfifo pipe
    exec 9<>pipe 7<pipe 8>pipe 9<&-
    env --default-signal=HUP "$OPPROF_RUN" "$@" >"$WORK/.stdout" 2>"$WORK/.stderr" </dev/null 7<&- &
    runner=$!
    exec 8>&-
    head -c 65536 <&7 >head
}

# Reads what else comes out of the pipe, until the run has ended.
go_on() {
    cat <&7 >>head
    exec 7<&-
    code=0
    wait "$runner" || code=$?
    rm -f pipe
}

# wait_for TEXT: until the run that was started says so on its standard error, or has ended.
wait_for() {
    tail -n +1 -f -s 0.1 --pid="$runner" "$WORK/.stderr" 2>/dev/null | grep -qF -- "$1"
}

# The last command ended with this code, and each further argument is in its standard error.
expect() {
    local wanted=$1 text
    shift
    checks=$((checks + 1))
    if [ "$code" != "$wanted" ]; then
        fail "exit code $code, not $wanted (wanted: $*)"
        return
    fi
    for text in "$@"; do
        if ! grep -qF -- "$text" "$WORK/.stderr"; then
            fail "not reported: $text"
            return
        fi
    done
}

# Something that must hold, as a command.
holds() {
    checks=$((checks + 1))
    "$@" || fail "does not hold: $*"
}

finish() {
    printf '%d checks, %d failed\n' "$checks" "$failures"
    [ "$failures" -eq 0 ]
    exit
}
