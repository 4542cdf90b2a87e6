/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_LAUNCH_RUN_H
#define FUZZ_LAUNCH_RUN_H

/*
 * Whole pipelines over raw files that an input consists of: each as a byte that chooses its name, two
 * bytes with its length, and its content. For targets that read launches.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A variable of the pipeline or a parameter of a stage. */
typedef struct LaunchSetting {
    const char *name;
    const char *value;
} LaunchSetting;

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
/* Run a pipeline with `input` and the settings, which end with a NULL name; what it says must fit its status, and the
 * viewer's container, if there is one, be whole. */
void LaunchRun(const char *pipeline, const char *series, const LaunchSetting *settings);
/* The same of stages that are linked by the types of their ports and end with a NULL plugin. No document is read for them. */
void LaunchRunStages(const LaunchStage *stages, const char *series);

#endif
