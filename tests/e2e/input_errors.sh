#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Inputs that are absent, damaged or change while they are read: what is good is kept, the rest is
# reported.
. "$(dirname "$0")/lib.sh"
cd "$WORK" || exit 99

# sim DIRECTORY [OPTION...]: run sim-dump on a directory, results in out/.
sim() {
    local input=$1
    shift
    rm -rf out
    opprof --pipeline sim-dump --set "input=$input" --set chip=Ascend910B1 --output out --flat "$@"
}

# instructions DOCUMENT: number of slices with operands in a trace.
instructions() {
    grep -o '"detail":' "$1" | wc -l
}

# line TICK PC DETAIL: an instruction as the logs print it.
line() {
    printf '[info] [%08d] (PC: 0x%x) SCALAR   : (Binary: 0x003bd781) ADD  %s\n' "$1" "$2" "$3"
}

# make NAME COUNT: a dump of COUNT instructions of one core.
make_dump() {
    local i
    mkdir -p "$1"
    for ((i = 0; i < $2; i++)); do
        line $((100 + i)) $((4096 + 4 * (i % 50))) "XD:X1=0x$i,"
    done >"$1/core0.veccore0.instr_popped_log.dump"
    for ((i = 0; i < $2; i++)); do
        line $((103 + i)) $((4096 + 4 * (i % 50))) "XD:X1=0x$i,"
    done >"$1/core0.veccore0.instr_log.dump"
}

sim absent
expect 1 "absent" "No such file or directory"
mkdir empty
sim empty
expect 1 "empty"
printf 'x' >file
sim file
expect 1 "file"
if [ "$(id -u)" != 0 ]; then
    make_dump secret 5
    chmod 000 secret/core0.veccore0.instr_log.dump
    sim secret
    expect 4 "Permission denied"
fi
mkdir -p subdir/core0.veccore0.instr_log.dump
make_dump subdir2 1
sim subdir
expect 1

# A last line without newline counts as far as it is whole, but the log is not called whole.
make_dump cut 3
truncate -s -1 cut/core0.veccore0.instr_popped_log.dump
truncate -s -1 cut/core0.veccore0.instr_log.dump
sim cut
expect 4 "core0.veccore0.instr_popped_log.dump' ends in the middle of a line" \
    "core0.veccore0.instr_log.dump' ends"
holds [ "$(instructions out/trace.json)" = 3 ]
truncate -s -60 cut/core0.veccore0.instr_log.dump
sim cut
expect 4 "core0.veccore0.instr_log.dump' ends in the middle of a line, at byte"
holds [ "$(instructions out/trace.json)" = 2 ]

# Lines over 64 KiB are skipped and reported; the others count.
make_dump long 3
{
    head -c 70000 /dev/zero | tr '\0' x
    printf '\n'
    line 106 4108 "XD:X1=0x9,"
} >>long/core0.veccore0.instr_log.dump
line 105 4108 "XD:X1=0x9," >>long/core0.veccore0.instr_popped_log.dump
sim long
expect 4 "incomplete:" "1 line is longer than 65536 bytes and was skipped, the first at byte 237"
holds [ "$(instructions out/trace.json)" = 4 ]

# NUL bytes are what a disk puts where it lost something.
make_dump hole 3
printf 'a\0b\n' >>hole/core0.veccore0.instr_log.dump
sim hole
expect 4 \
    "1 line has NUL bytes, the first at byte 237 of dump file 'hole/core0.veccore0.instr_log.dump'"
holds [ "$(instructions out/trace.json)" = 3 ]

# Bytes that are not UTF-8 make lines that are not records, nothing worse.
make_dump bytes 3
printf 'ab\n\377\376\n' >>bytes/core0.veccore0.instr_log.dump
printf '[info] [00000200] (PC: 0x9000) SCALAR   : (Binary: 0x003bd781) ADD  \377\n' |
    tee -a bytes/core0.veccore0.instr_log.dump >>bytes/core0.veccore0.instr_popped_log.dump
sim bytes
expect 0
holds is_json out/trace.json

# What was printed as an instruction but cannot be read is missing: a tick beyond 64 bits, none at
# all, a byte order mark.
make_dump overflow 3
sed -i '2s/00000104/99999999999999999999999/; 3s/00000105/nan/' \
    overflow/core0.veccore0.instr_log.dump
sim overflow
expect 4 \
    "2 instructions of dump file 'overflow/core0.veccore0.instr_log.dump' that cannot be read are left out, the first in line 2"
