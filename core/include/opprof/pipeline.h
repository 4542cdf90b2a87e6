/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_PIPELINE_H
#define OPPROF_PIPELINE_H

/**
 * @file
 * Building and running pipelines: what opprof-run does, for embedders and tests. Experimental.
 * [main]
 *
 * A pipeline is built once (from a document, or stage by stage with AddPlugin), checked, and run
 * once. Texts and paths that it is given are copied; a `visit` is called with `context` for each
 * thing.
 */

#include <opprof/error.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A pipeline. Opaque; one thread, except where said. */
typedef struct OpprofPipeline OpprofPipeline;

/** A new empty pipeline, or NULL without memory. */
OpprofPipeline *OpprofPipelineCreate(void);
/** Free a pipeline that is not running. NULL is allowed. Does nothing when a stage hangs (see
 * OpprofRunReport): its thread may go on using the pipeline, so the program should end. */
void OpprofPipelineDestroy(OpprofPipeline *pipeline);

/** Look for plugins in a `directory` before the others; the first call wins over later ones.
 * OPPROF_OK or OPPROF_E_MEMORY. */
OpprofStatus OpprofPipelineAddPluginPath(OpprofPipeline *pipeline, const char *directory,
                                         OpprofError **error);

/** Also load modules that another user could have written. Without this a module is refused unless
 * it, the directory it was found in and those above belong to root or the user and no other user
 * may write there. */
void OpprofPipelineAllowWritablePlugins(OpprofPipeline *pipeline);

/** From now on each module is loaded in a child process first: one whose start-up code crashes,
 * does not come back within ten seconds, or ends the program is refused with that as its error. For
 * processes with one thread. */
void OpprofPipelineRehearsePlugins(OpprofPipeline *pipeline);

/** Set a variable ("input"), a parameter ("dump.chip") or the "title" by its `name` to the text
 * `value`. Before OpprofPipelineLoad, which reports an unknown name. OPPROF_OK or OPPROF_E_MEMORY.
 */
OpprofStatus OpprofPipelineSet(OpprofPipeline *pipeline, const char *name, const char *value,
                               OpprofError **error);

/** Add a stage, of `stage_id`, `plugin` and `params_json` as AddPlugin, to the document that
 * OpprofPipelineLoad reads later, and which reports mistakes in it. It stands after the document's
 * last stage of its kind or an earlier one (collector, parser, analysis, exporter), so that what it
 * finds reaches the exporters. Its parameters may contain variables, and OpprofPipelineSet sets
 * them. OPPROF_OK; OPPROF_E_ARGUMENT (not UTF-8, or the parameters are not an object);
 * OPPROF_E_MEMORY. */
OpprofStatus OpprofPipelineAddStage(OpprofPipeline *pipeline, const char *stage_id,
                                    const char *plugin, const char *params_json,
                                    OpprofError **error);

/** Leave out the stage `stage_id` of the document with its links. Before OpprofPipelineLoad, which
 * reports an unknown one. OPPROF_OK or OPPROF_E_MEMORY. */
OpprofStatus OpprofPipelineLeaveOut(OpprofPipeline *pipeline, const char *stage_id,
                                    OpprofError **error);

/** Read a pipeline document: `file_or_name` with a '/' or the suffix ".json" is a path, else the
 * name of an installed one. All mistakes are listed at once. OPPROF_OK; OPPROF_E_NOT_FOUND,
 * OPPROF_E_IO; OPPROF_E_DATA (not JSON); OPPROF_E_ARGUMENT (its content); OPPROF_E_LOAD,
 * OPPROF_E_ABI (its plugins); OPPROF_E_MEMORY. */
OpprofStatus OpprofPipelineLoad(OpprofPipeline *pipeline, const char *file_or_name,
                                OpprofError **error);

/** Search, load and check the module called `plugin`, and add a stage that uses it. `stage_id` is
 * unique in the pipeline: letters, digits, '_' and '-'; `params_json` is a JSON object, or NULL.
 * OPPROF_OK; OPPROF_E_NOT_FOUND, OPPROF_E_LOAD, OPPROF_E_ABI (the module); OPPROF_E_ARGUMENT (id,
 * parameters). */
