/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_REQUIRE_H
#define OPPROF_REQUIRE_H

/**
 * @file
 * Contracts of functions that plugins call. Breaking one is a mistake in the plugin's code, not in
 * its input: the program says which contract, call, stage and plugin, and ends by abort(), so that
 * the mistake is found on its author's desk. docs/plugins/contracts.md lists them. For libraries
 * such as the kit; a plugin checks its input with errors instead. Experimental.
 */

#include <opprof/compiler.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Abort unless the condition holds. The `id` is kebab-case, one per condition and function family
 * ("stage-port"); the `sentence` says what the caller must do, static text without a full stop:
 * "The port is one of the plugin's". */
#define OPPROF_REQUIRE(id, condition, sentence)                                                    \
    ((condition) ? (void) 0 : OpprofRequireFailed((id), __func__, (sentence)))

/** After OPPROF_REQUIRE, whose `sentence` it takes: print id, `call` (the function), sentence,
 * stage and plugin to stderr, and abort. [any thread] */
void OpprofRequireFailed(const char *id, const char *call, const char *sentence) OPPROF_NORETURN;

#ifdef __cplusplus
}
#endif

#endif
