/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_ROCPROF_H
#define COLLECT_KINETO_FORMATS_ROCPROF_H

#include "collect-kineto/formats/event.h"
#include "collect-kineto/formats/text_window.h"

/*
 * The events in what `rocprofv3 --output-format json` writes: {"rocprofiler-sdk-tool": [process,
 * …]}. A process defines names (`agents`, `strings`, `kernel_symbols`) before the records
 * (`buffer_records`) that use them.
 */
typedef struct Rocprof Rocprof;

/* The member of the outermost object that such text has. */
#define ROCPROF_KEY "rocprofiler-sdk-tool"

/* Begins after the colon of that member. NULL without memory. */
Rocprof *RocprofCreate(TextWindow *window);

/* NULL is allowed. */
void RocprofDestroy(Rocprof *rocprof);

typedef enum RocprofResult {
    ROCPROF_EVENT,
    ROCPROF_NOTHING, /* call again */
    ROCPROF_BROKEN,  /* a record that cannot be read was left out; `at` of the event says where */
    ROCPROF_END,     /* the member is over; the window is after it */
    ROCPROF_CUT,     /* the text ends, or continues unexpectedly */
    ROCPROF_NO_MEMORY
} RocprofResult;

/* ret_event:  its texts are valid until the next call */
RocprofResult RocprofNext(Rocprof *rocprof, TraceEvent *ret_event);

#endif
