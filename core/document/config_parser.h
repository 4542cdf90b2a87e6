/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCUMENT_CONFIG_PARSER_H
#define DOCUMENT_CONFIG_PARSER_H

#include "document/config.h"

#define CONFIG_MAX_ID 64 /* bytes of a stage id or a variable's name */

/* Members, comments like all that begin with '_', that merging leaves in stages, links and
 * variables. */
#define CONFIG_PLACE "_opprof_place"       /* where it comes from, instead of its pointer */
#define CONFIG_APPENDED "_opprof_appended" /* true: the stage was added to a document */

/* A document being read; what the files of config*.c share. */
typedef struct ConfigParser {
    PipelineConfig *config;
    const ConfigRequest *request;
    const char *directory; /* that plugin paths are relative to */
    Problems *problems;
    json_t *unset; /* object: names of variables without value, which has been reported */
    /* object: required variables without value, with what to report when one is used */
    json_t *wanted;
    size_t expanded;  /* bytes that texts with variables in them have become */
    size_t looked_up; /* variables looked up so far */
    bool newer_minor; /* unknown members are allowed */
} ConfigParser;

/*
 * Members of objects. `base` is the object's location. What is wrong is reported at base/key, and
 * counts as absent.
 */

/* Report that a member is of the wrong type or, with value NULL, missing. */
void ConfigReportType(ConfigParser *parser, const char *base, const char *key, const char *wanted,
                      const json_t *value);
/* Report the members that do not exist. */
void ConfigCheckMembers(ConfigParser *parser, json_t *object, const char *base,
                        const char *const *members, size_t count);
/* A text, not empty if it is required; NULL: none. Borrowed. */
const char *ConfigTextMember(ConfigParser *parser, json_t *object, const char *base,
                             const char *key, bool required);
bool ConfigTruthMember(ConfigParser *parser, json_t *object, const char *base, const char *key);

/* Set a member, whose reference is taken; NULL counts as a lack of memory. */
void ConfigSet(ConfigParser *parser, json_t *object, const char *key, json_t *value);

/* Check a document's format and the names of its members; `label` goes before every location.
 * False: stop reading. */
bool ConfigCheckDocument(ConfigParser *parser, json_t *root, const char *label);

/* ---- config_extends.c ---- */

/*
 * Lay the document over those that it extends; *root is replaced. OPPROF_OK; OPPROF_END when one of
 * them stops the reading, which has been reported; a failure when one of them cannot be read or
 * they form a cycle.
 */
OpprofStatus ConfigExtend(ConfigParser *parser, const char *path, json_t **root,
                          OpprofError **error);
/* Add stages after those of the document. False without memory. */
bool ConfigAppend(json_t *root, json_t *stages);

/* ---- config_when.c ---- */

/* Whether the stage is left out, by its member "when" or ConfigRequest.without; config->left_out
 * notes it. */
bool ConfigLeaveOut(ConfigParser *parser, const ConfigStage *stage, json_t *object);
/* The element of config->left_out for a stage, by its name or a link's end "stage.port". NULL:
 * none. Borrowed. */
json_t *ConfigFindLeftOut(const PipelineConfig *config, const char *end);

/* ---- config_vars.c ---- */

/* The value that --set gives a name, "VARIABLE" or "STAGE.PARAM"; the last one counts. NULL: none.
 */
const char *ConfigSettingOf(const ConfigParser *parser, const char *name);
/* Read the member "vars" and what --set says about it into config->vars. */
void ConfigReadVars(ConfigParser *parser, json_t *root);
/* Report that there is no such variable. */
void ConfigReportVar(ConfigParser *parser, const char *location, const char *name);
/* The value with its variables replaced, a new reference; NULL: a mistake,
 * which has been reported. */
json_t *ConfigResolve(ConfigParser *parser, const char *location, json_t *value);

#endif
