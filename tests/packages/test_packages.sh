#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Debian packages in a bare Debian 12: they install, README's first example and the Python module's
# run, a later version takes their place, and purging that leaves no file. Only with
# OPPROF_TEST=full: it builds the packages.
#
#   tests/packages/test_packages.sh [FOLDER]      with packages that are there
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
skip() { printf 'SKIP: %s\n' "$*" >&2; exit 77; }
fail() { printf 'FAIL: %s\n' "$*" >&2; exit 1; }

packages=${1:-}
[ -n "$packages" ] || [ "${OPPROF_TEST-}" = full ] || skip "only with OPPROF_TEST=full"
[ "$(id -u)" -eq 0 ] || skip "making a Debian needs root"
command -v debootstrap >/dev/null || skip "there is no debootstrap"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/opprof-test.XXXXXX")
debian=$scratch/debian
leave() {
    umount -- "$debian/proc" 2>/dev/null || true
    rm -rf --one-file-system -- "$scratch"
}
trap leave EXIT

debootstrap --variant=minbase bookworm "$debian" >"$scratch/log" 2>&1 ||
    skip "no Debian can be made here: $(tail -n 1 -- "$scratch/log")"
mount -t proc proc "$debian/proc" 2>/dev/null || skip "no /proc can be mounted"
cp -L -- /etc/resolv.conf "$debian/etc/resolv.conf"
cp -- /etc/apt/apt.conf.d/* "$debian/etc/apt/apt.conf.d" 2>/dev/null || true

# in_debian COMMAND…: in the bare system, with its output in $scratch/log.
in_debian() {
    chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@" >"$scratch/log" 2>&1 ||
        fail "$*: $(tail -n 40 -- "$scratch/log")"
}

# All files but what a package manager keeps for itself.
files() {
    (cd -- "$debian" && find . -xdev \( -path ./proc -o -path ./var/cache -o -path ./var/lib/apt \
        -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./tmp \) -prune -o -print | sort)
}

# later_versions FOLDER: packages there, of a later version with the same files.
later_versions() {
    local package tree=$scratch/tree
    for package in "$packages"/*.deb; do
        rm -rf -- "$tree"
        dpkg-deb -R "$package" "$tree"
        sed -i -E 's/^Version: .*/&+later/; s/\(= ([^)]*)\)/(= \1+later)/g' "$tree/DEBIAN/control"
        dpkg-deb --root-owner-group -b "$tree" "$1" >"$scratch/log"
    done
}

if [ -z "$packages" ]; then
    packages=$scratch/packages
    "$root/scripts/package.sh" "$packages" >"$scratch/log" 2>&1 ||
        fail "package.sh: $(tail -n 40 -- "$scratch/log")"
fi
in_debian apt-get -qq update
cp -R -- "$packages" "$debian/tmp/packages"
in_debian apt-get -qq install --yes --no-install-recommends python3-minimal libpython3-stdlib
files >"$scratch/before"
in_debian sh -c 'apt-get -qq install --yes --no-install-recommends /tmp/packages/*.deb'

in_debian opprof-run sim-live --output /tmp/results --flat -- opprof-refchip matmul
grep -q '^matmul on Ascend910B1, 4 cores, simulated' "$scratch/log" ||
    fail "README's first example says: $(cat -- "$scratch/log")"
in_debian opprof-run --validate kineto /tmp
in_debian python3 -c 'import opprof; print(opprof.open("/tmp/results").advice[0])'
grep -q '^up to ' "$scratch/log" || fail "the module says: $(cat -- "$scratch/log")"

files >"$scratch/installed"
mkdir -- "$debian/tmp/later"
later_versions "$debian/tmp/later"
in_debian sh -c 'apt-get -qq install --yes --no-install-recommends /tmp/later/*.deb'
in_debian dpkg-query --show '*opprof*'
[ "$(grep -c '+later$' "$scratch/log")" -eq 6 ] || fail "installed are $(cat -- "$scratch/log")"
files >"$scratch/upgraded"
cmp -- "$scratch/installed" "$scratch/upgraded" ||
    fail "an upgrade leaves $(diff -- "$scratch/installed" "$scratch/upgraded")"
in_debian opprof-run --validate kineto /tmp

in_debian sh -c 'apt-get -qq purge --yes "opprof*" libopprof0 libopprof-dev python3-opprof'
in_debian apt-get -qq autoremove --purge --yes
files >"$scratch/after"
left=$(comm -13 "$scratch/before" "$scratch/after" | grep -i opprof || true)
[ -z "$left" ] || fail "purging leaves $left"
