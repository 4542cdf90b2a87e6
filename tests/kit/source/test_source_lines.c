/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/source/source_lines.c. */
#include <opprof/kit/source.h>

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <gelf.h>
#include <pthread.h>
#include <stdint.h>

#define KERNELS TEST_BUILD_DIR "/tests/data/source/"
#define SOURCES TEST_DATA_DIR "/source/"
#define PLACES 8u
#define MACHINE_OFFSET 18 /* of e_machine in the header */

static const char *const kernels[] = { KERNELS "dwarf4.o", KERNELS "dwarf5.o", KERNELS "dwarf4.so",
                                       KERNELS "dwarf5.so" };
#define KERNEL_COUNT (sizeof kernels / sizeof kernels[0])

/* Number of the line of a source that says "@name". */
static unsigned line_of(const char *file, const char *name)
{
    char path[PATH_MAX];
    char mark[64];
    size_t size;
    unsigned line = 1;

    snprintf(path, sizeof path, SOURCES "%s", file);
    snprintf(mark, sizeof mark, "@%s ", name);
    char *text = read_whole(path, &size);
    const char *found = strstr(text, mark);
    ck_assert_msg(found != NULL, "no %s in %s", mark, file);
    for (const char *at = text; at < found; at++) {
        line += *at == '\n';
    }
    free(text);
    return line;
}

/* Address of the symbol "at_<number>". */
static uint64_t address_of(const char *path, unsigned number)
{
    char name[16];
    uint64_t address = UINT64_MAX;
    int fd = open(path, O_RDONLY);
    Elf *elf;
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    GElf_Sym symbol;

    snprintf(name, sizeof name, "at_%u", number);
    ck_assert_int_ge(fd, 0);
    elf_version(EV_CURRENT);
    elf = elf_begin(fd, ELF_C_READ, NULL);
    ck_assert_ptr_nonnull(elf);
    while ((section = elf_nextscn(elf, section)) != NULL) {
        Elf_Data *data = elf_getdata(section, NULL);

        gelf_getshdr(section, &header);
        for (int i = 0; header.sh_type == SHT_SYMTAB && gelf_getsym(data, i, &symbol) != NULL;
             i++) {
            if (strcmp(elf_strptr(elf, header.sh_link, symbol.st_name), name) == 0) {
                address = symbol.st_value;
            }
        }
    }
    elf_end(elf);
    close(fd);
    ck_assert_msg(address != UINT64_MAX, "no symbol %s in %s", name, path);
    return address;
}

/* The stack that a place of the kernel must have: "file@name" one a line, innermost first. */
static const char *const expected[PLACES] = {
    "kernel.c@own",
    "kernel.c@inner kernel.c@middle kernel.c@outer",
    "kernel.c@inner kernel.c@middle kernel.c@again",
    "ascend-toolkit/vec.h@add ascend-toolkit/vec.h@twice kernel.c@uses",
    "kernel.c@narrow kernel.c@wide",
    "ascend-toolkit/run.h@run",
    "kernel.c@inner kernel.c@middle",
    "ascend-toolkit/vec.h@add",
};

/* With the directory of the sources and the numbers of lines. */
static void resolve(const char *places, char *out, size_t size)
{
    char copy[256];
    char *rest = NULL;
    size_t used = 0;

    snprintf(copy, sizeof copy, "%s", places);
    for (char *place = strtok_r(copy, " ", &rest); place != NULL;
         place = strtok_r(NULL, " ", &rest)) {
        char *name = strchr(place, '@');

        *name++ = '\0';
        used += (size_t) snprintf(out + used, size - used, "%s%s%s:%u", used > 0 ? "\n" : "",
                                  SOURCES, place, line_of(place, name));
    }
}

