#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets with clang's libFuzzer in ./fuzz-build and runs each for SECONDS (default
# 60), starting from its corpus, one on each processor at a time. Inputs that crash a target stay in
# fuzz-build/crashes, and what it found in fuzz-build/work. A target to which most of its corpus is
# all the same fails: it does not see what it is to try.
# usage: fuzz.sh SOURCE-DIRECTORY [SECONDS [TARGET...]]
set -eu
source=$(cd "${1:?source directory}" && pwd)
seconds=${2:-60}
shift $(($# > 2 ? 2 : $#))
mkdir -p fuzz-build/crashes
cd fuzz-build
if [ ! -e Makefile ]; then
    "$source/configure" CC=clang CFLAGS='-g -O1' --enable-fuzz --enable-sanitize=address,undefined \
        >configure.log 2>&1 ||
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

# Inputs of the corpus that a target's coverage tells apart, from its log.
seen_of() { sed -n 's/.*INITED .* corp: \([0-9]*\)\/.*/\1/p' "$1" | head -n 1; }

# fuzz PROCESSOR TARGET
fuzz() {
    local target=$2 log=work/$2.log corpus=$source/fuzz/corpus/$2 inputs seen
    mkdir -p "work/$target"
    if ! taskset -c "$1" "fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=100 \
        -rss_limit_mb=2048 -artifact_prefix="crashes/$target-" "work/$target" "$corpus" >"$log" \
        2>&1; then
        tail -n 30 "$log"
        printf '%s: FAILED\n' "$target"
        return 1
    fi
    inputs=$(find "$corpus/" -type f | wc -l)
    seen=$(seen_of "$log")
    if [ $((${seen:-0} * 4)) -lt "$inputs" ]; then
        printf '%s: FAILED, it tells %s of %s inputs apart\n' "$target" "${seen:-0}" "$inputs"
        return 1
    fi
    printf '%s: %s\n' "$target" "$(grep -aE '^Done' "$log" | tail -n 1)"
}

# Every so manyth target, on that processor; its exit code is the number of those that failed.
fuzz_some() {
    local failed=0 i
    for ((i = $2; i < ${#targets[@]}; i += $3)); do
        fuzz "$1" "${targets[i]}" || failed=$((failed + 1))
    done
    return "$failed"
}

mapfile -t processors < <(taskset -cp $$ | sed 's/.*: //' | tr , '\n' |
    awk -F- '{ for (i = $1; i <= $NF; i++) print i }')
jobs=()
for i in "${!processors[@]}"; do
    fuzz_some "${processors[i]}" "$i" "${#processors[@]}" &
    jobs+=($!)
done
failed=0
for job in "${jobs[@]}"; do
    wait "$job" || failed=$((failed + $?))
done
printf '%d targets, %d failed\n' "${#targets[@]}" "$failed"
[ "$failed" -eq 0 ]
