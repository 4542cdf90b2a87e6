#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a program of the build tree by EMULATOR, for tests of a build for another machine. Scripts
# run as they are. A program that libtool wraps lies in .libs; what it loads is found by the path
# that its wrapper would set.
# usage: emulate.sh PROGRAM [ARGUMENT...]
set -eu
program=$1
shift
case $program in
*.sh) exec "$program" "$@" ;;
esac
wrapped=${program%/*}/.libs/${program##*/}
if [ -x "$wrapped" ]; then
    program=$wrapped
fi
libraries=${EMULATED_LIBRARIES:?the folders of the libraries, set by the makefile}
exec "${EMULATOR:?set by the makefile}" \
    -E "LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" -0 "$program" "$program" \
    "$@"
