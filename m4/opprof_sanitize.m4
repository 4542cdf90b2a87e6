# SPDX-License-Identifier: Apache-2.0
# OPPROF_CHECK_SANITIZE: --enable-sanitize=LIST puts the sanitizers' flags into SANITIZE_FLAGS. SANITIZER_RUNTIME is the
# library that a program without them needs before it can take one with them, where there is such a library.
AC_DEFUN([OPPROF_CHECK_SANITIZE], [
  AC_ARG_ENABLE([sanitize],
    [AS_HELP_STRING([--enable-sanitize=LIST], [build with these sanitizers: address,undefined or thread])],
    [opprof_sanitize=$enableval], [opprof_sanitize=no])
  AS_CASE([$opprof_sanitize], [no], [opprof_sanitize=], [yes], [opprof_sanitize=address,undefined])
  SANITIZE_FLAGS=
  AS_IF([test -n "$opprof_sanitize"], [
    SANITIZE_FLAGS="-fsanitize=$opprof_sanitize -fno-omit-frame-pointer -fno-sanitize-recover=all"
    opprof_old_cflags=$CFLAGS
    CFLAGS="$CFLAGS $SANITIZE_FLAGS"
    AC_MSG_CHECKING([whether $CC can build with -fsanitize=$opprof_sanitize])
    AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([this compiler cannot build with -fsanitize=$opprof_sanitize])])
    CFLAGS=$opprof_old_cflags])
  SANITIZER_RUNTIME=
  AS_CASE([$opprof_sanitize], [*address*], [
    AC_MSG_CHECKING([for the address sanitizer's library])
    SANITIZER_RUNTIME=`$CC -print-file-name=libasan.so`
    AS_IF([test -f "$SANITIZER_RUNTIME"], [AC_MSG_RESULT([$SANITIZER_RUNTIME])],
      [AC_MSG_RESULT([none]); SANITIZER_RUNTIME=])])
  AC_SUBST([SANITIZE_FLAGS])
  AC_SUBST([SANITIZER_RUNTIME])
  AM_CONDITIONAL([HAVE_SANITIZER_RUNTIME], [test -n "$SANITIZER_RUNTIME"])
  AM_CONDITIONAL([SANITIZE], [test -n "$opprof_sanitize"])
])
