/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_LAUNCH_RUN_H
#define FUZZ_LAUNCH_RUN_H

/*
 * Whole pipelines over raw files that an input consists of: each as a byte that chooses its name,
 * two bytes with its length, and its content. For targets that read launches.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stage, which is called as its plugin. */
typedef struct LaunchStage {
    const char *plugin;
    const char *params; /* JSON, NULL: none */
} LaunchStage;

/* Series whose chip files there are: "910B", "310P", "950". */
#define LAUNCH_SERIES 3u
extern const char *const launch_series[LAUNCH_SERIES];

/* Put the files where the pipeline will look for them. */
void LaunchFilesWrite(const char *const *names, size_t count, const uint8_t *data, size_t size);
/* Where they are, once they were written. */
const char *LaunchInput(void);
/* Run stages that are linked by the types of their ports and end with a NULL plugin. No document is
 * read for them. The error must fit the status, and the viewer's container, if there is one, be
 * whole. */
void LaunchRunStages(const LaunchStage *stages, const char *series);
/* The same with a link, "stage.port", that the types alone do not settle. */
void LaunchRunLinked(const LaunchStage *stages, const char *from, const char *to,
                     const char *series);

#endif
