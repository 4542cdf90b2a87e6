/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_VARS_H
#define CLI_VARS_H

#include <jansson.h>
#include <opprof/pipeline.h>

/* A variable of a pipeline document. All borrowed. */
typedef struct Var {
    const char *name;
    const char *help; /* "" for none */
    bool is_required;
    const json_t *otherwise; /* its default; NULL: none */
    const json_t *choices;   /* array of texts; NULL: none of its own */
    /* Of the first stage that takes it as a whole; NULL: none, or its module is not usable. */
    const OpprofParam *param;
    bool lacks_memory; /* it could not be looked for */
} Var;

typedef void VarVisit(void *context, const Var *var);

/* The variables in the order of the document. */
void VarsVisit(OpprofPipeline *pipeline, const json_t *root, VarVisit *visit, void *context);

/*
 * A value as one would type it: a text without quotes, an array with commas. free(); NULL without
 * memory.
 */
char *VarsText(const json_t *value);

#endif
