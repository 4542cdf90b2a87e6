/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds launches without a file that other launches of the same kernel have.
 * Tested by tests/plugins/parse-dbi/test_mutations.sh.
 */
#include "uneven.h"

#include <opprof/kit/raw_names.h>
#include <opprof/text.h>

#include <string.h>

/* Each is a bit. Records of moves come in one of three forms. */
static const struct {
    const char *role;
    uint32_t bit;
} roles[] = {
    { "dbi_area", 0 }, { "dbi_packets", 0 },  { "memory_chart", 0 }, { "block_map", 1 },
    { "counted", 2 },  { "block_counts", 3 }, { "samples", 4 },      { "liveness", 5 },
    { "warps", 6 },    { "operands", 7 },
};

enum { BITS = 8 };

uint32_t UnevenRole(const char *file)
{
    const char *role = OpprofRawRole("auto", file, NULL);

    for (size_t i = 0; role != NULL && i < OPPROF_COUNT(roles); i++) {
        if (strcmp(roles[i].role, role) == 0) {
            return UINT32_C(1) << roles[i].bit;
        }
    }
    return 0;
}

/* Bytes of the place that launches of one kernel have in common. */
static size_t kernel_length(const Launch *launch)
{
    const char *slash = strrchr(launch->place, '/');

    return slash == NULL ? 0 : (size_t) (slash - launch->place);
}

static bool is_same_kernel(const Launch *a, const Launch *b)
{
    const size_t length = kernel_length(a);

    return length == kernel_length(b) && memcmp(a->place, b->place, length) == 0;
}

static void report_role(const Launch *first, size_t count, uint32_t bit, OpprofStage *stage)
{
    const Launch *without = NULL;
    size_t lacking = 0;
    size_t i = 0;
    char name[128];

    for (size_t k = count; k-- > 0;) {
        if (first[k].part_count == 0 && (first[k].roles >> bit & 1) == 0) {
            without = &first[k];
            lacking++;
        }
    }
    if (lacking == 0 || lacking == count) {
        return;
    }
    while (roles[i].bit != bit) {
        i++;
    }
    OpprofRawFileName("auto", roles[bit == 0 ? 2 : i].role, 0, name, sizeof name);
    OpprofStageIncomplete(stage,
                          "%zu of %zu launches of '%.*s', such as '%s', %s no file '%s', which the "
                          "others have%s",
                          lacking, count, (int) kernel_length(without), without->place,
                          without->place, OPPROF_PLURAL(lacking, "has", "have"), name,
                          bit == 0 ? ", or another form of it" : "");
}

void UnevenReport(const Launches *launches, OpprofStage *stage)
{
    for (size_t at = 0, next; at < launches->count; at = next) {
        const Launch *first = &launches->list[at];
        uint32_t all = 0;

        for (next = at; next < launches->count && is_same_kernel(first, &launches->list[next]);
             next++) {
            all |= launches->list[next].roles;
        }
        for (uint32_t bit = 0; bit < BITS; bit++) {
            if ((all >> bit & 1) != 0) {
                report_role(first, next - at, bit, stage);
            }
        }
    }
}
