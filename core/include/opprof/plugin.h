/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_PLUGIN_H
#define OPPROF_PLUGIN_H

/**
 * @file
 * Exports of a plugin: one constant that describes a module, its ports, parameters and operations.
 * Experimental.
 *
 * A module is a shared object that does one thing. It says
 * @code
 * OPPROF_PLUGIN_DEFINE(.name = "busy-time", .version = "1.0", .license = "Apache-2.0", …)
 * @endcode
 * exports nothing else, and links with -lopprof and -Wl,-z,defs. Omitted members are zero, which
 * always means the default. Modules are never unloaded.
 *
 * Life of an instance: create, configure, start, process…, flush, stop, destroy. One thread runs
 * process and flush (here [stage]), another, the same for all stages of a pipeline, the calls
 * before and after (here [life]); an instance is never entered twice at once. No signal but those
 * of a crash is delivered to either.
 */

#include <opprof/batch.h>
#include <opprof/error.h>
#include <opprof/params.h>
#include <opprof/probe.h>
#include <opprof/version.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One instance of a plugin in a pipeline, as the plugin sees it; see stage.h. Opaque. */
typedef struct OpprofStage OpprofStage;

/** Where in the graph a plugin stands. */
typedef enum OpprofPluginKind {
    OPPROF_COLLECTOR = 1, /**< Brings data in; no inputs. Critical by default. */
    OPPROF_PARSER = 2,    /**< Raw records to records. Critical by default. */
    OPPROF_ANALYSIS = 3,  /**< Records to findings. Not critical by default. */
    OPPROF_EXPORTER = 4   /**< Findings to files. Critical by default. */
} OpprofPluginKind;

/** Order of times that an output port promises or an input port needs, within a partition. */
typedef enum OpprofOrder {
    OPPROF_ORDER_NONE = 0,  /**< No promise. */
    OPPROF_ORDER_START = 1, /**< Records come by start time. */
    OPPROF_ORDER_END = 2    /**< Records come by end time. */
} OpprofOrder;

/** Instead of a record type name on an input port: takes every type that is a table. */
#define OPPROF_ANY_TABLE "any table"
/** Instead of a record type name on an input port: takes every type. Never linked by itself, only
 * by explicit links. */
#define OPPROF_ANY_RECORD "any record"

#define OPPROF_PORT_MANY 1u     /**< Input: takes all producers, not only the nearest. */
#define OPPROF_PORT_OPTIONAL 2u /**< Input: may stay unconnected. */
/**
 * An output, and an input of the same name and record type: what the stage knows of each partition
 * when that is complete, and all that it needs for findings about several of them. Its other inputs
 * lead to such records, and its other outputs follow from them. These ports are never linked by
 * themselves. A run that replays recordings of all these outputs of a stage gives them to the
 * inputs, and nothing to the other inputs of the stage.
 */
#define OPPROF_PORT_PARTIAL 4u

/** A port. */
typedef struct OpprofPort {
    const char *name; /**< kebab-case, unique in its direction. */
    /** Input: name of the record type, or OPPROF_ANY_…. Output: may be NULL when `record_type` is
     * given. */
    const char *type;
    /** Output: the type; NULL: set with OpprofStageSetOutputType at Configure. Input: NULL, or the
     * type to check size and version against. */
    const OpprofRecordType *record_type;
    uint32_t flags;         /**< OPPROF_PORT_* flags. */
    uint32_t order;         /**< OpprofOrder promised (output) or needed (input). */
    uint32_t batch_records; /**< Output: records per batch; 0: as many as fill 128 KiB. */
    const char *summary;    /**< One sentence. */
} OpprofPort;

/** One instance per partition, up to the machine's cores; a router gives each the batches of its
 * partitions, in order. */
#define OPPROF_PLUGIN_PARTITIONED 1u
/** Collectors: as many instances as the machine has cores; they share their work through
 * OpprofStageShared. */
#define OPPROF_PLUGIN_PARALLEL 2u

/** Operations. Each may be NULL unless said otherwise. A failing call puts the reason into *error.
 * `self` is what create gave (NULL without create). A call returns OPPROF_OK or a failure; process
 * also OPPROF_END and OPPROF_AGAIN; and process and flush OPPROF_CLOSED, when the run was aborted.
 * Any other status is a failure of the stage. */
