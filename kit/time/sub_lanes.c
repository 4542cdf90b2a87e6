/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the lowest free lane. */
#include <opprof/kit/sub_lanes.h>

#include <opprof/require.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 4u

/* A leaf holds the first moment at which its lane is free; unused leaves are never free. */
#define NOT_IN_USE UINT64_MAX

#define REQUIRE_LANES(lanes)                                                                       \
    OPPROF_REQUIRE("sub-lanes-given", (lanes) != NULL, "The lanes are given")

static uint64_t least_below(const OpprofSubLanes *lanes, uint32_t node)
{
    const uint64_t left = lanes->tree[2 * (size_t) node];
    const uint64_t right = lanes->tree[2 * (size_t) node + 1];

    return left < right ? left : right;
}

static bool grow(OpprofSubLanes *lanes)
{
    const uint32_t capacity = lanes->capacity == 0 ? FIRST_CAPACITY : lanes->capacity * 2;
    uint64_t *tree = capacity == 0 ? NULL : calloc(2 * (size_t) capacity, sizeof *tree);

    if (tree == NULL) {
        return false;
    }
    memset(tree, 0xff, 2 * (size_t) capacity * sizeof *tree); /* NOT_IN_USE */
    if (lanes->count > 0) {
        memcpy(tree + capacity, lanes->tree + lanes->capacity, lanes->count * sizeof *tree);
    }
    free(lanes->tree);
    lanes->tree = tree;
    lanes->capacity = capacity;
    for (uint32_t node = capacity - 1; node > 0; node--) {
        tree[node] = least_below(lanes, node);
    }
    return true;
}

/* NOT_IN_USE is not a moment. */
static uint64_t moment(uint64_t time)
{
    return time == NOT_IN_USE ? NOT_IN_USE - 1 : time;
}

void OpprofSubLanesTake(OpprofSubLanes *lanes, uint32_t lane, uint64_t free_from)
{
    REQUIRE_LANES(lanes);
    OPPROF_REQUIRE("sub-lanes-lane", lane < lanes->count, "The lane is one of those in use");

    uint32_t node = lanes->capacity + lane;

    lanes->tree[node] = moment(free_from);
    for (node /= 2; node > 0; node /= 2) {
        const uint64_t least = least_below(lanes, node);

        if (lanes->tree[node] == least) {
            break;
        }
        lanes->tree[node] = least;
    }
}

/* Lowest lane that is free at `start`; one is. */
static uint32_t lowest_free(const OpprofSubLanes *lanes, uint64_t start)
{
    uint32_t node = 1;

    while (node < lanes->capacity) {
        node *= 2;
        node += lanes->tree[node] > start;
    }
    return node - lanes->capacity;
}

static uint32_t add_lane(OpprofSubLanes *lanes, uint32_t limit)
{
    if (lanes->count >= limit) {
        return OPPROF_SUB_LANES_FULL;
    }
    if (lanes->count == lanes->capacity && !grow(lanes)) {
        return OPPROF_SUB_LANES_NO_MEMORY;
    }
    return lanes->count++;
}

uint32_t OpprofSubLanesPlace(OpprofSubLanes *lanes, uint64_t start, uint64_t free_from,
                             uint32_t limit)
{
    REQUIRE_LANES(lanes);

    const bool is_free = lanes->count > 0 && lanes->tree[1] <= moment(start);
    const uint32_t lane = is_free ? lowest_free(lanes, moment(start)) : add_lane(lanes, limit);

    if (lane < lanes->count) {
        OpprofSubLanesTake(lanes, lane, free_from);
    }
    return lane;
}

void OpprofSubLanesFinish(OpprofSubLanes *lanes)
{
    REQUIRE_LANES(lanes);
    free(lanes->tree);
    *lanes = (OpprofSubLanes){ .tree = NULL };
}
