/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_HARNESS_H
#define TESTS_PLUGINS_HARNESS_H

/* One plugin between made-up neighbours, in a real run. */

#include <opprof/opprof.h>

/* Pushes the records of a source; called once. */
typedef OpprofStatus HarnessProduce(OpprofStage *stage, OpprofError **error);
/* Sees a batch that arrived at a sink. */
typedef void HarnessConsume(const OpprofStage *stage, const OpprofBatch *batch);

/* Make a pipeline and an empty output directory. */
void HarnessSetup(void);
/* Remove both. */
void HarnessTeardown(void);

/* Add a stage that produces records of `types` on its ports. */
void HarnessSource(const char *id, HarnessProduce *produce, const OpprofRecordType *const *types,
                   uint32_t type_count);
/* Add the plugin under test. */
void HarnessPlugin(const char *id, const OpprofPlugin *plugin, const char *params);
/* Try to add a plugin that refuses its parameters; returns why, as text. */
const char *HarnessRefusal(const char *id, const OpprofPlugin *plugin, const char *params);
/* Add a stage that takes records of a type. */
void HarnessSink(const char *id, HarnessConsume *consume, const char *type);

/* Set the title of the run. */
void HarnessTitle(const char *title);

/* Run to the end; the test fails unless the run ends like that. Returns why it is not complete, or
 * "". */
const char *HarnessRun(OpprofRunOutcome outcome);
/* Run; returns what went wrong as text, or "". */
const char *HarnessRunFailing(void);

/* Abort the run, as two requests to stop do; returns when nothing more of it is written. */
void HarnessAbort(OpprofStage *stage);

/* Ask the run to end early, as one request to stop does: what came so far is finished. */
void HarnessStop(void);

/* Content of a result file, with a NUL after; NULL if none. Valid until the teardown. */
char *HarnessFile(const char *relative, size_t *ret_length);

/* The run's output directory. */
const char *HarnessDirectory(void);

/* Id of a text. */
uint32_t HarnessIntern(OpprofStage *stage, const char *text);

#endif
