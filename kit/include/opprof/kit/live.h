/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LIVE_H
#define OPPROF_KIT_LIVE_H

/**
 * @file
 * What the injection library in a running program and a collector say to each other over a stream
 * socket, on one machine. Layouts only; nothing here is linked.
 *
 * The program connects to the abstract socket whose name OPPROF_LIVE_SOCKET holds, one connection a
 * process, and says HELLO. The collector answers WELCOME, or REFUSED where versions differ. Then the
 * program asks, and each answer belongs to the latest question. Every message is a head and
 * `length` bytes. HELLO, WELCOME and REFUSED begin with magic and version in every version.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPPROF_LIVE_SOCKET "OPPROF_LIVE_SOCKET" /**< Environment variable with the socket's name. */
#define OPPROF_LIVE_MAGIC 0x564c504fu           /**< "OPLV". */
#define OPPROF_LIVE_VERSION 1u                  /**< Of all layouts here. */
#define OPPROF_LIVE_MOST_BYTES (1u << 20)       /**< Of a message without its head. */
#define OPPROF_LIVE_MOST_NAME 1023u /**< Bytes of a kernel's name; longer ones are cut. */
#define OPPROF_LIVE_MOST_TEXT 4095u /**< Bytes of a text of a log record. */

/** Kinds of messages. */
typedef enum OpprofLiveType {
    OPPROF_LIVE_HELLO = 1,    /**< Program: OpprofLiveHello. */
    OPPROF_LIVE_WELCOME = 2,  /**< Collector: OpprofLiveWelcome. */
    OPPROF_LIVE_REFUSED = 3,  /**< Collector: OpprofLiveRefused; it closes the connection. */
    OPPROF_LIVE_LAUNCH = 4,   /**< Program: OpprofLiveLaunch and the kernel's name. Question. */
    OPPROF_LIVE_VERDICT = 5,  /**< Collector: OpprofLiveVerdict. Answer. */
    OPPROF_LIVE_KERNEL = 6,   /**< Program: OpprofLiveKernel and a piece of the ELF file. */
    OPPROF_LIVE_LOGS = 7,     /**< Program: OpprofLiveLogs and records. */
    OPPROF_LIVE_FINISH = 8,   /**< Program: OpprofLiveFinish. Question. */
    OPPROF_LIVE_FINISHED = 9, /**< Collector: OpprofLiveFinished. Answer. */
    /* On a device; see OPPROF_LIVE_WANT_BOARD. */
    OPPROF_LIVE_ASK_PLAN = 16, /**< Program: OpprofLiveAskPlan. Question. */
    OPPROF_LIVE_PLAN = 17,     /**< Collector: OpprofLivePlan and its passes. Answer. */
    OPPROF_LIVE_RAW = 18,      /**< Program: OpprofLiveRaw and bytes of a channel. */
    OPPROF_LIVE_NOTE = 19,     /**< Program: OpprofLiveNote and a sentence. */
    OPPROF_LIVE_OUTCOME = 20   /**< Program: OpprofLiveOutcome, before FINISH. */
} OpprofLiveType;

/** Before every message. */
typedef struct OpprofLiveHead {
    uint32_t type;   /**< OpprofLiveType. */
    uint32_t length; /**< Bytes that follow, at most OPPROF_LIVE_MOST_BYTES. */
} OpprofLiveHead;

/** First message of a program. */
typedef struct OpprofLiveHello {
    uint32_t magic;   /**< OPPROF_LIVE_MAGIC. */
    uint32_t version; /**< OPPROF_LIVE_VERSION of the program's library. */
    uint32_t pid;     /**< Of the program. */
    uint32_t flags;   /**< OPPROF_LIVE_HAS_LOGS. */
    char soc[64];     /**< Name of the SoC, NUL-terminated; "": not known. */
    char program[64]; /**< Its file's name, NUL-terminated and cut. */
} OpprofLiveHello;

#define OPPROF_LIVE_HAS_LOGS 1u /**< The simulator has log callbacks. */

#define OPPROF_LIVE_WANT_MTE 1u      /**< Records of memory transfer engines. */
#define OPPROF_LIVE_WANT_OVERHEAD 2u /**< Fetches, and issues of the control unit. */
#define OPPROF_LIVE_WANT_BOARD 8u    /**< Operators are profiled on a device, as a plan says. */
#define OPPROF_LIVE_WANT_MSTX 4u /**< Only launches within a range that is open on their thread. */

