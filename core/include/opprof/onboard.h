/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_ONBOARD_H
#define OPPROF_ONBOARD_H

/**
 * @file
 * Records of operators that were profiled on a device: raw pieces as collectors bring them, the merged
 * counters of a launch as the parser gives them, and the cells of the views that analyses make of them.
 *
 * A launch is one execution of an operator that was profiled, as a rule replayed several times. All
 * batches of a launch bear its interned place as partition. Its results go into the folder
 * DEVICE/KERNEL/ORDER of the output; parts that are absent are left out.
 *
 * The last batch of a launch on a port has the watermark UINT64_MAX: nothing of it comes later.
 */

#include <opprof/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Record of `opprof_onboard_chunk_type`, "onboard.chunk": a piece of a raw file of a launch. */
typedef struct OnboardChunk {
    uint64_t offset;    /**< Where in the file the piece begins. Pieces of a file come in order, files one by one. */
    uint64_t file_size; /**< Bytes of the whole file. */
    uint32_t file;      /**< Interned name without directory; absent: the launch ends here. */
    uint32_t device;    /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;    /**< Likewise. */
    uint32_t order;     /**< Likewise. */
    OpprofText bytes;   /**< The piece. */
} OnboardChunk;

#define PMU_LAUNCH_MIX 1u           /**< Cube and vector cores ran. */
#define PMU_LAUNCH_KERNEL_SCALE 2u  /**< The metrics ask for KernelScale. */
#define PMU_LAUNCH_MEMORY_DETAIL 4u /**< The metrics ask for MemoryDetail. */
#define PMU_LAUNCH_SIMT 8u          /**< The operator has SIMT code. */
#define PMU_LAUNCH_ONE_KEY 16u      /**< The chip tells no blocks apart: one key for the operator. */

/** A core's share of a launch: what ran of one block on one (sub) core. In a PmuLaunch's blob. */
typedef struct PmuKey {
    uint32_t block;      /**< Block id. */
    uint32_t sub_block;  /**< Sub block id. */
    uint32_t kind;       /**< Interned kind of core: "cube", "vector". */
    uint32_t name;       /**< Interned kind and sub block: "vector1"; absent with PMU_LAUNCH_ONE_KEY. */
    uint32_t core;       /**< Physical core in the last replay. */
    uint32_t reserved;   /**< 0. */
    uint64_t cycles;     /**< Total cycles in the last replay. */
    uint64_t cycles_min; /**< Smallest of all replays. */
    uint64_t cycles_max; /**< Largest of all replays. */
} PmuKey;

/** What an instrumented launch moved along a path. In a PmuLaunch's blob. */
typedef struct PmuMove {
    uint32_t block;    /**< Block id; of chips that tell cores apart the AI core. */
    uint32_t core;     /**< 0, 1: vector core, 2: cube core; OPPROF_NA_U32: the chip tells none apart. */
    uint32_t path;     /**< Interned, such as "GM_TO_L1". */
    uint32_t reserved; /**< 0. */
    uint64_t bytes;    /**< Bytes read at the source. */
    uint64_t requests; /**< Requests of the path's size. */
} PmuMove;

/** Operands of one type that one core worked on. In a PmuLaunch's blob. */
typedef struct PmuOperand {
    uint32_t index;             /**< Core: 3 x AI core + {0, 1 vector, 2 cube}. */
    uint32_t type;              /**< Interned, such as "F16". */
    uint64_t simd_instructions; /**< Instructions outside of SIMT code. */
    uint64_t simt_instructions; /**< Instructions of all SIMT threads. */
    uint64_t simd_operands;     /**< Operands outside of SIMT code. */
    uint64_t simt_operands;     /**< Operands of all SIMT threads. */
} PmuOperand;

