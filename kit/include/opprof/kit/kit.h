/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_KIT_H
#define OPPROF_KIT_KIT_H

/**
 * @file
 * All of the kit at once. Experimental.
 */

#include <opprof/kit/block_cores.h>
#include <opprof/kit/busy_time.h>
#include <opprof/kit/bytes.h>
#include <opprof/kit/chip.h>
#include <opprof/kit/csv.h>
#include <opprof/kit/cutter.h>
#include <opprof/kit/facts.h>
#include <opprof/kit/form.h>
#include <opprof/kit/formula.h>
#include <opprof/kit/json_out.h>
#include <opprof/kit/kept_batches.h>
#include <opprof/kit/launch_reader.h>
#include <opprof/kit/launches.h>
#include <opprof/kit/live.h>
#include <opprof/kit/live_host.h>
#include <opprof/kit/live_opencl.h>
#include <opprof/kit/live_records.h>
#include <opprof/kit/metrics.h>
#include <opprof/kit/pmu_facts.h>
#include <opprof/kit/raw_keeper.h>
#include <opprof/kit/raw_names.h>
#include <opprof/kit/record_bits.h>
#include <opprof/kit/large_array.h>
#include <opprof/kit/source.h>
#include <opprof/kit/spool.h>
#include <opprof/kit/sub_lanes.h>
#include <opprof/kit/tool.h>

#endif
