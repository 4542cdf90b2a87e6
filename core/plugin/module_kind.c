/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says of a file that is not a module what it is: its kind, its machine, its missing end. Tested by
 * tests/core/plugin/test_registry.
 */
#include "plugin/module_kind.h"

#include "base/files.h"

#include <ar.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <opprof/plugin.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first bytes of a file. */
typedef union Head {
    char bytes[256];
    ElfW(Ehdr) elf;
} Head;

typedef struct MachineName {
    unsigned machine;
    const char *name;
} MachineName;

static const MachineName machine_names[] = {
    { EM_X86_64, "x86-64" },    { EM_AARCH64, "AArch64" }, { EM_386, "x86 (32 bit)" },
    { EM_ARM, "Arm (32 bit)" }, { EM_RISCV, "RISC-V" },    { EM_PPC64, "POWER (64 bit)" },
    { EM_S390, "IBM Z" },       { 258, "LoongArch" },
};

/* The header of the program part that this code is in: what modules have to be like. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static const char *kind_of_other(const Head *head, size_t size)
{
    if (size >= SARMAG && memcmp(head->bytes, ARMAG, SARMAG) == 0) {
        return " but a static library";
    }
    for (size_t i = 0; i < size; i++) {
        if ((unsigned char) head->bytes[i] < 0x20 && !isspace((unsigned char) head->bytes[i])) {
            return "";
        }
    }
    return " but a text file";
}

static const char *kind_of_elf(unsigned type)
{
    switch (type) {
    case ET_REL:
        return "an object file that is not linked yet";
    case ET_EXEC:
        return "a program";
    case ET_CORE:
        return "a core dump";
    default:
        return "a file of another kind";
    }
}

static const char *machine_name(unsigned machine, char *room, size_t size)
{
    for (size_t i = 0; i < OPPROF_COUNT(machine_names); i++) {
        if (machine_names[i].machine == machine) {
            return machine_names[i].name;
        }
    }
    snprintf(room, size, "machine type %u", machine);
    return room;
}

static OpprofStatus check_machine(const unsigned char *ident, unsigned machine, OpprofError **error)
{
    const ElfW(Ehdr) *own = &__ehdr_start;
    char room[2][32];
    const char *theirs = machine_name(machine, room[0], sizeof room[0]);
    const char *ours = machine_name(own->e_machine, room[1], sizeof room[1]);

    if (machine != own->e_machine) {
        OpprofErrorSet(error, OPPROF_E_LOAD, "The module is for %s, this is %s", theirs, ours);
        OpprofErrorHint(error, "Build the module for %s.", ours);
        return OPPROF_E_LOAD;
    }
    if (ident[EI_CLASS] != own->e_ident[EI_CLASS] || ident[EI_DATA] != own->e_ident[EI_DATA]) {
        return OpprofErrorSet(
            error, OPPROF_E_LOAD,
            "The module is for %s, but of another word size or byte order than this program",
            theirs);
    }
    return OPPROF_OK;
}

/* Section headers are the last thing in a file. Without this check, touching pages beyond its end
 * would be a SIGBUS. */
static OpprofStatus check_end(const ElfW(Ehdr) * elf, uint64_t size, OpprofError **error)
{
    uint64_t end;

    if (__builtin_add_overflow(elf->e_shoff, (uint64_t) elf->e_shnum * elf->e_shentsize, &end)) {
        end = UINT64_MAX;
    }
    if (end > size) {
        OpprofErrorSet(error, OPPROF_E_LOAD,
                       "The file is cut off: it has %" PRIu64 " bytes of at least %" PRIu64, size,
                       end);
        OpprofErrorHint(error, "Copy or build it again.");
        return OPPROF_E_LOAD;
    }
    return OPPROF_OK;
}

/* Type and machine have the same place in the headers of all machines. */
static OpprofStatus check_head(const Head *head, size_t head_size, uint64_t size,
                               OpprofError **error)
{
    const ElfW(Ehdr) *elf = &head->elf;
    const bool is_elf = head_size >= sizeof *elf && memcmp(head->bytes, ELFMAG, SELFMAG) == 0;
    const bool is_swapped = is_elf && elf->e_ident[EI_DATA] != __ehdr_start.e_ident[EI_DATA];
    OpprofStatus status;

    if (!is_elf) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is not a shared object%s",
                              kind_of_other(head, head_size));
    }
    status = check_machine(elf->e_ident,
                           is_swapped ? __builtin_bswap16(elf->e_machine) : elf->e_machine, error);
    if (status == OPPROF_OK && elf->e_type != ET_DYN) {
        status = OpprofErrorSet(error, OPPROF_E_LOAD, "The file is not a shared object but %s",
                                kind_of_elf(elf->e_type));
    }
    return status == OPPROF_OK ? check_end(elf, size, error) : status;
}

static OpprofStatus read_and_check(int fd, OpprofError **error)
{
    struct stat info;
    Head head;
    ssize_t got = -1;

    if (fd < 0 || fstat(fd, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file cannot be read: %s", strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "It is not a file but a %s",
                              S_ISDIR(info.st_mode) ? "directory" : "special file");
    }
    got = pread(fd, &head, sizeof head, 0);
    if (got < 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file cannot be read: %s", strerror(errno));
    }
    if (got == 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is empty");
    }
    return check_head(&head, (size_t) got, (uint64_t) info.st_size, error);
}

OpprofStatus ModuleKindCheck(const char *path, OpprofError **error)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const OpprofStatus status = read_and_check(fd, error);

    CloseOpened(fd);
    return status;
}
