# SPDX-License-Identifier: Apache-2.0
# OPPROF_ADD_FLAG(VARIABLE, FLAG): append FLAG to VARIABLE if the compiler takes it without complaint.
AC_DEFUN([OPPROF_ADD_FLAG], [
  AS_VAR_PUSHDEF([cache], [opprof_cv_flag_$2])
  AC_CACHE_CHECK([whether $CC takes $2], [cache], [
    opprof_old_cflags=$CFLAGS
    CFLAGS="$CFLAGS -Werror $2"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AS_VAR_SET([cache], [yes])], [AS_VAR_SET([cache], [no])])
    CFLAGS=$opprof_old_cflags])
  AS_VAR_IF([cache], [yes], [$1="$$1 $2"])
  AS_VAR_POPDEF([cache])
])

# OPPROF_CHECK_DEV: --enable-dev is for those who change the code and build often. Comes before everything that looks for the compiler.
AC_DEFUN([OPPROF_CHECK_DEV], [
  AC_ARG_ENABLE([dev], [AS_HELP_STRING([--enable-dev], [compile fast: CFLAGS is '-g -O0' unless it is given; warnings are errors])],
                [], [enable_dev=no])
  AS_IF([test "x$enable_dev" = xyes], [
    : ${CFLAGS='-g -O0'}
    : ${enable_werror=yes}])
])

# OPPROF_CHECK_WARNINGS: the project's warnings in WARN_CFLAGS; --enable-werror makes them errors.
AC_DEFUN([OPPROF_CHECK_WARNINGS], [
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [treat warnings as errors])],
                [], [enable_werror=no])
  WARN_CFLAGS=
  m4_foreach_w([flag], [-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
      -Wmissing-declarations -Wold-style-definition -Wundef -Wformat=2 -Wwrite-strings -Wcast-qual
      -Wcast-align=strict -Wpointer-arith -Wvla -Wimplicit-fallthrough -Wswitch-enum
      -Wduplicated-cond -Wlogical-op -Winit-self -Wredundant-decls -Wnested-externs -Wdate-time],
    [OPPROF_ADD_FLAG([WARN_CFLAGS], flag)])
  AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
  AC_SUBST([WARN_CFLAGS])
])

# OPPROF_ADD_FORTIFY(VARIABLE): append the highest level of checked calls that compiler and C library have. They need a
# compiler that optimises, and exclude sanitizers, which look at these calls themselves.
AC_DEFUN([OPPROF_ADD_FORTIFY], [
  AC_CACHE_CHECK([for checked calls of the C library], [opprof_cv_fortify], [
    opprof_cv_fortify=
    opprof_old_cflags=$CFLAGS
    opprof_old_cppflags=$CPPFLAGS
    CPPFLAGS= # Debian's name a level, and would come behind this one here
    for level in 3 2; do
      flags="-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$level"
      CFLAGS="$opprof_old_cflags -Werror $flags"
      AS_IF([test -z "$opprof_cv_fortify$SANITIZE_FLAGS"],
        [AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <string.h>]],
          [[#if __USE_FORTIFY_LEVEL != _FORTIFY_SOURCE
            #error not this level
            #endif]])], [opprof_cv_fortify=$flags])])
    done
    CFLAGS=$opprof_old_cflags
    CPPFLAGS=$opprof_old_cppflags])
  $1="$$1 $opprof_cv_fortify"
])

# OPPROF_CHECK_HARDENING: HARDEN_CFLAGS and HARDEN_LDFLAGS; MODULE_DEFS makes a missing function a
# link error. Sanitizer builds go without, since their run-time comes from the program.
AC_DEFUN([OPPROF_CHECK_HARDENING], [
  HARDEN_CFLAGS=
  OPPROF_ADD_FLAG([HARDEN_CFLAGS], [-fno-common])
  OPPROF_ADD_FLAG([HARDEN_CFLAGS], [-fstack-protector-strong])
  OPPROF_ADD_FLAG([HARDEN_CFLAGS], [-fstack-clash-protection])
  OPPROF_ADD_FLAG([HARDEN_CFLAGS], [-fcf-protection])
  OPPROF_ADD_FORTIFY([HARDEN_CFLAGS])
  HARDEN_LDFLAGS=
  OPPROF_ADD_FLAG([HARDEN_LDFLAGS], [-Wl,-z,relro])
  OPPROF_ADD_FLAG([HARDEN_LDFLAGS], [-Wl,-z,now])
  OPPROF_ADD_FLAG([HARDEN_LDFLAGS], [-Wl,--as-needed])
  MODULE_DEFS=
  AS_IF([test -z "$SANITIZE_FLAGS"], [OPPROF_ADD_FLAG([MODULE_DEFS], [-Wl,-z,defs])])
  AC_SUBST([HARDEN_CFLAGS])
  AC_SUBST([HARDEN_LDFLAGS])
  AC_SUBST([MODULE_DEFS])
])

# OPPROF_CHECK_NUMBERS: NUMBER_CFLAGS. Machines with a fused multiply-add would round once where others round twice; the
# same input gives the same numbers on all of them.
AC_DEFUN([OPPROF_CHECK_NUMBERS], [
  NUMBER_CFLAGS=
  OPPROF_ADD_FLAG([NUMBER_CFLAGS], [-ffp-contract=off])
  AC_SUBST([NUMBER_CFLAGS])
])

# OPPROF_CHECK_INLINING: INLINE_CFLAGS. Nobody replaces single functions of our libraries, so exported ones may be inlined
# within their file, too.
AC_DEFUN([OPPROF_CHECK_INLINING], [
  INLINE_CFLAGS=
  OPPROF_ADD_FLAG([INLINE_CFLAGS], [-fno-semantic-interposition])
  AC_SUBST([INLINE_CFLAGS])
])
