/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words and colours of these timelines; viewers and people know them, so they are fixed. Tests:
 * tests/plugins/mc2/test_tasks.c.
 */
#include "names.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

const char *const biu_core_types[BIU_CORE_TYPES] = { "aic", "aiv0", "aiv1" };

const char *PaletteName(uint64_t number)
{
    static const char *const palette[] = {
        "thread_state_runnable",
        "good",
        "thread_state_iowait",
        "thread_state_unknown",
        "heap_dump_child_node_arrow",
        "thread_state_running",
        "startup",
        "background_memory_dump",
        "rail_response",
        "thread_state_uninterruptible",
        "head_dump_object_type",
        "cq_build_attempt_passed",
    };

    return palette[number % COUNT(palette)];
}

static const NamedColour *find(const NamedColour *table, size_t count, uint64_t id)
{
    for (size_t i = 0; i < count; i++) {
        if (table[i].id == id) {
            return &table[i];
        }
    }
    return NULL;
}

const NamedColour *ApiFind(uint32_t mark)
{
    static const NamedColour apis[] = {
        { 0x1000, "INIT", PALETTE_PINK },
        { 0x1010, "COMMIT", PALETTE_YELLOW },
        { 0x1020, "WAIT", PALETTE_PURPLE },
        { 0x1030, "QUERY", PALETTE_BLUE },
        { 0x1040, "FINALIZE", PALETTE_ORANGE },
        { 0x1050, "GROUP_SYNC", PALETTE_CYAN },
        { 0x1060, "GET_WINDOW_IN", PALETTE_RED },
        { 0x1062, "GET_WINDOW_OUT", PALETTE_GRASS },
        { 0x1064, "GET_RANK_ID", PALETTE_GREEN },
        { 0x1066, "GET_RANK_DIM", PALETTE_PINK },
        { 0x1068, "SET_CCTILING", PALETTE_YELLOW },
        { 0x1100, "ALL_REDUCE_PREPARE", PALETTE_BLUE },
        { 0x1110, "ALL_GATHER_PREPARE", PALETTE_BLUE },
        { 0x1120, "REDUCE_SCATTER_PREPARE", PALETTE_BLUE },
        { 0x1130, "ALL_TO_ALL_PREPARE", PALETTE_BLUE },
        { 0x1140, "ALL_TO_ALL_V_PREPARE", PALETTE_BLUE },
    };

    return find(apis, COUNT(apis), mark & ~1u);
}

const NamedColour *TaskNameFind(uint64_t hash)
{
    static const NamedColour tasks[] = {
        { UINT64_C(0x0448d1a5ea052639), "hccl_info", PALETTE_GRASS },
        { UINT64_C(0x9eb5886f0b5ef22f), "Notify_Record", PALETTE_GREEN },
        { UINT64_C(0xab44b101f36f4b07), "Notify_Wait", PALETTE_PINK },
        { UINT64_C(0x628f0043a268d0cf), "Memcpy", PALETTE_YELLOW },
        { UINT64_C(0xfe1a130f3676775d), "Inter_Rank_Record", PALETTE_PURPLE },
        { UINT64_C(0x23f07c59d5c54aaf), "Inter_Processor_Sync", PALETTE_BLUE },
        { UINT64_C(0x2c384f8e83425f7a), "Reduce_Inline", PALETTE_ORANGE },
        { UINT64_C(0x220e79fe6508b9ce), "RDMASend", PALETTE_CYAN },
    };
    static const NamedColour unknown = { 0, UNKNOWN_NAME, PALETTE_RED };
    const NamedColour *task = find(tasks, COUNT(tasks), hash);

    return task == NULL ? &unknown : task;
}

const char *TaskTypeName(uint64_t type)
{
    static const char *const types[] = {
        "AI_CORE",          "AI_CPU",         "AIV_SQE",           "PLACE_HOLDER_SQE",
        "EVENT_RECORD_SQE", "EVENT_WAIT_SQE", "NOTIFY_RECORD_SQE", "NOTIFY_WAIT_SQE",
        "WRITE_VALUE_SQE",  "VQ6_SQE",        "TOF_SQE",           "SDMA_SQE",
        "VPC_SQE",          "JPEGE_SQE",      "JPEGD_SQE",         "DSA_SQE",
        "ROCCE_SQE",        "PCIE_DMA_SQE",   "HOST_CPU_SQE",      "CDQM_SQE",
        "C_CORE_SQE",
    };

    return type < COUNT(types) ? types[type] : NULL;
}

const NamedColour *TurnPhase(uint32_t phase)
{
    static const NamedColour phases[TURN_PHASES] = {
        { 0, "StartServer", PALETTE_PINK },         { 1, "TaskWaitRequest", PALETTE_YELLOW },
        { 2, "TaskOrchestration", PALETTE_PURPLE }, { 3, "TaskLaunch", PALETTE_BLUE },
        { 4, "TaskExecute", PALETTE_ORANGE },       { 5, "Finalize", PALETTE_CYAN },
    };

    return &phases[phase % TURN_PHASES];
}

const NamedColour *LcclPhase(uint32_t log)
{
    static const NamedColour phases[] = {
        { 0, "OVERALL", PALETTE_PINK },
        { 1, "INIT", PALETTE_YELLOW },
        { 2, "PROCESS", PALETTE_PURPLE },
    };

    return find(phases, COUNT(phases), log);
}

static const char *pick(const char *const *names, size_t count, uint32_t value)
{
    return value < count ? names[value] : UNKNOWN_NAME;
}

const char *TransportName(uint32_t value)
{
    static const char *const names[] = { "SDMA", "RDMA", "LOCAL" };

    return pick(names, COUNT(names), value);
}

const char *DataTypeName(uint32_t value)
{
    static const char *const names[] = { "INT8",  "INT16",  "INT32", "FP16",   "FP32",
                                         "INT64", "UINT64", "UINT8", "UINT16", "UINT32",
                                         "FP64",  "BFP16",  "INT128" };

    return pick(names, COUNT(names), value);
}

const char *LinkName(uint32_t value)
{
    static const char *const names[] = { "ON_CHIP", "HCCS",    "PCIE",          "ROCE",
                                         "SIO",     "HCCS_SW", "STANDARD_ROCE", "RESERVED" };

    return pick(names, COUNT(names), value);
}
