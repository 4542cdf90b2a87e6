/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds up rows by key, however many keys there are.
 * Tested by tests/plugins/report/test_groups.
 */
#include "groups.h"

#include <opprof/grow.h>
#include <opprof/record.h>
#include <opprof/intern.h>

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(0x5c1e7a90d3) /* any */

/* Head of a group in the spool, before its key and its label. */
typedef struct KeptGroup {
    long double weight;
    uint64_t rows;
    uint32_t shown, row, length; /* of the key */
    uint32_t label_length;
} KeptGroup;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "add up the rows of a table");
}

/* Groups that become one are in one part. */
static uint32_t part_of(const GroupKey *key)
{
    return (uint32_t) (OpprofInternHash(SEED, key->text, key->shown) % GROUP_PARTS);
}

static void clear(Groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++) {
        free(groups->list[i].label);
    }
    groups->count = 0;
    OpprofTextMapClear(&groups->keys);
}

/* ---- putting aside ---- */

/* Parts are independent of each other, so that only one has to be in memory at the end. */
static int compare_parts(const void *a, const void *b)
{
    const Group *left = a;
    const Group *right = b;
    const uint32_t left_part = part_of(&left->key);
    const uint32_t right_part = part_of(&right->key);

    return (left_part > right_part) - (left_part < right_part);
}

/* The groups of one part on their way to the spool. */
typedef struct Piece {
    char *bytes;
    size_t size;
    size_t capacity;
} Piece;

/* False without memory. */
static bool append(Piece *piece, const void *bytes, size_t size)
{
    if (!OpprofGrow(&piece->bytes, &piece->capacity, piece->size + size, 1)) {
        return false;
    }
    if (size > 0) {
        memcpy(piece->bytes + piece->size, bytes, size);
    }
    piece->size += size;
    return true;
}

/* False without memory. */
static bool append_group(Piece *piece, const Group *group)
{
    KeptGroup kept;

    memset(&kept, 0, sizeof kept); /* also what lies between the members */
    kept.weight = group->weight;
    kept.rows = group->rows;
    kept.shown = group->key.shown;
    kept.row = group->key.row;
    kept.length = group->key.length;
    kept.label_length = (uint32_t) strlen(group->label);
    return append(piece, &kept, sizeof kept) && append(piece, group->key.text, kept.length) &&
           append(piece, group->label, kept.label_length);
}

static OpprofStatus write_piece(Groups *groups, Piece *piece, OpprofError **error)
{
    uint64_t unused;
    OpprofStatus status;

    /* Without an output directory, the spool has no place for a file. */
    groups->spool.most_memory = groups->directory == NULL ? SIZE_MAX : 1;
    status = OpprofSpoolAppend(&groups->spool, groups->directory, piece->bytes, piece->size,
                               &unused, error);
    piece->size = 0;
    return status;
}

/* The groups of the list, which are sorted by part. */
static OpprofStatus write_parts(Groups *groups, GroupRun *run, Piece *piece, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint32_t at = 0;

    for (uint32_t part = 0; status == OPPROF_OK && part < GROUP_PARTS; part++) {
        run->begins[part] = groups->spool.total;
        while (at < groups->count && part_of(&groups->list[at].key) == part) {
            if (!append_group(piece, &groups->list[at++])) {
                return no_memory(error);
            }
        }
        status = write_piece(groups, piece, error);
    }
    run->begins[GROUP_PARTS] = groups->spool.total;
    return status;
}

static OpprofStatus put_aside(Groups *groups, OpprofError **error)
{
    Piece piece = { .bytes = NULL };
    OpprofStatus status;

    if (!OpprofGrow32(&groups->runs, &groups->run_capacity, (size_t) groups->run_count + 1,
                      sizeof *groups->runs)) {
        return no_memory(error);
    }
    if (groups->count > 1) {
        qsort(groups->list, groups->count, sizeof *groups->list, compare_parts);
    }
    status = write_parts(groups, &groups->runs[groups->run_count++], &piece, error);
    free(piece.bytes);
    clear(groups);
    return status;
}

/* ---- adding ---- */

static Group *add(Groups *groups, GroupKey key)
{
    Group group = { .key = key };

    if (!OpprofGrow32(&groups->list, &groups->capacity, (size_t) groups->count + 1,
                      sizeof *groups->list) ||
        !OpprofTextMapPut(&groups->keys, key.text, key.length, groups->count, &group.key.text)) {
        return NULL;
    }
    groups->list[groups->count] = group;
    return &groups->list[groups->count++];
}

