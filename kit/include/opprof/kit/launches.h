/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LAUNCHES_H
#define OPPROF_KIT_LAUNCHES_H

/**
 * @file
 * What a parser keeps of launches whose pieces arrive, several launches at a time: find the launch
 * of a batch, feed it, end it once, and say at the end of the run which could not be parsed. A
 * launch is a partition of the input. Experimental while the ABI's major number is 0.
 */

#include <opprof/stage.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a parser does with its launches. [all: the stage's thread] */
typedef struct OpprofLaunchOps {
    /** A new launch; NULL without memory. */
    void *(*create)(void *self, uint32_t partition);
    /**
     * Take a record of a batch of the launch.
     *
     * @return OPPROF_OK; OPPROF_END if the launch is whole now; any failure stops the stage.
     */
    OpprofStatus (*feed)(void *self, void *launch, const OpprofBatch *batch, const void *record,
                         OpprofError **error);
    /**
     * Nothing more comes of the launch. It is freed afterwards.
     *
     * @param[out] failure  Why this launch alone could not be parsed; the others go on. It does not
     *                      count as parsed then.
     */
    OpprofStatus (*end)(void *self, void *launch, OpprofError **failure, OpprofError **error);
    /** Free a launch. */
    void (*free)(void *launch);
} OpprofLaunchOps;

/** Launches whose pieces arrive. Opaque but for LaunchesInit. */
typedef struct OpprofLaunches {
    OpprofStage *stage;          /**< Borrowed. */
    const OpprofLaunchOps *ops;  /**< Borrowed. */
    void *self;                  /**< First argument of the operations. */
    struct OpprofLaunchIn *list; /**< Launches, the oldest first. */
    size_t count;                /**< Number of launches. */
    size_t capacity;             /**< Entries allocated for the list. */
    uint64_t parsed;             /**< Launches that ended well. */
    uint64_t failed;             /**< Launches that could not be parsed. */
    OpprofError *first;          /**< Why the first of those could not be parsed. */
} OpprofLaunches;

/**
 * The launch of a partition, created when it is new; NULL without memory. Valid until it ends.
 * [stage]
 *
 * @param partition  Interned name of the partition.
 */
void *OpprofLaunchesGet(OpprofLaunches *launches, uint32_t partition, OpprofError **error);

/**
 * Feed all records of a batch to its launch, and end the launch when it is whole.
 *
 * @param batch  Borrowed for the call.
 * @return OPPROF_OK; OPPROF_E_MEMORY, OPPROF_CLOSED: return it at once. What a launch cannot use is
 *         kept for OpprofLaunchesFlush. [stage]
 */
OpprofStatus OpprofLaunchesFeed(OpprofLaunches *launches, const OpprofBatch *batch,
                                OpprofError **error);

/**
 * End the launch of a partition, which must exist. Returns as OpprofLaunchesFeed. [stage]
 *
 * @param partition  Interned name of the partition.
 */
OpprofStatus OpprofLaunchesEnd(OpprofLaunches *launches, uint32_t partition, OpprofError **error);

/** End all launches that are left; each of them makes the run incomplete, since its end did not
 * come. Returns as OpprofLaunchesFeed. [stage] */
OpprofStatus OpprofLaunchesEndAll(OpprofLaunches *launches, OpprofError **error);

/**
 * The operation `process` of a plugin whose instances begin with an OpprofLaunches: all ports are
 * fed to it, as by OpprofLaunchesFeed. [stage]
 *
 * @param port   Any input port.
 * @param batch  As `process` of a plugin gets it.
 */
OpprofStatus OpprofLaunchesProcess(void *self, uint32_t port, const OpprofBatch *batch,
                                   OpprofError **error);

/**
 * The operation `flush` of such a plugin: all launches that are left end. If some could not be
 * parsed, the run is incomplete.
 *
 * @return OPPROF_OK; if none could be parsed, the status of the first failure. [stage]
 */
OpprofStatus OpprofLaunchesFlush(void *self, OpprofError **error);

/**
 * Path of a file of a launch below the results: "device0/add/3/trace". Parts that are absent are
 * left out.
 *
 * @param device  Interned, as `kernel` and `order`; OPPROF_NA_STRING: absent.
 * @param name    File in the launch's folder; NULL: the folder itself, "" if the launch has none.
 * @return The path, to be given to free(); NULL without memory. [any thread]
 */
char *OpprofLaunchPath(const OpprofStage *stage, uint32_t device, uint32_t kernel, uint32_t order,
                       const char *name);

/**
 * The launch's folder as above, interned; OPPROF_NA_STRING if it has none, or without memory.
 * [any thread]
 *
 * @param device  As OpprofLaunchPath, like `kernel` and `order`.
 */
uint32_t OpprofLaunchFolder(OpprofStage *stage, uint32_t device, uint32_t kernel, uint32_t order);

#ifdef __cplusplus
}
#endif

#endif