OpprofStatus AddPlugin(OpprofPipeline *pipeline, const char *stage_id, const char *plugin,
                       const char *params_json, OpprofError **error);

/** As AddPlugin, `stage_id` and `params_json` too, with a descriptor at hand: `plugin` outlives the
 * pipeline. */
OpprofStatus AddPluginDescriptor(OpprofPipeline *pipeline, const char *stage_id,
                                 const OpprofPlugin *plugin, const char *params_json,
                                 OpprofError **error);

/** Link an output to an input port, `from` "dump.instructions" `to` "timeline.instructions"; the
 * port may be left out when there is only one. OPPROF_OK or OPPROF_E_MEMORY; OpprofPipelineValidate
 * reports an unknown stage or port. */
OpprofStatus OpprofPipelineLink(OpprofPipeline *pipeline, const char *from, const char *to,
                                OpprofError **error);

/** Write the records of an output `port`, "stage.port" or "stage" with only one, as lines of
 * tab-separated text to a `file`, which is made or emptied when the run begins; NULL or "-":
 * standard output. To a file whose name ends with ".hex" each record goes byte by byte, with
 * offset, field, value and unit. */
OpprofStatus OpprofPipelineTap(OpprofPipeline *pipeline, const char *port, const char *file,
                               OpprofError **error);

/** Write the batches of an output `port` to a `file`, both as OpprofPipelineTap, that
 * OpprofPipelineReplay reads (docs/using/recordings.md). OPPROF_OK; OPPROF_E_ARGUMENT;
 * OPPROF_E_MEMORY. OpprofPipelineValidate reports an unknown port. */
OpprofStatus OpprofPipelineRecordLink(OpprofPipeline *pipeline, const char *port, const char *file,
                                      OpprofError **error);

/** Let the readers of an output port, the `link` "stage.port" or NULL for the one that was
 * recorded, read a `file` of OpprofPipelineRecordLink instead; of one that is cut short or damaged
 * the part before that, and the run is incomplete. All recordings of a file are read (with `link`,
 * it has only one), and those of a link one after another, as they are given. Stages that nothing
 * else reads from then do not run, and need neither parameters nor an input. Before
 * OpprofPipelineLoad, which, like OpprofPipelineValidate, reports a link without readers, and one
 * whose records have another layout by now. OPPROF_OK; OPPROF_E_NOT_FOUND, OPPROF_E_IO;
 * OPPROF_E_DATA (not a recording, or of another format); OPPROF_E_ARGUMENT; OPPROF_E_MEMORY. */
OpprofStatus OpprofPipelineReplay(OpprofPipeline *pipeline, const char *link, const char *file,
                                  OpprofError **error);

/** Where results go. `flat`: straight into the `directory`; else into DIR/OPPROF_TIMESTAMP_RANDOM/.
 * NULL: the current directory. */
OpprofStatus OpprofPipelineSetOutput(OpprofPipeline *pipeline, const char *directory, bool flat,
                                     OpprofError **error);

/** Stop collecting `seconds` after the start of the run; 0: never. A stage that then shows no sign
 * of life (no batch, no progress, nothing written) for as long again, at least 10 s and at most 60
 * s, is given up: the others go on as if it had failed. The timeout is not a request of
 * OpprofPipelineStop. */
void OpprofPipelineSetTimeout(OpprofPipeline *pipeline, double seconds);

/** Limits of the queues between stages, for pipelines without a document: `batches` and `bytes` of
 * one queue, and as `budget` the bytes of all together. 0 leaves a limit as it is. */
void OpprofPipelineSetQueue(OpprofPipeline *pipeline, uint32_t batches, uint64_t bytes,
                            uint64_t budget);

/** Another clock for timeout and watchdog, for tests: `now` returns nanoseconds that never go back;
 * NULL: the monotonic one. */
