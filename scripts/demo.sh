#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and installs opprof below ./build/demo and runs it on two dumps of the simulator. Run it again as often
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

prepare_source || die "autoreconf failed"
mkdir -p -- "$build"
rm -rf -- "$results" "$build/dump"
say "building in $build (the log is $build/make.log)"
configure_in "$build" --prefix="$prefix" --enable-silent-rules || die "configure failed"
if ! make -C "$build" -j"$jobs" install >"$build/make.log" 2>&1; then
    tail -n 40 -- "$build/make.log" >&2
    die "the build failed"
fi

# profile TITLE DUMP: runs the pipeline with its closing table, and lists what came out. Sets `path`.
profile() {
    local command code=0
    command=("$prefix/bin/opprof-run" --pipeline sim-dump --set "input=$2" --set chip=Ascend910B1
        --output "$results")
    say "$1"
    printf '%q ' "${command[@]}"
    printf '\n\n'
    path=$("${command[@]}") || code=$?
    [ "$code" -eq 0 ] || exit "$code"
    printf '\n'
    (cd -- "$path" && find . -type f -printf '%P\t%s\n' | LC_ALL=C sort |
        awk -F '\t' '{ printf "  %-40s %10d bytes\n", $1, $2 }')
}

profile "two cores, as the simulator left them" "$source_dir/tests/data/sim/a2_910B"
"$source_dir/examples/dump/make_dump.sh" "$build/dump" 300 4
profile "a vector addition on four cores, made by examples/dump/make_dump.sh" "$build/dump"

cat <<EOT

== results
$path

  trace.json            open in https://ui.perfetto.dev or chrome://tracing
  */trace.json          the same for one core, with instructions that overlap side by side
  visualize_data.bin    import into MindStudio Insight
  *.csv                 open in any spreadsheet
  run.json              what ran, how long it took, and whether anything is missing

Your own dump:
  $prefix/bin/opprof-run --pipeline sim-dump --set input=DUMP --set chip=CHIP --output DIRECTORY
EOT
