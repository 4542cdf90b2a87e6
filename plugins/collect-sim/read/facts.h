/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_FACTS_H
#define COLLECT_SIM_READ_FACTS_H

/*
 * Facts about a chip's simulator, under "simulator". docs of the keys: README.md.
 */

#include "discovery.h"
#include "collect-sim/pairing/pairing.h"
#include "log_names.h"
#include <opprof/kit/chip.h>

typedef struct SimFacts {
    OpprofChip *chip;
    uint64_t hz;             /* of the core clock */
    bool by_id;              /* pair_by: "id" instead of "pc" */
    bool has_logical_cores;  /* logical_cores */
    bool has_sub_cores;      /* guess.sub_cores: file names contain sub-cores */
    const char *icache_file; /* icache_file: after the core's name; NULL: no such log */
    const char *ccu_file;    /* ccu_file, the same */
    const char *mte_file;    /* mte_file, after "core<N>." */
    SimtForms threads;       /* threads, if simt; else empty */
    SimForms misses;         /* icache_miss */
    SimForms fetches;        /* fetches */
    SimForms issues;         /* issues */
    const char *ends;        /* ends: the same of instructions that end a program; NULL: none */
    const char *flags; /* flags: names of set and wait instructions, '|' between them; NULL: none */
    SimMarkFacts marks;          /* marks */
    PairingCoreWords core_words; /* logical_core, where there are logical cores */
    /* logical_core.single: prefix of sub-cores of which a block has only one; NULL: none */
    const char *single;
    SimLogNames *logs; /* logs: names of files; NULL: Ascend's */
    SimForms *forms;   /* logs.line; NULL: lines are Ascend's */
} SimFacts;

/* Signs in a dump of the chip that it comes from. */
typedef struct SimClues {
    bool has_sub_cores;
    bool has_ids;
    bool knows_ids; /* some record shows whether lines have ids */
    bool has_icache_log_suffix;
    bool knows_icache; /* an instruction-cache log of any name exists */
} SimClues;

/* Facts of a named chip. */
OpprofStatus SimFactsLoad(const char *name, SimFacts *ret_facts, OpprofError **error);

/*
 * Facts of the one chip series whose "simulator.guess" fits: it says "candidate": true, and all of
 * sub_cores, ids and icache_log_suffix that it names are as the clues say. OPPROF_E_NOT_FOUND if
 * none fits, or more than one.
 */
OpprofStatus SimFactsGuess(const SimClues *clues, SimFacts *ret_facts, OpprofError **error);
void SimFactsFinish(SimFacts *facts);

/*
 * Facts of the one chip series whose file names the logs that lie in the directory
 * (`simulator.logs`), and its cores. OPPROF_E_NOT_FOUND if none, or more than one.
 */
OpprofStatus SimFactsGuessByLogs(const char *directory, uint64_t max_file_size, SimFacts *ret_facts,
                                 FoundCores *ret_cores, OpprofError **error);

/* Whether the dump's logs are named like Ascend's: then their lines are Ascend's, too. */
void SimFactsForgetLogs(SimFacts *facts);

/*
 * Compare the facts of a named chip with what the dump shows. OPPROF_E_ARGUMENT, with the reason,
 * if the dump cannot be from that chip.
 */
OpprofStatus SimFactsCheck(const SimFacts *facts, const SimClues *clues, OpprofError **error);

/* Find what a dump shows. Reads the first lines of popped logs until one is a record. */
OpprofStatus SimCluesRead(const FoundCores *cores, SimClues *ret_clues, OpprofError **error);

#endif
