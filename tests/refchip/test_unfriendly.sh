#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs that are hard to be a guest in: what each prints, writes and returns, and how much memory
# it takes, is the same without opprof and while it is profiled on a simulator and on a device; and
# its launches are seen, where they can be.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
export DRIVER_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"

cat >alone.sh <<'END'
# A program whose folder, output and exit code are its own.
place=$1
shift
code=0
# the program may become another user
: >"$place/peak"
chmod 666 "$place/peak"
(cd "$place" && UNFRIENDLY_PEAK=peak exec "$@" >said 2>why </dev/null) || code=$?
echo "$code" >"$place/code"
END

# same FOLDER: what the program did in FOLDER is what it did in ./alone
same() {
    local file
    for file in code said why data0 data1 data2; do
        [ ! -e "alone/$file" ] || cmp "alone/$file" "$1/$file" >&2 ||
            { head -n 5 "alone/$file" "$1/$file" >&2; fail "$1: ./$file is not as without opprof"; }
    done
    # Ten percent and 8 MB; what opprof saves of the device is a few hundred KB here.
    [ -s alone/peak ] || fail "$1: the program says nothing of its memory"
    paste alone/peak "$1/peak" | awk '{ apart = $2 > $1 ? $2 - $1 : $1 - $2 }
        apart > $1 * 0.1 + 8192 { bad = 1 } END { exit bad }' ||
        fail "$1: the peak of memory is $(xargs <"$1/peak") KB, and $(xargs <alone/peak) KB without opprof"
}
# both NAME CODE LAUNCHES WORD... : the program alone, and on a simulator and a device, where
# opprof-run ends with the code and has profiled so many launches
settings=() directly=
both() {
    local name=$1 wanted=$2 launches=$3 pipeline code place
    shift 3
    rm -rf alone && mkdir alone
    env "${settings[@]}" sh alone.sh alone "$@"
    for pipeline in sim-live onboard-live; do
        place=$name-$pipeline code=0
        options=(--set launch_count=100)
        # The memory of this device is the program's, and its cache is cleared with as much as it
        # holds.
        [ $pipeline = sim-live ] || options+=(--set warm_up=0 --set metrics=BasicInfo \
            --set clear_cache=off)
        options=(-q --output "$PWD/$place/results" --flat "${options[@]}" "$pipeline" --)
        mkdir "$place"
        if [ -z "$directly" ]; then
            env "${settings[@]}" "$OPPROF_RUN" "${options[@]}" sh alone.sh "$place" "$@" >told \
                2>&1 </dev/null || code=$?
        else # no shell between opprof-run and the program; the last line is opprof-run's
            (cd "$place" && env "${settings[@]}" UNFRIENDLY_PEAK=peak "$OPPROF_RUN" \
                "${options[@]}" "$@" >said 2>why </dev/null) || code=$?
            tail -n 1 "$place/said" >told
            sed -i '$d' "$place/said"
            cp alone/code "$place"
        fi
        [ "$code" = "$wanted" ] || { cat told >&2; fail "$place: exit code $code, not $wanted"; }
        same "$place"
        [ "$(profiled "$place")" = "$launches" ] ||
            fail "$place: $(profiled "$place") launches were profiled, not $launches"
    done
}
profiled() {
    python3 -c 'import json, sys
print(sum(stage.get("counts", {}).get("launches profiled", 0)
          for stage in json.load(open(sys.argv[1]))["stages"]))' "$1/results/run.json"
}
says() { tr '\n' ' ' <told | grep -qF -- "$1" || { cat told >&2; fail "not reported: $1"; }; }
with_chip() { both "$1" "$2" "$3" "$chip" "$REFCHIP_UNFRIENDLY" "$1"; }

