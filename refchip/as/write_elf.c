/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes code as an ELF file: .text at address 0, one function, DWARF 4 lines and a function entry.
 * Tested by tests/refchip/test_operators.sh.
 */
#include "assemble.h"
#include "refchip/isa.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that grow; `failed` once there is no memory. */
typedef struct Bytes {
    uint8_t *data;
    size_t size;
    size_t room;
    bool failed;
} Bytes;

static void put(Bytes *bytes, const void *data, size_t size)
{
    if (bytes->failed) {
        return;
    }
    if (bytes->size + size > bytes->room) {
        const size_t room = 2 * (bytes->size + size) + 256;
        uint8_t *grown = realloc(bytes->data, room);

        if (grown == NULL) {
            bytes->failed = true;
            return;
        }
        bytes->data = grown;
        bytes->room = room;
    }
    if (size > 0) {
        memcpy(bytes->data + bytes->size, data, size);
    }
    bytes->size += size;
}

static void put8(Bytes *bytes, uint8_t value)
{
    put(bytes, &value, 1);
}

static void put16(Bytes *bytes, uint16_t value)
{
    put(bytes, &value, 2);
}

static void put32(Bytes *bytes, uint32_t value)
{
    put(bytes, &value, 4);
}

static void put64(Bytes *bytes, uint64_t value)
{
    put(bytes, &value, 8);
}

static void put_text(Bytes *bytes, const char *text)
{
    put(bytes, text, strlen(text) + 1);
}

static void patch32(Bytes *bytes, size_t at, uint32_t value)
{
    if (!bytes->failed) {
        memcpy(bytes->data + at, &value, 4);
    }
}

static void put_uleb(Bytes *bytes, uint64_t value)
{
    do {
        const uint8_t byte = value & 0x7f;

        value >>= 7;
        put8(bytes, value != 0 ? byte | 0x80 : byte);
    } while (value != 0);
}

static void put_sleb(Bytes *bytes, int64_t value)
{
    bool is_more = true;

    while (is_more) {
        const uint8_t byte = value & 0x7f;

        value >>= 7;
        is_more = !((value == 0 && (byte & 0x40) == 0) || (value == -1 && (byte & 0x40) != 0));
        put8(bytes, is_more ? byte | 0x80 : byte);
    }
}

enum { LINE_BASE = -5, LINE_RANGE = 14, OPCODE_BASE = 13 };

static void put_line_program(Bytes *out, const AsmCode *code)
{
    uint32_t line = 1;

    put8(out, 0); /* DW_LNE_set_address */
    put_uleb(out, 9);
    put8(out, 2);
    put64(out, 0);
    for (size_t i = 0; i < code->count; i++) {
        if (i > 0) {
            put8(out, 2); /* DW_LNS_advance_pc, in instructions */
            put_uleb(out, 1);
        }
        put8(out, 3); /* DW_LNS_advance_line */
        put_sleb(out, (int64_t) code->lines[i] - line);
        put8(out, 1); /* DW_LNS_copy */
        line = code->lines[i];
    }
    put8(out, 2);
    put_uleb(out, 1);
    put8(out, 0); /* DW_LNE_end_sequence */
    put_uleb(out, 1);
    put8(out, 1);
}

static void put_debug_line(Bytes *out, const AsmCode *code, const char *source)
{
    static const uint8_t lengths[OPCODE_BASE - 1] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
    size_t after_length, header_length;

    put32(out, 0);
    after_length = out->size;
    put16(out, 4);
    put32(out, 0);
    header_length = out->size;
    put8(out, 4); /* bytes an instruction */
    put8(out, 1);
    put8(out, 1);
    put8(out, (uint8_t) LINE_BASE);
    put8(out, LINE_RANGE);
    put8(out, OPCODE_BASE);
    put(out, lengths, sizeof lengths);
    put8(out, 0); /* no directories */
    put_text(out, source);
    put_uleb(out, 0);
    put_uleb(out, 0);
    put_uleb(out, 0);
    put8(out, 0);
    patch32(out, header_length - 4, (uint32_t) (out->size - header_length));
    put_line_program(out, code);
    patch32(out, after_length - 4, (uint32_t) (out->size - after_length));
}

static void put_debug_abbrev(Bytes *out)
{
    static const uint8_t abbrev[] = {
        1,    0x11, 1,             /* compile unit with children */
        0x25, 0x08,                /* producer: string */
        0x03, 0x08,                /* name: string */
        0x10, 0x17,                /* stmt_list: section offset */
        0x11, 0x01,                /* low_pc: address */
        0x12, 0x06,                /* high_pc: data4 */
        0,    0,    2,    0x2e, 0, /* subprogram */
        0x03, 0x08, 0x3a, 0x0b,    /* name, decl_file: data1 */
        0x3b, 0x06, 0x11, 0x01,    /* decl_line: data4, low_pc */
        0x12, 0x06, 0,    0,    0, /* high_pc */
    };

    put(out, abbrev, sizeof abbrev);
}

static void put_debug_info(Bytes *out, const AsmCode *code, const char *source)
{
    put32(out, 0);
    put16(out, 4);
    put32(out, 0);
    put8(out, 8);
    put_uleb(out, 1);
    put_text(out, "refchip-as");
    put_text(out, source);
    put32(out, 0);
    put64(out, 0);
    put32(out, (uint32_t) (4 * code->count));
    put_uleb(out, 2);
    put_text(out, code->kernel);
    put8(out, 1);
    put32(out, code->kernel_line);
    put64(out, 0);
    put32(out, (uint32_t) (4 * code->count));
    put8(out, 0);
    patch32(out, 0, (uint32_t) (out->size - 4));
}

