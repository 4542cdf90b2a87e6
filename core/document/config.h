/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCUMENT_CONFIG_H
#define DOCUMENT_CONFIG_H

#include "base/names.h"
#include "base/problems.h"

#include <jansson.h>
#include <stdint.h>

#define CONFIG_MAX_STAGES 256
#define CONFIG_MAX_LINKS 4096
#define CONFIG_MAX_QUEUE_ITEMS 65536

/* One --set NAME=VALUE; a name with a dot is STAGE.PARAM. */
typedef struct ConfigSetting {
    const char *name;
    const char *value;
} ConfigSetting;

/* Stage failing stops the run? */
typedef enum ConfigCritical {
    CONFIG_CRITICAL_DEFAULT = 0, /* by kind of plugin */
    CONFIG_CRITICAL_YES = 1,
    CONFIG_CRITICAL_NO = 2
} ConfigCritical;

typedef struct ConfigStage {
    const char *id;
    const char *use;     /* module name, not looked for yet */
    const char *pointer; /* "/stages/2": after it, "/params" is the ParamInput's pointer */
    json_t *params;      /* object, variables and --set resolved; as ParamInput.given */
    json_t *origins;     /* object; as ParamInput.origins */
    ConfigCritical critical;
    bool is_idle;     /* it will not run */
    bool is_appended; /* to a document that another wrote: its kind decides its place */
} ConfigStage;

typedef struct ConfigLink {
    const char *from; /* "stage.port" or "stage", ends not checked yet */
    const char *to;
    const char *pointer; /* "/links/0" */
} ConfigLink;

/* A pipeline document after substitution. Everything is owned by it. */
typedef struct PipelineConfig {
    struct OpprofTextChunk *texts; /* all of them but those in objects and lists */
    const char *name;              /* as the user gave it, for messages */
    const char *path;              /* file it was read from; NULL: from memory */
    const char *description;       /* NULL: none */
    const char *title;             /* what runs, for people; NULL: none */
    json_t *vars;                  /* object: variable to its value; unset ones are null */
    ConfigStage *stages;
    size_t stage_count;
    ConfigLink *links; /* without those of stages that are left out */
    size_t link_count;
    /* Array of objects, one for each stage that is left out: "stage", its id, and "set", what adds
     * it, such as "formats=spans"; null: ConfigRequest.without has it. */
    json_t *left_out;
    Names plugin_paths;    /* already relative to the document's directory */
    uint32_t queue_items;  /* per stream */
    uint64_t queue_bytes;  /* per stream */
    uint64_t queue_budget; /* of the run */
} PipelineConfig;

/* Settings and stages in addition to the document. Borrowed. */
typedef struct ConfigRequest {
    const ConfigSetting *settings;
    size_t setting_count;
    json_t *added;    /* array of stages to be added; NULL: none */
    Names without;    /* ids of stages to be left out */
    Names idle;       /* stages that will not run: their parameters are not looked at */
    bool has_replays; /* a variable that only idle stages use need not be given */
} ConfigRequest;

/*
 * Read a document by path, or by the name of an installed one, lay it over those that it extends,
 * and resolve it.
 *
 * A failure says that there is no such document or that it is not a JSON object
 * (OPPROF_E_NOT_FOUND, OPPROF_E_IO, OPPROF_E_ARGUMENT, OPPROF_E_MEMORY); nothing is in *ret_config
 * then. Mistakes in it go to `problems` and the result is OPPROF_OK with all that made sense, so
 * that checking can go on and find more.
 */
OpprofStatus ConfigLoad(const char *file_or_name, const ConfigRequest *request,
                        PipelineConfig *ret_config, Problems *problems, OpprofError **error);

/* Where a document comes from. Borrowed. */
typedef struct ConfigOrigin {
    const char *name;      /* for messages */
    const char *path;      /* NULL: from memory */
    const char *directory; /* that its paths are relative to */
} ConfigOrigin;

/* The same of a document that has been read; takes the reference. */
OpprofStatus ConfigParse(const ConfigOrigin *origin, json_t *root, const ConfigRequest *request,
                         PipelineConfig *ret_config, Problems *problems, OpprofError **error);

/* A document with those that it extends, not resolved, to be described: a new reference. */
OpprofStatus ConfigReadDocument(const char *file_or_name, json_t **ret_root, OpprofError **error);

void ConfigFinish(PipelineConfig *config); /* accepts a zeroed one */

#endif
