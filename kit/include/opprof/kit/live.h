/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LIVE_H
#define OPPROF_KIT_LIVE_H

/**
 * @file
 * Messages between the injection library in a running program and a collector, over a stream
 * socket, on one machine. Layouts only; nothing here is linked. Experimental.
 *
 * The program connects to the abstract socket whose name OPPROF_LIVE_SOCKET holds, one connection a
 * process, and says HELLO. The collector answers WELCOME, or REFUSED where versions differ. Then
 * the program asks, and each answer belongs to the latest question. Every message is a head and
 * `length` bytes. HELLO, WELCOME and REFUSED begin with magic and version in every version.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPPROF_LIVE_SOCKET "OPPROF_LIVE_SOCKET" /**< Environment variable with the socket's name. */
/** Environment variable with the token: OPPROF_LIVE_TOKEN_BYTES as hexadecimal digits. Names of
 * sockets can be seen by everybody, so a process proves with it that it was started by who may. */
#define OPPROF_LIVE_TOKEN "OPPROF_LIVE_TOKEN"
#define OPPROF_LIVE_TOKEN_BYTES 16u
/** Environment variable with the library that stands before the injection library in LD_PRELOAD
 * for one program alone. The injection library takes it out of both, so that the program's children
 * do not get it. */
#define OPPROF_LIVE_FIRST "OPPROF_LIVE_FIRST"
/** Environment variable of a program on a simulator that does not know its chip: name, cube cores
 * and vector cores, with blanks between. */
#define OPPROF_LIVE_CHIP "OPPROF_LIVE_CHIP"
#define OPPROF_LIVE_MAGIC 0x564c504fu     /**< "OPLV". */
#define OPPROF_LIVE_VERSION 7u            /**< Of all layouts here. */
#define OPPROF_LIVE_MOST_BYTES (1u << 20) /**< Of a message without its head. */
#define OPPROF_LIVE_MOST_NAME 1023u       /**< Bytes of a kernel's name; longer ones are cut. */
#define OPPROF_LIVE_MOST_TEXT 8192u       /**< Bytes of the text of a log record. */
#define OPPROF_LIVE_MOST_NOTE 4096u       /**< Bytes of a note's sentence; longer ones are cut. */

/** Kinds of messages: the program's, unless it says otherwise, each with its structure. */
typedef enum OpprofLiveType {
    OPPROF_LIVE_HELLO = 1,    /**< The first. */
    OPPROF_LIVE_WELCOME = 2,  /**< The collector's. */
    OPPROF_LIVE_REFUSED = 3,  /**< The collector's, which closes the connection. */
    OPPROF_LIVE_LAUNCH = 4,   /**< And the kernel's name. Question. */
    OPPROF_LIVE_VERDICT = 5,  /**< The collector's answer. */
    OPPROF_LIVE_KERNEL = 6,   /**< And a piece of the ELF file. */
    OPPROF_LIVE_LOGS = 7,     /**< And records. */
    OPPROF_LIVE_FINISH = 8,   /**< Question. */
    OPPROF_LIVE_FINISHED = 9, /**< The collector's answer. */
    /* On a device; see OPPROF_LIVE_WANT_BOARD. */
    OPPROF_LIVE_ASK_PLAN = 16,         /**< Question. */
    OPPROF_LIVE_PLAN = 17,             /**< And its passes: the collector's answer. */
    OPPROF_LIVE_RAW = 18,              /**< And bytes of a channel. */
    OPPROF_LIVE_NOTE = 19,             /**< And a sentence. */
    OPPROF_LIVE_OUTCOME = 20,          /**< Before FINISH. */
    OPPROF_LIVE_ASK_INSTRUMENTED = 21, /**< Question. */
    OPPROF_LIVE_INSTRUMENTED = 22,     /**< And a piece of the ELF file: the collector's answer. */
    OPPROF_LIVE_SLOT = 23,             /**< And bytes of a record area. */
    OPPROF_LIVE_RANGE = 24,            /**< And operators. */
    OPPROF_LIVE_LOADED = 25            /**< Before its kernel runs. */
} OpprofLiveType;

