/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/output. */
#include "output/output.h"

#include "tests/core/base/failing_alloc.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/log.h>
#include <opprof/record.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

static OpprofOutputDirectory *open_output(void)
{
    OpprofOutputDirectory *directory = NULL;
    OpprofError *error = NULL;

    if (OutputDirectoryCreate(in_scratch("out"), true, &directory, &error) != OPPROF_OK) {
        ck_abort_msg("%s", OpprofErrorMessage(error));
    }
    return directory;
}

static OpprofOutputFile *begin_file(OpprofOutputDirectory *directory, const char *relative)
{
    OpprofOutputFile *file = NULL;
    OpprofError *error = NULL;

    if (OpprofOutputFileCreate(directory, relative, &file, &error) != OPPROF_OK) {
        ck_abort_msg("%s", OpprofErrorMessage(error));
    }
    return file;
}

/* Takes an error whose message must hold the part; returns its status. */
static OpprofStatus take_error(OpprofError *error, const char *part)
{
    const OpprofStatus status = OpprofErrorStatus(error);
    char *text = OpprofErrorText(error, false);

    ck_assert_ptr_nonnull(text);
    if (strstr(text, part) == NULL) {
        ck_abort_msg("'%s' lacks '%s'", text, part);
    }
    free(text);
    OpprofErrorDestroy(error);
    return status;
}

static int found;

static int count_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void) path;
    (void) info;
    (void) place;
    found += kind == FTW_F || kind == FTW_SL;
    return 0;
}

/* Files and links below the scratch directory. */
static int count_files(void)
{
    found = 0;
    ck_assert_int_eq(nftw(scratch, count_entry, 16, FTW_PHYS), 0);
    return found;
}

static void check_content(const char *path, const char *data, size_t size)
{
    size_t got = 0;
    char *content = read_whole(path, &got);

    ck_assert_uint_eq(got, size);
    ck_assert_int_eq(memcmp(content, data, size), 0);
    free(content);
}

static char *random_bytes(size_t size)
{
    char *data = malloc(size);
    uint64_t state = 88172645463325252u;

    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i < size; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        data[i] = (char) (state >> 56);
    }
    return data;
}

/* ---- the directory ---- */

START_TEST(a_run_gets_a_directory_of_its_own)
{
    OpprofOutputDirectory *directory = NULL;
    const time_t before = time(NULL);

    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("a/b"), false, &directory, NULL), OPPROF_OK);
    const char *path = OpprofOutputDirectoryPath(directory);
    const char *name = strrchr(path, '/') + 1;
    ck_assert_int_eq(strncmp(path, scratch, strlen(scratch)), 0);
    ck_assert_uint_eq(strlen(name), strlen("OPPROF_YYYYmmddHHMMSS_") + 16);
    ck_assert_uint_eq(strspn(name + 22, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 16);
    struct tm local = { 0 };
    ck_assert_str_eq(strptime(name, "OPPROF_%Y%m%d%H%M%S", &local), name + 21);
    local.tm_isdst = -1;
    const time_t stamp = mktime(&local);
    ck_assert_int_ge(stamp, before);
    ck_assert_int_le(stamp, time(NULL));
    ck_assert_uint_eq(mode_of(path), 0750);
    ck_assert_uint_eq(mode_of(in_scratch("a")), 0750);
    ck_assert_uint_eq(mode_of(in_scratch("a/b")), 0750);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(two_runs_get_two_directories)
{
    OpprofOutputDirectory *one = NULL;
    OpprofOutputDirectory *two = NULL;

    ck_assert_int_eq(OutputDirectoryCreate(scratch, false, &one, NULL), OPPROF_OK);
    ck_assert_int_eq(OutputDirectoryCreate(scratch, false, &two, NULL), OPPROF_OK);
    ck_assert_str_ne(OpprofOutputDirectoryPath(one), OpprofOutputDirectoryPath(two));
    OutputDirectoryDestroy(one);
    OutputDirectoryDestroy(two);
}
END_TEST

START_TEST(flat_results_go_straight_into_the_directory)
{
    OpprofOutputDirectory *directory = NULL;
    char working[PATH_MAX / 2];

    ck_assert_int_eq(chdir(scratch), 0);
    ck_assert_ptr_nonnull(getcwd(working, sizeof working));
    ck_assert_int_eq(OutputDirectoryCreate("./x//y/./", true, &directory, NULL), OPPROF_OK);
    char wanted[PATH_MAX];
    snprintf(wanted, sizeof wanted, "%s/x/y", working);
    ck_assert_str_eq(OpprofOutputDirectoryPath(directory), wanted);
    ck_assert_uint_eq(mode_of("x/y"), 0750);
    OutputDirectoryDestroy(directory);
    ck_assert_int_eq(OutputDirectoryCreate(".", true, &directory, NULL), OPPROF_OK);
    ck_assert_str_eq(OpprofOutputDirectoryPath(directory), working);
    OutputDirectoryDestroy(directory);
    ck_assert_int_eq(OutputDirectoryCreate("x/../z", true, &directory, NULL), OPPROF_OK);
    ck_assert(exists(in_scratch("z")));
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(two_runs_do_not_share_a_directory)
{
    OpprofOutputDirectory *first = open_output(), *second = NULL;
    OpprofScratch *scratch_directory = NULL;
    OpprofError *error = NULL;

    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("out"), true, &second, &error), OPPROF_E_IO);
    ck_assert_ptr_null(second);
    ck_assert_int_eq(take_error(error, "Another run is writing its results into"), OPPROF_E_IO);
    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("out"), false, &second, NULL), OPPROF_OK);
    OutputDirectoryDestroy(second); /* of its own below */
    ck_assert_int_eq(OpprofScratchMake(in_scratch("out"), &scratch_directory, NULL), OPPROF_OK);
    ck_assert_int_eq(
        OutputDirectoryCreate(OpprofScratchPath(scratch_directory), true, &second, NULL),
        OPPROF_OK);
    OutputDirectoryDestroy(second);
    OpprofScratchRemove(scratch_directory);
    OutputDirectoryDestroy(first);
    OutputDirectoryDestroy(open_output());
}
END_TEST

START_TEST(an_existing_directory_keeps_its_mode)
{
    ck_assert_int_eq(mkdir(in_scratch("out"), 0700), 0);
    OutputDirectoryDestroy(open_output());
    ck_assert_uint_eq(mode_of(in_scratch("out")), 0700);
}
END_TEST

static void refuse_directory(const char *path, bool flat, OpprofStatus wanted, const char *part)
{
    OpprofError *error = NULL;
    OpprofOutputDirectory *directory = (OpprofOutputDirectory *) &error;

    ck_assert_int_eq(OutputDirectoryCreate(path, flat, &directory, &error), wanted);
    ck_assert_ptr_null(directory);
    ck_assert_int_eq(take_error(error, part), wanted);
}

