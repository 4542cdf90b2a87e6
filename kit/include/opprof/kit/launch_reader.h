/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LAUNCH_READER_H
#define OPPROF_KIT_LAUNCH_READER_H

/**
 * @file
 * Reads the raw files of launches for a parser. A table states which files it reads, by their role
 * in the section `raw.files` of chip files; it gets whole records of each, and hears the end of a
 * file and of a launch. The reader recognises, cuts and closes files, gathers the text that says
 * what ran, chooses chip and clock, and reports files that are cut, empty, repeated, too long or
 * stopped in the same words for all parsers. Experimental. [stage]
 *
 * A launch is a partition of the input; the pieces of several arrive in turn. The instance of such
 * a plugin begins with an OpprofLaunchReader, and its launches begin with an OpprofLaunch. All
 * functions are called by the stage's thread. Where one of a parser returns OPPROF_E_MEMORY without
 * an error, the reader adds it. A `fact` is the name of one in the file of the role "info" ("soc"),
 * a `role` one of the parser's table ("counters"); an `instance`, `ret_instance`, `params`, a
 * `port`, a `batch` and a `record` are those of the plugin's operations. What is given is borrowed.
 */

#include <opprof/kit/chip.h>
#include <opprof/kit/raw_keeper.h>
#include <opprof/params.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OpprofLaunch OpprofLaunch;

#define OPPROF_ROLE_NEEDS_CHIP 1u   /**< Without a chip the file is left out. */
#define OPPROF_ROLE_WHOLE 2u        /**< `take` gets the file in one piece, at its end. */
#define OPPROF_ROLE_ONCE 4u         /**< A second file of the role is left out. */
#define OPPROF_ROLE_MAY_BE_EMPTY 8u /**< An empty file is normal, or reported by the parser. */
/** Of instrumented code: left out for operators that communicate, whose code never is. */
#define OPPROF_ROLE_INSTRUMENTED 16u

/** How a parser reads the files of a role. Functions may be NULL; without `take` the file is only
 * noted. */
typedef struct OpprofRoleReader {
    const char *role; /**< "counters". The roles "info" and "code_start" are read in any case. */
    uint32_t flags;   /**< OPPROF_ROLE_* */
    /** Of a record, at most OPPROF_CUTTER_MAX; 0: `begin` sets it, or the file is one of bytes. */
    uint32_t record_bytes;
    /** Of a file with OPPROF_ROLE_WHOLE; a longer one is left out. 0: 1 MiB. */
    uint64_t most_bytes;
    const char *record; /**< Word for a record in messages; NULL: "a record". */
    /** Pattern of the files' names (fnmatch()) if chip files have no such role; NULL: they have. */
    const char *files;
    /** launch->file begins. OPPROF_OK; OPPROF_END: leave it out; any failure ends the stage. */
    OpprofStatus (*begin)(OpprofLaunch *launch, OpprofError **error);
    /** Take `count` whole records that follow one another, or so many bytes. Returns as `begin`;
     * OPPROF_END: leave out the rest. */
    OpprofStatus (*take)(OpprofLaunch *launch, const unsigned char *records, size_t count,
                         OpprofError **error);
    /** Nothing more comes of the file. Returns as `begin`. */
    OpprofStatus (*end)(OpprofLaunch *launch, OpprofError **error);
} OpprofRoleReader;

#define OPPROF_PARSER_NEEDS_CHIP 1u /**< A launch without a chip could not be parsed. */
/** Files that need a chip are left out without one, each launch with a report. */
#define OPPROF_PARSER_LEAVES_OUT 2u

