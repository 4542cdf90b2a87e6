#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each library exports what its version script lists, one symbol a line, and that is what its public
# headers declare.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

command -v python3 >/dev/null 2>&1 || { echo "SKIP: there is no python3" >&2; exit 77; }
command -v nm >/dev/null 2>&1 || { echo "SKIP: there is no nm" >&2; exit 77; }
build=${OPPROF_BUILD_DIR:-.}
core=$build/core/.libs/libopprof.so
kit=$build/kit/.libs/libopprof-kit.so
python3 "$root/scripts/symbols.py" "$root/core/libopprof.map" "$core" \
    "$root"/core/include/opprof/*.h "$build/core/include/opprof/version.h" || fail "libopprof"
python3 "$root/scripts/symbols.py" "$root/kit/libopprof-kit.map" "$kit" \
    "$root"/kit/include/opprof/kit/*.h ||
    fail "libopprof-kit"
python3 "$root/scripts/symbols.py" "$root/results/libopprof-results.map" \
    "$build/results/.libs/libopprof-results.so" \
    "$root"/results/include/opprof/*.h || fail "libopprof-results"
python3 "$root/scripts/symbols.py" "$root/harness/libopprof-harness.map" \
    "$build/harness/.libs/libopprof-harness.so" \
    "$root"/harness/include/opprof/harness.h || fail "libopprof-harness"

python3 "$root/scripts/symbols.py" --used "$root" ||
    fail "a library exports what nobody outside uses"

# What is wrong is found: a pattern, a symbol too many, a symbol too few.
sed 's/^        AddPlugin;$/        AddP*;/' "$root/core/libopprof.map" >"$scratch/pattern"
sed 's/^        AddPlugin;$/&\n        AddPlugina;/' "$root/core/libopprof.map" >"$scratch/more"
sed '/^        AddPlugin;$/d' "$root/core/libopprof.map" >"$scratch/less"
for wrong in pattern more less; do
    ! python3 "$root/scripts/symbols.py" "$scratch/$wrong" "$core" "$root"/core/include/opprof/*.h \
        "$build/core/include/opprof/version.h" >"$scratch/out" ||
        fail "a list of kind $wrong passes"
done
mkdir -p "$scratch/tree/docs/plugins"
for part in core kit results compare cli plugins harness sdk examples; do
    [ ! -e "$root/$part" ] || ln -s "$root/$part" "$scratch/tree/$part"
done
sed "s/\bAddPlugin\b/AddPlugina/" "$root/docs/plugins/abi.md" >"$scratch/tree/docs/plugins/abi.md"
cp -- "$root/docs/plugins/guide.md" "$scratch/tree/docs/plugins/"
! python3 "$root/scripts/symbols.py" --used "$scratch/tree" >"$scratch/out" ||
    fail "a name without a reason passes"
grep -q '^nobody outside uses AddPlugin:' "$scratch/out" || fail "the name is not said"
grep -q 'gives a reason for AddPlugina' "$scratch/out" || fail "the reason is not said"