START_TEST(bad_places_are_refused)
{
    char longest[NAME_MAX + 10];

    refuse_directory("", true, OPPROF_E_ARGUMENT, "empty");
    refuse_directory(NULL, false, OPPROF_E_ARGUMENT, "empty");
    write_scratch("file", "x", 1);
    refuse_directory(in_scratch("file"), true, OPPROF_E_IO, "not a directory");
    refuse_directory(in_scratch("file/below"), false, OPPROF_E_IO, "not a directory");
    refuse_directory("/proc/nowhere", true, OPPROF_E_IO, "hint: Choose another output directory");
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    refuse_directory(longest, true, OPPROF_E_IO, "File name too long");
    if (geteuid() != 0) {
        ck_assert_int_eq(mkdir(in_scratch("closed"), 0500), 0);
        refuse_directory(in_scratch("closed"), true, OPPROF_E_IO, "cannot write results into");
        refuse_directory(in_scratch("closed"), false, OPPROF_E_IO, "Permission denied");
    }
}
END_TEST

START_TEST(a_link_is_followed_above_but_not_at_the_end)
{
    OpprofOutputDirectory *directory = NULL;

    ck_assert_int_eq(mkdir(in_scratch("real"), 0700), 0);
    ck_assert_int_eq(symlink("real", in_scratch("link")), 0);
    ck_assert_int_eq(symlink("nowhere", in_scratch("dangling")), 0);
    refuse_directory(in_scratch("link"), true, OPPROF_E_IO, "it is a symbolic link");
    refuse_directory(in_scratch("link"), false, OPPROF_E_IO, "it is a symbolic link");
    refuse_directory(in_scratch("link/"), true, OPPROF_E_IO,
                     "it is a symbolic link\n  hint: Name the directory that the link points to");
    refuse_directory(in_scratch("link/."), true, OPPROF_E_IO, "it is a symbolic link");
    refuse_directory(in_scratch("dangling"), true, OPPROF_E_IO, "it is a symbolic link");
    refuse_directory(in_scratch("dangling/x"), true, OPPROF_E_IO, "it is a symbolic link");
    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("link/below"), true, &directory, NULL),
                     OPPROF_OK);
    ck_assert(exists(in_scratch("real/below")));
    OutputDirectoryDestroy(directory);
}
END_TEST

static void count_warning(void *context, OpprofLogLevel level, const char *line)
{
    int *warnings = context;
    *warnings += level == OPPROF_LOG_WARNING && strstr(line, "Others can write") != NULL;
}

START_TEST(a_place_that_others_can_write_is_warned_about)
{
    static const struct {
        mode_t mode;
        int warnings;
    } known[] = { { 0755, 0 }, { 0700, 0 }, { 0770, 1 }, { 0777, 1 }, { 01777, 1 }, { 0702, 1 } };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        OpprofOutputDirectory *directory = NULL;
        char name[32];
        int warnings = 0;
        snprintf(name, sizeof name, "mode%zu", i);
        ck_assert_int_eq(mkdir(in_scratch(name), 0700), 0);
        ck_assert_int_eq(chmod(in_scratch(name), known[i].mode), 0);
        OpprofLogSetSink(count_warning, &warnings);
        ck_assert_int_eq(OutputDirectoryCreate(in_scratch(name), i % 2 == 0, &directory, NULL),
                         OPPROF_OK);
        ck_assert_int_eq(warnings, known[i].warnings);
        OutputDirectoryDestroy(directory);
    }
}
END_TEST

START_TEST(only_an_empty_directory_of_ones_own_is_removed)
{
    OpprofOutputDirectory *directory = open_output();

    OutputDirectoryRemoveEmpty(directory);
    ck_assert(!exists(in_scratch("out")));
    OutputDirectoryDestroy(directory);
    directory = open_output();
    ck_assert_int_eq(OpprofOutputFileFinish(begin_file(directory, "kept"), NULL), OPPROF_OK);
    OutputDirectoryRemoveEmpty(directory);
    ck_assert(exists(in_scratch("out/kept")));
    OutputDirectoryDestroy(directory);
    ck_assert_int_eq(unlink(in_scratch("out/kept")), 0);
    directory = open_output(); /* it was there before */
    OutputDirectoryRemoveEmpty(directory);
    ck_assert(exists(in_scratch("out")));
    OutputDirectoryDestroy(directory);
    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("out"), false, &directory, NULL), OPPROF_OK);
    char *path = strdup(OpprofOutputDirectoryPath(directory));
    OutputDirectoryRemoveEmpty(directory);
    ck_assert(!exists(path));
    ck_assert(exists(in_scratch("out")));
    free(path);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(directories_above_go_too_if_the_run_made_them)
{
    static const char *const made[] = { "there/a//./b", "there/a/../c/d", "there/a/b" };
    OpprofOutputDirectory *directory = NULL;

    for (size_t i = 0; i < 2 * sizeof made / sizeof made[0]; i++) {
        ck_assert_int_eq(mkdir(in_scratch("there"), 0700), 0);
        ck_assert(i / 2 != 1 || mkdir(in_scratch("there/a"), 0700) == 0);
        ck_assert_int_eq(
            OutputDirectoryCreate(in_scratch(made[i / 2]), i % 2 == 0, &directory, NULL),
            OPPROF_OK);
        OutputDirectoryRemoveEmpty(directory);
        OutputDirectoryDestroy(directory);
        ck_assert(i / 2 != 1 || rmdir(in_scratch("there/a")) == 0);
        ck_assert_msg(rmdir(in_scratch("there")) == 0, "'%s' leaves something", made[i / 2]);
    }
}
END_TEST

/* ---- files ---- */

START_TEST(a_file_has_its_name_only_when_finished)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "core0/trace.json");

    ck_assert_str_eq(OpprofOutputFilePath(file), in_scratch("out/core0/trace.json"));
    ck_assert_int_eq(OpprofOutputFileWrite(file, "{}", 2, NULL), OPPROF_OK);
    ck_assert_int_eq(count_files(), 1);
    ck_assert(!exists(in_scratch("out/core0/trace.json")));
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    check_content(in_scratch("out/core0/trace.json"), "{}", 2);
    ck_assert_int_eq(count_files(), 1);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(modes_do_not_depend_on_the_umask)
{
    static const mode_t masks[] = { 0077, 0000, 0022, 0277, 0027 };

    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "run%zu", i);
        OpprofOutputDirectory *directory = NULL;
        umask(masks[i]);
        ck_assert_int_eq(OutputDirectoryCreate(in_scratch(name), true, &directory, NULL),
                         OPPROF_OK);
        ck_assert_int_eq(OpprofOutputFileFinish(begin_file(directory, "a/b/c.csv"), NULL),
                         OPPROF_OK);
        umask(0022);
        OutputDirectoryDestroy(directory);
        ck_assert_uint_eq(mode_of(in_scratch(name)), 0750);
        snprintf(name, sizeof name, "run%zu/a", i);
        ck_assert_uint_eq(mode_of(in_scratch(name)), 0750);
        snprintf(name, sizeof name, "run%zu/a/b", i);
        ck_assert_uint_eq(mode_of(in_scratch(name)), 0750);
        snprintf(name, sizeof name, "run%zu/a/b/c.csv", i);
        ck_assert_uint_eq(mode_of(in_scratch(name)), 0640);
    }
}
END_TEST

