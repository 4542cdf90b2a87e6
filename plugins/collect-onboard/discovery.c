/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the launches of a run and their raw files. Tested by
 * tests/plugins/collect-onboard/test_ranges.sh.
 */
#include "discovery.h"
#include "names.h"
#include "uneven.h"

#include <opprof/grow.h>

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DUMP "dump"
#define MAX_PARTS 3        /* device, kernel, order */
#define MAX_ORDER_DIGITS 9 /* a program may launch a kernel more often than a thousand times */

typedef struct Search {
    Launches *launches;
    const char *parts[MAX_PARTS];
    size_t depth;
    OpprofError **error;
} Search;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "list the launches of a run");
}

/* ---- names ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Compares two runs of digits: by value, then the shorter one first. Moves past both. */
static int compare_numbers(const char **a, const char **b)
{
    const size_t zeros_a = strspn(*a, "0");
    const size_t zeros_b = strspn(*b, "0");
    const char *x = *a + zeros_a;
    const char *y = *b + zeros_b;
    const size_t length_x = strspn(x, "0123456789");
    const size_t length_y = strspn(y, "0123456789");

    *a = x + length_x;
    *b = y + length_y;
    if (length_x != length_y) {
        return length_x < length_y ? -1 : 1;
    }
    const int order = memcmp(x, y, length_x);
    return order != 0 ? order : (zeros_a > zeros_b) - (zeros_a < zeros_b);
}

int CompareNatural(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        if (is_digit(*a) && is_digit(*b)) {
            const int order = compare_numbers(&a, &b);
            if (order != 0) {
                return order;
            }
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    return (unsigned char) *a - (unsigned char) *b;
}

static bool is_order_name(const char *name)
{
    const size_t length = strspn(name, "0123456789");
    return length >= 1 && length <= MAX_ORDER_DIGITS && name[length] == '\0';
}

static size_t rank_of(const Patterns *patterns, const char *name)
{
    size_t rank = 0;

    while (rank < patterns->count && fnmatch(patterns->list[rank], name, FNM_PERIOD) != 0) {
        rank++;
    }
    return rank;
}

/* A name that is safe in the results: not hidden, no control characters. NULL without memory. */
static char *safe_name(const char *name)
{
    char *copy = NULL;

    if (asprintf(&copy, "%s%s", name[0] == '.' ? "_" : "", name + (name[0] == '.')) < 0) {
        return NULL;
    }
    for (char *at = copy; *at != '\0'; at++) {
        if ((unsigned char) *at < 0x20 || *at == 0x7f || *at == '\\') {
            *at = '_';
        }
    }
    return copy;
}

/* ---- directories ---- */

static bool is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* "parent/name"; free with free(). NULL without memory. */
static char *join(const char *parent, const char *name)
{
    const size_t length = strlen(parent);
    char *path = NULL;

    if (asprintf(&path, "%s%s%s", parent, length > 0 && parent[length - 1] == '/' ? "" : "/",
                 name) < 0) {
        return NULL;
    }
    return path;
}

static int by_nature(const struct dirent **a, const struct dirent **b)
{
    const int order = CompareNatural((*a)->d_name, (*b)->d_name);
    return order != 0 ? order : strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
}

/* True if the directory itself contains raw files. */
static OpprofStatus has_raw_files(const char *directory, const Patterns *patterns, bool *ret_has,
                                  OpprofError **error)
{
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, is_visible, by_nature);

    *ret_has = false;
    if (count < 0) {
        return OpprofErrorSet(error, errno == ENOENT ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                              "Cannot list '%s': %m", directory);
    }
    for (int i = 0; i < count && !*ret_has; i++) {
        if (rank_of(patterns, entries[i]->d_name) < patterns->count) {
            char *path = join(directory, entries[i]->d_name);
            *ret_has = path != NULL && !is_directory(path);
            free(path);
        }
    }
    free_entries(entries, count);
    return OPPROF_OK;
}

/* ---- launches ---- */

void LaunchFinish(Launch *launch)
{
    free(launch->directory);
    free(launch->place);
    free(launch->device);
    free(launch->kernel);
    free(launch->order);
    for (size_t i = 0; i < launch->part_count; i++) {
        RawFileFinish(&launch->parts[i]);
    }
    free(launch->parts);
    free(launch->appendix);
}

/* The last of the parts is the order; takes ownership of `directory`. */
static OpprofStatus add_launch(Launches *launches, char *directory, const char *const *parts,
                               size_t part_count, OpprofError **error)
{
    Launch launch = { .directory = directory };
    char **const targets[MAX_PARTS] = { &launch.order, &launch.kernel, &launch.device };
    bool is_good = directory != NULL && OpprofGrow(&launches->list, &launches->capacity,
                                                   launches->count + 1, sizeof *launches->list);

    for (size_t i = 0; is_good && i < part_count; i++) {
        *targets[i] = safe_name(parts[part_count - 1 - i]);
        is_good = *targets[i] != NULL;
    }
    if (is_good) {
        is_good = (part_count == 0   ? asprintf(&launch.place, ".")
                   : part_count == 1 ? asprintf(&launch.place, "%s", parts[0])
                   : part_count == 2
                       ? asprintf(&launch.place, "%s/%s", parts[0], parts[1])
                       : asprintf(&launch.place, "%s/%s/%s", parts[0], parts[1], parts[2])) >= 0;
    }
    if (!is_good) {
        LaunchFinish(&launch);
        return no_memory(error);
    }
    launches->list[launches->count++] = launch;
    return OPPROF_OK;
}

