/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how much of the vector unit an instruction uses, and its bank conflicts. */
#include "vector_unit.h"

/* ---- state ---- */

void VectorUnitUpdate(VectorUnit *unit, const NameFacts *facts, const char *detail, size_t length)
{
    const DialectRule *rule = facts->state;
    DialectNumbers numbers;

    if (rule == NULL || !DialectRead(rule, detail, length, &numbers)) {
        return;
    }
    if (DialectHas(rule, FORMULA_MASK)) {
        unit->mask[DialectValue(rule, FORMULA_HALF, &numbers) == 1] =
            DialectValue(rule, FORMULA_MASK, &numbers);
    }
    if (DialectHas(rule, FORMULA_COUNTS_ELEMENTS)) {
        unit->counts_elements = DialectValue(rule, FORMULA_COUNTS_ELEMENTS, &numbers) != 0;
    }
}

/* ---- utilisation ---- */

static float utilization(const VectorUnit *unit, const VectorShape *shape, uint64_t repeats,
                         uint64_t element_bytes)
{
    const uint32_t ones =
        (uint32_t) (__builtin_popcountll(unit->mask[0]) + __builtin_popcountll(unit->mask[1]));
    const double most = (double) shape->repeats * shape->blocks * shape->block_bytes;
    uint32_t elements = ones * (uint32_t) repeats;
    float percent;

    if (unit->counts_elements) {
        elements = (uint32_t) (unit->mask[1] != 0 ? unit->mask[1] : unit->mask[0]);
    }
    percent = (float) ((double) elements * (double) element_bytes / most) * 100.0f;
    return percent > 100.0f ? 100.0f : percent;
}

bool VectorUnitUse(const VectorUnit *unit, const NameFacts *facts, const char *detail,
                   size_t length, float *ret_utilization)
{
    const DialectRule *rule = facts->vector;
    DialectNumbers numbers;

    if (rule == NULL) {
        return false;
    }
    *ret_utilization = -1;
    if (DialectHas(rule, FORMULA_REPEATS) && DialectRead(rule, detail, length, &numbers)) {
        *ret_utilization = utilization(unit, DialectVector(facts->dialect),
                                       DialectValue(rule, FORMULA_REPEATS, &numbers),
                                       DialectValue(rule, FORMULA_ELEMENT_BYTES, &numbers));
    }
    return true;
}

/* ---- bank conflicts ---- */

int32_t VectorConflicts(const uint8_t *groups, size_t count)
{
    uint32_t counts[DIALECT_BANKS] = { 0 };
    uint32_t most = 0;

    for (size_t i = 0; i < count; i++) {
        const uint32_t accesses = ++counts[groups[i]];

        most = accesses > most ? accesses : most;
    }
    return most > 1 ? (int32_t) (most - 1) : 0;
}

/* The bank group of each block of an operand. */
static size_t add_groups(uint8_t *groups, size_t count, const VectorShape *shape,
                         const DialectRule *rule, unsigned operand, const DialectNumbers *numbers)
{
    const uint64_t stride = DialectValue(rule, operand + 1, numbers);
    uint64_t block = DialectValue(rule, operand, numbers) / shape->block_bytes;

    for (unsigned i = 0; i < shape->blocks; i++, block += stride) {
        groups[count++] = (uint8_t) (shape->bank_mask != 0 ? block & shape->bank_mask
                                                           : block % shape->bank_groups);
    }
    return count;
}

bool VectorAccessRead(const NameFacts *facts, const char *detail, size_t length,
                      VectorAccess *ret_access)
{
    const DialectRule *rule = facts->vector;
    uint8_t groups[DIALECT_SOURCES * DIALECT_BLOCKS];
    DialectNumbers numbers;
    size_t count = 0;

    *ret_access = (VectorAccess){ .read_conflict = -1, .write_conflict = -1 };
    if (rule == NULL) {
        return false;
    }
    DialectRead(rule, detail, length, &numbers);
    if (!DialectHasBlocks(rule, &numbers)) {
        return true;
    }
    const VectorShape *shape = DialectVector(facts->dialect);
    for (uint32_t i = 0; i < DIALECT_SOURCES; i++) {
        if (DialectHasSource(rule, i, &numbers)) {
            count = add_groups(groups, count, shape, rule, FORMULA_SOURCES + 2 * i, &numbers);
        }
    }
    ret_access->read_conflict = VectorConflicts(groups, count);
    count = add_groups(groups, 0, shape, rule, FORMULA_DESTINATION, &numbers);
    ret_access->write_conflict = VectorConflicts(groups, count);
    return true;
}
