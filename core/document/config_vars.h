/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCUMENT_CONFIG_VARS_H
#define DOCUMENT_CONFIG_VARS_H

#include "document/config_parser.h"

/* Read the member "vars" and what --set says about it into config->vars. */
void ConfigReadVars(ConfigParser *parser, json_t *root);
/* Report that there is no such variable. */
void ConfigReportVar(ConfigParser *parser, const char *location, const char *name);
/* The value with its variables replaced, a new reference; NULL: a mistake, which has been reported. */
json_t *ConfigResolve(ConfigParser *parser, const char *location, json_t *value);

#endif
