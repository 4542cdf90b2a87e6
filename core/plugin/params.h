/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_PARAMS_H
#define PLUGIN_PARAMS_H

#include "base/problems.h"

#include <jansson.h>
#include <opprof/params.h>

/* Values given for the parameters of one stage, and where they stand. All borrowed, not changed. */
typedef struct ParamInput {
    json_t *given; /* object of values, or NULL: none; a JSON null counts as not given */
    /*
     * Object: parameter name to a text that says where its value came from ("--set roll.window_ms",
     * "${window}"), or NULL. A value with an origin may be a text where a number or truth value is
     * wanted, since the command line has nothing but texts; a text in the document itself may
     * not. A null here says that the missing value has been reported already.
     */
    json_t *origins;
    const char *pointer; /* location of the object: "/stages/2/params" */
    const char *stage;   /* stage id, named in the location; NULL: not named */
} ParamInput;

/*
 * Check the values against the table, add defaults, and keep what is needed (the table must outlive
 * the result). Every mistake goes to `problems`; NULL when there was any, or without memory
 * (problems->no_memory). The functions of <opprof/params.h> read the result.
 */
OpprofParams *ParamBuild(const OpprofParam *table, uint32_t count, const ParamInput *input,
                         Problems *problems);
void ParamDestroy(OpprofParams *params); /* NULL is allowed */

/*
 * All values that are set, defaults too, as an object of typed JSON values for run.json; NULL
 * without memory.
 */
json_t *ParamToJson(const OpprofParams *params);

/*
 * Check a plugin's own table: names, types, limits, choices, and that every default is a valid
 * value.
 */
void ParamCheckTable(const OpprofParam *table, uint32_t count, Problems *problems);

#endif