/* NULL without memory. */
static Group *find(Groups *groups, GroupKey key)
{
    const uint32_t at = OpprofTextMapFind(&groups->keys, key.text, key.length);

    return at != OPPROF_MAP_NONE ? &groups->list[at] : add(groups, key);
}

OpprofStatus GroupsFind(Groups *groups, GroupKey key, Group **ret_group, OpprofError **error)
{
    if (groups->count >= GROUPS_HELD &&
        OpprofTextMapFind(&groups->keys, key.text, key.length) == OPPROF_MAP_NONE) {
        const OpprofStatus status = put_aside(groups, error);

        if (status != OPPROF_OK) {
            return status;
        }
    }
    *ret_group = find(groups, key);
    return *ret_group != NULL ? OPPROF_OK : no_memory(error);
}

/* Weights that neither add up nor have a mean: the heaviest row is shown for all. */
static bool is_single(const Groups *groups)
{
    return groups->combine == OPPROF_COMBINE_UNKNOWN || groups->combine == OPPROF_COMBINE_NONE;
}

static void add_weight(const Groups *groups, Group *group, long double weight, uint64_t rows)
{
    if (!is_single(groups)) {
        group->weight += weight;
    } else if (group->rows == 0 || weight > group->weight) {
        group->weight = weight;
    }
    group->rows += rows;
}

void GroupAdd(const Groups *groups, Group *group, double weight)
{
    add_weight(groups, group, weight, 1);
}

bool GroupName(Group *group, const char *label)
{
    char *copy;

    if (group->label != NULL && strcmp(label, group->label) >= 0) {
        return true;
    }
    copy = strdup(label);
    if (copy == NULL) {
        return false;
    }
    free(group->label);
    group->label = copy;
    return true;
}

/* ---- settling ---- */

/* The heaviest groups so far; their keys are no longer needed. */
typedef struct Heaviest {
    Group *list;
    uint32_t count;
    uint32_t capacity;
    uint32_t most;
} Heaviest;

/* Heaviest first; weights that differ only by the order of addition are equal, and go by label. */
static int compare_weights(const void *a, const void *b)
{
    const Group *left = a;
    const Group *right = b;
    const float x = (float) left->weight;
    const float y = (float) right->weight;

    return x > y ? -1 : x < y ? 1 : strcmp(left->label, right->label);
}

static void drop_light(Heaviest *heaviest)
{
    if (heaviest->count > 1) {
        qsort(heaviest->list, heaviest->count, sizeof *heaviest->list, compare_weights);
    }
    while (heaviest->count > heaviest->most) {
        free(heaviest->list[--heaviest->count].label);
    }
}

/* By the parts of their keys, each with its length before it. */
static int compare_keys(const void *a, const void *b)
{
    const GroupKey *left = &((const Group *) a)->key;
    const GroupKey *right = &((const Group *) b)->key;
    int order = (left->shown > right->shown) - (left->shown < right->shown);

    order = order != 0 ? order : memcmp(left->text, right->text, left->shown);
    order = order != 0 ? order : (left->row > right->row) - (left->row < right->row);
    return order != 0 ? order
                      : memcmp(left->text + left->shown, right->text + left->shown,
                               left->row - left->shown);
}

static bool is_same_row(const Group *one, const Group *other)
{
    return compare_keys(one, other) == 0;
}

static bool is_shown_as(const Group *one, const Group *other)
{
    return one->key.shown == other->key.shown &&
           memcmp(one->key.text, other->key.text, one->key.shown) == 0;
}

/* Another group becomes a part of one. False without memory. */
static bool merge(const Groups *groups, Group *into, Group *group, bool are_members)
{
    const bool is_good = GroupName(into, group->label);

    if (are_members && groups->combine == OPPROF_COMBINE_LONGEST) {
        into->weight = group->weight > into->weight ? group->weight : into->weight;
        into->rows += group->rows;
    } else {
        add_weight(groups, into, group->weight, group->rows);
    }
    free(group->label);
    group->label = NULL;
    return is_good;
}

/* Groups of the list that are alike become one: the members of a row, or all rows that are shown
 * together. The list is sorted by key. False without memory. */
static bool merge_all(Groups *groups, bool (*is_alike)(const Group *, const Group *),
                      bool are_members)
{
    bool is_good = true;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < groups->count; i++) {
        Group *group = &groups->list[i];

        if (kept > 0 && is_alike(&groups->list[kept - 1], group)) {
            is_good = merge(groups, &groups->list[kept - 1], group, are_members) && is_good;
        } else {
            groups->list[kept++] = *group;
        }
    }
    groups->count = kept;
    return is_good;
}

