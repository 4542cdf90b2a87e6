# SPDX-License-Identifier: Apache-2.0
# Helpers for end-to-end tests, sourced by them. OPPROF_RUN and the module paths come from the makefile.
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

fail() {
    failures=$((failures + 1))
    printf 'FAIL: %s\n' "$*"
    sed 's/^/    stdout: /' "$WORK/.stdout" 2>/dev/null | head -n 20
    sed 's/^/    stderr: /' "$WORK/.stderr" 2>/dev/null | head -n 40
}

# The last command ended with this code, and each further argument stands in its standard error.
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
            fail "not said: $text"
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
