#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing and makes one tar file with opprof-run, its modules and all libraries but
# the C library's, for machines without root: unpack it anywhere and call bin/opprof-run. It needs
# the C library of Debian 12 or a newer one; the script prints the highest version that a file of it
# needs. Libraries are found beside the files ($ORIGIN), never by LD_LIBRARY_PATH, which would reach
# the programs that are profiled. The last line is the tar file.
#
#   scripts/portable.sh [FOLDER]     default: build/portable
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

"$root/scripts/deps.sh" portable
folder=${1:-$root/build/portable}
mkdir -p -- "$folder"
folder=$(cd -P -- "$folder" && pwd)
choose_directories
prepare_source || die "autoreconf failed"
version=$(sed -n 's/^AC_INIT(\[opprof\], \[\(.*\)\])$/\1/p' "$source_dir/configure.ac")
name=opprof-$version-linux-$(uname -m)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/opprof-portable.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT
tree=$scratch/$name

say "build"
configure_in "$build_root/for-portable" --prefix=/opprof --libdir=/opprof/lib --disable-static
# made TARGET…: by make; shows the end of its output if that fails.
made() {
    make -C "$build_root/for-portable" -j"$jobs" "$@" >"$scratch/log" 2>&1 && return 0
    tail -n 40 -- "$scratch/log" >&2
    die "make $* failed"
}
made
made install DESTDIR="$scratch/installed"

say "$name"
mkdir -p -- "$tree/bin" "$tree/libexec" "$tree/lib/opprof" "$tree/share/doc/opprof/libraries"
installed=$scratch/installed/opprof
cp -- "$installed/bin/opprof-run" "$tree/libexec/opprof-run"
cp -P -- "$installed"/lib/libopprof*.so.* "$tree/lib"
cp -R -- "$installed"/lib/opprof/plugins-* "$installed/lib/opprof/libopprof-inject.so" \
    "$installed/lib/opprof/libopprof-opencl.so" \
    "$installed/lib/opprof/opprof-launch-kernel" "$tree/lib/opprof"
cp -R -- "$installed/share/opprof" "$installed/share/man" \
    "$installed/share/bash-completion" "$tree/share"
cp -R -- "$installed/share/doc/opprof/LICENSES" "$tree/share/doc/opprof"
rm -rf -- "$tree/share/opprof/sdk" "$tree/share/man/man1"/opprof-plugin-*
find "$tree" -name '*.la' -delete
cp -- "$root/scripts/portable-run.sh" "$tree/bin/opprof-run"
chmod 755 "$tree/bin/opprof-run"

# The programs and libraries of the tree.
elf_files() {
    find "$tree" -type f \
        \( -name '*.so*' -o -path '*/libexec/*' -o -name opprof-launch-kernel \)
}

# The path of a library of this machine.
path_of() { ldconfig -p | awk -v name="$1" '$1 == name && !found++ { print $NF }'; }

# Libraries that are loaded when they are needed (OpprofLibraryLoad).
for library in libdw.so.1 libelf.so.1 libsqlite3.so.0; do
    path=$(path_of "$library")
    [ -n "$path" ] || die "there is no $library"
    cp -L -- "$path" "$tree/lib/$library"
done

# What a program loads, of the libraries that are no part of the C library.
is_of_libc='^(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libutil|libanl)\.so'
loaded() {
    elf_files | xargs ldd 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u
}
loaded | while IFS= read -r library; do
    if [[ ${library##*/} =~ $is_of_libc ]] || [[ ${library##*/} == libopprof* ]]; then
        continue
    fi
    cp -L -- "$library" "$tree/lib/${library##*/}"
done

# Their licences.
for library in "$tree"/lib/*.so.*; do
    path=$(path_of "${library##*/}")
    package=$(dpkg-query -S "$(readlink -f -- "$path")" 2>/dev/null | sed -n '1s/:.*//p' || true)
    if [ -n "$package" ]; then
        cp -- "/usr/share/doc/$package/copyright" "$tree/share/doc/opprof/libraries/$package"
    fi
done

elf_files | while IFS= read -r file; do
    below=${file#"$tree/"}
    up=$(dirname -- "$below" | sed 's,[^/][^/]*,..,g')
    chmod u+w -- "$file"
    strip --strip-unneeded -- "$file"
    patchelf --force-rpath --set-rpath "\$ORIGIN/$up/lib" "$file"
done

# Nothing is missing, and nothing but the C library comes from this machine.
foreign=$(elf_files | xargs env -u LD_LIBRARY_PATH ldd 2>/dev/null | sort -u |
    awk -v tree="$tree/" -v libc="$is_of_libc" \
        '/not found/ || ($2 == "=>" && index($3, tree) != 1 && $1 !~ libc)')
[ -z "$foreign" ] || die "libraries that are not in the tar file: $foreign"

tar -C "$scratch" --owner=0 --group=0 --sort=name -cf - "$name" |
    xz -T"$jobs" >"$folder/$name.tar.xz"
printf 'It needs at least: %s\n' "$(elf_files | xargs readelf --version-info --wide 2>/dev/null |
    grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)"
printf '%s\n' "$folder/$name.tar.xz"