START_TEST(a_discarded_file_leaves_nothing)
{
    OpprofOutputDirectory *directory = open_output();

    OpprofOutputFileDiscard(begin_file(directory, "a"));
    ck_assert_int_eq(count_files(), 0);
    OpprofOutputFileDiscard(NULL);
    begin_file(directory, "b");
    begin_file(directory, "c/d");
    OpprofOutputFile *file = begin_file(directory, "e");
    ck_assert_int_eq(count_files(), 3);
    OpprofOutputFileDiscard(file);
    OutputDirectoryDestroy(directory); /* discards the others */
    ck_assert_int_eq(count_files(), 0);
}
END_TEST

START_TEST(an_older_file_is_replaced)
{
    OpprofOutputDirectory *directory = open_output();

    for (int i = 0; i < 2; i++) {
        OpprofOutputFile *file = begin_file(directory, "a");
        ck_assert_int_eq(
            OpprofOutputFileWrite(file, i == 0 ? "older" : "new", i == 0 ? 5 : 3, NULL), OPPROF_OK);
        ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    }
    check_content(in_scratch("out/a"), "new", 3);
    OutputDirectoryDestroy(directory);
}
END_TEST

static void refuse_file(OpprofOutputDirectory *directory, const char *relative, OpprofStatus wanted,
                        const char *part)
{
    OpprofError *error = NULL;
    OpprofOutputFile *file = (OpprofOutputFile *) &error;

    ck_assert_int_eq(OpprofOutputFileCreate(directory, relative, &file, &error), wanted);
    ck_assert_ptr_null(file);
    ck_assert_int_eq(take_error(error, part), wanted);
}

