# SPDX-License-Identifier: Apache-2.0
# OPPROF_CHECK_FUZZ: --enable-fuzz builds the targets in fuzz/ with libFuzzer (clang). Without it they
# are built with a main() that replays a corpus, which `make check` does.
AC_DEFUN([OPPROF_CHECK_FUZZ], [
  AC_ARG_ENABLE([fuzz], [AS_HELP_STRING([--enable-fuzz], [build fuzz targets with libFuzzer (needs CC=clang)])],
                [], [enable_fuzz=no])
  opprof_fuzz=replay
  FUZZ_FLAGS=
  AS_IF([test "x$enable_fuzz" = xyes], [
    opprof_fuzz=libFuzzer
    FUZZ_FLAGS="-fsanitize=fuzzer"
    opprof_old_cflags=$CFLAGS
    CFLAGS="$CFLAGS -fsanitize=fuzzer-no-link"
    AC_MSG_CHECKING([whether $CC has libFuzzer])
    AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([--enable-fuzz needs clang with libFuzzer: configure with CC=clang])])
    CFLAGS=$opprof_old_cflags
    SANITIZE_FLAGS="$SANITIZE_FLAGS -fsanitize=fuzzer-no-link"])
  AC_SUBST([FUZZ_FLAGS])
  AM_CONDITIONAL([LIBFUZZER], [test "x$enable_fuzz" = xyes])
])