/* False without memory. */
static bool combine(Groups *groups)
{
    bool is_good = true;

    if (groups->count > 1) {
        qsort(groups->list, groups->count, sizeof *groups->list, compare_keys);
        is_good = merge_all(groups, is_same_row, true);
        groups->row_keys += groups->count;
        is_good = is_good && merge_all(groups, is_shown_as, false);
    } else {
        groups->row_keys += groups->count;
    }
    for (uint32_t i = 0; groups->combine == OPPROF_COMBINE_MEAN && i < groups->count; i++) {
        groups->list[i].weight /= groups->list[i].rows;
    }
    return is_good;
}

/* Moves the groups of the list to the heaviest, and counts them. False without memory. */
static bool take_all(Groups *groups, Heaviest *heaviest)
{
    if (!combine(groups)) {
        return false;
    }
    const size_t wanted = (size_t) heaviest->count + groups->count;

    if (!OpprofGrow32(&heaviest->list, &heaviest->capacity, wanted, sizeof *heaviest->list)) {
        return false;
    }
    for (uint32_t i = 0; i < groups->count; i++) {
        groups->whole += groups->list[i].weight;
        groups->heavy += groups->list[i].weight > 0;
        heaviest->list[heaviest->count++] = groups->list[i];
    }
    groups->total += groups->count;
    groups->count = 0;
    OpprofTextMapClear(&groups->keys);
    drop_light(heaviest);
    return true;
}

/* Adds the groups in a piece of the spool to the list. `bytes` has room for one more byte. False
 * without memory. */
static bool add_kept(Groups *groups, char *bytes, size_t size)
{
    for (size_t at = 0; at + sizeof(KeptGroup) <= size;) {
        KeptGroup kept;
        Group *group;
        char *label;
        char after;
        bool is_good;

        memcpy(&kept, bytes + at, sizeof kept);
        at += sizeof kept;
        group = find(groups, (GroupKey){ bytes + at, kept.shown, kept.row, kept.length });
        label = bytes + at + kept.length;
        at += (size_t) kept.length + kept.label_length;
        after = bytes[at];
        bytes[at] = '\0';
        is_good = group != NULL && GroupName(group, label);
        bytes[at] = after;
        if (!is_good) {
            return false;
        }
        add_weight(groups, group, kept.weight, kept.rows);
    }
    return true;
}

/* The groups of a part, of all runs, are in the list. */
static OpprofStatus load_part(Groups *groups, uint32_t part, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < groups->run_count; i++) {
        const uint64_t from = groups->runs[i].begins[part];
        const size_t size = (size_t) (groups->runs[i].begins[part + 1] - from);
        char *bytes = malloc(size + 1);

        if (bytes == NULL) {
            return no_memory(error);
        }
        status = OpprofSpoolRead(&groups->spool, from, size, bytes, error);
        if (status == OPPROF_OK && !add_kept(groups, bytes, size)) {
            status = no_memory(error);
        }
        free(bytes);
    }
    return status;
}

static OpprofStatus collect(Groups *groups, Heaviest *heaviest, OpprofError **error)
{
    OpprofStatus status;

    if (groups->run_count == 0) {
        return take_all(groups, heaviest) ? OPPROF_OK : no_memory(error);
    }
    status = put_aside(groups, error);
    for (uint32_t part = 0; status == OPPROF_OK && part < GROUP_PARTS; part++) {
        status = load_part(groups, part, error);
        if (status == OPPROF_OK && !take_all(groups, heaviest)) {
            status = no_memory(error);
        }
    }
    return status;
}

OpprofStatus GroupsSettle(Groups *groups, uint32_t most, OpprofError **error)
{
    Heaviest heaviest = { .most = most };
    const OpprofStatus status = collect(groups, &heaviest, error);

    clear(groups); /* of a part, if that failed */
    free(groups->list);
    free(groups->runs);
    OpprofSpoolFinish(&groups->spool);
    OpprofTextMapFinish(&groups->keys);
    groups->runs = NULL;
    groups->run_count = groups->run_capacity = 0;
    groups->list = heaviest.list;
    groups->count = heaviest.count;
    groups->capacity = heaviest.capacity;
    return status;
}

void GroupsFinish(Groups *groups)
{
    clear(groups);
    free(groups->list);
    free(groups->runs);
    OpprofSpoolFinish(&groups->spool);
    OpprofTextMapFinish(&groups->keys);
    *groups = (Groups){ .list = NULL };
}
