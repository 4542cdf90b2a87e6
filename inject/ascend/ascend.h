/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_ASCEND_H
#define INJECT_ASCEND_ASCEND_H

/* Profiles programs that use the Ascend runtime. */

#include "inject/link/link.h"
#include "refchip/abi.h"

/* ---- originals.c: the functions that ours stand before ---- */

/* The next function of a name: by search order, else in a library that is loaded. NULL: none. */
void *OriginalFind(const char *name);
/* Length of its name as programs know it: without "Impl" at the end. */
int OriginalNameLength(const char *name);

/* The original of a function, looked up once. */
#define ORIGINAL(name)                                                                             \
    ({                                                                                             \
        static __typeof__(&name) original_;                                                        \
        __typeof__(&name) found_ = __atomic_load_n(&original_, __ATOMIC_RELAXED);                  \
        if (found_ == NULL) {                                                                      \
            found_ = (__typeof__(&name)) OriginalFind(#name);                                      \
            __atomic_store_n(&original_, found_, __ATOMIC_RELAXED);                                \
        }                                                                                          \
        found_;                                                                                    \
    })

/* ---- kernels.c: binaries and functions that the program has registered ---- */

typedef struct KernelImage {
    uint8_t *data; /* the ELF file */
    size_t size;
    uint32_t magic; /* of the runtime's lower layer; 0: the upper one loaded it */
    bool is_aicpu;
    bool is_collective; /* it communicates by itself, so only it can undo its effects */
    uint64_t id;        /* no other image of the process has it, ever */
    uint32_t users;     /* handles and launches that have it */
} KernelImage;

/* A binary was registered as `handle`. Copies. */
void KernelsAddBinary(const void *handle, const void *data, size_t size, uint32_t magic);
void KernelsAddBinaryFile(const void *handle, const char *path);
/* `alias` is a second handle of the same binary. */
void KernelsAddAlias(const void *alias, const void *handle);
/* The program has given a handle back, and what it had from it. */
void KernelsForget(const void *handle);
/* A function or stub is a kernel of a binary; name NULL: the one of the key. */
void KernelsAddFunction(const void *function, const void *handle, const char *name, uint64_t key);
/* A function is another word for a symbol or stub that is known. */
void KernelsAddFunctionAlias(const void *alias, const void *function);
/* The kernel of a function or stub, or of handle and key. False: unknown. An image that is found
 * stays until it is given to KernelsRelease, whatever the program unloads meanwhile. */
bool KernelsFind(const void *function, const KernelImage **ret_image, char *name, size_t size);
bool KernelsFindByKey(const void *handle, uint64_t key, const KernelImage **ret_image, char *name,
                      size_t size);
/* NULL is allowed. One that is held is held once more. */
const KernelImage *KernelsHold(const KernelImage *image);
void KernelsRelease(const KernelImage *image);

/* ---- camodel.c: log callbacks ---- */

/* Whether the simulator's log functions are there. */
bool CamodelHasLogs(void);
/* No dump files from now on, where the simulator has log functions. */
void CamodelQuiet(void);
/* Call callbacks for what `want` says, from now on; if they cannot be detached, once for all. */
void CamodelAttach(uint32_t want);
/* Callbacks are for this operator now; 0: for none. */
void CamodelStart(uint32_t operator_id);
/* Send what callbacks have left; the number of records that were lost. */
uint32_t CamodelStop(void);
/* With the reference chip's DvcDetachLogCallback, a library need not log without a listener. */
bool CamodelCanDetach(void);

/* ---- simulated.c ---- */

/* The chip that a toolkit's simulator must be; NULL: it says itself. */
const char *SimulatedName(void);

/* ---- mstx.c ---- */

/* Whether the thread is in a range whose launches are selected. */
bool MstxIsOpen(const char *include);
/* The first of them that was begun; 0: none is open. */
uint64_t MstxFirst(const char *include);

/* ---- watch.c: whether launches of the process are selected ---- */

/* Connect early, so that callbacks are attached before the simulator starts. */
void WatchPrepare(void);
/* The collector's greeting. NULL: there is no collector yet. */
const OpprofLiveWelcome *WatchWelcome(void);
/* Whether there is a collector that may want launches of this process. */
bool WatchIsOn(void);
/* Whether launches are profiled on a device. After WatchPrepare. */
bool WatchIsOnBoard(void);
/* Whether launches may be profiled on a device, so that one may be made later than the program
 * says. */
bool WatchMayRepeat(void);
/* No launch will be selected again. */
void WatchEnd(void);
bool WatchHasEnded(void);
/* Launches are recorded from now on, or no longer; of a recording each launch counts, wanted or
 * not. */
void WatchSetRecording(bool is_recording);
bool WatchIsRecording(void);
/* Whether launches count at all: wanted or recorded ones. */
bool WatchMayWant(void);
/* The lock of launches, from the question to the end of a launch. */
void WatchLock(void);
void WatchUnlock(void);
/* The same around a call of the program that changes memory, which must not meet a launch that is
 * repeated. */
bool WatchHold(void);
/* The same around a call that changes what may be waited for: also on a simulator. */
bool WatchHoldAll(void);
void WatchLetGo(bool is_held);

/* ---- launch.c: around each launch ---- */

typedef struct Launch {
    const void *function; /* or NULL */
    bool is_by_function;  /* of rt*: `function` is a handle, not a stub */
    const void *handle;   /* with a key */
    uint64_t key;
    uint32_t blocks;
    AbiStream stream;
    bool is_acl;
    const void *args; /* of the kernel; NULL: not known */
    size_t args_size;
    bool has_device_args;               /* they are in the memory of the device */
    const rtArgsEx_t *rt_args;          /* NULL: `args` is all */
    const aclrtPlaceHolderInfo *places; /* pointers among them to data after them */
    size_t place_count;
    rtSmDesc_t *sm; /* of rt* */
    const rtTaskCfgInfo_t *rt_config;
    uint32_t rt_flags;
    void *config;            /* of aclrt* */
    const void *handle_args; /* arguments that the runtime holds */
    bool has_array_args;     /* a list of unknown length */
    const char *by;          /* an execution, by this function … */
    const void *model;       /* … of this graph or model */
    /* what follows is set by LaunchBegin */
    int cancel_state;         /* of the thread */
    const KernelImage *image; /* held until LaunchEnd; NULL: not known */
    bool is_locked;
    bool is_collected;
    bool is_recorded;    /* it is made into the recording of a range */
    bool is_in_graph;    /* it is made into a graph of the program's */
    struct Graph *graph; /* of an execution, until LaunchEnd; NULL: not known */
    uint32_t *ids;       /* of its kernels, in their order; 0: one that is not wanted */
    uint32_t id_count;
    bool is_on_board;             /* it is made several times */
    bool is_collective;           /* its kernel communicates by itself; then it is joint as well */
    pthread_mutex_t *device_lock; /* held; NULL: none */
    bool is_joint;                /* together with a kernel of the AI CPU, and with other devices */
    bool is_suppressed;           /* it has been made as the program meant it */
    bool is_replaced;             /* now an instrumented kernel is launched in its place */
    AbiError earlier_error;       /* of work before it, not reported to the program yet */
    uint32_t operator_id;
} Launch;

/* The kernel of a launch. */
typedef struct LaunchKernel {
    const KernelImage *image; /* NULL: not known */
    char name[OPPROF_LIVE_MOST_NAME + 1];
} LaunchKernel;

/* Launch the instrumented kernel that takes the kernel's place. */
AbiError InstrumentLaunch(const Launch *launch);

/* ---- arguments.c: the arguments of a launch, in whichever form they come ---- */

typedef struct Arguments {
    uint8_t *bytes;
    uint32_t size;
    aclrtPlaceHolderInfo *places;
    uint32_t place_count;
    bool has_tiling; /* one more pointer among them, of rt_args */
    uint32_t tiling_pointer;
    uint32_t tiling_data;
} Arguments;

/* Copies them. False: *ret_why says why they cannot be. Finish them in either case. */
bool ArgumentsTake(Arguments *arguments, const Launch *launch, const char **ret_why);
/* Where one more pointer has its place: after all arguments, before the data that they point to. */
uint32_t ArgumentsPlace(const Arguments *arguments);
/* Put it there. False: no memory. */
bool ArgumentsInsert(Arguments *arguments, uint64_t pointer);
/* Launch with them instead of the launch's own. */
AbiError ArgumentsLaunch(const Arguments *arguments, const Launch *launch);
void ArgumentsFinish(Arguments *arguments);

/* A list that the runtime holds, and what the program does with it. */
/* Of arguments that the program keeps in a block of its own, or NULL and 0. */
void ArgumentsNoteList(const void *list, const void *block, size_t size);
void ArgumentsNoteArgument(const void *list, const void *data, size_t size, const void *parameter);
void ArgumentsNotePointer(const void *list, const void *parameter);
void ArgumentsNoteData(const void *list, const void *parameter, const void *buffer, size_t size);
void ArgumentsNoteChange(const void *list, const void *parameter, const void *data, size_t size);

void LaunchBegin(Launch *launch);
/* Whether the launch is to be made now, for profiling; then report the
 * result with LaunchRepeated. */
bool LaunchRepeats(Launch *launch);
void LaunchRepeated(Launch *launch, AbiError error);
/* No more of them: report what was profiled. */
void LaunchSettle(Launch *launch);
/* Returns `error`. */
AbiError LaunchEnd(Launch *launch, AbiError error);

/* ---- collector.c: for all that is profiled as a launch is ---- */

/* Ask the collector whether it is selected. */
void LaunchAsk(Launch *launch, const char *name);
bool LaunchSendKernel(const Launch *launch, const KernelImage *image);
/* Ask, and start what the collector says. */
void LaunchCollect(Launch *launch, const LaunchKernel *kernel);
/* Whether there is a plan of passes; else nothing will ever be profiled. */
bool LaunchHasPlan(void);
void LaunchFinish(uint32_t operator_id, AbiError error, uint32_t lost);

/* ---- wanted.c ---- */

/* Whether a launch of the calling thread counts: there is a collector that may want it, and the
 * mstx range that it is in is asked for. */
bool LaunchIsWanted(void);
/* A launch passes unprofiled, which the collector counts: "by what, and why". */
__attribute__((format(printf, 1, 2))) void Unprofiled(const char *format, ...);
/* Launches of the thread, whether profiled or not; it starts anew after the last number. */
uint32_t *LaunchesSeen(void);

#endif