/** Before every message. */
typedef struct OpprofLiveHead {
    uint32_t type;   /**< OpprofLiveType. */
    uint32_t length; /**< Bytes that follow, at most OPPROF_LIVE_MOST_BYTES. */
} OpprofLiveHead;

/** First message of a program. */
typedef struct OpprofLiveHello {
    uint32_t magic;                         /**< OPPROF_LIVE_MAGIC. */
    uint32_t version;                       /**< OPPROF_LIVE_VERSION of the program's library. */
    uint32_t pid;                           /**< Process id of the program. */
    uint32_t flags;                         /**< OPPROF_LIVE_HAS_LOGS. */
    char soc[64];                           /**< Name of the SoC, NUL-terminated; "": unknown. */
    char program[64];                       /**< Its file's name, NUL-terminated and cut. */
    uint8_t token[OPPROF_LIVE_TOKEN_BYTES]; /**< Of its environment; another one is not answered. */
} OpprofLiveHello;

#define OPPROF_LIVE_HAS_LOGS 1u /**< The simulator has log callbacks. */

#define OPPROF_LIVE_WANT_MTE 1u      /**< Records of memory transfer engines. */
#define OPPROF_LIVE_WANT_OVERHEAD 2u /**< Fetches, and issues of the control unit. */
#define OPPROF_LIVE_WANT_BOARD 8u    /**< Operators are profiled on a device, as a plan says. */
#define OPPROF_LIVE_HAS_TOOL 16u     /**< A tool that instruments kernels is named. */
#define OPPROF_LIVE_WANT_MSTX 4u /**< Only launches within a range that is open on their thread. */

/** Answer to HELLO. */
typedef struct OpprofLiveWelcome {
    uint32_t magic;          /**< OPPROF_LIVE_MAGIC. */
    uint32_t version;        /**< OPPROF_LIVE_VERSION of the collector. */
    uint32_t flags;          /**< OPPROF_LIVE_WANT_*, OPPROF_LIVE_HAS_TOOL. */
    uint32_t reserved;       /**< 0. */
    char mstx_include[1024]; /**< Messages of ranges with '|' between, NUL-terminated; "": any. */
} OpprofLiveWelcome;

/** Answer to a HELLO of another version. */
typedef struct OpprofLiveRefused {
    uint32_t magic;   /**< OPPROF_LIVE_MAGIC. */
    uint32_t version; /**< OPPROF_LIVE_VERSION of the collector. */
} OpprofLiveRefused;

#define OPPROF_LIVE_LAUNCH_JOINT 0x80000000u /**< It communicates: other devices launch it, too. */
#define OPPROF_LIVE_LAUNCH_RANGE 0x40000000u /**< It will be one of an OPPROF_LIVE_RANGE. */

/** A kernel is about to be launched. Its name follows, without a NUL. */
typedef struct OpprofLiveLaunch {
    uint32_t device; /**< As the program calls it. */
    uint32_t blocks; /**< Cores that run it, and OPPROF_LIVE_LAUNCH_*. */
} OpprofLiveLaunch;

/** The plan for a launch. */
typedef enum OpprofLiveDecision {
    OPPROF_LIVE_PASS = 0,    /**< Leave it out. */
    OPPROF_LIVE_COLLECT = 1, /**< Collect. */
    OPPROF_LIVE_NEVER = 2    /**< Leave it out, and never ask again. */
} OpprofLiveDecision;

/** Answer to LAUNCH. */
typedef struct OpprofLiveVerdict {
    uint32_t decision;    /**< OpprofLiveDecision. */
    uint32_t operator_id; /**< Names the launch in what follows. */
} OpprofLiveVerdict;

/** A piece of the kernel's ELF file follows; pieces come in order. */
typedef struct OpprofLiveKernel {
    uint32_t operator_id; /**< Of the verdict. */
    uint32_t reserved;    /**< 0. */
    uint64_t start_pc;    /**< Address that the kernel is loaded at; 0: unknown. */
} OpprofLiveKernel;

