/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FACTS_FACT_LOCATION_H
#define KIT_FACTS_FACT_LOCATION_H

#include <opprof/kit/chip.h>
#include <opprof/kit/facts.h>
#include <opprof/kit/metrics.h>

/* The mistakes of a chip, a line each. Begin with zero. */
typedef struct ChipMistakes {
    char *lines; /* with a line end after each but the last; to be freed */
    size_t size;
    size_t capacity;
    size_t count;
    bool no_memory;
} ChipMistakes;

/* Context of a check of facts. */
typedef struct FactChecker {
    const OpprofChip *chip;
    ChipMistakes *mistakes;
    OpprofMetrics *metrics; /* that use the formulas; NULL: none */
} FactChecker;

/* A value and where it lies; the way there is only printed when it is asked for. */
typedef struct FactLocation {
    const OpprofFact *fact;
    const struct FactLocation *above; /* NULL: where a table begins */
    const char *key;                  /* NULL: an element */
    bool is_path;                     /* the key is several, with dots between */
    size_t index;
    const OpprofMetricScope *scope;
    int depth;
} FactLocation;

#define FACT_MAX_DEPTH 16
#define FACT_MAX_PLACE 512
#define FACT_MAX_NAMES 512
#define FACT_MAX_LITERALS 2048 /* bytes of fixed names in a reference */

/* Names that a value may have. */
typedef struct FactNames {
    const char *names[FACT_MAX_NAMES];
    size_t count;
    char literals[FACT_MAX_LITERALS];
    size_t used;
} FactNames;

/* ---- mistakes (fact_location.c) ---- */

/* "pmu.kinds[0]", as OpprofChipOrigin takes it; as much as there is room for. */
void FactLocationPrint(const FactLocation *location, char *text, size_t size);
/* A mistake of a value; one that was reported already is not added. */
void FactLocationRefuse(FactChecker *checker, const FactLocation *location, const char *format, ...)
    OPPROF_PRINTF(3, 4);
/* The message of a reader of the fact. Lack of memory is not a mistake in the file. */
void FactLocationPass(FactChecker *checker, const FactLocation *location, const OpprofError *error);
/* "there is no" and a name, with the nearest one of those that there are. */
void FactLocationRefuseName(FactChecker *checker, const FactLocation *location, const char *what,
                            const char *name, const FactNames *names);
/* All mistakes as an error, the first outermost; frees them. OPPROF_OK: there are none. */
OpprofStatus ChipMistakesReport(ChipMistakes *mistakes, const OpprofChip *chip,
                                OpprofError **error);

/* ---- references (fact_names.c) ---- */

/*
 * A reference is a list of paths and fixed names, "pmu.kinds.*.name,'0'", up to its end or a '>'. A
 * path that begins with a dot is searched in the objects around the value.
 */

void FactNamesAdd(FactNames *names, const char *name);
/* All names of a reference, in its order. */
void FactNamesOf(const FactChecker *checker, const FactLocation *location, const char *from,
                 FactNames *names);
/* Whether a reference has the name, without collecting all. */
bool FactNamesHave(const FactChecker *checker, const FactLocation *location, const char *from,
                   const char *wanted);
/* Refuse a name that a reference does not have. */
void FactNamesRefuse(FactChecker *checker, const FactLocation *location, const char *from,
                     const char *name);

/* ---- formulas (fact_formulas.c) ---- */

/* Compile a formula over metrics. NULL: it is wrong, or not a whole one. */
const OpprofFormula *FactFormulaCompile(FactChecker *checker, const FactLocation *location,
                                        const char *text);
/* Check one of whole numbers over the names of a reference. */
void FactCountCheck(FactChecker *checker, const FactLocation *location, const char *from);

#endif
