/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_COLLECT_SIM_FORMS_H
#define TESTS_PLUGINS_COLLECT_SIM_FORMS_H

#include "plugins/collect-sim/read/facts.h"
#include <stdlib.h>

/* What the control unit and the instruction cache of Ascend's simulators print. */
#define CAMODEL_FETCH "[info] <tick>: lookup_tag is fetch req addr:<pc>"
#define CAMODEL_ISSUE "[info] <tick>: ccu do issue success.issue isa pc :<pc>"
#define CAMODEL_SINGLE_ISSUE "[info] <tick>: is_single_issue instr, pc:<pc>"

/* Forms of a language, which must be good; `second` may be NULL. To be given to SimFormsFinish. */
static inline SimForms forms_of(const OpprofFormLanguage *language, const char *first,
                                const char *second)
{
    SimForms forms = { .count = 0 };

    if (SimFormsAdd(&forms, language, first, NULL) != OPPROF_OK ||
        (second != NULL && SimFormsAdd(&forms, language, second, NULL) != OPPROF_OK)) {
        abort();
    }
    return forms;
}

#define CAMODEL_MISS_A2                                                                            \
    "<?[info] ><tick>: icache read address is <pc>, <detail>size is 0x<hex8>, type:<digits>, "     \
    "last:<digits>, status is MISS"
#define CAMODEL_MISS                                                                               \
    "<?[info] >[<tick>]: icache read address is <pc>, <detail>size is 0x<hex8>, status is MISS"

static inline SimForms fetch_forms(void)
{
    return forms_of(&sim_form_events, CAMODEL_FETCH, NULL);
}

static inline SimForms issue_forms(void)
{
    return forms_of(&sim_form_events, CAMODEL_ISSUE, CAMODEL_SINGLE_ISSUE);
}

/* What Ascend's programs mark ranges with; made once. */
static inline const SimMarkFacts *camodel_marks(void)
{
    static SimMarkFacts words;
    OpprofChip *chip = NULL;

    if (words.registers == NULL) {
#ifdef FUZZ_FACT_PATH
        setenv("OPPROF_CHIP_PATH", FUZZ_CORPUS_DIR "/../../chips", 1);
        setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
#endif
#ifdef BENCH_FACT_PATH
        setenv("OPPROF_CHIP_PATH", BENCH_CHIPS_DIR, 1);
        setenv("OPPROF_SYSTEM_CHIP_PATH", BENCH_FACT_PATH, 1);
#endif
        if (OpprofChipLoad("Ascend910B1", &chip, NULL) != OPPROF_OK ||
            SimMarkFactsRead(chip, &words, NULL) != OPPROF_OK) {
            abort();
        }
        OpprofChipFree(chip); /* facts stay */
    }
    return &words;
}

/* How operands of a 950 name threads; made once. */
static inline const SimtForms *camodel_threads(void)
{
    static SimtForms forms;
    OpprofChip *chip = NULL;

    camodel_marks(); /* where facts are */
    if (forms.warp == NULL) {
        if (OpprofChipLoad("Ascend950PR_9599", &chip, NULL) != OPPROF_OK ||
            SimtFormsRead(chip, &forms, NULL) != OPPROF_OK || forms.masks == NULL) {
            abort();
        }
        OpprofChipFree(chip);
    }
    return &forms;
}

#define CAMODEL_CORE_WORDS                                                                         \
    {                                                                                              \
        .name = "MOV_XD_SPR", .block = ",SPR:BLOCKID", .sub_block = ",SPR:SUBBLOCKID"              \
    }

/* Of a chip whose operators are recorded. To be given to SimFactsFinish. */
static inline SimFacts facts_of(const char *miss, bool has_sub_cores)
{
    return (SimFacts){ .icache_file = "icache_log.dump",
                       .ccu_file = "ccu_log.dump",
                       .mte_file = "mte_log.dump",
                       .misses = forms_of(&sim_form_misses, miss, NULL),
                       .fetches = fetch_forms(),
                       .issues = issue_forms(),
                       .has_sub_cores = has_sub_cores };
}

#endif
