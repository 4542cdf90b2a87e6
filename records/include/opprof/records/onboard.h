/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_ONBOARD_H
#define OPPROF_RECORDS_ONBOARD_H

/**
 * @file
 * Records of operators that were profiled on a device: raw pieces as collectors bring them, the
 * merged counters of a launch as the parser gives them, and the cells of the views that analyses
 * make of them. Experimental.
 *
 * A launch is one execution of an operator that was profiled, usually replayed several times. All
 * batches of a launch have its interned place as partition. Its results go into the folder
 * DEVICE/KERNEL/ORDER of the output; parts that are absent are left out.
 *
 * The last batch of a launch on a port has the watermark UINT64_MAX: nothing of it follows.
 */

#include <assert.h>
#include <opprof/batch.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The fields `device`, `kernel` and `order` of records of launches, in a table of fields. */
#define OPPROF_RECORD_FOLDER(type)                                                                 \
    OPPROF_RECORD_FIELD(type, device, STRING, OPPROF_FIELD_HIDDEN, NULL,                           \
                        "First part of the results' folder.", "it has no such part"),              \
        OPPROF_RECORD_FIELD(type, kernel, STRING, OPPROF_FIELD_HIDDEN, NULL,                       \
                            "Second part of the results' folder.", "it has no such part"),         \
        OPPROF_RECORD_FIELD(type, order, STRING, OPPROF_FIELD_HIDDEN, NULL,                        \
                            "Third part of the results' folder.", "it has no such part")

/** The launch's files are its share of those of a range that was replayed. */
#define OPPROF_ONBOARD_CHUNK_RANGE 1u

/** Record of `opprof_onboard_chunk_type`, "onboard.chunk": a piece of a raw file of a launch. */
typedef struct OpprofOnboardChunk {
    /** Where in the file the piece begins. Pieces of a file come in order, files one by one. */
    uint64_t offset;
    uint64_t file_size; /**< Bytes of the whole file. */
    uint32_t file;      /**< Interned name without directory; absent: the launch ends here. */
    uint32_t device;    /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;    /**< The second part. */
    uint32_t order;     /**< The third part. */
    OpprofText bytes;   /**< The piece. */
    uint32_t flags;     /**< OPPROF_ONBOARD_CHUNK_* flags. */
    uint32_t reserved;  /**< 0. */
} OpprofOnboardChunk;

#define OPPROF_PMU_LAUNCH_MIX 1u           /**< Cube and vector cores ran. */
#define OPPROF_PMU_LAUNCH_KERNEL_SCALE 2u  /**< The metrics ask for KernelScale. */
#define OPPROF_PMU_LAUNCH_MEMORY_DETAIL 4u /**< The metrics ask for MemoryDetail. */
#define OPPROF_PMU_LAUNCH_SIMT 8u          /**< The operator has SIMT code. */
/** The chip does not distinguish blocks: one key for the operator. */
#define OPPROF_PMU_LAUNCH_ONE_KEY 16u

/** A core's share of a launch: what ran of one block on one (sub) core. In an OpprofPmuLaunch's
 * blob. */
typedef struct OpprofPmuKey {
    uint32_t block;     /**< Block id. */
    uint32_t sub_block; /**< Sub block id. */
    uint32_t kind;      /**< Interned kind of core: "cube", "vector". */
    /** Interned kind and sub block: "vector1"; absent with OPPROF_PMU_LAUNCH_ONE_KEY. */
    uint32_t name;
    uint32_t core;       /**< Physical core in the last replay. */
    uint32_t reserved;   /**< 0. */
    uint64_t cycles;     /**< Total cycles in the last replay. */
    uint64_t cycles_min; /**< Smallest of all replays. */
    uint64_t cycles_max; /**< Largest of all replays. */
} OpprofPmuKey;

/** What an instrumented launch moved along a path. In an OpprofPmuLaunch's blob. */
typedef struct OpprofPmuMove {
    uint32_t block; /**< Block id; on chips that distinguish cores, the AI core. */
    /** 0, 1: vector core, 2: cube core; OPPROF_NA_U32: the chip does not distinguish them. */
    uint32_t core;
    uint32_t path;     /**< Interned, such as "GM_TO_L1". */
    uint32_t reserved; /**< 0. */
    uint64_t bytes;    /**< Bytes read at the source. */
    uint64_t requests; /**< Requests of the path's size. */
} OpprofPmuMove;

