/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_OPPROF_H
#define OPPROF_OPPROF_H

/**
 * @file
 * All of the core at once. What plugins of this field share is in <opprof/kit/kit.h>, the record
 * types that families exchange are in <opprof/records/…>.
 *
 * Each function says from where it may be called: [any thread]; [owner], one thread at a time for
 * each object; [main], the thread that builds and runs the pipeline; [stage], [life] or an
 * operation of a plugin such as [process], from within that (plugin.h, stage.h). Experimental.
 */

#include <opprof/batch.h>
#include <opprof/clock.h>
#include <opprof/compiler.h>
#include <opprof/data_stream.h>
#include <opprof/error.h>
#include <opprof/grow.h>
#include <opprof/intern.h>
#include <opprof/json.h>
#include <opprof/library.h>
#include <opprof/log.h>
#include <opprof/map.h>
#include <opprof/output.h>
#include <opprof/params.h>
#include <opprof/pipeline.h>
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <opprof/print.h>
#include <opprof/probe.h>
#include <opprof/record.h>
#include <opprof/require.h>
#include <opprof/stage.h>
#include <opprof/status.h>
#include <opprof/text.h>
#include <opprof/version.h>

#endif
