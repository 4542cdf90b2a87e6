/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_OPTIONAL_H
#define RESULTS_OPTIONAL_H

#include <opprof/error.h>

#define OPTIONAL_BETWEEN ", \t" /* columns */

/* Takes a table of a head, with the text of its columns, to be changed; NULL: it has no brackets.
 */
typedef OpprofStatus OptionalTake(void *context, const char *name, char *columns,
                                  OpprofError **error);

/* Hand over each optional table of a head (NULL: none) until one is refused. As `take`, or
 * OPPROF_E_MEMORY. */
OpprofStatus OptionalEach(const char *head, OptionalTake *take, void *context, OpprofError **error);
/* Whether they all have names and columns. `path` is of the file with the head. OPPROF_OK,
 * OPPROF_E_DATA, OPPROF_E_MEMORY. */
OpprofStatus OptionalCheck(const char *head, char *path, OpprofError **error);

#endif