START_TEST(bad_paths_are_refused)
{
    OpprofOutputDirectory *directory = open_output();
    char name[NAME_MAX + 2];
    char path[PATH_MAX + 1];

    refuse_file(directory, "", OPPROF_E_ARGUMENT, "empty name");
    refuse_file(directory, "/etc/passwd", OPPROF_E_ARGUMENT, "starts with '/'");
    refuse_file(directory, "a//b", OPPROF_E_ARGUMENT, "empty name");
    refuse_file(directory, "a/", OPPROF_E_ARGUMENT, "empty name");
    refuse_file(directory, ".", OPPROF_E_ARGUMENT, "'.' or '..'");
    refuse_file(directory, "..", OPPROF_E_ARGUMENT, "'.' or '..'");
    refuse_file(directory, "a/../../b", OPPROF_E_ARGUMENT, "'.' or '..'");
    refuse_file(directory, "a/..", OPPROF_E_ARGUMENT, "'.' or '..'");
    refuse_file(directory, "./a", OPPROF_E_ARGUMENT, "'.' or '..'");
    refuse_file(directory, "a\nb", OPPROF_E_ARGUMENT, "control character");
    refuse_file(directory, "a\x7f", OPPROF_E_ARGUMENT, "control character");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    refuse_file(directory, name, OPPROF_E_ARGUMENT, "over 255 bytes");
    for (size_t i = 0; i < sizeof path - 1; i++) {
        path[i] = i % 2 == 0 ? 'p' : '/';
    }
    path[sizeof path - 2] = 'q';
    path[sizeof path - 1] = '\0';
    refuse_file(directory, path, OPPROF_E_ARGUMENT, "over 4095 bytes");
    ck_assert_int_eq(count_files(), 0);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(odd_names_are_good_names)
{
    static const char *const names[] = { "...", ".hidden",  "..a", "a..",
                                         "a b", "\303\244", "-x",  "~" };
    OpprofOutputDirectory *directory = open_output();
    char longest[NAME_MAX + 1];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ck_assert_int_eq(OpprofOutputFileFinish(begin_file(directory, names[i]), NULL), OPPROF_OK);
    }
    memset(longest, 'n', NAME_MAX);
    longest[NAME_MAX] = '\0';
    ck_assert_int_eq(OpprofOutputFileFinish(begin_file(directory, longest), NULL), OPPROF_OK);
    ck_assert_int_eq(count_files(), 9);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(links_in_the_way_are_refused)
{
    OpprofOutputDirectory *directory = open_output();

    write_scratch("victim", "safe", 4);
    ck_assert_int_eq(mkdir(in_scratch("elsewhere"), 0700), 0);
    ck_assert_int_eq(symlink("../victim", in_scratch("out/a")), 0);
    ck_assert_int_eq(symlink("../elsewhere", in_scratch("out/core0")), 0);
    ck_assert_int_eq(symlink("../nowhere", in_scratch("out/core1")), 0);
    refuse_file(directory, "a", OPPROF_E_IO, "a symbolic link is in the way");
    refuse_file(directory, "core0/b", OPPROF_E_IO, "it is a symbolic link");
    refuse_file(directory, "core1/b", OPPROF_E_IO, "it is a symbolic link");
    ck_assert(!exists(in_scratch("elsewhere/b")));
    ck_assert(!exists(in_scratch("nowhere")));
    check_content(in_scratch("victim"), "safe", 4);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(a_link_put_there_meanwhile_is_refused)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    OpprofError *error = NULL;

    write_scratch("victim", "safe", 4);
    ck_assert_int_eq(symlink("../victim", in_scratch("out/a")), 0);
    ck_assert_int_eq(OpprofOutputFileFinish(file, &error), OPPROF_E_IO);
    take_error(error, "a symbolic link is in the way");
    check_content(in_scratch("victim"), "safe", 4);
    ck_assert_int_eq(count_files(), 2); /* the victim and the link */
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(a_directory_moved_away_takes_its_files_along)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "core0/a");
    OpprofError *error = NULL;

    ck_assert_int_eq(OutputDirectoryCheckPlace(directory, NULL), OPPROF_OK);
    ck_assert_int_eq(rename(in_scratch("out"), in_scratch("moved")), 0);
    ck_assert_int_eq(mkdir(in_scratch("victim"), 0700), 0);
    ck_assert_int_eq(symlink("victim", in_scratch("out")), 0);
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    ck_assert(exists(in_scratch("moved/core0/a")));
    ck_assert(!exists(in_scratch("victim/core0")));
    ck_assert_int_eq(OutputDirectoryCheckPlace(directory, &error), OPPROF_E_IO);
    ck_assert_int_eq(take_error(error, "any more: something else is there"), OPPROF_E_IO);
    ck_assert_int_eq(unlink(in_scratch("out")), 0);
    error = NULL;
    ck_assert_int_eq(OutputDirectoryCheckPlace(directory, &error), OPPROF_E_IO);
    ck_assert_int_eq(take_error(error, "any more: No such file or directory"), OPPROF_E_IO);
    ck_assert_int_eq(symlink("moved", in_scratch("out")), 0);
    ck_assert_int_eq(OutputDirectoryCheckPlace(directory, NULL), OPPROF_OK);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(only_regular_files_are_replaced)
{
    OpprofOutputDirectory *directory = open_output();

    ck_assert_int_eq(mkdir(in_scratch("out/a"), 0700), 0);
    ck_assert_int_eq(mkfifo(in_scratch("out/b"), 0600), 0);
    write_scratch("out/c", "x", 1);
    refuse_file(directory, "a", OPPROF_E_IO, "a directory is in the way");
    refuse_file(directory, "b", OPPROF_E_IO, "not a regular file is in the way");
    refuse_file(directory, "c/d", OPPROF_E_IO, "it is not a directory");
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(a_file_is_written_by_one_at_a_time)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a/b");

    refuse_file(directory, "a/b", OPPROF_E_ARGUMENT, "the run is writing it already");
    OpprofOutputFileDiscard(file);
    OpprofOutputFileDiscard(begin_file(directory, "a/b"));
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(among_many_open_files_each_is_written_by_one_at_a_time)
{
    enum { FILES = 300 };
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *files[FILES];
    char name[16];

    for (unsigned i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%u", i);
        files[i] = begin_file(directory, name);
    }
    for (unsigned i = 0; i < FILES;
         i += 3) { /* from the middle, the ends and the only one of a list */
        OpprofOutputFileDiscard(files[i]);
    }
    for (unsigned i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%u", i);
        if (i % 3 == 0) {
            OpprofOutputFileDiscard(begin_file(directory, name));
        } else {
            refuse_file(directory, name, OPPROF_E_ARGUMENT, "the run is writing it already");
        }
    }
    OutputDirectoryDestroy(directory);
}
END_TEST

/* ---- content ---- */

START_TEST(writes_of_all_sizes_arrive)
{
    const size_t size = 3u << 20;
    char *data = random_bytes(size);
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    size_t at = 0;

    for (size_t step = 0; at < size; step = step * 2 + 1) {
        const size_t next = step > size - at ? size - at : step;
        ck_assert_int_eq(OpprofOutputFileWrite(file, data + at, next, NULL), OPPROF_OK);
        at += next;
        ck_assert_uint_eq(OpprofOutputFileOffset(file), at);
        step = step > 700000 ? 0 : step;
    }
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    check_content(in_scratch("out/a"), data, size);
    OutputDirectoryDestroy(directory);
    free(data);
}
END_TEST

START_TEST(reserved_room_can_be_filled_in_part)
{
    static const size_t rooms[] = { 1, 100, 262144, 262145, 1 << 20, 5, 1 << 20, 0, 300000 };
    const size_t size = 8u << 20;
    char *data = random_bytes(size);
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    size_t at = 0;

    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        char *room = OpprofOutputFileReserve(file, rooms[i]);
        ck_assert_ptr_nonnull(room);
        memset(room, '#', rooms[i]);
        const size_t used = rooms[i] / 2;
        memcpy(room, data + at, used);
        OpprofOutputFileCommit(file, used);
        at += used;
        ck_assert_int_eq(OpprofOutputFileWrite(file, data + at, 10, NULL), OPPROF_OK);
        at += 10;
    }
    ck_assert_uint_eq(OpprofOutputFileOffset(file), at);
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    check_content(in_scratch("out/a"), data, at);
    OutputDirectoryDestroy(directory);
    free(data);
}
END_TEST

START_TEST(a_file_that_rests_goes_on_where_it_was)
{
    static const size_t rooms[] = { 1, 0, 16384, 16385, 1 << 20, 5 };
    const size_t size = 4u << 20;
    char *data = random_bytes(size);
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    size_t at = 0;

    ck_assert_int_eq(OpprofOutputFileRest(file, NULL), OPPROF_OK);
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        char *room = OpprofOutputFileReserve(file, rooms[i]);
        ck_assert_ptr_nonnull(room);
        memcpy(room, data + at, rooms[i]);
        OpprofOutputFileCommit(file, rooms[i]);
        at += rooms[i];
        ck_assert_int_eq(OpprofOutputFileRest(file, NULL), OPPROF_OK);
        ck_assert_uint_eq(OpprofOutputFileOffset(file), at);
        ck_assert_int_eq(OpprofOutputFileWrite(file, data + at, 10 + 20000 * i, NULL), OPPROF_OK);
        at += 10 + 20000 * i;
        if (i % 2 == 0) {
            ck_assert_int_eq(OpprofOutputFileRest(file, NULL), OPPROF_OK);
        }
        ck_assert_int_eq(OpprofOutputFilePatch(file, at - 5, data + at - 5, 5, NULL), OPPROF_OK);
    }
    ck_assert_int_eq(OpprofOutputFileRest(file, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileRest(file, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    check_content(in_scratch("out/a"), data, at);
    OutputDirectoryDestroy(directory);
    free(data);
}
END_TEST

START_TEST(broken_promises_about_room_are_found)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofError *error = NULL;
    OpprofOutputFile *file = begin_file(directory, "a");

    ck_assert_ptr_null(OpprofOutputFileReserve(file, (1 << 20) + 1));
    ck_assert_int_eq(OpprofOutputFileWrite(file, "x", 1, &error), OPPROF_E_CONTRACT);
    take_error(error, "at byte 0");
    OpprofOutputFileDiscard(file);
    ck_assert_int_eq(count_files(), 0);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(patches_land_before_after_and_across_what_was_written)
{
    const size_t size =
        600000; /* the first 2 x 262144 bytes or so are on disk, the rest in the buffer */
    char *data = random_bytes(size);
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    const struct {
        size_t offset;
        size_t size;
    } patches[] = { { 0, 8 },    { 262140, 8 }, { 520000, 60000 }, { size - 8, 8 },
                    { size, 0 }, { 0, 0 },      { 1000, 300000 } };

    for (size_t at = 0; at < size; at += 1000) {
        ck_assert_int_eq(OpprofOutputFileWrite(file, data + at, 1000, NULL), OPPROF_OK);
    }
    for (size_t i = 0; i < sizeof patches / sizeof patches[0]; i++) {
        for (size_t k = 0; k < patches[i].size; k++) {
            data[patches[i].offset + k] ^= (char) (i + 1);
        }
        ck_assert_int_eq(OpprofOutputFilePatch(file, patches[i].offset, data + patches[i].offset,
                                               patches[i].size, NULL),
                         OPPROF_OK);
    }
    ck_assert_uint_eq(OpprofOutputFileOffset(file), size);
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    check_content(in_scratch("out/a"), data, size);
    OutputDirectoryDestroy(directory);
    free(data);
}
END_TEST

START_TEST(patches_beyond_the_end_break_a_contract)
{
    static const struct {
        uint64_t offset;
        size_t size;
    } patches[] = { { 1, 8 }, { 8, 1 }, { UINT64_MAX, 1 }, { UINT64_MAX - 3, 8 } };
    OpprofOutputFile *file = begin_file(open_output(), "a");

    ck_assert_int_eq(OpprofOutputFileWrite(file, "12345678", 8, NULL), OPPROF_OK);
    OpprofOutputFilePatch(file, patches[_i].offset, "12345678", patches[_i].size, NULL);
}
END_TEST

/* Copies ranges of `source` between writes, and checks the outcome. */
static void check_copies(const char *source, const char *data, size_t size)
{
    const struct {
        size_t offset;
        size_t length;
    } ranges[] = { { 0, 0 },        { 0, 1 },    { 5, 65536 }, { 3, 65537 },     { 100, 1000000 },
                   { size - 1, 1 }, { 0, size }, { size, 0 },  { 17, size - 17 } };
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    char *wanted = malloc(4 * size + 100);
    size_t at = 0;

    ck_assert_ptr_nonnull(wanted);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        ck_assert_int_eq(OpprofOutputFileWrite(file, "between", 7, NULL), OPPROF_OK);
        memcpy(wanted + at, "between", 7);
        at += 7;
        ck_assert_int_eq(
            OpprofOutputFileCopy(file, source, ranges[i].offset, ranges[i].length, NULL),
            OPPROF_OK);
        memcpy(wanted + at, data + ranges[i].offset, ranges[i].length);
        at += ranges[i].length;
        ck_assert_uint_eq(OpprofOutputFileOffset(file), at);
        ck_assert_int_eq(OpprofOutputFilePatch(file, at - 3, "abc", 3, NULL), OPPROF_OK);
        memcpy(wanted + at - 3, "abc", 3);
    }
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    check_content(in_scratch("out/a"), wanted, at);
    OutputDirectoryDestroy(directory);
    free(wanted);
}

START_TEST(ranges_of_files_are_copied)
{
    const size_t size = 2000003;
    char *data = random_bytes(size);

    check_copies(write_scratch("source", data, size), data, size);
    free(data);
}
END_TEST

START_TEST(ranges_are_copied_from_another_file_system)
{
    char path[] = "/dev/shm/opprof-test-XXXXXX";
    const int fd = mkstemp(path);
    const size_t size = 1500001;

    if (fd < 0) {
        return; /* no such file system here */
    }
    char *data = random_bytes(size);
    ck_assert_int_eq(write(fd, data, size), (ssize_t) size);
    close(fd);
    check_copies(path, data, size);
    ck_assert_int_eq(unlink(path), 0);
    free(data);
}
END_TEST

START_TEST(ranges_of_a_file_without_a_name_are_copied)
{
    const size_t size = 300001;
    const char *path = in_scratch("unnamed");
    const int fd = open(path, O_CREAT | O_RDWR, 0600);
    char *data = random_bytes(size);
    char *wanted = malloc(100004);
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    OpprofError *error = NULL;

    ck_assert_ptr_nonnull(wanted);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(write(fd, data, size), (ssize_t) size);
    ck_assert_int_eq(OpprofOutputFileCopyOpen(file, fd, "it", 200000, 100001, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileCopyOpen(file, fd, "it", 7, 3, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileCopyOpen(file, fd, "it", 300000, 2, &error), OPPROF_E_IO);
    take_error(error, "of 'it' to");
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    memcpy(wanted, data + 200000, 100001);
    memcpy(wanted + 100001, data + 7, 3);
    check_content(in_scratch("out/a"), wanted, 100004);
    OutputDirectoryDestroy(directory);
    close(fd);
    free(wanted);
    free(data);
}
END_TEST

START_TEST(ranges_that_are_not_there_are_refused)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    const char *source = write_scratch("source", "0123456789", 10);
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofOutputFileCopy(file, in_scratch("nothing"), 0, 1, &error),
                     OPPROF_E_NOT_FOUND);
    take_error(error, "No such file");
    error = NULL;
    ck_assert_int_eq(OpprofOutputFileCopy(file, scratch, 0, 1, &error), OPPROF_E_IO);
    take_error(error, "not a regular file");
    error = NULL;
    ck_assert_int_eq(OpprofOutputFileCopy(file, source, 5, 6, &error), OPPROF_E_IO);
    take_error(error, "it has only 10 bytes");
    ck_assert_int_eq(OpprofOutputFileCopy(file, source, 11, 0, NULL), OPPROF_E_IO);
    ck_assert_int_eq(OpprofOutputFileCopy(file, source, UINT64_MAX, 2, NULL), OPPROF_E_IO);
    ck_assert_int_eq(OpprofOutputFileCopy(file, source, 2, UINT64_MAX, NULL), OPPROF_E_IO);
    ck_assert_int_eq(OpprofOutputFileCopy(file, source, 2, 3, NULL),
                     OPPROF_OK); /* nothing was appended before */
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    check_content(in_scratch("out/a"), "234", 3);
    OutputDirectoryDestroy(directory);
}
END_TEST

/* ---- a full disk ---- */

/* Files of this process end at so many bytes: writes beyond fail as on a full disk. */
static void limit_files(rlim_t bytes)
{
    const struct rlimit limit = { bytes, bytes };

    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

START_TEST(a_full_disk_is_told_once_and_for_good)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    static char data[100000];
    OpprofError *error = NULL;
    OpprofStatus status = OPPROF_OK;

    limit_files(1000000);
    for (int i = 0; i < 20 && status == OPPROF_OK; i++) {
        status = OpprofOutputFileWrite(file, data, sizeof data, &error);
    }
    ck_assert_int_eq(status, OPPROF_E_IO);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), in_scratch("out/a")));
    ck_assert_ptr_nonnull(strstr(OpprofErrorGetHint(error), "ulimit -f"));
    take_error(error, "at byte 1000000: File too large");
    ck_assert_ptr_null(OpprofOutputFileReserve(file, 10));
    error = NULL;
    ck_assert_int_eq(OpprofOutputFileWrite(file, "x", 1, &error), OPPROF_E_IO);
    take_error(error, "at byte 1000000");
    ck_assert_int_eq(OpprofOutputFilePatch(file, 0, "x", 1, NULL), OPPROF_E_IO);
    ck_assert_int_eq(OpprofOutputFileCopy(file, "/etc/passwd", 0, 1, NULL), OPPROF_E_IO);
    error = NULL;
    ck_assert_int_eq(OpprofOutputFileFinish(file, &error), OPPROF_E_IO);
    take_error(error, "at byte 1000000");
    ck_assert_int_eq(count_files(), 0);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(a_disk_that_is_full_at_the_end_leaves_nothing)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofOutputFileWrite(file, "0123456789", 10, NULL), OPPROF_OK);
    limit_files(5);
    ck_assert_int_eq(OpprofOutputFileFinish(file, &error), OPPROF_E_IO);
    take_error(error, "at byte 5: File too large");
    ck_assert_int_eq(count_files(), 0);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(a_disk_that_fills_up_while_copying_leaves_nothing)
{
    const size_t size = 500000;
    char *data = random_bytes(size);
    const char *source = write_scratch("source", data, size);
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    OpprofError *error = NULL;

    limit_files(200000);
    ck_assert_int_eq(OpprofOutputFileCopy(file, source, 0, size, &error), OPPROF_E_IO);
    take_error(error, "at byte 200000: File too large");
    ck_assert_int_eq(OpprofOutputFileWrite(file, "x", 1, NULL), OPPROF_E_IO);
    OpprofOutputFileDiscard(file);
    ck_assert_int_eq(count_files(), 1); /* the source */
    OutputDirectoryDestroy(directory);
    free(data);
}
END_TEST

