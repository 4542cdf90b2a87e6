#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds with warnings as errors, runs all tests, and tests an installation. The last line is "N
# passed, N failed", summed over all of it.
#
#   OPPROF_TEST=full     every failing allocation and every fault at every phase, otherwise only a
#                        part of them; and all again under the address, undefined-behaviour and
#                        thread sanitizers
#   OPPROF_TEST=ci       `make lint` too, that the benches compile, and the test programs, but not
#                        the scripts, under the address and undefined-behaviour sanitizers; not on a
#                        machine that needed more than five minutes for the rest. Within the first
#                        six minutes it then builds core, kit, results and records for aarch64 too,
#                        and runs their tests in an emulator. Tests that fail beside others and then
#                        pass three times alone are named at the end, and are not failures.
#   OPPROF_HOST=TRIPLET  instead of all that: builds for another machine, aarch64-linux-gnu, and
#                        runs the tests in an emulator
#   OPPROF_BUILD=DIR     builds there instead of in ./build
set -uo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

passed=0
failed=0
skipped=0
unstable=

# Sum of the numbers after "# NAME:" in a log of make check.
count_of() {
    awk -v want="$1" '$1 == "#" && $2 == want ":" { sum += $3 } END { print sum + 0 }' "$2"
}

# step NAME COMMAND…: runs it with its output on screen and in a log, and adds up the tests it
# reports. A step that fails without reporting a failed test counts as one.
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

# The tests that failed in the build directory, one per line.
failed_tests() {
    (cd -- "$1" && find . -name '*.trs' -exec grep -lE '^:test-result: (FAIL|ERROR)' {} + |
        sed 's,^\./,,; s,\.trs$,,')
}

# again DIRECTORY COMMAND…: whether what failed there passes three times when nothing runs beside
# it: then something else on the machine disturbed it, or it must be fixed. It is named at the end.
again() {
    local directory=$1 names log
    shift
    names=$(failed_tests "$directory" | tr '\n' ' ')
    if [ -z "$names" ]; then
        return 1
    fi
    for log in first second third; do
        step "check-$log-again" "$@" -C "$directory" -j1 check-TESTS TESTS="$names" || return 1
    done
    unstable="$unstable$names"
}

# check_in DIRECTORY NAME [COMMAND…]: make check, by that command; shows the log of what failed. One
# test more than there are processors runs at a time, since many of them wait.
check_in() {
    local directory=$1 name=$2 passed_first failed_first failed_before=$failed
    shift 2
    if [ $# -eq 0 ]; then
        set -- make
    fi
    step "$name" "$@" -C "$directory" -j$((jobs + 1)) check && return 0
    if [ -f "$directory/test-suite.log" ]; then
        tail -n 300 -- "$directory/test-suite.log"
    fi
    [ "$mode" = ci ] || return 1
    passed_first=$passed failed_first=$failed
    if again "$directory" "$@"; then
        passed=$((passed_first + failed_first - failed_before))
        failed=$failed_before
        return 0
    fi
    passed=$passed_first failed=$failed_first
    return 1
}

# Without the sanitizers: the plain build, and what it installs.
test_plain() {
    local build=$build_root/test
    step configure configure_in "$build" --prefix="$build/prefix" --enable-werror || return
    step make make -C "$build" -j"$jobs" || return
    if [ "$mode" = ci ]; then
        step lint make -C "$build" lint && passed=$((passed + 1))
        step bench-programs make -C "$build" -j"$jobs" bench-programs && passed=$((passed + 1))
    fi
    check_in "$build" check
    step install make -C "$build" install || return
    step installcheck make -C "$build" installcheck
}

# What this machine cannot do, or only slowly, is left to others: the memory checker, and a sweep
# over every allocation.
test_cross() {
    local build=$build_root/test-$OPPROF_HOST
    export PKG_CONFIG_LIBDIR=/usr/lib/$OPPROF_HOST/pkgconfig:/usr/share/pkgconfig
    step "configure-$OPPROF_HOST" configure_in "$build" --host="$OPPROF_HOST" --enable-werror ||
        return
    step "make-$OPPROF_HOST" make -C "$build" -j"$jobs" || return
    check_in "$build" "check-$OPPROF_HOST"
}

# What all plugins rest on, for another machine: a quarter of test_cross.
test_portable() {
    local build
    export OPPROF_HOST=aarch64-linux-gnu
    export PKG_CONFIG_LIBDIR=/usr/lib/$OPPROF_HOST/pkgconfig:/usr/share/pkgconfig
    build=$build_root/test-$OPPROF_HOST
    if ! bash "$root/scripts/deps.sh" cross "$OPPROF_HOST"; then
        say "the build for $OPPROF_HOST is left out"
        skipped=$((skipped + 1))
        return
    fi
    step "configure-$OPPROF_HOST" configure_in "$build" --host="$OPPROF_HOST" --enable-werror \
        CFLAGS='-g -O1' || return
    # shellcheck disable=SC2016 # a variable of the makefile
    check_in "$build" "check-$OPPROF_HOST" make \
        'TESTS=$(filter tests/core/% tests/kit/% tests/results/% tests/records/%,$(SUITES))'
}

# ThreadSanitizer does not work with every kernel's address layout; prints what to put before the
# command, or fails.
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
    if [ "$mode" = ci ]; then
        # shellcheck disable=SC2016 # a variable of the makefile
        only=('TESTS=$(check_PROGRAMS)')
    fi
    if [ "$1" = thread ]; then
        read -ra wrapper <<<"$(tsan_wrapper || echo none)"
        if [ "${wrapper[0]:-}" = none ]; then
            say "this machine cannot run ThreadSanitizer, which is left out"
            skipped=$((skipped + 1))
            return
        fi
    fi
    step "configure-${1%%,*}" configure_in "$build" --enable-werror --enable-sanitize="$1" \
        CFLAGS='-g -O1' || return
    check_in "$build" "check-${1%%,*}" "${wrapper[@]}" make "${only[@]}"
}

