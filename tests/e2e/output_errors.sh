#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Places that cannot be written are reported, complete files are kept, and no half-written file has
# a final name.
. "$(dirname "$0")/lib.sh"
tree=$(cd "$(dirname "$0")/../.." && pwd)
cd "$WORK" || exit 99
umask 022

sim() {
    opprof --pipeline sim-dump --set "input=$DATA/sim/gpr_bytes" --set chip=Ascend910B1 "$@"
}

mode() {
    stat -c %a "$1"
}

# Directories that are missing are made, closed to others; a rerun replaces its files.
sim --output deep/er/results --flat
expect 0
holds [ "$(mode deep/er/results)" = 750 ]
holds [ "$(mode deep/er/results/trace.json)" = 640 ]
holds [ "$(mode deep/er/results/core0.veccore0)" = 750 ]
holds [ "$(tail -n 1 "$WORK/.stdout")" = "$WORK/deep/er/results" ]
sim --output deep/er/results --flat
expect 0

# Nothing that a run writes takes the place of what it reads, in a directory that it reads of no
# file but its own.
gzip -dc "$tree/tests/data/kineto/event_sync_multi_stream.json.gz" >original
mkdir here
cp original here/trace.json
cd here || exit 99
opprof kineto trace.json --output . --flat
expect 1 "Cannot replace '$WORK/here/trace.json': the run reads it" \
    "Choose another output directory"
holds cmp trace.json ../original
holds [ -s kernel_breakdown.csv ]
opprof kineto trace.json --output there --flat --tap kineto.spans=trace.json
expect 1 "Cannot write 'trace.json': the run reads it"
opprof kineto trace.json --output there --flat --record kineto.spans=trace.json
expect 1 "Cannot write 'trace.json': the run reads it"
opprof kineto trace.json --output there --flat --stats trace.json
expect 1 "Cannot write 'trace.json': the run reads it" "Name another file"
holds cmp trace.json ../original
printf '{ "opprof_pipeline": "1.0", "extends": "kineto" }\n' >own.json
cp own.json ../own.json
opprof --pipeline ./own.json --set input=trace.json --output there --flat --stats own.json
expect 1 "Cannot write 'own.json': the run reads it"
holds cmp own.json ../own.json
opprof kineto trace.json --output there --flat --stats stats.json
expect 0
holds cmp stats.json there/run.json
holds cmp trace.json ../original
cd .. || exit 99
mkdir ranks
cp original ranks/trace.json
opprof kineto ranks --output ranks --flat
expect 1 "Cannot replace '$WORK/ranks/trace.json': the input has a file of this name"
opprof kineto ranks --output ranks --flat
holds cmp ranks/trace.json original
cp -R "$DATA/sim/gpr_bytes" dump
chmod -R u+w dump
for _ in first again; do
    opprof --pipeline sim-dump --set input=dump --set chip=Ascend910B1 --output dump --flat
    expect 0
    holds [ -s dump/trace.json ]
done
rm dump/run.json
opprof --pipeline sim-dump --set input=dump --set chip=Ascend910B1 --output dump --flat
expect 1 "Cannot replace" "the input has a file of this name"
rm -rf here ranks dump

# Without --flat each run has a directory of its own.
sim -o runs
expect 0
holds [ "$(find runs -maxdepth 1 -name 'OPPROF_*' | wc -l)" = 1 ]
holds expr "$(basename runs/OPPROF_*)" : 'OPPROF_[0-9]\{14\}_[A-Z]\{16\}$' '>' 0

sim --output /proc/opprof --flat
expect 1 "/proc/opprof"
if [ "$(id -u)" != 0 ]; then
    mkdir -m 555 locked
    sim --output locked --flat
    expect 1 "locked" "Permission denied"
fi
printf x >file
sim --output file --flat
expect 1 "'file'" "not a directory"
mkdir real
ln -s real link
sim --output link --flat
expect 1 "link" "symbolic link"
mkdir -m 775 shared
chmod g+w shared
sim --output shared
expect 0 "Others can write into 'shared' (mode 0775)"

# Results that are not where the run says they are: the directory was moved in the middle of it.
cat >brief.json <<'JSON'
{ "opprof_pipeline": "1.0", "stages": [ { "id": "dump", "use": "collect-sim", "params": { "dump": "dump", "chip": "Ascend910B1" } },
  { "id": "timeline", "use": "sim-timeline" }, { "id": "csv", "use": "csv" } ] }