/** Answer to HELLO. */
typedef struct OpprofLiveWelcome {
    uint32_t magic;          /**< OPPROF_LIVE_MAGIC. */
    uint32_t version;        /**< OPPROF_LIVE_VERSION of the collector. */
    uint32_t flags;          /**< OPPROF_LIVE_WANT_*. */
    uint32_t reserved;       /**< 0. */
    char mstx_include[1024]; /**< Messages of ranges with '|' between, NUL-terminated; "": any. */
} OpprofLiveWelcome;

/** Answer to a HELLO of another version. */
typedef struct OpprofLiveRefused {
    uint32_t magic;   /**< OPPROF_LIVE_MAGIC. */
    uint32_t version; /**< OPPROF_LIVE_VERSION of the collector. */
} OpprofLiveRefused;

/** A kernel is about to be launched. Its name follows, without a NUL. */
typedef struct OpprofLiveLaunch {
    uint32_t device; /**< As the program calls it. */
    uint32_t blocks; /**< Cores that run it. */
} OpprofLiveLaunch;

/** What to do with a launch. */
typedef enum OpprofLiveDecision {
    OPPROF_LIVE_PASS = 0,    /**< Nothing. */
    OPPROF_LIVE_COLLECT = 1, /**< Collect. */
    OPPROF_LIVE_NEVER = 2    /**< Nothing, and never ask again. */
} OpprofLiveDecision;

/** Answer to LAUNCH. */
typedef struct OpprofLiveVerdict {
    uint32_t decision;    /**< OpprofLiveDecision. */
    uint32_t operator_id; /**< Names the launch in what follows. */
} OpprofLiveVerdict;

/** A piece of the kernel's ELF file follows; pieces come in order. */
typedef struct OpprofLiveKernel {
    uint32_t operator_id; /**< As in the verdict. */
    uint32_t reserved;    /**< 0. */
    uint64_t start_pc;    /**< Address that the kernel is loaded at; 0: not known. */
} OpprofLiveKernel;

/** Log records follow. */
typedef struct OpprofLiveLogs {
    uint32_t operator_id; /**< As in the verdict. */
    uint32_t count;       /**< Records. */
} OpprofLiveLogs;

/** Kinds of log records. */
typedef enum OpprofLiveLog {
    OPPROF_LIVE_POPPED = 0, /**< Texts: decoded instruction, operands. */
    OPPROF_LIVE_INSTR = 1,  /**< Texts: decoded instruction, operands. */
    OPPROF_LIVE_MTE = 2,    /**< Texts: interface, operation. */
    OPPROF_LIVE_MISS = 3,   /**< A miss of the instruction cache. */
    OPPROF_LIVE_FETCH = 4,  /**< A fetch from it. */
    OPPROF_LIVE_ISSUE = 5   /**< An issue by the control unit. */
} OpprofLiveLog;

/** A log record. Its two texts follow, and zeros up to a multiple of 8 bytes. */
typedef struct OpprofLiveRecord {
    uint64_t time;          /**< Tick. */
    uint64_t address;       /**< Program counter; of MTE records, the memory's address. */
    uint64_t size;          /**< Bytes, of MTE records and misses. */
    uint64_t id;            /**< Instruction, of MTE records. */
    uint32_t request;       /**< Request, of MTE records; cache type, of misses. */
    uint32_t core;          /**< Physical core. */
    uint16_t first_length;  /**< Bytes of the first text. */
    uint16_t second_length; /**< Bytes of the second text. */
    uint8_t type;           /**< OpprofLiveLog. */
    uint8_t sub_core;       /**< 0 cubecore0, 1 veccore0, 2 veccore1. */
    uint8_t is_last;        /**< Of misses. */
    uint8_t reserved;       /**< 0. */
} OpprofLiveRecord;

/** The operator has ended and all its records were sent. */
typedef struct OpprofLiveFinish {
    uint32_t operator_id; /**< As in the verdict. */
    uint32_t lost;        /**< Records that could not be sent, or were cut. */
    int32_t error;        /**< What launch and synchronisation returned; 0: good. */
    uint32_t reserved;    /**< 0. */
} OpprofLiveFinish;

/** Answer to FINISH. */
typedef struct OpprofLiveFinished {
    uint32_t operator_id; /**< As in the verdict. */
    uint32_t reserved;    /**< 0. */
} OpprofLiveFinished;

/* ---- on a device ---- */

/** The program wants the plan. */
typedef struct OpprofLiveAskPlan {
    int32_t api_version; /**< Of the driver; 0: it does not say. */
    uint32_t chip; /**< Version that the driver gives the chip; UINT32_MAX: it does not say. */
} OpprofLiveAskPlan;

