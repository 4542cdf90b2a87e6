/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_OUTPUT_H
#define KIT_OUTPUT_H

#include <opprof/output.h>
#include <stdbool.h>

/*
 * Make the directory of a run: `parent` itself when flat, else parent/OPPROF_<YYYYmmddHHMMSS>_<16 random
 * upper-case letters>. Missing directories are made with mode 0750. Refuses symbolic links at the last
 * component, a non-directory, one that is not writable; warns (log) about a group- or world-writable parent.
 */
OpprofStatus OutputDirectoryCreate(const char *parent, bool flat, OpprofOutputDirectory **ret_directory,
                                   OpprofError **error);
/* Files still open are discarded. Does not remove anything that was finished. */
void OutputDirectoryDestroy(OpprofOutputDirectory *directory);

/* Remove the directory again if it was made by OutputDirectoryCreate and nothing is in it. */
void OutputDirectoryRemoveEmpty(OpprofOutputDirectory *directory);

#endif
