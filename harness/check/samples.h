/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HARNESS_CHECK_SAMPLES_H
#define HARNESS_CHECK_SAMPLES_H

#include <opprof/harness.h>

/* Made-up parameters and records for a plugin of which only the descriptor is known. */

#define SAMPLE_INPUTS 32

/* Types of input ports, as far as one is found. */
typedef struct SampleTypes {
    const OpprofRecordType *types[SAMPLE_INPUTS];
    const char *missing; /* type of a required input that no sample has; NULL: none */
} SampleTypes;

/* Look at the module itself, the waist, and the outputs of all modules of the pipeline's plugin
 * path. */
void SampleTypesFind(OpprofPipeline *pipeline, const OpprofPlugin *plugin, SampleTypes *ret_types);

/*
 * Parameters as JSON, to be freed: `given` (NAME=VALUE) over a sample for each required one.
 * `empty` is a directory for paths. NULL without memory.
 */
char *SampleParams(const OpprofPlugin *plugin, const char *const *given, size_t given_count,
                   const char *empty);

/* A wrong value of a parameter as JSON, or NULL when there are no more. To be freed. */
char *SampleWrongValue(const OpprofParam *param, unsigned index);

/* Give the same records to all connected inputs each time: of three partitions, some absent values
 * if asked for. */
OpprofStatus SampleGive(OpprofHarness *harness, const OpprofPlugin *plugin, bool with_absent,
                        OpprofError **error);

#endif
