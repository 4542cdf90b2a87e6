#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets with clang's libFuzzer in ./fuzz-build and runs them one after the other, each for its
# share of SECONDS (default 600), starting from its corpus. Inputs that crash a target stay in fuzz-build/crashes.
# usage: fuzz.sh SOURCE-DIRECTORY [SECONDS [TARGET...]]
set -eu
source=$(cd "${1:?source directory}" && pwd)
seconds=${2:-600}
shift $(($# > 2 ? 2 : $#))
mkdir -p fuzz-build/crashes
cd fuzz-build
if [ ! -e Makefile ]; then
    "$source/configure" CC=clang CFLAGS='-g -O1' --enable-fuzz --enable-sanitize=address,undefined >configure.log 2>&1 ||
        { tail -n 5 configure.log; exit 1; }
fi
make -s -j"$(nproc)" fuzz-targets
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
    for program in fuzz/fuzz_*; do
        if [ -f "$program" ] && [ -x "$program" ]; then
            targets+=("${program#fuzz/fuzz_}")
        fi
    done
fi
share=$((seconds / ${#targets[@]}))
failed=0
for target in "${targets[@]}"; do
    mkdir -p "work/$target"
    if "fuzz/fuzz_$target" -max_total_time=$((share > 0 ? share : 1)) -timeout=20 -rss_limit_mb=2048 \
        -artifact_prefix="crashes/$target-" "work/$target" "$source/fuzz/corpus/$target" \
        >"work/$target.log" 2>&1; then
        printf '%s: %s\n' "$target" "$(grep -aE '^Done|^#[0-9]+.*DONE' "work/$target.log" | tail -n 1)"
    else
        printf '%s: FAILED\n' "$target"
        tail -n 30 "work/$target.log"
        failed=$((failed + 1))
    fi
done
printf '%d targets, %d failed\n' "${#targets[@]}" "$failed"
[ "$failed" -eq 0 ]
