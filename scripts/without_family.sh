#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Deleting any family's folder and its include line leaves a tree that builds, tests and benches
# included: a copy of the tree is built once; then each family in turn is taken out of tree and
# build, and the rest is made again.
#
#   scripts/without_family.sh [FAMILY...]    default: all of them; 10 seconds per family, after a
#                                            minute for the first build
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/opprof-family.XXXXXX")
trap 'rm -rf -- "$work"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS TESTS srcdir

run() {
    local log=$work/log
    if ! "$@" >"$log" 2>&1; then
        tail -n 20 -- "$log"
        return 1
    fi
}
# Everything that is compiled, tests and benches too, and no test is run.
build() {
    run make -C "$work/build" -j2 all && run make -C "$work/build" -j2 check TESTS= &&
        run make -C "$work/build" -j2 bench-programs
}

mkdir -- "$work/source" "$work/build"
tar -C "$root" --exclude='./build*' --exclude=./.git --exclude=./autom4te.cache \
    --exclude='./m4/l*.m4' -cf - . |
    tar -C "$work/source" -xf -
chmod -R u+w -- "$work/source"
cd -- "$work/source"
families=("$@")
if [ $# -eq 0 ]; then
    for folder in plugins/*/; do
        families+=("$(basename -- "$folder")")
    done
fi

run autoreconf -fi
(cd -- "$work/build" && run ../source/configure ${CC:+CC="$CC"})
build || { echo "the whole tree does not build"; exit 1; }
failed=0
for family in "${families[@]}"; do
    mkdir -- "$work/kept" "$work/kept/build"
    cp -p -- Makefile.am Makefile.in "$work/build/Makefile" "$work/kept/"
    mv -- "plugins/$family" "$work/kept/source"
    mv -- "$work/build/plugins/$family" "$work/kept/build/plugin" 2>/dev/null || true
    sed -i "\\|^include plugins/$family/|d" Makefile.am
    if run automake --foreign && (cd -- "$work/build" && run ./config.status) && build; then
        printf 'without %s: builds\n' "$family"
    else
        printf 'without %s: does not build\n' "$family"
        failed=$((failed + 1))
    fi
    mv -- "$work/kept/source" "plugins/$family"
    mv -- "$work/kept/build/plugin" "$work/build/plugins/$family" 2>/dev/null || true
    cp -p -- "$work/kept/Makefile.am" "$work/kept/Makefile.in" .
    cp -p -- "$work/kept/Makefile" "$work/build/"
    rm -rf -- "$work/kept"
done
exit "$((failed > 0))"