static OpprofSource *open_source(const char *path, uint64_t start)
{
    OpprofSource *source;
    OpprofError *error = NULL;
    const OpprofSourceOptions options = { .start_pc = start, .toolkit = "ascend-toolkit" };
    OpprofStatus status = OpprofSourceOpen(path, &options, &source, &error);

    ck_assert_msg(status == OPPROF_OK, "%s", OpprofErrorMessage(error));
    return source;
}

/* All places of the kernel, whose symbols are in `symbols`. */
static void check_places(OpprofSource *source, const char *symbols, uint64_t start)
{
    char wanted[4 * PATH_MAX];

    for (unsigned i = 0; i < PLACES; i++) {
        const OpprofSourceStack *stack =
            OpprofSourceLookup(source, start + address_of(symbols, i + 1));

        ck_assert_ptr_nonnull(stack);
        resolve(expected[i], wanted, sizeof wanted);
        ck_assert_str_eq(stack->text, wanted);
        ck_assert_uint_eq(stack->length, strlen(wanted));
    }
    ck_assert_ptr_null(OpprofSourceProblem(source));
}

START_TEST(addresses_have_the_lines_of_inlined_calls)
{
    OpprofSource *source = open_source(kernels[_i], 0x10f86000);

    ck_assert(OpprofSourceHasLines(source));
    check_places(source, kernels[_i], 0x10f86000);
    OpprofSourceClose(source);
}
END_TEST

START_TEST(a_machine_that_nobody_knows_makes_no_difference)
{
    size_t size;
    char *bytes = read_whole(kernels[_i], &size);
    OpprofSource *source;

    bytes[MACHINE_OFFSET] = 0x29;
    bytes[MACHINE_OFFSET + 1] = 0x10;
    source = open_source(write_scratch("kernel", bytes, size), 0);
    check_places(source, kernels[_i], 0);
    OpprofSourceClose(source);
    free(bytes);
}
END_TEST

START_TEST(lines_tell_their_file_and_whose_they_are)
{
    OpprofSource *source = open_source(kernels[1], 0);
    const OpprofSourceStack *stack = OpprofSourceLookup(source, address_of(kernels[1], 4));
    const OpprofSourceStack *other = OpprofSourceLookup(source, address_of(kernels[1], 8));

    ck_assert_uint_eq(stack->count, 3);
    ck_assert(stack->lines[0]->is_toolkit);
    ck_assert(stack->lines[1]->is_toolkit);
    ck_assert(!stack->lines[2]->is_toolkit);
    ck_assert_uint_eq(stack->lines[2]->line, line_of("kernel.c", "uses"));
    ck_assert_uint_eq(stack->lines[2]->file_length, strlen(SOURCES "kernel.c"));
    ck_assert_ptr_eq(stack->lines[0], other->lines[0]);
    ck_assert_ptr_eq(stack, OpprofSourceLookup(source, address_of(kernels[1], 4)));
    OpprofSourceClose(source);
}
END_TEST

START_TEST(addresses_outside_of_the_kernel_have_no_lines)
{
    static const uint64_t outside[] = { 0, 1, 0xfff, UINT64_MAX, UINT64_C(1) << 40 };
    OpprofSource *source = open_source(kernels[_i], 0x1000);

    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        const OpprofSourceStack *stack = OpprofSourceLookup(source, outside[i]);

        ck_assert_uint_eq(stack->count, 0);
        ck_assert_str_eq(stack->text, "");
    }
    OpprofSourceClose(source);
}
END_TEST

START_TEST(there_is_one_source_a_kernel_and_start)
{
    OpprofSource *source = open_source(kernels[0], 0);
    OpprofSource *same = open_source(kernels[0], 0);
    OpprofSource *other = open_source(kernels[0], 4);

    ck_assert_ptr_eq(source, same);
    ck_assert_ptr_ne(source, other);
    ck_assert_str_eq(OpprofSourcePath(source), kernels[0]);
    OpprofSourceClose(source);
    check_places(same, kernels[0], 0);
    OpprofSourceClose(other);
    OpprofSourceClose(same);
    OpprofSourceClose(NULL);
}
END_TEST

