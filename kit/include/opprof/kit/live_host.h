/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LIVE_HOST_H
#define OPPROF_KIT_LIVE_HOST_H

/**
 * @file
 * The collector's side of `opprof/kit/live.h`: a run of the program, the socket that it and its
 * children talk to, and which of their launches are wanted. One thread uses them. Experimental.
 * [stage]
 */

#include <dirent.h>
#include <opprof/error.h>
#include <opprof/kit/live.h>
#include <opprof/stage.h>
#include <sys/stat.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A program that is profiled. */
typedef struct OpprofLiveApp {
    char **words;   /**< Its command line, NULL-terminated. */
    pid_t pid;      /**< 0: not running. */
    int status;     /**< From wait, once it has ended; -1: children are ignored (SIGCHLD). */
    bool has_ended; /**< It has. */
} OpprofLiveApp;

/** A change to the environment of the program. */
typedef struct OpprofLiveVariable {
    const char *name;  /**< Of the variable. */
    const char *value; /**< NULL: the variable is removed. */
    bool is_list;      /**< A list with ':' between: the value goes before the existing one. */
} OpprofLiveVariable;

/** Additions to a program's environment. */
typedef struct OpprofLiveAppPlace {
    const char *inject;                  /**< Path of the injection library. */
    const char *socket;                  /**< Name of the abstract socket. */
    const char *token;                   /**< What proves that a process was started with it. */
    const OpprofLiveVariable *variables; /**< Made in this order, before the library is added. */
    size_t variable_count;               /**< How many. */
} OpprofLiveAppPlace;

/** A socket that programs connect to. Opaque. */
typedef struct OpprofLiveServer OpprofLiveServer;
/** A process that is connected. Opaque. */
typedef struct OpprofLiveClient OpprofLiveClient;

/** Messages of clients. Pointers are valid during the call; a kernel's name has no NUL. Without
 * `launch`, `kernel`, `logs` or `finish` (NULL) such messages are checked and dropped, and no
 * launch is collected. */
typedef struct OpprofLiveEvents {
    void *context; /**< First argument of all. */
    /** Incomplete if a process of this user cannot be served; NULL: that is not reported. */
    OpprofStage *stage;
    void (*hello)(void *context, OpprofLiveClient *client,
                  const OpprofLiveHello *hello); /**< It has connected. */
    OpprofLiveVerdict (*launch)(void *context, OpprofLiveClient *client,
                                const OpprofLiveLaunch *launch, const char *name,
                                size_t length); /**< It asks about a launch. */
    void (*kernel)(void *context, OpprofLiveClient *client, const OpprofLiveKernel *kernel,
                   const void *data, size_t size); /**< A piece of a kernel's file. */
    /** Records of a simulator's log, whole and of its kinds, to be read by live_records.h. */
    void (*logs)(void *context, OpprofLiveClient *client, const OpprofLiveLogs *logs,
                 const uint8_t *records, size_t size);
    void (*finish)(void *context, OpprofLiveClient *client,
                   const OpprofLiveFinish *finish); /**< An operator has ended. */
    /** It is gone; `why`: a sentence, or NULL if it closed between two messages. */
    void (*gone)(void *context, OpprofLiveClient *client, const char *why);
    /** A sentence, with a NUL and without control characters. NULL: none is wanted. */
    void (*note)(void *context, OpprofLiveClient *client, const OpprofLiveNote *note,
                 const char *text);
    /** A message of another kind. OPPROF_OK, or OPPROF_E_DATA and why not. NULL: there are none. */
    OpprofStatus (*other)(void *context, OpprofLiveClient *client, const OpprofLiveHead *head,
                          const uint8_t *body, const char **ret_why);
} OpprofLiveEvents;

/** Wait at most `timeout_ms` milliseconds (below 0: any time) for clients, then read what they have
 * sent, up to a few hundred KiB each. Returns the number of clients that had something to say. */
unsigned OpprofLiveServerStep(OpprofLiveServer *server, int timeout_ms);

/** Number of a client, from 0 in the order of connections; never used again. */
uint32_t OpprofLiveClientId(const OpprofLiveClient *client);
/** Process of a client. */
uint32_t OpprofLiveClientPid(const OpprofLiveClient *client);
/** Answer a client's question, for `other`; the rest is answered by the server. `type` is that of
 * the answer's head; `body` has `size` bytes, and may be NULL when that is 0. */
void OpprofLiveClientAnswer(OpprofLiveClient *client, uint32_t type, const void *body, size_t size);

