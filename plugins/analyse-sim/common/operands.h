/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_OPERANDS_H
#define ANALYSE_SIM_COMMON_OPERANDS_H

/*
 * Content of operand texts: values and registers, by the forms that a chip's file states
 * (`operands` of a dialect). Texts have no blanks. A value is read at the first place in the text
 * where one of its forms matches; a number that does not fit is absent.
 */

#include <opprof/kit/chip.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPERAND_VALUES 32u         /* that a dialect names */
#define OPERAND_REGISTERS 256u     /* numbers that a register can have */
#define OPERAND_MOST_REGISTERS 32u /* of one text; more are left out */

/* Forms of a dialect. Opaque, immutable. */
typedef struct OperandForms OperandForms;

/* Make the forms of the member `operands` of a dialect. OPPROF_E_DATA: a form is faulty, or there
 * are too many. */
OpprofStatus OperandFormsRead(const OpprofFact *operands, OperandForms **ret_forms,
                              OpprofError **error);
void OperandFormsFree(OperandForms *forms);

/* Place of a value; OPERAND_VALUES: unknown name. */
uint32_t OperandFormsPlace(const OperandForms *forms, const char *name);
/* The number that a word stands for, of any value; false: none. */
bool OperandFormsMeaning(const OperandForms *forms, const char *word, uint64_t *ret_number);
/* Number of registers: a register's number is taken modulo this. */
uint32_t OperandFormsRegisters(const OperandForms *forms);

/* Reads some values of a dialect. Opaque, immutable. */
typedef struct OperandReader OperandReader;

/* `wanted`: a bit for each place. NULL without memory. */
OperandReader *OperandReaderCreate(const OperandForms *forms, uint32_t wanted);
void OperandReaderDestroy(OperandReader *reader);

/* Values that exist get their bit in the result, and their number; other wanted values get the
 * number 0. */
uint32_t OperandReaderRead(const OperandReader *reader, const char *text, size_t length,
                           uint64_t *values);

/* Registers in the order of the text. */
typedef struct OperandRegisters {
    uint32_t count;
    uint32_t written; /* a bit per register: the text itself says that it is written */
    uint8_t number[OPERAND_MOST_REGISTERS];
} OperandRegisters;

void OperandRegistersRead(const OperandForms *forms, const char *text, size_t length,
                          OperandRegisters *ret_registers);

#endif
