#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages that are missing, with apt-get, as root or through sudo. Does nothing at all
# when everything is there.
#
#   scripts/deps.sh [build|test|lint|package|portable]
#                        default: build; the last two: what scripts/package.sh and portable.sh need
#   scripts/deps.sh cross TRIPLET        what building for another machine and running its tests
#                                        here needs
set -euo pipefail

# package, and how to tell that it is not needed: a command, a header, a pkg-config module, or a
# file
build_set='
gcc             command gcc
g++             command g++
libc6-dev       header  stdlib.h
make            command make
autoconf        command autoreconf
automake        command automake
libtool         command libtoolize
pkgconf         command pkg-config
libltdl-dev     header  ltdl.h
libjansson-dev  module  jansson
libelf-dev      module  libelf
libdw-dev       module  libdw
libisal-dev     module  libisal
libsqlite3-dev  module  sqlite3
libzip-dev      module  libzip
libzstd-dev     module  libzstd
libprotobuf-c-dev module libprotobuf-c
protobuf-c-compiler command protoc-c
libjs-chart.js  file    /usr/share/javascript/chart.js/chart.min.js
opencl-headers  header  CL/cl_layer.h
'
test_set='
check           module  check
python3         command python3
python3-pytest  file    /usr/lib/python3/dist-packages/pytest/__init__.py
python3-pandas  file    /usr/lib/python3/dist-packages/pandas/__init__.py
mypy            command mypy
mandoc          command mandoc
doxygen         command doxygen
shellcheck      command shellcheck
xz-utils        command xz
zstd            command zstd
zlib1g-dev      module  zlib
ocl-icd-opencl-dev library OpenCL
pocl-opencl-icd file    /etc/OpenCL/vendors/pocl.icd
clpeak          command clpeak
clinfo          command clinfo
python3-pyopencl file   /usr/lib/python3/dist-packages/pyopencl/__init__.py
'
lint_set='
clang-format-14 command clang-format-14
codespell       command codespell
shellcheck      command shellcheck
'
package_set='
debhelper       command dh
dh-python       file    /usr/share/perl5/Debian/Debhelper/Sequence/python3.pm
dpkg-dev        command dpkg-buildpackage
lintian         command lintian
'
portable_set='
patchelf        command patchelf
binutils        command strip
xz-utils        command xz
'
# ISA-L is left out: its packages of two architectures exclude each other, and zlib does as well.
cross_set() {
    cat <<SET
gcc-$triplet       command $triplet-gcc
g++-$triplet       command $triplet-g++
qemu-user          command qemu-${triplet%%-*}
libc6-dev:$1       library c
libstdc++6:$1      file    /usr/lib/$triplet/libstdc++.so.6
libltdl-dev:$1     library ltdl
libjansson-dev:$1  module  jansson
libelf-dev:$1      module  libelf
libdw-dev:$1       module  libdw
zlib1g-dev:$1      module  zlib
libsqlite3-dev:$1  module  sqlite3
libzip-dev:$1      module  libzip
libzstd-dev:$1     module  libzstd
libprotobuf-c-dev:$1 module libprotobuf-c
protobuf-c-compiler command protoc-c
libjs-chart.js     file    /usr/share/javascript/chart.js/chart.min.js
opencl-headers     header  CL/cl_layer.h
check:$1           module  check
SET
}

die() { printf 'deps.sh: %s\n' "$*" >&2; exit 1; }

# CC may name a wrapper and the compiler, such as "ccache gcc".
is_there() {
    local compiler=${CC:-cc}
    case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    header) printf '#include <%s>\n' "$2" | $compiler -E -x c - >/dev/null 2>&1 ;;
    file) [ -r "$2" ] ;;
    module) pkg-config --exists "$2" >/dev/null 2>&1 ;;
    library)
        printf 'int main(void) { return 0; }\n' | $compiler -x c -o /dev/null - "-l$2" \
            >/dev/null 2>&1
        ;;
    esac
}

# Prints the packages of a set that are missing.
missing() {
    local package kind what
    while read -r package kind what; do
        if [ -n "$package" ] && ! is_there "$kind" "$what"; then
            printf '%s ' "$package"
        fi
    done <<<"$1"
}

run_apt() {
    local log=$1
    shift
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -qq \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1 </dev/null
}

install_packages() {
    local log
    log=$(mktemp)
    # The lists may be older than the mirror: only an install that fails with fresh ones counts.
    if ! { run_apt "$log" update &&
        run_apt "$log" install --yes --no-install-recommends "$@"; }; then
        cat -- "$log" >&2
        rm -f -- "$log"
        die "cannot install: $*"
    fi
    rm -f -- "$log"
}

# Prepares the requested set, so that is_there looks at the other machine's files.
choose_cross() {
    triplet=$1
    case $triplet in
    aarch64-linux-gnu) architecture=arm64 ;;
    *) die "'$triplet' is not a supported machine; use aarch64-linux-gnu" ;;
    esac
    export CC=$triplet-gcc PKG_CONFIG_LIBDIR=/usr/lib/$triplet/pkgconfig:/usr/share/pkgconfig
}

architecture=
case ${1:-build} in
build) wanted=$build_set ;;
test) wanted=$build_set$test_set ;;
lint) wanted=$lint_set ;;
package) wanted=$build_set$package_set ;;
portable) wanted=$build_set$portable_set ;;
cross)
    choose_cross "${2:?the triplet of the machine to build for}"
    wanted=$(cross_set "$architecture")
    ;;
*) die "usage: deps.sh [build|test|lint|package|portable|cross TRIPLET]" ;;
esac

read -ra packages <<<"$(missing "$wanted")"
if [ ${#packages[@]} -eq 0 ]; then
    exit 0
fi
command -v apt-get >/dev/null 2>&1 ||
    die "apt-get is missing; install the contents of these Debian packages in another way:" \
        "${packages[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || die "run as root, or install: ${packages[*]}"
    as_root=(sudo)
fi
printf 'installing %s\n' "${packages[*]}" >&2
if [ -n "$architecture" ]; then
    "${as_root[@]}" dpkg --add-architecture "$architecture"
fi
install_packages "${packages[@]}"

still=$(missing "$wanted")
[ -z "$still" ] || die "installed, but still not usable: $still"
