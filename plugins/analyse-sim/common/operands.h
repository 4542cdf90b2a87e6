/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_DETAILS_OPERANDS_H
#define SIM_DETAILS_OPERANDS_H

/*
 * What operand texts say: registers and their values. Texts have no blanks; every look at one is a
 * single pass by hand. A value is the first one in the text; a number that does not fit is absent.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a chip's simulator prints operands and names. */
typedef enum OperandDialect {
    OPERANDS_NONE = 0, /* nothing is known of them */
    OPERANDS_A2 = 1,   /* LOAD_2D  XD:X0=0x70000, XN:X0=0x113f9600 */
    OPERANDS_310P = 2, /* load_out_to_l1_2d(xd:0, xdValue:0x70000) */
    OPERANDS_950 = 3   /* ADD_IMM  [Rd:3|R],[Rn:2|R] */
} OperandDialect;

/* A text in the operands; NULL: absent. */
typedef struct OperandWord {
    const char *text;
    size_t length;
} OperandWord;

/* Which of the values below are there. */
typedef enum OperandMask {
    OPERAND_XD = 1u << 0,
    OPERAND_XN = 1u << 1,
    OPERAND_XM = 1u << 2,
    OPERAND_XS = 1u << 3,
    OPERAND_XT = 1u << 4
} OperandMask;

/* Values of registers and words; a value that is absent is 0. */
typedef struct OperandValues {
    unsigned has; /* OperandMask */
    uint64_t xd, xn, xm, xs, xt;
    OperandWord src, dst, dtype;
} OperandValues;

/* "XD:X0=0x70000", "Src:OUT", "Dtype:F16"; or "xdValue:0x70000". */
void OperandValuesRead(OperandDialect dialect, const char *text, size_t length,
                       OperandValues *ret_values);

/* How OperandNumber reads digits. */
typedef enum OperandBase {
    OPERAND_DECIMAL = 0,
    OPERAND_HEX = 1, /* with or without 0x */
    OPERAND_ANY = 2  /* hexadecimal with 0x, else decimal */
} OperandBase;

/* The number after a key such as "repeat:"; false: absent. */
bool OperandNumber(const char *text, size_t length, const char *key, OperandBase base,
                   uint64_t *ret_value);
/* The data type code of 310P: [Tt]ype, up to three ':' and then decimal digits. */
bool OperandTypeCode(const char *text, size_t length, uint64_t *ret_code);

#define OPERAND_REGISTERS 256u     /* numbers that a register can have */
#define OPERAND_MOST_REGISTERS 32u /* of one text; more are left out */

/* Registers in the order of the text. */
typedef struct OperandRegisters {
    uint32_t count;
    uint32_t written; /* a bit per register: the text itself says that it is written (950) */
    uint8_t number[OPERAND_MOST_REGISTERS];
} OperandRegisters;

void OperandRegistersRead(OperandDialect dialect, const char *text, size_t length,
                          OperandRegisters *ret_registers);

/* Bytes of a data type, by its A2 name or its 310P code; -1: unknown. */
int OperandTypeSize(const char *name, size_t length);
int OperandTypeCodeSize(uint64_t code);

/* bits(v, s, n): n bits of a value from bit s on; 0 if either is 64 or more. */
static inline uint64_t OperandBits(uint64_t value, unsigned shift, unsigned count)
{
    return shift >= 64 || count >= 64 ? 0 : (value >> shift) & ((UINT64_C(1) << count) - 1);
}

#endif