/** Which launches are wanted: by name, after some are skipped, up to a number; each process and
 * device counts by itself. */
typedef struct OpprofLiveFilter {
    const char *names;              /**< Wanted names with '|' between; NULL: any. Borrowed. */
    uint32_t launch_count;          /**< Launches to collect. */
    uint32_t launch_skip;           /**< Launches to let pass first. */
    struct OpprofLiveCount *counts; /**< Of each process on each device. Owned. */
    uint32_t count_count;           /**< How many. */
    uint32_t count_room;            /**< Entries allocated. */
    uint64_t launches;              /**< Launches that asked. */
    uint64_t skipped;               /**< Of these, left out by launch_skip. */
    uint64_t unnamed;               /**< Left out because their names are not wanted. */
    uint64_t beyond;                /**< Left out by launch_count. */
} OpprofLiveFilter;

/** A launch of the kernel `name` asks, from the process number `client` on a `device` as the
 * program calls it. Without memory the answer is OPPROF_LIVE_PASS. */
OpprofLiveDecision OpprofLiveFilterAsk(OpprofLiveFilter *filter, uint32_t client, uint32_t device,
                                       const char *name);
/** True if the process number `client` has all that it may have on a `device`. */
bool OpprofLiveFilterIsFull(const OpprofLiveFilter *filter, uint32_t client, uint32_t device);
/** Free. */
void OpprofLiveFilterFinish(OpprofLiveFilter *filter);

/* ---- a collector's run of a program ---- */

/** Parameters of every collector of running programs: entries of its table. */
#define OPPROF_LIVE_PARAM_APP                                                                      \
    {                                                                                              \
        .name = "app", .type = OPPROF_PARAM_STRING,                                                \
        .summary = "Command line of the program to run, with quotes as in a shell."                \
    }
/** See OPPROF_LIVE_PARAM_APP. */
#define OPPROF_LIVE_PARAM_CONFIG                                                                   \
    {                                                                                              \
        .name = "config", .type = OPPROF_PARAM_STRING,                                             \
        .summary = "JSON document of a kernel and its arguments, to be launched once instead of "  \
                   "a program."                                                                    \
    }
/** See OPPROF_LIVE_PARAM_APP; `text` is the summary. */
#define OPPROF_LIVE_PARAM_KERNEL_NAME(text)                                                        \
    {                                                                                              \
        .name = "kernel_name", .type = OPPROF_PARAM_STRING, .summary = (text)                      \
    }
/** See OPPROF_LIVE_PARAM_APP; `text` is the summary. */
#define OPPROF_LIVE_PARAM_LAUNCH_COUNT(text)                                                       \
    {                                                                                              \
        .name = "launch_count", .type = OPPROF_PARAM_INT, .default_value = "1", .min = 1,          \
        .max = 5000, .summary = (text)                                                             \
    }
/** See OPPROF_LIVE_PARAM_APP. */
#define OPPROF_LIVE_PARAM_LAUNCH_SKIP                                                              \
    {                                                                                              \
        .name = "launch_skip", .type = OPPROF_PARAM_INT, .default_value = "0", .min = 0,           \
        .max = 1000,                                                                               \
        .summary = "Launches of each process and device to let pass first, whatever their names."  \
    }
/** A parameter that is "on" or "off". */
#define OPPROF_LIVE_PARAM_SWITCH(title, otherwise, text)                                           \
    {                                                                                              \
        .name = (title), .type = OPPROF_PARAM_CHOICE, .default_value = (otherwise),                \
        .choices = (const char *const[]){ "on", "off", NULL }, .summary = (text)                   \
    }
/** See OPPROF_LIVE_PARAM_APP. */
#define OPPROF_LIVE_PARAM_MSTX                                                                     \
    OPPROF_LIVE_PARAM_SWITCH("mstx", "off",                                                        \
                             "Only launches within an mstx range that is open on their thread.")
/** See OPPROF_LIVE_PARAM_APP. */
#define OPPROF_LIVE_PARAM_MSTX_INCLUDE                                                             \
    {                                                                                              \
        .name = "mstx_include", .type = OPPROF_PARAM_STRING,                                       \
        .summary = "Messages of those ranges, separated by '|'; default: any. Needs mstx=on."      \
    }

/** Words of its messages. */
typedef struct OpprofLiveWords {
    const char *nothing; /**< "No launch was profiled". */
    const char *runtime; /**< "the runtime (librun.so)": what the program did not use. */
    const char *made;    /**< "made" or "launched": what the program does with a launch. */
} OpprofLiveWords;

