/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_COLLECT_SIM_SCRATCH_H
#define TESTS_PLUGINS_COLLECT_SIM_SCRATCH_H

/* A fresh directory; to be freed with ScratchFree, which removes it with all files in it. */
char *ScratchMake(void);
void ScratchFree(char *directory);
/* Write a file. */
void ScratchWrite(const char *directory, const char *name, const char *text);

#endif
