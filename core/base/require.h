/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_REQUIRE_H
#define BASE_REQUIRE_H

#include <opprof/require.h>

/* Whose code this thread runs from now on, for broken contracts; NULL: the
 * program's own. Borrowed. */
void RequireSetActor(const char *stage, const char *plugin);

/* Subject of the contract that is found broken next, such as the name of a parameter; NULL: none.
 * Borrowed. [this thread] */
void RequireSetSubject(const char *subject);

#endif