static OpprofStatus search_directory(Search *search, const char *directory);

/* A folder within the run: one launch, or folders with launches in them. */
static OpprofStatus search_entry(Search *search, const char *directory, const char *name)
{
    char *path = join(directory, name);
    char *dump = path == NULL ? NULL : join(path, DUMP);
    OpprofStatus status = OPPROF_OK;

    if (dump == NULL) {
        free(path);
        return no_memory(search->error);
    }
    search->parts[search->depth++] = name;
    if (is_order_name(name) && is_directory(dump)) {
        status = add_launch(search->launches, dump, search->parts, search->depth, search->error);
        dump = NULL;
    } else if (search->depth < MAX_PARTS && is_directory(path)) {
        status = search_directory(search, path);
    }
    search->depth--;
    free(path);
    free(dump);
    return status;
}

static void note_unreadable(Launches *launches, const char *directory)
{
    if (launches->unreadable++ == 0 &&
        asprintf(&launches->first_unreadable, "cannot list '%s': %m", directory) < 0) {
        launches->first_unreadable = NULL;
    }
}

static OpprofStatus search_directory(Search *search, const char *directory)
{
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, is_visible, by_nature);
    OpprofStatus status = OPPROF_OK;

    if (count < 0) {
        note_unreadable(search->launches, directory);
        return OPPROF_OK;
    }
    for (int i = 0; status == OPPROF_OK && i < count; i++) {
        /* raw data of range replays, not of launches */
        if (search->depth > 0 || !NamesIs(entries[i]->d_name, "ranges")) {
            status = search_entry(search, directory, entries[i]->d_name);
        }
    }
    free_entries(entries, count);
    return status;
}

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Result folders as laid out by the reference tool: no folder for a single launch, none for a
 * single device. */
static void lay_out(Launches *launches)
{
    bool is_one_device = true;

    for (size_t i = 1; i < launches->count; i++) {
        is_one_device =
            is_one_device && is_same(launches->list[i].device, launches->list[0].device);
    }
    for (size_t i = 0; i < launches->count; i++) {
        Launch *launch = &launches->list[i];
        if (is_one_device) {
            free(launch->device);
            launch->device = NULL;
        }
        if (launches->count == 1) {
            free(launch->kernel);
            free(launch->order);
            launch->kernel = NULL;
            launch->order = NULL;
        }
    }
}

/* Cleaned names may have become equal: all but the first get a number. */
static OpprofStatus part_equal(Launches *launches, OpprofError **error)
{
    for (size_t i = 1; i < launches->count; i++) {
        unsigned number = 1;
        for (size_t k = 0; k < i; k++) {
            const Launch *a = &launches->list[k];
            Launch *b = &launches->list[i];
            if (is_same(a->device, b->device) && is_same(a->kernel, b->kernel) &&
                is_same(a->order, b->order)) {
                char *order = NULL;
                if (asprintf(&order, "%.*s_%u", (int) strcspn(b->order, "_"), b->order, ++number) <
                    0) {
                    return no_memory(error);
                }
                free(b->order);
                b->order = order;
                k = SIZE_MAX; /* the new name may exist as well */
            }
        }
    }
    return OPPROF_OK;
}

static OpprofStatus find_single(const char *input, const Patterns *patterns, Launches *launches,
                                OpprofError **error)
{
    bool has_files = false;
    OpprofStatus status = has_raw_files(input, patterns, &has_files, error);

    if (status != OPPROF_OK) {
        return status;
    }
    if (has_files) {
        return add_launch(launches, strdup(input), NULL, 0, error);
    }
    char *dump = join(input, DUMP);
    if (dump == NULL) {
        return no_memory(error);
    }
    if (is_directory(dump)) {
        return add_launch(launches, dump, NULL, 0, error);
    }
    free(dump);
    return OPPROF_OK;
}

static void hint_at_input(OpprofError **error)
{
    OpprofErrorHint(error,
                    "Give the directory of a run (<device>/<kernel>/<order>/dump below it), or one "
                    "with op_basic_info.txt and DeviceProf1.bin in it");
}

OpprofStatus LaunchesFind(const char *input, const Patterns *patterns, Launches *ret_launches,
                          OpprofError **error)
{
    Search search = { .launches = ret_launches, .error = error };

    *ret_launches = (Launches){ .count = 0 };
    OpprofStatus status = find_single(input, patterns, ret_launches, error);
    if (status == OPPROF_E_NOT_FOUND || status == OPPROF_E_IO) {
        hint_at_input(error);
    }
    if (status == OPPROF_OK && ret_launches->count == 0) {
        status = search_directory(&search, input);
    }
    if (status == OPPROF_OK && ret_launches->count == 0) {
        status = OpprofErrorSet(
            error, OPPROF_E_NOT_FOUND, "No raw files of an operator in '%s'%s%s", input,
            ret_launches->first_unreadable == NULL ? "" : "; ",
            ret_launches->first_unreadable == NULL ? "" : ret_launches->first_unreadable);
        hint_at_input(error);
    }
    if (status == OPPROF_OK) {
        lay_out(ret_launches);
        status = part_equal(ret_launches, error);
    }
    if (status != OPPROF_OK) {
        LaunchesFree(ret_launches);
    }
    return status;
}

