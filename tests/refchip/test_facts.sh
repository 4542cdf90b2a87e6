#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What opprof declares of the vendor's interface is what public headers say: sizes, offsets and
# values by assertions of the compiler, and parameters by their class, pointers and sizes, as they
# travel in registers. A new fact is a row in tests/refchip/facts; an empty cell is not known.
. "${srcdir:-.}/tests/plugins/lib.sh"
cd "$scratch"
python3 -B "$root/tests/refchip/facts.py" asserts "$root/tests/refchip/facts/layouts.csv" \
    >asserts.c || fail "the facts cannot be read"
[ "$(grep -c _Static_assert asserts.c)" -gt 100 ] || fail "the facts are not there"
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -I"$root" -fsyntax-only asserts.c 2>why ||
    { cat why >&2; fail "opprof's declarations differ from public ones"; }
sed 's/== 48,/== 40,/' asserts.c >wrong.c
if ${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -I"$root" -fsyntax-only wrong.c 2>/dev/null; then
    fail "a wrong size is not noticed"
fi
if ${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -I"$root" -aux-info declared -fsyntax-only asserts.c \
    2>/dev/null && [ -s declared ]; then
    python3 -B "$root/tests/refchip/facts.py" types "$root/tests/refchip/facts/signatures.csv" \
        declared || fail "opprof's functions differ from public ones"
fi
