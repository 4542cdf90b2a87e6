#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pool of pages, used by a program outside of the tree: with pages enough nothing is lost; with
# few, what is lost is counted.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

cp -r -- "$root/examples/device-pool" "$scratch/pool"
chmod -R u+w -- "$scratch/pool"
cd -- "$scratch/pool"
env -u PKG_CONFIG_PATH make PKG_CONFIG_PATH="${PKG_CONFIG_PATH:-}" \
    CFLAGS="-O2 -g -Werror ${SANITIZE_FLAGS:-}" >"$scratch/make" 2>&1 || {
        cat -- "$scratch/make"; fail "it does not build"
    }

# 36 cores x 100,000 words of four bytes.
./device-pool >"$scratch/all" ||
    fail "with pages enough its accounts are wrong: $(cat -- "$scratch/all")"
grep -q '^put 14400000 collected 14400000 dropped 0 ' "$scratch/all" ||
    fail "bytes are missing: $(cat -- "$scratch/all")"
./device-pool 80 >"$scratch/some" ||
    fail "with few pages its accounts are wrong: $(cat -- "$scratch/some")"
grep -q '^put 14400000 ' "$scratch/some" || fail "not all was put: $(cat -- "$scratch/some")"