START_TEST(a_really_full_device_is_told_by_its_reason)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputFile *file = begin_file(directory, "a");
    OpprofError *error = NULL;
    static char data[300000];

    /* Where the temporary file is open, the device that is always full takes its place. */
    const int full = open("/dev/full", O_WRONLY);
    ck_assert_int_ge(full, 0);
    int taken = -1;
    for (int fd = 3; fd < full; fd++) {
        struct stat info;
        if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
            (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY) {
            taken = fd;
        }
    }
    ck_assert_int_ge(taken, 0);
    ck_assert_int_ge(dup2(full, taken), 0);
    ck_assert_int_eq(OpprofOutputFileWrite(file, data, sizeof data, &error), OPPROF_E_IO);
    take_error(error, "at byte 0: No space left on device\n  hint: Free space");
    OpprofOutputFileDiscard(file);
    ck_assert_int_eq(count_files(), 0);
    close(full);
    OutputDirectoryDestroy(directory);
}
END_TEST

/* ---- threads and memory ---- */

typedef struct Writer {
    OpprofOutputDirectory *directory;
    int number;
    bool good;
} Writer;

static void *write_files(void *context)
{
    Writer *writer = context;
    char name[64];

    writer->good = true;
    for (int i = 0; i < 50; i++) {
        OpprofOutputFile *file = NULL;
        snprintf(name, sizeof name, "core%d/deep/%d.csv", i % 5, writer->number * 50 + i);
        writer->good = writer->good &&
                       OpprofOutputFileCreate(writer->directory, name, &file, NULL) == OPPROF_OK &&
                       OpprofOutputFileWrite(file, name, strlen(name), NULL) == OPPROF_OK;
        if (i % 10 == 0) {
            OpprofOutputFileDiscard(file);
        } else {
            writer->good = writer->good && OpprofOutputFileFinish(file, NULL) == OPPROF_OK;
        }
    }
    return NULL;
}