/** A parser of raw files. Functions but `end` may be NULL. */
typedef struct OpprofLaunchParser {
    size_t instance_bytes;         /**< Of an instance, which begins with an OpprofLaunchReader. */
    size_t launch_bytes;           /**< Of a launch, which begins with an OpprofLaunch. */
    const OpprofRoleReader *roles; /**< Borrowed. */
    size_t role_count;             /**< At most 32. */
    uint32_t flags;                /**< OPPROF_PARSER_* */
    uint32_t raw_port;             /**< Output of `opprof_raw_type`; OPPROF_NA_U32: none. */
    /** Bytes of a launch that are read after the run was stopped; 0: all that come. */
    uint64_t after_stop;
    /** Of what is derived from a chip, once for all launches of the instance. */
    size_t model_bytes;
    /** Derive it, in zeroed memory. */
    OpprofStatus (*load)(void *instance, const OpprofChip *chip, void *model, OpprofError **error);
    /** Free what it holds, also after a failure. */
    void (*unload)(void *model);
    /** A launch begins: the rest of it is zeroed. OPPROF_OK or OPPROF_E_MEMORY. */
    OpprofStatus (*begin)(OpprofLaunch *launch);
    /** Its chip is known: launch->model is there. Returns as `begin` of a file. */
    OpprofStatus (*choose)(OpprofLaunch *launch, OpprofError **error);
    /** Whether a launch ends when its files have arrived. */
    bool (*is_whole)(const OpprofLaunch *launch);
    /** All files have been read, or the run ends. `*failure`: why this launch alone could not be
     * parsed; the others go on. Any status but OPPROF_OK ends the stage. */
    OpprofStatus (*end)(OpprofLaunch *launch, OpprofError **failure, OpprofError **error);
    /** Free what the launch holds. */
    void (*finish)(OpprofLaunch *launch);
} OpprofLaunchParser;

/** Instances of a parser begin with it. */
typedef struct OpprofLaunchReader {
    OpprofStage *stage;               /**< Borrowed. */
    const OpprofLaunchParser *parser; /**< Borrowed. */
    /** As asked for; borrowed. NULL: by the data. Parsers may set it before the first launch. */
    const char *chip;
    struct OpprofLaunchModel *models; /**< Made so far. */
    OpprofLaunch **launches;          /**< The open ones, the oldest first. */
    size_t count;                     /**< How many. */
    size_t capacity;                  /**< Entries allocated. */
    uint64_t parsed;                  /**< Launches that ended well. */
    uint64_t failed;                  /**< Launches that could not be parsed. */
    OpprofError *first;               /**< Why the first of these could not be parsed. */
} OpprofLaunchReader;

/** The file that is being read. */
typedef struct OpprofLaunchFile {
    const char *name; /**< Borrowed; NULL: none. */
    uint64_t size;    /**< Bytes of the whole file. */
    uint64_t at;      /**< Where the records of `take` begin; afterwards, bytes taken. */
    uint32_t id;      /**< Its name, interned. */
    uint32_t number;  /**< The number for `<k>` in its name; 0: none. */
    /** Of a record; `begin` of the file may set it. 0: it is one of bytes. */
    uint32_t record_bytes;
    /** For `end`: its last byte was read. A file of bytes that is not whole was reported. */
    bool is_whole;
} OpprofLaunchFile;

/** Launches of a parser begin with it. */
struct OpprofLaunch {
    OpprofLaunchReader *reader; /**< The instance. Borrowed. */
    OpprofStage *stage;         /**< Borrowed. */
    uint32_t partition;         /**< Interned place. */
    uint32_t device;            /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;            /**< As `device`. */
    uint32_t order;             /**< As `device`. */
    bool is_range; /**< Its files are its share of those of a range that was replayed. */
    /** All of its files have arrived; else a file that is missing may not have been read. */
    bool is_over;
    bool is_stopped;             /**< The run was stopped within one of its files. */
    const OpprofChip *chip;      /**< NULL: not chosen. Borrowed. */
    const void *model;           /**< NULL: not chosen. */
    OpprofError *failure;        /**< Why no chip could be chosen, or its facts cannot be used. */
    OpprofLaunchFile file;       /**< The current one. */
    OpprofRawKeeper raw;         /**< Keeps records of unknown kinds. */
    struct OpprofLaunchOwn *own; /**< The reader's. */
};

/** A file's name. */
typedef struct OpprofFileName {
    char text[128]; /**< With a NUL. */
} OpprofFileName;

/* ---- the plugin ---- */