/** Record of `opprof_pmu_launch_type`, "pmu.launch": everything that one launch left behind, merged over its replays. */
typedef struct PmuLaunch {
    double duration_us;    /**< Task duration, or absent. */
    double freq_mhz;       /**< Clock while it ran; absent if nobody knows. */
    double rated_mhz;      /**< Rated clock of the cores. */
    uint64_t l2_evict;     /**< Dirty lines written back by the L2 cache, or absent. */
    uint32_t device;       /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;       /**< Likewise. */
    uint32_t order;        /**< Likewise. */
    uint32_t chip;         /**< Interned SoC name whose facts apply: for OpprofChipLoad. */
    uint32_t variant;      /**< Interned memory vendor, "default": for OpprofMetricsCreate. */
    uint32_t groups;       /**< Interned names of the metric groups asked for, separated by commas. */
    uint32_t views;        /**< Interned names of the additional views asked for, separated by commas. */
    uint32_t flags;        /**< PMU_LAUNCH_* flags. */
    uint32_t name;         /**< Interned operator name as written in the data, or absent. */
    uint32_t op_type;      /**< Interned, such as "mix". */
    uint32_t soc;          /**< Interned SoC as written in the data, or absent. */
    uint32_t device_id;    /**< Interned as written in the data, or absent. */
    uint32_t pid;          /**< Likewise. */
    uint32_t block_dim;    /**< Likewise. */
    uint32_t cur_freq;     /**< Likewise. */
    uint32_t rated_freq;   /**< Likewise. */
    uint32_t cores;        /**< AI cores of the device. */
    uint32_t block_count;  /**< Different blocks among the keys. */
    uint32_t launched;     /**< Block dim as a number, or absent. */
    uint32_t reserved;     /**< 0. */
    OpprofText keys;       /**< PmuKey array, by block, then by name. */
    OpprofText events;     /**< uint32_t array: the events of the columns of `values`. */
    OpprofText values;     /**< uint64_t array: a row for each key, a column for each event; OPPROF_NA_U64: missing. */
    OpprofText moves;      /**< PmuMove array; absent: nothing was instrumented. */
    OpprofText operands;   /**< PmuOperand array without zeros; absent: none were recorded. */
} PmuLaunch;

/** Record of `opprof_pmu_counter_type`, "pmu.counter": one counter of a launch, for whoever looks inside. */
typedef struct PmuCounter {
    uint64_t value;      /**< The counter. */
    uint32_t device;     /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;     /**< Likewise. */
    uint32_t order;      /**< Likewise. */
    uint32_t block;      /**< Block id. */
    uint32_t key;        /**< Interned kind and sub block: "vector1". */
    uint32_t event;      /**< Event id. */
    uint32_t event_name; /**< Interned. */
    uint32_t round;      /**< Replay that counted it, from 1. */
} PmuCounter;

/**
 * Record of the view types below: one cell of a view. A view is a list of tables, each in its group (a
 * block, a core, or none); a table is a list of rows; a row has a value for each of its columns.
 * Cells come in this order. A value is an integer, a real or a text; none of them: not available.
 */
typedef struct OnboardCell {
    uint64_t integer; /**< Absent: no integer. */
    double real;      /**< Absent: no real. */
    OpprofText text;  /**< Absent: no text. */
    uint32_t device;  /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;  /**< Likewise. */
    uint32_t order;   /**< Likewise. */
    uint32_t group;   /**< Interned block or core; absent: the operator. */
    uint32_t table;   /**< Interned name of the table; absent: facts of the group. */
    uint32_t row;     /**< Interned name of the row; absent: the table has one. */
    uint32_t column;  /**< Interned name of the column. */
    uint32_t unit;    /**< Interned unit, or absent. */
} OnboardCell;

/** Record of `opprof_onboard_advice_type`, "onboard.advice": a sentence about a launch, shown when the run ends. */
typedef struct OnboardAdvice {
    OpprofText sentence; /**< Without a full stop. */
    uint32_t device;     /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;     /**< Likewise. */
    uint32_t order;      /**< Likewise. */
    uint32_t reserved;   /**< 0. */
} OnboardAdvice;

/** Built-in types. Defined in libopprof; immutable. */
extern const RecordType opprof_onboard_chunk_type;
extern const RecordType opprof_pmu_launch_type;       /**< See PmuLaunch. */
extern const RecordType opprof_pmu_counter_type;      /**< See PmuCounter. */
extern const RecordType opprof_operator_view_type;    /**< OnboardCell; "view.operator": what ran, where, how long. */
extern const RecordType opprof_compute_view_type;     /**< OnboardCell; "view.compute-load": how busy the compute units were. */
extern const RecordType opprof_storage_map_view_type; /**< OnboardCell; "view.storage-map": traffic on each path of a block. */
extern const RecordType opprof_storage_view_type;     /**< OnboardCell; "view.storage": traffic tables of each block. */
extern const RecordType opprof_occupancy_view_type;   /**< OnboardCell; "view.occupancy": load of the cores. */
extern const RecordType opprof_roofline_view_type;    /**< OnboardCell; "view.roofline": distance from the chip's bounds. */
extern const RecordType opprof_onboard_advice_type;   /**< See OnboardAdvice. */

#ifdef __cplusplus
}
#endif

#endif
