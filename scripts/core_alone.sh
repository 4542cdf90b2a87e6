#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The core builds and passes its own tests without anything that stands on it: the tree is copied
# without the kit, the record types, the plugins, the chips, the command and what tests or shows
# these; include lines of missing makefiles are removed, too.
#
#   scripts/core_alone.sh [DIRECTORY]    builds there instead of in a temporary directory, and
#                                        leaves it
#
# The stress of the queues, which is the same with and without the rest, runs with OPPROF_TEST=full
# only.
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
if [ $# -gt 0 ]; then
    mkdir -p -- "$1"
    work=$(cd -P -- "$1" && pwd)
else
    work=$(mktemp -d "${TMPDIR:-/tmp}/opprof-core.XXXXXX")
    trap 'rm -rf -- "$work"' EXIT
fi

flags=-O0
tests=()
if [ "${OPPROF_TEST:-}" = full ]; then
    flags='-g -O2'
else
    # shellcheck disable=SC2016 # a variable of the makefile
    tests=('TESTS=$(filter-out %_stress,$(check_PROGRAMS))')
fi
# Not this build's tests, paths or jobs.
unset MAKEFLAGS MAKELEVEL MFLAGS TESTS srcdir
for name in "${!OPPROF_@}" "${!TEST_@}"; do
    unset "$name"
done

step() {
    local log=$work/$1.log
    shift
    if ! "$@" >"$log" 2>&1; then
        grep -E '(error|warning|^FAIL|^ERROR|\*\*\*)' "$log" | head -n 20
        tail -n 20 -- "$log"
        printf 'the core alone: failed in: %s\n' "$*"
        exit 1
    fi
}

kept=(configure.ac Makefile.am README.md m4 core fuzz scripts/fuzz.sh scripts/fuzz_corpus.py
    scripts/libtool.sh tests/module.mk tests/core
    tests/tools/emulate.sh tests/tools/compare_folders.py tests/tools/mark_point.c)
mkdir -p -- "$work/source" "$work/build"
tar -C "$root" --exclude='./m4/l*.m4' -cf - "${kept[@]}" | tar -C "$work/source" -xf -
chmod -R u+w -- "$work/source"
cd -- "$work/source"
mapfile -t included < <(sed -n 's/^include //p' Makefile.am)
for file in "${included[@]}"; do
    [ -f "$file" ] || sed -i "\\|^include $file\$|d" Makefile.am
done

step autoreconf autoreconf -fi
cd -- "$work/build"
step configure ../source/configure --enable-werror CFLAGS="$flags" ${CC:+CC="$CC"}
step make make -j2
step check make -j2 check "${tests[@]}"
passed=$(awk '$2 == "PASS:" { sum += $3 } END { print sum + 0 }' "$work/check.log")
printf 'the core alone: %d tests passed\n' "$passed"
[ "$passed" -gt 0 ]