enum {
    SECTION_NULL,
    SECTION_TEXT,
    SECTION_INFO,
    SECTION_ABBREV,
    SECTION_LINE,
    SECTION_SYMBOLS,
    SECTION_STRINGS,
    SECTION_NAMES,
    SECTIONS
};

static void put_symbol(Bytes *symbols, Bytes *strings, const char *name, size_t word, size_t words)
{
    const Elf64_Sym symbol = { .st_name = (uint32_t) strings->size,
                               .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                               .st_shndx = SECTION_TEXT,
                               .st_value = 4 * word,
                               .st_size = 4 * words };

    put(symbols, &symbol, sizeof symbol);
    put_text(strings, name);
}

static void put_symbols(Bytes *symbols, Bytes *strings, const AsmCode *code)
{
    const Elf64_Sym none = { .st_name = 0 };
    char name[sizeof code->kernel + sizeof ISA_CUBE_PART];

    put(symbols, &none, sizeof none);
    put8(strings, 0);
    if (code->kind != ISA_KIND_MIX) {
        put_symbol(symbols, strings, code->kernel, 0, code->count);
        return;
    }
    snprintf(name, sizeof name, "%s%s", code->kernel, ISA_CUBE_PART);
    put_symbol(symbols, strings, name, code->parts[0], code->parts[1] - code->parts[0]);
    snprintf(name, sizeof name, "%s%s", code->kernel, ISA_VECTOR_PART);
    put_symbol(symbols, strings, name, code->parts[1], code->count - code->parts[1]);
}

static void fill(Bytes *sections, const AsmCode *code, const char *source)
{
    put(&sections[SECTION_TEXT], code->words, 4 * code->count);
    put_debug_info(&sections[SECTION_INFO], code, source);
    put_debug_abbrev(&sections[SECTION_ABBREV]);
    put_debug_line(&sections[SECTION_LINE], code, source);
    put_symbols(&sections[SECTION_SYMBOLS], &sections[SECTION_STRINGS], code);
}

/* The heads of sections, after their names are in the section of names. */
static void make_heads(Elf64_Shdr *heads, Bytes *sections)
{
    static const char *const names[SECTIONS] = {
        "",        ".text",   ".debug_info", ".debug_abbrev", ".debug_line",
        ".symtab", ".strtab", ".shstrtab"
    };
    static const uint32_t types[SECTIONS] = { SHT_NULL,     SHT_PROGBITS, SHT_PROGBITS,
                                              SHT_PROGBITS, SHT_PROGBITS, SHT_SYMTAB,
                                              SHT_STRTAB,   SHT_STRTAB };
    uint64_t offset = sizeof(Elf64_Ehdr);

    for (uint32_t i = 0; i < SECTIONS; i++) {
        heads[i].sh_name = (uint32_t) sections[SECTION_NAMES].size;
        put_text(&sections[SECTION_NAMES], names[i]);
    }
    for (uint32_t i = 1; i < SECTIONS; i++) {
        offset = (offset + 7) & ~UINT64_C(7);
        heads[i].sh_type = types[i];
        heads[i].sh_offset = offset;
        heads[i].sh_size = sections[i].size;
        heads[i].sh_addralign = i == SECTION_TEXT || i == SECTION_SYMBOLS ? 8 : 1;
        offset += sections[i].size;
    }
    heads[SECTION_TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    heads[SECTION_SYMBOLS].sh_link = SECTION_STRINGS;
    heads[SECTION_SYMBOLS].sh_info = 1;
    heads[SECTION_SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
}

static void put_file(Bytes *file, const AsmCode *code, Bytes *sections)
{
    Elf64_Shdr heads[SECTIONS];
    Elf64_Ehdr head = { .e_type = ET_EXEC,
                        .e_version = EV_CURRENT,
                        .e_flags = code->kind,
                        .e_ehsize = sizeof(Elf64_Ehdr),
                        .e_shentsize = sizeof(Elf64_Shdr),
                        .e_shnum = SECTIONS,
                        .e_shstrndx = SECTION_NAMES };

    memset(heads, 0, sizeof heads);
    make_heads(heads, sections);
    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    head.e_shoff = (heads[SECTIONS - 1].sh_offset + heads[SECTIONS - 1].sh_size + 7) & ~UINT64_C(7);
    put(file, &head, sizeof head);
    for (uint32_t i = 1; i < SECTIONS; i++) {
        while (!file->failed && file->size < heads[i].sh_offset) {
            put8(file, 0);
        }
        put(file, sections[i].data, sections[i].size);
    }
    while (!file->failed && file->size < head.e_shoff) {
        put8(file, 0);
    }
    put(file, heads, sizeof heads);
}

bool AsmWriteElf(const AsmCode *code, const char *source, const char *path)
{
    Bytes sections[SECTIONS] = { { .data = NULL } };
    Bytes file = { .data = NULL };
    bool is_good;
    FILE *out;

    fill(sections, code, source);
    put_file(&file, code, sections);
    is_good = !file.failed;
    for (uint32_t i = 0; i < SECTIONS; i++) {
        is_good = is_good && !sections[i].failed;
        free(sections[i].data);
    }
    out = is_good ? fopen(path, "wbe") : NULL;
    is_good = out != NULL && fwrite(file.data, 1, file.size, out) == file.size;
    if (out != NULL && fclose(out) != 0) {
        is_good = false;
    }
    free(file.data);
    return is_good;
}
