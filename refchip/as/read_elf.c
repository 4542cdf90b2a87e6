/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a kernel's file, as the assembler writes it. Tested by tests/refchip/test_instrument.sh. */
#include "assemble.h"
#include "refchip/isa.h"
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (16u << 20)

typedef struct File {
    uint8_t *data;
    size_t size;
    Elf64_Ehdr head;
} File;

static bool read_file(const char *path, File *file, const char **why)
{
    FILE *in = fopen(path, "rbe");

    file->data = malloc(MOST_BYTES);
    if (in == NULL || file->data == NULL) {
        *why = in == NULL ? strerror(errno) : "out of memory";
    } else {
        file->size = fread(file->data, 1, MOST_BYTES, in);
    }
    if (in != NULL) {
        fclose(in);
    }
    return in != NULL && file->data != NULL;
}

static bool is_kernel(File *file)
{
    if (file->size < sizeof file->head || file->size == MOST_BYTES) {
        return false;
    }
    memcpy(&file->head, file->data, sizeof file->head);
    return memcmp(file->head.e_ident, ELFMAG, SELFMAG) == 0 && file->head.e_machine == EM_NONE &&
           file->head.e_shentsize == sizeof(Elf64_Shdr) && file->head.e_flags >= ISA_KIND_CUBE &&
           file->head.e_flags <= ISA_KIND_MIX;
}

/* The section of a type, or the one that holds code. */
static bool find_section(const File *file, uint32_t type, Elf64_Shdr *section)
{
    for (uint32_t i = 1; i < file->head.e_shnum; i++) {
        const uint64_t at = file->head.e_shoff + (uint64_t) i * sizeof *section;

        if (at > file->size || file->size - at < sizeof *section) {
            return false;
        }
        memcpy(section, file->data + at, sizeof *section);
        if (section->sh_type == type &&
            (type != SHT_PROGBITS || (section->sh_flags & SHF_EXECINSTR) != 0)) {
            return section->sh_offset <= file->size &&
                   section->sh_size <= file->size - section->sh_offset;
        }
    }
    return false;
}

static bool copy_text(const File *file, AsmCode *code)
{
    Elf64_Shdr text;

    if (!find_section(file, SHT_PROGBITS, &text) || text.sh_size < 4) {
        return false;
    }
    code->count = code->room = text.sh_size / 4;
    code->words = malloc(4 * code->count);
    code->lines = calloc(code->count, sizeof *code->lines);
    if (code->words == NULL || code->lines == NULL) {
        return false;
    }
    memcpy(code->words, file->data + text.sh_offset, 4 * code->count);
    return true;
}

/* The kernel's name is that of its first function, without what says which cores it is for. */
static bool take_function(const Elf64_Sym *symbol, const char *name, AsmCode *code)
{
    const size_t length = strlen(name), tail = strlen(ISA_CUBE_PART);
    const bool is_mix = code->kind == ISA_KIND_MIX;
    const bool is_vector =
        is_mix && length > tail && strcmp(name + length - tail, ISA_VECTOR_PART) == 0;

    if (is_mix && length <= tail) {
        return false;
    }
    if (!is_vector && code->kernel[0] != '\0') {
        return false; /* a file of this assembler has one kernel */
    }
    snprintf(code->kernel, sizeof code->kernel, "%.*s", (int) (is_mix ? length - tail : length),
             name);
    code->parts[is_vector] = symbol->st_value / 4;
    return symbol->st_value / 4 < code->count;
}

static bool read_symbols(const File *file, AsmCode *code)
{
    Elf64_Shdr symbols, strings;

    if (!find_section(file, SHT_SYMTAB, &symbols) || !find_section(file, SHT_STRTAB, &strings) ||
        strings.sh_size == 0 || file->data[strings.sh_offset + strings.sh_size - 1] != '\0') {
        return false;
    }
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;

        memcpy(&symbol, file->data + symbols.sh_offset + at, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
            (symbol.st_name >= strings.sh_size ||
             !take_function(&symbol, (const char *) file->data + strings.sh_offset + symbol.st_name,
                            code))) {
            return false;
        }
    }
    return code->kernel[0] != '\0';
}

bool AsmReadElf(const char *path, AsmCode *code, const char **why)
{
    File file = { .data = NULL };
    bool is_good;

    *code = (AsmCode){ .count = 0 };
    is_good = read_file(path, &file, why);
    if (is_good) {
        *why = "it is not a kernel of the reference chip";
        is_good = is_kernel(&file);
        code->kind = is_good ? file.head.e_flags : 0;
        is_good = is_good && copy_text(&file, code) && read_symbols(&file, code);
    }
    code->kernel_line = 1;
    free(file.data);
    return is_good;
}