void OpprofPipelineSetNow(OpprofPipeline *pipeline, uint64_t (*now)(void));

/** Check everything that can be checked before the first stage starts, as RunAllPlugins does first.
 * OPPROF_OK; else a failure whose error lists all mistakes, as OpprofPipelineLoad. */
OpprofStatus OpprofPipelineValidate(OpprofPipeline *pipeline, OpprofError **error);

/** Print the graph in Graphviz dot, in stable order to an open `out`. Validates first. Returns as
 * OpprofPipelineValidate; ferror(out) says whether it could be written. */
OpprofStatus OpprofPipelineGraph(OpprofPipeline *pipeline, FILE *out, OpprofError **error);

/** How a run ended. */
typedef enum OpprofRunOutcome {
    OPPROF_RUN_COMPLETE = 0, /**< Everything was done. Exit code 0. */
    OPPROF_RUN_FAILED = 1, /**< A critical stage failed; results so far are written. Exit code 1. */
    OPPROF_RUN_INCOMPLETE = 4, /**< Finished, but cut short or something is missing. Exit code 4. */
    OPPROF_RUN_ABORTED = 5     /**< Aborted by a second request; results were dropped. */
} OpprofRunOutcome;

/** Counts of one stage, all instances together. */
typedef struct OpprofStageReport {
    const char *id;       /**< Stage id. Borrowed from the pipeline. */
    const char *plugin;   /**< Module name. Borrowed. */
    uint32_t instances;   /**< Threads it had. */
    uint64_t records_in;  /**< That arrived. */
    uint64_t records_out; /**< Pushed, counted once, however many read them. */
    uint64_t bytes_in;    /**< Of batches that arrived. */
    uint64_t bytes_out;   /**< Of batches pushed. */
    uint64_t busy_ns; /**< Wall time inside the plugin, without waiting, summed over instances. */
    uint64_t busiest_ns;  /**< The same of the busiest instance. */
    uint64_t cpu_ns;      /**< CPU time of its threads. */
    uint64_t wait_in_ns;  /**< Time waiting for input. */
    uint64_t wait_out_ns; /**< Time waiting for room downstream. */
    bool failed;          /**< A call failed. */
    bool bottleneck;      /**< The stage with the busiest instance. */
    /** Most bytes of batches that it held at a time: taken or referred to, not yet pushed or given
     * back. */
    uint64_t held_peak_bytes;
    /** Bytes that it still held when the run ended; destroy may give them back. */
    uint64_t held_bytes;
    uint64_t held_batches; /**< References to batches that it still held then. */
} OpprofStageReport;

/** A row of a summary. */
typedef struct OpprofSummaryRow {
    /** Where its file is, as the type's file hint has it; "": the output directory. */
    char *folder;
    /** Texts of the fields that are not hidden, in order, with a NUL after each. Of advice: the
     * sentence, the severity, the topic and the numbers; `folder` is its subject. */
    char *cells;
    size_t size; /**< Bytes of `cells`. */
} OpprofSummaryRow;

/** A table of few rows that people want to see at the end of the run. Rows are in the order in
 * which they were found. */
typedef struct OpprofSummaryTable {
    const OpprofRecordType *type; /**< Its record type. */
    OpprofSummaryRow *rows;       /**< `count` rows. */
    uint32_t count;               /**< Entries of rows. */
    uint32_t capacity;            /**< Rows there is room for. */
    uint64_t left_out;            /**< Rows beyond the 1000 that are kept. */
} OpprofSummaryTable;

/** Report of RunAllPlugins. Free with OpprofRunReportFinish. */
typedef struct OpprofRunReport {
    OpprofRunOutcome outcome;  /**< How it ended. */
    uint64_t elapsed_ns;       /**< Wall time from the first start to the last stop. */
    OpprofStageReport *stages; /**< stage_count entries in pipeline order. Owned by the report. */
    size_t stage_count;        /**< Entries of stages. */
    char *output_path;         /**< Directory of the results, NULL if none was made. Owned. */
    char *reason; /**< Why it is not complete, one line per reason; NULL if complete. Owned. */
    /** table_count tables of types with OPPROF_RECORD_SUMMARY. Owned. */
    OpprofSummaryTable *tables;
    size_t table_count; /**< Entries of tables. */
    char *shown;        /**< Texts of OpprofStageShow that nobody took, NULL: none. Owned. */
    /** Threads that never came back from a plugin after the timeout and still run. */
    uint32_t hanging;
} OpprofRunReport;

