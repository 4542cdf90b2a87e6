/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a chip file may state of raw files' names and keys (kit/launch/raw_names.c reads them).
 * Tested by tests/kit/launch/test_raw_names.c and tests/e2e/chip_mistakes.sh.
 */
#include "kit/facts/pmu_facts.h"

#include <opprof/kit/facts.h>

static const OpprofFactField name = { .type = OPPROF_FACT_IS_TEXT };
static const OpprofFactField names = {
    .type = OPPROF_FACT_IS_TEXT,
    .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_LIST, .of = &name),
};
static const OpprofFactField info_fields[] = {
    { "separator", OPPROF_FACT_IS_TEXT, .most = 1 },
    { "*", OPPROF_FACT_IS_MAP, .of = &name,
      .from = "'separator','name','block_dim','soc','device_id','pid','current_freq',"
              "'rated_freq','mc2','lccl','simt'" },
    { .name = NULL },
};
static const OpprofFactField fields[] = {
    { "files", OPPROF_FACT_IS_MAP, .of = &names,
      .from = "'info','task_log','counters','l2_cache','code_start','dbi_area','dbi_packets',"
              "'memory_chart','operands','code','block_map','block_counts','counted',"
              "'sample_start','sample_stub','samples','liveness','warps','tune_log','region_map',"
              "'pipe_words','pipe_windows','pipe_groups','pipe_monitors','aicpu','marks','ranges',"
              "'range_launches','range_clocks'" },
    { "info", OPPROF_FACT_IS_OBJECT, .of = info_fields },
    { .name = NULL },
};
const OpprofFactTable kit_raw_table = { .fields = fields };
