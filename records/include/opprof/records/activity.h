/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_ACTIVITY_H
#define OPPROF_RECORDS_ACTIVITY_H

/**
 * @file
 * Words for timelines of devices, so that one set of analyses reads them all. Experimental.
 *
 * A slice (opprof_span_type) is work of a device when its category is one of the classes below; its
 * track is the queue the work ran in, its batch's partition the rank. A source whose slices have
 * other categories needs none of this: analyses have lists that say which slices belong to which
 * class. A source gives what it knows about the call that launched the work in arguments, all of
 * them optional.
 */

/** Class, as category: work of the device's arithmetic units. */
#define OPPROF_ACTIVITY_COMPUTATION "computation"
/** Class, as category: work that exchanges data with other devices. */
#define OPPROF_ACTIVITY_COMMUNICATION "communication"
/** Class, as category: copying and setting of memory. */
#define OPPROF_ACTIVITY_MEMORY "memory"
/** Class, as category: a queue that waits for another device or queue; not work. */
#define OPPROF_ACTIVITY_WAITING "waiting"
/** Category of slices in which nothing works, each named after the cause. */
#define OPPROF_ACTIVITY_GAP "gap"
/** Category of slices that say what all devices of a rank do, each named after that. */
#define OPPROF_ACTIVITY_STATE "state"
/** In the name of a partition, between a rank and a number from 2 on: a later recording of that
 * rank. Only recordings of the same number belong together; those without are the first. */
#define OPPROF_ACTIVITY_CYCLE "-cycle"

/** Category of host slices that are one iteration each, named the same in all ranks. */
#define OPPROF_ACTIVITY_STEP "step"

/** Argument F64: bytes moved by memory work per second, in 1e9. */
#define OPPROF_ACTIVITY_ARG_BANDWIDTH "bandwidth(GB/s)"
/** Argument U64: bytes moved by memory work. */
#define OPPROF_ACTIVITY_ARG_BYTES "bytes"
/** Argument U64, or as decimal text: rank of the device that a piece of work talks to or waits for.
 * */
#define OPPROF_ACTIVITY_ARG_PEER "dst rank"
/** Argument STRING: what a collective does, as its library calls it. */
#define OPPROF_ACTIVITY_ARG_COLLECTIVE "collective"
/** Argument U64: number that the launching call and the work share. */
#define OPPROF_ACTIVITY_ARG_CORRELATION "correlation"
/** Argument U64: tick at which the launching call put the work into its queue. Calls that queue
 * nothing give none. */
#define OPPROF_ACTIVITY_ARG_ENQUEUED "enqueued(ns)"
/** Argument STRING: process group of a collective; different groups have different names. */
#define OPPROF_ACTIVITY_ARG_GROUP "group"
/** Argument U64: ranks in the process group. */
#define OPPROF_ACTIVITY_ARG_GROUP_SIZE "group_size"
/** Argument U64: bytes that a collective takes in. */
#define OPPROF_ACTIVITY_ARG_IN_BYTES "in_bytes"
/** Argument U64: ticks that the launching call took. */
#define OPPROF_ACTIVITY_ARG_LAUNCH_DURATION "launch_duration(ns)"
/** Argument U64: tick at which the launching call began. */
#define OPPROF_ACTIVITY_ARG_LAUNCH_START "launch_start(ns)"
/** Argument U64: pieces of work that the call launched, where they are several (a graph): on the
 * first of them by start their number, on the others 0. */
#define OPPROF_ACTIVITY_ARG_LAUNCHED "launched"
/** Argument U64: ticks of all work of the call, added up, where `launched` is above 0. */
#define OPPROF_ACTIVITY_ARG_LAUNCHED_DURATION "launched_duration"
/** Argument U64: bytes that a collective gives out. */
#define OPPROF_ACTIVITY_ARG_OUT_BYTES "out_bytes"
/** Argument U64: number of a collective in its process group, the same in all ranks. */
#define OPPROF_ACTIVITY_ARG_SEQUENCE "sequence"

#endif
