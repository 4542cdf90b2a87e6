/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main() of fuzz targets that are built without libFuzzer: tries each file of the directories and
 * files given as arguments. Without an argument it takes the target's corpus, FUZZ_CORPUS_DIR/<name
 * without fuzz_>.
 */
#include "fuzz/fuzz.h"
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static unsigned tried;

static bool complain(const char *path)
{
    perror(path);
    return false;
}

/*
 * The bytes are alone in an allocation of their size, so that a sanitizer sees a read past the end.
 */
static bool try_bytes(FILE *file, const char *path, size_t size)
{
    uint8_t *data = malloc(size == 0 ? 1 : size);
    bool is_read = data != NULL && fread(data, 1, size, file) == size;

    if (is_read) {
        LLVMFuzzerTestOneInput(data, size);
        tried++;
    }
    free(data);
    return is_read || complain(path);
}

static bool try_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat about;
    bool is_good;

    if (file == NULL) {
        return complain(path);
    }
    is_good = fstat(fileno(file), &about) == 0 && try_bytes(file, path, (size_t) about.st_size);
    fclose(file);
    return is_good;
}

static bool try_directory(const char *path)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, NULL, alphasort);
    bool is_good = count >= 0 || complain(path);

    for (int i = 0; i < count; i++) {
        char *name = NULL;

        if (entries[i]->d_name[0] != '.' &&
            asprintf(&name, "%s/%s", path, entries[i]->d_name) > 0) {
            is_good = try_file(name) && is_good;
            free(name);
        }
        free(entries[i]);
    }
    free(entries);
    return is_good;
}

static bool try_path(const char *path)
{
    struct stat about;

    if (stat(path, &about) != 0) {
        return complain(path);
    }
    return S_ISDIR(about.st_mode) ? try_directory(path) : try_file(path);
}

/* "…/lt-fuzz_name" to "name". */
static const char *target_name(const char *program)
{
    const char *slash = strrchr(program, '/');
    const char *name = slash == NULL ? program : slash + 1;

    name += strncmp(name, "lt-", 3) == 0 ? 3 : 0;
    return strncmp(name, "fuzz_", 5) == 0 ? name + 5 : name;
}

int main(int argc, char **argv)
{
    char *corpus = NULL;
    bool is_good = true;

    /* libFuzzer sets nothing, so a target that needs the chips has to find them without help. */
    unsetenv("OPPROF_CHIP_PATH");
    unsetenv("OPPROF_SYSTEM_CHIP_PATH");
    for (int i = 1; i < argc; i++) {
        is_good = try_path(argv[i]) && is_good;
    }
    if (argc < 2) {
        is_good = asprintf(&corpus, "%s/%s", FUZZ_CORPUS_DIR, target_name(argv[0])) > 0 &&
                  try_path(corpus);
        free(corpus);
    }
    printf("%s: %u inputs\n", target_name(argv[0]), tried);
    return is_good && tried > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