/** The constant of a parser's plugin, with its input port `chunks` and operations: an
 * OpprofLaunchParser, the operations `configure` and `explain` or NULL, the array of output ports,
 * and what else it has, as for OPPROF_PLUGIN_DEFINE. C only. */
#define OPPROF_LAUNCH_PARSER_DEFINE(its_parser, its_configure, its_explain, its_outputs, ...)      \
    static OpprofStatus launch_create(OpprofStage *stage, void **ret_instance,                     \
                                      OpprofError **error)                                         \
    {                                                                                              \
        return OpprofLaunchReaderCreate(stage, &(its_parser), ret_instance, error);                \
    }                                                                                              \
    static const OpprofPort launch_inputs[] = { { .name = "chunks",                                \
                                                  .type = "onboard.chunk",                         \
                                                  .record_type = &opprof_onboard_chunk_type,       \
                                                  .summary = "Raw files of launches." } };         \
    static const OpprofPluginOps launch_ops = { .struct_size = sizeof(OpprofPluginOps),            \
                                                .create = launch_create,                           \
                                                .configure = its_configure,                        \
                                                .process = OpprofLaunchesProcess,                  \
                                                .flush = OpprofLaunchesFlush,                      \
                                                .destroy = OpprofLaunchReaderDestroy,              \
                                                .explain = its_explain };                          \
    OPPROF_PLUGIN_DEFINE(.kind = OPPROF_PARSER, .inputs = launch_inputs, .input_count = 1,         \
                         .outputs = its_outputs, .output_count = OPPROF_COUNT(its_outputs),        \
                         .ops = &launch_ops, __VA_ARGS__)

/** The operation `create` of a `parser`: allocate a zeroed instance, for OpprofLaunchReaderDestroy.
 * OPPROF_OK or OPPROF_E_MEMORY. */
OpprofStatus OpprofLaunchReaderCreate(OpprofStage *stage, const OpprofLaunchParser *parser,
                                      void **ret_instance, OpprofError **error);

/** The operation `configure` of a plugin whose only parameter for its files is `chip`. OPPROF_OK.
 */
OpprofStatus OpprofLaunchReaderConfigure(void *instance, const OpprofParams *params,
                                         OpprofError **error);

/** Find mistakes before data is read: load the chip that was asked for, and derive the parser's
 * facts. OPPROF_OK, also if the data is to name the chip; as OpprofChipLoad, or as `load`. */
OpprofStatus OpprofLaunchReaderCheck(OpprofLaunchReader *reader, OpprofError **error);

/** The operation `destroy`: free the launches, what was derived from chips, and the instance. */
void OpprofLaunchReaderDestroy(void *instance);

/* ---- launches ---- */

/** The operation `process` of a parser: every port brings pieces of files. OPPROF_OK; any failure
 * ends the stage. */
OpprofStatus OpprofLaunchesProcess(void *instance, uint32_t port, const OpprofBatch *batch,
                                   OpprofError **error);

/** The operation `flush` of a parser: end the launches that are left, each of which makes the run
 * incomplete, as do launches that could not be parsed. OPPROF_OK; if none could be parsed, the
 * status of the first failure. */
OpprofStatus OpprofLaunchesFlush(void *instance, OpprofError **error);

/** The launch of a `partition`, begun if it is new; NULL without memory. Valid until it ends. For
 * parsers with another input. */
OpprofLaunch *OpprofLaunchesGet(OpprofLaunchReader *reader, uint32_t partition,
                                OpprofError **error);

/** End a launch, and free it. OPPROF_OK; any failure ends the stage. */
OpprofStatus OpprofLaunchesEnd(OpprofLaunch *launch, OpprofError **error);

/** End all launches that are left, as OpprofLaunchesFlush, but without an error if none could be
 * parsed. */
OpprofStatus OpprofLaunchesEndAll(OpprofLaunchReader *reader, OpprofError **error);

/* ---- what ran ---- */

/** Place of the launch, for messages. */
const char *OpprofLaunchPlace(const OpprofLaunch *launch);

/** Value of a fact, as OpprofRawValue, of `ret_length` bytes; NULL: no line has it. From the first
 * question on, a later file "info" is left out. */