# The stacks of all threads hold what the library keeps of each.
python3 - "$OPPROF_INJECT_LIBRARY" <<'END' || fail "the library takes too much of each thread's stack"
import struct, sys
data = open(sys.argv[1], 'rb').read()
at, size, count = struct.unpack_from('<Q', data, 32)[0], *struct.unpack_from('<HH', data, 54)
segments = [struct.unpack_from('<IIQQQQQQ', data, at + size * i) for i in range(count)]
sys.exit(sum(segment[6] for segment in segments if segment[0] == 7) >= 256)
END
with_chip once 0 1
with_chip stacks 0 20
with_chip threads 0 1
with_chip copies 0 4
with_chip vfork 0 4
with_chip exec 0 2
with_chip daemon 0 2
with_chip handlers 0 20
with_chip kernels 0 2
# Once its connection is closed with all other descriptors, the process counts as another one.
with_chip data 0 2
[ "$(cat alone/data2)" = data ] || fail "the file of data on descriptor 2 is '$(cat alone/data2)'"
# A program that may not use sockets any more goes on, and says what is lost.
with_chip seccomp 4 1
says "hears of launches (EPERM): those from 'vector_add' on are not profiled"
says "2 launches from 'vector_add' on were not profiled: the program has forbidden itself system calls"
# One that became another user does, and opprof-run knows why.
if [ "$(id -u)" = 0 ]; then
    with_chip user 4 0
    says 'start opprof-run as the program'
fi

# A list of libraries of the user's is kept as it is, in its order.
jemalloc=$(ldconfig -p 2>/dev/null | sed -n 's/.*=> \(.*libjemalloc\.so[.0-9]*\)$/\1/p' |
    head -n 1) || true
if [ -n "$jemalloc" ]; then
    settings=(LD_PRELOAD="$jemalloc")
    both jemalloc 0 1 "$chip" "$REFCHIP_UNFRIENDLY" once
    settings=()
else
    echo "left out: there is no libjemalloc" >&2
fi

# Sanitizers check more than a guest may assume, however the program is started: by a shell, by a
# launcher, by one that is built plainly or by opprof-run itself. What it starts gets nothing of a
# sanitizer.
link=("$REFCHIP_LIBRARIES"/lib{runtime,profapi,ascend_hal,pem_davinci}.so -lpthread)
read -ra cc <<<"${CC:-cc}"
build() {
    "$@" -D_GNU_SOURCE -I"$root" -g -O1 "$root"/tests/refchip/{unfriendly,add_once}.c "${link[@]}" \
        >built 2>&1
}
plain=$REFCHIP_UNFRIENDLY
alone=(LD_LIBRARY_PATH="$REFCHIP_LIBRARIES:$LD_LIBRARY_PATH")
# sanitized NAME COMPILER
sanitized() {
    local name=$1
    if ! "$2" --version >built 2>&1 || ! build "$2" -fsanitize=address -o "$name"; then
        echo "left out: $2 has no address sanitizer" >&2
        return
    fi
    both "$name-shell" 0 3 "$chip" sh -c "'$PWD/$name' once; '$plain' loaded; '$PWD/$name' once"
    # As the sanitizers of old compilers do, which have no such option.
    directly=yes settings=("${alone[@]}" ASAN_OPTIONS=verify_asan_link_order=1)
    both "$name-start" 0 2 "$PWD/$name" start "$plain" loaded
    settings=() directly=
    [ "$2" = gcc ] || [ "${OPPROF_TEST:-}" = full ] || return 0
    both "$name-copies" 0 4 "$chip" "$PWD/$name" copies
    both "$name-started" 0 2 "$chip" "$plain" start "$PWD/$name" once
    directly=yes settings=("${alone[@]}" ASAN_OPTIONS=exitcode=7:detect_leaks=0)
    both "$name-alone" 0 1 "$PWD/$name" once
    settings=() directly=
}
sanitized gcc-asan gcc
sanitized clang-asan clang

# What takes no library goes on as it is: a static program, and one that runs as another user
# because its file says so.
cat >static.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int main(void)
{
    struct rusage usage;
    FILE *peak = fopen(getenv("UNFRIENDLY_PEAK"), "a");
    if (peak == NULL || getrusage(RUSAGE_SELF, &usage) != 0 ||
        fprintf(peak, "%ld\n", usage.ru_maxrss) < 0 || fclose(peak) != 0) {
        return 2;
    }
    return printf("static, as user %u\n", (unsigned) geteuid()) > 0 ? 3 : 1;
}
END
if "${cc[@]}" -static -o static static.c >built 2>&1; then
    both static 4 0 "$PWD/static"
    says 'did not use'
    if [ "$(id -u)" = 0 ]; then
        chown 65534 static && chmod 4755 static
        chmod 755 .
        both set-uid 4 0 "$PWD/static"
    fi
else
    echo "left out: the compiler links nothing statically" >&2
fi
