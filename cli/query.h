/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "options.h"

#include <opprof/error.h>
#include <stdio.h>

/* --query: print the answer to a question about a finished run, or a table of it. */
OpprofStatus QueryPrint(const Options *options, FILE *out, OpprofError **error);

#endif
