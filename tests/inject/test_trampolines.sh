#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Launch functions with arguments that opprof does not know are called with every register and word
# of the stack as it was, on this machine and, with a compiler and an emulator, on aarch64.
. "${srcdir:-.}/tests/plugins/lib.sh"
cd "$scratch"
try() { # try MACHINE COMPILER... [-- EMULATOR]
    local machine=$1 compiler=() emulator=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do compiler+=("$1"); shift; done
    [ $# -eq 0 ] || emulator=("${@:2}")
    "${compiler[@]}" -std=gnu11 -O1 -D_GNU_SOURCE -I"$root" -I"$root/kit/include" -o "$machine" \
        "$root"/tests/inject/ascend/trampolines.c "$root"/inject/ascend/unprofiled.c ||
        fail "$machine: it does not compile"
    [ "$("${emulator[@]}" "./$machine" | tee said)" = all ] || { cat said >&2; fail "$machine"; }
}
case $(uname -m) in
    x86_64 | aarch64)
        read -ra native <<<"${CC:-gcc}"
        try native "${native[@]}"
        ;;
esac
if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then
    try aarch64 aarch64-linux-gnu-gcc -static -- qemu-aarch64
else
    echo "aarch64 is left out: there is no aarch64-linux-gnu-gcc or no qemu-aarch64"
fi
