/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_GROUPS_H
#define REPORT_GROUPS_H

#include <opprof/kit/spool.h>
#include <opprof/map.h>
#include <stdbool.h>

#define GROUPS_HELD 4096u /* groups in memory; when there are more, they are put aside */
#define GROUP_PARTS 64u   /* of those put aside; one of them is in memory at the end */

/*
 * Key of a row: what rows are shown by, then what else rows of one member differ in, such as their
 * launch, then the member.
 */
typedef struct GroupKey {
    const char *text;
    uint32_t shown;  /* bytes of the first part … */
    uint32_t row;    /* … of the first two … */
    uint32_t length; /* … and of all */
} GroupKey;

/* Rows with the same key; once settled, with the same first part of it. */
typedef struct Group {
    GroupKey key;       /* its text is in the map */
    char *label;        /* sanitized */
    long double weight; /* wide enough that the order of addition does not show */
    uint64_t rows;
} Group;

/* Groups put aside at one time: where those of each part begin, and where the last ones end. */
typedef struct GroupRun {
    uint64_t begins[GROUP_PARTS + 1];
} GroupRun;

/*
 * Rows added up by key. A row of a rank has a key of its own, so there may be any number of them:
 * all but the latest are in a temporary file until GroupsSettle. Zeroed memory holds none.
 */
typedef struct Groups {
    uint32_t combine; /* OpprofCombine of the weight. Set by the owner. */
    Group *list;
    uint32_t count;
    uint32_t capacity;
    OpprofTextMap keys; /* places in the list */
    OpprofSpool spool;
    OpprofOutputDirectory *directory; /* of its file; NULL: memory. Set by the owner. */
    GroupRun *runs;
    uint32_t run_count;
    uint32_t run_capacity;
    uint64_t total;    /* groups, once settled */
    uint64_t heavy;    /* those that weigh anything */
    uint64_t row_keys; /* different rows of members, such as launches */
    long double whole; /* weight of all of them, once settled */
} Groups;

/* The group of a key, until the next call. A new one has a weight of 0 and
 * no label: give it one. */
OpprofStatus GroupsFind(Groups *groups, GroupKey key, Group **ret_group, OpprofError **error);

/* Take the weight of a row of the group. */
void GroupAdd(const Groups *groups, Group *group, double weight);

/* The label is the lowest one, whichever came first. False without memory. */
bool GroupName(Group *group, const char *label);

/*
 * All rows are added: members become one group, then what else differs; the heaviest groups stay in
 * the list, heaviest first.
 */
OpprofStatus GroupsSettle(Groups *groups, uint32_t most, OpprofError **error);

void GroupsFinish(Groups *groups);

#endif
