/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SCRATCH_H
#define CLI_SCRATCH_H

/* A private directory for output of a run that nobody wants; for free(). NULL: it cannot be made. */
char *ScratchMake(void);
/* Remove it with all that is in it. NULL is allowed; the name is freed. */
void ScratchRemove(char *path);

#endif
