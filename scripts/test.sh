#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds with warnings as errors, runs all tests, tests an installation, and runs the tests again under sanitizers.
# The last line is "N passed, N failed", summed over all of it.
#
#   OPPROF_TEST=quick    leave the sanitizers out
#   OPPROF_TEST=short    of the sanitizers only address and undefined, with the test programs but not the scripts,
#                        and not even those on a machine that needs more than five minutes for the rest
#   OPPROF_BUILD=DIR     build there instead of in ./build
set -uo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

passed=0
failed=0
skipped=0

# Sum of the numbers behind "# NAME:" in a log of make check.
count_of() {
    awk -v want="$1" '$1 == "#" && $2 == want ":" { sum += $3 } END { print sum + 0 }' "$2"
}

# step NAME COMMAND…: runs it with its output on screen and in a log, and adds up the tests it tells of. A step that
# fails without telling of a failed test counts as one.
step() {
    local name=$1 log code bad
    shift
    say "$name: $*"
    log=$build_root/$name.log
    "$@" 2>&1 | tee -- "$log"
    code=${PIPESTATUS[0]}
    bad=$(($(count_of FAIL "$log") + $(count_of ERROR "$log") + $(count_of XPASS "$log")))
    if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
    fi
    passed=$((passed + $(count_of PASS "$log") + $(count_of XFAIL "$log")))
    skipped=$((skipped + $(count_of SKIP "$log")))
    failed=$((failed + bad))
    if [ "$code" -ne 0 ]; then
        printf '%s failed with exit code %d\n' "$name" "$code" >&2
        return 1
    fi
}

# check_in DIRECTORY NAME [COMMAND…]: make check, by that command; shows the log of what failed.
check_in() {
    local directory=$1 name=$2
    shift 2
    step "$name" "${@:-make}" -C "$directory" -j"$jobs" check && return 0
    if [ -f "$directory/test-suite.log" ]; then
        tail -n 300 -- "$directory/test-suite.log"
    fi
    return 1
}

# Without the sanitizers: the plain build, and what it installs.
test_plain() {
    local build=$build_root/test
    step configure configure_in "$build" --prefix="$build/prefix" --enable-werror || return
    step make make -C "$build" -j"$jobs" || return
    check_in "$build" check
    step install make -C "$build" install || return
    step installcheck make -C "$build" installcheck
}

# ThreadSanitizer cannot live with every kernel's address layout; prints what to put before the command, or fails.
tsan_wrapper() {
    local scratch=$build_root/tsan-probe
    printf 'int main(void) { return 0; }\n' >"$scratch.c"
    "${CC:-gcc}" -fsanitize=thread -o "$scratch" "$scratch.c" || return 1
    if "$scratch" 2>/dev/null; then
        return 0
    fi
    setarch -R "$scratch" 2>/dev/null && printf 'setarch -R'
}

test_sanitized() {
    local build=$build_root/test-${1%%,*} wrapper=() only=()
    if [ "${OPPROF_TEST:-}" = short ]; then
        # shellcheck disable=SC2016 # a variable of the makefile
        only=('TESTS=$(check_PROGRAMS)')
    fi
    if [ "$1" = thread ]; then
        read -ra wrapper <<<"$(tsan_wrapper || echo none)"
        if [ "${wrapper[0]:-}" = none ]; then
            say "this machine cannot run ThreadSanitizer: left out"
            skipped=$((skipped + 1))
            return
        fi
    fi
    step "configure-${1%%,*}" configure_in "$build" --enable-werror --enable-sanitize="$1" \
        CFLAGS='-g -O1' || return
    check_in "$build" "check-${1%%,*}" "${wrapper[@]}" make "${only[@]}"
}

case ${OPPROF_TEST:-} in
'' | quick | short) ;;
*) die "OPPROF_TEST is '$OPPROF_TEST'; it may be quick, short, or not set at all" ;;
esac
bash "$root/scripts/deps.sh" test || exit 1
drop_privileges "$@"
choose_directories
prepare_source || die "autoreconf failed"
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

test_plain
if [ "${OPPROF_TEST:-}" = short ] && [ "$SECONDS" -gt 300 ]; then
    say "this machine is slow: the sanitizers are left out"
    skipped=$((skipped + 1))
elif [ "${OPPROF_TEST:-}" != quick ]; then
    test_sanitized address,undefined
fi
if [ -z "${OPPROF_TEST:-}" ]; then
    test_sanitized thread
fi

tail=
if [ "$skipped" -gt 0 ]; then
    tail=", $skipped skipped"
fi
printf '\n%d passed, %d failed%s\n' "$passed" "$failed" "$tail"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
