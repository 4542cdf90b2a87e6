# SPDX-License-Identifier: Apache-2.0
# OPPROF_CHECK_EMULATOR: when building for another machine, the emulator that runs its programs here;
# `make check` puts it before each of them.
AC_DEFUN([OPPROF_CHECK_EMULATOR], [
  AC_ARG_VAR([EMULATOR], [runs programs of the host when cross-compiling (default: qemu-CPU, if there is one)])
  AS_IF([test "x$cross_compiling" = xyes && test -z "$EMULATOR"], [
    AC_PATH_PROG([EMULATOR], [qemu-$host_cpu])])
  AM_CONDITIONAL([EMULATED], [test "x$cross_compiling" = xyes && test -n "$EMULATOR"])
])