/** Free what a report owns. NULL is allowed. */
void OpprofRunReportFinish(OpprofRunReport *report);

/** How far a run is. */
typedef struct OpprofProgress {
    /** Of the whole work, what stages do after the last record included: 0 to below 1, never less
     * than before. Negative: unknown. */
    double share;
    /** Input read by collectors; input that is read twice counts twice. When all is read, what
     * `stage_id` reports of its own work. */
    uint64_t done;
    uint64_t total;       /**< Of which `done` is a part; 0: unknown. */
    const char *unit;     /**< "bytes" or what is counted instead; NULL: nothing is reported. */
    const char *stage_id; /**< A stage that has not ended, or NULL. Borrowed. */
} OpprofProgress;

/** Called about ten times a second. */
typedef void OpprofRunProgress(void *context, const OpprofProgress *progress);

/** Have `progress` called with `context` during RunAllPlugins; NULL: no calls. */
void OpprofPipelineSetProgress(OpprofPipeline *pipeline, OpprofRunProgress *progress,
                               void *context);

/** What stages have shown since the last call (OpprofStageShow), for free(), to print it before the
 * run ends; it is then not in the run's report. NULL: nothing, or it does not run. [callback of
 * OpprofPipelineSetProgress] */
char *OpprofPipelineTakeShown(OpprofPipeline *pipeline);

/** Run: check, make the output directory, start, run all stages to their end, stop, write run.json.
 * `report`, which may be NULL, is filled whenever stages ran. OPPROF_OK when it ran to an end (see
 * its outcome); a failure when it could not start or a critical stage failed. [main; blocks] */
OpprofStatus RunAllPlugins(OpprofPipeline *pipeline, OpprofRunReport *report, OpprofError **error);

/** Ask a running pipeline to end. The first request stops collectors and drains the graph; a second
 * one aborts. Async-signal-safe. `why` is static text for the report, such as "SIGINT".
 * [any thread, signal handlers] */
void OpprofPipelineStop(OpprofPipeline *pipeline, const char *why);
/** The same, with its `why`, for a signal that the terminal sent to all processes of its foreground
 * group, as for Ctrl+C: programs that stages run in this group have got it, too. Async-signal-safe.
 * [any thread, signal handlers] */
void OpprofPipelineStopFromTerminal(OpprofPipeline *pipeline, const char *why);

/** Text of the finished run's record (run.json), NULL before. Borrowed from the pipeline. */
const char *OpprofPipelineRecord(const OpprofPipeline *pipeline);

/** Write the finished run's record into the file at `path` as well, which is replaced. OPPROF_OK;
 * OPPROF_E_ARGUMENT: the run reads that file; OPPROF_E_IO; OPPROF_E_CONTRACT: it has not run. */
OpprofStatus OpprofPipelineCopyRecord(const OpprofPipeline *pipeline, const char *path,
                                      OpprofError **error);

/** From now on a crash inside a plugin (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) names stage and
 * plugin on stderr; the process then ends by that signal. A plugin that calls exit() or
 * pthread_exit() is named too, and the exit code is 1. For programs, not for libraries. */
void OpprofPipelineReportCrashes(void);

/** A file of the plugin path that is or could be a module. Borrowed while it is shown. */
typedef struct OpprofPluginFile {
    const char *path; /**< Path of the file. */
    /** The module, valid for the process; NULL: not usable, or shadowed. */
    const OpprofPlugin *plugin;
    const OpprofError *error; /**< Why it is not usable, or NULL. */
    /** Path of the file of the same name that is used instead, or NULL. */
    const char *shadowed_by;
} OpprofPluginFile;