holds [ "$(instructions out/trace.json)" = 1 ]
make_dump mark 3
sed -i '1s/^/\xef\xbb\xbf/' mark/core0.veccore0.instr_popped_log.dump
sim mark
expect 4 \
    "1 instruction of dump file 'mark/core0.veccore0.instr_popped_log.dump' that cannot be read is left out, the first in line 1"
# Headers, blank lines and what other tools print are not instructions.
make_dump chatter 3
sed -i '1i # a log\n\n[info] simulation (PC: 0x1000) begins' chatter/core0.veccore0.instr_log.dump
printf 'done, [info] [nan]\n' >>chatter/core0.veccore0.instr_popped_log.dump
sim chatter
expect 0
holds [ "$(instructions out/trace.json)" = 3 ]

# A core without one of its logs is reported and the others are kept.
make_dump half 3
cp half/core0.veccore0.instr_log.dump half/core1.veccore0.instr_log.dump
cp "$DATA/sim/a2_910B/core0.veccore0.ifu.icache_log.dump" half/core1.veccore0.ifu.icache_log.dump
sim half
expect 4 "core1.veccore0.instr_popped_log.dump' is missing"
holds [ "$(instructions out/trace.json)" -ge 3 ]

# Larger than the limit: refused with the name of the parameter that raises it.
make_dump large 3
sim large --set dump.max_file_size=100
expect 1 "max_file_size"

# Unknown chips are reported with the nearest names; a guess is called one.
rm -rf out
opprof --pipeline sim-dump --set input=cut --set chip=Ascend910B9 --output out --flat
holds [ "$code" != 0 ]
holds grep -q "Ascend910B" "$WORK/.stderr"
opprof --pipeline sim-dump --set input=long --output out --flat
expect 4 "--set chip="
# A chip that is left to the data is left to it in any spelling.
opprof --pipeline sim-dump --set input=long --set chip=AUTO --output out --flat
expect 4 "--set chip="

# A file that changes while it is read, in the middle of which a tap into a pipe stops the
# collector.
stop_in_the_middle() {
    start_into_pipe --pipeline sim-dump --set input=changing --set chip=Ascend910B1 --output out \
        --flat --tap dump.instructions=pipe
}

lines=200000
mkdir changing
awk -v n=$lines 'BEGIN { for (i = 0; i < n; i++)
    printf "[info] [%08d] (PC: 0x%x) SCALAR   : (Binary: 0x003bd781) ADD  XD:X1=0x%x,\n", i + 100, 4096 + 4 * (i % 50), i }' \
    >changing/core0.veccore0.instr_popped_log.dump
sed 's/\[\(0*\)/[\1/' changing/core0.veccore0.instr_popped_log.dump \
    >changing/core0.veccore0.instr_log.dump
cp -r changing kept

rm -rf out
stop_in_the_middle
truncate -s -2500000 changing/core0.veccore0.instr_log.dump
go_on
expect 4 "incomplete:" "core0.veccore0.instr_log.dump" "it shrank while it was read"
holds is_json out/trace.json
holds [ "$(instructions out/trace.json)" -gt 1000 ]

rm -rf out changing
cp -r kept changing
stop_in_the_middle
cat kept/core0.veccore0.instr_log.dump >>changing/core0.veccore0.instr_log.dump
go_on
expect 0
holds [ "$(instructions out/trace.json)" = $lines ]

rm -rf out changing
cp -r kept changing
stop_in_the_middle
rm -rf changing
go_on
holds [ "$code" = 0 -o "$code" = 4 ]
holds is_json out/trace.json

# A launch that loses a file, or the end of one, after it was found and before it is read.
for i in {0..99}; do
    mkdir -p "run/device0/made_up/$i"
    cp -r "$DATA/pmu/cases/910b_mix/input" "run/device0/made_up/$i/dump"
done
rm -rf out
start_into_pipe --pipeline onboard-dump --set input=run --output out --flat --tap dump.chunks=pipe
rm run/device0/made_up/98/dump/DeviceProf1.bin
: >run/device0/made_up/99/dump/DeviceProf2.bin
go_on
expect 4 "The files in 'run/device0/made_up/98/dump' had"
holds grep -qF "The files in 'run/device0/made_up/99/dump' had" out/run.json

# A pipe is refused as a recording: opening it would wait until something writes to it.
mkfifo pipe.oprec
opprof --pipeline sim-dump --replay pipe.oprec --output out --flat
expect 2 "Cannot read 'pipe.oprec': it is a pipe"
finish
