/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how much of the vector unit an instruction uses, and its bank conflicts. */
#include "vector_unit.h"
#include <string.h>

#define BLOCKS 8u /* of 32 bytes that an operand has in one repetition */
#define BLOCK_BYTES 32u
#define MOST_BYTES (255.0 * 8 * 32) /* of an instruction: 255 repetitions of 8 blocks */
#define BANK_GROUPS 16u

/* ---- state ---- */

static bool find(const char *text, size_t length, const char *key, const char **ret_behind)
{
    const char *hit = memmem(text, length, key, strlen(key));

    *ret_behind = hit == NULL ? NULL : hit + strlen(key);
    return hit != NULL;
}

/* "XN:X19=0x800,Pos:0" */
static bool read_mask_a2(const char *detail, size_t length, uint64_t *ret_value,
                         uint64_t *ret_position)
{
    OperandValues values;

    OperandValuesRead(OPERANDS_A2, detail, length, &values);
    *ret_value = values.xn;
    return (values.has & OPERAND_XN) != 0 &&
           OperandNumber(detail, length, ",Pos:", OPERAND_DECIMAL, ret_position);
}

/* "mask:0,X3:ffff" */
static bool read_mask_310p(const char *detail, size_t length, uint64_t *ret_value,
                           uint64_t *ret_position)
{
    const char *after;
    const char *end = detail + length;
    OperandRegisters registers;
    const char *colon;

    if (!OperandNumber(detail, length, "mask:", OPERAND_DECIMAL, ret_position) ||
        !find(detail, length, ",X", &after)) {
        return false;
    }
    colon = memchr(after, ':', (size_t) (end - after));
    if (colon == NULL) {
        return false;
    }
    OperandRegistersRead(OPERANDS_A2, after - 1, (size_t) (colon - after + 1), &registers);
    return registers.count == 1 &&
           OperandNumber(colon, (size_t) (end - colon), ":", OPERAND_HEX, ret_value);
}

static bool read_mode(OperandDialect dialect, const char *detail, size_t length,
                      uint64_t *ret_value)
{
    OperandValues values;
    const char *after;

    if (dialect == OPERANDS_310P) {
        return OperandNumber(detail, length, "SPR_CTRL=", OPERAND_HEX, ret_value);
    }
    if (!find(detail, length, "SPR:CTRL,XN:", &after)) {
        return false;
    }
    after -= strlen("XN:");
    OperandValuesRead(dialect, after, length - (size_t) (after - detail), &values);
    *ret_value = values.xn;
    return (values.has & OPERAND_XN) != 0;
}

void VectorUnitUpdate(VectorUnit *unit, const NameFacts *facts, const char *detail, size_t length)
{
    const OperandDialect dialect = (OperandDialect) facts->dialect;
    uint64_t value, position;

    if (facts->state == VECTOR_STATE_MASK) {
        if ((dialect == OPERANDS_310P ? read_mask_310p : read_mask_a2)(detail, length, &value,
                                                                       &position)) {
            unit->mask[position == 1] = value;
        }
    } else if (facts->state == VECTOR_STATE_MODE && read_mode(dialect, detail, length, &value)) {
        unit->counts_elements = OperandBits(value, 56, 1) != 0;
    }
}

/* ---- utilisation ---- */

static float utilization(const VectorUnit *unit, uint64_t repeats, int type_size)
{
    const uint32_t ones =
        (uint32_t) (__builtin_popcountll(unit->mask[0]) + __builtin_popcountll(unit->mask[1]));
    uint32_t elements = ones * (uint32_t) repeats;
    float percent;

    if (unit->counts_elements) {
        elements = (uint32_t) (unit->mask[1] != 0 ? unit->mask[1] : unit->mask[0]);
    }
    percent = (float) ((double) elements * type_size / MOST_BYTES) * 100.0f;
    return percent > 100.0f ? 100.0f : percent;
}

/* ---- bank conflicts ---- */

/* One operand in the unified buffer. */
typedef struct Operand {
    uint64_t address;
    uint64_t stride; /* in blocks */
} Operand;

int32_t VectorConflicts(const uint8_t *groups, size_t count)
{
    uint32_t counts[BANK_GROUPS] = { 0 };
    uint32_t most = 0;

    for (size_t i = 0; i < count; i++) {
        const uint32_t accesses = ++counts[groups[i] % BANK_GROUPS];

        most = accesses > most ? accesses : most;
    }
    return most > 1 ? (int32_t) (most - 1) : 0;
}

static size_t add_groups(uint8_t *groups, size_t count, const Operand *operand)
{
    for (unsigned i = 0; i < BLOCKS; i++) {
        groups[count++] =
            (uint8_t) OperandBits(operand->address + i * operand->stride * BLOCK_BYTES, 5, 4);
    }
    return count;
}

