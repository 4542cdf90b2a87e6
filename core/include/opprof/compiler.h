/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_COMPILER_H
#define OPPROF_COMPILER_H

/**
 * @file
 * Attributes of functions for the compiler. Experimental.
 */

#if defined(__GNUC__)
#define OPPROF_NORETURN __attribute__((noreturn, cold)) /**< The function does not return. */
/** A static function that becomes part of each caller, also where the compiler would make it a
 * call. */
#define OPPROF_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define OPPROF_NORETURN
#define OPPROF_ALWAYS_INLINE inline
#endif

#endif