/** Called by OpprofPipelineVisitPlugins for each file, by name and then in search order. */
typedef void OpprofPluginVisit(void *context, const OpprofPluginFile *file);

/** Visit every file of the plugin path. A bad module is shown with its error, and is not a failure.
 * OPPROF_OK; OPPROF_E_MEMORY: some were not shown, bad or not. */
OpprofStatus OpprofPipelineVisitPlugins(OpprofPipeline *pipeline, OpprofPluginVisit *visit,
                                        void *context, OpprofError **error);

/** Directory of the plugin path by its `index` in the order of the search, from 0; NULL past the
 * last. Borrowed until a directory is added. */
const char *OpprofPipelinePluginPath(const OpprofPipeline *pipeline, size_t index);

/** Find a module by `name`, as `use` of a pipeline has it, load and check it. `ret_plugin` and the
 * path of its file, `ret_path`, which may be NULL, are valid for the process. OPPROF_OK;
 * OPPROF_E_NOT_FOUND (the error names the nearest); OPPROF_E_LOAD; OPPROF_E_ABI; OPPROF_E_ARGUMENT
 * (no module can have that name). */
OpprofStatus OpprofPipelineFindPlugin(OpprofPipeline *pipeline, const char *name,
                                      const OpprofPlugin **ret_plugin, const char **ret_path,
                                      OpprofError **error);

/** The answer of an installed pipeline for an input. Borrowed while it is shown. */
typedef struct OpprofCandidate {
    const char *pipeline; /**< Its name. */
    const char *plugin;   /**< The collector; NULL: the pipeline is not usable. */
    const char *kind;     /**< OpprofInputKind.name; NULL: pipeline or collector is not usable. */
    const char *summary;  /**< OpprofInputKind.summary: what was looked for. */
    uint32_t confidence;  /**< 0: the input is not of the kind; at most 100. */
    const OpprofError *error; /**< Why pipeline or collector is not usable, or NULL. */
} OpprofCandidate;

/** Called by OpprofPipelineRecognise for each kind of input that an installed pipeline accepts. */
typedef void OpprofCandidateVisit(void *context, const OpprofCandidate *candidate);

/** Ask the collectors of all installed pipelines that have a variable `input` whether the file or
 * directory at `path` is of a kind that they recognise (OpprofPlugin.input_kinds) and the pipeline
 * accepts. Nothing runs. OPPROF_OK, whatever the answers; OPPROF_E_NOT_FOUND (there is no such
 * file), OPPROF_E_IO, OPPROF_E_MEMORY. */
OpprofStatus OpprofPipelineRecognise(OpprofPipeline *pipeline, const char *path,
                                     OpprofCandidateVisit *visit, void *context,
                                     OpprofError **error);

/** A pipeline document, for programs that describe it. Borrowed while it is shown. */
typedef struct OpprofPipelineDocument {
    const char *name; /**< The name that it is found by. */
    const char *path; /**< Its file, or NULL. */
    /** The document with those that it extends; NULL: not usable. Members may be of wrong types. */
    const struct json_t *root;
    const OpprofError *error; /**< Why it is not usable, or NULL. */
} OpprofPipelineDocument;

/** Called by OpprofPipelineVisitDocuments for each installed pipeline, by name. */
typedef void OpprofDocumentVisit(void *context, const OpprofPipelineDocument *document);

/** Visit the installed pipelines. A bad one is shown with its error. OPPROF_OK; OPPROF_E_MEMORY:
 * not all were shown. */
OpprofStatus OpprofPipelineVisitDocuments(OpprofDocumentVisit *visit, void *context,
                                          OpprofError **error);

/** The same for one, by path or name, if it is usable. OPPROF_OK; OPPROF_E_NOT_FOUND (the error
 * names the nearest); why it cannot be read. */
OpprofStatus OpprofPipelineFindDocument(const char *file_or_name, OpprofDocumentVisit *visit,
                                        void *context, OpprofError **error);

#ifdef __cplusplus
}
#endif

#endif