/** Operands of one type that one core worked on. In an OpprofPmuLaunch's blob. */
typedef struct OpprofPmuOperand {
    uint32_t index;             /**< Core: 3 x AI core + {0, 1 vector, 2 cube}. */
    uint32_t type;              /**< Interned, such as "F16". */
    uint64_t simd_instructions; /**< Instructions outside of SIMT code. */
    uint64_t simt_instructions; /**< Instructions of all SIMT threads. */
    uint64_t simd_operands;     /**< Operands outside of SIMT code. */
    uint64_t simt_operands;     /**< Operands of all SIMT threads. */
} OpprofPmuOperand;

/** Record of `opprof_pmu_launch_type`, "pmu.launch": all data of one launch, merged over its
 * replays. */
typedef struct OpprofPmuLaunch {
    double duration_us; /**< Task duration, or absent. */
    double freq_mhz;    /**< Clock while it ran; absent: unknown. */
    double rated_mhz;   /**< Rated clock of the cores. */
    uint64_t l2_evict;  /**< Dirty lines written back by the L2 cache, or absent. */
    uint32_t device;    /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;    /**< The second part. */
    uint32_t order;     /**< The third part. */
    uint32_t chip;      /**< Interned SoC name whose facts apply: for OpprofChipLoad. */
    uint32_t variant;   /**< Interned memory vendor, "default": for OpprofMetricsCreate. */
    uint32_t groups;    /**< Interned names of the metric groups asked for, separated by commas. */
    uint32_t views;   /**< Interned names of the additional views asked for, separated by commas. */
    uint32_t flags;   /**< OPPROF_PMU_LAUNCH_* flags. */
    uint32_t name;    /**< Interned operator name as written in the data, or absent. */
    uint32_t op_type; /**< Interned, such as "mix". */
    uint32_t soc;     /**< Interned SoC as written in the data, or absent. */
    uint32_t device_id;   /**< Interned as written in the data, or absent. */
    uint32_t pid;         /**< As written in the data, interned, or absent. */
    uint32_t block_dim;   /**< As written in the data, interned, or absent. */
    uint32_t cur_freq;    /**< As written in the data, interned, or absent. */
    uint32_t rated_freq;  /**< As written in the data, interned, or absent. */
    uint32_t cores;       /**< AI cores of the device. */
    uint32_t block_count; /**< Different blocks among the keys. */
    uint32_t launched;    /**< Block dim as a number, or absent. */
    uint32_t reserved;    /**< 0. */
    OpprofText keys;      /**< OpprofPmuKey array, by block, then by name. */
    OpprofText events;    /**< uint32_t array: the events of the columns of `values`. */
    /** uint64_t array: a row for each key, a column for each event; OPPROF_NA_U64: missing. */
    OpprofText values;
    OpprofText moves;    /**< OpprofPmuMove array; absent: nothing was instrumented. */
    OpprofText operands; /**< OpprofPmuOperand array without zeros; absent: none were recorded. */
} OpprofPmuLaunch;

/** Record of `opprof_pmu_counter_type`, "pmu.counter": one counter of a launch, for looking inside.
 * */
typedef struct OpprofPmuCounter {
    uint64_t value;      /**< The counter. */
    uint32_t device;     /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;     /**< The second part. */
    uint32_t order;      /**< The third part. */
    uint32_t block;      /**< Block id. */
    uint32_t key;        /**< Interned kind and sub block: "vector1". */
    uint32_t event;      /**< Event id. */
    uint32_t event_name; /**< Interned. */
    uint32_t round;      /**< Replay that counted it, from 1. */
} OpprofPmuCounter;

/** Record of the view types below: one cell of a view. A view is a list of tables, each in its
 * group (a block, a core, or none); a table is a list of rows; a row has a value for each of its
 * columns. Cells come in this order. A value is an integer, a real or a text; if all are absent, it
 * is not available. */
