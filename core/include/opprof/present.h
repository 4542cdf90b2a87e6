/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_PRESENT_H
#define OPPROF_PRESENT_H

/**
 * @file
 * The narrow waist of presentation: whatever an analysis finds leaves it as spans (timelines),
 * counters (curves), tables (any record type with OPPROF_RECORD_TABLE) or advice. So every exporter
 * shows every metric, without either knowing the other. Experimental.
 */

#include <opprof/record.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPPROF_TRACK_NUMERIC_PROCESS 1u /**< `process` is a number, printed as such. */
#define OPPROF_TRACK_NUMERIC_THREAD 2u  /**< `thread` is a number, printed as such. */
/** Events of the process stand apart from those of others, in the order of rank and id of
 * processes, so that a document does not depend on which of them was drawn first. */
#define OPPROF_TRACK_APART 4u
/** Its spans are labels around work of other tracks, such as user marks and iterations. */
#define OPPROF_TRACK_LABELS 8u

/** A line of a timeline. All texts are copied at declaration. Two tracks are equal if document,
 * process and thread are. */
typedef struct OpprofTrack {
    const char *document;     /**< File it belongs to, without suffix: "trace", "core0/trace". */
    const char *process;      /**< Process id, such as the core; decimal digits if numeric. */
    const char *process_name; /**< For people; NULL: the id. */
    /** Thread id, such as the pipe; NULL: the process itself (for counters). */
    const char *thread;
    const char *thread_name; /**< For people; NULL: the id. */
    int32_t process_sort;    /**< Rank of the process; below 0: none. */
    int32_t thread_sort;     /**< Rank of the thread; below 0: none. */
    uint32_t flags;          /**< OPPROF_TRACK_* flags. */
} OpprofTrack;

/** Kind of a span. */
typedef enum OpprofSpanKind {
    OPPROF_SPAN_SLICE = 1,      /**< start and duration. */
    OPPROF_SPAN_BEGIN = 2,      /**< Opening half of a slice; paired by `id`. */
    OPPROF_SPAN_END = 3,        /**< Closing half. */
    OPPROF_SPAN_MARK = 4,       /**< A moment. */
    OPPROF_SPAN_FLOW_START = 5, /**< Tail of an arrow; paired by `id`. */
    OPPROF_SPAN_FLOW_END = 6    /**< Head of an arrow. */
} OpprofSpanKind;

/** Kind of an argument's value. */
typedef enum OpprofArgKind {
    OPPROF_ARG_TEXT = 1,    /**< value.text, in the blob. */
    OPPROF_ARG_STRING = 2,  /**< value.u64 is an interned string id. */
    OPPROF_ARG_HEX = 3,     /**< value.u64 shown as the text 0x…. */
    OPPROF_ARG_U64 = 4,     /**< value.u64 shown as a number. */
    OPPROF_ARG_F64 = 5,     /**< value.f64 shown as a number. */
    OPPROF_ARG_U64_TEXT = 6 /**< value.u64 shown as a decimal text. */
} OpprofArgKind;

/** Named value of a span. Arrays of these lie in the blob without alignment: read them with memcpy.
 * */
typedef struct OpprofArg {
    uint32_t key;  /**< Interned string id. Keys come in alphabetical order of their text. */
    uint32_t kind; /**< OpprofArgKind. */
    /** `kind` says which member counts. */
    union {
        OpprofText text; /**< OPPROF_ARG_TEXT. */
        uint64_t u64;    /**< Integers and ids. */
        double f64;      /**< OPPROF_ARG_F64. */
    } value;
} OpprofArg;

/** Record of `opprof_span_type`, "span": a piece of a timeline. Times are ticks of the batch's
 * clock; the batch's partition is the document of its tracks. */
