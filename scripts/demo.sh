#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and installs opprof below ./build/demo and runs it on an operator that runs meanwhile, on two dumps of the
# simulator, on the counters of an operator on a device, and on the trace of a framework. Run it again as often as you like. OPPROF_BUILD names another directory for the build.
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
say "building in $build (the log is $build/make.log)"
configure_in "$build" --prefix="$prefix" --enable-silent-rules || die "configure failed"
if ! make -C "$build" -j"$jobs" install >"$build/make.log" 2>&1; then
    tail -n 40 -- "$build/make.log" >&2
    die "the build failed"
fi

# list DIRECTORY: the files in it and their sizes
list() {
    (cd -- "$1" && find . -type f -printf '%P\t%s\n' | LC_ALL=C sort |
        awk -F '\t' '{ printf "  %-40s %10d bytes\n", $1, $2 }')
}

# profile TITLE PIPELINE INPUT [OPTION...]: runs the pipeline with its closing tables, and lists what came out. Sets
# `path`.
profile() {
    local command code=0
    command=("$prefix/bin/opprof-run" --pipeline "$2" --set "input=$3" --output "$results" "${@:4}")
    say "$1"
    printf '%q ' "${command[@]}"
    printf '\n\n'
    path=$("${command[@]}") || code=$?
    [ "$code" -eq 0 ] || exit "$code"
    printf '\n'
    list "$path"
}

# shares FILE: the mean of each column of shares as a bar
shares() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /_ratio$/) name[i] = $i }
        NR > 1 { for (i in name) if ($i != "NA") { sum[i] += $i; count[i]++ } }
        END { for (i = 1; i <= 99; i++) if (count[i] && sum[i] > 0) {
            bar = sprintf("%*s", int(sum[i] / count[i] * 50 + 0.5), ""); gsub(/ /, "#", bar)
            printf "  %-22s %5.1f%%  %s\n", name[i], 100 * sum[i] / count[i], bar } }' "$1"
}

say "a matrix product on the reference chip, profiled while it runs"
live=("$prefix/bin/opprof-run" --output "$results" sim-live -- "$prefix/bin/opprof-refchip" matmul --double-buffer)
printf '%q ' "${live[@]}"
printf '\n\n'
path=$("${live[@]}" | tail -n 1)
printf '\n'
list "$path"
profile "lines of an inference chip, as the simulator left them" sim-dump "$source_dir/tests/data/sim/p310_310P" \
    --set chip=Ascend310P1
"$source_dir/examples/dump/make_dump.sh" "$build/dump" 300 4
profile "a vector addition on four cores, made by examples/dump/make_dump.sh" sim-dump "$build/dump" \
    --set chip=Ascend910B1
simulated=$path
"$build/tests/tools/gen_onboard" --describe "$source_dir/examples/onboard/matmul.txt" --name matmul_bias --blocks 24 \
    "$build/onboard"
profile "a matrix product on 24 cores of a device, counters made from examples/onboard/matmul.txt" onboard-dump \
    "$build/onboard" --set metrics=default,roofline
measured=$path
printf '\nHow busy the units were, from PipeUtilization.csv (aic: cube cores, aiv: vector cores):\n'
shares "$measured/PipeUtilization.csv"
profile "a training step on a GPU, traced by PyTorch" kineto "$source_dir/tests/data/kineto/sampled_rank-0.json.gz"
printf '\nWhere the time of the device went, from temporal_breakdown.csv, in percent:\n'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
    NR == 2 { for (i = 1; i <= NF; i++) if (name[i] ~ /_pctg$/) printf "  %-24s %6.2f\n", name[i], $i }' \
    "$path/temporal_breakdown.csv"
if command -v python3 >/dev/null; then
    printf '\nThe kernels that took longest, from kernel_breakdown.csv, in us:\n'
    python3 - "$path/kernel_breakdown.csv" <<'PYTHON'
import csv, sys
rows = sorted(csv.DictReader(open(sys.argv[1])), key=lambda row: -float(row["sum (us)"]))
for row in rows[:5]:
    print("  %12s  %s" % (row["sum (us)"], row["name"][:80]))
PYTHON
fi

cat <<EOT

== results
$simulated

  trace.json            open in https://ui.perfetto.dev or chrome://tracing
  */trace.json          the same for one core, with instructions that overlap side by side
  visualize_data.bin    import into MindStudio Insight
  *.csv                 open in any spreadsheet
  run.json              what ran, how long it took, and whether anything is missing

$measured

  OpBasicInfo.csv       what ran, where and how long
  PipeUtilization.csv   busy time of each unit of each core; other tables: memory, caches, conflicts
  visualize_data.bin    import into MindStudio Insight: compute load, memory heat map, roofline

$path

  temporal_breakdown.csv  computing, other work, idle; overlap.csv, idle_breakdown.csv and others: why
  trace.json              the device's work, with curves of queues and bandwidth

Your own data:
  $prefix/bin/opprof-run --output DIRECTORY sim-live -- COMMAND…
  $prefix/bin/opprof-run --pipeline sim-dump --set input=DUMP --set chip=CHIP --output DIRECTORY
  $prefix/bin/opprof-run --pipeline onboard-dump --set input=DIRECTORY_OF_THE_RUN --output DIRECTORY
  $prefix/bin/opprof-run --pipeline kineto --set input=TRACE.json.gz --output DIRECTORY
EOT