typedef struct OpprofOnboardCell {
    uint64_t integer; /**< Absent: not an integer. */
    double real;      /**< Absent: not a real. */
    OpprofText text;  /**< Absent: not a text. */
    uint32_t device;  /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;  /**< The second part. */
    uint32_t order;   /**< The third part. */
    uint32_t group;   /**< Interned block or core; absent: the operator. */
    uint32_t table;   /**< Interned name of the table; absent: facts of the group. */
    uint32_t row;     /**< Interned name of the row; absent: the table has one row. */
    uint32_t column;  /**< Interned name of the column. */
    uint32_t unit;    /**< Interned unit, or absent. */
} OpprofOnboardCell;

/** True if `name` is one of the names in a list with commas, such as the texts of
 * OpprofPmuLaunch.groups and .views. [any thread] */
static inline bool OpprofPmuListHas(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; at != NULL && *at != '\0';) {
        const size_t item = strcspn(at, ",");
        if (item == length && memcmp(at, name, length) == 0) {
            return true;
        }
        at += item + (at[item] == ',');
    }
    return false;
}

static_assert(sizeof(OpprofOnboardChunk) == 48, "no padding");
static_assert(sizeof(OpprofPmuKey) == 48, "no padding");
static_assert(sizeof(OpprofPmuMove) == 32, "no padding");
static_assert(sizeof(OpprofPmuOperand) == 40, "no padding");
static_assert(sizeof(OpprofPmuLaunch) == 152, "no padding");
static_assert(sizeof(OpprofPmuCounter) == 40, "no padding");
static_assert(sizeof(OpprofOnboardCell) == 56, "no padding");

static const OpprofField opprof_onboard_chunk_fields[] = {
    OPPROF_RECORD_FIELD(OpprofOnboardChunk, offset, U64, 0, "byte",
                        "Where in the file the piece begins.", NULL),
    OPPROF_RECORD_FIELD(OpprofOnboardChunk, file_size, U64, 0, "byte", "Size of the file.", NULL),
    OPPROF_RECORD_FIELD(OpprofOnboardChunk, file, STRING, 0, NULL, "Name of the file.",
                        "the launch ends here"),
    OPPROF_RECORD_FOLDER(OpprofOnboardChunk),
    OPPROF_RECORD_FIELD(OpprofOnboardChunk, bytes, TEXT, OPPROF_FIELD_HIDDEN, NULL, "The piece.",
                        "the launch ends here"),
    OPPROF_RECORD_FIELD(OpprofOnboardChunk, flags, U32, 0, NULL,
                        "1: a share of the files of a range.", NULL),
};

static const OpprofRecordType opprof_onboard_chunk_type =
    OPPROF_RECORD_TYPE(OpprofOnboardChunk, 1, "onboard.chunk", "A piece of a raw file of a launch.",
                       0, opprof_onboard_chunk_fields, NULL, NULL);

static const OpprofField opprof_pmu_launch_fields[] = {
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, duration_us, F64, 0, "us", "Task duration.",
                        "no start or no end of the task was logged"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, freq_mhz, F64, 0, "MHz",
                        "Clock of the cores while the operator ran.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, rated_mhz, F64, 0, "MHz", "Rated clock of the cores.",
                        "unknown"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, l2_evict, U64, 0, "1",
                        "Dirty lines that the L2 cache wrote back.",
                        "the counter was not collected"),
    OPPROF_RECORD_FOLDER(OpprofPmuLaunch),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, chip, STRING, 0, NULL, "SoC whose facts apply.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, variant, STRING, 0, NULL, "Memory vendor.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, groups, STRING, 0, NULL, "Metric groups asked for.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, views, STRING, 0, NULL, "Additional views asked for.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, flags, U32, 0, NULL,
                        "1 mix, 2 KernelScale, 4 MemoryDetail, 8 SIMT, 16 one key.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, name, STRING, 0, NULL, "Operator.",
                        "the data does not say"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, op_type, STRING, 0, NULL,
                        "Which kinds of cores ran. cube: cube cores; vector: vector cores; mix: "
                        "both kinds.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, soc, STRING, 0, NULL, "SoC as the data names it.",
                        "the data does not say"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, device_id, STRING, 0, NULL, "Device as the data names it.",
                        "the data does not say"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, pid, STRING, 0, NULL, "Process as the data names it.",
                        "the data does not say"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, block_dim, STRING, 0, NULL,
                        "Number of blocks as the data names it.", "the data does not say"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, cur_freq, STRING, 0, NULL,
                        "Clock while it ran as the data names it.", "the data does not say"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, rated_freq, STRING, 0, NULL,
                        "Rated clock as the data names it.", "the data does not say"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, cores, U32, 0, "1", "AI cores of the device.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, block_count, U32, 0, "1",
                        "Different blocks that left counters.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, launched, U32, 0, "1", "Number of blocks launched.",
                        "the data does not say"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, keys, TEXT, OPPROF_FIELD_HIDDEN, NULL,
                        "OpprofPmuKey array.", "no core left a record"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, events, TEXT, OPPROF_FIELD_HIDDEN, NULL,
                        "Events of the columns of `values`.", "no event was counted"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, values, TEXT, OPPROF_FIELD_HIDDEN, NULL,
                        "Counters: a row for each key.", "no event was counted"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, moves, TEXT, OPPROF_FIELD_HIDDEN, NULL,
                        "OpprofPmuMove array.", "nothing was instrumented"),
    OPPROF_RECORD_FIELD(OpprofPmuLaunch, operands, TEXT, OPPROF_FIELD_HIDDEN, NULL,
                        "OpprofPmuOperand array.", "no operands were recorded"),
};

