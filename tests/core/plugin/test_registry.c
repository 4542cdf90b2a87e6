/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/plugin/registry.c. */
#include "base/problems.h"
#include "plugin/descriptor.h"
#include "plugin/registry.h"

#include "tests/core/suites.h"

#include <check.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_OF_NUMBER(number) #number
#define TEXT_OF(number) TEXT_OF_NUMBER(number)
#define ABI TEXT_OF(OPPROF_ABI_MAJOR) "." TEXT_OF(OPPROF_ABI_MINOR)

#define MODULES TEST_BUILD_DIR "/tests/core/plugin/modules/.libs"

static char root[64];
static Registry *registry;
static OpprofError *error;

/* ---- files ---- */

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void) info;
    (void) type;
    (void) place;
    return remove(path);
}

static char *path_of(const char *name)
{
    char *path = ProblemText("%s/%s", root, name);

    ck_assert_ptr_nonnull(path);
    return path;
}

static void make_directory(const char *name)
{
    char *path = path_of(name);

    ck_assert_int_eq(mkdir(path, 0700), 0);
    free(path);
}

static void write_file(const char *name, const void *data, size_t size)
{
    char *path = path_of(name);
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
    free(path);
}

static unsigned char *read_module(const char *module, size_t *ret_size)
{
    char *path = ProblemText("%s/%s.so", MODULES, module);
    FILE *file = fopen(path, "rb");
    unsigned char *data;
    long size;

    ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size = ftell(file);
    ck_assert_int_gt(size, 64);
    rewind(file);
    data = malloc((size_t) size);
    ck_assert_ptr_nonnull(data);
    ck_assert_uint_eq(fread(data, 1, (size_t) size, file), (size_t) size);
    fclose(file);
    free(path);
    *ret_size = (size_t) size;
    return data;
}

static void copy_module(const char *module, const char *name)
{
    size_t size;
    unsigned char *data = read_module(module, &size);

    write_file(name, data, size);
    free(data);
}

/* A copy of the good module with one byte of its ELF header changed. */
static void patch_module(const char *name, size_t offset, unsigned char value)
{
    size_t size;
    unsigned char *data = read_module("good", &size);

    data[offset] = value;
    write_file(name, data, size);
    free(data);
}

static void setup(void)
{
    const char *parent = getenv("TMPDIR");

    snprintf(root, sizeof root, "%s/opprof-registry-XXXXXX", parent != NULL ? parent : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(root));
    make_directory("a");
    make_directory("b");
    unsetenv("OPPROF_PLUGIN_PATH");
    setenv("OPPROF_SYSTEM_PLUGIN_PATH", "", 1);
    error = NULL;
    registry = RegistryCreate();
    ck_assert_ptr_nonnull(registry);
}