static void find_conflicts(const Operand *destination, const Operand *sources, size_t count,
                           VectorAccess *access)
{
    uint8_t groups[2 * BLOCKS];
    size_t accesses = 0;

    for (size_t i = 0; i < count; i++) {
        accesses = add_groups(groups, accesses, &sources[i]);
    }
    access->read_conflict = VectorConflicts(groups, accesses);
    accesses = add_groups(groups, 0, destination);
    access->write_conflict = VectorConflicts(groups, accesses);
}

/* ---- 910B and 910_93: strides and repetitions are bits of XT ---- */

static void conflicts_a2(VectorForm form, const OperandValues *values, VectorAccess *access)
{
    const uint64_t xt = values->xt;

    if (form == VECTOR_TWO_SOURCES) {
        const Operand destination = { values->xd, OperandBits(xt, 0, 8) };
        const Operand sources[2] = { { values->xn, OperandBits(xt, 8, 8) },
                                     { values->xm, OperandBits(xt, 16, 8) } };

        find_conflicts(&destination, sources, 2, access);
    } else if (form != VECTOR_OTHER) {
        const Operand destination = { values->xd,
                                      form == VECTOR_REDUCE ? 1 : OperandBits(xt, 0, 16) };
        const Operand source = { values->xn, OperandBits(xt, 16, 16) };

        find_conflicts(&destination, &source, 1, access);
    }
}

/* The operands; false: the type of the data is unknown. */
static bool read_a2(const char *detail, size_t length, OperandValues *values, int *ret_type_size)
{
    OperandValuesRead(OPERANDS_A2, detail, length, values);
    *ret_type_size = OperandTypeSize(values->dtype.text, values->dtype.length);
    return *ret_type_size >= 0;
}

static float use_a2(const VectorUnit *unit, VectorForm form, const char *detail, size_t length)
{
    OperandValues values;
    int type_size;

    if (!read_a2(detail, length, &values, &type_size) || (values.has & OPERAND_XT) == 0) {
        return -1;
    }
    return utilization(
        unit, form == VECTOR_OTHER ? OperandBits(values.xt, 0, 8) : OperandBits(values.xt, 56, 8),
        type_size);
}

/* ---- 310P: everything is named ---- */

static bool operand_310p(const char *detail, size_t length, const char *const keys[3],
                         Operand *operand)
{
    uint64_t repeat_stride;

    return OperandNumber(detail, length, keys[0], OPERAND_HEX, &operand->address) &&
           OperandNumber(detail, length, keys[1], OPERAND_ANY, &operand->stride) &&
           OperandNumber(detail, length, keys[2], OPERAND_ANY, &repeat_stride);
}

static float use_310p(const VectorUnit *unit, const char *detail, size_t length)
{
    uint64_t repeats, code;

    return OperandNumber(detail, length, "repeat:", OPERAND_DECIMAL, &repeats) &&
                   OperandTypeCode(detail, length, &code) && OperandTypeCodeSize(code) >= 0
               ? utilization(unit, repeats, OperandTypeCodeSize(code))
               : -1;
}

static void conflicts_310p(const char *detail, size_t length, VectorAccess *access)
{
    static const char *const keys[3][3] = { { "dest_addr:", "dst_stride:", "dst_rep_stride:" },
                                            { "src_addr:", "src_stride:", "src_rep_stride:" },
                                            { "src1_addr:", "src1_stride:", "src1_rep_stride:" } };
    Operand destination, sources[2];
    uint64_t repeats;

    if (OperandNumber(detail, length, "repeat:", OPERAND_DECIMAL, &repeats) &&
        operand_310p(detail, length, keys[0], &destination) &&
        operand_310p(detail, length, keys[1], &sources[0])) {
        const bool has_second = operand_310p(detail, length, keys[2], &sources[1]);

        find_conflicts(&destination, sources, has_second ? 2 : 1, access);
    }
}

bool VectorUnitUse(const VectorUnit *unit, const NameFacts *facts, const char *detail,
                   size_t length, float *ret_utilization)
{
    if (facts->vector == VECTOR_NONE) {
        return false;
    }
    *ret_utilization = facts->dialect == OPERANDS_A2
                           ? use_a2(unit, (VectorForm) facts->vector, detail, length)
                           : use_310p(unit, detail, length);
    return true;
}

bool VectorAccessRead(const NameFacts *facts, const char *detail, size_t length,
                      VectorAccess *ret_access)
{
    OperandValues values;
    int type_size;

    *ret_access = (VectorAccess){ .read_conflict = -1, .write_conflict = -1 };
    if (facts->vector == VECTOR_NONE) {
        return false;
    }
    if (facts->dialect != OPERANDS_A2) {
        conflicts_310p(detail, length, ret_access);
    } else if (read_a2(detail, length, &values, &type_size)) {
        conflicts_a2((VectorForm) facts->vector, &values, ret_access);
    }
    return true;
}