static const OpprofField opprof_pmu_key_fields[] = {
    OPPROF_RECORD_FIELD(OpprofPmuKey, block, U32, 0, NULL, "Block id.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuKey, sub_block, U32, 0, NULL, "Sub block id.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuKey, kind, STRING, 0, NULL, "Kind of core.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuKey, name, STRING, 0, NULL, "Kind and sub block.",
                        "the chip does not distinguish blocks"),
    OPPROF_RECORD_FIELD(OpprofPmuKey, core, U32, 0, NULL, "Physical core in the last replay.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofPmuKey, cycles, U64, 0, "cycle", "Cycles in the last replay.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuKey, cycles_min, U64, 0, "cycle", "Fewest of all replays.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuKey, cycles_max, U64, 0, "cycle", "Most of all replays.", NULL),
};
static const OpprofField opprof_pmu_move_fields[] = {
    OPPROF_RECORD_FIELD(OpprofPmuMove, block, U32, 0, NULL, "Block id, or AI core.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuMove, core, U32, 0, NULL, "0, 1: vector core, 2: cube core.",
                        "the chip does not distinguish them"),
    OPPROF_RECORD_FIELD(OpprofPmuMove, path, STRING, 0, NULL, "Path.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuMove, bytes, U64, 0, "byte", "Bytes read at the source.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuMove, requests, U64, 0, "1", "Requests.", NULL),
};
static const OpprofField opprof_pmu_operand_fields[] = {
    OPPROF_RECORD_FIELD(OpprofPmuOperand, index, U32, 0, NULL, "Core.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuOperand, type, STRING, 0, NULL, "Type of the operands.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuOperand, simd_instructions, U64, 0, "1",
                        "Instructions outside of SIMT code.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuOperand, simt_instructions, U64, 0, "1",
                        "Instructions of SIMT threads.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuOperand, simd_operands, U64, 0, "1",
                        "Operands outside of SIMT code.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuOperand, simt_operands, U64, 0, "1", "Operands of SIMT threads.",
                        NULL),
};
/** Arrays of OpprofPmuLaunch. */
static const OpprofElements opprof_pmu_launch_elements[] = {
    OPPROF_RECORD_ELEMENTS(keys, OpprofPmuKey, opprof_pmu_key_fields),
    OPPROF_RECORD_ELEMENTS(moves, OpprofPmuMove, opprof_pmu_move_fields),
    OPPROF_RECORD_ELEMENTS(operands, OpprofPmuOperand, opprof_pmu_operand_fields),
    { NULL, 0, 0, NULL },
};

static const OpprofRecordType opprof_pmu_launch_type = OPPROF_RECORD_TYPE_WITH_ELEMENTS(
    OpprofPmuLaunch, 1, "pmu.launch", "All data of one launch, merged over its replays.", 0,
    opprof_pmu_launch_fields, opprof_pmu_launch_elements);

static const OpprofField opprof_pmu_counter_fields[] = {
    OPPROF_RECORD_FOLDER(OpprofPmuCounter),
    OPPROF_RECORD_FIELD(OpprofPmuCounter, block, U32, 0, NULL, "Block id.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuCounter, key, STRING, 0, NULL, "Kind of core and sub block.",
                        "the chip does not distinguish blocks"),
    OPPROF_RECORD_FIELD(OpprofPmuCounter, event, U32, 0, NULL, "Event id.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuCounter, event_name, STRING, 0, NULL, "Name of the event.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuCounter, value, U64, 0, "1", "The counter.", NULL),
    OPPROF_RECORD_FIELD(OpprofPmuCounter, round, U32, 0, NULL, "Replay that counted it, from 1.",
                        NULL),
};

static const OpprofRecordType opprof_pmu_counter_type =
    OPPROF_RECORD_TYPE(OpprofPmuCounter, 1, "pmu.counter", "One counter of a launch.", 0,
                       opprof_pmu_counter_fields, NULL, NULL);

static const OpprofField opprof_onboard_cell_fields[] = {
    OPPROF_RECORD_FOLDER(OpprofOnboardCell),
    OPPROF_RECORD_FIELD(OpprofOnboardCell, group, STRING, OPPROF_FIELD_KEY, NULL, "Block or core.",
                        "it is about the whole operator"),
    OPPROF_RECORD_FIELD(OpprofOnboardCell, table, STRING, OPPROF_FIELD_KEY, NULL, "Table.",
                        "it is a fact of the group"),
    OPPROF_RECORD_FIELD(OpprofOnboardCell, row, STRING, OPPROF_FIELD_KEY, NULL, "Row.",
                        "the table has one row"),
    OPPROF_RECORD_FIELD(OpprofOnboardCell, column, STRING, OPPROF_FIELD_KEY, NULL, "Column.", NULL),
    OPPROF_RECORD_NUMBER(OpprofOnboardCell, integer, U64, NONE, 0, NULL,
                         "Value, if it is an integer.",
                         "the value is not an integer, or not available"),
    OPPROF_RECORD_NUMBER(OpprofOnboardCell, real, F64, NONE, 0, NULL, "Value, if it is a real.",
                         "the value is not a real, or not available"),
    OPPROF_RECORD_FIELD(OpprofOnboardCell, text, TEXT, OPPROF_FIELD_ALONE, NULL,
                        "Value, if it is a text.", "the value is not a text, or not available"),
    OPPROF_RECORD_FIELD(OpprofOnboardCell, unit, STRING, 0, NULL, "Unit of the value.",
                        "it has none"),
};

/* Views are tables that a viewer shows; as files of their own they would say nothing new. */

static const OpprofRecordType opprof_operator_view_type =
    OPPROF_RECORD_TYPE(OpprofOnboardCell, 1, "view.operator", "What ran, where, and how long.",
                       OPPROF_RECORD_TABLE, opprof_onboard_cell_fields, "Operator", "");

static const OpprofRecordType opprof_compute_view_type = OPPROF_RECORD_TYPE(
    OpprofOnboardCell, 1, "view.compute-load", "How busy the compute units of each block were.",
    OPPROF_RECORD_TABLE, opprof_onboard_cell_fields, "Compute load", "");

static const OpprofRecordType opprof_storage_map_view_type =
    OPPROF_RECORD_TYPE(OpprofOnboardCell, 1, "view.storage-map", "Traffic on each path of a block.",
                       OPPROF_RECORD_TABLE, opprof_onboard_cell_fields, "Memory heat map", "");

static const OpprofRecordType opprof_storage_view_type =
    OPPROF_RECORD_TYPE(OpprofOnboardCell, 1, "view.storage", "Traffic tables of each block.",
                       OPPROF_RECORD_TABLE, opprof_onboard_cell_fields, "Memory tables", "");

static const OpprofRecordType opprof_occupancy_view_type = OPPROF_RECORD_TYPE(
    OpprofOnboardCell, 1, "view.occupancy", "Load of the cores, compared with one another.",
    OPPROF_RECORD_TABLE, opprof_onboard_cell_fields, "Inter-core load", "");

static const OpprofRecordType opprof_roofline_view_type =
    OPPROF_RECORD_TYPE(OpprofOnboardCell, 1, "view.roofline", "Distance from the chip's bounds.",
                       OPPROF_RECORD_TABLE, opprof_onboard_cell_fields, "Roofline", "");

#ifdef __cplusplus
}
#endif

#endif
