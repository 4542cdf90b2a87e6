/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCUMENT_CONFIG_EXTENDS_H
#define DOCUMENT_CONFIG_EXTENDS_H

#include "document/config_parser.h"

/*
 * Lay the document over those that it extends; *root is replaced. OPPROF_OK; OPPROF_END when one of them stops the
 * reading, which has been reported; a failure when one of them cannot be read or they form a cycle.
 */
OpprofStatus ConfigExtend(ConfigParser *parser, const char *path, json_t **root,
                          OpprofError **error);
/* Add stages after those of the document. False without memory. */
bool ConfigAppend(json_t *root, json_t *stages);

#endif