const char *OpprofLaunchFact(const OpprofLaunch *launch, const char *fact, size_t *ret_length);

/** Whether the value of a fact is "1". */
bool OpprofLaunchFlag(const OpprofLaunch *launch, const char *fact);

/** Whether an operator communicates with others. Its code is never instrumented. */
bool OpprofLaunchCommunicates(const OpprofLaunch *launch);

/** Value of a fact as a number: true if it is at most 15 digits and nothing else; otherwise
 * `ret_number` is left alone. */
bool OpprofLaunchNumber(const OpprofLaunch *launch, const char *fact, double *ret_number);

/** The key of a fact, as the file "info" has it. */
const char *OpprofLaunchKey(const OpprofLaunch *launch, const char *fact);

/** The text of the file "info", with its bytes in `ret_length`; 0: missing or empty. */
const char *OpprofLaunchInfo(const OpprofLaunch *launch, size_t *ret_length);

/** Choose the chip, as OpprofChipChoose, unless it was chosen. OPPROF_OK; OPPROF_END: none fits,
 * launch->failure says why; any failure ends the stage. */
OpprofStatus OpprofLaunchChoose(OpprofLaunch *launch, OpprofError **error);

/** Cycles of a core per second: by the current clock in the file "info", else by the rated clock
 * there, else by the chip file (`pmu.defaults.rated_freq`, else `clocks.core`), which is reported.
 * 0: unknown, reported too. */
uint64_t OpprofLaunchClock(OpprofLaunch *launch);

/** Returns where the code was loaded, by the file of the role "code_start"; OPPROF_NA_U64: unknown,
 * which is reported if the file is damaged. */
uint64_t OpprofLaunchCodeStart(const OpprofLaunch *launch);

/* ---- files ---- */

/** Whether a file of a role arrived, perhaps an empty one. */
bool OpprofLaunchSaw(const OpprofLaunch *launch, const char *role);

/** Whether a file of a role arrived that is not empty. */
bool OpprofLaunchHas(const OpprofLaunch *launch, const char *role);

/** Name of any role's file, with a `number` for `<k>`, as OpprofRawFileName. */
OpprofFileName OpprofLaunchFileName(const OpprofLaunch *launch, const char *role, uint32_t number);

/** Keep `size` bytes of the current file's records, one of an unknown kind, as OpprofRawKeep; the
 * `reason` is "its type is not known" or another. */
void OpprofLaunchKeep(OpprofLaunch *launch, const unsigned char *record, size_t size,
                      const char *reason);

/** Report what a launch lacks: OpprofStageIncomplete with its place before a literal format. */
#define OPPROF_LAUNCH_LACKS(launch, ...)                                                           \
    OPPROF_LAUNCH_SAYS(OpprofStageIncomplete, launch, __VA_ARGS__, "")

/** The same of its current file, whose name comes first: "is empty". */
#define OPPROF_FILE_LACKS(launch, ...)                                                             \
    OPPROF_FILE_SAYS(OpprofStageIncomplete, launch, __VA_ARGS__, "")

/** A warning about a launch, by OpprofStageWarn. */
#define OPPROF_LAUNCH_WARNS(launch, ...)                                                           \
    OPPROF_LAUNCH_SAYS(OpprofStageWarn, launch, __VA_ARGS__, "")

/** A warning about its current file. */
#define OPPROF_FILE_WARNS(launch, ...) OPPROF_FILE_SAYS(OpprofStageWarn, launch, __VA_ARGS__, "")

/** @cond The "" at the end leaves no empty list of arguments, which C11 and C++17 do not have. */
#define OPPROF_LAUNCH_SAYS(says, launch, format, ...)                                              \
    says((launch)->stage, "Launch '%s': " format "%s", OpprofLaunchPlace(launch), __VA_ARGS__)
#define OPPROF_FILE_SAYS(says, launch, format, ...)                                                \
    says((launch)->stage, "Launch '%s': '%s' " format "%s", OpprofLaunchPlace(launch),             \
         (launch)->file.name, __VA_ARGS__)
/** @endcond */

#ifdef __cplusplus
}
#endif

#endif
