/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registrations of the program: binaries, and functions and stubs that stand for their kernels.
 * Tested by tests/inject/ascend/test_kernels.c and tests/refchip/test_injection.sh.
 */
#include "inject/ascend/ascend.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILE_BYTES (UINT64_C(10) << 30)

#define BUCKETS 4096u /* programs register thousands of functions */

typedef struct BinaryEntry {
    const void *handle;
    KernelImage *image; /* shared by aliases and launches */
    struct BinaryEntry *next;
} BinaryEntry;

typedef struct FunctionEntry {
    const void *function;
    const void *handle;
    char *name; /* NULL: by key */
    uint64_t key;
    struct FunctionEntry *next;
} FunctionEntry;

/* Guards the lists, whose newest entry counts, and users of images. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static BinaryEntry *binaries[BUCKETS];
static FunctionEntry *functions[BUCKETS];
static uint64_t last_id;

/* Handles and functions are addresses, or numbers that count. */
static uint32_t bucket_of(const void *word)
{
    return (uint32_t) ((uint64_t) (uintptr_t) word * UINT64_C(0x9e3779b97f4a7c15) >> 52) % BUCKETS;
}

/* A section of the vendor's collective kernels. */
#define COLLECTIVE_SECTION "Attr_Section_Lcal"

static bool has_section(const KernelImage *image, const char *name);

/* With the lock. */
static void drop_image(KernelImage *image)
{
    if (--image->users == 0) {
        free(image->data);
        free(image);
    }
}

/* With the lock. The handle becomes one of its users. */
static void add_image(const void *handle, KernelImage *image)
{
    BinaryEntry *entry = malloc(sizeof *entry);

    if (entry != NULL) {
        image->users++;
        *entry = (BinaryEntry){ handle, image, binaries[bucket_of(handle)] };
        binaries[bucket_of(handle)] = entry;
    }
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
    pthread_mutex_lock(&lock);
    image->id = ++last_id;
    image->users = 1; /* until its handle has it */
    add_image(handle, image);
    drop_image(image);
    pthread_mutex_unlock(&lock);
}

/* All of it, or less if it ends early. */
static size_t read_all(int in, uint8_t *data, size_t size)
{
    size_t at = 0;

    while (at < size) {
        const ssize_t got = read(in, data + at, size - at);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        at += (size_t) got;
    }
    return at;
}

/* The runtime has read the file; a second reader of a pipe would wait for ever, or take what is the
 * program's. */