/** Logs of a core. */
typedef enum OpprofLiveLog {
    OPPROF_LIVE_LOG_START = 0,    /**< Instructions as they start. */
    OPPROF_LIVE_LOG_END = 1,      /**< Instructions as they end. */
    OPPROF_LIVE_LOG_TRANSFER = 2, /**< Moves of memory. */
    OPPROF_LIVE_LOG_FETCH = 3,    /**< Fetches of instructions. */
    OPPROF_LIVE_LOG_ISSUE = 4     /**< Instructions as the control unit issues them. */
} OpprofLiveLog;

#define OPPROF_LIVE_LOGS_OF_CORE 5u /**< Kinds of logs. */

/** Records of a log follow, in its order (live_records.h). */
typedef struct OpprofLiveLogs {
    uint32_t operator_id; /**< Of the verdict. */
    uint32_t count;       /**< Records. */
    uint32_t core;        /**< Physical core. */
    uint8_t log;          /**< OpprofLiveLog. */
    uint8_t sub_core;  /**< 0 the matrix core, 1 and 2 the vector cores; 0 for moves of memory. */
    uint16_t reserved; /**< 0. */
} OpprofLiveLogs;

/** Kinds of log records. */
typedef enum OpprofLiveKind {
    OPPROF_LIVE_INSTRUCTION = 0, /**< Text: decoded instruction and, after two blanks, operands. */
    OPPROF_LIVE_TRANSFER = 1,    /**< Text: interface, blank, operation. */
    OPPROF_LIVE_MISS = 2,        /**< A miss of the instruction cache. */
    OPPROF_LIVE_FETCH = 3,       /**< A fetch from it. */
    OPPROF_LIVE_ISSUE = 4        /**< An issue by the control unit. */
} OpprofLiveKind;

/** The operator has ended and all its records were sent. */
typedef struct OpprofLiveFinish {
    uint32_t operator_id; /**< Of the verdict. */
    uint32_t lost;        /**< Records that could not be sent, or were cut. */
    int32_t error;        /**< Result of launch and synchronisation; 0: good. */
    uint32_t reserved;    /**< 0. */
} OpprofLiveFinish;

/** Answer to FINISH. */
typedef struct OpprofLiveFinished {
    uint32_t operator_id; /**< Of the verdict. */
    uint32_t reserved;    /**< 0. */
} OpprofLiveFinished;

/* ---- on a device ---- */

/** The program wants the plan. */
typedef struct OpprofLiveAskPlan {
    int32_t api_version; /**< Version of the driver's interface; 0: unknown. */
    uint32_t chip;       /**< Version of the chip, from the driver; UINT32_MAX: unknown. */
} OpprofLiveAskPlan;

/** How launches are repeated. */
typedef enum OpprofLiveReplay {
    OPPROF_LIVE_REPLAY_KERNEL = 0, /**< Each pass launches the kernel again. */
    /** The launch is the one pass; the program is run again. */
    OPPROF_LIVE_REPLAY_APPLICATION = 1,
    OPPROF_LIVE_REPLAY_RANGE = 2 /**< Each pass repeats all launches of an mstx range. */
} OpprofLiveReplay;

#define OPPROF_LIVE_MOST_PASSES 128u      /**< Passes of a plan. */
#define OPPROF_LIVE_MOST_CHANNELS 32u     /**< Channels of a pass. */
#define OPPROF_LIVE_MOST_USER_BYTES 4096u /**< User data of a channel. */

/** How every wanted launch is profiled. Passes follow. */
typedef struct OpprofLivePlan {
    uint32_t replay;      /**< OpprofLiveReplay. */
    uint32_t warm_up;     /**< Launches before the first pass. */
    uint32_t deadline_ms; /**< Limit of a wait for the device. */
    uint32_t pass_count;  /**< Passes that follow. */
    /** Copied within the device before each pass, to clear its cache; 0: nothing. */
    uint64_t clear_bytes;
    uint64_t command; /**< Switches of profSetProfCommand; 0: it is not called. */
} OpprofLivePlan;

#define OPPROF_LIVE_PASS_MONITORS 1u     /**< Monitors of cores are programmed as well. */
#define OPPROF_LIVE_PASS_INSTRUMENTED 2u /**< An instrumented kernel runs in the kernel's place. */