static void teardown(void)
{
    RegistryDestroy(registry);
    OpprofErrorDestroy(error);
    ck_assert_int_eq(nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void add(const char *directory)
{
    char *path = path_of(directory);

    ck_assert_int_eq(RegistryAddPath(registry, path, &error), OPPROF_OK);
    free(path);
}

/* The texts of an error with the test's directory written as "@". */
static char *plain(const char *text)
{
    char *copy = calloc(1, strlen(text) + 1);
    char *at = copy;

    ck_assert_ptr_nonnull(copy);
    while (*text != '\0') {
        if (strncmp(text, root, strlen(root)) == 0) {
            *at++ = '@';
            text += strlen(root);
        } else {
            *at++ = *text++;
        }
    }
    return copy;
}

static void expect_text(const char *text, const char *wanted)
{
    char *copy = plain(text);

    ck_assert_str_eq(copy, wanted);
    free(copy);
}

static OpprofStatus find(const char *name)
{
    const OpprofPlugin *plugin = NULL;
    OpprofStatus status;

    OpprofErrorDestroy(error);
    error = NULL;
    status = RegistryFind(registry, name, &plugin, NULL, &error);
    ck_assert(status == OPPROF_OK ? plugin != NULL : plugin == NULL);
    return status;
}

static void expect_failure(const char *name, OpprofStatus status, const char *wanted)
{
    char *text;

    ck_assert_int_eq(find(name), status);
    text = OpprofErrorText(error, false);
    ck_assert_ptr_nonnull(text);
    expect_text(text, wanted);
    free(text);
}

/* ---- search ---- */

START_TEST(a_good_module_is_found_with_its_descriptor)
{
    const OpprofPlugin *plugin = NULL;
    const char *path = NULL;

    copy_module("good", "a/good.so");
    add("a");
    ck_assert_int_eq(RegistryFind(registry, "good", &plugin, &path, &error), OPPROF_OK);
    ck_assert_ptr_null(error);
    ck_assert_str_eq(plugin->name, "good");
    ck_assert_str_eq(plugin->version, "1.2.3");
    expect_text(path, "@/a/good.so");
}
END_TEST

START_TEST(a_module_is_loaded_once_for_all_pipelines)
{
    Registry *other = RegistryCreate();
    const OpprofPlugin *first = NULL;
    const OpprofPlugin *second = NULL;
    const char *first_path = NULL;
    const char *second_path = NULL;
    char *path = path_of("a/../a");

    copy_module("good", "a/good.so");
    add("a");
    ck_assert_int_eq(RegistryAddPath(other, path, &error), OPPROF_OK);
    ck_assert_int_eq(RegistryFind(registry, "good", &first, &first_path, &error), OPPROF_OK);
    RegistryDestroy(registry);
    registry = NULL;
    ck_assert_int_eq(RegistryFind(other, "good", &second, &second_path, &error), OPPROF_OK);
    ck_assert_ptr_eq(first, second);
    ck_assert_ptr_eq(first_path, second_path);
    RegistryDestroy(other);
    free(path);
    /* and it stays, without any registry */
    ck_assert_str_eq(first->summary, "Does nothing, well.");
}
END_TEST

static void *find_in_thread(void *ret_plugin)
{
    Registry *own = RegistryCreate();
    char *path = path_of("a");

    RegistryAddPath(own, path, NULL);
    RegistryFind(own, "older", ret_plugin, NULL, NULL);
    RegistryFind(own, "good", ret_plugin, NULL, NULL);
    RegistryDestroy(own);
    free(path);
    return NULL;
}

START_TEST(pipelines_of_several_threads_get_the_same_module)
{
    const OpprofPlugin *plugins[4] = { NULL };
    pthread_t threads[4];

    copy_module("good", "a/good.so");
    copy_module("older", "a/older.so");
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, find_in_thread, &plugins[i]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    for (size_t i = 0; i < 4; i++) {
        ck_assert_ptr_nonnull(plugins[i]);
        ck_assert_ptr_eq(plugins[i], plugins[0]);
    }
}
END_TEST

START_TEST(the_first_directory_wins)
{
    const OpprofPlugin *plugin = NULL;
    const char *path = NULL;

    copy_module("good", "a/good.so");
    copy_module("good", "b/good.so");
    add("b");
    add("a");
    ck_assert_int_eq(RegistryFind(registry, "good", &plugin, &path, &error), OPPROF_OK);
    expect_text(path, "@/b/good.so");
}
END_TEST

START_TEST(a_bad_module_is_not_passed_over_for_a_good_one_behind_it)
{
    write_file("a/good.so", "", 0);
    copy_module("good", "b/good.so");
    add("a");
    add("b");
    ck_assert_int_eq(find("good"), OPPROF_E_LOAD);
}
END_TEST

START_TEST(directories_are_looked_at_in_the_documented_order)
{
    static const char *const wanted[] = { "/command1",
                                          "/command2",
                                          "/pipeline1",
                                          "/pipeline2",
                                          "/env1",
                                          "/env2",
                                          "/data/opprof/plugins-0",
                                          NULL };
    size_t i = 0;

    RegistryDestroy(registry);
    setenv("OPPROF_PLUGIN_PATH", "/env1::/env2:", 1);
    setenv("XDG_DATA_HOME", "/data", 1);
    unsetenv("OPPROF_SYSTEM_PLUGIN_PATH");
    registry = RegistryCreate();
    RegistryAddPipelinePath(registry, "/pipeline1", &error);
    RegistryAddPath(registry, "/command1", &error);
    RegistryAddPipelinePath(registry, "/pipeline2", &error);
    RegistryAddPath(registry, "/command2", &error);
    for (; wanted[i] != NULL; i++) {
        ck_assert_str_eq(RegistryPath(registry, i), wanted[i]);
    }
    /* the installed directory, whatever the prefix is */
    ck_assert_ptr_nonnull(strstr(RegistryPath(registry, i), "/opprof/plugins-0"));
    ck_assert_ptr_null(RegistryPath(registry, i + 1));
}
END_TEST

START_TEST(the_users_directory_has_a_default)
{
    RegistryDestroy(registry);
    setenv("XDG_DATA_HOME", "not/absolute", 1);
    setenv("HOME", "/home/me", 1);
    unsetenv("OPPROF_SYSTEM_PLUGIN_PATH");
    registry = RegistryCreate();
    ck_assert_str_eq(RegistryPath(registry, 0), "/home/me/.local/share/opprof/plugins-0");
}
END_TEST

START_TEST(the_system_path_can_be_replaced)
{
    ck_assert_ptr_null(RegistryPath(registry, 0));
    RegistryDestroy(registry);
    setenv("OPPROF_SYSTEM_PLUGIN_PATH", "/sys1:/sys2", 1);
    setenv("OPPROF_PLUGIN_PATH", "/env", 1);
    registry = RegistryCreate();
    ck_assert_str_eq(RegistryPath(registry, 0), "/env");
    ck_assert_str_eq(RegistryPath(registry, 1), "/sys1");
    ck_assert_str_eq(RegistryPath(registry, 2), "/sys2");
    ck_assert_ptr_null(RegistryPath(registry, 3));
}
END_TEST

START_TEST(a_directory_needs_a_name)
{
    ck_assert_int_eq(RegistryAddPath(registry, "", &error), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(OpprofErrorMessage(error), "A directory of plugins has no name");
}
END_TEST

START_TEST(what_is_in_no_directory_is_not_found)
{
    copy_module("good", "a/good.so");
    write_file("b/goat.so", "x", 1);
    write_file("b/readme.txt", "x", 1);
    add("a");
    add("b");
    add("gone");
    expect_failure("god", OPPROF_E_NOT_FOUND,
                   "Cannot find plugin 'god': no 'god.so' in the plugin path (@/a, @/b, @/gone)\n"
                   "  hint: Did you mean 'good'? Available: goat, good.");
}
END_TEST

START_TEST(nothing_is_found_in_no_directory)
{
    expect_failure("hotspot", OPPROF_E_NOT_FOUND,
                   "Cannot find plugin 'hotspot': no 'hotspot.so' in the plugin path (none)\n"
                   "  hint: Available: none.");
}
END_TEST

/* 65 letters and digits */
#define LONG_NAME "a1234567890123456789012345678901234567890123456789012345678901234"

static const char *const bad_names[] = { "",       "Good",  "good.so", "../good",
                                         "a/good", "-good", "good-",   "go--od",
                                         "gööd",   "1good", "g d",     LONG_NAME };

START_TEST(names_that_no_module_can_have_are_refused)
{
    char *wanted = ProblemText("'%s' is not a plugin name", bad_names[_i]);

    copy_module("good", "a/good.so");
    add("a");
    ck_assert_int_eq(find(bad_names[_i]), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(OpprofErrorMessage(error), wanted);
    free(wanted);
}
END_TEST

START_TEST(no_name_is_refused_in_silence)
{
    ck_assert_int_eq(find(NULL), OPPROF_E_ARGUMENT);
    ck_assert_ptr_null(error);
}
END_TEST

/* ---- files that are not modules ---- */

START_TEST(a_text_file_is_told)
{
    write_file("a/mod.so", "# mod.la - a libtool library file\n", 34);
    add("a");
    expect_failure("mod", OPPROF_E_LOAD,
                   "Cannot load plugin 'mod' from '@/a/mod.so'\n"
                   "  because: The file is not a shared object but a text file");
}
END_TEST

START_TEST(other_bytes_are_told)
{
    write_file("a/mod.so", "\1\2\3\4", 4);
    add("a");
    expect_failure("mod", OPPROF_E_LOAD,
                   "Cannot load plugin 'mod' from '@/a/mod.so'\n"
                   "  because: The file is not a shared object");
}
END_TEST

START_TEST(an_empty_file_is_told)
{
    write_file("a/mod.so", "", 0);
    add("a");
    expect_failure("mod", OPPROF_E_LOAD,
                   "Cannot load plugin 'mod' from '@/a/mod.so'\n"
                   "  because: The file is empty");
}
END_TEST

START_TEST(a_static_library_is_told)
{
    write_file("a/mod.so", "!<arch>\n", 8);
    add("a");
    expect_failure("mod", OPPROF_E_LOAD,
                   "Cannot load plugin 'mod' from '@/a/mod.so'\n"
                   "  because: The file is not a shared object but a static library");
}
END_TEST

START_TEST(a_directory_is_told)
{
    make_directory("a/mod.so");
    add("a");
    expect_failure("mod", OPPROF_E_LOAD,
                   "Cannot load plugin 'mod' from '@/a/mod.so'\n"
                   "  because: It is not a file but a directory");
}
END_TEST

START_TEST(a_link_to_nowhere_is_told)
{
    char *path = path_of("a/mod.so");

    ck_assert_int_eq(symlink("/no/such/file", path), 0);
    add("a");
    expect_failure("mod", OPPROF_E_LOAD,
                   "Cannot load plugin 'mod' from '@/a/mod.so': No such file or directory");
    free(path);
}
END_TEST

START_TEST(another_machine_is_told)
{
    const unsigned char machine = EM_PPC64;
    char *text;

    patch_module("a/good.so", offsetof(Elf64_Ehdr, e_machine), machine);
    add("a");
    ck_assert_int_eq(find("good"), OPPROF_E_LOAD);
    text = OpprofErrorText(error, false);
    ck_assert_ptr_nonnull(strstr(text, "because: The module is for POWER (64 bit), this is "));
    free(text);
}
END_TEST

#if defined(__x86_64__)
START_TEST(both_machines_are_named)
{
    patch_module("a/good.so", offsetof(Elf64_Ehdr, e_machine), EM_AARCH64);
    add("a");
    expect_failure("good", OPPROF_E_LOAD,
                   "Cannot load plugin 'good' from '@/a/good.so'\n"
                   "  because: The module is for AArch64, this is x86-64\n"
                   "  hint: Build the module for x86-64.");
}
END_TEST
#endif

typedef struct Patch {
    size_t offset;
    unsigned char value;
    const char *reason;
} Patch;

static const Patch patches[] = {
    { offsetof(Elf64_Ehdr, e_type), ET_REL,
      "The file is not a shared object but an object file that is not linked yet" },
    { offsetof(Elf64_Ehdr, e_type), ET_EXEC, "The file is not a shared object but a program" },
    { offsetof(Elf64_Ehdr, e_type), ET_CORE, "The file is not a shared object but a core dump" },
    { offsetof(Elf64_Ehdr, e_type), 99,
      "The file is not a shared object but a file of another kind" },
    { offsetof(Elf64_Ehdr, e_phnum), 0,
      "The dynamic linker refuses it: object file has no loadable segments" },
};

START_TEST(a_header_that_fits_not_is_told)
{
    char *wanted = ProblemText("Cannot load plugin 'good' from '@/a/good.so'\n  because: %s",
                               patches[_i].reason);

    patch_module("a/good.so", patches[_i].offset, patches[_i].value);
    add("a");
    expect_failure("good", OPPROF_E_LOAD, wanted);
    free(wanted);
}
END_TEST

START_TEST(no_prefix_of_a_module_does_harm)
{
    size_t size;
    unsigned char *data = read_module("good", &size);

    add("a");
    /* every cut in the headers, then some in the rest */
    for (size_t cut = 1; cut < size / 2; cut += cut < 256 ? 7 : 997) {
        write_file("a/good.so", data, cut);
        ck_assert_int_eq(find("good"), OPPROF_E_LOAD);
    }
    free(data);
}
END_TEST

START_TEST(a_file_that_is_cut_off_is_told)
{
    size_t size;
    unsigned char *data = read_module("good", &size);
    char *text;

    write_file("a/good.so", data, 2000);
    add("a");
    ck_assert_int_eq(find("good"), OPPROF_E_LOAD);
    text = OpprofErrorText(error, false);
    ck_assert_ptr_nonnull(
        strstr(text, "because: The file is cut off: it has 2000 bytes of at least "));
    free(text);
    free(data);
}
END_TEST

/* ---- what the dynamic linker says ---- */

START_TEST(a_missing_library_is_named)
{
    size_t size;
    unsigned char *data = read_module("good", &size);
    static const char needed[] = "libm.so.6";
    unsigned char *at = data;
    size_t found = 0;

    while ((at = memmem(at, size - (size_t) (at - data), needed, sizeof needed)) != NULL) {
        memcpy(at, "libq.so.6", sizeof needed);
        found++;
    }
    ck_assert_uint_gt(found, 0);
    write_file("a/good.so", data, size);
    add("a");
    expect_failure("good", OPPROF_E_LOAD,
                   "Cannot load plugin 'good' from '@/a/good.so'\n"
                   "  because: The dynamic linker refuses it: libq.so.6: cannot open shared object "
                   "file: No such file or directory\n"
                   "  hint: The module needs that library: install it, or name its directory in "
                   "LD_LIBRARY_PATH.");
    free(data);
}
END_TEST

#define UNDEFINED_HINT                                                                             \
    "\n  hint: The module lacks a library it should be linked with, or needs another opprof. "     \
    "Linking it with -Wl,-z,defs reports it when it is built."

START_TEST(an_undefined_function_is_named)
{
    copy_module("missing-function", "a/good.so");
    add("a");
    expect_failure("good", OPPROF_E_LOAD,
                   "Cannot load plugin 'good' from '@/a/good.so'\n"
                   "  because: The dynamic linker refuses it: undefined symbol: "
                   "opprof_no_such_function" UNDEFINED_HINT);
}
END_TEST

START_TEST(an_undefined_variable_is_named)
{
    copy_module("missing-data", "a/good.so");
    add("a");
    expect_failure("good", OPPROF_E_LOAD,
                   "Cannot load plugin 'good' from '@/a/good.so'\n"
                   "  because: The dynamic linker refuses it: undefined symbol: "
                   "opprof_no_such_data" UNDEFINED_HINT);
}
END_TEST

/* ---- descriptors in files ---- */

#define REBUILD                                                                                    \
    "\n  hint: Rebuild the module against this opprof, or use the opprof that it was built for. "  \
    "ABI numbers are not release numbers."

START_TEST(an_older_abi_is_named)
{
    copy_module("older", "a/good.so");
    add("a");
    expect_failure("good", OPPROF_E_ABI,
                   "Cannot load plugin 'good' from '@/a/good.so'\n"
                   "  because: The module is built for plugin ABI 0.0, this opprof (" OPPROF_VERSION
                   ") has " ABI REBUILD);
}
END_TEST

START_TEST(a_newer_abi_is_named)
{
    copy_module("newer", "a/good.so");
    add("a");
    expect_failure("good", OPPROF_E_ABI,
                   "Cannot load plugin 'good' from '@/a/good.so'\n"
                   "  because: The module is built for plugin ABI 0.7, this opprof (" OPPROF_VERSION
                   ") has " ABI REBUILD);
}
END_TEST

START_TEST(another_abi_major_is_named)
{
    copy_module("major", "a/good.so");
    add("a");
    expect_failure("good", OPPROF_E_ABI,
                   "Cannot load plugin 'good' from '@/a/good.so'\n"
                   "  because: The module is built for plugin ABI major 3, this opprof "
                   "(" OPPROF_VERSION ") has " ABI REBUILD);
}
END_TEST

START_TEST(another_descriptor_size_is_named)
{
    char *wanted =
        ProblemText("Cannot load plugin 'good' from '@/a/good.so'\n"
                    "  because: The module's descriptor has 64 bytes, this opprof's (%s) "
                    "has %zu, though both say plugin ABI " ABI "\n"
                    "  hint: Rebuild the module against the headers of this opprof.",
                    OPPROF_VERSION, sizeof(OpprofPlugin));

    copy_module("resized", "a/good.so");
    add("a");
    expect_failure("good", OPPROF_E_ABI, wanted);
    free(wanted);
}
END_TEST

START_TEST(a_library_without_descriptor_is_told)
{
    copy_module("bare", "a/good.so");
    add("a");
    expect_failure("good", OPPROF_E_LOAD,
                   "Cannot load plugin 'good' from '@/a/good.so'\n"
                   "  because: The module exports no descriptor 'opprof_plugin_v0'\n"
                   "  hint: OPPROF_PLUGIN_DEFINE in <opprof/plugin.h> makes one.");
}
END_TEST

static const char *const no_descriptors[] = { "function", "tiny" };

START_TEST(a_symbol_that_is_no_descriptor_is_told)
{
    copy_module(no_descriptors[_i], "a/good.so");
    add("a");
    expect_failure("good", OPPROF_E_LOAD,
                   "Cannot load plugin 'good' from '@/a/good.so'\n"
                   "  because: What the module exports as 'opprof_plugin_v0' is not a descriptor");
}
END_TEST

START_TEST(a_descriptor_that_is_cut_off_is_told)
{
    char *wanted =
        ProblemText("Cannot load plugin 'good' from '@/a/good.so'\n"
                    "  because: The module's 'opprof_plugin_v0' has only 16 of %zu bytes",
                    sizeof(OpprofPlugin));

    copy_module("short", "a/good.so");
    add("a");
    expect_failure("good", OPPROF_E_LOAD, wanted);
    free(wanted);
}
END_TEST

START_TEST(file_and_module_have_one_name)
{
    copy_module("good", "a/better.so");
    add("a");
    expect_failure("better", OPPROF_E_LOAD,
                   "Cannot load plugin 'better' from '@/a/better.so'\n"
                   "  because: The file is named 'better.so', but the module in it 'good'\n"
                   "  hint: Give the file the name of the module: 'good.so'.");
}
END_TEST

START_TEST(a_link_with_another_name_is_told_even_if_the_module_is_loaded)
{
    char *path = path_of("a/better.so");

    copy_module("good", "a/good.so");
    ck_assert_int_eq(symlink("good.so", path), 0);
    add("a");
    ck_assert_int_eq(find("good"), OPPROF_OK);
    ck_assert_int_eq(find("better"), OPPROF_E_LOAD);
    ck_assert_int_eq(find("good"), OPPROF_OK);
    free(path);
}
END_TEST

/* ---- lists ---- */

START_TEST(one_bad_module_does_not_hide_the_others)
{
    RegistryList list;

    copy_module("good", "a/good.so");
    copy_module("good", "b/good.so");
    write_file("a/bad.so", "text", 4);
    write_file("a/.hidden.so", "text", 4);
    write_file("a/readme", "text", 4);
    write_file("b/Odd.so", "text", 4);
    add("a");
    add("b");
    add("a");
    ck_assert_int_eq(RegistryScan(registry, &list, &error), OPPROF_OK);
    ck_assert_uint_eq(list.count, 4);
    ck_assert_str_eq(list.entries[0].name, "Odd");
    ck_assert_int_eq(OpprofErrorStatus(list.entries[0].error), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(list.entries[1].name, "bad");
    ck_assert_int_eq(OpprofErrorStatus(list.entries[1].error), OPPROF_E_LOAD);
    ck_assert_ptr_nonnull(list.entries[2].plugin);
    ck_assert_ptr_null(list.entries[2].shadowed_by);
    expect_text(list.entries[3].path, "@/b/good.so");
    expect_text(list.entries[3].shadowed_by, "@/a/good.so");
    ck_assert_ptr_null(list.entries[3].error);
    RegistryListFinish(&list);
}
END_TEST

static void set_mode(const char *name, mode_t mode)
{
    char *path = path_of(name);

    ck_assert_int_eq(chmod(path, mode), 0);
    free(path);
}

/* The text of the error, which is then gone. */
static void expect_in_text(const char *part)
{
    char *text = OpprofErrorText(error, false);

    ck_assert_msg(strstr(text, part) != NULL, "%s", text);
    free(text);
    OpprofErrorDestroy(error);
    error = NULL;
}

/* What others may write: the module, its directory, what a link points to, and where that lies. */
static const struct {
    const char *entry;
    mode_t mode;
    bool loads;
} writable[] = {
    { "a/good.so", 0755, true }, { "a/good.so", 0646, false }, { "a", 0777, false },
    { "a", 01777, true },        { "b", 0757, false },         { "b/real.so", 0666, false },
    { "b", 0750, true },
};

START_TEST(a_module_that_others_could_have_written_is_refused)
{
    const bool by_link = writable[_i].entry[0] == 'b';
    char *link = path_of("a/good.so");
    const OpprofPlugin *plugin = NULL;
    char *text;

    copy_module("good", by_link ? "b/real.so" : "a/good.so");
    if (by_link) {
        ck_assert_int_eq(symlink("../b/real.so", link), 0);
    }
    free(link);
    set_mode(writable[_i].entry, writable[_i].mode);
    add("a");
    if (writable[_i].loads) {
        ck_assert_int_eq(RegistryFind(registry, "good", &plugin, NULL, &error), OPPROF_OK);
        return;
    }
    ck_assert_int_eq(RegistryFind(registry, "good", &plugin, NULL, &error), OPPROF_E_LOAD);
    text = OpprofErrorText(error, false);
    ck_assert_msg(strstr(text, "because: Others can write '") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "hint: Remove that permission: chmod go-w '") != NULL, "%s", text);
    free(text);
    OpprofErrorDestroy(error);
    error = NULL;
    RegistryAllowWritable(registry);
    ck_assert_int_eq(RegistryFind(registry, "good", &plugin, NULL, &error), OPPROF_OK);
}
END_TEST

/* The directory is known by then; a file in it, and what a link in it points to, are not. */
START_TEST(each_module_of_a_directory_is_checked)
{
    char *link = path_of("a/linked.so");
    const OpprofPlugin *plugin = NULL;

    copy_module("good", "a/good.so");
    copy_module("good", "a/other.so");
    copy_module("good", "b/real.so");
    ck_assert_int_eq(symlink("../b/real.so", link), 0);
    free(link);
    set_mode("a/other.so", 0757);
    set_mode("b", 0757);
    add("a");
    ck_assert_int_eq(RegistryFind(registry, "good", &plugin, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(RegistryFind(registry, "other", &plugin, NULL, &error), OPPROF_E_LOAD);
    expect_in_text("/a/other.so' (mode 0757)");
    ck_assert_int_eq(RegistryFind(registry, "linked", &plugin, NULL, &error), OPPROF_E_LOAD);
    expect_in_text("/b' (mode 0757)");
}
END_TEST

START_TEST(what_was_found_is_not_looked_for_again)
{
    const OpprofPlugin *plugin = NULL;
    const OpprofPlugin *again = NULL;
    const char *path = NULL;

    copy_module("good", "a/good.so");
    copy_module("good", "b/good.so");
    add("a");
    ck_assert_int_eq(RegistryFind(registry, "good", &plugin, NULL, &error), OPPROF_OK);
    set_mode("a/good.so", 0757);
    ck_assert_int_eq(RegistryFind(registry, "good", &again, &path, &error), OPPROF_OK);
    ck_assert_ptr_eq(plugin, again);
    expect_text(path, "@/a/good.so");

    /* another directory may have another one; this one comes after */
    add("b");
    ck_assert_int_eq(RegistryFind(registry, "good", &again, &path, &error), OPPROF_E_LOAD);
    expect_in_text("Others can write");
}
END_TEST

START_TEST(a_module_of_another_user_is_refused)
{
    char *path = path_of("a/good.so");
    const OpprofPlugin *plugin = NULL;
    bool given;
    char *text;

    copy_module("good", "a/good.so");
    add("a");
    given = chown(path, 4321, (gid_t) -1) == 0;
    free(path);
    if (!given) {
        return; /* only root can give files away */
    }
    ck_assert_int_eq(RegistryFind(registry, "good", &plugin, NULL, &error), OPPROF_E_LOAD);
    text = OpprofErrorText(error, false);
    ck_assert_msg(strstr(text, "belongs to user 4321, who is neither you nor root") != NULL, "%s",
                  text);
    free(text);
}
END_TEST

static void add_search_tests(TCase *tcase)
{
    tcase_add_loop_test(tcase, a_module_that_others_could_have_written_is_refused, 0,
                        sizeof writable / sizeof writable[0]);
    tcase_add_test(tcase, each_module_of_a_directory_is_checked);
    tcase_add_test(tcase, what_was_found_is_not_looked_for_again);
    tcase_add_test(tcase, a_module_of_another_user_is_refused);
    tcase_add_test(tcase, a_good_module_is_found_with_its_descriptor);
    tcase_add_test(tcase, a_module_is_loaded_once_for_all_pipelines);
    tcase_add_test(tcase, pipelines_of_several_threads_get_the_same_module);
    tcase_add_test(tcase, the_first_directory_wins);
    tcase_add_test(tcase, a_bad_module_is_not_passed_over_for_a_good_one_behind_it);
    tcase_add_test(tcase, directories_are_looked_at_in_the_documented_order);
    tcase_add_test(tcase, the_users_directory_has_a_default);
    tcase_add_test(tcase, the_system_path_can_be_replaced);
    tcase_add_test(tcase, a_directory_needs_a_name);
    tcase_add_test(tcase, what_is_in_no_directory_is_not_found);
    tcase_add_test(tcase, nothing_is_found_in_no_directory);
    tcase_add_loop_test(tcase, names_that_no_module_can_have_are_refused, 0,
                        (int) OPPROF_COUNT(bad_names));
    tcase_add_test(tcase, no_name_is_refused_in_silence);
    tcase_add_test(tcase, one_bad_module_does_not_hide_the_others);
}

static void add_file_tests(TCase *tcase)
{
    tcase_add_test(tcase, a_text_file_is_told);
    tcase_add_test(tcase, other_bytes_are_told);
    tcase_add_test(tcase, an_empty_file_is_told);
    tcase_add_test(tcase, a_static_library_is_told);
    tcase_add_test(tcase, a_directory_is_told);
    tcase_add_test(tcase, a_link_to_nowhere_is_told);
    tcase_add_test(tcase, another_machine_is_told);
#if defined(__x86_64__)
    tcase_add_test(tcase, both_machines_are_named);
#endif
    tcase_add_loop_test(tcase, a_header_that_fits_not_is_told, 0, (int) OPPROF_COUNT(patches));
    tcase_add_test(tcase, no_prefix_of_a_module_does_harm);
    tcase_add_test(tcase, a_file_that_is_cut_off_is_told);
}

static void add_module_tests(TCase *tcase)
{
    tcase_add_test(tcase, a_missing_library_is_named);
    tcase_add_test(tcase, an_undefined_function_is_named);
    tcase_add_test(tcase, an_undefined_variable_is_named);
    tcase_add_test(tcase, an_older_abi_is_named);
    tcase_add_test(tcase, a_newer_abi_is_named);
    tcase_add_test(tcase, another_abi_major_is_named);
    tcase_add_test(tcase, another_descriptor_size_is_named);
    tcase_add_test(tcase, a_library_without_descriptor_is_told);
    tcase_add_loop_test(tcase, a_symbol_that_is_no_descriptor_is_told, 0,
                        (int) OPPROF_COUNT(no_descriptors));
    tcase_add_test(tcase, a_descriptor_that_is_cut_off_is_told);
    tcase_add_test(tcase, file_and_module_have_one_name);
    tcase_add_test(tcase, a_link_with_another_name_is_told_even_if_the_module_is_loaded);
}

static Suite *registry_suite(void)
{
    Suite *suite = suite_create("registry");
    TCase *search = tcase_create("search");
    TCase *files = tcase_create("files");
    TCase *loading = tcase_create("modules");

    add_search_tests(search);
    add_file_tests(files);
    add_module_tests(loading);
    tcase_add_checked_fixture(search, setup, teardown);
    tcase_add_checked_fixture(files, setup, teardown);
    tcase_add_checked_fixture(loading, setup, teardown);
    suite_add_tcase(suite, search);
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, loading);
    return suite;
}
TEST_SUITE(registry_suite)