void LaunchesFree(Launches *launches)
{
    for (size_t i = 0; i < launches->count; i++) {
        LaunchFinish(&launches->list[i]);
    }
    free(launches->list);
    free(launches->first_unreadable);
    *launches = (Launches){ .count = 0 };
}

/* ---- files ---- */

static int by_rank(const void *a, const void *b)
{
    const RawFile *x = a;
    const RawFile *y = b;

    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    const int order = CompareNatural(x->name, y->name);
    return order != 0 ? order : strcmp(x->name, y->name);
}

OpprofStatus RawFilesList(const char *directory, const Patterns *patterns, RawFiles *ret_files,
                          OpprofError **error)
{
    struct dirent **entries = NULL;
    const int count = RawScan(directory, &entries, is_visible, by_nature);
    OpprofStatus status = OPPROF_OK;

    *ret_files = (RawFiles){ .count = 0 };
    if (count < 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot list '%s': %m", directory);
    }
    ret_files->list = calloc((size_t) count + 1, sizeof *ret_files->list);
    if (ret_files->list == NULL) {
        status = no_memory(error);
    }
    for (int i = 0; status == OPPROF_OK && i < count; i++) {
        const size_t rank = rank_of(patterns, entries[i]->d_name);
        if (rank == patterns->count) {
            continue;
        }
        RawFile file = { .name = strdup(entries[i]->d_name), .rank = rank };
        if (file.name == NULL) {
            status = no_memory(error);
        } else {
            ret_files->list[ret_files->count++] = file;
        }
    }
    free_entries(entries, count);
    if (status == OPPROF_OK) {
        qsort(ret_files->list, ret_files->count, sizeof *ret_files->list, by_rank);
    } else {
        RawFilesFree(ret_files);
    }
    return status;
}

/* In a range, the L2 cache's counters belong to all its kernels together. */
static bool is_left_out(const Launch *launch, const RawFile *file)
{
    return launch->part_count > 0 && NamesIs(file->name, "l2_cache");
}

OpprofStatus RawFilesFind(Launch *launch, const Patterns *patterns, RawFiles *ret_files,
                          OpprofError **error)
{
    OpprofStatus status = RawFilesList(launch->directory, patterns, ret_files, error);

    if (status != OPPROF_OK || launch->part_count == 0) {
        return status;
    }
    const size_t own = ret_files->count;
    size_t capacity = own;
    if (!OpprofGrow(&ret_files->list, &capacity, own + launch->part_count,
                    sizeof *ret_files->list)) {
        RawFilesFree(ret_files);
        return no_memory(error);
    }
    RawFile *grown = ret_files->list;
    ret_files->count = 0;
    for (size_t i = 0; i < own; i++) {
        if (is_left_out(launch, &grown[i])) {
            RawFileFinish(&grown[i]);
        } else {
            grown[ret_files->count++] = grown[i];
        }
    }
    memcpy(grown + ret_files->count, launch->parts, launch->part_count * sizeof *grown);
    ret_files->count += launch->part_count;
    launch->part_count = 0;
    qsort(grown, ret_files->count, sizeof *grown, by_rank);
    return OPPROF_OK;
}

void RawFilesFree(RawFiles *files)
{
    for (size_t i = 0; i < files->count; i++) {
        RawFileFinish(&files->list[i]);
    }
    free(files->list);
    *files = (RawFiles){ .count = 0 };
}

static uint64_t extent_bytes(const RawFile *file)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < file->extent_count; i++) {
        bytes += file->extents[i].length;
    }
    return bytes;
}

static uint64_t file_bytes(const char *directory, const char *name)
{
    char *path = join(directory, name);
    struct stat info;
    const bool is_file = path != NULL && stat(path, &info) == 0 && S_ISREG(info.st_mode);

    free(path);
    return is_file ? (uint64_t) info.st_size : 0;
}

uint64_t LaunchesBytes(Launches *launches, const Patterns *patterns)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < launches->count; i++) {
        Launch *launch = &launches->list[i];
        RawFiles files = { .count = 0 };

        launch->found_bytes = 0;
        if (RawFilesList(launch->directory, patterns, &files, NULL) == OPPROF_OK) {
            for (size_t k = 0; k < files.count; k++) {
                launch->found_bytes += file_bytes(launch->directory, files.list[k].name);
                launch->roles |= UnevenRole(files.list[k].name);
            }
            bytes += launch->found_bytes;
            RawFilesFree(&files);
        }
        for (size_t k = 0; k < launch->part_count; k++) {
            bytes += extent_bytes(&launch->parts[k]);
        }
    }
    return bytes;
}
