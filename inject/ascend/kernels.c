/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registrations of the program: binaries, and functions and stubs that stand for their kernels.
 * Tested by tests/inject/ascend/test_kernels.c and tests/refchip/test_injection.sh.
 */
#include "inject/ascend/ascend.h"
#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FILE_BYTES (UINT64_C(10) << 30)

typedef struct BinaryEntry {
    const void *handle;
    KernelImage *image; /* shared by aliases; never freed, for launches may refer to it */
    struct BinaryEntry *next;
} BinaryEntry;

typedef struct FunctionEntry {
    const void *function;
    const void *handle;
    char *name; /* NULL: by key */
    uint64_t key;
    struct FunctionEntry *next;
} FunctionEntry;

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* guards the lists, whose newest entry counts */
static BinaryEntry *binaries;
static FunctionEntry *functions;

/* A section of the vendor's collective kernels. */
#define COLLECTIVE_SECTION "Attr_Section_Lcal"

static bool has_section(const KernelImage *image, const char *name);

static void add_image(const void *handle, KernelImage *image)
{
    BinaryEntry *entry = malloc(sizeof *entry);

    if (entry == NULL) {
        return;
    }
    pthread_mutex_lock(&lock);
    *entry = (BinaryEntry){ handle, image, binaries };
    binaries = entry;
    pthread_mutex_unlock(&lock);
}

void KernelsAddBinary(const void *handle, const void *data, size_t size, uint32_t magic)
{
    KernelImage *image = malloc(sizeof *image);

    if (image == NULL || data == NULL) {
        free(image);
        return;
    }
    *image = (KernelImage){ .data = malloc(size == 0 ? 1 : size),
                            .size = size,
                            .magic = magic,
                            .is_aicpu = magic == RT_MAGIC_AICPU };
    if (image->data == NULL) {
        free(image);
        return;
    }
    memcpy(image->data, data, size);
    image->is_collective = has_section(image, COLLECTIVE_SECTION);
    add_image(handle, image);
}

void KernelsAddBinaryFile(const void *handle, const char *path)
{
    FILE *in = path == NULL ? NULL : fopen(path, "rbe");
    uint8_t *data = NULL;
    long size;

    if (in == NULL) {
        return;
    }
    if (fseek(in, 0, SEEK_END) == 0 && (size = ftell(in)) > 0 &&
        (uint64_t) size < MOST_FILE_BYTES && fseek(in, 0, SEEK_SET) == 0 &&
        (data = malloc((size_t) size)) != NULL &&
        fread(data, 1, (size_t) size, in) == (size_t) size) {
        KernelsAddBinary(handle, data, (size_t) size, 0);
    }
    free(data);
    fclose(in);
}

static KernelImage *find_image(const void *handle)
{
    for (const BinaryEntry *entry = binaries; entry != NULL; entry = entry->next) {
        if (entry->handle == handle) {
            return entry->image;
        }
    }
    return NULL;
}

void KernelsAddAlias(const void *alias, const void *handle)
{
    KernelImage *image;

    pthread_mutex_lock(&lock);
    image = find_image(handle);
    pthread_mutex_unlock(&lock);
    if (image != NULL) {
        add_image(alias, image);
    }
}

/* With the lock. The newest entry counts. */
static const FunctionEntry *find_function(const void *function)
{
    const FunctionEntry *entry = functions;

    while (entry != NULL && entry->function != function) {
        entry = entry->next;
    }
    return entry;
}

/* Programs ask for the same function again and again. */
static bool is_known(const void *function, const void *handle, const char *name, uint64_t key)
{
    const FunctionEntry *known;

    pthread_mutex_lock(&lock);
    known = find_function(function);
    pthread_mutex_unlock(&lock);
    return known != NULL && known->handle == handle && known->key == key &&
           (known->name == NULL ? name == NULL : name != NULL && strcmp(known->name, name) == 0);
}

void KernelsAddFunction(const void *function, const void *handle, const char *name, uint64_t key)
{
    FunctionEntry *entry = is_known(function, handle, name, key) ? NULL : malloc(sizeof *entry);

    if (entry == NULL) {
        return;
    }
    *entry = (FunctionEntry){ function, handle, name == NULL ? NULL : strdup(name), key, NULL };
    pthread_mutex_lock(&lock);
    entry->next = functions;
    functions = entry;
    pthread_mutex_unlock(&lock);
}

void KernelsAddFunctionAlias(const void *alias, const void *function)
{
    const FunctionEntry *known;

    pthread_mutex_lock(&lock);
    known = find_function(function);
    pthread_mutex_unlock(&lock);
    if (known != NULL) { /* entries are never freed */
        KernelsAddFunction(alias, known->handle, known->name, known->key);
    }
}

/* ---- names from the ELF file ---- */

typedef struct Elf {
    const KernelImage *image;
    Elf64_Ehdr head;
} Elf;

static bool is_inside(const Elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->image->size && size <= elf->image->size - offset;
}

