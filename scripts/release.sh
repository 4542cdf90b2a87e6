#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a release of the commit that is checked out: checks that all places name the version and
# that the tree is clean, makes and tests the archive of sources (make distcheck), the Debian
# packages and the portable tar file, writes their checksums, and tags.
#
#   scripts/release.sh VERSION [--dry-run]      --dry-run: everything but the tag
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

version=${1:?usage: release.sh VERSION [--dry-run]}
dry_run=${2:-}
[ -z "$dry_run" ] || [ "$dry_run" = --dry-run ] ||
    die "unknown option '$dry_run'; the only one is --dry-run"
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || die "'$version' is no version such as 0.2.0"

# names FILE PATTERN: the file names the version.
names() {
    grep -qE -- "$2" "$root/$1" || die "$1 does not name version $version"
}

say "versions"
quoted=${version//./\\.}
names configure.ac "^AC_INIT\(\[opprof\], \[$quoted\]\)"
names python/opprof/__init__.py "^__version__ = \"$quoted\"$"
names CITATION.cff "^version: $quoted$"
names NEWS.md "^## $quoted$"
names debian/changelog "^opprof \($quoted\) "
[ -z "$(git -C "$root" status --porcelain)" ] || die "the tree has changes that are not committed"
if git -C "$root" rev-parse -q --verify "refs/tags/v$version" >/dev/null; then
    die "there is a tag v$version"
fi

folder=$root/build/release-$version
rm -rf -- "$folder"
mkdir -p -- "$folder/build"

say "make distcheck"
"$root/scripts/deps.sh" test
choose_directories
prepare_source || die "autoreconf failed"
configure_in "$folder/build"
make -C "$folder/build" -j"$jobs" distcheck >"$folder/distcheck.log" 2>&1 ||
    { tail -n 60 -- "$folder/distcheck.log" >&2; die "make distcheck failed"; }
mv -- "$folder/build/opprof-$version.tar.xz" "$folder"

say "packages"
"$root/scripts/package.sh" "$folder/packages"
"$root/scripts/portable.sh" "$folder"

say "checksums"
(cd -- "$folder" && sha256sum -- *.tar.* packages/*.deb >SHA256SUMS && cat SHA256SUMS)
rm -rf -- "$folder/build"
if [ -n "$dry_run" ]; then
    say "dry run: the tag v$version is not made"
else
    git -C "$root" tag -a "v$version" -m "opprof $version"
fi
printf '%s\n' "$folder"
