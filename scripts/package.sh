#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing and makes the Debian packages, from a copy of the tree without what a
# build left in it. Lintian must find neither errors nor warnings. The last line is the folder with
# the packages.
#
#   scripts/package.sh [FOLDER]      default: build/packages
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

"$root/scripts/deps.sh" package
folder=${1:-$root/build/packages}
mkdir -p -- "$folder"
folder=$(cd -P -- "$folder" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/opprof-packages.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT

# The files of the tree without what builds left: those that git does not ignore, or without git all
# but builds.
files() {
    git -C "$root" ls-files -z --cached --others --exclude-standard 2>/dev/null | grep -z . ||
        (cd -- "$root" &&
            find . \( -path './build*' -o -name autom4te.cache \) -prune -o -type f -print0)
}

say "packages in $folder"
mkdir -- "$scratch/opprof"
files | tar -C "$root" --null -T - -cf - | tar -C "$scratch/opprof" --no-same-owner -xf -
export DEB_BUILD_OPTIONS="noautodbgsym parallel=$jobs ${DEB_BUILD_OPTIONS:-}"
if ! (cd -- "$scratch/opprof" &&
    dpkg-buildpackage --build=binary --no-sign >"$scratch/log" 2>&1); then
    tail -n 60 -- "$scratch/log" >&2
    die "the packages cannot be built"
fi
# As root lintian would ask for another user; it only reads.
lintian --allow-root --fail-on error,warning "$scratch"/*.changes ||
    die "lintian found errors or warnings in the packages"
rm -f -- "$folder"/*.deb
mv -- "$scratch"/*.deb "$folder"
cp -- "$scratch/log" "$folder/build.log"
printf '%s\n' "$folder"
