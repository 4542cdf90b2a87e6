/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADVISE_FINDINGS_H
#define ADVISE_FINDINGS_H

#include <opprof/stage.h>
#include <stdbool.h>

/* Texts of a finding. */
enum {
    FINDING_TOPIC,
    FINDING_SUBJECT,
    FINDING_SENTENCE,
    FINDING_NUMBERS,
    FINDING_FILE,
    FINDING_COLUMN,
    FINDING_UNIT,
    FINDING_RULE,
    FINDING_TODO,
    FINDING_TABLE,
    FINDING_TRACK,
    FINDING_TEXTS
};

/* A piece of advice that may be given. */
typedef struct Finding {
    char *texts[FINDING_TEXTS]; /* tame; NULL: absent */
    uint32_t severity;          /* OpprofSeverity */
    double value;               /* numbers are NaN where they are absent */
    double gain;                /* percent */
    double gain_us;
    double whole_us;
    double start_us;
    uint64_t more; /* subjects of the same rule that are not mentioned */
    bool is_dropped;
} Finding;

/* A list of findings. Zeroed memory holds none. */
typedef struct Findings {
    Finding *list;
    uint32_t count;
    uint32_t capacity;
    uint64_t beyond; /* subjects that are only counted */
} Findings;

/* A copy that a finding may own: at most so many bytes, without control characters. NULL for NULL
 * and "". False without memory. */
bool FindingCopy(const char *text, size_t length, char **ret_copy);
/* Add a finding, whose texts the list owns in any case. False without memory. */
bool FindingsAdd(Findings *findings, Finding *finding);
/* Add the advice of other stages, but for what names a rule. False without memory. */
bool FindingsTake(Findings *findings, const OpprofStage *stage, const OpprofBatch *batch);
/* The largest gain first; those without one last. Of equal ones by rule, subject and sentence. */
int FindingsCompare(const void *a, const void *b);
/* Give all that are not dropped, in order. */
OpprofStatus FindingsGive(Findings *findings, OpprofStage *stage, uint32_t port);
void FindingFree(Finding *finding);
void FindingsFree(Findings *findings);

#endif
