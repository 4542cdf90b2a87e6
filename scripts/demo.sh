#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and installs opprof below ./build/demo and runs it on operators that run meanwhile, on a
# dump of the simulator, on the counters of an operator on a device, and on the trace of a
# framework. Run it again as often as you like. OPPROF_BUILD names another directory for the build.
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
rm -rf -- "$results" "$build/dump" "$build/onboard"

# watch PROCESS LOG: says every ten seconds how far it is; its log has a line for each step.
watch() {
    local started=$SECONDS shown=0 log=$2
    while kill -0 "$1" 2>/dev/null; do
        sleep 1
        if [ $((SECONDS - started)) -ge $((shown + 10)) ]; then
            shown=$((SECONDS - started))
            printf '  %3d s: %5d lines, %s\n' "$shown" "$(wc -l <"$log")" \
                "$(tail -n 1 -- "$log" | tr -s ' ' | cut -c 1-60)"
        fi
    done
}

say "configuring in $build (the log is $build/configure.log)"
touch -- "$build/configure.log"
configure_in "$build" --prefix="$prefix" --enable-silent-rules &
maker=$!
watch "$maker" "$build/configure.log"
wait "$maker" || die "configure failed"
say "building in $build (the log is $build/make.log)"
make -C "$build" -j"$jobs" install >"$build/make.log" 2>&1 &
maker=$!
watch "$maker" "$build/make.log"
if ! wait "$maker"; then
    tail -n 40 -- "$build/make.log" >&2
    die "the build failed"
fi

# profile TITLE ARGUMENT…: runs opprof-run with those arguments, which prints what it found, and
# lists what came out. Sets `path`.
profile() {
    local command code=0
    command=("$prefix/bin/opprof-run" --output "$results" "${@:2}")
    say "$1"
    printf '%q ' "${command[@]}"
    printf '\n\n'
    path=$("${command[@]}" | tail -n 1) || code=$?
    [ "$code" -eq 0 ] || exit "$code"
    printf '\n'
    (cd -- "$path" && find . -type f -printf '%P\t%s\n' | LC_ALL=C sort |
        awk -F '\t' '{ printf "  %-40s %10d bytes\n", $1, $2 }')
}

profile "a matrix product on the simulator of the reference chip, profiled while it runs" \
    sim-live -- "$prefix/bin/opprof-refchip" matmul --double-buffer
running=$path
profile "a matrix product on the reference chip's board, profiled while it runs" \
    --set instrumenter="$prefix/lib/opprof/refchip/refchip-as" onboard-live \
    -- "$prefix/bin/opprof-refchip" matmul
board=$path
"$source_dir/examples/dump/make_dump.sh" "$build/dump" 300 4
profile "a vector addition on four cores, a dump made by examples/dump/make_dump.sh" \
    --set chip=Ascend910B1 sim-dump "$build/dump"
simulated=$path
"$build/tests/tools/gen_onboard" --describe "$source_dir/examples/onboard/matmul.txt" \
    --name matmul_bias --blocks 24 "$build/onboard"
profile "a matrix product on 24 cores of a device, counters made from examples/onboard/matmul.txt" \
    --set metrics=default,roofline onboard-dump "$build/onboard"
measured=$path
profile "a training step on a GPU, traced by PyTorch; opprof-run recognises the file" \
    "$source_dir/tests/data/kineto/sampled_rank-0.json.gz"

cat <<EOT

== pages, to open in a browser
  $running/report.html
    a simulated matrix product: what its pipes wait for, and the hot lines beside their source
  $board/report.html
    the same on a board: times, memory map, and the lines that the instrumented kernel ran
  $simulated/report.html
    a vector addition on four simulated cores: a timeline with an arrow for each flag
  $measured/report.html
    counters of 24 cores: how busy each pipe is, the memory map, the roofline
  $path/report.html
    a training step on a GPU: streams, threads of the host, and why the device was idle

  report.html           the page: what was slow, the timeline, the tables
  trace.json            open in https://ui.perfetto.dev or chrome://tracing
  visualize_data.bin    import into MindStudio Insight
  results.sqlite        all tables as a database; *.csv: for spreadsheets
  run.json              what ran, how long it took, and whether anything is missing

Your own data:
  $prefix/bin/opprof-run INPUT                      a dump, a run of a device, a trace
  $prefix/bin/opprof-run sim-live -- COMMAND…       a program on the simulator
  $prefix/bin/opprof-run onboard-live -- COMMAND…   a program on a device
EOT
