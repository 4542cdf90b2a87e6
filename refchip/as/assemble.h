/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_AS_ASSEMBLE_H
#define REFCHIP_AS_ASSEMBLE_H

/* From the source of a kernel to words of code with a source line each. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct AsmCode {
    uint32_t *words;
    uint32_t *lines; /* source line of each word */
    size_t count;
    size_t room;
    char kernel[128]; /* name */
    uint32_t kind;    /* ISA_KIND_… */
    uint32_t kernel_line;
    size_t parts[2]; /* of a mixed kernel: words that its cube and its vector function begin with */
} AsmCode;

/* A mistake in a source. */
typedef struct AsmError {
    uint32_t line;
    char text[160];
} AsmError;

/* Assemble a NUL-terminated source. False: *error says why; finish the code in either case. */
bool Assemble(const char *source, AsmCode *code, AsmError *error);
void AsmCodeFinish(AsmCode *code);

/* Read the code of a kernel's file back; it has no source lines. False: *why says what is wrong. */
bool AsmReadElf(const char *path, AsmCode *code, const char **why);
/* Write an ELF file with DWARF lines that name `source`. False: errno says why. */
bool AsmWriteElf(const AsmCode *code, const char *source, const char *path);

#endif
