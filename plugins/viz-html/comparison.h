/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_COMPARISON_H
#define VIZ_HTML_COMPARISON_H

#include "text.h"

#include <opprof/error.h>

/*
 * Read a comparison with another run from a file, as `--diff` prints it in JSON.
 *
 * @param[out] ret_json The object, safe inside of a page; stays empty on failure.
 * @return OPPROF_OK; OPPROF_E_IO, OPPROF_E_DATA (not a comparison, or too large for a page),
 *         OPPROF_E_MEMORY.
 */
OpprofStatus ComparisonRead(const char *path, OpprofJsonOut *ret_json, OpprofError **error);

#endif
