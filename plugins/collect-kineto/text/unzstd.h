/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_UNZSTD_H
#define COLLECT_KINETO_TEXT_UNZSTD_H

#include "collect-kineto/text/inflater.h"

/* Unpacks frames of zstd, one after another. As an inflater, whose members they are. */
typedef struct Unzstd Unzstd;

/* NULL without memory. */
Unzstd *UnzstdCreate(void);
/* NULL is allowed. */
void UnzstdDestroy(Unzstd *unzstd);

/* Begin with the next frame. */
bool UnzstdReset(Unzstd *unzstd);

/* As InflaterRun. A frame that needs a window over 128 MiB (zstd --ultra --long=28) is damaged. */
InflateResult UnzstdRun(Unzstd *unzstd, InflateBuffers *buffers);

#endif
