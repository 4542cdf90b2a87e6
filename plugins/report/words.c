/* SPDX-License-Identifier: Apache-2.0 */
/* What the report's own words mean; those of tables have descriptions of their own. Tested by
 * tests/plugins/report/test_screens.sh. */
#include "words.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *word;
    const char *meaning;
} words[] = {
    { "up to", "The largest share of the run's time that could be saved by removing the cause, if "
               "nothing else changed. Gains of several causes do not add up." },
    { "Advice", "What costs time, the largest possible gain first, and under each what to do. "
                "--explain RULE shows where a sentence comes from." },
    { "Also",
      "Tables that did not fit on the screen. They are on the page, in the CSV files and in "
      "results.sqlite; --set report.lines=0 shows all." },
    { "Speed of light", "How close the device came to what it can do: shares of its peaks." },
    { "share of the peak", "Measured rate divided by the largest one that the device can reach." },
    { "share of time with work",
      "Time in which at least one thing ran on the lane, divided by the time from the first start "
      "to the last end of its process; of lanes of one name in several processes, the mean." },
    { "about", "The share is not exact: something began long before others ended." },
    { "mean of the rows", "Each row of the table, such as a core, counts alike." },
    { "max", "The largest of the rows whose mean is shown." },
    { "% of the run", "Of the time that the first lines name." },
    { "% of the path", "Of the length of the critical path of the rank, or of all ranks." },
    { "% of the sum", "Of all rows of the table together." },
    { "of the longest", "Members that ran side by side, such as cores, are not added up: of the "
                        "rows of several members the longest counts." },
    { "the longest of", "Members that ran side by side, such as cores or ranks; the run took as "
                        "long as the longest of them." },
    { "of all", "The rows of all members are added up." },
    { "from the median", "How far a member's number is from the median of all members." },
    { "largest row", "It is not known how the rows add up, so the largest stands for all." },
    { "cycles", "Clock cycles of the longest core." },
    { "simulated", "The operator ran on a simulator of the chip; times come from its clock." },
    { "on a device", "The operator ran on a device; times come from its counters and logs." },
    { "NA", "There is no such number; the table's description says why." },
    { "~", "Text that had no room; a wider terminal shows more." },
};

#define WORD_COUNT (sizeof words / sizeof words[0])

OpprofStatus WordsExplain(const char *chip, const char *name, FILE *out, OpprofError **error)
{
    const bool wants_all = strcmp(name, "all") == 0;
    bool is_found = false;

    (void) chip;
    for (size_t i = 0; i < WORD_COUNT; i++) {
        if (wants_all) {
            fprintf(out, "%-40s  word of the report\n", words[i].word);
        } else if (strcasecmp(words[i].word, name) == 0) {
            fprintf(out, "%s: word of the report\n  %s\n", words[i].word, words[i].meaning);
        } else {
            continue;
        }
        is_found = true;
    }
    return is_found
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "The report has no word '%s'", name);
}