# How long the same took on this machine last time; before that, minutes measured on two quiet
# cores.
tell_how_long() {
    local before minutes
    took=$build_root/took-${mode:-plain}${OPPROF_HOST:+-$OPPROF_HOST}
    if before=$(cat -- "$took" 2>/dev/null) && [ "$before" -gt 0 ] 2>/dev/null; then
        say "$(date +%H:%M): this took $(((before + 59) / 60)) minutes last time;" \
            "all its files are in $build_root"
        return
    fi
    case $mode,${OPPROF_HOST:-} in
    *,?*) minutes=25 ;;
    full,*) minutes=60 ;;
    *) minutes=10 ;;
    esac
    say "$(date +%H:%M): this takes about $minutes minutes on two quiet cores;" \
        "all its files are in $build_root"
}

mode=${OPPROF_TEST:-}
case $mode in
'' | full | ci) ;;
*) die "OPPROF_TEST is '$mode'; set it to full or ci, or unset it" ;;
esac
bash "$root/scripts/deps.sh" test || exit 1
if [ "$mode" = ci ]; then
    bash "$root/scripts/deps.sh" lint || exit 1
fi
if [ -n "${OPPROF_HOST:-}" ]; then
    bash "$root/scripts/deps.sh" cross "$OPPROF_HOST" || exit 1
fi
drop_privileges "$@"
choose_directories
tell_how_long
prepare_source || die "autoreconf failed"
if [ "$mode" = full ]; then
    export OPPROF_ALLOC_STEP=${OPPROF_ALLOC_STEP:-1} OPPROF_PHASE_STEP=${OPPROF_PHASE_STEP:-1}
fi
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

if [ -n "${OPPROF_HOST:-}" ]; then
    test_cross
else
    test_plain
    case $mode in
    full)
        test_sanitized address,undefined
        test_sanitized thread
        ;;
    ci)
        if [ "$SECONDS" -gt 300 ]; then
            say "this machine is slow: the sanitizers are left out"
            skipped=$((skipped + 1))
        else
            test_sanitized address,undefined
        fi
        if [ "$SECONDS" -gt 360 ]; then
            say "six minutes are over: the build for aarch64 is left out"
            skipped=$((skipped + 1))
        else
            test_portable
        fi
        ;;
    esac
fi

tail=
if [ "$skipped" -gt 0 ]; then
    tail=", $skipped skipped"
fi
if [ -n "$unstable" ]; then
    say "unstable (failed beside others, passed three times alone): $unstable"
fi
printf '%d\n' "$SECONDS" >"$took"
printf '\n%d passed, %d failed%s\n' "$passed" "$failed" "$tail"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