/** The program, its server and its end. Zero-initialise, then OpprofLiveRunConfigure. */
typedef struct OpprofLiveRun {
    OpprofStage *stage;         /**< Borrowed. */
    const OpprofParams *params; /**< Borrowed. */
    OpprofLiveApp app;          /**< The program. */
    OpprofLiveServer *server;   /**< NULL: it was not started. */
    char *inject;               /**< Path of the injection library; NULL: not asked for. Owned. */
    int64_t started_ms;         /**< When the program was started. */
    int64_t spoke_ms;           /**< When any process last sent something; 0: the program runs. */
    int results;                /**< Descriptor of the results plus 1; 0: paths are not checked. */
    const char *results_path;   /**< Path of the results. Borrowed. */
    struct OpprofLiveRun *next; /**< Another run of this process that holds its results. */
    bool was_ended;             /**< It did not end by itself. */
    bool is_reported;           /**< How it ended was reported. */
    bool is_late;               /**< It was started after Ctrl+C. */
    bool is_plain; /**< Its parameters are without config and mstx. For Configure, by the caller. */
} OpprofLiveRun;

/**
 * Check kernel_name and mstx_include, and split app. Exactly one of app and config is given; where
 * the collector has no config, app is.
 *
 * @param stage, params  Borrowed until OpprofLiveRunFinish.
 * @return OPPROF_OK; OPPROF_E_ARGUMENT and what is wrong; OPPROF_E_MEMORY. [configure]
 */
OpprofStatus OpprofLiveRunConfigure(OpprofLiveRun *run, OpprofStage *stage,
                                    const OpprofParams *params, OpprofError **error);
/**
 * If config names a document, let a launcher check it (`LAUNCHER check=KIND DOCUMENT`) and become
 * the program.
 *
 * @param installed  Path of the launcher, unless OPPROF_LAUNCHER names another.
 * @param kind       What the document is for, in its own words.
 * @return OPPROF_OK, also without config; OPPROF_E_ARGUMENT and what the launcher says;
 *         OPPROF_E_MEMORY. [configure]
 */
OpprofStatus OpprofLiveRunLauncher(OpprofLiveRun *run, const char *installed, const char *kind,
                                   OpprofError **error);
/**
 * Whether a parameter of OPPROF_LIVE_PARAM_SWITCH is "on". [any thread]
 *
 * @param name  Name of the parameter.
 */
bool OpprofLiveIsOn(const OpprofParams *params, const char *name);
/** The filter that the parameters describe. Its names are borrowed from them. */
OpprofLiveFilter OpprofLiveRunFilter(const OpprofLiveRun *run);
/** Environment variable of opprof-run that names another injection library for Ascend. */
#define OPPROF_LIVE_LIBRARY_ASCEND "OPPROF_INJECT_LIBRARY"
/** The same for the layer of OpenCL. */
#define OPPROF_LIVE_LIBRARY_OPENCL "OPPROF_OPENCL_LIBRARY"
/**
 * The injection library: the one that the environment names, else `installed`. Its path from the
 * root, without links, since the program may change its working directory.
 *
 * @param variable       Of the environment.
 * @param[out] ret_path  Borrowed from the run.
 * @return OPPROF_OK; OPPROF_E_IO: it cannot be read; OPPROF_E_ARGUMENT: its path has a character
 *         that a list of libraries cannot have.
 */
OpprofStatus OpprofLiveInjectLibrary(OpprofLiveRun *run, const char *variable,
                                     const char *installed, const char **ret_path,
                                     OpprofError **error);
/** As OPPROF_LIVE_PARAM_APP. */
#define OPPROF_LIVE_PARAM_UNSAFE_PATHS                                                             \
    OPPROF_LIVE_PARAM_SWITCH(                                                                      \
        "unsafe_paths", "off",                                                                     \
        "Go on even if others than the user and root may change the injection library or the "     \
        "directory of results, or if a symbolic link leads there.")
/**
 * Check the injection library, the document of config, a tool and the directory of results, unless
 * unsafe_paths is on; and always that the directory's name is printable. Folders of launches that
 * an earlier run left there (`dump`, `device<N>`) get other names (`dump.1`). The directory of
 * results stays open from then on.
 *
 * @param inject  As OpprofLiveInjectLibrary found it.
 * @param tool    A program that will be run; NULL: none. A name without a slash is of PATH.
 * @return OPPROF_OK; what these say. [start]
 */
