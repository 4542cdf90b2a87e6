#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The layout of the public structures is the one stated for this ABI number, and nothing has moved
# since the one before.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

need python3
[ "$(getconf LONG_BIT)" = 64 ] || { echo "SKIP: the fixtures are of 64-bit machines" >&2; exit 77; }
build=${OPPROF_BUILD_DIR:-.}
check() { # INCLUDE
    python3 "$root/scripts/abi.py" --check "$root/tests/data/abi" "$@"
}
mkdir "$scratch/opprof"
cp "$root"/core/include/opprof/*.h "$build/core/include/opprof/version.h" "$scratch/opprof"
check "$scratch" || fail "the layout of public structs has changed"

# A member that moves is found, and one that is added without a new number.
sed -i 's/^    uint32_t kind;  *\/\*\*< OpprofPluginKind\. \*\//    uint64_t kind; /' \
    "$scratch/opprof/plugin.h"
! check "$scratch" >"$scratch/out" || fail "a moved member passes"
grep -q "'OpprofPlugin.flags' was at" "$scratch/out" || {
    cat "$scratch/out"; fail "the moved member is not named"
}
