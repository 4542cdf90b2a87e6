# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What demo.sh and test.sh share. Sourced, not run; `root` is the source tree.

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034 # for the scripts that source this
jobs=$(nproc 2>/dev/null || echo 2)

say() { printf '\n== %s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# Under `sudo scripts/…` everything after the installing of packages is done as the user who owns
# the tree, so that no build file ends up owned by root.
drop_privileges() {
    local owner home
    owner=$(stat -c %u -- "$root")
    if [ "$(id -u)" -ne 0 ] || [ "${SUDO_UID:-0}" -eq 0 ] || [ "$owner" != "${SUDO_UID:-0}" ]; then
        return 0
    fi
    home=$(getent passwd "$SUDO_UID" | cut -d: -f6)
    exec env -u SUDO_UID -u SUDO_GID -u SUDO_USER -u SUDO_COMMAND HOME="${home:-/}" \
        setpriv --reuid="$SUDO_UID" --regid="${SUDO_GID:-$SUDO_UID}" --init-groups \
        bash "$0" "$@"
}

# Chooses the directory for builds: $OPPROF_BUILD, ./build, or a temporary one for a tree that
# cannot be written. Such a tree is copied there, since autoreconf writes beside the sources. Sets
# `source_dir` and `build_root`.
choose_directories() {
    source_dir=$root
    build_root=${OPPROF_BUILD:-$root/build}
    if [ ! -w "$root" ] && [ ! -x "$root/configure" ]; then
        copy_tree
    elif [ -z "${OPPROF_BUILD:-}" ] && [ ! -w "$root" ]; then
        build_root=$(mktemp -d "${TMPDIR:-/tmp}/opprof-build.XXXXXX")
    fi
    mkdir -p -- "$build_root" || die "cannot make the build directory '$build_root'"
    build_root=$(cd -P -- "$build_root" && pwd)
}

copy_tree() {
    local scratch
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/opprof-build.XXXXXX")
    source_dir=$scratch/source
    build_root=${OPPROF_BUILD:-$scratch}
    mkdir -- "$source_dir"
    tar -C "$root" --exclude=./build --exclude=./.git -cf - . |
        tar -C "$source_dir" --no-same-owner --no-same-permissions -xf -
    chmod -R u+w -- "$source_dir"
}

# Makes `configure` if it is missing or older than what it is made of.
prepare_source() {
    local newer
    if [ -x "$source_dir/configure" ] && [ -f "$source_dir/Makefile.in" ]; then
        newer=$(find "$source_dir/configure.ac" "$source_dir/Makefile.am" "$source_dir/m4" \
            "$source_dir"/*/*.mk "$source_dir"/plugins/*/*.mk "$source_dir"/tests/plugins/*/*.mk \
            -newer "$source_dir/Makefile.in" -print -quit)
        if [ -z "$newer" ]; then
            return 0
        fi
    fi
    if [ ! -w "$source_dir" ]; then
        return 0 # a released tree: its configure is used as it is
    fi
    say "autoreconf"
    if ! (cd -- "$source_dir" && autoreconf -fi >"$build_root/autoreconf.log" 2>&1); then
        cat -- "$build_root/autoreconf.log" >&2
        return 1
    fi
}

# configure_in DIRECTORY [OPTION…]: configures unless that was done with the same options before.
# Libtool runs the shell that ran configure at least once per source file, and dash takes a third
# less time for that than bash.
configure_in() {
    local directory=$1 shell=/bin/sh wanted
    shift
    if [ -x /bin/dash ]; then
        shell=/bin/dash
    fi
    wanted="$source_dir $*"
    mkdir -p -- "$directory"
    if [ -f "$directory/Makefile" ] &&
        [ "$(cat -- "$directory/.options" 2>/dev/null)" = "$wanted" ]; then
        return 0
    fi
    if ! (cd -- "$directory" && CONFIG_SHELL=$shell "$shell" "$source_dir/configure" "$@" \
        >configure.log 2>&1); then
        tail -n 20 -- "$directory/configure.log" >&2
        return 1
    fi
    printf '%s' "$wanted" >"$directory/.options"
}
