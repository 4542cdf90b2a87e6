/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCUMENT_PROBE_H
#define DOCUMENT_PROBE_H

#include <opprof/error.h>
#include <opprof/probe.h>

/* Look at an input. OPPROF_OK; OPPROF_E_NOT_FOUND (nothing there); OPPROF_E_IO; OPPROF_E_MEMORY. */
OpprofStatus ProbeCreate(const char *path, OpprofProbe **ret_probe, OpprofError **error);
void ProbeDestroy(OpprofProbe *probe);

/* The next collector asks: it may read anew. */
void ProbeRenew(OpprofProbe *probe);

/* Bytes that were read of files since ProbeRenew. */
size_t ProbeBytesRead(const OpprofProbe *probe);

#endif