static void *look_up_all(void *context)
{
    OpprofSource *source = context;

    for (uint64_t pc = 0; pc < 0x2000; pc++) {
        ck_assert_ptr_nonnull(OpprofSourceLookup(source, pc));
    }
    return NULL;
}

START_TEST(several_threads_may_ask)
{
    OpprofSource *source = open_source(kernels[3], 0);
    pthread_t threads[4];

    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, look_up_all, source), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    check_places(source, kernels[3], 0);
    OpprofSourceClose(source);
}
END_TEST

START_TEST(a_stripped_kernel_opens_without_lines)
{
    OpprofSource *source = open_source(KERNELS "stripped.so", 0);

    ck_assert(!OpprofSourceHasLines(source));
    ck_assert_uint_eq(OpprofSourceLookup(source, address_of(kernels[3], 1))->count, 0);
    OpprofSourceClose(source);
}
END_TEST

static void check_refused(const char *path, OpprofStatus status, const char *why)
{
    OpprofSource *source = NULL;
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofSourceOpen(path, NULL, &source, &error), status);
    ck_assert_ptr_null(source);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), path));
    ck_assert_msg(strstr(OpprofErrorMessage(error), why) != NULL, "%s", OpprofErrorMessage(error));
    OpprofErrorDestroy(error);
}

START_TEST(what_is_no_kernel_is_refused)
{
    size_t size;
    char *bytes = read_whole(kernels[2], &size);

    check_refused(in_scratch("missing"), OPPROF_E_IO, "No such file");
    check_refused(scratch, OPPROF_E_IO, "not a regular file");
    check_refused(write_text("empty", ""), OPPROF_E_DATA, "not an ELF file");
    check_refused(write_text("text", "int main(void) { return 0; }\n"), OPPROF_E_DATA,
                  "not an ELF file");
    check_refused(write_scratch("short", bytes, 40), OPPROF_E_DATA, "");
    check_refused(write_scratch("sections", bytes, size - 100), OPPROF_E_DATA, "");
    ck_assert_int_eq(mkfifo(in_scratch("pipe"), 0600), 0);
    check_refused(in_scratch("pipe"), OPPROF_E_IO, "not a regular file");
    bytes[EI_CLASS] = ELFCLASS32;
    check_refused(write_scratch("class", bytes, size), OPPROF_E_DATA, "32-bit");
    bytes[EI_CLASS] = ELFCLASS64;
    bytes[EI_DATA] = ELFDATA2MSB;
    check_refused(write_scratch("endian", bytes, size), OPPROF_E_DATA, "");
    bytes[EI_DATA] = ELFDATA2LSB;
    bytes[16] = ET_CORE;
    check_refused(write_scratch("core", bytes, size), OPPROF_E_DATA, "neither an executable");
    free(bytes);
}
END_TEST

/* Whatever the bytes are: an error, a problem or lines, but neither a crash nor a hang. */
static void survive(const char *path)
{
    OpprofSource *source;

    if (OpprofSourceOpen(path, NULL, &source, NULL) != OPPROF_OK) {
        return;
    }
    for (uint64_t pc = 0; pc < 0x1200; pc += pc < 0x200 || pc >= 0x1000 ? 7 : 0x100) {
        ck_assert_ptr_nonnull(OpprofSourceLookup(source, pc));
    }
    OpprofSourceProblem(source);
    OpprofSourceClose(source);
}

START_TEST(kernels_that_are_cut_short_are_survived)
{
    size_t size;
    char *bytes = read_whole(kernels[_i], &size);

    for (size_t length = 0; length < size; length += 1 + size / 97) {
        survive(write_scratch("kernel", bytes, length));
    }
    free(bytes);
}
END_TEST

