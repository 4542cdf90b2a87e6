#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every public header compiles alone, as C11 and as C++17, without a warning; opprof.h has all of them in it, and the
# makefile installs them all.
# OPPROF_INCLUDE names other directories than those of the sources, separated by colons.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

build=${OPPROF_BUILD_DIR:-.}
IFS=: read -ra directories <<<"${OPPROF_INCLUDE:-$root/core/include:$build/core/include}"
flags=(-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only)
headers=()
for directory in "${directories[@]}"; do
    flags+=(-I "$directory")
    for header in "$directory"/opprof/*.h; do
        [ ! -f "$header" ] || headers+=("${header##*/}")
        [ "${header##*/}" != opprof.h ] || umbrella=$header
    done
done
[ "${#headers[@]}" -ge 20 ] || fail "found only ${#headers[@]} headers"

compile() {
    local header=$1
    shift
    printf '#include <opprof/%s>\nextern int alone;\n' "$header" >"$scratch/alone"
    "$@" "${flags[@]}" "$scratch/alone" || fail "opprof/$header does not compile alone: $*"
}

for header in "${headers[@]}"; do
    compile "$header" "${CC:-cc}" -std=c11 -x c
    if command -v "${CXX:-g++}" >/dev/null 2>&1; then
        compile "$header" "${CXX:-g++}" -std=c++17 -x c++
    fi
    if [ "$header" != opprof.h ]; then
        grep -qxF "#include <opprof/$header>" "$umbrella" || fail "opprof.h does not include $header"
    fi
done

for header in "$root"/core/include/opprof/*.h; do
    grep -qE "(^|[[:space:]])core/include/opprof/${header##*/}([[:space:]]|\$)" "$root/core/module.mk" ||
        fail "core/module.mk does not install ${header##*/}"
done