/** A pass. Its channels follow, then an OpprofLiveMonitors and an OpprofLiveArea if the flags say
 * so; all of them are open while the kernel runs. */
typedef struct OpprofLivePass {
    uint32_t channel_count; /**< Channels that follow. */
    uint32_t flags;         /**< OPPROF_LIVE_PASS_*. */
} OpprofLivePass;

/** Registers of a core's monitor. */
typedef enum OpprofLiveMonitorRegister {
    OPPROF_LIVE_MONITOR_ENABLE = 0,    /**< Bit 0: it writes. */
    OPPROF_LIVE_MONITOR_BASE_LOW = 1,  /**< Address of its buffer. */
    OPPROF_LIVE_MONITOR_BASE_HIGH = 2, /**< The same, from bit 32 on. */
    OPPROF_LIVE_MONITOR_LENGTH = 3,    /**< Bytes of its buffer. */
    OPPROF_LIVE_MONITOR_POINTER = 4,   /**< Where it writes next. */
    OPPROF_LIVE_MONITOR_CLEAR = 5,     /**< Bit 0: begin again at the buffer's start. */
    OPPROF_LIVE_MONITOR_COUNT = 6,     /**< Words that it has written. */
    OPPROF_LIVE_MONITOR_REGISTERS = 7
} OpprofLiveMonitorRegister;

#define OPPROF_LIVE_MONITOR_RING 1u    /**< The buffer is a ring; else it ends when it is full. */
#define OPPROF_LIVE_MONITOR_COUNTS 2u  /**< The register COUNT can be relied on. */
#define OPPROF_LIVE_MOST_CORES 1024u   /**< Cores whose monitors are programmed. */
#define OPPROF_LIVE_MOST_BUFFER 65536u /**< KiB of a monitor's buffer. */

/** How monitors of cores are programmed: each writes words into a buffer of its own. */
typedef struct OpprofLiveMonitors {
    uint32_t offsets[OPPROF_LIVE_MONITOR_REGISTERS]; /**< In the window of a sub-core. */
    uint32_t flags;                                  /**< OPPROF_LIVE_MONITOR_*. */
    uint32_t pointer_unit;    /**< Bytes that the register POINTER counts in. */
    uint32_t sub_core_stride; /**< Bytes between sub-cores in a core's window. */
    uint32_t first_core;      /**< Cores from here on … */
    uint32_t core_count;      /**< … and this many of them. */
    uint32_t sub_cores;       /**< Bits of the sub-cores of each core: 1, 2, 4. */
    uint32_t buffer_bytes;    /**< Buffer of each sub-core; a multiple of 32. */
    uint32_t gap;             /**< Word that marks the place of lost words in a stream. */
    uint32_t reserved;        /**< 0. */
} OpprofLiveMonitors;

/** Kind of data of an instrumented kernel. */
typedef enum OpprofLiveInstrument {
    OPPROF_LIVE_INSTRUMENT_BLOCKS = 0,   /**< How often each basic block runs. */
    OPPROF_LIVE_INSTRUMENT_MEMORY = 1,   /**< Moves from and to global memory. */
    OPPROF_LIVE_INSTRUMENT_OPERANDS = 2, /**< Operations by type of their operands. */
    OPPROF_LIVE_INSTRUMENT_WARPS = 3,    /**< When warps of SIMT code ran. */
    /** How long the stub before samples is. Without it the kernel is sampled as it is. */
    OPPROF_LIVE_INSTRUMENT_START = 4,
    OPPROF_LIVE_INSTRUMENT_REGIONS = 5, /**< Nothing: what pipes do is between marks in channels. */
    OPPROF_LIVE_INSTRUMENTS = 6
} OpprofLiveInstrument;

/** The record area of an instrumented kernel: a slot for each core. */
typedef struct OpprofLiveArea {
    uint32_t kind;            /**< OpprofLiveInstrument. */
    uint32_t slots_per_block; /**< Slots of each block of a launch … */
    uint32_t most_slots;      /**< … and of all, at most. */
    uint32_t header_bytes;    /**< Header of a slot; 0: the area is taken as a whole. */
    uint32_t length_at;       /**< Where in it the number of bytes after it is, 63 bits; bit 63:
                                 the slot was too small, and is full. */
    uint32_t gap;             /**< Bytes after each slot. */
    uint64_t slot_bytes;      /**< With the header; 0: the answer with the kernel says. */
} OpprofLiveArea;