JSON
mkdir dump
awk 'BEGIN { for (i = 0; i < 20000; i++)
    printf "[info] [%08d] (PC: 0x%x) SCALAR   : (Binary: 0x003bd781) ADD  XD:X1=0x%x,\n", i + 100, 4096 + 4 * (i % 50), i }' \
    >dump/core0.veccore0.instr_popped_log.dump
cp dump/core0.veccore0.instr_popped_log.dump dump/core0.veccore0.instr_log.dump
start_into_pipe --pipeline brief.json --output moving --flat --tap dump.instructions=pipe
mv moving moved
mkdir moving
go_on
expect 1 "The results are not in '$WORK/moving' any more"
holds [ -s moved/core_summary.csv ]

# A symbolic link in the way of a result is refused and what it points to is left alone.
mkdir trap
printf 'precious' >precious
ln -s ../precious trap/trace.json
sim --output trap --flat
expect 1 "trace.json" "symbolic link"
holds [ "$(cat precious)" = precious ]
mkdir -p dirtrap elsewhere
ln -s ../elsewhere dirtrap/core0.veccore0
sim --output dirtrap --flat
holds [ "$code" = 1 ]
holds [ -z "$(ls elsewhere)" ]

# The disk is full at any point: a limit on file sizes stands for it, small dumps for small files.
whole_results() {
    local result
    [ -z "$(find limited -name '.*part*')" ] || return 1
    while IFS= read -r result; do
        is_json "$result" || return 1
    done < <(find limited -name '*.json')
}
# The limit must not hit the test's own files, so messages go through a pipe.
limited() {
    local blocks=$1
    shift
    run bash -c "(ulimit -f $blocks; exec \"\$@\") 2>&1 | cat >&2; exit \${PIPESTATUS[0]}" limited \
        "$@"
}
# ThreadSanitizer writes a file of its own before the program begins, and dies of it where none may
# be written.
limited 0 "$OPPROF_RUN" --version
[ "$code" = 153 ] && least=1 || least=0
if [ "${OPPROF_TEST:-}" = full ]; then
    sizes="$(seq $least 6) 8 10 12 16 32 64 128 256 512 4096" \
        few_sizes="$(seq $least 1) 4 16 48 160 100000"
else
    sizes="$least 1 2 4 8 64 4096" few_sizes="$least 16 100000"
fi
for blocks in $sizes; do
    rm -rf limited
    limited "$blocks" "$OPPROF_RUN" --pipeline sim-dump \
        --set "input=$DATA/sim/gpr_bytes" --set chip=Ascend910B1 --output limited --flat
    holds [ "$code" = 1 -o "$code" = 0 ]
    [ "$code" = 0 ] || expect 1 "File too large"
    holds whole_results
done
holds [ "$code" = 0 ]

# The same for every ready pipeline: whichever exporter it is that finds no room, the run fails, and
# what has its final name is whole.
# shellcheck source=tests/tools/ready_inputs.sh
. "$tree/tests/tools/ready_inputs.sh"
mkdir inputs
ready_inputs "$tree" "$WORK/inputs" >table || exit 99
while read -r name input settings; do
    options=(--set "input=$input")
    for setting in $settings; do
        options+=(--set "$setting")
    done
    for blocks in $few_sizes; do
        rm -rf limited
        limited "$blocks" "$OPPROF_RUN" --pipeline "$name" "${options[@]}" --output limited --flat
        holds [ "$code" = 1 -o "$code" = 0 ]
        [ "$code" = 0 ] || expect 1 "File too large"
        run python3 "$tree/tests/tools/whole_files.py" limited
        expect 0
    done
    holds [ "$(find limited -name run.json)" ]
done <table

# The same on a real small file system, where one may be made.
if mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
    head -c 61440 /dev/zero >small/ballast
    opprof --pipeline sim-dump --set "input=$DATA/sim/gpr_bytes" --set chip=Ascend910B1 \
        --output small/out --flat
    expect 1 "No space left on device"
    holds [ -z "$(find small -name '.*part*')" ]
    rm -rf small/*
    umount small
fi

# Results on a closed standard output are an error, not a loss.
run bash -c 'exec "$@" >&-' closed "$OPPROF_RUN" --pipeline sim-dump \
    --set "input=$DATA/sim/gpr_bytes" --set chip=Ascend910B1 --output closed --flat
holds [ "$code" = 1 ]
holds [ -s closed/trace.json ]
sim --output stats --flat --stats /proc/opprof/stats.json
expect 1 "/proc/opprof/stats.json"
finish
