/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LAUNCHES_H
#define OPPROF_KIT_LAUNCHES_H

/**
 * @file
 * Folders of launches in the results, and the tables of a run's launches: all of them, longest
 * first, and the times of each kernel. For devices and simulators alike. Experimental.
 */

#include <opprof/stage.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/** Record of the table of launches: a launch. */
typedef struct OpprofLaunchRow {
    uint32_t kernel;    /**< Interned name of the operator; absent: it has none. */
    uint32_t device;    /**< Interned; absent: unknown. */
    uint32_t order;     /**< Interned: which of the kernel's launches; absent: it has no folder. */
    uint32_t bound;     /**< Interned: what bounds it; absent: unknown. */
    uint32_t busiest;   /**< Interned pipe or unit; absent: unknown. */
    uint32_t reserved;  /**< 0. */
    double busy;        /**< Share of time in percent for which that was busy; absent: unknown. */
    double duration_us; /**< Absent: unknown. */
    double share;       /**< Of the durations of all launches; OpprofLaunchListPush fills it in. */
} OpprofLaunchRow;

/** Record of the table of kernels: the launches of a kernel. */
typedef struct OpprofKernelRow {
    uint64_t launches; /**< With a duration. */
    double sum_us;     /**< Of the durations; absent, as the rest, if no launch has one. */
    double share;      /**< Percent of those of all launches. */
    double mean_us;    /**< Mean. */
    double median_us;  /**< Median. */
    double least_us;   /**< Shortest. */
    double most_us;    /**< Longest. */
    uint32_t kernel;   /**< Interned name; absent: it has none. */
    uint32_t reserved; /**< 0. */
} OpprofKernelRow;

/** Percent of a core's time from which on its busiest unit bounds a launch; below it is latency. */
#define OPPROF_LAUNCH_BUSY 80.0

#define OPPROF_LAUNCH_FIELDS 8u /**< Number of opprof_launch_fields. */
#define OPPROF_KERNEL_FIELDS 8u /**< Number of opprof_kernel_fields. */
/** Fields of OpprofLaunchRow. */
extern const OpprofField opprof_launch_fields[OPPROF_LAUNCH_FIELDS];
/** Fields of OpprofKernelRow. */
extern const OpprofField opprof_kernel_fields[OPPROF_KERNEL_FIELDS];

/** The record type of the table of launches, as an initialiser. */
#define OPPROF_LAUNCH_TYPE(type_name)                                                              \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = "All launches of a run, longest first.", .size = sizeof(OpprofLaunchRow),       \
        .flags = OPPROF_RECORD_TABLE, .fields = opprof_launch_fields,                              \
        .field_count = OPPROF_LAUNCH_FIELDS, .title = "Launches", .file_hint = "launches"          \
    }
/** The record type of the table of kernels, as an initialiser. */
#define OPPROF_KERNEL_TYPE(type_name)                                                              \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = "Time of the launches of a kernel.", .size = sizeof(OpprofKernelRow),           \
        .flags = OPPROF_RECORD_TABLE, .fields = opprof_kernel_fields,                              \
        .field_count = OPPROF_KERNEL_FIELDS, .title = "Kernels", .file_hint = "kernels"            \
    }

/** Launches so far. Zeroed memory has none. */
typedef struct OpprofLaunchList {
    OpprofLaunchRow *rows; /**< Owned. */
    size_t count;          /**< Number of rows. */
    size_t capacity;       /**< Rows allocated. */
} OpprofLaunchList;

/**
 * Add a launch. [any thread]
 *
 * @param row  Copied.
 * @return OPPROF_OK or OPPROF_E_MEMORY.
 */
OpprofStatus OpprofLaunchListAdd(OpprofLaunchList *list, const OpprofLaunchRow *row);
/**
 * Emit both tables. A single launch is not listed. [flush]
 *
 * @param stage     The stage. Borrowed.
 * @param launches  Port of an OPPROF_LAUNCH_TYPE.
 * @param kernels   Port of an OPPROF_KERNEL_TYPE.
 * @return As OpprofStageAppend.
 */
OpprofStatus OpprofLaunchListPush(OpprofLaunchList *list, OpprofStage *stage, uint32_t launches,
                                  uint32_t kernels);
/** Free. [any thread] */
void OpprofLaunchListFinish(OpprofLaunchList *list);

#ifdef __cplusplus
}
#endif

#endif