typedef struct OpprofPluginOps {
    uint32_t struct_size; /**< sizeof(OpprofPluginOps) as compiled. */
    uint32_t reserved;    /**< 0. */
    /** Allocate an instance. Destroy follows exactly once if this succeeded. [life] */
    OpprofStatus (*create)(OpprofStage *stage, void **ret_self, OpprofError **error);
    /** Take parameters and check them against each other; set output types. No side effects:
     * `--validate` stops after it. [life] */
    OpprofStatus (*configure)(void *self, const OpprofParams *params, OpprofError **error);
    /** Open files and devices. Exporters start before collectors; instance 0 before the others.
     * [life] */
    OpprofStatus (*start)(void *self, OpprofError **error);
    /** Required. Collectors: called with port 0 and batch NULL until it returns OPPROF_END; each
     * call does a bounded piece of work. Others: called for every batch that arrives on any input
     * port; never refuses one (a stage that joins inputs holds what it must). The batch is
     * borrowed; OpprofBatchRef keeps it. [stage] */
    OpprofStatus (*process)(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error);
    /** All inputs ended (or the collector is done or was stopped): emit what is held. Not called
     * after an abort or its own failure. [stage] */
    OpprofStatus (*flush)(void *self, OpprofError **error);
    /** Close. Called once if start succeeded, after the thread ended. What was not finished by
     * flush is discarded. [life] */
    OpprofStatus (*stop)(void *self, OpprofError **error);
    /** Free. Accepts any earlier state. [life] */
    void (*destroy)(void *self);
    /**
     * Optional: print what a name of a chip file is made of, or what a word that the module shows
     * means; with "all" a line for each. `opprof-run --explain` asks all modules; no instance is
     * made for it. Of the modules that read a section of chip files only one explains it.
     *
     * @param chip  SoC or series; NULL, where none was named, for modules without chip_sections.
     * @return OPPROF_OK; OPPROF_E_NOT_FOUND (there is no such name, with the nearest one as hint);
     *         another failure. [main]
     */
    OpprofStatus (*explain)(const char *chip, const char *name, FILE *out, OpprofError **error);
} OpprofPluginOps;

/** Permitted members of an object of chip files. Defined by readers of chip files:
 * opprof/kit/facts.h. */
typedef struct OpprofFactTable OpprofFactTable;

/** Permitted facts of chip files at a path, declared by the module that owns it. A run and
 * `--validate` check it before they use the chip, and report all mistakes at once. */
typedef struct OpprofChipTable {
    /** Names of members with dots between ("pmu"); NULL ends the list. */
    const char *path;
    /** The permitted members. */
    const OpprofFactTable *table;
} OpprofChipTable;

/** A module. */
typedef struct OpprofPlugin {
    uint32_t struct_size;       /**< Set by the macro. */
    uint16_t abi_major;         /**< Set by the macro. */
    uint16_t abi_minor;         /**< Set by the macro. */
    const char *name;           /**< kebab-case; what `use` in a pipeline names. */
    const char *version;        /**< The module's own. */
    const char *license;        /**< SPDX expression. */
    const char *summary;        /**< One sentence. */
    const char *help;           /**< Paragraphs for --inspect, or NULL. */
    uint32_t kind;              /**< OpprofPluginKind. */
    uint32_t flags;             /**< OPPROF_PLUGIN_* flags. */
    const OpprofPort *inputs;   /**< input_count entries. */
    const OpprofPort *outputs;  /**< output_count entries. */
    const OpprofParam *params;  /**< param_count entries. */
    uint32_t input_count;       /**< Entries of inputs, at most 32. */
    uint32_t output_count;      /**< Entries of outputs, at most 32. */
    uint32_t param_count;       /**< Entries of params. */
    uint32_t reserved;          /**< 0. */
    const OpprofPluginOps *ops; /**< Operations. */
    const char *const
        *chip_sections; /**< Sections of chip files that it reads, ended by NULL; NULL: none. */
    /** Collectors: the kinds of input that it recognises, ended by one without a name; NULL: none.
     * */
    const OpprofInputKind *input_kinds;
    /** Tables of the facts that it owns, ended by one without a path; NULL: none. */
    const OpprofChipTable *chip_tables;
} OpprofPlugin;

/** Called by OpprofPluginVisitUsed for each module. */
typedef void OpprofPluginUsedVisit(void *context, const OpprofPlugin *plugin);

/**
 * Look at the modules that pipelines of this process name, the latest first; not at those that were
 * only listed. [any thread, wait-free]
 *
 * @param context  First argument of `visit`.
 */
void OpprofPluginVisitUsed(OpprofPluginUsedVisit *visit, void *context);

/** "collector", "parser", "analysis" or "exporter" of an OpprofPluginKind; NULL if there is no such
 * kind. [any thread] */
const char *OpprofPluginKindName(uint32_t kind);

/** "u32", "text", … of an OpprofFieldKind; NULL if there is no such kind. [any thread] */
const char *OpprofFieldKindName(uint32_t kind);

/** Name of the exported constant; the digit is the ABI major number. */
#define OPPROF_PLUGIN_SYMBOL "opprof_plugin_v0"

#if defined(__GNUC__)
/** Visible outside its shared object. */
#define OPPROF_EXPORT __attribute__((visibility("default")))
#else
#define OPPROF_EXPORT
#endif

/** Define the module's constant. Write designated initialisers for the members of OpprofPlugin. C
 * only. */
#define OPPROF_PLUGIN_DEFINE(...)                                                                  \
    extern OPPROF_EXPORT const OpprofPlugin opprof_plugin_v0;                                      \
    OPPROF_EXPORT const OpprofPlugin opprof_plugin_v0 = { .struct_size = sizeof(OpprofPlugin),     \
                                                          .abi_major = OPPROF_ABI_MAJOR,           \
                                                          .abi_minor = OPPROF_ABI_MINOR,           \
                                                          __VA_ARGS__ }

#ifdef __cplusplus
}
#endif

#endif