static bool read_section(const Elf *elf, uint32_t index, Elf64_Shdr *section)
{
    const uint64_t at = elf->head.e_shoff + (uint64_t) index * sizeof *section;

    if (index >= elf->head.e_shnum || elf->head.e_shoff > elf->image->size ||
        !is_inside(elf, at, sizeof *section)) {
        return false;
    }
    memcpy(section, elf->image->data + at, sizeof *section);
    return section->sh_type == SHT_NOBITS || is_inside(elf, section->sh_offset, section->sh_size);
}

/* The two functions of a kernel for cube and vector cores are one kernel, by the name without its
 * suffix. */
static size_t base_length(const char *text)
{
    static const char *const parts[] = { "_mix_aic", "_mix_aiv" };
    const size_t length = strlen(text);

    for (unsigned i = 0; i < 2; i++) {
        if (length > strlen(parts[i]) && strcmp(text + length - strlen(parts[i]), parts[i]) == 0) {
            return length - strlen(parts[i]);
        }
    }
    return length;
}

/* The function `<name>_<key>`, else the only one there is. */
static bool name_by_key(const Elf *elf, const Elf64_Shdr *symbols, uint64_t key, char *name,
                        size_t size)
{
    char suffix[24];
    Elf64_Shdr strings;
    Elf64_Sym symbol;
    uint32_t count = 0;

    if (!read_section(elf, symbols->sh_link, &strings) || strings.sh_size == 0 ||
        elf->image->data[strings.sh_offset + strings.sh_size - 1] != '\0') {
        return false;
    }
    snprintf(suffix, sizeof suffix, "_%llu", (unsigned long long) key);
    for (uint64_t at = 0; at + sizeof symbol <= symbols->sh_size; at += sizeof symbol) {
        const char *text;
        size_t length;

        memcpy(&symbol, elf->image->data + symbols->sh_offset + at, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_name >= strings.sh_size) {
            continue;
        }
        text = (const char *) elf->image->data + strings.sh_offset + symbol.st_name;
        length = base_length(text);
        count += count == 0 || strncmp(name, text, length) != 0 || name[length] != '\0';
        snprintf(name, size, "%.*s", (int) length, text);
        if (length > strlen(suffix) &&
            memcmp(text + length - strlen(suffix), suffix, strlen(suffix)) == 0) {
            return true;
        }
    }
    return count == 1;
}

static bool find_name(const KernelImage *image, uint64_t key, char *name, size_t size)
{
    Elf elf = { .image = image };
    Elf64_Shdr section;

    if (image->size < sizeof elf.head) {
        return false;
    }
    memcpy(&elf.head, image->data, sizeof elf.head);
    if (memcmp(elf.head.e_ident, ELFMAG, SELFMAG) != 0 ||
        elf.head.e_ident[EI_CLASS] != ELFCLASS64 || elf.head.e_shentsize != sizeof section) {
        return false;
    }
    for (uint32_t i = 1; i < elf.head.e_shnum; i++) {
        if (read_section(&elf, i, &section) && section.sh_type == SHT_SYMTAB) {
            return name_by_key(&elf, &section, key, name, size);
        }
    }
    return false;
}

static bool has_section(const KernelImage *image, const char *name)
{
    const size_t length = strlen(name) + 1;
    Elf elf = { .image = image };
    Elf64_Shdr names, section;

    if (image->size < sizeof elf.head) {
        return false;
    }
    memcpy(&elf.head, image->data, sizeof elf.head);
    if (memcmp(elf.head.e_ident, ELFMAG, SELFMAG) != 0 ||
        elf.head.e_ident[EI_CLASS] != ELFCLASS64 || elf.head.e_shentsize != sizeof section ||
        !read_section(&elf, elf.head.e_shstrndx, &names)) {
        return false;
    }
    for (uint32_t i = 1; i < elf.head.e_shnum; i++) {
        if (read_section(&elf, i, &section) && section.sh_name < names.sh_size &&
            names.sh_size - section.sh_name >= length &&
            memcmp(image->data + names.sh_offset + section.sh_name, name, length) == 0) {
            return true;
        }
    }
    return false;
}

static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    memcpy(&lock, &fresh, sizeof lock);
}
ON_FORK(forget)

/* ---- looking up ---- */

bool KernelsFindByKey(const void *handle, uint64_t key, const KernelImage **ret_image, char *name,
                      size_t size)
{
    pthread_mutex_lock(&lock);
    *ret_image = find_image(handle);
    pthread_mutex_unlock(&lock);
    return *ret_image != NULL && find_name(*ret_image, key, name, size);
}

bool KernelsFind(const void *function, const KernelImage **ret_image, char *name, size_t size)
{
    const FunctionEntry *entry;

    pthread_mutex_lock(&lock);
    entry = find_function(function);
    *ret_image = entry == NULL ? NULL : find_image(entry->handle);
    pthread_mutex_unlock(&lock);
    if (entry == NULL) {
        return false;
    }
    if (entry->name == NULL) {
        return *ret_image != NULL && find_name(*ret_image, entry->key, name, size);
    }
    snprintf(name, size, "%s", entry->name);
    return true;
}