/** Piece of an instrumented kernel in each answer but the last. */
#define OPPROF_LIVE_PIECE_BYTES (512u << 10)
#define OPPROF_LIVE_MOST_SLOTS 1024u                    /**< Slots of an area. */
#define OPPROF_LIVE_MOST_SLOT_BYTES (UINT64_C(1) << 32) /**< Size of a slot. */
/** Environment variable of the collector: the tool that instruments kernels. */
#define OPPROF_LIVE_INSTRUMENTER "OPPROF_INSTRUMENTER"

/** The program wants its kernel instrumented. Which tool does that, the collector knows: a program
 * must not choose what another one runs. */
typedef struct OpprofLiveAskInstrumented {
    uint32_t operator_id; /**< Of the verdict. */
    uint32_t pass;        /**< In the plan, from 0. */
    uint32_t argument;    /**< Where among the arguments the address of the area is. */
    uint32_t has_kernel; /**< 1: the program has it from an earlier launch, and wants none of it. */
    uint64_t offset;     /**< In the ELF file; a question for each piece, from 0. */
} OpprofLiveAskInstrumented;

/** A piece of the instrumented ELF file follows. */
typedef struct OpprofLiveInstrumented {
    uint64_t size;       /**< Size of the file; 0: none, and the collector knows why. */
    uint64_t slot_bytes; /**< Size of a slot. */
} OpprofLiveInstrumented;

/** Bytes of a slot of a record area follow, in order. Of an area that is taken as a whole, pieces
 * of zeros are left out, but not the last piece. */
typedef struct OpprofLiveSlot {
    uint32_t operator_id; /**< Of the verdict. */
    uint16_t pass;        /**< In the plan, from 0. */
    uint16_t slot;        /**< Number; 0 where the area is taken as a whole. */
    /** In the slot, where at 0 the header comes and nothing else; or in the area. */
    uint64_t offset;
} OpprofLiveSlot;

/** An instrumented kernel was loaded. */
typedef struct OpprofLiveLoaded {
    uint32_t operator_id; /**< Of the verdict. */
    uint32_t pass;        /**< In the plan, from 0. */
    uint64_t start_pc;    /**< Its address. */
} OpprofLiveLoaded;

/** Launches that are repeated together. Operators follow in the order of their launch, 32 bits
 * each; 0: one that is not wanted. Bytes of channels then have the number of the first operator. */
typedef struct OpprofLiveRange {
    uint32_t operator_id; /**< The first that is wanted. */
    uint32_t device;      /**< As the program calls it. */
    uint32_t count;       /**< Operators that follow. */
    uint32_t reserved;    /**< 0. */
} OpprofLiveRange;

/** Of a channel's kind: only of operators that communicate. */
#define OPPROF_LIVE_CHANNEL_JOINT 0x80000000u
/** Of a channel's kind: it covers some cores, so it may give no records. */
#define OPPROF_LIVE_CHANNEL_SPARSE 0x40000000u

/** A channel that is open during a pass. Its user data follow, and zeros up to a multiple of 8
 * bytes. */
typedef struct OpprofLiveChannel {
    uint32_t channel;    /**< Number of the channel. */
    uint32_t kind;       /**< 0 task scheduler, 1 peripheral; and OPPROF_LIVE_CHANNEL_*. */
    uint32_t period;     /**< Sampling period. */
    uint32_t user_bytes; /**< Bytes of the user data. */
} OpprofLiveChannel;

#define OPPROF_LIVE_RAW_MONITOR 0x8000u /**< Plus 4 times the core plus the sub-core: a monitor. */

/** Bytes of a channel or of a core's monitor follow, in order. */
typedef struct OpprofLiveRaw {
    uint32_t operator_id; /**< Of the verdict. */
    uint16_t pass;        /**< In the plan, from 0. */
    uint16_t channel; /**< Number of the channel, or OPPROF_LIVE_RAW_MONITOR plus the monitor's. */
} OpprofLiveRaw;