START_TEST(stages_write_at_the_same_time)
{
    OpprofOutputDirectory *directory = open_output();
    Writer writers[4];
    pthread_t threads[4];

    for (int i = 0; i < 4; i++) {
        writers[i] = (Writer){ .directory = directory, .number = i };
        ck_assert_int_eq(pthread_create(&threads[i], NULL, write_files, &writers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        ck_assert(writers[i].good);
    }
    ck_assert_int_eq(count_files(), 4 * 45);
    check_content(in_scratch("out/core1/deep/51.csv"), "core1/deep/51.csv", 17);
    OutputDirectoryDestroy(directory);
}
END_TEST

static void touch(const char *relative)
{
    FILE *file = fopen(in_scratch(relative), "w");

    ck_assert_ptr_nonnull(file);
    fclose(file);
}

static bool is_there(const char *relative)
{
    return access(in_scratch(relative), F_OK) == 0;
}

START_TEST(temporary_files_of_dead_runs_go_and_others_stay)
{
    static const char *const kept[] = {
        "out/plain",         "out/.hidden",      "out/.x.part-abcdef",      "out/.x.part-ABCDE",
        "out/x.part-ABCDEF", "out/.part-ABCDEF", "out/other/.x.part-ABCDEF"
    };
    OpprofOutputDirectory *living = NULL;
    OpprofOutputDirectory *directory;
    OpprofOutputFile *writing;

    ck_assert_int_eq(mkdir(in_scratch("out"), 0750), 0);
    ck_assert_int_eq(mkdir(in_scratch("out/core0"), 0750), 0);
    ck_assert_int_eq(mkdir(in_scratch("out/other"), 0750), 0);
    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("out/core0"), true, &living, NULL),
                     OPPROF_OK); /* a run into a directory of the other's */
    writing = begin_file(living, "trace.json");
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        touch(kept[i]);
    }
    touch("out/.trace.json.part-ABCDEF");
    touch("out/core0/.trace.json.part-UVWXYZ");
    ck_assert_int_eq(symlink("plain", in_scratch("out/.link.part-ABCDEF")), 0);
    directory = open_output();
    OpprofOutputFileDiscard(begin_file(directory, "a.csv"));
    OpprofOutputFileDiscard(begin_file(directory, "core0/a.csv"));
    ck_assert(!is_there("out/.trace.json.part-ABCDEF"));
    ck_assert(!is_there("out/core0/.trace.json.part-UVWXYZ"));
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        ck_assert_msg(is_there(kept[i]), "%s", kept[i]);
    }
    ck_assert(is_there("out/.link.part-ABCDEF"));
    ck_assert_int_eq(OpprofOutputFileFinish(writing, NULL), OPPROF_OK);
    ck_assert(is_there("out/core0/trace.json"));
    OutputDirectoryDestroy(directory);
    OutputDirectoryDestroy(living);
}
END_TEST

