/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels: ELF files of the reference chip, read and given an address. Tested by
 * tests/refchip/test_operators.sh. */
#include "refchip/isa.h"
#include "state.h"
#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PC UINT64_C(0x10f86000)
#define PC_STEP UINT64_C(0x10000)

/* An ELF file; ranges are checked before use. */
typedef struct Elf {
    const uint8_t *data;
    uint64_t size;
    Elf64_Ehdr head;
} Elf;

static bool is_inside(const Elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->size && size <= elf->size - offset;
}

static bool read_section(const Elf *elf, uint32_t index, Elf64_Shdr *section)
{
    const uint64_t at = elf->head.e_shoff + (uint64_t) index * sizeof *section;

    if (index >= elf->head.e_shnum || !is_inside(elf, at, sizeof *section)) {
        return false;
    }
    memcpy(section, elf->data + at, sizeof *section);
    return section->sh_type == SHT_NOBITS || is_inside(elf, section->sh_offset, section->sh_size);
}

static bool read_head(Elf *elf)
{
    if (elf->size < sizeof elf->head) {
        return false;
    }
    memcpy(&elf->head, elf->data, sizeof elf->head);
    return memcmp(elf->head.e_ident, ELFMAG, SELFMAG) == 0 &&
           elf->head.e_ident[EI_CLASS] == ELFCLASS64 &&
           elf->head.e_shentsize == sizeof(Elf64_Shdr) && elf->head.e_flags >= ISA_KIND_CUBE &&
           elf->head.e_flags <= ISA_KIND_MIX;
}

static bool copy_text(const Elf *elf, Binary *binary)
{
    Elf64_Shdr section;

    for (uint32_t i = 1; i < elf->head.e_shnum; i++) {
        if (!read_section(elf, i, &section)) {
            return false;
        }
        if (section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_EXECINSTR) != 0) {
            binary->words = (uint32_t) (section.sh_size / 4);
            binary->text = malloc(section.sh_size + 4);
            if (binary->text == NULL) {
                return false;
            }
            memcpy(binary->text, elf->data + section.sh_offset, section.sh_size);
            return true;
        }
    }
    return false;
}

static bool add_kernel(Binary *binary, const char *name, uint64_t entry)
{
    Kernel *kernels = reallocarray(binary->kernels, binary->kernel_count + 1, sizeof *kernels);

    if (kernels == NULL) {
        return false;
    }
    binary->kernels = kernels;
    kernels[binary->kernel_count] =
        (Kernel){ .name = strdup(name), .entry = (uint32_t) (entry / 4) };
    return kernels[binary->kernel_count++].name != NULL;
}

static bool ends_in(const char *name, const char *tail)
{
    const size_t length = strlen(name), most = strlen(tail);

    return length > most && strcmp(name + length - most, tail) == 0;
}

/* The functions of a mixed kernel are one, by the name without its end; the cube cores' comes
 * first. */
static bool add_part(Binary *binary, const char *name, uint64_t entry)
{
    char base[256];
    const bool is_vector = ends_in(name, ISA_VECTOR_PART);

    if (strlen(name) >= sizeof base || (!is_vector && !ends_in(name, ISA_CUBE_PART))) {
        return true;
    }
    snprintf(base, sizeof base, "%.*s", (int) (strlen(name) - strlen(ISA_CUBE_PART)), name);
    if (!is_vector) {
        return add_kernel(binary, base, entry);
    }
    for (uint32_t i = 0; i < binary->kernel_count; i++) {
        if (strcmp(binary->kernels[i].name, base) == 0) {
            binary->kernels[i].vector_entry = (uint32_t) (entry / 4);
        }
    }
    return true;
}

static bool read_symbols(const Elf *elf, const Elf64_Shdr *symbols, Binary *binary)
{
    Elf64_Shdr strings;
    Elf64_Sym symbol;

    if (!read_section(elf, symbols->sh_link, &strings) || strings.sh_size == 0 ||
        elf->data[strings.sh_offset + strings.sh_size - 1] != '\0') {
        return false;
    }
    for (uint64_t at = 0; at + sizeof symbol <= symbols->sh_size; at += sizeof symbol) {
        memcpy(&symbol, elf->data + symbols->sh_offset + at, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_name < strings.sh_size &&
            symbol.st_value / 4 < binary->words &&
            !(elf->head.e_flags == ISA_KIND_MIX ? add_part : add_kernel)(
                binary, (const char *) elf->data + strings.sh_offset + symbol.st_name,
                symbol.st_value)) {
            return false;
        }
    }
    return true;
}

static bool find_kernels(const Elf *elf, Binary *binary)
{
    Elf64_Shdr section;

    for (uint32_t i = 1; i < elf->head.e_shnum; i++) {
        if (read_section(elf, i, &section) && section.sh_type == SHT_SYMTAB &&
            !read_symbols(elf, &section, binary)) {
            return false;
        }
    }
    return binary->kernel_count > 0;
}

/* Give it an address of its own, and keep it. */
static void place(Binary *binary)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t next = FIRST_PC; /* guarded by lock */
    static Binary *binaries;         /* guarded by lock */

    pthread_mutex_lock(&lock);
    binary->load_pc = next;
    next += PC_STEP;
    binary->next = binaries;
    binaries = binary;
    pthread_mutex_unlock(&lock);
}

static void free_binary(Binary *binary)
{
    for (uint32_t i = 0; i < binary->kernel_count; i++) {
        free(binary->kernels[i].name);
    }
    free(binary->kernels);
    free(binary->text);
    free(binary);
}

Binary *BinaryLoad(const void *data, uint64_t size)
{
    Elf elf = { .data = data, .size = size };
    Binary *binary = calloc(1, sizeof *binary);

    if (binary == NULL) {
        return NULL;
    }
    if (!read_head(&elf) || !copy_text(&elf, binary) || !find_kernels(&elf, binary)) {
        free_binary(binary);
        return NULL;
    }
    binary->kind = elf.head.e_flags;
    place(binary);
    return binary;
}

const Kernel *BinaryKernel(const Binary *binary, const char *name)
{
    for (uint32_t i = 0; i < binary->kernel_count; i++) {
        if (strcmp(binary->kernels[i].name, name) == 0) {
            return &binary->kernels[i];
        }
    }
    return NULL;
}

const Kernel *BinaryKernelByKey(const Binary *binary, uint64_t key)
{
    char suffix[24];

    snprintf(suffix, sizeof suffix, "_%llu", (unsigned long long) key);
    for (uint32_t i = 0; i < binary->kernel_count; i++) {
        const char *name = binary->kernels[i].name;
        const size_t length = strlen(name), tail = strlen(suffix);

        if (length > tail && strcmp(name + length - tail, suffix) == 0) {
            return &binary->kernels[i];
        }
    }
    return binary->kernel_count == 1 ? &binary->kernels[0] : NULL;
}
