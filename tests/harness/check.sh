#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The checker passes a good plugin, and for each of many bad ones the case fails that names the
# fault. The bad ones are built here from one source, with the compiler of the build, against the
# headers of the tree or of an installation.
set -euo pipefail

SRC=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/opprof-check-XXXXXX")
trap 'rm -rf -- "$work"' EXIT
cd -- "$work"

fail() {
    printf 'FAIL: %s\n' "$*"
    exit 1
}

check=${OPPROF_PLUGIN_CHECK:-$OPPROF_BUILD_DIR/harness/check/opprof-plugin-check}
cc=${CC:-cc}
if [ -n "${SANITIZE_FLAGS:-}" ]; then
    echo "SKIP: modules for a sanitizer need its flags"
    exit 77
fi
if [ -n "${EMULATOR:-}" ]; then
    echo "SKIP: modules for another machine need its compiler"
    exit 77
fi

build() { # NAME [FAULT [-c]]
    local made=(-shared -o "$1.so")
    [ "${3:-}" != -c ] || made=(-c -o "$1.o")
    # shellcheck disable=SC2086 # a compiler may have arguments
    $cc -std=gnu11 -O1 -g -fPIC -fvisibility=hidden "${made[@]}" -pthread -I"$SRC/core/include" \
        -I"$OPPROF_BUILD_DIR/core/include" -DFAULTY_NAME="\"$1\"" ${2:+"-DFAULT_$2"} \
        "$SRC/tests/harness/faulty.c" -L"$OPPROF_BUILD_DIR/core/.libs" -lopprof
}

build good
LD_LIBRARY_PATH=$OPPROF_BUILD_DIR/core/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
OPPROF_SYSTEM_PLUGIN_PATH='' "$check" good.so >good.tap || {
    cat good.tap
    fail "a good plugin does not pass"
}
grep -q ' # SKIP' good.tap && fail "a case was skipped: $(grep SKIP good.tap)"
cases=$(grep -c '^ok' good.tap)
[ "$(tail -n 1 good.tap)" = "1..$cases" ] || fail "the plan is wrong"

faults=0
for name in loads texts symbol defaults create-destroy states start no-input failed-input \
    batch-sizes partitions abort read-only absent batches unref exit process threads descriptors \
    memory stdout; do
    macro=${name^^}
    build "bad-$name" "${macro//-/_}"
    code=0
    only=$name
    patience=60
    [ "$name" = abort ] && patience=3 # this one hangs, and is to be ended
    [ "$name" = stdout ] && only=no-input\|exit
    OPPROF_SYSTEM_PLUGIN_PATH='' "$check" --timeout "$patience" --only "^($only)\$" "bad-$name.so" \
        >bad.tap 2>&1 || code=$?
    if [ "$code" != 1 ] || ! grep -q "^not ok [0-9]* - $name:" bad.tap; then
        cat bad.tap
        fail "the case '$name' does not find its fault (exit code $code)"
    fi
    faults=$((faults + 1))
done
# A plugin that ignores Ctrl+C is found out also where the shell ignores it already, as for what it
# runs in the background.
code=0
(trap '' INT TERM && OPPROF_SYSTEM_PLUGIN_PATH='' exec "$check" --only '^process$' \
    bad-process.so) >bad.tap 2>&1 || code=$?
if [ "$code" != 1 ] || ! grep -q '^not ok 1 - process:' bad.tap; then
    cat bad.tap
    fail "with signals ignored the case 'process' does not find its fault (exit code $code)"
fi
# Templates of C++'s library are exported whatever the flags, so they are accepted; an own function
# is a fault.
if command -v g++ >/dev/null 2>&1; then
    printf '#include <map>\n#include <string>\nusing Words = std::map<std::string, int>;\n%s\n' \
        '__attribute__((used)) static int count() { Words words; words["a"] = 1; return words.begin()->second; }' >tree.cc
    build good-with-templates "" -c
    g++ -std=c++17 -O1 -fPIC -fvisibility=hidden -shared -o good-with-templates.so -x c++ tree.cc \
        -x none good-with-templates.o -L"$OPPROF_BUILD_DIR/core/.libs" -lopprof -pthread
    nm -D --defined-only good-with-templates.so | grep -q ' W _ZNSt' ||
        fail "no template is exported, so nothing is tested"
    OPPROF_SYSTEM_PLUGIN_PATH='' "$check" --only '^symbol$' good-with-templates.so >good.tap || {
        cat good.tap; fail "templates are a fault"
    }
fi
# One whose input no module gives fails; of one that makes no row the case says so.
build bad-input INPUT
build bad-rows ROWS
mkdir alone && mv bad-input.so alone # one of the others ends the checker that looks for types
OPPROF_SYSTEM_PLUGIN_PATH='' "$check" --only '^rows$' alone/bad-input.so >bad.tap 2>&1 &&
    fail "an unknown input passes"
grep -qF "no module gives 'test.unknown'" bad.tap ||
    { cat bad.tap; fail "the unknown input has no name"; }
OPPROF_SYSTEM_PLUGIN_PATH='' "$check" --only '^rows$' bad-rows.so >bad.tap 2>&1
grep -q '^ok 1 - rows: .* # SKIP no row came out' bad.tap ||
    { cat bad.tap; fail "no row is missed"; }
# One that closes standard output changes what the process has, too. A crash without memory is
# called so.
build bad-standard STANDARD
for fault in "standard process it changed standard input, output or error" \
    "memory memory failed, and it crashed: "; do
    read -r name only text <<<"$fault"
    OPPROF_SYSTEM_PLUGIN_PATH='' "$check" --only "^$only\$" "bad-$name.so" >bad.tap 2>&1 &&
        fail "bad-$name passes"
    grep -qF -- "$text" bad.tap || { cat bad.tap; fail "not told: $text"; }
done
echo "$cases cases pass for the good plugin, $faults bad plugins fail the case that names their fault"
[ "$faults" -ge 15 ]
