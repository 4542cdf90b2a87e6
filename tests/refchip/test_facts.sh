#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What opprof declares of the vendor's interface is what public headers say: sizes, offsets and
# values, and functions by the sizes of what they take and return, by assertions of each compiler
# that is there. A new fact is a row in tests/refchip/facts; an empty cell is not known.
. "${srcdir:-.}/tests/plugins/lib.sh"
cd "$scratch"
facts=$root/tests/refchip/facts
check() { # check COMPILER FILE
    read -ra command <<<"$1"
    "${command[@]}" -D_GNU_SOURCE -I"$root" -fsyntax-only "$2" 2>why
}
python3 -B "$facts.py" asserts "$facts/layouts.csv" >asserts.c || fail "the facts cannot be read"
[ "$(grep -c _Static_assert asserts.c)" -gt 130 ] || fail "the facts are not there"
sed 's/== 48,/== 40,/' asserts.c >wrong.c
grep '^#include' asserts.c >headers.c
read -ra compiler <<<"${CC:-gcc}"
"${compiler[@]}" -D_GNU_SOURCE -I"$root" -E -P headers.c >declared ||
    fail "the headers cannot be preprocessed"
python3 -B "$facts.py" types "$facts/signatures.csv" declared >types.cc ||
    fail "not every declaration has a fact"
sed 's/List<4, 8, 4, 8, 4, 8, 8>/List<4, 8, 4, 8, 8, 8, 8>/' types.cc >wrong.cc
if cmp -s types.cc wrong.cc; then fail "rtKernelLaunch is not among the functions"; fi
grep -v '^rtStreamQuery,' "$facts/signatures.csv" >fewer.csv
if python3 -B "$facts.py" types fewer.csv declared >/dev/null 2>why; then
    fail "a function without a row is not noticed"
fi
for c in "${CC:-gcc}" clang; do
    command -v "${c%% *}" >/dev/null || continue
    check "$c -std=gnu11" asserts.c || { cat why >&2; fail "$c: declarations differ from public ones"; }
    if check "$c -std=gnu11" wrong.c; then fail "$c: a wrong size is not noticed"; fi
done
for c in "${CXX:-g++}" clang++; do
    command -v "${c%% *}" >/dev/null || continue
    c="$c -std=c++17 -D_Static_assert=static_assert"
    check "$c" types.cc || { cat why >&2; fail "$c: functions differ from public ones"; }
    if check "$c" wrong.cc; then fail "$c: a wrong parameter is not noticed"; fi
done