/** How launches are repeated. */
typedef enum OpprofLiveReplay {
    OPPROF_LIVE_REPLAY_KERNEL = 0, /**< Each pass launches the kernel again. */
    OPPROF_LIVE_REPLAY_APPLICATION =
        1,                       /**< The launch is the one pass; the program is run again. */
    OPPROF_LIVE_REPLAY_RANGE = 2 /**< Each pass repeats all launches of an mstx range. */
} OpprofLiveReplay;

#define OPPROF_LIVE_MOST_PASSES 128u      /**< Of a plan. */
#define OPPROF_LIVE_MOST_CHANNELS 32u     /**< Of a pass. */
#define OPPROF_LIVE_MOST_USER_BYTES 4096u /**< Of a channel. */

/** How every wanted launch is profiled. Passes follow. */
typedef struct OpprofLivePlan {
    uint32_t replay;      /**< OpprofLiveReplay. */
    uint32_t warm_up;     /**< Launches before the first pass. */
    uint32_t deadline_ms; /**< After which a wait for the device is given up. */
    uint32_t pass_count;  /**< Passes that follow. */
    uint64_t
        clear_bytes; /**< Copied within the device before each pass, to clear its cache; 0: nothing. */
    uint64_t command; /**< Switches of profSetProfCommand; 0: it is not called. */
} OpprofLivePlan;

/** A pass. Its channels follow. */
typedef struct OpprofLivePass {
    uint32_t channel_count; /**< Channels that follow. */
    uint32_t reserved;      /**< 0. */
} OpprofLivePass;

/** A channel that is open during a pass. Its user data follow, and zeros up to a multiple of 8 bytes. */
typedef struct OpprofLiveChannel {
    uint32_t channel;    /**< Number. */
    uint32_t kind;       /**< 0 task scheduler, 1 peripheral. */
    uint32_t period;     /**< Of sampling. */
    uint32_t user_bytes; /**< Of the user data. */
} OpprofLiveChannel;

/** Bytes of a channel follow, in order. */
typedef struct OpprofLiveRaw {
    uint32_t operator_id; /**< As in the verdict. */
    uint16_t pass;        /**< Number in the plan, from 0. */
    uint16_t channel;     /**< Number of the channel. */
} OpprofLiveRaw;

/** What a sentence of the program means for the results. */
typedef enum OpprofLiveSeverity {
    OPPROF_LIVE_INCOMPLETE = 0, /**< Something is missing from them. */
    OPPROF_LIVE_WARNING = 1     /**< They are complete, and less sure. */
} OpprofLiveSeverity;

/** A sentence follows, without a NUL. */
typedef struct OpprofLiveNote {
    uint32_t operator_id; /**< As in the verdict; 0: about the process. */
    uint32_t severity;    /**< OpprofLiveSeverity. */
} OpprofLiveNote;

/** How profiling an operator went. */
typedef struct OpprofLiveOutcome {
    uint32_t operator_id;    /**< As in the verdict. */
    uint32_t passes;         /**< That were run and read to their end. */
    uint32_t current_mhz;    /**< Clock of the cores; 0: not known. */
    uint32_t rated_mhz;      /**< Clock they are rated for; 0: not known. */
    uint64_t saved_bytes;    /**< Memory that was saved. */
    uint64_t save_ns;        /**< That took so long. */
    uint64_t restored_bytes; /**< Memory that was restored, over all passes. */
    uint64_t restore_ns;     /**< That took so long. */
    uint64_t plain_ns;       /**< A launch without profiling; 0: none was measured. */
} OpprofLiveOutcome;

/** Bytes of a channel's user data in a plan. */
static inline size_t OpprofLivePadded(size_t bytes)
{
    return (bytes + 7) & ~(size_t) 7;
}

/** Bytes that a record takes with its texts. */
static inline size_t OpprofLiveRecordBytes(size_t first_length, size_t second_length)
{
    return (sizeof(OpprofLiveRecord) + first_length + second_length + 7) & ~(size_t) 7;
}

/** Whether a record and its texts fit into the bytes that are left, and its kind is known. */
static inline bool OpprofLiveRecordIsGood(const OpprofLiveRecord *record, size_t left)
{
    return record->type <= OPPROF_LIVE_ISSUE && record->sub_core <= 2 &&
           record->first_length <= OPPROF_LIVE_MOST_TEXT &&
           record->second_length <= OPPROF_LIVE_MOST_TEXT &&
           OpprofLiveRecordBytes(record->first_length, record->second_length) <= left;
}

#ifdef __cplusplus
}
#endif

#endif
