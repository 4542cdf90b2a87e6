/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include "options.h"

#include <opprof/pipeline.h>

/* Print what the options ask for on standard output, and set the exit code. */
OpprofStatus AnswersPrint(OpprofPipeline *pipeline, const Options *options, int *ret_code,
                          OpprofError **error);

/* Whether that is a page for browsers, which must get each byte as it is. */
bool AnswersArePage(const Options *options);

#endif
