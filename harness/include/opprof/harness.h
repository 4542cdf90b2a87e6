/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_HARNESS_H
#define OPPROF_HARNESS_H

/**
 * @file
 * One plugin between made-up neighbours, in a real run: for the tests of its author. Records are
 * given to its inputs, what comes out is kept as text, and failures can be injected. `pkg-config
 * --cflags --libs opprof-harness`. Experimental. [main]
 *
 * @code
 * OpprofHarness *harness = NULL;
 * OpprofHarnessCreate(&opprof_plugin_v0, NULL, &harness, &error);
 * OpprofHarnessGive(harness, 0, &(OpprofHarnessRecords){ .records = rows, .count = 3 }, &error);
 * OpprofHarnessRun(harness, &error);
 * assert(strcmp(OpprofHarnessLine(harness, 0, 0), "core=core0\tbusy_us=1.5") == 0);
 * OpprofHarnessDestroy(harness);
 * @endcode
 */

#include <opprof/clock.h>
#include <opprof/pipeline.h>
#include <opprof/present.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A plugin under test. Opaque; one thread. */
typedef struct OpprofHarness OpprofHarness;

/** A fault to inject. */
typedef enum OpprofHarnessFailure {
    OPPROF_HARNESS_FAIL_NOTHING = 0, /**< All goes well. */
    /** The instance is destroyed after create, without configure. */
    OPPROF_HARNESS_FAIL_CONFIGURE = 1,
    OPPROF_HARNESS_FAIL_START = 2, /**< Its start fails without being called. */
    /** Its start is called; that of another stage fails then. */
    OPPROF_HARNESS_FAIL_NEIGHBOUR = 3,
    OPPROF_HARNESS_FAIL_INPUT = 4, /**< The stage before it fails after half of the records. */
    /** The run is aborted when the first batch has come out, while the queue after it is full. */
    OPPROF_HARNESS_FAIL_ABORT = 5
} OpprofHarnessFailure;

/** Records and texts given lie in pages that cannot be written. */
#define OPPROF_HARNESS_READ_ONLY 1u
#define OPPROF_HARNESS_REVERSED 2u /**< Partitions are given in the opposite order. */
#define OPPROF_HARNESS_ROTATED 4u  /**< The partition that comes first is given last. */

/** Settings; zero means the default. */
typedef struct OpprofHarnessOptions {
    const char *params_json; /**< Parameters as a JSON object; NULL: the defaults. */
    const char *output; /**< Directory of the results; NULL: a temporary one, removed at the end. */
    /** Type of the records given to each input port, or NULL for the port's own record type or a
     * type of the waist. NULL: so for all. */
    const OpprofRecordType *const *input_types;
    /** Records per batch that it is given; 0: as many as were given together. */
    uint32_t batch_records;
    uint32_t queue_batches; /**< Batches that a queue may hold; 0: the default. */
    uint64_t queue_bytes;   /**< Bytes that a queue may hold; 0: the default. */
    double timeout_s;       /**< As OpprofPipelineSetTimeout; 0: none. */
    uint64_t (*now)(void);  /**< Clock of the timeout, in ns; NULL: the real one. */
    uint32_t failure;       /**< OpprofHarnessFailure. */
    uint32_t flags;         /**< OPPROF_HARNESS_* flags. */
} OpprofHarnessOptions;

/** Records for an input port. Copied. */
typedef struct OpprofHarnessRecords {
    const void *records;   /**< `count` records of the port's type. */
    uint32_t count;        /**< Number of records. */
    const char *partition; /**< Name of the core, device or rank; NULL: none. */
    uint32_t clock;        /**< From OpprofHarnessClock; 0: none. */
    const char *blob;      /**< Texts of the records, or NULL. */
    uint32_t blob_size;    /**< Bytes of blob. */
} OpprofHarnessRecords;

/**
 * Create and configure an instance of a plugin, with a collector before its inputs and an exporter
 * after its outputs.
 *
 * @param plugin            Descriptor, which outlives the harness.
 * @param options           May be NULL.
 * @param[out] ret_harness  To be given to OpprofHarnessDestroy.
 * @return OPPROF_OK; why the plugin or its parameters are refused. An optional input whose type is
 *         unknown stays unconnected; a required one is OPPROF_E_ARGUMENT.
 */
OpprofStatus OpprofHarnessCreate(const OpprofPlugin *plugin, const OpprofHarnessOptions *options,
                                 OpprofHarness **ret_harness, OpprofError **error);

/**
 * Id of a text for records, as OpprofStageIntern. Only with an input that is connected, else
 * OPPROF_NA_STRING.
 *
 * @param text  NUL-terminated. Copied.
 */
uint32_t OpprofHarnessIntern(OpprofHarness *harness, const char *text);
/**
 * Id of a clock, as OpprofStageClock; 0 without a connected input.
 *
 * @param clock  Copied.
 */
uint32_t OpprofHarnessClock(OpprofHarness *harness, const OpprofClock *clock);
/**
 * Id of a track, as OpprofStageTrack; OPPROF_NA_U32 without a connected input.
 *
 * @param track  Copied.
 */
uint32_t OpprofHarnessTrack(OpprofHarness *harness, const OpprofTrack *track);

/**
 * Type of the records of an input port; NULL: it is not connected. Borrowed.
 *
 * @param port  Index of the input port.
 */
const OpprofRecordType *OpprofHarnessInputType(const OpprofHarness *harness, uint32_t port);

/**
 * Put records into the queue of an input port. OPPROF_OK; OPPROF_E_ARGUMENT (port not connected);
 * OPPROF_E_MEMORY. [main, before the run]
 *
 * @param port     Index of the input port.
 * @param records  Copied.
 */
OpprofStatus OpprofHarnessGive(OpprofHarness *harness, uint32_t port,
                               const OpprofHarnessRecords *records, OpprofError **error);

/** Run to the end, once. OPPROF_OK whenever stages ran and no critical one failed; see the report
 * for the outcome. */
OpprofStatus OpprofHarnessRun(OpprofHarness *harness, OpprofError **error);

/** How the run went. Borrowed; zeroed before it. */
const OpprofRunReport *OpprofHarnessReport(const OpprofHarness *harness);

/**
 * Records that came out of an output port.
 *
 * @param port  Index of the output port.
 * @return How many.
 */
size_t OpprofHarnessCount(const OpprofHarness *harness, uint32_t port);
/**
 * The i-th of them: "name=value" of each field that is not absent, with tabs between. NULL out of
 * range. Borrowed.
 *
 * @param port   Index of the output port.
 * @param index  From 0.
 */
const char *OpprofHarnessLine(const OpprofHarness *harness, uint32_t port, size_t index);
/**
 * Name of its partition; "" without one. Borrowed.
 *
 * @param port   Index of the output port.
 * @param index  From 0.
 */
const char *OpprofHarnessPartition(const OpprofHarness *harness, uint32_t port, size_t index);

/** Where the plugin writes its files. Borrowed. */
const char *OpprofHarnessDirectory(const OpprofHarness *harness);

/**
 * Destroy the instance, and remove a temporary directory. NULL is allowed.
 *
 * @return Batches given to the plugin that it has not given back: 0 for a correct one.
 */
uint32_t OpprofHarnessDestroy(OpprofHarness *harness);

#ifdef __cplusplus
}
#endif

#endif
