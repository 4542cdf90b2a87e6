/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the lowest free sub-lane. Tested by tests/plugins/analyse-sim/timeline/test_lane.c. */
#include "sub_lanes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 8u

/* A leaf holds the first free tick of its sub-lane; unused leaves are never free. */
#define NOT_IN_USE UINT64_MAX

static void rebuild(SubLanes *lanes)
{
    for (uint32_t i = lanes->capacity - 1; i > 0; i--) {
        uint64_t left = lanes->tree[2 * i];
        uint64_t right = lanes->tree[2 * i + 1];

        lanes->tree[i] = left < right ? left : right;
    }
}

static bool grow(SubLanes *lanes)
{
    uint32_t capacity = lanes->capacity == 0 ? FIRST_CAPACITY : lanes->capacity * 2;
    uint64_t *tree = malloc((size_t) capacity * 2 * sizeof *tree);

    if (tree == NULL) {
        return false;
    }
    memset(tree, 0xff, (size_t) capacity * 2 * sizeof *tree);
    if (lanes->count > 0) {
        memcpy(tree + capacity, lanes->tree + lanes->capacity, lanes->count * sizeof *tree);
    }
    free(lanes->tree);
    lanes->tree = tree;
    lanes->capacity = capacity;
    rebuild(lanes);
    return true;
}

static void set_leaf(SubLanes *lanes, uint32_t index, uint64_t free_from)
{
    uint32_t node = lanes->capacity + index;

    lanes->tree[node] = free_from;
    for (node /= 2; node > 0; node /= 2) {
        uint64_t left = lanes->tree[2 * node];
        uint64_t right = lanes->tree[2 * node + 1];
        uint64_t least = left < right ? left : right;

        if (lanes->tree[node] == least) {
            break;
        }
        lanes->tree[node] = least;
    }
}

/* Lowest sub-lane that is free at `start`; one is. */
static uint32_t lowest_free(const SubLanes *lanes, uint64_t start)
{
    uint32_t node = 1;

    while (node < lanes->capacity) {
        node *= 2;
        node += lanes->tree[node] > start;
    }
    return node - lanes->capacity;
}

/* A new sub-lane, or the last one if the limit is reached. */
static uint32_t add_sub_lane(SubLanes *lanes)
{
    uint32_t limit = lanes->limit == 0 ? SUB_LANES_MAX : lanes->limit;

    if (lanes->count == limit) {
        lanes->is_full = true;
        return lanes->count - 1;
    }
    if (lanes->count == lanes->capacity && !grow(lanes)) {
        return SUB_LANES_NO_MEMORY;
    }
    return lanes->count++;
}

uint32_t SubLanesPlace(SubLanes *lanes, uint64_t start, uint64_t end)
{
    uint64_t free_from = end >= NOT_IN_USE - 1 ? NOT_IN_USE - 1 : end + 1;
    uint32_t index;

    start = start == NOT_IN_USE ? NOT_IN_USE - 1 : start;
    if (lanes->count > 0 && lanes->tree[1] <= start) {
        index = lowest_free(lanes, start);
    } else {
        index = add_sub_lane(lanes);
    }
    if (index != SUB_LANES_NO_MEMORY) {
        set_leaf(lanes, index, free_from);
    }
    return index;
}

uint32_t SubLanesPlaceNothing(SubLanes *lanes)
{
    if (lanes->count > 0) {
        return 0;
    }
    if (lanes->capacity == 0 && !grow(lanes)) {
        return SUB_LANES_NO_MEMORY;
    }
    lanes->count = 1;
    set_leaf(lanes, 0, 0);
    return 0;
}

void SubLanesFinish(SubLanes *lanes)
{
    free(lanes->tree);
    *lanes = (SubLanes){ .limit = lanes->limit };
}