OpprofStatus OpprofLiveRunCheckPaths(OpprofLiveRun *run, const char *inject, const char *tool,
                                     OpprofError **error);
/**
 * The directory of results, for calls that are relative to it: its path may lead elsewhere by now.
 *
 * @return A descriptor, borrowed from the run; -1: paths were not checked.
 */
int OpprofLiveRunResults(const OpprofLiveRun *run);
/**
 * Open a folder below a directory, no part of whose path may be a symbolic link.
 *
 * @param directory  A descriptor.
 * @param relative   Names with '/' between.
 * @param is_new     The last one must not exist; it is made, and those above that are missing.
 * @return A descriptor, to be closed; -1: errno says why.
 */
int OpprofLiveFolderOpen(int directory, const char *relative, bool is_new);
/**
 * Open a file or a directory for reading, without blocking. What lies below the results of a run of
 * this process that holds them is found from there, and no part of its path may be a symbolic link;
 * all else by its path. [any thread]
 *
 * @param path   The path; of what lies in the results as they are called.
 * @param flags  Further ones of open().
 * @return A descriptor, to be closed; -1: errno says why.
 */
int OpprofLiveOpen(const char *path, int flags);
/**
 * The same of a directory, as opendir(). [any thread]
 *
 * @return To be given to closedir(); NULL: errno says why.
 */
DIR *OpprofLiveOpenDirectory(const char *path);
/**
 * What stat() says of such a path; of a link in the results, of itself. [any thread]
 *
 * @param[out] ret_about  What it says.
 * @return 0; -1: errno says why.
 */
int OpprofLiveStat(const char *path, struct stat *ret_about);
/**
 * Run the program, for the first time or again, with a server of its own.
 *
 * @param flags   Of the welcome; that of mstx is added.
 * @param events  Copied.
 * @param place   Its socket is filled in.
 * @return OPPROF_OK; OPPROF_E_ARGUMENT: it does not start; OPPROF_E_IO, OPPROF_E_MEMORY.
 *         [start, process]
 */
OpprofStatus OpprofLiveRunStart(OpprofLiveRun *run, uint32_t flags, const OpprofLiveEvents *events,
                                OpprofLiveAppPlace *place, OpprofError **error);
/** Whether the program has ended; reports once how, if it failed. Does not wait. [process] */
bool OpprofLiveRunHasEnded(OpprofLiveRun *run);
/**
 * After the program's end: whether its processes are done, too. Those that still run may be silent
 * for a limited time; if they exceed it, that is a warning. [process]
 *
 * @param spoke     Result of the last OpprofLiveServerStep.
 * @param limit_ms  0: the usual time.
 * @return True once nothing more will come.
 */
bool OpprofLiveRunIsQuiet(OpprofLiveRun *run, unsigned spoke, uint32_t limit_ms);
/** Entry of a collector's table: the limit of OpprofLiveRunLimit. */
#define OPPROF_LIVE_PARAM_TIMEOUT                                                                  \
    {                                                                                              \
        .name = "timeout", .type = OPPROF_PARAM_INT, .min = 1, .max = 2880, .unit = "min",         \
        .summary = "Stop the program after this time; default: never."                             \
    }
/** End the program when the time of OPPROF_LIVE_PARAM_TIMEOUT is over; the run is incomplete then.
 * [process] */
void OpprofLiveRunLimit(OpprofLiveRun *run);
/** End the program, unless it has ended. */
void OpprofLiveRunEnd(OpprofLiveRun *run);
/** End the program, and read what was sent. [flush] */
void OpprofLiveRunCut(OpprofLiveRun *run);
/** How many launches a run saw. */
typedef struct OpprofLiveLaunchCounts {
    const OpprofLiveFilter *filter; /**< With the counts of the run. Borrowed. */
    uint64_t profiled;              /**< Launches. */
    uint64_t clients;               /**< Processes that connected. */
} OpprofLiveLaunchCounts;

/**
 * At the end of a run: tell run.json how many launches were seen, profiled and left out, by which
 * parameter, and warn if some were left out. If none was profiled, the run becomes incomplete.
 *
 * @param counts, words  Borrowed for the call.
 */
void OpprofLiveRunReportLaunches(const OpprofLiveRun *run, const OpprofLiveLaunchCounts *counts,
                                 const OpprofLiveWords *words);
/** Drop the server. [stop] */
void OpprofLiveRunClose(OpprofLiveRun *run);
/** Free. */
void OpprofLiveRunFinish(OpprofLiveRun *run);

#ifdef __cplusplus
}
#endif

#endif
