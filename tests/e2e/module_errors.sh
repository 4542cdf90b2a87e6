#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Modules that cannot be used: each is refused with its true reason and exit code 3, and affects
# nothing else.
. "$(dirname "$0")/lib.sh"
cd "$WORK" || exit 99
modules=${TEST_MODULES:?set by the makefile}

# check NAME TEXT... : a pipeline of that one module is refused with the texts.
check() {
    printf '{ "opprof_pipeline": "1.0", "stages": [ { "id": "s", "use": "%s" } ] }\n' "$1" \
        >"${1##*/}.json"
    opprof --pipeline "${1##*/}.json" --plugin-path mods --output out
    shift
    expect 3 "$@"
}

mkdir mods
cp "$modules"/*.so mods/
rm mods/linker-exit-at-load.so
printf 'I am text.\n' >mods/text.so
: >mods/hollow.so
cp mods/good.so mods/elsewhere.so
# e_machine, two bytes at offset 18: 0xb7 is AArch64, 0x3e is x86-64.
foreign='\xb7' named=AArch64
if [ "$(od -An -tu1 -j18 -N1 mods/good.so | tr -d ' ')" = 183 ]; then
    foreign='\x3e' named=x86-64
fi
# shellcheck disable=SC2059 # an escape sequence
printf "$foreign" | dd of=mods/elsewhere.so bs=1 seek=18 conv=notrunc 2>/dev/null
check elsewhere "is for $named"
cp mods/good.so mods/other-name.so

check nowhere "Cannot find plugin 'nowhere'" "mods"
check goood "Did you mean 'good'?"
check text "/text.so" "is not a shared object"
check hollow "/hollow.so" "empty"
check missing-function "undefined symbol"
check missing-data "undefined symbol"
check bare "exports no descriptor 'opprof_plugin_v0'"
check older "ABI 0.0" "ABI 0."
check newer "ABI 0.7" "ABI 0."
check major "plugin ABI major 3"
check other-name "'good'" "other-name"
check ../mods/good "is no"

# A missing library, through the module's own list of needed ones.
if command -v patchelf >/dev/null; then
    cp mods/good.so mods/dependent.so
    patchelf --add-needed libabsent.so.1 mods/dependent.so
    check dependent "libabsent.so.1"
else
    sed 's/libm\.so\.6/libq.so.9/g' mods/good.so >mods/dependent.so
    if ! cmp -s mods/good.so mods/dependent.so; then
        check dependent "libq.so.9"
    fi
fi

# Modules that find no room in memory are not at fault, whatever the dynamic linker says. The most
# is too little for many threads; without the least, the program itself is not loaded. Sanitizers
# need terabytes, and an emulator is not told of the limit but meets it itself.
if [ -z "${SANITIZE_FLAGS:-}${EMULATOR:-}" ]; then
    for ((kib = 5000; kib < 40000; kib += 1000)); do
        run bash -c "ulimit -v $kib; exec \"\$@\"" bash "$OPPROF_RUN" --pipeline kineto \
            --set "input=$DATA/kineto/sampled_rank-0.json.gz" \
            --output starved --flat
        [ "$code" = 127 ] || [ "$code" = 0 ] && continue # small stacks may leave enough
        expect 1
        holds grep -qE 'memory|thread' "$WORK/.stderr"
    done
fi

# One bad module spoils neither the list nor the others; the second of one name is shown as
# shadowed.
mkdir more
cp mods/good.so more/
opprof --plugin-path mods --plugin-path more --list
expect 0
holds grep -q "^good " "$WORK/.stdout"
holds grep -q "text.so" "$WORK/.stdout"
holds grep -q "more/good.so" "$WORK/.stdout"
opprof --inspect good --plugin-path mods
expect 0
opprof --inspect text --plugin-path mods
expect 3 "is not a shared object"

# A family whose folder is gone is just not found; what does not need it goes on.
(
    IFS=:
    for directory in $OPPROF_PLUGIN_PATH; do
        case $directory in
        *plugins/export/*) ;;
        *) printf '%s:' "$directory" ;;
        esac
    done
) >left
run env OPPROF_PLUGIN_PATH="$(cat left)" "$OPPROF_RUN" --pipeline sim-dump --set input=x --validate
expect 3 "Cannot find plugin 'trace'" "Cannot find plugin 'csv'"
cat >short.json <<'EOF1'
{ "opprof_pipeline": "1.0", "vars": { "input": { "required": true } },
  "stages": [ { "id": "dump", "use": "collect-sim", "params": { "dump": "${input}", "chip": "Ascend910B1" } },
              { "id": "timeline", "use": "sim-timeline" } ] }
EOF1
run env OPPROF_PLUGIN_PATH="$(cat left)" "$OPPROF_RUN" --pipeline short.json \
    --set "input=$DATA/sim/gpr_bytes" --output out
expect 0
# A damaged module is refused, ends only the child process that tries it, or crashes with its name.
# Bytes of the headers, of all tables and of the code are flipped one at a time, those that the
# dynamic linker ends the program for among them: the size of the hash table's filter, the files of
# needed versions, the kinds of relocations.
mkdir damaged one
python3 - mods/good.so damaged <<'PY' || exit 99
import struct, sys
good = open(sys.argv[1], "rb").read()
offset, size, count = struct.unpack_from("<Q", good, 32)[0], *struct.unpack_from("<HH", good, 54)
places = set(range(0, 64, 5)) | set(range(offset, offset + size * count, 3))
loads, tags = [], {}
for i in range(count):
    kind, flags, at, address = struct.unpack_from("<IIQQ", good, offset + i * size)
    length = struct.unpack_from("<Q", good, offset + i * size + 32)[0]
    if kind == 1:
        loads.append((address, at, length))
        places |= set(range(max(at, 64 + size * count), at + min(length, 2048), 11))
    elif kind == 2:
        places |= set(range(at, at + length, 9))
        tags = dict(struct.unpack_from("<QQ", good, at + 16 * n) for n in range(length // 16))
def place(tag):
    return next(at + tags[tag] - address for address, at, length in loads if address <=
                tags[tag] < address + length)
filter_size, version_file, relocation_kind = place(0x6FFFFEF5) + 8, place(0x6FFFFFFE) + 4, place(
    7) + 8
for first in (filter_size, version_file, relocation_kind, relocation_kind +
              24 * (tags[0x6FFFFFF9] - 1)):
    places |= set(range(first, first + 4))
for place in sorted(places):
    bad = bytearray(good)
    bad[place] ^= 0x41
    open("%s/%d.so" % (sys.argv[2], place), "wb").write(bad)
PY
crashes=0
# Code that loops uses up its processor time, however busy the machine is; the other limit only ends
# a test that hangs. A sanitizer marks as much memory as a damaged size says, gigabytes a second.
seconds=20
[ -z "${SANITIZE_FLAGS:-}" ] || seconds=4
for bad in damaged/*.so; do
    cp "$bad" one/good.so
    run timeout 600 bash -c 'ulimit -t "$0"; exec "$@"' "$seconds" "$OPPROF_RUN" --inspect good \
        --plugin-path one
    checks=$((checks + 1))
    if [ "$code" = $((128 + $(kill -l XCPU))) ] || [ "$code" = $((128 + $(kill -l KILL))) ]; then
        echo "$bad: its own code loops" # which has nothing to do with what is read of it
    elif [ "$code" -gt 128 ]; then
        crashes=$((crashes + 1))
        expect "$code" "crashed" "one/good.so"
    elif [ -n "${SANITIZE_FLAGS:-}" ] && grep -q 'Sanitizer' "$WORK/.stderr"; then
        crashes=$((crashes + 1)) # which the sanitizer sees before the program does
    elif [ "$code" = 1 ]; then
        # as the dynamic linker says of sizes that it cannot believe, too
        expect 1 "one/good.so" "memory"
    elif [ "$code" != 0 ] && [ "$code" != 3 ]; then
        fail "$bad: exit code $code"
    fi
done
echo "$crashes crashes, each with the module's name"

# A module whose code crashes when the program ends is named, though another one was loaded after
# it.
mkdir ends
cp "$TEST_MODULES/crash-at-end.so" "$TEST_MODULES/good.so" ends/
printf '{ "opprof_pipeline": "1.0", "stages": [ { "id": "a", "use": "crash-at-end" }, { "id": "b", "use": "good" } ] }\n' >ends.json
if [ -z "${SANITIZE_FLAGS:-}" ]; then # sanitizers report crashes themselves
    CRASH_AT_END=1 opprof --plugin-path ends --validate --pipeline ends.json
    expect 139 "in the code of: " "ends/crash-at-end.so"
fi

# A module whose start-up code crashes or ends the program: --list shows that and all others,
# --inspect names it.
mkdir starts
cp "$TEST_MODULES/crash-at-load.so" "$TEST_MODULES/exit-at-load.so" "$TEST_MODULES/good.so" starts/
opprof --plugin-path starts --list
expect 0
holds grep -q '^good ' .stdout
holds grep -qF 'It crashes when it is loaded: Segmentation fault' .stdout
holds grep -qF 'Its start-up code ends the program' .stdout
opprof --plugin-path starts --list --json
expect 0
holds grep -qF 'It crashes when it is loaded' .stdout
# What the dynamic linker itself gives up on may be a lack of memory: the others are listed, and the
# list is not called whole.
cp "$TEST_MODULES/linker-exit-at-load.so" starts/
for form in '' --json; do
    opprof --plugin-path starts --list ${form:+"$form"}
    expect 1 "linker-exit-at-load.so" "memory"
    holds grep -qw 'good' .stdout
    holds grep -qF 'The dynamic linker ends the process' .stdout
done
rm starts/linker-exit-at-load.so
# Start-up code that hangs does not hang a run that has a timeout.
cp "$TEST_MODULES/hang-at-load.so" starts/
printf '{ "opprof_pipeline": "1.0", "stages": [ { "id": "s", "use": "hang-at-load" } ] }\n' \
    >hangs.json
run timeout 600 "$OPPROF_RUN" --plugin-path starts --pipeline hangs.json --timeout 1 --output out
expect 3 "Its start-up code does not come back within 10 s" "hang-at-load.so"
rm starts/hang-at-load.so

opprof --plugin-path starts --inspect exit-at-load
expect 3 "exit-at-load.so" "Its start-up code ends the program"
printf '{ "opprof_pipeline": "1.0", "stages": [ { "id": "s", "use": "exit-at-load" } ] }\n' \
    >exits.json
opprof --plugin-path starts --validate --pipeline exits.json # modules are tried first
expect 3 "exit-at-load.so" "Its start-up code ends the program"
opprof --plugin-path starts --graph --pipeline exits.json
expect 1 "the start-up code of the module" "exit-at-load.so' ended the program with exit()"

# A plugin that hangs or breaks its contract while it is made ready: its own fault, and no mistake
# of the pipeline.
mkdir breaks
cp "$TEST_MODULES/leaver.so" breaks/
echo '{ "opprof_pipeline": "1.0", "stages": [ { "id": "s", "use": "leaver" } ] }' >breaks.json
pids=()
for call in create configure; do # both wait at the same time
    BREAK=$call timeout 600 "$OPPROF_RUN" --plugin-path breaks --pipeline breaks.json \
        --timeout 0.1 --output out >.stdout 2>"hangs-in-$call" </dev/null &
    pids[${#pids[@]}]=$!
done
for pid in "${pids[@]}"; do
    code=0
    wait "$pid" || code=$?
    expect 1
done
for call in create configure; do
    holds grep \
        -qF "Stage 's': leaver 1 did not come back from $call after the timeout, and was given up" \
        "hangs-in-$call"
    holds [ -z "$(grep mistake "hangs-in-$call")" ]
done
BREAK=contract opprof --plugin-path breaks --pipeline breaks.json --output out
expect 1 "The plugin's create returned 'end' (1), which it may not" "Stage 's' (leaver 1)"

# A plugin that calls exit(0) in a run: no success, and it is named.
mkdir leaves
cp "$TEST_MODULES/leaver.so" leaves/
echo '{ "opprof_pipeline": "1.0", "stages": [ { "id": "gone", "use": "leaver" } ] }' >leaves.json
opprof --plugin-path leaves --pipeline leaves.json --output out
expect 1 "stage 'gone' (plugin leaver) ended the program with exit() in process"
holds [ ! -s .stdout ]

finish
