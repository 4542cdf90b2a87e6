/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of inject/ascend/kernels.c. */
#include "inject/ascend/ascend.h"

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <check.h>
#include <elf.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char handle, function, other;
static atomic_bool is_done;

static void *look_up(void *unused)
{
    const KernelImage *image;
    char name[32];

    while (!atomic_load(&is_done)) {
        KernelsFind(&function, &image, name, sizeof name);
        KernelsRelease(image);
    }
    return unused;
}

/* First call of a child after fork (ON_FORK), and its expected result. */
static bool is_good_child(void)
{
    const KernelImage *image = NULL;
    char name[32] = "";

    alarm(60); /* instead of waiting for a lock without an owner */
    KernelsAddFunction(&other, &handle, "other", 0);
    return KernelsFind(&function, &image, name, sizeof name) && strcmp(name, "kernel") == 0 &&
           image != NULL && KernelsFind(&other, &image, name, sizeof name) &&
           strcmp(name, "other") == 0;
}

START_TEST(test_fork__a_child_does_not_wait_for_a_thread_of_its_parent)
{
    pthread_t thread;

    KernelsAddBinary(&handle, "no ELF file", 11, RT_MAGIC_VECTOR);
    KernelsAddFunction(&function, &handle, "kernel", 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, look_up, NULL), 0);
    for (unsigned i = 0; i < 200; i++) {
        int status = 1;
        const pid_t child = fork();

        if (child == 0) {
            _exit(is_good_child() ? 0 : 1);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
    }
    atomic_store(&is_done, true);
    pthread_join(thread, NULL);
}
END_TEST

/* An ELF file whose section names, says its table, have no bytes in the file. */
static size_t make_nobits(uint8_t *bytes, uint64_t strings_size)
{
    Elf64_Ehdr head = { .e_ident = ELFMAG, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 2 };
    const Elf64_Shdr sections[2] = {
        { .sh_type = SHT_NULL },
        { .sh_type = SHT_NOBITS, .sh_offset = UINT64_C(1) << 40, .sh_size = strings_size },
    };

    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_shoff = sizeof head;
    head.e_shstrndx = 1;
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, sections, sizeof sections);
    return sizeof head + sizeof sections;
}

START_TEST(test_elf__names_without_bytes_are_not_read)
{
    uint8_t bytes[512];
    const KernelImage *image;
    char name[32] = "";

    KernelsAddBinary(&handle, bytes, make_nobits(bytes, UINT64_C(1) << 40), 0);
    ck_assert(!KernelsFindByKey(&handle, 1, &image, name, sizeof name));
    ck_assert_ptr_nonnull(image);
    KernelsRelease(image);
}
END_TEST

START_TEST(test_unload__an_image_stays_while_a_launch_has_it)
{
    const KernelImage *image, *again;
    char name[32];

    KernelsAddBinary(&handle, "first", 6, 0);
    KernelsAddAlias(&other, &handle);
    KernelsAddFunction(&function, &other, "kernel", 0);
    ck_assert(KernelsFind(&function, &image, name, sizeof name));
    KernelsForget(&handle);
    ck_assert(KernelsFind(&function, &again, name, sizeof name)); /* by its second handle */
    ck_assert_ptr_eq(again, image);
    KernelsRelease(again);
    KernelsForget(&other);
    ck_assert(!KernelsFind(&function, &again, name, sizeof name));
    ck_assert_str_eq((const char *) image->data, "first");
    KernelsRelease(image);
    KernelsAddBinary(&handle, "second", 7, 0); /* the runtime gives the same handle again */
    ck_assert(!KernelsFindByKey(&handle, 0, &again, name, sizeof name));
    ck_assert_str_eq((const char *) again->data, "second");
    KernelsRelease(again);
    KernelsForget(&handle);
}
END_TEST

START_TEST(test_file__a_pipe_is_not_opened_again)
{
    const KernelImage *image;
    char name[32];

    alarm(60); /* instead of waiting for a writer */
    make_scratch();
    ck_assert_int_eq(mkfifo(in_scratch("pipe"), 0600), 0);
    KernelsAddBinaryFile(&handle, in_scratch("pipe"));
    KernelsFindByKey(&handle, 0, &image, name, sizeof name);
    ck_assert_ptr_null(image);
    remove_scratch();
    alarm(0);
}
END_TEST

static Suite *kernels_suite(void)
{
    Suite *suite = suite_create("kernels");
    TCase *tests = tcase_create("all");

    tcase_add_test(tests, test_fork__a_child_does_not_wait_for_a_thread_of_its_parent);
    tcase_add_test(tests, test_elf__names_without_bytes_are_not_read);
    tcase_add_test(tests, test_unload__an_image_stays_while_a_launch_has_it);
    tcase_add_test(tests, test_file__a_pipe_is_not_opened_again);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(kernels_suite)
