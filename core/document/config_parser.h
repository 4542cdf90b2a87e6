/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCUMENT_CONFIG_PARSER_H
#define DOCUMENT_CONFIG_PARSER_H

#include "document/config.h"

#define CONFIG_MAX_ID 64 /* bytes of a stage id or a variable's name */

/* Members, comments like all that begin with '_', that merging leaves in stages, links and variables. */
#define CONFIG_PLACE "_opprof_place"       /* where it comes from, instead of its pointer */
#define CONFIG_APPENDED "_opprof_appended" /* true: the stage was added to a document */

/* A document being read; what the files of config*.c share. */
typedef struct ConfigParser {
    PipelineConfig *config;
    const ConfigSetting *settings;
    size_t setting_count;
    const char *directory; /* that plugin paths are relative to */
    Problems *problems;
    json_t *unset; /* object: names of variables without value, which has been reported */
    json_t *
        wanted; /* object: required variables without value, with what to report when one is used */
    const char *const *idle; /* as in ConfigRequest */
    size_t idle_count;
    bool has_replays;
    size_t expanded;  /* bytes that texts with variables in them have become */
    size_t looked_up; /* variables looked up so far */
    bool newer_minor; /* unknown members are allowed */
} ConfigParser;

/*
 * Members of objects. `base` is the object's location. What is wrong is reported at base/key, and counts
 * as absent.
 */

/* "an object", "a text" … */
const char *ConfigKind(const json_t *value);
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

/* Check a document's format and the names of its members; `label` goes before every location. False: stop reading. */
bool ConfigCheckDocument(ConfigParser *parser, json_t *root, const char *label);

#endif
