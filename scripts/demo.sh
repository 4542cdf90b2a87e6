#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and installs opprof below ./build/demo and runs it on a bundled simulator dump. Run it again as often
# as you like. OPPROF_BUILD names another directory for the build.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

bash "$root/scripts/deps.sh" build
drop_privileges "$@"
choose_directories
build=$build_root/demo
prefix=$build/prefix
results=$build/results
data=$source_dir/tests/data/sim/a2_910B

prepare_source
mkdir -p -- "$build"
say "building in $build (the log is $build/make.log)"
configure_in "$build" --prefix="$prefix" --enable-silent-rules || die "configure failed"
if ! make -C "$build" -j"$jobs" install >"$build/make.log" 2>&1; then
    tail -n 40 -- "$build/make.log" >&2
    die "the build failed"
fi

command=("$prefix/bin/opprof-run" --pipeline sim-dump --set "input=$data" --set chip=Ascend910B1
    --output "$results")
say "running"
printf '%q ' "${command[@]}"
printf '\n\n'
code=0
path=$("${command[@]}") || code=$?
if [ "$code" -ne 0 ] && [ "$code" -ne 4 ]; then
    exit "$code"
fi

say "results"
(cd -- "$path" && find . -type f -printf '%P\t%s\n' | sort |
    awk -F '\t' '{ printf "  %-52s %9d bytes\n", $1, $2 }')
printf '\nThey lie in %s\n' "$path"
cat <<EOT

  trace.json            open in https://ui.perfetto.dev or chrome://tracing
  visualize_data.bin    open in MindStudio Insight
  */*_instr_exe.csv     open in any spreadsheet
  run.json              what ran, how long it took, and whether anything is missing

Your own dump:
  $prefix/bin/opprof-run --pipeline sim-dump --set input=DUMP-DIRECTORY --set chip=CHIP --output DIRECTORY
EOT
exit "$code"