typedef struct OpprofSpan {
    uint64_t start;     /**< Start, or the moment. */
    uint64_t duration;  /**< Ticks; 0 for all but slices. */
    uint32_t track;     /**< From OpprofStageTrack. */
    uint32_t kind;      /**< OpprofSpanKind. */
    uint32_t name;      /**< Interned. */
    uint32_t category;  /**< Interned, or OPPROF_NA_STRING. */
    uint32_t colour;    /**< Interned viewer colour name, or OPPROF_NA_STRING. */
    uint32_t arg_count; /**< Number of OpprofArg at `args`. */
    OpprofText args; /**< arg_count * sizeof(OpprofArg) bytes of the blob; absent: no arguments. */
    /** Pairs begin with end and flow start with flow end, unique in the document; of a slice from
     * which an arrow may lead: its id and ">", to which: ">" and its id; absent: none. */
    OpprofText id;
    OpprofText group; /**< Ties slices that belong together; absent: none. */
} OpprofSpan;

/** Record of `opprof_counter_type`, "counter": a sample of a curve. The batch's partition is the
 * document of its tracks. */
typedef struct OpprofCounter {
    uint64_t time;     /**< Tick of the batch's clock. */
    double value;      /**< Value from this time on. */
    uint32_t track;    /**< From OpprofStageTrack; thread NULL. */
    uint32_t name;     /**< Interned name of the curve. */
    uint32_t series;   /**< Interned name of the series, with unit: "throughput(MB/s)". */
    uint32_t reserved; /**< 0. */
} OpprofCounter;

/** How much advice matters. */
typedef enum OpprofSeverity {
    OPPROF_SEVERITY_NOTE = 0,   /**< Worth knowing. */
    OPPROF_SEVERITY_HINT = 1,   /**< There is probably time to be saved. */
    OPPROF_SEVERITY_PROBLEM = 2 /**< Something is wrong. */
} OpprofSeverity;

/** Record of `opprof_advice_type`, "advice": a sentence for the developer, and what it rests on. It
 * is a table of few rows: the advice of all stages makes one `advice.csv` and is in `run.json` and
 * on the screen when the run ends. Give it with OpprofStageAdvise. */
typedef struct OpprofAdvice {
    uint32_t severity;   /**< Interned: "note", "hint", "problem". */
    uint32_t topic;      /**< Interned: the analysis or view it belongs to. */
    uint32_t subject;    /**< Interned launch, rank or core it is about; absent: the whole run. */
    uint32_t file;       /**< Interned: file of the results that holds `value`, or absent. */
    uint32_t column;     /**< Interned: heading of the column there, or absent. */
    uint32_t unit;       /**< Interned: unit of `value`, or absent. */
    OpprofText sentence; /**< Without a full stop. */
    OpprofText numbers;  /**< "name=value unit, …": the numbers it rests on, or absent. */
    double value;        /**< The number it rests on most, or absent. */
    /** Share of the subject's time in percent that could be saved at most, or absent. */
    double gain;
    uint32_t rule;       /**< Interned: name of the rule that says so, or absent. */
    uint32_t from_table; /**< Interned: table of the database that holds `value`, or absent. */
    uint32_t track;    /**< Interned: name of a process of the timeline that shows it, or absent. */
    uint32_t reserved; /**< 0. */
    OpprofText todo;   /**< What to do about it, or absent. */
    double gain_us;    /**< The most that could be saved, or absent. */
    double whole_us;   /**< What it could be saved of, or absent. */
    double start_us;   /**< When `track` shows it, or absent. */
} OpprofAdvice;

/** Type of an output port whose batches bring tables of types of their own, made during the run
 * where columns depend on the data. "Any table" takes it; look at Batch.type. Such types must
 * outlive the run, and their batches come from pools of the plugin (OpprofBatchPoolCreate). */
extern const OpprofRecordType opprof_tables_type;

/** Built-in types. Defined in libopprof; immutable. */
extern const OpprofRecordType opprof_span_type;
extern const OpprofRecordType opprof_counter_type; /**< See OpprofCounter. */
extern const OpprofRecordType opprof_advice_type;  /**< See OpprofAdvice. */

#ifdef __cplusplus
}
#endif

#endif