static void put(const char *relative, const char *text)
{
    FILE *file = fopen(in_scratch(relative), "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(the_next_run_cleans_what_dead_runs_left_beside_it)
{
    static const char *const unended[] = { "running", "crashed" }; /* what run.json says */
    static const int before[] = { 0, 100000 };                     /* bytes in front of that */
    OpprofOutputDirectory *directory = NULL;
    char path[100], record[100200];

    ck_assert_int_eq(mkdir(in_scratch("OPPROF_dead"), 0750), 0);
    ck_assert_int_eq(mkdir(in_scratch("OPPROF_dead/core0"), 0750), 0);
    ck_assert_int_eq(mkdir(in_scratch("OPPROF_ended"), 0750), 0);
    ck_assert_int_eq(mkdir(in_scratch("mine"), 0750), 0);
    touch("OPPROF_dead/core0/.a.csv.part-ABCDEF");
    touch("OPPROF_dead/core0/b.csv");
    put("OPPROF_ended/run.json", "{\n  \"outcome\": \"complete\",\n  \"vars\": {\n"
                                 "    \"outcome\": \"running\"\n  }\n}\n");
    touch("OPPROF_ended/.a.csv.part-ABCDEF");
    touch("mine/.a.csv.part-ABCDEF");
    for (size_t i = 0; i < OPPROF_COUNT(unended); i++) {
        snprintf(path, sizeof path, "OPPROF_%s", unended[i]);
        ck_assert_int_eq(mkdir(in_scratch(path), 0750), 0);
        snprintf(path, sizeof path, "OPPROF_%s/.a.csv.part-ABCDEF", unended[i]);
        touch(path);
        snprintf(path, sizeof path, "OPPROF_%s/run.json", unended[i]);
        snprintf(record, sizeof record,
                 "{\n  \"vars\": {\n    \"outcome\": \"complete\",\n    \"a\": \"%0*d\"\n  },\n"
                 "  \"outcome\": \"%s\",\n  \"cut\": true\n}\n",
                 before[i], 0, unended[i]);
        put(path, record);
    }
    ck_assert_int_eq(OutputDirectoryCreate(scratch, false, &directory, NULL), OPPROF_OK);
    OutputDirectoryDestroy(directory);
    for (size_t i = 0; i < OPPROF_COUNT(unended); i++) {
        snprintf(path, sizeof path, "OPPROF_%s/.a.csv.part-ABCDEF", unended[i]);
        ck_assert_msg(!is_there(path), "%s", path);
    }
    ck_assert(!is_there("OPPROF_dead/core0/.a.csv.part-ABCDEF"));
    ck_assert(is_there("OPPROF_dead/core0/b.csv"));
    ck_assert(is_there("OPPROF_ended/.a.csv.part-ABCDEF"));
    ck_assert(is_there("mine/.a.csv.part-ABCDEF"));
}
END_TEST

/* Also in directories that it makes no files in. */
START_TEST(the_next_run_into_the_same_directory_cleans_all_of_it)
{
    OpprofOutputDirectory *directory = NULL;

    ck_assert_int_eq(mkdir(in_scratch("core7"), 0750), 0);
    touch("core7/.trace.json.part-ABCDEF");
    touch("core7/trace.json");
    ck_assert_int_eq(mkdir(in_scratch("core7/.opprof.part-ABCDEF"), 0700), 0);
    touch("core7/.opprof.part-ABCDEF/log");
    for (int is_unended = 0; is_unended < 2; is_unended++) {
        put("run.json", is_unended ? "{\n  \"outcome\": \"running\"\n}\n"
                                   : "{\n  \"outcome\": \"incomplete\"\n}\n");
        ck_assert_int_eq(OutputDirectoryCreate(scratch, true, &directory, NULL), OPPROF_OK);
        OutputDirectoryDestroy(directory);
        ck_assert(is_there("core7/.trace.json.part-ABCDEF") == (is_unended == 0));
        ck_assert(is_there("core7/.opprof.part-ABCDEF") == (is_unended == 0));
    }
    ck_assert(is_there("core7/trace.json"));
}
END_TEST

/* As if it had died: nobody holds what it made any more. */
static void make_and_die(const char *name)
{
    char path[100];

    ck_assert_int_eq(mkdir(in_scratch(name), 0700), 0);
    snprintf(path, sizeof path, "%s/folder", name);
    ck_assert_int_eq(mkdir(in_scratch(path), 0700), 0);
    snprintf(path, sizeof path, "%s/folder/file", name);
    touch(path);
}

START_TEST(temporary_directories_of_dead_runs_go_and_others_stay)
{
    OpprofScratch *first = NULL;
    OpprofScratch *second = NULL;
    OpprofOutputDirectory *directory = NULL;
    OpprofError *error = NULL;
    struct stat info;

    ck_assert_int_eq(setenv("TMPDIR", scratch, 1), 0);
    make_and_die(".opprof.part-ABCDEF");
    make_and_die(".other.part-ABCDEF");
    ck_assert_int_eq(OpprofScratchMake(NULL, &first, &error), OPPROF_OK);
    ck_assert(!is_there(".opprof.part-ABCDEF"));
    ck_assert_int_eq(OpprofScratchMake(NULL, &second, &error), OPPROF_OK);
    ck_assert_int_eq(stat(OpprofScratchPath(first), &info), 0);
    ck_assert_uint_eq(info.st_mode & 07777, 0700);
    ck_assert_str_ne(OpprofScratchPath(first), OpprofScratchPath(second));
    make_and_die(".opprof.part-UVWXYZ");
    ck_assert_int_eq(mkdir(in_scratch("out"), 0750), 0);
    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("out"), true, &directory, NULL), OPPROF_OK);
    OutputDirectoryDestroy(directory);
    ck_assert(!is_there(".opprof.part-UVWXYZ"));
    ck_assert_int_eq(stat(OpprofScratchPath(first), &info), 0);
    OpprofScratchRemove(first);
    OpprofScratchRemove(second);
    ck_assert(is_there(".other.part-ABCDEF/folder/file"));
    ck_assert_int_eq(OpprofScratchMake(in_scratch("nowhere"), &first, &error), OPPROF_E_IO);
    ck_assert_ptr_null(first);
    ck_assert_ptr_nonnull(
        strstr(OpprofErrorMessage(error), "Cannot make a temporary directory in '"));
    OpprofErrorDestroy(error);
}
END_TEST

