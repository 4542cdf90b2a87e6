/* SPDX-License-Identifier: Apache-2.0 */
/* Colours, ranks and numbers of lanes. */
#include "palette.h"

#include <stdlib.h>
#include <string.h>

static const PipeLook pipe_looks[] = {
    { "ALL", "good", 11, 100 },
    { "CACHEMISS", "thread_state_runnable", 9, 110 },
    { "CUBE", "background_memory_dump", 4, 40 },
    { "EVENT", "rail_animation", 13, 130 },
    { "FIXP", "thread_state_unknown", 5, 80 },
    { "FLOWCTRL", "cq_build_passed", 2, 90 },
    { "MTE1", "thread_state_running", 3, 50 },
    { "MTE2", "thread_state_iowait", 6, 60 },
    { "MTE3", "rail_response", 8, 70 },
    { "PUSHQ", "thread_state_unknown", 22, 180 },
    { "RVECEX", "thread_state_running", 18, 140 },
    { "RVECLD", "startup", 21, 170 },
    { "RVECLP", "thread_state_iowait", 19, 150 },
    { "RVECST", "thread_state_runnable", 20, 160 },
    { "RVECSU", "yellow", 23, 190 },
    { "SCALAR", "startup", 1, 10 },
    { "SCALARLDST", "startup", 10, 20 },
    { "SET_FLAG", "black", 14, 200 },
    { "USERMARK", "rail_load", 12, 120 },
    { "VECTOR", "cq_build_failed", 7, 30 },
    { "WAIT_FLAG", "yellow", 15, 210 },
    { "set_event", "black", 16, 220 },
    { "wait_event", "yellow", 17, 230 },
};

typedef struct SimtColour {
    const char *name; /* behind "SIMT_" */
    const char *colour;
} SimtColour;

static const SimtColour simt_colours[] = {
    { "ATOM", "rail_response" },
    { "BAR.THREAD BLOCK", "background_memory_dump" },
    { "END", "heap_dump_child_node_arrow" },
    { "F2F", "heap_dump_object_type" },
    { "F2I", "heap_dump_object_type" },
    { "FADD", "heap_dump_child_node_arrow" },
    { "FADD_I", "heap_dump_child_node_arrow" },
    { "FDIV", "thread_state_uninterruptible" },
    { "FDIV_I", "thread_state_uninterruptible" },
    { "FEXPDIF", "heap_dump_object_type" },
    { "FFMA", "thread_state_runnable" },
    { "FFMA_I", "thread_state_runnable" },
    { "FMNMX", "thread_state_uninterruptible" },
    { "FMNMX_I", "thread_state_uninterruptible" },
    { "FMUL", "thread_state_runnable" },
    { "FMULSCVT", "heap_dump_object_type" },
    { "FMUL_I", "thread_state_runnable" },
    { "FSETP", "background_memory_dump" },
    { "FSETP_I", "background_memory_dump" },
    { "I2F", "heap_dump_object_type" },
    { "IADD", "thread_state_running" },
    { "IADD_I", "thread_state_running" },
    { "IMAD", "good" },
    { "IMAD_I", "good" },
    { "IMNMX", "startup" },
    { "IMNMX_I", "startup" },
    { "IMUL", "thread_state_running" },
    { "IMUL_I", "thread_state_running" },
    { "ISETP", "thread_state_iowait" },
    { "ISETP_I", "thread_state_iowait" },
    { "JOIN", "background_memory_dump" },
    { "LD", "cq_build_attempt_passed" },
    { "LDG", "cq_build_attempt_passed" },
    { "LDK", "cq_build_attempt_passed" },
    { "LDS", "cq_build_attempt_passed" },
    { "LEA", "good" },
    { "LEA_HI_X", "good" },
    { "LOP3", "thread_state_iowait" },
    { "LOP3_I", "thread_state_iowait" },
    { "MEMBAR", "background_memory_dump" },
    { "MOVI", "heap_dump_child_node_arrow" },
    { "MUFU", "thread_state_runnable" },
    { "PLOP3", "thread_state_iowait" },
    { "RED", "rail_response" },
    { "S2R", "heap_dump_child_node_arrow" },
    { "SHF", "good" },
    { "SHFI", "good" },
    { "ST", "cq_build_attempt_passed" },
    { "STG", "startup" },
    { "STK", "startup" },
    { "STS", "startup" },
};

#define SIMT_PREFIX "SIMT_"
#define SIMT_OTHER_COLOUR "thread_state_unknown"
#define ENTRIES(table) (sizeof(table) / sizeof((table)[0]))

static int compare_look(const void *pipe, const void *look)
{
    return strcmp(pipe, ((const PipeLook *) look)->pipe);
}

static int compare_simt(const void *name, const void *colour)
{
    return strcmp(name, ((const SimtColour *) colour)->name);
}

const PipeLook *PaletteOfPipe(const char *pipe)
{
    return bsearch(pipe, pipe_looks, ENTRIES(pipe_looks), sizeof pipe_looks[0], compare_look);
}

const char *PaletteOtherColour(void)
{
    return "thread_state_stopped";
}

const char *PaletteOfSimt(const char *name)
{
    const size_t prefix = strlen(SIMT_PREFIX);
    const SimtColour *found;

    if (strncmp(name, SIMT_PREFIX, prefix) != 0) {
        return SIMT_OTHER_COLOUR;
    }
    found = bsearch(name + prefix, simt_colours, ENTRIES(simt_colours), sizeof simt_colours[0],
                    compare_simt);
    return found == NULL ? SIMT_OTHER_COLOUR : found->colour;
}

RowKind PaletteRowKind(const char *name)
{
    if (strcmp(name, "SET_FLAG") == 0 || strcmp(name, "set_event") == 0) {
        return ROW_SET;
    }
    if (strcmp(name, "WAIT_FLAG") == 0 || strcmp(name, "wait_event") == 0) {
        return ROW_WAIT;
    }
    return strcmp(name, "BAR") == 0 ? ROW_BAR : ROW_PLAIN;
}

/* The number behind the first `word` in `text`; -1 if the word is missing. Stops growing at 8
 * digits. */
static int32_t number_behind(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    int32_t number = 0;

    if (at == NULL) {
        return -1;
    }
    at += strlen(word);
    for (int digits = 0; digits < 8 && *at >= '0' && *at <= '9'; digits++, at++) {
        number = number * 10 + (*at - '0');
    }
    return number;
}

int32_t PaletteCoreSort(const char *core)
{
    int32_t number = number_behind(core, "core");
    int32_t vector = number_behind(core, "veccore");

    if (number < 0) {
        return 0;
    }
    return vector < 0 ? 3 * number + 1 : 3 * number + 2 + vector;
}