/** Meaning of a note of the program for the results. */
typedef enum OpprofLiveSeverity {
    OPPROF_LIVE_INCOMPLETE = 0, /**< Something is missing from them. */
    OPPROF_LIVE_WARNING = 1,    /**< They are complete, but less certain. */
    /** Launches pass unprofiled: "'KERNEL', why", with as many kernels as there are, or why. */
    OPPROF_LIVE_UNPROFILED = 2,
    OPPROF_LIVE_RECORDED = 3 /**< A launch is recorded, to be made later. As UNPROFILED. */
} OpprofLiveSeverity;

/** A sentence follows, without a NUL. */
typedef struct OpprofLiveNote {
    uint32_t operator_id; /**< As in the verdict; 0: about the process. */
    uint32_t severity;    /**< OpprofLiveSeverity. */
} OpprofLiveNote;

/** The operator communicates; its AI CPU kernel ran with it. */
#define OPPROF_LIVE_OUTCOME_JOINT 1u

/** The operator communicates by itself, without an AI CPU kernel. */
#define OPPROF_LIVE_OUTCOME_COLLECTIVE 2u

/** How profiling an operator went. */
typedef struct OpprofLiveOutcome {
    uint32_t operator_id;    /**< As in the verdict. */
    uint32_t passes;         /**< Passes that were run and read to their end. */
    uint32_t current_mhz;    /**< Clock of the cores; 0: unknown. */
    uint32_t rated_mhz;      /**< Clock they are rated for; 0: unknown. */
    uint64_t saved_bytes;    /**< Memory that was saved. */
    uint64_t save_ns;        /**< Time that this took. */
    uint64_t restored_bytes; /**< Memory that was restored, over all passes. */
    uint64_t restore_ns;     /**< Time that this took. */
    uint64_t plain_ns;       /**< Time of a launch without profiling; 0: not measured. */
    uint64_t flags;          /**< OPPROF_LIVE_OUTCOME_*. */
} OpprofLiveOutcome;

/** Whether a program can do what a plan says of monitors. [any thread] */
static inline bool OpprofLiveMonitorsAreGood(const OpprofLiveMonitors *monitors)
{
    for (unsigned i = 0; i < OPPROF_LIVE_MONITOR_REGISTERS; i++) {
        if (monitors->offsets[i] % 4 != 0 || monitors->offsets[i] > 0xfffff) {
            return false;
        }
    }
    return monitors->pointer_unit >= 1 && monitors->pointer_unit <= 32 &&
           monitors->sub_core_stride % 4 == 0 && monitors->sub_core_stride <= 0x10000000 &&
           monitors->core_count >= 1 && monitors->core_count <= OPPROF_LIVE_MOST_CORES &&
           monitors->first_core <= OPPROF_LIVE_MOST_CORES && monitors->sub_cores >= 1 &&
           monitors->sub_cores <= 7 && monitors->buffer_bytes >= 32 &&
           monitors->buffer_bytes % 32 == 0 &&
           monitors->buffer_bytes <= OPPROF_LIVE_MOST_BUFFER * 1024;
}

/** Whether a program can do what a plan says of a record area. [any thread] */
static inline bool OpprofLiveAreaIsGood(const OpprofLiveArea *area)
{
    return area->kind < OPPROF_LIVE_INSTRUMENTS && area->slots_per_block >= 1 &&
           area->slots_per_block <= OPPROF_LIVE_MOST_SLOTS && area->most_slots >= 1 &&
           area->most_slots <= OPPROF_LIVE_MOST_SLOTS && area->header_bytes <= 4096 &&
           (area->header_bytes == 0 ||
            (area->header_bytes >= 8 && area->length_at <= area->header_bytes - 8 &&
             area->slot_bytes > area->header_bytes)) &&
           area->gap <= 65536 && area->slot_bytes <= OPPROF_LIVE_MOST_SLOT_BYTES;
}

/** Bytes of a channel's user data in a plan. [any thread] */
static inline size_t OpprofLivePadded(size_t bytes)
{
    return (bytes + 7) & ~(size_t) 7;
}

#ifdef __cplusplus
}
#endif

#endif