START_TEST(kernels_with_wrong_bytes_are_survived)
{
    size_t size;
    char *bytes = read_whole(kernels[_i % KERNEL_COUNT], &size);
    char *broken = malloc(size);

    ck_assert_ptr_nonnull(broken);
    srand((unsigned) _i);
    for (int round = 0; round < 60; round++) {
        memcpy(broken, bytes, size);
        for (int i = 0; i < 1 << (round % 8); i++) {
            broken[(size_t) rand() % size] = (char) rand();
        }
        survive(write_scratch("kernel", broken, size));
    }
    free(broken);
    free(bytes);
}
END_TEST

/* ---- places ---- */

static unsigned searches;

static uint64_t find_start(const char *place)
{
    ck_assert_str_eq(place, scratch);
    searches++;
    return 0x10cfa000;
}

START_TEST(a_place_tells_the_start_once)
{
    const OpprofSourceOptions options = { .place = scratch, .find_start = find_start };
    OpprofSource *source = NULL;
    OpprofSource *same = NULL;

    ck_assert_int_eq(OpprofSourceOpen(kernels[2], &options, &source, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofSourceOpen(kernels[2], &options, &same, NULL), OPPROF_OK);
    ck_assert_ptr_eq(source, same);
    ck_assert_uint_eq(searches, 1);
    ck_assert_uint_gt(OpprofSourceLookup(source, 0x10cfa000 + address_of(kernels[2], 4))->count, 0);
    OpprofSourceClose(source);
    OpprofSourceClose(same);
}
END_TEST

START_TEST(without_a_toolkit_all_lines_are_the_operators)
{
    OpprofSource *source = NULL;
    OpprofSource *other = open_source(kernels[1], 0);
    const OpprofSourceStack *stack;

    ck_assert_int_eq(OpprofSourceOpen(kernels[1], NULL, &source, NULL), OPPROF_OK);
    ck_assert_ptr_ne(source, other);
    stack = OpprofSourceLookup(source, address_of(kernels[1], 4));
    for (uint32_t i = 0; i < stack->count; i++) {
        ck_assert(!stack->lines[i]->is_toolkit);
    }
    OpprofSourceClose(source);
    OpprofSourceClose(other);
}
END_TEST

START_TEST(a_place_that_is_missing_is_refused)
{
    const OpprofSourceOptions options = { .place = "/nonexistent", .find_start = find_start };
    OpprofSource *source = NULL;
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofSourceOpen(kernels[2], &options, &source, &error), OPPROF_E_IO);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "/nonexistent"));
    OpprofErrorDestroy(error);
}
END_TEST

static Suite *source_lines_suite(void)
{
    Suite *suite = suite_create("source_lines");
    TCase *tcase = tcase_create("source_lines");

    tcase_add_checked_fixture(tcase, make_scratch, remove_scratch);
    tcase_add_loop_test(tcase, addresses_have_the_lines_of_inlined_calls, 0, KERNEL_COUNT);
    tcase_add_loop_test(tcase, a_machine_that_nobody_knows_makes_no_difference, 0, KERNEL_COUNT);
    tcase_add_test(tcase, lines_tell_their_file_and_whose_they_are);
    tcase_add_loop_test(tcase, addresses_outside_of_the_kernel_have_no_lines, 0, KERNEL_COUNT);
    tcase_add_test(tcase, there_is_one_source_a_kernel_and_start);
    tcase_add_test(tcase, several_threads_may_ask);
    tcase_add_test(tcase, a_stripped_kernel_opens_without_lines);
    tcase_add_test(tcase, what_is_no_kernel_is_refused);
    tcase_add_loop_test(tcase, kernels_that_are_cut_short_are_survived, 0, KERNEL_COUNT);
    tcase_add_loop_test(tcase, kernels_with_wrong_bytes_are_survived, 0, 3 * KERNEL_COUNT);
    tcase_add_test(tcase, a_place_tells_the_start_once);
    tcase_add_test(tcase, without_a_toolkit_all_lines_are_the_operators);
    tcase_add_test(tcase, a_place_that_is_missing_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(source_lines_suite)
