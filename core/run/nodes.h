/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_NODES_H
#define RUN_NODES_H

#include "run/pipeline.h"

/* True for letters, digits, '_' and '-', at most 64 of them, at least one. */
bool StageIdIsGood(const char *text);

/* Add a stage without parameters and instances; `plugin` may be NULL. NULL without memory. */
StageNode *NodesAppend(OpprofPipeline *pipeline, const char *id, const OpprofPlugin *plugin,
                       OpprofError **error);
void NodesDropLast(OpprofPipeline *pipeline);
/* Add a stage with its first instance. The node stays even if its parameters are wrong (see
 * problems). */
OpprofStatus NodesAdd(OpprofPipeline *pipeline, const char *id, const OpprofPlugin *plugin,
                      const ParamInput *input, Problems *problems, OpprofError **error);
/* Add a stage with a plugin of the core's own, whose one parameter is a file. */
OpprofStatus NodesAddOwn(OpprofPipeline *pipeline, const char *id, const OpprofPlugin *plugin,
                         const char *file, OpprofError **error);

#endif
