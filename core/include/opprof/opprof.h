/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_OPPROF_H
#define OPPROF_OPPROF_H

/**
 * @file
 * Everything at once.
 */

#include <opprof/activity.h>
#include <opprof/batch.h>
#include <opprof/busy_time.h>
#include <opprof/bytes.h>
#include <opprof/chip.h>
#include <opprof/clock.h>
#include <opprof/data_stream.h>
#include <opprof/error.h>
#include <opprof/expression.h>
#include <opprof/lines.h>
#include <opprof/log.h>
#include <opprof/metrics.h>
#include <opprof/onboard.h>
#include <opprof/output.h>
#include <opprof/params.h>
#include <opprof/pipeline.h>
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <opprof/record.h>
#include <opprof/sim.h>
#include <opprof/source.h>
#include <opprof/stage.h>
#include <opprof/status.h>
#include <opprof/text.h>
#include <opprof/version.h>

#endif