static void finish_text(OpprofOutputDirectory *directory, const char *relative, const char *text)
{
    OpprofOutputFile *file = begin_file(directory, relative);

    ck_assert_int_eq(OpprofOutputFileWrite(file, text, strlen(text), NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
}

START_TEST(finished_files_are_listed_with_who_wrote_them)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputDirectory *view = OutputDirectoryView(directory, "writer");
    const OutputRecord *files;
    size_t count;

    ck_assert_str_eq(OpprofOutputDirectoryPath(view), OpprofOutputDirectoryPath(directory));
    OpprofOutputFileDiscard(begin_file(view, "dropped"));
    finish_text(view, "b/two", "two");
    finish_text(directory, "a", "of nobody");
    finish_text(view, "b/two", "replaced");
    OutputDirectoryFiles(directory, &files, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(files[0].path, "a");
    ck_assert_ptr_null(files[0].owner);
    ck_assert_str_eq(files[1].path, "b/two");
    ck_assert_str_eq(files[1].owner, "writer");
    ck_assert_uint_eq(files[1].bytes, strlen("replaced"));
    ck_assert_uint_eq(OutputDirectoryBytes(view), strlen("two") + strlen("replaced"));
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(a_file_that_a_library_wrote_is_listed_with_its_size)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputDirectory *view = OutputDirectoryView(directory, "writer");
    OpprofOutputFile *file = begin_file(view, "base");
    char *temporary = OpprofOutputFileTemporary(file);
    FILE *out = fopen(temporary, "w");
    OpprofError *error = NULL;
    const OutputRecord *files;
    size_t count;

    ck_assert_ptr_nonnull(out);
    ck_assert_int_ge(fputs("twelve bytes", out), 0);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_int_eq(OpprofOutputFileFinish(file, &error), OPPROF_OK);
    OutputDirectoryFiles(directory, &files, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(files[0].bytes, 12);
    ck_assert_uint_eq(OutputDirectoryBytes(view), 12);
    free(temporary);
    OutputDirectoryDestroy(directory);
}
END_TEST

/* As when the run is aborted. The run's own files say so. */
START_TEST(an_abandoned_directory_takes_nothing_from_stages)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofOutputDirectory *view = OutputDirectoryView(directory, "writer");
    OpprofOutputFile *written = begin_file(view, "written");
    OpprofOutputFile *copied = begin_file(view, "copied");
    OpprofOutputFile *patched = begin_file(view, "patched");
    OpprofOutputFile *whole = begin_file(view, "whole");
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofOutputFileWrite(whole, "all of it", 9, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileWrite(patched, "some", 4, NULL), OPPROF_OK);
    OutputDirectoryAbandon(directory);
    ck_assert_int_eq(OpprofOutputFileWrite(written, "x", 1, &error), OPPROF_CLOSED);
    ck_assert_int_eq(take_error(error, "written': the run was aborted"), OPPROF_CLOSED);
    ck_assert_ptr_null(OpprofOutputFileReserve(written, 1));
    ck_assert_int_eq(OpprofOutputFileRest(written, NULL), OPPROF_CLOSED);
    ck_assert_int_eq(OpprofOutputFileCopy(copied, "/proc/self/exe", 0, 1, NULL), OPPROF_CLOSED);
    ck_assert_int_eq(OpprofOutputFilePatch(patched, 0, "S", 1, NULL), OPPROF_CLOSED);
    ck_assert_int_eq(OpprofOutputFileFinish(whole, NULL), OPPROF_CLOSED);
    OpprofOutputFileDiscard(written);
    OpprofOutputFileDiscard(copied);
    OpprofOutputFileDiscard(patched);
    ck_assert_int_eq(count_files(), 0);
    finish_text(directory, "of the run", "It was aborted.");
    ck_assert_int_eq(count_files(), 1);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(every_failing_allocation_is_survived)
{
    const char *path = in_scratch("out"); /* not below: checks may allocate, too */

    for (long n = 1;; n++) {
        OpprofOutputDirectory *directory = NULL;
        OpprofOutputFile *file = NULL;
        fail_allocation(n);
        OpprofStatus status = OutputDirectoryCreate(path, true, &directory, NULL);
        if (status == OPPROF_OK) {
            status = OpprofOutputFileCreate(directory, "a/b", &file, NULL);
        }
        if (status == OPPROF_OK) {
            char *room = OpprofOutputFileReserve(file, 1 << 20);
            OpprofOutputFileCommit(file, room == NULL ? 0 : 10);
            status = OpprofOutputFileFinish(file, NULL);
        }
        OutputDirectoryDestroy(directory);
        if (!has_failed_allocation()) {
            ck_assert_int_eq(status, OPPROF_OK);
            ck_assert_int_ge(n, 4);
            break;
        }
        ck_assert(OpprofFailed(status));
        ck_assert_int_eq(count_files(), 0);
    }
}
END_TEST

static TCase *add_case(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);

    tcase_add_checked_fixture(tests, make_scratch, remove_scratch);
    suite_add_tcase(suite, tests);
    return tests;
}

static Suite *output_suite(void)
{
    Suite *suite = suite_create("output");
    TCase *tests = add_case(suite, "directory");

    tcase_add_test(tests, a_run_gets_a_directory_of_its_own);
    tcase_add_test(tests, two_runs_get_two_directories);
    tcase_add_test(tests, flat_results_go_straight_into_the_directory);
    tcase_add_test(tests, two_runs_do_not_share_a_directory);
    tcase_add_test(tests, an_existing_directory_keeps_its_mode);
    tcase_add_test(tests, bad_places_are_refused);
    tcase_add_test(tests, a_link_is_followed_above_but_not_at_the_end);
    tcase_add_test(tests, a_place_that_others_can_write_is_warned_about);
    tcase_add_test(tests, temporary_files_of_dead_runs_go_and_others_stay);
    tcase_add_test(tests, the_next_run_cleans_what_dead_runs_left_beside_it);
    tcase_add_test(tests, the_next_run_into_the_same_directory_cleans_all_of_it);
    tcase_add_test(tests, temporary_directories_of_dead_runs_go_and_others_stay);
    tcase_add_test(tests, finished_files_are_listed_with_who_wrote_them);
    tcase_add_test(tests, a_file_that_a_library_wrote_is_listed_with_its_size);
    tcase_add_test(tests, an_abandoned_directory_takes_nothing_from_stages);
    tcase_add_test(tests, only_an_empty_directory_of_ones_own_is_removed);
    tcase_add_test(tests, directories_above_go_too_if_the_run_made_them);
    tests = add_case(suite, "files");
    tcase_add_test(tests, a_file_has_its_name_only_when_finished);
    tcase_add_test(tests, modes_do_not_depend_on_the_umask);
    tcase_add_test(tests, a_discarded_file_leaves_nothing);
    tcase_add_test(tests, an_older_file_is_replaced);
    tcase_add_test(tests, bad_paths_are_refused);
    tcase_add_test(tests, odd_names_are_good_names);
    tcase_add_test(tests, links_in_the_way_are_refused);
    tcase_add_test(tests, a_link_put_there_meanwhile_is_refused);
    tcase_add_test(tests, a_directory_moved_away_takes_its_files_along);
    tcase_add_test(tests, only_regular_files_are_replaced);
    tcase_add_test(tests, a_file_is_written_by_one_at_a_time);
    tcase_add_test(tests, among_many_open_files_each_is_written_by_one_at_a_time);
    tests = add_case(suite, "content");
    tcase_add_test(tests, writes_of_all_sizes_arrive);
    tcase_add_test(tests, reserved_room_can_be_filled_in_part);
    tcase_add_test(tests, a_file_that_rests_goes_on_where_it_was);
    tcase_add_test(tests, broken_promises_about_room_are_found);
    tcase_add_test(tests, patches_land_before_after_and_across_what_was_written);
    tcase_add_test(tests, ranges_of_files_are_copied);
    tcase_add_test(tests, ranges_are_copied_from_another_file_system);
    tcase_add_test(tests, ranges_of_a_file_without_a_name_are_copied);
    tcase_add_test(tests, ranges_that_are_not_there_are_refused);
    tests = tcase_create("broken contracts");
    /* A test that aborts can't clean up after itself. */
    tcase_add_unchecked_fixture(tests, make_scratch, remove_scratch);
    tcase_add_loop_test_raise_signal(tests, patches_beyond_the_end_break_a_contract, SIGABRT, 0, 4);
    suite_add_tcase(suite, tests);
    tests = add_case(suite, "failures");
    tcase_add_test(tests, a_full_disk_is_told_once_and_for_good);
    tcase_add_test(tests, a_disk_that_is_full_at_the_end_leaves_nothing);
    tcase_add_test(tests, a_disk_that_fills_up_while_copying_leaves_nothing);
    tcase_add_test(tests, a_really_full_device_is_told_by_its_reason);
    tcase_add_test(tests, stages_write_at_the_same_time);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    return suite;
}
TEST_SUITE(output_suite)
