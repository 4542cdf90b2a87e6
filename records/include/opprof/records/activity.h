/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_ACTIVITY_H
#define OPPROF_RECORDS_ACTIVITY_H

/**
 * @file
 * Words for timelines of devices, so that one set of analyses reads them all.
 *
 * A slice (opprof_span_type) is work of a device when its category is one of the classes below; its
 * track is the queue the work ran in, its batch's partition the rank. A source whose slices bear other
 * categories needs none of this: analyses have lists that say which slices belong to which class. What
 * a source knows about the call that launched the work it tells in arguments, all of them optional.
 */

/** Class, as category: work of the device's arithmetic units. */
#define OPPROF_ACTIVITY_COMPUTATION "computation"
/** Class, as category: work that exchanges data with other devices. */
#define OPPROF_ACTIVITY_COMMUNICATION "communication"
/** Class, as category: copying and setting of memory. */
#define OPPROF_ACTIVITY_MEMORY "memory"
/** Class, as category: a queue that waits for another device or queue; no work. */
#define OPPROF_ACTIVITY_WAITING "waiting"
/** Category of host slices that are one iteration each, named the same in all ranks. */
#define OPPROF_ACTIVITY_STEP "step"

/** Argument F64: bytes moved by memory work per second, in 1e9. */
#define OPPROF_ACTIVITY_ARG_BANDWIDTH "bandwidth(GB/s)"
/** Argument U64: bytes moved by memory work. */
#define OPPROF_ACTIVITY_ARG_BYTES "bytes"
/** Argument U64, or as decimal text: rank of the device that a piece of work talks to or waits for. */
#define OPPROF_ACTIVITY_ARG_PEER "dst rank"
/** Argument U64: number that launching call and work share. */
#define OPPROF_ACTIVITY_ARG_CORRELATION "correlation"
/** Argument U64: tick at which the launching call put the work into its queue. Calls that queue nothing give none. */
#define OPPROF_ACTIVITY_ARG_ENQUEUED "enqueued"
/** Argument U64: ticks that the launching call took. */
#define OPPROF_ACTIVITY_ARG_LAUNCH_DURATION "launch_duration"
/** Argument U64: tick at which the launching call began. */
#define OPPROF_ACTIVITY_ARG_LAUNCH_START "launch_start"

#endif