void KernelsAddBinaryFile(const void *handle, const char *path)
{
    const int in = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat about;
    uint8_t *data;
    size_t size;

    if (in < 0) {
        return;
    }
    if (fstat(in, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
        (uint64_t) about.st_size < MOST_FILE_BYTES) {
        size = (size_t) about.st_size;
        data = malloc(size);
        if (data != NULL && read_all(in, data, size) == size) {
            KernelsAddBinary(handle, data, size, 0);
        }
        free(data);
    }
    close(in);
}

/* With the lock. */
static KernelImage *find_image(const void *handle)
{
    for (const BinaryEntry *entry = binaries[bucket_of(handle)]; entry != NULL;
         entry = entry->next) {
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
    if (image != NULL) {
        add_image(alias, image);
    }
    pthread_mutex_unlock(&lock);
}

/* With the lock. */
static void forget_binaries(const void *handle)
{
    BinaryEntry **place = &binaries[bucket_of(handle)];

    while (*place != NULL) {
        BinaryEntry *entry = *place;

        if (entry->handle != handle) {
            place = &entry->next;
            continue;
        }
        *place = entry->next;
        drop_image(entry->image);
        free(entry);
    }
}

/* With the lock. */
static void forget_functions(FunctionEntry **place, const void *handle)
{
    while (*place != NULL) {
        FunctionEntry *entry = *place;

        if (entry->handle != handle) {
            place = &entry->next;
            continue;
        }
        *place = entry->next;
        free(entry->name);
        free(entry);
    }
}

void KernelsForget(const void *handle)
{
    pthread_mutex_lock(&lock);
    forget_binaries(handle);
    for (uint32_t i = 0; i < BUCKETS; i++) {
        forget_functions(&functions[i], handle);
    }
    pthread_mutex_unlock(&lock);
}

/* With the lock. The newest entry counts. */
static const FunctionEntry *find_function(const void *function)
{
    const FunctionEntry *entry = functions[bucket_of(function)];

    while (entry != NULL && entry->function != function) {
        entry = entry->next;
    }
    return entry;
}

/* With the lock. Programs ask for the same function again and again. */
static bool is_known(const void *function, const void *handle, const char *name, uint64_t key)
{
    const FunctionEntry *known = find_function(function);

    return known != NULL && known->handle == handle && known->key == key &&
           (known->name == NULL ? name == NULL : name != NULL && strcmp(known->name, name) == 0);
}

/* With the lock. */
static void add_function(const void *function, const void *handle, const char *name, uint64_t key)
{
    FunctionEntry **first = &functions[bucket_of(function)];
    FunctionEntry *entry = is_known(function, handle, name, key) ? NULL : malloc(sizeof *entry);

    if (entry != NULL) {
        *entry =
            (FunctionEntry){ function, handle, name == NULL ? NULL : strdup(name), key, *first };
        *first = entry;
    }
}

void KernelsAddFunction(const void *function, const void *handle, const char *name, uint64_t key)
{
    pthread_mutex_lock(&lock);
    add_function(function, handle, name, key);
    pthread_mutex_unlock(&lock);
}

void KernelsAddFunctionAlias(const void *alias, const void *function)
{
    const FunctionEntry *known;

    pthread_mutex_lock(&lock);
    known = find_function(function);
    if (known != NULL) {
        add_function(alias, known->handle, known->name, known->key);
    }
    pthread_mutex_unlock(&lock);
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

    if (!read_section(elf, symbols->sh_link, &strings) || strings.sh_type == SHT_NOBITS ||
        strings.sh_size == 0 || elf->image->data[strings.sh_offset + strings.sh_size - 1] != '\0') {
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
        !read_section(&elf, elf.head.e_shstrndx, &names) || names.sh_type == SHT_NOBITS) {
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

/* With the lock. The caller becomes a user of the image. */
static const KernelImage *find_and_hold(const void *handle)
{
    KernelImage *image = find_image(handle);

    if (image != NULL) {
        image->users++;
    }
    return image;
}

bool KernelsFindByKey(const void *handle, uint64_t key, const KernelImage **ret_image, char *name,
                      size_t size)
{
    pthread_mutex_lock(&lock);
    *ret_image = find_and_hold(handle);
    pthread_mutex_unlock(&lock);
    return *ret_image != NULL && find_name(*ret_image, key, name, size);
}

bool KernelsFind(const void *function, const KernelImage **ret_image, char *name, size_t size)
{
    const FunctionEntry *entry;
    uint64_t key = 0;
    bool is_named = false;

    *ret_image = NULL;
    pthread_mutex_lock(&lock);
    entry = find_function(function);
    if (entry != NULL) {
        *ret_image = find_and_hold(entry->handle);
        key = entry->key;
        is_named = entry->name != NULL;
        snprintf(name, size, "%s", is_named ? entry->name : "");
    }
    pthread_mutex_unlock(&lock);
    return is_named || (*ret_image != NULL && find_name(*ret_image, key, name, size));
}

const KernelImage *KernelsHold(const KernelImage *image)
{
    if (image != NULL) {
        pthread_mutex_lock(&lock);
        ((KernelImage *) (uintptr_t) image)->users++;
        pthread_mutex_unlock(&lock);
    }
    return image;
}

void KernelsRelease(const KernelImage *image)
{
    if (image != NULL) {
        pthread_mutex_lock(&lock);
        drop_image((KernelImage *) (uintptr_t) image);
        pthread_mutex_unlock(&lock);
    }
}
