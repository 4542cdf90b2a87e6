/* SPDX-License-Identifier: Apache-2.0 */
/* The heaviest rows of a table, with their shares of the run or of their sum. Tested by
 * tests/plugins/report/test_report. */
#include "heaviest.h"

#include "row_names.h"
#include "source_text.h"

#include <inttypes.h>
#include <opprof/print.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE_NAME 32

static bool are_peers(const Finding *finding)
{
    return (finding->type->flags & OPPROF_RECORD_PEERS) != 0;
}

static const OpprofField *weight_of(const Finding *finding)
{
    return &finding->type->fields[finding->weight];
}

/*
 * What is the whole of the weights, and how is it called (room: WHOLE_NAME)? The table may say it.
 * Else rows of members that run side by side are parts of the run, if they are times; of other rows
 * it is only known that they are parts of their sum.
 */
static long double whole_of(const Findings *findings, const Finding *finding, char *name)
{
    const double unit = OpprofUnitTime(weight_of(finding)->unit);
    const uint32_t of = NameFieldWith(finding->type, OPPROF_FIELD_WHOLE);

    if (of != UINT32_MAX && finding->columns[of].most > 0) {
        PageWords(name, WHOLE_NAME, OpprofFieldHeading(&finding->type->fields[of]));
        return finding->columns[of].most;
    }
    if (findings->run_us > 0 && (findings->run_field->flags & OPPROF_FIELD_ALONE) == 0 &&
        unit > 0 && weight_of(finding)->combine == OPPROF_COMBINE_LONGEST &&
        finding->groups.list[0].weight * unit <= findings->run_us * 1.0005L) {
        snprintf(name, WHOLE_NAME, "run");
        return (long double) findings->run_us / unit;
    }
    snprintf(name, WHOLE_NAME, "sum");
    return finding->groups.whole;
}

/* Heading of the numbers at the right: what they are, of which members, and a share of what. */
static void name_numbers(char *out, size_t size, const Finding *finding, const char *whole)
{
    const uint32_t combine = weight_of(finding)->combine;
    char words[64], of[48] = "";

    PageWords(words, sizeof words, OpprofFieldHeading(weight_of(finding)));
    if (finding->members.count > 1 && combine == OPPROF_COMBINE_LONGEST) {
        snprintf(of, sizeof of, " of the longest of %" PRIu32, finding->members.count);
    } else if (finding->members.count > 1 && combine == OPPROF_COMBINE_SUM) {
        snprintf(of, sizeof of, " of all %" PRIu32, finding->members.count);
    }
    if (are_peers(finding)) {
        snprintf(out, size, "from the median, %s", words);
    } else if (combine == OPPROF_COMBINE_MEAN) {
        snprintf(out, size, "mean %s", words);
    } else if (!FindingAddsUp(finding)) {
        snprintf(out, size, "largest row, not added up, %s", words);
    } else {
        snprintf(out, size, "%s%s, %% of the %s", words, of, whole);
    }
}

/* "4.66 us", "12 byte". Room: 48. */
static void print_weight(char *out, const Finding *finding, const Group *group)
{
    const OpprofField *weight = weight_of(finding);
    const double unit = OpprofUnitTime(weight->unit);
    char number[32];

    if (unit > 0) {
        PageTime(out, (double) group->weight * unit);
        return;
    }
    PageNumber(number, (double) group->weight, weight->kind != OPPROF_FIELD_F64);
    snprintf(out, 48, "%s%s%s", number, weight->unit == NULL ? "" : " ",
             weight->unit == NULL || strcmp(weight->unit, "1") == 0 ? "" : weight->unit);
}

/* Bars of peers are shares of the heaviest, and say how far a peer is from the median. */
static void put_peer(FILE *out, const PageStyle *style, const Finding *finding, const char *name,
                     long double weight, const char *value)
{
    const long double heaviest = finding->groups.list[0].weight;
    char says[32] = "";

    if (finding->median > 0) {
        snprintf(says, sizeof says, "%+.1f %%", 100 * ((double) weight / finding->median - 1));
    }
    PageBarSays(out, style, name, (double) (weight / heaviest), says, value);
}

/* A row's name as it is shown, for free(): how many rows it stands for, and after a place the text
 * of that line. NULL without memory. */
static char *shown_name(const PageStyle *style, const Finding *finding, const Group *group)
{
    const size_t length = strcspn(group->label, (char[]){ NAME_PLACE, '\0' });
    char *source = group->label[length] == NAME_PLACE
                       ? SourceTextOf(group->label + length + 1, style->sources)
                       : NULL;
    char count[32] = "";
    char *name = NULL;

    /* Rows of a summary are runs of the same thing, worth counting; other rows are parts of one. */
    if (group->rows > 1 && (finding->type->flags & OPPROF_RECORD_SUMMARY) != 0) {
        snprintf(count, sizeof count, "%" PRIu64 " x ", group->rows);
    }
    if (asprintf(&name, "%s%.*s%s%s", count, (int) length, group->label, source == NULL ? "" : "  ",
                 source == NULL ? "" : source) < 0) {
        name = NULL;
    }
    free(source);
    return name;
}

static void put_row(FILE *out, const PageStyle *style, const Finding *finding, const Group *group,
                    long double whole)
{
    char value[48];
    char *shown = shown_name(style, finding, group);
    const char *name = shown == NULL ? group->label : shown;

    print_weight(value, finding, group);
    if (are_peers(finding)) {
        put_peer(out, style, finding, name, group->weight, value);
    } else if (FindingAddsUp(finding)) {
        PageBar(out, style, name, (double) (group->weight / whole), value);
    } else {
        PageBarSays(out, style, name, (double) (group->weight / finding->groups.list[0].weight), "",
                    value);
    }
    free(shown);
}

void HeaviestPut(FILE *out, const PageStyle *style, const char *title, const Findings *findings,
                 const Finding *finding, unsigned most)
{
    const Groups *groups = &finding->groups;
    char name[WHOLE_NAME] = "sum";
    const long double whole = groups->count > 0 ? whole_of(findings, finding, name) : groups->whole;
    char heading[160];

    name_numbers(heading, sizeof heading, finding, name);
    PageTitle(out, style, title, heading);
    for (uint32_t i = 0; i < groups->count && i < most && groups->list[i].weight > 0; i++) {
        put_row(out, style, finding, &groups->list[i], whole);
    }
    PageMore(out, groups->heavy > most ? groups->heavy - most : 0);
}

bool HeaviestIsTied(const Finding *finding, unsigned most)
{
    const Groups *groups = &finding->groups;
    const uint32_t last = groups->count < most ? groups->count : most;

    return groups->heavy > most && last > 1 &&
           (float) groups->list[0].weight == (float) groups->list[last - 1].weight;
}
