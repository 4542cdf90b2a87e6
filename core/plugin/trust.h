/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_TRUST_H
#define PLUGIN_TRUST_H

#include <opprof/error.h>

/*
 * Refuse a module whose code another user could have chosen: the file, the directory it was found
 * in, and all directories above both must belong to root or to the user, and no other user may
 * write there. A directory with the sticky bit (such as /tmp) may be everybody's, as no user can
 * replace another's entry in it. Writing by the user's own group of one is fine.
 *
 * @param path       As it was found.
 * @param real_path  The same without symbolic links.
 * @return OPPROF_OK, OPPROF_E_LOAD, OPPROF_E_MEMORY.
 */
OpprofStatus TrustCheck(const char *path, const char *real_path, OpprofError **error);

#endif
